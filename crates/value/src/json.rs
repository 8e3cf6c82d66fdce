//! JSON with spans, read with the verdict and the words of Go's `encoding/json`, and written as it writes.

use std::fmt::Write as _;
use std::sync::Arc;

use convoy_text::{ContentMap, ContentMapBuilder, Span};

use crate::{Map, Value, go};

/// Nesting at which this crate gives up; no Kubernetes object comes near it.
pub const DEPTH_LIMIT: usize = 400;

/// A JSON value with the span of its text.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The bytes of the value in the text that was parsed.
    pub span: Span,
    /// What it is.
    pub kind: Kind,
}

/// The kinds of JSON value. Numbers keep their text, since Go programs compare and re-emit it.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// `null`.
    Null,
    /// `true`, `false`.
    Bool(bool),
    /// The text of the number.
    Number(Box<str>),
    /// The decoded text.
    String(Arc<str>),
    /// Items in order.
    Array(Vec<Node>),
    /// Members in order; a key may stand twice.
    Object(Vec<Member>),
}

/// A member of a JSON object.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// The decoded key.
    pub key: Arc<str>,
    /// The key with its quotes.
    pub key_span: Span,
    /// The value.
    pub value: Node,
}

/// Why a text is not JSON, in the words of `encoding/json`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// Byte offset of the character that is named, or the end of the text.
    pub offset: usize,
    /// The text of Go's `SyntaxError`.
    pub message: String,
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

/// Parses a JSON text.
///
/// # Errors
///
/// The first syntax error, with Go's text; or nesting beyond [`DEPTH_LIMIT`].
pub fn parse(text: &str) -> Result<Node, Error> {
    let mut parser = Parser { text, bytes: text.as_bytes(), at: 0, depth: 0 };
    parser.space();
    let node = parser.value("beginning of value")?;
    parser.space();
    if parser.at < parser.bytes.len() {
        return Err(parser.unexpected("after top-level value"));
    }
    Ok(node)
}

struct Parser<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    depth: usize,
}

