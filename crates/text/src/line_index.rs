use crate::Span;

/// How a client counts columns (`PositionEncodingKind` of LSP 3.17).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PositionEncoding {
    /// Columns are bytes.
    Utf8,
    /// Columns are UTF-16 code units: the default of LSP.
    Utf16,
    /// Columns are Unicode scalar values.
    Utf32,
}

/// A place in a text; both numbers count from 0. What a column counts is said by a [`PositionEncoding`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// Line, from 0.
    pub line: u32,
    /// Column, from 0.
    pub column: u32,
}

/// Where the lines of a text begin. A line ends with `\n`, `\r\n` or a `\r` that no `\n` follows, as in LSP.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineIndex {
    starts: Vec<usize>,
    len: usize,
}

impl LineIndex {
    /// Reads `text` once.
    pub fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for (i, &byte) in bytes.iter().enumerate() {
            if byte == b'\n' || (byte == b'\r' && bytes.get(i + 1) != Some(&b'\n')) {
                starts.push(i + 1);
            }
        }
        LineIndex { starts, len: bytes.len() }
    }

    /// Number of lines; a text that ends in a line break has an empty last line.
    pub fn lines(&self) -> usize {
        self.starts.len()
    }

    /// Line (from 0) of a byte offset; offsets past the end are on the last line.
    pub fn line_of(&self, offset: usize) -> usize {
        self.starts.partition_point(|&start| start <= offset) - 1
    }

    /// The bytes of a line without its line break; empty past the end.
    pub fn line_span(&self, text: &str, line: usize) -> Span {
        let Some(&start) = self.starts.get(line) else { return Span::empty(self.len) };
        let end = self.starts.get(line + 1).copied().unwrap_or(self.len);
        let body = text.get(start..end).unwrap_or("").trim_end_matches(['\n', '\r']);
        Span::new(start, start + body.len())
    }

    /// Byte offset to line and column. Offsets past the end give the end; offsets inside a character give
    /// its start.
    pub fn position(&self, text: &str, offset: usize, encoding: PositionEncoding) -> Position {
        let mut offset = offset.min(self.len);
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.line_of(offset);
        let before = &text[self.starts[line]..offset];
        let column = match encoding {
            PositionEncoding::Utf8 => before.len(),
            PositionEncoding::Utf16 => before.chars().map(char::len_utf16).sum(),
            PositionEncoding::Utf32 => before.chars().count(),
        };
        Position { line: line as u32, column: column as u32 }
    }

    /// Line and column to byte offset. A column past the end of its line gives the end of the line, a line
    /// past the end of the text gives the end of the text, and a column inside a character gives its start.
    pub fn offset(&self, text: &str, position: Position, encoding: PositionEncoding) -> usize {
        let line = position.line as usize;
        if line >= self.starts.len() {
            return self.len;
        }
        let span = self.line_span(text, line);
        let mut column = 0;
        for (i, c) in span.text(text).char_indices() {
            let width = match encoding {
                PositionEncoding::Utf8 => c.len_utf8(),
                PositionEncoding::Utf16 => c.len_utf16(),
                PositionEncoding::Utf32 => 1,
            };
            if column + width > position.column as usize {
                return span.start + i;
            }
            column += width;
        }
        span.end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_place_in_each_encoding() {
        let text = "a\r\n\u{1F600}é x\rb";
        let index = LineIndex::new(text);
        assert_eq!(index.lines(), 3);
        let x = text.find('x').unwrap();
        for (encoding, column) in
            [(PositionEncoding::Utf8, 7), (PositionEncoding::Utf16, 4), (PositionEncoding::Utf32, 3)]
        {
            let position = index.position(text, x, encoding);
            assert_eq!(position, Position { line: 1, column });
            assert_eq!(index.offset(text, position, encoding), x);
        }
    }

    #[test]
    fn positions_outside_are_clamped() {
        let text = "ab\r\n\u{1F600}";
        let index = LineIndex::new(text);
        let offset = |line, column| index.offset(text, Position { line, column }, PositionEncoding::Utf16);
        assert_eq!(offset(0, 99), 2);
        assert_eq!(offset(9, 0), text.len());
        // The second half of a surrogate pair is inside the character.
        assert_eq!(offset(1, 1), 4);
        assert_eq!(index.position(text, 5, PositionEncoding::Utf16), Position { line: 1, column: 0 });
        assert_eq!(index.position(text, 999, PositionEncoding::Utf8), Position { line: 1, column: 4 });
    }

    #[test]
    fn an_empty_text_has_one_line() {
        let index = LineIndex::new("");
        assert_eq!((index.lines(), index.line_of(0)), (1, 0));
        assert_eq!(index.position("", 3, PositionEncoding::Utf8), Position { line: 0, column: 0 });
    }
}
