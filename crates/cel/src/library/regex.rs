//! The extension `regex`: replacing and extracting with regular expressions.
//!
//! Source: ext/regex.go of cel-go. Its version changes nothing. It needs the library `optional`.

use std::sync::Arc;

use convoy_value::go::quote;

use super::arguments::{actual_size, int, string};
use crate::function::{Context, Function, Overload};
use crate::re2::{Match, Regex};
use crate::types::Type;
use crate::value::{EvalError, Outcome, Val};

/// Groups that a replacement can name: `\1` to `\9`.
const NAMED_GROUPS: usize = 9;

/// The functions of a version of the library.
pub fn functions(_version: u32) -> Vec<Function> {
    let text = || Type::String;
    vec![
        Function::new(
            "regex",
            "regex.extract",
            "The first match in a string, or what the only group of the pattern has of it.",
        )
        .overload(
            Overload::global("regex_extract_string_string", [text(), text()], Type::optional(text()))
                .binary(extract)
                .cost(|args, result| Some(extract_cost(args, result)))
                .example("regex.extract('pod-7 of 9', 'pod-([0-9]+)') // optional.of('7')"),
        ),
        Function::new(
            "regex",
            "regex.extractAll",
            "All matches in a string, or what the only group of the pattern has of each, without empty ones.",
        )
        .overload(
            Overload::global("regex_extractAll_string_string", [text(), text()], Type::list(text()))
                .binary(extract_all)
                .cost(|args, result| Some(extract_all_cost(args, result)))
                .example("regex.extractAll('a=1,b=2', '[0-9]+') // ['1', '2']"),
        ),
        Function::new(
            "regex",
            "regex.replace",
            "The string with its matches replaced, where `\\1` in the replacement is what the first group has.",
        )
        .overload(
            Overload::global("regex_replace_string_string_string", [text(), text(), text()], text())
                .function(replace)
                .cost(|args, result| Some(replace_cost(args, result)))
                .example("regex.replace('a-b', '([a-z])-([a-z])', r'\\2-\\1') // 'b-a'"),
        )
        .overload(
            Overload::global(
                "regex_replace_string_string_string_int",
                [text(), text(), text(), Type::Int],
                text(),
            )
            .function(replace)
            .cost(|args, result| Some(replace_cost(args, result)))
            .example("regex.replace('banana', 'a', 'o', 2) // 'bonona'"),
        ),
    ]
}

/// The text and the pattern, which may have one group.
fn text_and_pattern<'a>(context: &Context<'_>, args: &'a [Val]) -> Result<(&'a str, Arc<Regex>), EvalError> {
    let (text, pattern) = (string(args, 0)?, string(args, 1)?);
    let regex = context.regex(pattern)?;
    if regex.group_count() > 1 {
        let pattern = quote(pattern.as_bytes());
        return Err(EvalError::new(format!(
            "regular expression has more than one capturing group: {pattern}"
        )));
    }
    Ok((text, regex))
}

/// What a match is about: its group, if the pattern has one (empty if that is not in the match), else all of it.
fn content<'a>(regex: &Regex, text: &'a str, found: &Match) -> &'a str {
    if regex.group_count() == 0 {
        return text.get(found.start..found.end).unwrap_or("");
    }
    group(text, found, 1)
}

/// The text of a group, that of the whole match for 0; empty if the group is not in the match.
fn group<'a>(text: &'a str, found: &Match, number: usize) -> &'a str {
    let span = match number.checked_sub(1) {
        None => Some((found.start, found.end)),
        Some(index) => found.groups.get(index).copied().flatten(),
    };
    span.and_then(|(start, end)| text.get(start..end)).unwrap_or("")
}

fn extract(context: &Context<'_>, args: &[Val]) -> Outcome {
    let (text, regex) = text_and_pattern(context, args)?;
    let Some(found) = regex.find(text, 1, &mut context.search())? else { return Ok(Val::Optional(None)) };
    let content = content(&regex, text, &found);
    // An empty match is a value, an empty group is none.
    if content.is_empty() && regex.group_count() == 1 {
        return Ok(Val::Optional(None));
    }
    context.charge(content.len())?;
    Ok(Val::Optional(Some(Arc::new(Val::string(content)))))
}

