//! YAML: streams of documents in all styles, with a slip here and there.

mod words;

use fastrand::Rng;

use super::soup;
use crate::draw::{one_in, pick, weighted};
pub(crate) use words::DICTIONARY;
use words::{
    ANCHORS, BROKEN, BROKEN_ANCHORS, BROKEN_ESCAPES, BROKEN_TAGS, EMBEDDED, ESCAPES, PLAIN, TAGS, WORDS,
};

/// A stream.
pub(crate) fn stream(rng: &mut Rng) -> String {
    if one_in(rng, 6) {
        return soup(rng, DICTIONARY, 24);
    }
    let mut writer = Writer { rng, out: String::new(), slips: 0, left: 40, anchors: Vec::new() };
    // Half of the streams have no slips at all: they must give the right value, and not only the right error.
    writer.slips = if writer.chance(2) { 0 } else { 12 + writer.rng.u32(..40) };
    if writer.chance(40) {
        writer.out.push('\u{feff}');
    }
    let documents = 1 + weighted(writer.rng, &[30, 5, 2]);
    for i in 0..documents {
        writer.document(i > 0);
    }
    let text = writer.out;
    match rng.u32(..24) {
        0 => text.replace('\n', "\r\n"),
        1 => text.replace('\n', "\r"),
        2 => text.replace('\n', pick(rng, &["\u{85}", "\u{2028}", "\u{2029}"])),
        3 => text.trim_end().to_owned(),
        _ => text,
    }
}

struct Writer<'a> {
    rng: &'a mut Rng,
    out: String,
    /// One thing in so many is wrong; 0 means that nothing is.
    slips: u32,
    /// Nodes that may still be written, so that no document grows without end.
    left: u32,
    /// The anchors of the document so far.
    anchors: Vec<&'static str>,
}

