//! What runs conformance cases, as a library: the differential runs of `tests/differential` ask the engines in the
//! same way, so that a difference which they find fails here as well.
//!
//! Start reading at [`ours`], what our engines answer in the terms of the Go programs.

mod case;
pub mod data;
mod figures;
pub mod ours;
pub mod suites;

pub use case::Case;
pub use figures::Figures;