fn extract_all(context: &Context<'_>, args: &[Val]) -> Outcome {
    let (text, regex) = text_and_pattern(context, args)?;
    let mut contents = Vec::new();
    regex.find_all(text, 1, &mut context.search(), |found| {
        let content = content(&regex, text, &found);
        if !content.is_empty() || regex.group_count() == 0 {
            context.charge(size_of::<Val>() + content.len())?;
            contents.push(Val::string(content));
        }
        Ok(true)
    })?;
    Ok(Val::list(contents))
}

fn replace(context: &Context<'_>, args: &[Val]) -> Outcome {
    let (text, pattern, replacement) = (string(args, 0)?, string(args, 1)?, string(args, 2)?);
    let count = if args.len() > 3 { int(args, 3)? } else { -1 };
    if count == 0 {
        // Not even the pattern is looked at.
        return Ok(Val::String(Arc::clone(text)));
    }
    // A negative count is no limit.
    let mut left = u64::try_from(count).unwrap_or(u64::MAX);
    let regex = context.regex(pattern)?;
    let mut replaced = String::new();
    let mut rest = 0;
    regex.find_all(text, NAMED_GROUPS, &mut context.search(), |found| {
        let before = text.get(rest..found.start).unwrap_or("");
        context.charge(before.len())?;
        replaced.push_str(before);
        expand(context, &mut replaced, replacement, text, &regex, &found)?;
        rest = found.end;
        left -= 1;
        Ok(left > 0)
    })?;
    let behind = text.get(rest..).unwrap_or("");
    context.charge(behind.len())?;
    replaced.push_str(behind);
    Ok(Val::string(replaced))
}

/// Adds the replacement of a match.
fn expand(
    context: &Context<'_>,
    out: &mut String,
    replacement: &str,
    text: &str,
    regex: &Regex,
    found: &Match,
) -> Result<(), EvalError> {
    context.work(replacement.len() / 16)?;
    let mut parts = replacement.split('\\');
    let first = parts.next().unwrap_or("");
    context.charge(first.len())?;
    out.push_str(first);
    // A part behind a backslash begins with what the backslash is about; an empty one has another backslash behind it,
    // or the end.
    while let Some(part) = parts.next() {
        let invalid =
            |why: &str| EvalError::new(format!("invalid replacement string: '{replacement}' \\ {why}"));
        let Some(letter) = part.chars().next() else {
            let Some(behind) = parts.next() else { return Err(invalid("not allowed at end")) };
            context.charge(1 + behind.len())?;
            out.push('\\');
            out.push_str(behind);
            continue;
        };
        let Some(number) = letter.to_digit(10) else {
            return Err(invalid("must be followed by a digit or \\"));
        };
        if number as usize > regex.group_count() {
            return Err(EvalError::new(format!(
                "replacement string references group {number} but regex has only {} group(s)",
                regex.group_count()
            )));
        }
        let content = group(text, found, number as usize);
        let behind = part.get(1..).unwrap_or("");
        context.charge(content.len() + behind.len())?;
        out.push_str(content);
        out.push_str(behind);
    }
    Ok(())
}

/// What the search costs by cel-go's count: a tenth of the text times a quarter of the pattern.
fn search_cost(args: &[Val]) -> f64 {
    let size = |index| actual_size(args.get(index)).saturating_add(1) as f64;
    (size(0) * 0.1) * (size(1) * 0.25)
}

fn extract_cost(args: &[Val], result: Option<&Val>) -> u64 {
    (1.0 + search_cost(args) + actual_size(result) as f64).ceil() as u64
}

fn extract_all_cost(args: &[Val], result: Option<&Val>) -> u64 {
    // Ten are the cost of a list.
    (1.0 + search_cost(args) + actual_size(result) as f64 + 10.0).ceil() as u64
}

fn replace_cost(args: &[Val], result: Option<&Val>) -> u64 {
    (1.0 + search_cost(args) + actual_size(result) as f64) as u64
}
