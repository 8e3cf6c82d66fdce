//! Libraries of functions and macros.

mod arguments;
pub mod bindings;
pub mod encoders;
#[cfg(test)]
mod extension_tests;
pub mod lists;
pub mod math;
pub mod network;
pub mod optional;
pub mod regex;
pub mod sets;
pub mod standard;
pub mod strings;
pub mod time;
pub mod two_variable;

use crate::function::Function;
use crate::macros::{self, Macro};
use crate::types::Type;

/// A library that cel-go offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Library {
    /// The operators, functions and macros of the language.
    Standard,
    /// Optional values and their syntax.
    Optional,
    /// The extension `strings`.
    Strings,
    /// The extension `lists`.
    Lists,
    /// The extension `math`.
    Math,
    /// The extension `encoders`.
    Encoders,
    /// The extension `sets`.
    Sets,
    /// The extension `bindings`.
    Bindings,
    /// The extension for comprehensions with two variables.
    TwoVariable,
    /// The extension `network`.
    Network,
    /// The extension `regex`.
    Regex,
}

impl Library {
    /// All libraries, each behind those that it needs.
    pub const ALL: [Library; 11] = [
        Library::Standard,
        Library::Optional,
        Library::Strings,
        Library::Lists,
        Library::Math,
        Library::Encoders,
        Library::Sets,
        Library::Bindings,
        Library::TwoVariable,
        Library::Network,
        Library::Regex,
    ];

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Library::Standard => "standard",
            Library::Optional => "optional",
            Library::Strings => "strings",
            Library::Lists => "lists",
            Library::Math => "math",
            Library::Encoders => "encoders",
            Library::Sets => "sets",
            Library::Bindings => "bindings",
            Library::TwoVariable => "twoVariable",
            Library::Network => "network",
            Library::Regex => "regex",
        }
    }

    /// The library of a name.
    pub fn named(name: &str) -> Option<Library> {
        Library::ALL.into_iter().find(|library| library.name() == name)
    }

    /// The newest version; the oldest is 0. A version beyond it is the newest.
    pub fn newest(self) -> u32 {
        match self {
            Library::Strings => 5,
            Library::Lists => 3,
            Library::Math | Library::Optional => 2,
            Library::Encoders | Library::Bindings | Library::Network => 1,
            Library::Standard | Library::Sets | Library::TwoVariable | Library::Regex => 0,
        }
    }

    /// What it is for, in a sentence.
    pub fn summary(self) -> &'static str {
        match self {
            Library::Standard => "The operators, functions and macros of the language.",
            Library::Optional => "Values that may be missing, and `?` in selections, indices and literals.",
            Library::Strings => "More functions on strings: searching, splitting, replacing, formatting.",
            Library::Lists => "More functions on lists: slicing, flattening, sorting, ranges.",
            Library::Math => "Least and greatest values, rounding, signs, bits.",
            Library::Encoders => "Base64 and JSON.",
            Library::Sets => "Lists as sets: containment, equivalence, intersection.",
            Library::Bindings => "Names for values within an expression.",
            Library::TwoVariable => "Macros over index and element, or key and value.",
            Library::Network => "IP addresses and CIDR ranges.",
            Library::Regex => "Replacing and extracting with regular expressions.",
        }
    }

    /// Where it is documented.
    pub fn documentation(self) -> &'static str {
        match self {
            Library::Standard => "https://github.com/google/cel-spec/blob/master/doc/langdef.md",
            Library::Optional => "https://pkg.go.dev/github.com/google/cel-go/cel#OptionalTypes",
            _ => "https://github.com/google/cel-go/blob/v0.29.2/ext/README.md",
        }
    }

    /// The functions of a version.
    pub fn functions(self, version: u32) -> Vec<Function> {
        let mut functions = match self {
            Library::Standard => {
                let mut functions = standard::functions();
                functions.extend(time::functions());
                functions
            }
            Library::Optional => optional::functions(version),
            Library::Strings => strings::functions(version),
            Library::Lists => lists::functions(version),
            Library::Math => math::functions(version),
            Library::Encoders => encoders::functions(version),
            Library::Sets => sets::functions(version),
            Library::Bindings => bindings::functions(version),
            Library::TwoVariable => two_variable::functions(version),
            Library::Network => network::functions(version),
            Library::Regex => regex::functions(version),
        };
        for function in &mut functions {
            function.library = self.name();
            for overload in &mut function.overloads {
                overload.library = self.name();
                overload.summary = function.summary;
            }
        }
        functions
    }

    /// The macros of a version.
    pub fn macros(self, version: u32) -> Vec<Macro> {
        let mut macros = match self {
            Library::Standard => macros::standard::macros(),
            Library::Optional => macros::optional::macros(version),
            Library::Lists => macros::lists::macros(version),
            Library::Math => macros::math::macros(version),
            Library::Bindings => macros::bindings::macros(version),
            Library::TwoVariable => macros::two_variable::macros(version),
            Library::Strings | Library::Encoders | Library::Sets | Library::Network | Library::Regex => {
                Vec::new()
            }
        };
        for one in &mut macros {
            one.library = self.name();
        }
        macros
    }

    /// The types that it brings, which are known by their names.
    pub(crate) fn types(self) -> Vec<Type> {
        match self {
            Library::Optional => vec![Type::optional(Type::Dyn)],
            Library::Network => vec![Type::opaque("net.IP", []), Type::opaque("net.CIDR", [])],
            _ => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_are_found_by_their_names() {
        for library in Library::ALL {
            assert_eq!(Library::named(library.name()), Some(library));
        }
        assert_eq!(Library::named("protos"), None);
    }
}
