//! Logic, equality, indexing and membership.

use super::{function, list_of_a, map_of_a_b, param_a};
use crate::function::{Context, Function, Overload, Shape};
use crate::operator;
use crate::types::Type;
use crate::value::equal::{equal_within, find, search_weight};
use crate::value::{EvalError, Key, Map, Outcome, Val};

/// `in` as an operator of older texts and as a function of older trees.
const OLD_IN: [&str; 2] = ["_in_", "in"];

pub(super) fn functions() -> Vec<Function> {
    let mut functions = vec![
        function(operator::CONDITIONAL, "Chooses one of two values by a condition; the other one is not evaluated.")
            .overload(
                Overload::global("conditional", [Type::Bool, param_a(), param_a()], param_a())
                    .non_strict()
                    .example("1 < 2 ? 'less' : 'more' // 'less'"),
            ),
        function(
            operator::AND,
            "Whether both sides are true. If one side is false, the value is false, even if the other is an error.",
        )
        .overload(
            Overload::global("logical_and", [Type::Bool, Type::Bool], Type::Bool)
                .non_strict()
                .example("1 / 0 == 1 && false // false"),
        ),
        function(
            operator::OR,
            "Whether a side is true. If one side is true, the value is true, even if the other is an error.",
        )
        .overload(
            Overload::global("logical_or", [Type::Bool, Type::Bool], Type::Bool)
                .non_strict()
                .example("1 / 0 == 1 || true // true"),
        ),
        function(operator::NOT, "Turns true into false and false into true.")
            .overload(Overload::global("logical_not", [Type::Bool], Type::Bool).example("!false // true"))
            .singleton(Shape::Unary, not, None),
        function(operator::NOT_STRICTLY_FALSE, "Whether a loop goes on: true for all but `false`.")
            .overload(not_strictly_false_overload("not_strictly_false")),
    ];
    let mut old = function(operator::OLD_NOT_STRICTLY_FALSE, "The older name of `@not_strictly_false`.")
        .overload(not_strictly_false_overload(operator::OLD_NOT_STRICTLY_FALSE));
    old.undeclared = true;
    functions.push(old);
    functions.extend([
        function(
            operator::EQUALS,
            "Whether two values are equal. Numbers of different types are equal by value.",
        )
        .overload(
            Overload::global("equals", [param_a(), param_a()], Type::Bool)
                .example("[1, 2] == [1, 2] // true"),
        ),
        function(operator::NOT_EQUALS, "Whether two values are not equal.").overload(
            Overload::global("not_equals", [param_a(), param_a()], Type::Bool).example("'a' != 'b' // true"),
        ),
        function(
            operator::INDEX,
            "The element of a list at an index, from 0 on, or the value of a map under a key.",
        )
        .overload(
            Overload::global("index_list", [list_of_a(), Type::Int], param_a())
                .example("['a', 'b'][1] // 'b'"),
        )
        .overload(
            Overload::global("index_map", [map_of_a_b(), param_a()], Type::param("B"))
                .example("{'port': 80}['port'] // 80"),
        ),
        membership(operator::IN),
    ]);
    functions.extend(OLD_IN.map(|name| {
        let mut function = membership(name);
        function.undeclared = true;
        function
    }));
    functions
}

fn not_strictly_false_overload(id: &str) -> Overload {
    Overload::global(id, [Type::Bool], Type::Bool)
        .non_strict()
        .unary(|_, args| Ok(Val::Bool(!matches!(args, [Val::Bool(false)]))))
}

fn membership(name: &str) -> Function {
    function(name, "Whether a list has an element or a map has a key.")
        .overload(
            Overload::global("in_list", [param_a(), list_of_a()], Type::Bool).example("2 in [1, 2] // true"),
        )
        .overload(
            Overload::global("in_map", [param_a(), map_of_a_b()], Type::Bool)
                .example("'a' in {'a': 1} // true"),
        )
        .singleton(Shape::Binary, contains, None)
}

fn not(_: &Context<'_>, args: &[Val]) -> Outcome {
    match args {
        [Val::Bool(value)] => Ok(Val::Bool(!value)),
        _ => Err(EvalError::no_such_overload()),
    }
}

fn contains(context: &Context<'_>, args: &[Val]) -> Outcome {
    match args {
        [element, Val::List(list)] => {
            context.work(list.len())?;
            let mut spend = context.comparison();
            for item in list.iter() {
                if equal_within(element, &item, &mut spend)? {
                    return Ok(Val::Bool(true));
                }
            }
            Ok(Val::Bool(false))
        }
        [key, Val::Map(map)] => {
            if matches!(map, Map::Vals(map) if !map.is_empty()) {
                Key::hashed(key)?;
            }
            context.comparison()(search_weight(map, key))?;
            Ok(Val::Bool(find(map, key).is_some()))
        }
        _ => Err(EvalError::no_such_overload()),
    }
}
