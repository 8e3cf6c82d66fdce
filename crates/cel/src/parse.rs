//! Text to tree, as cel-go's parser reads it: the same trees with the same numbers, and for broken text the same
//! errors in the same words at the same places.
//!
//! cel-go's parser is made by ANTLR 4; its error texts follow from how ANTLR predicts, recovers and goes on, which is
//! what the modules below do: `lex` makes tokens, `grammar` has the rules, `recover` what happens where none
//! fits, and `visit` makes the tree, expanding macros with the help of a [`Builder`].

mod builder;
mod grammar;
mod lex;
mod literal;
mod recover;
mod syntax;
mod token;
mod visit;

use std::sync::Arc;

use convoy_text::Span;

pub use self::builder::{ACCUMULATOR, Builder, MAX_NODES};
use self::recover::Parser;
use self::visit::Visitor;
use crate::ast::Ast;
use crate::env::Env;
use crate::issue::Issue;

/// The most characters of an expression.
pub const MAX_CHARACTERS: usize = 100_000;

/// The tree of a text, and what is wrong with it.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The tree, as far as there is one.
    pub ast: Ast,
    /// The errors, in the order in which cel-go found them.
    pub issues: Vec<Issue>,
}

/// Parses a text.
///
/// The tree has a root unless a limit was passed: [`MAX_CHARACTERS`], [`MAX_NODES`], 250 open rules of one kind, 30
/// attempts to recover from an error or 100 syntax errors. Behind an error it has what could be made out.
///
/// Where there is no place, cel-go prints `-1:0` for an issue without a number and `1:0` for one with a number; in an
/// empty text it prints `1:0` for all places.
pub fn parse(text: &str, env: &Env) -> Parsed {
    let shared: Arc<str> = text.into();
    let mut ast = Ast { text: shared, places: vec![None], ..Ast::default() };
    let characters = if text.len() > MAX_CHARACTERS { text.chars().count() } else { 0 };
    if characters > MAX_CHARACTERS {
        let message =
            format!("expression code point size exceeds limit: size: {characters}, limit {MAX_CHARACTERS}");
        let span = Span::new(0, text.len());
        let issues = vec![Issue { id: 0, place: None, span, message: message.into() }];
        return Parsed { ast, issues };
    }
    let mut parser = match Parser::new(text) {
        Ok(parser) => parser,
        Err(issues) => return Parsed { ast, issues },
    };
    let start = parser.start();
    let Parser { tree, mut issues, .. } = parser;
    if let Ok(start) = start {
        let root = Visitor::new(text, env, &tree, &mut ast, &mut issues).root(start);
        ast.root = root.ok();
    }
    Parsed { ast, issues }
}
