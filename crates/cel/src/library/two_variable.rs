//! The extension for comprehensions with two variables.
//!
//! Source: ext/comprehensions.go of cel-go. Its macros build maps with `cel.@mapInsert`, which nobody writes by hand.

use std::sync::Arc;

use indexmap::IndexMap;

use super::arguments::map;
use crate::function::{Context, Function, Overload};
use crate::types::Type;
use crate::value::equal::find;
use crate::value::show::go_text;
use crate::value::{EvalError, Key, Map, Outcome, Val};

/// The functions of a version of the library.
pub fn functions(_version: u32) -> Vec<Function> {
    let (key, value) = (Type::param("K"), Type::param("V"));
    let target = Type::map(key.clone(), value.clone());
    vec![
        Function::new(
            "two_variable",
            "cel.@mapInsert",
            "The map with one more entry, or with those of another map; an error if a key is there already.",
        )
        .overload(
            Overload::global("@mapInsert_map_key_value", [target.clone(), key, value], target.clone())
                .function(map_insert_key_value),
        )
        .overload(
            Overload::global("@mapInsert_map_map", [target.clone(), target.clone()], target)
                .binary(map_insert_map),
        ),
    ]
}

fn map_insert_key_value(context: &Context<'_>, args: &[Val]) -> Outcome {
    match args {
        [Val::Map(target), key, value] => insert(context, target.clone(), key, value),
        _ => Err(EvalError::no_such_overload()),
    }
}

fn map_insert_map(context: &Context<'_>, args: &[Val]) -> Outcome {
    merge(context, map(args, 0)?.clone(), map(args, 1)?)
}

/// `cel.@mapInsert(target, key, value)`. The target is changed in place if nobody else holds it, so that a loop which
/// hands over its accumulator pays for each entry once; it is copied otherwise.
pub fn insert(context: &Context<'_>, target: Map, key: &Val, value: &Val) -> Outcome {
    let mut growing = Growing::from(context, target)?;
    growing.insert(context, key, value)?;
    Ok(growing.into_value())
}

/// `cel.@mapInsert(target, update)`: as [`insert`] for each entry of the other map.
pub fn merge(context: &Context<'_>, target: Map, update: &Map) -> Outcome {
    let mut growing = Growing::from(context, target)?;
    for (key, value) in update.iter() {
        growing.insert(context, &key, &value)?;
    }
    Ok(growing.into_value())
}

/// The memory of an entry, the table that finds it included.
const ENTRY: usize = size_of::<Key>() + size_of::<Val>() + 2 * size_of::<usize>();

/// A map that nobody else holds.
struct Growing {
    entries: Arc<IndexMap<Key, Val>>,
}

impl Growing {
    fn from(context: &Context<'_>, map: Map) -> Result<Growing, EvalError> {
        let entries = match map {
            Map::Vals(mut entries) => {
                if Arc::get_mut(&mut entries).is_none() {
                    context.charge(entries.len().saturating_mul(ENTRY))?;
                    context.work(entries.len())?;
                    Arc::make_mut(&mut entries);
                }
                entries
            }
            native @ Map::Native(_) => {
                context.charge(native.len().saturating_mul(ENTRY))?;
                context.work(native.len())?;
                Arc::new(native.iter().map(|(key, value)| (Key::new(&key), value)).collect())
            }
        };
        Ok(Growing { entries })
    }

    fn insert(&mut self, context: &Context<'_>, key: &Val, value: &Val) -> Result<(), EvalError> {
        match Key::new(key) {
            Key::Other(_) => context.work(self.entries.len())?,
            Key::String(text) => context.pass(text.len())?,
            _ => {}
        }
        // The lookup counts, which takes numbers of different types for one key, not the key itself.
        if find(&Map::Vals(Arc::clone(&self.entries)), key).is_some() {
            return Err(EvalError::new(format!("insert failed: key {} already exists", go_text(key))));
        }
        context.charge(ENTRY)?;
        Arc::make_mut(&mut self.entries).insert(Key::hashed(key)?, value.clone());
        Ok(())
    }

    fn into_value(self) -> Val {
        Val::Map(Map::Vals(self.entries))
    }
}
