//! Where an operation works, and what can be done there.

use std::sync::Arc;

use convoy_value::go;

use super::{Flavour, MISSING};
use crate::document::Document;

/// Where an operation works: a container and a key in it.
pub(super) struct Target<'a> {
    pub(super) flavour: Flavour,
    pub(super) container: &'a mut Document,
    pub(super) key: String,
    /// The value of the container's empty key, which only version 5 sets apart.
    pub(super) own: Option<Document>,
}

/// What Go says where something is added to a map that was never made.
const NIL_MAP: &str = "panic: assignment to entry in nil map";

pub(super) fn atoi(key: &str) -> Result<i64, String> {
    let digits = key.strip_prefix(['+', '-']).unwrap_or(key);
    let problem = if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        "invalid syntax"
    } else if let Ok(value) = key.parse() {
        return Ok(value);
    } else {
        "value out of range"
    };
    Err(format!("strconv.Atoi: parsing {}: {problem}", go::quote(key.as_bytes())))
}

fn bad_index(index: i64) -> String {
    format!("Unable to access invalid index: {index}: invalid index referenced")
}

/// The position of an index in a list of `len` items, negative ones from the end.
pub(super) fn position(index: i64, len: usize) -> Result<usize, String> {
    let at = if index < 0 { index + len as i64 } else { index };
    usize::try_from(at).ok().filter(|at| *at < len).ok_or_else(|| bad_index(index))
}

impl Target<'_> {
    /// The value, none where the library has none: in version 4 also for a member that is not there.
    pub(super) fn get(&self) -> Result<Option<Document>, String> {
        if self.flavour == Flavour::V5 && self.key.is_empty() {
            return Ok(self.own.clone());
        }
        match &*self.container {
            Document::Object(object) => match (object.get(self.key.as_str()), self.flavour) {
                (Some(value), _) => Ok(Some(value.clone())),
                (None, Flavour::V4) => Ok(None),
                (None, Flavour::V5) => Err(format!("unable to get nonexistent key: {}: {MISSING}", self.key)),
            },
            Document::Array(items) => {
                let at = position(atoi(&self.key)?, items.len())?;
                Ok(Some(items[at].clone()))
            }
            Document::NilMap => Ok(None),
            _ => Err("invalid value, expected object".to_owned()),
        }
    }

    pub(super) fn set(&mut self, value: Document) -> Result<(), String> {
        match &mut *self.container {
            Document::Object(object) => {
                object.insert(Arc::from(self.key.as_str()), value);
                Ok(())
            }
            Document::Array(items) => {
                let at = position(atoi(&self.key)?, items.len())?;
                items[at] = value;
                Ok(())
            }
            Document::NilMap => Err(NIL_MAP.to_owned()),
            _ => Err("invalid value, expected object".to_owned()),
        }
    }

    pub(super) fn add(&mut self, value: Document) -> Result<(), String> {
        let Document::Array(items) = &mut *self.container else { return self.set(value) };
        if self.key == "-" {
            items.push(value);
            return Ok(());
        }
        let index = atoi(&self.key)
            .map_err(|error| format!("value was not a proper array index: '{}': {error}", self.key))?;
        let at = position(index, items.len() + 1)?;
        items.insert(at, value);
        Ok(())
    }

    pub(super) fn remove(&mut self) -> Result<(), String> {
        let removed = match &mut *self.container {
            Document::Object(object) => object.shift_remove(self.key.as_str()).is_some(),
            Document::Array(items) => {
                let at = position(atoi(&self.key)?, items.len())?;
                items.remove(at);
                true
            }
            Document::NilMap => false,
            _ => return Err("invalid value, expected object".to_owned()),
        };
        if removed {
            return Ok(());
        }
        let unable = match self.flavour {
            Flavour::V5 => "unable",
            Flavour::V4 => "Unable",
        };
        Err(format!("{unable} to remove nonexistent key: {}: {MISSING}", self.key))
    }
}
