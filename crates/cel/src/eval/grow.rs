//! Accumulators that grow in place, so that a loop over n elements does not copy n lists.

use std::sync::Arc;

use crate::function::Context;
use crate::library::two_variable;
use crate::operator;
use crate::value::{EvalError, List, Map, Outcome, Val};

/// `@result + list` and `cel.@mapInsert(@result, …)` with the accumulator as the first argument, taken out of the loop:
/// the value if the accumulator could grow in place, else the arguments for an ordinary call.
pub(super) fn grow(
    function: &str,
    context: &Context<'_>,
    args: Vec<Val>,
) -> Result<Result<Val, Vec<Val>>, EvalError> {
    if function == operator::ADD {
        let pair: Result<[Val; 2], Vec<Val>> = args.try_into();
        return match pair {
            Ok([Val::List(List::Vals(mut items)), Val::List(more)]) => match Arc::get_mut(&mut items) {
                Some(inside) => {
                    context.charge(more.len().saturating_mul(size_of::<Val>()))?;
                    context.work(more.len())?;
                    inside.extend(more.iter());
                    Ok(Ok(Val::List(List::Vals(items))))
                }
                None => Ok(Err(vec![Val::List(List::Vals(items)), Val::List(more)])),
            },
            Ok(pair) => Ok(Err(pair.into())),
            Err(args) => Ok(Err(args)),
        };
    }
    match args.as_slice() {
        [Val::Map(Map::Vals(_)), _, _] | [Val::Map(Map::Vals(_)), Val::Map(_)] => {}
        _ => return Ok(Err(args)),
    }
    let mut args = args.into_iter();
    let value = match (args.next(), args.next(), args.next()) {
        (Some(Val::Map(map)), Some(key), Some(value)) => two_variable::insert(context, map, &key, &value)?,
        (Some(Val::Map(map)), Some(Val::Map(more)), None) => two_variable::merge(context, map, &more)?,
        _ => return Err(EvalError::no_such_overload()),
    };
    Ok(Ok(value))
}

/// An empty list or map of its own for an accumulator.
pub(super) fn fresh(value: Outcome) -> Outcome {
    value.map(|value| match value {
        Val::List(list) if list.is_empty() => Val::list(Vec::new()),
        Val::Map(map) if map.is_empty() => Val::Map(Map::from_entries([])),
        other => other,
    })
}
