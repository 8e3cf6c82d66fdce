//! Which types fit which: assignability with type variables.
//!
//! It is cel-go's relation, in which `dyn`, `any` and error fit everything and null fits what may be null. cel-go copies
//! its table of bindings for each attempt; here a failed attempt takes back the bindings that it made.

use super::arena::{Arena, Shape, Ty, Var};

/// How deep types may refer to each other through variables.
const MAX_DEPTH: u32 = 1_000;

/// Answers questions about the types of an arena.
#[derive(Debug)]
pub(super) struct Unifier {
    pub(super) arena: Arena,
    /// How many more comparisons the check may make.
    steps: u64,
    depth: u32,
}

impl Unifier {
    pub(super) fn new(steps: u64) -> Unifier {
        Unifier { arena: Arena::new(), steps, depth: 0 }
    }

    fn shape(&self, ty: Ty) -> Shape {
        self.arena.shape(ty)
    }

    /// Whether one more level and one more step are within the limits.
    fn enter(&mut self) -> bool {
        if self.arena.exhausted {
            return false;
        }
        if self.steps == 0 || self.depth >= MAX_DEPTH {
            self.arena.exhausted = true;
            return false;
        }
        self.steps -= 1;
        self.depth += 1;
        true
    }

    fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    /// The `T` of `optional_type(T)`.
    pub(super) fn as_optional(&self, ty: Ty) -> Option<Ty> {
        match self.shape(ty) {
            Shape::Opaque(name, params) if &**self.arena.name_text(name) == "optional_type" => {
                Some(self.arena.param(params, 0))
            }
            _ => None,
        }
    }

    /// Whether `from` is assignable to `to`. If so, variables may have been bound.
    pub(super) fn assignable(&mut self, to: Ty, from: Ty) -> bool {
        if to == from {
            return true;
        }
        let mark = self.arena.trail.len();
        let fits = self.fits(to, from);
        self.close(mark, fits)
    }

    /// Ends an attempt: takes its bindings back unless it succeeded.
    pub(super) fn close(&mut self, mark: usize, fits: bool) -> bool {
        let fits = fits && !self.arena.exhausted;
        if !fits {
            self.arena.undo(mark);
        }
        if mark == 0 {
            self.arena.trail.clear();
        }
        fits
    }

    /// The relation itself; a failed attempt may leave bindings.
    pub(super) fn fits(&mut self, left: Ty, right: Ty) -> bool {
        if left == right {
            return true;
        }
        if !self.enter() {
            return false;
        }
        let fits = self.fits_within(left, right);
        self.leave();
        fits
    }

    fn fits_within(&mut self, left: Ty, right: Ty) -> bool {
        let (left_shape, right_shape) = (self.shape(left), self.shape(right));
        if let Shape::Var(var) = right_shape {
            match self.substitutable(left, right, var) {
                (true, _) => return true,
                (false, true) => return false,
                (false, false) => {}
            }
        }
        if let Shape::Var(var) = left_shape {
            return self.substitutable(right, left, var).0;
        }
        let wild = |ty| matches!(ty, Ty::DYN | Ty::ANY | Ty::ERROR);
        if wild(left) || wild(right) {
            return true;
        }
        match (left_shape, right_shape) {
            (Shape::Null, other) | (other, Shape::Null) => nullable(other),
            (Shape::Wrapper(left), Shape::Wrapper(right)) => left == right,
            (Shape::Wrapper(of), _) => of == right,
            (_, Shape::Wrapper(of)) => of == left,
            (Shape::Struct(left), Shape::Struct(right)) => left == right,
            (Shape::Type(_), Shape::Type(_)) => true,
            (Shape::List(left), Shape::List(right)) => self.fits(left, right),
            (Shape::Map(left_key, left_value), Shape::Map(right_key, right_value)) => {
                self.fits(left_key, right_key) && self.fits(left_value, right_value)
            }
            (Shape::Opaque(left, left_params), Shape::Opaque(right, right_params)) => {
                left == right
                    && left_params.len() == right_params.len()
                    && (0..left_params.len()).all(|index| {
                        let left = self.arena.param(left_params, index);
                        let right = self.arena.param(right_params, index);
                        self.fits(left, right)
                    })
            }
            (left, right) => left == right,
        }
    }

    /// Whether `ty` may stand for a variable, and whether the variable is bound.
    fn substitutable(&mut self, ty: Ty, variable: Ty, var: Var) -> (bool, bool) {
        if ty == variable {
            return (true, true);
        }
        let Some(bound) = self.arena.bound(var) else {
            if self.absent(variable, ty) {
                self.arena.bind(var, ty);
                return (true, false);
            }
            return (false, false);
        };
        if self.exact(ty, bound) {
            return (true, true);
        }
        if self.fits(ty, bound) {
            let general = self.most_general(ty, bound);
            if self.absent(variable, general) {
                self.arena.bind(var, general);
            }
            return (true, true);
        }
        (false, true)
    }

