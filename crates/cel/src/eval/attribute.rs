//! Reading variables and what they hold.

use std::sync::Arc;

use convoy_value::Value;

use super::cost::Observed;
use super::plan::is_key;
use super::run::Machine;
use super::step::{Attribute, Candidate, Qualifier, QualifierKey, Root, Source};
use crate::types::Type;
use crate::value::{ErrorKind, EvalError, List, Map, Outcome, Val, show};

/// What came of reading: the text of a name without a value is needed where other readings are still to be tried.
enum Failure {
    NoSuchAttribute(String),
    Error(EvalError),
}

impl From<EvalError> for Failure {
    fn from(error: EvalError) -> Failure {
        Failure::Error(error)
    }
}

impl From<Failure> for EvalError {
    fn from(failure: Failure) -> EvalError {
        match failure {
            Failure::NoSuchAttribute(names) => {
                EvalError::of(ErrorKind::Missing, format!("no such attribute(s): {names}"))
            }
            Failure::Error(error) => error,
        }
    }
}

impl<'p> Machine<'p, '_> {
    /// The value of an attribute, not observed itself.
    pub(super) fn resolve(&mut self, attribute: &'p Attribute) -> Outcome {
        Ok(self.try_resolve(attribute)?)
    }

    fn try_resolve(&mut self, attribute: &'p Attribute) -> Result<Val, Failure> {
        match &attribute.root {
            Root::Absolute { candidates, global: false } => self.absolute(candidates, attribute),
            Root::Absolute { candidates, global: true } => {
                let observing = std::mem::replace(&mut self.observing, false);
                let floor = std::mem::replace(&mut self.floor, self.folds.len());
                let value = self.absolute(candidates, attribute);
                self.observing = observing;
                self.floor = floor;
                value
            }
            Root::Relative(step) => {
                let value = self.exec(step)?;
                self.is_native = false;
                if attribute.qualifiers.is_empty() && !matches!(value, Val::Optional(_)) {
                    return Ok(value);
                }
                Ok(self.qualify(value, &attribute.qualifiers)?)
            }
            Root::Conditional { condition, truthy, falsy } => match self.exec(condition)? {
                Val::Bool(true) => self.try_resolve(truthy),
                Val::Bool(false) => self.try_resolve(falsy),
                _ => Err(EvalError::no_such_overload().into()),
            },
            Root::Maybe(attributes) => {
                let mut first = None;
                for attribute in attributes {
                    match self.try_resolve(attribute) {
                        Err(Failure::NoSuchAttribute(names)) => {
                            first.get_or_insert(names);
                        }
                        found => return found,
                    }
                }
                Err(Failure::NoSuchAttribute(first.unwrap_or_default()))
            }
        }
    }

    fn absolute(&mut self, candidates: &'p [Candidate], attribute: &'p Attribute) -> Result<Val, Failure> {
        if let ([Candidate { source: Source::Global(index), .. }], false) = (candidates, self.observing)
            && let Some(value) = self.global(*index)
        {
            let (value, followed) = follow(value, &attribute.qualifiers);
            self.is_native = true;
            for _ in 0..followed {
                self.step()?;
            }
            let rest = attribute.qualifiers.get(followed..).unwrap_or_default();
            if rest.is_empty() {
                return Ok(value);
            }
            return Ok(self.qualify(value, rest)?);
        }
        for candidate in candidates {
            if let Some(value) = self.variable(candidate)? {
                self.is_native = matches!(candidate.source, Source::Global(_));
                self.keep(attribute.id, &value);
                if attribute.qualifiers.is_empty() && !matches!(value, Val::Optional(_)) {
                    return Ok(value);
                }
                return Ok(self.qualify(value, &attribute.qualifiers)?);
            }
            if let (Some(value), true) = (&candidate.constant, attribute.qualifiers.is_empty()) {
                return Ok(value.clone());
            }
        }
        let names: Vec<&str> = candidates.iter().map(|candidate| &*candidate.name).collect();
        Err(Failure::NoSuchAttribute(names.join(", ")))
    }

    fn variable(&mut self, candidate: &Candidate) -> Result<Option<Val>, EvalError> {
        match candidate.source {
            Source::Accumulator(place) | Source::First(place) | Source::Second(place)
                if place < self.floor =>
            {
                Ok(candidate.hidden.and_then(|index| self.global(index).cloned()))
            }
            Source::Global(index) => Ok(self.global(index).cloned()),
            Source::Accumulator(place) => self.accumulator(place).map(Some),
            Source::First(place) => Ok(self.folds.get(place).map(|fold| fold.first.clone())),
            Source::Second(place) => Ok(self.folds.get(place).map(|fold| fold.second.clone())),
        }
    }

    /// Follows the links. As soon as the value or a link is optional, a missing key gives `optional.none()`, and the
    /// value at the end is optional.
    fn qualify(&mut self, value: Val, links: &'p [Arc<Qualifier>]) -> Outcome {
        let mut optional = false;
        let mut value = value;
        if let Val::Optional(inner) = &value {
            match inner {
                None => return Ok(value),
                Some(inner) => {
                    optional = true;
                    value = Val::clone(inner);
                }
            }
        }
        for link in links {
            optional = optional || link.optional;
            let at_link = |mut error: EvalError| {
                if error.0.link == 0 && error.0.id == 0 {
                    error.0.link = link.id;
                }
                error
            };
            if optional {
                match self.link_if_present(link, &value).map_err(at_link)? {
                    Some(next) => {
                        self.is_native = is_native(&value);
                        value = next;
                    }
                    None => return Ok(Val::Optional(None)),
                }
            } else {
                let next = self.link(link, &value).map_err(at_link)?;
                self.is_native = is_native(&value);
                value = next;
            }
        }
        Ok(if optional { Val::Optional(Some(Arc::new(value))) } else { value })
    }

    fn key(&mut self, link: &'p Qualifier) -> Outcome {
        let key = match &link.key {
            QualifierKey::Const(value) => value.clone(),
            QualifierKey::Attribute(attribute) | QualifierKey::Relative(attribute) => {
                let value = self.resolve(attribute)?;
                if !is_key(&value) {
                    return Err(EvalError::new(format!(
                        "invalid qualifier type: {}",
                        self.type_name(&value)
                    )));
                }
                value
            }
        };
        self.context.pass(key.as_str().map_or(0, str::len))?;
        Ok(key)
    }

    /// Go's type of the value of an attribute that was just read.
    fn type_name(&self, value: &Val) -> &'static str {
        match value {
            Val::Map(Map::Native(_)) if self.is_native => "map[string]interface {}",
            Val::List(List::Native(_)) if self.is_native => "[]interface {}",
            Val::Null if self.is_native => "<nil>",
            other => show::go_type_name(other),
        }
    }

    fn link(&mut self, link: &'p Qualifier, value: &Val) -> Outcome {
        self.step()?;
        let outcome = self.key(link).and_then(|key| {
            if link.test_only {
                return Ok(Val::Bool(find(value, &key, true)?.is_some()));
            }
            match find(value, &key, false)? {
                Some(found) => Ok(found),
                // Without a presence test, `find` has an error for what is missing.
                None => Err(missing_key(&key)),
            }
        });
        self.observe_link(link, &outcome)?;
        outcome
    }

    fn link_if_present(&mut self, link: &'p Qualifier, value: &Val) -> Result<Option<Val>, EvalError> {
        self.step()?;
        let found = self.key(link).and_then(|key| find(value, &key, true))?;
        if let Some(found) = &found {
            self.observe_link(link, &Ok(found.clone()))?;
        }
        Ok(found)
    }

    fn observe_link(&mut self, link: &'p Qualifier, outcome: &Outcome) -> Result<(), EvalError> {
        if !self.observing {
            return Ok(());
        }
        let what = match &link.key {
            QualifierKey::Relative(attribute) => Observed::RelativeQualifier(attribute),
            QualifierKey::Const(_) | QualifierKey::Attribute(_) => Observed::Qualifier,
        };
        if link.twice {
            self.observe(&what, link.id, outcome)?;
        }
        self.observe(&what, link.id, outcome)
    }
}

