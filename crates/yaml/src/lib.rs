//! YAML as Go reads it.
//!
//! [`parse`] gives a [`Tree`] for any text: documents, keys and values with exact spans, and the errors that
//! go-yaml (the library behind `sigs.k8s.io/yaml`) finds, in its words. [`value`] turns a node into the
//! [`Value`](convoy_value::Value) that a Go program decodes. A scalar's decoded text maps back to the document
//! byte by byte with [`Tree::content_map`].
//!
//! ```
//! let tree = convoy_yaml::parse("a: 1\nb: \"x\\ty\"\n");
//! let root = tree.documents()[0].root.unwrap();
//! let b = tree.get(root, "b").unwrap();
//! assert_eq!(tree.scalar(b), Some("x\ty"));
//! assert_eq!(tree.span(b).text(tree.text()), "\"x\\ty\"");
//! ```
//!
//! It must not know Kubernetes or any dialect. Start reading at [`Tree`], then `scan.rs`.

mod chars;
mod emit;
mod error;
mod fields;
mod json_text;
mod parse;
mod recover;
mod resolve;
mod scalar;
mod scan;
mod store;
mod token;
mod tree;
mod value;

use std::sync::Arc;

pub use emit::emit;
pub use error::SyntaxError;
pub use fields::strict_fields;
pub use json_text::json_text;
pub use resolve::{Resolved, resolve};
pub use tree::{Document, Entry, Kind, NodeId, Properties, Stop, Style, Tree};
pub use value::{Flavour, Options, ValueError, value};

/// Parses a stream as version 2 of go-yaml does, the one behind `sigs.k8s.io/yaml`. Never fails: see
/// [`Document::errors`].
pub fn parse(text: impl Into<Arc<str>>) -> Tree {
    parse_as(text, Flavour::V2)
}

/// Parses a stream as the given version of go-yaml does.
pub fn parse_as(text: impl Into<Arc<str>>, flavour: Flavour) -> Tree {
    recover::parse(&text.into(), flavour)
}
