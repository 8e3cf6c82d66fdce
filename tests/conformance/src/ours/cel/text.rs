//! Types and values of CEL in the encoding of the conformance cases.

use std::fmt::Write as _;

use convoy_cel::types::Type;
use convoy_cel::value::{Map, Timestamp, Val};
use convoy_value::json::{Kind, Node};

const NANOS: i64 = 1_000_000_000;

/// Reads a type: `"int"`, `["map","string","int"]`, `["abs","optional_type","int"]`, `["param","T"]`.
///
/// # Errors
///
/// A type that there is not.
pub fn parse_type(node: &Node) -> Result<Type, String> {
    if let Kind::String(name) = &node.kind {
        return Ok(match &**name {
            "any" => Type::Any,
            "bool" => Type::Bool,
            "bytes" => Type::Bytes,
            "double" => Type::Double,
            "duration" => Type::Duration,
            "dyn" => Type::Dyn,
            "int" => Type::Int,
            "null" => Type::Null,
            "string" => Type::String,
            "timestamp" => Type::Timestamp,
            "type" => Type::Type(None),
            "uint" => Type::Uint,
            other => return Err(format!("unknown type {other}")),
        });
    }
    let parts = elements(node)?;
    let text = |at: usize| parts.get(at).and_then(string).ok_or("a type without a name");
    let inner = |from: usize| parts.iter().skip(from).map(parse_type).collect::<Result<Vec<_>, _>>();
    let one = || inner(1)?.into_iter().next().ok_or_else(|| "a type lacks its parameter".to_owned());
    Ok(match text(0)? {
        "list" => Type::list(one()?),
        "map" => match <[Type; 2]>::try_from(inner(1)?) {
            Ok([key, value]) => Type::map(key, value),
            Err(_) => return Err("a map has two parameters".to_owned()),
        },
        "wrapper" => Type::wrapper(one()?),
        "type" => Type::Type(None),
        "abs" => Type::opaque(text(1)?, inner(2)?),
        "param" => Type::param(text(1)?),
        "object" => Type::Struct(text(1)?.into()),
        other => return Err(format!("unknown kind of type {other}")),
    })
}

/// The type as Go's `Type.String` writes it, which is not how messages of the checker do.
pub fn of_type(ty: &Type) -> String {
    let with = |name: &str, parameters: &[Type]| {
        if parameters.is_empty() {
            return name.to_owned();
        }
        format!("{name}({})", parameters.iter().map(of_type).collect::<Vec<_>>().join(", "))
    };
    match ty {
        Type::Wrapper(of) => format!("wrapper({})", of_type(of)),
        Type::List(element) => with("list", std::slice::from_ref(element)),
        Type::Map(both) => with("map", &[both.0.clone(), both.1.clone()]),
        Type::Type(Some(of)) => with("type", std::slice::from_ref(of)),
        Type::Opaque(name, parameters) => with(name, parameters),
        Type::Param(name) => format!("<{name}>"),
        other => other.name().to_owned(),
    }
}

/// Reads a value: `["int","3"]`, `["list",[…]]` and so on.
///
/// # Errors
///
/// A value that there is not.
pub fn parse_value(node: &Node) -> Result<Val, String> {
    let parts = elements(node)?;
    let kind = parts.first().and_then(string).ok_or("a value without a kind")?;
    let content =
        |at: usize| parts.get(at).ok_or_else(|| format!("a value of kind {kind} lacks its content"));
    let text = |at: usize| content(at).map(scalar);
    let int = |at: usize| text(at)?.parse::<i64>().map_err(|error| error.to_string());
    Ok(match kind {
        "null" => Val::Null,
        "bool" => Val::Bool(text(1)? == "true"),
        "int" => Val::Int(int(1)?),
        "uint" => Val::Uint(text(1)?.parse().map_err(|_| "not a uint")?),
        "double" => Val::Double(f64::from_bits(text(1)?.parse().map_err(|_| "not the bits of a double")?)),
        "string" => Val::string(text(1)?),
        "bytes" => Val::Bytes(bytes(&text(1)?)?.into()),
        "ts" => Val::Timestamp(Timestamp::utc(int(1)?, int(2)?.try_into().unwrap_or(0))),
        "dur" => Val::Duration(int(1)?.saturating_mul(NANOS).saturating_add(int(2)?)),
        "opt" => match parts.get(1) {
            Some(inner) => Val::Optional(Some(parse_value(inner)?.into())),
            None => Val::Optional(None),
        },
        "list" => Val::list(elements(content(1)?)?.iter().map(parse_value).collect::<Result<_, _>>()?),
        "map" => {
            let mut entries = Vec::new();
            for entry in elements(content(1)?)? {
                let [key, value] = elements(entry)? else { return Err("an entry has two parts".to_owned()) };
                entries.push((parse_value(key)?, parse_value(value)?));
            }
            Val::Map(Map::from_entries(entries))
        }
        other => return Err(format!("unknown kind of value {other}")),
    })
}

