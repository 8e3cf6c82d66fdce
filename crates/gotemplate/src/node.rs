//! The tree of a template.
//!
//! Each node has its `span` in the text, and where it differs from the span's start the `pos` that Go names in
//! errors. [`Node`] and its parts print as Go prints them.

use std::fmt::{Display, Formatter, Result};

use convoy_text::Span;
use convoy_value::go;

/// A run of text and actions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct List {
    /// The nodes in order.
    pub nodes: Vec<Node>,
    /// From the first to the last node; of a body, from `}}` of its head to `{{` of its end.
    pub span: Span,
}

/// A piece of a template.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// Text that is written as it stands.
    Text {
        /// The bytes, after trimming.
        span: Span,
        /// The same as text.
        text: Box<str>,
    },
    /// `{{pipeline}}`.
    Action(Action),
    /// `{{if}}`, `{{with}}`, `{{range}}`.
    Control(Box<Control>),
    /// `{{template "name" pipeline}}`; also what `{{block}}` leaves in place.
    Template(Box<Call>),
    /// `{{break}}`.
    Break(Span),
    /// `{{continue}}`.
    Continue(Span),
    /// An action that could not be read.
    Bad(Span),
}

/// `{{pipeline}}`.
#[derive(Clone, Debug, PartialEq)]
pub struct Action {
    /// With the delimiters.
    pub span: Span,
    /// What it evaluates.
    pub pipe: Pipe,
}

/// Which control structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ControlKind {
    /// `if`.
    If,
    /// `with`.
    With,
    /// `range`.
    Range,
}

impl ControlKind {
    /// The keyword.
    pub fn word(self) -> &'static str {
        match self {
            ControlKind::If => "if",
            ControlKind::With => "with",
            ControlKind::Range => "range",
        }
    }
}

/// `{{if pipeline}}…{{else}}…{{end}}` and its likes.
#[derive(Clone, Debug, PartialEq)]
pub struct Control {
    /// Which one.
    pub kind: ControlKind,
    /// From `{{` of the head to `}}` of the end.
    pub span: Span,
    /// The head alone.
    pub head: Span,
    /// The condition, or what is ranged over. Without commands where the head could not be read.
    pub pipe: Pipe,
    /// The body.
    pub list: List,
    /// After `{{else}}`; `{{else if}}` is a list with one `if`.
    pub else_list: Option<List>,
}

/// `{{template "name" pipeline}}`.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// With the delimiters.
    pub span: Span,
    /// The name's literal.
    pub name_span: Span,
    /// The name.
    pub name: Box<str>,
    /// The argument.
    pub pipe: Option<Pipe>,
}

/// `$x := command | command`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pipe {
    /// From the first declaration or command to the last command; without parentheses.
    pub span: Span,
    /// `=` instead of `:=`.
    pub is_assign: bool,
    /// The variables that are declared or assigned.
    pub decl: Vec<Variable>,
    /// The commands, at least one in a tree without errors.
    pub commands: Vec<Command>,
}

/// A variable with the fields that are read from it.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// The whole chain.
    pub span: Span,
    /// Go's position: the start, or where there are fields, the first field.
    pub pos: usize,
    /// `$name` first, then field names.
    pub idents: Vec<Box<str>>,
    /// The span of each ident, fields with their dot.
    pub spans: Vec<Span>,
}

/// One stage of a pipeline.
#[derive(Clone, Debug, PartialEq)]
pub struct Command {
    /// From the first to the last argument.
    pub span: Span,
    /// The function or value first.
    pub args: Vec<Arg>,
}

/// A chain of fields: `.a.b`.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// The whole chain.
    pub span: Span,
    /// Go's position: the start, or where there is more than one field, the second.
    pub pos: usize,
    /// The names.
    pub idents: Vec<Box<str>>,
    /// The span of each name with its dot.
    pub spans: Vec<Span>,
}

/// Fields of something in parentheses, or of a function's result.
#[derive(Clone, Debug, PartialEq)]
pub struct Chain {
    /// The whole.
    pub span: Span,
    /// Go's position: the first field.
    pub pos: usize,
    /// What the fields are read from.
    pub node: Arg,
    /// The names.
    pub fields: Vec<Box<str>>,
    /// The span of each name with its dot.
    pub spans: Vec<Span>,
}

/// A number with all the types that its text can have.
#[derive(Clone, Debug, PartialEq)]
pub struct Number {
    /// The literal.
    pub span: Span,
    /// The literal's text.
    pub text: Box<str>,
    /// As `int64`.
    pub int: Option<i64>,
    /// As `uint64`.
    pub uint: Option<u64>,
    /// As `float64`.
    pub float: Option<f64>,
    /// As `complex128`, only where the literal is imaginary.
    pub complex: Option<(f64, f64)>,
}