    /// Whether two types are the same. A wrapper is the same as its type.
    pub(super) fn exact(&mut self, left: Ty, right: Ty) -> bool {
        if left == right {
            return true;
        }
        if !self.enter() {
            return false;
        }
        let exact = match (self.shape(left), self.shape(right)) {
            (Shape::Wrapper(left), Shape::Wrapper(right)) => left == right,
            (Shape::Wrapper(of), _) => of == right,
            (_, Shape::Wrapper(of)) => of == left,
            (Shape::List(left), Shape::List(right)) => self.exact(left, right),
            (Shape::Type(Some(left)), Shape::Type(Some(right))) => self.exact(left, right),
            (Shape::Map(left_key, left_value), Shape::Map(right_key, right_value)) => {
                self.exact(left_key, right_key) && self.exact(left_value, right_value)
            }
            (Shape::Opaque(left, left_params), Shape::Opaque(right, right_params)) => {
                left == right
                    && left_params.len() == right_params.len()
                    && (0..left_params.len()).all(|index| {
                        let left = self.arena.param(left_params, index);
                        let right = self.arena.param(right_params, index);
                        self.exact(left, right)
                    })
            }
            (left, right) => left == right,
        };
        self.leave();
        exact
    }

    /// The more general of two types that fit.
    pub(super) fn most_general(&mut self, left: Ty, right: Ty) -> Ty {
        if self.less_specific(left, right) { left } else { right }
    }

    /// Whether `left` is the same as `right` or says less.
    fn less_specific(&mut self, left: Ty, right: Ty) -> bool {
        let wild = |shape| matches!(shape, Shape::Dyn | Shape::Any | Shape::Var(_));
        let (left_shape, right_shape) = (self.shape(left), self.shape(right));
        if wild(left_shape) {
            return true;
        }
        if wild(right_shape) {
            return false;
        }
        if !self.enter() {
            return false;
        }
        let less = match (left_shape, right_shape) {
            (Shape::Type(_), Shape::Type(_)) => true,
            (Shape::List(left), Shape::List(right)) => self.less_specific(left, right),
            (Shape::Map(left_key, left_value), Shape::Map(right_key, right_value)) => {
                self.less_specific(left_key, right_key) && self.less_specific(left_value, right_value)
            }
            (Shape::Opaque(left, left_params), Shape::Opaque(right, right_params)) => {
                left == right
                    && left_params.len() == right_params.len()
                    && (0..left_params.len()).all(|index| {
                        let left = self.arena.param(left_params, index);
                        let right = self.arena.param(right_params, index);
                        self.less_specific(left, right)
                    })
            }
            _ => self.exact(left, right),
        };
        self.leave();
        less
    }

    /// Whether a variable does not occur in a type, also not through other variables.
    fn absent(&mut self, variable: Ty, within: Ty) -> bool {
        if variable == within {
            return false;
        }
        if !self.arena.has_variable(within) {
            return true;
        }
        if !self.enter() {
            return false;
        }
        let absent = match self.shape(within) {
            Shape::Var(var) => match self.arena.bound(var) {
                Some(bound) => self.absent(variable, bound),
                None => true,
            },
            Shape::List(part) | Shape::Type(Some(part)) => self.absent(variable, part),
            Shape::Map(key, value) => self.absent(variable, key) && self.absent(variable, value),
            Shape::Opaque(_, params) => {
                (0..params.len()).all(|index| self.absent(variable, self.arena.param(params, index)))
            }
            _ => true,
        };
        self.leave();
        absent
    }

    /// The type with bound variables replaced; with `to_dyn`, the others become `dyn`.
    pub(super) fn substitute(&mut self, ty: Ty, to_dyn: bool) -> Ty {
        if !self.arena.has_variable(ty) {
            return ty;
        }
        if !self.enter() {
            return Ty::ERROR;
        }
        let result = match self.shape(ty) {
            Shape::Var(var) => match self.arena.bound(var) {
                Some(bound) => self.substitute(bound, to_dyn),
                None if to_dyn => Ty::DYN,
                None => ty,
            },
            Shape::List(element) => {
                let new = self.substitute(element, to_dyn);
                if new == element { ty } else { self.arena.list(new) }
            }
            Shape::Map(key, value) => {
                let new_key = self.substitute(key, to_dyn);
                let new_value = self.substitute(value, to_dyn);
                if (new_key, new_value) == (key, value) { ty } else { self.arena.map(new_key, new_value) }
            }
            Shape::Type(Some(of)) => {
                let new = self.substitute(of, to_dyn);
                if new == of { ty } else { self.arena.type_of(new) }
            }
            Shape::Opaque(name, params) => {
                let mut new = Vec::with_capacity(params.len());
                for index in 0..params.len() {
                    let param = self.arena.param(params, index);
                    new.push(self.substitute(param, to_dyn));
                }
                self.arena.opaque(name, &new)
            }
            _ => ty,
        };
        self.leave();
        result
    }
}

