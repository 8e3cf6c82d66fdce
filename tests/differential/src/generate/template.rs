//! Templates: every action and function, over the data of `wide.json`, with a slip here and there.

mod words;

use fastrand::Rng;

use super::{format, soup};
use crate::draw::{one_in, pick, weighted};
pub(crate) use words::DICTIONARY;
use words::{BROKEN, CONSTANTS, FIELDS, FUNCTIONS, LISTS, NAMES, NUMBERS, STRINGS, TEXTS, VARIABLES};

/// A template.
pub(crate) fn template(rng: &mut Rng) -> String {
    if one_in(rng, 6) {
        return soup(rng, DICTIONARY, 16);
    }
    let mut writer = Writer {
        rng,
        out: String::new(),
        slips: 0,
        left: 14,
        variables: Vec::new(),
        loops: 0,
        depth: 0,
        calls_a: false,
    };
    writer.slips = if writer.chance(2) { 0 } else { 10 + writer.rng.u32(..40) };
    // Most templates of one action show most; the longer ones are for scopes and control structures.
    let actions = 1 + weighted(writer.rng, &[6, 4, 3, 2, 1]);
    for _ in 0..actions {
        writer.node();
    }
    if (writer.calls_a && !writer.slip()) || writer.chance(20) {
        writer.left = 4;
        writer.define();
    }
    writer.out
}

struct Writer<'a> {
    rng: &'a mut Rng,
    out: String,
    /// One thing in so many is wrong; 0 means that nothing is meant to be.
    slips: u32,
    /// Nodes that may still be written.
    left: u32,
    /// The variables that are in scope.
    variables: Vec<&'static str>,
    loops: u32,
    depth: u32,
    /// The template `a` is called, and has to be defined somewhere.
    calls_a: bool,
}

