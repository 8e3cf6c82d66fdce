//! Implementations of the extension `strings`.

use std::sync::Arc;

use crate::function::Context;
use crate::library::arguments::{int, list, string};
use crate::value::show::go_text;
use crate::value::{EvalError, List, Outcome, Val};

/// What a string takes besides its bytes.
const STRING: usize = 2 * size_of::<usize>();

fn new_string(context: &Context<'_>, text: &str) -> Outcome {
    context.charge(text.len())?;
    Ok(Val::string(text))
}

/// The byte at which the character with an index begins; the length of the text for the index behind the last.
fn byte_at(text: &str, index: usize) -> Option<usize> {
    text.char_indices().map(|(byte, _)| byte).chain([text.len()]).nth(index)
}

/// The byte at which the character with an index begins, or cel-go's error.
fn checked_byte_at(text: &str, index: i64) -> Result<usize, EvalError> {
    usize::try_from(index).ok().and_then(|index| byte_at(text, index)).ok_or_else(|| out_of_range(index))
}

fn out_of_range(index: i64) -> EvalError {
    EvalError::new(format!("index out of range: {index}"))
}

fn count(text: &str) -> usize {
    text.chars().count()
}

pub(super) fn char_at(context: &Context<'_>, args: &[Val]) -> Outcome {
    let (text, index) = (string(args, 0)?, int(args, 1)?);
    let byte = checked_byte_at(text, index)?;
    let mut buffer = [0; 4];
    let character = text.get(byte..).and_then(|rest| rest.chars().next());
    new_string(context, character.map_or("", |character| character.encode_utf8(&mut buffer)))
}

pub(super) fn index_of(_context: &Context<'_>, args: &[Val]) -> Outcome {
    find(string(args, 0)?, string(args, 1)?, 0)
}

pub(super) fn index_of_from(_context: &Context<'_>, args: &[Val]) -> Outcome {
    find(string(args, 0)?, string(args, 1)?, int(args, 2)?)
}

fn find(text: &str, wanted: &str, from: i64) -> Outcome {
    let Ok(start) = usize::try_from(from) else {
        return Err(out_of_range(from));
    };
    let byte = byte_at(text, start);
    if wanted.is_empty() {
        return Ok(Val::Int(if byte.is_some() { from } else { count(text) as i64 }));
    }
    let rest = byte.and_then(|byte| text.get(byte..)).unwrap_or_default();
    let found = rest.find(wanted).and_then(|at| rest.get(..at));
    Ok(Val::Int(found.map_or(-1, |before| (start + count(before)) as i64)))
}

pub(super) fn last_index_of(_context: &Context<'_>, args: &[Val]) -> Outcome {
    let (text, wanted) = (string(args, 0)?, string(args, 1)?);
    Ok(Val::Int(find_last(text, wanted)))
}

/// The index of the last occurrence; -1 if there is none.
fn find_last(text: &str, wanted: &str) -> i64 {
    text.rfind(wanted).and_then(|at| text.get(..at)).map_or(-1, |before| count(before) as i64)
}

pub(super) fn last_index_of_up_to(_context: &Context<'_>, args: &[Val]) -> Outcome {
    let (text, wanted, last) = (string(args, 0)?, string(args, 1)?, int(args, 2)?);
    let Ok(latest) = usize::try_from(last) else {
        return Err(out_of_range(last));
    };
    let len = count(text);
    if wanted.is_empty() {
        return Ok(Val::Int(last.min(len as i64)));
    }
    if latest >= len {
        return Ok(Val::Int(-1));
    }
    // What begins at the index at the latest ends so many characters later.
    let end = byte_at(text, latest.saturating_add(count(wanted))).unwrap_or(text.len());
    Ok(Val::Int(find_last(text.get(..end).unwrap_or(text), wanted)))
}

pub(super) fn lower_ascii(context: &Context<'_>, args: &[Val]) -> Outcome {
    let text = string(args, 0)?;
    if !text.bytes().any(|byte| byte.is_ascii_uppercase()) {
        return Ok(Val::String(Arc::clone(text)));
    }
    new_string(context, &text.to_ascii_lowercase())
}

