//! Faults of what a CEL expression gives.

use std::sync::Arc;

use convoy_cel::ast::{Ast, Expr, Kind as Node, Literal};
use convoy_kube::check::Key;
use convoy_text::Span;
use convoy_value::{Map, Value};

use super::overlay::{Fault, at, fault, is_key};
use super::{Expression, Kind};
use crate::preview::Evaluated;

/// The faults of an overlay, at the place in the expression that writes them.
pub(super) fn faults(evaluated: &Evaluated, kind: &Kind<'_>) -> Vec<Fault> {
    let problems = kind.check(&evaluated.overlay, &[], false);
    problems
        .into_iter()
        .filter_map(|problem| {
            let (span, whole) = find(&evaluated.expression, &problem.path, is_key(&problem));
            let written = at(&evaluated.overlay, &problem.path);
            let mut fault = fault(kind, problem, &[], written, None, span)?;
            // What stands there makes more than the value.
            fault.mend = fault.mend.filter(|_| whole);
            Some(fault)
        })
        .collect()
}

/// The bytes of the expression that write a path of the overlay: the key, or the value; as far as it is written out.
pub(in crate::rule) fn span_at(expression: &Expression, path: &[Key], of_key: bool) -> Span {
    find(expression, path, of_key).0
}

/// The same, and whether it is written out to its end.
fn find(expression: &Expression, path: &[Key], of_key: bool) -> (Span, bool) {
    let ast = &expression.compiled.checked.ast;
    let Some(mut node) = ast.root else { return (Span::new(0, expression.text().len()), false) };
    for (i, step) in path.iter().enumerate() {
        let next = match (step, ast.kind(node)) {
            (Key::Name(name), Node::Map(entries)) => entries
                .iter()
                .find(|entry| text_of(ast, entry.key).is_some_and(|key| key == &**name))
                .map(|entry| (Some(entry.key), entry.value)),
            (Key::Index(index), Node::List { elements, optional }) if optional.is_empty() => {
                elements.get(*index).map(|element| (None, *element))
            }
            _ => None,
        };
        match next {
            Some((Some(key), _)) if of_key && i + 1 == path.len() => return (ast.span(key), true),
            Some((_, value)) => node = value,
            None => return (ast.span(node), false),
        }
    }
    (ast.span(node), true)
}

fn text_of(ast: &Ast, node: Expr) -> Option<&str> {
    match ast.kind(node) {
        Node::Literal(Literal::String(text)) => Some(text),
        _ => None,
    }
}

/// What is known of an overlay without any object: what the expression writes out. All else is null, which fits
/// everywhere.
pub(super) fn known(expression: &Expression) -> Option<Value> {
    if !expression.compiled.issues.is_empty() {
        return None;
    }
    let ast = &expression.compiled.checked.ast;
    match written(ast, ast.root?) {
        value @ Value::Map(_) => Some(value),
        _ => None,
    }
}

/// The parser limits how deep expressions nest.
fn written(ast: &Ast, node: Expr) -> Value {
    match ast.kind(node) {
        Node::Literal(Literal::Bool(value)) => Value::Bool(*value),
        Node::Literal(Literal::Int(value)) => Value::Int(*value),
        Node::Literal(Literal::Double(value)) => Value::Float(*value),
        Node::Literal(Literal::String(text)) => Value::String(Arc::clone(text)),
        Node::Map(entries) => {
            let mut map = Map::new();
            for entry in entries {
                let Some(key) = text_of(ast, entry.key) else { continue };
                let value = if entry.optional { Value::Null } else { written(ast, entry.value) };
                map.insert(key.into(), value);
            }
            Value::Map(Arc::new(map))
        }
        Node::List { elements, optional } => {
            let items = elements.iter().enumerate().map(|(i, element)| {
                let optional = optional.iter().any(|at| *at as usize == i);
                if optional { Value::Null } else { written(ast, *element) }
            });
            Value::List(Arc::new(items.collect()))
        }
        _ => Value::Null,
    }
}
