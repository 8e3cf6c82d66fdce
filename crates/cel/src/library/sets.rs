//! The extension `sets`: lists seen as sets.
//!
//! Source: ext/sets.go of cel-go. Its version changes nothing.

use std::collections::HashSet;
use std::sync::Arc;

use super::arguments::{actual_size, list};
use crate::function::{Context, Cost, Function, Implementation, Overload};
use crate::types::Type;
use crate::value::equal::equal_within;
use crate::value::{EvalError, List, Outcome, Val};

/// The functions of a version of the library.
pub fn functions(_version: u32) -> Vec<Function> {
    let relation = |name, summary, id, call: Implementation, cost: Cost, example| {
        let set = Type::list(Type::param("T"));
        Function::new("sets", name, summary).overload(
            Overload::global(id, [set.clone(), set], Type::Bool).binary(call).cost(cost).example(example),
        )
    };
    vec![
        relation(
            "sets.contains",
            "Whether every element of the second list is in the first.",
            "list_sets_contains_list",
            contains,
            |args, _| Some(comparisons(args).saturating_add(1)),
            "sets.contains([1, 2, 3], [3, 1.0]) // true",
        ),
        relation(
            "sets.equivalent",
            "Whether each of two lists has all elements of the other, whatever their order and number.",
            "list_sets_equivalent_list",
            equivalent,
            // Both lists are searched; cel-go multiplies as a float64.
            |args, _| Some(((comparisons(args) as f64 * 2.0) as u64).saturating_add(1)),
            "sets.equivalent([1, 2], [2, 1, 1]) // true",
        ),
        relation(
            "sets.intersects",
            "Whether two lists have an element in common.",
            "list_sets_intersects_list",
            intersects,
            |args, _| Some(comparisons(args).saturating_add(1)),
            "sets.intersects([1, 2], [2, 3]) // true",
        ),
    ]
}

fn contains(context: &Context<'_>, args: &[Val]) -> Outcome {
    contains_all(context, list(args, 0)?, list(args, 1)?).map(Val::Bool)
}

fn equivalent(context: &Context<'_>, args: &[Val]) -> Outcome {
    let (left, right) = (list(args, 0)?, list(args, 1)?);
    Ok(Val::Bool(contains_all(context, left, right)? && contains_all(context, right, left)?))
}

fn intersects(context: &Context<'_>, args: &[Val]) -> Outcome {
    let (left, right) = (list(args, 0)?, list(args, 1)?);
    let members = Members::of(context, right)?;
    for element in left.iter() {
        if members.contain(context, &element)? {
            return Ok(Val::Bool(true));
        }
    }
    Ok(Val::Bool(false))
}

fn contains_all(context: &Context<'_>, set: &List, subset: &List) -> Result<bool, EvalError> {
    let members = Members::of(context, set)?;
    for element in subset.iter() {
        if !members.contain(context, &element)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Elements that are looked up by equality. Strings, the usual elements, are equal to nothing but strings and are
/// hashed; all others are compared one by one, because equality across number types has no hash.
#[derive(Default)]
pub(super) struct Members {
    strings: HashSet<Arc<str>>,
    others: Vec<Val>,
}

impl Members {
    fn of(context: &Context<'_>, list: &List) -> Result<Members, EvalError> {
        context.work(list.len())?;
        let mut members = Members::default();
        for element in list.iter() {
            if let Val::String(text) = &element {
                context.pass(text.len())?;
            }
            members.add(element);
        }
        Ok(members)
    }

    pub(super) fn add(&mut self, element: Val) {
        match element {
            Val::String(text) => {
                self.strings.insert(text);
            }
            other => self.others.push(other),
        }
    }

    pub(super) fn contain(&self, context: &Context<'_>, element: &Val) -> Result<bool, EvalError> {
        if let Val::String(text) = element {
            context.work(1)?;
            context.pass(text.len())?;
            return Ok(self.strings.contains(text));
        }
        context.work(1)?;
        let mut spend = context.comparison();
        for other in &self.others {
            if equal_within(element, other, &mut spend)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

fn comparisons(args: &[Val]) -> u64 {
    actual_size(args.first()).wrapping_mul(actual_size(args.get(1)))
}
