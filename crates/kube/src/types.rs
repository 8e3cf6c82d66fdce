use std::collections::BTreeMap;
use std::sync::Arc;

use convoy_value::Value;
use indexmap::IndexMap;

use crate::GroupVersionKind;

/// How the items of a list belong together (`x-kubernetes-list-type`).
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum ListKind {
    /// The type does not say. The patch strategy decides then; without one a list is atomic.
    #[default]
    Unspecified,
    /// Replaced whole.
    Atomic,
    /// Scalars, each once.
    Set,
    /// Objects, told apart by these keys (`x-kubernetes-list-map-keys`).
    Map(Box<[Arc<str>]>),
}

/// What a strategic merge does with a field (`x-kubernetes-patch-strategy`, the tag `patchStrategy` in Go).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct PatchStrategy {
    /// `merge`.
    pub merge: bool,
    /// `replace`.
    pub replace: bool,
    /// `retainKeys`.
    pub retain_keys: bool,
}

/// A struct of a [`Types`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StructId(pub u32);

/// What values a type has.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum Shape {
    /// Anything (`RawExtension`, `JSON`, a schema without a type).
    #[default]
    Any,
    /// `true`, `false`.
    Boolean,
    /// A whole number; [`Type::format`] has the bits.
    Integer,
    /// Any number.
    Number,
    /// A text; [`Type::format`] says of what.
    String,
    /// A whole number or a text (`IntOrString`).
    IntOrString,
    /// A number or a text that is one, such as `100m` (`Quantity`).
    Quantity,
    /// Items of one type.
    List(Box<Type>),
    /// Any keys, with values of one type.
    Map(Box<Type>),
    /// Declared fields.
    Struct(StructId),
}

/// The type of one place: what stands there, and what merges do with it.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Type {
    /// What values it has.
    pub shape: Shape,
    /// `int32`, `int64`, `double`, `byte`, `date-time`, or what a custom resource says.
    pub format: Option<Arc<str>>,
    /// The name of the Go type as error texts of Go print it, where the shape does not say it: `v1.Protocol` for a
    /// text, `v1.PodSpec` for a struct, `[]v1.Container` for a list.
    pub go_type: Option<Arc<str>>,
    /// Whether the field is a pointer in Go. Only some error texts tell.
    pub pointer: bool,
    /// Whether the field may be null without that meaning that it is absent (custom resources: `nullable`).
    pub nullable: bool,
    /// The list's kind.
    pub list: ListKind,
    /// Whether an object is replaced whole (`x-kubernetes-map-type: atomic`), be it said here or by the struct.
    pub atomic: bool,
    /// What a strategic merge does.
    pub patch_strategy: PatchStrategy,
    /// The key that a strategic merge tells the items of a list apart by. Six built-in lists have another one than
    /// in [`Type::list`].
    pub patch_merge_key: Option<Arc<str>>,
    /// What the API server puts here if nothing is given.
    pub default: Option<Value>,
    /// The only values, if they are limited.
    pub enumeration: Box<[Value]>,
    /// Whether fields that are not declared stay (`x-kubernetes-preserve-unknown-fields`).
    pub preserve_unknown: bool,
    /// Whether an object of its own stands here (`x-kubernetes-embedded-resource`).
    pub embedded_resource: bool,
}

/// A declared field.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Its type.
    pub ty: Type,
    /// Whether it must be given.
    pub required: bool,
}

/// An object with declared fields.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Struct {
    /// The name of its definition, `io.k8s.api.apps.v1.DeploymentSpec`; empty in a custom resource.
    pub name: Arc<str>,
    /// The fields by their JSON name.
    pub fields: IndexMap<Arc<str>, Field>,
    /// The type of the values of all other keys, if there may be any.
    pub additional: Option<Type>,
}

impl Struct {
    /// The name of the Go struct: `DeploymentSpec`.
    pub fn go_name(&self) -> &str {
        self.name.rsplit('.').next().unwrap_or("")
    }
}

/// A set of types that refer to each other: those of a release, or those of one custom resource.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Types {
    structs: Vec<Struct>,
    roots: BTreeMap<GroupVersionKind, Type>,
}

impl Types {
    /// A set without types.
    pub fn new() -> Types {
        Types::default()
    }

    /// Adds a struct.
    pub fn push(&mut self, structure: Struct) -> StructId {
        self.structs.push(structure);
        StructId(self.structs.len() as u32 - 1)
    }

    /// Says which type the objects of a kind have.
    pub fn set_root(&mut self, gvk: GroupVersionKind, ty: Type) {
        self.roots.insert(gvk, ty);
    }

    /// The type of a kind.
    pub fn root(&self, gvk: &GroupVersionKind) -> Option<Typed<'_>> {
        Some(Typed { types: self, ty: self.roots.get(gvk)? })
    }

    /// The kinds.
    pub fn kinds(&self) -> impl Iterator<Item = &GroupVersionKind> {
        self.roots.keys()
    }

    /// A struct; `id` is one that [`Types::push`] gave.
    pub fn structure(&self, id: StructId) -> &Struct {
        &self.structs[id.0 as usize]
    }

    /// A struct, to change.
    pub fn structure_mut(&mut self, id: StructId) -> &mut Struct {
        &mut self.structs[id.0 as usize]
    }

    /// All structs.
    pub fn structs(&self) -> impl Iterator<Item = (StructId, &Struct)> {
        self.structs.iter().enumerate().map(|(i, structure)| (StructId(i as u32), structure))
    }
}

/// A type with the set it belongs to.
#[derive(Clone, Copy, Debug)]
pub struct Typed<'a> {
    /// The set.
    pub types: &'a Types,
    /// The type.
    pub ty: &'a Type,
}

impl<'a> Typed<'a> {
    /// Another type of the same set.
    #[must_use]
    pub fn with(self, ty: &'a Type) -> Typed<'a> {
        Typed { types: self.types, ty }
    }

    /// The struct, if the type is one.
    pub fn structure(self) -> Option<&'a Struct> {
        match &self.ty.shape {
            Shape::Struct(id) => Some(self.types.structure(*id)),
            _ => None,
        }
    }

    /// A declared field of a struct by its exact name. Maps have no fields: see [`Typed::member`].
    pub fn field(self, name: &str) -> Option<Typed<'a>> {
        self.structure()?.fields.get(name).map(|field| self.with(&field.ty))
    }

    /// What stands under a key: a declared field, or any value of a map.
    pub fn member(self, key: &str) -> Option<Typed<'a>> {
        match &self.ty.shape {
            Shape::Struct(id) => {
                let structure = self.types.structure(*id);
                let declared = structure.fields.get(key).map(|field| &field.ty);
                declared.or(structure.additional.as_ref()).map(|ty| self.with(ty))
            }
            Shape::Map(values) => Some(self.with(values)),
            _ => None,
        }
    }

    /// The type of the items of a list.
    pub fn item(self) -> Option<Typed<'a>> {
        match &self.ty.shape {
            Shape::List(item) => Some(self.with(item)),
            _ => None,
        }
    }

    /// Whether nothing is known of what stands below: any value, or an object whose other fields stay.
    pub fn is_open(self) -> bool {
        matches!(self.ty.shape, Shape::Any) || self.ty.preserve_unknown
    }
}
