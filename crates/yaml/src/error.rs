use convoy_text::Span;

use crate::value::Flavour;

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
    /// Directives without a document; the context is where they begin.
    Directives,
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
    lines: Lines,
}

/// What a flavour makes the line of a message from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
struct Lines {
    /// Where the scanner stood, and where the construct began; counted from 0.
    problem: u32,
    context: u32,
    /// Whether the scanner refused the text, and not the parser.
    scanner: bool,
}

impl SyntaxError {
    /// The offset at which go-yaml gave up, which may lie far behind what is to blame.
    pub fn offset(&self) -> usize {
        self.at
    }
}

/// What scanning and parsing give; the error is boxed because hardly any of the many calls fails.
pub(crate) type Fallible<T = ()> = Result<T, Box<SyntaxError>>;

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

/// What is kept of a [`Mark`]: where a token begins or ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Place {
    /// Bytes.
    pub(crate) offset: u32,
    /// Lines from 0.
    pub(crate) line: u32,
}

impl From<Mark> for Place {
    fn from(mark: Mark) -> Self {
        Place { offset: mark.offset as u32, line: mark.line as u32 }
    }
}

impl SyntaxError {
    pub(crate) fn new(class: Class, problem: String, problem_mark: Mark, context: Option<Mark>) -> Self {
        Self::with_lines(class, true, problem, problem_mark.into(), context.map(Place::from))
    }

    pub(crate) fn parser(class: Class, problem: String, at: Place, context: Option<Place>) -> Self {
        Self::with_lines(class, false, problem, at, context)
    }

    fn with_lines(class: Class, scanner: bool, problem: String, at: Place, context: Option<Place>) -> Self {
        SyntaxError {
            message: String::new(),
            problem,
            span: Span::empty(at.offset as usize),
            context: context.map(|context| Span::empty(context.offset as usize)),
            after_document: false,
            class,
            at: at.offset as usize,
            lines: Lines { problem: at.line, context: context.map_or(0, |context| context.line), scanner },
        }
    }

    /// Writes the text of a flavour. go-yaml counts the lines of scanner errors from 1 and those of parser errors from
    /// 0, and says no line at all where the count is 0; which line it prefers has changed.
    pub(crate) fn word(&mut self, flavour: Flavour) {
        let Lines { problem, context, scanner } = self.lines;
        let add = u32::from(scanner);
        let line = match flavour {
            Flavour::V2 if problem != 0 => problem + add,
            Flavour::V2 => context,
            Flavour::V3 if context != 0 => context + add,
            Flavour::V3 if problem != 0 => problem + add,
            Flavour::V3 => 0,
        };
        self.message = match line {
            0 => format!("yaml: {}", self.problem),
            line => format!("yaml: line {line}: {}", self.problem),
        };
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
            lines: Lines::default(),
        }
    }
}
