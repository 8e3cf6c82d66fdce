//! The types of one check.
//!
//! A check makes and compares many types that nobody sees afterwards. They stand in one list and refer to each other by
//! index, so that making one is cheap, and each knows how large it is: the types of an expression can grow
//! exponentially with its length (`cel.bind(b, {a: a}, cel.bind(c, {b: b}, …))`), which limits here keep from
//! happening.

use std::collections::HashMap;
use std::sync::Arc;

use crate::types::Type;

/// The most parts that a type may have.
pub(super) const MAX_TYPE_SIZE: u32 = 4_000;
/// The most levels that a type may have.
pub(super) const MAX_TYPE_DEPTH: u32 = 500;
/// The most types that a check may make.
const MAX_TYPES: usize = 4_000_000;

/// A type of the check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ty(u32);

/// The types without parts, which stand at the beginning of each list.
const SIMPLE: [Shape; 19] = [
    Shape::Dyn,
    Shape::Any,
    Shape::Error,
    Shape::Null,
    Shape::Bool,
    Shape::Int,
    Shape::Uint,
    Shape::Double,
    Shape::String,
    Shape::Bytes,
    Shape::Duration,
    Shape::Timestamp,
    Shape::Type(None),
    Shape::Wrapper(Ty::BOOL),
    Shape::Wrapper(Ty::INT),
    Shape::Wrapper(Ty::UINT),
    Shape::Wrapper(Ty::DOUBLE),
    Shape::Wrapper(Ty::STRING),
    Shape::Wrapper(Ty::BYTES),
];

impl Ty {
    pub(super) const DYN: Ty = Ty(0);
    pub(super) const ANY: Ty = Ty(1);
    pub(super) const ERROR: Ty = Ty(2);
    pub(super) const NULL: Ty = Ty(3);
    pub(super) const BOOL: Ty = Ty(4);
    pub(super) const INT: Ty = Ty(5);
    pub(super) const UINT: Ty = Ty(6);
    pub(super) const DOUBLE: Ty = Ty(7);
    pub(super) const STRING: Ty = Ty(8);
    pub(super) const BYTES: Ty = Ty(9);
    pub(super) const DURATION: Ty = Ty(10);
    pub(super) const TIMESTAMP: Ty = Ty(11);
    pub(super) const TYPE: Ty = Ty(12);
    /// No type: not an index into the list.
    pub(super) const NONE: Ty = Ty(u32::MAX);

    /// `dyn` or `any`.
    pub(super) fn is_dyn(self) -> bool {
        self == Ty::DYN || self == Ty::ANY
    }

    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a type is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Dyn,
    Any,
    Error,
    Null,
    Bool,
    Int,
    Uint,
    Double,
    String,
    Bytes,
    Duration,
    Timestamp,
    /// A primitive type or null.
    Wrapper(Ty),
    List(Ty),
    Map(Ty, Ty),
    Type(Option<Ty>),
    /// A type variable.
    Var(Var),
    /// A name with parameters.
    Opaque(Name, Params),
    Struct(Name),
}

/// A type variable: a parameter of a declaration, or one made for an overload or an empty literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Var(u32);

/// A name of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Name(u32);

/// The parameters of an opaque type: a part of one common list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Params {
    start: u32,
    len: u32,
}

impl Params {
    pub(super) fn len(self) -> usize {
        self.len as usize
    }
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    shape: Shape,
    size: u32,
    depth: u32,
    /// Whether a type variable occurs in it.
    variable: bool,
}

#[derive(Debug)]
struct Variable {
    /// The name of a declared parameter; a made variable is shown by its number.
    name: Option<Arc<str>>,
    number: u32,
    bound: Ty,
    ty: Ty,
}

/// The types of one check.
#[derive(Debug)]
pub(super) struct Arena {
    entries: Vec<Entry>,
    params: Vec<Ty>,
    names: Vec<Arc<str>>,
    name_numbers: HashMap<Arc<str>, u32>,
    variables: Vec<Variable>,
    /// How many variables have been made, including those that were never needed.
    made: u32,
    /// Bindings of variables that may have to be undone: the variable and what it was bound to before.
    pub(super) trail: Vec<(Var, Ty)>,
    /// Whether a type was too large or the check took too long. Types made afterwards may be wrong.
    pub(super) exhausted: bool,
}

impl Arena {
    pub(super) fn new() -> Arena {
        let entries =
            SIMPLE.iter().map(|&shape| Entry { shape, size: 1, depth: 1, variable: false }).collect();
        Arena {
            entries,
            params: Vec::new(),
            names: Vec::new(),
            name_numbers: HashMap::new(),
            variables: Vec::new(),
            made: 0,
            trail: Vec::new(),
            exhausted: false,
        }
    }

