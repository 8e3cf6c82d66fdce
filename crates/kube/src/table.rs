//! The types of the built-in kinds, embedded compressed and read once for each release that is asked for.
//!
//! `schemas/kubernetes/README.md` says what the lines of the table mean. Reading never fails: a line that is not
//! understood is left out, and the tests hold that there is none.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use convoy_value::Value;
use convoy_value::json;
use indexmap::IndexMap;
use miniz_oxide::inflate::decompress_to_vec_with_limit;

use crate::{
    Field, GroupVersionKind, ListKind, PatchStrategy, Release, Shape, Struct, StructId, Type, Types,
};

/// The table, compressed.
static TABLE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/types.deflate"));

/// More than the table has, once it is decompressed.
const LIMIT: usize = 8 << 20;

/// How many lists and maps may stand within each other in a written type.
const MAX_NESTED: usize = 8;

const RELEASES: usize = (Release::NEWEST.minor() - Release::OLDEST.minor()) as usize + 1;

/// The text of the table.
fn text() -> String {
    let bytes = decompress_to_vec_with_limit(TABLE, LIMIT).unwrap_or_default();
    String::from_utf8(bytes).unwrap_or_default()
}

/// The releases in which a kind is built in, the oldest first; none if it never is. No types are read for it.
pub fn releases_of(gvk: &GroupVersionKind) -> &'static [Release] {
    static KINDS: OnceLock<HashMap<GroupVersionKind, Vec<Release>>> = OnceLock::new();
    KINDS.get_or_init(|| kinds(&text())).get(gvk).map_or(&[], Vec::as_slice)
}

/// All kinds of a table with their releases.
fn kinds(text: &str) -> HashMap<GroupVersionKind, Vec<Release>> {
    let mut kinds: HashMap<GroupVersionKind, Vec<Release>> = HashMap::new();
    let mut header = "";
    for line in text.lines() {
        let Some(fact) = line.strip_prefix("  ") else {
            header = line;
            continue;
        };
        if !fact.starts_with("= kind ") {
            continue;
        }
        for release in Release::all() {
            let ((name, has), (fact, counts)) = (released(header, release), released(fact, release));
            if let Some(api_version) = fact.strip_prefix("= kind ").filter(|_| has && counts) {
                let kind = name.rsplit('.').next().unwrap_or("");
                kinds.entry(GroupVersionKind::of_texts(api_version, kind)).or_default().push(release);
            }
        }
    }
    kinds
}

/// The types of a release.
pub fn types(release: Release) -> &'static Types {
    static TYPES: [OnceLock<Types>; RELEASES] = [const { OnceLock::new() }; RELEASES];
    static NONE: OnceLock<Types> = OnceLock::new();
    let at = usize::from(release.minor().saturating_sub(Release::OLDEST.minor()));
    TYPES.get(at).unwrap_or(&NONE).get_or_init(|| read(&text(), release).types)
}

/// What a table has for a release.
struct Read<'a> {
    types: Types,
    /// The lines that were not understood.
    broken: Vec<&'a str>,
}

/// Reads the types of a release from the text of the table.
fn read(text: &str, release: Release) -> Read<'_> {
    let blocks = blocks(text, release);
    let mut reader = Reader { names: HashMap::new(), atomic: HashSet::new(), texts: HashMap::new() };
    for (id, block) in blocks.iter().enumerate() {
        reader.names.insert(block.name, StructId(id as u32));
        if block.lines.contains(&"= atomic") {
            reader.atomic.insert(StructId(id as u32));
        }
    }
    let mut read = Read { types: Types::new(), broken: Vec::new() };
    for block in blocks {
        let mut structure = Struct {
            name: block.name.into(),
            fields: IndexMap::with_capacity(block.lines.len()),
            additional: None,
        };
        let mut root = None;
        for line in block.lines {
            if let Some(fact) = line.strip_prefix("= ") {
                match fact.strip_prefix("kind ") {
                    Some(api_version) => {
                        root = Some(GroupVersionKind::of_texts(api_version, structure.go_name()));
                    }
                    None if fact == "atomic" => {}
                    None => read.broken.push(line),
                }
            } else if let Some((name, field)) = reader.field(line) {
                structure.fields.insert(name, field);
            } else {
                read.broken.push(line);
            }
        }
        let id = read.types.push(structure);
        if let Some(gvk) = root {
            read.types.set_root(gvk, Type { pointer: false, ..reader.reference(id, block.name) });
        }
    }
    read
}

