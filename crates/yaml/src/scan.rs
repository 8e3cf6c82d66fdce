//! From characters to tokens, with the rules and the refusals of libyaml as go-yaml has them.
//!
//! The scanner stops at the first error; recovery is not its business.

mod tags;

use convoy_text::Span;

use crate::chars::{
    at as byte_at, break_before, document_indicator, first_refused, is_alpha, is_break, run, space_run,
};
use crate::error::{Class, Fallible, Mark, SyntaxError};
use crate::scalar::{Cursor, TextSink};
use crate::store::Scalar;
use crate::token::{Queue, Token, TokenKind};
use crate::tree::Style;
use crate::value::Flavour;

/// go-yaml's limit on nested flow collections and on nested block collections.
const MAX_DEPTH: usize = 10_000;
/// A simple key must have its `:` within this many characters.
const MAX_SIMPLE_KEY: usize = 1024;
/// The reader decodes this many bytes at a time and refuses a bad character before the scanner sees any
/// character of the same block.
const READER_BLOCK: usize = 512;
/// Version 3 looks for a comment within this many characters.
const COMMENT_WINDOW: usize = 512;

#[derive(Clone, Copy)]
struct SimpleKey {
    possible: bool,
    required: bool,
    /// Whether the head of the queue still knows of the key. go-yaml forgets it when an empty flow collection,
    /// `[]` or `{}`, ends, so that such a collection is never a key.
    listed: bool,
    token_number: usize,
    mark: Mark,
}

pub(crate) struct Scanner<'a> {
    source: &'a str,
    flavour: Flavour,
    /// How many tokens go-yaml wants in the queue before it looks at the first: version 3 looks for comments there, and
    /// so meets some errors earlier than version 2.
    lookahead: usize,
    /// The stream begins with two byte order marks. go-yaml looks for the second at the start of its buffer instead of
    /// where it stands, and so skips a character at the start of each line until it fills the buffer anew.
    second_mark: bool,
    cursor: Cursor<'a>,
    /// Set where a later character is refused by the reader; the cursor's bytes end at the block before it.
    reader_error: Option<SyntaxError>,
    tokens: Queue,
    pub(crate) tokens_parsed: usize,
    stream_ended: bool,
    indent: i32,
    indents: Vec<i32>,
    simple_key_allowed: bool,
    simple_keys: Vec<SimpleKey>,
    pub(crate) comments: Vec<Span>,
    /// The texts of tags and their directives, which tokens only name, so that these are copied and not cloned.
    pairs: Vec<(Box<str>, Box<str>)>,
    /// The texts of scalars that had to be decoded, one behind the other.
    pub(crate) decoded: String,
    /// The last scalar that was scanned, for recovery.
    pub(crate) last_scalar: Option<(Span, Style)>,
    /// The last quoted scalar that ran over several lines, for recovery.
    pub(crate) last_long_quote: Option<Span>,
}

impl<'a> Scanner<'a> {
    /// A scanner of `source`, the part of a stream that begins at `start`.
    pub(crate) fn new(source: &'a str, flavour: Flavour, start: Mark, end: usize, decoded: String) -> Self {
        let mut scanner = Scanner {
            source,
            flavour,
            lookahead: if flavour == Flavour::V3 { 3 } else { 1 },
            second_mark: source.starts_with("\u{FEFF}\u{FEFF}"),
            cursor: Cursor { bytes: &source.as_bytes()[..end], mark: start },
            reader_error: None,
            tokens: Queue::default(),
            tokens_parsed: 0,
            stream_ended: false,
            indent: -1,
            indents: Vec::new(),
            simple_key_allowed: true,
            simple_keys: vec![SimpleKey {
                possible: false,
                required: false,
                listed: true,
                token_number: 0,
                mark: start,
            }],
            comments: Vec::new(),
            pairs: Vec::new(),
            decoded,
            last_scalar: None,
            last_long_quote: None,
        };
        if start.offset == 0 && source.starts_with('\u{FEFF}') {
            scanner.cursor.mark.offset = '\u{FEFF}'.len_utf8();
        }
        if let Some((i, c)) = first_refused(&source[start.offset..end]) {
            let at = start.offset + i;
            scanner.reader_error = Some(SyntaxError::unplaced(
                Class::Reader,
                "control characters are not allowed".into(),
                Span::new(at, at + c.len_utf8()),
            ));
            let mut limit = (at / READER_BLOCK * READER_BLOCK).max(scanner.cursor.mark.offset);
            while !source.is_char_boundary(limit) {
                limit -= 1;
            }
            scanner.cursor.bytes = &source.as_bytes()[..limit];
        }
        scanner
    }

