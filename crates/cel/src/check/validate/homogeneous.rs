//! Literals whose elements differ in type, for environments that want them to be alike.

use super::{Checked, Found, report};
use crate::ast::{Expr, Kind};
use crate::types::Type;

/// Compares the elements of lists, and the keys and values of maps, with the first one.
pub(super) fn validate(checked: &mut Checked, found: &[Found]) {
    let mut wrong: Vec<(Expr, Type, Type)> = Vec::new();
    for literal in found.iter().filter(|found| !found.exempt) {
        if let Kind::List { elements, optional } = checked.ast.kind(literal.expr) {
            let types = elements.iter().enumerate().map(|(index, element)| {
                let optional = optional.binary_search(&(index as u32)).is_ok();
                (*element, element_type(checked, *element, optional))
            });
            // One element of a list is reported.
            wrong.extend(different(types).into_iter().take(1));
        }
    }
    for literal in found.iter().filter(|found| !found.exempt) {
        if let Kind::Map(entries) = checked.ast.kind(literal.expr) {
            let keys = entries.iter().map(|entry| (entry.key, element_type(checked, entry.key, false)));
            wrong.extend(different(keys));
            let values =
                entries.iter().map(|entry| (entry.value, element_type(checked, entry.value, entry.optional)));
            wrong.extend(different(values));
        }
    }
    for (at, expected, actual) in wrong {
        let message = format!("expected type '{expected}' but found '{actual}'");
        report(checked, at, checked.ast.id(at), message);
    }
}

/// Those that have another type than the first one, with that type and their own.
fn different(types: impl Iterator<Item = (Expr, Type)>) -> Vec<(Expr, Type, Type)> {
    let mut first: Option<Type> = None;
    let mut wrong = Vec::new();
    for (expr, ty) in types {
        match &first {
            None => first = Some(ty),
            Some(first) if !first.is_equivalent(&ty) => wrong.push((expr, first.clone(), ty)),
            Some(_) => {}
        }
    }
    wrong
}

/// The type that an element brings: that inside if it is an optional one.
fn element_type(checked: &Checked, expr: Expr, optional: bool) -> Type {
    let ty = checked.ty(checked.ast.id(expr)).cloned().unwrap_or(Type::Dyn);
    if optional { ty.as_optional().cloned().unwrap_or(Type::Dyn) } else { ty }
}
