//! What the library finds out about a field with Go's reflection: its type, and what a merge does with it.

use convoy_kube::{Shape, StructId, Type, Typed, Types};

/// A Go type.
#[derive(Clone, Copy)]
pub(super) struct Schema<'a> {
    ty: GoType<'a>,
    /// Whether it is a pointer to that type.
    pointer: bool,
}

#[derive(Clone, Copy)]
enum GoType<'a> {
    Of(Typed<'a>),
    Struct(&'a Types, StructId),
    Structs(&'a Types, StructId),
    Strings,
    /// A type without fields and items, by its kind.
    Kind(&'static str),
}

/// What a merge does with a field.
#[derive(Clone, Copy, Default)]
pub(super) struct Meta<'a> {
    pub(super) merge: bool,
    pub(super) replace: bool,
    pub(super) merge_key: &'a str,
}

/// The Go structs that are no objects in JSON, with their fields.
enum Special {
    /// One without fields.
    Empty(&'static str),
    Quantity,
    IntOrString,
    Duration,
    SchemaOrArray,
    SchemaOrBool,
    SchemaOrStrings,
}

impl Special {
    /// The struct behind a type whose JSON is no object, or any.
    fn of(ty: &Type) -> Option<Special> {
        let name = ty.go_type.as_deref().map_or("", |name| name.rsplit(['.', '*']).next().unwrap_or(name));
        Some(match (&ty.shape, name) {
            (Shape::Quantity, _) => Special::Quantity,
            (Shape::IntOrString, _) => Special::IntOrString,
            (_, "Duration") => Special::Duration,
            (_, "JSONSchemaPropsOrArray") => Special::SchemaOrArray,
            (_, "JSONSchemaPropsOrBool") => Special::SchemaOrBool,
            (_, "JSONSchemaPropsOrStringArray") => Special::SchemaOrStrings,
            (_, "MicroTime") => Special::Empty("MicroTime"),
            (_, "FieldsV1") => Special::Empty("FieldsV1"),
            (Shape::String, _) if ty.format.as_deref() == Some("date-time") => Special::Empty("Time"),
            (Shape::Any, "JSON") => Special::Empty("JSON"),
            (Shape::Any, _) => Special::Empty("RawExtension"),
            _ => return None,
        })
    }

    fn name(&self) -> &'static str {
        match self {
            Special::Empty(name) => name,
            Special::Quantity => "Quantity",
            Special::IntOrString => "IntOrString",
            Special::Duration => "Duration",
            Special::SchemaOrArray => "JSONSchemaPropsOrArray",
            Special::SchemaOrBool => "JSONSchemaPropsOrBool",
            Special::SchemaOrStrings => "JSONSchemaPropsOrStringArray",
        }
    }

    /// The fields have no tags, so that their names in Go are those in JSON.
    fn field<'a>(&self, types: &'a Types, key: &str) -> Option<Schema<'a>> {
        let is = |name: &str| folds(name, key);
        let kind = |kind| Some(Schema { ty: GoType::Kind(kind), pointer: false });
        let props = || {
            types
                .structs()
                .find(|(_, structure)| structure.name.ends_with("apiextensions.v1.JSONSchemaProps"))
                .map(|(id, _)| id)
        };
        match self {
            Special::Quantity if is("Format") => kind("string"),
            Special::IntOrString if is("Type") => kind("int64"),
            Special::IntOrString if is("IntVal") => kind("int32"),
            Special::IntOrString if is("StrVal") => kind("string"),
            Special::Duration if is("Duration") => kind("int64"),
            Special::SchemaOrBool if is("Allows") => kind("bool"),
            Special::SchemaOrStrings if is("Property") => {
                Some(Schema { ty: GoType::Strings, pointer: false })
            }
            Special::SchemaOrArray if is("JSONSchemas") => {
                Some(Schema { ty: GoType::Structs(types, props()?), pointer: false })
            }
            Special::SchemaOrArray | Special::SchemaOrBool | Special::SchemaOrStrings if is("Schema") => {
                Some(Schema { ty: GoType::Struct(types, props()?), pointer: true })
            }
            _ => None,
        }
    }
}

impl<'a> Schema<'a> {
    /// The type of a whole object.
    pub(super) fn root(typed: Typed<'a>) -> Schema<'a> {
        Schema { ty: GoType::Of(typed), pointer: false }
    }

    /// The kind of the type in the words of Go's reflection.
    pub(super) fn kind(self) -> &'static str {
        if self.pointer { "ptr" } else { self.ty.kind() }
    }

