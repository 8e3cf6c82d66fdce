//! The environment of an expression: what is declared, which libraries and syntax there are.

mod json;
mod merge;
mod message;
pub mod well_known;
mod wire;

use std::collections::HashMap;
use std::sync::Arc;

use indexmap::IndexMap;

use crate::function::Function;
pub use crate::library::Library;
use crate::macros::Macro;
use crate::types::Type;
use crate::value::{Outcome, Val};
use well_known::WellKnown;

/// What an expression may use. Build one with [`Env::standard`] and add to it; an environment is made once and used for
/// many expressions.
#[derive(Clone, Debug)]
pub struct Env {
    /// Variables and their types.
    pub variables: HashMap<Arc<str>, Type>,
    /// Functions by name.
    pub functions: IndexMap<Arc<str>, Function>,
    /// Macros, by name, style and number of arguments.
    pub macros: Vec<Macro>,
    /// The types that are known by name, such as `int` and `list`, besides those of the provider.
    pub types: IndexMap<Arc<str>, Type>,
    /// The libraries that have been added, with their versions.
    pub libraries: Vec<(Library, u32)>,
    /// Message types.
    pub provider: Arc<dyn Provider>,
    /// The namespace in which names are looked up; empty for none.
    pub container: Arc<str>,
    /// The options of the language.
    pub options: Options,
}

/// Options of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// `a.?b`, `a[?b]`, `[?a]`, `{?k: v}` (cel-go's `EnableOptionalSyntax`; the library `optional` turns it on).
    pub optional_syntax: bool,
    /// Backquoted field names.
    pub escaped_identifiers: bool,
    /// Whether elements of list and map literals must have one type.
    pub homogeneous_literals: bool,
    /// Whether `1 < 2.0` has an overload.
    pub cross_type_numeric_comparisons: bool,
    /// Whether macros are expanded.
    pub macros: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            optional_syntax: false,
            escaped_identifiers: true,
            homogeneous_literals: false,
            cross_type_numeric_comparisons: false,
            macros: true,
        }
    }
}

/// Comparisons of numbers of different types, which an environment may switch off.
const CROSS_TYPE: [&str; 24] = [
    "less_double_int64",
    "less_double_uint64",
    "less_equals_double_int64",
    "less_equals_double_uint64",
    "greater_double_int64",
    "greater_double_uint64",
    "greater_equals_double_int64",
    "greater_equals_double_uint64",
    "less_int64_double",
    "less_int64_uint64",
    "less_equals_int64_double",
    "less_equals_int64_uint64",
    "greater_int64_double",
    "greater_int64_uint64",
    "greater_equals_int64_double",
    "greater_equals_int64_uint64",
    "less_uint64_double",
    "less_uint64_int64",
    "less_equals_uint64_double",
    "less_equals_uint64_int64",
    "greater_uint64_double",
    "greater_uint64_int64",
    "greater_equals_uint64_double",
    "greater_equals_uint64_int64",
];

impl Env {
    /// An environment without functions and macros. It knows the built-in types and the message types of
    /// [`WellKnown`].
    pub fn new() -> Env {
        let types = [
            Type::Bool,
            Type::Bytes,
            Type::Double,
            Type::Duration,
            Type::Int,
            Type::list(Type::Dyn),
            Type::map(Type::Dyn, Type::Dyn),
            Type::Null,
            Type::String,
            Type::Timestamp,
            Type::Type(None),
            Type::Uint,
        ];
        Env {
            variables: HashMap::new(),
            functions: IndexMap::new(),
            macros: Vec::new(),
            types: types.into_iter().map(|ty| (ty.name().into(), ty)).collect(),
            libraries: Vec::new(),
            provider: Arc::new(WellKnown),
            container: "".into(),
            options: Options::default(),
        }
    }

    /// An environment with the standard library.
    pub fn standard() -> Env {
        let mut env = Env::new();
        let added = env.add(Library::Standard, u32::MAX);
        debug_assert_eq!(added, Ok(()), "the first library cannot collide with another one");
        env
    }

    /// Adds the functions, macros and types of a library; `u32::MAX` is its newest version. A library that is there
    /// already, in whichever version, stays as it is.
    ///
    /// # Errors
    ///
    /// If a function collides with one that is there; what was added before it stays.
    pub fn add(&mut self, library: Library, version: u32) -> Result<(), String> {
        if self.has_library(library) {
            return Ok(());
        }
        let version = version.min(library.newest());
        self.libraries.push((library, version));
        if library == Library::Optional {
            self.options.optional_syntax = true;
        }
        for ty in library.types() {
            self.types.insert(ty.name().into(), ty);
        }
        self.macros.extend(library.macros(version));
        for function in library.functions(version) {
            self.add_function(function)?;
        }
        Ok(())
    }

    /// Whether a library has been added.
    pub fn has_library(&self, library: Library) -> bool {
        self.libraries.iter().any(|(added, _)| *added == library)
    }

    /// Adds a function, or more overloads to one that is there.
    ///
    /// # Errors
    ///
    /// With cel-go's text if an overload has the name of another one with a different signature, if arguments could
    /// fit two overloads, or if there are two implementations for all overloads. The environment is then as before.
    pub fn add_function(&mut self, function: Function) -> Result<(), String> {
        let name = Arc::clone(&function.name);
        let merged = match self.functions.get(&name) {
            Some(present) => merge::merge(present, function)?,
            None => merge::new(function)?,
        };
        self.functions.insert(name, merged);
        Ok(())
    }