    fn entry(&self, ty: Ty) -> Entry {
        self.entries.get(ty.index()).copied().unwrap_or(Entry {
            shape: Shape::Error,
            size: 1,
            depth: 1,
            variable: false,
        })
    }

    pub(super) fn shape(&self, ty: Ty) -> Shape {
        self.entry(ty).shape
    }

    /// Whether a type variable occurs in the type.
    pub(super) fn has_variable(&self, ty: Ty) -> bool {
        self.entry(ty).variable
    }

    fn push(&mut self, shape: Shape, parts: &[Ty]) -> Ty {
        let mut entry = Entry { shape, size: 1, depth: 1, variable: false };
        for part in parts {
            let part = self.entry(*part);
            entry.size = entry.size.saturating_add(part.size);
            entry.depth = entry.depth.max(part.depth.saturating_add(1));
            entry.variable |= part.variable;
        }
        if entry.size > MAX_TYPE_SIZE || entry.depth > MAX_TYPE_DEPTH {
            self.exhausted = true;
            return Ty::ERROR;
        }
        self.add(entry)
    }

    fn add(&mut self, entry: Entry) -> Ty {
        let index = self.entries.len();
        if index >= MAX_TYPES {
            self.exhausted = true;
            return Ty::ERROR;
        }
        self.entries.push(entry);
        Ty(index as u32)
    }

    pub(super) fn list(&mut self, element: Ty) -> Ty {
        self.push(Shape::List(element), &[element])
    }

    pub(super) fn map(&mut self, key: Ty, value: Ty) -> Ty {
        self.push(Shape::Map(key, value), &[key, value])
    }

    pub(super) fn type_of(&mut self, of: Ty) -> Ty {
        self.push(Shape::Type(Some(of)), &[of])
    }

    pub(super) fn optional(&mut self, value: Ty) -> Ty {
        let name = self.name("optional_type");
        self.opaque(name, &[value])
    }

    pub(super) fn opaque(&mut self, name: Name, params: &[Ty]) -> Ty {
        let start = self.params.len() as u32;
        self.params.extend_from_slice(params);
        self.push(Shape::Opaque(name, Params { start, len: params.len() as u32 }), params)
    }

    /// A parameter of an opaque type.
    pub(super) fn param(&self, params: Params, index: usize) -> Ty {
        let within = index < params.len();
        let found = within.then(|| self.params.get(params.start as usize + index)).flatten();
        found.copied().unwrap_or(Ty::ERROR)
    }

    pub(super) fn name(&mut self, name: &str) -> Name {
        if let Some(&number) = self.name_numbers.get(name) {
            return Name(number);
        }
        let name: Arc<str> = name.into();
        let number = self.names.len() as u32;
        self.names.push(Arc::clone(&name));
        self.name_numbers.insert(name, number);
        Name(number)
    }

    pub(super) fn name_text(&self, name: Name) -> &Arc<str> {
        static EMPTY: std::sync::LazyLock<Arc<str>> = std::sync::LazyLock::new(|| "".into());
        self.names.get(name.0 as usize).unwrap_or(&EMPTY)
    }

    /// A type variable that has not been there yet.
    pub(super) fn fresh(&mut self) -> Ty {
        let number = self.made;
        self.skip_fresh(1);
        self.variable(None, number)
    }

    /// Counts variables that cel-go makes and nobody needs: messages may show the number of a variable.
    pub(super) fn skip_fresh(&mut self, count: usize) {
        self.made = self.made.saturating_add(count as u32);
    }

    fn variable(&mut self, name: Option<Arc<str>>, number: u32) -> Ty {
        let var = Var(self.variables.len() as u32);
        let ty = self.add(Entry { shape: Shape::Var(var), size: 1, depth: 1, variable: true });
        if ty != Ty::ERROR {
            self.variables.push(Variable { name, number, bound: Ty::NONE, ty });
        }
        ty
    }

    /// The type parameter of a declaration: one variable for all of its uses.
    fn declared(&mut self, name: &Arc<str>) -> Ty {
        let found = self.variables.iter().find(|variable| variable.name.as_ref() == Some(name));
        match found {
            Some(variable) => variable.ty,
            None => self.variable(Some(Arc::clone(name)), 0),
        }
    }

    /// What a variable is bound to.
    pub(super) fn bound(&self, var: Var) -> Option<Ty> {
        self.variables.get(var.0 as usize).map(|variable| variable.bound).filter(|&bound| bound != Ty::NONE)
    }

    /// Binds a variable; [`Arena::undo`] takes it back.
    pub(super) fn bind(&mut self, var: Var, to: Ty) {
        if let Some(variable) = self.variables.get_mut(var.0 as usize) {
            self.trail.push((var, variable.bound));
            variable.bound = to;
        }
    }

    /// Takes back all bindings since the trail had this length.
    pub(super) fn undo(&mut self, length: usize) {
        while self.trail.len() > length {
            let Some((var, before)) = self.trail.pop() else { return };
            if let Some(variable) = self.variables.get_mut(var.0 as usize) {
                variable.bound = before;
            }
        }
    }

