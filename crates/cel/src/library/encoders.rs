//! The extension `encoders`: base64 and JSON.
//!
//! Source: ext/encoders.go of cel-go. Version 1 adds `json.encode`.

mod base64;
mod json;

use super::arguments::string;
use crate::function::{Context, Function, Overload};
use crate::types::Type;
use crate::value::{EvalError, Outcome, Val};

pub(crate) use base64::encode as encode_base64;

/// The functions of a version of the library.
pub fn functions(version: u32) -> Vec<Function> {
    let mut functions = vec![
        Function::new(
            "encoders",
            "base64.decode",
            "The bytes that a string has in base64, with or without padding.",
        )
        .overload(
            Overload::global("base64_decode_string", [Type::String], Type::Bytes)
                .unary(base64_decode)
                .example("base64.decode('aGk=') // b'hi'"),
        ),
        Function::new("encoders", "base64.encode", "Bytes as a string in base64, with padding.").overload(
            Overload::global("base64_encode_bytes", [Type::Bytes], Type::String)
                .unary(base64_encode)
                .example("base64.encode(b'hi') // 'aGk='"),
        ),
    ];
    if version >= 1 {
        functions.push(
            Function::new("encoders", "json.encode", "A value as JSON, as protocol buffers map it.")
                .overload(
                    Overload::global("json_encode_dyn", [Type::Dyn], Type::String)
                        .unary(json_encode)
                        .example("json.encode({'a': [1, true]}) // '{\"a\":[1,true]}'"),
                ),
        );
    }
    functions
}

fn base64_decode(context: &Context<'_>, args: &[Val]) -> Outcome {
    let text = string(args, 0)?;
    context.charge(text.len() / 4 * 3 + 3)?;
    match base64::decode(text.as_bytes()) {
        Ok(bytes) => Ok(Val::Bytes(bytes.into())),
        Err(at) => Err(EvalError::new(format!("illegal base64 data at input byte {at}"))),
    }
}

fn base64_encode(context: &Context<'_>, args: &[Val]) -> Outcome {
    let Some(Val::Bytes(bytes)) = args.first() else { return Err(EvalError::no_such_overload()) };
    context.charge(bytes.len().div_ceil(3).saturating_mul(4))?;
    Ok(Val::string(encode_base64(bytes)))
}

fn json_encode(context: &Context<'_>, args: &[Val]) -> Outcome {
    let Some(value) = args.first() else { return Err(EvalError::no_such_overload()) };
    json::encode(context, value).map(Val::string)
}
