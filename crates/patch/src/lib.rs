//! Patches as the Go libraries apply them.
//!
//! [`json_patch`] is RFC 6902 with the verdicts and texts of `evanphx/json-patch`, version 5 or, for what the API
//! server does, version 4; [`merge_patch`] is RFC 7386 as version 5 does it. Both work on a [`Document`], JSON that
//! keeps the text of its numbers, since the library compares them by text. [`strategic`] merges strategic merge patches
//! of Kubernetes into objects, [`apply`] apply configurations.
//!
//! ```
//! use convoy_patch::{Document, json_patch};
//!
//! let patch = json_patch::decode(r#"[{"op": "replace", "path": "/a/0", "value": 2}]"#).unwrap();
//! let document = Document::parse(r#"{"a": [1]}"#).unwrap();
//! assert_eq!(json_patch::apply(&patch, &document).unwrap().to_string(), r#"{"a":[2]}"#);
//! ```
//!
//! It must not know YAML or any dialect; of Kubernetes, it knows the types ([`convoy_kube`]). Start reading at [`json_patch::apply`].

pub mod apply;
mod document;
mod go_text;
pub mod json_patch;
pub mod merge_patch;
pub mod pointer;
pub mod strategic;

pub use document::{Document, Object};
