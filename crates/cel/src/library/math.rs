//! The extension `math`: extremes, rounding, signs, bits and roots.
//!
//! Source: ext/math.go of cel-go. `math.least` and `math.greatest` are macros that call `math.@min` and `math.@max`.

use std::cmp::Ordering;

use super::arguments::{double, int, list, uint};
use crate::function::{Context, Function, Implementation, Overload};
use crate::types::Type;
use crate::value::equal::compare;
use crate::value::{EvalError, Outcome, Val};

/// The functions of a version of the library.
pub fn functions(version: u32) -> Vec<Function> {
    let mut functions = vec![
        extreme(
            "math.@min",
            "The least of its arguments, or of the elements of a list.",
            least_of_two,
            least_of_list,
        ),
        extreme(
            "math.@max",
            "The greatest of its arguments, or of the elements of a list.",
            greatest_of_two,
            greatest_of_list,
        ),
    ];
    if version >= 1 {
        functions.extend(rounding());
        functions.extend(classes());
        functions.extend(signs());
        functions.extend(bits());
    }
    if version >= 2 {
        let root = |id, param| Overload::global(id, [param], Type::Double).unary(sqrt);
        functions.push(
            Function::new("math", "math.sqrt", "The square root; NaN for a negative number.")
                .overload(root("math_sqrt_double", Type::Double).example("math.sqrt(6.25) // 2.5"))
                .overload(root("math_sqrt_int", Type::Int).example("math.sqrt(49) // 7.0"))
                .overload(root("math_sqrt_uint", Type::Uint).example("math.sqrt(64u) // 8.0")),
        );
    }
    functions
}

/// `math.@min` or `math.@max`: overloads for one number, for two of any types and for a list.
fn extreme(name: &str, summary: &'static str, pair: Implementation, of_list: Implementation) -> Function {
    let overload_name = name.replace('.', "_");
    let id = |suffix: &str| format!("{overload_name}_{suffix}");
    let mut function = Function::new("math", name, summary);
    for number in [Type::Double, Type::Int, Type::Uint] {
        let overload = Overload::global(&id(number.name()), [number.clone()], number);
        function = function.overload(overload.unary(identity));
    }
    // The order is cel-go's: pairs of one type first.
    let pairs = [
        (Type::Double, Type::Double),
        (Type::Int, Type::Int),
        (Type::Uint, Type::Uint),
        (Type::Int, Type::Uint),
        (Type::Int, Type::Double),
        (Type::Double, Type::Int),
        (Type::Double, Type::Uint),
        (Type::Uint, Type::Int),
        (Type::Uint, Type::Double),
    ];
    for (left, right) in pairs {
        let result = if left == right { left.clone() } else { Type::Dyn };
        let id = id(&format!("{}_{}", left.name(), right.name()));
        function = function.overload(Overload::global(&id, [left, right], result).binary(pair));
    }
    for number in [Type::Double, Type::Int, Type::Uint] {
        let id = id(&format!("list_{}", number.name()));
        function =
            function.overload(Overload::global(&id, [Type::list(number.clone())], number).unary(of_list));
    }
    function
}

fn rounding() -> Vec<Function> {
    let rounding = |name, summary, id, call: Implementation, example| {
        Function::new("math", name, summary)
            .overload(Overload::global(id, [Type::Double], Type::Double).unary(call).example(example))
    };
    vec![
        rounding(
            "math.ceil",
            "The next whole number that is not below.",
            "math_ceil_double",
            ceil,
            "math.ceil(2.1) // 3.0",
        ),
        rounding(
            "math.floor",
            "The next whole number that is not above.",
            "math_floor_double",
            floor,
            "math.floor(2.9) // 2.0",
        ),
        rounding(
            "math.round",
            "The nearest whole number; a half goes away from zero.",
            "math_round_double",
            round,
            "math.round(2.5) // 3.0",
        ),
        rounding(
            "math.trunc",
            "The number without its fraction.",
            "math_trunc_double",
            trunc,
            "math.trunc(-2.9) // -2.0",
        ),
    ]
}

fn classes() -> Vec<Function> {
    let class = |name, summary, id, call: Implementation, example| {
        Function::new("math", name, summary)
            .overload(Overload::global(id, [Type::Double], Type::Bool).unary(call).example(example))
    };
    vec![
        class(
            "math.isInf",
            "Whether the number is infinite, in either direction.",
            "math_isInf_double",
            is_inf,
            "math.isInf(1.0 / 0.0) // true",
        ),
        class(
            "math.isNaN",
            "Whether the value is not a number.",
            "math_isNaN_double",
            is_nan,
            "math.isNaN(0.0 / 0.0) // true",
        ),
        class(
            "math.isFinite",
            "Whether the value is a number and not infinite.",
            "math_isFinite_double",
            is_finite,
            "math.isFinite(0.5) // true",
        ),
    ]
}

