//! What implementations of functions do with their arguments: take them as a type, size them, count memory.
//!
//! The evaluator compares arguments with the types of the overload before it calls an implementation. The functions
//! here check again, so that an implementation called with something else answers `no such overload`.

use std::sync::Arc;

use crate::function::Context;
use crate::value::{EvalError, List, Map, Val};

/// The string at an index.
pub(crate) fn string(args: &[Val], index: usize) -> Result<&Arc<str>, EvalError> {
    match args.get(index) {
        Some(Val::String(text)) => Ok(text),
        _ => Err(EvalError::no_such_overload()),
    }
}

/// The int at an index.
pub(crate) fn int(args: &[Val], index: usize) -> Result<i64, EvalError> {
    match args.get(index) {
        Some(Val::Int(value)) => Ok(*value),
        _ => Err(EvalError::no_such_overload()),
    }
}

/// The uint at an index.
pub(crate) fn uint(args: &[Val], index: usize) -> Result<u64, EvalError> {
    match args.get(index) {
        Some(Val::Uint(value)) => Ok(*value),
        _ => Err(EvalError::no_such_overload()),
    }
}

/// The double at an index.
pub(crate) fn double(args: &[Val], index: usize) -> Result<f64, EvalError> {
    match args.get(index) {
        Some(Val::Double(value)) => Ok(*value),
        _ => Err(EvalError::no_such_overload()),
    }
}

/// The list at an index.
pub(crate) fn list(args: &[Val], index: usize) -> Result<&List, EvalError> {
    match args.get(index) {
        Some(Val::List(list)) => Ok(list),
        _ => Err(EvalError::no_such_overload()),
    }
}

/// The map at an index.
pub(crate) fn map(args: &[Val], index: usize) -> Result<&Map, EvalError> {
    match args.get(index) {
        Some(Val::Map(map)) => Ok(map),
        _ => Err(EvalError::no_such_overload()),
    }
}

/// Takes the memory of the slots of a list with so many elements.
pub(crate) fn charge_slots(context: &Context<'_>, elements: usize) -> Result<(), EvalError> {
    context.charge(elements.saturating_mul(size_of::<Val>()))
}

/// The size that the cost trackers of the extensions see: characters, bytes, elements or entries; 1 for what has no
/// size, optional values among them (`actualSize` in ext/costs.go).
pub(crate) fn actual_size(value: Option<&Val>) -> u64 {
    let size = match value {
        Some(Val::String(text)) => text.chars().count(),
        Some(Val::Bytes(bytes)) => bytes.len(),
        Some(Val::List(list)) => list.len(),
        Some(Val::Map(map)) => map.len(),
        Some(Val::Object(object)) => return object.size().map_or(1, |size| size as u64),
        _ => return 1,
    };
    size as u64
}
