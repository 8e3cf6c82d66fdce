//! What a list loses when another one takes its place.

use std::collections::hash_map::DefaultHasher;
use std::collections::{HashMap, HashSet};
use std::hash::{Hash, Hasher};

use convoy_value::Value;

use super::text::Scalar;

/// How many items of a list are not in another. An object that the other list has by its name, as
/// `volumeClaimTemplates` do, is there in another form.
pub(super) fn count(before: &[Value], after: &[Value]) -> usize {
    let mut there: HashMap<u64, usize> = HashMap::new();
    for item in after {
        *there.entry(digest(item)).or_default() += 1;
    }
    let named: HashSet<&str> = after.iter().filter_map(object_name).collect();
    before
        .iter()
        .filter(|item| object_name(item).is_none_or(|name| !named.contains(name)))
        .filter(|item| match there.get_mut(&digest(item)) {
            Some(count) if *count > 0 => {
                *count -= 1;
                false
            }
            _ => true,
        })
        .count()
}

/// The name of an item that is an object of its own.
fn object_name(item: &Value) -> Option<&str> {
    item.at(["metadata", "name"])?.as_str()
}

/// A number that equal values share, whatever the order of their keys.
fn digest(value: &Value) -> u64 {
    let mut hasher = DefaultHasher::new();
    match value {
        Value::List(items) => items.iter().for_each(|item| digest(item).hash(&mut hasher)),
        Value::Map(map) | Value::StringMap(map) => {
            let members = map.iter().map(|(key, value)| {
                let mut hasher = DefaultHasher::new();
                (key, digest(value)).hash(&mut hasher);
                hasher.finish()
            });
            (members.fold(0, u64::wrapping_add), 1).hash(&mut hasher);
        }
        scalar => Scalar::of(scalar).hash(&mut hasher),
    }
    hasher.finish()
}
