//! Values as Go sees them: the names of their types, which of them are equal, and the errors that print them.

use std::sync::Arc;

use convoy_value::{Map, Value};

use crate::go_text::{shown, write_map, write_value};

/// The type of a value that came from JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Nil,
    Bool,
    Int,
    Float,
    Text,
    List,
    Map,
}

impl Kind {
    pub(super) fn of(value: &Value) -> Kind {
        match value {
            Value::Null => Kind::Nil,
            Value::Bool(_) => Kind::Bool,
            Value::Int(_) => Kind::Int,
            Value::Uint(_) | Value::Float(_) => Kind::Float,
            Value::String(_) | Value::Bytes(_) => Kind::Text,
            Value::List(_) => Kind::List,
            Value::Map(_) | Value::StringMap(_) => Kind::Map,
        }
    }

    /// The name of the Go type.
    fn name(self) -> &'static str {
        match self {
            Kind::Nil => "<nil>",
            Kind::Bool => "bool",
            Kind::Int => "int64",
            Kind::Float => "float64",
            Kind::Text => "string",
            Kind::List => "[]interface {}",
            Kind::Map => "map[string]interface {}",
        }
    }
}

/// A value that Go can compare, in a form that can be hashed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Scalar {
    Nil,
    Bool(bool),
    Int(i64),
    Float(u64),
    Text(Arc<str>),
}

impl Scalar {
    /// None for lists and maps, which Go cannot compare.
    pub(super) fn of(value: &Value) -> Option<Scalar> {
        let float = |number: f64| Scalar::Float(if number == 0.0 { 0 } else { number.to_bits() });
        Some(match value {
            Value::Null => Scalar::Nil,
            Value::Bool(value) => Scalar::Bool(*value),
            Value::Int(number) => Scalar::Int(*number),
            Value::Uint(number) => float(*number as f64),
            Value::Float(number) => float(*number),
            Value::String(text) => Scalar::Text(text.clone()),
            Value::Bytes(bytes) => Scalar::Text(String::from_utf8_lossy(bytes).into()),
            Value::List(_) | Value::Map(_) | Value::StringMap(_) => return None,
        })
    }
}

/// Where Go crashes on a list or a map that it should compare.
pub(super) fn uncomparable(kind: Kind) -> String {
    format!("panic: runtime error: comparing uncomparable type {}", kind.name())
}

/// Where Go crashes on a list or a map that it should look up.
pub(super) fn unhashable(kind: Kind) -> String {
    format!("panic: runtime error: hash of unhashable type {}", kind.name())
}

/// Where it crashes on one that it should look up where there is nothing.
pub(super) fn unhashable_in_nothing(kind: Kind) -> String {
    format!("panic: hash of unhashable type: {}", kind.name())
}

/// Go's `==` of two values. It crashes on two lists and on two maps.
pub(super) fn equal(a: &Value, b: &Value) -> Result<bool, String> {
    match (a, b) {
        (Value::String(a), Value::String(b)) => Ok(a == b),
        (Value::Int(a), Value::Int(b)) => Ok(a == b),
        _ => {
            let kind = Kind::of(a);
            if kind != Kind::of(b) {
                return Ok(false);
            }
            match (Scalar::of(a), Scalar::of(b)) {
                (Some(a), Some(b)) => Ok(a == b),
                _ => Err(uncomparable(kind)),
            }
        }
    }
}

/// `ErrBadArgType`.
pub(super) fn bad_type(expected: Kind, actual: &Value) -> String {
    let actual = match Kind::of(actual) {
        Kind::Nil => "%!s(<nil>)",
        kind => kind.name(),
    };
    format!("expected a {}, but received a {actual}", expected.name())
}

/// `ErrNoMergeKey`.
pub(super) fn no_merge_key(item: &Value, key: &str) -> String {
    format!("map: {} does not contain declared merge key: {key}", shown(item))
}

/// `ErrBadPatchType`.
pub(super) fn bad_directive(directive: &Value, map: &Map) -> String {
    let mut out = "unknown patch type: ".to_owned();
    if *directive == Value::Null {
        out.push_str("%!s(<nil>)");
    } else {
        write_value(&mut out, directive, 's');
    }
    out.push_str(" in map: ");
    write_map(&mut out, map, 'v');
    out
}
