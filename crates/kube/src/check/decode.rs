//! The strict decoder of built-in kinds (`sigs.k8s.io/json` over the Go types), and the facts that the validation
//! behind it looks at.

use std::collections::HashSet;
use std::sync::Arc;

use convoy_value::{Map, Value, go};

use super::{DEPTH_LIMIT, Fault, Key, Options, PROBLEM_LIMIT, Place, Problem, STRICT, Stage};
use super::{in_words, json_text, number_text, path_text, quantity, time};
use crate::path::{names, nearest};
use crate::{ListKind, Shape, Struct, Typed};

pub(super) fn check<'a>(value: &'a Value, ty: Typed<'a>, place: Place<'a>, options: Options) -> Vec<Problem> {
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
        let full = self.problems.len() >= PROBLEM_LIMIT || self.place.path.len() > DEPTH_LIMIT;
        // Go's decoder takes null for absent everywhere.
        if full || *value == Value::Null || takes_anything(ty) {
            return;
        }
        match (&ty.ty.shape, value) {
            (Shape::Any, _) => self.anything(value, ty),
            (Shape::Quantity, _) => self.quantity(value),
            (Shape::IntOrString, Value::String(_)) => (),
            (Shape::IntOrString, _) => {
                if let Some(kind) = integer_fault(value, "int32") {
                    self.wrong(Stage::Stop, "an integer or a text", value, self.mismatch(&kind, "int32"));
                }
            }
            (Shape::Boolean, Value::Bool(_)) => (),
            (Shape::Number, Value::Int(_) | Value::Uint(_) | Value::Float(_)) => (),
            (Shape::Boolean, _) => self.mismatched("true or false", value, ty),
            (Shape::Number, _) => self.mismatched("a number", value, ty),
            (Shape::Integer, _) => self.integer(value, ty),
            (Shape::String, _) => self.text(value, ty),
            (Shape::List(item), Value::List(items)) => self.list(items, ty, ty.with(item)),
            (Shape::List(_), _) => self.mismatched("a list", value, ty),
            (Shape::Map(values), Value::Map(map) | Value::StringMap(map)) => {
                self.map(map, ty.with(values));
            }
            (Shape::Struct(id), Value::Map(map) | Value::StringMap(map)) => {
                self.fields(map, ty, ty.types.structure(*id));
            }
            (Shape::Map(_) | Shape::Struct(_), _) => self.mismatched("an object", value, ty),
        }
        if matches!(value, Value::Bool(_) | Value::Int(_) | Value::String(_)) {
            self.enumeration(value, ty);
        }
    }

    fn report(&mut self, fault: Fault, stage: Stage, text: String) {
        self.problems.push(Problem { path: self.place.own_path(), fault, text, stage });
    }

    fn wrong(&mut self, stage: Stage, expected: &'static str, value: &Value, text: String) {
        self.report(Fault::WrongType { expected, found: in_words(value) }, stage, text);
    }

    /// A value of another kind than the Go type.
    fn mismatched(&mut self, expected: &'static str, value: &Value, ty: Typed<'a>) {
        let text = self.mismatch(kind(value), &go_type(ty));
        self.wrong(Stage::Decode, expected, value, text);
    }

    /// Go's text about a value that does not fit its type.
    fn mismatch(&self, kind: &str, go_type: &str) -> String {
        if self.place.fields.is_empty() {
            return format!("json: cannot unmarshal {kind} into Go value of type {go_type}");
        }
        let (structure, field) = (self.place.structure, self.place.fields.join("."));
        format!("json: cannot unmarshal {kind} into Go struct field {structure}.{field} of type {go_type}")
    }

    /// A value that may be anything; only a schema that may be a boolean is looked at.
    fn anything(&mut self, value: &Value, ty: Typed<'a>) {
        let schema = ty.ty.go_type.as_deref() == Some("v1.JSONSchemaPropsOrBool");
        if schema && !matches!(value, Value::Bool(_) | Value::Map(_) | Value::StringMap(_)) {
            let text = "boolean or JSON schema expected".to_owned();
            self.wrong(Stage::Stop, "a schema, true or false", value, text);
        }
    }

    fn integer(&mut self, value: &'a Value, ty: Typed<'a>) {
        let go_type = go_type(ty);
        if let Some(kind) = integer_fault(value, &go_type) {
            let expected = match &*go_type {
                "int32" => "an integer of 32 bits",
                _ => "an integer",
            };
            self.wrong(Stage::Decode, expected, value, self.mismatch(&kind, &go_type));
        }
    }

    fn text(&mut self, value: &'a Value, ty: Typed<'a>) {
        match ty.ty.format.as_deref() {
            Some("date-time") => {
                let micros = ty.ty.go_type.as_deref().is_some_and(|name| name.ends_with("MicroTime"));
                match value {
                    Value::String(text) => {
                        if let Some(fault) = time::fault(text, micros) {
                            self.wrong(Stage::Stop, "a time", value, fault);
                        }
                    }
                    _ => self.wrong(Stage::Stop, "a time", value, self.mismatch(kind(value), "string")),
                }
            }
            Some("byte") => match value {
                Value::String(text) => {
                    if let Some(fault) = base64_fault(text) {
                        self.wrong(Stage::Decode, "a text in base64", value, fault);
                    }
                }
                Value::Bytes(_) => (),
                // Bytes are a list of numbers too.
                Value::List(items) => {
                    for (i, item) in items.iter().enumerate() {
                        if let Some(kind) = integer_fault(item, "uint8").filter(|_| *item != Value::Null) {
                            let before = self.place.enter_item(i);
                            let text = self.mismatch(&kind, "uint8");
                            self.wrong(Stage::Decode, "a byte", item, text);
                            self.place.leave(before);
                        }
                    }
                }
                _ => self.mismatched("a text in base64", value, ty),
            },
            _ => match value {
                Value::String(_) | Value::Bytes(_) => (),
                _ => {
                    let text = match self.is_kind() {
                        Some(name) => format!(
                            "couldn't get version/kind; json parse error: json: cannot unmarshal {} into Go struct \
                             field .{name} of type string",
                            kind(value)
                        ),
                        None => self.mismatch(kind(value), &go_type(ty)),
                    };
                    let stage = if self.is_kind().is_some() { Stage::Kind } else { Stage::Decode };
                    self.wrong(stage, "a text", value, text);
                }
            },
        }
    }

    /// `apiVersion` or `kind` of the object itself, if this is one of them.
    fn is_kind(&self) -> Option<&'a str> {
        let field = *self.place.fields.last()?;
        (self.place.path.len() == 1 && matches!(field, "apiVersion" | "kind")).then_some(field)
    }

    fn quantity(&mut self, value: &'a Value) {
        let fault = match value {
            // The Go program looks at the JSON text, where these are escaped.
            Value::String(text) if text.contains(['\t', '\n', '\u{b}', '\u{c}', '\r']) => {
                quantity::fault("\\")
            }
            Value::String(text) => quantity::fault(text),
            Value::Int(_) | Value::Uint(_) | Value::Float(_) => quantity::fault(&number_text(value)),
            _ => quantity::fault("{"),
        };
        if let Some(fault) = fault {
            self.wrong(Stage::Stop, "a quantity", value, fault.to_owned());
        }
    }

    fn list(&mut self, items: &'a [Value], ty: Typed<'a>, item_type: Typed<'a>) {
        let keys = match &ty.ty.list {
            ListKind::Map(keys) if self.refuses_duplicates() => &keys[..],
            _ => &[],
        };
        let mut seen = HashSet::new();
        for (i, item) in items.iter().enumerate() {
            let directive = self.options.directives && item.get("$patch").is_some();
            if directive && !matches!(item_type.ty.shape, Shape::Struct(_)) {
                continue;
            }
            let before = self.place.enter_item(i);
            self.value(item, item_type);
            if let Some(name) = keys.first().filter(|_| !directive)
                && let Some(found) = keys_text(item, keys, item_type)
                && !seen.insert(found.clone())
            {
                let text = self.duplicate(item, name);
                self.report(Fault::DuplicateKey { keys: found }, Stage::Validate, text);
            }
            self.place.leave(before);
        }
    }

    /// Whether the API server refuses two items of this list with the same keys. It lets many lists pass that say
    /// otherwise, such as the environment of a container.
    fn refuses_duplicates(&self) -> bool {
        let Some(field) = self.place.fields.last() else { return false };
        matches!(
            (self.place.structure, *field),
            ("PodSpec", "containers" | "initContainers" | "ephemeralContainers" | "volumes")
                | ("Container" | "EphemeralContainer", "volumeMounts")
                | ("ServiceSpec", "ports")
        )
    }

    /// What the API server says of an item whose keys another has; `name` is the first of them.
    fn duplicate(&self, item: &Value, name: &str) -> String {
        let path = self.place.field_path();
        let value = item.get(name).map(json_text).unwrap_or_default();
        match self.place.structure {
            "ServiceSpec" => {
                let protocol = item.get("protocol").map_or_else(|| "\"TCP\"".to_owned(), json_text);
                format!(
                    "{path}: Duplicate value: {{\"Name\":\"\",\"Protocol\":{protocol},\"AppProtocol\":null,\
                     \"Port\":{value},\"TargetPort\":0,\"NodePort\":0}}"
                )
            }
            "Container" | "EphemeralContainer" => {
                format!("{path}.{name}: Invalid value: {value}: must be unique")
            }
            _ => format!("{path}.{name}: Duplicate value: {value}"),
        }
    }

    fn map(&mut self, map: &'a Map, values: Typed<'a>) {
        for (key, value) in map {
            if self.is_directive(key) {
                continue;
            }
            let before = self.place.enter_value(key.clone());
            self.value(value, values);
            self.place.leave(before);
        }
    }

    fn fields(&mut self, map: &'a Map, ty: Typed<'a>, structure: &'a Struct) {
        for (key, value) in map {
            if self.is_directive(key) {
                continue;
            }
            if let Some((name, field)) = structure.fields.get_key_value(key) {
                let before = self.place.enter_field(structure, name);
                self.value(value, ty.with(&field.ty));
                self.place.leave(before);
            } else if let Some(values) = &structure.additional {
                let before = self.place.enter_value(key.clone());
                self.value(value, ty.with(values));
                self.place.leave(before);
            } else if !ty.ty.preserve_unknown && self.problems.len() < PROBLEM_LIMIT {
                self.place.path.push(Key::Name(key.clone()));
                let path = go::quote(path_text(&self.place.path).as_bytes());
                let nearest = nearest(key, names(ty).into_iter()).map(Arc::from);
                self.report(
                    Fault::UnknownField { nearest },
                    Stage::Strict,
                    format!("{STRICT}unknown field {path}"),
                );
                self.place.path.pop();
            }
        }
        if self.options.whole && !self.place.in_status() {
            self.missing(map, ty, structure);
        }
    }

    fn missing(&mut self, map: &'a Map, ty: Typed<'a>, structure: &'a Struct) {
        for (name, field) in &structure.fields {
            let given = map.get(name).is_some_and(|value| *value != Value::Null);
            let needless = has_default(field.ty.default.as_ref()) || needs_nothing(ty.with(&field.ty));
            if !field.required || given || needless {
                continue;
            }
            // The API server takes a set without the name of its service, whatever the type says; and what the type
            // calls a status is not the user's to give.
            if (structure.go_name(), &**name) == ("StatefulSetSpec", "serviceName") || &**name == "status" {
                continue;
            }
            let dot = if self.place.path.is_empty() { "" } else { "." };
            let text = format!("{}{dot}{name}: Required value", self.place.field_path());
            self.report(Fault::Missing { name: name.clone() }, Stage::Validate, text);
        }
    }

    fn enumeration(&mut self, value: &'a Value, ty: Typed<'a>) {
        let allowed = &ty.ty.enumeration;
        // An empty text is what an absent one is.
        let empty = value.as_str().is_some_and(str::is_empty);
        let status = self.place.in_status();
        if allowed.is_empty() || empty || status || allowed.iter().any(|other| value.same_json(other)) {
            return;
        }
        let texts: Vec<String> = allowed.iter().map(json_text).collect();
        let text = format!(
            "{}: Unsupported value: {}: supported values: {}",
            self.place.field_path(),
            json_text(value),
            texts.join(", ")
        );
        self.report(Fault::NotInEnumeration { allowed: allowed.to_vec() }, Stage::Validate, text);
    }

    fn is_directive(&self, key: &str) -> bool {
        self.options.directives && key.starts_with('$')
    }
}

