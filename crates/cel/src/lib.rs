//! The Common Expression Language as cel-go has it: tree, types, evaluation, libraries.
//!
//! [`parse::parse`] turns a text into an [`ast::Ast`], [`check::check`] finds its types in an [`env::Env`],
//! [`eval::Program`] runs it. Each speaks in cel-go's words. The crate must not know YAML, Kubernetes or any dialect.
//! Start reading at [`ast`], then [`parse`], [`check`] and [`eval`]; [`library`] has the functions.
//!
//! ```
//! use convoy_cel::check::check;
//! use convoy_cel::env::Env;
//! use convoy_cel::eval::{Limits, Program, Variables};
//! use convoy_cel::issue::report;
//! use convoy_cel::parse::parse;
//! use convoy_cel::types::Type;
//! use convoy_cel::value::Val;
//!
//! let mut env = Env::standard();
//! env.add_variable("replicas", Type::Int);
//!
//! let text = "replicas > 2 ? 'many' : 'few'";
//! let parsed = parse(text, &env);
//! assert!(parsed.issues.is_empty());
//! let checked = check(parsed.ast, &env);
//! assert_eq!(checked.result(), Some(&Type::String));
//! let program = Program::new(&checked, &env).unwrap();
//! let variables = Variables::from([("replicas".into(), Val::Int(3))]);
//! let evaluation = program.eval(&variables, &Limits::default());
//! assert_eq!(evaluation.result.unwrap().as_str(), Some("many"));
//!
//! let wrong = check(parse("replicas + 'a'", &env).ast, &env);
//! assert_eq!(
//!     report("replicas + 'a'", &wrong.issues),
//!     "ERROR: <input>:1:10: found no matching overload for '_+_' applied to '(int, string)'\n \
//!      | replicas + 'a'\n | .........^"
//! );
//! ```

pub mod ast;
pub mod check;
pub mod env;
pub mod eval;
pub mod function;
pub mod issue;
pub mod library;
pub mod macros;
pub mod operator;
pub mod parse;
pub mod re2;
pub mod types;
pub mod value;
