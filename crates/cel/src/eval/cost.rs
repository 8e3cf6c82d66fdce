//! The cost of an evaluation, as cel-go's run-time tracker counts it.
//!
//! The tracker sees each value when it is there. It keeps them on a stack, where a call finds its arguments by their
//! numbers; so the cost of a call depends on which numbers are on the stack, and the stack is kept as cel-go keeps it.

use super::step::{Attribute, Call, Root, Step};
use crate::ast::Id;
use crate::value::{ErrorKind, EvalError, Outcome, Val};

/// The most values that the tracker keeps; an evaluation that needs more passes a limit.
pub const MAX_TRACKED: usize = 4_000_000;

const SELECT_AND_IDENT: u64 = 1;
const LIST_CREATE: u64 = 10;
const MAP_CREATE: u64 = 30;
const STRUCT_CREATE: u64 = 40;
const STRING_TRAVERSAL: f64 = 0.1;
const REGEX_LENGTH: f64 = 0.25;

pub(super) struct Tracker {
    pub(super) cost: u64,
    limit: Option<u64>,
    presence_test_has_cost: bool,
    stack: Vec<(Id, Seen)>,
    /// How often each number stands on the stack, so that the stack is not searched in vain.
    counts: Vec<u32>,
}

/// A value on the stack.
#[derive(Clone)]
enum Seen {
    Val(Val),
    /// A list or map that grows in place: its size at that time.
    Sized(u64),
    Error,
}

