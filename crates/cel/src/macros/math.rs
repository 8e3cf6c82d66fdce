//! `math.greatest`, `math.least`.

use super::{Macro, MacroError};
use crate::ast::{Expr, Kind, Literal};
use crate::parse::Builder;

/// The macros, the same in each version.
pub fn macros(_version: u32) -> Vec<Macro> {
    vec![
        Macro {
            function: "least",
            library: "math",
            receiver: true,
            arity: None,
            expand: least,
            summary: "Gives the smallest of numbers, or of the elements of a list of numbers.",
            signature: "math.least(number, …)",
            example: "math.least(3, 1, 2) == 1",
        },
        Macro {
            function: "greatest",
            library: "math",
            receiver: true,
            arity: None,
            expand: greatest,
            summary: "Gives the largest of numbers, or of the elements of a list of numbers.",
            signature: "math.greatest(number, …)",
            example: "math.greatest(3, 1, 2) == 3",
        },
    ]
}

fn least(make: &mut Builder<'_>, target: Option<Expr>, args: &[Expr]) -> Result<Option<Expr>, MacroError> {
    expand(make, target, args, "math.least()", "math.@min")
}

fn greatest(make: &mut Builder<'_>, target: Option<Expr>, args: &[Expr]) -> Result<Option<Expr>, MacroError> {
    expand(make, target, args, "math.greatest()", "math.@max")
}

fn expand(
    make: &mut Builder<'_>,
    target: Option<Expr>,
    args: &[Expr],
    name: &str,
    function: &'static str,
) -> Result<Option<Expr>, MacroError> {
    let Some(target) = target.filter(|target| make.is_name(Some(*target), "math")) else {
        return Ok(None);
    };
    match args {
        [] => Err(make.error(target, format!("{name} requires at least one argument"))),
        [arg] => {
            let fits = may_be_number(make, *arg)
                || matches!(make.kind(*arg), Kind::List { elements, .. }
                    if !elements.is_empty() && elements.iter().all(|element| may_be_number(make, *element)));
            if !fits {
                return Err(make.error(*arg, format!("{name} invalid single argument value")));
            }
            Ok(Some(make.call(function, vec![*arg])))
        }
        args => {
            if let Some(wrong) = args.iter().find(|arg| !may_be_number(make, **arg)) {
                return Err(make.error(*wrong, format!("{name} simple literal arguments must be numeric")));
            }
            let args = if args.len() == 2 { args.to_vec() } else { vec![make.list(args.to_vec())] };
            Ok(Some(make.call(function, args)))
        }
    }
}

/// Whether a node is a number or something whose value is not known.
fn may_be_number(make: &Builder<'_>, arg: Expr) -> bool {
    match make.kind(arg) {
        Kind::Literal(literal) => {
            matches!(literal, Literal::Int(_) | Literal::Uint(_) | Literal::Double(_))
        }
        Kind::List { .. } | Kind::Map(_) | Kind::Struct { .. } => false,
        _ => true,
    }
}
