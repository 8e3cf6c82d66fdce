//! Positions in text.
//!
//! Everything inside convoy-lsp counts in byte offsets of a document; this crate has the three things that
//! this needs: [`Span`], [`LineIndex`] (bytes to line and column, once, at the edge) and [`ContentMap`]
//! (an offset in a text that is embedded in a document, to the document and back).
//!
//! It must not know YAML, LSP or any language. Start reading at [`ContentMap`].

mod content_map;
mod line_index;
mod span;

pub use content_map::{ContentMap, ContentMapBuilder};
pub use line_index::{LineIndex, Position, PositionEncoding};
pub use span::Span;
