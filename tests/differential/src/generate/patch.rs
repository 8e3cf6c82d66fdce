//! Documents and patches as JSON texts.

use fastrand::Rng;
use serde_json::Value;

use super::objects;
use crate::draw::{one_in, pick, weighted};
use crate::targets::Input;

/// What JSON and its patches are made of.
#[rustfmt::skip]
pub(crate) const DICTIONARY: &[&str] = &[
    "{", "}", "[", "]", ",", ":", "null", "true", "false", "0", "-0", "1", "1.0", "1e2", "01", "\"\"", "\"a\"", "\"op\"",
    "\"path\"", "\"value\"", "\"from\"", "\"add\"", "\"remove\"", "\"replace\"", "\"move\"", "\"copy\"", "\"test\"", "/", "/-",
    "/a", "/b/0", "~0", "~1", "~2", "~", "\\u0041", "\\ud800", "\\n", "\\", "\"", " ", "\n", "\t", "-", "é", "\u{2028}", "<",
    "{\"op\":\"add\",\"path\":\"/a\",\"value\":1}", "[]", "{}", "\"-1\"", "\0", "\u{1}", "\u{feff}", "&", "/00", "/-1", "/1e0",
];

#[rustfmt::skip]
const KEYS: &[&str] = &[
    "a", "b", "c", "", "0", "1", "-", "a/b", "a~b", "~1", "é", "01", "x y", "A", "<", "\\u0061", "\\n", "-1", "\\ud800", "op",
];

#[rustfmt::skip]
const SCALARS: &[&str] = &[
    "null", "null", "true", "false", "0", "1", "1", "-1", "-0", "1.0", "1.50", "1e2", "1E+2", "100", "0.1", "1e400", "9223372036854775808",
    "123456789012345678901234567890", "\"\"", "\"a\"", "\"x\"", "\"1\"", "\"é\"", "\"\\u00e9\"", "\"\\n\"", "\"<b>&\"", "\"\\u2028\"",
    "\"\\ud83d\\ude00\"", "\"\\ud800\"", "\"\\/\"", "\"/a\"", "\"\u{2028}\"",
];

const BROKEN: &[&str] = &[
    "01", "+1", "1.", ".5", "1e", "nul", "True", "'a'", "\"", "\"\\x\"", "\"\t\"", "", "{", "[1", "{\"a\"}",
    "[1,]", "{,}", "NaN",
];

const OPS: &[&str] = &["add", "add", "remove", "replace", "move", "copy", "test", "test"];

/// A document with a JSON Patch for it.
pub(crate) fn json_patch(rng: &mut Rng) -> Input {
    if one_in(rng, 2) {
        let doc = if one_in(rng, 4) { array(rng, 0) } else { object(rng, 0) };
        return fitting(rng, doc);
    }
    let doc = document(rng);
    any(rng, doc)
}

/// A JSON Patch for an object of Kubernetes, as an API server gets it.
pub(crate) fn of_object(rng: &mut Rng) -> Input {
    if one_in(rng, 3) {
        return json_patch(rng);
    }
    let doc = objects::object(rng);
    if one_in(rng, 3) { any(rng, doc) } else { fitting(rng, doc) }
}

/// A document with a patch whose operations may be anything.
fn any(rng: &mut Rng, doc: String) -> Input {
    let count = weighted(rng, &[1, 12, 6, 3, 1]);
    let operations: Vec<String> = (0..count).map(|_| operation(rng, &doc)).collect();
    let patch = format!("[{}]", operations.join(if one_in(rng, 8) { " ,\n " } else { "," }));
    let patch = if one_in(rng, 30) { value(rng, 0) } else { patch };
    Input { texts: vec![doc, spaced(rng, patch)] }
}

/// A document with a patch that may well fit: places that there are, or that only have to be made.
fn fitting(rng: &mut Rng, doc: String) -> Input {
    let mut there = serde_json::from_str(&doc).map(|value| places(&value)).unwrap_or_default();
    // The document as a whole is a place that most operations refuse.
    if there.is_empty() || one_in(rng, 8) {
        there.push(String::new());
    }
    let mut operations = Vec::new();
    for _ in 0..=weighted(rng, &[10, 5, 2]) {
        let mut place = || there[rng.usize(..there.len())].clone();
        let (path, from) = (place(), place());
        let made = if one_in(rng, 2) { path.clone() } else { format!("{path}/{}", pick(rng, KEYS)) };
        let found =
            serde_json::from_str::<Value>(&doc).ok().and_then(|doc| doc.pointer(&path).map(Value::to_string));
        let value = value(rng, 2);
        let operation = match rng.u32(..6) {
            0 => format!("\"op\":\"add\",\"path\":\"{made}\",\"value\":{value}"),
            1 => format!("\"op\":\"remove\",\"path\":\"{path}\""),
            2 => format!("\"op\":\"replace\",\"path\":\"{path}\",\"value\":{value}"),
            3 => format!("\"op\":\"move\",\"from\":\"{from}\",\"path\":\"{made}\""),
            4 => format!("\"op\":\"copy\",\"from\":\"{from}\",\"path\":\"{made}\""),
            _ => format!("\"op\":\"test\",\"path\":\"{path}\",\"value\":{}", found.unwrap_or(value)),
        };
        operations.push(format!("{{{operation}}}"));
    }
    Input { texts: vec![doc, format!("[{}]", operations.join(","))] }
}

/// A document with a merge patch for it.
pub(crate) fn merge_patch(rng: &mut Rng) -> Input {
    let texts = vec![document(rng), document(rng)];
    Input { texts }
}

