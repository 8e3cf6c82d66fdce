use convoy_text::Span;

/// What recovery, and a reader, need to know of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// Characters that the reader refuses.
    Reader,
    /// A key without `:`; the context is where the key begins.
    SimpleKey,
    /// Inside a quoted scalar, an alias, an anchor or a tag; the context is where that begins.
    Token,
    /// Inside a flow collection; the context is its bracket.
    Flow,
    /// Anything else.
    Other,
    /// `*name` without an anchor: the tree itself is whole.
    UnknownAnchor,
}

/// Why a text is not YAML for Go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The text that Go prints, `yaml: line N: …`. Lines count as go-yaml counts them, which is at times off by one.
    pub message: String,
    /// The same without `yaml:` and the line.
    pub problem: String,
    /// The place to show.
    pub span: Span,
    /// Where the construct began that could not be finished: the quote, the bracket.
    pub context: Option<Span>,
    /// The document itself has ended before: a program that reads one document, as `Unmarshal` does, never sees
    /// the error, nor anything that follows.
    pub after_document: bool,
    pub(crate) class: Class,
    /// Where the scanner stood.
    pub(crate) at: usize,
}

impl SyntaxError {
    /// The offset at which go-yaml gave up, which may lie far behind what is to blame.
    pub fn offset(&self) -> usize {
        self.at
    }
}

impl std::fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for SyntaxError {}

/// A place in the stream as the scanner counts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Mark {
    /// Bytes.
    pub(crate) offset: usize,
    /// Lines from 0.
    pub(crate) line: usize,
    /// Characters from the start of the line.
    pub(crate) column: usize,
    /// Characters from the start of the stream.
    pub(crate) index: usize,
}

impl SyntaxError {
    pub(crate) fn new(class: Class, problem: String, problem_mark: Mark, context: Option<Mark>) -> Self {
        // go-yaml counts the lines of scanner errors from 1 and those of parser errors from 0, and says no
        // line at all where the count is 0.
        let scanner = matches!(class, Class::SimpleKey | Class::Token) || class == Class::Other;
        Self::with_line(class, scanner, problem, problem_mark, context)
    }

    pub(crate) fn parser(class: Class, problem: String, problem_mark: Mark, context: Option<Mark>) -> Self {
        Self::with_line(class, false, problem, problem_mark, context)
    }

    fn with_line(
        class: Class,
        scanner: bool,
        problem: String,
        problem_mark: Mark,
        context: Option<Mark>,
    ) -> Self {
        let line = match (problem_mark.line, context) {
            (0, Some(mark)) => mark.line,
            (0, None) => 0,
            (line, _) if scanner => line + 1,
            (line, _) => line,
        };
        let message =
            if line == 0 { format!("yaml: {problem}") } else { format!("yaml: line {line}: {problem}") };
        SyntaxError {
            message,
            problem,
            span: Span::empty(problem_mark.offset),
            context: context.map(|mark| Span::empty(mark.offset)),
            after_document: false,
            class,
            at: problem_mark.offset,
        }
    }

    /// An error without a place in Go's text.
    pub(crate) fn unplaced(class: Class, problem: String, span: Span) -> Self {
        SyntaxError {
            message: format!("yaml: {problem}"),
            problem,
            span,
            context: None,
            after_document: false,
            class,
            at: span.start,
        }
    }
}
