//! What libraries find wrong in an expression whose types are right (cel-go's validators): literal formats of `format`
//! with literal arguments, literal addresses, literals with elements of several types.

mod address;
mod homogeneous;

use super::Checked;
use crate::ast::{Expr, Id, Kind};
use crate::env::{Env, Library};
use crate::issue::Issue;

/// A node that is looked at.
#[derive(Clone, Copy, Debug)]
struct Found {
    expr: Expr,
    /// Whether it is inside of a call whose arguments may differ in type.
    exempt: bool,
}

/// Adds the issues of the libraries and options of the environment.
pub(super) fn validate(checked: &mut Checked, env: &Env) {
    let validators = env.functions.values().filter_map(|function| function.validator);
    let issues: Vec<Issue> = validators.flat_map(|validator| validator(checked)).collect();
    checked.issues.extend(issues);

    let found = find(checked, env);
    if found.is_empty() {
        return;
    }
    if env.has_library(Library::Network) {
        address::validate(checked, env, &found, "ip", "string_to_ip");
        address::validate(checked, env, &found, "cidr", "string_to_cidr");
    }
    if env.options.homogeneous_literals {
        homogeneous::validate(checked, &found);
    }
}

/// The nodes that may be of interest, parts before the whole.
fn find(checked: &Checked, env: &Env) -> Vec<Found> {
    let literals = env.options.homogeneous_literals;
    let of_interest = |kind: &Kind| match kind {
        Kind::Call { function, .. } => matches!(&**function, "ip" | "cidr"),
        Kind::List { .. } | Kind::Map(_) => literals,
        _ => false,
    };
    let mut found = Vec::new();
    if !checked.ast.nodes.iter().any(|node| of_interest(&node.kind)) {
        return found;
    }
    let has = |library, version| env.libraries.iter().any(|added| added.0 == library && added.1 >= version);
    let exempts = |kind: &Kind| match kind {
        Kind::Call { function, .. } => match &**function {
            "format" => has(Library::Strings, 1),
            "cel.@block" => has(Library::Bindings, 1),
            _ => false,
        },
        _ => false,
    };
    // Nodes nest as deeply as the parser allows, so that this is no recursion.
    let mut open: Vec<(Expr, bool, bool)> =
        checked.ast.root.into_iter().map(|root| (root, false, false)).collect();
    while let Some((expr, exempt, visited)) = open.pop() {
        let kind = checked.ast.kind(expr);
        if visited {
            if of_interest(kind) {
                found.push(Found { expr, exempt });
            }
            continue;
        }
        open.push((expr, exempt, true));
        let exempt = exempt || exempts(kind);
        open.extend(checked.ast.children(expr).into_iter().rev().map(|child| (child, exempt, false)));
    }
    found
}

/// Adds an issue at the node with a number.
fn report(checked: &mut Checked, expr: Expr, id: Id, message: String) {
    let place = checked.ast.place(id);
    let span = checked.ast.span(expr);
    checked.issues.push(Issue { id, place, span, message: message.into() });
}