    fn error<T>(&self, problem: impl Into<String>, context: Mark, class: Class) -> Fallible<T> {
        Err(SyntaxError::new(class, problem.into(), self.cursor.mark, Some(context)).into())
    }

    /// Where the scanner stands.
    pub(crate) fn offset(&self) -> usize {
        self.cursor.mark.offset
    }

    /// The next token, which stays in the queue.
    #[inline]
    pub(crate) fn peek(&mut self) -> Fallible<&Token> {
        // Mostly the token is there, outside of flow collections, and no key.
        let known = match &self.simple_keys[..] {
            [key] => !key.possible || key.token_number != self.tokens_parsed,
            _ => false,
        };
        if self.tokens.len() < self.lookahead || !known {
            self.fetch_more()?;
        }
        Ok(self.tokens.front().expect("fetch_more leaves a token in the queue"))
    }

    /// Takes the token that was peeked at.
    #[inline]
    pub(crate) fn take(&mut self) -> Token {
        self.tokens_parsed += 1;
        self.tokens.pop().expect("the token was peeked at")
    }

    /// The two parts of a tag or of its directive.
    pub(crate) fn pair(&self, pair: u32) -> (&str, &str) {
        let (first, second) = &self.pairs[pair as usize];
        (first, second)
    }

    fn add_pair(&mut self, first: String, second: String) -> u32 {
        self.pairs.push((first.into(), second.into()));
        self.pairs.len() as u32 - 1
    }

    /// Fetches until the head of the queue can no longer turn out to be a key.
    #[inline(never)]
    fn fetch_more(&mut self) -> Fallible {
        if self.tokens.len() >= self.lookahead && !self.head_may_be_key()? {
            return Ok(());
        }
        while !self.stream_ended {
            let fetched = self.fetch_next();
            if let Some(error) = &self.reader_error {
                // go-yaml looks four characters ahead before each token, and within a scalar, a name or a tag as far ahead
                // again.
                let seen = match self.tokens.last() {
                    Some(token) if fetched.is_ok() && token.kind.is_indicator() => {
                        token.start.offset as usize
                    }
                    _ => self.cursor.mark.offset,
                };
                if seen + 4 > self.cursor.bytes.len() {
                    return Err(error.clone().into());
                }
            }
            fetched?;
            if self.tokens.len() >= self.lookahead && !self.head_may_be_key()? {
                break;
            }
        }
        Ok(())
    }

    #[inline]
    fn head_may_be_key(&mut self) -> Fallible<bool> {
        let number = self.tokens_parsed;
        if let [key] = &self.simple_keys[..] {
            // Outside of flow collections there is one key to ask, nearly always.
            return Ok(key.possible
                && key.listed
                && key.token_number == number
                && self.simple_key_is_valid(0)?);
        }
        // Token numbers never fall along the stack, so that the key of a token is found by bisection.
        let from = self.simple_keys.partition_point(|key| key.token_number < number);
        for i in from..self.simple_keys.len() {
            let key = self.simple_keys[i];
            if key.token_number != number {
                break;
            }
            if key.possible && key.listed {
                return self.simple_key_is_valid(i);
            }
        }
        Ok(false)
    }

