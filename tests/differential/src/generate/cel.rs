//! Expressions: every function, operator and macro by the types that it takes, over the variables of
//! `tests/conformance/cel/kube.json`, with another type, a missing key or a slip here and there.

mod table;
mod words;

use fastrand::Rng;

use super::soup;
use crate::draw::{one_in, pick, weighted};
use table::{Row, T, TABLE};
pub(crate) use words::DICTIONARY;

/// An expression.
pub(crate) fn expression(rng: &mut Rng) -> String {
    if one_in(rng, 10) {
        return soup(rng, DICTIONARY, 12);
    }
    let slips = if one_in(rng, 2) { 0 } else { 6 + rng.u32(..24) };
    let left = 2 + weighted(rng, &[4, 5, 5, 4, 3, 3, 2, 2, 1, 1, 1, 1]) as u32;
    let mut writer = Writer { rng, slips, left, scope: Vec::new() };
    let of = writer.any(2);
    let text = writer.write(&of).text;
    if one_in(writer.rng, 12) {
        return spaced(writer.rng, &text);
    }
    text
}

/// White space and comments in other places.
fn spaced(rng: &mut Rng, text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            ' ' | ',' if one_in(rng, 2) => {
                out.push_str(if c == ',' { "," } else { "" });
                out.push_str(pick(rng, &["  ", "\n", "\t", " // note\n", "\r\n", "\n\n  "]));
            }
            _ => out.push(c),
        }
    }
    out
}

/// A type without parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Ty {
    Simple(T),
    List(Box<Ty>),
    Map(Box<Ty>, Box<Ty>),
    Opt(Box<Ty>),
}

/// What the parameters of a row stand for.
#[derive(Clone, Default)]
struct Bound {
    a: Option<Ty>,
    b: Option<Ty>,
}

impl Bound {
    /// Whether the type of a row can be this one.
    fn fits(&mut self, row: &T, of: &Ty) -> bool {
        match (row, of) {
            (T::A, of) => self.a.get_or_insert_with(|| of.clone()) == of,
            (T::B, of) => self.b.get_or_insert_with(|| of.clone()) == of,
            (T::List(row), Ty::List(of)) | (T::Opt(row), Ty::Opt(of)) => self.fits(row, of),
            (T::Map(key, value), Ty::Map(of_key, of_value)) => {
                self.fits(key, of_key) && self.fits(value, of_value)
            }
            (row, Ty::Simple(of)) => row == of,
            _ => false,
        }
    }
}

/// An expression, and whether it can be an operand without parentheses.
struct Written {
    text: String,
    atomic: bool,
}

fn atom(text: impl Into<String>) -> Written {
    Written { text: text.into(), atomic: true }
}

struct Writer<'a> {
    rng: &'a mut Rng,
    /// One thing in so many is wrong; 0 means that nothing is meant to be.
    slips: u32,
    /// Calls that may still be written.
    left: u32,
    /// The variables that macros bind.
    scope: Vec<(String, Ty)>,
}

