//! How values are written up to version 3 of the library: doubles for the locale `en_US`, values in lists and maps
//! nearly as CEL writes them.

use convoy_value::go::{format_float, quote};

use super::number::{localized_fixed, localized_scientific};
use super::writer::{Nesting, Writer};
use super::{DEFAULT_PRECISION, Refusals, Style, refused};
use crate::types::Type;
use crate::value::convert::convert;
use crate::value::{EvalError, Val};

pub(super) const STYLE: Style = Style {
    string,
    decimal,
    fixed: |out, value, precision, refusal| {
        let value = float(value, refusal)?;
        out.push(&localized_fixed(value, precision.unwrap_or(DEFAULT_PRECISION)))
    },
    scientific: |out, value, precision, refusal| {
        let value = float(value, refusal)?;
        // cel-go gives the precision to the printer as the width.
        let text = localized_scientific(out.context(), value, precision.unwrap_or(DEFAULT_PRECISION))?;
        out.push(&text)
    },
    decimals: &[Type::Int, Type::Uint],
    // A string may name a double that has no digits.
    doubles: &[Type::Double, Type::String],
    refusals: Refusals {
        decimal: "decimal clause can only be used on integers",
        fixed: "fixed-point clause can only be used on doubles",
        scientific: "scientific clause can only be used on doubles",
        binary: "only integers and bools can be formatted as binary",
        octal: "octal clause can only be used on integers",
        hex: "only integers, byte buffers, and strings can be formatted as hex",
    },
};

fn key(key: &Val) -> Result<(), EvalError> {
    match key {
        Val::String(_) | Val::Bool(_) | Val::Int(_) | Val::Uint(_) => Ok(()),
        other => {
            Err(EvalError::new(format!("no formatting function for map key of type {}", other.ty().name())))
        }
    }
}

fn string(out: &mut Writer<'_>, value: &Val, refusal: &str) -> Result<(), EvalError> {
    match value {
        Val::List(_) | Val::Map(_) => out.push_nested(value, &Nesting { leaf, key, colon: ":", refusal }),
        Val::Null => out.push("null"),
        Val::Optional(_) | Val::Object(_) => Err(refused(refusal, &value.ty())),
        _ => {
            let text = text(value)?;
            out.push(&text)
        }
    }
}

/// What `string(value)` gives.
fn text(value: &Val) -> Result<std::sync::Arc<str>, EvalError> {
    let reason = match convert(value, &Type::String) {
        Ok(Val::String(text)) => return Ok(text),
        Ok(other) => format!("no such overload for {}", other.ty().name()),
        Err(error) => error.message().to_owned(),
    };
    Err(EvalError::new(format!("could not convert argument {} to string", quote(reason.as_bytes()))))
}

fn leaf(out: &mut Writer<'_>, value: &Val, _refusal: &str) -> Result<(), EvalError> {
    match value {
        Val::Null => out.push("null"),
        Val::Double(value) => {
            let text = format_float(*value, 'f', Some(DEFAULT_PRECISION), 64);
            // What is no literal is put in quotes.
            if value.is_finite() { out.push(&text) } else { out.push(&format!("\"{text}\"")) }
        }
        Val::String(text) => out.push(&quote(text.as_bytes())),
        Val::Bytes(_) => out.push(&format!("b{}", quote(text(value)?.as_bytes()))),
        Val::Timestamp(_) => out.push(&format!("timestamp({})", quote(text(value)?.as_bytes()))),
        Val::Duration(_) => out.push(&format!("duration({})", quote(text(value)?.as_bytes()))),
        Val::Bool(_) | Val::Int(_) | Val::Uint(_) | Val::Type(_) => {
            let text = text(value)?;
            out.push(&text)
        }
        other => Err(EvalError::new(format!("no formatting function for {}", other.ty().name()))),
    }
}

fn decimal(out: &mut Writer<'_>, value: &Val, refusal: &str) -> Result<(), EvalError> {
    match value {
        Val::Int(value) => out.push(&value.to_string()),
        Val::Uint(value) => out.push(&value.to_string()),
        other => Err(refused(refusal, &other.ty())),
    }
}

/// A double, or one of the texts that name one.
fn float(value: &Val, refusal: &str) -> Result<f64, EvalError> {
    match value {
        Val::Double(value) => Ok(*value),
        Val::String(text) if &**text == "NaN" => Ok(f64::NAN),
        Val::String(text) if &**text == "Infinity" => Ok(f64::INFINITY),
        Val::String(text) if &**text == "-Infinity" => Ok(f64::NEG_INFINITY),
        other => Err(refused(refusal, &other.ty())),
    }
}