    fn simple_key_is_valid(&mut self, i: usize) -> Fallible<bool> {
        let key = &self.simple_keys[i];
        if !key.possible {
            return Ok(false);
        }
        let mark = self.cursor.mark;
        if key.mark.line < mark.line || key.mark.index + MAX_SIMPLE_KEY < mark.index {
            if key.required {
                let context = key.mark;
                return self.error("could not find expected ':'", context, Class::SimpleKey);
            }
            self.simple_keys[i].possible = false;
            return Ok(false);
        }
        Ok(true)
    }

    fn next_token_number(&self) -> usize {
        self.tokens_parsed + self.tokens.len()
    }

    fn in_flow(&self) -> bool {
        self.simple_keys.len() > 1
    }

    fn save_simple_key(&mut self) -> Fallible {
        let mark = self.cursor.mark;
        let required = !self.in_flow() && self.indent == mark.column as i32;
        if self.simple_key_allowed {
            self.remove_simple_key()?;
            let token_number = self.next_token_number();
            *self.top_key() = SimpleKey { possible: true, required, listed: true, token_number, mark };
        }
        Ok(())
    }

    fn top_key(&mut self) -> &mut SimpleKey {
        self.simple_keys.last_mut().expect("the key of the block context is never popped")
    }

    fn remove_simple_key(&mut self) -> Fallible {
        let key = self.top_key();
        if key.possible && key.required {
            let context = key.mark;
            return self.error("could not find expected ':'", context, Class::SimpleKey);
        }
        key.possible = false;
        Ok(())
    }

    fn push(&mut self, kind: TokenKind, start: Mark) {
        let end = self.cursor.mark;
        self.tokens.push(Token { kind, start: start.into(), end: end.into() });
    }

    /// Opens a block collection where the column is deeper than the indentation.
    fn roll_indent(&mut self, mark: Mark, number: Option<usize>, kind: TokenKind) -> Fallible {
        let column = mark.column as i32;
        if self.in_flow() || self.indent >= column {
            return Ok(());
        }
        self.indents.push(self.indent);
        self.indent = column;
        if self.indents.len() > MAX_DEPTH {
            let context = self.top_key().mark;
            return self.error(format!("exceeded max depth of {MAX_DEPTH}"), context, Class::Other);
        }
        let token = Token { kind, start: mark.into(), end: mark.into() };
        match number {
            Some(number) => self.insert(number, token),
            None => self.tokens.push(token),
        }
        Ok(())
    }

    /// Inserts a token before the one with this number; at the end, as go-yaml does, if that one is gone.
    fn insert(&mut self, number: usize, token: Token) {
        match number.checked_sub(self.tokens_parsed) {
            Some(at) => self.tokens.insert(at, token),
            None => self.tokens.push(token),
        }
    }

    fn unroll_indent(&mut self, column: i32) {
        if self.in_flow() {
            return;
        }
        while self.indent > column {
            self.push(TokenKind::BlockEnd, self.cursor.mark);
            self.indent = self.indents.pop().unwrap_or(-1);
        }
    }

