//! Functions that are named like types.

use super::{NAME, function, param_a};
use crate::function::{Context, Function, Implementation, Overload, Shape};
use crate::types::Type;
use crate::value::convert::convert;
use crate::value::{EvalError, Outcome, Val};

/// An overload: its id, what it takes and an example.
pub(in crate::library) type Row = (&'static str, Type, &'static str);

pub(super) fn functions() -> Vec<Function> {
    vec![
        function("type", "The type of a value, as a value.")
            .overload(
                Overload::global("type", [param_a()], Type::of(param_a()))
                    .example("type('a') == string // true"),
            )
            .singleton(Shape::Unary, to_type, None),
        conversion(
            "bool",
            "A bool from a text: `true`, `t` or `1`, `false`, `f` or `0`.",
            Type::Bool,
            to_bool,
            &[
                ("bool_to_bool", Type::Bool, "bool(false) // false"),
                ("string_to_bool", Type::String, "bool('true') // true"),
            ],
        ),
        conversion(
            "bytes",
            "The bytes of a text in UTF-8.",
            Type::Bytes,
            to_bytes,
            &[
                ("bytes_to_bytes", Type::Bytes, "bytes(b'a') // b'a'"),
                ("string_to_bytes", Type::String, "bytes('\u{e9}') // b'\\xc3\\xa9'"),
            ],
        ),
        conversion(
            "double",
            "A double from a number or a text.",
            Type::Double,
            to_double,
            &[
                ("double_to_double", Type::Double, "double(0.5) // 0.5"),
                ("int64_to_double", Type::Int, "double(-3) // -3.0"),
                ("string_to_double", Type::String, "double('2.5e3') // 2500.0"),
                ("uint64_to_double", Type::Uint, "double(3u) // 3.0"),
            ],
        ),
        function("dyn", "The same value; the checker no longer looks at its type.")
            .overload(Overload::global("to_dyn", [param_a()], Type::Dyn).example("dyn('1') == 1 // false"))
            .singleton(Shape::Unary, same, None),
        conversion(
            "int",
            "An int from a number (without its decimals), a text, a time (seconds since 1970) or a duration.",
            Type::Int,
            to_int,
            &[
                ("int64_to_int64", Type::Int, "int(5) // 5"),
                ("double_to_int64", Type::Double, "int(-2.9) // -2"),
                ("duration_to_int64", Type::Duration, "int(duration('2us')) // 2000"),
                ("string_to_int64", Type::String, "int('-17') // -17"),
                ("timestamp_to_int64", Type::Timestamp, "int(timestamp('1970-01-02T00:00:00Z')) // 86400"),
                ("uint64_to_int64", Type::Uint, "int(5u) // 5"),
            ],
        ),
        conversion(
            "string",
            "A text from a value; bytes are read as UTF-8.",
            Type::String,
            to_string,
            &[
                ("string_to_string", Type::String, "string('a') // 'a'"),
                ("bool_to_string", Type::Bool, "string(false) // 'false'"),
                ("bytes_to_string", Type::Bytes, "string(b'\\xc3\\xa9') // '\u{e9}'"),
                ("double_to_string", Type::Double, "string(0.000001) // '1e-06'"),
                ("duration_to_string", Type::Duration, "string(duration('1h1m')) // '3660s'"),
                ("int64_to_string", Type::Int, "string(-17) // '-17'"),
                (
                    "timestamp_to_string",
                    Type::Timestamp,
                    "string(timestamp('2024-02-29T12:00:00.500Z')) // '2024-02-29T12:00:00.5Z'",
                ),
                ("uint64_to_string", Type::Uint, "string(17u) // '17'"),
            ],
        ),
        conversion(
            "uint",
            "A uint from a number (without its decimals) or a text.",
            Type::Uint,
            to_uint,
            &[
                ("uint64_to_uint64", Type::Uint, "uint(5u) // 5u"),
                ("double_to_uint64", Type::Double, "uint(2.9) // 2u"),
                ("int64_to_uint64", Type::Int, "uint(5) // 5u"),
                ("string_to_uint64", Type::String, "uint('17') // 17u"),
            ],
        ),
    ]
}

/// A function that converts to a type what each row takes. The row that takes the type itself gives the value back.
pub(in crate::library) fn conversion(
    name: &str,
    summary: &'static str,
    to: Type,
    call: Implementation,
    rows: &[Row],
) -> Function {
    let mut function = Function::new(NAME, name, summary);
    for (id, from, example) in rows {
        let call = if *from == to { same } else { call };
        let overload = Overload::global(id, [from.clone()], to.clone()).example(example).unary(call);
        function.overloads.push(overload);
    }
    function
}

/// Converts the argument.
pub(in crate::library) fn converted(context: &Context<'_>, args: &[Val], to: &Type) -> Outcome {
    let [value] = args else { return Err(EvalError::no_such_overload()) };
    match value {
        Val::String(text) if *to == Type::Bytes => context.charge(text.len())?,
        Val::Bytes(bytes) if *to == Type::String => context.charge(bytes.len())?,
        _ => {}
    }
    convert(value, to)
}

fn same(_: &Context<'_>, args: &[Val]) -> Outcome {
    args.first().cloned().ok_or_else(EvalError::no_such_overload)
}

fn to_type(context: &Context<'_>, args: &[Val]) -> Outcome {
    converted(context, args, &Type::Type(None))
}

fn to_bool(context: &Context<'_>, args: &[Val]) -> Outcome {
    converted(context, args, &Type::Bool)
}

fn to_bytes(context: &Context<'_>, args: &[Val]) -> Outcome {
    converted(context, args, &Type::Bytes)
}

fn to_double(context: &Context<'_>, args: &[Val]) -> Outcome {
    converted(context, args, &Type::Double)
}

fn to_int(context: &Context<'_>, args: &[Val]) -> Outcome {
    converted(context, args, &Type::Int)
}

fn to_string(context: &Context<'_>, args: &[Val]) -> Outcome {
    converted(context, args, &Type::String)
}

fn to_uint(context: &Context<'_>, args: &[Val]) -> Outcome {
    converted(context, args, &Type::Uint)
}
