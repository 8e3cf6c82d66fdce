//! What `gopkg.in/yaml.v3` decodes into an `interface{}`.
//!
//! It differs from version 2 in more than words: equal keys are always refused, `<<` is merged behind all other keys
//! and never over one of them, and a mapping whose keys are all text has another Go type, which shows in errors.

use std::collections::{HashMap, HashSet};

use convoy_text::Span;
use convoy_value::{Value, go};

use super::{
    Budget, Decoded, DecodedKind, DecodedMap, Flavour, Key, MapBuilder, TAG_BINARY, ValueError, binary,
    go_syntax, is_merge, key_of, rfc3339,
};
use crate::resolve::{Resolved, resolve, short_tag};
use crate::tree::{Kind, NodeId, Style, Tree};

/// Messages about keys that stand twice; Go writes one for each pair of them.
const MAX_DUPLICATES: usize = 1000;

pub(super) struct Decoder<'a> {
    tree: &'a Tree,
    budget: Budget,
    /// Aliases that are being expanded.
    active: HashSet<NodeId>,
    /// What does not end the decoding, with its place.
    pub(super) errors: Vec<(String, Span)>,
}

type Decode<T> = Result<T, ValueError>;

/// The keys that a mapping being merged must leave alone; `None` outside of a merge.
type Merged<'m> = Option<&'m mut HashSet<Key>>;

/// What the keys of the mapping that is being filled are in Go.
#[derive(Clone, Copy, PartialEq, Eq)]
enum KeyType {
    Text,
    Any,
}

impl<'a> Decoder<'a> {
    pub(super) fn new(tree: &'a Tree) -> Self {
        Decoder { tree, budget: Budget::default(), active: HashSet::new(), errors: Vec::new() }
    }

    fn fail<T>(&self, id: NodeId, message: impl Into<String>) -> Decode<T> {
        Err(ValueError { message: message.into(), span: self.tree.span(id) })
    }

    /// The value of a node; `None` where it has none for an error that was recorded.
    pub(super) fn node(&mut self, id: NodeId) -> Decode<Option<Decoded>> {
        self.budget.enter(self.tree, id)?;
        let kind = match self.tree.kind(id) {
            Kind::Alias { .. } => self
                .through_alias(id, |decoder, target| Ok(decoder.node(target)?.map(|decoded| decoded.kind)))?,
            Kind::Scalar { .. } => Some(DecodedKind::Scalar(self.scalar(id)?)),
            Kind::Sequence { items, .. } => {
                let mut list = Vec::with_capacity(items.len());
                for &item in items {
                    list.extend(self.node(item)?);
                }
                Some(DecodedKind::List(list))
            }
            Kind::Mapping { .. } => {
                let key_type = self.key_type(id);
                let mut map = MapBuilder::default();
                let filled = self.mapping(id, key_type, &mut map, None)?;
                let general = key_type == KeyType::Any;
                filled.then_some(DecodedKind::Map(DecodedMap { general, entries: map.entries }))
            }
        };
        self.budget.leave();
        Ok(kind.map(|kind| Decoded { span: self.tree.span(id), kind }))
    }

    fn through_alias<T>(
        &mut self,
        id: NodeId,
        decode: impl FnOnce(&mut Self, NodeId) -> Decode<T>,
    ) -> Decode<T> {
        let Kind::Alias { name, target } = self.tree.kind(id) else { return decode(self, id) };
        let Some(target) = target else {
            return self.fail(id, format!("yaml: unknown anchor '{name}' referenced"));
        };
        if !self.active.insert(id) {
            return self.fail(id, format!("yaml: anchor '{name}' value contains itself"));
        }
        self.budget.alias_depth += 1;
        let decoded = decode(self, target)?;
        self.budget.alias_depth -= 1;
        self.active.remove(&id);
        Ok(decoded)
    }

