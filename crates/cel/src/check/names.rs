//! What names mean: variables of loops, declared variables, constants and types, in the namespace of the environment.

use std::sync::Arc;

use super::arena::Ty;
use super::walk::Checker;
use crate::ast::{Ast, Expr, Kind};
use crate::env::Env;
use crate::function::Function;
use crate::types::Type;
use crate::value::Val;

/// The longest qualified name that is looked up, unless a declared variable has a longer one. It keeps the work for
/// long chains of selections within bounds.
const LONGEST_NAME: usize = 1_000;

/// What a name means.
#[derive(Debug)]
pub(super) struct Resolved {
    pub(super) name: Arc<str>,
    pub(super) ty: Ty,
    pub(super) value: Option<Val>,
}

/// The variables of the loops around the current node.
#[derive(Debug, Default)]
pub(super) struct Scopes {
    names: Vec<(Arc<str>, Ty)>,
    /// Where each scope begins.
    starts: Vec<usize>,
}

impl Scopes {
    pub(super) fn enter(&mut self) {
        self.starts.push(self.names.len());
    }

    pub(super) fn leave(&mut self) {
        self.names.truncate(self.starts.pop().unwrap_or(0));
    }

    /// Declares a variable in the innermost scope; the first of a name counts.
    pub(super) fn declare(&mut self, name: &Arc<str>, ty: Ty) {
        let start = self.starts.last().copied().unwrap_or(0);
        let current = self.names.get(start..).unwrap_or_default();
        if !current.iter().any(|(known, _)| **known == *plain(name)) {
            self.names.push((Arc::clone(name), ty));
        }
    }

    fn find(&self, name: &str) -> Option<(Arc<str>, Ty)> {
        let name = plain(name);
        let found = self.names.iter().rev().find(|(known, _)| **known == *name)?;
        Some((Arc::clone(&found.0), found.1))
    }
}

/// A name without its leading dot.
fn plain(name: &str) -> &str {
    name.strip_prefix('.').unwrap_or(name)
}

/// The first name in the namespace, from the innermost, for which there is something.
fn first_candidate<T>(container: &str, name: &str, mut find: impl FnMut(&str) -> Option<T>) -> Option<T> {
    if let Some(absolute) = name.strip_prefix('.') {
        return find(absolute);
    }
    let mut scope = container;
    while !scope.is_empty() {
        if let Some(found) = find(&format!("{scope}.{name}")) {
            return Some(found);
        }
        scope = scope.rsplit_once('.').map_or("", |(outer, _)| outer);
    }
    find(name)
}

/// The name that a chain of selections spells, as `a.b.c`; none if it is something else.
pub(super) fn qualified_name(ast: &Ast, expr: Expr) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    let mut expr = expr;
    loop {
        match ast.kind(expr) {
            Kind::Ident(name) => {
                parts.push(name);
                break;
            }
            Kind::Select { operand, field, test_only: false, .. } => {
                parts.push(field);
                expr = *operand;
            }
            _ => return None,
        }
    }
    parts.reverse();
    Some(parts.join("."))
}

impl<'a> Checker<'a> {
    /// The function of a name.
    pub(super) fn function(&self, name: &str) -> Option<&'a Function> {
        let env: &'a Env = self.env;
        first_candidate(&env.container, name, |candidate| {
            env.function(plain(candidate)).filter(|function| !function.undeclared)
        })
    }

    /// What a simple name means.
    pub(super) fn resolve(&mut self, name: &str) -> Option<Resolved> {
        let local = self.scopes.find(name);
        match local {
            Some((name_of_local, ty)) if !name.starts_with('.') => {
                Some(Resolved { name: name_of_local, ty, value: None })
            }
            local => self.resolve_global(name, local.is_some()),
        }
    }

    /// What a chain of selections means as one name. If it begins with a variable of a loop, it is no name.
    pub(super) fn resolve_chain(&mut self, expr: Expr) -> Option<Resolved> {
        let root = self.chain_root(expr)?;
        let local = self.scopes.find(&root).is_some();
        if local && !root.starts_with('.') {
            return None;
        }
        let name = qualified_name(&self.ast, expr)?;
        self.resolve_global(&name, local)
    }

    /// The identifier at which a chain of selections begins, if it could spell a name.
    fn chain_root(&self, expr: Expr) -> Option<Arc<str>> {
        let longest = self.longest_name;
        let mut length = 0_usize;
        let mut expr = expr;
        loop {
            match self.ast.kind(expr) {
                Kind::Ident(name) => return Some(Arc::clone(name)),
                Kind::Select { operand, field, test_only: false, .. } => {
                    length = length.saturating_add(field.len()).saturating_add(1);
                    if length > longest {
                        return None;
                    }
                    expr = *operand;
                }
                _ => return None,
            }
        }
    }

    /// `hidden`: whether a variable of a loop hides the simple name, so that the full name is written with a dot.
    fn resolve_global(&mut self, name: &str, hidden: bool) -> Option<Resolved> {
        let env = self.env;
        first_candidate(&env.container, name, |candidate| {
            let (ty, value) = self.global(candidate)?;
            let dot = if hidden { "." } else { "" };
            Some(Resolved { name: format!("{dot}{candidate}").into(), ty, value })
        })
    }

    /// A declared variable, a type or a constant.
    fn global(&mut self, name: &str) -> Option<(Ty, Option<Val>)> {
        let env = self.env;
        let arena = &mut self.unifier.arena;
        if let Some(ty) = env.variables.get(plain(name)) {
            return Some((arena.import(ty, &[]), None));
        }
        if let Some(ty) = env.type_named(name) {
            let ty = arena.import(&ty, &[]);
            return Some((arena.type_of(ty), None));
        }
        let (ty, value) = env.provider.ident(name)?;
        Some((arena.import(&ty, &[]), Some(value)))
    }

    /// The type of a name in `Name{…}`, with its full name.
    pub(super) fn resolve_type(&mut self, name: &str) -> Option<(Arc<str>, Type)> {
        let env = self.env;
        first_candidate(&env.container, name, |candidate| {
            Some((candidate.into(), env.type_named(candidate)?))
        })
    }
}

/// The longest name that is worth looking up in an environment.
pub(super) fn longest_name(env: &Env) -> usize {
    env.variables.keys().map(|name| name.len()).max().unwrap_or(0).max(LONGEST_NAME)
}