/// The lines of one struct that count for a release, without their releases.
struct Block<'a> {
    name: &'a str,
    lines: Vec<&'a str>,
}

fn blocks(text: &str, release: Release) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    // Lines are skipped while they belong to a struct that the release does not have.
    let mut within = false;
    for line in text.lines().skip(1).filter(|line| !line.is_empty()) {
        let (rest, counts) = released(line, release);
        match rest.strip_prefix("  ") {
            None => {
                within = counts;
                if counts {
                    blocks.push(Block { name: rest, lines: Vec::new() });
                }
            }
            Some(field) if within && counts => {
                if let Some(block) = blocks.last_mut() {
                    block.lines.push(field);
                }
            }
            Some(_) => {}
        }
    }
    blocks
}

/// A line without the releases that it ends in, such as ` @28-32,35-`, and whether one of them is `release`.
fn released(line: &str, release: Release) -> (&str, bool) {
    let Some((rest, releases)) = line.rsplit_once(" @") else {
        return (line, true);
    };
    let minor = release.minor();
    let has = releases.split(',').any(|range| {
        let (from, to) = range.split_once('-').unwrap_or((range, range));
        from.parse().unwrap_or(0) <= minor && minor <= to.parse().unwrap_or(u8::MAX)
    });
    (rest, has)
}

struct Reader<'a> {
    names: HashMap<&'a str, StructId>,
    atomic: HashSet<StructId>,
    /// Each text once, however many types have it.
    texts: HashMap<String, Arc<str>>,
}

