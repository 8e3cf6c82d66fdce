//! The standard library: operators, comparisons, sizes, strings, conversions. What knows time is in
//! [`time`](super::time).

mod arithmetic;
mod comparison;
pub(super) mod conversion;
mod logic;
mod text;

use crate::function::Function;
use crate::types::Type;

/// The name of the library.
pub const NAME: &str = "standard";

/// The functions.
pub fn functions() -> Vec<Function> {
    let mut functions = logic::functions();
    functions.extend(arithmetic::functions());
    functions.extend(comparison::functions());
    functions.extend(text::functions());
    functions.extend(conversion::functions());
    functions
}

fn function(name: &str, summary: &'static str) -> Function {
    Function::new(NAME, name, summary)
}

fn param_a() -> Type {
    Type::param("A")
}

fn list_of_a() -> Type {
    Type::list(param_a())
}

fn map_of_a_b() -> Type {
    Type::map(param_a(), Type::param("B"))
}

#[cfg(test)]
pub(super) mod tests;
