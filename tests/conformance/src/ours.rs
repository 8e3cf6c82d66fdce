//! What our engines answer, in the terms of the Go programs that `tests/oracle` asks.

pub mod apply;
pub mod cel;
pub mod kube;
pub mod patch;
pub mod template;
pub mod yaml;