/// The value as text, with the entries of maps in the order of their text; none for a value of more than a million
/// parts or bytes, since a short expression can share one list so often that its text has no end.
pub fn of_value(value: &Val) -> Option<String> {
    Writer { left: 1 << 20 }.value(value)
}

struct Writer {
    left: usize,
}

impl Writer {
    fn simple(&mut self, kind: &str, content: &str) -> Option<String> {
        self.left = self.left.checked_sub(content.len())?;
        Some(format!("[{},{}]", quoted(kind), quoted(content)))
    }

    fn value(&mut self, value: &Val) -> Option<String> {
        self.left = self.left.checked_sub(1)?;
        match value {
            Val::Null => Some("[\"null\"]".to_owned()),
            Val::Bool(value) => Some(format!("[\"bool\",{value}]")),
            Val::Int(value) => self.simple("int", &value.to_string()),
            Val::Uint(value) => self.simple("uint", &value.to_string()),
            Val::Double(value) => self.simple("double", &double(value.to_bits())),
            Val::String(text) => self.simple("string", text),
            Val::Bytes(bytes) => {
                let mut hex = String::with_capacity(2 * bytes.len());
                for byte in bytes.iter() {
                    let _ = write!(hex, "{byte:02x}");
                }
                self.simple("bytes", &hex)
            }
            Val::Timestamp(at) => Some(format!("[\"ts\",\"{}\",\"{}\"]", at.seconds, at.nanos)),
            Val::Duration(nanos) => Some(format!("[\"dur\",\"{}\",\"{}\"]", nanos / NANOS, nanos % NANOS)),
            Val::List(list) => {
                let items: Option<Vec<String>> = list.iter().map(|item| self.value(&item)).collect();
                Some(format!("[\"list\",[{}]]", items?.join(",")))
            }
            Val::Map(map) => {
                let mut pair =
                    |(key, value)| Some(format!("[{},{}]", self.value(&key)?, self.value(&value)?));
                map.iter().map(&mut pair).collect::<Option<_>>().map(of_entries)
            }
            Val::Type(ty) => self.simple("type", ty.name()),
            Val::Optional(None) => Some("[\"opt\"]".to_owned()),
            Val::Optional(Some(inner)) => Some(format!("[\"opt\",{}]", self.value(inner)?)),
            Val::Object(object) => {
                let ty = object.ty();
                match object.convert(&Type::String) {
                    Some(Ok(Val::String(text))) => {
                        Some(format!("[\"abs\",{},{}]", quoted(ty.name()), quoted(&text)))
                    }
                    _ => self.simple("abs", ty.name()),
                }
            }
        }
    }
}

/// A value of a case in the form of [`of_value`].
pub fn canonical(node: &Node) -> String {
    match &node.kind {
        Kind::Array(parts) => match &parts[..] {
            [Node { kind: Kind::String(kind), .. }, bits] if &**kind == "double" => {
                let bits = scalar(bits);
                let content = bits.parse().map_or(bits, double);
                format!("[{},{}]", quoted(kind), quoted(&content))
            }
            [Node { kind: Kind::String(kind), .. }, Node { kind: Kind::Array(entries), .. }]
                if &**kind == "map" =>
            {
                of_entries(entries.iter().map(canonical).collect())
            }
            parts => format!("[{}]", parts.iter().map(canonical).collect::<Vec<_>>().join(",")),
        },
        Kind::Bool(value) => value.to_string(),
        // Seconds and nanoseconds of some cases are numbers.
        _ => quoted(&scalar(node)),
    }
}

