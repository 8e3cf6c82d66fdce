//! How deeply the values of a program can nest.
//!
//! Dropping a value, and much of what is done with one, goes down to what it holds. So a value that nests deeper than
//! the stack is high ends the process, and expressions can make such values from a few thousand characters:
//! `[0].map(x, [[[x]]]).map(x, [[[x]]])…`. No expression nests the value of one round of a loop in that of the next,
//! so the depth follows from the expression alone, whatever it is run over.

use std::collections::HashSet;
use std::sync::Arc;

use indexmap::IndexMap;

use super::step::{Attribute, Call, QualifierKey, Root, Source, Step, StepKind};
use crate::function::Function;
use crate::operator;
use crate::types::Type;

/// How deep the values that an expression makes may nest.
pub(super) const MAX_DEPTH: usize = 1000;

/// What the variables of a loop hold at most.
#[derive(Clone, Copy)]
struct Loop {
    accumulator: usize,
    element: usize,
}

struct Depths<'a> {
    functions: &'a IndexMap<Arc<str>, Function>,
    loops: Vec<Loop>,
    /// The links that were looked at, by where they stand in memory: both sides of a condition share theirs.
    links: HashSet<usize>,
    deepest: usize,
}

/// How deep the values nest at most that a program makes, parts of the input not counted.
pub(super) fn deepest(root: &Step, functions: &IndexMap<Arc<str>, Function>) -> usize {
    let mut depths = Depths { functions, loops: Vec::new(), links: HashSet::new(), deepest: 0 };
    depths.step(root);
    depths.deepest
}

impl Depths<'_> {
    /// The depth of the value of a step: 0 for a number or a value of the input.
    fn step(&mut self, step: &Step) -> usize {
        let depth = match &step.kind {
            StepKind::Const(_) => 0,
            StepKind::Attribute(attribute) => self.attribute(attribute),
            StepKind::Test(attribute) => {
                self.attribute(attribute);
                1
            }
            StepKind::Or(terms) | StepKind::And(terms) => {
                self.steps(terms);
                0
            }
            StepKind::Equal(both) | StepKind::NotEqual(both) => {
                self.steps(&both[..]);
                0
            }
            StepKind::OptionalOr(both) | StepKind::OptionalOrValue(both) => self.steps(&both[..]),
            StepKind::NotStrictlyFalse(call) => {
                self.steps(&call.args);
                0
            }
            StepKind::Call(call) => self.call(call),
            StepKind::List { elements, .. } => self.steps(elements) + 1,
            StepKind::Map { entries, .. } => {
                entries.iter().map(|(key, value)| self.step(key).max(self.step(value))).max().unwrap_or(0) + 1
            }
            StepKind::Object { fields, .. } => {
                fields.iter().map(|(_, value)| self.step(value)).max().unwrap_or(0) + 1
            }
            StepKind::Fold(fold) => {
                let init = self.step(&fold.init);
                let range = self.step(&fold.range);
                self.loops.push(Loop { accumulator: init, element: range.saturating_sub(1) });
                self.step(&fold.condition);
                // The step of a macro adds to its accumulator and does not wrap it, so that one round tells.
                let depth = self.step(&fold.step).max(init);
                if let Some(open) = self.loops.last_mut() {
                    open.accumulator = depth;
                }
                let result = self.step(&fold.result);
                self.loops.pop();
                result
            }
        };
        self.deepest = self.deepest.max(depth);
        depth
    }

    fn steps(&mut self, steps: &[Step]) -> usize {
        steps.iter().map(|step| self.step(step)).max().unwrap_or(0)
    }

    fn call(&mut self, call: &Call) -> usize {
        let args = self.steps(&call.args);
        let results = self.functions.get(&*call.function).map_or(&[][..], |function| &function.overloads);
        let wraps = |ty: &Type| matches!(ty, Type::List(_) | Type::Map(_) | Type::Opaque(..));
        let holds =
            |ty: &Type| wraps(ty) || matches!(ty, Type::Dyn | Type::Any | Type::Param(_) | Type::Struct(_));
        if &*call.function == operator::ADD {
            args
        } else if results.iter().any(|overload| wraps(&overload.result)) {
            args + 1
        } else if results.iter().any(|overload| holds(&overload.result)) {
            args
        } else {
            0
        }
    }

    fn attribute(&mut self, attribute: &Attribute) -> usize {
        let root = match &attribute.root {
            Root::Absolute { candidates, .. } => {
                let held = |source: Source| match source {
                    Source::Global(_) => 0,
                    Source::Accumulator(place) => self.loops.get(place).map_or(0, |open| open.accumulator),
                    Source::First(place) | Source::Second(place) => {
                        self.loops.get(place).map_or(0, |open| open.element)
                    }
                };
                candidates.iter().map(|candidate| held(candidate.source)).max().unwrap_or(0)
            }
            Root::Maybe(attributes) => {
                attributes.iter().map(|attribute| self.attribute(attribute)).max().unwrap_or(0)
            }
            Root::Relative(step) => self.step(step),
            Root::Conditional { condition, truthy, falsy } => {
                self.step(condition);
                self.attribute(truthy).max(self.attribute(falsy))
            }
        };
        for link in &attribute.qualifiers {
            if let QualifierKey::Attribute(key) | QualifierKey::Relative(key) = &link.key
                && self.links.insert(Arc::as_ptr(link).addr())
            {
                self.attribute(key);
            }
        }
        // What is read from an optional value is optional again.
        if attribute.qualifiers.is_empty() { root } else { root.max(1) }
    }
}
