//! What our engines answer, in the terms of the Go programs that `tests/oracle` asks.

pub mod cel;
pub mod patch;
pub mod template;
pub mod yaml;