impl Reader<'_> {
    /// A field: its name, with `!` if it is required, its type and its facts.
    fn field(&mut self, line: &str) -> Option<(Arc<str>, Field)> {
        let mut words = line.split(' ');
        let name = words.next()?;
        let (name, required) = name.strip_suffix('!').map_or((name, false), |name| (name, true));
        let mut ty = self.written(words.next()?, 0)?;
        for word in words {
            let (fact, value) = word.split_once('=').unwrap_or((word, ""));
            match fact {
                "go" => self.set_go_type(&mut ty, value),
                "pointer" => ty.pointer = true,
                "atomic" => ty.atomic = true,
                "granular" => ty.atomic = false,
                "list" => ty.list = self.list_kind(value)?,
                "patch" => ty.patch_strategy = strategy(value)?,
                "key" => ty.patch_merge_key = Some(self.text(value)),
                "enum" => set_enumeration(&mut ty, value.split('|').map(enumerated).collect()),
                "default" => ty.default = Some(json::parse(value).ok()?.to_value()),
                _ => return None,
            }
        }
        Some((self.text(name), Field { ty, required }))
    }

    /// A type as it is written: `[]io.k8s.api.core.v1.Container`, `map[string]quantity`, `string(date-time)`.
    fn written(&mut self, text: &str, nested: usize) -> Option<Type> {
        if nested > MAX_NESTED {
            return None;
        }
        for (prefix, shape) in [("[]", Shape::List as fn(Box<Type>) -> Shape), ("map[string]", Shape::Map)] {
            if let Some(inner) = text.strip_prefix(prefix) {
                let inner = self.written(inner, nested + 1)?;
                let go_type = inner.go_type.as_ref().map(|go| format!("{prefix}{go}"));
                let go_type = go_type.map(|go| self.text(&go));
                return Some(Type { shape: shape(Box::new(inner)), go_type, ..Type::default() });
            }
        }
        if let Some(&id) = self.names.get(text) {
            return Some(self.reference(id, text));
        }
        let (word, format) = match text.strip_suffix(')').and_then(|text| text.split_once('(')) {
            Some((word, format)) => (word, Some(format)),
            None => (text, None),
        };
        let (shape, format, go_type) = match (word, format) {
            ("any", go) => (Shape::Any, None, go),
            ("bool", None) => (Shape::Boolean, None, Some("bool")),
            ("integer", None) => (Shape::Integer, None, None),
            ("int32" | "int64", None) => (Shape::Integer, Some(word), Some(word)),
            ("number", None) => (Shape::Number, None, None),
            ("double", None) => (Shape::Number, Some(word), Some("float64")),
            ("string", None) => (Shape::String, None, Some("string")),
            ("string", Some("byte")) => (Shape::String, format, Some("[]uint8")),
            ("string", Some("date-time")) => (Shape::String, format, Some("v1.Time")),
            ("string", Some(_)) => (Shape::String, format, None),
            ("int-or-string", None) => (Shape::IntOrString, None, Some("intstr.IntOrString")),
            ("quantity", None) => (Shape::Quantity, None, Some("resource.Quantity")),
            _ => return None,
        };
        let format = format.map(|format| self.text(format));
        Some(Type { shape, format, go_type: go_type.map(|go| self.text(go)), ..Type::default() })
    }

    /// The type of a place that has a struct.
    fn reference(&mut self, id: StructId, name: &str) -> Type {
        let start = name.rmatch_indices('.').nth(1).map_or(0, |(dot, _)| dot + 1);
        let go_type = name.get(start..).map(|go| self.text(go));
        Type { shape: Shape::Struct(id), go_type, atomic: self.atomic.contains(&id), ..Type::default() }
    }

    /// Names the Go type of a place, and with it those of the items or values below.
    fn set_go_type(&mut self, ty: &mut Type, go: &str) {
        let (inner, of_map) = match &mut ty.shape {
            Shape::List(inner) => (Some(inner), false),
            Shape::Map(inner) => (Some(inner), true),
            _ => (None, false),
        };
        let below = if of_map {
            go.strip_prefix("map[").and_then(|go| Some(go.split_once(']')?.1))
        } else {
            go.strip_prefix("[]")
        };
        if let (Some(inner), Some(below)) = (inner, below) {
            let pointed = below.strip_prefix('*');
            inner.pointer = pointed.is_some();
            self.set_go_type(inner, pointed.unwrap_or(below));
        }
        ty.go_type = Some(self.text(go));
    }

    fn list_kind(&mut self, value: &str) -> Option<ListKind> {
        Some(match value {
            "atomic" => ListKind::Atomic,
            "set" => ListKind::Set,
            _ => {
                let keys = value.strip_prefix("map(")?.strip_suffix(')')?;
                ListKind::Map(keys.split(',').map(|key| self.text(key)).collect())
            }
        })
    }

    fn text(&mut self, text: &str) -> Arc<str> {
        if let Some(known) = self.texts.get(text) {
            return known.clone();
        }
        let new: Arc<str> = text.into();
        self.texts.insert(text.to_owned(), new.clone());
        new
    }
}

fn strategy(value: &str) -> Option<PatchStrategy> {
    let mut strategy = PatchStrategy::default();
    for word in value.split(',') {
        match word {
            "merge" => strategy.merge = true,
            "replace" => strategy.replace = true,
            "retainKeys" => strategy.retain_keys = true,
            _ => return None,
        }
    }
    Some(strategy)
}

/// Limits the values at the end of lists and maps.
fn set_enumeration(ty: &mut Type, values: Box<[Value]>) {
    match &mut ty.shape {
        Shape::List(inner) | Shape::Map(inner) => set_enumeration(inner, values),
        _ => ty.enumeration = values,
    }
}

fn enumerated(text: &str) -> Value {
    Value::from(text.replace("%20", " "))
}

#[cfg(test)]
mod tests;
