//! The steps that an expression becomes.

use std::sync::Arc;

use super::dispatch::Dispatch;
use crate::ast::Id;
use crate::function::Cost;
use crate::value::Val;

/// One step. Its number is that of the node; for an attribute it is that of the last link.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) id: Id,
    pub(super) kind: StepKind,
}

#[derive(Debug)]
pub(super) enum StepKind {
    Const(Val),
    /// A variable or another value, and what is read from it.
    Attribute(Box<Attribute>),
    /// An attribute whose last link only tests: `has(a.b)`.
    Test(Box<Attribute>),
    Or(Vec<Step>),
    And(Vec<Step>),
    Equal(Box<[Step; 2]>),
    NotEqual(Box<[Step; 2]>),
    /// `a.or(b)` of optional values.
    OptionalOr(Box<[Step; 2]>),
    /// `a.orValue(b)`.
    OptionalOrValue(Box<[Step; 2]>),
    /// The condition of loops: true for anything but `false`.
    NotStrictlyFalse(Box<Call>),
    Call(Box<Call>),
    List {
        elements: Vec<Step>,
        /// Which elements are written `?element`; empty for none.
        optional: Vec<bool>,
    },
    Map {
        entries: Vec<(Step, Step)>,
        optional: Vec<bool>,
    },
    Object {
        name: Arc<str>,
        fields: Vec<(Arc<str>, Step)>,
        optional: Vec<bool>,
    },
    Fold(Box<Fold>),
}

/// A call of a function.
#[derive(Debug)]
pub(super) struct Call {
    pub(super) function: Arc<str>,
    /// The only overload that fits, or an empty text.
    pub(super) overload: Arc<str>,
    pub(super) args: Vec<Step>,
    pub(super) dispatch: Dispatch,
    /// What the library says that the overload costs.
    pub(super) cost: Option<Cost>,
    /// Where the first argument is the accumulator of a loop that only this call reads: the loop's place. The call may
    /// then take the accumulator out and let it grow in place.
    pub(super) takes: Option<usize>,
}

/// A loop. Its place is the number of loops that surround it.
#[derive(Debug)]
pub(super) struct Fold {
    pub(super) range: Step,
    pub(super) two_variables: bool,
    pub(super) init: Step,
    pub(super) condition: Step,
    pub(super) step: Step,
    pub(super) result: Step,
}

/// A value and the links that are read from it, one after the other.
#[derive(Debug)]
pub(super) struct Attribute {
    pub(super) id: Id,
    pub(super) root: Root,
    pub(super) qualifiers: Vec<Arc<Qualifier>>,
}

#[derive(Debug)]
pub(super) enum Root {
    /// The first of these names that has a value.
    Absolute {
        candidates: Vec<Candidate>,
        /// Whether a leading dot asked for the variables of the input. cel-go then reads links as if there were no
        /// loop around, and observes none of them.
        global: bool,
    },
    /// Without a check: the longest dotted name that is a variable. Each has its own links.
    Maybe(Vec<Attribute>),
    /// Another value.
    Relative(Step),
    /// `condition ? truthy : falsy`; links behind it belong to both.
    Conditional { condition: Step, truthy: Box<Attribute>, falsy: Box<Attribute> },
}

/// A name and where its value is.
#[derive(Debug)]
pub(super) struct Candidate {
    pub(super) name: Arc<str>,
    pub(super) source: Source,
    /// For a variable of a loop, the variable of the input that it hides.
    pub(super) hidden: Option<usize>,
    /// The value where the name is that of a type or constant.
    pub(super) constant: Option<Val>,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Source {
    /// A variable of the input, by its index.
    Global(usize),
    /// The accumulator of the loop at this place.
    Accumulator(usize),
    /// The first variable of the loop at this place.
    First(usize),
    /// The second.
    Second(usize),
}

/// A link: a field, index or key.
#[derive(Debug)]
pub(super) struct Qualifier {
    pub(super) id: Id,
    /// `a.?b`, `a[?b]`.
    pub(super) optional: bool,
    /// Whether it is the test of `has()`.
    pub(super) test_only: bool,
    /// Whether cel-go observes it twice: a link behind `has()`, which only an unchecked expression has.
    pub(super) twice: bool,
    pub(super) key: QualifierKey,
}

#[derive(Debug)]
pub(super) enum QualifierKey {
    Const(Val),
    /// The value of an attribute, which is not observed for its own sake.
    Attribute(Attribute),
    /// The value of any other step.
    Relative(Attribute),
}

impl Attribute {
    pub(super) fn new(id: Id, root: Root) -> Attribute {
        Attribute { id, root, qualifiers: Vec::new() }
    }

    /// The number under which the value is observed.
    pub(super) fn id(&self) -> Id {
        match &self.root {
            Root::Conditional { truthy, falsy, .. } => {
                let id = truthy.id();
                if id == falsy.id() { id } else { self.id }
            }
            Root::Maybe(attributes) => attributes.first().map_or(self.id, Attribute::id),
            Root::Absolute { .. } | Root::Relative(_) => {
                self.qualifiers.last().map_or(self.id, |link| link.id)
            }
        }
    }
}
