//! What is done about text that fits no rule: the strategy of ANTLR 4 (drop one token, or imagine one, or give the rule
//! up and skip what cannot follow), with the limits that cel-go puts on it.

use convoy_text::Span;

use super::lex::{Lexeme, Lexer};
use super::syntax::{Ref, Tree};
use super::token::{EXPR, FACTOR, Kind, RELATION, SUFFIX, SUM, Set, Token};
use crate::issue::Issue;

/// The most rules of one kind that may be open at once.
pub(super) const MAX_DEPTH: u32 = 250;
/// The most attempts to recover.
const MAX_ATTEMPTS: u32 = 30;
/// The most tokens that one recovery may skip.
const MAX_SKIPPED: u32 = 256;
/// The most syntax errors.
const MAX_SYNTAX_ERRORS: u32 = 100;

/// Nothing more is parsed: a limit was passed, and the issue that says so is in the list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stop;

/// Why a rule ends early. It is small, and how the text does not fit is kept apart, since rules are open by the
/// hundreds and all of them need stack for it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fault {
    /// The text does not fit, in the way that [`Parser::unfit`] tells; the rule recovers.
    Unfit,
    /// Nothing more is parsed.
    Stop,
}

impl From<Stop> for Fault {
    fn from(_: Stop) -> Fault {
        Fault::Stop
    }
}

/// How the text does not fit.
#[derive(Clone, Copy, Debug)]
enum Unfit {
    /// Other tokens than the current one were wanted.
    Mismatch(Set),
    /// No alternative goes on at `offending` from the current token.
    NoAlternative {
        /// The token at which it failed.
        offending: Token,
    },
}

/// A rule of the grammar; the numbers are those of the counters of depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Rule {
    Start,
    Expr,
    Or,
    And,
    Relation,
    Calc,
    Unary,
    Member,
    Primary,
    Arguments,
    Elements,
    Fields,
    OptField,
    Entries,
    FieldName,
    OptExpr,
    Literal,
}

/// What may follow where a rule was called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum After {
    /// The rule is the last part of its caller.
    Nothing,
    /// The whole expression.
    End,
    Question,
    Colon,
    Or,
    And,
    Relation,
    Calc,
    Suffix,
    CloseParen,
    CloseBracket,
    Comma,
    CommaOrBracket,
    CommaOrBrace,
}

impl After {
    const fn set(self) -> Set {
        match self {
            After::Nothing => Set::NOTHING,
            After::End => Set::of(&[Kind::End]),
            After::Question => Set::of(&[Kind::Question]).or(Set::NOTHING),
            After::Colon => Set::of(&[Kind::Colon]),
            After::Or => Set::of(&[Kind::Or]).or(Set::NOTHING),
            After::And => Set::of(&[Kind::And]).or(Set::NOTHING),
            After::Relation => RELATION.or(Set::NOTHING),
            After::Calc => FACTOR.or(SUM).or(Set::NOTHING),
            After::Suffix => SUFFIX,
            After::CloseParen => Set::of(&[Kind::CloseParen]),
            After::CloseBracket => Set::of(&[Kind::CloseBracket]),
            After::Comma => Set::of(&[Kind::Comma]).or(Set::NOTHING),
            After::CommaOrBracket => Set::of(&[Kind::Comma, Kind::CloseBracket]),
            After::CommaOrBrace => Set::of(&[Kind::Comma, Kind::CloseBrace]),
        }
    }
}

/// What to do where a rule meets a token that does not fit, before it looks for an alternative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum At {
    /// A choice: drop the token if the next one fits, else give the rule up.
    Choice,
    /// Behind an element of a repetition: skip to what may go on with it or follow.
    Repetition,
}

/// What must follow a token that may be imagined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Then {
    /// An expression.
    Expr,
    /// The rule ends.
    Return,
    /// Something that goes on with an operand, or the rule ends.
    Suffix,
}

