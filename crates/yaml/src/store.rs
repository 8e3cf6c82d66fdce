//! How a tree lies in memory: nodes of 32 bytes in one list, what belongs to them in others.
//!
//! All is copied and nothing is freed node by node, so that a tree costs little more to make than to read. Offsets
//! take 32 bits: see [`MAX_TEXT`].

use std::num::NonZeroU32;
use std::ops::Range;

use convoy_text::Span;

use crate::tree::{Entry, NodeId, Properties, Style};

/// Bytes of the longest text that has a tree.
pub(crate) const MAX_TEXT: usize = u32::MAX as usize / 2;

/// A half-open range in a text or in a list of the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Range32 {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Range32 {
    pub(crate) fn new(start: usize, end: usize) -> Self {
        Range32 { start: start as u32, end: end.max(start) as u32 }
    }

    pub(crate) fn is_empty(self) -> bool {
        self.start == self.end
    }

    pub(crate) fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

impl From<Span> for Range32 {
    fn from(span: Span) -> Self {
        Range32::new(span.start, span.end)
    }
}

impl From<Range32> for Span {
    fn from(range: Range32) -> Self {
        Span::new(range.start as usize, range.end as usize)
    }
}

/// A scalar node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Scalar {
    pub(crate) style: Style,
    /// What the scanner needs to read the scalar again: whether it stands in a flow collection, and the indentation
    /// of its parent.
    pub(crate) in_flow: bool,
    pub(crate) indent: i32,
    /// Whether the text stands in [`Store::decoded`]; otherwise it is a piece of the source, in which nothing had to
    /// be decoded.
    pub(crate) decoded: bool,
    pub(crate) text: Range32,
}

/// What a node is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Content {
    Scalar(Scalar),
    /// A range of [`Store::entries`], which is empty until the mapping ends.
    Mapping {
        flow: bool,
        entries: Range32,
    },
    /// A range of [`Store::items`], which is empty until the sequence ends.
    Sequence {
        flow: bool,
        items: Range32,
    },
    Alias {
        target: Option<NodeId>,
    },
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) span: Range32,
    pub(crate) line: u32,
    pub(crate) content: Content,
    /// One more than the index in [`Store::properties`].
    pub(crate) properties: Option<NonZeroU32>,
}

/// The lists that a tree is made of.
#[derive(Clone, Debug, Default)]
pub(crate) struct Store {
    pub(crate) nodes: Vec<Node>,
    pub(crate) entries: Vec<Entry>,
    pub(crate) items: Vec<NodeId>,
    pub(crate) properties: Vec<Properties>,
    /// The texts of scalars that had to be decoded, one behind the other.
    pub(crate) decoded: String,
}

/// The lengths of the lists at some time.
#[derive(Clone, Copy)]
pub(crate) struct Filled {
    nodes: usize,
    entries: usize,
    items: usize,
    properties: usize,
    decoded: usize,
}

impl Store {
    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    pub(crate) fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.0 as usize]
    }

    pub(crate) fn filled(&self) -> Filled {
        Filled {
            nodes: self.nodes.len(),
            entries: self.entries.len(),
            items: self.items.len(),
            properties: self.properties.len(),
            decoded: self.decoded.len(),
        }
    }

    /// Drops everything that was added since.
    pub(crate) fn truncate(&mut self, to: Filled) {
        self.nodes.truncate(to.nodes);
        self.entries.truncate(to.entries);
        self.items.truncate(to.items);
        self.properties.truncate(to.properties);
        self.decoded.truncate(to.decoded);
    }

    pub(crate) fn add_properties(&mut self, properties: Properties) -> Option<NonZeroU32> {
        self.properties.push(properties);
        NonZeroU32::new(self.properties.len() as u32)
    }
}
