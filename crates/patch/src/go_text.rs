//! Values as the texts of errors print them: with `%v`, `%s`, `%#v` and `%T` of Go.

use std::fmt::Write as _;

use convoy_value::{Map, Value, go};

/// A value with `%v`.
pub(crate) fn shown(value: &Value) -> String {
    let mut out = String::new();
    write_value(&mut out, value, 'v');
    out
}

/// The items of a list with `%v`.
pub(crate) fn shown_list(items: &[Value]) -> String {
    let mut out = String::new();
    write_list(&mut out, items, 'v');
    out
}

/// A value behind a type of structured-merge-diff, with `%v`.
pub(crate) fn wrapped(value: &Value) -> String {
    format!("&{{{}}}", shown(value))
}

/// The same with `%#v`.
pub(crate) fn in_syntax(value: &Value) -> String {
    let mut out = String::from("&value.valueUnstructured{Value:");
    write_syntax(&mut out, value);
    out.push('}');
    out
}

/// The Go type of a value, with `%T`.
pub(crate) fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "<nil>",
        Value::Bool(_) => "bool",
        Value::Int(_) => "int64",
        Value::Uint(_) => "uint64",
        Value::Float(_) => "float64",
        Value::String(_) => "string",
        Value::Bytes(_) => "[]uint8",
        Value::List(_) => "[]interface {}",
        Value::Map(_) | Value::StringMap(_) => "map[string]interface {}",
    }
}

/// The members in the order in which Go prints maps.
fn sorted(map: &Map) -> Vec<(&str, &Value)> {
    let mut members: Vec<(&str, &Value)> = map.iter().map(|(key, value)| (&**key, value)).collect();
    members.sort_unstable_by_key(|(key, _)| *key);
    members
}

/// Writes a value with the verb `v` or `s`. The latter takes texts alone, and says so of everything else.
pub(crate) fn write_value(out: &mut String, value: &Value, verb: char) {
    let scalar = match value {
        Value::Null => return out.push_str("<nil>"),
        Value::String(text) => return out.push_str(text),
        Value::List(items) => return write_list(out, items, verb),
        Value::Map(map) | Value::StringMap(map) => return write_map(out, map, verb),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Uint(value) => value.to_string(),
        Value::Float(value) => go::format_float(*value, 'g', None, 64),
        Value::Bytes(bytes) => {
            let numbers: Vec<String> = bytes.iter().map(u8::to_string).collect();
            format!("[{}]", numbers.join(" "))
        }
    };
    if verb == 's' {
        // Writing into a text never fails.
        let _ = write!(out, "%!s({}={scalar})", type_name(value));
    } else {
        out.push_str(&scalar);
    }
}

fn write_list(out: &mut String, items: &[Value], verb: char) {
    out.push('[');
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            out.push(' ');
        }
        write_value(out, item, verb);
    }
    out.push(']');
}

/// Writes a map with its members in the order in which Go prints them.
pub(crate) fn write_map(out: &mut String, map: &Map, verb: char) {
    out.push_str("map[");
    for (i, (key, value)) in sorted(map).into_iter().enumerate() {
        if i > 0 {
            out.push(' ');
        }
        out.push_str(key);
        out.push(':');
        write_value(out, value, verb);
    }
    out.push(']');
}

fn write_syntax(out: &mut String, value: &Value) {
    // Writing into a text never fails.
    let _ = match value {
        Value::Null => write!(out, "interface {{}}(nil)"),
        Value::Bool(value) => write!(out, "{value}"),
        Value::Int(value) => write!(out, "{value}"),
        Value::Uint(value) => write!(out, "0x{value:x}"),
        Value::Float(value) => write!(out, "{}", go::format_float(*value, 'g', None, 64)),
        Value::String(value) => write!(out, "{}", go::quote(value.as_bytes())),
        Value::Bytes(bytes) => {
            let numbers: Vec<String> = bytes.iter().map(|byte| format!("0x{byte:x}")).collect();
            write!(out, "[]uint8{{{}}}", numbers.join(", "))
        }
        Value::List(items) => {
            out.push_str("[]interface {}{");
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    out.push_str(", ");
                }
                write_syntax(out, item);
            }
            out.push('}');
            Ok(())
        }
        Value::Map(map) | Value::StringMap(map) => {
            out.push_str("map[string]interface {}{");
            for (i, (key, value)) in sorted(map).into_iter().enumerate() {
                if i > 0 {
                    out.push_str(", ");
                }
                out.push_str(&go::quote(key.as_bytes()));
                out.push(':');
                write_syntax(out, value);
            }
            out.push('}');
            Ok(())
        }
    };
}
