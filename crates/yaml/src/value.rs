//! From nodes to the values that a Go program decodes.
//!
//! This follows `sigs.k8s.io/yaml`: decode into `interface{}`, make the keys strings, refuse what has no JSON. `v3`
//! decodes as version 3 of go-yaml does, all else here as version 2.

mod v3;

use std::cmp::Ordering;
use std::collections::HashMap;
use std::collections::HashSet;
use std::fmt::Write as _;
use std::sync::Arc;

use convoy_text::Span;
use convoy_value::json::DEPTH_LIMIT;
use convoy_value::{Map, Value, go};

use crate::resolve::{resolve, short_tag};
use crate::tree::{Kind, NodeId, Style, Tree};

/// Whose rules for words and duplicate keys apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Flavour {
    /// `gopkg.in/yaml.v2`, the library behind `sigs.k8s.io/yaml`: `yes` and `on` are booleans, the last of
    /// several equal keys counts.
    #[default]
    V2,
    /// `gopkg.in/yaml.v3`: `yes` is text, equal keys are an error.
    V3,
}

/// How [`value`] reads.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Whose rules.
    pub flavour: Flavour,
    /// Refuse a key that stands twice, as `UnmarshalStrict` does.
    pub strict: bool,
}

/// Why a node has no value, in Go's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueError {
    /// The text that Go prints.
    pub message: String,
    /// The node to blame.
    pub span: Span,
}

impl std::fmt::Display for ValueError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ValueError {}

/// The value of a node.
///
/// # Errors
///
/// What Go refuses: keys that are no text, unknown anchors, aliases that contain themselves or make the document
/// explode, tags that do not fit, NaN; and nesting beyond 400.
pub fn value(tree: &Tree, node: NodeId, options: Options) -> Result<Value, ValueError> {
    let (decoded, errors) = match options.flavour {
        Flavour::V2 => {
            let mut decoder = Decoder::new(tree, options);
            (Some(decoder.node(node)?), decoder.duplicates)
        }
        Flavour::V3 => {
            let mut decoder = v3::Decoder::new(tree);
            (decoder.node(node)?, decoder.errors)
        }
    };
    if let Some((_, span)) = errors.first() {
        let lines: Vec<&str> = errors.iter().map(|(text, _)| text.as_str()).collect();
        let message = format!("yaml: unmarshal errors:\n  {}", lines.join("\n  "));
        return Err(ValueError { message, span: *span });
    }
    decoded.map_or(Ok(Value::Null), |decoded| json_value(decoded, options.flavour))
}

#[derive(Clone, Debug)]
struct Decoded {
    span: Span,
    kind: DecodedKind,
}

#[derive(Clone, Debug)]
enum DecodedKind {
    Scalar(Value),
    List(Vec<Decoded>),
    Map(DecodedMap),
}

#[derive(Clone, Debug)]
struct DecodedMap {
    /// Whether the keys may be anything in Go, and not text alone.
    general: bool,
    entries: Vec<(Key, Decoded)>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Key {
    Null,
    Bool(bool),
    Int(i64),
    Uint(u64),
    /// The bits of a float.
    Float(u64),
    Text(Arc<str>),
}

struct Decoder<'a> {
    tree: &'a Tree,
    options: Options,
    budget: Budget,
    /// Aliases that are being expanded.
    active: HashSet<NodeId>,
    duplicates: Vec<(String, Span)>,
}

/// Keeps aliases from making a document explode, and nesting from using up the stack.
#[derive(Default)]
struct Budget {
    decode_count: u64,
    alias_count: u64,
    alias_depth: u32,
    depth: usize,
}

impl Budget {
    /// Counts one decoded node, and refuses a document in which too many come from aliases.
    fn count(&mut self, tree: &Tree, id: NodeId) -> Result<(), ValueError> {
        self.decode_count += 1;
        if self.alias_depth > 0 {
            self.alias_count += 1;
        }
        if self.alias_count > 100
            && self.decode_count > 1000
            && self.alias_count as f64 / self.decode_count as f64 > allowed_alias_ratio(self.decode_count)
        {
            let message = "yaml: document contains excessive aliasing".to_owned();
            return Err(ValueError { message, span: tree.span(id) });
        }
        Ok(())
    }

    fn enter(&mut self, tree: &Tree, id: NodeId) -> Result<(), ValueError> {
        self.count(tree, id)?;
        self.depth += 1;
        if self.depth > DEPTH_LIMIT {
            let message = format!("nested deeper than {DEPTH_LIMIT} levels (a limit of convoy-lsp)");
            return Err(ValueError { message, span: tree.span(id) });
        }
        Ok(())
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }
}