/// The state of the parser: tokens as far as they were read, open rules, errors.
#[derive(Debug)]
pub(super) struct Parser<'t> {
    pub(super) text: &'t str,
    lexer: Lexer<'t>,
    tokens: Vec<Token>,
    /// The bytes that the lexer left out because of errors.
    left_out: Vec<(u32, u32)>,
    /// The index of the current token.
    index: usize,
    /// The current token.
    pub(super) current: Token,
    /// The byte behind the token before it.
    pub(super) last_end: u32,
    /// What may follow each open rule, outermost first.
    open: Vec<After>,
    depths: [u32; 17],
    pub(super) tree: Tree,
    /// Parts of the rules that are open: what is joined, and by what.
    pub(super) parts: Vec<Ref>,
    pub(super) marks: Vec<Token>,
    /// How the text did not fit where a rule was last given up.
    unfit: Unfit,
    /// The place in the grammar, as ANTLR numbers them; only equality matters.
    pub(super) state: u16,
    recovering: bool,
    last_error: Option<usize>,
    last_states: Vec<u16>,
    attempts: u32,
    reported: u32,
    pub(super) issues: Vec<Issue>,
}

impl<'t> Parser<'t> {
    /// The parser before the first token.
    pub(super) fn new(text: &'t str) -> Result<Parser<'t>, Vec<Issue>> {
        let mut parser = Parser {
            text,
            lexer: Lexer::new(text),
            tokens: Vec::with_capacity(text.len() / 4 + 2),
            left_out: Vec::new(),
            index: 0,
            current: Token { kind: Kind::End, start: 0, end: 0 },
            last_end: 0,
            open: Vec::with_capacity(64),
            depths: [0; 17],
            tree: Tree::default(),
            parts: Vec::new(),
            marks: Vec::new(),
            unfit: Unfit::Mismatch(Set::EMPTY),
            state: 0,
            recovering: false,
            last_error: None,
            last_states: Vec::new(),
            attempts: 0,
            reported: 0,
            issues: Vec::new(),
        };
        match parser.peek(1) {
            Ok(first) => {
                parser.current = first;
                Ok(parser)
            }
            Err(Stop) => Err(parser.issues),
        }
    }

    /// The kind of the current token.
    pub(super) fn kind(&self) -> Kind {
        self.current.kind
    }

    /// The token that is `ahead` tokens on, 1 for the current one. Behind the end there is the end.
    pub(super) fn peek(&mut self, ahead: usize) -> Result<Token, Stop> {
        let wanted = self.index + ahead - 1;
        loop {
            if let Some(token) = self.tokens.get(wanted) {
                return Ok(*token);
            }
            if let Some(token) = self.tokens.last()
                && token.kind == Kind::End
            {
                return Ok(*token);
            }
            match self.lexer.next() {
                Lexeme::Token(token) => self.tokens.push(token),
                Lexeme::Unknown { start, end } => {
                    self.left_out.push((start, end));
                    let text = self.text.get(start as usize..end as usize).unwrap_or_default();
                    let message = format!("token recognition error at: '{text}'");
                    self.syntax_error(start, Span::new(start as usize, end as usize), message)?;
                }
            }
        }
    }

    /// Opens a rule.
    pub(super) fn enter(&mut self, rule: Rule, after: After) -> Result<(), Stop> {
        self.open.push(after);
        self.deepen(rule)
    }

    /// Counts a rule as open, for an operator that takes what was parsed as its left side.
    pub(super) fn deepen(&mut self, rule: Rule) -> Result<(), Stop> {
        let depth = &mut self.depths[rule as usize];
        *depth += 1;
        if *depth > MAX_DEPTH {
            self.stop(format!("expression recursion limit exceeded: {MAX_DEPTH}"));
            return Err(Stop);
        }
        Ok(())
    }

    /// Counts a rule as closed.
    pub(super) fn rise(&mut self, rule: Rule) {
        let depth = &mut self.depths[rule as usize];
        *depth = depth.saturating_sub(1);
    }

    /// Closes a rule.
    pub(super) fn leave(&mut self, rule: Rule) {
        self.open.pop();
        self.rise(rule);
    }

    /// Adds an issue without a place, which marks the whole text.
    pub(super) fn stop(&mut self, message: String) {
        let span = Span::new(0, self.text.len());
        self.issues.push(Issue { id: 0, place: None, span, message: message.into() });
    }

    /// Goes to the next token.
    pub(super) fn advance(&mut self) -> Result<(), Stop> {
        if self.current.kind != Kind::End {
            self.last_end = self.current.end;
            self.index += 1;
            self.current = self.peek(1)?;
        }
        Ok(())
    }

    fn settled(&mut self) {
        self.recovering = false;
        self.last_error = None;
        self.last_states.clear();
    }

    /// Takes a token that is known to fit.
    pub(super) fn take(&mut self) -> Result<Token, Stop> {
        let token = self.current;
        self.settled();
        self.advance()?;
        Ok(token)
    }

    /// Takes a token of a kind, and recovers if there is another.
    pub(super) fn want(&mut self, kind: Kind, state: u16, then: Then) -> Result<Token, Fault> {
        self.state = state;
        if self.kind() == kind { Ok(self.take()?) } else { self.recover_inline(kind, then) }
    }

    fn recover_inline(&mut self, kind: Kind, then: Then) -> Result<Token, Fault> {
        self.count_attempt()?;
        let wanted = Set::of(&[kind]);
        if self.drop_token(wanted)? {
            let token = self.current;
            self.advance()?;
            return Ok(token);
        }
        if self.fits_after(then, self.kind()) {
            self.report_missing(wanted)?;
            // cel-go puts an imagined token where the current one begins, or at the end where the last one does.
            let before = self.index.checked_sub(1).and_then(|before| self.tokens.get(before));
            let start = match before {
                Some(before) if self.kind() == Kind::End => before.start,
                _ => self.current.start,
            };
            return Ok(Token { kind, start, end: start });
        }
        self.unfit = Unfit::Mismatch(wanted);
        Err(Fault::Unfit)
    }

    /// Whether a token fits behind an imagined one, in the rules that are open.
    fn fits_after(&self, then: Then, kind: Kind) -> bool {
        let mut set = match then {
            Then::Expr => EXPR,
            Then::Return => Set::NOTHING,
            Then::Suffix => SUFFIX,
        };
        for after in self.open.iter().rev() {
            if set.has(kind) {
                return true;
            }
            if !set.has_nothing() {
                return false;
            }
            set = after.set();
        }
        set.has(kind)
    }

    /// Looks whether the current token is one of a set, and if not, does what there is to do about it.
    pub(super) fn sync(&mut self, state: u16, set: Set, at: At) -> Result<(), Fault> {
        self.state = state;
        if set.has(self.kind()) || self.recovering {
            return Ok(());
        }
        match at {
            At::Choice => {
                if self.drop_token(set)? {
                    return Ok(());
                }
                self.unfit = Unfit::Mismatch(set);
                Err(Fault::Unfit)
            }
            At::Repetition => {
                self.report_unwanted(set)?;
                let set = set.or(self.recovery_set());
                while self.kind() != Kind::End && !set.has(self.kind()) {
                    self.advance()?;
                }
                Ok(())
            }
        }
    }

    /// Drops the current token if the next one is of the set.
    fn drop_token(&mut self, set: Set) -> Result<bool, Stop> {
        if !set.has(self.peek(2)?.kind) {
            return Ok(false);
        }
        self.report_unwanted(set)?;
        self.advance()?;
        self.settled();
        Ok(true)
    }

    fn report_unwanted(&mut self, wanted: Set) -> Result<(), Stop> {
        if self.recovering {
            return Ok(());
        }
        self.recovering = true;
        let message = format!("extraneous input {} expecting {}", self.show(self.current), wanted.list());
        self.error_at(self.current, message)
    }

    fn report_missing(&mut self, wanted: Set) -> Result<(), Stop> {
        if self.recovering {
            return Ok(());
        }
        self.recovering = true;
        let message = format!("missing {} at {}", wanted.list(), self.show(self.current));
        self.error_at(self.current, message)
    }

    /// Notes that no alternative goes on at a token. Gives true, for "something did not fit".
    pub(super) fn no_alternative(&mut self, offending: Token) -> bool {
        self.unfit = Unfit::NoAlternative { offending };
        true
    }

    /// Reports why a rule ends early, and skips what cannot follow.
    pub(super) fn give_up(&mut self) -> Result<(), Stop> {
        if !self.recovering {
            self.recovering = true;
            match self.unfit {
                Unfit::Mismatch(set) => {
                    let message =
                        format!("mismatched input {} expecting {}", self.show(self.current), set.list());
                    self.error_at(self.current, message)?;
                }
                Unfit::NoAlternative { offending } => {
                    let input = if self.kind() == Kind::End {
                        "<EOF>".to_owned()
                    } else {
                        self.text_of_tokens(self.current.start, offending.end)
                    };
                    let message = format!("no viable alternative at input {}", quote(&input));
                    self.error_at(offending, message)?;
                }
            }
        }
        self.recover()
    }

    fn recover(&mut self) -> Result<(), Stop> {
        self.count_attempt()?;
        let mut skipped = 0;
        if self.last_error == Some(self.index) && self.last_states.contains(&self.state) {
            // The same error at the same token: without a step on, this would never end.
            skipped = 1;
            self.advance()?;
        }
        self.last_error = Some(self.index);
        self.last_states.push(self.state);
        let set = self.recovery_set();
        while self.kind() != Kind::End && !set.has(self.kind()) {
            if skipped >= MAX_SKIPPED {
                self.stop(format!("error recovery token lookahead limit exceeded: {MAX_SKIPPED}"));
                return Err(Stop);
            }
            skipped += 1;
            self.advance()?;
        }
        Ok(())
    }

    /// What may follow one of the open rules.
    fn recovery_set(&self) -> Set {
        self.open.iter().fold(Set::EMPTY, |set, after| set.or(after.set())).tokens()
    }

    fn count_attempt(&mut self) -> Result<(), Stop> {
        if self.attempts == MAX_ATTEMPTS {
            let message = format!("error recovery attempt limit exceeded: {MAX_ATTEMPTS}");
            self.error_at(self.current, message)?;
            return Err(Stop);
        }
        self.attempts += 1;
        Ok(())
    }

    /// A token as error texts show it.
    fn show(&self, token: Token) -> String {
        if token.kind == Kind::End {
            return quote("<EOF>");
        }
        quote(self.text.get(token.start as usize..token.end as usize).unwrap_or_default())
    }

    /// The text of all tokens in a range, without what the lexer left out.
    fn text_of_tokens(&self, start: u32, end: u32) -> String {
        let mut text = String::new();
        let mut at = start;
        for (from, to) in &self.left_out {
            if *from >= at && *to <= end {
                text.push_str(self.text.get(at as usize..*from as usize).unwrap_or_default());
                at = *to;
            }
        }
        text.push_str(self.text.get(at as usize..end as usize).unwrap_or_default());
        text
    }

    fn error_at(&mut self, token: Token, message: String) -> Result<(), Stop> {
        let span = Span::new(token.start as usize, token.end as usize);
        self.syntax_error(token.start, span, message)
    }

    fn syntax_error(&mut self, place: u32, span: Span, message: String) -> Result<(), Stop> {
        let over = self.reported >= MAX_SYNTAX_ERRORS;
        let message = if over {
            format!("Syntax error: More than {MAX_SYNTAX_ERRORS} syntax errors")
        } else {
            format!("Syntax error: {}", name_reserved(message))
        };
        self.reported += 1;
        self.issues.push(Issue { id: 0, place: Some(place), span, message: message.into() });
        if over { Err(Stop) } else { Ok(()) }
    }
}

/// A text in quotes, with white space made visible.
fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\t', "\\t").replace('\n', "\\n").replace('\r', "\\r"))
}

/// What cel-go says instead where a literal stands for a field name: `a.true`.
fn name_reserved(message: String) -> String {
    const BEFORE: &str = "no viable alternative at input '";
    if !message.contains(BEFORE) {
        return message;
    }
    let mut out = String::with_capacity(message.len());
    let mut rest = message.as_str();
    while let Some(found) = rest.find(BEFORE) {
        let (head, tail) = rest.split_at(found);
        out.push_str(head);
        let input = tail.get(BEFORE.len()..).unwrap_or_default();
        let mut chars = input.chars();
        let first = chars.next();
        let word = ["true", "false", "null"].into_iter().find_map(|word| {
            let behind = chars.as_str().strip_prefix(word)?.strip_prefix('\'')?;
            Some((word, behind))
        });
        match word {
            Some((word, behind)) if first.is_some_and(|first| first != '\n') => {
                out.push_str(&format!("mismatched input '{word}' expecting IDENTIFIER"));
                rest = behind;
            }
            _ => {
                out.push_str(BEFORE);
                rest = input;
            }
        }
    }
    out.push_str(rest);
    out
}
