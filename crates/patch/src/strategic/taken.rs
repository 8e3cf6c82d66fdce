//! What is left of a value of the patch that stands where the object has none, or one of another type: nulls and
//! what has a directive go.

use std::sync::Arc;

use convoy_value::{Map, Value};

use super::PATCH;

/// What is left of a value.
pub(super) enum Taken {
    /// All of it.
    Same,
    /// Nothing: it has a directive.
    Dropped,
    /// This.
    Changed(Value),
}

impl Taken {
    /// What is left, if anything.
    pub(super) fn of(self, value: &Value) -> Option<Value> {
        match self {
            Taken::Same => Some(value.clone()),
            Taken::Dropped => None,
            Taken::Changed(value) => Some(value),
        }
    }
}

/// Takes a value of the patch: objects with `$patch` go, from lists too. Where `nulls_go`, the members that are null
/// go first, and a `$patch` that is null with them; the nulls among the items of a list stay.
pub(super) fn taken(value: &Value, nulls_go: bool) -> Taken {
    match value {
        Value::Map(map) | Value::StringMap(map) => {
            if map.get(PATCH).is_some_and(|directive| !nulls_go || *directive != Value::Null) {
                return Taken::Dropped;
            }
            let mut changed: Option<Map> = None;
            for (i, (key, member)) in map.iter().enumerate() {
                let left =
                    if nulls_go && *member == Value::Null { Taken::Dropped } else { taken(member, nulls_go) };
                if matches!(left, Taken::Same) && changed.is_none() {
                    continue;
                }
                let out = changed.get_or_insert_with(|| {
                    map.iter().take(i).map(|(key, member)| (key.clone(), member.clone())).collect()
                });
                if let Some(left) = left.of(member) {
                    out.insert(key.clone(), left);
                }
            }
            changed.map_or(Taken::Same, |map| Taken::Changed(Value::Map(Arc::new(map))))
        }
        Value::List(items) => {
            let mut changed: Option<Vec<Value>> = None;
            for (i, item) in items.iter().enumerate() {
                let left = taken(item, nulls_go);
                if matches!(left, Taken::Same) && changed.is_none() {
                    continue;
                }
                changed.get_or_insert_with(|| items[..i].to_vec()).extend(left.of(item));
            }
            changed.map_or(Taken::Same, |items| Taken::Changed(Value::List(Arc::new(items))))
        }
        _ => Taken::Same,
    }
}
