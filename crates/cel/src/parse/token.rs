//! Tokens and sets of them.

/// A kind of token. The numbers are those of cel-go's grammar: error texts list expected tokens in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Kind {
    /// The end of the text.
    End,
    Equals,
    NotEquals,
    In,
    Less,
    LessEquals,
    GreaterEquals,
    Greater,
    And,
    Or,
    OpenBracket,
    CloseBracket,
    OpenBrace,
    CloseBrace,
    OpenParen,
    CloseParen,
    Dot,
    Comma,
    Minus,
    Not,
    Question,
    Colon,
    Plus,
    Star,
    Slash,
    Percent,
    True,
    False,
    Null,
    /// The first behind white space and comments, which are left out.
    Float = 31,
    Int,
    Uint,
    String,
    Bytes,
    Ident,
    EscapedIdent,
}

/// The names of the kinds in error texts, by number.
const NAMES: [&str; 38] = [
    "<EOF>",
    "'=='",
    "'!='",
    "'in'",
    "'<'",
    "'<='",
    "'>='",
    "'>'",
    "'&&'",
    "'||'",
    "'['",
    "']'",
    "'{'",
    "'}'",
    "'('",
    "')'",
    "'.'",
    "','",
    "'-'",
    "'!'",
    "'?'",
    "':'",
    "'+'",
    "'*'",
    "'/'",
    "'%'",
    "'true'",
    "'false'",
    "'null'",
    "WHITESPACE",
    "COMMENT",
    "NUM_FLOAT",
    "NUM_INT",
    "NUM_UINT",
    "STRING",
    "BYTES",
    "IDENTIFIER",
    "ESC_IDENTIFIER",
];

/// A token of the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    /// What it is.
    pub(super) kind: Kind,
    /// Its first byte.
    pub(super) start: u32,
    /// The byte behind it.
    pub(super) end: u32,
}

/// A set of kinds. It may also hold "nothing": the end of the rule can be reached without a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Set(u64);

impl Set {
    /// No kind.
    pub(super) const EMPTY: Set = Set(0);
    /// The end of the rule.
    pub(super) const NOTHING: Set = Set(1 << 63);

    /// The kinds of a list.
    pub(super) const fn of(kinds: &[Kind]) -> Set {
        let mut bits = 0;
        let mut index = 0;
        while index < kinds.len() {
            bits |= 1 << kinds[index] as u64;
            index += 1;
        }
        Set(bits)
    }

    /// The kinds of both.
    pub(super) const fn or(self, other: Set) -> Set {
        Set(self.0 | other.0)
    }

    /// The set without the end of the rule.
    pub(super) const fn tokens(self) -> Set {
        Set(self.0 & !Set::NOTHING.0)
    }

    /// Whether the kind is in the set.
    pub(super) const fn has(self, kind: Kind) -> bool {
        self.0 & (1 << kind as u64) != 0
    }

    /// Whether the end of the rule can be reached without a token.
    pub(super) const fn has_nothing(self) -> bool {
        self.0 & Set::NOTHING.0 != 0
    }

    /// The set as error texts list it.
    pub(super) fn list(self) -> String {
        let names: Vec<&str> = (0..)
            .zip(NAMES)
            .filter(|(number, _)| self.0 & (1_u64 << number) != 0)
            .map(|(_, name)| name)
            .collect();
        match names.as_slice() {
            [] => "{}".to_owned(),
            [name] => (*name).to_owned(),
            names => format!("{{{}}}", names.join(", ")),
        }
    }
}

use Kind as K;

/// What a literal may begin with.
pub(super) const LITERAL: Set =
    Set::of(&[K::Minus, K::True, K::False, K::Null, K::Float, K::Int, K::Uint, K::String, K::Bytes]);
/// What an operand without `!` may begin with.
pub(super) const PRIMARY: Set =
    Set::of(&[K::OpenBracket, K::OpenBrace, K::OpenParen, K::Dot, K::Ident]).or(LITERAL);
/// What an expression may begin with.
pub(super) const EXPR: Set = PRIMARY.or(Set::of(&[K::Not]));
/// What an expression with an optional `?` may begin with.
pub(super) const OPT_EXPR: Set = EXPR.or(Set::of(&[K::Question]));
/// What a field name may be.
pub(super) const FIELD: Set = Set::of(&[K::Ident, K::EscapedIdent]);
/// What a field initializer may begin with.
pub(super) const OPT_FIELD: Set = FIELD.or(Set::of(&[K::Question]));
/// What may go on with an operand.
pub(super) const SUFFIX: Set = Set::of(&[K::Dot, K::OpenBracket]).or(Set::NOTHING);
/// `*`, `/`, `%`.
pub(super) const FACTOR: Set = Set::of(&[K::Star, K::Slash, K::Percent]);
/// `+`, `-`.
pub(super) const SUM: Set = Set::of(&[K::Plus, K::Minus]);
/// Comparisons.
pub(super) const RELATION: Set =
    Set::of(&[K::Equals, K::NotEquals, K::In, K::Less, K::LessEquals, K::GreaterEquals, K::Greater]);
