//! The message types that every environment knows, those of cel-go's default registry: wrappers, duration, timestamp,
//! JSON values, `google.protobuf.Any` and `google.protobuf.Empty`.

use std::sync::Arc;

use super::Provider;
use super::message;
use crate::types::Type;
use crate::value::{EvalError, Outcome, Val};

/// The constant of the only enumeration.
const NULL_VALUE: &str = "google.protobuf.NullValue.NULL_VALUE";

/// The types that have values of their own, which no built-in type stands for.
const OBJECTS: [&str; 2] = ["google.protobuf.Empty", "google.protobuf.Struct.FieldsEntry"];

/// What is known of a field.
#[derive(Clone, Copy, Debug)]
pub(super) struct FieldInfo {
    pub(super) name: &'static str,
    pub(super) kind: FieldKind,
}

/// What a field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FieldKind {
    Bool,
    Bytes,
    Double,
    Enum,
    Float,
    Int32,
    Int64,
    /// `google.protobuf.ListValue`.
    JsonList,
    /// `google.protobuf.Struct`.
    JsonObject,
    /// `google.protobuf.Value`.
    Json,
    String,
    Uint32,
    Uint64,
    /// A repeated `google.protobuf.Value`.
    Values,
    /// A map from strings to `google.protobuf.Value`.
    Fields,
}

impl FieldKind {
    fn ty(self) -> Type {
        match self {
            FieldKind::Bool => Type::Bool,
            FieldKind::Bytes => Type::Bytes,
            FieldKind::Double | FieldKind::Float => Type::Double,
            FieldKind::Enum | FieldKind::Int32 | FieldKind::Int64 => Type::Int,
            FieldKind::JsonList | FieldKind::Values => Type::list(Type::Dyn),
            FieldKind::JsonObject | FieldKind::Fields => Type::map(Type::String, Type::Dyn),
            FieldKind::Json => Type::Dyn,
            FieldKind::String => Type::String,
            FieldKind::Uint32 | FieldKind::Uint64 => Type::Uint,
        }
    }
}