/// The share of decoded nodes that may come from aliases, by go-yaml's table: 99 % up to 400,000 nodes, falling
/// to 10 % at 4,000,000.
fn allowed_alias_ratio(decode_count: u64) -> f64 {
    const LOW: f64 = 400_000.0;
    const HIGH: f64 = 4_000_000.0;
    let count = decode_count as f64;
    if count <= LOW {
        0.99
    } else if count >= HIGH {
        0.10
    } else {
        0.99 - 0.89 * ((count - LOW) / (HIGH - LOW))
    }
}

impl<'a> Decoder<'a> {
    fn new(tree: &'a Tree, options: Options) -> Self {
        Decoder { tree, options, budget: Budget::default(), active: HashSet::new(), duplicates: Vec::new() }
    }

    fn fail<T>(&self, id: NodeId, message: impl Into<String>) -> Result<T, ValueError> {
        Err(ValueError { message: message.into(), span: self.tree.span(id) })
    }

    fn node(&mut self, id: NodeId) -> Result<Decoded, ValueError> {
        self.budget.enter(self.tree, id)?;
        let kind = match self.tree.kind(id) {
            Kind::Alias { name, target } => {
                let Some(target) = target else {
                    return self.fail(id, format!("yaml: unknown anchor '{name}' referenced"));
                };
                if !self.active.insert(id) {
                    return self.fail(id, format!("yaml: anchor '{name}' value contains itself"));
                }
                self.budget.alias_depth += 1;
                let decoded = self.node(target)?;
                self.budget.alias_depth -= 1;
                self.active.remove(&id);
                decoded.kind
            }
            Kind::Scalar { .. } => DecodedKind::Scalar(self.scalar(id)?),
            Kind::Sequence { items, .. } => {
                let items: Result<_, _> = items.iter().map(|&item| self.node(item)).collect();
                DecodedKind::List(items?)
            }
            Kind::Mapping { .. } => {
                let mut map = MapBuilder::default();
                self.mapping(id, &mut map)?;
                DecodedKind::Map(DecodedMap { general: true, entries: map.entries })
            }
        };
        self.budget.leave();
        Ok(Decoded { span: self.tree.span(id), kind })
    }

    fn scalar(&self, id: NodeId) -> Result<Value, ValueError> {
        let text = self.tree.scalar(id).unwrap_or("");
        let tag = self.tree.tag(id);
        let quoted = self.tree.style(id) != Some(Style::Plain);
        if quoted && tag.is_none() {
            return Ok(Value::from(text));
        }
        if tag.and_then(|tag| short_tag(tag, Flavour::V2)).as_deref() == Some(TAG_BINARY) {
            return binary(text).map_or_else(|message| self.fail(id, message), Ok);
        }
        match resolve(Flavour::V2, tag, text) {
            Ok(resolved) => Ok(resolved.value(text)),
            Err(message) => self.fail(id, format!("yaml: {message}")),
        }
    }

    /// Decodes the entries of a mapping into `map`, which merged mappings share.
    fn mapping(&mut self, id: NodeId, map: &mut MapBuilder) -> Result<(), ValueError> {
        for entry in self.tree.entries(id) {
            if is_merge(self.tree, entry.key, Flavour::V2) {
                self.merge(entry.value, map)?;
                continue;
            }
            let decoded = self.node(entry.key)?;
            let key = match decoded.kind {
                DecodedKind::Scalar(value) => key_of(value),
                other => {
                    let mut text = String::from("yaml: invalid map key: ");
                    go_syntax(&mut text, &other);
                    return self.fail(entry.key, text);
                }
            };
            let value = self.node(entry.value)?;
            if self.options.strict && map.index.contains_key(&key) {
                let mut text = String::new();
                go_key(&mut text, &key);
                let line = self.tree.line(entry.value) + 1;
                let message = format!("line {line}: key {text} already set in map");
                self.duplicates.push((message, self.tree.span(entry.key)));
                continue;
            }
            map.insert(key, value);
        }
        Ok(())
    }

    fn merge(&mut self, value: NodeId, map: &mut MapBuilder) -> Result<(), ValueError> {
        let refuse = "yaml: map merge requires map or sequence of maps as the value";
        match self.tree.kind(value) {
            Kind::Sequence { items, .. } => {
                // Earlier mappings win, so that they are merged last.
                for &item in items.iter().rev() {
                    self.merge_one(item, map, refuse)?;
                }
                Ok(())
            }
            _ => self.merge_one(value, map, refuse),
        }
    }

