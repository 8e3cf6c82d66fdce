//! The walk over the tree.
//!
//! Nodes nest as deeply as the parser allows, and macros nest several levels where the text has one, so the walk keeps
//! its own stack instead of recursing: what is left to do stands in a list of tasks, the next one at the end.

use std::collections::HashMap;
use std::sync::Arc;

use super::arena::{Shape, Ty};
use super::export::Export;
use super::names::{Scopes, longest_name};
use super::unify::Unifier;
use super::{Checked, Reference};
use crate::ast::{Ast, Expr, Id, Kind, Literal};
use crate::env::Env;
use crate::issue::Issue;

/// Comparisons of types that every check may make, and how many more for each node.
const STEPS: u64 = 5_000_000;
const STEPS_PER_NODE: u64 = 500;

/// The string literal that the parser puts, as cel-go's does, where an operand is missing in a broken text.
const MISSING: &str = "<<error>>";

/// What is left to do with a node.
#[derive(Clone, Copy, Debug)]
pub(super) enum Task {
    /// Everything.
    Visit(Expr),
    /// `operand.field`, of which the operand is checked.
    Select(Expr),
    /// `operand.?field`, of which the operand is checked.
    OptSelect { call: Expr, operand: Expr, field: Expr },
    /// A call of which the arguments are checked.
    Call(Expr),
    /// A call of which the arguments and the receiver are checked.
    MemberCall { call: Expr, target: Expr },
    /// An element of a list.
    Element { element: Expr, optional: bool },
    /// A list of which all elements are checked.
    List(Expr),
    /// A key of a map.
    Key(Expr),
    /// A value of a map.
    Value { value: Expr, optional: bool },
    /// A map of which all entries are checked.
    Map(Expr),
    /// A value for a field of a message.
    Field { message: Expr, index: u32 },
    /// A message of which all fields are checked.
    Message,
    /// A loop of which the range and the first value of the accumulator are checked.
    Loop(Expr),
    /// The condition of a loop.
    Condition(Expr),
    /// The step of a loop.
    Step(Expr),
    /// The end of a loop.
    Result(Expr),
}

/// A check that is under way.
#[derive(Debug)]
pub(super) struct Checker<'a> {
    pub(super) env: &'a Env,
    pub(super) ast: Ast,
    pub(super) unifier: Unifier,
    /// The type of each node, by cel-go's number.
    types: Vec<Ty>,
    pub(super) references: HashMap<Id, Reference>,
    pub(super) issues: Vec<Issue>,
    pub(super) scopes: Scopes,
    pub(super) tasks: Vec<Task>,
    /// The common types of the elements, keys and values so far, of the literals around the current node.
    pub(super) joined: Vec<Option<Ty>>,
    /// The names of the messages around the current node.
    pub(super) messages: Vec<Arc<str>>,
    /// The types of the accumulators of the loops around the current node.
    accumulators: Vec<Ty>,
    /// Whether overloads that the environment disables are left out. cel-go forgets them with the first loop.
    pub(super) filters: bool,
    pub(super) longest_name: usize,
}

