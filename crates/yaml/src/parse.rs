//! From tokens to the tree, by the grammar of libyaml. Nothing here recurses: depth is held in vectors.

use std::collections::HashMap;

use convoy_text::Span;

use crate::error::{Class, Fallible, Mark, Place, SyntaxError};
use crate::scan::Scanner;
use crate::store::{Content, Node, Range32, Scalar, Store};
use crate::token::{Token, TokenKind};
use crate::tree::{Document, Entry, NodeId, Properties, Stop, Style};
use crate::value::Flavour;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    ImplicitDocumentStart,
    DocumentStart,
    DocumentContent,
    DocumentEnd,
    BlockNode,
    BlockSequenceEntry { first: bool },
    IndentlessSequenceEntry,
    BlockMappingKey { first: bool },
    BlockMappingValue,
    FlowSequenceEntry { first: bool },
    FlowSequenceEntryMappingKey,
    FlowSequenceEntryMappingValue,
    FlowSequenceEntryMappingEnd,
    FlowMappingKey { first: bool },
    FlowMappingValue { empty: bool },
    End,
}

/// How many unknown anchors of a document are reported; more of them do not help, and a text may have a million.
const MAX_UNKNOWN_ANCHORS: usize = 100;

/// A collection that is being filled.
struct Open {
    id: NodeId,
    /// Where its children begin in [`Parser::children`].
    first: usize,
}

/// What one run over (a part of) a stream gave.
pub(crate) struct Parsed {
    pub(crate) documents: Vec<Document>,
    pub(crate) comments: Vec<Span>,
    /// The error that ended the run.
    pub(crate) error: Option<SyntaxError>,
    /// What Go would stop at.
    pub(crate) stop: Option<Stop>,
    /// Where the scanner stood at the end, and how many tokens were taken: what the run cost.
    pub(crate) read: usize,
    pub(crate) tokens: usize,
    pub(crate) last_scalar: Option<(Span, Style)>,
    pub(crate) last_long_quote: Option<Span>,
}

/// Parses `source[start..end]` into the store.
pub(crate) fn parse(source: &str, flavour: Flavour, start: Mark, end: usize, store: &mut Store) -> Parsed {
    let decoded = std::mem::take(&mut store.decoded);
    // About as many as ordinary texts have. What is not used costs address space and no memory.
    store.nodes.reserve((end - start.offset) / 16);
    store.entries.reserve((end - start.offset) / 32);
    let mut parser = Parser {
        source,
        flavour,
        scanner: Scanner::new(source, flavour, start, end, decoded),
        state: State::ImplicitDocumentStart,
        states: Vec::new(),
        marks: Vec::new(),
        tags: HashMap::new(),
        store,
        documents: Vec::new(),
        open: Vec::new(),
        completed: 0,
        stop: None,
        children: Vec::new(),
        anchors: HashMap::new(),
    };
    let error = loop {
        match parser.step() {
            Ok(()) if parser.state == State::End => break None,
            Ok(()) => {}
            Err(mut error) => {
                error.word(flavour);
                error.after_document = parser.state == State::DocumentStart;
                let documents = parser.completed;
                parser.stop.get_or_insert_with(|| Stop { documents, error: (*error).clone() });
                break Some(*error);
            }
        }
    };
    parser.close_all();
    if let Some(last) = parser.documents.last_mut() {
        last.span.end = last.span.end.max(end);
    }
    let scanner = parser.scanner;
    let read = scanner.offset();
    parser.store.decoded = scanner.decoded;
    Parsed {
        documents: parser.documents,
        comments: scanner.comments,
        error,
        stop: parser.stop,
        read,
        tokens: scanner.tokens_parsed,
        last_scalar: scanner.last_scalar,
        last_long_quote: scanner.last_long_quote,
    }
}

struct Parser<'a> {
    source: &'a str,
    flavour: Flavour,
    scanner: Scanner<'a>,
    state: State,
    states: Vec<State>,
    marks: Vec<Place>,
    tags: HashMap<Box<str>, Box<str>>,
    store: &'a mut Store,
    documents: Vec<Document>,
    open: Vec<Open>,
    /// How many documents have ended.
    completed: usize,
    stop: Option<Stop>,
    /// The children of all open collections so far, those of the innermost last.
    children: Vec<NodeId>,
    anchors: HashMap<&'a str, NodeId>,
}

