use std::sync::Arc;

use convoy_text::Span;

use crate::workspace::{File, Workspace};

/// What a hover shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// Markdown.
    pub markdown: String,
    /// What it is about.
    pub span: Span,
}

/// The hover at an offset of a file.
pub fn hover(_workspace: &Workspace, _file: &Arc<File>, _offset: usize) -> Option<Hover> {
    None
}
