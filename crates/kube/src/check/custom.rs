//! The validation of custom resources against the schema of their definition, as the API server has it: unknown
//! fields are those that it prunes, types and enumerations those of its validation. What stands in
//! `metadata` it decodes as that of a built-in kind.
//!
//! Formats of texts are not checked, nor are the limits of a schema (`pattern`, `minimum`, rules in CEL).

use std::collections::HashMap;
use std::sync::Arc;

use convoy_value::{Map, Value, go};

use super::{DEPTH_LIMIT, Fault, Key, Options, PROBLEM_LIMIT, Place, Problem, STRICT, Stage};
use super::{decode, in_words, json_text, number_text, path_text};
use crate::path::{names, nearest};
use crate::{ListKind, Shape, Struct, Typed};

pub(super) fn check<'a>(value: &'a Value, ty: Typed<'a>, place: Place<'a>, options: Options) -> Vec<Problem> {
    if matches!(place.path.first(), Some(Key::Name(name)) if &**name == "metadata") {
        // Go decodes the metadata alone, so that its texts begin there.
        let fields = place.fields.into_iter().skip(1).collect();
        return decode::check(value, ty, Place { fields, ..place }, options);
    }
    let mut walk = Walk { place, options, problems: Vec::new() };
    walk.value(value, ty);
    walk.problems
}

struct Walk<'a> {
    place: Place<'a>,
    options: Options,
    problems: Vec<Problem>,
}

impl<'a> Walk<'a> {
    fn value(&mut self, value: &'a Value, ty: Typed<'a>) {
        if self.problems.len() >= PROBLEM_LIMIT || self.place.path.len() > DEPTH_LIMIT {
            return;
        }
        match (&ty.ty.shape, value) {
            (Shape::Any, _) => return,
            (_, Value::Null) if ty.ty.nullable => return,
            (Shape::List(item), Value::List(items)) => self.list(items, ty, ty.with(item)),
            (Shape::Map(values), Value::Map(map) | Value::StringMap(map)) => self.map(map, ty.with(values)),
            (Shape::Struct(id), Value::Map(map) | Value::StringMap(map)) => {
                self.fields(map, ty, ty.types.structure(*id));
            }
            _ => {
                if let Some(text) = self.type_fault(value, ty) {
                    let fault = Fault::WrongType { expected: expected(ty), found: in_words(value) };
                    self.report(fault, Stage::Validate, text);
                    return;
                }
            }
        }
        self.enumeration(value, ty);
    }

    fn report(&mut self, fault: Fault, stage: Stage, text: String) {
        self.problems.push(Problem { path: self.place.own_path(), fault, text, stage });
    }

    /// What the validation says of a value of another type; none if it takes it.
    fn type_fault(&self, value: &Value, ty: Typed<'a>) -> Option<String> {
        let (kind, format) = kind(value);
        let types: &[&str] = match ty.ty.shape {
            Shape::Any => &[],
            Shape::Boolean => &["boolean"],
            Shape::Integer => &["integer"],
            Shape::Number => &["number"],
            Shape::String => &["string"],
            Shape::IntOrString => &["integer", "string"],
            Shape::Quantity => &["string", "number", "integer"],
            Shape::List(_) => &["array"],
            Shape::Map(_) | Shape::Struct(_) => &["object"],
        };
        let numeric = types.iter().any(|name| matches!(*name, "integer" | "number"));
        let fits = types.contains(&kind)
            || (kind == "integer" && types.contains(&"number"))
            || (kind == "number" && types.contains(&"integer") && is_whole(value));
        let path = path_text(&self.place.path);
        let says = |expected: &str, found: &str| {
            let found = go::quote(found.as_bytes());
            Some(format!(
                "{path}: Invalid value: {found}: {path} in body must be of type {expected}: {found}"
            ))
        };
        if let Some(wanted) = supported_format(ty) {
            let textual = matches!(kind, "string" | "array");
            if kind != "null" && !textual && !fits && format != wanted {
                return says(wanted, format);
            }
            if textual && !numeric {
                return None;
            }
            if fits && wanted == "int32" && !fits_int32(value) {
                let text = format!("Checked value must be of type integer with format int32 in {path}");
                return Some(format!("<nil>: Invalid value: \"\": {text}"));
            }
        }
        if fits { None } else { says(&types.join(","), kind) }
    }