impl<'a> Checker<'a> {
    pub(super) fn new(ast: Ast, env: &'a Env) -> Checker<'a> {
        let nodes = ast.nodes.len();
        Checker {
            env,
            unifier: Unifier::new(STEPS.saturating_add(STEPS_PER_NODE.saturating_mul(nodes as u64))),
            types: vec![Ty::NONE; ast.places.len()],
            ast,
            references: HashMap::new(),
            issues: Vec::new(),
            scopes: Scopes::default(),
            tasks: Vec::new(),
            joined: Vec::new(),
            messages: Vec::new(),
            accumulators: Vec::new(),
            filters: true,
            longest_name: longest_name(env),
        }
    }

    pub(super) fn run(mut self) -> Checked {
        if let Some(root) = self.ast.root {
            self.tasks.push(Task::Visit(root));
            while let Some(task) = self.tasks.pop() {
                let issues = self.issues.len();
                self.perform(task);
                if self.unifier.arena.exhausted {
                    // What the task reported may come from the limit.
                    self.issues.truncate(issues);
                    self.too_large(root);
                    break;
                }
            }
        }
        let mut types = Vec::with_capacity(self.types.len());
        // After a limit, bindings of variables may be missing.
        if !self.unifier.arena.exhausted {
            let mut export = Export::new(&self.unifier.arena);
            types.extend(self.types.iter().map(|ty| (*ty != Ty::NONE).then(|| export.finish(*ty))));
            let exhausted = export.exhausted;
            if exhausted && let Some(root) = self.ast.root {
                types.clear();
                self.too_large(root);
            }
        }
        Checked { ast: self.ast, types, references: self.references, issues: self.issues }
    }

    fn perform(&mut self, task: Task) {
        match task {
            Task::Visit(expr) => self.visit(expr),
            Task::Select(expr) => self.finish_select(expr),
            Task::OptSelect { call, operand, field } => self.finish_optional_select(call, operand, field),
            Task::Call(call) => self.finish_call(call),
            Task::MemberCall { call, target } => self.finish_member_call(call, target),
            Task::Element { element, optional } => self.finish_element(element, optional),
            Task::List(expr) => self.finish_list(expr),
            Task::Key(key) => self.finish_key(key),
            Task::Value { value, optional } => self.finish_value(value, optional),
            Task::Map(expr) => self.finish_map(expr),
            Task::Field { message, index } => self.finish_field(message, index as usize),
            Task::Message => {
                self.messages.pop();
            }
            Task::Loop(expr) => self.enter_loop(expr),
            Task::Condition(condition) => self.assert_type(condition, Ty::BOOL),
            Task::Step(step) => {
                let accumulator = self.accumulators.last().copied().unwrap_or(Ty::ERROR);
                self.assert_type(step, accumulator);
                // The result does not see the variables of the loop.
                self.scopes.leave();
            }
            Task::Result(expr) => self.leave_loop(expr),
        }
    }

    fn visit(&mut self, expr: Expr) {
        match self.ast.kind(expr) {
            Kind::Error => self.set_type(expr, Ty::ERROR),
            Kind::Literal(Literal::String(text)) if &**text == MISSING && !self.is_written(expr) => {
                self.set_type(expr, Ty::ERROR);
            }
            Kind::Literal(literal) => {
                let ty = match literal {
                    Literal::Null => Ty::NULL,
                    Literal::Bool(_) => Ty::BOOL,
                    Literal::Int(_) => Ty::INT,
                    Literal::Uint(_) => Ty::UINT,
                    Literal::Double(_) => Ty::DOUBLE,
                    Literal::String(_) => Ty::STRING,
                    Literal::Bytes(_) => Ty::BYTES,
                };
                self.set_type(expr, ty);
            }
            Kind::Ident(name) => {
                let name = Arc::clone(name);
                self.check_ident(expr, &name);
            }
            Kind::Select { operand, test_only, .. } => {
                let operand = *operand;
                let chain = if *test_only { None } else { self.resolve_chain(expr) };
                match chain {
                    Some(resolved) => self.become_ident(expr, resolved),
                    None => self.tasks.extend([Task::Select(expr), Task::Visit(operand)]),
                }
            }
            Kind::Call { .. } => self.visit_call(expr),
            Kind::List { .. } => self.visit_list(expr),
            Kind::Map(_) => self.visit_map(expr),
            Kind::Struct { name, .. } => {
                let name = Arc::clone(name);
                self.visit_message(expr, &name);
            }
            Kind::Comprehension(fold) => {
                let (range, init) = (fold.range, fold.init);
                self.tasks.extend([Task::Loop(expr), Task::Visit(init), Task::Visit(range)]);
            }
        }
    }

    /// Whether a string literal stands in the text.
    fn is_written(&self, expr: Expr) -> bool {
        let span = self.ast.span(expr);
        let quote = |c| c == '\'' || c == '"';
        let written = self.ast.text.get(span.start..span.end).unwrap_or_default();
        written.len() > 1
            && written.ends_with(quote)
            && written.trim_start_matches(['r', 'R']).starts_with(quote)
    }

    fn check_ident(&mut self, expr: Expr, name: &str) {
        match self.resolve(name) {
            Some(resolved) => self.become_ident(expr, resolved),
            None => {
                self.set_type(expr, Ty::ERROR);
                self.undeclared(expr, name);
            }
        }
    }

    /// Makes a node the identifier with a full name.
    fn become_ident(&mut self, expr: Expr, resolved: super::names::Resolved) {
        self.set_type(expr, resolved.ty);
        let name = Arc::clone(&resolved.name);
        self.set_reference(expr, Reference::Ident { name: resolved.name, value: resolved.value });
        self.set_kind(expr, Kind::Ident(name));
    }

    fn finish_select(&mut self, expr: Expr) {
        let Kind::Select { operand, field, field_span, test_only } = self.ast.kind(expr) else { return };
        let (operand, field, span, test_only) = (*operand, Arc::clone(field), *field_span, *test_only);
        let mut ty = self.select_field(expr, operand, &field, span, false);
        if test_only {
            ty = Ty::BOOL;
        }
        let ty = self.unifier.substitute(ty, false);
        self.set_type(expr, ty);
    }

    /// The type of `operand.field`.
    pub(super) fn select_field(
        &mut self,
        expr: Expr,
        operand: Expr,
        field: &str,
        span: convoy_text::Span,
        optional: bool,
    ) -> Ty {
        let operand = self.get_type(operand);
        let operand = self.unifier.substitute(operand, false);
        let inner = self.unifier.as_optional(operand);
        let target = inner.unwrap_or(operand);
        let result = match self.unifier.arena.shape(target) {
            Shape::Map(_, value) => value,
            Shape::Struct(name) => {
                let name = Arc::clone(self.unifier.arena.name_text(name));
                self.field_type(self.ast.id(expr), span, &name, field).unwrap_or(Ty::ERROR)
            }
            Shape::Var(_) => {
                // The operand may be anything, so it is not to become something narrower later.
                self.unifier.assignable(Ty::DYN, target);
                Ty::DYN
            }
            Shape::Dyn | Shape::Any | Shape::Error => Ty::DYN,
            _ => {
                self.no_field_selection(expr, span, target);
                Ty::DYN
            }
        };
        if inner.is_some() || optional { self.unifier.arena.optional(result) } else { result }
    }

    fn enter_loop(&mut self, expr: Expr) {
        let Kind::Comprehension(fold) = self.ast.kind(expr) else { return };
        let (range, init, condition, step, result) =
            (fold.range, fold.init, fold.condition, fold.step, fold.result);
        let (accumulator, variable, variable2) =
            (Arc::clone(&fold.accumulator), Arc::clone(&fold.variable), fold.variable2.clone());

        let range_type = self.get_type(range);
        let range_type = self.unifier.substitute(range_type, false);
        let accumulator_type = self.get_type(init);
        self.filters = false;
        self.scopes.enter();
        self.scopes.declare(&accumulator, accumulator_type);
        self.accumulators.push(accumulator_type);

        let two = variable2.is_some();
        let (first, second) = match self.unifier.arena.shape(range_type) {
            Shape::List(element) => (if two { Ty::INT } else { element }, element),
            Shape::Map(key, value) => (key, value),
            Shape::Dyn | Shape::Error | Shape::Var(_) => {
                self.unifier.assignable(Ty::DYN, range_type);
                (Ty::DYN, Ty::DYN)
            }
            _ => {
                self.not_a_range(range, range_type);
                (Ty::ERROR, Ty::ERROR)
            }
        };
        self.scopes.enter();
        self.scopes.declare(&variable, first);
        if let Some(variable2) = variable2 {
            self.scopes.declare(&variable2, second);
        }
        self.tasks.extend([
            Task::Result(expr),
            Task::Visit(result),
            Task::Step(step),
            Task::Visit(step),
            Task::Condition(condition),
            Task::Visit(condition),
        ]);
    }

    fn leave_loop(&mut self, expr: Expr) {
        self.scopes.leave();
        self.accumulators.pop();
        let Kind::Comprehension(fold) = self.ast.kind(expr) else { return };
        let ty = self.get_type(fold.result);
        let ty = self.unifier.substitute(ty, false);
        self.set_type(expr, ty);
    }

    fn assert_type(&mut self, expr: Expr, expected: Ty) {
        let actual = self.get_type(expr);
        if !self.unifier.assignable(expected, actual) {
            self.mismatch(expr, expected, actual);
        }
    }

    /// The type of a node that has been checked.
    pub(super) fn get_type(&self, expr: Expr) -> Ty {
        let ty = self.types.get(self.ast.id(expr) as usize).copied().unwrap_or(Ty::NONE);
        if ty == Ty::NONE { Ty::ERROR } else { ty }
    }

    pub(super) fn set_type(&mut self, expr: Expr, ty: Ty) {
        let index = self.ast.id(expr) as usize;
        if index >= self.types.len() {
            self.types.resize(index.saturating_add(1), Ty::NONE);
        }
        let old = self.types.get(index).copied().unwrap_or(Ty::NONE);
        if old != Ty::NONE && !self.unifier.exact(old, ty) {
            self.incompatible_type(expr, old, ty);
            return;
        }
        if let Some(slot) = self.types.get_mut(index) {
            *slot = ty;
        }
    }

    pub(super) fn set_reference(&mut self, expr: Expr, reference: Reference) {
        let id = self.ast.id(expr);
        if let Some(old) = self.references.get(&id)
            && !same(old, &reference)
        {
            self.redefined_reference(expr);
            return;
        }
        self.references.insert(id, reference);
    }

    pub(super) fn set_kind(&mut self, expr: Expr, kind: Kind) {
        if let Some(node) = self.ast.nodes.get_mut(expr.0 as usize) {
            node.kind = kind;
        }
    }
}

/// Whether two references are to the same.
fn same(left: &Reference, right: &Reference) -> bool {
    match (left, right) {
        (Reference::Ident { name: left, .. }, Reference::Ident { name: right, .. }) => left == right,
        (Reference::Overloads(left), Reference::Overloads(right)) => {
            left.len() == right.len() && left.iter().all(|id| right.contains(id))
        }
        _ => false,
    }
}
