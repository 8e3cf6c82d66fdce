use crate::Span;

/// One run of content and the run of document that it came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Segment {
    /// Where the run begins in the content.
    content: usize,
    /// Its length in the content.
    content_len: usize,
    /// Where its source begins in the document.
    document: usize,
    /// Length of its source. A run whose two lengths agree and that is `verbatim` maps byte by byte.
    document_len: usize,
    verbatim: bool,
}

impl Segment {
    fn content_end(&self) -> usize {
        self.content + self.content_len
    }
    fn document_end(&self) -> usize {
        self.document + self.document_len
    }
}

/// Maps offsets of a *content* text (the value of a YAML scalar, the JSON of a patch list) to the *document*
/// it was written in, and back.
///
/// The map is a list of runs. A verbatim run maps byte by byte; any other run (an escape such as `\u00e9`,
/// folded line breaks, text that is nowhere in the document) maps as a whole: an offset inside it stands for
/// all of its source. Maps compose with [`ContentMap::then`].
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ContentMap {
    segments: Vec<Segment>,
    /// Where an empty content, or the end of the content, stands in the document.
    end: usize,
}

/// Builds a [`ContentMap`] from left to right.
#[derive(Debug, Default)]
pub struct ContentMapBuilder {
    segments: Vec<Segment>,
    content: usize,
}

impl ContentMapBuilder {
    /// An empty builder.
    pub fn new() -> Self {
        Self::default()
    }

    /// Length of the content so far.
    pub fn content_len(&self) -> usize {
        self.content
    }

    /// `len` bytes of content are the `len` bytes of the document from `document` on.
    pub fn verbatim(&mut self, document: usize, len: usize) {
        if len == 0 {
            return;
        }
        if let Some(last) = self.segments.last_mut()
            && last.verbatim
            && last.document_end() == document
        {
            last.content_len += len;
            last.document_len += len;
        } else {
            self.segments.push(Segment {
                content: self.content,
                content_len: len,
                document,
                document_len: len,
                verbatim: true,
            });
        }
        self.content += len;
    }

    /// `len` bytes of content stand for `source` as a whole.
    pub fn replaced(&mut self, source: Span, len: usize) {
        if len == 0 {
            return;
        }
        self.segments.push(Segment {
            content: self.content,
            content_len: len,
            document: source.start,
            document_len: source.len(),
            verbatim: false,
        });
        self.content += len;
    }

    /// The map; `end` is where the end of the content stands in the document.
    pub fn finish(self, end: usize) -> ContentMap {
        ContentMap { segments: self.segments, end }
    }
}

impl ContentMap {
    /// The map of a content that is the bytes of `document` as they stand.
    pub fn identity(document: Span) -> Self {
        let mut builder = ContentMapBuilder::new();
        builder.verbatim(document.start, document.len());
        builder.finish(document.end)
    }

    /// The run that holds the byte at `offset`.
    fn segment_at(&self, offset: usize) -> Option<&Segment> {
        let i = self.segments.partition_point(|s| s.content_end() <= offset);
        self.segments.get(i).filter(|s| s.content <= offset)
    }

    /// Where a content offset stands in the document: the exact byte in a verbatim run, the start of the
    /// source in any other run.
    pub fn to_document(&self, offset: usize) -> usize {
        match self.segment_at(offset) {
            Some(s) if s.verbatim => s.document + (offset - s.content),
            Some(s) => s.document,
            None => self.segments.last().map_or(self.end, |s| self.end.max(s.document_end())),
        }
    }

    /// The document span of a content span. Runs that map as a whole are covered as a whole, so that an error
    /// inside an escape underlines the escape.
    pub fn span_to_document(&self, span: Span) -> Span {
        let start = self.to_document(span.start);
        if span.is_empty() {
            // An empty span directly after text stands at the end of that text, not at the start of what
            // follows: between the two there may be indentation.
            if let Some(before) = span.start.checked_sub(1).and_then(|o| self.segment_at(o))
                && before.content_end() == span.start
            {
                return Span::empty(before.document_end());
            }
            return Span::empty(start);
        }
        let end = match self.segment_at(span.end - 1) {
            Some(s) if s.verbatim => s.document + (span.end - s.content),
            Some(s) => s.document_end(),
            None => self.to_document(span.end),
        };
        Span::new(start, end)
    }

