//! The extension `bindings`.
//!
//! Source: ext/bindings.go of cel-go. What people write is the macro `cel.bind`. Version 1 declares `cel.@block` too,
//! which only optimisers write: it has no implementation, because its first argument is not evaluated as a list.

use crate::function::{Function, Overload};
use crate::types::Type;

/// The functions of a version of the library.
pub fn functions(version: u32) -> Vec<Function> {
    if version < 1 {
        return Vec::new();
    }
    let result = Type::param("T");
    vec![
        Function::new(
            "bindings",
            "cel.@block",
            "The last argument, in which `@index0`, `@index1` and so on stand for the elements of the list.",
        )
        .overload(Overload::global(
            "cel_block_list",
            [Type::list(Type::Dyn), result.clone()],
            result,
        )),
    ]
}
