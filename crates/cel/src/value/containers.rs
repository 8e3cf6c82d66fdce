//! Lists and maps.

use std::sync::Arc;

use convoy_value::Value;
use indexmap::IndexMap;

use super::{ErrorKind, EvalError, Val};
use crate::types::Type;

/// A list: of values that the expression made, or one of the input, whose elements become values when they are read.
#[derive(Clone, Debug)]
pub enum List {
    /// Made by the expression.
    Vals(Arc<Vec<Val>>),
    /// Of the input.
    Native(Arc<Vec<Value>>),
}

/// A map, in the order in which its entries were made (Go's order is random).
#[derive(Clone, Debug)]
pub enum Map {
    /// Made by the expression.
    Vals(Arc<IndexMap<Key, Val>>),
    /// Of the input; its keys are strings.
    Native(Arc<convoy_value::Map>),
}

/// A key of a map. Numbers of different types are different keys, as in cel-go; a lookup tries the other types.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    /// `bool`.
    Bool(bool),
    /// `int`.
    Int(i64),
    /// `uint`.
    Uint(u64),
    /// `double`.
    Double(DoubleKey),
    /// `string`.
    String(Arc<str>),
    /// A value of another type.
    Other(Opaque),
}

/// A key that is a `double`, compared as numbers are: 0.0 and -0.0 are one key, and NaN is another key each time, which
/// nothing finds.
#[derive(Clone, Copy, Debug)]
pub struct DoubleKey(pub f64);

impl PartialEq for DoubleKey {
    fn eq(&self, other: &DoubleKey) -> bool {
        self.0 == other.0
    }
}

impl Eq for DoubleKey {}

impl std::hash::Hash for DoubleKey {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (if self.0 == 0.0 { 0 } else { self.0.to_bits() }).hash(state);
    }
}

/// A value that is a key as Go compares interfaces: by its content where Go's type is a plain struct, by its identity
/// where it is a pointer.
#[derive(Clone, Debug)]
pub struct Opaque(pub Arc<Val>);

impl PartialEq for Opaque {
    fn eq(&self, other: &Opaque) -> bool {
        if Arc::ptr_eq(&self.0, &other.0) {
            return true;
        }
        match (&*self.0, &*other.0) {
            (Val::Null, Val::Null) | (Val::Optional(None), Val::Optional(None)) => true,
            (Val::Duration(left), Val::Duration(right)) => left == right,
            // A zone is a pointer in Go, of which there is one for each full hour and a new one for any other offset.
            (Val::Timestamp(left), Val::Timestamp(right)) => {
                left == right && left.offset == right.offset && left.offset % 3600 == 0
            }
            (Val::Type(left), Val::Type(right)) => left.name() == right.name(),
            (Val::List(List::Vals(left)), Val::List(List::Vals(right))) => Arc::ptr_eq(left, right),
            (Val::Map(Map::Vals(left)), Val::Map(Map::Vals(right))) => Arc::ptr_eq(left, right),
            // Those of the input are adapted anew each time they are read, and so are others each time.
            (Val::Object(left), Val::Object(right)) => match left.ty() {
                Type::Opaque(..) => left.equals(&other.0),
                _ => Arc::ptr_eq(left, right),
            },
            _ => false,
        }
    }
}

impl Eq for Opaque {}

impl std::hash::Hash for Opaque {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        // Keys of these types are so rare that those of one type may share a hash, but for what a loop could make.
        std::mem::discriminant(&*self.0).hash(state);
        match &*self.0 {
            Val::Duration(nanos) => nanos.hash(state),
            Val::Timestamp(instant) => instant.seconds.hash(state),
            Val::List(List::Vals(items)) => Arc::as_ptr(items).hash(state),
            Val::Map(Map::Vals(map)) => Arc::as_ptr(map).hash(state),
            _ => {}
        }
    }
}

impl From<Vec<Val>> for List {
    fn from(items: Vec<Val>) -> List {
        List::Vals(Arc::new(items))
    }
}

impl List {
    /// The number of elements.
    pub fn len(&self) -> usize {
        match self {
            List::Vals(items) => items.len(),
            List::Native(items) => items.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The element at an index.
    pub fn get(&self, index: usize) -> Option<Val> {
        match self {
            List::Vals(items) => items.get(index).cloned(),
            List::Native(items) => items.get(index).map(Val::from),
        }
    }

    /// All elements.
    pub fn iter(&self) -> impl Iterator<Item = Val> + '_ {
        (0..self.len()).filter_map(|index| self.get(index))
    }
}

impl Key {
    /// The key for a value.
    pub fn new(value: &Val) -> Key {
        match value {
            Val::Bool(value) => Key::Bool(*value),
            Val::Int(value) => Key::Int(*value),
            Val::Uint(value) => Key::Uint(*value),
            Val::Double(value) => Key::Double(DoubleKey(*value)),
            Val::String(text) => Key::String(Arc::clone(text)),
            other => Key::Other(Opaque(Arc::new(other.clone()))),
        }
    }

