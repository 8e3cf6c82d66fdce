//! Types of an expression.

mod arena;
mod calls;
mod export;
mod issues;
mod literals;
mod names;
mod signature;
mod unify;
mod validate;
mod walk;

use std::collections::HashMap;
use std::sync::Arc;

use crate::ast::{Ast, Id};
use crate::env::Env;
use crate::issue::Issue;
use crate::types::Type;
use crate::value::Val;

/// An expression with the types of its nodes.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The tree, in which names are full names: `a.b` may have become one identifier, a call on a namespace a global call.
    pub ast: Ast,
    /// The type of each node, by cel-go's number.
    pub types: Vec<Option<Type>>,
    /// What names and calls refer to, by cel-go's number.
    pub references: HashMap<Id, Reference>,
    /// The errors, in the order in which cel-go found them.
    pub issues: Vec<Issue>,
}

/// What a name or a call refers to.
#[derive(Clone, Debug)]
pub enum Reference {
    /// A variable, a constant or a type; with the value of a constant.
    Ident {
        /// The full name.
        name: Arc<str>,
        /// The value of a constant.
        value: Option<Val>,
    },
    /// The overloads that fit, in the order of the declaration.
    Overloads(Vec<Arc<str>>),
}

impl Checked {
    /// The type of the node with a number; none if it has no type, as in an expression that was not checked.
    pub fn ty(&self, id: Id) -> Option<&Type> {
        self.types.get(id as usize)?.as_ref()
    }

    /// The type of the whole expression.
    pub fn result(&self) -> Option<&Type> {
        self.ty(self.ast.id(self.ast.root?))
    }
}

/// Checks an expression, as cel-go's `Env.Check`. If nothing is wrong, the validators of the libraries have their say.
///
/// A tree with [`Kind::Error`](crate::ast::Kind::Error) nodes, which cel-go would not check, is checked as far as it
/// goes: such a node has the type [`Type::Error`], which fits everything.
///
/// Types can become exponentially larger than the expression. A check that would take longer or make larger types than
/// any sensible expression needs ends with an issue that says so.
pub fn check(ast: Ast, env: &Env) -> Checked {
    let mut checked = walk::Checker::new(ast, env).run();
    if checked.issues.is_empty() {
        validate::validate(&mut checked, env);
    }
    checked
}

/// An expression that is to run without a check: it has neither types nor references, and its names and calls are
/// found when it runs.
pub fn unchecked(ast: Ast) -> Checked {
    Checked { ast, types: Vec::new(), references: HashMap::new(), issues: Vec::new() }
}
