//! Reads the text of a scalar: decoded, and with a map back to the document.
//!
//! The scanner and [`content_map`] run the same code with different sinks, so that a value and its map cannot
//! disagree.

use convoy_text::{ContentMap, ContentMapBuilder, Span};

use crate::chars::{
    at, break_before, break_len, break_text, document_indicator, is_blank, is_blankz, is_breakz, plain_run,
    quoted_run, run, space_run, width,
};
use crate::error::{Class, Fallible, Mark, SyntaxError};
use crate::store::{Range32, Scalar};
use crate::tree::Style;

/// Takes the decoded text piece by piece.
pub(crate) trait Sink {
    /// The source bytes `span` as they stand.
    fn copy(&mut self, span: Span);
    /// `text` in place of the source bytes `span`.
    fn put(&mut self, text: &str, span: Span);
}

/// Collects the text behind those of earlier scalars.
pub(crate) struct TextSink<'a> {
    source: &'a str,
    out: &'a mut String,
    /// Where the text begins in `out`.
    from: usize,
    /// The span of the text while it is one unchanged piece of the source.
    piece: Option<Span>,
}

impl<'a> TextSink<'a> {
    pub(crate) fn new(source: &'a str, out: &'a mut String) -> Self {
        let from = out.len();
        TextSink { source, out, from, piece: None }
    }

    fn spill(&mut self) {
        if let Some(span) = self.piece.take() {
            self.out.push_str(span.text(self.source));
        }
    }

    /// Whether the text had to be decoded, and where it stands: in `out` then, otherwise in the source.
    pub(crate) fn finish(self) -> (bool, Range32) {
        match self.piece {
            Some(span) => (false, span.into()),
            None => (true, Range32::new(self.from, self.out.len())),
        }
    }
}

impl Sink for TextSink<'_> {
    #[inline]
    fn copy(&mut self, span: Span) {
        match self.piece {
            Some(piece) if piece.end == span.start => self.piece = Some(Span::new(piece.start, span.end)),
            None if self.out.len() == self.from => self.piece = Some(span),
            _ => {
                self.spill();
                self.out.push_str(span.text(self.source));
            }
        }
    }

    fn put(&mut self, text: &str, span: Span) {
        // A break that stands for itself keeps the piece whole: most literal scalars with LF and no
        // indentation would, and so does `|` at the top level.
        if let Some(piece) = self.piece
            && piece.end == span.start
            && span.text(self.source) == text
        {
            self.piece = Some(Span::new(piece.start, span.end));
            return;
        }
        self.spill();
        self.out.push_str(text);
    }
}

struct MapSink {
    builder: ContentMapBuilder,
}

impl Sink for MapSink {
    fn copy(&mut self, span: Span) {
        self.builder.verbatim(span.start, span.len());
    }

    fn put(&mut self, text: &str, span: Span) {
        if text.len() == span.len() {
            self.builder.verbatim(span.start, span.len());
        } else {
            self.builder.replaced(span, text.len());
        }
    }
}

/// The map of a scalar that was scanned before.
pub(crate) fn content_map(source: &str, span: Span, scalar: Scalar) -> ContentMap {
    let mut sink = MapSink { builder: ContentMapBuilder::new() };
    // Where a plain scalar goes on depends on the column; lines and characters of the stream do not matter.
    let mut line = span.start;
    while line > 0 && !break_before(source.as_bytes(), line) {
        line -= 1;
    }
    let column = source[line..span.start].chars().count();
    let start = Mark { offset: span.start, line: 0, column, index: 0 };
    // What stands behind the scalar may have been overwritten since, and would look like more of it.
    let mut cursor = Cursor { bytes: &source.as_bytes()[..span.end], mark: start };
    let end = match scalar.style {
        Style::Plain => {
            if span.is_empty() {
                return sink.builder.finish(span.start);
            }
            cursor.plain(scalar.indent, scalar.in_flow, &mut sink).map(|plain| plain.end.offset)
        }
        Style::SingleQuoted | Style::DoubleQuoted => {
            cursor.quoted(scalar.style == Style::SingleQuoted, &mut sink).map(|()| span.end - 1)
        }
        Style::Literal | Style::Folded => {
            cursor.block(scalar.indent, scalar.style == Style::Literal, &mut sink, &mut Vec::new())
        }
    };
    sink.builder.finish(end.unwrap_or(span.end))
}

/// What is known after a plain scalar.
pub(crate) struct Plain {
    pub(crate) end: Mark,
    /// Whether line breaks follow the text, after which a key may begin.
    pub(crate) breaks_follow: bool,
}

/// A place in the bytes that moves forward.
#[derive(Clone)]
pub(crate) struct Cursor<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) mark: Mark,
}

