//! Whether a value fits a type, with the texts of the API server.
//!
//! [`check_at`] is the entry: a value, the type of the object and the place where the value stands. Built-in kinds are
//! refused by the strict decoder (`decode`), custom resources by the validation against their schema (`custom`).

mod custom;
mod decode;
mod quantity;
mod time;

use std::fmt::Write;
use std::sync::Arc;

use convoy_value::{Value, go, json};

use crate::{Shape, Struct, Typed};

/// One step of a path in a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    /// A key of an object.
    Name(Arc<str>),
    /// An item of a list.
    Index(usize),
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq)]
pub enum Fault {
    /// The type has no such field; the last key of the path is its name.
    UnknownField {
        /// The name that is nearest, if one is near.
        nearest: Option<Arc<str>>,
    },
    /// The value is of another kind.
    WrongType {
        /// What the field takes, in words: `an integer`, `a text`, `a list`.
        expected: &'static str,
        /// What stands there, in words: `the text "3"`, `an object`.
        found: String,
    },
    /// The value is none of those that the type allows.
    NotInEnumeration {
        /// What it allows.
        allowed: Vec<Value>,
    },
    /// A required field is missing; the path leads to the object that lacks it.
    Missing {
        /// Its name.
        name: Arc<str>,
    },
    /// Two items of a list have the same keys; the path leads to the second.
    DuplicateKey {
        /// The keys with their values: `name="a"`.
        keys: String,
    },
}

/// When the API server finds a fault. It says only what it finds first: what stops the decoder, else the first wrong
/// type, else all unknown fields, else what the validation says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// While it looks for `apiVersion` and `kind`.
    Kind,
    /// While it decodes, and it goes no further: a quantity, a time, an integer or text that is neither.
    Stop,
    /// While it decodes.
    Decode,
    /// Afterwards, if it is strict.
    Strict,
    /// When it validates what it has decoded.
    Validate,
}

/// One fault of a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// Where, from the value that was checked.
    pub path: Vec<Key>,
    /// What.
    pub fault: Fault,
    /// What the API server says: for a built-in kind the text of the strict decoder, for a custom resource that of
    /// the validation.
    pub text: String,
    /// When it says so.
    pub stage: Stage,
}

/// What is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Whether the value is a whole object, so that required fields count; a patch may lack them.
    pub whole: bool,
    /// Whether the value is a custom resource, whose errors have other texts.
    pub custom: bool,
    /// Whether keys that begin with `$` are directives of a strategic merge, and no fields.
    pub directives: bool,
}

/// More problems than this in one value are not reported.
const PROBLEM_LIMIT: usize = 1000;

/// What lies deeper is not looked at; values that were read nest [`json::DEPTH_LIMIT`] levels at most.
pub(crate) const DEPTH_LIMIT: usize = 500;

/// The path as Kubernetes writes it: `spec.template.spec.containers[0].image`.
pub fn path_text(path: &[Key]) -> String {
    let mut text = String::new();
    for key in path {
        match key {
            Key::Name(name) if text.is_empty() => text.push_str(name),
            Key::Name(name) => {
                text.push('.');
                text.push_str(name);
            }
            Key::Index(i) => {
                let _ = write!(text, "[{i}]");
            }
        }
    }
    text
}

/// The faults of a value, in its order. `prefix` is where the value stands in its object, for the texts; the paths
/// of the problems begin at the value. Where the type of the whole object is at hand, [`check_at`] has better texts:
/// those of Go name the struct of a field.
pub fn check(value: &Value, ty: Typed<'_>, prefix: &[Key], options: Options) -> Vec<Problem> {
    let place = Place::unknown(prefix);
    run(value, ty, place, options)
}

/// The faults of a value that stands at a place of an object, in its order; `root` is the type of the object, and the
/// paths of the problems begin at the value. A place of which nothing is known takes any value.
pub fn check_at(value: &Value, root: Typed<'_>, at: &[Key], options: Options) -> Vec<Problem> {
    match Place::at(root, at) {
        Some((place, ty)) => run(value, ty, place, options),
        None => Vec::new(),
    }
}

fn run<'a>(value: &'a Value, ty: Typed<'a>, place: Place<'a>, options: Options) -> Vec<Problem> {
    if options.custom {
        custom::check(value, ty, place, options)
    } else {
        decode::check(value, ty, place, options)
    }
}

/// The one text with which the API server refuses a value that has these problems; none if there are none.
pub fn refusal(problems: &[Problem]) -> Option<String> {
    /// The strict decoder counts no further.
    const STRICT_LIMIT: usize = 100;
    let stage = problems.iter().map(|problem| problem.stage).min()?;
    let mut found = problems.iter().filter(|problem| problem.stage == stage);
    let first = found.next()?;
    if stage != Stage::Strict {
        return Some(first.text.clone());
    }
    let mut text = first.text.clone();
    for problem in found.take(STRICT_LIMIT - 1) {
        text.push_str(", ");
        text.push_str(problem.text.strip_prefix(STRICT).unwrap_or(&problem.text));
    }
    Some(text)
}

/// What the text of the strict decoder begins with.
const STRICT: &str = "strict decoding error: ";

