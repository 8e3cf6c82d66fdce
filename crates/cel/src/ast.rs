//! The tree of an expression.
//!
//! Nodes stand in one list ([`Ast`]) and refer to each other by [`Expr`], their index in it. Besides, each node has the
//! number (`id`) that cel-go's parser gives it: error texts of evaluation may show it, and cost tracking finds values
//! by it. A number that belongs to no node is that of a map entry, a field initializer or a macro call.
//!
//! Macros are expanded while parsing. The expansion is what is checked and run; [`Ast::macro_call`] has the call as it
//! was written.

use std::sync::Arc;

use convoy_text::Span;

/// A node of an [`Ast`]: an index into its list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Expr(pub u32);

/// The number that cel-go gives a node; 0 is none. Numbers count from 1 in the order in which cel-go makes nodes.
pub type Id = u32;

/// An expression: its nodes, where they stand and the macros that were expanded.
#[derive(Clone, Debug, Default)]
pub struct Ast {
    /// The text, as it was given.
    pub text: Arc<str>,
    /// All nodes. A node that an expansion or the checker dropped may still be in the list.
    pub nodes: Vec<Node>,
    /// The node that is the whole expression; none if there is no node at all (a limit was passed).
    pub root: Option<Expr>,
    /// The byte offset in the text of the place that cel-go reports for an id, by id; none where cel-go knows none.
    pub places: Vec<Option<u32>>,
    /// The macro calls as written.
    pub macro_calls: Vec<MacroCall>,
}

/// One node.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// cel-go's number; two nodes may share one.
    pub id: Id,
    /// The bytes of the text that the whole node covers, without surrounding parentheses and white space; for a node
    /// that an expansion made, those of the macro call.
    pub span: Span,
    /// What it is.
    pub kind: Kind,
}

/// What a node is.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// Stands where the text is broken.
    Error,
    /// A constant.
    Literal(Literal),
    /// A variable or type; after the check, a full name which may contain dots (and begin with one).
    Ident(Arc<str>),
    /// `operand.field`, or `has(operand.field)`.
    Select {
        /// Left of the dot.
        operand: Expr,
        /// The field, without backquotes.
        field: Arc<str>,
        /// The bytes of the field, with backquotes.
        field_span: Span,
        /// Whether it is the test of `has()`.
        test_only: bool,
    },
    /// A call or an operator.
    Call {
        /// The function; operators have cel-go's names (see [`crate::operator`]).
        function: Arc<str>,
        /// The bytes of the name or operator; for `?:` those of the question mark, for an index those of the bracket.
        name_span: Span,
        /// The receiver of `target.function(…)`.
        target: Option<Expr>,
        /// The arguments.
        args: Vec<Expr>,
    },
    /// `[…]`.
    List {
        /// The elements.
        elements: Vec<Expr>,
        /// The indices of the elements that are written `?element`.
        optional: Vec<u32>,
    },
    /// `{key: value}`.
    Map(Vec<Entry>),
    /// `Name{field: value}`.
    Struct {
        /// The name as written (a leading dot is kept); after the check, the full name.
        name: Arc<str>,
        /// The bytes of the name.
        name_span: Span,
        /// The field initializers.
        fields: Vec<Field>,
    },
    /// The loop that `all`, `map` and other macros become.
    Comprehension(Box<Comprehension>),
}

/// `key: value` of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// cel-go's number of the entry.
    pub id: Id,
    /// The key.
    pub key: Expr,
    /// The value.
    pub value: Expr,
    /// Whether it is written `?key: value`.
    pub optional: bool,
}

/// `field: value` of a message.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// cel-go's number of the initializer.
    pub id: Id,
    /// The field, without backquotes.
    pub name: Arc<str>,
    /// The bytes of the field, with backquotes.
    pub name_span: Span,
    /// The value.
    pub value: Expr,
    /// Whether it is written `?field: value`.
    pub optional: bool,
}

/// A loop over `range`: the accumulator begins as `init`; for each element, as long as `condition` holds, it becomes
/// `step`; the value is `result`.
#[derive(Clone, Debug, PartialEq)]
pub struct Comprehension {
    /// What is looped over.
    pub range: Expr,
    /// The variable of the element, or with two variables of the index or key.
    pub variable: Arc<str>,
    /// The second variable: element or value.
    pub variable2: Option<Arc<str>>,
    /// The accumulator.
    pub accumulator: Arc<str>,
    /// Its first value.
    pub init: Expr,
    /// Whether to go on.
    pub condition: Expr,
    /// Its next value.
    pub step: Expr,
    /// The value of the loop.
    pub result: Expr,
}

/// A constant.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// `null`.
    Null,
    /// `true`, `false`.
    Bool(bool),
    /// `1`, `-0x1F`.
    Int(i64),
    /// `1u`.
    Uint(u64),
    /// `1.0`, `1e3`.
    Double(f64),
    /// `"text"`.
    String(Arc<str>),
    /// `b"text"`.
    Bytes(Arc<[u8]>),
}

/// A macro call as it was written.
#[derive(Clone, Debug, PartialEq)]
pub struct MacroCall {
    /// The root of the expansion.
    pub expansion: Expr,
    /// The name of the macro.
    pub function: Arc<str>,
    /// The bytes of the name.
    pub name_span: Span,
    /// The bytes of the whole call.
    pub span: Span,
    /// The receiver.
    pub target: Option<Expr>,
    /// The arguments as parsed, also those that the expansion uses only as names.
    pub args: Vec<Expr>,
}

impl Ast {
    /// The node.
    pub fn node(&self, expr: Expr) -> &Node {
        &self.nodes[expr.0 as usize]
    }

    /// What the node is.
    pub fn kind(&self, expr: Expr) -> &Kind {
        &self.node(expr).kind
    }

    /// cel-go's number of the node.
    pub fn id(&self, expr: Expr) -> Id {
        self.node(expr).id
    }

    /// The bytes that the node covers.
    pub fn span(&self, expr: Expr) -> Span {
        self.node(expr).span
    }

    /// The byte offset that cel-go reports for a number.
    pub fn place(&self, id: Id) -> Option<u32> {
        self.places.get(id as usize).copied().flatten()
    }

    /// The macro call whose expansion the node is.
    pub fn macro_call(&self, expr: Expr) -> Option<&MacroCall> {
        self.macro_calls.iter().rev().find(|call| call.expansion == expr)
    }

    /// The nodes directly below a node, in the order of the text (for a comprehension: range, init, condition, step,
    /// result).
    pub fn children(&self, expr: Expr) -> Vec<Expr> {
        match self.kind(expr) {
            Kind::Error | Kind::Literal(_) | Kind::Ident(_) => Vec::new(),
            Kind::Select { operand, .. } => vec![*operand],
            Kind::Call { target, args, .. } => target.iter().chain(args).copied().collect(),
            Kind::List { elements, .. } => elements.clone(),
            Kind::Map(entries) => entries.iter().flat_map(|entry| [entry.key, entry.value]).collect(),
            Kind::Struct { fields, .. } => fields.iter().map(|field| field.value).collect(),
            Kind::Comprehension(fold) => vec![fold.range, fold.init, fold.condition, fold.step, fold.result],
        }
    }
}
