//! Go's `text/template`: tree, execution, and where each byte of the output comes from.
//!
//! [`parse`] gives a [`Template`] for any text, with Go's errors; [`execute`] runs it over a [`Val`] and gives the
//! output, Go's error and the map from the output to the template. [`check`] finds what is wrong without data.
//!
//! ```
//! use convoy_gotemplate::{Functions, Options, Val, execute, parse};
//! use convoy_value::Value;
//!
//! let functions = Functions::builtin();
//! let template = parse("t", "replicas: {{ .spec.replicas }}", &|name| functions.contains(name));
//! assert!(template.errors.is_empty());
//! let data = Value::map([("spec", Value::map([("replicas", Value::Int(3))]))]);
//! let output = execute(&template, &functions, &Val::from_value(&data), &Options::default());
//! assert_eq!(output.bytes, b"replicas: 3");
//! ```
//!
//! It must not know YAML, Kubernetes or any dialect. Start reading at [`node`].

pub mod check;
mod exec;
mod format;
mod funcs;
mod lex;
pub mod node;
mod number;
mod parse;
pub mod query;
mod val;

pub use exec::{ExecError, ExecErrorKind, Limits, MissingKey, Options, Output, Written, execute, failures};
pub use format::{sprint, sprintf, sprintln};
pub use funcs::{Arity, Function, Functions, Implementation};
pub use parse::{DEPTH_LIMIT, Definition, ParseError, ParseErrorKind, Template, parse};
pub use val::Val;