/// Types that read any JSON, whatever their schema says.
fn takes_anything(ty: Typed<'_>) -> bool {
    let name = ty.ty.go_type.as_deref().unwrap_or_default();
    matches!(
        name,
        "v1.FieldsV1"
            | "runtime.RawExtension"
            | "runtime.Object"
            | "v1.JSON"
            | "v1.JSONSchemaPropsOrArray"
            | "v1.JSONSchemaPropsOrStringArray"
    )
}

/// Whether a default says anything. One that is empty is what Go has without one.
fn has_default(default: Option<&Value>) -> bool {
    match default {
        None | Some(Value::Null | Value::Bool(false) | Value::Int(0)) => false,
        Some(Value::String(text)) => !text.is_empty(),
        Some(Value::Map(map)) => !map.is_empty(),
        Some(_) => true,
    }
}

/// Whether an object is valid without any field, so that Go has it even where it is not given.
fn needs_nothing(ty: Typed<'_>) -> bool {
    let fields = ty.structure().map(|structure| structure.fields.values());
    !ty.ty.pointer && fields.is_some_and(|mut fields| fields.all(|field| !field.required))
}

/// The keys of an item with their values; none if it lacks one that has no default.
fn keys_text(item: &Value, keys: &[Arc<str>], ty: Typed<'_>) -> Option<String> {
    let mut text = String::new();
    for key in keys {
        let default = || ty.field(key).and_then(|field| field.ty.default.as_ref());
        let value = item.get(key).or_else(default)?;
        if !text.is_empty() {
            text.push_str(", ");
        }
        text.push_str(key);
        text.push('=');
        text.push_str(&json_text(value));
    }
    Some(text)
}