    /// The key for a value of an entry that is made, or that is looked up as Go's maps do it.
    ///
    /// # Errors
    /// Go's maps hash their keys, which byte slices do not bear: cel-go breaks.
    pub fn hashed(value: &Val) -> Result<Key, EvalError> {
        if matches!(value, Val::Bytes(_)) {
            let text = "internal error: runtime error: hash of unhashable type types.Bytes";
            return Err(EvalError::of(ErrorKind::Internal, text));
        }
        Ok(Key::new(value))
    }

    /// The value of the key.
    pub fn value(&self) -> Val {
        match self {
            Key::Bool(value) => Val::Bool(*value),
            Key::Int(value) => Val::Int(*value),
            Key::Uint(value) => Val::Uint(*value),
            Key::Double(value) => Val::Double(value.0),
            Key::String(text) => Val::String(Arc::clone(text)),
            Key::Other(value) => (*value.0).clone(),
        }
    }
}

impl Map {
    /// A map of entries; a later entry with the same key replaces an earlier one.
    pub fn from_entries(entries: impl IntoIterator<Item = (Val, Val)>) -> Map {
        Map::Vals(Arc::new(entries.into_iter().map(|(key, value)| (Key::new(&key), value)).collect()))
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        match self {
            Map::Vals(map) => map.len(),
            Map::Native(map) => map.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value under a key; a number finds a number of another type that is equal to it.
    pub fn get(&self, key: &Val) -> Option<Val> {
        match self {
            Map::Native(map) => map.get(key.as_str()?).map(Val::from),
            Map::Vals(map) => lookup(map, key).cloned(),
        }
    }

    /// All entries.
    pub fn iter(&self) -> impl Iterator<Item = (Val, Val)> + '_ {
        (0..self.len()).filter_map(|index| self.entry(index))
    }

    /// The entry at an index, in the order in which the entries were made.
    pub fn entry(&self, index: usize) -> Option<(Val, Val)> {
        match self {
            Map::Vals(map) => map.get_index(index).map(|(key, value)| (key.value(), value.clone())),
            Map::Native(map) => {
                map.get_index(index).map(|(key, value)| (Val::String(Arc::clone(key)), Val::from(value)))
            }
        }
    }
}

/// The value under a key; a number finds a number of another type that is equal to it.
pub(crate) fn lookup<'a>(map: &'a IndexMap<Key, Val>, key: &Val) -> Option<&'a Val> {
    if matches!(key, Val::Double(value) if value.is_nan()) {
        return None;
    }
    if let Some(value) = map.get(&Key::new(key)) {
        return Some(value);
    }
    let others = match key {
        Val::Int(value) => [u64::try_from(*value).ok().map(Key::Uint), None],
        Val::Uint(value) => [i64::try_from(*value).ok().map(Key::Int), None],
        Val::Double(value) => [exact_int(*value).map(Key::Int), exact_uint(*value).map(Key::Uint)],
        _ => [None, None],
    };
    others.into_iter().flatten().find_map(|key| map.get(&key))
}

/// The int that is exactly a double.
pub(crate) fn exact_int(value: f64) -> Option<i64> {
    // 2^63 is not an int64; -2^63 is one, but cel-go leaves it out as well.
    let inside = value.abs() < 9_223_372_036_854_775_808.0;
    (inside && value.fract() == 0.0).then_some(value as i64)
}

/// The uint that is exactly a double.
pub(crate) fn exact_uint(value: f64) -> Option<u64> {
    let inside = (0.0..18_446_744_073_709_551_616.0).contains(&value);
    (inside && value.fract() == 0.0).then_some(value as u64)
}

/// A value of the input. Containers are shared, not copied.
impl From<&Value> for Val {
    fn from(value: &Value) -> Val {
        match value {
            Value::Null => Val::Null,
            Value::Bool(value) => Val::Bool(*value),
            Value::Int(value) => Val::Int(*value),
            Value::Uint(value) => Val::Uint(*value),
            Value::Float(value) => Val::Double(*value),
            Value::String(text) => Val::String(Arc::clone(text)),
            Value::Bytes(bytes) => Val::Bytes(Arc::clone(bytes)),
            Value::List(items) => Val::List(List::Native(Arc::clone(items))),
            Value::Map(map) | Value::StringMap(map) => Val::Map(Map::Native(Arc::clone(map))),
        }
    }
}
