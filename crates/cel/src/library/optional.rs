//! Optional values.

use std::sync::Arc;

use crate::function::{Context, Function, Overload};
use crate::operator;
use crate::types::Type;
use crate::value::show::go_text;
use crate::value::timestamp::MIN_SECONDS;
use crate::value::{EvalError, Outcome, Timestamp, Val};

/// The name of the library.
pub const NAME: &str = "optional";

/// The functions of a version of the library; the newest version is 2.
pub fn functions(version: u32) -> Vec<Function> {
    let key = || Type::param("K");
    let value = || Type::param("V");
    let optional = || Type::optional(value());
    let list = || Type::list(value());
    let map = || Type::map(key(), value());
    let function = |name: &str, summary: &'static str| Function::new(NAME, name, summary);
    let mut functions = vec![
        function("optional.of", "An optional with a value, whatever the value is.").overload(
            Overload::global("optional_of", [value()], optional())
                .unary(of)
                .example("optional.of('').hasValue() // true"),
        ),
        function(
            "optional.ofNonZeroValue",
            "An optional with a value, or without one if that is empty, zero, false or null.",
        )
        .overload(
            Overload::global("optional_ofNonZeroValue", [value()], optional())
                .unary(of_non_zero_value)
                .example("optional.ofNonZeroValue('').hasValue() // false"),
        ),
        function("optional.none", "The optional without a value.").overload(
            Overload::global("optional_none", [], optional())
                .function(|_, _| Ok(Val::Optional(None)))
                .example("optional.none().orValue(5) // 5"),
        ),
        function("value", "The value of an optional; an error if there is none.").overload(
            Overload::member("optional_value", [optional()], value())
                .unary(get)
                .example("optional.of('a').value() // 'a'"),
        ),
        function("hasValue", "Whether an optional has a value.").overload(
            Overload::member("optional_hasValue", [optional()], Type::Bool)
                .unary(has_value)
                .example("optional.none().hasValue() // false"),
        ),
        function("or", "The optional itself if it has a value, else the other one.").overload(
            Overload::member("optional_or_optional", [optional(), optional()], optional())
                .example("optional.none().or(optional.of(1)).value() // 1"),
        ),
        function("orValue", "The value of an optional, or another value if there is none.").overload(
            Overload::member("optional_orValue_value", [optional(), value()], value())
                .example("{'a': 1}[?'b'].orValue(0) // 0"),
        ),
        function(operator::OPT_SELECT, "The value of a field as an optional; none if the field is not set.")
            .overload(
                Overload::global("select_optional_field", [Type::Dyn, Type::String], optional())
                    .example("{'a': 1}.?b.hasValue() // false"),
            ),
        function(
            operator::OPT_INDEX,
            "The element at an index or under a key as an optional; none if it is not there.",
        )
        .overload(
            Overload::global("list_optindex_optional_int", [list(), Type::Int], optional())
                .example("['a'][?1].hasValue() // false"),
        )
        .overload(Overload::global(
            "optional_list_optindex_optional_int",
            [Type::optional(list()), Type::Int],
            optional(),
        ))
        .overload(
            Overload::global("map_optindex_optional_value", [map(), key()], optional())
                .example("{'a': 1}[?'a'].value() // 1"),
        )
        .overload(Overload::global(
            "optional_map_optindex_optional_value",
            [Type::optional(map()), key()],
            optional(),
        )),
        function(operator::INDEX, "The element of an optional list or map as an optional.")
            .overload(
                Overload::global("optional_list_index_int", [Type::optional(list()), Type::Int], optional())
                    .example("optional.of(['a'])[0].value() // 'a'"),
            )
            .overload(
                Overload::global("optional_map_index_value", [Type::optional(map()), key()], optional())
                    .example("optional.of({'a': 1})['a'].value() // 1"),
            ),
    ];
    if version >= 2 {
        let optionals = || Type::list(optional());
        functions.extend([
            function("last", "The last element of a list as an optional; none if the list is empty.")
                .overload(
                    Overload::member("list_last", [list()], optional())
                        .unary(last)
                        .example("[1, 2].last().value() // 2"),
                ),
            function("first", "The first element of a list as an optional; none if the list is empty.")
                .overload(
                    Overload::member("list_first", [list()], optional())
                        .unary(first)
                        .example("[1, 2].first().value() // 1"),
                ),
            function("optional.unwrap", "The values of those optionals of a list that have one.").overload(
                Overload::global("optional_unwrap", [optionals()], list())
                    .unary(unwrap)
                    .example("optional.unwrap([optional.none(), optional.of(2)]) // [2]"),
            ),
            function("unwrapOpt", "The values of those optionals of the list that have one.").overload(
                Overload::member("optional_unwrapOpt", [optionals()], list())
                    .unary(unwrap)
                    .example("[optional.none(), optional.of(2)].unwrapOpt() // [2]"),
            ),
        ]);
    }
    functions
}

