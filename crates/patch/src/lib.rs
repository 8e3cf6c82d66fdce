//! Patches as the Go libraries apply them.
//!
//! [`json_patch`] is RFC 6902 with the verdicts and texts of `evanphx/json-patch` version 5, [`merge_patch`] is
//! RFC 7386 as the same library does it. Both work on a [`Document`], JSON that keeps the text of its numbers,
//! since the library compares them by text.
//!
//! ```
//! use convoy_patch::{Document, json_patch};
//!
//! let patch = json_patch::decode(r#"[{"op": "replace", "path": "/a/0", "value": 2}]"#).unwrap();
//! let document = Document::parse(r#"{"a": [1]}"#).unwrap();
//! assert_eq!(json_patch::apply(&patch, &document).unwrap().to_string(), r#"{"a":[2]}"#);
//! ```
//!
//! It must not know Kubernetes, YAML or any dialect. Start reading at [`json_patch::apply`].

mod document;
pub mod json_patch;
pub mod merge_patch;
pub mod pointer;

pub use document::{Document, Object};
