//! A tree for any text.
//!
//! A stream is cut at its `---` lines, since in YAML nothing reaches over them. The run over the whole stream
//! gives the verdict; from the document in which it failed on, each document is parsed on its own. A document
//! that fails is parsed again with the piece of the line that the error blames overwritten by spaces, until it
//! passes: offsets stay as they are, and what is skipped is at most the rest of a line.

use std::collections::HashSet;
use std::sync::Arc;

use convoy_text::Span;

use crate::chars::{at, break_before, break_len, document_indicator};
use crate::error::{Class, Mark, SyntaxError};
use crate::parse::{self, Parsed};
use crate::scan::break_at;
use crate::store::{MAX_TEXT, Store};
use crate::tree::{Document, Stop, Style, Tree};
use crate::value::Flavour;

/// Errors of one document that are reported and repaired.
const MAX_ERRORS: usize = 100;
/// What recovery may cost in all for a stream, in bytes that are read again, where a token counts as
/// [`TOKEN_COST`] of them; a document that costs more keeps what stands before its next error.
const MAX_COST: usize = 48 << 20;
/// A token takes about as long as so many bytes inside of one.
const TOKEN_COST: usize = 8;

pub(crate) fn parse(text: &Arc<str>, flavour: Flavour) -> Tree {
    let mut store = Store::default();
    if text.len() > MAX_TEXT {
        let problem = format!("longer than {MAX_TEXT} bytes (a limit of convoy-lsp)");
        let error = SyntaxError::unplaced(Class::Reader, problem, Span::empty(0));
        let stop = Some(Stop { documents: 0, error: error.clone() });
        let document = Document { span: Span::new(0, text.len()), root: None, errors: vec![error] };
        let (scanned, text) = (text.clone(), text.clone());
        return Tree { text, scanned, store, documents: vec![document], stop, comments: Vec::new() };
    }
    let whole = parse::parse(text, flavour, Mark::default(), text.len(), &mut store);
    let mut tree = Tree {
        text: text.clone(),
        scanned: text.clone(),
        store,
        documents: whole.documents,
        stop: whole.stop,
        comments: whole.comments,
    };
    let Some(error) = whole.error else { return tree };
    let completed = tree.stop.as_ref().map_or(0, |stop| stop.documents);
    let whole = tree.documents[..completed.min(tree.documents.len())].iter().rev().find_map(|d| d.root);
    let pieces = pieces(text, whole.map_or(0, |root| tree.span(root).end));
    let mut scratch = Scratch { text: text.to_string(), flavour };
    let mut budget = MAX_COST;
    if error.after_document {
        // The documents stand; what follows them up to the next `---` is read as a document of its own.
        // The token to blame may be a key that was put in too late, and begin inside of what stands.
        let ended = tree.documents.last().and_then(|document| document.root).map(|root| tree.span(root).end);
        let at = error.at.max(ended.unwrap_or(0));
        if let Some(last) = tree.documents.last_mut() {
            last.span.end = last.span.end.min(at.max(last.span.start));
            last.errors.push(located(&scratch, error));
        }
        tree.comments.retain(|comment| comment.start < at);
        let line = text[..at].matches('\n').count();
        let rest = Piece {
            start: Mark { offset: at, line, column: 0, index: 0 },
            end: next_start(&pieces, at, text),
        };
        let first = tree.documents.len();
        recover(&mut tree, &mut scratch, rest, None, &mut budget);
        for document in &mut tree.documents[first..] {
            document.errors.iter_mut().for_each(|error| error.after_document = true);
        }
        for piece in pieces.iter().filter(|piece| piece.start.offset > at) {
            recover(&mut tree, &mut scratch, *piece, None, &mut budget);
        }
        tree.scanned = scratch.text.into();
        return tree;
    }
    // The piece to blame is the one in which the document that failed, or what it could not finish, begins.
    let context = error.context.map_or(error.at, |context| context.start.min(error.at));
    let blamed = tree.documents.last().map_or(context, |document| context.min(document.span.start));
    let seen = tree.documents.last().map(|document| document.errors.clone()).unwrap_or_default();
    let broken = pieces.iter().rposition(|piece| piece.start.offset <= blamed).unwrap_or(0);
    let start = pieces[broken].start.offset;
    tree.documents.retain(|document| document.span.start < start);
    if let Some(last) = tree.documents.last_mut() {
        last.span.end = last.span.end.min(start);
    }
    tree.comments.retain(|comment| comment.start < start);
    let before = tree.documents.len();
    // What the reader refuses may stand in a later piece than the one that could not be read for it.
    let at = if error.class == Class::Reader { error.span.start } else { start };
    let holder = pieces.iter().rposition(|piece| piece.start.offset <= at).unwrap_or(broken);
    for (i, piece) in pieces.iter().enumerate().skip(broken) {
        let first = (i == holder).then_some(&error);
        recover(&mut tree, &mut scratch, *piece, first, &mut budget);
    }
    if let Some(document) = tree.documents.get_mut(before) {
        // What Go met first comes first: the anchors that were unknown before the error, the error, the rest.
        let (anchors, mut others): (Vec<_>, Vec<_>) =
            std::mem::take(&mut document.errors).into_iter().partition(|e| e.class == Class::UnknownAnchor);
        document.errors.clone_from(&seen);
        document.errors.append(&mut others);
        document.errors.extend(anchors.into_iter().filter(|anchor| !seen.contains(anchor)));
    }
    tree.scanned = scratch.text.into();
    tree
}

