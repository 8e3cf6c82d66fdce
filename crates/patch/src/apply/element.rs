//! One step of a path: a field, or an item of a list with what tells it apart from the others.

use std::cmp::Ordering;

use convoy_value::{Map, Value, go};

use super::schema::{Items, Kind, List};

/// One step of a path.
#[derive(Clone, Debug)]
pub(super) enum Element<'a> {
    /// A field of an object.
    Field(&'a str),
    /// An item by its keys, in the order of their names.
    Keys(Vec<(&'a str, &'a Value)>),
    /// An item of a set.
    Value(&'a Value),
    /// An item of an atomic list.
    Index(usize),
}

impl<'a> Element<'a> {
    /// What tells an item apart in a list that is not atomic.
    ///
    /// # Errors
    ///
    /// The library's text, without the number of the item.
    pub(super) fn of_item(list: &List<'a>, item: &'a Value) -> Result<Element<'a>, String> {
        let keys = match list.items {
            Items::Keyed(keys) => keys,
            Items::Set => return Element::of_set_item(item),
            Items::Atomic => return Err("invalid indexing of non-associative list".to_owned()),
        };
        let Some(map) = item.as_map() else {
            let what = if matches!(item, Value::Null) { "a null element" } else { "non-map elements" };
            return Err(format!("associative list with keys may not have {what}"));
        };
        let mut found = Vec::with_capacity(keys.len());
        for key in keys {
            if let Some(value) = map.get(key) {
                found.push((&**key, value));
                continue;
            }
            // A key with a default is there even if it is not written.
            let Some(object) = list.item.atom().object else {
                let reason = "associative list may not have non-map types";
                return Err(format!("couldn't find default value for {key}: {reason}"));
            };
            match object.default(key) {
                None | Some(Value::Null) => {}
                Some(default) => found.push((&**key, default)),
            }
        }
        if found.is_empty() {
            let names: Vec<String> = keys.iter().map(|key| go::quote(key.as_bytes())).collect();
            return Err(format!(
                "associative list with keys has an element that omits all key fields [{}] (and doesn't have \
                 default values for any key fields)",
                names.join(" ")
            ));
        }
        found.sort_by_key(|(name, _)| *name);
        Ok(Element::Keys(found))
    }

    fn of_set_item(item: &'a Value) -> Result<Element<'a>, String> {
        Err(match item {
            Value::Map(_) | Value::StringMap(_) => {
                "associative list without keys has an element that's a map type".to_owned()
            }
            Value::List(_) => "not supported: associative list with lists as elements".to_owned(),
            Value::Null => "associative list without keys has an element that's an explicit null".to_owned(),
            _ => return Ok(Element::Value(item)),
        })
    }

    fn rank(&self) -> u8 {
        match self {
            Element::Field(_) => 0,
            Element::Keys(_) => 1,
            Element::Value(_) => 2,
            Element::Index(_) => 3,
        }
    }
}

/// As paths are printed: `.name`, `[name="x",protocol="TCP"]`, `[="x"]`, `[3]`.
impl std::fmt::Display for Element<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Element::Field(name) => write!(f, ".{name}"),
            Element::Keys(keys) => {
                f.write_str("[")?;
                for (i, (name, value)) in keys.iter().enumerate() {
                    let comma = if i > 0 { "," } else { "" };
                    write!(f, "{comma}{name}={}", text(value))?;
                }
                f.write_str("]")
            }
            Element::Value(value) => write!(f, "[={}]", text(value)),
            Element::Index(index) => write!(f, "[{index}]"),
        }
    }
}

impl Ord for Element<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Element::Field(a), Element::Field(b)) => a.cmp(b),
            (Element::Keys(a), Element::Keys(b)) => {
                let pairs = a.iter().zip(b).map(|((a, x), (b, y))| a.cmp(b).then_with(|| compare(x, y)));
                first_difference(pairs).then(a.len().cmp(&b.len()))
            }
            (Element::Value(a), Element::Value(b)) => compare(a, b),
            (Element::Index(a), Element::Index(b)) => a.cmp(b),
            _ => self.rank().cmp(&other.rank()),
        }
    }
}

impl PartialOrd for Element<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Element<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Element<'_> {}

fn first_difference(mut all: impl Iterator<Item = Ordering>) -> Ordering {
    all.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

/// A value as paths print it.
fn text(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Float(value) => go::format_float(*value, 'g', None, 64),
        Value::String(value) => go::quote(value.as_bytes()),
        Value::List(items) => {
            format!("[{}]", items.iter().map(text).collect::<Vec<_>>().join(","))
        }
        // The library puts nothing between the members, and walks them in any order.
        Value::Map(map) | Value::StringMap(map) => {
            let mut members: Vec<String> =
                map.iter().map(|(key, value)| format!("{key}={}", text(value))).collect();
            members.sort_unstable();
            members.concat()
        }
        Value::Uint(_) | Value::Bytes(_) => "{{undefined}}".to_owned(),
    }
}

/// The order of values: numbers by value, then texts, booleans, lists, objects, null, and what the library has no
/// kind for, which is all the same to it.
fn compare(a: &Value, b: &Value) -> Ordering {
    let float = |a: f64, b: f64| a.partial_cmp(&b).unwrap_or(Ordering::Equal);
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => a.cmp(b),
        (Value::Float(a), Value::Float(b)) => float(*a, *b),
        (Value::Int(a), Value::Float(b)) => float(*a as f64, *b),
        (Value::Float(a), Value::Int(b)) => float(*a, *b as f64),
        (Value::String(a), Value::String(b)) => a.cmp(b),
        (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
        (Value::List(a), Value::List(b)) => {
            let pairs = a.iter().zip(b.iter()).map(|(a, b)| compare(a, b));
            first_difference(pairs).then(a.len().cmp(&b.len()))
        }
        (Value::Map(a) | Value::StringMap(a), Value::Map(b) | Value::StringMap(b)) => compare_maps(a, b),
        _ => rank(a).cmp(&rank(b)),
    }
}

fn rank(value: &Value) -> u8 {
    match (Kind::of(value), value) {
        (Kind::Scalar, Value::String(_)) => 1,
        (Kind::Scalar, Value::Bool(_)) => 2,
        (Kind::Scalar, _) => 0,
        (Kind::List, _) => 3,
        (Kind::Object, _) => 4,
        (Kind::None, Value::Null) => 5,
        (Kind::None, _) => 6,
    }
}

/// The keys of both are walked in the order of their names.
fn compare_maps(a: &Map, b: &Map) -> Ordering {
    let mut keys: Vec<&str> = a.keys().chain(b.keys()).map(|key| &**key).collect();
    keys.sort_unstable();
    keys.dedup();
    for (i, key) in keys.into_iter().enumerate() {
        let order = match (a.get(key), b.get(key)) {
            _ if i == a.len() => Ordering::Less,
            _ if i == b.len() => Ordering::Greater,
            (None, _) => Ordering::Greater,
            (_, None) => Ordering::Less,
            (Some(a), Some(b)) => compare(a, b),
        };
        if order.is_ne() {
            return order;
        }
    }
    Ordering::Equal
}
