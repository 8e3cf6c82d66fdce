//! The parser: it accepts what Go's `regexp.Compile` accepts, and refuses the rest with Go's texts.

use std::collections::HashMap;
use std::sync::Arc;

use super::Error;
use super::class::Range;
use super::tree::{Flags, Node, Op};
use super::unicode;

/// How many levels Go lets a tree have.
const MAX_HEIGHT: u32 = 1000;
/// How many instructions Go lets a program have.
const MAX_SIZE: u64 = (128 << 20) / 40;
/// How many bounds of ranges and characters Go lets a tree have.
const MAX_RUNES: usize = (128 << 20) / 4;
/// How often a repetition may be.
const MAX_REPEAT: u32 = 1000;
/// How many nodes a tree may have here. No pattern that somebody wrote comes near.
const MAX_NODES: u64 = 1 << 18;
/// How many ranges the classes of a tree may have here.
const MAX_RANGES: usize = 1 << 21;

/// Why a pattern is refused.
#[derive(Debug)]
pub(super) enum Stop {
    /// With this text about this piece of the pattern.
    At(&'static str, String),
    /// Go: the tree has too many levels.
    TooDeep,
    /// Go: the program would be too large.
    TooLarge,
    /// Here: it takes too much memory.
    Limit,
}

impl Stop {
    pub(super) fn at(text: &'static str, piece: &str) -> Stop {
        Stop::At(text, piece.to_owned())
    }
}

const INVALID_REPEAT: &str = "invalid repeat count";
const MISSING_ARGUMENT: &str = "missing argument to repetition operator";

/// A parsed pattern.
pub(super) struct Parsed {
    pub(super) tree: Node,
    /// The names of the groups, that of the whole match first.
    pub(super) names: Vec<Option<Arc<str>>>,
}

/// Parses a pattern.
pub(super) fn parse(pattern: &str) -> Result<Parsed, Error> {
    let mut parser = Parser {
        pattern,
        at: 0,
        flags: Flags(Flags::ONE_LINE),
        stack: Vec::new(),
        names: vec![None],
        tables: HashMap::new(),
        allocated: 0,
        free: 0,
        repeats: 1,
        sizes: false,
        heights: false,
        runes: 0,
        ranges: 0,
    };
    match parser.run() {
        Ok(tree) => Ok(Parsed { tree, names: parser.names }),
        Err(Stop::At(text, piece)) => Err(Error::syntax(text, &piece)),
        Err(Stop::TooDeep) => Err(Error::syntax("expression nests too deeply", pattern)),
        Err(Stop::TooLarge) => Err(Error::syntax("expression too large", pattern)),
        Err(Stop::Limit) => Err(Error::limit()),
    }
}

pub(super) struct Parser<'p> {
    pub(super) pattern: &'p str,
    /// The byte at which it is.
    pub(super) at: usize,
    pub(super) flags: Flags,
    stack: Vec<Node>,
    names: Vec<Option<Arc<str>>>,
    /// The classes that `\p` named so far, by what stands there and whether case matters.
    pub(super) tables: HashMap<(&'p str, bool), Arc<Vec<Range>>>,
    /// How many nodes Go has made. It makes them anew only when none is left over, and looks for the limits only from
    /// some number of nodes on.
    allocated: u64,
    /// How many nodes are left over in Go.
    free: u64,
    /// The product of all repetitions.
    repeats: u64,
    /// Whether sizes are looked at already.
    sizes: bool,
    /// Whether heights are looked at already.
    heights: bool,
    /// How many bounds and characters there have been.
    runes: usize,
    /// How many ranges have been made here.
    ranges: usize,
}

impl<'p> Parser<'p> {
    /// Counts a new node.
    pub(super) fn allocate(&mut self) -> Result<(), Stop> {
        match self.free.checked_sub(1) {
            Some(rest) => self.free = rest,
            None => self.allocated += 1,
        }
        if self.allocated > MAX_NODES { Err(Stop::Limit) } else { Ok(()) }
    }

    /// Counts a node that is not needed any more.
    pub(super) fn release(&mut self) {
        self.free += 1;
    }