    fn list(&mut self, items: &'a [Value], ty: Typed<'a>, item_type: Typed<'a>) {
        let mut seen = HashMap::new();
        for (i, item) in items.iter().enumerate() {
            let before = self.place.enter_item(i);
            self.value(item, item_type);
            if let Some((shown, keys)) = self.identity(item, ty, item_type) {
                let times = seen.entry(shown.clone()).or_insert(0_usize);
                *times += 1;
                // The API server names the first repetition alone.
                if *times == 2 {
                    let text = format!("{}: Duplicate value: {shown}", self.place.field_path());
                    self.report(Fault::DuplicateKey { keys }, Stage::Validate, text);
                }
            }
            self.place.leave(before);
        }
    }

    /// What an item of a list must not share with another, as the API server prints it and in words.
    fn identity(&self, item: &Value, ty: Typed<'a>, item_type: Typed<'a>) -> Option<(String, String)> {
        match &ty.ty.list {
            // What a set has of objects is compared after unknown fields are gone.
            ListKind::Set if !matches!(item, Value::List(_) | Value::Map(_) | Value::StringMap(_)) => {
                let shown = shown(item);
                Some((shown.clone(), shown))
            }
            ListKind::Map(keys) if item.as_map().is_some() => {
                let mut found = Vec::new();
                for key in keys {
                    let default = || item_type.field(key).and_then(|field| field.ty.default.as_ref());
                    let value = item.get(key).filter(|value| **value != Value::Null);
                    if let Some(value) = value.or_else(default) {
                        found.push((key.clone(), value.clone()));
                    } else if !self.options.whole {
                        return None;
                    }
                }
                let words: Vec<_> =
                    found.iter().map(|(key, value)| format!("{key}={}", json_text(value))).collect();
                Some((json_text(&Value::map(found)), words.join(", ")))
            }
            _ => None,
        }
    }

    fn map(&mut self, map: &'a Map, values: Typed<'a>) {
        for (key, value) in map {
            if *value == Value::Null {
                continue;
            }
            let before = self.place.enter_value(key.clone());
            self.value(value, values);
            self.place.leave(before);
        }
    }

    fn fields(&mut self, map: &'a Map, ty: Typed<'a>, structure: &'a Struct) {
        let root = self.place.path.is_empty();
        for (key, value) in map {
            // The API server takes null for absent before it validates, and a patch deletes with it.
            let null = *value == Value::Null;
            if let Some((name, field)) = structure.fields.get_key_value(key) {
                if null {
                    continue;
                }
                if (root || ty.ty.embedded_resource) && &**name == "metadata" {
                    self.metadata(value, ty.with(&field.ty), name);
                    continue;
                }
                let before = self.place.enter_field(structure, name);
                self.value(value, ty.with(&field.ty));
                self.place.leave(before);
            } else if let Some(values) = &structure.additional {
                if !null {
                    let before = self.place.enter_value(key.clone());
                    self.value(value, ty.with(values));
                    self.place.leave(before);
                }
            } else if !ty.ty.preserve_unknown && self.problems.len() < PROBLEM_LIMIT {
                self.place.path.push(Key::Name(key.clone()));
                let path = path_text(&self.place.path);
                let nearest = nearest(key, names(ty).into_iter()).map(Arc::from);
                let text = format!("{STRICT}unknown field \"{path}\"");
                self.report(Fault::UnknownField { nearest }, Stage::Strict, text);
                self.place.path.pop();
            }
        }
        if self.options.whole && !self.place.in_status() {
            for (name, field) in &structure.fields {
                let given = map.get(name).is_some_and(|value| *value != Value::Null || field.ty.nullable);
                let status = root && &**name == "status";
                if field.required && !given && !status && field.ty.default.is_none() {
                    let dot = if root { "" } else { "." };
                    let text = format!("{}{dot}{name}: Required value", path_text(&self.place.path));
                    self.report(Fault::Missing { name: name.clone() }, Stage::Validate, text);
                }
            }
        }
    }

    fn metadata(&mut self, value: &'a Value, ty: Typed<'a>, name: &Arc<str>) {
        let mut path = self.place.path.clone();
        let mut map_keys = self.place.map_keys.clone();
        path.push(Key::Name(name.clone()));
        map_keys.push(false);
        let place = Place { path, map_keys, fields: Vec::new(), structure: "", base: self.place.base };
        self.problems.extend(decode::check(value, ty, place, self.options));
    }

