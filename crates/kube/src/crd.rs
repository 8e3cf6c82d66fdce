//! The types that a `CustomResourceDefinition` defines. Start reading at [`read`].

use std::collections::HashMap;
use std::sync::Arc;

use convoy_value::Value;

use crate::{Field, GroupVersionKind, ListKind, Release, Shape, Struct, StructId, Type, Types, table};

/// One served version of a definition.
#[derive(Clone, Debug)]
pub struct Version {
    /// The kind.
    pub gvk: GroupVersionKind,
    /// Whether its objects live in a namespace.
    pub namespaced: bool,
    /// The types: its root is [`Version::gvk`].
    pub types: Arc<Types>,
}

/// Schemas may nest so deep; what lies below may be anything.
const DEPTH_LIMIT: usize = 200;

/// Reads a `CustomResourceDefinition` (`apiextensions.k8s.io/v1`): one entry for each served version with a schema.
/// What is broken in it is left out. `metadata` has the type of the release's `ObjectMeta`.
pub fn read(definition: &Value, release: Release) -> Vec<Version> {
    versions(definition, table::types(release)).unwrap_or_default()
}

fn versions(definition: &Value, builtin: &Types) -> Option<Vec<Version>> {
    let kind = GroupVersionKind::of_object(definition)?;
    if kind != GroupVersionKind::new("apiextensions.k8s.io", "v1", "CustomResourceDefinition") {
        return None;
    }
    let spec = definition.get("spec")?;
    let group = spec.get("group")?.as_str()?;
    let kind = spec.at(["names", "kind"])?.as_str()?;
    let namespaced = spec.get("scope").and_then(Value::as_str) == Some("Namespaced");
    let versions = spec.get("versions")?.as_list()?.iter().filter_map(|version| {
        if version.get("served") != Some(&Value::Bool(true)) {
            return None;
        }
        let gvk = GroupVersionKind::new(group, version.get("name")?.as_str()?, kind);
        let schema = version.at(["schema", "openAPIV3Schema"])?;
        schema.as_map()?;
        let mut reader = Reader::new(builtin);
        let root = reader.root(schema);
        reader.types.set_root(gvk.clone(), root);
        Some(Version { gvk, namespaced, types: Arc::new(reader.types) })
    });
    Some(versions.collect())
}

struct Reader {
    types: Types,
    metadata: Type,
}

impl Reader {
    fn new(builtin: &Types) -> Reader {
        let mut types = Types::new();
        let metadata = object_meta(builtin, &mut types);
        Reader { types, metadata }
    }

    /// The type of the objects: whatever the schema says, they have `apiVersion`, `kind` and `metadata`.
    fn root(&mut self, schema: &Value) -> Type {
        let mut ty = self.ty(schema, 0);
        if !matches!(ty.shape, Shape::Struct(_)) {
            let preserve_unknown = ty.preserve_unknown || matches!(ty.shape, Shape::Any);
            let additional = match ty.shape {
                Shape::Map(values) => Some(*values),
                _ => None,
            };
            let structure = self.types.push(Struct { additional, ..Struct::default() });
            ty = Type { shape: Shape::Struct(structure), preserve_unknown, ..Type::default() };
        }
        if let Shape::Struct(id) = ty.shape {
            self.add_object_fields(id);
        }
        ty
    }

    fn add_object_fields(&mut self, id: StructId) {
        let text = Type { shape: Shape::String, ..Type::default() };
        let metadata = self.metadata.clone();
        let structure = self.types.structure_mut(id);
        for (i, (name, ty)) in
            [("apiVersion", text.clone()), ("kind", text), ("metadata", metadata)].into_iter().enumerate()
        {
            let required = structure.fields.get(name).is_some_and(|field| field.required);
            structure.fields.shift_insert(i, name.into(), Field { ty, required });
        }
    }

