//! The tree: what editors and values are read from.

use std::sync::Arc;

use convoy_text::{ContentMap, Span};

use crate::error::SyntaxError;
use crate::scalar;
use crate::store::{Content, Scalar, Store};

/// Index of a node in its [`Tree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub(crate) u32);

/// How a scalar is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Without quotes; also the empty scalar of a key that has no value.
    Plain,
    /// `'…'`.
    SingleQuoted,
    /// `"…"`.
    DoubleQuoted,
    /// `|`.
    Literal,
    /// `>`.
    Folded,
}

impl Style {
    /// Whether the text runs over indented lines under its indicator.
    pub fn is_block(self) -> bool {
        matches!(self, Style::Literal | Style::Folded)
    }
}

/// A key with its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The key.
    pub key: NodeId,
    /// The value; an empty plain scalar where nothing is written.
    pub value: NodeId,
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind<'a> {
    /// A text.
    Scalar {
        /// How it is written.
        style: Style,
        /// The decoded text.
        text: &'a str,
    },
    /// Keys and values in order; a key may stand twice.
    Mapping {
        /// `{…}` instead of lines.
        flow: bool,
        /// The entries.
        entries: &'a [Entry],
    },
    /// Items in order.
    Sequence {
        /// `[…]` instead of lines.
        flow: bool,
        /// The items.
        items: &'a [NodeId],
    },
    /// `*name`.
    Alias {
        /// The name without `*`.
        name: &'a str,
        /// The anchored node, if the document has one before the alias.
        target: Option<NodeId>,
    },
}

/// The anchor and tag of a node.
#[derive(Clone, Debug, Default)]
pub struct Properties {
    /// Name (without `&`) and span (with it).
    pub anchor: Option<(Box<str>, Span)>,
    /// The resolved tag (`tag:yaml.org,2002:str`) and the span of what is written.
    pub tag: Option<(Box<str>, Span)>,
}

/// A document of the stream.
#[derive(Clone, Debug)]
pub struct Document {
    /// From the document's first line to where the next one begins, with its `---`.
    pub span: Span,
    /// The node, if the document has any content.
    pub root: Option<NodeId>,
    /// The errors that lie in this document, in the order in which they were found; the first has the text that
    /// Go prints for the stream up to here.
    pub errors: Vec<SyntaxError>,
}

/// Where a Go program stops that reads the documents of a stream one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stop {
    /// How many documents it reads before. A program that reads only the first, as `Unmarshal` does, meets the error if
    /// this is 0.
    pub documents: usize,
    /// What it then prints. The same error stands in the document that it blames, which may be a later one: go-yaml
    /// reads ahead.
    pub error: SyntaxError,
}

/// A parsed stream of documents. Nothing in it is lost when the text is broken: [`Document::errors`] tells
/// what had to be skipped.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The text as it was given.
    pub(crate) text: Arc<str>,
    /// The text that was scanned: as long as `text`, with spaces where recovery skipped something.
    pub(crate) scanned: Arc<str>,
    pub(crate) store: Store,
    pub(crate) documents: Vec<Document>,
    pub(crate) stop: Option<Stop>,
    pub(crate) comments: Vec<Span>,
}

impl Tree {
    /// The text that the tree was made from.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text that scalars were read from: [`Tree::text`], with spaces where recovery had to skip something.
    pub fn scanned_text(&self) -> &str {
        &self.scanned
    }

    /// The documents in order. A stream without content has none.
    pub fn documents(&self) -> &[Document] {
        &self.documents
    }

    /// Where a Go program stops; `None` where it reads the whole stream.
    pub fn stop(&self) -> Option<&Stop> {
        self.stop.as_ref()
    }

    /// All errors, document by document.
    pub fn errors(&self) -> impl Iterator<Item = &SyntaxError> {
        self.documents.iter().flat_map(|d| &d.errors)
    }

    /// The comments in order, each from `#` to the end of its line.
    pub fn comments(&self) -> &[Span] {
        &self.comments
    }

    /// The aliases whose anchor the document does not have: nothing is known of their values.
    pub fn unknown_aliases(&self) -> impl Iterator<Item = Span> {
        let nodes = self.store.nodes.iter();
        nodes
            .filter(|node| matches!(node.content, Content::Alias { target: None }))
            .map(|node| node.span.into())
    }

    fn content(&self, id: NodeId) -> Content {
        self.store.node(id).content
    }

