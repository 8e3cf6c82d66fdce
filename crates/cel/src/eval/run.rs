//! The machine that runs the steps of a program.

use std::cell::Cell;
use std::collections::HashMap;
use std::sync::Arc;

use super::cost::{Observed, Tracker};
use super::step::{Call, Fold, Root, Step, StepKind};
use super::{Evaluation, Limits, Program, Variables, grow};
use crate::ast::Id;
use crate::function::{Context, Shape};
use crate::value::{ErrorKind, EvalError, Key, List, Map, Outcome, Val, equal, show};

/// How many steps pass between two looks at whether to give up.
const CANCEL_INTERVAL: u64 = 1024;
/// How much more time a byte of an error's text takes than one of another text.
const ERROR_PASSES: usize = 4;
/// How many errors are kept behind the first.
const MAX_FURTHER: usize = 100;
/// How many bytes their texts may have before no more are kept.
const MAX_FURTHER_TEXT: usize = 1 << 20;

pub(super) struct Machine<'p, 'a> {
    program: &'p Program,
    globals: Vec<Option<Val>>,
    pub(super) folds: Vec<FoldState<'p>>,
    pub(super) context: Context<'a>,
    tracker: Option<Tracker>,
    record: Option<HashMap<Id, Outcome>>,
    /// The first loop whose variables can be read.
    pub(super) floor: usize,
    /// Whether values are observed at all: tracked or recorded.
    pub(super) observing: bool,
    /// Whether the value of the attribute that was read last is one that cel-go has not adapted yet; some texts of
    /// errors show Go's type of it.
    pub(super) is_native: bool,
    /// The errors behind the first, where all are asked for.
    further: Option<Vec<EvalError>>,
}

/// A loop that is running.
pub(super) struct FoldState<'p> {
    fold: &'p Fold,
    /// The accumulator, once it was asked for.
    accumulator: Option<Outcome>,
    pub(super) first: Val,
    pub(super) second: Val,
}

pub(super) fn evaluate(program: &Program, variables: &Variables, limits: &Limits<'_>) -> Evaluation {
    let tracked = limits.track_cost || limits.cost.is_some();
    let mut machine = Machine {
        program,
        globals: program.globals.iter().map(|name| variables.get(&**name).cloned()).collect(),
        folds: Vec::new(),
        context: Context {
            memory: Cell::new(limits.memory),
            steps: Cell::new(limits.steps),
            cancelled: limits.cancelled,
            regexes: &program.regexes,
        },
        tracker: tracked.then(|| Tracker::new(limits.cost, limits.presence_test_has_cost)),
        record: limits.record.then(HashMap::new),
        observing: tracked || limits.record,
        floor: 0,
        is_native: false,
        further: limits.all_errors.then(Vec::new),
    };
    let result = machine.exec(&program.root);
    // An error that ended everything leaves nothing behind it that is known to fail.
    let ended = result.as_ref().is_err_and(EvalError::ends);
    let further = if ended { Vec::new() } else { machine.further.unwrap_or_default() };
    Evaluation {
        result,
        cost: machine.tracker.map_or(0, |tracker| tracker.cost),
        values: machine.record.unwrap_or_default(),
        further,
    }
}

impl EvalError {
    /// Whether it ends the evaluation: `||` and `&&` do not absorb it.
    fn ends(&self) -> bool {
        matches!(self.0.kind, ErrorKind::Limit | ErrorKind::Cancelled | ErrorKind::Internal)
    }
}

