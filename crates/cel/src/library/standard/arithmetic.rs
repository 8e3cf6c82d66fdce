//! `+`, `-`, `*`, `/`, `%` and the sign.

use std::sync::Arc;

use super::{function, list_of_a};
use crate::function::{Context, Function, Overload, Shape};
use crate::operator;
use crate::types::Type;
use crate::value::timestamp::{MAX_SECONDS, MIN_SECONDS};
use crate::value::{EvalError, List, Outcome, Timestamp, Val};

/// Nanoseconds of a second.
const SECOND: i64 = 1_000_000_000;

pub(super) fn functions() -> Vec<Function> {
    use Type::{Bytes, Double, Duration, Int, String, Timestamp, Uint};
    let overload = |id, left: Type, right: Type, result: Type, example| {
        Overload::global(id, [left, right], result).example(example)
    };
    let same = |id, ty: Type, example| overload(id, ty.clone(), ty.clone(), ty, example);
    vec![
        function(
            operator::ADD,
            "The sum of numbers, durations or a time and a duration; joins texts, bytes or lists.",
        )
        .overload(same("add_bytes", Bytes, "b'ab' + b'c' // b'abc'"))
        .overload(same("add_double", Double, "0.5 + 1.25 // 1.75"))
        .overload(same(
            "add_duration_duration",
            Duration,
            "duration('1h') + duration('5m') // duration('3900s')",
        ))
        .overload(overload(
            "add_duration_timestamp",
            Duration,
            Timestamp,
            Timestamp,
            "duration('60s') + timestamp('2024-02-29T23:59:00Z') // timestamp('2024-03-01T00:00:00Z')",
        ))
        .overload(overload(
            "add_timestamp_duration",
            Timestamp,
            Duration,
            Timestamp,
            "timestamp('2024-02-29T23:59:00Z') + duration('60s') // timestamp('2024-03-01T00:00:00Z')",
        ))
        .overload(same("add_int64", Int, "2 + 3 // 5"))
        .overload(same("add_list", list_of_a(), "['a'] + ['b'] // ['a', 'b']"))
        .overload(same("add_string", String, "'web-' + '0' // 'web-0'"))
        .overload(same("add_uint64", Uint, "2u + 3u // 5u"))
        .singleton(Shape::Binary, add, Some(adds)),
        function(operator::DIVIDE, "The quotient of two numbers; that of integers is rounded towards zero.")
            .overload(same("divide_double", Double, "1.0 / 4.0 // 0.25"))
            .overload(same("divide_int64", Int, "-7 / 2 // -3"))
            .overload(same("divide_uint64", Uint, "7u / 2u // 3u"))
            .singleton(Shape::Binary, divide, Some(multiplies)),
        function(
            operator::MODULO,
            "The remainder of a division of integers; it has the sign of the left side.",
        )
        .overload(same("modulo_int64", Int, "-7 % 3 // -1"))
        .overload(same("modulo_uint64", Uint, "7u % 3u // 1u"))
        .singleton(Shape::Binary, modulo, Some(has_remainder)),
        function(operator::MULTIPLY, "The product of two numbers.")
            .overload(same("multiply_double", Double, "0.5 * 3.0 // 1.5"))
            .overload(same("multiply_int64", Int, "6 * 7 // 42"))
            .overload(same("multiply_uint64", Uint, "6u * 7u // 42u"))
            .singleton(Shape::Binary, multiply, Some(multiplies)),
        function(operator::NEGATE, "The number with the other sign.")
            .overload(Overload::global("negate_double", [Double], Double).example("-(0.5) // -0.5"))
            .overload(Overload::global("negate_int64", [Int], Int).example("-(2 + 3) // -5"))
            .singleton(Shape::Unary, negate, Some(has_sign)),
        function(
            operator::SUBTRACT,
            "The difference of two numbers, durations or times, or a time and a duration.",
        )
        .overload(same("subtract_double", Double, "1.75 - 0.5 // 1.25"))
        .overload(same(
            "subtract_duration_duration",
            Duration,
            "duration('1h') - duration('5m') // duration('3300s')",
        ))
        .overload(same("subtract_int64", Int, "2 - 3 // -1"))
        .overload(overload(
            "subtract_timestamp_duration",
            Timestamp,
            Duration,
            Timestamp,
            "timestamp('2024-03-01T00:00:00Z') - duration('60s') // timestamp('2024-02-29T23:59:00Z')",
        ))
        .overload(overload(
            "subtract_timestamp_timestamp",
            Timestamp,
            Timestamp,
            Duration,
            "timestamp('2024-03-01T00:00:00Z') - timestamp('2024-02-29T00:00:00Z') // duration('86400s')",
        ))
        .overload(same("subtract_uint64", Uint, "3u - 2u // 1u"))
        .singleton(Shape::Binary, subtract, Some(subtracts)),
    ]
}