    fn fetch_next(&mut self) -> Fallible {
        self.skip_to_next_token();
        self.unroll_indent(self.cursor.mark.column as i32);
        let mark = self.cursor.mark;
        let c = self.cursor.peek(0);
        let indicator = || mark.column == 0 && document_indicator(self.cursor.bytes, mark.offset);
        let blank_follows = || self.cursor.is_blankz(1);
        match c {
            0 => return self.fetch_stream_end(),
            b'%' if mark.column == 0 => return self.fetch_directive(),
            b'-' if indicator() => return self.fetch_document_indicator(TokenKind::DocumentStart),
            b'.' if indicator() => return self.fetch_document_indicator(TokenKind::DocumentEnd),
            b'[' => self.fetch_flow_start(TokenKind::FlowSequenceStart),
            b'{' => self.fetch_flow_start(TokenKind::FlowMappingStart),
            b']' => self.fetch_flow_end(TokenKind::FlowSequenceEnd),
            b'}' => self.fetch_flow_end(TokenKind::FlowMappingEnd),
            b',' => {
                self.remove_simple_key()?;
                self.simple_key_allowed = true;
                self.cursor.skip();
                self.push(TokenKind::FlowEntry, mark);
                Ok(())
            }
            b'-' if blank_follows() => self.fetch_block_entry(),
            b'?' if self.in_flow() || blank_follows() => self.fetch_key(),
            b':' if self.in_flow() || blank_follows() => self.fetch_value(),
            b'*' => self.fetch_anchor(TokenKind::Alias),
            b'&' => self.fetch_anchor(TokenKind::Anchor),
            b'!' => self.fetch_tag(),
            b'|' if !self.in_flow() => self.fetch_block_scalar(Style::Literal),
            b'>' if !self.in_flow() => self.fetch_block_scalar(Style::Folded),
            b'\'' => self.fetch_quoted(Style::SingleQuoted),
            b'"' => self.fetch_quoted(Style::DoubleQuoted),
            _ if self.starts_plain(c) => self.fetch_plain(),
            _ => self.error("found character that cannot start any token", mark, Class::Other),
        }?;
        if self.flavour == Flavour::V3 {
            self.comment_of_line();
        }
        Ok(())
    }

    /// Version 3 takes the comment behind a token with it, whatever blanks stand between.
    fn comment_of_line(&mut self) {
        let bytes = self.cursor.bytes;
        let here = self.cursor.mark.offset;
        let blanks = run(bytes, here, |b| matches!(b, b' ' | b'\t'));
        let same_line = || {
            let before = bytes[..here].iter().rposition(|b| !matches!(b, b' ' | b'\t'));
            before.is_none_or(|i| !break_before(bytes, i + 1))
        };
        let is_entry = || self.tokens.last().is_some_and(|token| matches!(token.kind, TokenKind::BlockEntry));
        if blanks < COMMENT_WINDOW && byte_at(bytes, here + blanks) == b'#' && same_line() && !is_entry() {
            self.comments.extend(self.cursor.rest_of_line());
        }
    }

    /// Version 3 looks for the next comment behind one, over blanks and empty lines, and goes there if there is one.
    fn comments_below(&mut self) {
        loop {
            let bytes = self.cursor.bytes;
            let here = self.cursor.mark.offset;
            if byte_at(bytes, here) == 0 {
                return;
            }
            let gap = run(bytes, here + 1, |b| matches!(b, b' ' | b'\t' | b'\n' | b'\r'));
            if gap + 1 >= COMMENT_WINDOW || byte_at(bytes, here + 1 + gap) != b'#' {
                return;
            }
            while self.cursor.mark.offset <= here + gap {
                if !self.cursor.skip_line() {
                    self.cursor.skip();
                }
            }
            self.comments.extend(self.cursor.rest_of_line());
        }
    }

    fn starts_plain(&self, c: u8) -> bool {
        match c {
            b'-' => !matches!(self.cursor.peek(1), b' ' | b'\t'),
            b'?' | b':' => !self.in_flow() && !self.cursor.is_blankz(1),
            b',' | b'[' | b']' | b'{' | b'}' | b'#' | b'&' | b'*' | b'!' | b'|' | b'>' | b'\'' | b'"'
            | b'%' | b'@' | b'`' => false,
            _ => !self.cursor.is_blankz(0),
        }
    }