impl Cursor<'_> {
    #[inline]
    pub(crate) fn peek(&self, ahead: usize) -> u8 {
        at(self.bytes, self.mark.offset + ahead)
    }

    /// Moves over one character that is not a line break.
    #[inline]
    pub(crate) fn skip(&mut self) {
        if self.mark.offset < self.bytes.len() {
            self.mark.offset += width(self.bytes[self.mark.offset]);
        }
        self.mark.index += 1;
        self.mark.column += 1;
    }

    /// Moves over a run of ASCII.
    #[inline]
    pub(crate) fn skip_ascii(&mut self, len: usize) {
        self.mark.offset += len;
        self.mark.index += len;
        self.mark.column += len;
    }

    /// Moves over one line break; says whether there is one.
    pub(crate) fn skip_line(&mut self) -> bool {
        let len = break_len(self.bytes, self.mark.offset);
        if len == 0 {
            return false;
        }
        // CRLF counts as two characters, every other break as one.
        self.mark.index += if len == 2 && self.peek(0) == b'\r' { 2 } else { 1 };
        self.mark.offset += len;
        self.mark.line += 1;
        self.mark.column = 0;
        true
    }

    pub(crate) fn is_blank(&self) -> bool {
        is_blank(self.bytes, self.mark.offset)
    }
    pub(crate) fn is_breakz(&self) -> bool {
        is_breakz(self.bytes, self.mark.offset)
    }
    pub(crate) fn is_blankz(&self, ahead: usize) -> bool {
        is_blankz(self.bytes, self.mark.offset + ahead)
    }
    pub(crate) fn is_break(&self) -> bool {
        break_len(self.bytes, self.mark.offset) > 0
    }
    fn at_document_indicator(&self) -> bool {
        self.mark.column == 0 && document_indicator(self.bytes, self.mark.offset)
    }

    /// Skips blanks and a comment up to the end of the line; gives the comment.
    pub(crate) fn rest_of_line(&mut self) -> Option<Span> {
        while self.is_blank() {
            self.skip();
        }
        if self.peek(0) != b'#' {
            return None;
        }
        let start = self.mark.offset;
        while !self.is_breakz() {
            self.skip();
            self.skip_ascii(run(self.bytes, self.mark.offset, |b| (0x20..0x7F).contains(&b)));
        }
        Some(Span::new(start, self.mark.offset))
    }

    pub(crate) fn plain(&mut self, indent: i32, in_flow: bool, sink: &mut impl Sink) -> Fallible<Plain> {
        let start = self.mark;
        let mut end = start;
        let indent = (indent + 1).max(0) as usize;
        let mut folds = Folds::new(self.mark.offset);
        loop {
            if self.at_document_indicator() || self.peek(0) == b'#' {
                break;
            }
            let from = self.mark.offset;
            while !self.is_blankz(0) {
                let c = self.peek(0);
                if (c == b':' && self.is_blankz(1))
                    || (in_flow && matches!(c, b',' | b'?' | b'[' | b']' | b'{' | b'}'))
                {
                    break;
                }
                self.skip();
                // Bytes that need none of the checks above go by in one step.
                self.skip_ascii(plain_run(self.bytes, self.mark.offset));
            }
            if self.mark.offset > from {
                folds.flush(from, sink);
                sink.copy(Span::new(from, self.mark.offset));
                end = self.mark;
            }
            if !(self.is_blank() || self.is_break()) {
                break;
            }
            folds.begin(self.mark.offset);
            while self.is_blank() || self.is_break() {
                if self.is_blank() {
                    if folds.leading.is_some() && self.mark.column < indent && self.peek(0) == b'\t' {
                        return Err(SyntaxError::new(
                            Class::Other,
                            "found a tab character that violates indentation".into(),
                            self.mark,
                            Some(start),
                        )
                        .into());
                    }
                    self.skip();
                    self.skip_ascii(space_run(self.bytes, self.mark.offset));
                } else {
                    folds.line(break_text(self.bytes, self.mark.offset));
                    self.skip_line();
                }
            }
            if !in_flow && self.mark.column < indent {
                break;
            }
        }
        Ok(Plain { end, breaks_follow: folds.leading.is_some() })
    }

    pub(crate) fn quoted(&mut self, single: bool, sink: &mut impl Sink) -> Fallible {
        let start = self.mark;
        let error = |problem: &str, at: Mark| {
            Err(SyntaxError::new(Class::Token, problem.into(), at, Some(start)).into())
        };
        let quote = if single { b'\'' } else { b'"' };
        self.skip();
        let mut folds = Folds::new(self.mark.offset);
        loop {
            if self.at_document_indicator() {
                return error("found unexpected document indicator", self.mark);
            }
            if self.peek(0) == 0 {
                return error("found unexpected end of stream", self.mark);
            }
            // An escaped line break joins the lines without a space.
            let mut joined = false;
            while !self.is_blankz(0) {
                let c = self.peek(0);
                let here = self.mark.offset;
                if single && c == b'\'' && self.peek(1) == b'\'' {
                    sink.put("'", Span::new(here, here + 2));
                    self.skip_ascii(2);
                } else if c == quote {
                    break;
                } else if !single && c == b'\\' && break_len(self.bytes, here + 1) > 0 {
                    self.skip();
                    self.skip_line();
                    joined = true;
                    break;
                } else if !single && c == b'\\' {
                    self.escape(start, sink)?;
                } else {
                    self.skip();
                    self.skip_ascii(quoted_run(self.bytes, self.mark.offset));
                    sink.copy(Span::new(here, self.mark.offset));
                }
            }
            if self.peek(0) == quote {
                break;
            }
            folds.begin(self.mark.offset);
            if joined {
                folds.joined();
            }
            while self.is_blank() || self.is_break() {
                if self.is_blank() {
                    self.skip();
                } else {
                    folds.line(break_text(self.bytes, self.mark.offset));
                    self.skip_line();
                }
            }
            folds.flush(self.mark.offset, sink);
        }
        self.skip();
        Ok(())
    }

    fn escape(&mut self, start: Mark, sink: &mut impl Sink) -> Fallible {
        let here = self.mark.offset;
        let mut code_len = 0;
        let text = match self.peek(1) {
            b'0' => "\0",
            b'a' => "\u{7}",
            b'b' => "\u{8}",
            b't' | b'\t' => "\t",
            b'n' => "\n",
            b'v' => "\u{b}",
            b'f' => "\u{c}",
            b'r' => "\r",
            b'e' => "\u{1b}",
            b' ' => " ",
            b'"' => "\"",
            b'\'' => "'",
            b'\\' => "\\",
            b'N' => "\u{85}",
            b'_' => "\u{a0}",
            b'L' => "\u{2028}",
            b'P' => "\u{2029}",
            letter @ (b'x' | b'u' | b'U') => {
                code_len = match letter {
                    b'x' => 2,
                    b'u' => 4,
                    _ => 8,
                };
                ""
            }
            _ => {
                let mut error = SyntaxError::new(
                    Class::Token,
                    "found unknown escape character".into(),
                    self.mark,
                    Some(start),
                );
                let end = here + 1 + width(self.peek(1));
                error.span = Span::new(here, end.min(self.bytes.len()));
                return Err(error.into());
            }
        };
        self.skip_ascii(2);
        if code_len == 0 {
            sink.put(text, Span::new(here, here + 2));
            return Ok(());
        }
        let mut value: u32 = 0;
        for k in 0..code_len {
            let Some(digit) = char::from(self.peek(k)).to_digit(16) else {
                let mut error = SyntaxError::new(
                    Class::Token,
                    "did not find expected hexdecimal number".into(),
                    self.mark,
                    Some(start),
                );
                error.span = Span::new(here, here + 2 + k);
                return Err(error.into());
            };
            value = (value << 4) | digit;
        }
        let Some(c) = char::from_u32(value) else {
            let mut error = SyntaxError::new(
                Class::Token,
                "found invalid Unicode character escape code".into(),
                self.mark,
                Some(start),
            );
            error.span = Span::new(here, here + 2 + code_len);
            return Err(error.into());
        };
        self.skip_ascii(code_len);
        sink.put(c.encode_utf8(&mut [0; 4]), Span::new(here, self.mark.offset));
        Ok(())
    }

    /// Reads a block scalar from its indicator on; `parent` is the indentation of the parent (-1 at the top).
    /// Gives where its lines end.
    pub(crate) fn block(
        &mut self,
        parent: i32,
        literal: bool,
        sink: &mut impl Sink,
        comments: &mut Vec<Span>,
    ) -> Fallible<usize> {
        let start = self.mark;
        let error = |problem: &str, at: Mark| {
            Err(SyntaxError::new(Class::Other, problem.into(), at, Some(start)).into())
        };
        self.skip();
        let mut chomping = 0;
        let mut increment = 0;
        // The two indicators may stand in either order, each once.
        for _ in 0..2 {
            match self.peek(0) {
                c @ (b'+' | b'-') if chomping == 0 => {
                    chomping = if c == b'+' { 1 } else { -1 };
                    self.skip();
                }
                b'0' if increment == 0 => {
                    return error("found an indentation indicator equal to 0", self.mark);
                }
                c @ b'1'..=b'9' if increment == 0 => {
                    increment = i32::from(c - b'0');
                    self.skip();
                }
                _ => break,
            }
        }
        comments.extend(self.rest_of_line());
        if !self.is_breakz() {
            return error("did not find expected comment or line break", self.mark);
        }
        self.skip_line();

        let mut indent = if increment > 0 { (parent.max(0) + increment) as usize } else { 0 };
        let mut breaks: Vec<(&'static str, Span)> = Vec::new();
        let mut end = self.block_breaks(&mut indent, parent, &mut breaks, start)?;
        let mut leading: Option<(&'static str, Span)> = None;
        let mut leading_blank = false;
        while self.mark.column == indent && self.peek(0) != 0 {
            let trailing_blank = self.is_blank();
            let folds = !literal && !leading_blank && !trailing_blank;
            match leading.take() {
                // A single line break folds to a space; before empty lines it goes, and they stay.
                Some(("\n", _)) if folds && !breaks.is_empty() => {}
                Some(("\n", span)) if folds => sink.put(" ", span),
                Some((text, span)) => sink.put(text, span),
                None => {}
            }
            for (text, span) in breaks.drain(..) {
                sink.put(text, span);
            }
            leading_blank = self.is_blank();
            let line = self.mark.offset;
            while !self.is_breakz() {
                self.skip();
                self.skip_ascii(run(self.bytes, self.mark.offset, |b| (0x20..0x7F).contains(&b)));
            }
            sink.copy(Span::new(line, self.mark.offset));
            let at = self.mark.offset;
            if self.is_break() {
                let text = break_text(self.bytes, at);
                self.skip_line();
                leading = Some((text, Span::new(at, self.mark.offset)));
            }
            end = self.block_breaks(&mut indent, parent, &mut breaks, start)?;
        }
        if chomping != -1
            && let Some((text, span)) = leading
        {
            sink.put(text, span);
        }
        if chomping == 1 {
            for (text, span) in breaks {
                sink.put(text, span);
            }
        }
        Ok(end)
    }

    fn block_breaks(
        &mut self,
        indent: &mut usize,
        parent: i32,
        breaks: &mut Vec<(&'static str, Span)>,
        start: Mark,
    ) -> Fallible<usize> {
        let mut max_indent = 0;
        let mut end = self.mark.offset;
        loop {
            let spaces = space_run(self.bytes, self.mark.offset);
            let wanted = if *indent == 0 { spaces } else { indent.saturating_sub(self.mark.column) };
            self.skip_ascii(spaces.min(wanted));
            max_indent = max_indent.max(self.mark.column);
            if (*indent == 0 || self.mark.column < *indent) && self.peek(0) == b'\t' {
                return Err(SyntaxError::new(
                    Class::Other,
                    "found a tab character where an indentation space is expected".into(),
                    self.mark,
                    Some(start),
                )
                .into());
            }
            if !self.is_break() {
                break;
            }
            let at = self.mark.offset;
            let text = break_text(self.bytes, at);
            self.skip_line();
            breaks.push((text, Span::new(at, self.mark.offset)));
            end = self.mark.offset;
        }
        if *indent == 0 {
            *indent = max_indent.max((parent + 1).max(0) as usize).max(1);
        }
        Ok(end)
    }
}

/// Blanks and line breaks between two words of a flow scalar, kept until the next word shows that they count.
struct Folds {
    /// Where the gap begins.
    start: usize,
    /// The first break of the gap.
    leading: Option<&'static str>,
    /// The breaks after it.
    trailing: String,
    pending: bool,
    joined: bool,
}

impl Folds {
    fn new(at: usize) -> Self {
        Folds { start: at, leading: None, trailing: String::new(), pending: false, joined: false }
    }

    fn begin(&mut self, at: usize) {
        *self = Folds { pending: true, ..Folds::new(at) };
    }

    /// The gap begins with an escaped line break, so that no blank before the next word counts.
    fn joined(&mut self) {
        self.joined = true;
    }

    fn line(&mut self, text: &'static str) {
        if self.leading.is_none() && !self.joined {
            self.leading = Some(text);
        } else {
            self.trailing.push_str(text);
        }
    }

    fn flush(&mut self, until: usize, sink: &mut impl Sink) {
        if !std::mem::take(&mut self.pending) {
            return;
        }
        let gap = Span::new(self.start, until);
        match self.leading.take() {
            None if self.joined => {
                if !self.trailing.is_empty() {
                    sink.put(&self.trailing, gap);
                }
            }
            None => sink.copy(gap),
            Some("\n") if self.trailing.is_empty() => sink.put(" ", gap),
            Some("\n") => sink.put(&self.trailing, gap),
            Some(text) => {
                let all = format!("{text}{}", self.trailing);
                sink.put(&all, gap);
            }
        }
    }
}