    /// The content offset of a document offset, or `None` where no content comes from there (indentation,
    /// quotes, outside). An offset directly after a run counts as its end. Where several runs hold the
    /// offset (the braces of a JSON text stand for the whole list), the shortest source decides.
    pub fn to_content(&self, document: usize) -> Option<usize> {
        let inside = self
            .segments
            .iter()
            .filter(|s| s.document <= document && document < s.document_end())
            .min_by_key(|s| (!s.verbatim, s.document_len));
        match inside {
            Some(s) if s.verbatim => return Some(s.content + (document - s.document)),
            _ => {}
        }
        let before = self.segments.iter().find(|s| s.verbatim && s.document_end() == document);
        before.map(Segment::content_end).or(inside.map(|s| s.content))
    }

    /// This map (content to middle) followed by `outer` (middle to document).
    #[must_use]
    pub fn then(&self, outer: &ContentMap) -> ContentMap {
        let mut builder = ContentMapBuilder::new();
        for segment in &self.segments {
            if !segment.verbatim {
                let source = outer.span_to_document(Span::new(segment.document, segment.document_end()));
                builder.replaced(source, segment.content_len);
                continue;
            }
            let mut middle = segment.document;
            while middle < segment.document_end() {
                let Some(run) = outer.segment_at(middle) else {
                    let rest = segment.document_end() - middle;
                    builder.replaced(Span::empty(outer.to_document(middle)), rest);
                    break;
                };
                let len = run.content_end().min(segment.document_end()) - middle;
                if run.verbatim {
                    builder.verbatim(run.document + (middle - run.content), len);
                } else {
                    builder.replaced(Span::new(run.document, run.document_end()), len);
                }
                middle += len;
            }
        }
        builder.finish(outer.to_document(self.end))
    }

    /// Where the end of the content stands in the document.
    pub fn end(&self) -> usize {
        self.end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `a: "x\ny"` : the content `x⏎y` of a double-quoted scalar whose quote stands at byte 3.
    fn escaped() -> ContentMap {
        let mut builder = ContentMapBuilder::new();
        builder.verbatim(4, 1);
        builder.replaced(Span::new(5, 7), 1);
        builder.verbatim(7, 1);
        builder.finish(8)
    }

    #[test]
    fn escapes_map_as_a_whole() {
        let map = escaped();
        assert_eq!(map.to_document(0), 4);
        assert_eq!(map.span_to_document(Span::new(1, 2)), Span::new(5, 7));
        assert_eq!(map.span_to_document(Span::new(0, 3)), Span::new(4, 8));
        assert_eq!(map.span_to_document(Span::empty(3)), Span::empty(8));
        assert_eq!(map.to_content(6), Some(1));
        assert_eq!(map.to_content(7), Some(2));
        assert_eq!(map.to_content(8), Some(3));
        assert_eq!(map.to_content(2), None);
    }

    #[test]
    fn maps_compose() {
        // JSON text `["x\\ny"]` made from that scalar: the two JSON bytes `\n` stand for its line break.
        let mut builder = ContentMapBuilder::new();
        builder.replaced(Span::new(0, 3), 2);
        builder.verbatim(0, 1);
        builder.replaced(Span::new(1, 2), 2);
        builder.verbatim(2, 1);
        builder.replaced(Span::new(0, 3), 2);
        let json = builder.finish(3).then(&escaped());
        assert_eq!(json.span_to_document(Span::new(0, 1)), Span::new(4, 8));
        assert_eq!(json.span_to_document(Span::new(2, 3)), Span::new(4, 5));
        assert_eq!(json.span_to_document(Span::new(4, 5)), Span::new(5, 7));
        assert_eq!(json.span_to_document(Span::new(5, 6)), Span::new(7, 8));
    }

    #[test]
    fn an_empty_content_stands_at_its_end() {
        let map = ContentMapBuilder::new().finish(12);
        assert_eq!(map.to_document(0), 12);
        assert_eq!(map.span_to_document(Span::empty(0)), Span::empty(12));
        assert_eq!(ContentMap::identity(Span::new(3, 6)).to_document(3), 6);
    }
}
