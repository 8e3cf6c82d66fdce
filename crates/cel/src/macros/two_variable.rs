//! Loops with two variables: index and element of a list, or key and value of a map.

use std::sync::Arc;

use super::standard::{
    NOT_A_NAME, OVERWRITES, Parts, all_parts, append, exists_one_parts, exists_parts, is_accumulator, only_if,
};
use super::{Expander, Macro, MacroError};
use crate::ast::{Comprehension, Expr, Literal};
use crate::parse::{ACCUMULATOR, Builder};

/// The macros, the same in each version.
pub fn macros(_version: u32) -> Vec<Macro> {
    let one = |function, arity, expand: Expander, summary, signature, example| Macro {
        function,
        library: "two-variable comprehensions",
        receiver: true,
        arity: Some(arity),
        expand,
        summary,
        signature,
        example,
    };
    let exists_one_summary = "Tells whether the predicate holds for exactly one index and element of a list, or key and \
                              value of a map.";
    vec![
        one(
            "all",
            3,
            all,
            "Tells whether the predicate holds for each index and element of a list, or key and value of a map.",
            "range.all(i, v, predicate)",
            "[1, 2].all(i, v, i < v) == true",
        ),
        one(
            "exists",
            3,
            exists,
            "Tells whether the predicate holds for at least one index and element of a list, or key and value of a \
             map.",
            "range.exists(i, v, predicate)",
            "{'a': 1}.exists(k, v, k == 'a' && v == 1) == true",
        ),
        one(
            "existsOne",
            3,
            exists_one,
            exists_one_summary,
            "range.existsOne(i, v, predicate)",
            "[1, 1].existsOne(i, v, i == v) == true",
        ),
        one(
            "exists_one",
            3,
            exists_one,
            exists_one_summary,
            "range.exists_one(i, v, predicate)",
            "[1, 1].exists_one(i, v, i == v) == true",
        ),
        one(
            "transformList",
            3,
            transform_list,
            "Makes a list with the value of an expression for each pair.",
            "range.transformList(i, v, expression)",
            "[1, 2].transformList(i, v, i + v) == [1, 3]",
        ),
        one(
            "transformList",
            4,
            transform_list,
            "Makes a list with the value of an expression for each pair for which the predicate holds.",
            "range.transformList(i, v, predicate, expression)",
            "[1, 2].transformList(i, v, i > 0, v) == [2]",
        ),
        one(
            "transformMap",
            3,
            transform_map,
            "Makes a map with the same keys, and the value of an expression for each pair.",
            "range.transformMap(k, v, expression)",
            "{'a': 1}.transformMap(k, v, v + 1) == {'a': 2}",
        ),
        one(
            "transformMap",
            4,
            transform_map,
            "Makes a map of the keys for which the predicate holds, with the value of an expression for each.",
            "range.transformMap(k, v, predicate, expression)",
            "{'a': 1, 'b': 2}.transformMap(k, v, v > 1, v) == {'b': 2}",
        ),
        one(
            "transformMapEntry",
            3,
            transform_map_entry,
            "Makes a map of the entries of the map that an expression gives for each pair.",
            "range.transformMapEntry(k, v, {key: value})",
            "{'a': 'b'}.transformMapEntry(k, v, {v: k}) == {'b': 'a'}",
        ),
        one(
            "transformMapEntry",
            4,
            transform_map_entry,
            "Makes a map of the entries of the map that an expression gives for each pair for which the predicate \
             holds.",
            "range.transformMapEntry(k, v, predicate, {key: value})",
            "{'a': 'b'}.transformMapEntry(k, v, k != 'a', {v: k}) == {}",
        ),
    ]
}

const INSERT: &str = "cel.@mapInsert";

/// The names of the two variables.
fn variables(make: &Builder<'_>, first: Expr, second: Expr) -> Result<[Arc<str>; 2], MacroError> {
    let name = |arg| make.name(arg).ok_or_else(|| make.error(arg, NOT_A_NAME));
    let names = [name(first)?, name(second)?];
    if names[0] == names[1] {
        return Err(make.error(second, format!("duplicate variable name: {}", names[0])));
    }
    for (arg, name) in [first, second].into_iter().zip(&names) {
        if is_accumulator(name) {
            return Err(make.error(arg, OVERWRITES));
        }
    }
    Ok(names)
}

fn finish(make: &mut Builder<'_>, range: Option<Expr>, names: [Arc<str>; 2], parts: Parts) -> Option<Expr> {
    let [variable, variable2] = names;
    let [init, condition, step, result] = parts;
    Some(make.comprehension(Comprehension {
        range: range?,
        variable,
        variable2: Some(variable2),
        accumulator: ACCUMULATOR.into(),
        init,
        condition,
        step,
        result,
    }))
}

fn quantifier(
    make: &mut Builder<'_>,
    target: Option<Expr>,
    args: &[Expr],
    parts: fn(&mut Builder<'_>, Expr) -> Parts,
) -> Result<Option<Expr>, MacroError> {
    let [first, second, predicate] = args else { return Ok(None) };
    let names = variables(make, *first, *second)?;
    let parts = parts(make, *predicate);
    Ok(finish(make, target, names, parts))
}

fn all(make: &mut Builder<'_>, target: Option<Expr>, args: &[Expr]) -> Result<Option<Expr>, MacroError> {
    quantifier(make, target, args, all_parts)
}

fn exists(make: &mut Builder<'_>, target: Option<Expr>, args: &[Expr]) -> Result<Option<Expr>, MacroError> {
    quantifier(make, target, args, exists_parts)
}

fn exists_one(
    make: &mut Builder<'_>,
    target: Option<Expr>,
    args: &[Expr],
) -> Result<Option<Expr>, MacroError> {
    quantifier(make, target, args, exists_one_parts)
}

/// What a transformation makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Into {
    List,
    Map,
    Entries,
}

fn transform(
    make: &mut Builder<'_>,
    target: Option<Expr>,
    args: &[Expr],
    into: Into,
) -> Result<Option<Expr>, MacroError> {
    let (first, second, predicate, value) = match args {
        [first, second, value] => (*first, *second, None, *value),
        [first, second, predicate, value] => (*first, *second, Some(*predicate), *value),
        _ => return Ok(None),
    };
    let names = variables(make, first, second)?;
    let step = if into == Into::List {
        append(make, predicate, value)
    } else {
        let mut insert = vec![make.accumulator()];
        if into == Into::Map {
            insert.push(make.ident(names[0].clone()));
        }
        insert.push(value);
        let step = make.call(INSERT, insert);
        only_if(make, predicate, step)
    };
    let init = if into == Into::List { make.list(Vec::new()) } else { make.map(Vec::new()) };
    let condition = make.literal(Literal::Bool(true));
    let result = make.accumulator();
    Ok(finish(make, target, names, [init, condition, step, result]))
}

fn transform_list(
    make: &mut Builder<'_>,
    target: Option<Expr>,
    args: &[Expr],
) -> Result<Option<Expr>, MacroError> {
    transform(make, target, args, Into::List)
}

fn transform_map(
    make: &mut Builder<'_>,
    target: Option<Expr>,
    args: &[Expr],
) -> Result<Option<Expr>, MacroError> {
    transform(make, target, args, Into::Map)
}

fn transform_map_entry(
    make: &mut Builder<'_>,
    target: Option<Expr>,
    args: &[Expr],
) -> Result<Option<Expr>, MacroError> {
    transform(make, target, args, Into::Entries)
}
