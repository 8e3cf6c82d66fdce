//! The tree of a regular expression.

use std::sync::Arc;

use super::class::{MAX_RUNE, Range, clean};

/// A set of flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Flags(pub(super) u8);

impl Flags {
    /// `i`: case does not matter.
    pub(super) const FOLD: u8 = 1;
    /// `s`: `.` is a line break as well.
    pub(super) const DOT_NEWLINE: u8 = 2;
    /// Not `m`: `^` and `$` are the text's bounds only.
    pub(super) const ONE_LINE: u8 = 4;
    /// `U`: repetitions take as little as they can.
    pub(super) const LAZY: u8 = 8;

    pub(super) fn has(self, flag: u8) -> bool {
        self.0 & flag != 0
    }

    pub(super) fn with(self, flag: u8) -> Flags {
        Flags(self.0 | flag)
    }

    pub(super) fn without(self, flag: u8) -> Flags {
        Flags(self.0 & !flag)
    }
}

/// What a node is. The order of the first five that match a character is that of Go, from the simplest.
#[derive(Clone, Debug)]
pub(super) enum Op {
    /// Matches nothing.
    Never,
    /// Matches the empty text.
    Empty,
    /// These characters, one after the other.
    Literal(Vec<u32>),
    /// A character of the class. It is clean unless it stands in an alternation that is still open.
    Class(Arc<Vec<Range>>),
    /// Any character but a line break.
    NotNewline,
    /// Any character.
    Any,
    BeginLine,
    EndLine,
    BeginText,
    EndText,
    WordBoundary,
    NoWordBoundary,
    /// A group with its number.
    Capture(usize),
    Star,
    Plus,
    Quest,
    /// At least so often, at most so often; none for any number.
    Repeat(u32, Option<u32>),
    Concat,
    Alternate,
    /// On the stack of the parser only: an open group with its number, 0 if it does not capture.
    Open(usize),
    /// On the stack of the parser only: `|`.
    Bar,
}

/// A node.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) op: Op,
    pub(super) flags: Flags,
    pub(super) subs: Vec<Node>,
    /// How large Go takes the program of the node to be.
    pub(super) size: u64,
    /// How many levels the tree has.
    pub(super) height: u32,
    /// Whether it can match the empty text.
    pub(super) nullable: bool,
}

impl Node {
    pub(super) fn new(op: Op, flags: Flags, subs: Vec<Node>) -> Node {
        let mut node = Node { op, flags, subs, size: 1, height: 1, nullable: false };
        node.measure();
        node
    }

    /// Finds the size, the height and whether it can be empty, from those of the nodes below.
    pub(super) fn measure(&mut self) {
        let sum = || self.subs.iter().fold(0u64, |sum, sub| sum.saturating_add(sub.size));
        let first = || self.subs.first().map_or(0, |sub| sub.size);
        let size = match &self.op {
            Op::Literal(runes) => runes.len() as u64,
            Op::Capture(_) | Op::Star => first().saturating_add(2),
            Op::Plus | Op::Quest => first().saturating_add(1),
            Op::Concat => sum(),
            Op::Alternate => sum().saturating_add((self.subs.len() as u64).saturating_sub(1)),
            Op::Repeat(0, None) => first().saturating_add(2),
            Op::Repeat(min, None) => first().saturating_mul(u64::from(*min)).saturating_add(1),
            Op::Repeat(min, Some(max)) => {
                first().saturating_mul(u64::from(*max)).saturating_add(u64::from(max.saturating_sub(*min)))
            }
            _ => 1,
        };
        let first_nullable = self.subs.first().is_some_and(|sub| sub.nullable);
        let nullable = match &self.op {
            Op::Never | Op::Class(_) | Op::NotNewline | Op::Any | Op::Open(_) | Op::Bar => false,
            Op::Literal(runes) => runes.is_empty(),
            Op::Capture(_) | Op::Plus => first_nullable,
            Op::Repeat(min, _) => *min == 0 || first_nullable,
            Op::Concat => self.subs.iter().all(|sub| sub.nullable),
            Op::Alternate => self.subs.iter().any(|sub| sub.nullable),
            _ => true,
        };
        let height =
            self.subs.iter().map(|sub| sub.height).max().map_or(1, |height| height.saturating_add(1));
        (self.size, self.height, self.nullable) = (size.max(1), height, nullable);
    }

    /// Whether it is only a mark on the stack of the parser.
    pub(super) fn is_mark(&self) -> bool {
        matches!(self.op, Op::Open(_) | Op::Bar)
    }

    /// Whether it matches one character, and nothing else.
    pub(super) fn is_one(&self) -> bool {
        match &self.op {
            Op::Literal(runes) => runes.len() == 1,
            Op::Class(_) | Op::NotNewline | Op::Any => true,
            _ => false,
        }
    }

    /// Where it stands among the nodes that match a character, from the simplest.
    pub(super) fn rank(&self) -> u8 {
        match self.op {
            Op::Literal(_) => 0,
            Op::Class(_) => 1,
            Op::NotNewline => 2,
            _ => 3,
        }
    }

    /// How much a class holds, to find the largest of many.
    pub(super) fn weight(&self) -> usize {
        match &self.op {
            Op::Literal(runes) => runes.len(),
            Op::Class(ranges) => ranges.len() * 2,
            _ => 0,
        }
    }

    /// Whether a node that matches one character matches the line break.
    pub(super) fn has_newline(&self) -> bool {
        match &self.op {
            Op::Literal(runes) => runes.as_slice() == [0xA],
            Op::Class(ranges) => ranges.iter().any(|&(low, high)| (low..=high).contains(&0xA)),
            Op::Any => true,
            _ => false,
        }
    }

    /// Makes a class clean before others cannot be added any more, and says it simpler where it is `.`.
    pub(super) fn clean_class(&mut self) {
        let Op::Class(ranges) = &mut self.op else { return };
        let touch = |pair: &[Range]| matches!(pair, [(_, high), (low, _)] if *low <= high.saturating_add(1));
        if ranges.windows(2).any(touch) {
            clean(Arc::make_mut(ranges));
        }
        match ranges.as_slice() {
            [(0, MAX_RUNE)] => self.op = Op::Any,
            [(0, 0x9), (0xB, MAX_RUNE)] => self.op = Op::NotNewline,
            _ => {}
        }
    }

    /// Whether the node at the head of two branches is the same, so that it can stand before both of them. Only what
    /// matches one character, or one character some number of times, counts: what can match in several ways cannot be
    /// taken out without another way winning.
    pub(super) fn is_same_head(&self, other: &Node) -> bool {
        let fold = |node: &Node| node.flags.has(Flags::FOLD);
        let lazy = |node: &Node| node.flags.has(Flags::LAZY);
        match (&self.op, &other.op) {
            (Op::Literal(left), Op::Literal(right)) => {
                left.len() == 1 && left == right && fold(self) == fold(other)
            }
            (Op::Class(left), Op::Class(right)) => left == right && fold(self) == fold(other),
            (Op::NotNewline, Op::NotNewline) | (Op::Any, Op::Any) => true,
            (Op::Repeat(min, max), Op::Repeat(other_min, other_max)) => {
                (min, max) == (other_min, other_max)
                    && Some(*min) == *max
                    && lazy(self) == lazy(other)
                    && match (self.subs.as_slice(), other.subs.as_slice()) {
                        ([left], [right]) => left.is_one() && left.is_same_head(right),
                        _ => false,
                    }
            }
            _ => false,
        }
    }
}
