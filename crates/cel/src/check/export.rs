//! The types of a check as they are handed out.

use super::arena::{Arena, MAX_TYPE_DEPTH, MAX_TYPE_SIZE, Shape, Ty};
use crate::types::Type;

/// Makes [`Type`]s of the types of a check when it is over: bound variables become what they are bound to, the others
/// `dyn`. Each type is made once, and equal parts are shared.
#[derive(Debug)]
pub(super) struct Export<'a> {
    arena: &'a Arena,
    made: Vec<Option<Made>>,
    depth: u32,
    /// Whether a type was too large.
    pub(super) exhausted: bool,
}

/// A type and how many parts it has.
#[derive(Clone, Debug)]
struct Made {
    ty: Type,
    size: u32,
}

impl<'a> Export<'a> {
    pub(super) fn new(arena: &'a Arena) -> Export<'a> {
        Export { arena, made: Vec::new(), depth: 0, exhausted: false }
    }

    /// The final type of a type.
    pub(super) fn finish(&mut self, ty: Ty) -> Type {
        self.make(ty).ty
    }

    fn make(&mut self, ty: Ty) -> Made {
        if let Some(Some(made)) = self.made.get(ty.index()) {
            return made.clone();
        }
        let made = self.make_new(ty);
        if self.made.len() <= ty.index() {
            self.made.resize(ty.index() + 1, None);
        }
        if let Some(slot) = self.made.get_mut(ty.index()) {
            *slot = Some(made.clone());
        }
        made
    }

    fn make_new(&mut self, ty: Ty) -> Made {
        self.depth += 1;
        let (ty, size) = if self.exhausted || self.depth > MAX_TYPE_DEPTH {
            self.exhausted = true;
            (Type::Error, 1)
        } else {
            self.convert(ty)
        };
        self.depth -= 1;
        if size > MAX_TYPE_SIZE {
            self.exhausted = true;
            return Made { ty: Type::Error, size: 1 };
        }
        Made { ty, size }
    }

    /// The type with its size.
    fn convert(&mut self, ty: Ty) -> (Type, u32) {
        let simple = match self.arena.shape(ty) {
            Shape::Dyn => Type::Dyn,
            Shape::Any => Type::Any,
            Shape::Error => Type::Error,
            Shape::Null => Type::Null,
            Shape::Bool => Type::Bool,
            Shape::Int => Type::Int,
            Shape::Uint => Type::Uint,
            Shape::Double => Type::Double,
            Shape::String => Type::String,
            Shape::Bytes => Type::Bytes,
            Shape::Duration => Type::Duration,
            Shape::Timestamp => Type::Timestamp,
            Shape::Type(None) => Type::Type(None),
            Shape::Struct(name) => Type::Struct(self.arena.name_text(name).clone()),
            Shape::Wrapper(of) => Type::wrapper(self.finish(of)),
            Shape::Var(var) => match self.arena.bound(var) {
                Some(bound) => {
                    let made = self.make(bound);
                    return (made.ty, made.size);
                }
                None => Type::Dyn,
            },
            Shape::List(element) => {
                let element = self.make(element);
                return (Type::list(element.ty), element.size.saturating_add(1));
            }
            Shape::Map(key, value) => {
                let (key, value) = (self.make(key), self.make(value));
                let size = key.size.saturating_add(value.size).saturating_add(1);
                return (Type::map(key.ty, value.ty), size);
            }
            Shape::Type(Some(of)) => {
                let of = self.make(of);
                return (Type::of(of.ty), of.size.saturating_add(1));
            }
            Shape::Opaque(name, params) => {
                let mut size = 1_u32;
                let mut made = Vec::with_capacity(params.len());
                for index in 0..params.len() {
                    let param = self.make(self.arena.param(params, index));
                    size = size.saturating_add(param.size);
                    made.push(param.ty);
                }
                return (Type::Opaque(self.arena.name_text(name).clone(), made.into()), size);
            }
        };
        (simple, 1)
    }
}
