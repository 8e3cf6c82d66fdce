use std::collections::HashMap;

use convoy_text::{ContentMap, Span};
use convoy_yaml::{Entry, NodeId, Tree};

use super::{FROM_FIELDS, MUTATION_FIELDS, OPERATION_FIELDS, TARGET_FIELDS, WAVE_FIELDS};
use crate::dialect::{Identity, Located};

/// The five types of mutation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MutationType {
    /// A Go template whose output is merged (RFC 7386).
    GoTemplate,
    /// A JSON patch (RFC 6902).
    JsonPatch,
    /// A strategic merge patch.
    StrategicMergePatch,
    /// A CEL expression whose result is merged (RFC 7386).
    CelTransform,
    /// Sets the sync-wave annotations.
    SyncWave,
}

impl MutationType {
    /// All types with their names.
    pub const ALL: [(&'static str, MutationType); 5] = [
        ("goTemplate", MutationType::GoTemplate),
        ("jsonPatch", MutationType::JsonPatch),
        ("strategicMergePatch", MutationType::StrategicMergePatch),
        ("celTransform", MutationType::CelTransform),
        ("syncWave", MutationType::SyncWave),
    ];

    /// The type of this name; case counts.
    pub fn parse(name: &str) -> Option<MutationType> {
        Self::ALL.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, kind)| *kind == self).map_or("", |(name, _)| name)
    }

    /// Whether the type reads `inline` and `from`.
    pub fn reads_content(self) -> bool {
        !matches!(self, MutationType::JsonPatch | MutationType::SyncWave)
    }

    /// Whether its documents are Go templates.
    pub fn is_template(self) -> bool {
        matches!(self, MutationType::GoTemplate | MutationType::StrategicMergePatch)
    }

    /// The fields that the type reads beside `type` and `target`.
    pub fn reads(self, field: &str) -> bool {
        match field {
            "inline" | "from" => self.reads_content(),
            "patches" => self == MutationType::JsonPatch,
            "waveStrategy" => self == MutationType::SyncWave,
            _ => true,
        }
    }
}

/// A field with its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The key.
    pub key: Span,
    /// The value's node.
    pub node: NodeId,
    /// The value; the key's end where nothing is written.
    pub span: Span,
}

impl Field {
    fn new(tree: &Tree, entry: Entry) -> Field {
        Field { key: tree.span(entry.key), node: entry.value, span: tree.span(entry.value) }
    }

    /// The value, or the key where there is no value to show.
    pub fn shown(&self) -> Span {
        if self.span.is_empty() { self.key } else { self.span }
    }
}

/// Something about a field that needs no more than the document to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldFault {
    /// A key that the documentation does not name.
    Unknown {
        /// The key.
        key: Located,
        /// What it is a field of.
        of: &'static str,
        /// The names that are known there.
        known: &'static [&'static str],
    },
    /// A value of the wrong kind.
    Type {
        /// The field.
        field: String,
        /// The value, or its key.
        span: Span,
        /// What is expected: `a list`, `a string`, …
        expected: &'static str,
        /// What is there.
        found: &'static str,
    },
    /// A key that stands twice in one mapping.
    Duplicate {
        /// The key.
        key: Located,
        /// Its earlier place.
        earlier: Span,
    },
}

/// `target`.
#[derive(Clone, Debug, Default)]
pub struct Target {
    /// The field, if it is written.
    pub field: Option<Field>,
    /// The values of the fields that are not empty, by the order of [`TARGET_FIELDS`].
    pub values: [Option<Located>; 5],
    /// The fields that are written, empty or not.
    pub written: [Option<Field>; 5],
}

impl Target {
    /// The group, if it is not empty.
    pub fn group(&self) -> Option<&Located> {
        self.values[0].as_ref()
    }
    /// The version.
    pub fn version(&self) -> Option<&Located> {
        self.values[1].as_ref()
    }
    /// The kind.
    pub fn kind(&self) -> Option<&Located> {
        self.values[2].as_ref()
    }
    /// The name.
    pub fn name(&self) -> Option<&Located> {
        self.values[3].as_ref()
    }
    /// The namespace.
    pub fn namespace(&self) -> Option<&Located> {
        self.values[4].as_ref()
    }
    /// Whether the target matches every object.
    pub fn is_empty(&self) -> bool {
        self.values.iter().all(Option::is_none)
    }
}

