//! Values as text.

use std::sync::Arc;

use convoy_value::Value;
use convoy_value::go::format_float;

use super::{List, Map, Outcome, Val, duration, timestamp};
use crate::types::Type;

/// From this length on the text of a value is cut off. Nobody reads so much, and parts that are shared would be
/// written out again and again.
const MAX_TEXT: usize = 1 << 16;

/// What is still to be written. Lists and maps are gone through as they are written, since most of a large one is cut
/// off.
enum Piece {
    Text(&'static str),
    Val(Val),
    /// The elements from an index on.
    List(List, usize),
    /// The entries from an index on.
    Map(Map, usize),
    Native(Value),
    Natives(Arc<Vec<Value>>, usize),
    /// Entries in the order of their keys, and whether one stands before them.
    Entries(std::vec::IntoIter<(Arc<str>, Value)>, bool),
}

/// The text that cel-go puts into messages for a value (`%v` of the value in Go), cut off after 64 KiB.
///
/// It is not the text of an expression: strings stand without quotes, `null` is `0` (what it is in Go), bytes are
/// numbers, timestamps and durations are written as Go's package `time` does.
pub fn go_text(value: &Val) -> String {
    let mut text = String::new();
    let mut pending = vec![Piece::Val(value.clone())];
    while let Some(piece) = pending.pop() {
        write_piece(piece, &mut text, &mut pending);
        if text.len() > MAX_TEXT {
            cut(&mut text);
            break;
        }
    }
    text
}

/// Cuts a text off.
fn cut(text: &mut String) {
    let end = (0..=MAX_TEXT).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
    text.truncate(end);
}

/// Writes a piece, or of a list or map the next part.
fn write_piece(piece: Piece, text: &mut String, pending: &mut Vec<Piece>) {
    match piece {
        Piece::Text(part) => text.push_str(part),
        Piece::Val(value) => write_val(&value, text, pending),
        Piece::Native(value) => write_native(value, text, pending),
        Piece::List(list, index) => {
            let Some(item) = list.get(index) else { return text.push(']') };
            if index > 0 {
                text.push_str(", ");
            }
            // Elements of the input are printed as the Go values that they are there.
            let item = match &list {
                List::Native(items) => items.get(index).cloned().map(Piece::Native),
                List::Vals(_) => Some(Piece::Val(item)),
            };
            pending.push(Piece::List(list, index + 1));
            pending.extend(item);
        }
        Piece::Map(map, index) => {
            let Some((key, value)) = map.entry(index) else { return text.push('}') };
            if index > 0 {
                text.push_str(", ");
            }
            pending.extend([
                Piece::Map(map, index + 1),
                Piece::Val(value),
                Piece::Text(": "),
                Piece::Val(key),
            ]);
        }
        Piece::Natives(items, index) => {
            let Some(item) = items.get(index).cloned() else { return text.push(']') };
            if index > 0 {
                text.push(' ');
            }
            pending.extend([Piece::Natives(items, index + 1), Piece::Native(item)]);
        }
        Piece::Entries(mut entries, begun) => {
            let Some((key, value)) = entries.next() else { return text.push(']') };
            if begun {
                text.push(' ');
            }
            text.push_str(&key);
            text.push(':');
            pending.extend([Piece::Entries(entries, true), Piece::Native(value)]);
        }
    }
}

fn write_val(value: &Val, text: &mut String, pending: &mut Vec<Piece>) {
    match value {
        Val::Null => text.push('0'),
        Val::Bool(value) => text.push_str(if *value { "true" } else { "false" }),
        Val::Int(value) => text.push_str(&value.to_string()),
        Val::Uint(value) => text.push_str(&value.to_string()),
        Val::Double(value) => text.push_str(&format_float(*value, 'g', None, 64)),
        Val::String(value) => text.push_str(value),
        Val::Bytes(value) => write_bytes(value, text),
        Val::Duration(nanos) => text.push_str(&duration::go_text(*nanos)),
        Val::Timestamp(time) => text.push_str(&timestamp::go_text(time)),
        Val::List(list) => {
            text.push('[');
            pending.push(Piece::List(list.clone(), 0));
        }
        Val::Map(map) => {
            text.push('{');
            pending.push(Piece::Map(map.clone(), 0));
        }
        Val::Type(ty) => text.push_str(&go_type_text(ty)),
        Val::Optional(None) => text.push_str("optional.none()"),
        Val::Optional(Some(value)) => {
            text.push_str("optional(");
            pending.extend([Piece::Text(")"), Piece::Val((**value).clone())]);
        }
        // Opaque values such as addresses print as they convert to a string; there is no telling for messages.
        Val::Object(object) => match object.convert(&Type::String) {
            Some(Outcome::Ok(Val::String(value))) => text.push_str(&value),
            _ => text.push_str(object.ty().name()),
        },
    }
}

/// `%v` of a value that is no value of cel-go but one of Go, as in the maps and lists of an input.
fn write_native(value: Value, text: &mut String, pending: &mut Vec<Piece>) {
    match value {
        Value::Null => text.push_str("<nil>"),
        Value::List(items) => {
            text.push('[');
            pending.push(Piece::Natives(items, 0));
        }
        Value::Map(map) | Value::StringMap(map) => {
            text.push_str("map[");
            let mut keys: Vec<&Arc<str>> = map.keys().collect();
            // What is cut off need not be in order.
            if keys.len() > MAX_ENTRIES {
                keys.select_nth_unstable(MAX_ENTRIES);
                keys.truncate(MAX_ENTRIES);
            }
            keys.sort_unstable();
            let entries = keys.into_iter().filter_map(|key| Some((Arc::clone(key), map.get(key)?.clone())));
            pending.push(Piece::Entries(entries.collect::<Vec<_>>().into_iter(), false));
        }
        scalar => write_val(&Val::from(&scalar), text, pending),
    }
}

/// So many entries of a map are longer than the longest text: each has a colon and a value behind it.
const MAX_ENTRIES: usize = MAX_TEXT / 2;

fn write_bytes(bytes: &[u8], text: &mut String) {
    text.push('[');
    for (index, byte) in bytes.iter().take(MAX_TEXT).enumerate() {
        if index > 0 {
            text.push(' ');
        }
        text.push_str(&byte.to_string());
    }
    text.push(']');
}

/// The text that cel-go puts into messages for a type (`%v` or `%s` of a type in Go): `list(dyn)`, `wrapper(int)`,
/// `google.protobuf.Timestamp`.
pub fn go_type_text(ty: &Type) -> String {
    match ty {
        Type::Error => "error".to_owned(),
        Type::Param(name) => format!("<{name}>"),
        Type::Wrapper(of) => format!("wrapper({})", of.name()),
        Type::List(element) => format!("list({})", go_type_text(element)),
        Type::Map(both) => format!("map({}, {})", go_type_text(&both.0), go_type_text(&both.1)),
        Type::Type(Some(of)) => format!("type({})", go_type_text(of)),
        Type::Opaque(name, parameters) if !parameters.is_empty() => {
            let parameters: Vec<_> = parameters.iter().map(go_type_text).collect();
            format!("{name}({})", parameters.join(", "))
        }
        other => other.name().to_owned(),
    }
}

/// The name of the Go type of a value, which is what `%T` prints in messages: `types.Int`, `*types.baseList`.
pub fn go_type_name(value: &Val) -> &'static str {
    match value {
        Val::Null => "types.Null",
        Val::Bool(_) => "types.Bool",
        Val::Int(_) => "types.Int",
        Val::Uint(_) => "types.Uint",
        Val::Double(_) => "types.Double",
        Val::String(_) => "types.String",
        Val::Bytes(_) => "types.Bytes",
        Val::Duration(_) => "types.Duration",
        Val::Timestamp(_) => "types.Timestamp",
        Val::List(_) => "*types.baseList",
        Val::Map(Map::Vals(_) | Map::Native(_)) => "*types.baseMap",
        Val::Type(_) => "*types.Type",
        Val::Optional(_) => "*types.Optional",
        Val::Object(object) => match object.ty().name() {
            "net.IP" => "ext.IP",
            "net.CIDR" => "ext.CIDR",
            _ => "*types.protoObj",
        },
    }
}

