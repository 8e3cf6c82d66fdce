//! The extension `lists`: parts, order and shape of lists.
//!
//! Source: ext/lists.go of cel-go. The macro `sortBy` calls `@sortByAssociatedKeys`.

mod cost;
mod sort;

use std::cmp::Ordering;

use self::sort::permutation;
use super::arguments::{charge_slots, int, list};
use super::sets::Members;
use crate::function::{Context, Cost, Function, Overload, Shape};
use crate::types::Type;
use crate::value::equal::compare;
use crate::value::show::go_type_text;
use crate::value::{EvalError, List, Outcome, Val};

/// The most elements that `lists.range` makes.
const MAX_RANGE: i64 = 1_000_000;

/// The version from which on the functions have costs of their own.
const WITH_COSTS: u32 = 3;

/// The functions of a version of the library.
pub fn functions(version: u32) -> Vec<Function> {
    let costed =
        |overload: Overload, cost: Cost| if version >= WITH_COSTS { overload.cost(cost) } else { overload };
    let any = Type::list(Type::param("T"));
    let list_of_any = || any.clone();
    let mut functions = vec![
        Function::new("lists", "slice", "The elements from an index on and before another.").overload(
            costed(
                Overload::member("list_slice", [list_of_any(), Type::Int, Type::Int], list_of_any())
                    .function(slice),
                cost::output_size,
            )
            .example("[1, 2, 3, 4].slice(1, 3) // [2, 3]"),
        ),
    ];
    if version >= 1 {
        let mut flatten = Function::new(
            "lists",
            "flatten",
            "The list with the elements of the lists in it in their place.",
        )
        .overload(
            costed(
                Overload::member("list_flatten", [Type::list(list_of_any())], list_of_any())
                    .unary(flatten_once),
                cost::flatten,
            )
            .example("[1, [2, [3]]].flatten() // [1, 2, [3]]"),
        )
        .overload(
            costed(
                Overload::member(
                    "list_flatten_int",
                    [Type::list(Type::Dyn), Type::Int],
                    Type::list(Type::Dyn),
                )
                .binary(flatten_to_depth),
                cost::flatten,
            )
            .example("[1, [2, [3]]].flatten(2) // [1, 2, 3]"),
        );
        flatten.unguarded = true;
        functions.push(flatten);
    }
    if version >= 2 {
        let mut sort = Function::new(
            "lists",
            "sort",
            "The elements in ascending order; all must be of one type that has an order.",
        );
        let mut sort_by = Function::new(
            "lists",
            "@sortByAssociatedKeys",
            "The elements in the ascending order of the keys at the same indexes of another list.",
        );
        for key in comparable_types() {
            let keys = Type::list(key.clone());
            sort = sort.overload(costed(
                Overload::member(&format!("list_{}_sort", key.name()), [keys.clone()], keys.clone()),
                cost::sort,
            ));
            sort_by = sort_by.overload(costed(
                Overload::member(
                    &format!("list_{}_sortByAssociatedKeys", key.name()),
                    [list_of_any(), keys],
                    list_of_any(),
                ),
                cost::sort_by,
            ));
        }
        if let Some(first) = sort.overloads.first_mut() {
            first.example = "[3, 1, 2].sort() // [1, 2, 3]";
        }
        functions.extend([
            sort.singleton(Shape::Unary, sort_list, Some(is_list)),
            sort_by.singleton(Shape::Binary, sort_by_keys, Some(is_list)),
            Function::new(
                "lists",
                "lists.range",
                "The ints from 0 on and before a number, which may be at most 1,000,000.",
            )
            .overload(
                costed(
                    Overload::global("lists_range", [Type::Int], Type::list(Type::Int)).unary(range),
                    cost::output_size,
                )
                .example("lists.range(3) // [0, 1, 2]"),
            ),
            Function::new("lists", "reverse", "The elements from the last to the first.").overload(
                costed(
                    Overload::member("list_reverse", [list_of_any()], list_of_any()).unary(reverse),
                    cost::output_size,
                )
                .example("[1, 2, 3].reverse() // [3, 2, 1]"),
            ),
            Function::new(
                "lists",
                "distinct",
                "The elements without those that are equal to an earlier one.",
            )
            .overload(
                costed(
                    Overload::member("list_distinct", [list_of_any()], list_of_any()).unary(distinct),
                    cost::distinct,
                )
                .example("[2, 1, 2].distinct() // [2, 1]"),
            ),
        ]);
    }
    functions
}

/// The types whose values have an order, as cel-go lists them for `sort`.
fn comparable_types() -> [Type; 8] {
    [
        Type::Int,
        Type::Uint,
        Type::Double,
        Type::Bool,
        Type::Duration,
        Type::Timestamp,
        Type::String,
        Type::Bytes,
    ]
}

fn is_list(value: &Val) -> bool {
    matches!(value, Val::List(_))
}

fn slice(context: &Context<'_>, args: &[Val]) -> Outcome {
    let (list, start, end) = (list(args, 0)?, int(args, 1)?, int(args, 2)?);
    let (Ok(first), Ok(last)) = (usize::try_from(start), usize::try_from(end)) else {
        return Err(EvalError::new(format!("cannot slice({start}, {end}), negative indexes not supported")));
    };
    if first > last {
        return Err(EvalError::new(format!(
            "cannot slice({start}, {end}), start index must be less than or equal to end index"
        )));
    }
    if last > list.len() {
        return Err(EvalError::new(format!("cannot slice({start}, {end}), list is length {}", list.len())));
    }
    charge_slots(context, last - first)?;
    Ok(Val::list((first..last).filter_map(|index| list.get(index)).collect()))
}