fn some(value: Val) -> Val {
    Val::Optional(Some(Arc::new(value)))
}

fn of(_: &Context<'_>, args: &[Val]) -> Outcome {
    args.first().cloned().map(some).ok_or_else(EvalError::no_such_overload)
}

fn of_non_zero_value(context: &Context<'_>, args: &[Val]) -> Outcome {
    match args {
        [value] if is_zero(value) => Ok(Val::Optional(None)),
        _ => of(context, args),
    }
}

/// Whether a value is the empty one of its type. Types and optionals have none.
fn is_zero(value: &Val) -> bool {
    match value {
        Val::Null => true,
        Val::Bool(value) => !value,
        Val::Int(value) | Val::Duration(value) => *value == 0,
        Val::Uint(value) => *value == 0,
        Val::Double(value) => *value == 0.0,
        Val::String(text) => text.is_empty(),
        Val::Bytes(bytes) => bytes.is_empty(),
        // Go's zero is the first instant of the year 1, not that of 1970.
        Val::Timestamp(time) => *time == Timestamp::utc(MIN_SECONDS, 0),
        Val::List(list) => list.is_empty(),
        Val::Map(map) => map.is_empty(),
        Val::Type(_) | Val::Optional(_) => false,
        Val::Object(object) => object.is_zero(),
    }
}

fn get(_: &Context<'_>, args: &[Val]) -> Outcome {
    match args {
        [Val::Optional(Some(value))] => Ok((**value).clone()),
        [Val::Optional(None)] => Err(EvalError::new("optional.none() dereference")),
        _ => Err(EvalError::no_such_overload()),
    }
}

fn has_value(_: &Context<'_>, args: &[Val]) -> Outcome {
    match args {
        [Val::Optional(value)] => Ok(Val::Bool(value.is_some())),
        _ => Err(EvalError::no_such_overload()),
    }
}

fn last(_: &Context<'_>, args: &[Val]) -> Outcome {
    match args {
        [Val::List(list)] => {
            let last = list.len().checked_sub(1).and_then(|index| list.get(index));
            Ok(last.map_or(Val::Optional(None), some))
        }
        _ => Err(EvalError::no_such_overload()),
    }
}

fn first(_: &Context<'_>, args: &[Val]) -> Outcome {
    match args {
        [Val::List(list)] => Ok(list.get(0).map_or(Val::Optional(None), some)),
        _ => Err(EvalError::no_such_overload()),
    }
}

fn unwrap(context: &Context<'_>, args: &[Val]) -> Outcome {
    let [Val::List(list)] = args else { return Err(EvalError::no_such_overload()) };
    context.charge(list.len().saturating_mul(size_of::<Val>()))?;
    let mut values = Vec::new();
    for item in list.iter() {
        match item {
            Val::Optional(Some(value)) => values.push((*value).clone()),
            Val::Optional(None) => {}
            other => return Err(EvalError::new(format!("value {} is not optional", go_text(&other)))),
        }
    }
    Ok(Val::list(values))
}

#[cfg(test)]
mod tests;
