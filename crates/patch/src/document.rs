use std::fmt::{Display, Formatter, Result as FmtResult};
use std::sync::Arc;

use convoy_value::json::{self, Kind, Node};
use convoy_value::{Map, Value};

/// The members of a JSON object in order.
pub type Object = indexmap::IndexMap<Arc<str>, Document>;

/// JSON whose numbers keep their text.
#[derive(Clone, Debug, PartialEq)]
pub enum Document {
    /// `null` that was part of a larger text.
    Null,
    /// `null` that an operation put in place by itself. The library's `test` tells the two apart.
    PutNull,
    /// `null` that version 4 of the library holds as a Go map that was never made, and so takes for an object without
    /// members to which nothing can be added: a document that is null, or a copy of [`Document::PutNull`]. No result
    /// has it.
    NilMap,
    /// `true`, `false`.
    Bool(bool),
    /// The text of the number.
    Number(Box<str>),
    /// The decoded text.
    String(Arc<str>),
    /// A string that does not stand in its text as Go would write it. Version 4 of the library compares strings by
    /// their text, and no other reader has need of it. No result has it.
    Spelled {
        /// The decoded text.
        text: Arc<str>,
        /// The literal with its quotes.
        literal: Arc<str>,
    },
    /// Items in order.
    Array(Vec<Document>),
    /// Members in order.
    Object(Object),
}

impl Document {
    /// Parses a JSON text.
    ///
    /// # Errors
    ///
    /// As [`json::parse`].
    pub fn parse(text: &str) -> Result<Document, json::Error> {
        json::parse(text).map(|node| Document::from_node(&node))
    }

    /// The document of parsed JSON; of a key that stands twice, the last value counts.
    pub fn from_node(node: &Node) -> Document {
        read(node, None)
    }

    /// The document of JSON that was parsed from `text`, in which strings keep how they were written.
    pub(crate) fn spelled(node: &Node, text: &str) -> Document {
        read(node, Some(text))
    }

    /// The document that a Go program marshals from a value. NaN and the infinities, which no object can hold,
    /// become null.
    pub fn from_value(value: &Value) -> Document {
        match value {
            Value::Null => Document::Null,
            Value::Bool(b) => Document::Bool(*b),
            Value::Int(i) => Document::Number(i.to_string().into()),
            Value::Uint(u) => Document::Number(u.to_string().into()),
            Value::Float(f) if f.is_finite() => Document::Number(convoy_value::go::json_float(*f).into()),
            Value::Float(_) => Document::Null,
            Value::String(text) => Document::String(text.clone()),
            Value::Bytes(bytes) => Document::String(String::from_utf8_lossy(bytes).into()),
            Value::List(items) => Document::Array(items.iter().map(Document::from_value).collect()),
            Value::Map(map) | Value::StringMap(map) => {
                Document::Object(map.iter().map(|(k, v)| (k.clone(), Document::from_value(v))).collect())
            }
        }
    }

    /// The value that Kubernetes decodes from the document: integers as `int64`, other numbers as `float64`.
    pub fn to_value(&self) -> Value {
        match self {
            Document::Null | Document::PutNull | Document::NilMap => Value::Null,
            Document::Bool(b) => Value::Bool(*b),
            Document::Number(text) => json::number(text),
            Document::String(text) | Document::Spelled { text, .. } => Value::String(text.clone()),
            Document::Array(items) => Value::list(items.iter().map(Document::to_value)),
            Document::Object(object) => {
                let map: Map = object.iter().map(|(k, v)| (k.clone(), v.to_value())).collect();
                Value::Map(Arc::new(map))
            }
        }
    }

    /// The value that Kubernetes decodes from the JSON that a Go program marshals from this one: `1.0` becomes the
    /// integer 1. It shares what it has in common with the value.
    pub fn decoded(value: &Value) -> Value {
        if is_decoded(value) { value.clone() } else { Document::from_value(value).to_value() }
    }

    /// The number of values in the document, itself included.
    pub(crate) fn size(&self) -> usize {
        match self {
            Document::Array(items) => 1 + items.iter().map(Document::size).sum::<usize>(),
            Document::Object(object) => 1 + object.values().map(Document::size).sum::<usize>(),
            _ => 1,
        }
    }

    /// How deep lists and objects nest in the document: 0 for any other value.
    pub(crate) fn depth(&self) -> usize {
        let deepest = |depths: &mut dyn Iterator<Item = usize>| 1 + depths.max().unwrap_or(0);
        match self {
            Document::Array(items) => deepest(&mut items.iter().map(Document::depth)),
            Document::Object(object) => deepest(&mut object.values().map(Document::depth)),
            _ => 0,
        }
    }

    pub(crate) fn is_null(&self) -> bool {
        matches!(self, Document::Null | Document::PutNull | Document::NilMap)
    }

    /// Makes of the document what its text is: without the differences among nulls and among strings that only
    /// count while a patch is applied.
    pub(crate) fn settle(&mut self) {
        match self {
            Document::PutNull | Document::NilMap => *self = Document::Null,
            Document::Spelled { text, .. } => *self = Document::String(text.clone()),
            Document::Array(items) => items.iter_mut().for_each(Document::settle),
            Document::Object(object) => object.values_mut().for_each(Document::settle),
            Document::Null | Document::Bool(_) | Document::Number(_) | Document::String(_) => {}
        }
    }
}

fn read(node: &Node, spelling: Option<&str>) -> Document {
    match &node.kind {
        Kind::Null => Document::Null,
        Kind::Bool(b) => Document::Bool(*b),
        Kind::Number(text) => Document::Number(text.clone()),
        Kind::String(text) => {
            spelling.map_or_else(|| Document::String(text.clone()), |all| string(text, node.span.text(all)))
        }
        Kind::Array(items) => Document::Array(items.iter().map(|item| read(item, spelling)).collect()),
        Kind::Object(members) => {
            Document::Object(members.iter().map(|m| (m.key.clone(), read(&m.value, spelling))).collect())
        }
    }
}

/// The string of a literal.
pub(crate) fn string(text: &Arc<str>, literal: &str) -> Document {
    let mut usual = String::with_capacity(literal.len());
    json::write_string(&mut usual, text);
    if usual == literal {
        return Document::String(text.clone());
    }
    Document::Spelled { text: text.clone(), literal: literal.into() }
}

/// Whether a value is one that JSON decodes to.
fn is_decoded(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::String(_) => true,
        Value::Float(f) => {
            f.is_finite() && matches!(json::number(&convoy_value::go::json_float(*f)), Value::Float(_))
        }
        Value::Uint(_) | Value::Bytes(_) | Value::StringMap(_) => false,
        Value::List(items) => items.iter().all(is_decoded),
        Value::Map(map) => map.values().all(is_decoded),
    }
}

impl Display for Document {
    fn fmt(&self, f: &mut Formatter<'_>) -> FmtResult {
        let mut out = String::new();
        write(&mut out, self);
        f.write_str(&out)
    }
}

fn write(out: &mut String, document: &Document) {
    match document {
        Document::Null | Document::PutNull | Document::NilMap => out.push_str("null"),
        Document::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
        Document::Number(text) => out.push_str(text),
        Document::String(text) | Document::Spelled { text, .. } => json::write_string(out, text),
        Document::Array(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                write(out, item);
            }
            out.push(']');
        }
        Document::Object(object) => {
            out.push('{');
            for (i, (key, value)) in object.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                json::write_string(out, key);
                out.push(':');
                write(out, value);
            }
            out.push('}');
        }
    }
}
