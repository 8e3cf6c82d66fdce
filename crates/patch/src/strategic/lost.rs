//! What a list loses when another one takes its place.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use convoy_value::Value;

use super::text::Scalar;

/// How many items of a list are not in another.
pub(super) fn count(before: &[Value], after: &[Value]) -> usize {
    let mut there: HashMap<u64, usize> = HashMap::new();
    for item in after {
        *there.entry(digest(item)).or_default() += 1;
    }
    before
        .iter()
        .filter(|item| match there.get_mut(&digest(item)) {
            Some(count) if *count > 0 => {
                *count -= 1;
                false
            }
            _ => true,
        })
        .count()
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