    fn merge_one(&mut self, id: NodeId, map: &mut MapBuilder, refuse: &str) -> Result<(), ValueError> {
        self.budget.count(self.tree, id)?;
        let target = self.tree.resolve(id);
        if !self.tree.is_mapping(target) {
            return self.fail(id, refuse);
        }
        if target == id {
            return self.mapping(id, map);
        }
        if !self.active.insert(id) {
            let name = self.tree.span(id).text(self.tree.text()).trim_start_matches('*').to_owned();
            return self.fail(id, format!("yaml: anchor '{name}' value contains itself"));
        }
        self.budget.alias_depth += 1;
        self.budget.count(self.tree, target)?;
        self.mapping(target, map)?;
        self.budget.alias_depth -= 1;
        self.active.remove(&id);
        Ok(())
    }
}

/// Whether a key merges its value into the mapping.
pub(crate) fn is_merge(tree: &Tree, key: NodeId, flavour: Flavour) -> bool {
    if tree.style(key).is_none() || tree.scalar(key) != Some("<<") {
        return false;
    }
    let plain = tree.style(key) == Some(Style::Plain);
    match tree.tag(key) {
        None => plain,
        // Version 3 takes the tag for none.
        Some("!") => plain || flavour == Flavour::V2,
        Some(tag) => short_tag(tag, flavour).as_deref() == Some("!!merge"),
    }
}

#[derive(Default)]
struct MapBuilder {
    entries: Vec<(Key, Decoded)>,
    index: HashMap<Key, usize>,
}

impl MapBuilder {
    fn insert(&mut self, key: Key, value: Decoded) {
        if let Some(&i) = self.index.get(&key) {
            self.entries[i].1 = value;
            return;
        }
        // Not-a-number is never the same key as any other.
        if !matches!(key, Key::Float(bits) if f64::from_bits(bits).is_nan()) {
            self.index.insert(key.clone(), self.entries.len());
        }
        self.entries.push((key, value));
    }
}

fn key_of(value: Value) -> Key {
    match value {
        Value::Bool(b) => Key::Bool(b),
        Value::Int(i) => Key::Int(i),
        Value::Uint(u) => Key::Uint(u),
        Value::Float(f) => Key::Float(f.to_bits()),
        Value::String(text) => Key::Text(text),
        _ => Key::Null,
    }
}

/// The first number that JSON does not have, in the order in which Go writes it.
fn first_without_json(decoded: &Decoded) -> Option<(f64, Span)> {
    match &decoded.kind {
        DecodedKind::Scalar(Value::Float(f)) => (!f.is_finite()).then_some((*f, decoded.span)),
        DecodedKind::Scalar(_) => None,
        DecodedKind::List(items) => items.iter().find_map(first_without_json),
        DecodedKind::Map(map) => {
            let found = map.entries.iter().filter_map(|(key, value)| Some((key, first_without_json(value)?)));
            found.min_by_key(|(key, _)| key_text(key)).map(|(_, number)| number)
        }
    }
}

/// The value as JSON, or the refusal: keys are looked at before numbers.
fn json_value(decoded: Decoded, flavour: Flavour) -> Result<Value, ValueError> {
    let number = first_without_json(&decoded);
    let value = to_json(decoded, flavour)?;
    match number {
        Some((f, span)) => {
            let message = format!("json: unsupported value: {}", go::format_float(f, 'g', None, 64));
            Err(ValueError { message, span })
        }
        None => Ok(value),
    }
}

/// Keys as text, or the refusal.
fn to_json(decoded: Decoded, flavour: Flavour) -> Result<Value, ValueError> {
    match decoded.kind {
        DecodedKind::Scalar(value) => Ok(value),
        DecodedKind::List(items) => {
            let items: Result<Vec<_>, _> = items.into_iter().map(|item| to_json(item, flavour)).collect();
            Ok(Value::List(Arc::new(items?)))
        }
        DecodedKind::Map(decoded) => {
            let mut map = Map::with_capacity(decoded.entries.len());
            for (key, value) in decoded.entries {
                let key: Arc<str> = match key {
                    Key::Text(text) => text,
                    Key::Int(_) | Key::Bool(_) | Key::Float(_) => key_text(&key).into(),
                    // No one turns the keys into text after version 3, but `encoding/json` where it can.
                    Key::Null | Key::Uint(_) if flavour == Flavour::V3 => key_text(&key).into(),
                    Key::Null | Key::Uint(_) => {
                        let (kind, shown) = match key {
                            Key::Uint(u) => ("uint64".to_owned(), format!("{u:#x}")),
                            _ => ("%!s(<nil>)".to_owned(), "<nil>".to_owned()),
                        };
                        let mut text = format!("Unsupported map key of type: {kind}, key: {shown}, value: ");
                        go_syntax_outer(&mut text, &value.kind);
                        return Err(ValueError { message: text, span: value.span });
                    }
                };
                map.insert(key, to_json(value, flavour)?);
            }
            Ok(Value::Map(Arc::new(map)))
        }
    }
}