    fn ty(&mut self, schema: &Value, depth: usize) -> Type {
        let says = |key: &str| schema.get(key) == Some(&Value::Bool(true));
        let text = |key: &str| schema.get(key).and_then(Value::as_str);
        if depth > DEPTH_LIMIT || schema.as_map().is_none() {
            return Type::default();
        }
        let mut ty = Type {
            format: text("format").map(Arc::from),
            nullable: says("nullable"),
            default: schema.get("default").filter(|value| **value != Value::Null).cloned(),
            enumeration: schema.get("enum").and_then(Value::as_list).unwrap_or_default().into(),
            preserve_unknown: says("x-kubernetes-preserve-unknown-fields"),
            embedded_resource: says("x-kubernetes-embedded-resource"),
            atomic: text("x-kubernetes-map-type") == Some("atomic"),
            ..Type::default()
        };
        ty.shape = match text("type") {
            _ if says("x-kubernetes-int-or-string") => Shape::IntOrString,
            Some("boolean") => Shape::Boolean,
            Some("integer") => Shape::Integer,
            Some("number") => Shape::Number,
            Some("string") => Shape::String,
            Some("array") => {
                ty.list = list_kind(schema);
                let items = schema.get("items").map(|items| self.ty(items, depth + 1));
                Shape::List(Box::new(items.unwrap_or_default()))
            }
            Some("object") => self.object(schema, ty.embedded_resource, depth),
            _ => Shape::Any,
        };
        ty
    }

    fn object(&mut self, schema: &Value, embedded: bool, depth: usize) -> Shape {
        let additional = match schema.get("additionalProperties") {
            Some(Value::Bool(true)) => Some(Type::default()),
            Some(values @ Value::Map(_)) => Some(self.ty(values, depth + 1)),
            _ => None,
        };
        let properties = schema.get("properties").and_then(Value::as_map);
        let required = schema.get("required").and_then(Value::as_list).unwrap_or_default();
        let required: Vec<&str> = required.iter().filter_map(Value::as_str).collect();
        let mut structure = Struct::default();
        for (name, property) in properties.into_iter().flatten() {
            let ty = self.ty(property, depth + 1);
            structure.fields.insert(name.clone(), Field { ty, required: false });
        }
        for name in required {
            if let Some(field) = structure.fields.get_mut(name) {
                field.required = true;
            }
        }
        match additional {
            Some(values) if structure.fields.is_empty() && !embedded => Shape::Map(Box::new(values)),
            additional => {
                structure.additional = additional;
                let id = self.types.push(structure);
                if embedded {
                    self.add_object_fields(id);
                }
                Shape::Struct(id)
            }
        }
    }
}

fn list_kind(schema: &Value) -> ListKind {
    match schema.get("x-kubernetes-list-type").and_then(Value::as_str) {
        Some("atomic") => ListKind::Atomic,
        Some("set") => ListKind::Set,
        Some("map") => {
            let keys = schema.get("x-kubernetes-list-map-keys").and_then(Value::as_list).unwrap_or_default();
            let keys: Box<[Arc<str>]> = keys.iter().filter_map(Value::as_str).map(Arc::from).collect();
            if keys.is_empty() { ListKind::Unspecified } else { ListKind::Map(keys) }
        }
        _ => ListKind::Unspecified,
    }
}

/// The type of `metadata`, with all that it refers to, copied into other types. Anything, if the release has none.
fn object_meta(builtin: &Types, into: &mut Types) -> Type {
    const NAME: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";
    let Some((id, _)) = builtin.structs().find(|(_, structure)| &*structure.name == NAME) else {
        return Type::default();
    };
    let mut copied = HashMap::new();
    let id = copy(builtin, id, into, &mut copied, 0);
    Type { shape: Shape::Struct(id), go_type: Some("v1.ObjectMeta".into()), ..Type::default() }
}

fn copy(
    from: &Types,
    id: StructId,
    into: &mut Types,
    copied: &mut HashMap<StructId, StructId>,
    depth: usize,
) -> StructId {
    if let Some(done) = copied.get(&id) {
        return *done;
    }
    // It is known before its fields are copied, since they may refer to it.
    let mut structure = from.structure(id).clone();
    let new = into.push(Struct::default());
    copied.insert(id, new);
    if depth < DEPTH_LIMIT {
        let types = structure.fields.values_mut().map(|field| &mut field.ty);
        for ty in types.chain(structure.additional.as_mut()) {
            copy_type(from, ty, into, copied, depth + 1);
        }
    } else {
        structure.fields.clear();
    }
    *into.structure_mut(new) = structure;
    new
}

fn copy_type(
    from: &Types,
    ty: &mut Type,
    into: &mut Types,
    copied: &mut HashMap<StructId, StructId>,
    depth: usize,
) {
    match &mut ty.shape {
        Shape::Struct(id) => *id = copy(from, *id, into, copied, depth),
        Shape::List(inner) | Shape::Map(inner) => copy_type(from, inner, into, copied, depth),
        _ => (),
    }
}

#[cfg(test)]
mod tests;
