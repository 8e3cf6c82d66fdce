//! Values as JSON: cel-go makes a `google.protobuf.Value` of the value and writes that with protojson.

use std::sync::Arc;

use convoy_value::go::json_float;

use super::encode_base64;
use crate::function::Context;
use crate::types::Type;
use crate::value::convert::convert;
use crate::value::{EvalError, List, Val};

/// The ints that JSON has as numbers; others are strings.
const SAFE: u64 = (1 << 53) - 1;

/// A list or map of which a part is written.
enum Open {
    List(List, usize),
    /// The entries in the order of their keys.
    Map(std::vec::IntoIter<(Arc<str>, Val)>, bool),
}

/// The value as JSON.
pub(super) fn encode(context: &Context<'_>, value: &Val) -> Result<String, EvalError> {
    let mut writer = Writer { context, out: String::new(), charged: 0, open: Vec::new(), bad_number: None };
    writer.value(value)?;
    // Containers stand in a list and not on the stack, since values may nest deeply.
    while let Some(open) = writer.open.last_mut() {
        match open {
            Open::List(list, index) => {
                let Some(item) = list.get(*index) else {
                    writer.open.pop();
                    writer.out.push(']');
                    continue;
                };
                if *index > 0 {
                    writer.out.push(',');
                }
                *index += 1;
                writer.value(&item)?;
            }
            Open::Map(entries, begun) => {
                let Some((key, item)) = entries.next() else {
                    writer.open.pop();
                    writer.out.push('}');
                    continue;
                };
                if std::mem::replace(begun, true) {
                    writer.out.push(',');
                }
                writer.string(&key);
                writer.out.push(':');
                writer.value(&item)?;
            }
        }
    }
    // The numbers are looked at when all of the value has been converted, so every other error comes first.
    match writer.bad_number {
        Some(number) => {
            let number = convoy_value::go::format_float(number, 'g', None, 64);
            Err(EvalError::new(format!("proto: google.protobuf.Value.number_value: invalid {number} value")))
        }
        None => Ok(writer.out),
    }
}

struct Writer<'a, 'c> {
    context: &'a Context<'c>,
    out: String,
    /// How many bytes of `out` have been charged.
    charged: usize,
    open: Vec<Open>,
    /// The first number that JSON does not have.
    bad_number: Option<f64>,
}

impl Writer<'_, '_> {
    /// Writes a value, of a list or map only the beginning.
    fn value(&mut self, value: &Val) -> Result<(), EvalError> {
        self.context.work(1)?;
        let mut value = value;
        while let Val::Optional(Some(inner)) = value {
            value = inner;
        }
        match value {
            Val::Null => self.out.push_str("null"),
            Val::Bool(value) => self.out.push_str(if *value { "true" } else { "false" }),
            Val::Int(value) if value.unsigned_abs() <= SAFE => self.out.push_str(&value.to_string()),
            Val::Int(value) => self.string(&value.to_string()),
            Val::Uint(value) if *value <= SAFE => self.out.push_str(&value.to_string()),
            Val::Uint(value) => self.string(&value.to_string()),
            Val::Double(value) if value.is_finite() => self.out.push_str(&json_float(*value)),
            Val::Double(value) => {
                self.bad_number.get_or_insert(*value);
            }
            Val::String(text) => self.string(text),
            Val::Bytes(bytes) => {
                self.context.charge(bytes.len())?;
                self.string(&encode_base64(bytes));
            }
            Val::Duration(_) | Val::Timestamp(_) => {
                if let Val::String(text) = convert(value, &Type::String)? {
                    self.string(&text);
                }
            }
            Val::List(list) => {
                self.out.push('[');
                self.open.push(Open::List(list.clone(), 0));
            }
            Val::Map(map) => {
                self.context.work(map.len())?;
                self.context.charge(map.len().saturating_mul(size_of::<(Arc<str>, Val)>()))?;
                let mut entries = Vec::with_capacity(map.len());
                for (key, item) in map.iter() {
                    entries.push((name(&key)?, item));
                }
                entries.sort_by(|(left, _), (right, _)| left.cmp(right));
                self.out.push('{');
                self.open.push(Open::Map(entries.into_iter(), false));
            }
            Val::Type(_) => return Err(no_types()),
            Val::Optional(_) => return Err(no_value()),
            Val::Object(_) => return Err(EvalError::new("unsupported type conversion to '*structpb.Value'")),
        }
        self.context.charge(self.out.len().saturating_sub(self.charged))?;
        self.charged = self.out.len();
        Ok(())
    }

    fn string(&mut self, text: &str) {
        self.out.push('"');
        for letter in text.chars() {
            match letter {
                '"' | '\\' => self.out.extend(['\\', letter]),
                '\u{8}' => self.out.push_str("\\b"),
                '\u{C}' => self.out.push_str("\\f"),
                '\n' => self.out.push_str("\\n"),
                '\r' => self.out.push_str("\\r"),
                '\t' => self.out.push_str("\\t"),
                control if control < ' ' => self.out.push_str(&format!("\\u{:04x}", u32::from(control))),
                letter => self.out.push(letter),
            }
        }
        self.out.push('"');
    }
}

/// The key of a map as the name of a field.
fn name(key: &Val) -> Result<Arc<str>, EvalError> {
    let mut key = key;
    while let Val::Optional(Some(inner)) = key {
        key = inner;
    }
    let message = match key {
        Val::String(text) => return Ok(Arc::clone(text)),
        Val::Optional(_) => return Err(no_value()),
        Val::Type(_) => return Err(no_types()),
        Val::Object(object) => match object.convert(&Type::String) {
            Some(Ok(Val::String(text))) => return Ok(text),
            Some(Err(error)) => return Err(error),
            _ => "unsupported type conversion to 'string'",
        },
        Val::Int(_) => "unsupported type conversion from 'int' to string",
        Val::Uint(_) => "unsupported type conversion from 'uint' to string",
        Val::Bool(_) => "type conversion error from bool to 'string'",
        Val::Double(_) => "type conversion error from Double to 'string'",
        Val::Bytes(_) => "type conversion error from Bytes to 'string'",
        Val::Null => "type conversion error from 'null_type' to 'string'",
        Val::Duration(_) => "type conversion error from 'Duration' to 'string'",
        Val::Timestamp(_) => "type conversion error from 'Timestamp' to 'string'",
        Val::List(_) => "type conversion error from list to 'string'",
        Val::Map(_) => "type conversion error from map to 'string'",
    };
    Err(EvalError::new(message))
}

fn no_types() -> EvalError {
    EvalError::new("type conversion not supported for 'type'")
}

fn no_value() -> EvalError {
    EvalError::new("optional.none() dereference")
}