    fn skip_to_next_token(&mut self) {
        loop {
            if self.second_mark && self.cursor.mark.column == 0 && self.cursor.peek(0) != 0 {
                self.cursor.skip();
                self.second_mark = self.source.len() <= READER_BLOCK;
            }
            // Tabs are blanks only where no key may begin.
            let tabs = self.in_flow() || !self.simple_key_allowed;
            self.cursor.skip_ascii(space_run(self.cursor.bytes, self.cursor.mark.offset));
            if tabs && self.cursor.peek(0) == b'\t' {
                let blanks = run(self.cursor.bytes, self.cursor.mark.offset, |b| matches!(b, b' ' | b'\t'));
                self.cursor.skip_ascii(blanks);
            }
            if self.cursor.peek(0) == b'#' {
                self.comments.extend(self.cursor.rest_of_line());
                if self.flavour == Flavour::V3 {
                    self.comments_below();
                }
            }
            if !self.cursor.skip_line() {
                return;
            }
            if !self.in_flow() {
                self.simple_key_allowed = true;
            }
        }
    }

    fn fetch_stream_end(&mut self) -> Fallible {
        if self.cursor.mark.column != 0 {
            self.cursor.mark.column = 0;
            self.cursor.mark.line += 1;
        }
        self.unroll_indent(-1);
        self.remove_simple_key()?;
        self.simple_key_allowed = false;
        self.stream_ended = true;
        // As many as the look-ahead wants, so that it comes to look at the head of the queue.
        for _ in 0..self.lookahead {
            self.push(TokenKind::StreamEnd, self.cursor.mark);
        }
        Ok(())
    }

    fn fetch_document_indicator(&mut self, kind: TokenKind) -> Fallible {
        self.unroll_indent(-1);
        self.remove_simple_key()?;
        self.simple_key_allowed = false;
        let mark = self.cursor.mark;
        self.cursor.skip_ascii(3);
        self.push(kind, mark);
        Ok(())
    }

    fn fetch_flow_start(&mut self, kind: TokenKind) -> Fallible {
        self.save_simple_key()?;
        let mark = self.cursor.mark;
        let token_number = self.next_token_number();
        self.simple_keys.push(SimpleKey {
            possible: false,
            required: false,
            listed: true,
            token_number,
            mark,
        });
        if self.simple_keys.len() - 1 > MAX_DEPTH {
            return self.error(format!("exceeded max depth of {MAX_DEPTH}"), mark, Class::Other);
        }
        self.simple_key_allowed = true;
        self.cursor.skip();
        self.push(kind, mark);
        Ok(())
    }

    fn fetch_flow_end(&mut self, kind: TokenKind) -> Fallible {
        self.remove_simple_key()?;
        if self.in_flow()
            && let Some(ended) = self.simple_keys.pop()
            && self.top_key().token_number == ended.token_number
        {
            self.top_key().listed = false;
        }
        self.simple_key_allowed = false;
        let mark = self.cursor.mark;
        self.cursor.skip();
        self.push(kind, mark);
        Ok(())
    }

    fn fetch_block_entry(&mut self) -> Fallible {
        let mark = self.cursor.mark;
        if !self.in_flow() {
            if !self.simple_key_allowed {
                return self.error(
                    "block sequence entries are not allowed in this context",
                    mark,
                    Class::Other,
                );
            }
            self.roll_indent(mark, None, TokenKind::BlockSequenceStart)?;
        }
        self.remove_simple_key()?;
        self.simple_key_allowed = true;
        self.cursor.skip();
        self.push(TokenKind::BlockEntry, mark);
        Ok(())
    }

    fn fetch_key(&mut self) -> Fallible {
        let mark = self.cursor.mark;
        if !self.in_flow() {
            if !self.simple_key_allowed {
                return self.error("mapping keys are not allowed in this context", mark, Class::Other);
            }
            self.roll_indent(mark, None, TokenKind::BlockMappingStart)?;
        }
        self.remove_simple_key()?;
        self.simple_key_allowed = !self.in_flow();
        self.cursor.skip();
        self.push(TokenKind::Key, mark);
        Ok(())
    }

