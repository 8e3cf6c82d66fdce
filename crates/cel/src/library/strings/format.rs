//! The function `format`: clauses such as `%s` and `%.2f` in a string, filled from a list.
//!
//! Source: `ext/formatting.go` and `ext/formatting_v2.go` of cel-go. Up to version 3 of the library, numbers are
//! written for the locale `en_US` and values nearly as they stand in CEL ([`locale`]); from version 4 on as in the
//! language's specification ([`specified`](mod@specified)). The clauses are read alike ([`clause`]). Where string and
//! list are constants, they are looked at before the expression runs ([`check`]).

mod check;
mod clause;
mod locale;
mod number;
mod specified;
mod writer;

use self::clause::{Clause, Verb};
use self::writer::Writer;
use crate::check::Checked;
use crate::function::Context;
use crate::issue::Issue;
use crate::library::arguments::{list, string};
use crate::types::Type;
use crate::value::{ErrorKind, EvalError, List, Outcome, Val};

/// The digits after the point where a clause names no number.
const DEFAULT_PRECISION: usize = 6;
/// The highest precision from version 5 on.
const MAX_PRECISION: usize = 100;

/// Writes a value, or says what values the clause takes.
type Write = fn(&mut Writer<'_>, &Val, &str) -> Result<(), EvalError>;
/// The same with the precision that the clause names.
type WriteDigits = fn(&mut Writer<'_>, &Val, Option<usize>, &str) -> Result<(), EvalError>;

/// The differences between the versions of `format`.
struct Style {
    string: Write,
    decimal: Write,
    fixed: WriteDigits,
    scientific: WriteDigits,
    /// The types that the checker lets pass for `%d`.
    decimals: &'static [Type],
    /// The types that the checker lets pass for `%f` and `%e`.
    doubles: &'static [Type],
    /// What the clauses say of values that they do not take, up to the type.
    refusals: Refusals,
}

struct Refusals {
    decimal: &'static str,
    fixed: &'static str,
    scientific: &'static str,
    binary: &'static str,
    octal: &'static str,
    hex: &'static str,
}

impl Style {
    fn refusal(&self, verb: Verb) -> &'static str {
        match verb {
            Verb::String => {
                "string clause can only be used on strings, bools, bytes, ints, doubles, maps, \
                    lists, types, durations, and timestamps"
            }
            Verb::Decimal => self.refusals.decimal,
            Verb::Fixed => self.refusals.fixed,
            Verb::Scientific => self.refusals.scientific,
            Verb::Binary => self.refusals.binary,
            Verb::Octal => self.refusals.octal,
            Verb::Hex { .. } => self.refusals.hex,
        }
    }
}

/// `format` up to version 3.
pub(super) fn with_locale(context: &Context<'_>, args: &[Val]) -> Outcome {
    format(context, &locale::STYLE, None, string(args, 0)?, list(args, 1)?)
}

/// `format` of version 4.
pub(super) fn specified_without_limit(context: &Context<'_>, args: &[Val]) -> Outcome {
    format(context, &specified::STYLE, None, string(args, 0)?, list(args, 1)?)
}

/// `format` from version 5 on.
pub(super) fn specified(context: &Context<'_>, args: &[Val]) -> Outcome {
    format(context, &specified::STYLE, Some(MAX_PRECISION), string(args, 0)?, list(args, 1)?)
}

/// What is wrong with the constant calls of `format` up to version 3.
pub(super) fn check_with_locale(checked: &Checked) -> Vec<Issue> {
    check::issues(checked, &locale::STYLE, None)
}

/// What is wrong with the constant calls of `format` of version 4.
pub(super) fn check_specified_without_limit(checked: &Checked) -> Vec<Issue> {
    check::issues(checked, &specified::STYLE, None)
}

/// What is wrong with the constant calls of `format` from version 5 on.
pub(super) fn check_specified(checked: &Checked) -> Vec<Issue> {
    check::issues(checked, &specified::STYLE, Some(MAX_PRECISION))
}

fn format(
    context: &Context<'_>,
    style: &Style,
    max_precision: Option<usize>,
    template: &str,
    values: &List,
) -> Outcome {
    let mut out = Writer::new(context);
    let mut rest = template;
    let mut index = 0;
    while let Some((before, behind)) = rest.split_once('%') {
        out.push(before)?;
        if let Some(literal) = behind.strip_prefix('%') {
            out.push("%")?;
            rest = literal;
            continue;
        }
        // cel-go looks for the value before it looks at the clause.
        let value = values.get(index).ok_or_else(|| no_value(index))?;
        if behind.is_empty() {
            return Err(unexpected_end());
        }
        let (clause, after) = clause::read(behind, max_precision)?;
        write(&mut out, style, clause, &value).map_err(while_formatting)?;
        rest = after;
        index += 1;
    }
    out.push(rest)?;
    Ok(Val::string(out.into_text()))
}

fn no_value(index: usize) -> EvalError {
    EvalError::new(format!("index {index} out of range"))
}

fn unexpected_end() -> EvalError {
    EvalError::new("unexpected end of string")
}

fn while_formatting(error: EvalError) -> EvalError {
    match error.0.kind {
        ErrorKind::Value | ErrorKind::Missing => {
            EvalError::new(format!("error during formatting: {}", error.message()))
        }
        ErrorKind::Internal | ErrorKind::Limit | ErrorKind::Cancelled => error,
    }
}

fn write(out: &mut Writer<'_>, style: &Style, clause: Clause, value: &Val) -> Result<(), EvalError> {
    let refusal = style.refusal(clause.verb);
    match clause.verb {
        Verb::String => (style.string)(out, value, refusal),
        Verb::Decimal => (style.decimal)(out, value, refusal),
        Verb::Fixed => (style.fixed)(out, value, clause.precision, refusal),
        Verb::Scientific => (style.scientific)(out, value, clause.precision, refusal),
        Verb::Binary => binary(out, value, refusal),
        Verb::Octal => octal(out, value, refusal),
        Verb::Hex { upper } => hex(out, value, upper, refusal),
    }
}

/// What a clause says of a value that it does not take.
fn refused(refusal: &str, ty: &Type) -> EvalError {
    EvalError::new(format!("{refusal}, was given {}", ty.name()))
}

fn binary(out: &mut Writer<'_>, value: &Val, refusal: &str) -> Result<(), EvalError> {
    match value {
        Val::Int(value) => out.push(&in_base(*value, |value| format!("{value:b}"))),
        Val::Uint(value) => out.push(&format!("{value:b}")),
        Val::Bool(value) => out.push(if *value { "1" } else { "0" }),
        other => Err(refused(refusal, &other.ty())),
    }
}

fn octal(out: &mut Writer<'_>, value: &Val, refusal: &str) -> Result<(), EvalError> {
    match value {
        Val::Int(value) => out.push(&in_base(*value, |value| format!("{value:o}"))),
        Val::Uint(value) => out.push(&format!("{value:o}")),
        other => Err(refused(refusal, &other.ty())),
    }
}

fn hex(out: &mut Writer<'_>, value: &Val, upper: bool, refusal: &str) -> Result<(), EvalError> {
    let digits = |value: u64| if upper { format!("{value:X}") } else { format!("{value:x}") };
    match value {
        Val::Int(value) => out.push(&in_base(*value, digits)),
        Val::Uint(value) => out.push(&digits(*value)),
        Val::String(text) => out.push_hex(text.as_bytes(), upper),
        Val::Bytes(bytes) => out.push_hex(bytes, upper),
        other => Err(refused(refusal, &other.ty())),
    }
}

/// A number with its sign before the digits of its magnitude, as Go writes it, not as two's complement.
fn in_base(value: i64, digits: impl Fn(u64) -> String) -> String {
    let sign = if value < 0 { "-" } else { "" };
    format!("{sign}{}", digits(value.unsigned_abs()))
}