impl Writer<'_> {
    fn chance(&mut self, n: u32) -> bool {
        one_in(self.rng, n)
    }

    fn slip(&mut self) -> bool {
        self.slips > 0 && self.rng.u32(..self.slips) == 0
    }

    fn put(&mut self, from: &[&str]) {
        let text = pick(self.rng, from);
        self.out.push_str(text);
    }

    fn open(&mut self) {
        self.put(&["{{", "{{", "{{", "{{", "{{ ", "{{- ", "{{-\n", "{{\n", "{{\t"]);
        if self.slip() {
            self.put(DICTIONARY);
        }
    }

    fn close(&mut self) {
        if self.slip() {
            self.put(&["", "}", " - }}", "-}}", " -}", ")}}", "|}}", ",}}", " x}}", "/* c */}}"]);
            return;
        }
        self.put(&["}}", "}}", "}}", "}}", " }}", " -}}", "\n-}}", "\n}}"]);
    }

    fn list(&mut self) {
        let nodes = self.rng.usize(..3);
        for _ in 0..nodes {
            self.node();
        }
    }

    fn node(&mut self) {
        self.left = self.left.saturating_sub(1);
        if self.left == 0 {
            return;
        }
        if self.chance(3) {
            let texts: &[&str] =
                if self.slip() { &["{", "{{{", "{ {", "{{}}", "{{ }}", "{{-}}"] } else { TEXTS };
            self.put(texts);
        }
        // Control structures nest; at some depth only actions are left.
        let control = u32::from(self.depth < 4);
        match weighted(self.rng, &[24, 5, 3 * control, 4 * control, 3 * control, control, 1, 1, 1]) {
            0 => {
                self.open();
                self.pipeline();
                self.close();
            }
            1 => self.declaration(),
            2 => self.branch("if"),
            3 => self.range(),
            4 => self.branch("with"),
            5 => self.block(),
            6 => {
                self.open();
                let called = if self.slip() {
                    pick(
                        self.rng,
                        &["template \"zz\"", "template a", "template", "template \"a\" . .", "template $x"],
                    )
                } else {
                    pick(self.rng, &["template \"a\"", "template `a`"])
                };
                self.out.push_str(called);
                self.calls_a = true;
                if self.chance(2) {
                    self.out.push(' ');
                    self.pipeline();
                }
                self.close();
            }
            7 => {
                self.put(&[
                    "{{/* c */}}",
                    "{{- /* c */ -}}",
                    "{{/* a\nb */}}",
                    "{{/**/}}",
                    "{{ /* c */ }}",
                    "{{/* c */ -}}",
                ]);
            }
            _ => {
                let jump = if self.loops > 0 || self.slip() {
                    pick(
                        self.rng,
                        &["{{break}}", "{{continue}}", "{{ break -}}", "{{break 1}}", "{{continue x}}"],
                    )
                } else {
                    pick(self.rng, TEXTS)
                };
                self.out.push_str(jump);
            }
        }
    }

    fn declaration(&mut self) {
        self.open();
        let variable = pick(self.rng, VARIABLES);
        if (self.chance(2) && self.variables.contains(&variable)) || self.slip() {
            self.out.push_str(variable);
            self.put(&[" = ", "= ", " =", "="]);
        } else {
            self.out.push_str(variable);
            self.put(&[" := ", ":= ", ":=", " :=\n"]);
            self.variables.push(variable);
        }
        self.pipeline();
        self.close();
    }

    fn end(&mut self) {
        if !self.slip() {
            self.open();
            self.out.push_str("end");
            self.close();
        }
    }

    fn branch(&mut self, word: &str) {
        let scope = self.variables.len();
        self.depth += 1;
        self.open();
        self.out.push_str(word);
        self.out.push(' ');
        if self.chance(6) {
            let variable = pick(self.rng, VARIABLES);
            self.out.push_str(variable);
            self.out.push_str(" := ");
            self.variables.push(variable);
        }
        self.pipeline();
        self.close();
        self.list();
        for _ in 0..weighted(self.rng, &[6, 2, 1]) {
            self.open();
            let again = if self.slip() { pick(self.rng, &["if", "with", "range", "x"]) } else { word };
            self.out.push_str("else ");
            self.out.push_str(again);
            self.out.push(' ');
            self.pipeline();
            self.close();
            self.list();
        }
        self.otherwise();
        self.end();
        self.depth -= 1;
        self.variables.truncate(scope);
    }

    fn otherwise(&mut self) {
        let count = if self.slip() { 2 } else { usize::from(self.chance(3)) };
        for _ in 0..count {
            self.open();
            self.out.push_str("else");
            self.close();
            self.list();
        }
    }

    fn range(&mut self) {
        let scope = self.variables.len();
        self.depth += 1;
        self.loops += 1;
        self.open();
        self.out.push_str("range ");
        let variables = weighted(self.rng, &[6, 3, 4]);
        for i in 0..variables {
            let variable = pick(self.rng, VARIABLES);
            self.out.push_str(if i > 0 { ", " } else { "" });
            self.out.push_str(variable);
            self.variables.push(variable);
        }
        if variables > 0 {
            let assigns = if self.slip() { pick(self.rng, &[" = ", ", $x := ", " == "]) } else { " := " };
            self.out.push_str(assigns);
        }
        if self.chance(8) {
            self.pipeline();
        } else {
            self.put(LISTS);
        }
        self.close();
        self.list();
        self.loops -= 1;
        self.otherwise();
        self.end();
        self.depth -= 1;
        self.variables.truncate(scope);
    }

    fn define(&mut self) {
        let outer = std::mem::take(&mut self.variables);
        self.out.push_str("{{define ");
        let name = if self.calls_a && !self.slip() { "a" } else { pick(self.rng, NAMES) };
        self.out.push_str(&format!("\"{name}\""));
        self.close();
        self.list();
        self.end();
        self.variables = outer;
    }

    fn block(&mut self) {
        let outer = std::mem::take(&mut self.variables);
        self.depth += 1;
        self.open();
        let name = pick(self.rng, NAMES);
        self.out.push_str(&format!("block \"{name}\" "));
        self.argument();
        self.close();
        self.list();
        if self.slip() {
            self.otherwise();
        }
        self.end();
        self.depth -= 1;
        self.variables = outer;
    }

    fn pipeline(&mut self) {
        self.command();
        for _ in 0..weighted(self.rng, &[12, 3, 1]) {
            self.put(&[" | ", " | ", "|"]);
            if self.slip() {
                self.argument();
            } else {
                self.call(true);
            }
        }
    }

    fn command(&mut self) {
        if self.chance(3) {
            self.call(false);
        } else {
            self.argument();
            if self.slip() {
                self.out.push(' ');
                self.argument();
            }
        }
    }

    /// A call of a function; in a pipeline the last argument comes from the left.
    fn call(&mut self, piped: bool) {
        if self.chance(60) {
            self.out.push_str("call ");
            return self.argument();
        }
        let function = if self.slip() {
            pick(self.rng, &["nofunc", "x", "and1", "é"])
        } else {
            pick(self.rng, FUNCTIONS)
        };
        self.out.push_str(function);
        let usual = match function {
            "printf" => {
                let (format, wanted) = format::format(self.rng);
                self.out.push(' ');
                self.out.push_str(&format);
                let slip = self.rng.usize(..6);
                wanted + usize::from(slip == 0) - usize::from(slip == 1 && wanted > 0)
            }
            "not" | "len" => 1,
            "index" if self.chance(2) => {
                self.out.push(' ');
                self.put(&[
                    ".l 1",
                    ".nums 0",
                    ".nums .i",
                    ".m \"a\"",
                    ".m \"zz\"",
                    ".ll 0 1",
                    ".mm \"a\" \"x\"",
                    ".params \"env\"",
                    ".params \"zz\"",
                    ".s 1",
                    "\"abc\" 0",
                    ".odd \"a b\"",
                    ".odd \"\"",
                    ".l 6 \"k\"",
                    ".nums 'a'",
                    ".nums 1.0",
                    ".nums .u",
                    ".ll .z .z",
                    ".m nil",
                    ".nums nil",
                    ".params .s",
                    ".m .i",
                    ".l -1",
                    ".l",
                    ".nil 0",
                    ".object.spec.containers 0 \"name\"",
                ]);
                0
            }
            "index" => {
                self.out.push(' ');
                self.put(LISTS);
                1 + usize::from(self.chance(4))
            }
            "slice" => {
                self.out.push(' ');
                self.put(&[
                    ".l",
                    ".nums",
                    ".s",
                    ".long",
                    ".e",
                    ".strs",
                    ".m",
                    ".nil",
                    ".i",
                    "\"héllo\"",
                    ".wide",
                    ".el",
                ]);
                let bounds = self.rng.usize(..4);
                for _ in 0..bounds {
                    self.out.push(' ');
                    self.put(&[
                        "0", "1", "2", "3", "5", "-1", "100", ".i", ".z", ".n", "\"a\"", ".f", ".nil", ".u",
                        "nil",
                    ]);
                }
                0
            }
            "eq" | "ne" | "lt" | "le" | "gt" | "ge" if self.chance(2) => {
                // Two of a kind, so that there is something to compare.
                let kind = pick(self.rng, &[NUMBERS, NUMBERS, STRINGS, STRINGS, LISTS]);
                for _ in usize::from(piped)..2 {
                    self.out.push(' ');
                    self.put(kind);
                }
                0
            }
            "eq" => 2 + weighted(self.rng, &[8, 2, 1]),
            "ne" | "lt" | "le" | "gt" | "ge" => 2,
            _ => self.rng.usize(..4),
        };
        let slip = self.rng.u32(..16);
        let count =
            (usual + usize::from(slip == 0)).saturating_sub(usize::from(slip == 1) + usize::from(piped));
        for _ in 0..count {
            self.out.push(' ');
            self.argument();
        }
    }

    fn argument(&mut self) {
        match weighted(self.rng, &[12, 8, 3, 2, 1]) {
            0 => self.put(FIELDS),
            1 => {
                let constants = if self.slip() || self.chance(40) { BROKEN } else { CONSTANTS };
                self.put(constants);
            }
            2 => {
                if self.slip() {
                    self.put(VARIABLES);
                } else if self.variables.is_empty() {
                    self.put(&["$", "$.i", "$.m.a", "$.missing"]);
                } else {
                    let variable = self.variables[self.rng.usize(..self.variables.len())];
                    self.out.push_str(variable);
                    if self.chance(5) {
                        self.put(&[".x", ".a", ".name", ".k.v"]);
                    }
                }
            }
            3 if self.left > 2 => {
                self.left -= 1;
                self.out.push('(');
                self.pipeline();
                if !self.slip() {
                    self.out.push(')');
                }
                if self.chance(5) {
                    self.put(&[".x", ".a", ".name", ".k.v", " .i", ".", "x"]);
                }
            }
            _ => {
                self.put(&[".i", ".s", ".l", ".m", "1", "\"a\"", ".nums.x", "true", "(.m).a", "(1)", "().x"]);
            }
        }
    }
}
