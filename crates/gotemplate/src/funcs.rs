//! The functions that a template may call.

use std::collections::BTreeMap;
use std::sync::Arc;

use convoy_value::{Value, go};

use crate::format;
use crate::val::Val;

/// A value as it stands in an argument: whether it is wrapped in an `interface{}` matters to some functions and
/// to the text of errors.
#[derive(Clone, Debug)]
pub(crate) struct Operand {
    pub(crate) val: Val,
    pub(crate) iface: bool,
}

impl Operand {
    pub(crate) fn plain(val: Val) -> Self {
        Operand { val, iface: false }
    }

    /// A value as it comes out of a `map[string]interface{}` or a `[]interface{}`.
    pub(crate) fn in_interface(value: &Value) -> Self {
        Operand { val: Val::from_value(value), iface: true }
    }

    /// The nil `interface{}`.
    pub(crate) fn nil() -> Self {
        Operand { val: Val::Nil, iface: true }
    }

    pub(crate) fn is_valid(&self) -> bool {
        self.iface || !matches!(self.val, Val::Invalid | Val::Nil)
    }

    pub(crate) fn type_name(&self) -> &'static str {
        if self.iface { "interface {}" } else { self.val.type_name() }
    }

    /// What stands inside the interface; a nil interface has nothing inside.
    pub(crate) fn indirect(&self) -> Val {
        match &self.val {
            Val::Nil => Val::Invalid,
            val => val.clone(),
        }
    }
}

/// How many arguments a function takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arity {
    /// At least this many.
    pub min: usize,
    /// At most this many; any number if there is none.
    pub max: Option<usize>,
}

/// What a function of a dialect does with its arguments; an error's text follows Go's `error calling NAME: `.
pub type Implementation = Arc<dyn Fn(&[Value]) -> std::result::Result<Value, String> + Send + Sync>;

/// A function of a dialect, beside the built-in ones.
#[derive(Clone)]
pub struct Function {
    /// Its arguments.
    pub arity: Arity,
    /// What it does; none where only its name is known, so that a template that calls it is not run.
    pub implementation: Option<Implementation>,
}

impl std::fmt::Debug for Function {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Function")
            .field("arity", &self.arity)
            .field("known", &self.implementation.is_some())
            .finish()
    }
}

/// The functions that a template may call: Go's built-in ones and those of the dialect.
#[derive(Clone, Debug, Default)]
pub struct Functions {
    extra: BTreeMap<Box<str>, Function>,
}

impl Functions {
    /// Go's own functions.
    pub fn builtin() -> Self {
        Self::default()
    }

    /// Adds or replaces a function.
    pub fn insert(&mut self, name: &str, function: Function) {
        self.extra.insert(name.into(), function);
    }

    /// Whether a template may call this name.
    pub fn contains(&self, name: &str) -> bool {
        self.extra.contains_key(name) || Builtin::find(name).is_some()
    }

    /// A function that was added.
    pub fn extra(&self, name: &str) -> Option<&Function> {
        self.extra.get(name)
    }

    /// The arguments of a function.
    pub fn arity(&self, name: &str) -> Option<Arity> {
        self.extra.get(name).map(|f| f.arity).or_else(|| Builtin::find(name).map(|b| b.arity))
    }

    /// All names in order.
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> =
            self.extra.keys().map(|k| &**k).chain(BUILTINS.iter().map(|b| b.name)).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The name that is most like `name`, if one is near.
    pub fn nearest(&self, name: &str) -> Option<&str> {
        self.names()
            .into_iter()
            .map(|known| (strsim::damerau_levenshtein(known, name), known))
            .filter(|(distance, known)| *distance <= 2 && *distance < known.len().max(name.len()).div_ceil(2))
            .min()
            .map(|(_, known)| known)
    }
}

/// A function of package `text/template`.
pub(crate) struct Builtin {
    pub(crate) name: &'static str,
    pub(crate) arity: Arity,
    pub(crate) call: Call,
}