/// Follows the links that name keys of maps of the input, as far as the keys are there: the value behind them and how
/// many were followed. No value on the way is made. Behind an optional link the value is optional, and none as soon as a
/// key is missing.
fn follow(value: &Val, links: &[Arc<Qualifier>]) -> (Val, usize) {
    let Val::Map(Map::Native(map)) = value else { return (value.clone(), 0) };
    let mut map = map;
    let mut last: Option<&Value> = None;
    let mut followed = 0;
    let mut optional = false;
    for link in links {
        let QualifierKey::Const(Val::String(key)) = &link.key else { break };
        if link.test_only {
            break;
        }
        let Some(next) = map.get(&**key) else {
            if optional || link.optional {
                return (Val::Optional(None), links.len());
            }
            break;
        };
        optional = optional || link.optional;
        last = Some(next);
        followed += 1;
        match next {
            Value::Map(inside) | Value::StringMap(inside) => map = inside,
            _ => break,
        }
    }
    let value = last.map_or_else(|| value.clone(), Val::from);
    (if optional { Val::Optional(Some(Arc::new(value))) } else { value }, followed)
}

/// Whether what is inside of a value has not been adapted yet by cel-go.
fn is_native(value: &Val) -> bool {
    matches!(value, Val::Map(Map::Native(_)) | Val::List(List::Native(_)))
}

