//! Constant calls of `format`, looked at before the expression runs.
//!
//! Source: the validators of `ext/formatting.go` and `ext/formatting_v2.go` in cel-go. A call is looked at if the string
//! is a literal and the values are a list literal: whether the clauses can be read, whether there are as many values as
//! clauses, and whether the types of the values, as far as they are known, fit.

use convoy_text::Span;

use super::clause::{self, Verb};
use super::{Style, no_value, refused, unexpected_end, while_formatting};
use crate::ast::{Expr, Kind, Literal};
use crate::check::{Checked, Reference};
use crate::issue::Issue;
use crate::types::Type;
use crate::value::EvalError;

/// How many nodes are visited. Expansions may share nodes, so that there are more visits than nodes.
const MAX_VISITS: usize = 1_000_000;

/// What is wrong with constant calls of `format`, in the order in which cel-go finds it: that of calls that are
/// evaluated one after the other.
pub(super) fn issues(checked: &Checked, style: &Style, max_precision: Option<usize>) -> Vec<Issue> {
    let ast = &checked.ast;
    let mut issues = Vec::new();
    // What is still to be visited, and whether the nodes below have been.
    let mut pending: Vec<(Expr, bool)> = ast.root.map(|root| (root, false)).into_iter().collect();
    let mut visits = 0;
    while let Some((expr, below_done)) = pending.pop() {
        if !below_done {
            visits += 1;
            if visits > MAX_VISITS {
                break;
            }
            pending.push((expr, true));
            pending.extend(ast.children(expr).into_iter().rev().map(|child| (child, false)));
        } else if let Some(call) = ConstantCall::new(checked, expr)
            && let Err(wrong) = call.check(style, max_precision)
        {
            let id = ast.id(wrong.node);
            issues.push(Issue {
                id,
                place: ast.place(id),
                span: wrong.span,
                message: wrong.error.message().into(),
            });
        }
    }
    issues
}

/// What is wrong, with the node that cel-go names and the bytes to mark.
struct Wrong {
    node: Expr,
    span: Span,
    error: EvalError,
}

/// `"…".format([…])`.
struct ConstantCall<'a> {
    checked: &'a Checked,
    call: Expr,
    template: &'a str,
    template_span: Span,
    values: &'a [Expr],
}