/// A place in an object: its path, and what Go's decoder knows of it.
struct Place<'a> {
    /// All keys from the root.
    path: Vec<Key>,
    /// Which of them are keys of a map.
    map_keys: Vec<bool>,
    /// The names of the fields from the root, those of embedded structs among them, without keys of maps.
    fields: Vec<&'a str>,
    /// The struct that has the innermost of those fields.
    structure: &'a str,
    /// How many keys lead to the value that is checked.
    base: usize,
}

impl<'a> Place<'a> {
    /// A place in an object of which nothing is known.
    fn unknown(prefix: &'a [Key]) -> Place<'a> {
        let fields = prefix.iter().filter_map(|key| match key {
            Key::Name(name) => Some(&**name),
            Key::Index(_) => None,
        });
        Place {
            path: prefix.to_vec(),
            map_keys: vec![false; prefix.len()],
            fields: fields.collect(),
            structure: "",
            base: prefix.len(),
        }
    }

    /// The place to which keys lead, with its type.
    fn at(root: Typed<'a>, keys: &'a [Key]) -> Option<(Place<'a>, Typed<'a>)> {
        let mut place = Place::unknown(&[]);
        let mut ty = root;
        for key in keys {
            ty = match (&ty.ty.shape, key) {
                (Shape::Struct(id), Key::Name(name)) => {
                    let structure = ty.types.structure(*id);
                    match structure.fields.get_key_value(name) {
                        Some((name, field)) => {
                            place.enter_field(structure, name);
                            ty.with(&field.ty)
                        }
                        None => {
                            let additional = structure.additional.as_ref()?;
                            place.enter_value(name.clone());
                            ty.with(additional)
                        }
                    }
                }
                (Shape::Map(values), Key::Name(name)) => {
                    place.enter_value(name.clone());
                    ty.with(values)
                }
                (Shape::List(item), Key::Index(i)) => {
                    place.enter_item(*i);
                    ty.with(item)
                }
                _ => return None,
            };
        }
        place.base = keys.len();
        Some((place, ty))
    }

    /// Goes to a field; [`Place::leave`] with what this gives goes back.
    fn enter_field(&mut self, structure: &'a Struct, name: &'a Arc<str>) -> (usize, &'a str) {
        let before = (self.fields.len(), self.structure);
        self.path.push(Key::Name(name.clone()));
        self.map_keys.push(false);
        self.fields.extend(decode::embedded(structure, name));
        self.fields.push(name);
        self.structure = structure.go_name();
        before
    }

    /// Goes to the value of a key of a map.
    fn enter_value(&mut self, key: Arc<str>) -> (usize, &'a str) {
        self.path.push(Key::Name(key));
        self.map_keys.push(true);
        (self.fields.len(), self.structure)
    }

    /// Goes to an item of a list.
    fn enter_item(&mut self, i: usize) -> (usize, &'a str) {
        self.path.push(Key::Index(i));
        self.map_keys.push(false);
        (self.fields.len(), self.structure)
    }

    /// Goes back.
    fn leave(&mut self, (fields, structure): (usize, &'a str)) {
        self.path.pop();
        self.map_keys.pop();
        self.fields.truncate(fields);
        self.structure = structure;
    }

    /// The path from the value that is checked.
    fn own_path(&self) -> Vec<Key> {
        self.path[self.base..].to_vec()
    }

    /// The path as the validation writes it: keys of maps in brackets.
    fn field_path(&self) -> String {
        let mut text = String::new();
        for (key, in_map) in self.path.iter().zip(&self.map_keys) {
            let _ = match key {
                Key::Index(i) => write!(text, "[{i}]"),
                Key::Name(name) if *in_map => write!(text, "[{name}]"),
                Key::Name(name) if text.is_empty() => write!(text, "{name}"),
                Key::Name(name) => write!(text, ".{name}"),
            };
        }
        text
    }

    /// Whether this is the status of an object, which the API server does not take from users.
    fn in_status(&self) -> bool {
        matches!(self.path.first(), Some(Key::Name(name)) if &**name == "status")
    }
}

/// A value in words.
fn in_words(value: &Value) -> String {
    /// A text longer than this is cut.
    const LONGEST_TEXT: usize = 60;
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::String(text) => {
            let mut shown: String = text.chars().take(LONGEST_TEXT).collect();
            if shown.len() < text.len() {
                shown.push('…');
            }
            format!("the text {}", go::quote(shown.as_bytes()))
        }
        Value::Bytes(_) => "a text".to_owned(),
        Value::List(_) => "a list".to_owned(),
        Value::Map(_) | Value::StringMap(_) => "an object".to_owned(),
        number => format!("the number {}", number_text(number)),
    }
}

/// A number as JSON has it.
fn number_text(value: &Value) -> String {
    match value {
        Value::Int(value) => value.to_string(),
        Value::Uint(value) => value.to_string(),
        Value::Float(value) if value.is_finite() => go::json_float(*value),
        Value::Float(value) => value.to_string(),
        _ => String::new(),
    }
}

/// A scalar as JSON writes it, for texts.
fn json_text(value: &Value) -> String {
    json::write(value, json::KeyOrder::Sorted).unwrap_or_default()
}