impl Parser<'_> {
    fn peek_kind(&mut self) -> Fallible<&TokenKind> {
        Ok(&self.scanner.peek()?.kind)
    }

    fn pop_state(&mut self) {
        self.state = self.states.pop().unwrap_or(State::End);
    }

    fn error<T>(problem: &str, at: Place, class: Class, context: Option<Place>) -> Fallible<T> {
        Err(SyntaxError::parser(class, problem.to_owned(), at, context).into())
    }

    fn step(&mut self) -> Fallible {
        match self.state {
            State::ImplicitDocumentStart => self.document_start(true),
            State::DocumentStart => self.document_start(false),
            State::DocumentContent => {
                let token = self.scanner.peek()?;
                if matches!(
                    token.kind,
                    TokenKind::VersionDirective { .. }
                        | TokenKind::TagDirective(_)
                        | TokenKind::DocumentStart
                        | TokenKind::DocumentEnd
                        | TokenKind::StreamEnd
                ) {
                    let mark = token.start;
                    self.pop_state();
                    self.empty_scalar(mark);
                    return Ok(());
                }
                self.node(true, false)
            }
            State::DocumentEnd => self.document_end(),
            State::BlockNode => self.node(true, false),
            State::BlockSequenceEntry { first } => self.block_sequence_entry(first),
            State::IndentlessSequenceEntry => self.indentless_sequence_entry(),
            State::BlockMappingKey { first } => self.block_mapping_key(first),
            State::BlockMappingValue => self.block_mapping_value(),
            State::FlowSequenceEntry { first } => self.flow_sequence_entry(first),
            State::FlowSequenceEntryMappingKey => {
                let token = self.scanner.peek()?;
                if matches!(token.kind, TokenKind::Value | TokenKind::FlowEntry | TokenKind::FlowSequenceEnd)
                {
                    // go-yaml takes the token here, so that `[? : a]` is refused later on.
                    let mark = self.scanner.take().end;
                    self.state = State::FlowSequenceEntryMappingValue;
                    self.empty_scalar(mark);
                    return Ok(());
                }
                self.states.push(State::FlowSequenceEntryMappingValue);
                self.node(false, false)
            }
            State::FlowSequenceEntryMappingValue => {
                if matches!(self.peek_kind()?, TokenKind::Value) {
                    self.scanner.take();
                    if !matches!(self.peek_kind()?, TokenKind::FlowEntry | TokenKind::FlowSequenceEnd) {
                        self.states.push(State::FlowSequenceEntryMappingEnd);
                        return self.node(false, false);
                    }
                }
                let mark = self.scanner.peek()?.start;
                self.state = State::FlowSequenceEntryMappingEnd;
                self.empty_scalar(mark);
                Ok(())
            }
            State::FlowSequenceEntryMappingEnd => {
                self.scanner.peek()?;
                self.state = State::FlowSequenceEntry { first: false };
                self.close(None);
                Ok(())
            }
            State::FlowMappingKey { first } => self.flow_mapping_key(first),
            State::FlowMappingValue { empty } => self.flow_mapping_value(empty),
            State::End => Ok(()),
        }
    }

    // ---- documents ----

    fn document_start(&mut self, implicit: bool) -> Fallible {
        if !implicit {
            while matches!(self.peek_kind()?, TokenKind::DocumentEnd) {
                self.scanner.take();
            }
        }
        let token = self.scanner.peek()?;
        let start = token.start;
        match token.kind {
            TokenKind::StreamEnd => {
                self.state = State::End;
                return Ok(());
            }
            TokenKind::VersionDirective { .. } | TokenKind::TagDirective(_) | TokenKind::DocumentStart => {}
            _ if implicit => {
                self.directives()?;
                self.begin_document(start);
                self.states.push(State::DocumentEnd);
                self.state = State::BlockNode;
                return Ok(());
            }
            _ => {}
        }
        self.directives()?;
        let token = self.scanner.peek()?;
        if !matches!(token.kind, TokenKind::DocumentStart) {
            let at = token.start;
            let mut error = SyntaxError::parser(
                Class::Directives,
                "did not find expected <document start>".to_owned(),
                at,
                None,
            );
            // Go names no context; recovery gives up the directives as a whole.
            error.context = (start != at).then(|| Span::empty(start.offset as usize));
            return Err(error.into());
        }
        self.scanner.take();
        self.begin_document(start);
        self.states.push(State::DocumentEnd);
        self.state = State::DocumentContent;
        Ok(())
    }

    fn begin_document(&mut self, start: Place) {
        let start = start.offset as usize;
        if let Some(last) = self.documents.last_mut() {
            last.span.end = last.span.end.max(start);
        }
        // Version 3 forgets to forget the anchors of the documents before.
        if self.flavour == Flavour::V2 {
            self.anchors.clear();
        }
        self.documents.push(Document { span: Span::empty(start), root: None, errors: Vec::new() });
    }

    fn document_end(&mut self) -> Fallible {
        let token = self.scanner.peek()?;
        let mut end = token.start.offset;
        if matches!(token.kind, TokenKind::DocumentEnd) {
            end = token.end.offset;
            self.scanner.take();
        }
        self.tags.clear();
        self.completed += 1;
        self.state = State::DocumentStart;
        if let Some(document) = self.documents.last_mut() {
            document.span.end = end as usize;
        }
        Ok(())
    }

    fn directives(&mut self) -> Fallible {
        let mut version_seen = false;
        loop {
            let token = self.scanner.peek()?;
            let at = token.start;
            match token.kind {
                TokenKind::VersionDirective { major, minor } => {
                    if version_seen {
                        return Self::error("found duplicate %YAML directive", at, Class::Other, None);
                    }
                    if (major, minor) != (1, 1) {
                        return Self::error("found incompatible YAML document", at, Class::Other, None);
                    }
                    version_seen = true;
                }
                TokenKind::TagDirective(pair) => {
                    let (handle, prefix) = self.scanner.pair(pair);
                    if self.tags.insert(handle.into(), prefix.into()).is_some() {
                        return Self::error("found duplicate %TAG directive", at, Class::Other, None);
                    }
                }
                _ => break,
            }
            self.scanner.take();
        }
        Ok(())
    }

    // ---- building ----

    fn add(&mut self, span: Range32, line: u32, content: Content, properties: Option<Properties>) -> NodeId {
        let id = NodeId(self.store.nodes.len() as u32);
        let mut index = None;
        if let Some(properties) = properties {
            if let Some((_, anchor)) = &properties.anchor {
                self.anchors.insert(name_of(self.source, *anchor), id);
            }
            index = self.store.add_properties(properties);
        }
        self.store.nodes.push(Node { span, line, content, properties: index });
        id
    }

    /// Puts a finished or opened node into the collection that is being filled.
    fn attach(&mut self, id: NodeId) {
        if !self.open.is_empty() {
            self.children.push(id);
        } else if let Some(document) = self.documents.last_mut() {
            document.root = document.root.or(Some(id));
        }
    }

    fn open(&mut self, content: Content, start: u32, line: u32, properties: Option<Properties>) {
        let id = self.add(Range32 { start, end: start }, line, content, properties);
        self.attach(id);
        self.open.push(Open { id, first: self.children.len() });
    }

    /// Ends the innermost collection: at `end`, or with its last entry.
    fn close(&mut self, end: Option<u32>) {
        let Some(open) = self.open.pop() else { return };
        let is_mapping = matches!(self.store.node(open.id).content, Content::Mapping { .. });
        if is_mapping
            && (self.children.len() - open.first) % 2 == 1
            && let Some(&key) = self.children.last()
        {
            // Only a broken text leaves a key without a value.
            let at = self.store.node(key).span.end;
            let value = self.add(Range32 { start: at, end: at }, 0, empty(at), None);
            self.children.push(value);
        }
        let children = &self.children[open.first..];
        // The end of the last child; a key that was put in too late can stand before others. An empty value stands where
        // the next token begins, which is no part of this collection.
        let ends = children.iter().map(|&child| self.store.node(child).span);
        let last_end = ends.filter(|span| !is_mapping || !span.is_empty()).map(|span| span.end).max();
        let store = &mut *self.store;
        let filled = if is_mapping {
            let first = store.entries.len();
            store.entries.extend(children.chunks_exact(2).map(|pair| Entry { key: pair[0], value: pair[1] }));
            Range32::new(first, store.entries.len())
        } else {
            let first = store.items.len();
            store.items.extend_from_slice(children);
            Range32::new(first, store.items.len())
        };
        self.children.truncate(open.first);
        let node = store.node_mut(open.id);
        node.span.end = node.span.end.max(end.or(last_end).unwrap_or(0));
        if let Content::Mapping { entries: range, .. } | Content::Sequence { items: range, .. } =
            &mut node.content
        {
            *range = filled;
        }
    }

    fn close_all(&mut self) {
        while !self.open.is_empty() {
            self.close(None);
        }
    }

    fn empty_scalar(&mut self, at: Place) {
        let id = self.add(Range32 { start: at.offset, end: at.offset }, at.line, empty(at.offset), None);
        self.attach(id);
    }

    // ---- nodes ----

    fn node(&mut self, block: bool, indentless_sequence: bool) -> Fallible {
        let token = self.scanner.peek()?;
        let start = token.start;
        let mut properties = None;
        match token.kind {
            TokenKind::Alias => {
                let token = self.scanner.take();
                self.pop_state();
                self.alias(&token);
                return Ok(());
            }
            TokenKind::Anchor | TokenKind::Tag(_) => properties = self.properties(start)?,
            _ => {}
        }
        let token = self.scanner.peek()?;
        let at = token.start;
        let content = match token.kind {
            TokenKind::Scalar(scalar) => {
                let span = token.range();
                self.scanner.take();
                self.pop_state();
                let id = self.add(span, start.line, Content::Scalar(scalar), properties);
                self.attach(id);
                return Ok(());
            }
            TokenKind::BlockEntry if indentless_sequence => {
                self.state = State::IndentlessSequenceEntry;
                Content::Sequence { flow: false, items: Range32::default() }
            }
            TokenKind::FlowSequenceStart => {
                self.state = State::FlowSequenceEntry { first: true };
                Content::Sequence { flow: true, items: Range32::default() }
            }
            TokenKind::FlowMappingStart => {
                self.state = State::FlowMappingKey { first: true };
                Content::Mapping { flow: true, entries: Range32::default() }
            }
            TokenKind::BlockSequenceStart if block => {
                self.state = State::BlockSequenceEntry { first: true };
                Content::Sequence { flow: false, items: Range32::default() }
            }
            TokenKind::BlockMappingStart if block => {
                self.state = State::BlockMappingKey { first: true };
                Content::Mapping { flow: false, entries: Range32::default() }
            }
            _ => match properties {
                Some(properties) => {
                    self.pop_state();
                    let written = properties.anchor.iter().chain(&properties.tag);
                    let end = written.map(|(_, span)| span.end as u32).max().unwrap_or(start.offset);
                    let id = self.add(Range32 { start: end, end }, start.line, empty(end), Some(properties));
                    self.attach(id);
                    return Ok(());
                }
                None => {
                    return Self::error("did not find expected node content", at, Class::Other, Some(start));
                }
            },
        };
        self.open(content, at.offset, start.line, properties);
        Ok(())
    }

    fn properties(&mut self, start: Place) -> Fallible<Option<Properties>> {
        let mut properties = Properties::default();
        let mut found = false;
        let mut written_tag = None;
        // One anchor and one tag, in either order.
        loop {
            match self.peek_kind()? {
                TokenKind::Anchor if properties.anchor.is_none() => {
                    let token = self.scanner.take();
                    let span = token.span();
                    properties.anchor = Some((name_of(self.source, span).into(), span));
                }
                TokenKind::Tag(_) if written_tag.is_none() => {
                    let token = self.scanner.take();
                    let span = token.span();
                    if let TokenKind::Tag(tag) = token.kind {
                        written_tag = Some((tag, token.start, span));
                    }
                }
                _ => break,
            }
            found = true;
        }
        if let Some((written, at, span)) = written_tag {
            let (handle, suffix) = self.scanner.pair(written);
            let tag = if handle.is_empty() {
                suffix.into()
            } else {
                let prefix = match (self.tags.get(handle), handle) {
                    (Some(prefix), _) => prefix,
                    (None, "!") => "!",
                    (None, "!!") => "tag:yaml.org,2002:",
                    (None, _) => {
                        return Self::error("found undefined tag handle", at, Class::Token, Some(start));
                    }
                };
                format!("{prefix}{suffix}").into()
            };
            properties.tag = Some((tag, span));
        }
        Ok(found.then_some(properties))
    }

    fn alias(&mut self, token: &Token) {
        let span = token.span();
        let name = name_of(self.source, span);
        let target = self.anchors.get(name).copied();
        if target.is_none()
            && let Some(document) = self.documents.last_mut()
            && document.errors.len() < MAX_UNKNOWN_ANCHORS
        {
            let problem = format!("unknown anchor '{name}' referenced");
            let error = SyntaxError::unplaced(Class::UnknownAnchor, problem, span);
            let documents = self.completed;
            self.stop.get_or_insert_with(|| Stop { documents, error: error.clone() });
            document.errors.push(error);
        }
        let id = self.add(token.range(), token.start.line, Content::Alias { target }, None);
        self.attach(id);
    }

    // ---- block collections ----

    fn block_sequence_entry(&mut self, first: bool) -> Fallible {
        if first {
            let token = self.scanner.take();
            self.marks.push(token.start);
        }
        let token = self.scanner.peek()?;
        match token.kind {
            TokenKind::BlockEntry => {
                let mark = self.scanner.take().end;
                if matches!(self.peek_kind()?, TokenKind::BlockEntry | TokenKind::BlockEnd) {
                    self.state = State::BlockSequenceEntry { first: false };
                    self.empty_scalar(mark);
                    return Ok(());
                }
                self.states.push(State::BlockSequenceEntry { first: false });
                self.node(true, false)
            }
            TokenKind::BlockEnd => {
                self.scanner.take();
                self.end_collection(None);
                Ok(())
            }
            _ => {
                let (at, context) = (token.start, self.marks.pop());
                Self::error("did not find expected '-' indicator", at, Class::Other, context)
            }
        }
    }

    fn end_collection(&mut self, end: Option<u32>) {
        self.pop_state();
        self.marks.pop();
        self.close(end);
    }

    fn indentless_sequence_entry(&mut self) -> Fallible {
        if matches!(self.peek_kind()?, TokenKind::BlockEntry) {
            let mark = self.scanner.take().end;
            if matches!(
                self.peek_kind()?,
                TokenKind::BlockEntry | TokenKind::Key | TokenKind::Value | TokenKind::BlockEnd
            ) {
                self.state = State::IndentlessSequenceEntry;
                self.empty_scalar(mark);
                return Ok(());
            }
            self.states.push(State::IndentlessSequenceEntry);
            return self.node(true, false);
        }
        self.pop_state();
        self.close(None);
        Ok(())
    }

    fn block_mapping_key(&mut self, first: bool) -> Fallible {
        if first {
            let token = self.scanner.take();
            self.marks.push(token.start);
        }
        let token = self.scanner.peek()?;
        match token.kind {
            TokenKind::Key => {
                let mark = self.scanner.take().end;
                if matches!(self.peek_kind()?, TokenKind::Key | TokenKind::Value | TokenKind::BlockEnd) {
                    self.state = State::BlockMappingValue;
                    self.empty_scalar(mark);
                    return Ok(());
                }
                self.states.push(State::BlockMappingValue);
                self.node(true, true)
            }
            TokenKind::BlockEnd => {
                self.scanner.take();
                self.end_collection(None);
                Ok(())
            }
            _ => {
                let (at, context) = (token.start, self.marks.pop());
                Self::error("did not find expected key", at, Class::Other, context)
            }
        }
    }

    fn block_mapping_value(&mut self) -> Fallible {
        let token = self.scanner.peek()?;
        let mut mark = token.start;
        if matches!(token.kind, TokenKind::Value) {
            mark = self.scanner.take().end;
            if !matches!(self.peek_kind()?, TokenKind::Key | TokenKind::Value | TokenKind::BlockEnd) {
                self.states.push(State::BlockMappingKey { first: false });
                return self.node(true, true);
            }
        }
        self.state = State::BlockMappingKey { first: false };
        self.empty_scalar(mark);
        Ok(())
    }

    // ---- flow collections ----

    fn flow_separator(&mut self, first: bool, problem: &str, end: fn(&TokenKind) -> bool) -> Fallible<bool> {
        if first {
            let token = self.scanner.take();
            self.marks.push(token.start);
        }
        let token = self.scanner.peek()?;
        if end(&token.kind) {
            return Ok(true);
        }
        if first {
            return Ok(false);
        }
        if !matches!(token.kind, TokenKind::FlowEntry) {
            let (at, context) = (token.start, self.marks.pop());
            return Self::error(problem, at, Class::Flow, context);
        }
        self.scanner.take();
        Ok(end(self.peek_kind()?))
    }

    fn end_flow(&mut self) {
        let end = self.scanner.take().end.offset;
        self.end_collection(Some(end));
    }

    fn flow_sequence_entry(&mut self, first: bool) -> Fallible {
        let problem = "did not find expected ',' or ']'";
        if self.flow_separator(first, problem, |kind| matches!(kind, TokenKind::FlowSequenceEnd))? {
            self.end_flow();
            return Ok(());
        }
        let token = self.scanner.peek()?;
        if matches!(token.kind, TokenKind::Key) {
            let mark = self.scanner.take().start;
            self.state = State::FlowSequenceEntryMappingKey;
            let content = Content::Mapping { flow: true, entries: Range32::default() };
            self.open(content, mark.offset, mark.line, None);
            return Ok(());
        }
        self.states.push(State::FlowSequenceEntry { first: false });
        self.node(false, false)
    }

    fn flow_mapping_key(&mut self, first: bool) -> Fallible {
        let problem = "did not find expected ',' or '}'";
        if self.flow_separator(first, problem, |kind| matches!(kind, TokenKind::FlowMappingEnd))? {
            self.end_flow();
            return Ok(());
        }
        if matches!(self.peek_kind()?, TokenKind::Key) {
            self.scanner.take();
            let token = self.scanner.peek()?;
            if matches!(token.kind, TokenKind::Value | TokenKind::FlowEntry | TokenKind::FlowMappingEnd) {
                let mark = token.start;
                self.state = State::FlowMappingValue { empty: false };
                self.empty_scalar(mark);
                return Ok(());
            }
            self.states.push(State::FlowMappingValue { empty: false });
            return self.node(false, false);
        }
        self.states.push(State::FlowMappingValue { empty: true });
        self.node(false, false)
    }

    fn flow_mapping_value(&mut self, empty: bool) -> Fallible {
        let token = self.scanner.peek()?;
        if !empty && matches!(token.kind, TokenKind::Value) {
            self.scanner.take();
            if !matches!(self.peek_kind()?, TokenKind::FlowEntry | TokenKind::FlowMappingEnd) {
                self.states.push(State::FlowMappingKey { first: false });
                return self.node(false, false);
            }
        }
        let mark = self.scanner.peek()?.start;
        self.state = State::FlowMappingKey { first: false };
        self.empty_scalar(mark);
        Ok(())
    }
}

/// The empty plain scalar that stands where a value is missing.
fn empty(at: u32) -> Content {
    let text = Range32 { start: at, end: at };
    Content::Scalar(Scalar { style: Style::Plain, in_flow: false, indent: -1, decoded: false, text })
}

/// The name of an anchor or alias, without its `&` or `*`.
fn name_of(source: &str, span: Span) -> &str {
    span.text(source).get(1..).unwrap_or("")
}
