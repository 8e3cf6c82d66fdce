//! Syntax tree to tree: numbers, names, literals and macros, in the order of cel-go's visitor.

use std::sync::Arc;

use convoy_text::Span;

use super::builder::{Builder, Site};
use super::literal;
use super::recover::{MAX_DEPTH, Stop};
use super::syntax::{Entries, FieldName, Form, Optional, OptionalField, Ref, Syntax, Tree};
use super::token::{Kind as TokenKind, Token};
use crate::ast::{Ast, Entry, Expr, Field, Id, Kind, Literal, MacroCall};
use crate::env::Env;
use crate::issue::Issue;
use crate::macros::{Macro, MacroError};
use crate::operator;

/// Words that are no names of variables and functions.
const RESERVED: [&str; 21] = [
    "as",
    "break",
    "const",
    "continue",
    "else",
    "false",
    "for",
    "function",
    "if",
    "import",
    "in",
    "let",
    "loop",
    "package",
    "namespace",
    "null",
    "return",
    "true",
    "var",
    "void",
    "while",
];

/// Makes the tree.
pub(super) struct Visitor<'a> {
    text: &'a str,
    env: &'a Env,
    tree: &'a Tree,
    make: Builder<'a>,
    issues: &'a mut Vec<Issue>,
    depth: u32,
}

/// The call that a macro may be made of.
struct Call<'n> {
    id: Id,
    function: &'n str,
    name_span: Span,
    span: Span,
    target: Option<Expr>,
    args: Vec<Expr>,
}