type Result<T = Operand> = std::result::Result<T, String>;

/// How a built-in takes its arguments.
#[derive(Clone, Copy)]
pub(crate) enum Call {
    /// `and`, `or`: the executor evaluates the arguments one by one.
    ShortCircuit,
    /// `call`: there are no functions among the values, so that it always fails.
    Callee,
    /// `reflect.Value` parameters.
    Reflect(fn(&[Operand]) -> Result),
    /// `interface{}` parameters; the first one is a string if so marked. None if the result would be longer than
    /// the limit in bytes.
    Any { format: bool, run: fn(&[Val], usize) -> Option<Val> },
}

const fn fixed(n: usize) -> Arity {
    Arity { min: n, max: Some(n) }
}

const fn at_least(n: usize) -> Arity {
    Arity { min: n, max: None }
}

const BUILTINS: &[Builtin] = &[
    Builtin { name: "and", arity: at_least(1), call: Call::ShortCircuit },
    Builtin { name: "call", arity: at_least(1), call: Call::Callee },
    Builtin { name: "eq", arity: at_least(1), call: Call::Reflect(|args| boolean(eq(args))) },
    Builtin { name: "ge", arity: fixed(2), call: Call::Reflect(|a| boolean(lt(a).map(|b| !b))) },
    Builtin { name: "gt", arity: fixed(2), call: Call::Reflect(|a| boolean(le(a).map(|b| !b))) },
    Builtin {
        name: "html",
        arity: at_least(0),
        call: Call::Any {
            format: false,
            run: |args, limit| joined(args, limit).map(|text| bytes(html(&text))),
        },
    },
    Builtin { name: "index", arity: at_least(1), call: Call::Reflect(index) },
    Builtin {
        name: "js",
        arity: at_least(0),
        call: Call::Any {
            format: false,
            run: |args, limit| joined(args, limit).map(|text| bytes(js(&text))),
        },
    },
    Builtin { name: "le", arity: fixed(2), call: Call::Reflect(|a| boolean(le(a))) },
    Builtin { name: "len", arity: fixed(1), call: Call::Reflect(length) },
    Builtin { name: "lt", arity: fixed(2), call: Call::Reflect(|a| boolean(lt(a))) },
    Builtin { name: "ne", arity: fixed(2), call: Call::Reflect(|a| boolean(eq(a).map(|b| !b))) },
    Builtin { name: "not", arity: fixed(1), call: Call::Reflect(|args| boolean(Ok(!args[0].val.truth()))) },
    Builtin { name: "or", arity: at_least(1), call: Call::ShortCircuit },
    Builtin {
        name: "print",
        arity: at_least(0),
        call: Call::Any { format: false, run: |args, limit| format::sprint(args, limit).map(bytes) },
    },
    Builtin {
        name: "printf",
        arity: at_least(1),
        call: Call::Any {
            format: true,
            run: |args, limit| match args {
                [Val::Str(format), rest @ ..] => format::sprintf(format, rest, limit).map(bytes),
                _ => Some(Val::str("")),
            },
        },
    },
    Builtin {
        name: "println",
        arity: at_least(0),
        call: Call::Any { format: false, run: |args, limit| format::sprintln(args, limit).map(bytes) },
    },
    Builtin { name: "slice", arity: at_least(1), call: Call::Reflect(slice) },
    Builtin {
        name: "urlquery",
        arity: at_least(0),
        call: Call::Any {
            format: false,
            run: |args, limit| joined(args, limit).map(|text| bytes(urlquery(&text))),
        },
    },
];

impl Builtin {
    pub(crate) fn find(name: &str) -> Option<&'static Builtin> {
        BUILTINS.iter().find(|b| b.name == name)
    }
}

fn bytes(bytes: Vec<u8>) -> Val {
    Val::Str(bytes.into())
}

