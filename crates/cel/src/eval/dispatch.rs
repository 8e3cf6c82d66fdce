//! Which implementation a call runs, and cel-go's answer where none fits.

use std::sync::Arc;

use crate::function::{Binding, Context, Function, Overload, Shape};
use crate::value::{EvalError, Outcome, Val};

/// What a call is bound to.
#[derive(Clone, Debug)]
pub(super) enum Dispatch {
    /// Nothing: each call is an error.
    None,
    /// One overload; the values are compared with its types first.
    Overload { function: Arc<str>, overload: Arc<Overload>, binding: Binding, unguarded: bool },
    /// One implementation for all overloads, for first arguments that it takes.
    Singleton { binding: Binding, operand: Option<fn(&Val) -> bool> },
    /// The first overload whose types fit the values.
    All { function: Arc<str>, overloads: Vec<Arc<Overload>>, unguarded: bool },
}

impl Dispatch {
    /// What the dispatcher of cel-go finds for an overload id (empty for none) or else for the name of the function.
    pub(super) fn find(function: Option<&Function>, overload: &str) -> Dispatch {
        let Some(function) = function else { return Dispatch::None };
        if let Some(singleton) = &function.singleton {
            return Dispatch::Singleton { binding: singleton.binding, operand: singleton.operand };
        }
        let bound: Vec<&Overload> = function.overloads.iter().filter(|o| o.binding.is_some()).collect();
        let one = match bound.as_slice() {
            [only] => Some(*only),
            all => all.iter().copied().find(|o| &*o.id == overload),
        };
        if let Some((overload, binding)) = one.and_then(|o| o.binding.map(|binding| (o, binding))) {
            return Dispatch::Overload {
                function: Arc::clone(&function.name),
                overload: Arc::new(overload.clone()),
                binding,
                unguarded: function.unguarded,
            };
        }
        if bound.is_empty() {
            return Dispatch::None;
        }
        Dispatch::All {
            function: Arc::clone(&function.name),
            overloads: bound.into_iter().map(|o| Arc::new(o.clone())).collect(),
            unguarded: function.unguarded,
        }
    }

    /// The way in which cel-go would bind it: none if there is nothing.
    pub(super) fn shape(&self) -> Option<Shape> {
        match self {
            Dispatch::None => None,
            Dispatch::Overload { binding, .. } | Dispatch::Singleton { binding, .. } => Some(binding.shape),
            Dispatch::All { .. } => Some(Shape::Function),
        }
    }

    /// Whether the implementation takes this first argument.
    pub(super) fn takes(&self, first: Option<&Val>) -> bool {
        match self {
            Dispatch::None => false,
            Dispatch::Singleton { operand: Some(operand), .. } => first.is_none_or(operand),
            _ => true,
        }
    }

    /// Runs it.
    pub(super) fn call(&self, context: &Context<'_>, args: &[Val]) -> Outcome {
        match self {
            Dispatch::None => Err(EvalError::no_such_overload()),
            Dispatch::Singleton { binding, .. } => (binding.call)(context, args),
            Dispatch::Overload { function, overload, binding, unguarded } => {
                if fits(overload, *unguarded, args) {
                    (binding.call)(context, args)
                } else {
                    Err(no_such_overload(function, args))
                }
            }
            Dispatch::All { function, overloads, unguarded } => {
                let fitting =
                    overloads.iter().find(|o| shape_fits(o, args.len()) && fits(o, *unguarded, args));
                match fitting.and_then(|o| o.binding) {
                    Some(binding) => (binding.call)(context, args),
                    None => Err(no_such_overload(function, args)),
                }
            }
        }
    }
}

fn shape_fits(overload: &Overload, args: usize) -> bool {
    match overload.binding.map(|binding| binding.shape) {
        Some(Shape::Unary) => args == 1,
        Some(Shape::Binary) => args == 2,
        Some(Shape::Function) => true,
        None => false,
    }
}

fn fits(overload: &Overload, unguarded: bool, args: &[Val]) -> bool {
    args.len() == overload.params.len()
        && (unguarded || overload.params.iter().zip(args).all(|(ty, value)| ty.is_assignable_runtime(value)))
}

fn no_such_overload(function: &str, args: &[Val]) -> EvalError {
    let types: Vec<_> = args.iter().map(|value| value.ty().name().to_owned()).collect();
    EvalError::new(format!("no such overload: {function}({})", types.join(", ")))
}