impl<'a> Visitor<'a> {
    /// A visitor that adds to a tree and a list of issues.
    pub(super) fn new(
        text: &'a str,
        env: &'a Env,
        tree: &'a Tree,
        ast: &'a mut Ast,
        issues: &'a mut Vec<Issue>,
    ) -> Visitor<'a> {
        Visitor { text, env, tree, make: Builder::new(ast), issues, depth: 0 }
    }

    /// The bytes of a dot or bracket with the question mark behind it.
    fn with_mark(&self, token: Token) -> Span {
        let behind = self.text.get(token.end as usize..).unwrap_or_default();
        let mark = behind.find('?').map_or(0, |at| at + 1);
        Span::new(token.start as usize, token.end as usize + mark)
    }

    fn slice(&self, token: Token) -> &'a str {
        self.text.get(token.start as usize..token.end as usize).unwrap_or_default()
    }

    /// Adds an issue without a place, which ends everything.
    fn stop(&mut self, message: String) -> Stop {
        let span = Span::new(0, self.text.len());
        self.issues.push(Issue { id: 0, place: None, span, message: message.into() });
        Stop
    }

    fn check_room(&mut self) -> Result<(), Stop> {
        if self.make.is_full() {
            return Err(self.stop(format!(
                "expression is too large: more than {} nodes once its macros are expanded",
                self.make.room()
            )));
        }
        Ok(())
    }

    /// Reports an error at a place, and makes the node that stands for what is wrong.
    fn error(&mut self, place: Option<u32>, span: Span, message: impl Into<Arc<str>>) -> Expr {
        let id = self.make.number(place);
        let span = if span.is_empty() { Span::character(self.text, span.start) } else { span };
        self.issues.push(Issue { id, place, span, message: message.into() });
        self.make.add(id, span, Kind::Error)
    }

    fn error_at(&mut self, syntax: &Syntax, message: impl Into<Arc<str>>) -> Expr {
        self.error(Some(syntax.start), syntax.span(), message)
    }

    /// The node where a part is missing.
    fn missing(&mut self, span: Span) -> Expr {
        let id = self.make.number(None);
        self.make.add(id, span, Kind::Error)
    }

    fn node(&mut self, syntax: &Syntax, kind: Kind) -> Expr {
        let id = self.make.number(Some(syntax.start));
        self.make.add(id, syntax.span(), kind)
    }

    /// Makes the tree of the whole text.
    pub(super) fn root(&mut self, node: Ref) -> Result<Expr, Stop> {
        let root = self.visit(node, Span::new(0, self.text.len()))?;
        self.check_room()?;
        Ok(root)
    }

    /// Makes the tree of a node that is part of what covers the outer bytes.
    fn visit(&mut self, node: Ref, outer: Span) -> Result<Expr, Stop> {
        self.check_room()?;
        let tree = self.tree;
        let Some(syntax) = tree.get(node) else {
            return Ok(self.missing(Span::empty(outer.end)));
        };
        let counted = matches!(
            syntax.form,
            Form::Conditional { .. }
                | Form::Binary { .. }
                | Form::Select { .. }
                | Form::MemberCall { .. }
                | Form::Index { .. }
        );
        if !counted {
            return self.visit_form(syntax, outer);
        }
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.stop("max recursion depth exceeded".to_owned()));
        }
        let expr = self.visit_form(syntax, outer)?;
        self.depth -= 1;
        Ok(expr)
    }

    /// Each form has a function of its own, since what recursion needs of the stack is what the largest part of a
    /// function does.
    fn visit_form(&mut self, syntax: &'a Syntax, outer: Span) -> Result<Expr, Stop> {
        match &syntax.form {
            Form::Conditional { test, mark, yes, no } => self.conditional(syntax, *test, *mark, *yes, *no),
            Form::Logic { or, first, operators, rest } => self.logic(syntax, *or, *first, operators, rest),
            Form::Binary { operator, left, right } => self.binary(syntax, *operator, *left, *right),
            Form::Prefix { not, first, count, operand } => {
                self.prefix(syntax, *not, *first, *count, *operand)
            }
            Form::Select { operand, dot, optional, field } => {
                self.select(syntax, *operand, *dot, *optional, *field)
            }
            Form::MemberCall { target, name, open, arguments } => {
                self.member_call(syntax, *target, *name, *open, arguments)
            }
            Form::Index { operand, open, optional, index } => {
                self.index(syntax, *operand, *open, *optional, *index)
            }
            Form::Call { leading_dot, name, open, arguments } => {
                self.global_call(syntax, *leading_dot, *name, *open, arguments)
            }
            Form::List { open, elements } => self.list(syntax, *open, elements),
            Form::Map { open, entries } => self.map(syntax, *open, entries),
            Form::Message { leading_dot, names, open, fields } => {
                self.message(syntax, *leading_dot, names, *open, fields)
            }
            _ => Ok(self.leaf(syntax, outer)),
        }
    }

    /// A form with no other below it.
    fn leaf(&mut self, syntax: &Syntax, outer: Span) -> Expr {
        let (literal, wrong) = match &syntax.form {
            Form::Name { leading_dot, name } => {
                if let Some(error) = self.reserved(syntax, *name) {
                    return error;
                }
                let id = self.make.number(Some(name.start));
                let full = dotted(*leading_dot, self.slice(*name));
                return self.make.add(id, syntax.span(), Kind::Ident(full));
            }
            Form::FailedOperand => {
                let id = self.make.number(Some(syntax.start));
                let kind = Kind::Literal(Literal::String("<<error>>".into()));
                return self.make.add(id, within(syntax, outer), kind);
            }
            Form::Int { negative, digits } => {
                (literal::int(self.slice(*digits), *negative).map(Literal::Int), "invalid int literal")
            }
            Form::Uint(digits) => {
                (literal::uint(self.slice(*digits)).map(Literal::Uint), "invalid uint literal")
            }
            Form::Double { negative, digits } => {
                let value = literal::double(self.slice(*digits), *negative);
                (value.map(Literal::Double), "invalid double literal")
            }
            Form::String(token) => {
                let value = self.unquote(syntax, self.slice(*token), false);
                (Some(Literal::String(String::from_utf8_lossy(&value).into())), "")
            }
            Form::Bytes(token) => {
                let literal = self.slice(*token).get(1..).unwrap_or_default();
                (Some(Literal::Bytes(self.unquote(syntax, literal, true).into())), "")
            }
            Form::Bool(value) => (Some(Literal::Bool(*value)), ""),
            Form::Null => (Some(Literal::Null), ""),
            _ => return self.missing(within(syntax, outer)),
        };
        match literal {
            Some(literal) => self.node(syntax, Kind::Literal(literal)),
            None => self.error_at(syntax, wrong),
        }
    }

    fn conditional(
        &mut self,
        syntax: &Syntax,
        test: Ref,
        mark: Token,
        yes: Ref,
        no: Ref,
    ) -> Result<Expr, Stop> {
        let test = self.visit(test, syntax.span())?;
        let id = self.make.number(Some(mark.start));
        let yes = self.visit(yes, syntax.span())?;
        let no = self.visit(no, syntax.span())?;
        Ok(self.operator(id, syntax, mark, operator::CONDITIONAL, vec![test, yes, no]))
    }

    fn binary(&mut self, syntax: &Syntax, mark: Token, left: Ref, right: Ref) -> Result<Expr, Stop> {
        let left = self.visit(left, syntax.span())?;
        let id = self.make.number(Some(mark.start));
        let right = self.visit(right, syntax.span())?;
        Ok(self.operator(id, syntax, mark, binary(mark.kind), vec![left, right]))
    }

    fn prefix(
        &mut self,
        syntax: &Syntax,
        not: bool,
        first: Token,
        count: u32,
        operand: Ref,
    ) -> Result<Expr, Stop> {
        if count.is_multiple_of(2) {
            return self.visit(operand, syntax.span());
        }
        let id = self.make.number(Some(first.start));
        let operand = self.visit(operand, syntax.span())?;
        let function = if not { operator::NOT } else { operator::NEGATE };
        Ok(self.operator(id, syntax, first, function, vec![operand]))
    }

    fn member_call(
        &mut self,
        syntax: &Syntax,
        target: Ref,
        name: Token,
        open: Token,
        arguments: &[Ref],
    ) -> Result<Expr, Stop> {
        let target = self.visit(target, syntax.span())?;
        let id = self.make.number(Some(open.start));
        let args = self.visit_all(arguments, syntax.span())?;
        self.call(Call {
            id,
            function: self.slice(name),
            name_span: span(name),
            span: syntax.span(),
            target: Some(target),
            args,
        })
    }

    fn global_call(
        &mut self,
        syntax: &Syntax,
        leading_dot: bool,
        name: Token,
        open: Token,
        arguments: &[Ref],
    ) -> Result<Expr, Stop> {
        if let Some(error) = self.reserved(syntax, name) {
            return Ok(error);
        }
        let id = self.make.number(Some(open.start));
        let args = self.visit_all(arguments, syntax.span())?;
        let full = dotted(leading_dot, self.slice(name));
        let name_span = Span::new(syntax.start as usize, name.end as usize);
        self.call(Call { id, function: &full, name_span, span: syntax.span(), target: None, args })
    }

    fn index(
        &mut self,
        syntax: &Syntax,
        operand: Ref,
        open: Token,
        optional: bool,
        index: Ref,
    ) -> Result<Expr, Stop> {
        let operand = self.visit(operand, syntax.span())?;
        let id = self.make.number(Some(open.start));
        let index = self.visit(index, syntax.span())?;
        if optional && !self.env.options.optional_syntax {
            return Ok(self.error(Some(open.start), self.with_mark(open), "unsupported syntax '[?'"));
        }
        let function = if optional { operator::OPT_INDEX } else { operator::INDEX };
        Ok(self.operator(id, syntax, open, function, vec![operand, index]))
    }

    fn map(&mut self, syntax: &Syntax, open: Token, entries: &Entries<Optional>) -> Result<Expr, Stop> {
        let id = self.make.number(Some(open.start));
        let entries = self.map_entries(entries, syntax.span())?;
        Ok(self.make.add(id, syntax.span(), Kind::Map(entries)))
    }

    fn unquote(&mut self, syntax: &Syntax, literal: &str, bytes: bool) -> Vec<u8> {
        literal::unquote(literal, bytes).unwrap_or_else(|message| {
            self.error_at(syntax, message);
            literal.as_bytes().to_vec()
        })
    }

    fn visit_all(&mut self, nodes: &[Ref], outer: Span) -> Result<Vec<Expr>, Stop> {
        let mut exprs = Vec::with_capacity(nodes.len());
        for node in nodes {
            exprs.push(self.visit(*node, outer)?);
        }
        Ok(exprs)
    }

    fn operator(
        &mut self,
        id: Id,
        syntax: &Syntax,
        mark: Token,
        function: &'static str,
        args: Vec<Expr>,
    ) -> Expr {
        let function = self.make.shared(function);
        let kind = Kind::Call { function, name_span: span(mark), target: None, args };
        self.make.add(id, syntax.span(), kind)
    }

    /// A chain of `&&` or `||`, which cel-go makes a balanced tree of.
    fn logic(
        &mut self,
        syntax: &Syntax,
        or: bool,
        first: Ref,
        operators: &[Token],
        rest: &[Ref],
    ) -> Result<Expr, Stop> {
        let mut terms = Vec::with_capacity(rest.len() + 1);
        let mut marks = Vec::with_capacity(rest.len());
        terms.push(self.visit(first, syntax.span())?);
        for (mark, node) in operators.iter().zip(rest) {
            terms.push(self.visit(*node, syntax.span())?);
            marks.push((self.make.number(Some(mark.start)), *mark));
        }
        Ok(self.balance(syntax, or, (first, rest), &terms, &marks))
    }

    fn balance(
        &mut self,
        syntax: &Syntax,
        or: bool,
        (first, rest): (Ref, &[Ref]),
        terms: &[Expr],
        marks: &[(Id, Token)],
    ) -> Expr {
        let extent = |node: &Ref| self.tree.get(*node).map_or(syntax.span(), Syntax::span);
        let mut extents: Vec<Span> = std::iter::once(&first).chain(rest).map(extent).collect();
        // Parentheses at the ends belong to the chain.
        if let Some(first) = extents.first_mut() {
            first.start = syntax.start as usize;
        }
        if let Some(last) = extents.last_mut() {
            last.end = syntax.end as usize;
        }
        let function = if or { operator::OR } else { operator::AND };
        self.balanced(&Balance { function, terms, marks, extents: &extents }, 0, marks.len())
    }

    /// The tree of the terms that the marks `from..to` join.
    fn balanced(&mut self, chain: &Balance<'_>, from: usize, to: usize) -> Expr {
        if from == to {
            let term = chain.terms.get(from).copied();
            return term.unwrap_or_else(|| self.missing(Span::empty(self.text.len())));
        }
        let middle = usize::midpoint(from, to);
        let low = chain.extents.get(from).map_or(0, |low| low.start);
        let high = chain.extents.get(to).map_or(low, |high| high.end);
        let Some((id, mark)) = chain.marks.get(middle) else {
            return self.missing(Span::new(low, high));
        };
        let left = self.balanced(chain, from, middle);
        let right = self.balanced(chain, middle + 1, to);
        let function = self.make.shared(chain.function);
        let kind = Kind::Call { function, name_span: span(*mark), target: None, args: vec![left, right] };
        self.make.add(*id, Span::new(low, high), kind)
    }

    fn select(
        &mut self,
        syntax: &Syntax,
        operand: Ref,
        dot: Token,
        optional: bool,
        field: FieldName,
    ) -> Result<Expr, Stop> {
        let operand = self.visit(operand, syntax.span())?;
        let field_span = field.token.map_or(Span::empty(syntax.end as usize), span);
        let name = self.field_name(field).unwrap_or_else(|message| {
            self.error(Some(field.start), field_span, message);
            "".into()
        });
        if !optional {
            let id = self.make.number(Some(dot.start));
            let kind = Kind::Select { operand, field: name, field_span, test_only: false };
            return Ok(self.make.add(id, syntax.span(), kind));
        }
        if !self.env.options.optional_syntax {
            return Ok(self.error(Some(dot.start), self.with_mark(dot), "unsupported syntax '.?'"));
        }
        let id = self.make.number(Some(field.start));
        let field = self.make.add(id, field_span, Kind::Literal(Literal::String(name)));
        let id = self.make.number(Some(dot.start));
        Ok(self.operator(id, syntax, dot, operator::OPT_SELECT, vec![operand, field]))
    }

    fn field_name(&self, field: FieldName) -> Result<Arc<str>, &'static str> {
        let Some(token) = field.token else { return Err("unsupported ident kind") };
        let text = self.slice(token);
        match token.kind {
            TokenKind::EscapedIdent if !self.env.options.escaped_identifiers => {
                Err("unsupported syntax: '`'")
            }
            TokenKind::EscapedIdent => {
                Ok(text.get(1..text.len().saturating_sub(1)).unwrap_or_default().into())
            }
            _ => Ok(text.into()),
        }
    }

    fn reserved(&mut self, syntax: &Syntax, name: Token) -> Option<Expr> {
        let word = self.slice(name);
        RESERVED.contains(&word).then(|| self.error_at(syntax, format!("reserved identifier: {word}")))
    }

    fn list(&mut self, syntax: &Syntax, open: Token, list: &[Optional]) -> Result<Expr, Stop> {
        let id = self.make.number(Some(open.start));
        let mut elements = Vec::with_capacity(list.len());
        let mut optional = Vec::new();
        for (index, element) in (0..).zip(list) {
            elements.push(self.visit(element.value, syntax.span())?);
            if let Some(mark) = element.mark {
                if self.env.options.optional_syntax {
                    optional.push(index);
                } else {
                    self.error(Some(mark.start), span(mark), "unsupported syntax '?'");
                }
            }
        }
        Ok(self.make.add(id, syntax.span(), Kind::List { elements, optional }))
    }

    fn map_entries(&mut self, list: &Entries<Optional>, outer: Span) -> Result<Vec<Entry>, Stop> {
        let mut entries = Vec::with_capacity(list.colons.len());
        for (index, colon) in list.colons.iter().enumerate() {
            let id = self.make.number(Some(colon.start));
            let (Some(key), Some(value)) = (list.keys.get(index), list.values.get(index)) else {
                return Ok(Vec::new());
            };
            if let Some(mark) = key.mark
                && !self.env.options.optional_syntax
            {
                self.error(Some(key.start), span(mark), "unsupported syntax '?'");
                continue;
            }
            let optional = key.mark.is_some();
            let key = self.visit(key.value, outer)?;
            let value = self.visit(*value, outer)?;
            entries.push(Entry { id, key, value, optional });
        }
        Ok(entries)
    }

    fn message(
        &mut self,
        syntax: &Syntax,
        leading_dot: bool,
        names: &[Token],
        open: Token,
        fields: &Entries<OptionalField>,
    ) -> Result<Expr, Stop> {
        let parts: Vec<&str> = names.iter().map(|name| self.slice(*name)).collect();
        let name = dotted(leading_dot, &parts.join("."));
        let end = names.last().map_or(syntax.start, |name| name.end);
        let name_span = Span::new(syntax.start as usize, end as usize);
        let id = self.make.number(Some(open.start));
        let fields = self.fields(fields, syntax.span())?;
        Ok(self.make.add(id, syntax.span(), Kind::Struct { name, name_span, fields }))
    }

    fn fields(&mut self, list: &Entries<OptionalField>, outer: Span) -> Result<Vec<Field>, Stop> {
        let mut fields = Vec::with_capacity(list.keys.len());
        for (index, key) in list.keys.iter().enumerate() {
            let (Some(colon), Some(value)) = (list.colons.get(index), list.values.get(index)) else {
                return Ok(Vec::new());
            };
            let id = self.make.number(Some(colon.start));
            if let Some(mark) = key.mark
                && !self.env.options.optional_syntax
            {
                self.error(Some(key.start), span(mark), "unsupported syntax '?'");
                continue;
            }
            let name_span = key.name.token.map_or(span(*colon), span);
            let name = match self.field_name(key.name) {
                Ok(name) => name,
                Err(message) => {
                    self.error(Some(list.start), name_span, message);
                    continue;
                }
            };
            let value = self.visit(*value, outer)?;
            fields.push(Field { id, name, name_span, value, optional: key.mark.is_some() });
        }
        Ok(fields)
    }

    /// The macro of a call, if there is one: the last one added counts, and one for just so many arguments before one
    /// for any number.
    fn find_macro(&self, call: &Call<'_>) -> Option<Macro> {
        if !self.env.options.macros {
            return None;
        }
        let fits = |arity| {
            self.env.macros.iter().rev().find(move |known| {
                known.arity == arity
                    && known.receiver == call.target.is_some()
                    && known.function == call.function
            })
        };
        fits(Some(call.args.len())).or_else(|| fits(None)).copied()
    }

    fn call(&mut self, call: Call<'_>) -> Result<Expr, Stop> {
        if let Some(found) = self.find_macro(&call) {
            self.make.set_site(Site { id: call.id, span: call.span, name_span: call.name_span });
            let expansion = (found.expand)(&mut self.make, call.target, &call.args);
            self.check_room()?;
            match expansion {
                Ok(None) => {}
                Ok(Some(expansion)) => {
                    let Call { function, name_span, span, target, args, .. } = call;
                    let function = function.into();
                    let macro_call = MacroCall { expansion, function, name_span, span, target, args };
                    self.make.ast_mut().macro_calls.push(macro_call);
                    self.make.forget(call.id);
                    return Ok(expansion);
                }
                Err(MacroError { at, message }) => {
                    let (place, span) = match at {
                        Some(at) => {
                            let ast = self.make.ast();
                            (ast.place(ast.id(at)), ast.span(at))
                        }
                        None => (self.make.ast().place(call.id), call.span),
                    };
                    self.make.forget(call.id);
                    let error = self.error(place, span, message);
                    if let Some(node) = self.make.ast_mut().nodes.get_mut(error.0 as usize) {
                        node.span = call.span;
                    }
                    return Ok(error);
                }
            }
        }
        let Call { id, function, name_span, span, target, args } = call;
        let kind = Kind::Call { function: function.into(), name_span, target, args };
        Ok(self.make.add(id, span, kind))
    }
}