pub(super) fn missing_key(key: &Val) -> EvalError {
    EvalError::of(ErrorKind::Missing, format!("no such key: {}", show::go_text(key)))
}

fn missing_index(key: &Val) -> EvalError {
    EvalError::of(ErrorKind::Missing, format!("index out of bounds: {}", show::go_text(key)))
}

/// The value under a key. What is missing is nothing in a presence test, else an error.
fn find(value: &Val, key: &Val, presence_test: bool) -> Result<Option<Val>, EvalError> {
    // The text of an error may be long; a presence test has no use for it.
    let missing = |error: fn(&Val) -> EvalError| if presence_test { Ok(None) } else { Err(error(key)) };
    match value {
        Val::Map(map) => match map.get(key) {
            Some(found) => Ok(Some(found)),
            None => missing(missing_key),
        },
        Val::List(list) => {
            let index = index(key)?;
            match usize::try_from(index).ok().and_then(|index| list.get(index)) {
                Some(found) => Ok(Some(found)),
                None => missing(missing_index),
            }
        }
        Val::Object(object) => {
            let (Some(name), Type::Struct(_)) = (key.as_str(), object.ty()) else {
                return missing(missing_key);
            };
            if presence_test {
                return match object.has_field(name) {
                    Some(true) => Ok(object.field(name)),
                    Some(false) => Ok(None),
                    None => Err(no_such_field(name)),
                };
            }
            object.field(name).map(Some).ok_or_else(|| no_such_field(name))
        }
        _ => missing(missing_key),
    }
}

fn no_such_field(name: &str) -> EvalError {
    EvalError::of(ErrorKind::Missing, format!("no such field '{name}'"))
}

/// The index that a key of a list is.
fn index(key: &Val) -> Result<i64, EvalError> {
    let unsupported = || EvalError::new(format!("unsupported index value {} in list", show::go_text(key)));
    match key {
        Val::Int(index) => Ok(*index),
        Val::Uint(index) => i64::try_from(*index).map_err(|_| unsupported()),
        Val::Double(index) => crate::value::exact_int(*index).ok_or_else(unsupported),
        _ => Err(EvalError::new(format!("unsupported index type '{}' in list", key.ty().name()))),
    }
}
