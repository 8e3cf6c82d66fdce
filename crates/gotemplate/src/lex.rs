//! From characters to items, as package `text/template/parse` cuts them.

use convoy_text::Span;
use convoy_value::go;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory as _};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ItemKind {
    Error,
    Bool,
    Char,
    CharConstant,
    Complex,
    Assign,
    Declare,
    Eof,
    Field,
    Identifier,
    LeftDelim,
    LeftParen,
    Number,
    Pipe,
    RawString,
    RightDelim,
    RightParen,
    Space,
    String,
    Text,
    Variable,
    // Keywords.
    Block,
    Break,
    Continue,
    Dot,
    Define,
    Else,
    End,
    If,
    Nil,
    Range,
    Template,
    With,
}

impl ItemKind {
    fn is_keyword(self) -> bool {
        self as usize >= ItemKind::Block as usize
    }
}

/// The words that the lexer knows as keywords.
pub(crate) fn keyword(word: &str) -> Option<ItemKind> {
    Some(match word {
        "." => ItemKind::Dot,
        "block" => ItemKind::Block,
        "break" => ItemKind::Break,
        "continue" => ItemKind::Continue,
        "define" => ItemKind::Define,
        "else" => ItemKind::Else,
        "end" => ItemKind::End,
        "if" => ItemKind::If,
        "range" => ItemKind::Range,
        "nil" => ItemKind::Nil,
        "template" => ItemKind::Template,
        "with" => ItemKind::With,
        _ => return None,
    })
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Item {
    pub(crate) kind: ItemKind,
    pub(crate) span: Span,
    /// The line (from 1) as the Go lexer counts it.
    pub(crate) line: usize,
}

impl Item {
    pub(crate) fn text(self, source: &str) -> &str {
        self.span.text(source)
    }

    /// The item as Go prints it in an error.
    pub(crate) fn show(self, source: &str) -> String {
        let text = self.text(source);
        match self.kind {
            ItemKind::Eof => "EOF".to_owned(),
            kind if kind.is_keyword() => format!("<{text}>"),
            _ if text.len() > 10 => {
                let cut: String = text.chars().take(10).collect();
                format!("{}...", go::quote(cut.as_bytes()))
            }
            _ => go::quote(text.as_bytes()),
        }
    }
}

pub(crate) const LEFT: &str = "{{";
pub(crate) const RIGHT: &str = "}}";

/// Where a delimiter of two equal bytes begins first. A search for one byte and a look at the next is quicker than a
/// general search for a text, which prepares itself anew each time.
pub(crate) fn find_pair(text: &str, delimiter: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let byte = delimiter.as_bytes()[0];
    memchr::memchr_iter(byte, bytes).find(|i| bytes.get(i + 1) == Some(&byte))
}

/// Line breaks as Go counts them.
pub(crate) fn line_breaks(text: &str) -> usize {
    memchr::memchr_iter(b'\n', text.as_bytes()).count()
}

pub(crate) struct Lexer<'a> {
    pub(crate) source: &'a str,
    pub(crate) pos: usize,
    start: usize,
    line: usize,
    start_line: usize,
    paren_depth: i32,
    pub(crate) inside_action: bool,
    /// After an error the Go lexer has nothing left to read.
    stopped: bool,
    /// Where the last error really is, which is not always where its item begins.
    pub(crate) error_span: Span,
    /// What the last error item says.
    pub(crate) error_message: String,
    /// `break` and `continue` are plain names where a function has that name.
    pub(crate) break_ok: bool,
    pub(crate) continue_ok: bool,
}

const END: char = '\0';

pub(crate) fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n')
}

pub(crate) fn is_alphanumeric(c: char) -> bool {
    // Go's letters and digits: categories L and Nd, which are fewer than Rust's alphanumeric characters.
    if c.is_ascii() {
        return c == '_' || c.is_ascii_alphanumeric();
    }
    c.general_category_group() == GeneralCategoryGroup::Letter
        || c.general_category() == GeneralCategory::DecimalNumber
}

/// `%#U` of a character.
fn show_unicode(c: Option<char>) -> String {
    match c {
        // The Go lexer's end mark is the rune -1.
        None => "U+FFFFFFFFFFFFFFFF".to_owned(),
        Some(c) if go::is_print(c) => format!("U+{:04X} '{c}'", c as u32),
        Some(c) => format!("U+{:04X}", c as u32),
    }
}

