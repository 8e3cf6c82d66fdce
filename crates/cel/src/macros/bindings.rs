//! `cel.bind`.
//!
//! `cel.block` is no macro of the library: cel-go's optimizer makes calls of `cel.@block`, which no text can name.

use std::sync::Arc;

use super::{Macro, MacroError};
use crate::ast::{Comprehension, Expr, Literal};
use crate::parse::Builder;

/// The macros, the same in each version.
pub fn macros(_version: u32) -> Vec<Macro> {
    vec![Macro {
        function: "bind",
        library: "bindings",
        receiver: true,
        arity: Some(3),
        expand: bind,
        summary: "Names a value that the expression behind it may use more than once.",
        signature: "cel.bind(x, value, expression)",
        example: "cel.bind(x, 2, x * x) == 4",
    }]
}

/// The variable of a loop that never runs.
const UNUSED: &str = "#unused";

/// The loop that gives a value a name: it runs over nothing, and its accumulator is the variable. The parts are made
/// already: range, first value, condition, step and result.
pub(super) fn bound(make: &mut Builder<'_>, name: Arc<str>, parts: [Expr; 5]) -> Expr {
    let [range, init, condition, step, result] = parts;
    make.comprehension(Comprehension {
        range,
        variable: UNUSED.into(),
        variable2: None,
        accumulator: name,
        init,
        condition,
        step,
        result,
    })
}

fn bind(make: &mut Builder<'_>, target: Option<Expr>, args: &[Expr]) -> Result<Option<Expr>, MacroError> {
    let [arg, value, body] = args else { return Ok(None) };
    if !make.is_name(target, "cel") {
        return Ok(None);
    }
    let Some(name) = make.name(*arg) else {
        return Err(make.error(*arg, "cel.bind() variable names must be simple identifiers"));
    };
    let range = make.list(Vec::new());
    let condition = make.literal(Literal::Bool(false));
    let step = make.ident(name.clone());
    Ok(Some(bound(make, name, [range, *value, condition, step, *body])))
}
