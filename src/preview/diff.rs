//! Differences between an object before and after, for people and for rules.

use convoy_patch::pointer::escape;
use convoy_value::Value;
use similar::TextDiff;

/// A unified difference of the two objects as YAML, without a file header. Empty if they are equal.
pub fn unified(before: &Value, after: &Value, context: usize) -> String {
    if before == after {
        return String::new();
    }
    let (old, new) = (convoy_yaml::emit(before), convoy_yaml::emit(after));
    let diff = TextDiff::from_lines(&old, &new);
    diff.unified_diff().context_radius(context).to_string()
}

/// The JSON Pointers of the values that differ: the deepest ones, lists as a whole.
pub fn changed_pointers(before: &Value, after: &Value) -> Vec<String> {
    let mut out = Vec::new();
    compare(Some(before), Some(after), String::new(), &mut out);
    out
}

fn compare(before: Option<&Value>, after: Option<&Value>, pointer: String, out: &mut Vec<String>) {
    if before == after {
        return;
    }
    let (before_map, after_map) = (before.and_then(Value::as_map), after.and_then(Value::as_map));
    let empty = convoy_value::Map::new();
    match (before_map, after_map) {
        (None, None) => out.push(pointer),
        // A map that appears or goes counts by its members.
        (before_map, after_map) => {
            if (before_map.is_none() && before.is_some()) || (after_map.is_none() && after.is_some()) {
                out.push(pointer);
                return;
            }
            let (old, new) = (before_map.unwrap_or(&empty), after_map.unwrap_or(&empty));
            if old.is_empty() && new.is_empty() {
                out.push(pointer);
                return;
            }
            for (key, value) in old {
                compare(Some(value), new.get(key), format!("{pointer}/{}", escape(key)), out);
            }
            for (key, value) in new.iter().filter(|(key, _)| !old.contains_key(*key)) {
                compare(None, Some(value), format!("{pointer}/{}", escape(key)), out);
            }
        }
    }
}

/// The value at a JSON Pointer.
pub fn at<'a>(value: &'a Value, pointer: &str) -> Option<&'a Value> {
    convoy_patch::pointer::tokens(pointer).iter().try_fold(value, |here, token| match here {
        Value::List(items) => items.get(token.key.parse::<usize>().ok()?),
        here => here.get(&token.key),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_of_what_changed() {
        let before = Value::map([
            ("a", Value::map([("x/y", Value::Int(1)), ("same", Value::Int(2))])),
            ("l", Value::list([Value::Int(1)])),
            ("gone", Value::Bool(true)),
        ]);
        let after = Value::map([
            ("a", Value::map([("x/y", Value::Int(3)), ("same", Value::Int(2))])),
            ("l", Value::list([Value::Int(1), Value::Int(2)])),
            ("new", Value::map([("k", Value::from("v"))])),
        ]);
        assert_eq!(changed_pointers(&before, &after), ["/a/x~1y", "/l", "/gone", "/new/k"]);
        assert_eq!(at(&after, "/l/1"), Some(&Value::Int(2)));
        assert_eq!(unified(&before, &before, 3), "");
    }
}
