//! From tokens to the tree, by the grammar of libyaml. Nothing here recurses: depth is held in vectors.

use std::collections::HashMap;

use convoy_text::Span;

use crate::error::{Class, Mark, SyntaxError};
use crate::scan::{Scanner, Token, TokenKind};
use crate::tree::{Document, Entry, Kind, Node, NodeId, Properties, Scalar, Style, Text};

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

type Parse<T = ()> = Result<T, SyntaxError>;

/// How many unknown anchors of a document are reported; more of them do not help, and a text may have a million.
const MAX_UNKNOWN_ANCHORS: usize = 100;

/// A collection that is being filled.
struct Open {
    id: NodeId,
    key: Option<NodeId>,
}

/// What one run over (a part of) a stream gave.
pub(crate) struct Parsed {
    pub(crate) nodes: Vec<Node>,
    pub(crate) documents: Vec<Document>,
    pub(crate) comments: Vec<Span>,
    /// The error that ended the run.
    pub(crate) error: Option<SyntaxError>,
    pub(crate) last_scalar: Option<(Span, Style)>,
    pub(crate) last_long_quote: Option<Span>,
}

/// Parses `source[start..end]`; nodes are numbered from `first_node` on.
pub(crate) fn parse(source: &str, start: Mark, end: usize, first_node: usize) -> Parsed {
    let mut parser = Parser {
        source,
        scanner: Scanner::new(source, start, end),
        state: State::ImplicitDocumentStart,
        states: Vec::new(),
        marks: Vec::new(),
        tags: Vec::new(),
        first_node,
        nodes: Vec::new(),
        documents: Vec::new(),
        open: Vec::new(),
        anchors: HashMap::new(),
    };
    let error = loop {
        match parser.step() {
            Ok(()) if parser.state == State::End => break None,
            Ok(()) => {}
            Err(mut error) => {
                error.after_document = parser.state == State::DocumentStart;
                break Some(error);
            }
        }
    };
    parser.close_all();
    if let Some(last) = parser.documents.last_mut() {
        last.span.end = last.span.end.max(end);
    }
    Parsed {
        nodes: parser.nodes,
        documents: parser.documents,
        comments: parser.scanner.comments,
        error,
        last_scalar: parser.scanner.last_scalar,
        last_long_quote: parser.scanner.last_long_quote,
    }
}

struct Parser<'a> {
    source: &'a str,
    scanner: Scanner<'a>,
    state: State,
    states: Vec<State>,
    marks: Vec<Mark>,
    tags: Vec<(Box<str>, Box<str>)>,
    first_node: usize,
    nodes: Vec<Node>,
    documents: Vec<Document>,
    open: Vec<Open>,
    anchors: HashMap<Box<str>, NodeId>,
}

