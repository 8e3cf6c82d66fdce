//! How values are written from version 4 of the library on: without locale, texts bare wherever they stand.

use convoy_value::go::format_float;

use super::number::{go_float, infinite_or_nan};
use super::writer::{Nesting, Writer};
use super::{DEFAULT_PRECISION, Refusals, Style, refused};
use crate::types::Type;
use crate::value::{EvalError, Timestamp, Val, duration, timestamp};

pub(super) const STYLE: Style = Style {
    string: |out, value, refusal| out.push_nested(value, &Nesting { leaf, key, colon: ": ", refusal }),
    decimal,
    fixed: |out, value, precision, refusal| float(out, value, 'f', precision, refusal),
    scientific: |out, value, precision, refusal| float(out, value, 'e', precision, refusal),
    decimals: &[Type::Int, Type::Uint, Type::Double],
    doubles: &[Type::Int, Type::Uint, Type::Double],
    refusals: Refusals {
        decimal: "decimal clause can only be used on ints, uints, and doubles",
        fixed: "fixed-point clause can only be used on ints, uints, and doubles",
        scientific: "scientific clause can only be used on ints, uints, and doubles",
        binary: "only ints, uints, and bools can be formatted as binary",
        octal: "octal clause can only be used on ints and uints",
        hex: "only ints, uints, bytes, and strings can be formatted as hex",
    },
};

fn key(key: &Val) -> Result<(), EvalError> {
    match key {
        // cel-go looks the value up by its key, and nothing is found under NaN.
        Val::Double(value) if value.is_nan() => {
            Err(EvalError::new("key missing from map: '%!s(types.Double=NaN)'"))
        }
        _ => Ok(()),
    }
}

fn leaf(out: &mut Writer<'_>, value: &Val, refusal: &str) -> Result<(), EvalError> {
    match value {
        Val::Bool(value) => out.push(if *value { "true" } else { "false" }),
        Val::Int(_) | Val::Uint(_) | Val::Double(_) => decimal(out, value, refusal),
        Val::String(text) => out.push(text),
        Val::Bytes(bytes) => out.push_bytes(bytes),
        Val::Null => out.push("null"),
        Val::Type(ty) => out.push(ty.name()),
        Val::Duration(nanos) => out.push(&duration::to_text(*nanos)),
        // In UTC, whatever the offset.
        Val::Timestamp(time) => out.push(&timestamp::to_text(&Timestamp::utc(time.seconds, time.nanos))),
        other => Err(refused(refusal, &other.ty())),
    }
}

fn decimal(out: &mut Writer<'_>, value: &Val, refusal: &str) -> Result<(), EvalError> {
    match value {
        Val::Int(value) => out.push(&value.to_string()),
        Val::Uint(value) => out.push(&value.to_string()),
        Val::Double(value) => match infinite_or_nan(*value) {
            Some(name) => out.push(name),
            None => out.push(&format_float(*value, 'f', None, 64)),
        },
        other => Err(refused(refusal, &other.ty())),
    }
}

fn float(
    out: &mut Writer<'_>,
    value: &Val,
    verb: char,
    precision: Option<usize>,
    refusal: &str,
) -> Result<(), EvalError> {
    let number = match value {
        Val::Int(value) => *value as f64,
        Val::Uint(value) => *value as f64,
        Val::Double(value) => *value,
        other => return Err(refused(refusal, &other.ty())),
    };
    if let Some(name) = infinite_or_nan(number) {
        return out.push(name);
    }
    let text = go_float(out.context(), number, verb, precision.unwrap_or(DEFAULT_PRECISION))?;
    out.push(&text)
}
