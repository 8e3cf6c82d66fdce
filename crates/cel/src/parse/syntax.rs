//! The syntax tree: what the grammar's rules found, before macros and numbers. A rule that only passes on what another
//! found leaves no node.

use convoy_text::Span;

use super::token::Token;

/// A node of the syntax tree: an index into its list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ref(u32);

impl Ref {
    /// Where a rule was given up before it came to this part.
    pub(super) const NONE: Ref = Ref(u32::MAX);
}

/// A node and the bytes from its first to its last token.
#[derive(Clone, Debug)]
pub(super) struct Syntax {
    /// Its first byte.
    pub(super) start: u32,
    /// The byte behind it; `start` if it has no token.
    pub(super) end: u32,
    /// What it is.
    pub(super) form: Form,
}

impl Syntax {
    /// The bytes of the node.
    pub(super) fn span(&self) -> Span {
        Span::new(self.start as usize, self.end as usize)
    }
}

/// What a node of the syntax tree is. Parts that follow an error may be missing.
#[derive(Clone, Debug)]
pub(super) enum Form {
    /// A rule that found none of its alternatives.
    Failed,
    /// The same where an operand was wanted, which cel-go's visitor makes a string of.
    FailedOperand,
    /// `test ? yes : no`.
    Conditional { test: Ref, mark: Token, yes: Ref, no: Ref },
    /// `first && rest…` or with `||`.
    Logic { or: bool, first: Ref, operators: Vec<Token>, rest: Vec<Ref> },
    /// A comparison or calculation.
    Binary { operator: Token, left: Ref, right: Ref },
    /// `!!operand` or `--operand`.
    Prefix { not: bool, first: Token, count: u32, operand: Ref },
    /// `operand.field`.
    Select { operand: Ref, dot: Token, optional: bool, field: FieldName },
    /// `target.name(arguments)`.
    MemberCall { target: Ref, name: Token, open: Token, arguments: Vec<Ref> },
    /// `operand[index]`.
    Index { operand: Ref, open: Token, optional: bool, index: Ref },
    /// `name` or `.name`.
    Name { leading_dot: bool, name: Token },
    /// `name(arguments)` or `.name(arguments)`.
    Call { leading_dot: bool, name: Token, open: Token, arguments: Vec<Ref> },
    /// `[elements]`.
    List { open: Token, elements: Vec<Optional> },
    /// `{entries}`.
    Map { open: Token, entries: Box<Entries<Optional>> },
    /// `a.b{fields}`.
    Message { leading_dot: bool, names: Vec<Token>, open: Token, fields: Box<Entries<OptionalField>> },
    /// `1`, `-1`.
    Int { negative: bool, digits: Token },
    /// `1u`.
    Uint(Token),
    /// `1.0`, `-1.0`.
    Double { negative: bool, digits: Token },
    /// `"text"`.
    String(Token),
    /// `b"text"`.
    Bytes(Token),
    /// `true`, `false`.
    Bool(bool),
    /// `null`.
    Null,
}

/// `?expr` or `expr`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Optional {
    /// Its first byte.
    pub(super) start: u32,
    /// The question mark.
    pub(super) mark: Option<Token>,
    /// The expression.
    pub(super) value: Ref,
}

/// `?field` or `field`.
#[derive(Clone, Copy, Debug)]
pub(super) struct OptionalField {
    /// Its first byte.
    pub(super) start: u32,
    /// The question mark.
    pub(super) mark: Option<Token>,
    /// The name.
    pub(super) name: FieldName,
}

/// The name of a field.
#[derive(Clone, Copy, Debug)]
pub(super) struct FieldName {
    /// Where its rule began, which is before tokens that were dropped.
    pub(super) start: u32,
    /// The name; none if there is none.
    pub(super) token: Option<Token>,
}

/// `key: value, …`: of each column so far as the rule came.
#[derive(Clone, Debug)]
pub(super) struct Entries<K> {
    /// The first byte of the list.
    pub(super) start: u32,
    /// Left of the colons.
    pub(super) keys: Vec<K>,
    /// The colons.
    pub(super) colons: Vec<Token>,
    /// Right of the colons.
    pub(super) values: Vec<Ref>,
}

impl<K> Entries<K> {
    /// No entries, at a place.
    pub(super) fn new(start: u32) -> Entries<K> {
        Entries { start, keys: Vec::new(), colons: Vec::new(), values: Vec::new() }
    }
}

/// The list of nodes.
#[derive(Debug, Default)]
pub(super) struct Tree {
    nodes: Vec<Syntax>,
}

impl Tree {
    /// Adds a node.
    pub(super) fn add(&mut self, start: u32, end: u32, form: Form) -> Ref {
        let index = self.nodes.len() as u32;
        self.nodes.push(Syntax { start, end: end.max(start), form });
        Ref(index)
    }

    /// The node; none where a part is missing.
    pub(super) fn get(&self, node: Ref) -> Option<&Syntax> {
        self.nodes.get(node.0 as usize)
    }
}
