//! Making nodes, for the parser and for macros.

use std::sync::Arc;

use convoy_text::Span;

use crate::ast::{Ast, Comprehension, Entry, Expr, Field, Id, Kind, Literal, Node};
use crate::macros::MacroError;

/// The most nodes of a tree, however long its text is. cel-go knows no such limit, but macros that copy their receiver
/// can double a tree with each call.
pub const MAX_NODES: usize = 1_000_000;

/// Nodes that any text may have, and how many more for each of its bytes.
const FREE_NODES: usize = 10_000;
const NODES_PER_BYTE: usize = 20;

/// The name of the variable in which the loops that macros make gather their value; no text can name it.
pub const ACCUMULATOR: &str = "@result";

/// Makes nodes, for the parser and for macros.
///
/// A macro makes its nodes in the order in which cel-go's makes them, arguments before the call that takes them, since
/// that gives them their numbers. All of them stand where the macro call does: their place and bytes are those of the
/// call, apart from copies, which keep those of what they are copies of.
#[derive(Debug)]
pub struct Builder<'a> {
    ast: &'a mut Ast,
    names: Vec<(&'static str, Arc<str>)>,
    site: Site,
    full: bool,
}

/// Where a macro is called.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Site {
    /// The number of the call.
    pub(super) id: Id,
    /// The bytes of the call.
    pub(super) span: Span,
    /// The bytes of its name.
    pub(super) name_span: Span,
}

