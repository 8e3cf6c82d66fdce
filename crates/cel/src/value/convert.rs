//! Conversions between types.

use std::sync::Arc;

use convoy_value::go::format_float;

use super::show::go_type_text;
use super::{EvalError, Outcome, Timestamp, Val, duration, number, timestamp};
use crate::types::Type;

/// 2^63, which is the first double beyond `int`.
const TWO_TO_63: f64 = 9_223_372_036_854_775_808.0;
/// 2^64, which is the first double beyond `uint`.
const TWO_TO_64: f64 = 18_446_744_073_709_551_616.0;

/// `ConvertToType` of cel-go: the value in another type, or cel-go's error.
///
/// Parameters of types do not matter. A value converts to its own type and to `type`, which gives that type.
///
/// # Errors
///
/// Where the types do not convert, where a text is none of a value, and where a number is out of range.
pub fn convert(value: &Val, to: &Type) -> Outcome {
    if matches!(to, Type::Type(_)) {
        return Ok(Val::Type(value.ty()));
    }
    let converted = match value {
        Val::Null | Val::List(_) | Val::Map(_) | Val::Optional(_) => None,
        Val::Bool(value) => (*to == Type::String).then(|| Val::string(if *value { "true" } else { "false" })),
        Val::Int(value) => from_int(*value, to)?,
        Val::Uint(value) => from_uint(*value, to)?,
        Val::Double(value) => from_double(*value, to)?,
        Val::String(text) => from_text(text, to)?,
        Val::Bytes(bytes) => from_bytes(bytes, to)?,
        Val::Duration(nanos) => match to {
            Type::String => Some(Val::string(duration::to_text(*nanos))),
            Type::Int => Some(Val::Int(*nanos)),
            _ => None,
        },
        Val::Timestamp(time) => match to {
            Type::String => Some(Val::string(timestamp::to_text(time))),
            Type::Int => Some(Val::Int(time.seconds)),
            _ => None,
        },
        Val::Type(ty) => (*to == Type::String).then(|| Val::string(ty.name())),
        Val::Object(object) => object.convert(to).transpose()?,
    };
    if let Some(converted) = converted {
        return Ok(converted);
    }
    if matches!((value, to), (Val::Null, Type::String)) {
        return Ok(Val::string("null"));
    }
    let from = value.ty();
    // A type does not convert to `type` by being one; that case is done.
    if from.name() == to.name() && !matches!(to, Type::Wrapper(_)) {
        return Ok(value.clone());
    }
    Err(conversion_error(&from, to))
}

fn conversion_error(from: &Type, to: &Type) -> EvalError {
    EvalError::new(format!("type conversion error from '{}' to '{}'", go_type_text(from), go_type_text(to)))
}

fn int_overflow() -> EvalError {
    EvalError::new("integer overflow")
}

fn uint_overflow() -> EvalError {
    EvalError::new("unsigned integer overflow")
}

fn timestamp_overflow() -> EvalError {
    EvalError::new("timestamp overflow")
}

fn from_int(value: i64, to: &Type) -> Result<Option<Val>, EvalError> {
    Ok(Some(match to {
        Type::Uint => Val::Uint(u64::try_from(value).map_err(|_| uint_overflow())?),
        Type::Double => Val::Double(value as f64),
        Type::String => Val::string(value.to_string()),
        Type::Timestamp => Val::Timestamp(in_range(Timestamp::utc(value, 0))?),
        _ => return Ok(None),
    }))
}

fn from_uint(value: u64, to: &Type) -> Result<Option<Val>, EvalError> {
    Ok(Some(match to {
        Type::Int => Val::Int(i64::try_from(value).map_err(|_| int_overflow())?),
        Type::Double => Val::Double(value as f64),
        Type::String => Val::string(value.to_string()),
        _ => return Ok(None),
    }))
}

fn from_double(value: f64, to: &Type) -> Result<Option<Val>, EvalError> {
    Ok(Some(match to {
        // cel-go refuses -2^63 too, though it is an int.
        Type::Int if value > -TWO_TO_63 && value < TWO_TO_63 => Val::Int(value as i64),
        Type::Int => return Err(int_overflow()),
        Type::Uint if (0.0..TWO_TO_64).contains(&value) => Val::Uint(value as u64),
        Type::Uint => return Err(uint_overflow()),
        Type::String => Val::string(format_float(value, 'g', None, 64)),
        _ => return Ok(None),
    }))
}

fn from_text(text: &str, to: &Type) -> Result<Option<Val>, EvalError> {
    Ok(match to {
        Type::Int => number::parse_int(text).map(Val::Int),
        Type::Uint => number::parse_uint(text).map(Val::Uint),
        Type::Double => number::parse_float(text).map(Val::Double),
        Type::Bool => number::parse_bool(text).map(Val::Bool),
        Type::Bytes => Some(Val::Bytes(Arc::from(text.as_bytes()))),
        Type::Duration => duration::parse(text).map(Val::Duration),
        Type::Timestamp => match timestamp::parse(text) {
            Some(time) => Some(Val::Timestamp(in_range(time)?)),
            None => None,
        },
        _ => None,
    })
}

fn from_bytes(bytes: &[u8], to: &Type) -> Result<Option<Val>, EvalError> {
    match to {
        Type::String => match std::str::from_utf8(bytes) {
            Ok(text) => Ok(Some(Val::string(text))),
            Err(_) => Err(EvalError::new("invalid UTF-8 in bytes, cannot convert to string")),
        },
        _ => Ok(None),
    }
}