impl<'p> Machine<'p, '_> {
    /// Runs a step.
    pub(super) fn exec(&mut self, step: &'p Step) -> Outcome {
        let mark = self.further.as_ref().map_or(0, Vec::len);
        let value = self.exec_step(step);
        match &value {
            // What has a value has absorbed the errors inside.
            Ok(_) => {
                if let Some(further) = &mut self.further {
                    further.truncate(mark);
                }
            }
            // A long text took its time to write, and takes it wherever the error comes by.
            Err(error) if !error.ends() => {
                self.context.pass(error.message().len().saturating_mul(ERROR_PASSES))?;
            }
            Err(_) => {}
        }
        value
    }

    fn exec_step(&mut self, step: &'p Step) -> Outcome {
        self.step()?;
        match &step.kind {
            StepKind::Const(value) => {
                let value = Ok(value.clone());
                self.observe(&Observed::Const, step.id, &value)?;
                value
            }
            StepKind::Attribute(attribute) => {
                let value = self.resolve(attribute).map_err(|error| error.labelled(step.id));
                self.observe(&Observed::Attribute(attribute), step.id, &value)?;
                value
            }
            StepKind::Test(attribute) => {
                let value =
                    self.resolve(attribute).map_err(|error| error.labelled(step.id)).map(
                        |value| match value {
                            Val::Optional(inner) => Val::Bool(inner.is_some()),
                            other => other,
                        },
                    );
                self.observe(&Observed::Test(attribute), step.id, &value)?;
                value
            }
            StepKind::Or(terms) => {
                let value = self.logical(terms, true, step.id);
                self.observe(&Observed::Logical(terms), step.id, &value)?;
                value
            }
            StepKind::And(terms) => {
                let value = self.logical(terms, false, step.id);
                self.observe(&Observed::Logical(terms), step.id, &value)?;
                value
            }
            StepKind::Equal(both) => {
                let value = self.equality(both, true);
                self.observe(&Observed::Equality(both), step.id, &value)?;
                value
            }
            StepKind::NotEqual(both) => {
                let value = self.equality(both, false);
                self.observe(&Observed::Equality(both), step.id, &value)?;
                value
            }
            StepKind::OptionalOr(both) => {
                let value = self.optional_or(both, |inner| Val::Optional(Some(inner)));
                self.observe(&Observed::Other, step.id, &value)?;
                value
            }
            StepKind::OptionalOrValue(both) => {
                let value = self.optional_or(both, Arc::unwrap_or_clone);
                self.observe(&Observed::Other, step.id, &value)?;
                value
            }
            StepKind::NotStrictlyFalse(call) => {
                let value = match call.args.first().map(|arg| self.exec(arg)) {
                    Some(Err(error)) if error.ends() => Err(error),
                    Some(Ok(Val::Bool(false))) => Ok(Val::Bool(false)),
                    _ => Ok(Val::Bool(true)),
                };
                self.observe(&Observed::Call(call), step.id, &value)?;
                value
            }
            StepKind::Call(call) => {
                let value = self.call(call, step.id);
                self.observe(&Observed::Call(call), step.id, &value)?;
                value
            }
            StepKind::List { elements, optional } => {
                let value = self.list(elements, optional, step.id).map_err(|error| error.labelled(step.id));
                self.observe(&Observed::List(elements), step.id, &value)?;
                value
            }
            StepKind::Map { entries, optional } => {
                let value = self.map(entries, optional, step.id).map_err(|error| error.labelled(step.id));
                self.observe(&Observed::Map(entries), step.id, &value)?;
                value
            }
            StepKind::Object { name, fields, optional } => {
                let value =
                    self.object(name, fields, optional, step.id).map_err(|error| error.labelled(step.id));
                self.observe(&Observed::Object(fields), step.id, &value)?;
                value
            }
            StepKind::Fold(fold) => {
                let value = self.fold(fold, step.id);
                self.observe(&Observed::Fold(fold.range.id), step.id, &value)?;
                value
            }
        }
    }

    /// Counts one step.
    pub(super) fn step(&self) -> Result<(), EvalError> {
        let steps = self.context.steps.get();
        if steps.is_multiple_of(CANCEL_INTERVAL) {
            return self.context.work(1);
        }
        self.context.steps.set(steps - 1);
        Ok(())
    }

    #[inline]
    pub(super) fn observe(&mut self, what: &Observed<'_>, id: Id, value: &Outcome) -> Result<(), EvalError> {
        if self.observing { self.observed(what, id, value) } else { Ok(()) }
    }

    #[cold]
    fn observed(&mut self, what: &Observed<'_>, id: Id, value: &Outcome) -> Result<(), EvalError> {
        if let Some(record) = &mut self.record {
            record.insert(id, value.clone());
        }
        match &mut self.tracker {
            Some(tracker) if !value.as_ref().is_err_and(EvalError::ends) => tracker.observe(what, id, value),
            _ => Ok(()),
        }
    }

    /// Keeps the value of a variable that links are read from, which is not observed.
    pub(super) fn keep(&mut self, id: Id, value: &Val) {
        if let Some(record) = &mut self.record {
            record.insert(id, Ok(value.clone()));
        }
    }

    pub(super) fn global(&self, index: usize) -> Option<&Val> {
        self.globals.get(index).and_then(Option::as_ref)
    }

    /// The accumulator of a loop, which is made when it is first asked for.
    pub(super) fn accumulator(&mut self, place: usize) -> Outcome {
        let Some(state) = self.folds.get(place) else { return Err(EvalError::no_such_overload()) };
        if let Some(value) = &state.accumulator {
            return value.clone();
        }
        // Its first value is computed outside of the loop, so that this loop and those inside it are put aside.
        let fold = state.fold;
        let mut aside = self.folds.split_off(place);
        let value = grow::fresh(self.exec(&fold.init));
        if let Some(state) = aside.first_mut() {
            state.accumulator = Some(value.clone());
        }
        self.folds.append(&mut aside);
        value
    }

    /// Notes an error behind which the evaluation goes on where all errors are asked for; else it is the result.
    fn note(&mut self, first: &mut Option<EvalError>, error: EvalError) -> Result<(), EvalError> {
        // Behind another error, nothing breaks in cel-go, which does not get so far.
        let breaks = error.0.kind == ErrorKind::Internal && first.is_some();
        if error.ends() && !breaks {
            // The error before it is what cel-go would end with; only the search for others ends at a limit.
            return Err(first.take().unwrap_or(error));
        }
        if self.further.is_none() {
            return Err(error);
        }
        match first {
            None => *first = Some(error),
            Some(_) => self.add_further(error),
        }
        Ok(())
    }

    /// Keeps an error behind the first, if all are asked for and there are not too many.
    fn add_further(&mut self, error: EvalError) {
        if let Some(further) = &mut self.further
            && further.len() < MAX_FURTHER
            && further.iter().map(|error| error.message().len()).sum::<usize>() <= MAX_FURTHER_TEXT
        {
            further.push(error);
        }
    }

    fn logical(&mut self, terms: &'p [Step], decisive: bool, id: Id) -> Outcome {
        let mut first = None;
        for term in terms {
            let error = match self.exec(term) {
                Ok(Val::Bool(value)) if value == decisive => return Ok(Val::Bool(decisive)),
                Ok(Val::Bool(_)) => continue,
                Ok(_) => EvalError::no_such_overload(),
                Err(error) if error.ends() => return Err(error),
                Err(error) => error,
            };
            // A term behind it may fail as well, but need not be reached once this one is mended.
            first.get_or_insert(error.labelled(id));
        }
        first.map_or(Ok(Val::Bool(!decisive)), Err)
    }

    /// Both sides of a strict operator with two operands: cel-go runs both, then looks for errors.
    fn both(&mut self, left: &'p Step, right: &'p Step) -> Result<[Val; 2], EvalError> {
        let left = self.exec(left);
        if let Err(error) = &left
            && error.ends()
        {
            return Err(error.clone());
        }
        let right = self.exec(right);
        match (left, right) {
            (Ok(left), Ok(right)) => Ok([left, right]),
            (Err(left), Err(right)) => {
                if right.ends() {
                    return Err(right);
                }
                self.add_further(right);
                Err(left)
            }
            (Err(error), Ok(_)) | (Ok(_), Err(error)) => Err(error),
        }
    }

    fn equality(&mut self, both: &'p [Step; 2], wanted: bool) -> Outcome {
        let [left, right] = self.both(&both[0], &both[1])?;
        Ok(Val::Bool(equal::equal_within(&left, &right, &mut self.context.comparison())? == wanted))
    }

    fn optional_or(&mut self, both: &'p [Step; 2], present: impl FnOnce(Arc<Val>) -> Val) -> Outcome {
        match self.exec(&both[0])? {
            Val::Optional(Some(inner)) => Ok(present(inner)),
            Val::Optional(None) => self.exec(&both[1]),
            _ => {
                let mut error = EvalError::no_such_overload();
                error.0.link = both[0].id;
                Err(error)
            }
        }
    }

    fn call(&mut self, call: &'p Call, id: Id) -> Outcome {
        let taken = match call.takes {
            Some(place) => self.take(call, id, place)?,
            None => None,
        };
        // cel-go runs both operands of a function bound for two, and stops at the first error for all others.
        let binary = match call.dispatch.shape() {
            Some(shape) => shape == Shape::Binary,
            None => call.args.len() == 2,
        };
        let args = match (call.args.as_slice(), taken) {
            ([_, rest @ ..], Some(first)) => {
                let mut args = vec![first];
                for arg in rest {
                    args.push(self.exec(arg)?);
                }
                self.context.pass(text_len(&args))?;
                match grow::grow(&call.function, &self.context, args) {
                    Ok(Ok(value)) => return Ok(value),
                    Ok(Err(args)) => args,
                    Err(error) => return Err(error.labelled(id)),
                }
            }
            ([left, right], None) if binary => {
                let args = self.both(left, right)?;
                return self.apply(call, id, &args).map_err(|error| error.labelled(id));
            }
            ([only], None) => {
                let arg = [self.exec(only)?];
                return self.apply(call, id, &arg).map_err(|error| error.labelled(id));
            }
            (args, _) => {
                let mut values = Vec::with_capacity(args.len());
                let mut first = None;
                for arg in args {
                    match self.exec(arg) {
                        Ok(value) => values.push(value),
                        Err(error) => self.note(&mut first, error)?,
                    }
                }
                if let Some(error) = first {
                    return Err(error);
                }
                values
            }
        };
        self.apply(call, id, &args).map_err(|error| error.labelled(id))
    }

    fn apply(&self, call: &Call, id: Id, args: &[Val]) -> Outcome {
        self.context.pass(text_len(args))?;
        if call.dispatch.takes(args.first()) {
            return call.dispatch.call(&self.context, args);
        }
        // cel-go asks values with methods of their own, which know no function that has no overload.
        if args.first().is_some_and(has_methods) {
            return Err(EvalError::no_such_overload());
        }
        let one_or_two = match call.dispatch.shape() {
            Some(shape) => shape != Shape::Function,
            None => args.len() <= 2,
        };
        Err(EvalError::new(if one_or_two {
            format!("no such overload: {}", call.function)
        } else {
            format!("no such overload: {} {id}", call.function)
        }))
    }

    /// Takes the accumulator out of its loop, so that it can grow in place.
    fn take(&mut self, call: &'p Call, id: Id, place: usize) -> Result<Option<Val>, EvalError> {
        let Ok(value) = self.accumulator(place) else { return Ok(None) };
        let Some(StepKind::Attribute(attribute)) = call.args.first().map(|arg| &arg.kind) else {
            return Ok(None);
        };
        // The values of the round before go; that of the call and of the step around it are recorded anew.
        if let Some(record) = self.record.as_mut().filter(|_| self.observing) {
            record.remove(&attribute.id());
            record.remove(&id);
            if let Some(FoldState { fold, .. }) = self.folds.get(place) {
                record.remove(&fold.step.id);
                if let StepKind::Attribute(step) = &fold.step.kind
                    && let Root::Conditional { truthy, falsy, .. } = &step.root
                {
                    record.remove(&truthy.id());
                    record.remove(&falsy.id());
                }
            }
        }
        if let Some(tracker) = self.tracker.as_mut().filter(|_| self.observing) {
            let size = super::cost::size(&value) as usize;
            tracker.observe_size(attribute, attribute.id(), size)?;
        }
        drop(value);
        Ok(self.folds.get_mut(place).and_then(|state| state.accumulator.take()?.ok()))
    }

    fn list(&mut self, elements: &'p [Step], optional: &[bool], id: Id) -> Outcome {
        self.context.charge(elements.len().saturating_mul(size_of::<Val>()))?;
        let mut items = Vec::with_capacity(elements.len());
        let mut first = None;
        for (index, element) in elements.iter().enumerate() {
            let optional = optional.get(index).is_some_and(|optional| *optional);
            match self.exec(element).and_then(|value| element_value(value, optional)) {
                Ok(value) => items.extend(value),
                Err(error) => self.note(&mut first, error.labelled(id))?,
            }
        }
        first.map_or(Ok(Val::List(List::from(items))), Err)
    }

    fn map(&mut self, entries: &'p [(Step, Step)], optional: &[bool], id: Id) -> Outcome {
        self.context.charge(entries.len().saturating_mul(3 * size_of::<Val>()))?;
        let mut made = indexmap::IndexMap::with_capacity(entries.len());
        let mut first = None;
        for (index, (key, value)) in entries.iter().enumerate() {
            let key = match self.exec(key) {
                Ok(key) => key,
                Err(error) => {
                    self.note(&mut first, error)?;
                    continue;
                }
            };
            let optional = optional.get(index).is_some_and(|optional| *optional);
            let entry = self.exec(value).and_then(|value| {
                let value = entry_value(&key, value, optional)?;
                self.context.pass(text_len(std::slice::from_ref(&key)))?;
                Ok((Key::hashed(&key)?, value))
            });
            match entry {
                Ok((key, Some(value))) => {
                    made.insert(key, value);
                }
                Ok((key, None)) => {
                    made.shift_remove(&key);
                }
                Err(error) => self.note(&mut first, error.labelled(id))?,
            }
        }
        first.map_or_else(|| Ok(Val::Map(Map::Vals(Arc::new(made)))), Err)
    }

    fn object(&mut self, name: &str, fields: &'p [(Arc<str>, Step)], optional: &[bool], id: Id) -> Outcome {
        let mut made: Vec<(Arc<str>, Val)> = Vec::with_capacity(fields.len());
        let mut first = None;
        for (index, (field, value)) in fields.iter().enumerate() {
            let key = Val::String(Arc::clone(field));
            let optional = optional.get(index).is_some_and(|optional| *optional);
            let value = self.exec(value).and_then(|value| entry_value(&key, value, optional));
            match value {
                Ok(value) => {
                    made.retain(|(other, _)| other != field);
                    made.extend(value.map(|value| (Arc::clone(field), value)));
                }
                Err(error) => self.note(&mut first, error.labelled(id))?,
            }
        }
        if let Some(error) = first {
            return Err(error);
        }
        // Bytes become base64; in an `Any` they become a message, which takes far more.
        let per_byte = if name == "google.protobuf.Any" { 32 } else { 2 };
        for (_, value) in &made {
            self.charge_copy(value, per_byte)?;
        }
        self.program.provider.construct(name, made)
    }

    /// Takes what it takes to copy a value into a message, whose lists and maps are its own.
    fn charge_copy(&self, value: &Val, per_byte: usize) -> Result<(), EvalError> {
        let mut pending = vec![value.clone()];
        while let Some(value) = pending.pop() {
            let (values, bytes) = match &value {
                Val::List(list) => (list.len(), 0),
                Val::Map(map) => (map.len().saturating_mul(2), 0),
                Val::Bytes(bytes) => (0, bytes.len().saturating_mul(per_byte)),
                _ => (0, 0),
            };
            self.context.charge(values.saturating_mul(2 * size_of::<Val>()).saturating_add(bytes))?;
            self.context.work(values / 4)?;
            match value {
                Val::List(list) => pending.extend(list.iter()),
                Val::Map(map) => pending.extend(map.iter().map(|(_, value)| value)),
                Val::Optional(Some(inner)) => pending.push(Arc::unwrap_or_clone(inner)),
                _ => {}
            }
        }
        Ok(())
    }

    fn fold(&mut self, fold: &'p Fold, id: Id) -> Outcome {
        let range = self.exec(&fold.range)?;
        let not_iterable = |value: &Val| {
            let ty = show::go_type_name(value);
            if fold.two_variables {
                EvalError::new(format!("unsupported comprehension range type: {ty}")).labelled(id)
            } else {
                let mut error = EvalError::new(format!("got '{ty}', expected iterable type"));
                error.0.link = fold.range.id;
                error
            }
        };
        let len = match &range {
            Val::List(list) => list.len(),
            Val::Map(map) => map.len(),
            other => return Err(not_iterable(other)),
        };
        self.folds.push(FoldState { fold, accumulator: None, first: Val::Null, second: Val::Null });
        let place = self.folds.len() - 1;
        let result = self.rounds(fold, place, &range, len);
        self.folds.truncate(place);
        result
    }

    fn rounds(&mut self, fold: &'p Fold, place: usize, range: &Val, len: usize) -> Outcome {
        for index in 0..len {
            let (first, second) = match range {
                Val::List(list) if fold.two_variables => {
                    (Val::Int(index as i64), list.get(index).unwrap_or(Val::Null))
                }
                Val::List(list) => (list.get(index).unwrap_or(Val::Null), Val::Null),
                Val::Map(map) => map.entry(index).unwrap_or((Val::Null, Val::Null)),
                _ => (Val::Null, Val::Null),
            };
            if let Some(state) = self.folds.get_mut(place) {
                state.first = first;
                state.second = second;
            }
            match self.exec(&fold.condition) {
                Ok(Val::Bool(false)) => break,
                Err(error) if error.ends() => return Err(error),
                _ => {}
            }
            // The errors of earlier rounds are in the accumulator, so that each is reported once.
            let value = self.exec(&fold.step);
            if let Err(error) = &value
                && error.ends()
            {
                return value;
            }
            if let Some(state) = self.folds.get_mut(place) {
                state.accumulator = Some(value);
            }
            if let Some(tracker) = &mut self.tracker {
                tracker.release();
            }
        }
        self.exec(&fold.result)
    }
}