fn spaced(rng: &mut Rng, text: String) -> String {
    match rng.u32(..40) {
        0 => format!(" {text}"),
        1 => format!("{text}\n"),
        2 => format!("\t\r\n{text} "),
        3 => format!("{text}x"),
        4 => format!("\u{feff}{text}"),
        _ => text,
    }
}

fn document(rng: &mut Rng) -> String {
    let text = match weighted(rng, &[20, 5, 2, 1]) {
        0 => object(rng, 0),
        1 => array(rng, 0),
        2 => value(rng, 0),
        _ => pick(rng, BROKEN).to_owned(),
    };
    spaced(rng, text)
}

fn value(rng: &mut Rng, depth: u32) -> String {
    match weighted(rng, &[10, 4, 4]) {
        1 if depth < 4 => object(rng, depth),
        2 if depth < 4 => array(rng, depth),
        _ if one_in(rng, 150) => pick(rng, BROKEN).to_owned(),
        _ => pick(rng, SCALARS).to_owned(),
    }
}

fn object(rng: &mut Rng, depth: u32) -> String {
    let count = rng.usize(..4);
    let members: Vec<String> = (0..count)
        .map(|_| {
            let key = pick(rng, KEYS);
            let colon = if one_in(rng, 12) { " : " } else { ":" };
            format!("\"{key}\"{colon}{}", value(rng, depth + 1))
        })
        .collect();
    format!("{{{}}}", members.join(","))
}

fn array(rng: &mut Rng, depth: u32) -> String {
    let count = rng.usize(..4);
    let items: Vec<String> = (0..count).map(|_| value(rng, depth + 1)).collect();
    format!("[{}]", items.join(if one_in(rng, 12) { ", " } else { "," }))
}

/// A pointer, mostly of parts that occur in the document.
fn pointer(rng: &mut Rng, doc: &str) -> String {
    let mut out = String::new();
    // Mostly a place that there is, at times with something behind it.
    let places = serde_json::from_str(doc).map(|value| places(&value)).unwrap_or_default();
    let there = !places.is_empty() && !one_in(rng, 5);
    if there {
        out.clone_from(&places[rng.usize(..places.len())]);
    }
    let parts = if there { weighted(rng, &[8, 4, 1]) } else { weighted(rng, &[1, 10, 6, 3, 1]) };
    for _ in 0..parts {
        out.push('/');
        match rng.u32(..5) {
            0 => out.push_str(pick(
                rng,
                &["0", "1", "2", "-", "-1", "-2", "-4", "00", "9", "1e0", "99999999999999999999", "+1", " 1"],
            )),
            1 => out.push_str(pick(
                rng,
                &["~0", "~1", "~2", "~", "a~1b", "a~0b", "~01", "zz", "é", "\\u0061", "%61"],
            )),
            _ => {
                let inside: Vec<&str> =
                    KEYS.iter().copied().filter(|key| doc.contains(&format!("\"{key}\""))).collect();
                out.push_str(if inside.is_empty() { "a" } else { pick(rng, &inside) });
            }
        }
    }
    if one_in(rng, 30) {
        out.insert_str(0, pick(rng, &["a", "#", " ", "/", "\\/"]));
    }
    out
}

/// The pointers to all that a document holds, below the document itself.
pub(crate) fn places(value: &Value) -> Vec<String> {
    let below = |token: String, value: &Value| {
        let inside = places(value).into_iter().map(|place| format!("/{token}{place}")).collect::<Vec<_>>();
        std::iter::once(format!("/{token}")).chain(inside).collect::<Vec<_>>()
    };
    match value {
        Value::Object(members) => members
            .iter()
            .flat_map(|(key, value)| below(escaped(&key.replace('~', "~0").replace('/', "~1")), value))
            .collect(),
        Value::Array(items) => {
            items.iter().enumerate().flat_map(|(at, value)| below(at.to_string(), value)).collect()
        }
        _ => Vec::new(),
    }
}

/// A text as it stands between the quotes of a JSON string.
fn escaped(text: &str) -> String {
    Value::from(text).to_string().trim_matches('"').to_owned()
}

fn operation(rng: &mut Rng, doc: &str) -> String {
    if one_in(rng, 40) {
        return value(rng, 2);
    }
    let op = if one_in(rng, 40) { pick(rng, &["Add", "", "merge", "test "]) } else { pick(rng, OPS) };
    let path = pointer(rng, doc);
    // What a test tests is mostly what stands there.
    let found =
        serde_json::from_str::<Value>(doc).ok().and_then(|value| value.pointer(&path).map(Value::to_string));
    let mut members = vec![format!("\"op\":\"{op}\""), format!("\"path\":\"{path}\"")];
    let (needs_value, needs_from) = (matches!(op, "add" | "replace" | "test"), matches!(op, "move" | "copy"));
    if needs_value != one_in(rng, 25) {
        let found = found.filter(|_| op == "test" && !one_in(rng, 4));
        members.push(format!("\"value\":{}", found.unwrap_or_else(|| value(rng, 1))));
    }
    if needs_from != one_in(rng, 25) {
        members.push(format!("\"from\":\"{}\"", pointer(rng, doc)));
    }
    if one_in(rng, 25) {
        let at = rng.usize(..members.len());
        let odd = pick(
            rng,
            &[
                "\"op\":null",
                "\"op\":1",
                "\"path\":null",
                "\"path\":[]",
                "\"from\":null",
                "\"value\":null",
                "\"x\":1",
                "\"Op\":\"add\"",
                "\"path\":\"/a\"",
            ],
        );
        odd.clone_into(&mut members[at]);
    }
    if one_in(rng, 10) {
        rng.shuffle(&mut members);
    }
    format!("{{{}}}", members.join(","))
}