fn in_range(time: Timestamp) -> Result<Timestamp, EvalError> {
    if (timestamp::MIN_SECONDS..=timestamp::MAX_SECONDS).contains(&time.seconds) {
        Ok(time)
    } else {
        Err(timestamp_overflow())
    }
}

#[cfg(test)]
mod tests {
    use super::super::show::go_text;
    use super::*;

    /// The value as Go prints it, or the error.
    fn shown(value: Val, to: Type) -> String {
        match convert(&value, &to) {
            Ok(value) => format!("{} {}", value.ty().name(), go_text(&value)),
            Err(error) => error.message().to_owned(),
        }
    }

    #[test]
    fn numbers() {
        assert_eq!(shown(Val::Int(-1), Type::Uint), "unsigned integer overflow");
        assert_eq!(shown(Val::Int(7), Type::Double), "double 7");
        assert_eq!(shown(Val::Uint(u64::MAX), Type::Int), "integer overflow");
        assert_eq!(shown(Val::Uint(u64::MAX), Type::Double), "double 1.8446744073709552e+19");
        assert_eq!(shown(Val::Double(-2.9), Type::Int), "int -2");
        assert_eq!(shown(Val::Double(-9_223_372_036_854_775_808.0), Type::Int), "integer overflow");
        assert_eq!(shown(Val::Double(-9_223_372_036_854_774_784.0), Type::Int), "int -9223372036854774784");
        assert_eq!(shown(Val::Double(9_223_372_036_854_775_808.0), Type::Int), "integer overflow");
        assert_eq!(shown(Val::Double(f64::NAN), Type::Int), "integer overflow");
        assert_eq!(shown(Val::Double(-0.5), Type::Uint), "unsigned integer overflow");
        assert_eq!(shown(Val::Double(-0.0), Type::Uint), "uint 0");
        assert_eq!(shown(Val::Double(18_446_744_073_709_551_616.0), Type::Uint), "unsigned integer overflow");
        assert_eq!(shown(Val::Double(1e21), Type::String), "string 1e+21");
        assert_eq!(shown(Val::Double(123_456_789.0), Type::String), "string 1.23456789e+08");
        assert_eq!(shown(Val::Double(0.000_01), Type::String), "string 1e-05");
        assert_eq!(shown(Val::Double(-0.0), Type::String), "string -0");
        assert_eq!(shown(Val::Double(f64::NEG_INFINITY), Type::String), "string -Inf");
        assert_eq!(shown(Val::Double(1.0), Type::Double), "double 1");
        assert_eq!(shown(Val::Int(1), Type::Bool), "type conversion error from 'int' to 'bool'");
    }

    #[test]
    fn texts() {
        assert_eq!(shown(Val::string("x"), Type::Int), "type conversion error from 'string' to 'int'");
        assert_eq!(
            shown(Val::string("1d"), Type::Duration),
            "type conversion error from 'string' to 'google.protobuf.Duration'"
        );
        assert_eq!(
            shown(Val::string("x"), Type::Timestamp),
            "type conversion error from 'string' to 'google.protobuf.Timestamp'"
        );
        assert_eq!(shown(Val::string("0000-12-31T00:00:00Z"), Type::Timestamp), "timestamp overflow");
        assert_eq!(shown(Val::string("0001-01-01T00:00:00+01:00"), Type::Timestamp), "timestamp overflow");
        assert_eq!(shown(Val::string("2023-01-01T00:00:00+05:00"), Type::Timestamp), {
            "google.protobuf.Timestamp 2023-01-01 00:00:00 +0500 +0500"
        });
        assert_eq!(shown(Val::Bytes(Arc::from(*b"\xff")), Type::String), {
            "invalid UTF-8 in bytes, cannot convert to string"
        });
        assert_eq!(shown(Val::string("\u{e9}"), Type::Bytes), "bytes [195 169]");
        assert_eq!(shown(Val::Bool(true), Type::String), "string true");
        assert_eq!(shown(Val::Null, Type::String), "string null");
        assert_eq!(shown(Val::Type(Type::list(Type::Dyn)), Type::String), "string list");
    }

    #[test]
    fn time() {
        assert_eq!(shown(Val::Int(timestamp::MAX_SECONDS + 1), Type::Timestamp), "timestamp overflow");
        assert_eq!(shown(Val::Int(timestamp::MIN_SECONDS - 1), Type::Timestamp), "timestamp overflow");
        assert_eq!(shown(Val::Timestamp(Timestamp::utc(-1, 500_000_000)), Type::Int), "int -1");
        assert_eq!(shown(Val::Duration(1_500_000_000), Type::Int), "int 1500000000");
        assert_eq!(shown(Val::Duration(1_500_000_000), Type::String), "string 1.5s");
    }

    #[test]
    fn types() {
        assert_eq!(shown(Val::list(vec![]), Type::of(Type::Int)), "type list(dyn)");
        assert_eq!(shown(Val::Type(Type::Int), Type::Type(None)), "type type");
        assert_eq!(shown(Val::list(vec![]), Type::list(Type::Int)), "list []");
        assert_eq!(
            shown(Val::list(vec![]), Type::String),
            "type conversion error from 'list(dyn)' to 'string'"
        );
        assert_eq!(
            shown(Val::Optional(None), Type::String),
            "type conversion error from 'optional_type(dyn)' to 'string'"
        );
    }
}
