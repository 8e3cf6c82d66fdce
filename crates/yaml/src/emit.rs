//! Writes values as YAML that every reader takes for the same value.

use convoy_value::{Value, go};

use crate::resolve::{Resolved, resolve};
use crate::value::Flavour;

/// The value as a YAML document in block style, with a line break at the end. Strings that a YAML 1.1 or 1.2 reader
/// could take for something else are quoted; lists stand at the indentation of their key, as `kubectl` prints them.
pub fn emit(value: &Value) -> String {
    let mut out = String::new();
    match value {
        Value::Map(map) | Value::StringMap(map) if !map.is_empty() => block(&mut out, value, 0),
        Value::List(list) if !list.is_empty() => block(&mut out, value, 0),
        scalar => {
            // The lines of a block scalar are indented even at the top.
            inline(&mut out, scalar, 1);
            out.push('\n');
        }
    }
    out
}

/// A key in front of its `:` has at most 1,024 characters; a longer one stands behind `?`.
const MAX_KEY: usize = 1000;

fn indent(out: &mut String, depth: usize) {
    out.extend(std::iter::repeat_n("  ", depth));
}

/// A collection with entries, each on a line of its own; the cursor stands at the start of a line.
fn block(out: &mut String, value: &Value, depth: usize) {
    match value {
        Value::Map(map) | Value::StringMap(map) => {
            for (i, (key, value)) in map.iter().enumerate() {
                if i > 0 || !out.ends_with("- ") {
                    indent(out, depth);
                }
                let start = out.len();
                scalar(out, key, None);
                if out.len() - start > MAX_KEY {
                    out.insert_str(start, "? ");
                    out.push('\n');
                    indent(out, depth);
                }
                out.push(':');
                member(out, value, depth);
            }
        }
        Value::List(list) => {
            for (i, item) in list.iter().enumerate() {
                if i > 0 || !out.ends_with("- ") {
                    indent(out, depth);
                }
                out.push_str("- ");
                match item {
                    Value::Map(map) | Value::StringMap(map) if !map.is_empty() => block(out, item, depth + 1),
                    Value::List(list) if !list.is_empty() => block(out, item, depth + 1),
                    item => {
                        inline(out, item, depth + 1);
                        out.push('\n');
                    }
                }
            }
        }
        _ => {}
    }
}

fn member(out: &mut String, value: &Value, depth: usize) {
    match value {
        Value::Map(map) | Value::StringMap(map) if !map.is_empty() => {
            out.push('\n');
            block(out, value, depth + 1);
        }
        Value::List(list) if !list.is_empty() => {
            out.push('\n');
            block(out, value, depth);
        }
        value => {
            out.push(' ');
            inline(out, value, depth + 1);
            out.push('\n');
        }
    }
}

fn inline(out: &mut String, value: &Value, depth: usize) {
    match value {
        Value::Map(_) | Value::StringMap(_) => out.push_str("{}"),
        Value::List(_) => out.push_str("[]"),
        Value::Null => out.push_str("null"),
        Value::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
        Value::Int(i) => out.push_str(&i.to_string()),
        Value::Uint(u) => out.push_str(&u.to_string()),
        Value::Float(f) if f.is_nan() => out.push_str(".nan"),
        Value::Float(f) if f.is_infinite() => out.push_str(if *f > 0.0 { ".inf" } else { "-.inf" }),
        Value::Float(f) => out.push_str(&go::json_float(*f)),
        Value::String(text) => scalar(out, text, Some(depth)),
        Value::Bytes(bytes) => scalar(out, &String::from_utf8_lossy(bytes), None),
    }
}

/// A string: plain where it is safe, a literal block where `block` allows one and it reads better, else quoted.
fn scalar(out: &mut String, text: &str, block: Option<usize>) {
    if let Some(depth) = block
        && text.contains('\n')
        && text.split('\n').all(is_printable)
        && !text.starts_with([' ', '\n'])
        && text.lines().all(|line| !line.ends_with(' '))
    {
        out.push('|');
        out.push_str(match text.len() - text.trim_end_matches('\n').len() {
            0 => "-",
            1 => "",
            _ => "+",
        });
        for line in text.strip_suffix('\n').unwrap_or(text).split('\n') {
            out.push('\n');
            if !line.is_empty() {
                indent(out, depth);
                out.push_str(line);
            }
        }
        return;
    }
    if is_plain(text) {
        out.push_str(text);
    } else {
        quoted(out, text);
    }
}