/// The bits of a double. Which of the many NaN it is depends on the processor.
fn double(bits: u64) -> String {
    if f64::from_bits(bits).is_nan() { "NaN".to_owned() } else { bits.to_string() }
}

fn of_entries(mut entries: Vec<String>) -> String {
    entries.sort();
    format!("[\"map\",[{}]]", entries.join(","))
}

/// A JSON string. Both sides of a comparison are written by it, so that its choice of escapes does not matter.
fn quoted(text: &str) -> String {
    format!("{text:?}")
}

fn elements(node: &Node) -> Result<&[Node], String> {
    match &node.kind {
        Kind::Array(parts) => Ok(parts),
        _ => Err("not a list".to_owned()),
    }
}

fn string(node: &Node) -> Option<&str> {
    match &node.kind {
        Kind::String(text) => Some(text),
        _ => None,
    }
}

fn scalar(node: &Node) -> String {
    match &node.kind {
        Kind::String(text) => text.to_string(),
        Kind::Number(text) => text.to_string(),
        Kind::Bool(value) => value.to_string(),
        _ => String::new(),
    }
}

fn bytes(hex: &str) -> Result<Vec<u8>, String> {
    let digit = |byte: &u8| (*byte as char).to_digit(16).ok_or_else(|| "not hexadecimal".to_owned());
    hex.as_bytes()
        .chunks(2)
        .map(|pair| match pair {
            [high, low] => Ok((digit(high)? * 16 + digit(low)?) as u8),
            _ => Err("half a byte".to_owned()),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use convoy_value::json;

    use super::*;

    fn node(text: &str) -> Node {
        json::parse(text).unwrap()
    }

    #[test]
    fn values_come_back_as_they_were() {
        for text in [
            r#"["null"]"#,
            r#"["bool",true]"#,
            r#"["int","-3"]"#,
            r#"["uint","18446744073709551615"]"#,
            r#"["double","9221120237041090561"]"#,
            r#"["string","a\"b"]"#,
            r#"["bytes","00ff"]"#,
            r#"["ts","-1","999999999"]"#,
            r#"["dur","-1","-5"]"#,
            r#"["opt"]"#,
            r#"["opt",["int","1"]]"#,
            r#"["list",[["int","1"],["list",[]]]]"#,
            r#"["map",[[["string","b"],["int","1"]],[["string","a"],["map",[]]]]]"#,
        ] {
            let value = parse_value(&node(text)).unwrap();
            assert_eq!(of_value(&value).unwrap(), canonical(&node(text)), "{text}");
        }
    }

    #[test]
    fn entries_of_maps_have_an_order() {
        let (a, b) = (r#"["map",[[["int","2"],["null"]],[["int","1"],["null"]]]]"#, r#"["int","1"]"#);
        assert!(canonical(&node(a)).starts_with(&format!("[\"map\",[[{b}")));
        assert_eq!(canonical(&node(r#"["ts",1,2]"#)), r#"["ts","1","2"]"#);
    }

    #[test]
    fn types_are_read_and_written() {
        for (text, written) in [
            (r#""int""#, "int"),
            (r#""null""#, "null_type"),
            (r#""timestamp""#, "google.protobuf.Timestamp"),
            (r#"["map","string",["list","dyn"]]"#, "map(string, list(dyn))"),
            (r#"["abs","optional_type","int"]"#, "optional_type(int)"),
            (r#"["abs","tuple",["param","T"]]"#, "tuple(<T>)"),
            (r#"["wrapper","int"]"#, "wrapper(int)"),
        ] {
            assert_eq!(of_type(&parse_type(&node(text)).unwrap()), written);
        }
        assert!(parse_type(&node(r#""nothing""#)).is_err());
    }
}
