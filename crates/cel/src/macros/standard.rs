//! `has`, `all`, `exists`, `exists_one`, `map`, `filter`.

use std::sync::Arc;

use super::{Macro, MacroError};
use crate::ast::{Comprehension, Expr, Kind, Literal};
use crate::operator;
use crate::parse::{ACCUMULATOR, Builder};

/// The macros.
pub fn macros() -> Vec<Macro> {
    let on_list = |function, arity, expand, summary, signature, example| Macro {
        function,
        library: "standard",
        receiver: true,
        arity: Some(arity),
        expand,
        summary,
        signature,
        example,
    };
    vec![
        Macro {
            function: "has",
            library: "standard",
            receiver: false,
            arity: Some(1),
            expand: has,
            summary: "Tells whether a field is set, or whether a map has a key.",
            signature: "has(object.field)",
            example: "has({'a': 1}.a) == true",
        },
        on_list(
            "all",
            2,
            all,
            "Tells whether the predicate holds for every element of a list or every key of a map.",
            "list.all(x, predicate)",
            "[1, 2, 3].all(x, x > 0) == true",
        ),
        on_list(
            "exists",
            2,
            exists,
            "Tells whether the predicate holds for at least one element of a list or key of a map.",
            "list.exists(x, predicate)",
            "[1, 2, 3].exists(x, x > 2) == true",
        ),
        on_list(
            "exists_one",
            2,
            exists_one,
            "Tells whether the predicate holds for exactly one element of a list or key of a map.",
            "list.exists_one(x, predicate)",
            "[1, 2, 2].exists_one(x, x == 1) == true",
        ),
        on_list(
            "map",
            2,
            map,
            "Makes a list with the value of an expression for each element of a list or key of a map.",
            "list.map(x, expression)",
            "[1, 2, 3].map(x, x * 2) == [2, 4, 6]",
        ),
        on_list(
            "map",
            3,
            map,
            "Makes a list with the value of an expression for each element for which the predicate holds.",
            "list.map(x, predicate, expression)",
            "[1, 2, 3].map(x, x > 1, x * 2) == [4, 6]",
        ),
        on_list(
            "filter",
            2,
            filter,
            "Makes a list of the elements for which the predicate holds.",
            "list.filter(x, predicate)",
            "[1, 2, 3].filter(x, x > 1) == [2, 3]",
        ),
    ]
}

/// A loop of one variable over a list or map.
#[derive(Clone, Copy, Debug)]
struct Loop {
    init: Expr,
    condition: Expr,
    step: Expr,
    result: Expr,
}

fn finish(make: &mut Builder<'_>, range: Option<Expr>, variable: Arc<str>, parts: Loop) -> Option<Expr> {
    let Loop { init, condition, step, result } = parts;
    Some(make.comprehension(Comprehension {
        range: range?,
        variable,
        variable2: None,
        accumulator: ACCUMULATOR.into(),
        init,
        condition,
        step,
        result,
    }))
}

fn has(make: &mut Builder<'_>, _: Option<Expr>, args: &[Expr]) -> Result<Option<Expr>, MacroError> {
    let [arg] = args else { return Ok(None) };
    // The argument may be a test already, as in `has(has(a.b))`; cel-go makes a test of it again.
    let Kind::Select { operand, field, field_span, .. } = make.kind(*arg) else {
        return Err(make.error(*arg, "invalid argument to has() macro"));
    };
    let (operand, field, field_span) = (*operand, field.clone(), *field_span);
    Ok(Some(make.presence(operand, field, field_span)))
}

/// The name of the variable of a loop, which must not be that of an accumulator.
pub(super) fn variable(
    make: &Builder<'_>,
    arg: Expr,
    not_a_name: &'static str,
) -> Result<Arc<str>, MacroError> {
    let name = make.name(arg).ok_or_else(|| make.error(arg, not_a_name))?;
    if is_accumulator(&name) {
        return Err(make.error(arg, OVERWRITES));
    }
    Ok(name)
}

/// What is wrong with a variable of the name of an accumulator.
pub(super) const OVERWRITES: &str = "iteration variable overwrites accumulator variable";
/// What is wrong with a variable that is no name.
pub(super) const NOT_A_NAME: &str = "argument must be a simple name";

/// Whether a name is that of an accumulator, now or in older versions of cel-go.
pub(super) fn is_accumulator(name: &str) -> bool {
    name == ACCUMULATOR || name == "__result__"
}

fn all(make: &mut Builder<'_>, target: Option<Expr>, args: &[Expr]) -> Result<Option<Expr>, MacroError> {
    let [arg, predicate] = args else { return Ok(None) };
    let name = variable(make, *arg, NOT_A_NAME)?;
    let parts = all_parts(make, *predicate);
    Ok(finish(make, target, name, parts.into()))
}

