//! The values that a template works on: those of `reflect`, as far as they occur.

use std::sync::Arc;

use convoy_value::{Map, Value};

/// A Go value with its type.
#[derive(Clone, Debug, PartialEq)]
pub enum Val {
    /// The invalid `reflect.Value`: no value at all.
    Invalid,
    /// A value that is not known; only [`failures`](crate::failures) has any.
    Unknown,
    /// An `interface{}` that is nil.
    Nil,
    /// `bool`.
    Bool(bool),
    /// `int`: constants, lengths, indices.
    Int(i64),
    /// `int64`: numbers of the data.
    Int64(i64),
    /// `uint64`.
    Uint64(u64),
    /// `uint8`: a byte of a string.
    Uint8(u8),
    /// `float64`.
    Float(f64),
    /// `complex128`.
    Complex(f64, f64),
    /// `string`: any bytes.
    Str(Arc<[u8]>),
    /// `[]interface{}`.
    List(Arc<Vec<Value>>),
    /// `map[string]interface{}`.
    Map(Arc<Map>),
    /// `map[string]string`; the values are strings.
    StrMap(Arc<Map>),
}

impl Val {
    /// A value of the data, as it stands in an `interface{}`.
    pub fn from_value(value: &Value) -> Val {
        match value {
            Value::Null => Val::Nil,
            Value::Bool(b) => Val::Bool(*b),
            Value::Int(i) => Val::Int64(*i),
            Value::Uint(u) => Val::Uint64(*u),
            Value::Float(f) => Val::Float(*f),
            Value::String(text) => Val::Str(Arc::from(text.as_bytes())),
            Value::Bytes(bytes) => Val::Str(bytes.clone()),
            Value::List(list) => Val::List(list.clone()),
            Value::Map(map) => Val::Map(map.clone()),
            Value::StringMap(map) => Val::StrMap(map.clone()),
        }
    }

    /// A string.
    pub fn str(text: &str) -> Val {
        Val::Str(Arc::from(text.as_bytes()))
    }

    /// The value for functions outside this crate; `None` for what data cannot hold.
    pub fn to_value(&self) -> Option<Value> {
        Some(match self {
            Val::Invalid | Val::Nil | Val::Unknown => Value::Null,
            Val::Bool(b) => Value::Bool(*b),
            Val::Int(i) | Val::Int64(i) => Value::Int(*i),
            Val::Uint64(u) => Value::Uint(*u),
            Val::Uint8(u) => Value::Int(i64::from(*u)),
            Val::Float(f) => Value::Float(*f),
            Val::Complex(..) => return None,
            Val::Str(bytes) => match std::str::from_utf8(bytes) {
                Ok(text) => Value::from(text),
                Err(_) => Value::Bytes(bytes.clone()),
            },
            Val::List(list) => Value::List(list.clone()),
            Val::Map(map) => Value::Map(map.clone()),
            Val::StrMap(map) => Value::StringMap(map.clone()),
        })
    }

    /// The name of the type as Go prints it. The invalid value has none.
    pub fn type_name(&self) -> &'static str {
        match self {
            Val::Invalid | Val::Unknown => "<nil>",
            Val::Nil => "interface {}",
            Val::Bool(_) => "bool",
            Val::Int(_) => "int",
            Val::Int64(_) => "int64",
            Val::Uint64(_) => "uint64",
            Val::Uint8(_) => "uint8",
            Val::Float(_) => "float64",
            Val::Complex(..) => "complex128",
            Val::Str(_) => "string",
            Val::List(_) => "[]interface {}",
            Val::Map(_) => "map[string]interface {}",
            Val::StrMap(_) => "map[string]string",
        }
    }

    /// Whether the value counts as true in `if`: anything but nil, false, zero and what is empty.
    pub fn truth(&self) -> bool {
        match self {
            Val::Invalid | Val::Nil | Val::Unknown => false,
            Val::Bool(b) => *b,
            Val::Int(i) | Val::Int64(i) => *i != 0,
            Val::Uint64(u) => *u != 0,
            Val::Uint8(u) => *u != 0,
            Val::Float(f) => *f != 0.0,
            Val::Complex(re, im) => *re != 0.0 || *im != 0.0,
            Val::Str(bytes) => !bytes.is_empty(),
            Val::List(list) => !list.is_empty(),
            Val::Map(map) | Val::StrMap(map) => !map.is_empty(),
        }
    }

    /// The entries of a map in the order in which Go ranges over and prints it.
    pub(crate) fn sorted(map: &Map) -> Vec<(&Arc<str>, &Value)> {
        let mut entries: Vec<_> = map.iter().collect();
        entries.sort_by(|a, b| a.0.cmp(b.0));
        entries
    }
}