    /// The type of a field that is an object, and what a merge does with it.
    pub(super) fn field(self, key: &str) -> Result<(Schema<'a>, Meta<'a>), String> {
        let unknown = |name: &str| {
            let key = convoy_value::go::quote(key.as_bytes());
            Err(format!("unable to find api field in struct {name} for the json field {key}"))
        };
        let (types, id) = match self.ty {
            GoType::Struct(types, id) => (types, id),
            GoType::Of(typed) => match typed.ty.shape {
                Shape::Struct(id) if Special::of(typed.ty).is_none() => (typed.types, id),
                _ => match Special::of(typed.ty) {
                    Some(special) => {
                        return match special.field(typed.types, key) {
                            Some(schema) => Ok((schema, Meta::default())),
                            None => unknown(special.name()),
                        };
                    }
                    None => return Err(no_struct(self.ty.kind())),
                },
            },
            GoType::Structs(..) | GoType::Strings | GoType::Kind(_) => return Err(no_struct(self.ty.kind())),
        };
        let structure = types.structure(id);
        let exact = structure.fields.get(key);
        let field = exact
            .or_else(|| structure.fields.iter().find(|(name, _)| folds(name, key)).map(|(_, field)| field));
        let Some(field) = field else { return unknown(structure.go_name()) };
        let strategy = field.ty.patch_strategy;
        let meta = Meta {
            merge: strategy.merge,
            replace: strategy.replace,
            merge_key: field.ty.patch_merge_key.as_deref().unwrap_or(""),
        };
        let typed = Typed { types, ty: &field.ty };
        Ok((Schema { ty: GoType::Of(typed), pointer: field.ty.pointer }, meta))
    }

    /// The type of the items of a field that is a list, and what a merge does with the list.
    pub(super) fn items(self, key: &str) -> Result<(Schema<'a>, Meta<'a>), String> {
        let (field, meta) = self.field(key)?;
        let Some(item) = field.ty.item() else {
            if field.pointer {
                // What a pointer leads to counts as the item, whatever it is.
                return Ok((Schema { pointer: false, ..field }, meta));
            }
            // The library names the kind of what has the field, not that of the field.
            return Err(format!("expected slice or array type, but got: {}", self.kind()));
        };
        if !field.pointer && item.kind() == "slice" {
            return Err("unexpected slice of slice".to_owned());
        }
        Ok((item, meta))
    }
}

impl<'a> GoType<'a> {
    fn kind(self) -> &'static str {
        match self {
            GoType::Struct(..) => "struct",
            GoType::Structs(..) | GoType::Strings => "slice",
            GoType::Kind(kind) => kind,
            GoType::Of(typed) => kind_of(typed.ty),
        }
    }

    fn item(self) -> Option<Schema<'a>> {
        let ty = match self {
            GoType::Structs(types, id) => GoType::Struct(types, id),
            GoType::Strings => GoType::Kind("string"),
            GoType::Of(typed) => match &typed.ty.shape {
                Shape::List(item) => {
                    return Some(Schema { ty: GoType::Of(typed.with(item)), pointer: item.pointer });
                }
                Shape::String if kind_of(typed.ty) == "slice" => GoType::Kind("uint8"),
                _ => return None,
            },
            GoType::Struct(..) | GoType::Kind(_) => return None,
        };
        Some(Schema { ty, pointer: false })
    }
}

fn kind_of(ty: &Type) -> &'static str {
    if Special::of(ty).is_some() {
        return "struct";
    }
    let format = ty.format.as_deref();
    match &ty.shape {
        Shape::Boolean => "bool",
        Shape::Integer if format == Some("int64") => "int64",
        Shape::Integer => "int32",
        Shape::Number => "float64",
        Shape::String if format == Some("byte") => "slice",
        Shape::String => "string",
        Shape::List(_) => "slice",
        Shape::Map(_) => "map",
        Shape::Struct(_) | Shape::Any | Shape::IntOrString | Shape::Quantity => "struct",
    }
}

fn no_struct(kind: &str) -> String {
    format!("merging an object in json but data type is not struct, instead is: {kind}")
}

/// Whether a key is the name of a field but for the case of its letters. As in `encoding/json`, the Kelvin sign is a
/// `k` and the long s an `s`.
fn folds(name: &str, key: &str) -> bool {
    let mut key = key.chars();
    name.chars().all(|c| {
        key.next().is_some_and(|k| match k {
            '\u{212a}' => c.eq_ignore_ascii_case(&'k'),
            '\u{17f}' => c.eq_ignore_ascii_case(&'s'),
            k => k.eq_ignore_ascii_case(&c),
        })
    }) && key.next().is_none()
}
