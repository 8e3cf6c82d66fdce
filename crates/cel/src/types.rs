//! Types.

use std::fmt;
use std::sync::Arc;

use crate::value::Val;

/// A type of CEL. Cloning is cheap.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// Any value; not checked.
    Dyn,
    /// `google.protobuf.Any`.
    Any,
    /// What an expression with an error has.
    Error,
    /// `null_type`.
    Null,
    /// `bool`.
    Bool,
    /// `int`.
    Int,
    /// `uint`.
    Uint,
    /// `double`.
    Double,
    /// `string`.
    String,
    /// `bytes`.
    Bytes,
    /// `google.protobuf.Duration`.
    Duration,
    /// `google.protobuf.Timestamp`.
    Timestamp,
    /// `wrapper(int)` and its like: the type (bool, int, uint, double, string, bytes) or null.
    Wrapper(Arc<Type>),
    /// `list(T)`.
    List(Arc<Type>),
    /// `map(K, V)`.
    Map(Arc<(Type, Type)>),
    /// `type(T)`; none for `type` itself.
    Type(Option<Arc<Type>>),
    /// A type parameter of an overload, or a variable of the checker.
    Param(Arc<str>),
    /// A type with a name and parameters: `optional_type(T)`, `net.IP`.
    Opaque(Arc<str>, Arc<[Type]>),
    /// A message type.
    Struct(Arc<str>),
}

impl Type {
    /// `list(element)`.
    pub fn list(element: Type) -> Type {
        Type::List(Arc::new(element))
    }

    /// `map(key, value)`.
    pub fn map(key: Type, value: Type) -> Type {
        Type::Map(Arc::new((key, value)))
    }

    /// `optional_type(value)`.
    pub fn optional(value: Type) -> Type {
        Type::opaque("optional_type", [value])
    }

    /// The type of types: `type(of)`.
    pub fn of(of: Type) -> Type {
        Type::Type(Some(Arc::new(of)))
    }

    /// A type parameter.
    pub fn param(name: &str) -> Type {
        Type::Param(name.into())
    }

    /// A wrapper of a primitive type.
    pub fn wrapper(of: Type) -> Type {
        Type::Wrapper(Arc::new(of))
    }

    /// A type with a name and parameters.
    pub fn opaque(name: &str, parameters: impl IntoIterator<Item = Type>) -> Type {
        Type::Opaque(name.into(), parameters.into_iter().collect())
    }

    /// The type of a message by its full name. Some messages are built-in types: `google.protobuf.Int32Value` is
    /// `wrapper(int)`, `google.protobuf.Struct` is `map(string, dyn)`.
    pub fn message(name: &str) -> Type {
        let Some(well_known) = name.strip_prefix("google.protobuf.") else {
            return Type::Struct(name.into());
        };
        match well_known {
            "BoolValue" => Type::wrapper(Type::Bool),
            "BytesValue" => Type::wrapper(Type::Bytes),
            "DoubleValue" | "FloatValue" => Type::wrapper(Type::Double),
            "Int32Value" | "Int64Value" => Type::wrapper(Type::Int),
            "UInt32Value" | "UInt64Value" => Type::wrapper(Type::Uint),
            "StringValue" => Type::wrapper(Type::String),
            "Any" => Type::Any,
            "Duration" => Type::Duration,
            "Timestamp" => Type::Timestamp,
            "ListValue" => Type::list(Type::Dyn),
            "NullValue" => Type::Null,
            "Struct" => Type::map(Type::String, Type::Dyn),
            "Value" => Type::Dyn,
            _ => Type::Struct(name.into()),
        }
    }

    /// The `T` of `optional_type(T)`.
    pub fn as_optional(&self) -> Option<&Type> {
        match self {
            Type::Opaque(name, parameters) if &**name == "optional_type" => parameters.first(),
            _ => None,
        }
    }

    /// The name that the type has at run time, what `type(x)` shows: `int`, `list`, `google.protobuf.Timestamp`.
    pub fn name(&self) -> &str {
        match self {
            Type::Dyn => "dyn",
            Type::Any => "google.protobuf.Any",
            Type::Error => "*error*",
            Type::Null => "null_type",
            Type::Bool => "bool",
            Type::Int => "int",
            Type::Uint => "uint",
            Type::Double => "double",
            Type::String => "string",
            Type::Bytes => "bytes",
            Type::Duration => "google.protobuf.Duration",
            Type::Timestamp => "google.protobuf.Timestamp",
            Type::Wrapper(of) => of.name(),
            Type::List(_) => "list",
            Type::Map(_) => "map",
            Type::Type(_) => "type",
            Type::Param(name) | Type::Struct(name) => name,
            Type::Opaque(name, _) => name,
        }
    }
}

impl Type {
    /// Whether a type is the same but for the names of type parameters (cel-go's `IsEquivalentType`). A wrapper is the
    /// same as the type in it.
    pub fn is_equivalent(&self, other: &Type) -> bool {
        self.same(other, false)
    }

    /// Whether a type is the same (cel-go's `IsExactType`). A wrapper is the same as the type in it.
    pub fn is_exact(&self, other: &Type) -> bool {
        self.same(other, true)
    }

    fn same(&self, other: &Type, names: bool) -> bool {
        match (self.unwrapped(), other.unwrapped()) {
            (Type::List(left), Type::List(right)) => left.same(right, names),
            (Type::Map(left), Type::Map(right)) => {
                left.0.same(&right.0, names) && left.1.same(&right.1, names)
            }
            (Type::Type(Some(left)), Type::Type(Some(right))) => left.same(right, names),
            (Type::Param(left), Type::Param(right)) => !names || left == right,
            (Type::Opaque(left, left_params), Type::Opaque(right, right_params)) => {
                left == right
                    && left_params.len() == right_params.len()
                    && left_params.iter().zip(&**right_params).all(|(left, right)| left.same(right, names))
            }
            (left, right) => left == right,
        }
    }

