//! `sortBy`.

use std::sync::Arc;

use super::{Macro, MacroError, bindings, standard};
use crate::ast::{Expr, Kind, Literal};
use crate::parse::Builder;

/// The macros; `sortBy` from version 2.
pub fn macros(version: u32) -> Vec<Macro> {
    if version < 2 {
        return Vec::new();
    }
    vec![Macro {
        function: "sortBy",
        library: "lists",
        receiver: true,
        arity: Some(2),
        expand: sort_by,
        summary: "Sorts a list by the value of an expression for each element.",
        signature: "list.sortBy(x, key)",
        example: "['bb', 'a'].sortBy(x, x.size()) == ['a', 'bb']",
    }]
}

fn sort_by(make: &mut Builder<'_>, target: Option<Expr>, args: &[Expr]) -> Result<Option<Expr>, MacroError> {
    let Some(target) = target else { return Ok(None) };
    let name: Arc<str> = "@__sortBy_input__".into();
    let input = make.ident(name.clone());
    let sortable = matches!(
        make.kind(target),
        Kind::List { .. } | Kind::Select { .. } | Kind::Ident(_) | Kind::Comprehension(_) | Kind::Call { .. }
    );
    if !sortable {
        return Err(make.error(
            target,
            "sortBy can only be applied to a list, identifier, comprehension, call or select expression",
        ));
    }
    let range = make.copy(input);
    let Some(keys) = standard::map(make, Some(range), args)? else { return Ok(None) };
    let list = make.copy(input);
    let sorted = make.member_call("@sortByAssociatedKeys", list, vec![keys]);
    let range = make.list(Vec::new());
    let condition = make.literal(Literal::Bool(false));
    Ok(Some(bindings::bound(make, name, [range, target, condition, input, sorted])))
}