    /// A declared type. Parameters that `parameters` names become the types given there.
    pub(super) fn import(&mut self, ty: &Type, parameters: &[(&str, Ty)]) -> Ty {
        match ty {
            Type::Dyn => Ty::DYN,
            Type::Any => Ty::ANY,
            Type::Error => Ty::ERROR,
            Type::Null => Ty::NULL,
            Type::Bool => Ty::BOOL,
            Type::Int => Ty::INT,
            Type::Uint => Ty::UINT,
            Type::Double => Ty::DOUBLE,
            Type::String => Ty::STRING,
            Type::Bytes => Ty::BYTES,
            Type::Duration => Ty::DURATION,
            Type::Timestamp => Ty::TIMESTAMP,
            Type::Type(None) => Ty::TYPE,
            Type::Type(Some(of)) => {
                let of = self.import(of, parameters);
                self.type_of(of)
            }
            Type::Wrapper(of) => {
                let of = self.import(of, parameters);
                let simple = SIMPLE.iter().position(|&shape| shape == Shape::Wrapper(of));
                // Only primitive types have wrappers.
                simple.map_or(of, |index| Ty(index as u32))
            }
            Type::List(element) => {
                let element = self.import(element, parameters);
                self.list(element)
            }
            Type::Map(both) => {
                let key = self.import(&both.0, parameters);
                let value = self.import(&both.1, parameters);
                self.map(key, value)
            }
            Type::Param(name) => match parameters.iter().find(|(known, _)| *known == &**name) {
                Some((_, ty)) => *ty,
                None => self.declared(name),
            },
            Type::Opaque(name, params) => {
                let params: Vec<Ty> = params.iter().map(|param| self.import(param, parameters)).collect();
                let name = self.name(name);
                self.opaque(name, &params)
            }
            Type::Struct(name) => {
                let name = self.name(name);
                self.push(Shape::Struct(name), &[])
            }
        }
    }

    /// The name of a type at run time.
    pub(super) fn runtime_name(&self, ty: Ty) -> &str {
        match self.shape(ty) {
            Shape::Dyn => "dyn",
            Shape::Any => "google.protobuf.Any",
            Shape::Error => "error",
            Shape::Null => "null_type",
            Shape::Bool => "bool",
            Shape::Int => "int",
            Shape::Uint => "uint",
            Shape::Double => "double",
            Shape::String => "string",
            Shape::Bytes => "bytes",
            Shape::Duration => "google.protobuf.Duration",
            Shape::Timestamp => "google.protobuf.Timestamp",
            Shape::Wrapper(of) => self.runtime_name(of),
            Shape::List(_) => "list",
            Shape::Map(..) => "map",
            Shape::Type(_) => "type",
            Shape::Var(var) => {
                self.variables.get(var.0 as usize).and_then(|variable| variable.name.as_deref()).unwrap_or("")
            }
            Shape::Opaque(name, _) | Shape::Struct(name) => self.name_text(name),
        }
    }

    /// Whether a type is that of a primitive type or null.
    pub(super) fn is_wrapper(&self, ty: Ty) -> bool {
        matches!(self.shape(ty), Shape::Wrapper(_))
    }

    /// Writes a type as cel-go's messages do.
    pub(super) fn show(&self, ty: Ty, out: &mut String) {
        match self.shape(ty) {
            Shape::Any => out.push_str("any"),
            Shape::Error => out.push_str("!error!"),
            Shape::Null => out.push_str("null"),
            Shape::Duration => out.push_str("duration"),
            Shape::Timestamp => out.push_str("timestamp"),
            Shape::Wrapper(of) => {
                out.push_str("wrapper(");
                self.show(of, out);
                out.push(')');
            }
            Shape::List(element) => {
                out.push_str("list(");
                self.show(element, out);
                out.push(')');
            }
            Shape::Map(key, value) => {
                out.push_str("map(");
                self.show(key, out);
                out.push_str(", ");
                self.show(value, out);
                out.push(')');
            }
            Shape::Type(Some(of)) => {
                out.push_str("type(");
                self.show(of, out);
                out.push(')');
            }
            Shape::Var(var) => match self.variables.get(var.0 as usize) {
                Some(Variable { name: Some(name), .. }) => out.push_str(name),
                Some(variable) => out.push_str(&format!("_var{}", variable.number)),
                None => {}
            },
            Shape::Opaque(name, params) if params.len() > 0 => {
                out.push_str(self.name_text(name));
                for index in 0..params.len() {
                    out.push_str(if index == 0 { "(" } else { ", " });
                    self.show(self.param(params, index), out);
                }
                out.push(')');
            }
            _ => out.push_str(self.runtime_name(ty)),
        }
    }
}