/// The text that a key becomes in JSON.
fn key_text(key: &Key) -> String {
    match key {
        Key::Text(text) => text.to_string(),
        Key::Int(i) => i.to_string(),
        Key::Uint(u) => u.to_string(),
        Key::Bool(b) => b.to_string(),
        Key::Null => "null".to_owned(),
        Key::Float(bits) => match go::format_float(f64::from_bits(*bits), 'g', None, 32).as_str() {
            "+Inf" => ".inf".to_owned(),
            "-Inf" => "-.inf".to_owned(),
            "NaN" => ".nan".to_owned(),
            text => text.to_owned(),
        },
    }
}

/// The text that a scalar becomes as a key.
pub(crate) fn scalar_key(tree: &Tree, node: NodeId, options: Options) -> Result<String, ValueError> {
    let value = match options.flavour {
        Flavour::V2 => Decoder::new(tree, options).scalar(node),
        Flavour::V3 => v3::Decoder::new(tree).scalar(node),
    };
    value.map(|value| key_text(&key_of(value)))
}

/// Bytes as text, with U+FFFD for each byte that is no UTF-8, as Go's JSON writes them.
fn replaced(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        out.push_str(chunk.valid());
        out.extend(chunk.invalid().iter().map(|_| char::REPLACEMENT_CHARACTER));
    }
    out
}

const TAG_BINARY: &str = "!!binary";

/// The text of a `!!binary` scalar, or why there is none.
fn binary(text: &str) -> Result<Value, &'static str> {
    let bytes = base64(text).ok_or("yaml: !!binary value contains invalid base64 data")?;
    Ok(Value::from(replaced(&bytes)))
}

fn base64(text: &str) -> Option<Vec<u8>> {
    // encoding/base64 skips line breaks and wants the padding.
    let symbols: Vec<u8> = text.bytes().filter(|b| !matches!(b, b'\n' | b'\r')).collect();
    if !symbols.len().is_multiple_of(4) {
        return None;
    }
    let mut out = Vec::with_capacity(symbols.len() / 4 * 3);
    for (i, chunk) in symbols.chunks(4).enumerate() {
        let padding = chunk.iter().rev().take_while(|b| **b == b'=').count();
        if padding > 2 || (padding > 0 && (i + 1) * 4 != symbols.len()) {
            return None;
        }
        let mut bits: u32 = 0;
        for &symbol in &chunk[..4 - padding] {
            let six = match symbol {
                b'A'..=b'Z' => symbol - b'A',
                b'a'..=b'z' => symbol - b'a' + 26,
                b'0'..=b'9' => symbol - b'0' + 52,
                b'+' => 62,
                b'/' => 63,
                _ => return None,
            };
            bits = (bits << 6) | u32::from(six);
        }
        bits <<= 6 * padding;
        out.extend_from_slice(&bits.to_be_bytes()[1..4 - padding]);
    }
    Some(out)
}

fn go_key(out: &mut String, key: &Key) {
    let _ = match key {
        Key::Null => write!(out, "<nil>"),
        Key::Bool(b) => write!(out, "{b}"),
        Key::Int(i) => write!(out, "{i}"),
        Key::Uint(u) => write!(out, "{u:#x}"),
        Key::Float(bits) => write!(out, "{}", go_float(f64::from_bits(*bits))),
        Key::Text(text) => write!(out, "{}", go::quote(text.as_bytes())),
    };
}

fn go_float(value: f64) -> String {
    go::format_float(value, 'g', None, 64)
}

/// `%#v` of a decoded value at the top, where nil has no type.
fn go_syntax_outer(out: &mut String, kind: &DecodedKind) {
    match kind {
        DecodedKind::Scalar(Value::Null) => out.push_str("<nil>"),
        kind => go_syntax(out, kind),
    }
}

