//! RFC 7386 as `evanphx/json-patch` version 5 does it.
//!
//! It differs from the RFC in lists: nulls in objects inside a list go as well, but where the target holds an
//! object the list stays as it is.

use std::sync::Arc;

use convoy_value::{Map, Value};

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

/// Merges a patch into an object as [`merge`] does, for values that are decoded from JSON ([`Document::decoded`]). The
/// result shares with the object what the patch does not touch.
pub fn merge_values(object: &Value, patch: &Value) -> Value {
    let (Value::Map(object), Value::Map(patch)) = (object, patch) else {
        return if *patch == Value::Null { Value::Null } else { pruned(patch) };
    };
    let mut merged = Map::clone(object);
    for (key, value) in patch.iter() {
        if *value == Value::Null {
            merged.shift_remove(key);
            continue;
        }
        let value = match merged.get(key) {
            Some(current @ Value::Map(_)) if matches!(value, Value::Map(_)) => merge_values(current, value),
            Some(Value::Map(_)) => value.clone(),
            _ => pruned(value),
        };
        merged.insert(key.clone(), value);
    }
    Value::Map(Arc::new(merged))
}

/// The value without the members that are null.
fn pruned(value: &Value) -> Value {
    match value {
        Value::Map(map) => {
            let members = map.iter().filter(|(_, value)| **value != Value::Null);
            Value::Map(Arc::new(members.map(|(key, value)| (key.clone(), pruned(value))).collect()))
        }
        Value::List(items) => Value::list(items.iter().map(pruned)),
        value => value.clone(),
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

#[cfg(test)]
mod tests {
    use super::*;

    /// All values of a small grammar: what the two merges may treat in different ways.
    fn values(depth: usize) -> Vec<String> {
        let mut all: Vec<String> =
            ["null", "1", "1.5", "\"a\"", "true", "[]", "{}"].map(str::to_owned).into();
        if depth > 0 {
            for value in values(depth - 1) {
                all.push(format!("{{\"a\":{value}}}"));
                all.push(format!("{{\"b\":{value},\"c\":null}}"));
                all.push(format!("[{value},{{\"a\":{value},\"d\":null}}]"));
            }
        }
        all
    }

    #[test]
    fn values_are_merged_as_documents_are() {
        let parse = |text: &String| Document::parse(text).expect("JSON");
        let all: Vec<Document> = values(2).iter().map(parse).collect();
        for document in &all {
            for patch in &all {
                let wanted = merge(document, patch).to_value();
                assert_eq!(
                    merge_values(&document.to_value(), &patch.to_value()),
                    wanted,
                    "{document} {patch}"
                );
            }
        }
    }
}