/// What Go's errors call the kind of a value.
fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Int(_) | Value::Uint(_) | Value::Float(_) => "number",
        Value::String(_) | Value::Bytes(_) => "string",
        Value::List(_) => "array",
        Value::Map(_) | Value::StringMap(_) => "object",
    }
}

/// What Go's error calls a value that is no integer of a type; none if it is one.
fn integer_fault(value: &Value, go_type: &str) -> Option<String> {
    let text = match value {
        Value::Int(_) | Value::Uint(_) | Value::Float(_) => number_text(value),
        _ => return Some(kind(value).to_owned()),
    };
    let (low, high) = match go_type {
        "int32" => (i64::from(i32::MIN), i64::from(i32::MAX)),
        "uint8" => (0, i64::from(u8::MAX)),
        _ => (i64::MIN, i64::MAX),
    };
    let fits = text.parse::<i64>().is_ok_and(|value| (low..=high).contains(&value));
    (!fits).then(|| format!("number {text}"))
}

/// The Go type as Go prints it.
fn go_type(ty: Typed<'_>) -> String {
    if let Some(name) = &ty.ty.go_type {
        return name.trim_start_matches('*').to_owned();
    }
    match &ty.ty.shape {
        Shape::Any => "interface {}".to_owned(),
        Shape::Boolean => "bool".to_owned(),
        Shape::Integer => ty.ty.format.as_deref().unwrap_or("int64").to_owned(),
        Shape::Number => "float64".to_owned(),
        Shape::String if ty.ty.format.as_deref() == Some("byte") => "[]uint8".to_owned(),
        Shape::String => "string".to_owned(),
        Shape::IntOrString => "intstr.IntOrString".to_owned(),
        Shape::Quantity => "resource.Quantity".to_owned(),
        Shape::List(item) => format!("[]{}", element_type(ty.with(item))),
        Shape::Map(values) => format!("map[string]{}", element_type(ty.with(values))),
        Shape::Struct(id) => {
            let structure = ty.types.structure(*id);
            let package = structure.name.rsplit('.').nth(1).unwrap_or("v1");
            format!("{package}.{}", structure.go_name())
        }
    }
}

