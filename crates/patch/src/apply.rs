//! The merge of an apply configuration into an object, as the API server does it for mutating admission policies:
//! `ApplyStructuredMergeDiff` of `k8s.io/apiserver`, over `sigs.k8s.io/structured-merge-diff` version 6.
//!
//! The stages are those of the API server, and each has its own text in front: the configuration must fit the type
//! (`failed to convert patch object to typed object: `), it must not touch anything atomic (`invalid
//! ApplyConfiguration: `), the live object must fit the type (`failed to convert original object to typed object: `),
//! and then the two are merged. The library could also fail while it merges (`failed to merge patch: `), but only over
//! what the stages before have refused, so that this text is never seen.
//!
//! The types are what the API server publishes as `OpenAPI` version 3: it has defaults for the keys of list items that
//! its Go types do not say are optional, so that a container without a name is the container with the name `""`, and
//! lists say by themselves or by their patch strategy how their items belong together; without either they are atomic.
//!
//! Go walks the keys of an object in any order. Where several errors are found, the library's text depends on that
//! order, and so does how many of them it finds: an unknown field ends the walk over its object. Here the known fields
//! come first, in the order in which they are written, and one unknown field after them: the longest text that the
//! library may give.
//!
//! Start reading at [`apply`]; `schema` has what a type means to the library, `validate`, `atomics` and `merge` are the
//! stages, `element` the items of lists and the paths in texts.

mod atomics;
mod element;
mod merge;
mod schema;
mod validate;

use std::sync::Arc;

use convoy_kube::Typed;
use convoy_value::Value;
use convoy_value::json::DEPTH_LIMIT;

use schema::Place;

/// What differs between releases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Whether the live object may have two items with the same keys (since 1.35).
    pub duplicates: bool,
}

/// Why a configuration cannot be applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The text of the API server, without `error applying patch: `.
    pub message: String,
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

/// Merges an apply configuration into an object. The configuration has the `apiVersion` and the `kind` of the object,
/// which the API server puts there before it gets here.
///
/// Null is JSON's null; a `uint64` or bytes, which CEL may give, are refused as the library refuses them.
///
/// The result has the keys in the order of the live object, then those that only the configuration has. A null of the
/// configuration stands in the result where it took the place of a scalar or of something atomic or empty.
///
/// # Errors
///
/// What the API server refuses, in its words.
pub fn apply(live: &Value, configuration: &Value, ty: Typed<'_>, options: Options) -> Result<Value, Error> {
    for (name, value) in [("configuration", configuration), ("object", live)] {
        if !nests_within(value, DEPTH_LIMIT) {
            return Err(Error {
                message: format!("the {name} nests more than {DEPTH_LIMIT} levels (a limit of convoy-lsp)"),
            });
        }
    }
    let (patch_kind, live_kind) = (kind_text(configuration), kind_text(live));
    if patch_kind != live_kind {
        let message =
            format!("patch ({patch_kind}) and original object ({live_kind}) are not of the same gvk");
        return Err(Error { message });
    }
    let place = Place::of(ty);
    if let Some(text) = validate::errors(place, configuration, false) {
        return Err(Error { message: format!("failed to convert patch object to typed object: {text}") });
    }
    let atomics = atomics::paths(place, configuration);
    if !atomics.is_empty() {
        let paths = atomics.join(", ");
        let message =
            format!("invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: {paths}");
        return Err(Error { message });
    }
    let live = &as_decoded(live);
    if let Some(text) = validate::errors(place, live, options.duplicates) {
        return Err(Error { message: format!("failed to convert original object to typed object: {text}") });
    }
    Ok(merge::merge(place, live, configuration))
}

/// Whether a value nests no deeper than what the walks below go down.
fn nests_within(value: &Value, levels: usize) -> bool {
    let mut children: Box<dyn Iterator<Item = &Value>> = match value {
        Value::List(items) => Box::new(items.iter()),
        Value::Map(map) | Value::StringMap(map) => Box::new(map.values()),
        _ => return true,
    };
    levels > 0 && children.all(|child| nests_within(child, levels - 1))
}

/// The group, version and kind of an object as its accessors read them and Kubernetes prints them.
fn kind_text(object: &Value) -> String {
    let text = |key: &str| object.get(key).and_then(Value::as_str).unwrap_or("");
    let api_version = text("apiVersion");
    let mut parts = api_version.split('/');
    match (parts.next(), parts.next(), parts.next()) {
        // An `apiVersion` that cannot be read takes the kind with it.
        (_, _, Some(_)) => "/, Kind=".to_owned(),
        (Some(group), Some(version), None) => format!("{group}/{version}, Kind={}", text("kind")),
        _ => format!("/{api_version}, Kind={}", text("kind")),
    }
}

/// The object with the numbers that the API server decodes: an integer that no `int64` holds is a `float64`.
fn as_decoded(value: &Value) -> Value {
    fn has_uint(value: &Value) -> bool {
        match value {
            Value::Uint(_) => true,
            Value::List(items) => items.iter().any(has_uint),
            Value::Map(map) => map.values().any(has_uint),
            _ => false,
        }
    }
    fn rewritten(value: &Value) -> Value {
        match value {
            Value::Uint(number) => {
                i64::try_from(*number).map_or_else(|_| Value::Float(*number as f64), Value::Int)
            }
            Value::List(items) => Value::list(items.iter().map(rewritten)),
            Value::Map(map) => {
                Value::Map(Arc::new(map.iter().map(|(key, value)| (key.clone(), rewritten(value))).collect()))
            }
            value => value.clone(),
        }
    }
    if has_uint(value) { rewritten(value) } else { value.clone() }
}

#[cfg(test)]
mod tests;
