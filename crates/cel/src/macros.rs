//! Macros: what becomes of `all`, `map`, `has` and the like while parsing.

pub mod bindings;
pub mod lists;
pub mod math;
pub mod optional;
pub mod standard;
pub mod two_variable;

use std::sync::Arc;

use crate::ast::Expr;
use crate::parse::Builder;

/// A macro.
#[derive(Clone, Copy, Debug)]
pub struct Macro {
    /// The name.
    pub function: &'static str,
    /// The name of the library that brings it.
    pub library: &'static str,
    /// Whether it is called on a receiver.
    pub receiver: bool,
    /// The number of arguments without the receiver; none for any number.
    pub arity: Option<usize>,
    /// What the call becomes.
    pub expand: Expander,
    /// What it does, in a sentence, for hovers.
    pub summary: &'static str,
    /// How it is written, for hovers: `list.all(x, predicate)`.
    pub signature: &'static str,
    /// An expression and its value.
    pub example: &'static str,
}

/// Makes the expansion: the node, nothing if the call is an ordinary one, or an error.
pub type Expander = fn(&mut Builder<'_>, Option<Expr>, &[Expr]) -> Result<Option<Expr>, MacroError>;

/// Why a call of a macro has no expansion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MacroError {
    /// The node at which cel-go reports it; none for the call.
    pub at: Option<Expr>,
    /// cel-go's text.
    pub message: Arc<str>,
}
