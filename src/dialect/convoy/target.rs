//! Which objects a target matches.

use convoy_value::Value;

use super::model::Target;
use crate::dialect::Identity;

/// What a target compares, in the order of [`super::TARGET_FIELDS`]: group, version, kind, name, namespace.
pub type Key<'a> = [&'a str; 5];

/// The key of a document.
pub fn key_of(identity: &Identity) -> Key<'_> {
    [
        identity.group(),
        identity.version(),
        identity.kind_text(),
        identity.name_text(),
        identity.namespace_text(),
    ]
}

/// The key of an object as it stands between two mutations.
pub fn key_of_value(value: &Value) -> Key<'_> {
    fn text<'a>(value: Option<&'a Value>, key: &str) -> &'a str {
        value.and_then(|value| value.get(key)?.as_str()).unwrap_or("")
    }
    let (whole, metadata) = (Some(value), value.get("metadata"));
    let api_version = text(whole, "apiVersion");
    let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
    [group, version, text(whole, "kind"), text(metadata, "name"), text(metadata, "namespace")]
}

/// Whether an object matches: an empty field matches all values, any other must be equal. An object without a
/// namespace never matches a target that names one.
pub fn matches(target: &Target, object: &Key<'_>) -> bool {
    first_difference(target, object).is_none()
}

/// The index in [`super::TARGET_FIELDS`] of the first field that differs.
pub fn first_difference(target: &Target, object: &Key<'_>) -> Option<usize> {
    (0..object.len()).find(|&i| target.values[i].as_ref().is_some_and(|wanted| wanted.text != object[i]))
}

/// How many fields of the target agree with the object, but for case: a measure of what was meant.
pub fn agreement(target: &Target, object: &Key<'_>) -> usize {
    (0..object.len())
        .filter(|&i| target.values[i].as_ref().is_some_and(|w| w.text.eq_ignore_ascii_case(object[i])))
        .count()
}
