//! Values as Go programs decode them.

use std::sync::Arc;

use convoy_gotemplate::Val;
use convoy_value::Value;
use convoy_value::json::{Kind, Node};

/// The value that a Go program decodes: integers are `int64` (or `uint64`), numbers written with a point or an
/// exponent are `float64`.
pub fn value(node: &Node) -> Value {
    match &node.kind {
        Kind::Number(text) => {
            let int = text.parse().map(Value::Int);
            int.or_else(|_| text.parse().map(Value::Uint))
                .unwrap_or_else(|_| Value::Float(text.parse().unwrap_or(f64::NAN)))
        }
        Kind::Array(items) => Value::list(items.iter().map(value)),
        Kind::Object(members) => Value::map(members.iter().map(|m| (m.key.clone(), value(&m.value)))),
        _ => node.to_value(),
    }
}

/// The data of a template: a value of which the named members are `map[string]string`.
pub fn with_string_maps(data: &Value, names: &[&str]) -> Val {
    let Value::Map(map) = data else { return Val::from_value(data) };
    let typed = map.iter().map(|(key, value)| match value {
        Value::Map(inner) if names.contains(&&**key) => (key.clone(), Value::StringMap(inner.clone())),
        value => (key.clone(), value.clone()),
    });
    Val::Map(Arc::new(typed.collect()))
}
