//! What tells the items of a list apart.

use convoy_kube::check::Key;
use convoy_kube::{ListKind, Typed};
use convoy_patch::pointer::escape;
use convoy_value::{Value, go, json};

/// The key that a strategic merge tells the items of a list apart by, if it merges the list.
pub(in crate::rule) fn merge_key(list: Typed<'_>) -> Option<&str> {
    list.ty.patch_merge_key.as_deref().filter(|_| list.ty.patch_strategy.merge)
}

/// What an item is called: its keys by the type of the list, else its name; a scalar is called by its value.
pub(in crate::rule) fn identity(item: &Value, list: Option<Typed<'_>>) -> Option<String> {
    if item.as_map().is_none() {
        let scalar = !matches!(item, Value::List(_) | Value::Null);
        return scalar.then(|| shown(item));
    }
    let keys: Vec<&str> = match list {
        Some(list) if merge_key(list).is_some() => merge_key(list).into_iter().collect(),
        Some(list) => match &list.ty.list {
            ListKind::Map(keys) => keys.iter().map(|key| &**key).collect(),
            _ => vec!["name"],
        },
        None => vec!["name"],
    };
    let values: Vec<String> = keys.iter().filter_map(|key| item.get(key).map(shown)).collect();
    // The items of `volumeClaimTemplates` are objects of their own.
    if values.is_empty() && keys == ["name"] {
        return item.at(["metadata", "name"]).map(shown);
    }
    (!values.is_empty()).then(|| values.join("/"))
}

/// Keys as a JSON Pointer.
pub(in crate::rule) fn pointer<'a>(keys: impl Iterator<Item = &'a str>) -> String {
    keys.fold(String::new(), |pointer, key| pointer + "/" + &escape(key))
}

/// The same of a path of an object.
pub(in crate::rule) fn pointer_of(path: &[Key]) -> String {
    path.iter().fold(String::new(), |pointer, key| match key {
        Key::Name(name) => pointer + "/" + &escape(name),
        Key::Index(index) => pointer + "/" + &index.to_string(),
    })
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) if !text.is_empty() && text.len() < 60 => text.to_string(),
        Value::String(text) => {
            let start: String = text.chars().take(40).collect();
            go::quote(start.as_bytes())
        }
        other => json::write(other, json::KeyOrder::Sorted).unwrap_or_default(),
    }
}
