//! What an editor asks: one file for each feature, plain data in and out.
//!
//! Nothing here knows LSP: positions are byte offsets of a file.

mod diagnostics;
mod hover;
mod hover_cel;

pub use diagnostics::{check, diagnostics};
pub use hover::{Hover, hover};
