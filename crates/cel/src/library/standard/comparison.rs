//! `<`, `<=`, `>` and `>=`.

use std::cmp::Ordering;

use super::function;
use crate::function::{Context, Function, Implementation, Overload, Shape};
use crate::operator;
use crate::types::Type;
use crate::value::equal::compare;
use crate::value::{EvalError, Outcome, Val};

/// An operator with the beginning of the ids of its overloads.
struct Operator {
    name: &'static str,
    prefix: &'static str,
    summary: &'static str,
    call: Implementation,
}

const OPERATORS: [Operator; 4] = [
    Operator {
        name: operator::LESS,
        prefix: "less",
        summary: "Whether the left value comes before the right one.",
        call: less,
    },
    Operator {
        name: operator::LESS_EQUALS,
        prefix: "less_equals",
        summary: "Whether the left value comes before the right one or is at the same place.",
        call: less_equals,
    },
    Operator {
        name: operator::GREATER,
        prefix: "greater",
        summary: "Whether the left value comes after the right one.",
        call: greater,
    },
    Operator {
        name: operator::GREATER_EQUALS,
        prefix: "greater_equals",
        summary: "Whether the left value comes after the right one or is at the same place.",
        call: greater_equals,
    },
];

/// The end of an id, the types, and an example for each operator.
type Row = (&'static str, Type, Type, [&'static str; 4]);

/// In the order of cel-go.
const ROWS: [Row; 14] = [
    (
        "bool",
        Type::Bool,
        Type::Bool,
        ["false < true // true", "true <= true // true", "true > false // true", "false >= true // false"],
    ),
    (
        "int64",
        Type::Int,
        Type::Int,
        ["-1 < 2 // true", "2 <= 2 // true", "-1 > 2 // false", "2 >= 2 // true"],
    ),
    (
        "int64_double",
        Type::Int,
        Type::Double,
        ["1 < 1.5 // true", "2 <= 1.5 // false", "2 > 1.5 // true", "1 >= 1.0 // true"],
    ),
    (
        "int64_uint64",
        Type::Int,
        Type::Uint,
        ["-1 < 0u // true", "1 <= 1u // true", "-1 > 0u // false", "1 >= 1u // true"],
    ),
    (
        "uint64",
        Type::Uint,
        Type::Uint,
        ["1u < 2u // true", "2u <= 1u // false", "2u > 1u // true", "1u >= 2u // false"],
    ),
    (
        "uint64_double",
        Type::Uint,
        Type::Double,
        ["1u < 1.5 // true", "1u <= 1.0 // true", "1u > -0.5 // true", "1u >= 1.5 // false"],
    ),
    (
        "uint64_int64",
        Type::Uint,
        Type::Int,
        ["0u < -1 // false", "0u <= 0 // true", "0u > -1 // true", "0u >= 1 // false"],
    ),
    (
        "double",
        Type::Double,
        Type::Double,
        ["0.5 < 0.75 // true", "0.5 <= 0.5 // true", "0.5 > 0.75 // false", "0.5 >= 0.5 // true"],
    ),
    (
        "double_int64",
        Type::Double,
        Type::Int,
        ["0.5 < 1 // true", "1.0 <= 1 // true", "1.5 > 1 // true", "0.5 >= 1 // false"],
    ),
    (
        "double_uint64",
        Type::Double,
        Type::Uint,
        ["-0.5 < 0u // true", "1.5 <= 1u // false", "1.5 > 1u // true", "1.0 >= 1u // true"],
    ),
    (
        "string",
        Type::String,
        Type::String,
        ["'ab' < 'b' // true", "'a' <= 'a' // true", "'b' > 'ab' // true", "'A' >= 'a' // false"],
    ),
    (
        "bytes",
        Type::Bytes,
        Type::Bytes,
        ["b'ab' < b'b' // true", "b'a' <= b'a' // true", "b'b' > b'ab' // true", "b'A' >= b'a' // false"],
    ),
    (
        "timestamp",
        Type::Timestamp,
        Type::Timestamp,
        [
            "timestamp('2024-01-01T00:00:00Z') < timestamp('2024-01-01T00:00:01Z') // true",
            "timestamp('2024-01-01T00:00:00Z') <= timestamp('2023-12-31T00:00:00Z') // false",
            "timestamp('2024-01-01T00:00:00Z') > timestamp('2023-12-31T00:00:00Z') // true",
            "timestamp('2024-01-01T01:00:00+01:00') >= timestamp('2024-01-01T00:00:00Z') // true",
        ],
    ),
    (
        "duration",
        Type::Duration,
        Type::Duration,
        [
            "duration('59s') < duration('1m') // true",
            "duration('60s') <= duration('1m') // true",
            "duration('-1s') > duration('0s') // false",
            "duration('1h') >= duration('60m') // true",
        ],
    ),
];

pub(super) fn functions() -> Vec<Function> {
    let functions = OPERATORS.iter().enumerate().map(|(column, operator)| {
        let mut function = function(operator.name, operator.summary).singleton(
            Shape::Binary,
            operator.call,
            Some(has_order),
        );
        for (suffix, left, right, examples) in &ROWS {
            let id = format!("{}_{suffix}", operator.prefix);
            let example = examples.get(column).copied().unwrap_or_default();
            let overload = Overload::global(&id, [left.clone(), right.clone()], Type::Bool).example(example);
            function.overloads.push(overload);
        }
        function
    });
    functions.collect()
}

fn has_order(value: &Val) -> bool {
    matches!(
        value,
        Val::Bool(_)
            | Val::Int(_)
            | Val::Uint(_)
            | Val::Double(_)
            | Val::String(_)
            | Val::Bytes(_)
            | Val::Duration(_)
            | Val::Timestamp(_)
    )
}

fn ordered(args: &[Val], fits: fn(Ordering) -> bool) -> Outcome {
    match args {
        [left, right] => Ok(Val::Bool(fits(compare(left, right)?))),
        _ => Err(EvalError::no_such_overload()),
    }
}

fn less(_: &Context<'_>, args: &[Val]) -> Outcome {
    ordered(args, Ordering::is_lt)
}

fn less_equals(_: &Context<'_>, args: &[Val]) -> Outcome {
    ordered(args, Ordering::is_le)
}

fn greater(_: &Context<'_>, args: &[Val]) -> Outcome {
    ordered(args, Ordering::is_gt)
}

fn greater_equals(_: &Context<'_>, args: &[Val]) -> Outcome {
    ordered(args, Ordering::is_ge)
}
