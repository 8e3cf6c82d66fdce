//! From items to the tree, as `text/template/parse` builds it, and on after an error.
//!
//! The first error has Go's text. After it the parser goes on behind the action that was wrong; a control
//! structure whose head is wrong keeps its body, so that one slip does not unbalance the rest.

mod pipeline;

use std::collections::HashMap;
use std::sync::Arc;

use convoy_text::Span;
use convoy_value::go;

use crate::lex::{Item, ItemKind, LEFT, Lexer, RIGHT, find_pair};
use crate::node::{Action, Call, Control, ControlKind, List, Node, Pipe};
use crate::number::unquote;

/// Control structures and parentheses that may nest. Go allows 10,000 parentheses and any number of control
/// structures; nothing that people write comes near this limit.
pub const DEPTH_LIMIT: usize = 200;

/// What is wrong with the text of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The text that Go prints: `template: NAME:LINE: …`.
    pub message: String,
    /// The same without `template: NAME:LINE: `.
    pub detail: String,
    /// The place to show.
    pub span: Span,
    /// What kind of error it is, for those that want to help.
    pub kind: ParseErrorKind,
}

/// Errors that a reader may want to treat in a way of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParseErrorKind {
    /// A call of a function that does not exist.
    UnknownFunction(Box<str>),
    /// A variable that is not declared.
    UnknownVariable(Box<str>),
    /// Any other error.
    Other,
}

impl std::fmt::Display for ParseError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ParseError {}

/// `{{define "name"}}…{{end}}` or `{{block "name" pipeline}}…{{end}}`.
#[derive(Clone, Debug)]
pub struct Definition {
    /// The name.
    pub name: Box<str>,
    /// The name's literal.
    pub name_span: Span,
    /// From `{{` of the head to `}}` of the end.
    pub span: Span,
    /// The body.
    pub list: List,
}

/// A parsed template.
#[derive(Clone, Debug)]
pub struct Template {
    /// The name that errors give.
    pub name: Box<str>,
    /// The text.
    pub text: Arc<str>,
    /// The body.
    pub root: List,
    /// The templates that the text defines.
    pub definitions: Vec<Definition>,
    /// The errors in order; the first is Go's.
    pub errors: Vec<ParseError>,
    /// Which body each name has: an index of `definitions`, or none for the root.
    pub(crate) bodies: HashMap<Box<str>, Option<usize>>,
}

impl Template {
    /// The body that `{{template "name"}}` runs.
    pub fn body(&self, name: &str) -> Option<&List> {
        match self.bodies.get(name)? {
            Some(i) => Some(&self.definitions[*i].list),
            None => Some(&self.root),
        }
    }
}

/// Parses a template; `is_function` says which names may be called. Never fails: see [`Template::errors`].
pub fn parse(name: &str, text: impl Into<Arc<str>>, is_function: &dyn Fn(&str) -> bool) -> Template {
    let text = text.into();
    let mut lexer = Lexer::new(&text);
    lexer.break_ok = !is_function("break");
    lexer.continue_ok = !is_function("continue");
    let empty = Item { kind: ItemKind::Eof, span: Span::empty(0), line: 1 };
    let mut parser = Parser {
        name,
        source: &text,
        lexer,
        tokens: [empty; 3],
        peek_count: 0,
        vars: vec!["$".into()],
        range_depth: 0,
        action_line: 0,
        depth: 0,
        is_function,
        definitions: Vec::new(),
        bodies: HashMap::new(),
        errors: Vec::new(),
        resumed_at: 0,
    };
    let root = parser.root();
    parser.add_root(&root);
    let (definitions, errors, bodies) = (parser.definitions, parser.errors, parser.bodies);
    Template { name: name.into(), text, root, definitions, errors, bodies }
}

type Parse<T> = Result<T, ParseError>;

/// What ends a list.
enum End {
    Close(Span),
    Else(Span),
    Eof,
}

struct Parser<'a> {
    name: &'a str,
    source: &'a str,
    lexer: Lexer<'a>,
    tokens: [Item; 3],
    peek_count: usize,
    vars: Vec<Box<str>>,
    range_depth: usize,
    action_line: usize,
    depth: usize,
    is_function: &'a dyn Fn(&str) -> bool,
    definitions: Vec<Definition>,
    bodies: HashMap<Box<str>, Option<usize>>,
    errors: Vec<ParseError>,
    resumed_at: usize,
}

