//! JSON Pointers (RFC 6901): what is wrong with one, and its parts with their places.

use convoy_text::Span;

/// One reference token of a pointer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// The key or index, `~1` and `~0` decoded.
    pub key: String,
    /// Its bytes in the pointer, without the `/`.
    pub span: Span,
}

/// Why a text is not a JSON Pointer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It does not begin with `/`.
    NoLeadingSlash,
    /// A `~` that neither `0` nor `1` follows.
    BadEscape(Span),
    /// `\/`, which escapes a slash in other languages.
    Backslash(Span),
}

/// The tokens of a pointer. Text before the first `/` is left out, as the library does.
pub fn tokens(pointer: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let Some(mut at) = pointer.find('/') else { return tokens };
    while at < pointer.len() {
        let start = at + 1;
        let end = pointer[start..].find('/').map_or(pointer.len(), |i| start + i);
        tokens.push(Token { key: decode(&pointer[start..end]), span: Span::new(start, end) });
        at = end;
    }
    tokens
}

/// `~1` to `/` and `~0` to `~`, from left to right.
pub fn decode(token: &str) -> String {
    let mut out = String::with_capacity(token.len());
    let mut rest = token;
    while let Some(at) = rest.find('~') {
        out.push_str(&rest[..at]);
        let (decoded, len) = match rest.as_bytes().get(at + 1) {
            Some(b'1') => ("/", 2),
            Some(b'0') => ("~", 2),
            _ => ("~", 1),
        };
        out.push_str(decoded);
        rest = &rest[at + len..];
    }
    out + rest
}

/// A key as a token: `~` to `~0` and `/` to `~1`.
pub fn escape(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// The first fault of a pointer. The empty pointer is the whole document, and no fault.
pub fn fault(pointer: &str) -> Option<Fault> {
    if pointer.is_empty() {
        return None;
    }
    if !pointer.starts_with('/') {
        return Some(Fault::NoLeadingSlash);
    }
    if let Some(at) = pointer.find("\\/") {
        return Some(Fault::Backslash(Span::new(at, at + 2)));
    }
    let bytes = pointer.as_bytes();
    let bad =
        (0..bytes.len()).find(|&i| bytes[i] == b'~' && !matches!(bytes.get(i + 1), Some(b'0' | b'1')))?;
    Some(Fault::BadEscape(Span::new(bad, bad + 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    // RFC 6901, section 5.
    #[test]
    fn tokens_and_escapes() {
        let keys = |p: &str| tokens(p).into_iter().map(|t| t.key).collect::<Vec<_>>();
        assert_eq!(keys("/foo/0"), ["foo", "0"]);
        assert_eq!(keys("/a~1b/m~0n/~01"), ["a/b", "m~n", "~1"]);
        assert_eq!(keys("/"), [""]);
        assert_eq!(keys(""), Vec::<String>::new());
        assert_eq!(escape("a/b~c"), "a~1b~0c");
        let text = "/ab/c~1d";
        assert_eq!(tokens(text)[1].span.text(text), "c~1d");
    }

    #[test]
    fn faults() {
        assert_eq!(fault("spec/replicas"), Some(Fault::NoLeadingSlash));
        assert_eq!(fault("/a~2"), Some(Fault::BadEscape(Span::new(2, 3))));
        assert_eq!(fault("/a~"), Some(Fault::BadEscape(Span::new(2, 3))));
        assert_eq!(fault("/a\\/b"), Some(Fault::Backslash(Span::new(2, 4))));
        assert_eq!(fault("/a~1b~0"), None);
        assert_eq!(fault(""), None);
    }
}