    /// The type in a wrapper, or the type itself.
    fn unwrapped(&self) -> &Type {
        match self {
            Type::Wrapper(of) => of,
            other => other,
        }
    }

    /// Whether a value of type `from` is one of this type (cel-go's `IsAssignableType`): `dyn`, `any` and type
    /// parameters take everything, a wrapper takes null. Type parameters are not bound.
    pub fn is_assignable(&self, from: &Type) -> bool {
        match (self, from) {
            (Type::Dyn | Type::Any | Type::Param(_), _) | (Type::Wrapper(_), Type::Null) => true,
            (Type::Wrapper(of), from) => **of == *from.unwrapped(),
            (Type::List(left), Type::List(right)) => left.is_assignable(right),
            (Type::Map(left), Type::Map(right)) => {
                left.0.is_assignable(&right.0) && left.1.is_assignable(&right.1)
            }
            (Type::Type(Some(left)), Type::Type(Some(right))) => left.is_assignable(right),
            (Type::Opaque(left, left_params), Type::Opaque(right, right_params)) => {
                left == right
                    && left_params.len() == right_params.len()
                    && left_params.iter().zip(&**right_params).all(|(left, right)| left.is_assignable(right))
            }
            (left, right) => left == right.unwrapped(),
        }
    }

    /// Whether a value may be an argument where this type is declared (cel-go's `IsAssignableRuntimeType`). Of a list
    /// or map, the first element or entry decides.
    pub fn is_assignable_runtime(&self, value: &Val) -> bool {
        match (self, value) {
            (Type::Dyn | Type::Any | Type::Param(_), _) | (Type::Wrapper(_), Val::Null) => true,
            (Type::Wrapper(of), value) => of.is_assignable_runtime(value),
            (Type::List(element), Val::List(list)) => {
                list.get(0).is_none_or(|first| element.is_assignable_runtime(&first))
            }
            (Type::Map(both), Val::Map(map)) => map.entry(0).is_none_or(|(key, value)| {
                both.0.is_assignable_runtime(&key) && both.1.is_assignable_runtime(&value)
            }),
            (Type::Null, Val::Null)
            | (Type::Bool, Val::Bool(_))
            | (Type::Int, Val::Int(_))
            | (Type::Uint, Val::Uint(_))
            | (Type::Double, Val::Double(_))
            | (Type::String, Val::String(_))
            | (Type::Bytes, Val::Bytes(_))
            | (Type::Duration, Val::Duration(_))
            | (Type::Timestamp, Val::Timestamp(_))
            | (Type::Type(_), Val::Type(_)) => true,
            (Type::Opaque(name, _), Val::Optional(_)) => &**name == "optional_type",
            (Type::Opaque(..) | Type::Struct(_), Val::Object(object)) => self.name() == object.ty().name(),
            _ => false,
        }
    }
}

/// As the checker's messages write types: `duration`, `null`, `wrapper(int)`, `map(string, dyn)`.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Any => f.write_str("any"),
            Type::Error => f.write_str("!error!"),
            Type::Null => f.write_str("null"),
            Type::Duration => f.write_str("duration"),
            Type::Timestamp => f.write_str("timestamp"),
            Type::Wrapper(of) => write!(f, "wrapper({of})"),
            Type::List(element) => write!(f, "list({element})"),
            Type::Map(both) => write!(f, "map({}, {})", both.0, both.1),
            Type::Type(Some(of)) => write!(f, "type({of})"),
            Type::Opaque(name, parameters) if !parameters.is_empty() => {
                write!(f, "{name}(")?;
                for (index, parameter) in parameters.iter().enumerate() {
                    let comma = if index == 0 { "" } else { ", " };
                    write!(f, "{comma}{parameter}")?;
                }
                f.write_str(")")
            }
            other => f.write_str(other.name()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrappers_are_as_good_as_their_types() {
        let wrapper = Type::wrapper(Type::Int);
        assert!(wrapper.is_exact(&Type::Int) && Type::Int.is_exact(&wrapper));
        assert!(wrapper.is_assignable(&Type::Null) && !Type::Int.is_assignable(&Type::Null));
        assert!(wrapper.is_assignable(&Type::Int) && Type::Int.is_assignable(&wrapper));
        assert!(!wrapper.is_assignable(&Type::Uint));
    }

    #[test]
    fn names_of_parameters_count_only_for_exact_types() {
        let (left, right) = (Type::list(Type::param("A")), Type::list(Type::param("B")));
        assert!(left.is_equivalent(&right) && !left.is_exact(&right));
        assert!(left.is_assignable(&Type::list(Type::Int)) && !Type::list(Type::Int).is_assignable(&left));
    }

    #[test]
    fn the_first_element_decides_at_run_time() {
        let ints = Type::list(Type::Int);
        assert!(ints.is_assignable_runtime(&Val::list(vec![])));
        assert!(ints.is_assignable_runtime(&Val::list(vec![Val::Int(1), Val::string("a")])));
        assert!(!ints.is_assignable_runtime(&Val::list(vec![Val::string("a"), Val::Int(1)])));
        assert!(Type::wrapper(Type::Int).is_assignable_runtime(&Val::Null));
        assert!(!Type::Int.is_assignable_runtime(&Val::Uint(1)));
        assert!(Type::Type(None).is_assignable_runtime(&Val::Type(Type::Int)));
        assert!(Type::optional(Type::Int).is_assignable_runtime(&Val::Optional(None)));
    }
}