    fn enumeration(&mut self, value: &'a Value, ty: Typed<'a>) {
        let allowed = &ty.ty.enumeration;
        if allowed.is_empty()
            || self.place.in_status()
            || *value == Value::Null
            || allowed.iter().any(|other| value.same_json(other))
        {
            return;
        }
        let texts = allowed.iter().map(|value| match value {
            Value::String(text) => go::quote(text.as_bytes()),
            _ => go::quote(json_text(value).as_bytes()),
        });
        let text = format!(
            "{}: Unsupported value: {}: supported values: {}",
            path_text(&self.place.path),
            shown(value),
            texts.collect::<Vec<_>>().join(", ")
        );
        self.report(Fault::NotInEnumeration { allowed: allowed.to_vec() }, Stage::Validate, text);
    }
}

/// A value as errors about fields print it.
fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => go::quote(text.as_bytes()),
        Value::Float(value) if kind(&Value::Float(*value)).0 == "number" => {
            go::format_float(*value, 'g', None, 64)
        }
        _ => json_text(value),
    }
}

/// What a field takes, in words.
fn expected(ty: Typed<'_>) -> &'static str {
    match ty.ty.shape {
        Shape::Any => "anything",
        Shape::Boolean => "true or false",
        Shape::Integer if ty.ty.format.as_deref() == Some("int32") => "an integer of 32 bits",
        Shape::Integer => "an integer",
        Shape::Number => "a number",
        Shape::String => "a text",
        Shape::IntOrString => "an integer or a text",
        Shape::Quantity => "a quantity",
        Shape::List(_) => "a list",
        Shape::Map(_) | Shape::Struct(_) => "an object",
    }
}

/// The type and the format that the validation sees in a value, after the JSON between convoy and the API server.
fn kind(value: &Value) -> (&'static str, &'static str) {
    match value {
        Value::Null => ("null", ""),
        Value::Bool(_) => ("boolean", ""),
        Value::String(_) | Value::Bytes(_) => ("string", ""),
        Value::List(_) => ("array", ""),
        Value::Map(_) | Value::StringMap(_) => ("object", ""),
        Value::Int(_) => ("integer", "int64"),
        Value::Uint(_) | Value::Float(_) => match number_text(value).parse::<i64>() {
            Ok(_) => ("integer", "int64"),
            Err(_) => ("number", "float64"),
        },
    }
}

/// Whether a number that is no integer to Go passes for one.
fn is_whole(value: &Value) -> bool {
    /// Floats beyond do not tell one integer from the next.
    const LARGEST: f64 = 9_007_199_254_740_991.0;
    const EPSILON: f64 = 1e-9;
    let Value::Float(value) = value else { return false };
    let rounded = value.round();
    value.abs() <= LARGEST && (value - rounded).abs() <= EPSILON * rounded.abs()
}

fn fits_int32(value: &Value) -> bool {
    match value {
        Value::Int(value) => i32::try_from(*value).is_ok(),
        Value::Uint(value) => i32::try_from(*value).is_ok(),
        Value::Float(value) => (f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(value),
        _ => true,
    }
}

/// The format, if the API server knows it; it drops all others.
fn supported_format(ty: Typed<'_>) -> Option<&str> {
    const TEXTS: [&str; 24] = [
        "bsonobjectid",
        "uri",
        "email",
        "hostname",
        "ipv4",
        "ipv6",
        "cidr",
        "mac",
        "uuid",
        "uuid3",
        "uuid4",
        "uuid5",
        "isbn",
        "isbn10",
        "isbn13",
        "creditcard",
        "ssn",
        "hexcolor",
        "rgbcolor",
        "byte",
        "password",
        "date",
        "duration",
        "datetime",
    ];
    let format = ty.ty.format.as_deref()?;
    let supported = match ty.ty.shape {
        Shape::Integer => matches!(format, "int32" | "int64"),
        Shape::Number => matches!(format, "float" | "double"),
        Shape::String | Shape::IntOrString => TEXTS.contains(&&*format.replace('-', "")),
        _ => false,
    };
    supported.then_some(format)
}
