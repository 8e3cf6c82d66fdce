//! Values of evaluation.

use std::any::Any;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::types::Type;

mod containers;
pub mod convert;
pub mod duration;
pub mod equal;
pub mod json;
pub mod number;
pub mod show;
pub mod timestamp;

pub(crate) use containers::exact_int;
pub use containers::{Key, List, Map};

/// A value. Cloning is cheap.
#[derive(Clone, Debug)]
pub enum Val {
    /// `null`.
    Null,
    /// `bool`.
    Bool(bool),
    /// `int`.
    Int(i64),
    /// `uint`.
    Uint(u64),
    /// `double`.
    Double(f64),
    /// `string`.
    String(Arc<str>),
    /// `bytes`.
    Bytes(Arc<[u8]>),
    /// `google.protobuf.Duration`, in nanoseconds (Go's `time.Duration`).
    Duration(i64),
    /// `google.protobuf.Timestamp`.
    Timestamp(Timestamp),
    /// `list`.
    List(List),
    /// `map`.
    Map(Map),
    /// A type.
    Type(Type),
    /// `optional_type`: with a value or `optional.none()`.
    Optional(Option<Arc<Val>>),
    /// A message, or a value of a library's own type.
    Object(Arc<dyn Object>),
}

/// An instant, with the offset in which it is shown. Two timestamps are compared by the instant alone.
#[derive(Clone, Copy, Debug)]
pub struct Timestamp {
    /// Seconds since 1970-01-01T00:00:00Z.
    pub seconds: i64,
    /// Nanoseconds of that second (0 to 999,999,999).
    pub nanos: u32,
    /// Seconds east of UTC. cel-go keeps the offset of a parsed text: `string()` writes it, nothing else reads it.
    pub offset: i32,
}

impl Timestamp {
    /// An instant shown in UTC.
    pub const fn utc(seconds: i64, nanos: u32) -> Timestamp {
        Timestamp { seconds, nanos, offset: 0 }
    }

    fn instant(&self) -> (i64, u32) {
        (self.seconds, self.nanos)
    }
}

impl PartialEq for Timestamp {
    fn eq(&self, other: &Timestamp) -> bool {
        self.instant() == other.instant()
    }
}

impl Eq for Timestamp {}

impl PartialOrd for Timestamp {
    fn partial_cmp(&self, other: &Timestamp) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Timestamp {
    fn cmp(&self, other: &Timestamp) -> Ordering {
        self.instant().cmp(&other.instant())
    }
}

impl Hash for Timestamp {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.instant().hash(state);
    }
}

/// A value of a type that is not built in: a message or an opaque type such as `net.IP`.
pub trait Object: fmt::Debug + Send + Sync {
    /// Its type.
    fn ty(&self) -> Type;
    /// Whether it is equal to another value.
    fn equals(&self, other: &Val) -> bool;
    /// For the implementation of its own functions.
    fn as_any(&self) -> &dyn Any;
    /// The value of a field of a message; none if it has no such field.
    fn field(&self, _name: &str) -> Option<Val> {
        None
    }
    /// Whether a field of a message is set, for `has()`; none if it has no such field.
    fn has_field(&self, _name: &str) -> Option<bool> {
        None
    }
    /// Whether it is the empty value of its type, for `optional.ofNonZeroValue`.
    fn is_zero(&self) -> bool {
        false
    }
    /// The value that a conversion (`string(x)`, `dyn` to another type) gives; none if there is none.
    fn convert(&self, _to: &Type) -> Option<Outcome> {
        None
    }
    /// How many plain values take as long to compare with others.
    fn weight(&self) -> usize {
        1
    }
    /// The size that cost tracking and `size()` see, if it has one.
    fn size(&self) -> Option<i64> {
        None
    }
}

/// The result of a function: a value or an error.
pub type Outcome = Result<Val, EvalError>;

/// An error of evaluation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvalError(pub Box<ErrorData>);

/// What an [`EvalError`] holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorData {
    /// cel-go's text.
    pub message: String,
    /// cel-go's number of the node that failed; 0 as long as none has been set.
    pub id: crate::ast::Id,
    /// cel-go's number of the very link that failed where `id` names a whole chain, as for a missing key; else 0.
    pub link: crate::ast::Id,
    /// What kind of error it is.
    pub kind: ErrorKind,
}

/// What kind of error an [`EvalError`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// An error of the expression over these values; `||` and `&&` may absorb it.
    Value,
    /// A key, field or index that is not there.
    Missing,
    /// cel-go itself breaks here (a panic that it turns into an error); ends the evaluation.
    Internal,
    /// A limit ([`Limits`](crate::eval::Limits)) was passed; ends the evaluation.
    Limit,
    /// The caller cancelled the evaluation.
    Cancelled,
}

impl EvalError {
    /// An error of the expression with cel-go's text.
    pub fn new(message: impl Into<String>) -> EvalError {
        EvalError::of(ErrorKind::Value, message)
    }

    /// An error of some kind.
    pub fn of(kind: ErrorKind, message: impl Into<String>) -> EvalError {
        EvalError(Box::new(ErrorData { message: message.into(), id: 0, link: 0, kind }))
    }

    /// `no such overload`.
    pub fn no_such_overload() -> EvalError {
        EvalError::new("no such overload")
    }

    /// cel-go's text.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Sets the node, unless there is one already.
    #[must_use]
    pub fn labelled(mut self, id: crate::ast::Id) -> EvalError {
        if self.0.id == 0 {
            self.0.id = id;
        }
        self
    }
}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl std::error::Error for EvalError {}

impl Val {
    /// A string value.
    pub fn string(text: impl Into<Arc<str>>) -> Val {
        Val::String(text.into())
    }

    /// A list value.
    pub fn list(items: Vec<Val>) -> Val {
        Val::List(List::from(items))
    }

    /// The type at run time; parameters of lists and maps are `dyn`.
    pub fn ty(&self) -> Type {
        match self {
            Val::Null => Type::Null,
            Val::Bool(_) => Type::Bool,
            Val::Int(_) => Type::Int,
            Val::Uint(_) => Type::Uint,
            Val::Double(_) => Type::Double,
            Val::String(_) => Type::String,
            Val::Bytes(_) => Type::Bytes,
            Val::Duration(_) => Type::Duration,
            Val::Timestamp(_) => Type::Timestamp,
            Val::List(_) => Type::list(Type::Dyn),
            Val::Map(_) => Type::map(Type::Dyn, Type::Dyn),
            Val::Type(_) => Type::Type(None),
            Val::Optional(_) => Type::optional(Type::Dyn),
            Val::Object(object) => object.ty(),
        }
    }

    /// The string inside.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Val::String(text) => Some(text),
            _ => None,
        }
    }
}
