//! What a type means to the library: what `kube-openapi` makes of the `OpenAPI` that the API server publishes
//! (`pkg/schemaconv`).
//!
//! A type is an [`Atom`]: what it says of scalars, of lists and of objects. Most types allow one of the three, and
//! those of which nothing is known all.

use std::sync::Arc;

use convoy_kube::{ListKind, Shape, Struct, Type, Typed};
use convoy_value::Value;

/// The place of a value in its type.
#[derive(Clone, Copy)]
pub(super) enum Place<'a> {
    /// A place whose type is declared.
    Typed {
        typed: Typed<'a>,
        /// Whether something above, in the same schema, keeps fields that are not declared: that holds for all below.
        preserve: bool,
    },
    /// A place of which nothing is known: lists are atomic, the values of objects are their own
    /// (`__untyped_deduced_`).
    Deduced,
    /// A place below an atomic one of which nothing is known (`__untyped_atomic_`), and `RawExtension`.
    Atomic,
}

/// Which scalars a type allows. Integers and other numbers are not told apart.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Scalar {
    Numeric,
    String,
    Boolean,
    /// Any of them: also a text with a format.
    Untyped,
}

/// How the items of a list belong together.
#[derive(Clone, Copy)]
pub(super) enum Items<'a> {
    /// Replaced whole.
    Atomic,
    /// Scalars, each once.
    Set,
    /// Objects, told apart by these keys.
    Keyed(&'a [Arc<str>]),
}

/// What a type says of lists.
#[derive(Clone, Copy)]
pub(super) struct List<'a> {
    pub(super) items: Items<'a>,
    /// The type of the items.
    pub(super) item: Place<'a>,
}

/// What a type says of objects.
#[derive(Clone, Copy)]
pub(super) struct Object<'a> {
    /// The declared fields.
    fields: Option<(Typed<'a>, &'a Struct)>,
    /// Whether what is not declared below stays.
    preserve: bool,
    /// The type of all other values; none if there may not be any.
    other: Option<Other<'a>>,
    /// Whether it is replaced whole.
    pub(super) atomic: bool,
}

#[derive(Clone, Copy)]
enum Other<'a> {
    Declared(Typed<'a>),
    Deduced,
    Atomic,
}

/// What a type says.
#[derive(Clone, Copy, Default)]
pub(super) struct Atom<'a> {
    pub(super) scalar: Option<Scalar>,
    pub(super) list: Option<List<'a>>,
    pub(super) object: Option<Object<'a>>,
}

/// Which of the three a value is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Scalar,
    List,
    Object,
    /// Null, or a Go value that the library has no kind for (`uint64`, `[]uint8`).
    None,
}

impl Kind {
    pub(super) fn of(value: &Value) -> Kind {
        match value {
            Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::String(_) => Kind::Scalar,
            Value::List(_) => Kind::List,
            Value::Map(_) | Value::StringMap(_) => Kind::Object,
            Value::Null | Value::Uint(_) | Value::Bytes(_) => Kind::None,
        }
    }
}

/// The type that stands for a scalar that is there, a list or an object.
#[derive(Clone, Copy)]
pub(super) enum Chosen<'a> {
    Scalar(Scalar),
    List(List<'a>),
    Object(Object<'a>),
}

impl<'a> Atom<'a> {
    /// What counts for a value: what the type says of its kind; or else the first thing that it says, which is where
    /// values that do not fit are refused.
    pub(super) fn chosen(&self, kind: Kind) -> Option<Chosen<'a>> {
        match (kind, self.scalar, self.list, self.object) {
            (Kind::Scalar, Some(scalar), ..) => Some(Chosen::Scalar(scalar)),
            (Kind::List, _, Some(list), _) => Some(Chosen::List(list)),
            (.., Some(object)) => Some(Chosen::Object(object)),
            (_, Some(scalar), ..) => Some(Chosen::Scalar(scalar)),
            (_, _, Some(list), _) => Some(Chosen::List(list)),
            _ => None,
        }
    }
}

impl<'a> Object<'a> {
    /// The type of a declared field.
    pub(super) fn declared(&self, key: &str) -> Option<Place<'a>> {
        let (typed, structure) = self.fields?;
        let field = structure.fields.get(key)?;
        Some(Place::below(typed.with(&field.ty), self.preserve))
    }

    /// The type of a value; none if the field is unknown.
    pub(super) fn member(&self, key: &str) -> Option<Place<'a>> {
        self.declared(key).or_else(|| {
            Some(match self.other? {
                Other::Declared(typed) => Place::below(typed, self.preserve),
                Other::Deduced => Place::Deduced,
                Other::Atomic => Place::Atomic,
            })
        })
    }

    /// The default of a declared field.
    pub(super) fn default(&self, key: &str) -> Option<&'a Value> {
        let (_, structure) = self.fields?;
        structure.fields.get(key)?.ty.default.as_ref()
    }
}

