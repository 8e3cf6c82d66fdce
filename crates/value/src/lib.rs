//! The value that the engines share, and JSON as Go reads and writes it.
//!
//! [`Value`] keeps apart what Go keeps apart and JSON does not: `int64`, `uint64` and `float64` (NaN and the
//! infinities too), strings and bytes. Containers are shared (`Arc`), so that a clone costs a counter.
//!
//! It must not know YAML, templates or Kubernetes. Start reading at [`Value`], then [`json`].

pub mod go;
pub mod json;

use std::sync::Arc;

/// An ordered map with string keys; a later insertion of the same key replaces the value in place.
pub type Map = indexmap::IndexMap<Arc<str>, Value>;

/// A value as the Go programs hold it after decoding.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum Value {
    /// `nil`, JSON `null`.
    #[default]
    Null,
    /// `bool`.
    Bool(bool),
    /// `int64`.
    Int(i64),
    /// `uint64`, used where the number does not fit `int64`.
    Uint(u64),
    /// `float64`.
    Float(f64),
    /// `string`.
    String(Arc<str>),
    /// `[]byte`.
    Bytes(Arc<[u8]>),
    /// `[]interface{}`.
    List(Arc<Vec<Value>>),
    /// `map[string]interface{}`, in the order of its text.
    Map(Arc<Map>),
    /// `map[string]string`: all values are strings. Templates see a missing key in another way than in a
    /// [`Value::Map`]; everything else treats the two alike.
    StringMap(Arc<Map>),
}

impl Value {
    /// A map value.
    pub fn map(entries: impl IntoIterator<Item = (impl Into<Arc<str>>, Value)>) -> Value {
        Value::Map(Arc::new(entries.into_iter().map(|(k, v)| (k.into(), v)).collect()))
    }

    /// A list value.
    pub fn list(items: impl IntoIterator<Item = Value>) -> Value {
        Value::List(Arc::new(items.into_iter().collect()))
    }

    /// The map inside, if it is one.
    pub fn as_map(&self) -> Option<&Map> {
        match self {
            Value::Map(map) | Value::StringMap(map) => Some(map),
            _ => None,
        }
    }

    /// The list inside, if it is one.
    pub fn as_list(&self) -> Option<&[Value]> {
        match self {
            Value::List(list) => Some(list),
            _ => None,
        }
    }

    /// The string inside, if it is one.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// The value under a key of a map.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.as_map()?.get(key)
    }

    /// The value at a path of map keys.
    pub fn at<'a>(&self, path: impl IntoIterator<Item = &'a str>) -> Option<&Value> {
        path.into_iter().try_fold(self, |value, key| value.get(key))
    }

    /// The name of the kind in the words of JSON: `object`, `array`, `string`, `number`, `boolean`, `null`.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Int(_) | Value::Uint(_) | Value::Float(_) => "number",
            Value::String(_) | Value::Bytes(_) => "string",
            Value::List(_) => "array",
            Value::Map(_) | Value::StringMap(_) => "object",
        }
    }

    /// Whether two values are the same JSON: numbers by value across Go's kinds, maps without order.
    pub fn same_json(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::List(a), Value::List(b)) => {
                a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| a.same_json(b))
            }
            (Value::Map(a) | Value::StringMap(a), Value::Map(b) | Value::StringMap(b)) => {
                a.len() == b.len() && a.iter().all(|(k, a)| b.get(k).is_some_and(|b| a.same_json(b)))
            }
            (Value::Int(a), Value::Float(b)) | (Value::Float(b), Value::Int(a)) => *a as f64 == *b,
            (Value::Uint(a), Value::Float(b)) | (Value::Float(b), Value::Uint(a)) => *a as f64 == *b,
            _ => self == other,
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Value::String(text.into())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Value::String(text.into())
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Value::Bool(value)
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Value::Int(value)
    }
}