fn boolean(result: Result<bool>) -> Result {
    result.map(|b| Operand::plain(Val::Bool(b)))
}

// ---- comparisons ----

#[derive(PartialEq, Clone, Copy)]
enum Basic {
    Invalid,
    Bool,
    Complex,
    Int,
    Float,
    String,
    Uint,
}

fn basic(val: &Val) -> Basic {
    match val {
        Val::Bool(_) => Basic::Bool,
        Val::Int(_) | Val::Int64(_) => Basic::Int,
        Val::Uint64(_) | Val::Uint8(_) => Basic::Uint,
        Val::Float(_) => Basic::Float,
        Val::Complex(..) => Basic::Complex,
        Val::Str(_) => Basic::String,
        _ => Basic::Invalid,
    }
}

fn as_i128(val: &Val) -> i128 {
    match val {
        Val::Int(i) | Val::Int64(i) => i128::from(*i),
        Val::Uint64(u) => i128::from(*u),
        Val::Uint8(u) => i128::from(*u),
        _ => 0,
    }
}

const BAD_COMPARISON: &str = "invalid type for comparison";

fn incompatible(a: &Val, b: &Val) -> String {
    format!("incompatible types for comparison: {} and {}", a.type_name(), b.type_name())
}

/// Longer values are not shown in errors.
pub(crate) const SHOWN: usize = 1 << 16;

/// A value as an error shows it with `%v`.
pub(crate) fn shown(val: &Val) -> String {
    shortened(format::sprint(std::slice::from_ref(val), SHOWN))
}

/// A value as an error shows it with `%s`.
fn shown_as_text(val: &Val) -> String {
    shortened(format::sprintf(b"%s", std::slice::from_ref(val), SHOWN))
}

fn shortened(text: Option<Vec<u8>>) -> String {
    text.map_or_else(|| "…".to_owned(), |text| String::from_utf8_lossy(&text).into_owned())
}

fn eq(args: &[Operand]) -> Result<bool> {
    let first = args[0].indirect();
    if args.len() < 2 {
        return Err("missing argument for comparison".to_owned());
    }
    for arg in &args[1..] {
        let arg = arg.indirect();
        let (k1, k2) = (basic(&first), basic(&arg));
        let equal = if k1 == k2 {
            match (&first, &arg) {
                (Val::Float(a), Val::Float(b)) => a == b,
                (Val::Complex(a, b), Val::Complex(c, d)) => a == c && b == d,
                (Val::Bool(a), Val::Bool(b)) => a == b,
                (Val::Str(a), Val::Str(b)) => a == b,
                (a, b) if k1 == Basic::Int || k1 == Basic::Uint => as_i128(a) == as_i128(b),
                (Val::Invalid, Val::Invalid) => true,
                (Val::Invalid, _) | (_, Val::Invalid) => false,
                (a, b) if same_kind(a, b) => {
                    return Err(format!("non-comparable type {}: {}", shown_as_text(b), b.type_name()));
                }
                (a, b) => {
                    return Err(format!(
                        "non-comparable types {}: {}, {}: {}",
                        shown_as_text(a),
                        a.type_name(),
                        b.type_name(),
                        // Go prints this value alone with %v.
                        shown(b)
                    ));
                }
            }
        } else if matches!((k1, k2), (Basic::Int, Basic::Uint) | (Basic::Uint, Basic::Int)) {
            as_i128(&first) == as_i128(&arg)
        } else {
            if !matches!(first, Val::Invalid) && !matches!(arg, Val::Invalid) {
                return Err(incompatible(&first, &arg));
            }
            false
        };
        if equal {
            return Ok(true);
        }
    }
    Ok(false)
}

fn same_kind(a: &Val, b: &Val) -> bool {
    matches!(
        (a, b),
        (Val::List(_), Val::List(_)) | (Val::Map(_) | Val::StrMap(_), Val::Map(_) | Val::StrMap(_))
    )
}