/// One document of content: a template or an expression, with the map to the file that it stands in.
#[derive(Clone, Debug)]
pub struct Content {
    /// The text.
    pub text: String,
    /// From the text to the document.
    pub map: ContentMap,
    /// The scalar.
    pub span: Span,
}

impl Content {
    /// The text of a scalar.
    pub fn of(tree: &Tree, node: NodeId) -> Option<Content> {
        let text = tree.scalar(node)?.to_owned();
        let target = tree.resolve(node);
        Some(Content { text, map: tree.content_map(target), span: tree.span(target) })
    }
}

/// `from`.
#[derive(Clone, Debug)]
pub struct From {
    /// The field.
    pub field: Field,
    /// `kind`.
    pub kind: Option<Located>,
    /// `name`, a template.
    pub name: Option<Content>,
    /// `namespace`, plain text.
    pub namespace: Option<Located>,
    /// `path`, a template.
    pub path: Option<Content>,
}

/// One operation of `patches`.
#[derive(Clone, Debug)]
pub struct PatchOperation {
    /// The entry of the list.
    pub node: NodeId,
    /// Its span.
    pub span: Span,
    /// `op`.
    pub op: Option<Located>,
    /// `path`.
    pub path: Option<Content>,
    /// `from`.
    pub from: Option<Content>,
    /// `value`.
    pub value: Option<Field>,
    /// Whether `op` and `path` are written at all.
    pub has_op: bool,
    /// Whether `path` is written, as whatever.
    pub has_path: bool,
}

/// `waveStrategy`.
#[derive(Clone, Debug)]
pub struct Wave {
    /// The field.
    pub field: Field,
    /// `strategy`.
    pub strategy: Option<Located>,
    /// `wave`, as it is written.
    pub wave: Option<Located>,
}

/// Where a document of content comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Source {
    /// `inline`, by its number.
    Inline(usize),
    /// `from`.
    From,
}

/// One entry of `mutations`.
#[derive(Clone, Debug)]
pub struct Mutation {
    /// Its place in the list, from 0.
    pub index: usize,
    /// The entry.
    pub node: NodeId,
    /// Its span.
    pub span: Span,
    /// Its first character.
    first: Span,
    /// `type` as it is written.
    pub type_field: Option<Field>,
    /// The text of `type`.
    pub type_text: Option<Located>,
    /// The type, if it is one of the five.
    pub kind: Option<MutationType>,
    /// `target`.
    pub target: Target,
    /// The field `inline`.
    pub inline_field: Option<Field>,
    /// The documents of `inline`.
    pub inline: Vec<Content>,
    /// `from`.
    pub from: Option<From>,
    /// The field `patches`.
    pub patches_field: Option<Field>,
    /// The operations.
    pub patches: Vec<PatchOperation>,
    /// `waveStrategy`.
    pub wave: Option<Wave>,
    /// The fields that are written, by name.
    pub fields: Vec<(&'static str, Field)>,
}

impl Mutation {
    /// The place that stands for the whole mutation: its type, else the first line of the entry.
    pub fn head(&self) -> Span {
        self.type_field.map_or(self.first, |f| f.shown())
    }
}

/// A Release, or the list of its `/mutations` subresource.
#[derive(Clone, Debug, Default)]
pub struct Release {
    /// What the object says of itself; what the modeline says for a list.
    pub identity: Identity,
    /// Whether the document is only the list.
    pub is_list: bool,
    /// The field `mutations`.
    pub mutations_field: Option<Field>,
    /// The mutations.
    pub mutations: Vec<Mutation>,
    /// `mutations` under `spec`, where convoy does not look.
    pub misplaced: Option<Field>,
    /// What is wrong with the fields themselves.
    pub faults: Vec<FieldFault>,
}

/// How many mutations of a Release are read. So many are more than the 1.5 MiB that an API server stores of an object.
const MAX_MUTATIONS: usize = 20_000;

struct Reader<'a> {
    tree: &'a Tree,
    faults: Vec<FieldFault>,
    /// Whether an `inline` scalar is cut at `---` lines.
    cut: bool,
}