pub(super) fn upper_ascii(context: &Context<'_>, args: &[Val]) -> Outcome {
    let text = string(args, 0)?;
    if !text.bytes().any(|byte| byte.is_ascii_lowercase()) {
        return Ok(Val::String(Arc::clone(text)));
    }
    new_string(context, &text.to_ascii_uppercase())
}

pub(super) fn replace(context: &Context<'_>, args: &[Val]) -> Outcome {
    replace_times(context, args, -1)
}

pub(super) fn replace_some(context: &Context<'_>, args: &[Val]) -> Outcome {
    replace_times(context, args, int(args, 3)?)
}

/// Replaces the first `times` occurrences; all if it is negative.
fn replace_times(context: &Context<'_>, args: &[Val], times: i64) -> Outcome {
    let (text, old, new) = (string(args, 0)?, string(args, 1)?, string(args, 2)?);
    let times = usize::try_from(times).unwrap_or(usize::MAX);
    let found = text.matches(&**old).take(times).count();
    if found == 0 || old == new {
        return Ok(Val::String(Arc::clone(text)));
    }
    context.work(found / 64)?;
    let kept = text.len().saturating_sub(found.saturating_mul(old.len()));
    context.charge(kept.saturating_add(found.saturating_mul(new.len())))?;
    Ok(Val::string(text.replacen(&**old, new, found)))
}

pub(super) fn split(context: &Context<'_>, args: &[Val]) -> Outcome {
    split_into(context, string(args, 0)?, string(args, 1)?, usize::MAX)
}

pub(super) fn split_some(context: &Context<'_>, args: &[Val]) -> Outcome {
    let parts = usize::try_from(int(args, 2)?).unwrap_or(usize::MAX);
    split_into(context, string(args, 0)?, string(args, 1)?, parts)
}

/// Splits into at most so many parts.
fn split_into(context: &Context<'_>, text: &str, separator: &str, most: usize) -> Outcome {
    let mut parts = Vec::new();
    let mut add = |part: &str| {
        context.charge(size_of::<Val>() + STRING + part.len())?;
        parts.push(Val::string(part));
        Ok::<(), EvalError>(())
    };
    if most > 0 && !separator.is_empty() {
        for part in text.splitn(most, separator) {
            add(part)?;
        }
    } else if most > 0 {
        // Into characters; the last part has what is left.
        let mut rest = text;
        for index in 1.. {
            let Some(character) = rest.chars().next() else { break };
            let (part, others) = if index == most { (rest, "") } else { rest.split_at(character.len_utf8()) };
            add(part)?;
            rest = others;
        }
    }
    Ok(Val::list(parts))
}

pub(super) fn substring(context: &Context<'_>, args: &[Val]) -> Outcome {
    let (text, start) = (string(args, 0)?, int(args, 1)?);
    let byte = checked_byte_at(text, start)?;
    new_string(context, text.get(byte..).unwrap_or_default())
}

pub(super) fn substring_range(context: &Context<'_>, args: &[Val]) -> Outcome {
    let (text, start, end) = (string(args, 0)?, int(args, 1)?, int(args, 2)?);
    if start > end {
        return Err(EvalError::new(format!("invalid substring range. start: {start}, end: {end}")));
    }
    let first = checked_byte_at(text, start)?;
    let last = checked_byte_at(text, end)?;
    new_string(context, text.get(first..last).unwrap_or_default())
}

pub(super) fn trim(context: &Context<'_>, args: &[Val]) -> Outcome {
    let text = string(args, 0)?;
    let trimmed = text.trim();
    if trimmed.len() == text.len() {
        return Ok(Val::String(Arc::clone(text)));
    }
    new_string(context, trimmed)
}

pub(super) fn reverse(context: &Context<'_>, args: &[Val]) -> Outcome {
    let text = string(args, 0)?;
    context.charge(text.len())?;
    Ok(Val::string(text.chars().rev().collect::<String>()))
}