/// A chain of one logical operator.
struct Balance<'c> {
    function: &'static str,
    terms: &'c [Expr],
    marks: &'c [(Id, Token)],
    extents: &'c [Span],
}

fn span(token: Token) -> Span {
    Span::new(token.start as usize, token.end as usize)
}

/// The bytes of a node that may have no token, and then be placed at one that does not belong to what is around it.
fn within(syntax: &Syntax, outer: Span) -> Span {
    let inside = |at: u32| (at as usize).clamp(outer.start, outer.end);
    Span::new(inside(syntax.start), inside(syntax.end))
}

fn dotted(leading_dot: bool, name: &str) -> Arc<str> {
    if leading_dot { format!(".{name}").into() } else { name.into() }
}

/// The function of a comparison or calculation.
fn binary(kind: TokenKind) -> &'static str {
    match kind {
        TokenKind::Equals => operator::EQUALS,
        TokenKind::NotEquals => operator::NOT_EQUALS,
        TokenKind::In => operator::IN,
        TokenKind::Less => operator::LESS,
        TokenKind::LessEquals => operator::LESS_EQUALS,
        TokenKind::GreaterEquals => operator::GREATER_EQUALS,
        TokenKind::Greater => operator::GREATER,
        TokenKind::Star => operator::MULTIPLY,
        TokenKind::Slash => operator::DIVIDE,
        TokenKind::Percent => operator::MODULO,
        TokenKind::Minus => operator::SUBTRACT,
        _ => operator::ADD,
    }
}