fn next_start(pieces: &[Piece], at: usize, text: &str) -> usize {
    pieces.iter().map(|piece| piece.start.offset).find(|start| *start > at).unwrap_or(text.len())
}

/// An error with the rest of its line as its place.
fn located(scratch: &Scratch, mut error: SyntaxError) -> SyntaxError {
    if error.span.is_empty() {
        let end = scratch.line_end(error.at);
        error.span = Span::new(error.at, end);
    }
    error
}

/// A part of the stream that begins with a document indicator, or with the stream.
#[derive(Clone, Copy)]
struct Piece {
    start: Mark,
    end: usize,
}

/// Cuts a stream; the documents up to `whole` are without errors.
fn pieces(text: &str, whole: usize) -> Vec<Piece> {
    let bytes = text.as_bytes();
    let mut starts = vec![Mark::default()];
    let mut offset = if text.starts_with('\u{FEFF}') { '\u{FEFF}'.len_utf8() } else { 0 };
    let mut line = 0;
    let mut content = false;
    // Where the directives before the next `---` begin, if nothing but comments and blank lines follows them.
    let mut directives: Option<Mark> = None;
    while offset < bytes.len() {
        let here = Mark { offset, line, column: 0, index: 0 };
        if document_indicator(bytes, offset) && bytes[offset] == b'-' {
            // Directives and comments before `---` belong to the document that it begins.
            if content {
                starts.push(directives.unwrap_or(here));
            }
            content = true;
            directives = None;
        } else {
            let mut first = offset;
            while matches!(at(bytes, first), b' ' | b'\t') {
                first += 1;
            }
            match at(bytes, first) {
                // In a scalar over several lines it is no directive.
                b'%' if first == offset && offset >= whole => directives = directives.or(Some(here)),
                b'#' | 0 => {}
                _ if break_at(bytes, first) => {}
                _ => {
                    content = true;
                    directives = None;
                }
            }
        }
        while offset < bytes.len() && !break_at(bytes, offset) {
            offset += 1;
        }
        if offset < bytes.len() {
            offset += break_len(bytes, offset);
            line += 1;
        }
    }
    let ends: Vec<usize> = starts.iter().skip(1).map(|m| m.offset).chain([bytes.len()]).collect();
    starts.into_iter().zip(ends).map(|(start, end)| Piece { start, end }).collect()
}

/// The text with the skipped pieces overwritten.
struct Scratch {
    text: String,
    flavour: Flavour,
}

impl Scratch {
    fn bytes(&self) -> &[u8] {
        self.text.as_bytes()
    }

    /// Overwrites whole characters.
    fn blank(&mut self, span: Span) {
        let mut i = span.start;
        while i < span.end {
            // Line breaks stay, so that lines keep their numbers.
            let len = break_len(self.bytes(), i);
            if len > 0 {
                i += len;
                continue;
            }
            let from = i;
            while i < span.end && break_len(self.bytes(), i) == 0 {
                i += 1;
            }
            self.text.replace_range(from..i, &" ".repeat(i - from));
        }
    }

    fn line_start(&self, at: usize) -> usize {
        let mut i = at.min(self.bytes().len());
        while i > 0 && !break_before(self.bytes(), i) {
            i -= 1;
        }
        i
    }