    /// Counts ranges that take memory here.
    pub(super) fn hold(&mut self, ranges: usize) -> Result<(), Stop> {
        self.ranges = self.ranges.saturating_add(ranges);
        if self.ranges > MAX_RANGES { Err(Stop::Limit) } else { Ok(()) }
    }

    pub(super) fn check_limits(&mut self, node: &Node) -> Result<(), Stop> {
        if self.runes > MAX_RUNES {
            return Err(Stop::TooLarge);
        }
        self.check_size(node)?;
        if self.allocated < u64::from(MAX_HEIGHT) {
            return Ok(());
        }
        let too_deep = |node: &Node| node.height > MAX_HEIGHT;
        if (!self.heights && self.stack.iter().any(too_deep)) || too_deep(node) {
            return Err(Stop::TooDeep);
        }
        self.heights = true;
        Ok(())
    }

    fn check_size(&mut self, node: &Node) -> Result<(), Stop> {
        let too_large = |node: &Node| node.size > MAX_SIZE;
        if !self.sizes {
            if let Op::Repeat(min, max) = node.op {
                let times = u64::from(max.unwrap_or(min)).max(1);
                self.repeats = if times > MAX_SIZE / self.repeats { MAX_SIZE } else { self.repeats * times };
            }
            if self.allocated < MAX_SIZE / self.repeats {
                return Ok(());
            }
            self.sizes = true;
            if self.stack.iter().any(too_large) {
                return Err(Stop::TooLarge);
            }
        }
        if too_large(node) { Err(Stop::TooLarge) } else { Ok(()) }
    }

    fn run(&mut self) -> Result<Node, Stop> {
        // Where the repetition began that stands right before, since two of them are an error.
        let mut last_repeat = None;
        while let Some(byte) = self.byte(0) {
            let start = self.at;
            let mut repeat = None;
            match byte {
                b'(' if self.byte(1) == Some(b'?') => self.group_with_flags()?,
                b'(' => {
                    self.at += 1;
                    self.open_group(None)?;
                }
                b')' => {
                    self.close_group()?;
                    self.at += 1;
                }
                b'|' => {
                    self.concat()?;
                    if !self.swap_bar()? {
                        self.operation(Op::Bar)?;
                    }
                    self.at += 1;
                }
                b'^' => {
                    let one_line = self.flags.has(Flags::ONE_LINE);
                    self.operation(if one_line { Op::BeginText } else { Op::BeginLine })?;
                    self.at += 1;
                }
                b'$' => {
                    let one_line = self.flags.has(Flags::ONE_LINE);
                    self.operation(if one_line { Op::EndText } else { Op::EndLine })?;
                    self.at += 1;
                }
                b'.' => {
                    let any = self.flags.has(Flags::DOT_NEWLINE);
                    self.operation(if any { Op::Any } else { Op::NotNewline })?;
                    self.at += 1;
                }
                b'[' => self.class()?,
                b'*' | b'+' | b'?' => {
                    self.at += 1;
                    let op = match byte {
                        b'*' => Op::Star,
                        b'+' => Op::Plus,
                        _ => Op::Quest,
                    };
                    self.repeat(op, start, last_repeat)?;
                    repeat = Some(start);
                }
                b'{' => match self.counts() {
                    Some((min, max)) => {
                        let valid = |count: u32| count <= MAX_REPEAT;
                        if !valid(min) || !max.is_none_or(|max| valid(max) && min <= max) {
                            return Err(Stop::at(INVALID_REPEAT, self.since(start)));
                        }
                        self.repeat(Op::Repeat(min, max), start, last_repeat)?;
                        repeat = Some(start);
                    }
                    None => {
                        self.at += 1;
                        self.literal(u32::from(b'{'))?;
                    }
                },
                b'\\' => self.backslash()?,
                _ => {
                    let rune = self.next_rune();
                    self.literal(rune)?;
                }
            }
            last_repeat = repeat;
        }
        self.close_alternation()?;
        let tree = self.stack.pop();
        match tree {
            Some(tree) if self.stack.is_empty() => Ok(tree),
            _ => Err(Stop::at("missing closing )", self.pattern)),
        }
    }

    // The text.

