//! `optMap`, `optFlatMap`.

use super::{Macro, MacroError, bindings};
use crate::ast::{Expr, Literal};
use crate::operator;
use crate::parse::Builder;

/// The macros; `optFlatMap` from version 1.
pub fn macros(version: u32) -> Vec<Macro> {
    let mut macros = vec![Macro {
        function: "optMap",
        library: "optional",
        receiver: true,
        arity: Some(2),
        expand: opt_map,
        summary: "Works on the value of an optional if there is one; the outcome is an optional again.",
        signature: "optional.optMap(x, expression)",
        example: "optional.of(2).optMap(x, x * 2) == optional.of(4)",
    }];
    if version >= 1 {
        macros.push(Macro {
            function: "optFlatMap",
            library: "optional",
            receiver: true,
            arity: Some(2),
            expand: opt_flat_map,
            summary: "Works on the value of an optional if there is one, with an expression that is an optional \
                      itself.",
            signature: "optional.optFlatMap(x, expression)",
            example: "optional.of({'a': 1}).optFlatMap(m, m[?'a']) == optional.of(1)",
        });
    }
    macros
}

fn opt_map(make: &mut Builder<'_>, target: Option<Expr>, args: &[Expr]) -> Result<Option<Expr>, MacroError> {
    expand(make, target, args, "optMap() variable name must be a simple identifier", Some("optional.of"))
}

fn opt_flat_map(
    make: &mut Builder<'_>,
    target: Option<Expr>,
    args: &[Expr],
) -> Result<Option<Expr>, MacroError> {
    expand(make, target, args, "optFlatMap() variable name must be a simple identifier", None)
}

fn expand(
    make: &mut Builder<'_>,
    target: Option<Expr>,
    args: &[Expr],
    not_a_name: &'static str,
    wrap: Option<&'static str>,
) -> Result<Option<Expr>, MacroError> {
    let (Some(target), [arg, body]) = (target, args) else { return Ok(None) };
    let name = make.name(*arg).ok_or_else(|| make.error(*arg, not_a_name))?;
    let test = make.member_call("hasValue", target, Vec::new());
    let range = make.list(Vec::new());
    let copy = make.copy(target);
    let init = make.member_call("value", copy, Vec::new());
    let condition = make.literal(Literal::Bool(false));
    let result = make.ident(name.clone());
    let mut value = bindings::bound(make, name, [range, init, condition, result, *body]);
    if let Some(wrap) = wrap {
        value = make.call(wrap, vec![value]);
    }
    let none = make.call("optional.none", Vec::new());
    Ok(Some(make.call(operator::CONDITIONAL, vec![test, value, none])))
}