fn has_left_trim(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next() == Some('-') && chars.next().is_some_and(is_space)
}

fn has_right_trim(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(is_space) && chars.next() == Some('-')
}

impl<'a> Lexer<'a> {
    pub(crate) fn new(source: &'a str) -> Self {
        Lexer {
            source,
            pos: 0,
            start: 0,
            line: 1,
            start_line: 1,
            paren_depth: 0,
            inside_action: false,
            stopped: false,
            error_span: Span::empty(0),
            error_message: String::new(),
            break_ok: true,
            continue_ok: true,
        }
    }

    fn rest(&self) -> &'a str {
        &self.source[self.pos..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn peek_or_end(&self) -> char {
        self.peek().unwrap_or(END)
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.pos += c.len_utf8();
        if c == '\n' {
            self.line += 1;
        }
        Some(c)
    }

    fn accept(&mut self, valid: &str) -> bool {
        match self.peek() {
            Some(c) if valid.contains(c) => {
                self.next();
                true
            }
            _ => false,
        }
    }

    fn accept_run(&mut self, valid: &str) {
        while self.accept(valid) {}
    }

    fn item(&mut self, kind: ItemKind) -> Item {
        let item = Item { kind, span: Span::new(self.start, self.pos), line: self.start_line };
        self.start = self.pos;
        self.start_line = self.line;
        item
    }

    /// Moves to `pos` and counts the lines in between.
    fn advance_to(&mut self, pos: usize) {
        self.line += line_breaks(&self.source[self.pos..pos]);
        self.pos = pos;
    }

    fn ignore(&mut self) {
        self.start = self.pos;
        self.start_line = self.line;
    }

    fn error(&mut self, message: impl Into<String>, span: Span) -> Item {
        self.stopped = true;
        self.error_span = span;
        self.error_message = message.into();
        Item { kind: ItemKind::Error, span: Span::new(self.start, self.start), line: self.start_line }
    }

    /// Goes on after an error at `pos`, outside or inside an action.
    pub(crate) fn resume(&mut self, pos: usize, inside_action: bool) {
        let from = self.pos.min(pos);
        let between = line_breaks(&self.source[from..self.pos.max(pos)]);
        self.line =
            if pos >= self.pos { self.line + between } else { self.line.saturating_sub(between).max(1) };
        self.pos = pos;
        self.stopped = false;
        self.inside_action = inside_action;
        self.paren_depth = 0;
        self.ignore();
    }

    pub(crate) fn next_item(&mut self) -> Item {
        if self.stopped {
            let end = self.source.len();
            return Item { kind: ItemKind::Eof, span: Span::empty(end), line: self.start_line };
        }
        if self.inside_action { self.inside_action_item() } else { self.text_item() }
    }

    fn text_item(&mut self) -> Item {
        loop {
            let Some(at) = find_pair(self.rest(), LEFT) else {
                if self.pos < self.source.len() {
                    self.advance_to(self.source.len());
                    return self.item(ItemKind::Text);
                }
                self.start = self.pos;
                return self.item(ItemKind::Eof);
            };
            if at > 0 {
                let delim = self.pos + at;
                let trim = if has_left_trim(&self.source[delim + 2..]) {
                    let text = &self.source[self.start..delim];
                    text.len() - text.trim_end_matches(is_space).len()
                } else {
                    0
                };
                self.advance_to(delim - trim);
                let item = self.item(ItemKind::Text);
                // The Go lexer counts the trimmed line breaks when it drops them.
                self.advance_to(delim);
                self.ignore();
                if !item.span.is_empty() {
                    return item;
                }
            }
            // The left delimiter.
            self.pos += LEFT.len();
            let trim = has_left_trim(self.rest());
            let after = if trim { 2 } else { 0 };
            if self.rest()[after..].starts_with("/*") {
                self.advance_to(self.pos + after);
                self.ignore();
                if let Some(item) = self.comment() {
                    return item;
                }
                continue;
            }
            let item = self.item(ItemKind::LeftDelim);
            self.inside_action = true;
            self.advance_to(self.pos + after);
            self.ignore();
            self.paren_depth = 0;
            return item;
        }
    }

    /// Skips a comment; an item only where it is broken.
    fn comment(&mut self) -> Option<Item> {
        let start = self.pos;
        let Some(close) = self.rest()[2..].find("*/") else {
            let line_end = self.rest().find('\n').map_or(self.source.len(), |i| self.pos + i);
            return Some(self.error("unclosed comment", Span::new(start.saturating_sub(2), line_end)));
        };
        let end = self.pos + 2 + close + 2;
        let rest = &self.source[end..];
        let trim = has_right_trim(rest) && rest[2..].starts_with(RIGHT);
        if !trim && !rest.starts_with(RIGHT) {
            let stray = find_pair(rest, RIGHT).map_or(end, |i| end + i);
            let stray = Span::new(end, stray);
            let span = if stray.is_empty() { Span::new(start, end) } else { stray };
            return Some(self.error("comment ends before closing delimiter", span));
        }
        let mut after = end + if trim { 2 } else { 0 } + RIGHT.len();
        if trim {
            let rest = &self.source[after..];
            after += rest.len() - rest.trim_start_matches(is_space).len();
        }
        self.advance_to(after);
        self.ignore();
        None
    }

    fn at_right_delim(&self) -> Option<bool> {
        let rest = self.rest();
        if has_right_trim(rest) && rest[2..].starts_with(RIGHT) {
            Some(true)
        } else if rest.starts_with(RIGHT) {
            Some(false)
        } else {
            None
        }
    }

    fn right_delim(&mut self, trim: bool) -> Item {
        if trim {
            self.advance_to(self.pos + 2);
            self.ignore();
        }
        self.pos += RIGHT.len();
        let item = self.item(ItemKind::RightDelim);
        if trim {
            let rest = self.rest();
            let spaces = rest.len() - rest.trim_start_matches(is_space).len();
            self.advance_to(self.pos + spaces);
            self.ignore();
        }
        self.inside_action = false;
        item
    }

    fn inside_action_item(&mut self) -> Item {
        if let Some(trim) = self.at_right_delim() {
            if self.paren_depth == 0 {
                return self.right_delim(trim);
            }
            let span = Span::new(self.pos, self.pos + 2);
            return self.error("unclosed left paren", span);
        }
        let here = self.pos;
        let Some(c) = self.next() else {
            let span = Span::empty(here);
            return self.error("unclosed action", span);
        };
        match c {
            c if is_space(c) => {
                // Spaces go by in one item, but for the one that a trim mark needs.
                self.pos = here;
                if c == '\n' {
                    self.line -= 1;
                }
                self.space()
            }
            '=' => self.item(ItemKind::Assign),
            ':' => {
                if self.next() == Some('=') {
                    self.item(ItemKind::Declare)
                } else {
                    self.error("expected :=", Span::new(here, here + 1))
                }
            }
            '|' => self.item(ItemKind::Pipe),
            '"' => self.quoted('"', ItemKind::String, "unterminated quoted string"),
            '`' => self.raw_quote(),
            '$' => {
                if self.at_terminator() {
                    return self.item(ItemKind::Variable);
                }
                self.field_or_variable(ItemKind::Variable)
            }
            '\'' => self.quoted('\'', ItemKind::CharConstant, "unterminated character constant"),
            '.' if !self.rest().is_empty() && !self.peek_or_end().is_ascii_digit() => {
                self.field_or_variable(ItemKind::Field)
            }
            '.' | '+' | '-' | '0'..='9' => {
                self.pos = here;
                self.number()
            }
            c if is_alphanumeric(c) => {
                self.pos = here;
                self.identifier()
            }
            '(' => {
                self.paren_depth += 1;
                self.item(ItemKind::LeftParen)
            }
            ')' => {
                self.paren_depth -= 1;
                if self.paren_depth < 0 {
                    return self.error("unexpected right paren", Span::new(here, here + 1));
                }
                self.item(ItemKind::RightParen)
            }
            ' '..='~' => self.item(ItemKind::Char),
            c => {
                let span = Span::new(here, self.pos);
                self.error(format!("unrecognized character in action: {}", show_unicode(Some(c))), span)
            }
        }
    }

    fn space(&mut self) -> Item {
        let mut count = 0;
        let mut before_last = self.pos;
        while is_space(self.peek_or_end()) {
            before_last = self.pos;
            self.next();
            count += 1;
        }
        let last = &self.source[before_last..];
        if has_right_trim(last) && last[2..].starts_with(RIGHT) {
            if last.starts_with('\n') {
                self.line -= 1;
            }
            self.pos = before_last;
            if count == 1 {
                return self.right_delim(true);
            }
        }
        self.item(ItemKind::Space)
    }

    fn at_terminator(&self) -> bool {
        match self.peek() {
            None => true,
            Some(c) if is_space(c) => true,
            Some('.' | ',' | '|' | ':' | ')' | '(') => true,
            _ => self.rest().starts_with(RIGHT),
        }
    }

    fn bad_character(&mut self) -> Item {
        let c = self.peek();
        let span = Span::new(self.pos, self.pos + c.map_or(0, char::len_utf8));
        self.error(format!("bad character {}", show_unicode(c)), span)
    }

    fn identifier(&mut self) -> Item {
        while self.peek().is_some_and(is_alphanumeric) {
            self.next();
        }
        if !self.at_terminator() {
            return self.bad_character();
        }
        let word = &self.source[self.start..self.pos];
        let kind = match keyword(word) {
            Some(ItemKind::Break) if !self.break_ok => ItemKind::Identifier,
            Some(ItemKind::Continue) if !self.continue_ok => ItemKind::Identifier,
            Some(kind) => kind,
            None if word == "true" || word == "false" => ItemKind::Bool,
            None => ItemKind::Identifier,
        };
        self.item(kind)
    }

    fn field_or_variable(&mut self, kind: ItemKind) -> Item {
        if self.at_terminator() {
            return self.item(if kind == ItemKind::Variable { kind } else { ItemKind::Dot });
        }
        while self.peek().is_some_and(is_alphanumeric) {
            self.next();
        }
        if !self.at_terminator() {
            return self.bad_character();
        }
        self.item(kind)
    }

    /// The rest of the line from the start of the item, for errors of unfinished constants.
    fn to_line_end(&self) -> Span {
        let end = self.source[self.start..].find('\n').map_or(self.source.len(), |i| self.start + i);
        Span::new(self.start, end)
    }

    /// A constant with escapes, from behind its opening quote to the closing one.
    fn quoted(&mut self, close: char, kind: ItemKind, unterminated: &str) -> Item {
        loop {
            match self.next() {
                Some('\\') if !matches!(self.peek(), None | Some('\n')) => {
                    self.next();
                }
                Some('\\' | '\n') | None => {
                    let span = self.to_line_end();
                    return self.error(unterminated, span);
                }
                Some(c) if c == close => return self.item(kind),
                Some(_) => {}
            }
        }
    }

    fn raw_quote(&mut self) -> Item {
        loop {
            match self.next() {
                None => {
                    let span = self.to_line_end();
                    return self.error("unterminated raw quoted string", span);
                }
                Some('`') => return self.item(ItemKind::RawString),
                Some(_) => {}
            }
        }
    }

    fn number(&mut self) -> Item {
        let bad = |lexer: &mut Self| {
            let span = Span::new(lexer.start, lexer.pos);
            let text = go::quote(span.text(lexer.source).as_bytes());
            lexer.error(format!("bad number syntax: {text}"), span)
        };
        if !self.scan_number() {
            return bad(self);
        }
        if matches!(self.peek(), Some('+' | '-')) {
            if !self.scan_number() || !self.source[..self.pos].ends_with('i') {
                return bad(self);
            }
            return self.item(ItemKind::Complex);
        }
        self.item(ItemKind::Number)
    }

    fn scan_number(&mut self) -> bool {
        self.accept("+-");
        let mut digits = "0123456789_";
        if self.accept("0") {
            if self.accept("xX") {
                digits = "0123456789abcdefABCDEF_";
            } else if self.accept("oO") {
                digits = "01234567_";
            } else if self.accept("bB") {
                digits = "01_";
            }
        }
        self.accept_run(digits);
        if self.accept(".") {
            self.accept_run(digits);
        }
        if digits.len() == 11 && self.accept("eE") {
            self.accept("+-");
            self.accept_run("0123456789_");
        }
        if digits.len() == 23 && self.accept("pP") {
            self.accept("+-");
            self.accept_run("0123456789_");
        }
        self.accept("i");
        if self.peek().is_some_and(is_alphanumeric) {
            self.next();
            return false;
        }
        true
    }
}
