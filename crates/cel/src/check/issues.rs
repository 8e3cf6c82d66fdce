//! The texts of the checker's errors. They are cel-go's.

use std::fmt::Write as _;

use convoy_text::Span;

use super::arena::{MAX_TYPE_SIZE, Ty};
use super::walk::Checker;
use crate::ast::{Expr, Id, Kind};
use crate::issue::{Issue, MAX_REPORTED};

/// How many characters of a message are kept that cel-go would not print any more. A text of a type may be long.
const LONGEST_UNREPORTED: usize = 1_000;

impl Checker<'_> {
    pub(super) fn issue(&mut self, id: Id, span: Span, mut message: String) {
        if self.issues.len() >= MAX_REPORTED
            && let Some((end, _)) = message.char_indices().nth(LONGEST_UNREPORTED)
        {
            message.truncate(end);
            message.push('…');
        }
        let place = self.ast.place(id);
        self.issues.push(Issue { id, place, span, message: message.into() });
    }

    fn issue_at(&mut self, expr: Expr, message: String) {
        self.issue(self.ast.id(expr), self.ast.span(expr), message);
    }

    /// The bytes of what is called, or of the name of a message, or else of the node.
    pub(super) fn name_span(&self, expr: Expr) -> Span {
        match self.ast.kind(expr) {
            Kind::Call { name_span, .. } | Kind::Struct { name_span, .. } => *name_span,
            Kind::Select { field_span, .. } => *field_span,
            _ => self.ast.span(expr),
        }
    }

    pub(super) fn undeclared(&mut self, expr: Expr, name: &str) {
        let message = format!("undeclared reference to '{name}' (in container '{}')", self.env.container);
        self.issue(self.ast.id(expr), self.name_span(expr), message);
    }

    pub(super) fn mismatch(&mut self, expr: Expr, expected: Ty, actual: Ty) {
        let message = format!("expected type '{}' but found '{}'", self.show(expected), self.show(actual));
        self.issue_at(expr, message);
    }

    /// An element or value after a question mark that is not optional.
    pub(super) fn not_optional(&mut self, expr: Expr, actual: Ty) {
        let message = format!("expected type 'optional_type({0})' but found '{0}'", self.show(actual));
        self.issue_at(expr, message);
    }

    pub(super) fn no_overload(&mut self, call: Expr, name: &str, args: &[Ty], member: bool) {
        let mut message = format!("found no matching overload for '{name}' applied to '");
        let mut args = args;
        if member && let Some((target, rest)) = args.split_first() {
            self.unifier.arena.show(*target, &mut message);
            message.push('.');
            args = rest;
        }
        message.push('(');
        for (index, arg) in args.iter().enumerate() {
            if index > 0 {
                message.push_str(", ");
            }
            self.unifier.arena.show(*arg, &mut message);
        }
        message.push_str(")'");
        self.issue(self.ast.id(call), self.name_span(call), message);
    }

    pub(super) fn no_field_selection(&mut self, expr: Expr, span: Span, ty: Ty) {
        let message = format!("type '{}' does not support field selection", self.show(ty));
        self.issue(self.ast.id(expr), span, message);
    }

    pub(super) fn not_a_range(&mut self, range: Expr, ty: Ty) {
        let message = format!(
            "expression of type '{}' cannot be range of a comprehension (must be list, map, or dynamic)",
            self.show(ty)
        );
        self.issue_at(range, message);
    }

    pub(super) fn not_a_message(&mut self, expr: Expr, ty: Ty) {
        let mut name = self.unifier.arena.runtime_name(ty).to_owned();
        if self.unifier.arena.is_wrapper(ty) {
            name = format!("wrapper({name})");
        }
        self.issue(self.ast.id(expr), self.name_span(expr), format!("'{name}' is not a message type"));
    }

    pub(super) fn undefined_field(&mut self, id: Id, span: Span, field: &str) {
        self.issue(id, span, format!("undefined field '{field}'"));
    }

    pub(super) fn failed_resolution(&mut self, id: Id, span: Span, name: &str) {
        self.issue(id, span, format!("unexpected failed resolution of '{name}'"));
    }

    pub(super) fn field_mismatch(&mut self, id: Id, span: Span, field: &str, expected: Ty, actual: Ty) {
        let message = format!(
            "expected type of field '{field}' is '{}' but provided type is '{}'",
            self.show(expected),
            self.show(actual)
        );
        self.issue(id, span, message);
    }

    pub(super) fn incompatible_type(&mut self, expr: Expr, old: Ty, new: Ty) {
        // cel-go shows the node with the addresses of its parts in memory, which have no meaning to a reader.
        let mut message = String::new();
        let _ = write!(
            message,
            "incompatible type already exists for expression: ({}) old:{}, new:{}",
            self.ast.id(expr),
            self.show(old),
            self.show(new)
        );
        self.issue_at(expr, message);
    }

    pub(super) fn redefined_reference(&mut self, expr: Expr) {
        let message = format!("reference already exists for expression: ({})", self.ast.id(expr));
        self.issue_at(expr, message);
    }

    pub(super) fn bad_optional_selection(&mut self, expr: Expr, why: &str) {
        self.issue_at(expr, format!("unsupported optional field selection: {why}"));
    }

    /// The limits of the check itself, which cel-go does not have.
    pub(super) fn too_large(&mut self, expr: Expr) {
        self.issue_at(
            expr,
            format!("the types of the expression are too large to be checked (limit: {MAX_TYPE_SIZE} parts of a type)"),
        );
    }

    fn show(&self, ty: Ty) -> String {
        let mut text = String::new();
        self.unifier.arena.show(ty, &mut text);
        text
    }
}