fn flatten_once(context: &Context<'_>, args: &[Val]) -> Outcome {
    match args {
        [Val::List(list)] => flatten(context, list, 1),
        [other] => Err(EvalError::new(format!("no such overload: {}.flatten()", go_type_text(&other.ty())))),
        _ => Err(EvalError::no_such_overload()),
    }
}

fn flatten_to_depth(context: &Context<'_>, args: &[Val]) -> Outcome {
    match args {
        [Val::List(list), Val::Int(depth)] => flatten(context, list, *depth),
        [list, depth] => Err(EvalError::new(format!(
            "no such overload: {}.flatten({})",
            go_type_text(&list.ty()),
            go_type_text(&depth.ty())
        ))),
        _ => Err(EvalError::no_such_overload()),
    }
}

fn flatten(context: &Context<'_>, list: &List, depth: i64) -> Outcome {
    let Ok(depth) = usize::try_from(depth) else {
        return Err(EvalError::new("level must be non-negative"));
    };
    let mut flat = Vec::new();
    // The lists that are open, each with the index of its next element. A stack of our own, because lists may be
    // nested deeper than calls may.
    let mut open = vec![(list.clone(), 0)];
    context.work(list.len())?;
    while let Some((list, next)) = open.last_mut() {
        let Some(element) = list.get(*next) else {
            open.pop();
            continue;
        };
        *next += 1;
        match element {
            Val::List(inner) if open.len() <= depth => {
                // Lists may share their elements, so that there is more to visit than there are values.
                context.work(inner.len().saturating_add(1))?;
                open.push((inner, 0));
            }
            element => {
                charge_slots(context, 1)?;
                flat.push(element);
            }
        }
    }
    Ok(Val::list(flat))
}

fn range(context: &Context<'_>, args: &[Val]) -> Outcome {
    let size = int(args, 0)?;
    if size < 0 {
        return Err(EvalError::new(format!("lists.range: size must be non-negative, got {size}")));
    }
    if size > MAX_RANGE {
        return Err(EvalError::new(format!(
            "lists.range: size {size} exceeds maximum allowed ({MAX_RANGE})"
        )));
    }
    context.work(size as usize)?;
    charge_slots(context, size as usize)?;
    Ok(Val::list((0..size).map(Val::Int).collect()))
}

fn reverse(context: &Context<'_>, args: &[Val]) -> Outcome {
    let list = list(args, 0)?;
    charge_slots(context, list.len())?;
    Ok(Val::list((0..list.len()).rev().filter_map(|index| list.get(index)).collect()))
}

fn distinct(context: &Context<'_>, args: &[Val]) -> Outcome {
    let list = list(args, 0)?;
    let mut seen = Members::default();
    let mut unique = Vec::new();
    for element in list.iter() {
        if !seen.contain(context, &element)? {
            charge_slots(context, 2)?;
            seen.add(element.clone());
            unique.push(element);
        }
    }
    Ok(Val::list(unique))
}

fn sort_list(context: &Context<'_>, args: &[Val]) -> Outcome {
    let list = list(args, 0)?;
    sorted(context, list, list)
}

fn sort_by_keys(context: &Context<'_>, args: &[Val]) -> Outcome {
    sorted(context, list(args, 0)?, list(args, 1)?)
}

fn sorted(context: &Context<'_>, list: &List, keys: &List) -> Outcome {
    if list.len() != keys.len() {
        return Err(EvalError::new(format!(
            "@sortByAssociatedKeys() expected a list of the same size as the associated keys \
                    list, but got {} and {} elements respectively",
            list.len(),
            keys.len()
        )));
    }
    let Some(first) = keys.get(0) else {
        return Ok(Val::List(list.clone()));
    };
    let kind = first.ty();
    if !comparable_types().contains(&kind) {
        return Err(EvalError::new("list elements must be comparable"));
    }
    charge_slots(context, list.len().saturating_mul(2))?;
    let keys: Vec<Val> = keys.iter().collect();
    // Every key is compared at least once, so that cel-go finds every key of another type.
    if keys.iter().any(|key| key.ty() != kind) {
        return Err(EvalError::new("list elements must have the same type"));
    }
    // How often a key is compared at most, more or less.
    let times = 2 * (usize::BITS - keys.len().leading_zeros()) as usize;
    context.work(keys.len().saturating_mul(times))?;
    let text = |key: &Val| match key {
        Val::String(text) => text.len(),
        Val::Bytes(bytes) => bytes.len(),
        _ => 0,
    };
    context.pass(keys.iter().map(text).fold(0, usize::saturating_add).saturating_mul(times))?;
    // A comparison that fails, with NaN, says nothing about the order.
    let less = |left: usize, right: usize| match (keys.get(left), keys.get(right)) {
        (Some(left), Some(right)) => matches!(compare(left, right), Ok(Ordering::Less)),
        _ => false,
    };
    let order = permutation(keys.len(), less);
    Ok(Val::list(order.into_iter().filter_map(|index| list.get(index)).collect()))
}