    fn line_end(&self, at: usize) -> usize {
        let mut i = at;
        while i < self.bytes().len() && !break_at(self.bytes(), i) {
            i += 1;
        }
        i
    }

    fn word_end(&self, at: usize) -> usize {
        let line_end = self.line_end(at);
        let len = self.bytes()[at..line_end].iter().take_while(|b| !b.is_ascii_whitespace()).count();
        at + len.max(1).min(line_end - at)
    }

    fn is_blank(&self, span: Span) -> bool {
        let mut i = span.start;
        while i < span.end {
            let len = break_len(self.bytes(), i);
            if len == 0 && self.bytes()[i] != b' ' {
                return false;
            }
            i += len.max(1);
        }
        true
    }
}

fn recover(
    tree: &mut Tree,
    scratch: &mut Scratch,
    piece: Piece,
    first: Option<&SyntaxError>,
    budget: &mut usize,
) {
    let mut errors: Vec<SyntaxError> = Vec::new();
    // Errors of a line that was already blamed are consequences.
    let mut blamed = HashSet::new();
    let filled = tree.store.filled();
    let parsed = loop {
        tree.store.truncate(filled);
        let parsed = parse::parse(&scratch.text, scratch.flavour, piece.start, piece.end, &mut tree.store);
        let Some(error) = parsed.error.clone() else { break parsed };
        let repair = repair(scratch, piece, &error, &parsed);
        // The words of the first error are those of the run over the whole stream.
        let mut shown = if errors.is_empty() { first.cloned().unwrap_or(error) } else { error };
        shown.span = shown_span(scratch, piece, &shown, repair);
        if blamed.insert(scratch.line_start(shown.span.start)) {
            errors.push(shown);
        }
        *budget = budget.saturating_sub(parsed.read - piece.start.offset + parsed.tokens * TOKEN_COST);
        let Some(repair) = repair else { break parsed };
        if errors.len() >= MAX_ERRORS || *budget == 0 {
            break parsed;
        }
        scratch.blank(repair);
    };
    let mut documents = parsed.documents;
    tree.comments.extend(parsed.comments);
    if documents.is_empty() {
        let span = Span::new(piece.start.offset, piece.end);
        documents.push(Document { span, root: None, errors: Vec::new() });
    }
    if let Some(document) = documents.first_mut() {
        document.span.start = document.span.start.min(piece.start.offset);
    }
    for error in errors {
        let i = documents.iter().rposition(|d| d.span.start <= error.span.start).unwrap_or(0);
        documents[i].errors.push(error);
    }
    for document in &mut documents {
        // A repaired document no longer has the unknown anchors that the repair overwrote twice over.
        document.errors.dedup();
    }
    tree.documents.extend(documents);
}

/// The bytes to overwrite so that the text after them can be read, or `None` where there is nothing left to
/// give up.
fn repair(scratch: &Scratch, piece: Piece, error: &SyntaxError, parsed: &Parsed) -> Option<Span> {
    let clamp = |offset: usize| offset.clamp(piece.start.offset, piece.end);
    let at = clamp(error.at);
    let context = error.context.map(|span| clamp(span.start));
    let rest_of_line = |from: usize| Span::new(from, scratch.line_end(from).min(piece.end));
    let candidates = match error.class {
        Class::Reader => vec![error.span],
        Class::SimpleKey => {
            vec![context.map(rest_of_line), None, Some(rest_of_line(at))].into_iter().flatten().collect()
        }
        Class::Token => vec![rest_of_line(context.unwrap_or(at)), rest_of_line(at)],
        Class::Flow => {
            let opened = context.unwrap_or(at);
            // An entry that is indented like the others of a collection over several lines is to blame
            // itself; anything else means that the bracket was never closed.
            let line = scratch.line_start(at);
            let indent = |line: usize| scratch.bytes()[line..].iter().take_while(|b| **b == b' ').count();
            let inside = scratch.line_start(opened) < line
                && indent(line) > indent(scratch.line_start(opened))
                && !scratch.bytes()[at..piece.end].is_empty();
            if inside { vec![rest_of_line(at), rest_of_line(opened)] } else { vec![rest_of_line(opened)] }
        }
        Class::Directives => match context {
            Some(from) => vec![Span::new(from, at)],
            None => other(scratch, piece, error, at, context, parsed),
        },
        Class::Other | Class::UnknownAnchor => other(scratch, piece, error, at, context, parsed),
    };
    let line = rest_of_line(scratch.line_start(at));
    candidates
        .into_iter()
        .chain([line, before(scratch, piece, line.start)])
        .find(|span| !span.is_empty() && !scratch.is_blank(*span))
}

