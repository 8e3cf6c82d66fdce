use convoy_value::Value;
use convoy_value::json::{Kind, Node};

/// The value that a Go program decodes: integers are `int64` (or `uint64`), numbers written with a point or an
/// exponent are `float64`.
pub(crate) fn value(node: &Node) -> Value {
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
