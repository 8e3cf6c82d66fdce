//! Literal IP addresses and CIDR ranges.

use std::cell::Cell;

use super::{Checked, Found, report};
use crate::ast::{Kind, Literal};
use crate::env::Env;
use crate::function::Context;
use crate::value::Val;

/// Parses the literal first arguments of a function by calling the overload that parses.
pub(super) fn validate(checked: &mut Checked, env: &Env, found: &[Found], name: &str, overload: &str) {
    let overloads = env.function(name).map(|function| &function.overloads);
    let parse =
        overloads.and_then(|overloads| overloads.iter().find(|known| &*known.id == overload)?.binding);
    let Some(parse) = parse else { return };
    let regexes = crate::re2::Cache::default();
    for call in found.iter().map(|found| found.expr) {
        let Kind::Call { function, args, .. } = checked.ast.kind(call) else { continue };
        let Some(arg) = args.first().copied().filter(|_| &**function == name) else { continue };
        let Kind::Literal(Literal::String(text)) = checked.ast.kind(arg) else { continue };
        let context = Context {
            memory: Cell::new(1 << 20),
            steps: Cell::new(1 << 20),
            cancelled: None,
            regexes: &regexes,
        };
        if let Err(error) = (parse.call)(&context, &[Val::String(text.clone())]) {
            let message = format!("invalid {name} argument: {}", error.message());
            report(checked, arg, checked.ast.id(arg), message);
        }
    }
}