    fn fetch_value(&mut self) -> Fallible {
        let top = self.simple_keys.len() - 1;
        if self.simple_key_is_valid(top)? {
            let key = self.simple_keys[top];
            let at = key.mark.into();
            let token = Token { kind: TokenKind::Key, start: at, end: at };
            self.insert(key.token_number, token);
            self.roll_indent(key.mark, Some(key.token_number), TokenKind::BlockMappingStart)?;
            self.simple_keys[top].possible = false;
            self.simple_key_allowed = false;
        } else {
            let mark = self.cursor.mark;
            if !self.in_flow() {
                if !self.simple_key_allowed {
                    return self.error("mapping values are not allowed in this context", mark, Class::Other);
                }
                self.roll_indent(mark, None, TokenKind::BlockMappingStart)?;
            }
            self.simple_key_allowed = !self.in_flow();
        }
        let mark = self.cursor.mark;
        self.cursor.skip();
        self.push(TokenKind::Value, mark);
        Ok(())
    }

    fn fetch_anchor(&mut self, kind: TokenKind) -> Fallible {
        self.save_simple_key()?;
        self.simple_key_allowed = false;
        let mark = self.cursor.mark;
        self.cursor.skip();
        let name = self.cursor.mark.offset;
        while is_alpha(self.cursor.peek(0)) {
            self.cursor.skip();
        }
        let ends = self.cursor.is_blankz(0)
            || matches!(self.cursor.peek(0), b'?' | b':' | b',' | b']' | b'}' | b'%' | b'@' | b'`');
        if self.cursor.mark.offset == name || !ends {
            return self.error("did not find expected alphabetic or numeric character", mark, Class::Token);
        }
        self.push(kind, mark);
        Ok(())
    }

    fn fetch_scalar(
        &mut self,
        style: Style,
        read: impl FnOnce(&mut Cursor<'a>, i32, bool, &mut TextSink<'_>, &mut Vec<Span>) -> Fallible<Mark>,
    ) -> Fallible {
        let start = self.cursor.mark;
        let mut sink = TextSink::new(self.source, &mut self.decoded);
        let (indent, in_flow) = (self.indent, self.simple_keys.len() > 1);
        let end = read(&mut self.cursor, indent, in_flow, &mut sink, &mut self.comments)?;
        let (decoded, text) = sink.finish();
        let scalar = Scalar { style, in_flow, indent, decoded, text };
        let span = Span::new(start.offset, end.offset);
        self.last_scalar = Some((span, style));
        if matches!(style, Style::SingleQuoted | Style::DoubleQuoted) && end.line > start.line {
            self.last_long_quote = Some(span);
        }
        let kind = TokenKind::Scalar(scalar);
        self.tokens.push(Token { kind, start: start.into(), end: end.into() });
        Ok(())
    }

    fn fetch_block_scalar(&mut self, style: Style) -> Fallible {
        self.remove_simple_key()?;
        self.simple_key_allowed = true;
        self.fetch_scalar(style, |cursor, indent, _, sink, comments| {
            let end = cursor.block(indent, style == Style::Literal, sink, comments)?;
            Ok(Mark { offset: end, ..cursor.mark })
        })
    }

    fn fetch_quoted(&mut self, style: Style) -> Fallible {
        self.save_simple_key()?;
        self.simple_key_allowed = false;
        self.fetch_scalar(style, |cursor, _, _, sink, _| {
            cursor.quoted(style == Style::SingleQuoted, sink)?;
            Ok(cursor.mark)
        })
    }

    fn fetch_plain(&mut self) -> Fallible {
        self.save_simple_key()?;
        self.simple_key_allowed = false;
        let mut breaks_follow = false;
        self.fetch_scalar(Style::Plain, |cursor, indent, in_flow, sink, _| {
            let plain = cursor.plain(indent, in_flow, sink)?;
            breaks_follow = plain.breaks_follow;
            Ok(plain.end)
        })?;
        if breaks_follow {
            self.simple_key_allowed = true;
        }
        Ok(())
    }
}

/// Whether a line break stands at `i`; for recovery.
pub(crate) fn break_at(bytes: &[u8], i: usize) -> bool {
    is_break(bytes, i)
}