fn adds(value: &Val) -> bool {
    subtracts(value) || matches!(value, Val::String(_) | Val::Bytes(_) | Val::List(_))
}

fn subtracts(value: &Val) -> bool {
    multiplies(value) || matches!(value, Val::Duration(_) | Val::Timestamp(_))
}

fn multiplies(value: &Val) -> bool {
    matches!(value, Val::Int(_) | Val::Uint(_) | Val::Double(_))
}

fn has_remainder(value: &Val) -> bool {
    matches!(value, Val::Int(_) | Val::Uint(_))
}

/// In cel-go a bool counts among what has a sign, and is refused later with another text.
fn has_sign(value: &Val) -> bool {
    matches!(value, Val::Bool(_) | Val::Int(_) | Val::Double(_) | Val::Duration(_))
}

fn int_overflow() -> EvalError {
    EvalError::new("integer overflow")
}

fn int(value: Option<i64>) -> Outcome {
    value.map(Val::Int).ok_or_else(int_overflow)
}

fn uint(value: Option<u64>) -> Outcome {
    value.map(Val::Uint).ok_or_else(|| EvalError::new("unsigned integer overflow"))
}

fn duration(value: Option<i64>) -> Outcome {
    value.map(Val::Duration).ok_or_else(int_overflow)
}

fn add(context: &Context<'_>, args: &[Val]) -> Outcome {
    match args {
        [Val::Int(left), Val::Int(right)] => int(left.checked_add(*right)),
        [Val::Uint(left), Val::Uint(right)] => uint(left.checked_add(*right)),
        [Val::Double(left), Val::Double(right)] => Ok(Val::Double(left + right)),
        [Val::String(left), Val::String(right)] => add_texts(context, left, right),
        [Val::Bytes(left), Val::Bytes(right)] => {
            context.charge(left.len().saturating_add(right.len()))?;
            Ok(Val::Bytes([&**left, &**right].concat().into()))
        }
        [Val::List(left), Val::List(right)] => add_lists(context, left, right),
        [Val::Duration(left), Val::Duration(right)] => duration(left.checked_add(*right)),
        [Val::Duration(nanos), Val::Timestamp(time)] | [Val::Timestamp(time), Val::Duration(nanos)] => {
            later(time, *nanos)
        }
        _ => Err(EvalError::no_such_overload()),
    }
}

fn add_texts(context: &Context<'_>, left: &Arc<str>, right: &Arc<str>) -> Outcome {
    if right.is_empty() {
        return Ok(Val::String(Arc::clone(left)));
    }
    if left.is_empty() {
        return Ok(Val::String(Arc::clone(right)));
    }
    context.charge(left.len().saturating_add(right.len()))?;
    Ok(Val::string([&**left, &**right].concat()))
}

fn add_lists(context: &Context<'_>, left: &List, right: &List) -> Outcome {
    if left.is_empty() {
        return Ok(Val::List(right.clone()));
    }
    if right.is_empty() {
        return Ok(Val::List(left.clone()));
    }
    let length = left.len().saturating_add(right.len());
    context.charge(length.saturating_mul(size_of::<Val>()))?;
    Ok(Val::list(left.iter().chain(right.iter()).collect()))
}