/// The fields of a message type; none if it is not known.
pub(super) fn fields(message: &str) -> Option<Vec<FieldInfo>> {
    use FieldKind::{
        Bool, Bytes, Double, Enum, Fields, Float, Int32, Int64, Json, JsonList, JsonObject, String, Uint32,
        Uint64, Values,
    };
    let fields: &[(&'static str, FieldKind)] = match message.strip_prefix("google.protobuf.")? {
        "BoolValue" => &[("value", Bool)],
        "BytesValue" => &[("value", Bytes)],
        "DoubleValue" => &[("value", Double)],
        "FloatValue" => &[("value", Float)],
        "Int32Value" => &[("value", Int32)],
        "Int64Value" => &[("value", Int64)],
        "StringValue" => &[("value", String)],
        "UInt32Value" => &[("value", Uint32)],
        "UInt64Value" => &[("value", Uint64)],
        "Any" => &[("type_url", String), ("value", Bytes)],
        "Duration" | "Timestamp" => &[("seconds", Int64), ("nanos", Int32)],
        "Empty" => &[],
        "ListValue" => &[("values", Values)],
        "Struct" => &[("fields", Fields)],
        "Struct.FieldsEntry" => &[("key", String), ("value", Json)],
        "Value" => &[
            ("null_value", Enum),
            ("number_value", Double),
            ("string_value", String),
            ("bool_value", Bool),
            ("struct_value", JsonObject),
            ("list_value", JsonList),
        ],
        _ => return None,
    };
    Some(fields.iter().map(|&(name, kind)| FieldInfo { name, kind }).collect())
}

/// The message types of cel-go's default registry.
#[derive(Clone, Copy, Debug, Default)]
pub struct WellKnown;

impl Provider for WellKnown {
    fn has_type(&self, name: &str) -> bool {
        fields(name).is_some()
    }

    fn field(&self, ty: &str, field: &str) -> Option<Type> {
        fields(ty)?.into_iter().find(|info| info.name == field).map(|info| info.kind.ty())
    }

    fn fields(&self, ty: &str) -> Vec<Arc<str>> {
        fields(ty).unwrap_or_default().into_iter().map(|info| info.name.into()).collect()
    }

    fn ident(&self, name: &str) -> Option<(Type, Val)> {
        if name == NULL_VALUE {
            return Some((Type::Int, Val::Int(0)));
        }
        OBJECTS.contains(&name).then(|| {
            let ty = Type::Struct(name.into());
            (Type::of(ty.clone()), Val::Type(ty))
        })
    }

    fn construct(&self, ty: &str, values: Vec<(Arc<str>, Val)>) -> Outcome {
        let Some(known) = fields(ty) else {
            return Err(EvalError::new(format!("unknown type '{ty}'")));
        };
        message::construct(ty, &known, values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn construct(ty: &str, fields: &[(&str, Val)]) -> Result<Val, String> {
        let fields = fields.iter().map(|(name, value)| ((*name).into(), value.clone())).collect();
        WellKnown
            .construct(&format!("google.protobuf.{ty}"), fields)
            .map_err(|error| error.message().to_owned())
    }

    #[test]
    fn wrappers_are_their_values() {
        assert!(matches!(construct("Int32Value", &[("value", Val::Int(34))]), Ok(Val::Int(34))));
        assert!(matches!(construct("StringValue", &[]), Ok(Val::String(text)) if text.is_empty()));
        // 1.1 as a float is a little more.
        assert!(
            matches!(construct("FloatValue", &[("value", Val::Double(1.1))]), Ok(Val::Double(value)) if value == f64::from(1.1_f32))
        );
        assert!(matches!(
            construct("BytesValue", &[("value", Val::list(vec![Val::Uint(1), Val::Uint(2)]))]),
            Ok(Val::Bytes(bytes)) if *bytes == [1, 2]
        ));
    }

    // The texts are what cel-go answers to `google.protobuf.Int32Value{value: dyn(…)}` and the like.
    #[test]
    fn values_that_do_not_fit_are_errors() {
        let field = "field type conversion error for google.protobuf.";
        let cases: [(&str, &str, Val, &str); 9] = [
            ("Int32Value", "value", Val::Int(1 << 31), "Int32Value.value value type: integer overflow"),
            (
                "UInt32Value",
                "value",
                Val::Uint(1 << 32),
                "UInt32Value.value value type: unsigned integer overflow",
            ),
            (
                "Int64Value",
                "value",
                Val::Uint(1),
                "Int64Value.value value type: unsupported type conversion from 'uint' to int64",
            ),
            (
                "BytesValue",
                "value",
                Val::string("a"),
                "BytesValue.value value type: unsupported native conversion from string to '[]uint8'",
            ),
            (
                "BoolValue",
                "value",
                Val::Null,
                "BoolValue.value value type: type conversion error from 'null_type' to 'bool'",
            ),
            (
                "Value",
                "null_value",
                Val::Null,
                "Value.null_value value type: type conversion error from 'null_type' to 'protoreflect.EnumNumber'",
            ),
            (
                "Value",
                "struct_value",
                Val::Int(1),
                "Value.struct_value value type: unsupported type conversion from 'int' to *structpb.Struct",
            ),
            (
                "Value",
                "list_value",
                Val::Map(crate::value::Map::from_entries([(Val::Int(1), Val::Int(1))])),
                "Value.list_value value type: type conversion error, no such field '1' in type 'structpb.ListValue'",
            ),
            (
                "ListValue",
                "values",
                Val::list(vec![Val::Type(Type::Int)]),
                "ListValue.values value type: type conversion not supported for 'type'",
            ),
        ];
        for (ty, name, value, text) in cases {
            assert_eq!(construct(ty, &[(name, value)]).unwrap_err(), format!("{field}{text}"));
        }
        assert_eq!(
            construct("ListValue", &[("values", Val::Null)]).unwrap_err(),
            "unsupported field type for google.protobuf.ListValue.values: null_type"
        );
    }

    #[test]
    fn times_are_normalized_and_durations_clamped() {
        let timestamp = |seconds, nanos| {
            construct("Timestamp", &[("seconds", Val::Int(seconds)), ("nanos", Val::Int(nanos))])
        };
        assert!(
            matches!(timestamp(1, -5), Ok(Val::Timestamp(at)) if (at.seconds, at.nanos) == (0, 999_999_995))
        );
        assert!(
            matches!(timestamp(1, 2_000_000_000), Ok(Val::Timestamp(at)) if (at.seconds, at.nanos) == (3, 0))
        );
        let duration = |seconds, nanos| {
            construct("Duration", &[("seconds", Val::Int(seconds)), ("nanos", Val::Int(nanos))])
        };
        assert!(matches!(duration(1, -2_000_000_000), Ok(Val::Duration(-1_000_000_000))));
        assert!(matches!(duration(i64::MAX, 5), Ok(Val::Duration(i64::MAX))));
        assert!(matches!(duration(-i64::MAX, 5), Ok(Val::Duration(i64::MIN))));
    }

    #[test]
    fn json_values_are_those_of_json() {
        let json = |value| construct("ListValue", &[("values", Val::list(vec![value]))]);
        let first = |value| match json(value) {
            Ok(Val::List(list)) => list.get(0),
            _ => None,
        };
        assert!(matches!(first(Val::Int(1)), Some(Val::Double(value)) if value == 1.0));
        assert!(
            matches!(first(Val::Int(9_007_199_254_740_993)), Some(Val::String(text)) if &*text == "9007199254740993")
        );
        assert!(matches!(first(Val::Bytes(Arc::from(*b"abc"))), Some(Val::String(text)) if &*text == "YWJj"));
        assert!(matches!(first(Val::Null), Some(Val::Null)));
        assert_eq!(
            json(Val::Optional(None)).unwrap_err().split(": ").nth(1),
            Some("optional.none() dereference")
        );
        let deep = (0..2_000).fold(Val::Null, |inner, _| Val::list(vec![inner]));
        assert!(json(deep).is_err());
        let wide = (0..60).fold(Val::Null, |inner, _| Val::list(vec![inner.clone(), inner]));
        assert!(json(wide).is_err());
    }

    #[test]
    fn messages_without_a_built_in_type_are_objects() {
        let Ok(Val::Object(empty)) = construct("Empty", &[]) else { panic!() };
        assert!(empty.is_zero() && empty.field("a").is_none());
        assert_eq!(empty.ty(), Type::Struct("google.protobuf.Empty".into()));
        let entry = |value| construct("Struct.FieldsEntry", &[("key", Val::string("a")), ("value", value)]);
        let (Ok(Val::Object(one)), Ok(other)) = (entry(Val::Int(1)), entry(Val::Double(1.0))) else {
            panic!()
        };
        assert!(one.equals(&other) && !one.equals(&Val::Object(empty)));
        assert_eq!(one.has_field("value"), Some(true));
    }

    #[test]
    fn any_is_what_is_packed_in_it() {
        let any = |name: &str, bytes: &[u8]| {
            let url = format!("type.googleapis.com/google.protobuf.{name}");
            construct("Any", &[("type_url", Val::string(url)), ("value", Val::Bytes(bytes.into()))])
        };
        assert!(matches!(any("Int32Value", b"\x08\x05"), Ok(Val::Int(5))));
        assert!(matches!(any("Int32Value", b""), Ok(Val::Int(0))));
        assert!(construct("Any", &[]).is_err());
    }
}