impl Release {
    /// Models a Release document. `cut` says whether an `inline` scalar is cut at `---` lines.
    pub fn read(tree: &Tree, root: NodeId, cut: bool) -> Release {
        let mut reader = Reader { tree, faults: Vec::new(), cut };
        reader.duplicates(root);
        let mutations_field = tree.entry(root, "mutations").map(|entry| Field::new(tree, entry));
        let misplaced = tree
            .get(root, "spec")
            .and_then(|spec| tree.entry(spec, "mutations"))
            .map(|entry| Field::new(tree, entry));
        let mutations = mutations_field.map(|field| reader.list(field)).unwrap_or_default();
        Release {
            identity: Identity::of(tree, root),
            is_list: false,
            mutations_field,
            mutations,
            misplaced,
            faults: reader.faults,
        }
    }

    /// Models a document that is only the list: a sequence, or a mapping with the key `mutations`.
    pub fn read_list(
        tree: &Tree,
        root: NodeId,
        name: Option<&str>,
        namespace: Option<&str>,
        cut: bool,
    ) -> Release {
        let mut release = if tree.is_sequence(root) {
            let mut reader = Reader { tree, faults: Vec::new(), cut };
            let span = tree.span(root);
            let field = Field { key: Span::empty(span.start), node: root, span };
            let mutations = reader.list(field);
            Release { mutations_field: Some(field), mutations, faults: reader.faults, ..Release::default() }
        } else {
            Release::read(tree, root, cut)
        };
        let said =
            |text: Option<&str>| text.map(|text| Located { text: text.to_owned(), span: Span::empty(0) });
        release.is_list = true;
        release.identity.name = said(name).or(release.identity.name);
        release.identity.namespace = said(namespace).or(release.identity.namespace);
        release
    }
}