impl Parser<'_> {
    fn space(&mut self) {
        while matches!(self.bytes.get(self.at), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    fn error(&self, message: impl Into<String>) -> Error {
        Error { offset: self.at, message: message.into() }
    }

    /// The error for the character that stands here.
    fn unexpected(&self, context: &str) -> Error {
        match self.bytes.get(self.at) {
            None => self.error("unexpected end of JSON input"),
            Some(b'\'') => self.error(format!(r"invalid character '\'' {context}")),
            Some(b'"') => self.error(format!("invalid character '\"' {context}")),
            Some(_) => {
                let c = self.text[self.at..].chars().next().unwrap_or(char::REPLACEMENT_CHARACTER);
                let quoted = go::quote(c.encode_utf8(&mut [0; 4]).as_bytes());
                let inner = &quoted[1..quoted.len() - 1];
                self.error(format!("invalid character '{inner}' {context}"))
            }
        }
    }

    fn value(&mut self, expected: &str) -> Result<Node, Error> {
        let start = self.at;
        let kind = match self.bytes.get(self.at) {
            Some(b'{') => self.object()?,
            Some(b'[') => self.array()?,
            Some(b'"') => Kind::String(self.string()?),
            Some(b't') => self.word("true", Kind::Bool(true))?,
            Some(b'f') => self.word("false", Kind::Bool(false))?,
            Some(b'n') => self.word("null", Kind::Null)?,
            Some(b'-' | b'0'..=b'9') => self.number()?,
            _ => return Err(self.unexpected(&format!("looking for {expected}"))),
        };
        Ok(Node { span: Span::new(start, self.at), kind })
    }

    fn word(&mut self, word: &'static str, kind: Kind) -> Result<Kind, Error> {
        for (i, expected) in word.bytes().enumerate() {
            if self.bytes.get(self.at) != Some(&expected) {
                return Err(self.unexpected(&format!("in literal {word} (expecting '{}')", &word[i..=i])));
            }
            self.at += 1;
        }
        Ok(kind)
    }

    fn number(&mut self) -> Result<Kind, Error> {
        let start = self.at;
        if self.bytes[self.at] == b'-' {
            self.at += 1;
            if !matches!(self.bytes.get(self.at), Some(b'0'..=b'9')) {
                return Err(self.unexpected("in numeric literal"));
            }
        }
        if self.bytes[self.at] == b'0' {
            self.at += 1;
        } else {
            self.digits();
        }
        if self.bytes.get(self.at) == Some(&b'.') {
            self.at += 1;
            if !matches!(self.bytes.get(self.at), Some(b'0'..=b'9')) {
                return Err(self.unexpected("in numeric literal"));
            }
            self.digits();
        }
        if matches!(self.bytes.get(self.at), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.bytes.get(self.at), Some(b'+' | b'-')) {
                self.at += 1;
            }
            if !matches!(self.bytes.get(self.at), Some(b'0'..=b'9')) {
                return Err(self.unexpected("in numeric literal"));
            }
            self.digits();
        }
        Ok(Kind::Number(self.text[start..self.at].into()))
    }

    fn digits(&mut self) {
        while matches!(self.bytes.get(self.at), Some(b'0'..=b'9')) {
            self.at += 1;
        }
    }

    /// The error for the escape that begins at the last backslash: its two bytes, or the six of a `\\u`. Go counts
    /// bytes here, and may cut a character.
    fn bad_escape(&self) -> Error {
        let start = self.text[..self.at].rfind('\\').unwrap_or(self.at);
        let rest = &self.bytes[start..];
        let wanted = if rest.starts_with(b"\\u") { 6 } else { 2 };
        let sequence = &rest[..rest.len().min(wanted)];
        let goes_on = sequence.len() < 2 || sequence[2..].iter().all(u8::is_ascii_hexdigit);
        if sequence.len() < wanted && goes_on {
            return Error { offset: self.text.len(), message: "unexpected end of JSON input".to_owned() };
        }
        let plain = |c: char| c != '`' && c != ' ' && c != char::REPLACEMENT_CHARACTER && go::is_print(c);
        let shown = match std::str::from_utf8(sequence) {
            Ok(sequence) if sequence.chars().all(plain) => format!("`{sequence}`"),
            _ => go::quote(sequence),
        };
        Error { offset: start, message: format!("invalid escape sequence {shown} in string") }
    }

    fn hex4(&mut self) -> Result<u32, Error> {
        let mut value = 0;
        for _ in 0..4 {
            let digit = self.bytes.get(self.at).and_then(|b| char::from(*b).to_digit(16));
            let Some(digit) = digit else {
                return Err(self.bad_escape());
            };
            value = value * 16 + digit;
            self.at += 1;
        }
        Ok(value)
    }

    fn string(&mut self) -> Result<Arc<str>, Error> {
        self.at += 1;
        let start = self.at;
        // Most strings have no escape: one copy of the text is enough.
        loop {
            match self.bytes.get(self.at) {
                Some(b'"') => {
                    let text = &self.text[start..self.at];
                    self.at += 1;
                    return Ok(text.into());
                }
                Some(b'\\') => break,
                Some(0..0x20) | None => return Err(self.unexpected("in string")),
                Some(_) => self.at += 1,
            }
        }
        let mut out = String::from(&self.text[start..self.at]);
        loop {
            let run = self.at;
            while matches!(self.bytes.get(self.at), Some(&b) if b >= 0x20 && b != b'"' && b != b'\\') {
                self.at += 1;
            }
            out.push_str(&self.text[run..self.at]);
            match self.bytes.get(self.at) {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(out.into());
                }
                Some(b'\\') => {
                    self.at += 1;
                    self.escape(&mut out)?;
                }
                _ => return Err(self.unexpected("in string")),
            }
        }
    }

    fn escape(&mut self, out: &mut String) -> Result<(), Error> {
        let c = match self.bytes.get(self.at) {
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(&b @ (b'\\' | b'/' | b'"')) => char::from(b),
            Some(b'u') => {
                self.at += 1;
                let first = self.hex4()?;
                // A surrogate pair is one character; a lone half becomes U+FFFD, as in Go.
                if (0xD800..0xDC00).contains(&first)
                    && self.bytes[self.at..].starts_with(b"\\u")
                    && let mark = self.at
                {
                    self.at += 2;
                    let second = self.hex4()?;
                    if (0xDC00..0xE000).contains(&second) {
                        let code = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
                        out.push(char::from_u32(code).unwrap_or('\u{FFFD}'));
                        return Ok(());
                    }
                    self.at = mark;
                }
                out.push(char::from_u32(first).unwrap_or('\u{FFFD}'));
                return Ok(());
            }
            _ => return Err(self.bad_escape()),
        };
        out.push(c);
        self.at += 1;
        Ok(())
    }

    fn enter(&mut self) -> Result<(), Error> {
        self.depth += 1;
        if self.depth > DEPTH_LIMIT {
            return Err(
                self.error(format!("nested deeper than {DEPTH_LIMIT} levels (a limit of convoy-lsp)"))
            );
        }
        self.at += 1;
        self.space();
        Ok(())
    }

    fn array(&mut self) -> Result<Kind, Error> {
        self.enter()?;
        let mut items = Vec::new();
        if self.bytes.get(self.at) == Some(&b']') {
            self.at += 1;
            self.depth -= 1;
            return Ok(Kind::Array(items));
        }
        loop {
            self.space();
            items.push(self.value("beginning of value")?);
            self.space();
            match self.bytes.get(self.at) {
                Some(b',') => self.at += 1,
                Some(b']') => break,
                _ => return Err(self.unexpected("after array element")),
            }
        }
        self.at += 1;
        self.depth -= 1;
        Ok(Kind::Array(items))
    }

    fn object(&mut self) -> Result<Kind, Error> {
        self.enter()?;
        let mut members = Vec::new();
        if self.bytes.get(self.at) == Some(&b'}') {
            self.at += 1;
            self.depth -= 1;
            return Ok(Kind::Object(members));
        }
        loop {
            self.space();
            let start = self.at;
            if self.bytes.get(self.at) != Some(&b'"') {
                return Err(self.unexpected("looking for beginning of object key string"));
            }
            let key = self.string()?;
            let key_span = Span::new(start, self.at);
            self.space();
            if self.bytes.get(self.at) != Some(&b':') {
                return Err(self.unexpected("after object key"));
            }
            self.at += 1;
            self.space();
            let value = self.value("beginning of value")?;
            members.push(Member { key, key_span, value });
            self.space();
            match self.bytes.get(self.at) {
                Some(b',') => self.at += 1,
                Some(b'}') => break,
                _ => return Err(self.unexpected("after object key:value pair")),
            }
        }
        self.at += 1;
        self.depth -= 1;
        Ok(Kind::Object(members))
    }
}