fn exists(make: &mut Builder<'_>, target: Option<Expr>, args: &[Expr]) -> Result<Option<Expr>, MacroError> {
    let [arg, predicate] = args else { return Ok(None) };
    let name = variable(make, *arg, NOT_A_NAME)?;
    let parts = exists_parts(make, *predicate);
    Ok(finish(make, target, name, parts.into()))
}

fn exists_one(
    make: &mut Builder<'_>,
    target: Option<Expr>,
    args: &[Expr],
) -> Result<Option<Expr>, MacroError> {
    let [arg, predicate] = args else { return Ok(None) };
    let name = variable(make, *arg, NOT_A_NAME)?;
    let parts = exists_one_parts(make, *predicate);
    Ok(finish(make, target, name, parts.into()))
}

/// First value, condition, step and result of a loop.
pub(super) type Parts = [Expr; 4];

impl From<Parts> for Loop {
    fn from([init, condition, step, result]: Parts) -> Loop {
        Loop { init, condition, step, result }
    }
}

/// The loop that ends at the first element for which the predicate does not hold.
pub(super) fn all_parts(make: &mut Builder<'_>, predicate: Expr) -> Parts {
    let init = make.literal(Literal::Bool(true));
    let so_far = make.accumulator();
    let condition = make.call(operator::NOT_STRICTLY_FALSE, vec![so_far]);
    let so_far = make.accumulator();
    let step = make.call(operator::AND, vec![so_far, predicate]);
    let result = make.accumulator();
    [init, condition, step, result]
}

/// The loop that ends at the first element for which the predicate holds.
pub(super) fn exists_parts(make: &mut Builder<'_>, predicate: Expr) -> Parts {
    let init = make.literal(Literal::Bool(false));
    let so_far = make.accumulator();
    let not = make.call(operator::NOT, vec![so_far]);
    let condition = make.call(operator::NOT_STRICTLY_FALSE, vec![not]);
    let so_far = make.accumulator();
    let step = make.call(operator::OR, vec![so_far, predicate]);
    let result = make.accumulator();
    [init, condition, step, result]
}

/// The loop that counts the elements for which the predicate holds.
pub(super) fn exists_one_parts(make: &mut Builder<'_>, predicate: Expr) -> Parts {
    let init = make.literal(Literal::Int(0));
    let condition = make.literal(Literal::Bool(true));
    let count = make.accumulator();
    let one = make.literal(Literal::Int(1));
    let more = make.call(operator::ADD, vec![count, one]);
    let count = make.accumulator();
    let step = make.call(operator::CONDITIONAL, vec![predicate, more, count]);
    let count = make.accumulator();
    let one = make.literal(Literal::Int(1));
    let result = make.call(operator::EQUALS, vec![count, one]);
    [init, condition, step, result]
}

const NOT_AN_IDENTIFIER: &str = "argument is not an identifier";

/// The macro `map`, also for others that loop in the same way.
pub(super) fn map(
    make: &mut Builder<'_>,
    target: Option<Expr>,
    args: &[Expr],
) -> Result<Option<Expr>, MacroError> {
    let (arg, predicate, transform) = match args {
        [arg, transform] => (*arg, None, *transform),
        [arg, predicate, transform] => (*arg, Some(*predicate), *transform),
        _ => return Ok(None),
    };
    let name = variable(make, arg, NOT_AN_IDENTIFIER)?;
    let parts = gather(make, predicate, transform);
    Ok(finish(make, target, name, parts))
}

fn filter(make: &mut Builder<'_>, target: Option<Expr>, args: &[Expr]) -> Result<Option<Expr>, MacroError> {
    let [arg, predicate] = args else { return Ok(None) };
    let name = variable(make, *arg, NOT_AN_IDENTIFIER)?;
    let parts = gather(make, Some(*predicate), *arg);
    Ok(finish(make, target, name, parts))
}

/// The loop that adds a value to a list for each element for which a predicate holds.
fn gather(make: &mut Builder<'_>, predicate: Option<Expr>, value: Expr) -> Loop {
    let init = make.list(Vec::new());
    let condition = make.literal(Literal::Bool(true));
    let step = append(make, predicate, value);
    let result = make.accumulator();
    Loop { init, condition, step, result }
}

/// The step that adds a value to a list if a predicate holds.
pub(super) fn append(make: &mut Builder<'_>, predicate: Option<Expr>, value: Expr) -> Expr {
    let so_far = make.accumulator();
    let one = make.list(vec![value]);
    let step = make.call(operator::ADD, vec![so_far, one]);
    only_if(make, predicate, step)
}

/// The step if a predicate holds, else the accumulator as it is.
pub(super) fn only_if(make: &mut Builder<'_>, predicate: Option<Expr>, step: Expr) -> Expr {
    let Some(predicate) = predicate else { return step };
    let so_far = make.accumulator();
    make.call(operator::CONDITIONAL, vec![predicate, step, so_far])
}
