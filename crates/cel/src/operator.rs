//! The names of operators in the tree, as cel-go has them.

/// `c ? t : f`.
pub const CONDITIONAL: &str = "_?_:_";
/// `a && b`.
pub const AND: &str = "_&&_";
/// `a || b`.
pub const OR: &str = "_||_";
/// `!a`.
pub const NOT: &str = "!_";
/// `a == b`.
pub const EQUALS: &str = "_==_";
/// `a != b`.
pub const NOT_EQUALS: &str = "_!=_";
/// `a < b`.
pub const LESS: &str = "_<_";
/// `a <= b`.
pub const LESS_EQUALS: &str = "_<=_";
/// `a > b`.
pub const GREATER: &str = "_>_";
/// `a >= b`.
pub const GREATER_EQUALS: &str = "_>=_";
/// `a + b`.
pub const ADD: &str = "_+_";
/// `a - b`.
pub const SUBTRACT: &str = "_-_";
/// `a * b`.
pub const MULTIPLY: &str = "_*_";
/// `a / b`.
pub const DIVIDE: &str = "_/_";
/// `a % b`.
pub const MODULO: &str = "_%_";
/// `-a`.
pub const NEGATE: &str = "-_";
/// `a[b]`.
pub const INDEX: &str = "_[_]";
/// `a[?b]`.
pub const OPT_INDEX: &str = "_[?_]";
/// `a.?b`.
pub const OPT_SELECT: &str = "_?._";
/// `a in b`.
pub const IN: &str = "@in";
/// Whether a loop goes on: true unless the value is `false`.
pub const NOT_STRICTLY_FALSE: &str = "@not_strictly_false";
/// The older name of [`NOT_STRICTLY_FALSE`].
pub const OLD_NOT_STRICTLY_FALSE: &str = "__not_strictly_false__";
