//! What `test` holds equal.

use std::borrow::Cow;

use convoy_value::json;

use super::Flavour;
use crate::document::{Document, Object};

/// Whether two documents are equal for `test`: numbers by their text, in version 4 strings as well. None where the
/// library crashes, which it does on a null among the items of a list, and version 5 on a list beside a null.
pub(super) fn equal(flavour: Flavour, a: &Document, b: &Document) -> Option<bool> {
    match (a, b) {
        (Document::Object(a), Document::Object(b)) => objects_equal(flavour, a, b),
        (Document::NilMap, Document::Object(b)) => Some(b.is_empty()),
        (Document::Array(a), Document::Array(b)) => {
            if a.len() != b.len() {
                return Some(false);
            }
            for (a, b) in a.iter().zip(b) {
                if crashes(flavour, a, b) {
                    return None;
                }
                if !equal(flavour, a, b)? {
                    return Some(false);
                }
            }
            Some(true)
        }
        (Document::PutNull, Document::Array(_)) | (Document::Array(_), Document::PutNull)
            if flavour == Flavour::V5 =>
        {
            None
        }
        (Document::Object(_) | Document::Array(_) | Document::NilMap, _) => Some(false),
        (a, b) => match flavour {
            Flavour::V5 => Some(a == b),
            Flavour::V4 => Some(scalar(a) == scalar(b)),
        },
    }
}

/// Whether the library crashes on this pair of items.
fn crashes(flavour: Flavour, a: &Document, b: &Document) -> bool {
    match flavour {
        Flavour::V5 => a.is_null() || b.is_null(),
        // A null that an operation put has a node of its own, and so is no reason to crash.
        Flavour::V4 => matches!(a, Document::Null) || matches!(b, Document::Null),
    }
}

/// The text by which version 4 compares what is neither object nor list.
fn scalar(document: &Document) -> Option<Cow<'_, str>> {
    Some(match document {
        Document::Bool(true) => "true".into(),
        Document::Bool(false) => "false".into(),
        Document::Number(text) => (&**text).into(),
        Document::Spelled { literal, .. } => (&**literal).into(),
        Document::String(text) => {
            let mut literal = String::with_capacity(text.len() + 2);
            json::write_string(&mut literal, text);
            literal.into()
        }
        // A null that was put has no text, and equals only another one. The rest is no scalar, and its text that of
        // none.
        Document::Null | Document::PutNull => return None,
        Document::NilMap | Document::Array(_) | Document::Object(_) => "".into(),
    })
}

fn objects_equal(flavour: Flavour, a: &Object, b: &Object) -> Option<bool> {
    if a.len() != b.len() {
        return Some(false);
    }
    for (key, a) in a {
        let Some(b) = b.get(key) else { return Some(false) };
        match (matches!(a, Document::Null), matches!(b, Document::Null)) {
            (true, true) => {}
            (false, false) => {
                if !equal(flavour, a, b)? {
                    return Some(false);
                }
            }
            _ => return Some(false),
        }
    }
    Some(true)
}

/// A copy of a value in version 4, which writes the value and holds its text: a null that an operation put comes to
/// be one of two other kinds, and strings get the escapes that Go writes for HTML.
pub(super) fn copied(value: Document) -> Document {
    match value {
        Document::PutNull | Document::NilMap => Document::NilMap,
        mut value => {
            rewrite(&mut value);
            value
        }
    }
}

fn rewrite(value: &mut Document) {
    match value {
        Document::PutNull | Document::NilMap => *value = Document::Null,
        Document::Spelled { text, literal } => *value = crate::document::string(text, &escaped(literal)),
        Document::Array(items) => items.iter_mut().for_each(rewrite),
        Document::Object(object) => object.values_mut().for_each(rewrite),
        Document::Null | Document::Bool(_) | Document::Number(_) | Document::String(_) => {}
    }
}

/// The escapes of `json.Marshal` for a text that is JSON already.
fn escaped(literal: &str) -> String {
    let mut out = String::with_capacity(literal.len());
    for c in literal.chars() {
        match json::html_escape(c) {
            Some(escape) => out.push_str(&escape),
            None => out.push(c),
        }
    }
    out
}
