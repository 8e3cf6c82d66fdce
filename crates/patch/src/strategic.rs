//! Strategic merge patch, as `k8s.io/apimachinery/pkg/util/strategicpatch` does it with the Go types of the built-in
//! kinds.
//!
//! A field decides what becomes of it: the tags of its Go type say whether a list is merged or replaced, and by which
//! key its items are told apart. Directives in the patch (`$patch`, `$retainKeys`, `$setElementOrder/…`,
//! `$deleteFromPrimitiveList/…`) say it otherwise. A field is only looked up where both sides have an object or both have a list:
//! what is new is taken as it is, known or not.
//!
//! Where the library walks a Go map, so that chance decides which of several errors it gives, or which of two members
//! with one field comes first, this module goes by the order of the patch. Where the library panics, there is an error
//! that begins with `panic: `.
//!
//! Start reading at `merge.rs`, then `list.rs`.

mod list;
mod lost;
mod merge;
mod order;
mod schema;
mod table;
mod taken;
#[cfg(test)]
mod tests;
mod text;

use std::borrow::Cow;
use std::sync::Arc;

use convoy_kube::check::Key;
use convoy_kube::{GroupVersionKind, Typed};
use convoy_value::go::quote;
use convoy_value::json::DEPTH_LIMIT;
use convoy_value::{Map, Value};

use self::merge::Merger;
use self::schema::Schema;

const PATCH: &str = "$patch";
const BAD_DOCUMENT: &str = "invalid JSON document";

/// Why a patch cannot be merged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The text of the library.
    pub message: String,
    /// Where in the patch, as near as is known.
    pub path: Vec<Key>,
}

/// Something that a merge did and that people may not have meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Where in the patch.
    pub path: Vec<Key>,
    /// What.
    pub kind: NoteKind,
}

/// What a merge did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoteKind {
    /// A list without a merge key took the place of one that had items which are not in it.
    ListReplaced {
        /// How many items were lost.
        lost: usize,
    },
    /// `$patch: replace` emptied a list or an object before the rest was put in.
    ReplaceDirective {
        /// How many items or fields were lost.
        lost: usize,
    },
    /// `$patch: delete` or `$deleteFromPrimitiveList` found nothing to delete.
    NothingDeleted,
    /// Two items of the patch have one merge key.
    DuplicateMergeKey {
        /// The merge key.
        key: String,
        /// Its value.
        value: String,
    },
    /// New items went before those that were there.
    ItemsAddedFirst {
        /// How many.
        count: usize,
        /// How many were there.
        before: usize,
    },
    /// A null removed the field.
    Removed,
}

/// The result of a merge.
#[derive(Clone, Debug, PartialEq)]
pub struct Merged {
    /// The object.
    pub value: Value,
    /// What may not have been meant.
    pub notes: Vec<Note>,
}

/// Why there is no merge for an object whose kind has no Go type, in the words of a scheme, which puts ` in scheme ` and
/// its own name behind them.
pub fn not_registered(gvk: &GroupVersionKind) -> String {
    let quoted = |text: &str| quote(text.as_bytes());
    // A version with more than one slash is none.
    let version = if gvk.version.contains('/') { String::new() } else { gvk.api_version() };
    if gvk.kind.is_empty() {
        return format!("no version {} has been registered", quoted(&version));
    }
    if &*gvk.version == "__internal" {
        let (kind, group) = (quoted(&gvk.kind), quoted(&gvk.group));
        return format!("no kind {kind} is registered for the internal version of group {group}");
    }
    format!("no kind {} is registered for version {}", quoted(&gvk.kind), quoted(&version))
}

/// Merges a patch into an object of a built-in kind. Both are objects, or null, which is an object without members.
///
/// # Errors
///
/// What the library refuses, in its words.
pub fn merge(object: &Value, patch: &Value, ty: Typed<'_>) -> Result<Merged, Error> {
    let mut merger = Merger::default();
    match merger.run(object, patch, ty) {
        Ok(value) => Ok(Merged { value, notes: merger.notes }),
        Err(message) => Err(Error { message, path: merger.path }),
    }
}

impl Merger {
    fn run(&mut self, object: &Value, patch: &Value, ty: Typed<'_>) -> Result<Value, String> {
        let mut object = document(object)?;
        let patch = document(patch)?;
        if let Value::Map(patch) = patch {
            self.merge_maps(&mut object, &patch, Schema::root(ty))?;
        }
        Ok(object)
    }
}

/// A value as the library decodes it from JSON: an object.
fn document(value: &Value) -> Result<Value, String> {
    match decoded(value, 0)?.into_owned() {
        Value::Null => Ok(Value::Map(Arc::default())),
        map @ Value::Map(_) => Ok(map),
        _ => Err(BAD_DOCUMENT.to_owned()),
    }
}

/// A value with the types that it has after it was written as JSON and read: large numbers are floats. Mostly it is
/// the value itself.
fn decoded(value: &Value, depth: usize) -> Result<Cow<'_, Value>, String> {
    if depth > DEPTH_LIMIT {
        return Err(format!("nested deeper than {DEPTH_LIMIT} levels (a limit of convoy-lsp)"));
    }
    Ok(match value {
        // No JSON has such a number, and one that is too large for a float is refused.
        Value::Float(number) if !number.is_finite() => return Err(BAD_DOCUMENT.to_owned()),
        Value::Uint(number) => Cow::Owned(Value::Float(*number as f64)),
        Value::Bytes(bytes) => Cow::Owned(Value::from(&*String::from_utf8_lossy(bytes))),
        Value::StringMap(map) => Cow::Owned(Value::Map(map.clone())),
        Value::List(items) => {
            let mut changed: Option<Vec<Value>> = None;
            for (i, item) in items.iter().enumerate() {
                match (decoded(item, depth + 1)?, &mut changed) {
                    (Cow::Borrowed(_), None) => {}
                    (item, Some(out)) => out.push(item.into_owned()),
                    (item, None) => {
                        changed = Some(items[..i].iter().cloned().chain([item.into_owned()]).collect());
                    }
                }
            }
            changed.map_or(Cow::Borrowed(value), |items| Cow::Owned(Value::List(Arc::new(items))))
        }
        Value::Map(map) => {
            let mut changed: Option<Map> = None;
            for (key, member) in map.iter() {
                if let Cow::Owned(member) = decoded(member, depth + 1)? {
                    changed.get_or_insert_with(|| (**map).clone()).insert(key.clone(), member);
                }
            }
            changed.map_or(Cow::Borrowed(value), |map| Cow::Owned(Value::Map(Arc::new(map))))
        }
        _ => Cow::Borrowed(value),
    })
}