/// A JSON number as Kubernetes decodes it: `int64` where it is one, else `float64`.
pub fn number(text: &str) -> Value {
    text.parse::<i64>().map_or_else(|_| Value::Float(text.parse().unwrap_or(f64::NAN)), Value::Int)
}

impl Node {
    /// The last member with this key, as Go decodes it.
    pub fn get(&self, key: &str) -> Option<&Node> {
        match &self.kind {
            Kind::Object(members) => members.iter().rev().find(|m| &*m.key == key).map(|m| &m.value),
            _ => None,
        }
    }

    /// The value without spans; of a key that stands twice, the last one counts.
    pub fn to_value(&self) -> Value {
        match &self.kind {
            Kind::Null => Value::Null,
            Kind::Bool(b) => Value::Bool(*b),
            Kind::Number(text) => number(text),
            Kind::String(text) => Value::String(text.clone()),
            Kind::Array(items) => Value::list(items.iter().map(Node::to_value)),
            Kind::Object(members) => {
                let mut map = Map::new();
                for member in members {
                    map.insert(member.key.clone(), member.value.to_value());
                }
                Value::Map(Arc::new(map))
            }
        }
    }
}

/// How [`write()`] orders the keys of maps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyOrder {
    /// As they stand in the map.
    Kept,
    /// By bytes, as `encoding/json` does.
    Sorted,
}

/// Writes a value as `encoding/json` does: no spaces, `<`, `>` and `&` escaped.
///
/// # Errors
///
/// Go's text for NaN and the infinities, which have no JSON.
pub fn write(value: &Value, order: KeyOrder) -> Result<String, String> {
    let mut out = String::new();
    write_to(&mut out, value, order)?;
    Ok(out)
}

fn write_to(out: &mut String, value: &Value, order: KeyOrder) -> Result<(), String> {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
        Value::Int(i) => {
            let _ = write!(out, "{i}");
        }
        Value::Uint(u) => {
            let _ = write!(out, "{u}");
        }
        Value::Float(f) if f.is_finite() => out.push_str(&go::json_float(*f)),
        Value::Float(f) => {
            return Err(format!("json: unsupported value: {}", go::format_float(*f, 'g', None, 64)));
        }
        Value::String(text) => write_string(out, text),
        Value::Bytes(bytes) => write_string(out, &String::from_utf8_lossy(bytes)),
        Value::List(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                write_to(out, item, order)?;
            }
            out.push(']');
        }
        Value::Map(map) | Value::StringMap(map) => {
            let mut entries: Vec<_> = map.iter().collect();
            if order == KeyOrder::Sorted {
                entries.sort_by(|a, b| a.0.cmp(b.0));
            }
            out.push('{');
            for (i, (key, value)) in entries.into_iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                write_string(out, key);
                out.push(':');
                write_to(out, value, order)?;
            }
            out.push('}');
        }
    }
    Ok(())
}