/// An operand.
#[derive(Clone, Debug, PartialEq)]
pub enum Arg {
    /// `.`.
    Dot(Span),
    /// `nil`.
    Nil(Span),
    /// `true`, `false`.
    Bool(Span, bool),
    /// A number.
    Number(Box<Number>),
    /// A string.
    String {
        /// The literal.
        span: Span,
        /// The literal's text with its quotes.
        quoted: Box<str>,
        /// The value; Go strings may hold any bytes.
        text: Box<[u8]>,
    },
    /// `.a.b`.
    Field(Box<Field>),
    /// `$x.a`.
    Variable(Box<Variable>),
    /// A function's name.
    Identifier(Span, Box<str>),
    /// `(pipeline)`.
    Pipe(Box<Pipe>, Span),
    /// `(pipeline).a`.
    Chain(Box<Chain>),
}

impl Arg {
    /// The bytes of the operand.
    pub fn span(&self) -> Span {
        match self {
            Arg::Dot(span)
            | Arg::Nil(span)
            | Arg::Bool(span, _)
            | Arg::String { span, .. }
            | Arg::Identifier(span, _)
            | Arg::Pipe(_, span) => *span,
            Arg::Number(number) => number.span,
            Arg::Field(field) => field.span,
            Arg::Variable(variable) => variable.span,
            Arg::Chain(chain) => chain.span,
        }
    }

    /// The position that Go names in errors.
    pub fn pos(&self) -> usize {
        match self {
            Arg::Field(field) => field.pos,
            Arg::Variable(variable) => variable.pos,
            Arg::Chain(chain) => chain.pos,
            Arg::Pipe(pipe, _) => pipe.span.start,
            other => other.span().start,
        }
    }
}

impl Node {
    /// The bytes of the node.
    pub fn span(&self) -> Span {
        match self {
            Node::Text { span, .. } | Node::Break(span) | Node::Continue(span) | Node::Bad(span) => *span,
            Node::Action(action) => action.span,
            Node::Control(control) => control.span,
            Node::Template(call) => call.span,
        }
    }
}

fn joined<T: Display>(f: &mut Formatter<'_>, items: &[T], separator: &str) -> Result {
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            f.write_str(separator)?;
        }
        write!(f, "{item}")?;
    }
    Ok(())
}

impl Display for List {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        joined(f, &self.nodes, "")
    }
}

impl Display for Node {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Node::Text { text, .. } => f.write_str(text),
            Node::Action(action) => write!(f, "{{{{{}}}}}", action.pipe),
            Node::Control(control) => control.fmt(f),
            Node::Template(call) => call.fmt(f),
            Node::Break(_) => f.write_str("{{break}}"),
            Node::Continue(_) => f.write_str("{{continue}}"),
            Node::Bad(_) => Ok(()),
        }
    }
}

impl Display for Control {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{{{{{} {}}}}}{}", self.kind.word(), self.pipe, self.list)?;
        if let Some(list) = &self.else_list {
            write!(f, "{{{{else}}}}{list}")?;
        }
        f.write_str("{{end}}")
    }
}

impl Display for Call {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{{{{template {}", go::quote(self.name.as_bytes()))?;
        if let Some(pipe) = &self.pipe {
            write!(f, " {pipe}")?;
        }
        f.write_str("}}")
    }
}

impl Display for Pipe {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        if !self.decl.is_empty() {
            joined(f, &self.decl, ", ")?;
            f.write_str(if self.is_assign { " = " } else { " := " })?;
        }
        joined(f, &self.commands, " | ")
    }
}

impl Display for Command {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        for (i, arg) in self.args.iter().enumerate() {
            if i > 0 {
                f.write_str(" ")?;
            }
            in_command(f, arg)?;
        }
        Ok(())
    }
}

/// An operand among others: a pipeline shows its parentheses only there.
fn in_command(f: &mut Formatter<'_>, arg: &Arg) -> Result {
    match arg {
        Arg::Pipe(pipe, _) => write!(f, "({pipe})"),
        arg => arg.fmt(f),
    }
}

impl Display for Variable {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        joined(f, &self.idents, ".")
    }
}

impl Display for Arg {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Arg::Dot(_) => f.write_str("."),
            Arg::Nil(_) => f.write_str("nil"),
            Arg::Bool(_, value) => write!(f, "{value}"),
            Arg::Number(number) => f.write_str(&number.text),
            Arg::String { quoted, .. } => f.write_str(quoted),
            Arg::Field(field) => field.idents.iter().try_for_each(|ident| write!(f, ".{ident}")),
            Arg::Variable(variable) => variable.fmt(f),
            Arg::Identifier(_, name) => f.write_str(name),
            Arg::Pipe(pipe, _) => pipe.fmt(f),
            Arg::Chain(chain) => {
                in_command(f, &chain.node)?;
                chain.fields.iter().try_for_each(|field| write!(f, ".{field}"))
            }
        }
    }
}
