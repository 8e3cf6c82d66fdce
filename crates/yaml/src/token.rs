//! Tokens, and the queue in which they wait.

use convoy_text::Span;

use crate::error::Place;
use crate::store::{Range32, Scalar};

#[derive(Clone, Copy, Debug)]
pub(crate) enum TokenKind {
    StreamEnd,
    VersionDirective {
        major: u8,
        minor: u8,
    },
    /// Handle and prefix: see [`Scanner::pair`](crate::scan::Scanner::pair).
    TagDirective(u32),
    DocumentStart,
    DocumentEnd,
    BlockSequenceStart,
    BlockMappingStart,
    BlockEnd,
    FlowSequenceStart,
    FlowSequenceEnd,
    FlowMappingStart,
    FlowMappingEnd,
    BlockEntry,
    FlowEntry,
    Key,
    Value,
    Alias,
    Anchor,
    /// Handle and suffix: see [`Scanner::pair`](crate::scan::Scanner::pair).
    Tag(u32),
    Scalar(Scalar),
}

impl TokenKind {
    /// Whether the token is one of a few characters, always the same.
    pub(crate) fn is_indicator(self) -> bool {
        !matches!(
            self,
            TokenKind::StreamEnd
                | TokenKind::VersionDirective { .. }
                | TokenKind::TagDirective(_)
                | TokenKind::Alias
                | TokenKind::Anchor
                | TokenKind::Tag(_)
                | TokenKind::Scalar(_)
        )
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) start: Place,
    pub(crate) end: Place,
}

impl Token {
    pub(crate) fn range(&self) -> Range32 {
        Range32 { start: self.start.offset, end: self.end.offset.max(self.start.offset) }
    }

    pub(crate) fn span(&self) -> Span {
        self.range().into()
    }
}

/// The tokens that were scanned and not taken. Nearly always it is empty again after a few of them, which is why they
/// simply lie in a row.
#[derive(Default)]
pub(crate) struct Queue {
    tokens: Vec<Token>,
    /// How many of `tokens` were taken.
    taken: usize,
}

impl Queue {
    pub(crate) fn len(&self) -> usize {
        self.tokens.len() - self.taken
    }

    pub(crate) fn front(&self) -> Option<&Token> {
        self.tokens.get(self.taken)
    }

    pub(crate) fn last(&self) -> Option<&Token> {
        self.tokens.last()
    }

    pub(crate) fn push(&mut self, token: Token) {
        self.tokens.push(token);
    }

    /// Inserts a token before the one at `i`.
    pub(crate) fn insert(&mut self, i: usize, token: Token) {
        self.tokens.insert(self.taken + i, token);
    }

    #[inline]
    pub(crate) fn pop(&mut self) -> Option<Token> {
        let token = self.tokens.get(self.taken).copied();
        self.taken += 1;
        if self.taken >= self.tokens.len() {
            self.tokens.clear();
            self.taken = 0;
        } else if self.taken >= 64 && self.taken * 2 > self.tokens.len() {
            self.tokens.drain(..self.taken);
            self.taken = 0;
        }
        token
    }
}
