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
    /// `true`, `false`.
    Bool(bool),
    /// The text of the number.
    Number(Box<str>),
    /// The decoded text.
    String(Arc<str>),
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
        match &node.kind {
            Kind::Null => Document::Null,
            Kind::Bool(b) => Document::Bool(*b),
            Kind::Number(text) => Document::Number(text.clone()),
            Kind::String(text) => Document::String(text.clone()),
            Kind::Array(items) => Document::Array(items.iter().map(Document::from_node).collect()),
            Kind::Object(members) => Document::Object(
                members.iter().map(|m| (m.key.clone(), Document::from_node(&m.value))).collect(),
            ),
        }
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
            Document::Null | Document::PutNull => Value::Null,
            Document::Bool(b) => Value::Bool(*b),
            Document::Number(text) => json::number(text),
            Document::String(text) => Value::String(text.clone()),
            Document::Array(items) => Value::list(items.iter().map(Document::to_value)),
            Document::Object(object) => {
                let map: Map = object.iter().map(|(k, v)| (k.clone(), v.to_value())).collect();
                Value::Map(Arc::new(map))
            }
        }
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
        matches!(self, Document::Null | Document::PutNull)
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
        Document::Null | Document::PutNull => out.push_str("null"),
        Document::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
        Document::Number(text) => out.push_str(text),
        Document::String(text) => json::write_string(out, text),
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
