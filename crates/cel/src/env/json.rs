//! Values as JSON values of protobuf (`google.protobuf.Value`), and the errors of values that a field cannot hold.

use std::sync::Arc;

use super::message::Message;
use crate::value::json::json_text;
use crate::value::{ErrorKind, EvalError, Key, List, Map, Val};

/// How deep values may nest that become JSON.
pub(super) const MAX_DEPTH: usize = 200;

/// How many parts a value may have that becomes JSON.
const MAX_PARTS: usize = 200_000;

/// The largest integer up to which all are exact as a double.
const MAX_SAFE: i64 = (1 << 53) - 1;

/// Why a value does not fit: cel-go's text without what names the field, or the error as it is.
#[derive(Debug)]
pub(super) enum Misfit {
    Text(String),
    Error(EvalError),
}

impl From<String> for Misfit {
    fn from(text: String) -> Misfit {
        Misfit::Text(text)
    }
}

/// The error of a value that cannot become a Go type. Each type of value has its own words.
pub(super) fn misfit(value: &Val, go_type: &str) -> Misfit {
    Misfit::Text(match value {
        Val::Null => format!("type conversion error from 'null_type' to '{go_type}'"),
        Val::Bool(_) => format!("type conversion error from bool to '{go_type}'"),
        Val::Int(_) => format!("unsupported type conversion from 'int' to {go_type}"),
        Val::Uint(_) => format!("unsupported type conversion from 'uint' to {go_type}"),
        Val::Double(_) => format!("type conversion error from Double to '{go_type}'"),
        Val::String(_) => format!("unsupported native conversion from string to '{go_type}'"),
        Val::Bytes(_) => format!("type conversion error from Bytes to '{go_type}'"),
        Val::Duration(_) => format!("type conversion error from 'Duration' to '{go_type}'"),
        Val::Timestamp(_) => format!("type conversion error from 'Timestamp' to '{go_type}'"),
        Val::List(_) => format!("type conversion error from list to '{go_type}'"),
        Val::Map(_) => format!("type conversion error from map to '{go_type}'"),
        Val::Type(_) => "type conversion not supported for 'type'".to_owned(),
        Val::Optional(_) => "optional.none() dereference".to_owned(),
        Val::Object(object) if object.as_any().is::<Message>() => {
            format!("type conversion error from '*dynamicpb.Message' to '{go_type}'")
        }
        Val::Object(_) => format!("unsupported type conversion to '{go_type}'"),
    })
}

/// The value itself, or what is in an optional.
pub(super) fn inside(value: &Val) -> &Val {
    let mut value = value;
    // An optional in an optional is taken out as well, as far as values may nest.
    for _ in 0..MAX_DEPTH {
        match value {
            Val::Optional(Some(inner)) => value = inner,
            _ => break,
        }
    }
    value
}

/// Makes JSON values. Values share their parts, so that one may be far larger as JSON than it is in memory; this
/// counts what it makes.
#[derive(Debug)]
pub(super) struct Json {
    depth: usize,
    left: usize,
}

impl Json {
    pub(super) fn new() -> Json {
        Json { depth: 0, left: MAX_PARTS }
    }

    /// A value as a JSON value. Integers that are not exact as doubles become strings, as do bytes, durations and
    /// timestamps.
    pub(super) fn value(&mut self, value: &Val) -> Result<Val, Misfit> {
        self.left = match self.left.checked_sub(1) {
            Some(left) => left,
            None => {
                return Err(limit(format!(
                    "a value has more parts than a message may have (limit: {MAX_PARTS})"
                )));
            }
        };
        Ok(match inside(value) {
            value @ (Val::Null | Val::Bool(_) | Val::Double(_) | Val::String(_)) => value.clone(),
            Val::Int(value) if (-MAX_SAFE..=MAX_SAFE).contains(value) => Val::Double(*value as f64),
            Val::Int(value) => Val::string(value.to_string()),
            Val::Uint(value) if *value <= MAX_SAFE as u64 => Val::Double(*value as f64),
            Val::Uint(value) => Val::string(value.to_string()),
            Val::List(list) => self.list(list)?,
            Val::Map(map) => self.object(map)?,
            Val::Object(object) => match object.as_any().downcast_ref::<Message>() {
                Some(message) => message.json(),
                None => return Err(misfit(value, "*structpb.Value")),
            },
            value => match json_text(value) {
                Some(text) => Val::string(text),
                None => return Err(misfit(value, "*structpb.Value")),
            },
        })
    }

    pub(super) fn list(&mut self, list: &List) -> Result<Val, Misfit> {
        self.enter()?;
        let items: Result<Vec<Val>, Misfit> = list.iter().map(|item| self.value(&item)).collect();
        self.depth -= 1;
        Ok(Val::list(items?))
    }

    pub(super) fn object(&mut self, map: &Map) -> Result<Val, Misfit> {
        self.enter()?;
        let mut entries = Vec::new();
        for (key, value) in map.iter() {
            match inside(&key) {
                Val::String(key) => entries.push((Arc::clone(key), self.value(&value)?)),
                other => return Err(misfit(other, "string")),
            }
        }
        self.depth -= 1;
        Ok(object(entries))
    }

    fn enter(&mut self) -> Result<(), Misfit> {
        if self.depth >= MAX_DEPTH {
            return Err(limit(format!(
                "a value nests deeper than a message may (limit: {MAX_DEPTH} levels)"
            )));
        }
        self.depth += 1;
        Ok(())
    }
}

fn limit(text: String) -> Misfit {
    Misfit::Error(EvalError::of(ErrorKind::Limit, text))
}

/// A map with string keys.
pub(super) fn object(entries: impl IntoIterator<Item = (Arc<str>, Val)>) -> Val {
    Val::Map(Map::Vals(Arc::new(entries.into_iter().map(|(key, value)| (Key::String(key), value)).collect())))
}