impl Parser<'_> {
    // ---- items, with the look-ahead of Go ----

    fn next(&mut self) -> Item {
        if self.peek_count > 0 {
            self.peek_count -= 1;
        } else {
            self.tokens[0] = self.lexer.next_item();
        }
        self.tokens[self.peek_count]
    }

    fn backup(&mut self) {
        self.peek_count += 1;
    }

    fn backup2(&mut self, first: Item) {
        self.tokens[1] = first;
        self.peek_count = 2;
    }

    fn backup3(&mut self, first: Item, second: Item) {
        self.tokens[1] = second;
        self.tokens[2] = first;
        self.peek_count = 3;
    }

    fn peek(&mut self) -> Item {
        if self.peek_count == 0 {
            self.peek_count = 1;
            self.tokens[0] = self.lexer.next_item();
        }
        self.tokens[self.peek_count - 1]
    }

    fn next_non_space(&mut self) -> Item {
        loop {
            let item = self.next();
            if item.kind != ItemKind::Space {
                return item;
            }
        }
    }

    fn peek_non_space(&mut self) -> Item {
        let item = self.next_non_space();
        self.backup();
        item
    }

    // ---- errors ----

    fn error(&self, detail: impl Into<String>, span: Span) -> ParseError {
        self.error_in_line(self.tokens[0].line, detail, span)
    }

    fn error_in_line(&self, line: usize, detail: impl Into<String>, span: Span) -> ParseError {
        let detail = detail.into();
        ParseError {
            message: format!("template: {}:{line}: {detail}", self.name),
            detail,
            span,
            kind: ParseErrorKind::Other,
        }
    }

    fn unexpected<T>(&self, item: Item, context: &str) -> Parse<T> {
        if item.kind == ItemKind::Error {
            let mut extra = String::new();
            if self.action_line != 0 && self.action_line != item.line {
                extra = format!(" in action started at {}:{}", self.name, self.action_line);
                if self.lexer.error_message.ends_with(" action") {
                    extra = extra[" in action".len()..].to_owned();
                }
            }
            return Err(self.error(format!("{}{extra}", self.lexer.error_message), self.lexer.error_span));
        }
        let shown = item.show(self.source);
        Err(self.error(format!("unexpected {shown} in {context}"), item.span))
    }

    fn expect(&mut self, kind: ItemKind, context: &str) -> Parse<Item> {
        let item = self.next_non_space();
        if item.kind == kind { Ok(item) } else { self.unexpected(item, context) }
    }

    /// Records an error and goes on behind the action that began at `action`.
    fn recover(&mut self, mut error: ParseError, action: usize) {
        if error.span.is_empty() {
            // An action without its end: show what there is of it.
            let end = self.source[action..].find('\n').map_or(self.source.len(), |i| action + i);
            error.span = Span::new(action, action + self.source[action..end].trim_end().len());
        }
        let from = error.span.start.max(action + LEFT.len()).min(self.source.len());
        self.errors.push(error);
        let closed = !self.lexer.inside_action && self.lexer.pos > action && self.peek_count == 0;
        self.peek_count = 0;
        if closed && self.lexer.pos > self.resumed_at && self.tokens[0].kind == ItemKind::RightDelim {
            return;
        }
        let from = (from..=self.source.len()).find(|i| self.source.is_char_boundary(*i)).unwrap_or(from);
        let rest = &self.source[from..];
        let close = find_pair(rest, RIGHT).map(|i| from + i + RIGHT.len());
        let open = find_pair(rest, LEFT).map(|i| from + i);
        let mut to = match (close, open) {
            (Some(close), Some(open)) if open < close => open,
            (Some(close), _) => close,
            (None, Some(open)) => open,
            (None, None) => self.source.len(),
        };
        if to <= self.resumed_at {
            to = self.source.len();
        }
        self.resumed_at = to;
        self.lexer.resume(to, false);
    }

    // ---- lists ----

    fn root(&mut self) -> List {
        let mut list = List::default();
        loop {
            match self.peek().kind {
                ItemKind::Eof => break,
                ItemKind::LeftDelim => {
                    let delim = self.next();
                    if self.next_non_space().kind == ItemKind::Define {
                        self.definition(&delim);
                        continue;
                    }
                    self.backup2(delim);
                }
                _ => {}
            }
            match self.text_or_action() {
                Ok(node) => push(&mut list, node),
                Err(end) => {
                    let (word, span) = match end {
                        End::Close(span) => ("{{end}}", span),
                        End::Else(span) => ("{{else}}", span),
                        End::Eof => break,
                    };
                    // After another error this only says that the structure was lost.
                    if self.errors.is_empty() {
                        let error = self.error(format!("unexpected {word}"), span);
                        self.errors.push(error);
                    }
                }
            }
        }
        list
    }

    /// A list up to `{{end}}` or `{{else}}`; `opened` is the head of what it belongs to.
    fn list(&mut self, opened: Span) -> (List, End) {
        let mut list = List::default();
        self.depth += 1;
        if self.depth > DEPTH_LIMIT {
            let error = self
                .error(format!("nested deeper than {DEPTH_LIMIT} levels (a limit of convoy-lsp)"), opened);
            self.errors.push(error);
            self.lexer.resume(self.source.len(), false);
            self.peek_count = 0;
            self.depth -= 1;
            return (list, End::Eof);
        }
        let end = loop {
            if self.peek_non_space().kind == ItemKind::Eof {
                if self.errors.is_empty() {
                    let error = self.error("unexpected EOF", opened);
                    self.errors.push(error);
                }
                break End::Eof;
            }
            match self.text_or_action() {
                Ok(node) => push(&mut list, node),
                Err(end) => break end,
            }
        };
        self.depth -= 1;
        let until = match &end {
            End::Close(span) | End::Else(span) => span.start,
            End::Eof => self.source.len(),
        };
        list.span = Span::new(opened.end, until);
        (list, end)
    }

    fn text_or_action(&mut self) -> Result<Node, End> {
        let item = self.next_non_space();
        match item.kind {
            ItemKind::Text => Ok(Node::Text { span: item.span, text: item.text(self.source).into() }),
            ItemKind::LeftDelim => {
                let start = item.span.start;
                self.action_line = item.line;
                let node = self.action(start);
                self.action_line = 0;
                match node {
                    Ok(node) => node,
                    Err(error) => {
                        self.recover(error, start);
                        Ok(Node::Bad(Span::new(start, self.lexer.pos)))
                    }
                }
            }
            ItemKind::Eof => Err(End::Eof),
            _ => {
                let Err(error) = self.unexpected::<Node>(item, "input") else { return Err(End::Eof) };
                let start = error.span.start;
                let line_end = self.lexer.error_span.end;
                self.recover(error, start);
                if self.lexer.pos < line_end && self.lexer.error_message == "unclosed comment" {
                    self.lexer.resume(line_end, false);
                }
                Ok(Node::Bad(Span::new(start, self.lexer.pos)))
            }
        }
    }

    fn action(&mut self, start: usize) -> Parse<Result<Node, End>> {
        let item = self.next_non_space();
        match item.kind {
            ItemKind::Block => return self.block(start).map(Ok),
            ItemKind::Break | ItemKind::Continue => {
                let word = if item.kind == ItemKind::Break { "{{break}}" } else { "{{continue}}" };
                let delim = self.next_non_space();
                if delim.kind != ItemKind::RightDelim {
                    return self.unexpected(delim, word);
                }
                let span = Span::new(start, delim.span.end);
                if self.range_depth == 0 {
                    return Err(self.error(format!("{word} outside {{{{range}}}}"), span));
                }
                return Ok(Ok(if item.kind == ItemKind::Break {
                    Node::Break(span)
                } else {
                    Node::Continue(span)
                }));
            }
            ItemKind::Else => {
                let next = self.peek_non_space();
                if matches!(next.kind, ItemKind::If | ItemKind::With) {
                    return Ok(Err(End::Else(Span::new(start, next.span.end))));
                }
                // A wrong `{{else …}}` still separates the two lists.
                let end = match self.expect(ItemKind::RightDelim, "else") {
                    Ok(delim) => delim.span.end,
                    Err(error) => {
                        self.recover(error, start);
                        self.lexer.pos
                    }
                };
                return Ok(Err(End::Else(Span::new(start, end))));
            }
            ItemKind::End => {
                let end = match self.expect(ItemKind::RightDelim, "end") {
                    Ok(delim) => delim.span.end,
                    Err(error) => {
                        self.recover(error, start);
                        self.lexer.pos
                    }
                };
                return Ok(Err(End::Close(Span::new(start, end))));
            }
            ItemKind::If => return Ok(Ok(self.control(ControlKind::If, start))),
            ItemKind::Range => return Ok(Ok(self.control(ControlKind::Range, start))),
            ItemKind::With => return Ok(Ok(self.control(ControlKind::With, start))),
            ItemKind::Template => return self.template(start).map(Ok),
            _ => {}
        }
        self.backup();
        let (pipe, end) = self.pipeline("command", ItemKind::RightDelim)?;
        Ok(Ok(Node::Action(Action { span: Span::new(start, end), pipe })))
    }

    // ---- control structures ----

    fn control(&mut self, kind: ControlKind, start: usize) -> Node {
        let mark = self.vars.len();
        let (pipe, head_end) = match self.pipeline(kind.word(), ItemKind::RightDelim) {
            Ok(parsed) => parsed,
            Err(error) => {
                self.recover(error, start);
                (Pipe::default(), self.lexer.pos)
            }
        };
        let head = Span::new(start, head_end);
        if kind == ControlKind::Range {
            self.range_depth += 1;
        }
        let (list, end) = self.list(head);
        if kind == ControlKind::Range {
            self.range_depth -= 1;
        }
        let mut else_list = None;
        let end = match end {
            End::Else(else_span) => {
                let chained = match kind {
                    ControlKind::If => (ItemKind::If, ControlKind::If),
                    _ => (ItemKind::With, ControlKind::With),
                };
                // `{{else if …}}` shares the `{{end}}` of the whole chain.
                if kind != ControlKind::Range && self.peek().kind == chained.0 {
                    self.next();
                    self.depth += 1;
                    let node = if self.depth > DEPTH_LIMIT {
                        let error = self.error(
                            format!("nested deeper than {DEPTH_LIMIT} levels (a limit of convoy-lsp)"),
                            else_span,
                        );
                        self.errors.push(error);
                        self.lexer.resume(self.source.len(), false);
                        self.peek_count = 0;
                        Node::Bad(else_span)
                    } else {
                        self.control(chained.1, else_span.start)
                    };
                    self.depth -= 1;
                    let end = node.span().end;
                    else_list = Some(List { span: node.span(), nodes: vec![node] });
                    end
                } else {
                    let (list, end) = self.list(else_span);
                    else_list = Some(list);
                    match end {
                        End::Close(span) => span.end,
                        End::Else(span) => {
                            let error = self.error("expected end; found {{else}}", span);
                            if self.errors.is_empty() {
                                self.errors.push(error);
                            }
                            // What follows belongs to the wrong branch; it still is read.
                            let (_, end) = self.list(span);
                            self.end_of(&end)
                        }
                        End::Eof => self.source.len(),
                    }
                }
            }
            end => self.end_of(&end),
        };
        self.vars.truncate(mark);
        Node::Control(Box::new(Control { kind, span: Span::new(start, end), head, pipe, list, else_list }))
    }

    fn end_of(&self, end: &End) -> usize {
        match end {
            End::Close(span) | End::Else(span) => span.end,
            End::Eof => self.source.len(),
        }
    }

    fn template_name(&mut self, context: &str) -> Parse<(Box<str>, Span)> {
        let item = self.next_non_space();
        if !matches!(item.kind, ItemKind::String | ItemKind::RawString) {
            return self.unexpected(item, context);
        }
        match unquote(item.text(self.source)) {
            Some(bytes) => Ok((String::from_utf8_lossy(&bytes).into(), item.span)),
            None => Err(self.error("invalid syntax", item.span)),
        }
    }

    fn template(&mut self, start: usize) -> Parse<Node> {
        let (name, name_span) = self.template_name("template clause")?;
        let item = self.next_non_space();
        let (pipe, end) = if item.kind == ItemKind::RightDelim {
            (None, item.span.end)
        } else {
            self.backup();
            let (pipe, end) = self.pipeline("template clause", ItemKind::RightDelim)?;
            (Some(pipe), end)
        };
        Ok(Node::Template(Box::new(Call { span: Span::new(start, end), name_span, name, pipe })))
    }

    /// Parses the body of a definition, which sees no variables of what is around it.
    /// A body, which Go parses with a parser of its own: one that complains of the body of a block still stands where the
    /// head ended, at `head_line`.
    fn body(&mut self, context: &str, head: Span, head_line: Option<usize>) -> (List, usize) {
        let vars = std::mem::replace(&mut self.vars, vec!["$".into()]);
        let range_depth = std::mem::take(&mut self.range_depth);
        let action_line = std::mem::take(&mut self.action_line);
        let (list, end) = self.list(head);
        if let End::Else(span) = &end
            && self.errors.is_empty()
        {
            let line = head_line.unwrap_or(self.tokens[0].line);
            let detail = format!("unexpected {{{{else}}}} in {context}");
            self.errors.push(self.error_in_line(line, detail, *span));
        }
        self.vars = vars;
        self.range_depth = range_depth;
        self.action_line = action_line;
        (list, self.end_of(&end))
    }

    fn definition(&mut self, delim: &Item) {
        let start = delim.span.start;
        let context = "define clause";
        // The Go parser begins a tree of its own here, without an action line.
        let (name, name_span, head_end) = match self.template_name(context).and_then(|(name, span)| {
            let delim = self.expect(ItemKind::RightDelim, context)?;
            Ok((name, span, delim.span.end))
        }) {
            Ok(parts) => parts,
            Err(error) => {
                self.recover(error, start);
                ("".into(), Span::empty(start), self.lexer.pos)
            }
        };
        let (list, end) = self.body(context, Span::new(start, head_end), None);
        self.add(Definition { name, name_span, span: Span::new(start, end), list });
    }

    fn block(&mut self, start: usize) -> Parse<Node> {
        let context = "block clause";
        let (name, name_span) = self.template_name(context)?;
        let (pipe, head_end) = self.pipeline(context, ItemKind::RightDelim)?;
        let head_line = self.tokens[0].line;
        let (list, end) = self.body(context, Span::new(start, head_end), Some(head_line));
        let span = Span::new(start, end);
        self.add(Definition { name: name.clone(), name_span, span, list });
        Ok(Node::Template(Box::new(Call { span, name_span, name, pipe: Some(pipe) })))
    }

    fn add(&mut self, definition: Definition) {
        let name = definition.name.clone();
        let span = definition.name_span;
        let empty = is_empty(&definition.list);
        self.definitions.push(definition);
        let index = self.definitions.len() - 1;
        match self.bodies.get(&name) {
            Some(Some(known)) if !is_empty(&self.definitions[*known].list) => {
                if !empty {
                    let text = go::quote(name.as_bytes());
                    let error = self.error(format!("template: multiple definition of template {text}"), span);
                    self.errors.push(error);
                }
            }
            _ => {
                self.bodies.insert(name, Some(index));
            }
        }
    }

    fn add_root(&mut self, root: &List) {
        match self.bodies.get(self.name) {
            Some(Some(known)) if !is_empty(&self.definitions[*known].list) => {
                if !is_empty(root) {
                    let text = go::quote(self.name.as_bytes());
                    let span = self.definitions[*known].name_span;
                    let error = self.error(format!("template: multiple definition of template {text}"), span);
                    self.errors.push(error);
                }
            }
            _ => {
                self.bodies.insert(self.name.into(), None);
            }
        }
    }
}

fn push(list: &mut List, node: Node) {
    let span = node.span();
    list.span = if list.nodes.is_empty() { span } else { list.span.cover(span) };
    list.nodes.push(node);
}

/// Whether a body counts as nothing, so that another definition may take its place.
fn is_empty(list: &List) -> bool {
    list.nodes.iter().all(|node| match node {
        Node::Text { text, .. } => text.trim().is_empty(),
        _ => false,
    })
}