    /// What a node is.
    pub fn kind(&self, id: NodeId) -> Kind<'_> {
        match self.content(id) {
            Content::Scalar(scalar) => Kind::Scalar { style: scalar.style, text: self.text_of(scalar) },
            Content::Mapping { flow, entries } => {
                Kind::Mapping { flow, entries: &self.store.entries[entries.range()] }
            }
            Content::Sequence { flow, items } => {
                Kind::Sequence { flow, items: &self.store.items[items.range()] }
            }
            Content::Alias { target } => {
                let name = self.span(id).text(&self.scanned).get(1..).unwrap_or("");
                Kind::Alias { name, target }
            }
        }
    }

    /// From the first to the last byte of a node, with quotes, brackets or the block scalar's indicator, without
    /// anchor and tag. A block collection ends with its last entry.
    pub fn span(&self, id: NodeId) -> Span {
        self.store.node(id).span.into()
    }

    /// Line (from 0) where a node, with its anchor and tag, begins.
    pub fn line(&self, id: NodeId) -> u32 {
        self.store.node(id).line
    }

    /// Anchor and tag of a node.
    pub fn properties(&self, id: NodeId) -> Option<&Properties> {
        self.store.node(id).properties.map(|i| &self.store.properties[i.get() as usize - 1])
    }

    /// The resolved tag of a node, if one is written.
    pub fn tag(&self, id: NodeId) -> Option<&str> {
        self.properties(id)?.tag.as_ref().map(|(tag, _)| &**tag)
    }

    /// The node that an alias stands for; any other node itself. An alias without a target stays.
    pub fn resolve(&self, id: NodeId) -> NodeId {
        match self.content(id) {
            Content::Alias { target: Some(target) } => target,
            _ => id,
        }
    }

    /// The decoded text of a scalar (through an alias).
    pub fn scalar(&self, id: NodeId) -> Option<&str> {
        match self.content(self.resolve(id)) {
            Content::Scalar(scalar) => Some(self.text_of(scalar)),
            _ => None,
        }
    }

    fn text_of(&self, scalar: Scalar) -> &str {
        let texts: &str = if scalar.decoded { &self.store.decoded } else { &self.scanned };
        &texts[scalar.text.range()]
    }

    /// The style of a scalar.
    pub fn style(&self, id: NodeId) -> Option<Style> {
        match self.content(id) {
            Content::Scalar(scalar) => Some(scalar.style),
            _ => None,
        }
    }

    /// Whether a node is a plain scalar that reads as null: nothing, `~` or `null`.
    pub fn is_null(&self, id: NodeId) -> bool {
        self.style(id) == Some(Style::Plain)
            && matches!(self.scalar(id), Some("" | "~" | "null" | "Null" | "NULL"))
    }

    /// Entries of a mapping (through an alias); empty for any other node.
    pub fn entries(&self, id: NodeId) -> &[Entry] {
        match self.kind(self.resolve(id)) {
            Kind::Mapping { entries, .. } => entries,
            _ => &[],
        }
    }

    /// Items of a sequence (through an alias); empty for any other node.
    pub fn items(&self, id: NodeId) -> &[NodeId] {
        match self.kind(self.resolve(id)) {
            Kind::Sequence { items, .. } => items,
            _ => &[],
        }
    }

    /// The nodes directly under a node, keys before their values; none under an alias, so that a walk ends whatever
    /// the aliases of a document do.
    pub fn children(&self, id: NodeId) -> Vec<NodeId> {
        match self.kind(id) {
            Kind::Mapping { entries, .. } => entries.iter().flat_map(|e| [e.key, e.value]).collect(),
            Kind::Sequence { items, .. } => items.to_vec(),
            _ => Vec::new(),
        }
    }

    /// Whether the node (through an alias) is a mapping.
    pub fn is_mapping(&self, id: NodeId) -> bool {
        matches!(self.content(self.resolve(id)), Content::Mapping { .. })
    }

    /// Whether the node (through an alias) is a sequence.
    pub fn is_sequence(&self, id: NodeId) -> bool {
        matches!(self.content(self.resolve(id)), Content::Sequence { .. })
    }

    /// The last entry with this key, which is the one that Go keeps.
    pub fn entry(&self, mapping: NodeId, key: &str) -> Option<Entry> {
        self.entries(mapping).iter().rev().find(|e| self.scalar(e.key) == Some(key)).copied()
    }

    /// The value of the last entry with this key.
    pub fn get(&self, mapping: NodeId, key: &str) -> Option<NodeId> {
        self.entry(mapping, key).map(|e| e.value)
    }

    /// The exact map between the decoded text of a scalar and the document. For any other node, a map in
    /// which everything stands at the node's start.
    pub fn content_map(&self, id: NodeId) -> ContentMap {
        match self.content(id) {
            Content::Scalar(scalar) if !scalar.decoded => ContentMap::identity(scalar.text.into()),
            Content::Scalar(scalar) => scalar::content_map(&self.scanned, self.span(id), scalar),
            _ => ContentMap::default(),
        }
    }

    /// The innermost scalar, alias or empty collection whose span touches `offset`, with the path of nodes
    /// from the document's root to it.
    pub fn path_at(&self, offset: usize) -> Vec<NodeId> {
        let mut path = Vec::new();
        let i = self.documents.partition_point(|d| d.span.end <= offset && d.span.end < self.text.len());
        let Some(mut id) = self.documents.get(i).and_then(|d| d.root) else { return path };
        if !self.span(id).touches(offset) {
            return path;
        }
        loop {
            path.push(id);
            let next = match self.kind(id) {
                Kind::Mapping { entries, .. } => entries
                    .iter()
                    .flat_map(|e| [e.value, e.key])
                    .find(|&child| self.span(child).touches(offset)),
                Kind::Sequence { items, .. } => {
                    items.iter().copied().find(|&child| self.span(child).touches(offset))
                }
                _ => None,
            };
            match next {
                Some(child) => id = child,
                None => return path,
            }
        }
    }
}