#[cfg(test)]
mod tests {
    use super::super::Timestamp;
    use super::*;

    #[test]
    fn values_of_expressions() {
        let map = Map::from_entries([(Val::string("a"), Val::string("b"))]);
        let items = vec![
            Val::Int(1),
            Val::string("a"),
            Val::Bytes(Arc::from(*b"a\xff")),
            Val::Uint(2),
            Val::Null,
            Val::Type(Type::Int),
            Val::Duration(1_000_000_000),
            Val::Timestamp(Timestamp::utc(0, 0)),
            Val::Bool(true),
            Val::Optional(Some(Arc::new(Val::Int(1)))),
            Val::Map(map),
        ];
        assert_eq!(
            go_text(&Val::list(items)),
            "[1, a, [97 255], 2, 0, int, 1s, 1970-01-01 00:00:00 +0000 UTC, true, optional(1), {a: b}]"
        );
        let types = [
            Type::list(Type::Dyn),
            Type::map(Type::Dyn, Type::Dyn),
            Type::Type(None),
            Type::optional(Type::Dyn),
        ];
        let types = types.into_iter().chain([Type::Timestamp, Type::Null]).map(Val::Type).collect();
        assert_eq!(
            go_text(&Val::list(types)),
            "[list(dyn), map(dyn, dyn), type, optional_type(dyn), google.protobuf.Timestamp, null_type]"
        );
        assert_eq!(go_text(&Val::list(vec![Val::string(""), Val::Optional(None)])), "[, optional.none()]");
        assert_eq!(go_text(&Val::Double(1e21)), "1e+21");
    }

    #[test]
    fn values_of_an_input() {
        let mut inner = convoy_value::Map::new();
        inner.insert("z".into(), Value::Null);
        inner.insert("b".into(), Value::List(Arc::new(vec![Value::Int(1), Value::Float(2.5)])));
        let list = vec![Value::Map(Arc::new(inner)), Value::String("s".into()), Value::Null];
        let list = Val::from(&Value::List(Arc::new(list)));
        assert_eq!(go_text(&list), "[map[b:[1 2.5] z:<nil>], s, <nil>]");
        let mut map = convoy_value::Map::new();
        map.insert("n".into(), Value::Null);
        map.insert("l".into(), Value::List(Arc::new(vec![Value::Null])));
        assert_eq!(go_text(&Val::from(&Value::Map(Arc::new(map)))), "{n: 0, l: [<nil>]}");
    }

    #[test]
    fn a_long_text_is_cut_off() {
        let doubled = (0..60).fold(Val::string("\u{e9}x"), |inner, _| Val::list(vec![inner.clone(), inner]));
        let text = go_text(&doubled);
        assert!(text.len() <= MAX_TEXT && text.len() > MAX_TEXT - 4);
    }
}