    pub(super) fn byte(&self, ahead: usize) -> Option<u8> {
        self.pattern.as_bytes().get(self.at + ahead).copied()
    }

    pub(super) fn rest(&self) -> &'p str {
        self.pattern.get(self.at..).unwrap_or("")
    }

    /// What stands between a place and this one.
    pub(super) fn since(&self, start: usize) -> &'p str {
        self.pattern.get(start..self.at).unwrap_or("")
    }

    /// Reads a character. At the end, it is the one that Go has there.
    pub(super) fn next_rune(&mut self) -> u32 {
        match self.rest().chars().next() {
            Some(letter) => {
                self.at += letter.len_utf8();
                u32::from(letter)
            }
            None => 0xFFFD,
        }
    }

    // The stack.

    pub(super) fn push(&mut self, mut node: Node) -> Result<(), Stop> {
        self.runes = self.runes.saturating_add(node.weight());
        // A class of one character, or of one in both cases, is a literal.
        let single = match &node.op {
            Op::Class(ranges) => match *ranges.as_slice() {
                [(low, high)] if low == high => Some((low, self.flags.without(Flags::FOLD))),
                [(low, high)] if low + 1 == high && is_pair(low, high) => {
                    Some((low, self.flags.with(Flags::FOLD)))
                }
                [(low, end), (high, other_end)] if low == end && high == other_end && is_pair(low, high) => {
                    Some((low, self.flags.with(Flags::FOLD)))
                }
                _ => None,
            },
            _ => None,
        };
        match single {
            Some((rune, flags)) => {
                if self.join_literals(Some((rune, flags))) {
                    return Ok(());
                }
                node = Node::new(Op::Literal(vec![rune]), flags, Vec::new());
            }
            None => {
                self.join_literals(None);
            }
        }
        self.check_limits(&node)?;
        self.stack.push(node);
        Ok(())
    }

    /// Joins the two literals on top of the stack, and puts another one in the place of the upper one. Called before
    /// a push, since until then a repetition may follow that takes the upper one alone. Whether the other one has been
    /// put there.
    fn join_literals(&mut self, other: Option<(u32, Flags)>) -> bool {
        let Some([below, above]) = self.stack.last_chunk_mut::<2>() else { return false };
        let (Op::Literal(lower), Op::Literal(upper)) = (&mut below.op, &mut above.op) else { return false };
        if below.flags.has(Flags::FOLD) != above.flags.has(Flags::FOLD) {
            return false;
        }
        lower.append(upper);
        below.measure();
        match other {
            Some((rune, flags)) => {
                *above = Node::new(Op::Literal(vec![rune]), flags, Vec::new());
                true
            }
            None => {
                self.stack.pop();
                self.release();
                false
            }
        }
    }

    pub(super) fn literal(&mut self, rune: u32) -> Result<(), Stop> {
        let rune = if self.flags.has(Flags::FOLD) { unicode::least_fold(rune) } else { rune };
        self.operation(Op::Literal(vec![rune]))
    }

    /// Pushes a node without others below.
    pub(super) fn operation(&mut self, op: Op) -> Result<(), Stop> {
        self.allocate()?;
        self.push(Node::new(op, self.flags, Vec::new()))
    }

    /// Takes the nodes down to the nearest mark.
    fn take_nodes(&mut self) -> Vec<Node> {
        let start = self.stack.iter().rposition(Node::is_mark).map_or(0, |mark| mark + 1);
        self.stack.split_off(start)
    }

    fn concat(&mut self) -> Result<(), Stop> {
        self.join_literals(None);
        let nodes = self.take_nodes();
        if nodes.is_empty() {
            return self.operation(Op::Empty);
        }
        let node = self.concatenation(nodes)?;
        self.push(node)
    }

    fn close_alternation(&mut self) -> Result<(), Stop> {
        self.concat()?;
        if self.swap_bar()? {
            self.stack.pop();
        }
        let mut nodes = self.take_nodes();
        if let Some(last) = nodes.last_mut() {
            last.clean_class();
        }
        if nodes.is_empty() {
            return self.operation(Op::Never);
        }
        let node = self.alternation(nodes)?;
        self.push(node)
    }

    /// Puts the branch on top of the stack below the bar that is below it; a branch of one character is added to such
    /// a branch below the bar. Whether there was a bar.
    fn swap_bar(&mut self) -> Result<bool, Stop> {
        if !matches!(self.stack.as_slice(), [.., Node { op: Op::Bar, .. }, _]) {
            return Ok(false);
        }
        let (Some(mut branch), Some(bar)) = (self.stack.pop(), self.stack.pop()) else { return Ok(false) };
        if branch.is_one()
            && self.stack.last().is_some_and(Node::is_one)
            && let Some(mut earlier) = self.stack.pop()
        {
            if branch.rank() > earlier.rank() {
                std::mem::swap(&mut branch, &mut earlier);
            }
            self.merge(&mut earlier, &branch)?;
            self.release();
            self.stack.push(earlier);
            self.stack.push(bar);
            return Ok(true);
        }
        if let Some(earlier) = self.stack.last_mut() {
            earlier.clean_class();
        }
        self.stack.push(branch);
        self.stack.push(bar);
        Ok(true)
    }

    // Groups.

    fn open_group(&mut self, name: Option<&str>) -> Result<(), Stop> {
        let number = self.names.len();
        self.names.push(name.map(Arc::from));
        self.operation(Op::Open(number))
    }

    fn close_group(&mut self) -> Result<(), Stop> {
        self.close_alternation()?;
        let unexpected = || Stop::at("unexpected )", self.pattern);
        let (Some(content), Some(open)) = (self.stack.pop(), self.stack.pop()) else {
            return Err(unexpected());
        };
        let Op::Open(number) = open.op else { return Err(unexpected()) };
        self.flags = open.flags;
        if number == 0 {
            return self.push(content);
        }
        self.push(Node::new(Op::Capture(number), open.flags, vec![content]))
    }

    /// `(?flags)`, `(?flags:`, `(?P<name>` or `(?<name>`.
    fn group_with_flags(&mut self) -> Result<(), Stop> {
        let start = self.at;
        let rest = self.rest();
        let name_at = match rest.as_bytes() {
            [_, _, b'P', b'<', _, ..] => Some(4),
            [_, _, b'<', _, ..] => Some(3),
            _ => None,
        };
        if let Some(name_at) = name_at {
            let invalid = |piece| Stop::at("invalid named capture", piece);
            let Some(end) = rest.find('>') else { return Err(invalid(rest)) };
            let name = rest.get(name_at..end).unwrap_or("");
            if name.is_empty() || !name.bytes().all(|byte| byte == b'_' || byte.is_ascii_alphanumeric()) {
                return Err(invalid(rest.get(..=end).unwrap_or(rest)));
            }
            self.at += end + 1;
            return self.open_group(Some(name));
        }
        self.at += 2;
        let mut flags = self.flags;
        let mut negative = false;
        let mut seen = false;
        while self.byte(0).is_some() {
            let (flag, set) = match char::from_u32(self.next_rune()) {
                Some('i') => (Flags::FOLD, true),
                Some('m') => (Flags::ONE_LINE, false),
                Some('s') => (Flags::DOT_NEWLINE, true),
                Some('U') => (Flags::LAZY, true),
                Some('-') if !negative => {
                    (negative, seen) = (true, false);
                    continue;
                }
                Some(end @ (':' | ')')) if !negative || seen => {
                    if end == ':' {
                        self.operation(Op::Open(0))?;
                    }
                    self.flags = flags;
                    return Ok(());
                }
                _ => break,
            };
            seen = true;
            flags = if set == negative { flags.without(flag) } else { flags.with(flag) };
        }
        Err(Stop::at("invalid or unsupported Perl syntax", self.since(start)))
    }

    // Repetitions.

    fn repeat(&mut self, op: Op, start: usize, last_repeat: Option<usize>) -> Result<(), Stop> {
        let mut flags = self.flags;
        if self.byte(0) == Some(b'?') {
            self.at += 1;
            flags = Flags(flags.0 ^ Flags::LAZY);
        }
        if let Some(last_repeat) = last_repeat {
            return Err(Stop::at("invalid nested repetition operator", self.since(last_repeat)));
        }
        let Some(sub) = self.stack.pop_if(|top| !top.is_mark()) else {
            return Err(Stop::at(MISSING_ARGUMENT, self.since(start)));
        };
        let counted = matches!(op, Op::Repeat(min, max) if min >= 2 || max.is_some_and(|max| max >= 2));
        self.allocate()?;
        let node = Node::new(op, flags, vec![sub]);
        let valid = !counted || repeat_is_valid(&node, MAX_REPEAT);
        self.check_limits(&node)?;
        self.stack.push(node);
        if valid { Ok(()) } else { Err(Stop::at(INVALID_REPEAT, self.since(start))) }
    }

    /// `{n}`, `{n,}` or `{n,m}`; none if it is something else, which then stands for itself.
    fn counts(&mut self) -> Option<(u32, Option<u32>)> {
        let (min, rest) = number(self.rest().strip_prefix('{')?)?;
        let (max, rest) = match rest.strip_prefix(',') {
            None => (Some(min), rest),
            Some(rest) if rest.starts_with('}') => (None, rest),
            Some(rest) => {
                let (max, rest) = number(rest)?;
                (Some(max), rest)
            }
        };
        let rest = rest.strip_prefix('}')?;
        self.at = self.pattern.len() - rest.len();
        Some((min, max))
    }
}