fn element_type(ty: Typed<'_>) -> String {
    let star = if ty.ty.pointer { "*" } else { "" };
    format!("{star}{}", go_type(ty))
}

/// What Go says of a text that is no base64.
fn base64_fault(text: &str) -> Option<String> {
    let illegal = |at: usize| Some(format!("illegal base64 data at input byte {at}"));
    let mut rest = text.bytes().enumerate().filter(|(_, c)| !matches!(c, b'\r' | b'\n'));
    loop {
        // One quantum of four characters; the last may end with one or two `=`.
        let mut count = 0;
        while count < 4 {
            let Some((at, c)) = rest.next() else {
                return if count == 0 { None } else { illegal(text.len() - count) };
            };
            if c.is_ascii_alphanumeric() || matches!(c, b'+' | b'/') {
                count += 1;
                continue;
            }
            if c != b'=' || count < 2 {
                return illegal(at);
            }
            if count == 2 {
                match rest.next() {
                    None => return illegal(text.len()),
                    Some((_, b'=')) => (),
                    Some((at, _)) => return illegal(at - 1),
                }
            }
            return rest.next().and_then(|(at, _)| illegal(at));
        }
    }
}

/// The Go structs between a struct and one of its fields: those that it embeds.
pub(super) fn embedded(structure: &Struct, field: &str) -> &'static [&'static str] {
    match (structure.go_name(), field) {
        ("NamedRuleWithOperations", "operations") => &["RuleWithOperations"],
        ("NamedRuleWithOperations", "apiGroups" | "apiVersions" | "resources" | "scope") => {
            &["RuleWithOperations", "Rule"]
        }
        ("RuleWithOperations", "apiGroups" | "apiVersions" | "resources" | "scope") => &["Rule"],
        (
            "ConfigMapEnvSource"
            | "ConfigMapKeySelector"
            | "ConfigMapProjection"
            | "ConfigMapVolumeSource"
            | "SecretEnvSource"
            | "SecretKeySelector"
            | "SecretProjection",
            "name",
        ) => &["LocalObjectReference"],
        ("EphemeralContainer", "targetContainerName") | ("Volume", "name") => &[],
        ("EphemeralContainer", _) => &["EphemeralContainerCommon"],
        ("Volume", _) => &["VolumeSource"],
        (
            "PersistentVolumeSpec",
            "capacity"
            | "accessModes"
            | "claimRef"
            | "persistentVolumeReclaimPolicy"
            | "storageClassName"
            | "mountOptions"
            | "volumeMode"
            | "nodeAffinity"
            | "volumeAttributesClassName",
        ) => &[],
        ("PersistentVolumeSpec", _) => &["PersistentVolumeSource"],
        ("Probe", "exec" | "httpGet" | "tcpSocket" | "grpc") => &["ProbeHandler"],
        ("IngressRule", "http") => &["IngressRuleValue"],
        (
            "DeviceAllocationConfiguration" | "DeviceClaimConfiguration" | "DeviceClassConfiguration",
            "opaque",
        ) => &["DeviceConfiguration"],
        // Only what is an object of its own has metadata too.
        (_, "apiVersion" | "kind") if structure.fields.contains_key("metadata") => &["TypeMeta"],
        _ => &[],
    }
}