impl Parser<'_> {
    fn peek_kind(&mut self) -> Parse<&TokenKind> {
        Ok(&self.scanner.peek()?.kind)
    }

    fn pop_state(&mut self) {
        self.state = self.states.pop().unwrap_or(State::End);
    }

    fn error<T>(problem: &str, at: Mark, class: Class, context: Option<Mark>) -> Parse<T> {
        Err(SyntaxError::parser(class, problem.to_owned(), at, context))
    }

    fn step(&mut self) -> Parse {
        match self.state {
            State::ImplicitDocumentStart => self.document_start(true),
            State::DocumentStart => self.document_start(false),
            State::DocumentContent => {
                let token = self.scanner.peek()?;
                if matches!(
                    token.kind,
                    TokenKind::VersionDirective { .. }
                        | TokenKind::TagDirective { .. }
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
                    let mark = self.scanner.next()?.end;
                    self.state = State::FlowSequenceEntryMappingValue;
                    self.empty_scalar(mark);
                    return Ok(());
                }
                self.states.push(State::FlowSequenceEntryMappingValue);
                self.node(false, false)
            }
            State::FlowSequenceEntryMappingValue => {
                if matches!(self.peek_kind()?, TokenKind::Value) {
                    self.scanner.next()?;
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

    fn document_start(&mut self, implicit: bool) -> Parse {
        if !implicit {
            while matches!(self.peek_kind()?, TokenKind::DocumentEnd) {
                self.scanner.next()?;
            }
        }
        let token = self.scanner.peek()?;
        let start = token.start;
        match token.kind {
            TokenKind::StreamEnd => {
                self.state = State::End;
                return Ok(());
            }
            TokenKind::VersionDirective { .. }
            | TokenKind::TagDirective { .. }
            | TokenKind::DocumentStart => {}
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
            return Self::error("did not find expected <document start>", at, Class::Other, None);
        }
        self.scanner.next()?;
        self.begin_document(start);
        self.states.push(State::DocumentEnd);
        self.state = State::DocumentContent;
        Ok(())
    }

    fn begin_document(&mut self, start: Mark) {
        if let Some(last) = self.documents.last_mut() {
            last.span.end = last.span.end.max(start.offset);
        }
        self.anchors.clear();
        self.documents.push(Document { span: Span::empty(start.offset), root: None, errors: Vec::new() });
    }

    fn document_end(&mut self) -> Parse {
        let token = self.scanner.peek()?;
        let mut end = token.start.offset;
        if matches!(token.kind, TokenKind::DocumentEnd) {
            end = token.end.offset;
            self.scanner.next()?;
        }
        self.tags.clear();
        self.state = State::DocumentStart;
        if let Some(document) = self.documents.last_mut() {
            document.span.end = end;
        }
        Ok(())
    }

    fn directives(&mut self) -> Parse {
        let mut version_seen = false;
        loop {
            let token = self.scanner.peek()?;
            let at = token.start;
            match &token.kind {
                TokenKind::VersionDirective { major, minor } => {
                    if version_seen {
                        return Self::error("found duplicate %YAML directive", at, Class::Other, None);
                    }
                    if (*major, *minor) != (1, 1) {
                        return Self::error("found incompatible YAML document", at, Class::Other, None);
                    }
                    version_seen = true;
                }
                TokenKind::TagDirective { handle, prefix } => {
                    let pair = (handle.clone(), prefix.clone());
                    if self.tags.iter().any(|(known, _)| *known == pair.0) {
                        return Self::error("found duplicate %TAG directive", at, Class::Other, None);
                    }
                    self.tags.push(pair);
                }
                _ => break,
            }
            self.scanner.next()?;
        }
        for (handle, prefix) in [("!", "!"), ("!!", "tag:yaml.org,2002:")] {
            if !self.tags.iter().any(|(known, _)| &**known == handle) {
                self.tags.push((handle.into(), prefix.into()));
            }
        }
        Ok(())
    }

    // ---- building ----

    fn add(&mut self, node: Node) -> NodeId {
        let id = NodeId((self.first_node + self.nodes.len()) as u32);
        if let Some(properties) = &node.properties
            && let Some((name, _)) = &properties.anchor
        {
            self.anchors.insert(name.clone(), id);
        }
        self.nodes.push(node);
        id
    }

    fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.0 as usize - self.first_node]
    }

    /// Puts a finished or opened node into the collection that is being filled.
    fn attach(&mut self, id: NodeId) {
        let Some(parent) = self.open.last_mut() else {
            if let Some(document) = self.documents.last_mut() {
                document.root = document.root.or(Some(id));
            }
            return;
        };
        let parent_id = parent.id;
        let is_mapping =
            matches!(self.nodes[parent_id.0 as usize - self.first_node].kind, Kind::Mapping { .. });
        if !is_mapping {
            if let Kind::Sequence { items, .. } = &mut self.node_mut(parent_id).kind {
                items.push(id);
            }
            return;
        }
        match parent.key.take() {
            None => parent.key = Some(id),
            Some(key) => {
                if let Kind::Mapping { entries, .. } = &mut self.node_mut(parent_id).kind {
                    entries.push(Entry { key, value: id });
                }
            }
        }
    }

    fn open(&mut self, kind: Kind, start: usize, line: usize, properties: Option<Box<Properties>>) {
        let id = self.add(Node { span: Span::empty(start), line: line as u32, kind, properties });
        self.attach(id);
        self.open.push(Open { id, key: None });
    }

    /// Ends the innermost collection: at `end`, or with its last entry.
    fn close(&mut self, end: Option<usize>) {
        let Some(open) = self.open.pop() else { return };
        if let Some(key) = open.key {
            // Only a broken text leaves a key without a value.
            let at = self.nodes[key.0 as usize - self.first_node].span.end;
            let value = self.add(empty(at, 0));
            if let Kind::Mapping { entries, .. } = &mut self.node_mut(open.id).kind {
                entries.push(Entry { key, value });
            }
        }
        let last = match &self.node_mut(open.id).kind {
            Kind::Mapping { entries, .. } => entries.last().map(|e| (Some(e.key), e.value)),
            Kind::Sequence { items, .. } => items.last().map(|&i| (None, i)),
            _ => None,
        };
        let last_end = last.map(|(key, value)| {
            let end = |id: NodeId| self.nodes[id.0 as usize - self.first_node].span.end;
            let value_span = self.nodes[value.0 as usize - self.first_node].span;
            // An empty value stands where the next token begins, which is no part of this collection.
            match key {
                Some(key) if value_span.is_empty() => end(key),
                _ => value_span.end,
            }
        });
        let node = self.node_mut(open.id);
        let end = end.or(last_end).unwrap_or(node.span.start);
        node.span.end = end.max(node.span.end);
    }

    fn close_all(&mut self) {
        while !self.open.is_empty() {
            self.close(None);
        }
    }

    fn empty_scalar(&mut self, mark: Mark) {
        let id = self.add(empty(mark.offset, mark.line));
        self.attach(id);
    }

    // ---- nodes ----

    fn node(&mut self, block: bool, indentless_sequence: bool) -> Parse {
        let token = self.scanner.peek()?;
        let start = token.start;
        if matches!(token.kind, TokenKind::Alias) {
            let token = self.scanner.next()?;
            self.pop_state();
            self.alias(&token);
            return Ok(());
        }
        let properties = self.properties(start)?;
        let token = self.scanner.peek()?;
        let at = token.start;
        let kind = match &token.kind {
            TokenKind::BlockEntry if indentless_sequence => {
                self.state = State::IndentlessSequenceEntry;
                Kind::Sequence { flow: false, items: Vec::new() }
            }
            TokenKind::Scalar(_) => {
                let token = self.scanner.next()?;
                self.pop_state();
                let span = token.span();
                let TokenKind::Scalar(scalar) = token.kind else { return Ok(()) };
                let id =
                    self.add(Node { span, line: start.line as u32, kind: Kind::Scalar(scalar), properties });
                self.attach(id);
                return Ok(());
            }
            TokenKind::FlowSequenceStart => {
                self.state = State::FlowSequenceEntry { first: true };
                Kind::Sequence { flow: true, items: Vec::new() }
            }
            TokenKind::FlowMappingStart => {
                self.state = State::FlowMappingKey { first: true };
                Kind::Mapping { flow: true, entries: Vec::new() }
            }
            TokenKind::BlockSequenceStart if block => {
                self.state = State::BlockSequenceEntry { first: true };
                Kind::Sequence { flow: false, items: Vec::new() }
            }
            TokenKind::BlockMappingStart if block => {
                self.state = State::BlockMappingKey { first: true };
                Kind::Mapping { flow: false, entries: Vec::new() }
            }
            _ if properties.is_some() => {
                self.pop_state();
                let end = properties
                    .iter()
                    .flat_map(|p| p.anchor.iter().chain(p.tag.iter()))
                    .map(|(_, span)| span.end)
                    .max()
                    .unwrap_or(start.offset);
                let mut node = empty(end, start.line);
                node.properties = properties;
                let id = self.add(node);
                self.attach(id);
                return Ok(());
            }
            _ => return Self::error("did not find expected node content", at, Class::Other, Some(start)),
        };
        self.open(kind, at.offset, start.line, properties);
        Ok(())
    }

    fn properties(&mut self, start: Mark) -> Parse<Option<Box<Properties>>> {
        let mut properties = Properties::default();
        let mut found = false;
        let mut written_tag: Option<(Box<str>, Box<str>, Mark, Span)> = None;
        // One anchor and one tag, in either order.
        loop {
            match self.peek_kind()? {
                TokenKind::Anchor if properties.anchor.is_none() => {
                    let token = self.scanner.next()?;
                    let name = token.span().text(self.source).get(1..).unwrap_or("");
                    properties.anchor = Some((name.into(), token.span()));
                }
                TokenKind::Tag { .. } if written_tag.is_none() => {
                    let token = self.scanner.next()?;
                    let span = token.span();
                    if let TokenKind::Tag { handle, suffix } = token.kind {
                        written_tag = Some((handle, suffix, token.start, span));
                    }
                }
                _ => break,
            }
            found = true;
        }
        if let Some((handle, suffix, mark, span)) = written_tag {
            let tag = if handle.is_empty() {
                suffix
            } else {
                let prefix = self.tags.iter().find(|(known, _)| *known == handle);
                let Some((_, prefix)) = prefix else {
                    return Self::error("found undefined tag handle", mark, Class::Token, Some(start));
                };
                format!("{prefix}{suffix}").into()
            };
            properties.tag = Some((tag, span));
        }
        Ok(found.then(|| Box::new(properties)))
    }

    fn alias(&mut self, token: &Token) {
        let span = token.span();
        let name: Box<str> = span.text(self.source).get(1..).unwrap_or("").into();
        let target = self.anchors.get(&name).copied();
        if target.is_none()
            && let Some(document) = self.documents.last_mut()
            && document.errors.len() < MAX_UNKNOWN_ANCHORS
        {
            document.errors.push(SyntaxError::unplaced(
                Class::UnknownAnchor,
                format!("unknown anchor '{name}' referenced"),
                span,
            ));
        }
        let line = token.start.line as u32;
        let id = self.add(Node { span, line, kind: Kind::Alias { name, target }, properties: None });
        self.attach(id);
    }

    // ---- block collections ----

    fn block_sequence_entry(&mut self, first: bool) -> Parse {
        if first {
            let token = self.scanner.next()?;
            self.marks.push(token.start);
        }
        let token = self.scanner.peek()?;
        match token.kind {
            TokenKind::BlockEntry => {
                let mark = self.scanner.next()?.end;
                if matches!(self.peek_kind()?, TokenKind::BlockEntry | TokenKind::BlockEnd) {
                    self.state = State::BlockSequenceEntry { first: false };
                    self.empty_scalar(mark);
                    return Ok(());
                }
                self.states.push(State::BlockSequenceEntry { first: false });
                self.node(true, false)
            }
            TokenKind::BlockEnd => {
                self.scanner.next()?;
                self.end_collection(None);
                Ok(())
            }
            _ => {
                let (at, context) = (token.start, self.marks.pop());
                Self::error("did not find expected '-' indicator", at, Class::Other, context)
            }
        }
    }

    fn end_collection(&mut self, end: Option<usize>) {
        self.pop_state();
        self.marks.pop();
        self.close(end);
    }

    fn indentless_sequence_entry(&mut self) -> Parse {
        if matches!(self.peek_kind()?, TokenKind::BlockEntry) {
            let mark = self.scanner.next()?.end;
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

    fn block_mapping_key(&mut self, first: bool) -> Parse {
        if first {
            let token = self.scanner.next()?;
            self.marks.push(token.start);
        }
        let token = self.scanner.peek()?;
        match token.kind {
            TokenKind::Key => {
                let mark = self.scanner.next()?.end;
                if matches!(self.peek_kind()?, TokenKind::Key | TokenKind::Value | TokenKind::BlockEnd) {
                    self.state = State::BlockMappingValue;
                    self.empty_scalar(mark);
                    return Ok(());
                }
                self.states.push(State::BlockMappingValue);
                self.node(true, true)
            }
            TokenKind::BlockEnd => {
                self.scanner.next()?;
                self.end_collection(None);
                Ok(())
            }
            _ => {
                let (at, context) = (token.start, self.marks.pop());
                Self::error("did not find expected key", at, Class::Other, context)
            }
        }
    }

    fn block_mapping_value(&mut self) -> Parse {
        let token = self.scanner.peek()?;
        let mut mark = token.start;
        if matches!(token.kind, TokenKind::Value) {
            mark = self.scanner.next()?.end;
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

    fn flow_separator(&mut self, first: bool, problem: &str, end: fn(&TokenKind) -> bool) -> Parse<bool> {
        if first {
            let token = self.scanner.next()?;
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
        self.scanner.next()?;
        Ok(end(self.peek_kind()?))
    }

    fn end_flow(&mut self) -> Parse {
        let end = self.scanner.next()?.end.offset;
        self.end_collection(Some(end));
        Ok(())
    }

    fn flow_sequence_entry(&mut self, first: bool) -> Parse {
        let problem = "did not find expected ',' or ']'";
        if self.flow_separator(first, problem, |kind| matches!(kind, TokenKind::FlowSequenceEnd))? {
            return self.end_flow();
        }
        let token = self.scanner.peek()?;
        if matches!(token.kind, TokenKind::Key) {
            let mark = self.scanner.next()?.start;
            self.state = State::FlowSequenceEntryMappingKey;
            self.open(Kind::Mapping { flow: true, entries: Vec::new() }, mark.offset, mark.line, None);
            return Ok(());
        }
        self.states.push(State::FlowSequenceEntry { first: false });
        self.node(false, false)
    }

    fn flow_mapping_key(&mut self, first: bool) -> Parse {
        let problem = "did not find expected ',' or '}'";
        if self.flow_separator(first, problem, |kind| matches!(kind, TokenKind::FlowMappingEnd))? {
            return self.end_flow();
        }
        if matches!(self.peek_kind()?, TokenKind::Key) {
            self.scanner.next()?;
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

    fn flow_mapping_value(&mut self, empty: bool) -> Parse {
        let token = self.scanner.peek()?;
        if !empty && matches!(token.kind, TokenKind::Value) {
            self.scanner.next()?;
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

fn empty(at: usize, line: usize) -> Node {
    let text = Text::Source(Span::empty(at));
    let scalar = Scalar { style: Style::Plain, text, indent: -1, in_flow: false };
    Node { span: Span::empty(at), line: line as u32, kind: Kind::Scalar(scalar), properties: None }
}