fn lt(args: &[Operand]) -> Result<bool> {
    let (a, b) = (args[0].indirect(), args[1].indirect());
    let (k1, k2) = (basic(&a), basic(&b));
    if k1 == Basic::Invalid || k2 == Basic::Invalid {
        return Err(BAD_COMPARISON.to_owned());
    }
    match (&a, &b) {
        (Val::Float(a), Val::Float(b)) => Ok(a < b),
        (Val::Str(a), Val::Str(b)) => Ok(a < b),
        _ if matches!(k1, Basic::Int | Basic::Uint) && matches!(k2, Basic::Int | Basic::Uint) => {
            Ok(as_i128(&a) < as_i128(&b))
        }
        _ if k1 != k2 => Err(incompatible(&a, &b)),
        _ => Err(BAD_COMPARISON.to_owned()),
    }
}

fn le(args: &[Operand]) -> Result<bool> {
    if lt(args)? { Ok(true) } else { eq(args) }
}

// ---- containers ----

fn length(args: &[Operand]) -> Result {
    let len = match &args[0].val {
        Val::Str(bytes) => bytes.len(),
        Val::List(list) => list.len(),
        Val::Map(map) | Val::StrMap(map) => map.len(),
        Val::Nil if args[0].iface => return Err("len of nil pointer".to_owned()),
        Val::Invalid | Val::Nil => {
            return Err("reflect: call of reflect.Value.Type on zero Value".to_owned());
        }
        other => return Err(format!("len of type {}", other.type_name())),
    };
    Ok(Operand::plain(Val::Int(len as i64)))
}

fn index_arg(index: &Operand, cap: usize) -> Result<usize> {
    let x = match (&index.val, index.iface) {
        (_, true) => return Err("cannot index slice/array with type interface {}".to_owned()),
        (Val::Int(i) | Val::Int64(i), _) => *i,
        (Val::Uint64(u), _) => *u as i64,
        (Val::Uint8(u), _) => i64::from(*u),
        (Val::Invalid | Val::Nil, _) => return Err("cannot index slice/array with nil".to_owned()),
        (other, _) => return Err(format!("cannot index slice/array with type {}", other.type_name())),
    };
    match usize::try_from(x) {
        Ok(i) if i <= cap => Ok(i),
        _ => Err(format!("index out of range: {x}")),
    }
}

fn index(args: &[Operand]) -> Result {
    let mut item = Operand { val: args[0].indirect(), iface: false };
    if matches!(item.val, Val::Invalid) {
        return Err("index of untyped nil".to_owned());
    }
    for index in &args[1..] {
        let index = Operand::plain(index.indirect());
        if matches!(item.val, Val::Nil | Val::Invalid) {
            return Err("index of nil pointer".to_owned());
        }
        let key = |kind: &Val| match &index.val {
            Val::Str(bytes) => Ok(String::from_utf8_lossy(bytes).into_owned()),
            Val::Invalid => Err("value is nil; should be of type string".to_owned()),
            other => {
                let _ = kind;
                Err(format!("value has type {}; should be string", other.type_name()))
            }
        };
        item = match &item.val {
            Val::Str(bytes) => {
                let i = index_arg(&index, bytes.len())?;
                match bytes.get(i) {
                    Some(byte) => Operand::plain(Val::Uint8(*byte)),
                    None => return Err("reflect: string index out of range".to_owned()),
                }
            }
            Val::List(list) => {
                let i = index_arg(&index, list.len())?;
                match list.get(i) {
                    Some(value) => Operand::in_interface(value),
                    None => return Err("reflect: slice index out of range".to_owned()),
                }
            }
            Val::Map(map) => match map.get(key(&item.val)?.as_str()) {
                Some(value) => Operand::in_interface(value),
                None => Operand::nil(),
            },
            Val::StrMap(map) => match map.get(key(&item.val)?.as_str()) {
                Some(value) => Operand::plain(Val::from_value(value)),
                None => Operand::plain(Val::str("")),
            },
            other => return Err(format!("can't index item of type {}", other.type_name())),
        };
    }
    Ok(item)
}