pub(super) fn quote(context: &Context<'_>, args: &[Val]) -> Outcome {
    let text = string(args, 0)?;
    let escapes = text.chars().filter(|&character| escape(character).is_some()).count();
    context.charge(text.len().saturating_add(escapes).saturating_add(2))?;
    let mut quoted = String::with_capacity(text.len() + escapes + 2);
    quoted.push('"');
    for character in text.chars() {
        match escape(character) {
            Some(letter) => quoted.extend(['\\', letter]),
            None => quoted.push(character),
        }
    }
    quoted.push('"');
    Ok(Val::string(quoted))
}

/// What stands behind the backslash for a character that has an escape sequence.
fn escape(character: char) -> Option<char> {
    Some(match character {
        '\u{7}' => 'a',
        '\u{8}' => 'b',
        '\u{c}' => 'f',
        '\n' => 'n',
        '\r' => 'r',
        '\t' => 't',
        '\u{b}' => 'v',
        '\\' => '\\',
        '"' => '"',
        _ => return None,
    })
}

pub(super) fn join(context: &Context<'_>, args: &[Val]) -> Outcome {
    join_strings(context, list(args, 0)?, "", element_as_it_is)
}

pub(super) fn join_with(context: &Context<'_>, args: &[Val]) -> Outcome {
    join_strings(context, list(args, 0)?, string(args, 1)?, element_as_it_is)
}

pub(super) fn join_converted(context: &Context<'_>, args: &[Val]) -> Outcome {
    join_strings(context, list(args, 0)?, "", element_as_native)
}

pub(super) fn join_converted_with(context: &Context<'_>, args: &[Val]) -> Outcome {
    join_strings(context, list(args, 0)?, string(args, 1)?, element_as_native)
}

fn join_strings(
    context: &Context<'_>,
    list: &List,
    separator: &str,
    element: fn(&Val) -> Result<Arc<str>, EvalError>,
) -> Outcome {
    context.work(list.len() / 8)?;
    let mut joined = String::new();
    for (index, value) in list.iter().enumerate() {
        let text = element(&value)?;
        let separator = if index == 0 { "" } else { separator };
        context.charge(separator.len().saturating_add(text.len()))?;
        joined.push_str(separator);
        joined.push_str(&text);
    }
    Ok(Val::string(joined))
}

fn element_as_it_is(value: &Val) -> Result<Arc<str>, EvalError> {
    match value {
        Val::String(text) => Ok(Arc::clone(text)),
        other => Err(EvalError::new(format!("join: invalid input: {}", go_text(other)))),
    }
}

/// The element as a string of Go, or what cel-go says where a value has none: each type has its own words.
fn element_as_native(value: &Val) -> Result<Arc<str>, EvalError> {
    let mut value = value;
    while let Val::Optional(Some(inner)) = value {
        value = inner;
    }
    let from = match value {
        Val::String(text) => return Ok(Arc::clone(text)),
        Val::Int(_) => return Err(EvalError::new("unsupported type conversion from 'int' to string")),
        Val::Uint(_) => return Err(EvalError::new("unsupported type conversion from 'uint' to string")),
        Val::Type(_) => return Err(EvalError::new("type conversion not supported for 'type'")),
        Val::Optional(_) => return Err(EvalError::new("optional.none() dereference")),
        Val::Bool(_) => "bool",
        Val::Double(_) => "Double",
        Val::Bytes(_) => "Bytes",
        Val::Null => "'null_type'",
        Val::Duration(_) => "'Duration'",
        Val::Timestamp(_) => "'Timestamp'",
        Val::List(_) => "list",
        Val::Map(_) => "map",
        Val::Object(object) => {
            let name = object.ty();
            return Err(EvalError::new(format!("type conversion error from '{}' to 'string'", name.name())));
        }
    };
    Err(EvalError::new(format!("type conversion error from {from} to 'string'")))
}
