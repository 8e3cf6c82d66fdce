//! Signatures as text.

use std::fmt;

use crate::function::Overload;
use crate::operator;
use crate::types::Type;

impl Overload {
    /// The signature as cel-go's documentation of functions writes it: `string.split(string, int) -> list(string)`,
    /// `int + int -> int`, `optional.of(<T>) -> optional_type(<T>)`.
    pub fn signature(&self, name: &str) -> String {
        let result = Described(&self.result);
        let params: Vec<String> = self.params.iter().map(|param| Described(param).to_string()).collect();
        match (name, params.as_slice()) {
            (operator::CONDITIONAL, [condition, then, otherwise]) => {
                return format!("{condition} ? {then} : {otherwise} -> {result}");
            }
            (operator::INDEX, [operand, index]) => return format!("{operand}[{index}] -> {result}"),
            (operator::OPT_INDEX, [operand, index]) => return format!("{operand}[?{index}] -> {result}"),
            (operator::OPT_SELECT, [operand, field]) => return format!("{operand}.?{field} -> {result}"),
            _ => {}
        }
        match (operator_symbol(name), params.as_slice()) {
            (Some(symbol), [operand]) => format!("{symbol}{operand} -> {result}"),
            (Some(symbol), [left, right]) => format!("{left} {symbol} {right} -> {result}"),
            (_, [target, rest @ ..]) if self.member => {
                format!("{target}.{name}({}) -> {result}", rest.join(", "))
            }
            _ => format!("{name}({}) -> {result}", params.join(", ")),
        }
    }
}

/// How an operator is written.
fn operator_symbol(name: &str) -> Option<&'static str> {
    Some(match name {
        operator::AND => "&&",
        operator::OR => "||",
        operator::NOT => "!",
        operator::EQUALS => "==",
        operator::NOT_EQUALS => "!=",
        operator::LESS => "<",
        operator::LESS_EQUALS => "<=",
        operator::GREATER => ">",
        operator::GREATER_EQUALS => ">=",
        operator::ADD => "+",
        operator::SUBTRACT | operator::NEGATE => "-",
        operator::MULTIPLY => "*",
        operator::DIVIDE => "/",
        operator::MODULO => "%",
        operator::IN => "in",
        _ => return None,
    })
}

/// A type as documentation shows it: with its name at run time, type parameters in angle brackets.
struct Described<'a>(&'a Type);

impl fmt::Display for Described<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Type::Param(name) => write!(f, "<{name}>"),
            Type::Wrapper(of) => write!(f, "wrapper({})", of.name()),
            Type::List(element) => write!(f, "list({})", Described(element)),
            Type::Map(both) => write!(f, "map({}, {})", Described(&both.0), Described(&both.1)),
            Type::Type(_) => f.write_str("type"),
            Type::Opaque(name, params) if !params.is_empty() => {
                write!(f, "{name}")?;
                for (index, param) in params.iter().enumerate() {
                    f.write_str(if index == 0 { "(" } else { ", " })?;
                    write!(f, "{}", Described(param))?;
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
    fn signatures_are_written_as_calls_and_operators() {
        let split = Overload::member(
            "string_split_string_int",
            [Type::String, Type::String, Type::Int],
            Type::list(Type::String),
        );
        assert_eq!(split.signature("split"), "string.split(string, int) -> list(string)");
        let of = Overload::global("optional_of", [Type::param("V")], Type::optional(Type::param("V")));
        assert_eq!(of.signature("optional.of"), "optional.of(<V>) -> optional_type(<V>)");
        let add = Overload::global("add", [Type::Timestamp, Type::Duration], Type::Timestamp);
        assert_eq!(
            add.signature("_+_"),
            "google.protobuf.Timestamp + google.protobuf.Duration -> google.protobuf.Timestamp"
        );
        let not = Overload::global("logical_not", [Type::Bool], Type::Bool);
        assert_eq!(not.signature("!_"), "!bool -> bool");
        let index =
            Overload::global("index_list", [Type::list(Type::param("A")), Type::Int], Type::param("A"));
        assert_eq!(index.signature("_[_]"), "list(<A>)[int] -> <A>");
    }
}