/// `%#v` of a decoded value.
fn go_syntax(out: &mut String, kind: &DecodedKind) {
    match kind {
        DecodedKind::Scalar(Value::Null) => out.push_str("interface {}(nil)"),
        DecodedKind::Scalar(value) => go_key(out, &key_of(value.clone())),
        DecodedKind::List(items) => {
            out.push_str("[]interface {}{");
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    out.push_str(", ");
                }
                go_syntax(out, &item.kind);
            }
            out.push('}');
        }
        DecodedKind::Map(map) => {
            go_type(out, kind);
            out.push('{');
            let mut entries: Vec<&(Key, Decoded)> = map.entries.iter().collect();
            entries.sort_by(|a, b| go_order(&a.0, &b.0));
            for (i, (key, value)) in entries.into_iter().enumerate() {
                if i > 0 {
                    out.push_str(", ");
                }
                match key {
                    Key::Null => out.push_str("interface {}(nil)"),
                    key => go_key(out, key),
                }
                out.push(':');
                go_syntax(out, &value.kind);
            }
            out.push('}');
        }
    }
}

/// The Go type of a collection.
fn go_type(out: &mut String, kind: &DecodedKind) {
    out.push_str(match kind {
        DecodedKind::Map(map) if map.general => "map[interface {}]interface {}",
        DecodedKind::Map(_) => "map[string]interface {}",
        _ => "[]interface {}",
    });
}

/// The order in which Go prints the keys of a map: nil first, then type by type, in each by value. The order of the types
/// is that of their addresses, so it is the linker's choice; this is how it falls out.
fn go_order(a: &Key, b: &Key) -> Ordering {
    let rank = |key: &Key| match key {
        Key::Null => 0,
        Key::Text(_) => 1,
        Key::Uint(_) => 2,
        Key::Int(_) => 3,
        Key::Float(_) => 4,
        Key::Bool(_) => 5,
    };
    match (a, b) {
        (Key::Bool(a), Key::Bool(b)) => a.cmp(b),
        (Key::Float(a), Key::Float(b)) => {
            // Not-a-number comes before all other numbers.
            let (a, b) = (f64::from_bits(*a), f64::from_bits(*b));
            a.partial_cmp(&b).unwrap_or_else(|| b.is_nan().cmp(&a.is_nan()))
        }
        (Key::Int(a), Key::Int(b)) => a.cmp(b),
        (Key::Uint(a), Key::Uint(b)) => a.cmp(b),
        (Key::Text(a), Key::Text(b)) => a.cmp(b),
        _ => rank(a).cmp(&rank(b)),
    }
}

/// A time as `encoding/json` writes it, or Go's refusal. The text is one that [`resolve`] has found to be a time.
fn rfc3339(text: &str) -> Result<String, &'static str> {
    let separator = text.find(['T', 't', ' ']);
    let (date, time) = text.split_at(separator.unwrap_or(text.len()));
    let mut parts = date.split('-').map(|part| part.parse().unwrap_or(0_u32));
    let mut next = || parts.next().unwrap_or(0);
    let mut out = format!("{:04}-{:02}-{:02}T", next(), next(), next());
    let time = time.get(1..).filter(|time| !time.is_empty()).unwrap_or("0:0:0");
    let (clock, zone) = time.split_at(time.find(['Z', '+', '-']).unwrap_or(time.len()));
    let (whole, fraction) = clock.split_once(['.', ',']).unwrap_or((clock, ""));
    let mut parts = whole.split(':').map(|part| part.parse().unwrap_or(0_u32));
    let mut next = || parts.next().unwrap_or(0);
    let _ = write!(out, "{:02}:{:02}:{:02}", next(), next(), next());
    let fraction = fraction[..fraction.len().min(9)].trim_end_matches('0');
    if !fraction.is_empty() {
        let _ = write!(out, ".{fraction}");
    }
    let number = |range| zone.get(range).and_then(|part: &str| part.parse().ok()).unwrap_or(0_u32);
    let minutes = number(1..3) * 60 + number(4..6);
    match zone.as_bytes().first() {
        Some(sign @ (b'+' | b'-')) if minutes > 0 => {
            if minutes >= 24 * 60 {
                return Err(
                    "json: error calling MarshalJSON for type time.Time: Time.MarshalJSON: timezone hour \
                            outside of range [0,23]",
                );
            }
            let _ = write!(out, "{}{:02}:{:02}", char::from(*sign), minutes / 60, minutes % 60);
        }
        _ => out.push('Z'),
    }
    Ok(out)
}
