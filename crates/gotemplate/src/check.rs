//! What is wrong with a template whatever its data.

use convoy_text::Span;

use crate::funcs::Functions;
use crate::node::{Arg, Command};
use crate::parse::Template;
use crate::query::{Event, walk};

/// A fault that shows as soon as the action is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The place to show.
    pub span: Span,
    /// The text that Go prints after `at <…>: `.
    pub detail: String,
}

/// The faults that need no data: wrong numbers of arguments, comparisons of constants that can never work.
pub fn check(template: &Template, functions: &Functions) -> Vec<Fault> {
    let mut faults = Vec::new();
    // The stages of a pipeline after the first get one more argument, so that commands are looked at in
    // their pipelines.
    walk(template, &mut |event| {
        if let Event::Command(command) = event {
            faults.extend(command_fault(template, command, functions));
        }
    });
    faults.sort_by_key(|fault| fault.span);
    faults
}

/// Whether a command stands after a `|`.
fn is_later_stage(template: &Template, command: &Command) -> bool {
    template.text[..command.span.start].trim_end().ends_with('|')
}

fn command_fault(template: &Template, command: &Command, functions: &Functions) -> Option<Fault> {
    let (Arg::Identifier(_, name), args) = command.args.split_first()? else { return None };
    let arity = functions.arity(name)?;
    let later = is_later_stage(template, command);
    let count = args.len() + usize::from(later);
    let wrong = |text: String| Some(Fault { span: command.span, detail: text });
    if arity.max.is_none() && count < arity.min {
        return wrong(format!(
            "wrong number of args for {name}: want at least {} got {}",
            arity.min,
            args.len()
        ));
    }
    if let Some(max) = arity.max
        && (count > max || count < arity.min)
    {
        return wrong(format!("wrong number of args for {name}: want {max} got {count}"));
    }
    if functions.extra(name).is_some() {
        return None;
    }
    let calling =
        |text: &str| Some(Fault { span: command.span, detail: format!("error calling {name}: {text}") });
    match &**name {
        "eq" if count == 1 => calling("missing argument for comparison"),
        "eq" | "ne" | "lt" | "le" | "gt" | "ge" if !later => {
            let kinds: Vec<Option<&str>> = args.iter().map(constant_type).collect();
            let first = kinds.first().copied().flatten()?;
            // A later argument is not looked at once an earlier one is equal.
            let other = kinds.get(1).copied().flatten().filter(|kind| *kind != first);
            match other {
                Some(other) => calling(&format!("incompatible types for comparison: {first} and {other}")),
                None if first == "bool" && !matches!(&**name, "eq" | "ne") => {
                    calling("invalid type for comparison")
                }
                None => None,
            }
        }
        "printf" if !later && !args.is_empty() && !may_be_string(&args[0]) => {
            Some(Fault { span: args[0].span(), detail: format!("expected string; found {}", args[0]) })
        }
        _ => None,
    }
}

/// The type of a constant.
fn constant_type(arg: &Arg) -> Option<&'static str> {
    Some(match arg {
        Arg::Bool(..) => "bool",
        Arg::String { .. } => "string",
        Arg::Number(number) if number.complex.is_some() => "complex128",
        Arg::Number(number) => {
            let text = &*number.text;
            let hex = text.starts_with("0x") || text.starts_with("0X");
            if !hex && !text.starts_with('\'') && text.contains(['.', 'e', 'E']) { "float64" } else { "int" }
        }
        _ => return None,
    })
}

fn may_be_string(arg: &Arg) -> bool {
    !matches!(arg, Arg::Bool(..) | Arg::Number(_))
}
