//! Short texts that differences of one cause share.

use serde_json::Value;

/// An error text with numbers as `N`, quoted parts as `Q` and what stands in brackets as `…`, on one line, and not too
/// long. A value that a text ends with goes as a whole.
pub(crate) fn generalised(text: &str) -> String {
    let mut out = String::new();
    // A list of errors counts by its first one.
    let head = text.match_indices('\n').nth(1).map_or(text, |(end, _)| &text[..end]);
    // cel-go shows the line behind the message.
    let head = head.split_once("\n | ").map_or(head, |(message, _)| message);
    let mut rest = head.split_once(", value: ").map_or(head, |(head, _)| head);
    while let Some(c) = rest.chars().next() {
        let closing = match c {
            '"' => Some('"'),
            '`' => Some('`'),
            '<' => Some('>'),
            '\'' if !out.ends_with(char::is_alphanumeric) => Some('\''),
            _ => None,
        };
        // A quote without its other half stays as it is: it may be the character that an error is about.
        let end =
            closing.and_then(|closing| rest[c.len_utf8()..].find(closing).map(|at| at + 2 * c.len_utf8()));
        if let Some(end) = end {
            out.push('Q');
            rest = &rest[end..];
            continue;
        }
        if let Some(inside) = bracketed(rest) {
            out.extend([c, '…']);
            rest = &rest[1 + inside..];
            continue;
        }
        if c.is_ascii_digit() {
            out.push('N');
            rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
            continue;
        }
        if c.is_control() {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
        rest = &rest[c.len_utf8()..];
    }
    if out.chars().count() > 140 {
        out = out.chars().take(140).chain(['…']).collect();
    }
    out
}

/// The length of what stands between a square bracket or brace, with which the text begins, and its other half.
fn bracketed(text: &str) -> Option<usize> {
    let open = text.chars().next().filter(|c| matches!(c, '[' | '{'))?;
    let close = if open == '[' { ']' } else { '}' };
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        depth += i32::from(c == open) - i32::from(c == close);
        if depth == 0 {
            return (at > 1).then(|| at - 1);
        }
    }
    None
}

/// What is left of two texts without the beginning and the end that they share.
fn middle(a: &[u8], b: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let start = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[start..], &b[start..]);
    let end = a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y).count();
    (a[..a.len() - end].to_vec(), b[..b.len() - end].to_vec())
}

/// A text with each run of letters as `a` and of digits as `9`.
fn shape(bytes: &[u8]) -> String {
    let mut out = String::new();
    for c in String::from_utf8_lossy(bytes).chars() {
        let c = match c {
            c if c.is_alphabetic() => 'a',
            c if c.is_ascii_digit() => '9',
            c => c,
        };
        if !out.ends_with(c) {
            out.push(c);
        }
    }
    if out.chars().count() > 24 {
        out = out.chars().take(24).chain(['…']).collect();
    }
    format!("{out:?}")
}

/// How two values differ: by their first different part where both are JSON, else by the text of it.
pub(crate) fn of_values(ours: &[u8], theirs: &[u8]) -> String {
    let json = |bytes| serde_json::from_slice::<Value>(bytes).ok();
    if let (Some(ours), Some(theirs)) = (json(ours), json(theirs))
        && let Some(found) = of_json(&ours, &theirs)
    {
        return found;
    }
    let (ours, theirs) = middle(ours, theirs);
    format!("ours {} / Go {}", shape(&ours), shape(&theirs))
}

/// How two values differ; nothing if only their texts do.
fn of_json(ours: &Value, theirs: &Value) -> Option<String> {
    match (ours, theirs) {
        (Value::Object(mine), Value::Object(other)) => {
            if let Some((_, value)) = mine.iter().find(|(key, _)| !other.contains_key(*key)) {
                return Some(format!("ours has a member more, {}", name(value)));
            }
            if let Some((_, value)) = other.iter().find(|(key, _)| !mine.contains_key(*key)) {
                return Some(format!("Go has a member more, {}", name(value)));
            }
            let inside = mine.iter().find_map(|(key, value)| of_json(value, &other[key]));
            inside.or_else(|| mine.keys().ne(other.keys()).then(|| "order of members".to_owned()))
        }
        (Value::Array(mine), Value::Array(other)) if mine.len() != other.len() => {
            Some(format!("ours has {} items", if mine.len() < other.len() { "fewer" } else { "more" }))
        }
        (Value::Array(mine), Value::Array(other)) => {
            mine.iter().zip(other).find_map(|(mine, other)| of_json(mine, other))
        }
        (ours, theirs) if ours == theirs => None,
        (ours, theirs) if name(ours) != name(theirs) => {
            Some(format!("ours {} / Go {}", name(ours), name(theirs)))
        }
        (ours, theirs) => {
            let (mine, other) = middle(ours.to_string().as_bytes(), theirs.to_string().as_bytes());
            Some(format!("{}: ours {} / Go {}", name(ours), shape(&mine), shape(&other)))
        }
    }
}

fn name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_generalised() {
        assert_eq!(
            generalised("template: t:12:3: executing \"t\" at <.a.b>: can't slice 'x'"),
            "template: t:N:N: executing Q at Q: can't slice Q"
        );
        assert_eq!(generalised("yaml: line 7: did not find \n"), "yaml: line N: did not find \\n");
        assert_eq!(generalised("types [1 [2]]: []interface {}, {{end}}"), "types […]: []interface {}, {…}");
        assert_eq!(generalised("map key 1, value: map[a:1]"), "map key N");
        assert_eq!(generalised("unterminated \" quote"), "unterminated \" quote");
    }

    #[test]
    fn values_differ_by_their_first_different_part() {
        let signature = |ours: &str, theirs: &str| of_values(ours.as_bytes(), theirs.as_bytes());
        assert_eq!(signature("{\"a\":[1]}", "{\"a\":[\"x\"]}"), "ours a number / Go a string");
        assert_eq!(signature("{}", "{\"a\":null}"), "Go has a member more, null");
        assert_eq!(signature("[1,2]", "[1]"), "ours has more items");
        assert_eq!(signature("{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}"), "order of members");
        assert_eq!(signature("\"ab 12\"", "\"ab x\""), "a string: ours \"9\" / Go \"a\"");
        assert_eq!(signature("no 1", "no x"), "ours \"9\" / Go \"a\"");
    }
}
