//! The tree: what editors and values are read from.

use std::sync::Arc;

use convoy_text::{ContentMap, Span};

use crate::error::SyntaxError;
use crate::scalar;

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

/// The decoded text of a scalar: a piece of the source where nothing had to be decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Text {
    Source(Span),
    Decoded(Box<str>),
}

/// A scalar node.
#[derive(Clone, Debug)]
pub struct Scalar {
    /// How it is written.
    pub style: Style,
    pub(crate) text: Text,
    /// What the scanner needs to read the scalar again: indentation of its parent, and whether it stands in a
    /// flow collection.
    pub(crate) indent: i32,
    pub(crate) in_flow: bool,
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
#[derive(Clone, Debug)]
pub enum Kind {
    /// A text.
    Scalar(Scalar),
    /// Keys and values in order; a key may stand twice.
    Mapping {
        /// `{…}` instead of lines.
        flow: bool,
        /// The entries.
        entries: Vec<Entry>,
    },
    /// Items in order.
    Sequence {
        /// `[…]` instead of lines.
        flow: bool,
        /// The items.
        items: Vec<NodeId>,
    },
    /// `*name`.
    Alias {
        /// The name without `*`.
        name: Box<str>,
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

/// A node of the tree.
#[derive(Clone, Debug)]
pub struct Node {
    /// From the first to the last byte of the node, with quotes, brackets or the block scalar's indicator,
    /// without anchor and tag. A block collection ends with its last entry.
    pub span: Span,
    /// Line (from 0) where the node, with its anchor and tag, begins.
    pub line: u32,
    /// What it is.
    pub kind: Kind,
    pub(crate) properties: Option<Box<Properties>>,
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

/// A parsed stream of documents. Nothing in it is lost when the text is broken: [`Document::errors`] tells
/// what had to be skipped.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The text as it was given.
    pub(crate) text: Arc<str>,
    /// The text that was scanned: as long as `text`, with spaces where recovery skipped something.
    pub(crate) scanned: Arc<str>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) documents: Vec<Document>,
    pub(crate) comments: Vec<Span>,
}

impl Tree {
    /// The text that the tree was made from.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The documents in order. A stream without content has none.
    pub fn documents(&self) -> &[Document] {
        &self.documents
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
        self.nodes
            .iter()
            .filter(|node| matches!(node.kind, Kind::Alias { target: None, .. }))
            .map(|node| node.span)
    }

    /// A node.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// The span of a node.
    pub fn span(&self, id: NodeId) -> Span {
        self.node(id).span
    }

    /// Anchor and tag of a node.
    pub fn properties(&self, id: NodeId) -> Option<&Properties> {
        self.node(id).properties.as_deref()
    }

    /// The node that an alias stands for; any other node itself. An alias without a target stays.
    pub fn resolve(&self, id: NodeId) -> NodeId {
        match self.node(id).kind {
            Kind::Alias { target: Some(target), .. } => target,
            _ => id,
        }
    }

    /// The decoded text of a scalar (through an alias).
    pub fn scalar(&self, id: NodeId) -> Option<&str> {
        match &self.node(self.resolve(id)).kind {
            Kind::Scalar(scalar) => Some(self.text_of(scalar)),
            _ => None,
        }
    }

    pub(crate) fn text_of<'a>(&'a self, scalar: &'a Scalar) -> &'a str {
        match &scalar.text {
            Text::Source(span) => span.text(&self.scanned),
            Text::Decoded(text) => text,
        }
    }

    /// The style of a scalar.
    pub fn style(&self, id: NodeId) -> Option<Style> {
        match &self.node(id).kind {
            Kind::Scalar(scalar) => Some(scalar.style),
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
        match &self.node(self.resolve(id)).kind {
            Kind::Mapping { entries, .. } => entries,
            _ => &[],
        }
    }

    /// Items of a sequence (through an alias); empty for any other node.
    pub fn items(&self, id: NodeId) -> &[NodeId] {
        match &self.node(self.resolve(id)).kind {
            Kind::Sequence { items, .. } => items,
            _ => &[],
        }
    }

    /// The nodes directly under a node, keys before their values; none under an alias, so that a walk ends whatever
    /// the aliases of a document do.
    pub fn children(&self, id: NodeId) -> Vec<NodeId> {
        match &self.node(id).kind {
            Kind::Mapping { entries, .. } => entries.iter().flat_map(|e| [e.key, e.value]).collect(),
            Kind::Sequence { items, .. } => items.clone(),
            _ => Vec::new(),
        }
    }

    /// Whether the node (through an alias) is a mapping.
    pub fn is_mapping(&self, id: NodeId) -> bool {
        matches!(self.node(self.resolve(id)).kind, Kind::Mapping { .. })
    }

    /// Whether the node (through an alias) is a sequence.
    pub fn is_sequence(&self, id: NodeId) -> bool {
        matches!(self.node(self.resolve(id)).kind, Kind::Sequence { .. })
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
        let node = self.node(id);
        match &node.kind {
            Kind::Scalar(Scalar { text: Text::Source(span), .. }) => ContentMap::identity(*span),
            Kind::Scalar(scalar) => scalar::content_map(&self.scanned, node.span, scalar),
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
            let next = match &self.node(id).kind {
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