/// Whether null is assignable to a type that is not wild.
fn nullable(shape: Shape) -> bool {
    matches!(
        shape,
        Shape::Null
            | Shape::Wrapper(_)
            | Shape::Opaque(..)
            | Shape::Struct(_)
            | Shape::Duration
            | Shape::Timestamp
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Type;

    fn unifier() -> Unifier {
        Unifier::new(1_000_000)
    }

    #[test]
    fn a_failed_attempt_takes_its_bindings_back() {
        let mut unifier = unifier();
        let (first, second) = (unifier.arena.fresh(), unifier.arena.fresh());
        let pair = unifier.arena.map(first, second);
        let name = unifier.arena.name("pair");
        let (left, right) =
            (unifier.arena.opaque(name, &[pair, Ty::INT]), unifier.arena.map(Ty::INT, Ty::STRING));
        let right = unifier.arena.opaque(name, &[right, Ty::STRING]);
        assert!(!unifier.assignable(left, right));
        assert_eq!(unifier.substitute(first, false), first);
        assert!(unifier.assignable(pair, Ty::DYN));
    }

    #[test]
    fn a_variable_becomes_the_more_general_type() {
        let mut unifier = unifier();
        let variable = unifier.arena.fresh();
        assert!(unifier.assignable(variable, Ty::INT));
        assert!(!unifier.assignable(variable, Ty::STRING));
        assert!(unifier.assignable(variable, Ty::DYN));
        assert_eq!(unifier.substitute(variable, false), Ty::DYN);
        assert!(unifier.assignable(variable, Ty::STRING));
    }

    #[test]
    fn a_variable_does_not_occur_in_what_it_is_bound_to() {
        let mut unifier = unifier();
        let variable = unifier.arena.fresh();
        let list = unifier.arena.list(variable);
        assert!(!unifier.assignable(variable, list));
        let other = unifier.arena.fresh();
        assert!(unifier.assignable(other, list));
        assert!(!unifier.assignable(variable, other));
    }

    #[test]
    fn null_fits_what_may_be_null() {
        let mut unifier = unifier();
        let types = [
            (Type::wrapper(Type::Int), true),
            (Type::Struct("a.B".into()), true),
            (Type::Timestamp, true),
            (Type::optional(Type::Int), true),
            (Type::Int, false),
            (Type::list(Type::Int), false),
            (Type::Type(None), false),
        ];
        for (ty, fits) in types {
            let imported = unifier.arena.import(&ty, &[]);
            assert_eq!(unifier.assignable(imported, Ty::NULL), fits, "{ty}");
            assert_eq!(unifier.assignable(Ty::NULL, imported), fits, "{ty}");
        }
    }

    /// Runs with the stack that a thread of a server may have.
    fn on_a_small_stack(run: impl FnOnce() + Send + 'static) {
        std::thread::Builder::new().stack_size(2 << 20).spawn(run).unwrap().join().unwrap();
    }

    #[test]
    fn depth_is_limited() {
        on_a_small_stack(|| {
            let mut unifier = unifier();
            let (mut left, mut right) = (unifier.arena.fresh(), Ty::INT);
            for _ in 0..400 {
                (left, right) = (unifier.arena.list(left), unifier.arena.list(right));
            }
            assert!(unifier.assignable(left, right));
            for _ in 0..200 {
                left = unifier.arena.list(left);
            }
            assert!(unifier.arena.exhausted);
        });
    }

    #[test]
    fn chains_of_variables_are_limited() {
        on_a_small_stack(|| {
            let mut unifier = unifier();
            let last = unifier.arena.fresh();
            let mut next = last;
            for _ in 0..5_000 {
                let variable = unifier.arena.fresh();
                if let Shape::Var(var) = unifier.arena.shape(variable) {
                    unifier.arena.bind(var, next);
                }
                next = variable;
            }
            let list = unifier.arena.list(Ty::INT);
            assert!(!unifier.assignable(list, next));
            assert!(unifier.arena.exhausted);
            assert_eq!(super::super::export::Export::new(&unifier.arena).finish(next), Type::Error);
        });
    }

    #[test]
    fn steps_are_limited() {
        let mut unifier = Unifier::new(100);
        let (mut left, mut right) = (unifier.arena.fresh(), Ty::INT);
        for _ in 0..8 {
            (left, right) = (unifier.arena.map(left, left), unifier.arena.map(right, right));
        }
        assert!(!unifier.assignable(left, right));
        assert!(unifier.arena.exhausted);
    }
}