impl Writer<'_> {
    fn chance(&mut self, n: u32) -> bool {
        one_in(self.rng, n)
    }

    fn put(&mut self, from: &[&str]) {
        let text = pick(self.rng, from);
        self.out.push_str(text);
    }

    fn slip(&mut self) -> bool {
        self.slips > 0 && self.rng.u32(..self.slips) == 0
    }

    fn document(&mut self, marked: bool) {
        self.anchors.clear();
        if self.chance(12) {
            let directive = pick(
                self.rng,
                &[
                    "%YAML 1.1\n",
                    "%YAML 1.2\n",
                    "%YAML 1.0\n",
                    "%TAG !e! tag:e,1:\n",
                    "%TAG ! tag:x\n",
                    "%TAG !! tag:yaml.org,2002:\n",
                    "%FOO bar\n",
                    "%YAML 1.1 # c\n",
                    "%YAML\n",
                    "%YAML 1.1\n%YAML 1.1\n",
                ],
            );
            self.out.push_str(directive);
            if !self.slip() {
                self.out.push_str("---\n");
            }
        } else if marked || self.chance(6) {
            let mark = if self.slip() {
                pick(self.rng, &["--- ", "---\t", "---", "---- \n", "--- x\n"])
            } else {
                pick(self.rng, &["---\n", "---\n", "--- # c\n", "---\r\n", "---  \n"])
            };
            self.out.push_str(mark);
        }
        if self.chance(5) {
            self.comment();
        }
        match weighted(self.rng, &[24, 6, 2, 1, 1]) {
            0 => self.mapping(0, 0),
            1 => self.sequence(0, 0),
            2 => {
                self.flow(0);
                self.out.push('\n');
            }
            3 => self.value(0, 0),
            _ => {}
        }
        if self.chance(10) {
            let end = if self.slip() { "... x\n" } else { pick(self.rng, &["...\n", "...\n", "... # c\n"]) };
            self.out.push_str(end);
        }
    }

    fn comment(&mut self) {
        self.put(&["# comment\n", "#\n", "  # indented\n", "\t# tab\n", "#é\n", "\n", "  \n", "\t\n"]);
    }

    fn indent(&mut self, column: usize) {
        let column = if self.slip() { (column + self.rng.usize(..4)).saturating_sub(1) } else { column };
        for _ in 0..column {
            self.out.push(' ');
        }
        if self.slip() {
            self.out.push('\t');
        }
    }

    fn end_line(&mut self) {
        if self.chance(14) {
            let ends: &[&str] = if self.slip() {
                &["\t", " \t# c", "#nocomment", "\t#"]
            } else {
                &[" # comment", " #", "  "]
            };
            self.put(ends);
        }
        self.out.push('\n');
        if self.chance(25) {
            self.comment();
        }
    }

    fn spend(&mut self) -> bool {
        self.left = self.left.saturating_sub(1);
        self.left > 0
    }

    fn mapping(&mut self, column: usize, depth: usize) {
        let entries = 1 + self.rng.usize(..4);
        for _ in 0..entries {
            if !self.spend() {
                return;
            }
            self.indent(column);
            self.entry(column, depth);
        }
    }

    fn entry(&mut self, column: usize, depth: usize) {
        match weighted(self.rng, &[30, 2, 2, 1]) {
            0 => {
                self.key();
                self.put(&[":", ":", ":", ":", ":", " :", "\t:"]);
                self.value(column, depth);
            }
            1 => {
                self.put(&["<<: ", "<<: ", "\"<<\": ", "!!merge <<: "]);
                match self.rng.u32(..4) {
                    0 => self.put(&["{x: 1}", "[{x: 1}, {x: 2, y: 3}]", "{<<: {z: 1}, x: 2}", "[]", "{}"]),
                    1 => {
                        self.out.push('[');
                        self.alias();
                        self.out.push(']');
                    }
                    2 if self.slip() => self.put(&["x", "[x]", "~", "", "[[{x: 1}]]", "!!map x"]),
                    _ => self.alias(),
                }
                self.end_line();
            }
            2 => {
                let mark = if self.slip() { pick(self.rng, &["?", "?\t", "?\n  "]) } else { "? " };
                self.out.push_str(mark);
                self.inline_or_block(column, depth);
                if !self.chance(5) {
                    self.indent(column);
                    let mark = if self.slip() { pick(self.rng, &[":", ":\n", ":\t"]) } else { ": " };
                    self.out.push_str(mark);
                    self.inline_or_block(column, depth);
                }
            }
            _ => {
                // A key that is no simple one.
                self.properties();
                self.flow(depth + 1);
                self.out.push(':');
                self.value(column, depth);
            }
        }
    }

    fn key(&mut self) {
        if self.chance(16) {
            self.properties();
        }
        match weighted(self.rng, &[30, 4, 2, 1, 1]) {
            0 => self.put(WORDS),
            1 => self.quoted(0, false),
            2 => self.plain(),
            3 => {
                self.alias();
                self.out.push(' ');
            }
            _ if self.slip() => self.put(&["a\n b", "\"a\n b\"", "'a\n\n b'"]),
            _ => self.put(WORDS),
        }
    }

    fn properties(&mut self) {
        if self.chance(2) {
            self.out.push('&');
            let anchor = if self.slip() { pick(self.rng, BROKEN_ANCHORS) } else { pick(self.rng, ANCHORS) };
            self.out.push_str(anchor);
            self.out.push(' ');
            self.anchors.push(anchor);
        }
        if self.chance(2) {
            let tag = if self.slip() { BROKEN_TAGS } else { TAGS };
            self.put(tag);
            self.out.push(' ');
        }
        if self.slip() {
            self.put(&["&a ", "!!str ", "\n", "&b &c "]);
        }
    }

    fn plain(&mut self) {
        let scalars = if self.slip() { BROKEN } else { PLAIN };
        self.put(scalars);
    }

    /// An alias of an anchor that there is, but for slips.
    fn alias(&mut self) {
        if self.slip() {
            return self.put(&["*missing", "*", "*a x", "*a\n", "*a:", "*a,"]);
        }
        if self.anchors.is_empty() {
            return self.plain();
        }
        let anchor = self.anchors[self.rng.usize(..self.anchors.len())];
        self.out.push('*');
        self.out.push_str(anchor);
    }

    /// What stands behind `key:`, with the end of the line.
    fn value(&mut self, column: usize, depth: usize) {
        if self.slip() {
            self.put(DICTIONARY);
        }
        match weighted(self.rng, &[20, 12, 8, 6, 4, 2, 2]) {
            0 => {
                self.out.push(' ');
                if self.chance(12) {
                    self.properties();
                }
                self.plain();
                if self.chance(12) {
                    self.continuation(column);
                }
                self.end_line();
            }
            1 if depth < 5 => self.nested(column, depth),
            2 => {
                self.out.push(' ');
                if self.chance(12) {
                    self.properties();
                }
                self.quoted(column + 1, true);
                self.end_line();
            }
            3 => self.block_scalar(column),
            4 => {
                self.out.push(' ');
                self.flow(depth + 1);
                self.end_line();
            }
            5 => {
                self.out.push(' ');
                self.alias();
                self.end_line();
            }
            _ => self.end_line(),
        }
    }

    fn continuation(&mut self, column: usize) {
        let lines = 1 + self.rng.usize(..3);
        for _ in 0..lines {
            self.out.push('\n');
            if self.chance(5) {
                self.put(&["\n", "  \n", "\t\n"]);
            }
            self.indent(column + 1);
            self.put(EMBEDDED);
        }
    }

    fn nested(&mut self, column: usize, depth: usize) {
        if self.chance(6) {
            self.out.push(' ');
            self.properties();
        }
        self.out.push('\n');
        if self.chance(10) {
            self.comment();
        }
        let deeper = column + pick(self.rng, &[&2, &2, &2, &1, &4]);
        if self.chance(3) {
            // Lists may stand at the column of their key.
            let at = if self.chance(2) { column } else { deeper };
            self.sequence(at, depth + 1);
        } else {
            self.mapping(deeper, depth + 1);
        }
    }

    fn sequence(&mut self, column: usize, depth: usize) {
        let items = 1 + self.rng.usize(..4);
        for _ in 0..items {
            if !self.spend() {
                return;
            }
            self.indent(column);
            let dash = if self.slip() { "-\t" } else { pick(self.rng, &["- ", "- ", "- ", "-   ", "-\n  "]) };
            self.out.push_str(dash);
            self.inline_or_block(column, depth);
        }
    }

    /// A node behind `- `, `? ` or `: `.
    fn inline_or_block(&mut self, column: usize, depth: usize) {
        match weighted(self.rng, &[8, 6, 3, 2]) {
            0 => self.value(column, depth),
            1 if depth < 5 => {
                self.entry(column + 2, depth + 1);
                if self.chance(2) {
                    self.mapping(column + 2, depth + 1);
                }
            }
            2 if depth < 5 => self.put(&["- x\n", "- - y\n", "- a: 1\n", "? z\n", "-\n"]),
            _ => {
                self.plain();
                self.end_line();
            }
        }
    }

    fn quoted(&mut self, column: usize, lines: bool) {
        let double = self.chance(2);
        self.out.push(if double { '"' } else { '\'' });
        let parts = self.rng.usize(..4);
        for _ in 0..parts {
            match self.rng.u32(..6) {
                0 if lines => {
                    self.put(&["\n", "\n\n", " \n", "\t\n", "\\\n"]);
                    self.indent(column);
                }
                1 | 2 if double => {
                    let escapes = if self.slip() { BROKEN_ESCAPES } else { ESCAPES };
                    self.put(escapes);
                }
                1 => self.out.push_str("''"),
                _ => {
                    let text = pick(self.rng, EMBEDDED).replace(['"', '\'', '\\'], "q");
                    self.out.push_str(&text);
                }
            }
        }
        if !self.slip() {
            self.out.push(if double { '"' } else { '\'' });
        }
    }

    fn block_scalar(&mut self, column: usize) {
        self.out.push(' ');
        if self.chance(12) {
            self.properties();
        }
        self.put(&["|", ">"]);
        let deeper = 1 + self.rng.usize(..4);
        let digit = deeper.to_string();
        let (chomp, with_digit) = (pick(self.rng, &["", "", "-", "+"]), self.chance(4));
        match (with_digit, self.chance(2)) {
            (true, true) => self.out.push_str(&format!("{digit}{chomp}")),
            (true, false) => self.out.push_str(&format!("{chomp}{digit}")),
            _ => self.out.push_str(chomp),
        }
        if self.slip() {
            self.put(&["0", "9", "--", "x", " x", "#", " # c", "\t"]);
        }
        self.end_line();
        let lines = self.rng.usize(..5);
        for _ in 0..lines {
            if self.chance(5) {
                self.put(&["\n", " \n", "      \n", "\t\n", "          \n"]);
                continue;
            }
            self.indent(column + deeper);
            if self.chance(6) {
                self.put(&[" ", "  ", "\t"]);
            }
            self.put(EMBEDDED);
            self.out.push('\n');
        }
    }

    fn flow(&mut self, depth: usize) {
        if !self.spend() {
            return self.out.push_str("[]");
        }
        let mapping = self.chance(2);
        self.out.push(if mapping { '{' } else { '[' });
        let items = self.rng.usize(..4);
        for i in 0..items {
            if i > 0 {
                self.put(&[", ", ",", ",\n  ", " , ", ",\t"]);
            }
            if self.chance(20) {
                self.put(&["# c\n", "\n", " # c\n ", ",", "- ", "? "]);
            }
            if mapping || self.chance(8) {
                self.flow_scalar();
                self.put(&[": ", ": ", ": ", ":", "", " : "]);
            }
            if depth < 5 && self.chance(4) {
                self.flow(depth + 1);
            } else if !self.chance(10) {
                self.flow_scalar();
            }
        }
        if self.chance(12) {
            self.put(&[",", "\n", " ", "\n# c\n"]);
        }
        if !self.slip() {
            let brace = mapping != self.slip();
            self.out.push(if brace { '}' } else { ']' });
        }
    }

    fn flow_scalar(&mut self) {
        if self.chance(14) {
            self.properties();
        }
        match weighted(self.rng, &[10, 8, 4, 1, 1]) {
            0 => self.put(WORDS),
            1 => self.plain(),
            2 => self.quoted(2, true),
            3 => {
                self.alias();
                self.out.push(' ');
            }
            _ => {}
        }
    }
}
