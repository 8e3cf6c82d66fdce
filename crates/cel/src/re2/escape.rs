//! The parts of a pattern that stand for one character out of several: escapes and classes.

use std::sync::Arc;

use super::class::{
    MAX_RUNE, Range, append_class, append_folded_range, append_range, clean, folded, negate, perl, posix,
};
use super::parse::{Parser, Stop};
use super::tree::{Flags, Node, Op};
use super::unicode;

const INVALID_RANGE: &str = "invalid character class range";
const INVALID_ESCAPE: &str = "invalid escape sequence";

impl Parser<'_> {
    pub(super) fn backslash(&mut self) -> Result<(), Stop> {
        let op = match self.byte(1) {
            Some(b'A') => Op::BeginText,
            Some(b'z') => Op::EndText,
            Some(b'b') => Op::WordBoundary,
            Some(b'B') => Op::NoWordBoundary,
            Some(b'C') => return Err(Stop::at(INVALID_ESCAPE, "\\C")),
            Some(b'Q') => {
                let quoted = self.rest().get(2..).unwrap_or("");
                let (text, whole) = match quoted.find("\\E") {
                    Some(end) => (quoted.get(..end).unwrap_or(""), end + 4),
                    None => (quoted, quoted.len() + 2),
                };
                self.at += whole;
                for letter in text.chars() {
                    self.literal(u32::from(letter))?;
                }
                return Ok(());
            }
            _ => {
                // Go takes a node for a class that may follow, and gives it back if none does.
                self.allocate()?;
                if let Some(ranges) = self.unicode_class()? {
                    return self.push(Node::new(Op::Class(ranges), self.flags, Vec::new()));
                }
                let mut ranges = Vec::new();
                if self.perl_class(&mut ranges) {
                    return self.push(Node::new(Op::Class(Arc::new(ranges)), self.flags, Vec::new()));
                }
                self.release();
                let rune = self.escape()?;
                return self.literal(rune);
            }
        };
        self.at += 2;
        self.operation(op)
    }

    /// An escape for one character.
    fn escape(&mut self) -> Result<u32, Stop> {
        let start = self.at;
        self.at += 1;
        if self.byte(0).is_none() {
            return Err(Stop::at("trailing backslash at end of expression", ""));
        }
        let letter = self.next_rune();
        let octal = |byte: Option<u8>| {
            byte.filter(|byte| (b'0'..=b'7').contains(byte)).map(|byte| u32::from(byte - b'0'))
        };
        let rune = match u8::try_from(letter).unwrap_or(0xFF) {
            first @ b'0'..=b'7' if first == b'0' || octal(self.byte(0)).is_some() => {
                let mut rune = u32::from(first - b'0');
                for _ in 0..2 {
                    let Some(digit) = octal(self.byte(0)) else { break };
                    rune = rune * 8 + digit;
                    self.at += 1;
                }
                Some(rune)
            }
            b'x' => self.hexadecimal(),
            b'a' => Some(0x7),
            b'f' => Some(0xC),
            b'n' => Some(0xA),
            b'r' => Some(0xD),
            b't' => Some(0x9),
            b'v' => Some(0xB),
            other if other.is_ascii() && !other.is_ascii_alphanumeric() => Some(letter),
            _ => None,
        };
        rune.ok_or_else(|| Stop::at(INVALID_ESCAPE, self.since(start)))
    }

    /// What follows `\x`: two digits, or any number of them in braces.
    fn hexadecimal(&mut self) -> Option<u32> {
        self.byte(0)?;
        let digit = |rune: u32| char::from_u32(rune).and_then(|letter| letter.to_digit(16));
        let first = self.next_rune();
        if first != u32::from(b'{') {
            let second = self.next_rune();
            return Some(digit(first)? * 16 + digit(second)?);
        }
        let mut value = None;
        loop {
            self.byte(0)?;
            let rune = self.next_rune();
            if rune == u32::from(b'}') {
                return value;
            }
            let next = value.unwrap_or(0) * 16 + digit(rune)?;
            if next > MAX_RUNE {
                return None;
            }
            value = Some(next);
        }
    }

    /// `\pN`, `\p{Greek}`, `\P{^Greek}`, if one stands here.
    fn unicode_class(&mut self) -> Result<Option<Arc<Vec<Range>>>, Stop> {
        let (Some(b'\\'), Some(letter @ (b'p' | b'P'))) = (self.byte(0), self.byte(1)) else {
            return Ok(None);
        };
        let start = self.at;
        let rest = self.rest();
        self.at += 2;
        let mut name = if self.next_rune() == u32::from(b'{') {
            let Some(end) = rest.find('}') else { return Err(Stop::at(INVALID_RANGE, rest)) };
            self.at = start + end + 1;
            rest.get(3..end).unwrap_or("")
        } else {
            self.since(start + 2)
        };
        let piece = self.since(start);
        let fold = self.flags.has(Flags::FOLD);
        if let Some(known) = self.tables.get(&(piece, fold)) {
            return Ok(Some(Arc::clone(known)));
        }
        let mut negative = letter == b'P';
        if let Some(positive) = name.strip_prefix('^') {
            name = positive;
            negative = !negative;
        }
        let Some(mut ranges) = unicode::table(name, fold) else { return Err(Stop::at(INVALID_RANGE, piece)) };
        if negative {
            ranges = negate(&ranges);
        }
        self.hold(ranges.len())?;
        let ranges = Arc::new(ranges);
        self.tables.insert((piece, fold), Arc::clone(&ranges));
        Ok(Some(ranges))
    }

    /// Adds `\d` and its like, if one stands here.
    fn perl_class(&mut self, class: &mut Vec<Range>) -> bool {
        let (Some(b'\\'), Some(letter)) = (self.byte(0), self.byte(1)) else { return false };
        let Some((ranges, negative)) = perl(letter) else { return false };
        self.at += 2;
        self.append_named(class, ranges, negative);
        true
    }

    fn append_named(&self, class: &mut Vec<Range>, ranges: &[Range], negative: bool) {
        let folded = if self.flags.has(Flags::FOLD) { folded(ranges) } else { ranges.to_vec() };
        append_class(class, &if negative { negate(&folded) } else { folded });
    }

    /// Adds `[:alnum:]` and its like, if one stands here.
    fn posix_class(&mut self, class: &mut Vec<Range>) -> Result<bool, Stop> {
        let Some(rest) = self.rest().strip_prefix("[:") else { return Ok(false) };
        let Some(end) = rest.find(":]") else { return Ok(false) };
        let start = self.at;
        self.at += end + 4;
        let name = rest.get(..end).unwrap_or("");
        let (name, negative) = name.strip_prefix('^').map_or((name, false), |name| (name, true));
        let Some(ranges) = posix(name) else { return Err(Stop::at(INVALID_RANGE, self.since(start))) };
        self.append_named(class, ranges, negative);
        Ok(true)
    }

    pub(super) fn class(&mut self) -> Result<(), Stop> {
        let start = self.at;
        self.at += 1;
        self.allocate()?;
        let negative = self.byte(0) == Some(b'^');
        if negative {
            self.at += 1;
        }
        let mut class = Vec::new();
        let mut first = true;
        while first || self.byte(0) != Some(b']') {
            first = false;
            let before = class.len();
            if let Some(ranges) = self.unicode_class()? {
                append_class(&mut class, &ranges);
            } else if !self.posix_class(&mut class)? && !self.perl_class(&mut class) {
                self.class_range(&mut class, start)?;
            }
            self.hold(class.len().saturating_sub(before))?;
        }
        self.at += 1;
        clean(&mut class);
        if negative {
            class = negate(&class);
        }
        self.push(Node::new(Op::Class(Arc::new(class)), self.flags, Vec::new()))
    }

    /// `a` or `a-z` in a class that began at `class_start`.
    fn class_range(&mut self, class: &mut Vec<Range>, class_start: usize) -> Result<(), Stop> {
        let start = self.at;
        let low = self.class_rune(class_start)?;
        let mut high = low;
        // In `[a-]`, the `-` stands for itself.
        if self.byte(0) == Some(b'-') && self.byte(1).is_some_and(|byte| byte != b']') {
            self.at += 1;
            high = self.class_rune(class_start)?;
            if high < low {
                return Err(Stop::at(INVALID_RANGE, self.since(start)));
            }
        }
        if self.flags.has(Flags::FOLD) {
            append_folded_range(class, low, high);
        } else {
            append_range(class, low, high);
        }
        Ok(())
    }

    fn class_rune(&mut self, class_start: usize) -> Result<u32, Stop> {
        match self.byte(0) {
            None => Err(Stop::at("missing closing ]", self.since(class_start))),
            Some(b'\\') => self.escape(),
            Some(_) => Ok(self.next_rune()),
        }
    }
}