/// Whether two characters are one in both cases, and no third one is.
fn is_pair(low: u32, high: u32) -> bool {
    matches!(unicode::orbit(low), &[first, second] if first == low && second == high)
}

/// Whether no piece of a repetition is repeated more often than so.
fn repeat_is_valid(node: &Node, mut limit: u32) -> bool {
    if let Op::Repeat(min, max) = node.op {
        let times = max.unwrap_or(min);
        if max == Some(0) {
            return true;
        }
        if times > limit {
            return false;
        }
        limit = limit.checked_div(times).unwrap_or(limit);
    }
    node.subs.iter().all(|sub| repeat_is_valid(sub, limit))
}

/// A number without leading zeros, and what follows; one that is too great stays too great.
fn number(text: &str) -> Option<(u32, &str)> {
    let end = text.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at_checked(end)?;
    if digits.is_empty() || (digits.len() > 1 && digits.starts_with('0')) {
        return None;
    }
    Some((digits.parse().unwrap_or(u32::MAX), rest))
}

#[cfg(test)]
mod tests {
    use super::parse;

    fn verdict(pattern: &str) -> Option<String> {
        let error = parse(pattern).err()?.to_string();
        // Go's errors about the whole pattern repeat it.
        Some(error.split_once(": `").map_or(error.clone(), |(what, _)| what.to_owned()))
    }