/// The last line with anything on it before `offset`.
fn before(scratch: &Scratch, piece: Piece, offset: usize) -> Span {
    let mut end = offset;
    while end > piece.start.offset && scratch.bytes()[end - 1].is_ascii_whitespace() {
        end -= 1;
    }
    Span::new(scratch.line_start(end).max(piece.start.offset), end)
}

fn other(
    scratch: &Scratch,
    piece: Piece,
    error: &SyntaxError,
    at: usize,
    context: Option<usize>,
    parsed: &Parsed,
) -> Vec<Span> {
    let rest_of_line = |from: usize| Span::new(from, scratch.line_end(from).min(piece.end));
    let line_start = scratch.line_start(at).max(piece.start.offset);
    let mut candidates = Vec::new();
    // A tab in the indentation: read it as a space.
    let indentation = scratch.bytes()[line_start..].iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
    if error.problem.contains("tab") || error.problem.contains("cannot start any token") {
        let tabs = Span::new(line_start, line_start + indentation);
        if scratch.bytes()[tabs.range()].contains(&b'\t') {
            // The first space of the repair keeps the line inside what stands above it.
            let first =
                tabs.start + scratch.bytes()[tabs.range()].iter().position(|b| *b == b'\t').unwrap_or(0);
            return vec![Span::new(first, tabs.end)]
                .into_iter()
                .filter(|span| scratch.bytes()[span.range()].contains(&b'\t'))
                .collect();
        }
    }
    // A quote that was forgotten lines above ends at the next quote there is: on this line.
    candidates.extend(
        parsed
            .last_long_quote
            .filter(|quote| scratch.line_start(quote.end) == line_start)
            .map(|quote| rest_of_line(quote.start)),
    );
    if let Some((scalar, style)) = parsed.last_scalar {
        let multi_line = scratch.line_end(scalar.start) < scalar.end;
        let same_line = scratch.line_start(scalar.end) == line_start || scalar.end == at;
        if style == Style::Plain && multi_line && same_line && error.problem.contains("mapping values") {
            // A half-written key, or a value, swallowed the key of the next line.
            candidates.push(Span::new(scalar.start, scratch.line_start(scalar.end)));
        } else if error.problem.contains("mapping values")
            && same_line
            && scalar.start > line_start + indentation
        {
            candidates.push(rest_of_line(scalar.start));
        }
    }
    if error.problem == "did not find expected node content"
        && let Some(context) = context
    {
        // Inside brackets: what began on this line is given up as a whole.
        let opened = scratch.bytes()[line_start..context.max(line_start)]
            .iter()
            .position(|b| matches!(b, b'[' | b'{'))
            .map(|i| line_start + i);
        candidates.extend(opened.map(rest_of_line));
    }
    candidates.push(rest_of_line(at));
    candidates
}

/// The place to show for an error: what recovery gives up, without the blanks around it; at the end of the
/// text, the last thing before it.
fn shown_span(scratch: &Scratch, piece: Piece, error: &SyntaxError, repair: Option<Span>) -> Span {
    if !error.span.is_empty() {
        return error.span;
    }
    let mut span = match (error.class, repair) {
        // A bracket that is open on this line is broken off here; one from a line above was never closed.
        (Class::Flow, Some(repair)) if repair.start < error.at => {
            let here = scratch.line_start(error.at) == scratch.line_start(repair.start);
            if here && error.at < piece.end {
                Span::new(error.at, scratch.word_end(error.at))
            } else {
                Span::character(&scratch.text, repair.start)
            }
        }
        (_, Some(repair)) => repair,
        (_, None) => before(scratch, piece, error.at.min(piece.end)),
    };
    // One line is enough.
    let from = scratch.bytes()[span.range()].iter().position(|b| !b.is_ascii_whitespace()).unwrap_or(0);
    span.start += from;
    span.end = span.end.min(scratch.line_end(span.start));
    while span.end > span.start && scratch.bytes()[span.end - 1].is_ascii_whitespace() {
        span.end -= 1;
    }
    span
}