fn element_value(value: Val, optional: bool) -> Result<Option<Val>, EvalError> {
    match value {
        value if !optional => Ok(Some(value)),
        Val::Optional(inner) => Ok(inner.map(Arc::unwrap_or_clone)),
        other => Err(EvalError::new(format!(
            "cannot initialize optional list element from non-optional value {}",
            show::go_text(&other)
        ))),
    }
}

fn entry_value(key: &Val, value: Val, optional: bool) -> Result<Option<Val>, EvalError> {
    match value {
        value if !optional => Ok(Some(value)),
        Val::Optional(inner) => Ok(inner.map(Arc::unwrap_or_clone)),
        other => Err(EvalError::new(format!(
            "cannot initialize optional entry '{}' from non-optional value {}",
            show::go_text(key),
            show::go_text(&other)
        ))),
    }
}

/// The bytes of the texts among the arguments of a call, which functions pass over at least once.
fn text_len(args: &[Val]) -> usize {
    let len = |arg: &Val| match arg {
        Val::String(text) => text.len(),
        Val::Bytes(bytes) => bytes.len(),
        _ => 0,
    };
    args.iter().map(len).fold(0, usize::saturating_add)
}

/// The types that have methods of their own in cel-go.
fn has_methods(value: &Val) -> bool {
    matches!(value, Val::String(_) | Val::Duration(_) | Val::Timestamp(_))
}