/// What a value belongs to.
pub(super) enum Observed<'a> {
    Const,
    Attribute(&'a Attribute),
    Test(&'a Attribute),
    /// A link whose key is a constant or an attribute.
    Qualifier,
    /// A link whose key is another step.
    RelativeQualifier(&'a Attribute),
    Logical(&'a [Step]),
    Fold(Id),
    Call(&'a Call),
    Equality(&'a [Step; 2]),
    List(&'a [Step]),
    Map(&'a [(Step, Step)]),
    Object(&'a [(std::sync::Arc<str>, Step)]),
    /// A step that costs nothing of itself.
    Other,
}

impl Tracker {
    pub(super) fn new(limit: Option<u64>, presence_test_has_cost: bool) -> Tracker {
        Tracker { cost: 0, limit, presence_test_has_cost, stack: Vec::new(), counts: Vec::new() }
    }

    /// Adds what the value costs, and keeps it.
    pub(super) fn observe(&mut self, what: &Observed<'_>, id: Id, value: &Outcome) -> Result<(), EvalError> {
        match what {
            Observed::Const | Observed::Other => {}
            Observed::Attribute(attribute) => self.attribute(attribute),
            Observed::Test(attribute) => {
                self.attribute(attribute);
                if !self.presence_test_has_cost {
                    self.cost = self.cost.wrapping_sub(SELECT_AND_IDENT);
                }
            }
            Observed::Qualifier => self.add(1),
            Observed::RelativeQualifier(attribute) => self.attribute(attribute),
            Observed::Logical(terms) => {
                for term in *terms {
                    self.drop(term.id);
                }
            }
            Observed::Fold(range) => self.drop(*range),
            Observed::Call(call) => {
                if let Some(args) = self.drop_args(call.args.iter().map(|arg| arg.id)) {
                    let own = call.cost.and_then(|cost| {
                        let args: Vec<Val> = args.iter().map(Seen::value).collect();
                        cost(&args, value.as_ref().ok())
                    });
                    self.add(own.unwrap_or_else(|| default_cost(&call.overload, &args)));
                }
            }
            Observed::Equality(both) => {
                if let Some(args) = self.drop_args(both.iter().map(|arg| arg.id)) {
                    self.add(default_cost("equals", &args));
                }
            }
            Observed::List(elements) => {
                self.drop_args(elements.iter().map(|element| element.id));
                self.add(LIST_CREATE);
            }
            Observed::Map(entries) => {
                self.drop_args(entries.iter().flat_map(|(key, value)| [key.id, value.id]));
                self.add(MAP_CREATE);
            }
            Observed::Object(fields) => {
                self.drop_args(fields.iter().map(|(_, value)| value.id));
                self.add(STRUCT_CREATE);
            }
        }
        self.push(id, value.as_ref().map_or(Seen::Error, |value| Seen::Val(value.clone())))
    }

    /// Keeps of the last value only the size if it is a list or map, so that an accumulator can grow in place.
    pub(super) fn release(&mut self) {
        if let Some((_, seen)) = self.stack.last_mut()
            && let Seen::Val(Val::List(_) | Val::Map(_)) = seen
        {
            *seen = Seen::Sized(seen.size());
        }
    }

    /// Keeps the size of a value that is about to grow in place.
    pub(super) fn observe_size(
        &mut self,
        attribute: &Attribute,
        id: Id,
        size: usize,
    ) -> Result<(), EvalError> {
        self.attribute(attribute);
        self.push(id, Seen::Sized(size as u64))
    }

    fn push(&mut self, id: Id, seen: Seen) -> Result<(), EvalError> {
        if self.stack.len() >= MAX_TRACKED {
            return Err(EvalError::of(
                ErrorKind::Limit,
                "the expression takes more steps than cost tracking allows",
            ));
        }
        self.stack.push((id, seen));
        if self.counts.len() <= id as usize {
            self.counts.resize(id as usize + 1, 0);
        }
        if let Some(count) = self.counts.get_mut(id as usize) {
            *count += 1;
        }
        if self.limit.is_some_and(|limit| self.cost > limit) {
            return Err(EvalError::of(ErrorKind::Limit, "operation cancelled: actual cost limit exceeded"));
        }
        Ok(())
    }

    fn add(&mut self, cost: u64) {
        self.cost = self.cost.saturating_add(cost);
    }

    fn attribute(&mut self, attribute: &Attribute) {
        if let Root::Conditional { condition, truthy, falsy } = &attribute.root {
            self.drop(falsy.id());
            self.drop(truthy.id());
            self.drop(condition.id);
        } else {
            self.drop(attribute.id());
            self.add(SELECT_AND_IDENT);
        }
    }

    fn drop(&mut self, id: Id) {
        self.take(id);
    }

    /// Takes the last value of a number from the stack with all that stands above it.
    fn take(&mut self, id: Id) -> Option<Seen> {
        if self.counts.get(id as usize).is_none_or(|count| *count == 0) {
            return None;
        }
        while let Some((other, seen)) = self.stack.pop() {
            if let Some(count) = self.counts.get_mut(other as usize) {
                *count -= 1;
            }
            if other == id {
                return Some(seen);
            }
        }
        None
    }

    /// Takes the arguments from the stack with all that stands above them; none as soon as one is not there.
    fn drop_args(&mut self, ids: impl DoubleEndedIterator<Item = Id>) -> Option<Vec<Seen>> {
        let mut args = Vec::new();
        for id in ids.rev() {
            args.push(self.take(id)?);
        }
        args.reverse();
        Some(args)
    }
}

impl Seen {
    fn value(&self) -> Val {
        match self {
            Seen::Val(value) => value.clone(),
            Seen::Sized(_) | Seen::Error => Val::Null,
        }
    }

    fn size(&self) -> u64 {
        match self {
            Seen::Val(value) => size(value),
            Seen::Sized(size) => *size,
            Seen::Error => 1,
        }
    }
}

/// The size that costs count by: characters, bytes, elements or entries; 1 for all else.
pub(crate) fn size(value: &Val) -> u64 {
    match value {
        Val::String(text) => text.chars().count() as u64,
        Val::Bytes(bytes) => bytes.len() as u64,
        Val::List(list) => list.len() as u64,
        Val::Map(map) => map.len() as u64,
        Val::Optional(Some(value)) => size(value),
        Val::Object(object) => object.size().map_or(1, |size| size as u64),
        _ => 1,
    }
}

fn traversal(size: f64) -> u64 {
    (size * STRING_TRAVERSAL).ceil() as u64
}

/// cel-go's costs for overloads of the standard library; 1 for all others.
fn default_cost(overload: &str, args: &[Seen]) -> u64 {
    let size = |index: usize| args.get(index).map_or(1, Seen::size);
    match overload {
        "starts_with_string" | "ends_with_string" => traversal(size(1) as f64),
        "string_to_bytes" | "bytes_to_string" | "strings_quote" | "string_format" => {
            traversal(size(0) as f64)
        }
        "in_list" => size(1),
        "less_string"
        | "greater_string"
        | "less_equals_string"
        | "greater_equals_string"
        | "less_bytes"
        | "greater_bytes"
        | "less_equals_bytes"
        | "greater_equals_bytes"
        | "equals"
        | "not_equals" => traversal(size(0).min(size(1)) as f64),
        "add_string" | "add_bytes" => traversal((size(0) + size(1)) as f64),
        "matches" | "matches_string" => {
            let text = traversal(1.0 + size(0) as f64);
            let pattern = (size(1) as f64 * REGEX_LENGTH).ceil() as u64;
            text.saturating_mul(pattern)
        }
        "contains_string" => traversal(size(0) as f64).saturating_mul(traversal(size(1) as f64)),
        _ => 1,
    }
}
