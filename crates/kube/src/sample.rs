//! Minimal objects of a kind, made from its type.
//!
//! The type says which fields are required. What the API server wants besides, for the kinds that people deploy, is
//! in `seeds`: a Deployment whose selector fits its template, a Service with a port.

mod seeds;

use std::sync::Arc;

use convoy_value::{Map, Value};

use crate::{GroupVersionKind, Registry, Shape, StructId, Type, Typed};

/// How deep an object may nest: more than any type needs that does not contain itself.
const MAX_DEPTH: usize = 64;

/// The smallest object of a kind that the API server would take; none if the kind is not known.
pub fn minimal(
    registry: &Registry,
    gvk: &GroupVersionKind,
    name: &str,
    namespace: Option<&str>,
) -> Option<Value> {
    let root = registry.find(gvk)?;
    let seed = if registry.is_builtin(gvk) { seeds::seed(gvk, name) } else { None };
    let mut filler = Filler { within: Vec::new() };
    let filled = filler.value(root, seed.as_ref(), 0);
    let mut object = Map::new();
    object.insert("apiVersion".into(), gvk.api_version().into());
    object.insert("kind".into(), Value::String(gvk.kind.clone()));
    // Lists of objects have no name, and one kind of an alpha version has no metadata.
    let named = match root.field("metadata") {
        Some(metadata) => metadata.is_open() || metadata.field("name").is_some(),
        None => !registry.is_builtin(gvk),
    };
    if named {
        let mut metadata = Map::new();
        metadata.insert("name".into(), name.into());
        if let Some(namespace) = namespace {
            metadata.insert("namespace".into(), namespace.into());
        }
        object.insert("metadata".into(), Value::Map(Arc::new(metadata)));
    }
    if let Some(filled) = filled.as_map() {
        for (key, value) in filled {
            if !object.contains_key(key) {
                object.insert(key.clone(), value.clone());
            }
        }
    }
    Some(Value::Map(Arc::new(object)))
}

/// Makes values of types, and keeps what a seed has where the type knows it.
struct Filler {
    /// The structs that are being made, so that one that requires itself ends.
    within: Vec<StructId>,
}

impl Filler {
    fn value(&mut self, at: Typed<'_>, seed: Option<&Value>, depth: usize) -> Value {
        if depth > MAX_DEPTH {
            return Value::Null;
        }
        match &at.ty.shape {
            Shape::Struct(id) => self.object(at, *id, seed, depth),
            Shape::List(_) => self.list(at, seed, depth),
            _ => seed.cloned().unwrap_or_else(|| scalar(at.ty)),
        }
    }

    /// What the seed has, and all required fields. An optional `spec` counts as required where it has required fields
    /// itself: no API server takes such an object without.
    fn object(&mut self, at: Typed<'_>, id: StructId, seed: Option<&Value>, depth: usize) -> Value {
        let mut object = Map::new();
        if self.within.contains(&id) {
            return Value::Map(Arc::new(object));
        }
        self.within.push(id);
        for (name, field) in &at.types.structure(id).fields {
            let given = seed.and_then(|seed| seed.get(name));
            let ty = at.with(&field.ty);
            if given.is_some() || field.required || depth == 0 && &**name == "spec" && requires_something(ty)
            {
                object.insert(name.clone(), self.value(ty, given, depth + 1));
            }
        }
        self.within.pop();
        Value::Map(Arc::new(object))
    }

    /// The items of the seed, or one: most lists that are required must not be empty. A list of objects is the
    /// exception.
    fn list(&mut self, at: Typed<'_>, seed: Option<&Value>, depth: usize) -> Value {
        let Some(item) = at.item() else {
            return Value::list([]);
        };
        if let Some(items) = seed.and_then(Value::as_list) {
            return Value::list(items.iter().map(|seed| self.value(item, Some(seed), depth + 1)));
        }
        let is_object = item.field("kind").is_some() && item.field("metadata").is_some();
        let requires_itself = matches!(&item.ty.shape, Shape::Struct(id) if self.within.contains(id));
        if is_object || requires_itself {
            Value::list([])
        } else {
            Value::list([self.value(item, None, depth + 1)])
        }
    }
}

fn requires_something(at: Typed<'_>) -> bool {
    at.structure().is_some_and(|structure| structure.fields.values().any(|field| field.required))
}

/// A value that is no list and no object with declared fields.
fn scalar(ty: &Type) -> Value {
    if let Some(default) = &ty.default
        && !is_empty(default)
    {
        return default.clone();
    }
    if let Some(value) = ty.enumeration.iter().find(|value| !is_empty(value)) {
        return value.clone();
    }
    match &ty.shape {
        Shape::Boolean => Value::Bool(false),
        // One is a port, a number of replicas and a weight; zero is not always.
        Shape::Integer | Shape::Number | Shape::IntOrString => Value::Int(1),
        Shape::Quantity => "1".into(),
        Shape::String => text(ty).into(),
        Shape::List(_) => Value::list([]),
        Shape::Any | Shape::Map(_) | Shape::Struct(_) => Value::Map(Arc::new(Map::new())),
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Int(number) => *number == 0,
        Value::String(text) => text.is_empty(),
        _ => false,
    }
}

/// A text of the format that a type asks for.
fn text(ty: &Type) -> &'static str {
    match ty.format.as_deref() {
        Some("date-time") if ty.go_type.as_deref() == Some("v1.MicroTime") => "1970-01-01T00:00:00.000000Z",
        Some("date-time" | "datetime") => "1970-01-01T00:00:00Z",
        Some("date") => "1970-01-01",
        Some("duration") => "1h",
        Some("byte") => "ZXhhbXBsZQ==",
        Some("ipv4") => "192.0.2.1",
        Some("ipv6") => "2001:db8::1",
        Some("cidr") => "192.0.2.0/24",
        Some("mac") => "00:00:5e:00:53:01",
        Some("uri") => "https://example.com",
        Some("email") => "example@example.com",
        Some("hostname") => "example.com",
        Some("uuid" | "uuid4") => "a3bb189e-8bf9-4888-9912-ace4e6543002",
        Some("uuid3") => "a3bb189e-8bf9-3888-9912-ace4e6543002",
        Some("uuid5") => "a3bb189e-8bf9-5888-9912-ace4e6543002",
        _ => "example",
    }
}

#[cfg(test)]
mod tests;
