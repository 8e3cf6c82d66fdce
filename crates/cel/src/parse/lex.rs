//! Text to tokens: one at a time, since errors of the lexer and the parser are told in the order in which they are
//! found.

use super::token::{Kind, Token};

/// What stands at a place.
#[derive(Debug)]
pub(super) enum Lexeme {
    /// A token.
    Token(Token),
    /// Bytes that are no token: from where the attempt began to the character at which it failed, with it.
    Unknown {
        /// Where the attempt began.
        start: u32,
        /// The byte behind the character at which it failed.
        end: u32,
    },
}

/// The state of the lexer.
#[derive(Debug)]
pub(super) struct Lexer<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Lexer<'t> {
    /// The lexer at the start of a text.
    pub(super) fn new(text: &'t str) -> Lexer<'t> {
        Lexer { text, at: 0 }
    }

    /// The byte at an offset; 0 behind the end (a NUL in the text begins no token either).
    fn byte(&self, at: usize) -> u8 {
        self.text.as_bytes().get(at).copied().unwrap_or(0)
    }

    /// The first offset from `at` whose byte is not of a class.
    fn run(&self, at: usize, class: impl Fn(u8) -> bool) -> usize {
        let bytes = self.text.as_bytes().get(at..).unwrap_or_default();
        at + bytes.iter().position(|byte| !class(*byte)).unwrap_or(bytes.len())
    }

    /// The offset behind the character at an offset.
    fn behind(&self, at: usize) -> usize {
        at + self.text.get(at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8)
    }

    /// The next token or error. Behind the end there is [`Kind::End`] again and again.
    pub(super) fn next(&mut self) -> Lexeme {
        self.skip_space();
        let start = self.at;
        let (kind, end) = match self.scan(start) {
            Ok(found) => found,
            Err(failed) => {
                self.at = self.behind(failed);
                return Lexeme::Unknown { start: start as u32, end: self.at as u32 };
            }
        };
        self.at = end;
        Lexeme::Token(Token { kind, start: start as u32, end: end as u32 })
    }

    fn skip_space(&mut self) {
        loop {
            self.at = self.run(self.at, |byte| matches!(byte, b'\t' | b' ' | b'\r' | b'\n' | 0x0C));
            if self.byte(self.at) != b'/' || self.byte(self.at + 1) != b'/' {
                return;
            }
            self.at = self.run(self.at, |byte| byte != b'\n');
        }
    }

    /// The longest token at an offset, or the offset of the character that fits no token.
    fn scan(&self, start: usize) -> Result<(Kind, usize), usize> {
        let Some(first) = self.text.as_bytes().get(start).copied() else {
            return Ok((Kind::End, start));
        };
        let second = self.byte(start + 1);
        let one = |kind| Ok((kind, start + 1));
        let two = |kind| Ok((kind, start + 2));
        match first {
            b'A'..=b'Z' | b'a'..=b'z' | b'_' => Ok(self.word(start)),
            b'0'..=b'9' => Ok(self.number(start)),
            b'.' if second.is_ascii_digit() => {
                Ok((Kind::Float, self.exponent(self.run(start + 1, |byte| byte.is_ascii_digit()))))
            }
            b'"' | b'\'' => self.string(start, false).map(|end| (Kind::String, end)),
            b'`' => self.escaped(start),
            b'(' => one(Kind::OpenParen),
            b')' => one(Kind::CloseParen),
            b'[' => one(Kind::OpenBracket),
            b']' => one(Kind::CloseBracket),
            b'{' => one(Kind::OpenBrace),
            b'}' => one(Kind::CloseBrace),
            b'.' => one(Kind::Dot),
            b',' => one(Kind::Comma),
            b'-' => one(Kind::Minus),
            b'?' => one(Kind::Question),
            b':' => one(Kind::Colon),
            b'+' => one(Kind::Plus),
            b'*' => one(Kind::Star),
            b'/' => one(Kind::Slash),
            b'%' => one(Kind::Percent),
            b'=' if second == b'=' => two(Kind::Equals),
            b'&' if second == b'&' => two(Kind::And),
            b'|' if second == b'|' => two(Kind::Or),
            b'=' | b'&' | b'|' => Err(start + 1),
            b'!' if second == b'=' => two(Kind::NotEquals),
            b'!' => one(Kind::Not),
            b'<' if second == b'=' => two(Kind::LessEquals),
            b'<' => one(Kind::Less),
            b'>' if second == b'=' => two(Kind::GreaterEquals),
            b'>' => one(Kind::Greater),
            _ => Err(start),
        }
    }

    /// A name, a keyword, or a string with a prefix.
    fn word(&self, start: usize) -> (Kind, usize) {
        let end = self.run(start, |byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let word = self.text.get(start..end).unwrap_or_default();
        let prefix = match word {
            "r" | "R" => Some((Kind::String, true)),
            "b" | "B" => Some((Kind::Bytes, false)),
            "br" | "bR" | "Br" | "BR" => Some((Kind::Bytes, true)),
            "in" => return (Kind::In, end),
            "true" => return (Kind::True, end),
            "false" => return (Kind::False, end),
            "null" => return (Kind::Null, end),
            _ => None,
        };
        if let Some((kind, raw)) = prefix
            && matches!(self.byte(end), b'"' | b'\'')
            && let Ok(end) = self.string(end, raw)
        {
            return (kind, end);
        }
        (Kind::Ident, end)
    }

    fn number(&self, start: usize) -> (Kind, usize) {
        let digits = |at| self.run(at, |byte: u8| byte.is_ascii_digit());
        let unsigned = |kind, end| match self.byte(end) {
            b'u' | b'U' => (Kind::Uint, end + 1),
            _ => (kind, end),
        };
        if self.byte(start) == b'0' && self.byte(start + 1) == b'x' {
            let end = self.run(start + 2, |byte| byte.is_ascii_hexdigit());
            if end > start + 2 {
                return unsigned(Kind::Int, end);
            }
        }
        let whole = digits(start);
        if self.byte(whole) == b'.' && self.byte(whole + 1).is_ascii_digit() {
            return (Kind::Float, self.exponent(digits(whole + 1)));
        }
        let end = self.exponent(whole);
        if end > whole { (Kind::Float, end) } else { unsigned(Kind::Int, whole) }
    }

    /// The end of the exponent at an offset, or the offset if there is none.
    fn exponent(&self, at: usize) -> usize {
        if !matches!(self.byte(at), b'e' | b'E') {
            return at;
        }
        let digits = if matches!(self.byte(at + 1), b'+' | b'-') { at + 2 } else { at + 1 };
        let end = self.run(digits, |byte| byte.is_ascii_digit());
        if end > digits { end } else { at }
    }

    fn escaped(&self, start: usize) -> Result<(Kind, usize), usize> {
        let end = self.run(start + 1, |byte| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-' | b'/' | b' ')
        });
        if self.byte(end) == b'`' && end > start + 1 { Ok((Kind::EscapedIdent, end + 1)) } else { Err(end) }
    }

    /// The end of the string whose first quote is at an offset, or where it fails.
    fn string(&self, open: usize, raw: bool) -> Result<usize, usize> {
        let quote = self.byte(open);
        if self.byte(open + 1) != quote {
            return self.quoted(open + 1, quote, raw, false);
        }
        // Two quotes are an empty string, unless a third opens a long string that has an end.
        if self.byte(open + 2) == quote
            && let Ok(end) = self.quoted(open + 3, quote, raw, true)
        {
            return Ok(end);
        }
        Ok(open + 2)
    }

    /// The end of a string from behind its opening quotes.
    fn quoted(&self, from: usize, quote: u8, raw: bool, long: bool) -> Result<usize, usize> {
        let mut at = from;
        loop {
            at = self
                .run(at, |byte| byte != quote && byte != b'\\' && (long || !matches!(byte, b'\n' | b'\r')));
            match self.text.as_bytes().get(at).copied() {
                Some(byte) if byte == quote => {
                    if !long {
                        return Ok(at + 1);
                    }
                    if self.byte(at + 1) == quote && self.byte(at + 2) == quote {
                        return Ok(at + 3);
                    }
                    at += 1;
                }
                Some(b'\\') if raw => at += 1,
                Some(b'\\') => at = self.escape(at + 1)?,
                _ => return Err(at),
            }
        }
    }

    /// The end of an escape sequence from behind its backslash.
    fn escape(&self, at: usize) -> Result<usize, usize> {
        let exactly = |count: usize, class: fn(u8) -> bool| {
            let end = self.run(at + 1, class).min(at + 1 + count);
            if end == at + 1 + count { Ok(end) } else { Err(end) }
        };
        match self.byte(at) {
            b'a' | b'b' | b'f' | b'n' | b'r' | b't' | b'v' | b'"' | b'\'' | b'\\' | b'?' | b'`' => Ok(at + 1),
            b'x' | b'X' => exactly(2, |byte| byte.is_ascii_hexdigit()),
            b'u' => exactly(4, |byte| byte.is_ascii_hexdigit()),
            b'U' => exactly(8, |byte| byte.is_ascii_hexdigit()),
            b'0'..=b'3' => exactly(2, |byte| matches!(byte, b'0'..=b'7')),
            _ => Err(at),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tokens of a text; what is none is in angle brackets.
    fn tokens(text: &str) -> Vec<String> {
        let mut lexer = Lexer::new(text);
        let mut out = Vec::new();
        loop {
            match lexer.next() {
                Lexeme::Token(Token { kind: Kind::End, .. }) => return out,
                Lexeme::Token(token) => {
                    let text = &text[token.start as usize..token.end as usize];
                    out.push(format!("{:?} {text}", token.kind));
                }
                Lexeme::Unknown { start, end } => {
                    out.push(format!("<{}>", &text[start as usize..end as usize]));
                }
            }
        }
    }

    #[test]
    fn the_longest_token_counts() {
        assert_eq!(tokens("1.e5 .5e+3x"), ["Int 1", "Dot .", "Ident e5", "Float .5e+3", "Ident x"]);
        let numbers = ["Uint 0x1Fu", "Int 0", "Ident xg", "Int 1", "Ident e", "Uint 1u"];
        assert_eq!(tokens("0x1Fu 0xg 1e 1u"), numbers);
        assert_eq!(tokens("in inn !=! <="), ["In in", "Ident inn", "NotEquals !=", "Not !", "LessEquals <="]);
        let strings = ["String ''", "String '''a'b'''", r"String r'\'", r"Bytes b'\xff'"];
        assert_eq!(tokens(r"'' '''a'b''' r'\' b'\xff'"), strings);
        assert_eq!(tokens("`a b` // c\n+"), ["EscapedIdent `a b`", "Plus +"]);
    }

    #[test]
    fn what_is_no_token_ends_with_the_character_that_does_not_fit() {
        assert_eq!(tokens("a &b"), ["Ident a", "<&b>"]);
        assert_eq!(tokens("'a\nb"), ["<'a\n>", "Ident b"]);
        assert_eq!(tokens(r"'a\qb"), [r"<'a\q>", "Ident b"]);
        assert_eq!(tokens("'''a"), ["String ''", "<'a>"]);
        assert_eq!(tokens("r'a"), ["Ident r", "<'a>"]);
        assert_eq!(tokens("``é"), ["<``>", "<é>"]);
    }
}