impl<'a> Builder<'a> {
    /// A builder that adds to a tree.
    pub(super) fn new(ast: &'a mut Ast) -> Builder<'a> {
        if ast.places.is_empty() {
            ast.places.push(None);
        }
        Builder { ast, names: Vec::new(), site: Site::default(), full: false }
    }

    /// The tree as it is.
    pub fn ast(&self) -> &Ast {
        self.ast
    }

    pub(super) fn ast_mut(&mut self) -> &mut Ast {
        self.ast
    }

    /// What a node is.
    pub fn kind(&self, expr: Expr) -> &Kind {
        self.ast.kind(expr)
    }

    /// The name, if the node is one.
    pub fn name(&self, expr: Expr) -> Option<Arc<str>> {
        match self.kind(expr) {
            Kind::Ident(name) => Some(name.clone()),
            _ => None,
        }
    }

    /// Whether the node is just this name: how a macro of a library knows its receiver (`math.least`).
    pub fn is_name(&self, expr: Option<Expr>, wanted: &str) -> bool {
        expr.is_some_and(|expr| matches!(self.kind(expr), Kind::Ident(name) if **name == *wanted))
    }

    /// Whether there was no room for a node.
    pub(super) fn is_full(&self) -> bool {
        self.full
    }

    /// From now on nodes are made for this macro call.
    pub(super) fn set_site(&mut self, site: Site) {
        self.site = site;
    }

    /// How many nodes the tree may have.
    pub(super) fn room(&self) -> usize {
        self.ast.text.len().saturating_mul(NODES_PER_BYTE).saturating_add(FREE_NODES).min(MAX_NODES)
    }

    /// The next number, for something at a place.
    pub(super) fn number(&mut self, place: Option<u32>) -> Id {
        let id = self.ast.places.len() as Id;
        if self.ast.places.len() > 2 * self.room() {
            self.full = true;
        } else {
            self.ast.places.push(place);
        }
        id
    }

    /// Gives a number up. The next one made may be the same, as with cel-go.
    pub(super) fn forget(&mut self, id: Id) {
        if id as usize + 1 == self.ast.places.len() {
            self.ast.places.pop();
        } else if let Some(place) = self.ast.places.get_mut(id as usize) {
            *place = None;
        }
    }

    /// Adds a node.
    pub(super) fn add(&mut self, id: Id, span: Span, kind: Kind) -> Expr {
        let index = self.ast.nodes.len();
        if index >= self.room() {
            self.full = true;
            return Expr(0);
        }
        self.ast.nodes.push(Node { id, span, kind });
        Expr(index as u32)
    }

    /// The shared text of a name that is part of the program.
    pub(super) fn shared(&mut self, name: &'static str) -> Arc<str> {
        if let Some((_, shared)) = self.names.iter().find(|(known, _)| *known == name) {
            return shared.clone();
        }
        let shared: Arc<str> = name.into();
        self.names.push((name, shared.clone()));
        shared
    }

    /// The next number, for something that the macro makes.
    fn macro_number(&mut self) -> Id {
        let place = self.ast.place(self.site.id);
        self.number(place)
    }

    fn make(&mut self, kind: Kind) -> Expr {
        let id = self.macro_number();
        self.add(id, self.site.span, kind)
    }

    /// A constant.
    pub fn literal(&mut self, literal: Literal) -> Expr {
        self.make(Kind::Literal(literal))
    }

    /// A variable.
    pub fn ident(&mut self, name: impl Into<Arc<str>>) -> Expr {
        self.make(Kind::Ident(name.into()))
    }

    /// The accumulator of a loop, [`ACCUMULATOR`].
    pub fn accumulator(&mut self) -> Expr {
        let name = self.shared(ACCUMULATOR);
        self.make(Kind::Ident(name))
    }

    /// A call of a function or an operator.
    pub fn call(&mut self, function: &'static str, args: Vec<Expr>) -> Expr {
        let function = self.shared(function);
        let name_span = self.site.name_span;
        self.make(Kind::Call { function, name_span, target: None, args })
    }

    /// A call on a receiver.
    pub fn member_call(&mut self, function: &'static str, target: Expr, args: Vec<Expr>) -> Expr {
        let function = self.shared(function);
        let name_span = self.site.name_span;
        self.make(Kind::Call { function, name_span, target: Some(target), args })
    }

    /// `operand.field`, where the field stands at these bytes.
    pub fn select(&mut self, operand: Expr, field: Arc<str>, field_span: Span) -> Expr {
        self.make(Kind::Select { operand, field, field_span, test_only: false })
    }

    /// `has(operand.field)`, where the field stands at these bytes.
    pub fn presence(&mut self, operand: Expr, field: Arc<str>, field_span: Span) -> Expr {
        self.make(Kind::Select { operand, field, field_span, test_only: true })
    }

    /// A list.
    pub fn list(&mut self, elements: Vec<Expr>) -> Expr {
        self.make(Kind::List { elements, optional: Vec::new() })
    }

    /// A map.
    pub fn map(&mut self, entries: Vec<Entry>) -> Expr {
        self.make(Kind::Map(entries))
    }

    /// An entry of a map.
    pub fn map_entry(&mut self, key: Expr, value: Expr, optional: bool) -> Entry {
        Entry { id: self.macro_number(), key, value, optional }
    }

    /// A message.
    pub fn message(&mut self, name: impl Into<Arc<str>>, fields: Vec<Field>) -> Expr {
        let name_span = self.site.name_span;
        self.make(Kind::Struct { name: name.into(), name_span, fields })
    }

    /// A field initializer of a message.
    pub fn message_field(&mut self, name: impl Into<Arc<str>>, value: Expr, optional: bool) -> Field {
        let name_span = self.site.name_span;
        Field { id: self.macro_number(), name: name.into(), name_span, value, optional }
    }

    /// A loop.
    pub fn comprehension(&mut self, comprehension: Comprehension) -> Expr {
        self.make(Kind::Comprehension(Box::new(comprehension)))
    }

    /// An error at a node.
    pub fn error(&self, at: Expr, message: impl Into<Arc<str>>) -> MacroError {
        MacroError { at: Some(at), message: message.into() }
    }

    /// A copy of a node and all below it, with numbers of their own.
    pub fn copy(&mut self, expr: Expr) -> Expr {
        // Without recursion, since a tree may be deeper than the stack; numbers are given in the order of cel-go.
        let copy = self.reserve();
        let mut work = vec![Work::Node { from: expr, to: copy }];
        while let Some(next) = work.pop() {
            if self.full {
                break;
            }
            match next {
                Work::Node { from, to } => self.copy_node(from, to, &mut work),
                Work::Number { node, index } => {
                    let id = self.macro_number();
                    match self.ast.nodes.get_mut(node.0 as usize).map(|node| &mut node.kind) {
                        Some(Kind::Map(entries)) => {
                            if let Some(entry) = entries.get_mut(index) {
                                entry.id = id;
                            }
                        }
                        Some(Kind::Struct { fields, .. }) => {
                            if let Some(field) = fields.get_mut(index) {
                                field.id = id;
                            }
                        }
                        _ => {}
                    }
                }
            }
        }
        copy
    }

    /// An empty node, to be filled in.
    fn reserve(&mut self) -> Expr {
        self.add(0, self.site.span, Kind::Error)
    }

    fn copy_node(&mut self, from: Expr, to: Expr, work: &mut Vec<Work>) {
        let Some(Node { id, span, kind }) = self.ast.nodes.get(from.0 as usize).cloned() else {
            return;
        };
        let place = self.ast.place(id);
        let id = self.number(place);
        let mut steps = Vec::new();
        let mut below = |expr: &mut Expr, steps: &mut Vec<Work>| {
            let copy = self.reserve();
            steps.push(Work::Node { from: *expr, to: copy });
            *expr = copy;
        };
        let mut kind = kind;
        match &mut kind {
            Kind::Error | Kind::Literal(_) | Kind::Ident(_) => {}
            Kind::Select { operand, .. } => below(operand, &mut steps),
            Kind::Call { target, args, .. } => {
                for expr in args.iter_mut().chain(target) {
                    below(expr, &mut steps);
                }
            }
            Kind::List { elements, .. } => {
                for expr in elements {
                    below(expr, &mut steps);
                }
            }
            Kind::Map(entries) => {
                for (index, entry) in entries.iter_mut().enumerate() {
                    steps.push(Work::Number { node: to, index });
                    below(&mut entry.key, &mut steps);
                    below(&mut entry.value, &mut steps);
                }
            }
            Kind::Struct { fields, .. } => {
                for (index, field) in fields.iter_mut().enumerate() {
                    steps.push(Work::Number { node: to, index });
                    below(&mut field.value, &mut steps);
                }
            }
            Kind::Comprehension(fold) => {
                let Comprehension { range, init, condition, step, result, .. } = &mut **fold;
                for expr in [range, init, condition, step, result] {
                    below(expr, &mut steps);
                }
            }
        }
        if let Some(node) = self.ast.nodes.get_mut(to.0 as usize) {
            *node = Node { id, span, kind };
        }
        work.extend(steps.into_iter().rev());
    }
}

/// A step of a copy.
#[derive(Debug)]
enum Work {
    /// Copy a node into one that is reserved.
    Node { from: Expr, to: Expr },
    /// Give the entry or field of a copied node its number.
    Number { node: Expr, index: usize },
}
