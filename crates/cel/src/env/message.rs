//! Making messages of the well-known types.

use std::any::Any;
use std::sync::Arc;

use super::json::{self, Json, Misfit, inside, misfit};
use super::well_known::{FieldInfo, FieldKind};
use super::wire;
use crate::types::Type;
use crate::value::convert::convert;
use crate::value::equal::equal;
use crate::value::show::go_type_text;
use crate::value::{EvalError, List, Map, Object, Outcome, Timestamp, Val};

/// A message that no built-in type stands for: `google.protobuf.Empty` or an entry of a `google.protobuf.Struct`.
#[derive(Debug)]
pub(super) struct Message {
    name: Arc<str>,
    known: Vec<FieldInfo>,
    /// The values of the fields that are set.
    values: Vec<Option<Val>>,
    /// How many values it is made of.
    weight: usize,
}

impl Message {
    fn index(&self, field: &str) -> Option<usize> {
        self.known.iter().position(|info| info.name == field)
    }

    /// Whether a field is set, as proto3 has it: a string is set if it is not empty.
    fn set(&self, index: usize) -> Option<&Val> {
        let value = self.values.get(index)?.as_ref()?;
        (!matches!(value, Val::String(text) if text.is_empty() && self.known.get(index)?.kind == FieldKind::String))
            .then_some(value)
    }

    /// The message as a JSON object.
    pub(super) fn json(&self) -> Val {
        let set = self
            .known
            .iter()
            .enumerate()
            .filter_map(|(index, info)| Some((info.name, self.set(index)?.clone())));
        json::object(set.map(|(name, value)| (name.into(), value)))
    }
}

impl Object for Message {
    fn ty(&self) -> Type {
        Type::Struct(Arc::clone(&self.name))
    }