fn signs() -> Vec<Function> {
    let of =
        |id, number: Type, call: Implementation| Overload::global(id, [number.clone()], number).unary(call);
    vec![
        Function::new(
            "math",
            "math.abs",
            "The number without its sign; an error for the least int, which has no counterpart.",
        )
        .overload(of("math_abs_double", Type::Double, abs_double).example("math.abs(-1.5) // 1.5"))
        .overload(of("math_abs_int", Type::Int, abs_int).example("math.abs(-3) // 3"))
        .overload(of("math_abs_uint", Type::Uint, identity).example("math.abs(3u) // 3u")),
        Function::new("math", "math.sign", "-1, 0 or 1, in the type of the number; NaN for NaN.")
            .overload(of("math_sign_double", Type::Double, sign).example("math.sign(-0.5) // -1.0"))
            .overload(of("math_sign_int", Type::Int, sign).example("math.sign(7) // 1"))
            .overload(of("math_sign_uint", Type::Uint, sign).example("math.sign(7u) // 1u")),
    ]
}

fn bits() -> Vec<Function> {
    let pair = |name, summary, id: &str, ints: Implementation, uints: Implementation, example| {
        Function::new("math", name, summary)
            .overload(
                Overload::global(&format!("{id}_int_int"), [Type::Int, Type::Int], Type::Int)
                    .binary(ints)
                    .example(example),
            )
            .overload(
                Overload::global(&format!("{id}_uint_uint"), [Type::Uint, Type::Uint], Type::Uint)
                    .binary(uints),
            )
    };
    let shift = |name, summary, id: &str, ints: Implementation, uints: Implementation, example| {
        Function::new("math", name, summary)
            .overload(
                Overload::global(&format!("{id}_int_int"), [Type::Int, Type::Int], Type::Int)
                    .binary(ints)
                    .example(example),
            )
            .overload(
                Overload::global(&format!("{id}_uint_int"), [Type::Uint, Type::Int], Type::Uint)
                    .binary(uints),
            )
    };
    vec![
        pair(
            "math.bitAnd",
            "The bits that both numbers have.",
            "math_bitAnd",
            |_, args| Ok(Val::Int(int(args, 0)? & int(args, 1)?)),
            |_, args| Ok(Val::Uint(uint(args, 0)? & uint(args, 1)?)),
            "math.bitAnd(6, 3) // 2",
        ),
        pair(
            "math.bitOr",
            "The bits that either number has.",
            "math_bitOr",
            |_, args| Ok(Val::Int(int(args, 0)? | int(args, 1)?)),
            |_, args| Ok(Val::Uint(uint(args, 0)? | uint(args, 1)?)),
            "math.bitOr(4, 3) // 7",
        ),
        pair(
            "math.bitXor",
            "The bits that only one of two numbers has.",
            "math_bitXor",
            |_, args| Ok(Val::Int(int(args, 0)? ^ int(args, 1)?)),
            |_, args| Ok(Val::Uint(uint(args, 0)? ^ uint(args, 1)?)),
            "math.bitXor(6, 3) // 5",
        ),
        Function::new("math", "math.bitNot", "The number with all bits turned over.")
            .overload(
                Overload::global("math_bitNot_int_int", [Type::Int], Type::Int)
                    .unary(|_, args| Ok(Val::Int(!int(args, 0)?)))
                    .example("math.bitNot(5) // -6"),
            )
            .overload(
                Overload::global("math_bitNot_uint_uint", [Type::Uint], Type::Uint)
                    .unary(|_, args| Ok(Val::Uint(!uint(args, 0)?)))
                    .example("math.bitNot(0u) // 18446744073709551615u"),
            ),
        shift(
            "math.bitShiftLeft",
            "The bits moved to the left; 0 from 64 places on, an error for a negative number \
                    of places.",
            "math_bitShiftLeft",
            |_, args| Ok(Val::Int(shift_left(int(args, 0)? as u64, int(args, 1)?)? as i64)),
            |_, args| Ok(Val::Uint(shift_left(uint(args, 0)?, int(args, 1)?)?)),
            "math.bitShiftLeft(3, 4) // 48",
        ),
        shift(
            "math.bitShiftRight",
            "The bits moved to the right, with zeros from the left even for a negative \
                    number; 0 from 64 places on, an error for a negative number of places.",
            "math_bitShiftRight",
            |_, args| Ok(Val::Int(shift_right(int(args, 0)? as u64, int(args, 1)?)? as i64)),
            |_, args| Ok(Val::Uint(shift_right(uint(args, 0)?, int(args, 1)?)?)),
            "math.bitShiftRight(48, 4) // 3",
        ),
    ]
}

fn identity(_context: &Context<'_>, args: &[Val]) -> Outcome {
    args.first().cloned().ok_or_else(EvalError::no_such_overload)
}

fn ceil(_context: &Context<'_>, args: &[Val]) -> Outcome {
    Ok(Val::Double(double(args, 0)?.ceil()))
}

fn floor(_context: &Context<'_>, args: &[Val]) -> Outcome {
    Ok(Val::Double(double(args, 0)?.floor()))
}