/// What stands for a character inside a JSON string of `encoding/json`, where it is not the character itself.
fn escape_of(c: char) -> Option<String> {
    Some(match c {
        '"' => "\\\"".to_owned(),
        '\\' => "\\\\".to_owned(),
        '\u{8}' => "\\b".to_owned(),
        '\u{c}' => "\\f".to_owned(),
        '\n' => "\\n".to_owned(),
        '\r' => "\\r".to_owned(),
        '\t' => "\\t".to_owned(),
        '\0'..'\u{20}' => format!("\\u{:04x}", c as u32),
        c => return html_escape(c),
    })
}

/// What stands for a character that `json.HTMLEscape` replaces, also in a text that is JSON already.
pub fn html_escape(c: char) -> Option<String> {
    matches!(c, '<' | '>' | '&' | '\u{2028}' | '\u{2029}').then(|| format!("\\u{:04x}", c as u32))
}

/// Writes one JSON string with its quotes.
pub fn write_string(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match escape_of(c) {
            Some(escape) => out.push_str(&escape),
            None => out.push(c),
        }
    }
    out.push('"');
}

/// Writes one JSON string and records where each part of it comes from: `map` maps `text` to the document, and
/// `whole` is the scalar with its quotes.
pub fn write_mapped_string(
    out: &mut String,
    builder: &mut ContentMapBuilder,
    text: &str,
    map: &ContentMap,
    whole: Span,
) {
    out.push('"');
    builder.replaced(Span::empty(whole.start), 1);
    for (i, c) in text.char_indices() {
        let span = map.span_to_document(Span::new(i, i + c.len_utf8()));
        if let Some(escape) = escape_of(c) {
            out.push_str(&escape);
            builder.replaced(span, escape.len());
        } else {
            out.push(c);
            if span.len() == c.len_utf8() {
                builder.verbatim(span.start, c.len_utf8());
            } else {
                builder.replaced(span, c.len_utf8());
            }
        }
    }
    out.push('"');
    builder.replaced(Span::empty(whole.end), 1);
}

#[cfg(test)]
mod tests {
    use super::*;

    // Expected texts: encoding/json of Go.
    #[test]
    fn errors_in_the_words_of_go() {
        let error = |text: &str| parse(text).unwrap_err().message;
        assert_eq!(error(""), "unexpected end of JSON input");
        assert_eq!(error("{\"a\":\"b\"h"), "invalid character 'h' after object key:value pair");
        assert_eq!(error("[1 2]"), "invalid character '2' after array element");
        assert_eq!(error("[01]"), "invalid character '1' after array element");
        assert_eq!(error("nul"), "unexpected end of JSON input");
        assert_eq!(error("nulx"), "invalid character 'x' in literal null (expecting 'l')");
        assert_eq!(error("{'a'}"), r"invalid character '\'' looking for beginning of object key string");
        assert_eq!(error("\"a\nb\""), r"invalid character '\n' in string");
        assert_eq!(error(r#""\x""#), r"invalid escape sequence `\x` in string");
        assert_eq!(error("1.x"), "invalid character 'x' in numeric literal");
        assert_eq!(error("1 1"), "invalid character '1' after top-level value");
        assert_eq!(error("[1,]"), "invalid character ']' looking for beginning of value");
    }

    #[test]
    fn spans_escapes_and_numbers() {
        let text = r#" {"a\u00e9": [1, 1.0, 18446744073709551615], "b": "\ud83d\ude00\ud83d"}"#;
        let node = parse(text).unwrap();
        let list = node.get("aé").unwrap();
        assert_eq!(list.span.text(text), "[1, 1.0, 18446744073709551615]");
        assert_eq!(
            list.to_value(),
            Value::list([Value::Int(1), Value::Float(1.0), Value::Float(18_446_744_073_709_551_615.0)])
        );
        assert_eq!(node.get("b").unwrap().to_value(), Value::from("\u{1F600}\u{FFFD}"));
    }

    #[test]
    fn written_as_go_writes_it() {
        let value = Value::map([("b", Value::from("<&>\u{2028}\u{1}")), ("a", Value::Float(1e21))]);
        assert_eq!(
            write(&value, KeyOrder::Sorted).unwrap(),
            r#"{"a":1e+21,"b":"\u003c\u0026\u003e\u2028\u0001"}"#
        );
        assert_eq!(
            write(&Value::Float(f64::NAN), KeyOrder::Kept).unwrap_err(),
            "json: unsupported value: NaN"
        );
    }

    #[test]
    fn depth_is_limited() {
        let deep = "[".repeat(100_000);
        assert_eq!(
            parse(&deep).unwrap_err().message,
            "nested deeper than 400 levels (a limit of convoy-lsp)"
        );
    }
}