    fn equals(&self, other: &Val) -> bool {
        let Val::Object(other) = other else { return false };
        let Some(other) = other.as_any().downcast_ref::<Message>() else { return false };
        self.name == other.name
            && (0..self.known.len()).all(|index| match (self.set(index), other.set(index)) {
                (Some(left), Some(right)) => equal(left, right),
                (left, right) => left.is_none() && right.is_none(),
            })
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn weight(&self) -> usize {
        self.weight
    }

    fn field(&self, name: &str) -> Option<Val> {
        let index = self.index(name)?;
        let kind = self.known.get(index)?.kind;
        Some(self.values.get(index).cloned().flatten().unwrap_or_else(|| default(kind)))
    }

    fn has_field(&self, name: &str) -> Option<bool> {
        Some(self.set(self.index(name)?).is_some())
    }

    fn is_zero(&self) -> bool {
        (0..self.known.len()).all(|index| self.set(index).is_none())
    }
}

/// A message of a type that has these fields.
pub(super) fn construct(ty: &str, known: &[FieldInfo], values: Vec<(Arc<str>, Val)>) -> Outcome {
    let mut fields: Vec<Option<Val>> = vec![None; known.len()];
    for (name, value) in values {
        let found = known.iter().enumerate().find(|(_, info)| info.name == &*name);
        let Some((index, info)) = found else {
            return Err(EvalError::new(format!("no such field: {name}")));
        };
        let value = field_value(ty, *info, &value)?;
        if ty == "google.protobuf.Value" {
            // The fields exclude each other.
            fields.fill(None);
        }
        if let Some(slot) = fields.get_mut(index) {
            *slot = Some(value);
        }
    }
    finish(ty, known, fields)
}

/// What a field holds after a value was put into it.
fn field_value(ty: &str, info: FieldInfo, value: &Val) -> Outcome {
    let held = match (info.kind, value) {
        (FieldKind::Values, Val::List(list)) => Json::new().list(list),
        (FieldKind::Fields, Val::Map(map)) => Json::new().object(map),
        (FieldKind::Values | FieldKind::Fields, value) => {
            let found = go_type_text(&value.ty());
            return Err(EvalError::new(format!("unsupported field type for {ty}.{}: {found}", info.name)));
        }
        (kind, value) => scalar(kind, inside(value)),
    };
    held.map_err(|misfit| match misfit {
        Misfit::Text(text) => {
            EvalError::new(format!("field type conversion error for {ty}.{} value type: {text}", info.name))
        }
        Misfit::Error(error) => error,
    })
}

fn scalar(kind: FieldKind, value: &Val) -> Result<Val, Misfit> {
    let int32 = |value: &i64| {
        let fits = i32::try_from(*value).is_ok();
        if fits { Ok(Val::Int(*value)) } else { Err(Misfit::Text("integer overflow".to_owned())) }
    };
    match (kind, value) {
        (FieldKind::Bool, Val::Bool(_))
        | (FieldKind::Bytes, Val::Bytes(_))
        | (FieldKind::Double, Val::Double(_))
        | (FieldKind::Int64, Val::Int(_))
        | (FieldKind::String, Val::String(_))
        | (FieldKind::Uint64, Val::Uint(_)) => Ok(value.clone()),
        (FieldKind::Float, Val::Double(value)) => Ok(Val::Double(f64::from(*value as f32))),
        (FieldKind::Int32 | FieldKind::Enum, Val::Int(value)) => int32(value),
        (FieldKind::Uint32, Val::Uint(value)) => match u32::try_from(*value) {
            Ok(_) => Ok(Val::Uint(*value)),
            Err(_) => Err(Misfit::Text("unsigned integer overflow".to_owned())),
        },
        (FieldKind::Bytes, Val::List(list)) => byte_list(list),
        (FieldKind::Json, value) => Json::new().value(value),
        (FieldKind::JsonList, Val::List(list)) => Json::new().list(list),
        (FieldKind::JsonObject, Val::Map(map)) => Json::new().object(map),
        (FieldKind::JsonList, Val::Map(map)) => go_list(map),
        (FieldKind::JsonList | FieldKind::JsonObject, Val::Object(object))
            if object.as_any().is::<Message>() =>
        {
            let wanted = if kind == FieldKind::JsonList { "ListValue" } else { "Struct" };
            Err(Misfit::Text(format!(
                "type conversion error: pb.Merge() arguments must be the same type. got: google.protobuf.{wanted}, {}",
                object.ty().name()
            )))
        }
        (kind, value) => Err(misfit(value, go_type(kind))),
    }
}

/// The Go type of a field, which errors name.
fn go_type(kind: FieldKind) -> &'static str {
    match kind {
        FieldKind::Bool => "bool",
        FieldKind::Bytes => "[]uint8",
        FieldKind::Double => "float64",
        FieldKind::Enum => "protoreflect.EnumNumber",
        FieldKind::Float => "float32",
        FieldKind::Int32 => "int32",
        FieldKind::Int64 => "int64",
        FieldKind::JsonList => "*structpb.ListValue",
        FieldKind::JsonObject => "*structpb.Struct",
        FieldKind::Json => "*structpb.Value",
        FieldKind::String => "string",
        FieldKind::Uint32 => "uint32",
        FieldKind::Uint64 => "uint64",
        FieldKind::Values => "[]*structpb.Value",
        FieldKind::Fields => "map[string]*structpb.Value",
    }
}

/// A list of small unsigned numbers as bytes.
fn byte_list(list: &List) -> Result<Val, Misfit> {
    let mut bytes = Vec::with_capacity(list.len());
    for item in list.iter() {
        match inside(&item) {
            Val::Uint(value) => match u8::try_from(*value) {
                Ok(byte) => bytes.push(byte),
                Err(_) => return Err(Misfit::Text("unsigned integer overflow".to_owned())),
            },
            other => return Err(misfit(other, "uint8")),
        }
    }
    Ok(Val::Bytes(bytes.into()))
}

/// A map as the Go struct of a `google.protobuf.ListValue`, whose only field is `Values`.
fn go_list(map: &Map) -> Result<Val, Misfit> {
    let mut values = Val::list(Vec::new());
    for (key, value) in map.iter() {
        let name = convert(&key, &Type::String).map_err(|error| Misfit::Text(error.message().to_owned()))?;
        let name = upper_camel_case(name.as_str().unwrap_or_default());
        if name != "Values" {
            let text = format!("type conversion error, no such field '{name}' in type 'structpb.ListValue'");
            return Err(Misfit::Text(text));
        }
        values = match inside(&value) {
            Val::List(list) => Json::new().list(list)?,
            other => return Err(misfit(other, "[]*structpb.Value")),
        };
    }
    Ok(values)
}