impl<'a> Place<'a> {
    /// The place of a whole object.
    pub(super) fn of(typed: Typed<'a>) -> Place<'a> {
        Place::below(typed, false)
    }

    fn below(typed: Typed<'a>, inherited: bool) -> Place<'a> {
        // A named struct is a schema of its own, which does not inherit.
        let named = typed.structure().is_some_and(|structure| !structure.name.is_empty());
        Place::Typed { typed, preserve: typed.ty.preserve_unknown || (inherited && !named) }
    }

    /// What the type says.
    pub(super) fn atom(self) -> Atom<'a> {
        match self {
            Place::Typed { typed, preserve } => typed_atom(typed, preserve),
            Place::Deduced => untyped(false),
            Place::Atomic => untyped(true),
        }
    }
}

/// Everything is allowed. Objects are atomic, or their values are their own.
fn untyped<'a>(atomic: bool) -> Atom<'a> {
    let other = Some(if atomic { Other::Atomic } else { Other::Deduced });
    Atom {
        scalar: Some(Scalar::Untyped),
        list: Some(List { items: Items::Atomic, item: Place::Atomic }),
        object: Some(Object { fields: None, preserve: false, other, atomic }),
    }
}

fn typed_atom(typed: Typed<'_>, preserve: bool) -> Atom<'_> {
    let ty = typed.ty;
    let scalar = |scalar| Atom { scalar: Some(scalar), ..Atom::default() };
    match &ty.shape {
        Shape::Any if is_raw_extension(ty) => untyped(true),
        // Any object, and no more, since the schema of these says that they are one.
        Shape::Any if matches!(ty.go_type.as_deref(), Some("v1.FieldsV1" | "v1.Patch")) => {
            Atom { object: untyped(false).object, ..Atom::default() }
        }
        // An `IntOrString` is published without a type, so that it allows everything here.
        Shape::Any | Shape::IntOrString => {
            let mut atom = untyped(ty.atomic);
            atom.list = Some(List { items: items(ty), item: Place::Atomic });
            atom.object =
                Some(Object { fields: None, preserve, other: Some(Other::Deduced), atomic: ty.atomic });
            atom
        }
        Shape::Boolean => scalar(Scalar::Boolean),
        Shape::Integer | Shape::Number => scalar(Scalar::Numeric),
        Shape::String => match ty.format.as_deref() {
            None | Some("" | "byte") => scalar(Scalar::String),
            Some(_) => scalar(Scalar::Untyped),
        },
        Shape::Quantity => scalar(Scalar::Untyped),
        Shape::List(item) => {
            let item = Place::below(typed.with(item), preserve);
            Atom { list: Some(List { items: items(ty), item }), ..Atom::default() }
        }
        Shape::Map(values) => {
            let other = Some(Other::Declared(typed.with(values)));
            let object = Object { fields: None, preserve, other, atomic: ty.atomic };
            Atom { object: Some(object), ..Atom::default() }
        }
        Shape::Struct(id) => {
            let structure = typed.types.structure(*id);
            let other = match &structure.additional {
                Some(additional) => Some(Other::Declared(typed.with(additional))),
                // An object without declared fields may have any.
                None => (preserve || structure.fields.is_empty()).then_some(Other::Deduced),
            };
            let object = Object { fields: Some((typed, structure)), preserve, other, atomic: ty.atomic };
            Atom { object: Some(object), ..Atom::default() }
        }
    }
}

/// `RawExtension` is atomic to the library, although its schema is that of any object.
fn is_raw_extension(ty: &Type) -> bool {
    ty.go_type.as_deref() == Some("runtime.RawExtension")
}

/// How the items of a list belong together: what the list says, else what its patch strategy says.
fn items(ty: &Type) -> Items<'_> {
    match &ty.list {
        ListKind::Atomic => Items::Atomic,
        ListKind::Set => Items::Set,
        ListKind::Map(keys) if keys.is_empty() => Items::Set,
        ListKind::Map(keys) => Items::Keyed(keys),
        ListKind::Unspecified if ty.patch_strategy.merge => match &ty.patch_merge_key {
            Some(key) => Items::Keyed(std::slice::from_ref(key)),
            None => Items::Set,
        },
        ListKind::Unspecified => Items::Atomic,
    }
}
