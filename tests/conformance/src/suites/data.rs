use convoy_value::Value;
use serde_json::Value as Json;

/// The value that a Go program decodes: integers are `int64` (or `uint64`), numbers written with a point or an
/// exponent are `float64`.
pub(crate) fn value(json: &Json) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(b) => Value::Bool(*b),
        Json::Number(number) => {
            let text = number.to_string();
            let int = text.parse().map(Value::Int);
            int.or_else(|_| text.parse().map(Value::Uint))
                .unwrap_or_else(|_| Value::Float(text.parse().unwrap_or(f64::NAN)))
        }
        Json::String(text) => Value::from(text.as_str()),
        Json::Array(items) => Value::list(items.iter().map(value)),
        Json::Object(map) => Value::map(map.iter().map(|(k, v)| (k.as_str(), value(v)))),
    }
}