    fn tag(&self, id: NodeId) -> Option<&'a str> {
        self.tree.tag(id).filter(|tag| *tag != "!")
    }

    /// Whether a scalar is text by its quotes or its tag.
    fn is_indicated_text(&self, id: NodeId) -> bool {
        match self.tag(id) {
            Some(tag) => short_tag(tag, Flavour::V3).as_deref() == Some("!!str"),
            None => !matches!(self.tree.style(id), None | Some(Style::Plain)),
        }
    }

    fn is_binary(&self, id: NodeId) -> bool {
        self.tag(id).and_then(|tag| short_tag(tag, Flavour::V3)).as_deref() == Some(TAG_BINARY)
    }

    pub(super) fn scalar(&self, id: NodeId) -> Decode<Value> {
        let text = self.tree.scalar(id).unwrap_or("");
        if self.is_indicated_text(id) {
            return Ok(Value::from(text));
        }
        let tag = self.tag(id);
        if self.is_binary(id) {
            return binary(text).map_or_else(|message| self.fail(id, message), Ok);
        }
        match resolve(Flavour::V3, tag, text) {
            Ok(Resolved::Timestamp) => {
                rfc3339(text).map_or_else(|message| self.fail(id, message), |text| Ok(Value::from(text)))
            }
            Ok(resolved) => Ok(resolved.value(text)),
            Err(message) => self.fail(id, format!("yaml: {message}")),
        }
    }

    /// Whether all keys of a mapping are text, by their tags.
    fn key_type(&self, id: NodeId) -> KeyType {
        let is_text = |key: NodeId| {
            let key = self.tree.resolve(key);
            match (self.tag(key), self.tree.scalar(key)) {
                (Some(tag), _) => {
                    matches!(short_tag(tag, Flavour::V3).as_deref(), Some("!!str" | "!!merge"))
                }
                (None, Some(text)) => {
                    self.is_indicated_text(key)
                        || is_merge(self.tree, key, Flavour::V3)
                        || resolve(Flavour::V3, None, text) == Ok(Resolved::Text)
                }
                (None, None) => false,
            }
        };
        let all = self.tree.entries(id).iter().all(|entry| is_text(entry.key));
        if all { KeyType::Text } else { KeyType::Any }
    }

    /// Records the keys that stand twice; says whether there are any. Go compares what is written, not what it means.
    fn has_duplicates(&mut self, id: NodeId) -> bool {
        let tree = self.tree;
        let entries = tree.entries(id);
        let mut same: HashMap<(u8, &str), Vec<usize>> = HashMap::new();
        let written = |key: NodeId| match tree.kind(key) {
            Kind::Scalar { text, .. } => (0, text),
            Kind::Alias { name, .. } => (1, name),
            Kind::Mapping { .. } => (2, ""),
            Kind::Sequence { .. } => (3, ""),
        };
        for (i, entry) in entries.iter().enumerate() {
            same.entry(written(entry.key)).or_default().push(i);
        }
        if same.len() == entries.len() {
            return false;
        }
        let mut said = 0;
        for (i, first) in entries.iter().enumerate() {
            let name = written(first.key);
            for &j in same[&name].iter().filter(|j| **j > i) {
                said += 1;
                if said > MAX_DUPLICATES {
                    return true;
                }
                let (key, name) = (entries[j].key, go::quote(name.1.as_bytes()));
                let (line, first) = (tree.line(key) + 1, tree.line(first.key) + 1);
                let message = format!("line {line}: mapping key {name} already defined at line {first}");
                self.errors.push((message, tree.span(key)));
            }
        }
        true
    }

    /// Decodes the entries of a mapping into `map`, which merged mappings share; says whether there is a value.
    fn mapping(
        &mut self,
        id: NodeId,
        key_type: KeyType,
        map: &mut MapBuilder,
        mut merged: Merged<'_>,
    ) -> Decode<bool> {
        if self.has_duplicates(id) {
            return Ok(false);
        }
        let mut merge = None;
        for entry in self.tree.entries(id) {
            if is_merge(self.tree, entry.key, Flavour::V3) {
                merge = Some(entry.value);
                continue;
            }
            let Some(key) = self.key(entry.key, key_type)? else { continue };
            if let Some(merged) = &mut merged {
                match &key {
                    Ok(key) if !merged.insert(key.clone()) => continue,
                    Ok(_) => {}
                    Err(kind) => return self.unhashable(entry.key, kind),
                }
            }
            let key = match key {
                Ok(key) => key,
                Err(kind) => {
                    let mut text = String::from("yaml: invalid map key: ");
                    go_syntax(&mut text, &kind);
                    return self.fail(entry.key, text);
                }
            };
            if let Some(value) = self.node(entry.value)? {
                map.insert(key, value);
            }
        }
        if let Some(value) = merge {
            match merged {
                Some(merged) => self.merge(value, key_type, map, merged)?,
                None => {
                    let mut keys = self.keys(id)?;
                    self.merge(value, key_type, map, &mut keys)?;
                }
            }
        }
        Ok(true)
    }

    /// A key: `None` where there is none for an error that was recorded or for null among texts, `Err` for a collection.
    fn key(&mut self, id: NodeId, key_type: KeyType) -> Decode<Option<Result<Key, DecodedKind>>> {
        if key_type == KeyType::Any {
            let decoded = self.node(id)?;
            return Ok(decoded.map(|decoded| match decoded.kind {
                DecodedKind::Scalar(value) => Ok(key_of(value)),
                collection => Err(collection),
            }));
        }
        self.budget.enter(self.tree, id)?;
        let key = match self.tree.kind(id) {
            Kind::Alias { .. } => self.through_alias(id, |decoder, target| decoder.key(target, key_type))?,
            Kind::Scalar { text, .. } => match self.scalar(id)? {
                Value::Null => None,
                Value::String(bytes) if self.is_binary(id) => Some(Ok(Key::Text(bytes))),
                _ => Some(Ok(Key::Text(text.into()))),
            },
            Kind::Mapping { .. } if self.has_duplicates(id) => None,
            kind => {
                let default = if matches!(kind, Kind::Mapping { .. }) { "!!map" } else { "!!seq" };
                let (tag, line) = (self.tree.tag(id).unwrap_or(default), self.tree.line(id) + 1);
                let shown = short_tag(tag, Flavour::V3).unwrap_or(tag.into());
                let value = if matches!(&*shown, "!!map" | "!!seq") { "" } else { " ``" };
                let message = format!("line {line}: cannot unmarshal {shown}{value} into string");
                self.errors.push((message, self.tree.span(id)));
                None
            }
        };
        self.budget.leave();
        Ok(key)
    }

    /// Here Go panics.
    fn unhashable<T>(&self, id: NodeId, kind: &DecodedKind) -> Decode<T> {
        let mut text = String::from("runtime error: hash of unhashable type ");
        super::go_type(&mut text, kind);
        self.fail(id, text)
    }

    /// The keys of a mapping, which Go decodes anew before it merges.
    fn keys(&mut self, id: NodeId) -> Decode<HashSet<Key>> {
        let mut keys = HashSet::new();
        for entry in self.tree.entries(id) {
            match self.key(entry.key, KeyType::Any)? {
                Some(Ok(key)) => {
                    keys.insert(key);
                }
                Some(Err(kind)) => return self.unhashable(entry.key, &kind),
                None => {}
            }
        }
        Ok(keys)
    }

    fn merge(
        &mut self,
        value: NodeId,
        key_type: KeyType,
        map: &mut MapBuilder,
        merged: &mut HashSet<Key>,
    ) -> Decode<()> {
        if let Kind::Sequence { items, .. } = self.tree.kind(value) {
            for &item in items {
                self.merge_one(item, key_type, map, merged)?;
            }
            return Ok(());
        }
        self.merge_one(value, key_type, map, merged)
    }

    fn merge_one(
        &mut self,
        id: NodeId,
        key_type: KeyType,
        map: &mut MapBuilder,
        merged: &mut HashSet<Key>,
    ) -> Decode<()> {
        let unknown = matches!(self.tree.kind(id), Kind::Alias { target: None, .. });
        let is_alias = matches!(self.tree.kind(id), Kind::Alias { .. });
        if !unknown && !self.tree.is_mapping(id) {
            return self.fail(id, "yaml: map merge requires map or sequence of maps as the value");
        }
        self.budget.enter(self.tree, id)?;
        self.through_alias(id, |decoder, target| {
            if is_alias {
                decoder.budget.enter(decoder.tree, target)?;
                decoder.budget.leave();
            }
            decoder.mapping(target, key_type, map, Some(merged))
        })?;
        self.budget.leave();
        Ok(())
    }
}