fn subtract(_: &Context<'_>, args: &[Val]) -> Outcome {
    match args {
        [Val::Int(left), Val::Int(right)] => int(left.checked_sub(*right)),
        [Val::Uint(left), Val::Uint(right)] => uint(left.checked_sub(*right)),
        [Val::Double(left), Val::Double(right)] => Ok(Val::Double(left - right)),
        [Val::Duration(left), Val::Duration(right)] => duration(left.checked_sub(*right)),
        [Val::Timestamp(time), Val::Duration(nanos)] => {
            later(time, nanos.checked_neg().ok_or_else(int_overflow)?)
        }
        [Val::Timestamp(left), Val::Timestamp(right)] => duration(between(left, right)),
        _ => Err(EvalError::no_such_overload()),
    }
}

fn multiply(_: &Context<'_>, args: &[Val]) -> Outcome {
    match args {
        [Val::Int(left), Val::Int(right)] => int(left.checked_mul(*right)),
        [Val::Uint(left), Val::Uint(right)] => uint(left.checked_mul(*right)),
        [Val::Double(left), Val::Double(right)] => Ok(Val::Double(left * right)),
        _ => Err(EvalError::no_such_overload()),
    }
}

fn divide(_: &Context<'_>, args: &[Val]) -> Outcome {
    match args {
        [Val::Int(_), Val::Int(0)] | [Val::Uint(_), Val::Uint(0)] => Err(EvalError::new("division by zero")),
        [Val::Int(left), Val::Int(right)] => int(left.checked_div(*right)),
        [Val::Uint(left), Val::Uint(right)] => uint(left.checked_div(*right)),
        [Val::Double(left), Val::Double(right)] => Ok(Val::Double(left / right)),
        _ => Err(EvalError::no_such_overload()),
    }
}

fn modulo(_: &Context<'_>, args: &[Val]) -> Outcome {
    match args {
        [Val::Int(_), Val::Int(0)] | [Val::Uint(_), Val::Uint(0)] => Err(EvalError::new("modulus by zero")),
        [Val::Int(left), Val::Int(right)] => int(left.checked_rem(*right)),
        [Val::Uint(left), Val::Uint(right)] => uint(left.checked_rem(*right)),
        _ => Err(EvalError::no_such_overload()),
    }
}

fn negate(_: &Context<'_>, args: &[Val]) -> Outcome {
    match args {
        [Val::Int(value)] => int(value.checked_neg()),
        [Val::Double(value)] => Ok(Val::Double(-value)),
        [Val::Duration(value)] => duration(value.checked_neg()),
        _ => Err(EvalError::no_such_overload()),
    }
}

/// The time that is a duration after another; it keeps the offset.
fn later(time: &Timestamp, nanos: i64) -> Outcome {
    let rest = i64::from(time.nanos) + nanos % SECOND;
    let seconds = time
        .seconds
        .checked_add(nanos / SECOND)
        .and_then(|seconds| seconds.checked_add(rest.div_euclid(SECOND)))
        .ok_or_else(int_overflow)?;
    if !(MIN_SECONDS..=MAX_SECONDS).contains(&seconds) {
        return Err(EvalError::new("timestamp overflow"));
    }
    Ok(Val::Timestamp(Timestamp { seconds, nanos: rest.rem_euclid(SECOND) as u32, offset: time.offset }))
}

/// The duration from one time to another, unless it overflows. As in cel-go, the seconds alone may overflow.
fn between(end: &Timestamp, start: &Timestamp) -> Option<i64> {
    let seconds = end.seconds.checked_sub(start.seconds)?.checked_mul(SECOND)?;
    seconds.checked_add(i64::from(end.nanos) - i64::from(start.nanos))
}