impl<'a> ConstantCall<'a> {
    fn new(checked: &'a Checked, call: Expr) -> Option<ConstantCall<'a>> {
        let ast = &checked.ast;
        let Kind::Call { function, target: Some(target), args, .. } = ast.kind(call) else {
            return None;
        };
        if &**function != "format" {
            return None;
        }
        // A function of the same name may stand beside it.
        if let Some(Reference::Overloads(ids)) = checked.references.get(&ast.id(call))
            && !ids.is_empty()
            && !ids.iter().any(|id| &**id == "string_format")
        {
            return None;
        }
        let (Kind::Literal(Literal::String(template)), [list]) = (ast.kind(*target), args.as_slice()) else {
            return None;
        };
        let Kind::List { elements, .. } = ast.kind(*list) else {
            return None;
        };
        Some(ConstantCall { checked, call, template, template_span: ast.span(*target), values: elements })
    }

    fn check(&self, style: &Style, max_precision: Option<usize>) -> Result<(), Wrong> {
        let mut rest = self.template;
        let mut index = 0;
        while let Some((_, behind)) = rest.split_once('%') {
            if let Some(literal) = behind.strip_prefix('%') {
                rest = literal;
                continue;
            }
            if behind.is_empty() {
                return Err(self.template_wrong(unexpected_end()));
            }
            let value = *self.values.get(index).ok_or_else(|| self.template_wrong(no_value(index)))?;
            let (clause, after) =
                clause::read(behind, max_precision).map_err(|error| self.template_wrong(error))?;
            if let Err(node) = self.fits(style, clause.verb, value) {
                let error = while_formatting(refused(style.refusal(clause.verb), self.ty(node)));
                return Err(Wrong { node, span: self.checked.ast.span(node), error });
            }
            rest = after;
            index += 1;
        }
        let given = self.values.len();
        match (self.values.get(index), self.values.last()) {
            (Some(first), Some(last)) => {
                let error = EvalError::new(format!(
                    "too many arguments supplied to string.format (expected {index}, got {given})"
                ));
                let span = self.checked.ast.span(*first).cover(self.checked.ast.span(*last));
                Err(Wrong { node: self.call, span, error })
            }
            _ => Ok(()),
        }
    }

    fn template_wrong(&self, error: EvalError) -> Wrong {
        Wrong { node: self.call, span: self.template_span, error }
    }

    fn ty(&self, node: Expr) -> &Type {
        self.checked.ty(self.checked.ast.id(node)).unwrap_or(&Type::Dyn)
    }

    /// Whether a clause takes a value; the node that it does not take.
    fn fits(&self, style: &Style, verb: Verb, value: Expr) -> Result<(), Expr> {
        let admitted = match verb {
            Verb::String => return self.fits_string(value),
            Verb::Decimal => style.decimals,
            Verb::Fixed | Verb::Scientific => style.doubles,
            Verb::Binary => &[Type::Int, Type::Uint, Type::Bool],
            Verb::Octal => &[Type::Int, Type::Uint],
            Verb::Hex { .. } => &[Type::Int, Type::Uint, Type::String, Type::Bytes],
        };
        let ty = unwrapped(self.ty(value));
        if *ty == Type::Dyn || admitted.contains(ty) { Ok(()) } else { Err(value) }
    }

    /// Whether `%s` takes a value, and if it is a list or map literal what is in it.
    fn fits_string(&self, value: Expr) -> Result<(), Expr> {
        let mut pending = vec![value];
        while let Some(node) = pending.pop() {
            let ty = unwrapped(self.ty(node));
            if matches!(ty, Type::Any | Type::Error | Type::Param(_) | Type::Opaque(..) | Type::Struct(_)) {
                return Err(node);
            }
            if let Kind::List { .. } | Kind::Map(_) = self.checked.ast.kind(node) {
                pending.extend(self.checked.ast.children(node).into_iter().rev());
            }
        }
        Ok(())
    }
}

/// The type in a wrapper, which cel-go counts as of the same kind.
fn unwrapped(ty: &Type) -> &Type {
    match ty {
        Type::Wrapper(of) => of,
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use crate::check::check;
    use crate::env::{Env, Library};
    use crate::issue::line_column;
    use crate::parse::parse;

    /// The columns and messages of the issues of an expression, with the strings marked.
    fn issues(version: u32, text: &str) -> Vec<String> {
        let mut env = Env::standard();
        env.add(Library::Optional, u32::MAX).unwrap();
        env.add(Library::Strings, version).unwrap();
        let parsed = parse(text, &env);
        assert!(parsed.issues.is_empty());
        let issues = check(parsed.ast, &env).issues;
        let shown = issues.iter().map(|issue| {
            let column = line_column(text, issue.place.unwrap()).1;
            format!("{column}: {} <{}>", issue.message, issue.span.text(text))
        });
        shown.collect()
    }

    // Columns and messages are those of cel-go v0.29.2.
    #[test]
    fn types_that_do_not_fit() {
        assert_eq!(
            issues(3, "'%d'.format([1.5])"),
            [
                "14: error during formatting: decimal clause can only be used on integers, was given double <1.5>"
            ]
        );
        assert!(issues(4, "'%d'.format([1.5])").is_empty());
        assert!(issues(3, "'%f'.format(['NaN'])").is_empty());
        assert_eq!(
            issues(5, "'%f'.format(['NaN'])"),
            [
                "14: error during formatting: fixed-point clause can only be used on ints, uints, and doubles, was given string <'NaN'>"
            ]
        );
        assert!(issues(5, "'%x'.format([dyn(1.5)])").is_empty());
        let nested = issues(5, "'%s'.format([[1, {'a': [optional.none()]}]])");
        assert_eq!(nested.len(), 1);
        assert!(
            nested[0].starts_with("38: error during formatting: string clause can only be used on strings")
        );
        assert!(nested[0].ends_with("durations, and timestamps, was given optional_type <optional.none()>"));
    }

    #[test]
    fn clauses_and_values_that_do_not_match() {
        assert_eq!(
            issues(5, "'a'.format([1, 2])"),
            ["11: too many arguments supplied to string.format (expected 0, got 2) <1, 2>"]
        );
        assert_eq!(issues(5, "'%s %'.format([1])"), ["14: unexpected end of string <'%s %'>"]);
        assert_eq!(
            issues(5, "'%é'.format([1])"),
            ["12: could not parse formatting clause: unrecognized formatting clause \"Ã\" <'%é'>"]
        );
        assert!(issues(4, "'%.101f'.format([1.0])").is_empty());
        assert_eq!(
            issues(5, "'%.101f'.format([1.0])"),
            [
                "16: could not parse formatting clause: error while parsing precision: precision 101 exceeds maximum allowed precision 100 <'%.101f'>"
            ]
        );
    }

    #[test]
    fn every_call_is_looked_at() {
        assert_eq!(
            issues(3, "['%d'.format([true]), '%s'.format([])].map(x, '%b'.format([x]))"),
            [
                "15: error during formatting: decimal clause can only be used on integers, was given bool <true>",
                "34: index 0 out of range <'%s'>",
                "60: error during formatting: only integers and bools can be formatted as binary, was given string <x>",
            ]
        );
    }
}