    #[test]
    fn levels() {
        let too_deep = Some("error parsing regexp: expression nests too deeply".to_owned());
        let groups = |count: usize| "(".repeat(count) + "a" + &")".repeat(count);
        assert_eq!(verdict(&groups(999)), None);
        assert_eq!(verdict(&groups(1000)), too_deep);
        // What the branches have in common is taken out before it is counted.
        let shared = |count: usize| "(xy|xz*".repeat(count) + &")".repeat(count);
        assert_eq!(verdict(&shared(249)), None);
        assert_eq!(verdict(&shared(252)), too_deep);
        let nested: Vec<String> = (1..600).map(|count| "a".repeat(count)).collect();
        assert_eq!(verdict(&nested.join("|")), too_deep);
        assert_eq!(verdict(&"(".repeat(100_000)), Some("error parsing regexp: missing closing )".to_owned()));
    }

    #[test]
    fn sizes() {
        let too_large = Some("error parsing regexp: expression too large".to_owned());
        let repeated = |count: usize| format!("(?:{}){{1000}}", "a.".repeat(count));
        assert_eq!(verdict(&repeated(1000)), None);
        assert_eq!(verdict(&repeated(3400)), too_large);
        let limit = Some("the regular expression takes more memory than the limit".to_owned());
        assert_eq!(verdict(&"(a)".repeat(200_000)), limit);
        assert_eq!(verdict(&r"[\pL\pL]".repeat(100_000)), limit);
    }
}
