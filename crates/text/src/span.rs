use std::ops::Range;

/// A half-open range of bytes, `start..end`, in one text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    /// Offset of the first byte.
    pub start: usize,
    /// Offset after the last byte; never less than `start`.
    pub end: usize,
}

impl Span {
    /// The span `start..end`. An `end` before `start` is taken as empty at `start`.
    pub fn new(start: usize, end: usize) -> Self {
        Span { start, end: end.max(start) }
    }

    /// The empty span at `offset`.
    pub fn empty(offset: usize) -> Self {
        Span { start: offset, end: offset }
    }

    /// The character at `offset`, whole whatever its width; empty at the end of the text.
    pub fn character(text: &str, offset: usize) -> Self {
        let width = text.get(offset..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
        Span { start: offset, end: offset + width }
    }

    /// Length in bytes.
    pub fn len(self) -> usize {
        self.end - self.start
    }

    /// Whether the span covers no byte.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Whether `offset` is inside, or directly after the last byte (where a cursor stands after a word).
    pub fn touches(self, offset: usize) -> bool {
        self.start <= offset && offset <= self.end
    }

    /// Whether `other` lies wholly inside.
    pub fn contains(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Whether the two spans share a byte.
    pub fn overlaps(self, other: Span) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// The smallest span that covers both.
    #[must_use]
    pub fn cover(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The span moved by `by` bytes to the right.
    #[must_use]
    pub fn shift(self, by: usize) -> Span {
        Span { start: self.start + by, end: self.end + by }
    }

    /// As a range, to slice with.
    pub fn range(self) -> Range<usize> {
        self.start..self.end
    }

    /// The text of the span; empty where the span does not fit the text.
    pub fn text(self, source: &str) -> &str {
        source.get(self.range()).unwrap_or("")
    }
}

impl From<Range<usize>> for Span {
    fn from(range: Range<usize>) -> Self {
        Span::new(range.start, range.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_character_is_whole() {
        assert_eq!(Span::character("aé🚀", 1), Span::new(1, 3));
        assert_eq!(Span::character("aé🚀", 3), Span::new(3, 7));
        assert_eq!(Span::character("a", 1), Span::empty(1));
    }
}
