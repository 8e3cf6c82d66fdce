//! What is packed in a `google.protobuf.Any`: the wire format of protobuf, for the well-known types.

use std::sync::Arc;

use super::json::{self, MAX_DEPTH};
use super::message;
use super::well_known::{FieldInfo, FieldKind, fields};
use crate::value::{EvalError, Outcome, Val};

/// The message in an `Any` with this URL and these bytes.
pub(super) fn unpack(url: Option<&Val>, value: Option<&Val>) -> Outcome {
    let url: Arc<str> = match url {
        Some(Val::String(text)) => Arc::clone(text),
        _ => "".into(),
    };
    let bytes: Arc<[u8]> = match value {
        Some(Val::Bytes(bytes)) => Arc::clone(bytes),
        _ => Vec::new().into(),
    };
    let name = url.rsplit('/').next().unwrap_or_default();
    // An `Any` in an `Any` is not unpacked.
    let known = if name == "google.protobuf.Any" { None } else { fields(name) };
    let decoded = known.and_then(|known| Some((decode(&bytes, &known, 0)?, known)));
    match decoded {
        Some((values, known)) => message::finish(name, &known, values),
        None => Err(EvalError::new(format!(
            "unsupported conversion to ref.Val: (*dynamicpb.Message){}",
            [("type_url", url.as_bytes()), ("value", &bytes)]
                .iter()
                .filter(|(_, content)| !content.is_empty())
                .map(|(field, content)| format!("{field}:\"{}\"", escaped(content)))
                .collect::<Vec<_>>()
                .join(" ")
        ))),
    }
}

/// The values of the fields of a message; none if the bytes are none.
fn decode(bytes: &[u8], known: &[FieldInfo], depth: usize) -> Option<Vec<Option<Val>>> {
    if depth > MAX_DEPTH {
        return None;
    }
    let mut values: Vec<Option<Val>> = vec![None; known.len()];
    let (mut list, mut object) = (Vec::new(), Vec::new());
    // The fields of a value exclude each other.
    let exclusive = known.iter().any(|info| info.kind == FieldKind::JsonObject);
    let mut reader = Reader { rest: bytes };
    while !reader.rest.is_empty() {
        let tag = reader.varint()?;
        let raw = reader.raw(tag & 7)?;
        let index = usize::try_from((tag >> 3).checked_sub(1)?).ok()?;
        let Some(info) = known.get(index) else { continue };
        match (info.kind, raw) {
            (FieldKind::Values, Raw::Bytes(bytes)) => list.push(json_value(bytes, depth)?),
            (FieldKind::Fields, Raw::Bytes(bytes)) => object.push(json_entry(bytes, depth)?),
            (kind, raw) => {
                if let Some(value) = scalar(kind, raw, depth)? {
                    if exclusive {
                        values.fill(None);
                    }
                    *values.get_mut(index)? = Some(value);
                }
            }
        }
    }
    for (value, info) in values.iter_mut().zip(known) {
        match info.kind {
            FieldKind::Values => *value = Some(Val::list(std::mem::take(&mut list))),
            FieldKind::Fields => *value = Some(json::object(std::mem::take(&mut object))),
            _ => {}
        }
    }
    Some(values)
}

/// The value of a field; `Some(None)` if the bytes are of another kind than the field, which makes them unknown.
#[allow(clippy::option_option)]
fn scalar(kind: FieldKind, raw: Raw<'_>, depth: usize) -> Option<Option<Val>> {
    Some(match (kind, raw) {
        (FieldKind::Bool, Raw::Varint(value)) => Some(Val::Bool(value != 0)),
        (FieldKind::Int64, Raw::Varint(value)) => Some(Val::Int(value as i64)),
        (FieldKind::Int32 | FieldKind::Enum, Raw::Varint(value)) => Some(Val::Int(i64::from(value as i32))),
        (FieldKind::Uint64, Raw::Varint(value)) => Some(Val::Uint(value)),
        (FieldKind::Uint32, Raw::Varint(value)) => Some(Val::Uint(u64::from(value as u32))),
        (FieldKind::Double, Raw::Eight(bits)) => Some(Val::Double(f64::from_bits(bits))),
        (FieldKind::Float, Raw::Four(bits)) => Some(Val::Double(f64::from(f32::from_bits(bits)))),
        (FieldKind::String, Raw::Bytes(bytes)) => Some(Val::string(str::from_utf8(bytes).ok()?)),
        (FieldKind::Bytes, Raw::Bytes(bytes)) => Some(Val::Bytes(bytes.into())),
        (FieldKind::Json, Raw::Bytes(bytes)) => Some(json_value(bytes, depth)?),
        (FieldKind::JsonList, Raw::Bytes(bytes)) => {
            Some(json_message("google.protobuf.ListValue", bytes, depth)?)
        }
        (FieldKind::JsonObject, Raw::Bytes(bytes)) => {
            Some(json_message("google.protobuf.Struct", bytes, depth)?)
        }
        _ => None,
    })
}

fn json_value(bytes: &[u8], depth: usize) -> Option<Val> {
    json_message("google.protobuf.Value", bytes, depth)
}

fn json_message(name: &str, bytes: &[u8], depth: usize) -> Option<Val> {
    let known = fields(name)?;
    message::finish(name, &known, decode(bytes, &known, depth + 1)?).ok()
}

fn json_entry(bytes: &[u8], depth: usize) -> Option<(Arc<str>, Val)> {
    let known = fields("google.protobuf.Struct.FieldsEntry")?;
    let mut values = decode(bytes, &known, depth + 1)?.into_iter();
    let key = match values.next()? {
        Some(Val::String(key)) => key,
        _ => "".into(),
    };
    Some((key, values.next().flatten().unwrap_or(Val::Null)))
}

/// A field as the wire format has it.
enum Raw<'a> {
    Varint(u64),
    Eight(u64),
    Four(u32),
    Bytes(&'a [u8]),
}

struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    fn varint(&mut self) -> Option<u64> {
        let mut value = 0_u64;
        for shift in (0..64).step_by(7) {
            let (byte, rest) = self.rest.split_first()?;
            self.rest = rest;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (head, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(head)
    }

    fn raw(&mut self, wire_type: u64) -> Option<Raw<'a>> {
        Some(match wire_type {
            0 => Raw::Varint(self.varint()?),
            1 => Raw::Eight(u64::from_le_bytes(self.take(8)?.try_into().ok()?)),
            2 => {
                let length = usize::try_from(self.varint()?).ok()?;
                Raw::Bytes(self.take(length)?)
            }
            5 => Raw::Four(u32::from_le_bytes(self.take(4)?.try_into().ok()?)),
            _ => return None,
        })
    }
}

/// Bytes as the text format of protobuf writes them.
fn escaped(bytes: &[u8]) -> String {
    let mut out = String::new();
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\n' => out.push_str("\\n"),
                '\r' => out.push_str("\\r"),
                '\t' => out.push_str("\\t"),
                '"' | '\\' => out.extend(['\\', c]),
                '\0'..=' ' | '\u{7f}' if c != ' ' => out.push_str(&format!("\\x{:02x}", u32::from(c))),
                c => out.push(c),
            }
        }
        for byte in chunk.invalid() {
            out.push_str(&format!("\\x{byte:02x}"));
        }
    }
    out
}