fn round(_context: &Context<'_>, args: &[Val]) -> Outcome {
    Ok(Val::Double(double(args, 0)?.round()))
}

fn trunc(_context: &Context<'_>, args: &[Val]) -> Outcome {
    Ok(Val::Double(double(args, 0)?.trunc()))
}

fn is_inf(_context: &Context<'_>, args: &[Val]) -> Outcome {
    Ok(Val::Bool(double(args, 0)?.is_infinite()))
}

fn is_nan(_context: &Context<'_>, args: &[Val]) -> Outcome {
    Ok(Val::Bool(double(args, 0)?.is_nan()))
}

fn is_finite(_context: &Context<'_>, args: &[Val]) -> Outcome {
    Ok(Val::Bool(double(args, 0)?.is_finite()))
}

fn abs_double(_context: &Context<'_>, args: &[Val]) -> Outcome {
    Ok(Val::Double(double(args, 0)?.abs()))
}

fn abs_int(_context: &Context<'_>, args: &[Val]) -> Outcome {
    match int(args, 0)?.checked_abs() {
        Some(value) => Ok(Val::Int(value)),
        None => Err(EvalError::new("integer overflow")),
    }
}

fn sign(_context: &Context<'_>, args: &[Val]) -> Outcome {
    match args {
        // Both zeros have the sign 0.0.
        [Val::Double(value)] if *value == 0.0 => Ok(Val::Double(0.0)),
        [Val::Double(value)] if value.is_nan() => Ok(Val::Double(*value)),
        [Val::Double(value)] => Ok(Val::Double(value.signum())),
        [Val::Int(value)] => Ok(Val::Int(value.signum())),
        [Val::Uint(value)] => Ok(Val::Uint((*value).min(1))),
        _ => Err(EvalError::no_such_overload()),
    }
}

fn sqrt(_context: &Context<'_>, args: &[Val]) -> Outcome {
    match args {
        [Val::Double(value)] => Ok(Val::Double(value.sqrt())),
        [Val::Int(value)] => Ok(Val::Double((*value as f64).sqrt())),
        [Val::Uint(value)] => Ok(Val::Double((*value as f64).sqrt())),
        _ => Err(EvalError::new("no such overload: sqrt")),
    }
}

fn shift_left(value: u64, places: i64) -> Result<u64, EvalError> {
    match u32::try_from(places) {
        Ok(places) => Ok(value.checked_shl(places).unwrap_or(0)),
        Err(_) if places < 0 => Err(negative_offset("math.bitShiftLeft", places)),
        Err(_) => Ok(0),
    }
}

fn shift_right(value: u64, places: i64) -> Result<u64, EvalError> {
    match u32::try_from(places) {
        Ok(places) => Ok(value.checked_shr(places).unwrap_or(0)),
        Err(_) if places < 0 => Err(negative_offset("math.bitShiftRight", places)),
        Err(_) => Ok(0),
    }
}

fn negative_offset(function: &str, places: i64) -> EvalError {
    EvalError::new(format!("{function}() negative offset: {places}"))
}

fn least_of_two(_context: &Context<'_>, args: &[Val]) -> Outcome {
    of_two(args, "math.@min", Ordering::Greater)
}

fn greatest_of_two(_context: &Context<'_>, args: &[Val]) -> Outcome {
    of_two(args, "math.@max", Ordering::Less)
}

fn of_two(args: &[Val], function: &str, replace: Ordering) -> Outcome {
    match args {
        [first, second] => pick(first, second, function, replace),
        _ => Err(EvalError::no_such_overload()),
    }
}

/// The second value if the first stands to it in the order `replace`, else the first.
fn pick(first: &Val, second: &Val, function: &str, replace: Ordering) -> Outcome {
    match compare(first, second) {
        Ok(order) if order == replace => Ok(second.clone()),
        Ok(_) => Ok(first.clone()),
        Err(error) => Err(EvalError::new(format!("{}: {function}", error.message()))),
    }
}

fn least_of_list(context: &Context<'_>, args: &[Val]) -> Outcome {
    of_list(context, args, "math.@min", Ordering::Greater)
}

fn greatest_of_list(context: &Context<'_>, args: &[Val]) -> Outcome {
    of_list(context, args, "math.@max", Ordering::Less)
}

fn of_list(context: &Context<'_>, args: &[Val], function: &str, replace: Ordering) -> Outcome {
    let list = list(args, 0)?;
    context.work(list.len())?;
    let Some(mut best) = list.get(0) else {
        return Err(EvalError::new(format!("{function}(list) argument must not be empty")));
    };
    for element in list.iter().skip(1) {
        // cel-go carries an error on as if it were the best value, and says at the end that it is not a number.
        match pick(&best, &element, function, replace) {
            Ok(better) => best = better,
            Err(_) => return Err(EvalError::new(format!("no such overload: {function}"))),
        }
    }
    match best {
        Val::Int(_) | Val::Double(_) | Val::Uint(_) => Ok(best),
        _ => Err(EvalError::new(format!("no such overload: {function}"))),
    }
}
