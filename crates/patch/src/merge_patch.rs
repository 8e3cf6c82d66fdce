//! RFC 7386 as `evanphx/json-patch` version 5 does it.
//!
//! It differs from the RFC in lists: nulls in objects inside a list go as well, but where the target holds an
//! object the list stays as it is.

use crate::document::{Document, Object};
use crate::pointer::escape;

/// What one member of a patch did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The JSON Pointer of the member, in the patch and in the document alike.
    pub pointer: String,
    /// Whether the member was removed.
    pub removed: bool,
}

/// Merges the text of a patch into the text of a document.
///
/// # Errors
///
/// `Invalid JSON Document`, `Invalid JSON Patch`.
pub fn merge_texts(document: &str, patch: &str) -> Result<Document, String> {
    let bad_document = || "Invalid JSON Document".to_owned();
    let document = Document::parse(document).map_err(|_| bad_document())?;
    let patch = Document::parse(patch).map_err(|_| "Invalid JSON Patch".to_owned())?;
    if document == Document::Null {
        return Err(bad_document());
    }
    Ok(merge(&document, &patch))
}

/// Merges a patch into a document. A patch that is no object takes the document's place.
pub fn merge(document: &Document, patch: &Document) -> Document {
    match (document, patch) {
        (Document::Object(document), Document::Object(patch)) => {
            let mut merged = document.clone();
            merge_objects(&mut merged, patch);
            Document::Object(merged)
        }
        (_, Document::Null) => Document::Null,
        (_, patch) => {
            let mut patch = patch.clone();
            prune(&mut patch);
            patch
        }
    }
}

fn merge_objects(document: &mut Object, patch: &Object) {
    for (key, value) in patch {
        if value.is_null() {
            document.shift_remove(key);
            continue;
        }
        if let Some(Document::Object(current)) = document.get_mut(key) {
            match value {
                Document::Object(value) => merge_objects(current, value),
                value => {
                    document.insert(key.clone(), value.clone());
                }
            }
        } else {
            let mut value = value.clone();
            prune(&mut value);
            document.insert(key.clone(), value);
        }
    }
}

/// Drops the members that are null, in objects inside lists too.
fn prune(document: &mut Document) {
    match document {
        Document::Object(object) => {
            object.retain(|_, value| !value.is_null());
            object.values_mut().for_each(prune);
        }
        Document::Array(items) => items.iter_mut().for_each(prune),
        _ => {}
    }
}

/// What a patch does to any document: one change for each member that is no object.
pub fn changes(patch: &Document) -> Vec<Change> {
    let mut out = Vec::new();
    collect(patch, String::new(), &mut out);
    out
}

fn collect(patch: &Document, pointer: String, out: &mut Vec<Change>) {
    match patch {
        Document::Object(object) if !object.is_empty() => {
            for (key, value) in object {
                collect(value, format!("{pointer}/{}", escape(key)), out);
            }
        }
        value => out.push(Change { pointer, removed: value.is_null() }),
    }
}