impl Writer<'_> {
    fn chance(&mut self, n: u32) -> bool {
        one_in(self.rng, n)
    }

    fn slip(&mut self) -> bool {
        self.slips > 0 && self.rng.u32(..self.slips) == 0
    }

    /// A type, of containers up to so many levels.
    fn any(&mut self, levels: u32) -> Ty {
        const SIMPLE: &[T] = &[
            T::Bool,
            T::Bool,
            T::Bool,
            T::Int,
            T::Int,
            T::Str,
            T::Str,
            T::Double,
            T::Uint,
            T::Bytes,
            T::Ts,
            T::Du,
            T::Null,
            T::Dyn,
            T::Dyn,
            T::Type,
            T::Ip,
            T::Cidr,
        ];
        if levels > 0 && self.chance(4) {
            let inner = Box::new(self.any(levels - 1));
            return match self.rng.u32(..6) {
                0..=2 => Ty::List(inner),
                3..=4 => Ty::Map(Box::new(self.key()), inner),
                _ => Ty::Opt(inner),
            };
        }
        Ty::Simple(SIMPLE[self.rng.usize(..SIMPLE.len())])
    }

    fn key(&mut self) -> Ty {
        Ty::Simple([T::Str, T::Str, T::Str, T::Int, T::Int, T::Bool, T::Uint][self.rng.usize(..7)])
    }

    fn write(&mut self, of: &Ty) -> Written {
        if self.slip() {
            let other = self.any(1);
            let written = self.write_right(&other);
            return if self.chance(2) { atom(format!("dyn({})", written.text)) } else { written };
        }
        self.write_right(of)
    }

    fn write_right(&mut self, of: &Ty) -> Written {
        let variables: Vec<String> =
            self.scope.iter().filter(|(_, ty)| ty == of).map(|(name, _)| name.clone()).collect();
        if !variables.is_empty() && self.chance(2) {
            return atom(variables[self.rng.usize(..variables.len())].clone());
        }
        if self.left == 0 || self.chance(8) {
            return self.leaf(of);
        }
        if *of == Ty::Simple(T::Str) && self.chance(14) {
            return self.format();
        }
        let rows: Vec<(&Row, Bound)> = TABLE
            .iter()
            .filter_map(|row| {
                let mut bound = Bound::default();
                bound.fits(&row.result, of).then_some((row, bound))
            })
            .collect();
        if rows.is_empty() {
            return self.leaf(of);
        }
        self.left -= 1;
        let (row, bound) = rows[self.rng.usize(..rows.len())].clone();
        self.row(row, bound)
    }

    /// The type of a row with what its parameters stand for, which is drawn where nothing has said it.
    fn settle(&mut self, of: &T, bound: &mut Bound) -> Ty {
        match of {
            T::A => {
                if bound.a.is_none() {
                    bound.a = Some(self.any(1));
                }
                bound.a.clone().unwrap_or(Ty::Simple(T::Int))
            }
            T::B => {
                if bound.b.is_none() {
                    bound.b = Some(self.any(1));
                }
                bound.b.clone().unwrap_or(Ty::Simple(T::Int))
            }
            T::List(inner) => Ty::List(Box::new(self.settle(inner, bound))),
            T::Opt(inner) => Ty::Opt(Box::new(self.settle(inner, bound))),
            T::Map(key, value) => {
                if **key == T::A && bound.a.is_none() {
                    bound.a = Some(self.key());
                }
                Ty::Map(Box::new(self.settle(key, bound)), Box::new(self.settle(value, bound)))
            }
            simple => Ty::Simple(*simple),
        }
    }

    fn row(&mut self, row: &Row, mut bound: Bound) -> Written {
        // A parameter that only stands for a key must be able to be one.
        if bound.a.is_none() && row.params.iter().any(|param| matches!(param, T::Map(T::A, _))) {
            bound.a = Some(self.key());
        }
        let binds = row.text.starts_with("cel.bind(");
        let mut params = row.params.iter();
        let mut out = String::new();
        let mut names: Vec<String> = Vec::new();
        let mut range = None;
        for c in row.text.chars() {
            match c {
                '#' | '%' if row.text != "$ % $" => {
                    let mut name = pick(self.rng, words::NAMES).to_owned();
                    if names.contains(&name) && !self.slip() {
                        name.push('2');
                    }
                    out.push_str(&name);
                    names.push(name);
                }
                '$' | '~' => {
                    let Some(param) = params.next() else { continue };
                    let written = self.param(param, &mut bound, &names, range.as_ref(), binds);
                    if range.is_none() {
                        range = Some(self.settle(param, &mut bound));
                    }
                    // Without the parentheses it is another expression, which is as good a case.
                    if c == '$' && !written.atomic && !self.slip() {
                        out.push_str(&format!("({})", written.text));
                    } else {
                        out.push_str(&written.text);
                    }
                }
                c => out.push(c),
            }
        }
        let atomic =
            !row.text.contains([' ', '!', '-']) || row.text.contains('(') || row.text.starts_with(['[', '{']);
        Written { text: out, atomic }
    }

    fn param(
        &mut self,
        param: &T,
        bound: &mut Bound,
        names: &[String],
        range: Option<&Ty>,
        binds: bool,
    ) -> Written {
        let (body, second) = match param {
            T::Body(body) => (body, false),
            T::Body2(body) => (body, true),
            param => {
                let of = self.settle(param, bound);
                return self.write(&of);
            }
        };
        let of = self.settle(body, bound);
        let dynamic = || Ty::Simple(T::Dyn);
        let int = || Ty::Simple(T::Int);
        let types = match (range, second) {
            (Some(of), _) if binds => vec![of.clone()],
            (Some(Ty::List(item) | Ty::Opt(item)), false) => vec![(**item).clone()],
            (Some(Ty::Map(key, _)), false) => vec![(**key).clone()],
            (Some(Ty::List(item)), true) => vec![int(), (**item).clone()],
            (Some(Ty::Map(key, value)), true) => vec![(**key).clone(), (**value).clone()],
            _ => vec![dynamic(), dynamic()],
        };
        let depth = self.scope.len();
        self.scope.extend(names.iter().cloned().zip(types));
        let written = self.write(&of);
        self.scope.truncate(depth);
        written
    }

    fn leaf(&mut self, of: &Ty) -> Written {
        match of {
            Ty::Simple(of) => self.simple(of),
            Ty::List(inner) => {
                match **inner {
                    Ty::Simple(T::Int) if self.chance(2) => return atom("li"),
                    Ty::Simple(T::Str) if self.chance(2) => return atom("ls"),
                    Ty::Simple(T::Dyn) if self.chance(2) => return atom("ld"),
                    _ => {}
                }
                let count = if self.chance(8) { 0 } else { 1 + self.rng.usize(..3) };
                let items: Vec<String> = (0..count).map(|_| self.leaf(inner).text).collect();
                atom(format!("[{}]", items.join(", ")))
            }
            Ty::Map(key, value) => {
                match (&**key, &**value) {
                    (Ty::Simple(T::Str), Ty::Simple(T::Int)) if self.chance(2) => return atom("m"),
                    (Ty::Simple(T::Int), Ty::Simple(T::Str)) if self.chance(2) => return atom("mi"),
                    (Ty::Simple(T::Str), Ty::Simple(T::Str)) if self.chance(2) => return atom("cluster"),
                    (Ty::Simple(T::Str), Ty::Simple(T::Dyn)) if self.chance(2) => return atom("self"),
                    _ => {}
                }
                // The order of more than one entry is not the same from one run of Go to the next.
                if self.chance(6) {
                    return atom("{}");
                }
                // The macros and the selections of the table look for this one.
                let key = if **key == Ty::Simple(T::Str) && !self.chance(3) {
                    "'a'".to_owned()
                } else {
                    self.leaf(key).text
                };
                let value = self.leaf(value).text;
                atom(format!("{{{key}: {value}}}"))
            }
            Ty::Opt(inner) => match **inner {
                Ty::Simple(T::Int) if self.chance(2) => atom(pick(self.rng, &["oi", "on"])),
                _ if self.chance(4) => atom("optional.none()"),
                _ => {
                    let inner = self.leaf(inner).text;
                    atom(format!("optional.of({inner})"))
                }
            },
        }
    }

    fn simple(&mut self, of: &T) -> Written {
        let from = match of {
            T::Bool => words::BOOLS,
            T::Int => words::INTS,
            T::Uint => words::UINTS,
            T::Double => words::DOUBLES,
            T::Str => words::STRINGS,
            T::Bytes => words::BYTES,
            T::Ts => words::TIMES,
            T::Du => words::SPANS,
            T::Null => &["null", "n"],
            T::Type => words::TYPES,
            T::Ip => words::IPS,
            T::Cidr => words::CIDRS,
            T::Regex => words::REGEXES,
            T::Zone => words::ZONES,
            T::Time => words::TIME_TEXTS,
            T::Span => words::SPAN_TEXTS,
            T::Address => words::ADDRESSES,
            T::Net => words::NETS,
            T::Number => words::NUMBERS,
            T::Base64 => words::BASE64,
            T::Index => words::INDICES,
            T::Key => words::KEYS,
            _ => words::DYNS,
        };
        let text = pick(self.rng, from);
        Written { text: text.to_owned(), atomic: !text.starts_with('-') }
    }

    /// `'…'.format([…])`, where the clauses and the arguments mostly fit.
    fn format(&mut self) -> Written {
        self.left -= 1;
        let (mut clauses, mut arguments) = (String::new(), Vec::new());
        for _ in 0..=self.rng.usize(..3) {
            let (clause, of) = words::CLAUSES[self.rng.usize(..words::CLAUSES.len())];
            clauses.push_str(clause);
            clauses.push_str(pick(self.rng, &["", " ", ":", "é"]));
            match of {
                "" => {}
                "*" => {
                    let of = self.any(2);
                    arguments.push(self.write(&of).text);
                }
                name => arguments.push(name.to_owned()),
            }
        }
        if self.slip() {
            arguments.pop();
        }
        atom(format!("'{clauses}'.format([{}])", arguments.join(", ")))
    }
}