    /// Declares a variable. A variable of the name that is there gets the new type.
    pub fn add_variable(&mut self, name: &str, ty: Type) {
        self.variables.insert(name.into(), ty);
    }

    /// The function of a full name.
    pub fn function(&self, name: &str) -> Option<&Function> {
        self.functions.get(name)
    }

    /// Whether the checker leaves an overload out.
    pub fn is_overload_disabled(&self, id: &str) -> bool {
        !self.options.cross_type_numeric_comparisons && CROSS_TYPE.contains(&id)
    }

    /// The value that a full name has besides the variables: a type or a constant. It is what cel-go's type registry
    /// finds when an expression runs, which is less than the checker knows: the names of wrappers are not found.
    pub fn ident(&self, name: &str) -> Option<Val> {
        match self.types.get(name) {
            Some(ty) => Some(Val::Type(ty.clone())),
            None => self.provider.ident(name).map(|(_, value)| value),
        }
    }

    /// The type of a full name, as the checker knows it.
    pub(crate) fn type_named(&self, name: &str) -> Option<Type> {
        if let Some(ty) = self.types.get(name) {
            return Some(ty.clone());
        }
        if let Some((Type::Type(Some(ty)), _)) = self.provider.ident(name) {
            return Some((*ty).clone());
        }
        self.provider.has_type(name).then(|| Type::message(name))
    }
}

impl Default for Env {
    /// An environment without functions and macros.
    fn default() -> Env {
        Env::new()
    }
}

/// Message types, from outside. Names are full names without a leading dot.
pub trait Provider: std::fmt::Debug + Send + Sync {
    /// Whether there is a message type of the name.
    fn has_type(&self, name: &str) -> bool;
    /// The type of a field of a message type; none if there is no such field.
    fn field(&self, ty: &str, field: &str) -> Option<Type>;
    /// The names of the fields of a message type, for suggestions.
    fn fields(&self, ty: &str) -> Vec<Arc<str>>;
    /// A constant (enum value) or type of the name: its type for the checker and its value.
    fn ident(&self, name: &str) -> Option<(Type, Val)>;
    /// A message of the type with these fields.
    fn construct(&self, ty: &str, fields: Vec<(Arc<str>, Val)>) -> Outcome;
}

/// Names against which a name is looked up in a container, most specific first; a leading dot means the name itself.
pub fn candidate_names(container: &str, name: &str) -> Vec<String> {
    if let Some(absolute) = name.strip_prefix('.') {
        return vec![absolute.to_owned()];
    }
    let mut candidates = Vec::new();
    let mut scope = container;
    while !scope.is_empty() {
        candidates.push(format!("{scope}.{name}"));
        scope = scope.rsplit_once('.').map_or("", |(outer, _)| outer);
    }
    candidates.push(name.to_owned());
    candidates
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_are_added_once() {
        let mut env = Env::standard();
        assert!(!env.options.optional_syntax && env.ident("optional_type").is_none());
        env.add(Library::Optional, 0).unwrap();
        let functions = env.functions.len();
        env.add(Library::Optional, u32::MAX).unwrap();
        assert_eq!(env.functions.len(), functions);
        assert_eq!(env.libraries, [(Library::Standard, 0), (Library::Optional, 0)]);
        assert!(env.options.optional_syntax);
        assert!(matches!(env.ident("optional_type"), Some(Val::Type(ty)) if ty == Type::optional(Type::Dyn)));
    }

    #[test]
    fn all_libraries_fit_together() {
        let mut env = Env::new();
        for library in Library::ALL {
            env.add(library, u32::MAX).unwrap();
        }
        assert!(env.functions.values().all(|function| Library::named(function.library).is_some()));
        assert!(env.macros.iter().all(|one| Library::named(one.library).is_some()));
    }

    #[test]
    fn the_checker_knows_more_names_than_the_evaluator() {
        let env = Env::new();
        assert!(matches!(env.ident("int"), Some(Val::Type(Type::Int))));
        assert!(matches!(env.ident("google.protobuf.NullValue.NULL_VALUE"), Some(Val::Int(0))));
        assert!(env.ident("google.protobuf.Int32Value").is_none());
        assert_eq!(env.type_named("google.protobuf.Int32Value"), Some(Type::wrapper(Type::Int)));
        assert_eq!(env.type_named("google.protobuf.NullValue"), None);
        assert_eq!(env.type_named("dyn"), None);
    }

    #[test]
    fn comparisons_across_types_are_off_by_default() {
        let mut env = Env::new();
        assert!(env.is_overload_disabled("less_int64_double") && !env.is_overload_disabled("less_int64"));
        env.options.cross_type_numeric_comparisons = true;
        assert!(!env.is_overload_disabled("less_int64_double"));
    }

    #[test]
    fn names_are_looked_up_from_the_innermost_namespace() {
        assert_eq!(candidate_names("a.b", "c.d"), ["a.b.c.d", "a.c.d", "c.d"]);
        assert_eq!(candidate_names("a.b", ".c"), ["c"]);
        assert_eq!(candidate_names("", "c"), ["c"]);
    }
}