/// A double-quoted scalar. Go's escapes are YAML's as well, but for the spelling of control characters.
fn quoted(out: &mut String, text: &str) {
    use std::fmt::Write as _;
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if go::is_print(c) => out.push(c),
            c if (c as u32) < 0x100 => {
                let _ = write!(out, "\\x{:02x}", c as u32);
            }
            c if (c as u32) < 0x10000 => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => {
                let _ = write!(out, "\\U{:08x}", c as u32);
            }
        }
    }
    out.push('"');
}

/// Whether all characters are shown as themselves; nearly all texts are ASCII.
fn is_printable(text: &str) -> bool {
    text.bytes().all(|b| matches!(b, b' '..=b'~')) || text.chars().all(go::is_print)
}

fn is_plain(text: &str) -> bool {
    let Some(first) = text.chars().next() else { return false };
    let reads_as_text = |flavour| matches!(resolve(flavour, None, text), Ok(Resolved::Text));
    !first.is_whitespace()
        && !text.ends_with(char::is_whitespace)
        && !text.starts_with("...")
        && !"-?:,[]{}#&*!|>'\"%@`=<".contains(first)
        && !(text.contains(' ') && (text.contains(": ") || text.contains(" #")))
        && !text.ends_with(':')
        && is_printable(text)
        && reads_as_text(Flavour::V2)
        && reads_as_text(Flavour::V3)
        || is_safe_flag(text)
}

/// `-x` and `--flag=value`, which are common in arguments and safe as plain text.
fn is_safe_flag(text: &str) -> bool {
    text.len() > 1
        && text.starts_with('-')
        && !text.starts_with("---")
        && text[1..].starts_with(|c: char| c == '-' || c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "-_=./,".contains(c))
        && matches!(resolve(Flavour::V2, None, text), Ok(Resolved::Text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, parse, value};

    fn round_trip(text: &str) -> String {
        let tree = parse(text);
        let root = tree.documents()[0].root.unwrap();
        let first = value(&tree, root, Options::default()).unwrap();
        let out = emit(&first);
        let again = parse(out.as_str());
        let second = value(&again, again.documents()[0].root.unwrap(), Options::default()).unwrap();
        assert_eq!(first, second, "{out}");
        out
    }

    #[test]
    fn a_text_at_the_top_is_indented() {
        assert_eq!(round_trip("|-\n one\n\n - two\n"), "|-\n  one\n\n  - two\n");
    }

    #[test]
    fn a_key_may_be_long_or_look_like_an_end() {
        let key = "k".repeat(1500);
        assert_eq!(round_trip(&format!("{{a: {{? {key}\n: 1}}}}")), format!("a:\n  ? {key}\n  : 1\n"));
        assert_eq!(round_trip("\"... x\": 1"), "\"... x\": 1\n");
    }

    #[test]
    fn reads_back_as_the_same_value() {
        expect_test::expect![[r##"
            a:
            - b: 1
              c: "yes"
            - - x
              - "1"
            - --flag=x
            d: {}
            e: []
            f: null
            text: |
              two
              lines
            keep: |+
              a

            quoted: "tab\there"
            "on": "# no comment"
            url: http://x:80/
            colon: "a: b"
        "##]]
        .assert_eq(&round_trip(
            "a: [{b: 1, c: 'yes'}, [x, '1'], --flag=x]\nd: {}\ne: []\nf: ~\ntext: \"two\\nlines\\n\"\nkeep: \"a\\n\\n\"\nquoted: \"tab\\there\"\n'on': '# no comment'\nurl: http://x:80/\ncolon: 'a: b'\n",
        ));
        round_trip(
            "a: '<&>'\nb: ' lead'\nc: ''\nd: 1.5\ne: '1e3'\nf: \"\\n\"\ng: '~'\nh: '2001-01-01'\ni: '---'\nj: '-'\n",
        );
    }
}