fn slice(args: &[Operand]) -> Result {
    let item = args[0].indirect();
    let indexes = &args[1..];
    if matches!(item, Val::Invalid) {
        return Err("slice of untyped nil".to_owned());
    }
    if indexes.len() > 3 {
        return Err(format!("too many slice indexes: {}", indexes.len()));
    }
    let len = match &item {
        Val::Str(_) if indexes.len() == 3 => return Err("cannot 3-index slice a string".to_owned()),
        Val::Str(bytes) => bytes.len(),
        Val::List(list) => list.len(),
        other => return Err(format!("can't slice item of type {}", other.type_name())),
    };
    let mut bounds = [0, len, len];
    for (bound, index) in bounds.iter_mut().zip(indexes) {
        *bound = index_arg(index, len)?;
    }
    if bounds[0] > bounds[1] {
        return Err(format!("invalid slice index: {} > {}", bounds[0], bounds[1]));
    }
    if indexes.len() == 3 && bounds[1] > bounds[2] {
        return Err(format!("invalid slice index: {} > {}", bounds[1], bounds[2]));
    }
    let range = bounds[0]..bounds[1];
    Ok(Operand::plain(match &item {
        Val::Str(bytes) => Val::Str(bytes[range].into()),
        Val::List(list) => Val::List(Arc::new(list[range].to_vec())),
        _ => Val::Invalid,
    }))
}

// ---- escapers ----

/// The text that the escapers work on: one string as it is, anything else as `print` shows it, where nil shows
/// as `<no value>`.
fn joined(args: &[Val], limit: usize) -> Option<Vec<u8>> {
    if let [Val::Str(text)] = args {
        return (text.len() <= limit).then(|| text.to_vec());
    }
    let args: Vec<Val> = args
        .iter()
        .map(|arg| match arg {
            Val::Nil | Val::Invalid => Val::str("<no value>"),
            arg => arg.clone(),
        })
        .collect();
    format::sprint(&args, limit)
}

fn html(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    for &byte in text {
        match byte {
            0 => out.extend_from_slice("\u{FFFD}".as_bytes()),
            b'"' => out.extend_from_slice(b"&#34;"),
            b'\'' => out.extend_from_slice(b"&#39;"),
            b'&' => out.extend_from_slice(b"&amp;"),
            b'<' => out.extend_from_slice(b"&lt;"),
            b'>' => out.extend_from_slice(b"&gt;"),
            byte => out.push(byte),
        }
    }
    out
}

fn js(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    for chunk in text.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\\' => out.extend_from_slice(b"\\\\"),
                '\'' => out.extend_from_slice(b"\\'"),
                '"' => out.extend_from_slice(b"\\\""),
                '<' | '>' | '&' | '=' | '\0'..' ' => {
                    out.extend_from_slice(format!("\\u{:04X}", c as u32).as_bytes());
                }
                c if c.is_ascii() || go::is_print(c) => {
                    out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                }
                c => out.extend_from_slice(format!("\\u{:04X}", c as u32).as_bytes()),
            }
        }
        // A byte that is no character decodes as U+FFFD, which is printable, and is written as it stands.
        out.extend_from_slice(chunk.invalid());
    }
    out
}

fn urlquery(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    for &byte in text {
        match byte {
            b' ' => out.push(b'+'),
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => out.push(byte),
            byte => out.extend_from_slice(format!("%{byte:02X}").as_bytes()),
        }
    }
    out
}

/// `call` of something that is no function.
pub(crate) fn call_error(name: &str, function: &Operand) -> String {
    match function.indirect() {
        Val::Invalid => "call of nil".to_owned(),
        val => format!("non-function {name} of type {}", val.type_name()),
    }
}