impl Reader<'_> {
    fn kind_of(&self, node: NodeId) -> &'static str {
        if self.tree.is_mapping(node) {
            "a mapping"
        } else if self.tree.is_sequence(node) {
            "a list"
        } else if self.tree.is_null(node) {
            "nothing"
        } else {
            "a scalar"
        }
    }

    fn wrong_type(&mut self, name: &str, field: Field, expected: &'static str) {
        let found = self.kind_of(field.node);
        self.faults.push(FieldFault::Type { field: name.to_owned(), span: field.shown(), expected, found });
    }

    fn duplicates(&mut self, mapping: NodeId) {
        let mut seen: HashMap<&str, Span> = HashMap::new();
        let tree = self.tree;
        for entry in tree.entries(mapping) {
            let Some(key) = tree.scalar(entry.key) else { continue };
            let span = tree.span(entry.key);
            if let Some(earlier) = seen.get(key) {
                self.faults.push(FieldFault::Duplicate {
                    key: Located { text: key.to_owned(), span },
                    earlier: *earlier,
                });
            } else {
                seen.insert(key, span);
            }
        }
    }

    /// The fields of a mapping by their known names; unknown and repeated ones are noted.
    fn fields(
        &mut self,
        node: NodeId,
        of: &'static str,
        known: &'static [&'static str],
    ) -> Vec<(&'static str, Field)> {
        self.duplicates(node);
        let mut fields = Vec::new();
        for entry in self.tree.entries(node) {
            let key = self.tree.scalar(entry.key).unwrap_or("");
            match known.iter().find(|name| **name == key) {
                Some(name) => {
                    fields.retain(|(other, _): &(&str, Field)| other != name);
                    fields.push((*name, Field::new(self.tree, *entry)));
                }
                // Merge keys bring fields of their own.
                None if key == "<<" => {}
                None => self.faults.push(FieldFault::Unknown {
                    key: Located { text: key.to_owned(), span: self.tree.span(entry.key) },
                    of,
                    known,
                }),
            }
        }
        fields
    }

    /// The text of a field that must be a string; null and nothing are no text.
    fn text(&mut self, name: &str, field: Field) -> Option<Located> {
        if self.tree.is_null(field.node) {
            return None;
        }
        let Some(text) = self.tree.scalar(field.node) else {
            self.wrong_type(name, field, "a string");
            return None;
        };
        let value =
            convoy_yaml::value(self.tree, self.tree.resolve(field.node), convoy_yaml::Options::default());
        if !matches!(value, Ok(convoy_value::Value::String(_))) {
            self.faults.push(FieldFault::Type {
                field: name.to_owned(),
                span: field.shown(),
                expected: "a string",
                found: match value {
                    Ok(convoy_value::Value::Bool(_)) => "a boolean",
                    _ => "a number",
                },
            });
        }
        Some(Located { text: text.to_owned(), span: field.span })
    }

    fn mapping(&mut self, name: &str, field: Field) -> bool {
        if self.tree.is_mapping(field.node) {
            return true;
        }
        if !self.tree.is_null(field.node) {
            self.wrong_type(name, field, "a mapping");
        }
        false
    }

    fn list(&mut self, field: Field) -> Vec<Mutation> {
        if !self.tree.is_sequence(field.node) {
            if !self.tree.is_null(field.node) {
                self.wrong_type("mutations", field, "a list");
            }
            return Vec::new();
        }
        let items = self.tree.items(field.node).to_vec();
        if items.len() > MAX_MUTATIONS {
            self.faults.push(FieldFault::Type {
                field: "mutations".to_owned(),
                span: field.shown(),
                expected: "a shorter one (a limit of convoy-lsp, which leaves out the rest)",
                found: "a list of more than 20000 mutations",
            });
        }
        items
            .into_iter()
            .take(MAX_MUTATIONS)
            .enumerate()
            .map(|(index, node)| self.mutation(index, node))
            .collect()
    }

    fn mutation(&mut self, index: usize, node: NodeId) -> Mutation {
        let span = self.tree.span(node);
        let mut mutation = Mutation {
            index,
            node,
            span,
            first: Span::character(self.tree.text(), span.start),
            type_field: None,
            type_text: None,
            kind: None,
            target: Target::default(),
            inline_field: None,
            inline: Vec::new(),
            from: None,
            patches_field: None,
            patches: Vec::new(),
            wave: None,
            fields: Vec::new(),
        };
        if !self.tree.is_mapping(node) {
            let field = Field { key: span, node, span };
            self.wrong_type(&format!("mutations[{index}]"), field, "a mapping");
            return mutation;
        }
        mutation.fields = self.fields(node, "a mutation", &MUTATION_FIELDS);
        for (name, field) in mutation.fields.clone() {
            match name {
                "type" => {
                    mutation.type_field = Some(field);
                    mutation.type_text = self.text("type", field);
                    mutation.kind = mutation.type_text.as_ref().and_then(|t| MutationType::parse(&t.text));
                }
                "target" => mutation.target = self.target(field),
                "inline" => {
                    mutation.inline_field = Some(field);
                    mutation.inline = self.inline(field);
                }
                "from" => mutation.from = self.from(field),
                "patches" => {
                    mutation.patches_field = Some(field);
                    mutation.patches = self.patches(field);
                }
                "waveStrategy" => mutation.wave = self.wave(field),
                _ => {}
            }
        }
        mutation
    }

    fn target(&mut self, field: Field) -> Target {
        let mut target = Target { field: Some(field), ..Target::default() };
        if !self.mapping("target", field) {
            return target;
        }
        for (name, field) in self.fields(field.node, "a target", &TARGET_FIELDS) {
            let i = TARGET_FIELDS.iter().position(|known| *known == name).unwrap_or(0);
            target.written[i] = Some(field);
            target.values[i] =
                self.text(&format!("target.{name}"), field).filter(|text| !text.text.is_empty());
        }
        target
    }

    fn inline(&mut self, field: Field) -> Vec<Content> {
        let tree = self.tree;
        if tree.is_null(field.node) {
            return Vec::new();
        }
        if tree.is_sequence(field.node) {
            let mut contents = Vec::new();
            for (i, &item) in tree.items(field.node).iter().enumerate() {
                match Content::of(tree, item) {
                    Some(content) => contents.push(content),
                    None => {
                        let span = tree.span(item);
                        let item = Field { key: span, node: item, span };
                        self.wrong_type(&format!("inline[{i}]"), item, "a string");
                    }
                }
            }
            return contents;
        }
        match Content::of(tree, field.node) {
            Some(content) if self.cut => cut(content),
            Some(content) => vec![content],
            None => {
                self.wrong_type("inline", field, "a string or a list of strings");
                Vec::new()
            }
        }
    }

    fn from(&mut self, field: Field) -> Option<From> {
        if !self.mapping("from", field) {
            return None;
        }
        let mut from = From { field, kind: None, name: None, namespace: None, path: None };
        for (name, field) in self.fields(field.node, "from", &FROM_FIELDS) {
            let text = self.text(&format!("from.{name}"), field);
            let content = text.as_ref().and_then(|_| Content::of(self.tree, field.node));
            match name {
                "kind" => from.kind = text,
                "name" => from.name = content,
                "namespace" => from.namespace = text,
                _ => from.path = content,
            }
        }
        Some(from)
    }

    fn patches(&mut self, field: Field) -> Vec<PatchOperation> {
        if !self.tree.is_sequence(field.node) {
            if !self.tree.is_null(field.node) {
                self.wrong_type("patches", field, "a list");
            }
            return Vec::new();
        }
        let items = self.tree.items(field.node).to_vec();
        let mut operations = Vec::with_capacity(items.len());
        for (i, node) in items.into_iter().enumerate() {
            let span = self.tree.span(node);
            let mut operation = PatchOperation {
                node,
                span,
                op: None,
                path: None,
                from: None,
                value: None,
                has_op: false,
                has_path: false,
            };
            if self.tree.is_mapping(node) {
                for (name, field) in self.fields(node, "an operation", &OPERATION_FIELDS) {
                    if name == "value" {
                        operation.value = Some(field);
                        continue;
                    }
                    let text = self.text(&format!("patches[{i}].{name}"), field);
                    let content = text.as_ref().and_then(|_| Content::of(self.tree, field.node));
                    match name {
                        "op" => {
                            operation.has_op = true;
                            operation.op = text;
                        }
                        "path" => {
                            operation.has_path = true;
                            operation.path = content;
                        }
                        _ => operation.from = content,
                    }
                }
            } else {
                let field = Field { key: span, node, span };
                self.wrong_type(&format!("patches[{i}]"), field, "a mapping");
            }
            operations.push(operation);
        }
        operations
    }

    fn wave(&mut self, field: Field) -> Option<Wave> {
        if !self.mapping("waveStrategy", field) {
            return None;
        }
        let mut wave = Wave { field, strategy: None, wave: None };
        for (name, field) in self.fields(field.node, "waveStrategy", &WAVE_FIELDS) {
            if name == "strategy" {
                wave.strategy = self.text("waveStrategy.strategy", field);
            } else if let Some(text) = self.tree.scalar(field.node).filter(|_| !self.tree.is_null(field.node))
            {
                // A number or a text; `010` is the number 8.
                let value = convoy_yaml::value(self.tree, field.node, convoy_yaml::Options::default());
                let text = match value {
                    Ok(convoy_value::Value::Int(number)) => number.to_string(),
                    _ => text.to_owned(),
                };
                wave.wave = Some(Located { text, span: field.span });
            }
        }
        Some(wave)
    }
}

/// Cuts a document at its `---` lines.
fn cut(content: Content) -> Vec<Content> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut offset = 0;
    for line in content.text.split_inclusive('\n') {
        if line.trim_end() == "---" {
            parts.push((start, offset));
            start = offset + line.len();
        }
        offset += line.len();
    }
    parts.push((start, content.text.len()));
    parts
        .into_iter()
        .filter(|(start, end)| !content.text[*start..*end].trim().is_empty())
        .map(|(start, end)| Content {
            text: content.text[start..end].to_owned(),
            map: ContentMap::identity(Span::new(start, end)).then(&content.map),
            span: content.map.span_to_document(Span::new(start, end)),
        })
        .collect()
}