/// The name of a field in Go.
fn upper_camel_case(name: &str) -> String {
    let delimiter = |c| c == '_' || c == '-';
    let mut out = String::with_capacity(name.len());
    let mut before: Option<char> = None;
    for c in name.trim().chars() {
        match before {
            _ if delimiter(c) => {}
            Some(before) if !delimiter(before) => {
                if before.is_ascii_lowercase() {
                    out.push(c);
                } else {
                    out.extend(c.to_lowercase());
                }
            }
            _ => out.extend(c.to_uppercase()),
        }
        before = Some(c);
    }
    out
}

/// The value of a field that is not set.
fn default(kind: FieldKind) -> Val {
    match kind {
        FieldKind::Bool => Val::Bool(false),
        FieldKind::Bytes => Val::Bytes(Vec::new().into()),
        FieldKind::Double | FieldKind::Float => Val::Double(0.0),
        FieldKind::Enum | FieldKind::Int32 | FieldKind::Int64 => Val::Int(0),
        FieldKind::JsonList | FieldKind::Values => Val::list(Vec::new()),
        FieldKind::JsonObject | FieldKind::Fields => json::object([]),
        FieldKind::Json => Val::Null,
        FieldKind::String => Val::string(""),
        FieldKind::Uint32 | FieldKind::Uint64 => Val::Uint(0),
    }
}

/// The value that a message of a well-known type is, from the values of its fields.
pub(super) fn finish(ty: &str, known: &[FieldInfo], mut fields: Vec<Option<Val>>) -> Outcome {
    let int = |index: usize| match fields.get(index) {
        Some(Some(Val::Int(value))) => *value,
        _ => 0,
    };
    Ok(match ty.strip_prefix("google.protobuf.").unwrap_or(ty) {
        "Duration" => Val::Duration(duration(int(0), int(1))),
        "Timestamp" => {
            let (seconds, nanos) = (int(0), int(1));
            let nanos_of_second = u32::try_from(nanos.rem_euclid(1_000_000_000)).unwrap_or(0);
            let seconds = seconds.wrapping_add(nanos.div_euclid(1_000_000_000));
            Val::Timestamp(Timestamp::utc(seconds, nanos_of_second))
        }
        "Value" => {
            let set = fields.iter().zip(known).find_map(|(value, info)| Some((value.as_ref()?, info.kind)));
            match set {
                Some((_, FieldKind::Enum)) | None => Val::Null,
                Some((value, _)) => value.clone(),
            }
        }
        "Any" => {
            let text = |index: usize| fields.get(index).cloned().flatten();
            return wire::unpack(text(0).as_ref(), text(1).as_ref());
        }
        "Empty" | "Struct.FieldsEntry" => {
            let weight = weight(&fields);
            Val::Object(Arc::new(Message { name: ty.into(), known: known.to_vec(), values: fields, weight }))
        }
        // Wrappers, lists and objects are their only field.
        _ => match (fields.pop().flatten(), known.first()) {
            (Some(value), _) => value,
            (None, Some(info)) => default(info.kind),
            (None, None) => Val::Null,
        },
    })
}

/// How many values these are, with those inside.
fn weight(fields: &[Option<Val>]) -> usize {
    let mut weight = 1;
    let mut pending: Vec<Val> = fields.iter().flatten().cloned().collect();
    while let Some(value) = pending.pop() {
        weight += 1;
        match value {
            Val::List(list) => pending.extend(list.iter()),
            Val::Map(map) => pending.extend(map.iter().map(|(_, value)| value)),
            _ => {}
        }
    }
    weight
}

/// `AsDuration` of Go: clamped to what 64 bits of nanoseconds hold.
fn duration(seconds: i64, nanos: i64) -> i64 {
    let whole = seconds.wrapping_mul(1_000_000_000);
    let total = whole.wrapping_add(nanos);
    let overflow = whole / 1_000_000_000 != seconds
        || (seconds < 0 && nanos < 0 && total > 0)
        || (seconds > 0 && nanos > 0 && total < 0);
    match overflow {
        true if seconds < 0 => i64::MIN,
        true if seconds > 0 => i64::MAX,
        _ => total,
    }
}
