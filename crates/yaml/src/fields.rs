//! What a strict decoder says of the keys of a mapping that is read into a Go struct.

use std::collections::HashSet;

use crate::resolve::{Resolved, resolve};
use crate::tree::{Kind, NodeId, Style, Tree};
use crate::value::{Flavour, ValueError, is_merge};

/// Merges that stand within each other, aliases that contain themselves among them.
const MAX_MERGES: usize = 100;

/// The keys of a mapping that `UnmarshalStrict` of version 2, or a decoder of version 3 with `KnownFields`, refuses when it
/// decodes into the struct `type_name` with these `fields`: `line 2: field x not found in type T`, and for version 2
/// `line 3: field a already set in type T`. Version 3 refuses all keys that stand twice, whatever it decodes into, so that
/// they are errors of [`value`](crate::value).
///
/// Go collects these lines with others of their kind under `yaml: unmarshal errors:`.
pub fn strict_fields(
    tree: &Tree,
    mapping: NodeId,
    fields: &[&str],
    type_name: &str,
    flavour: Flavour,
) -> Vec<ValueError> {
    let mut check = Check { tree, fields, type_name, flavour, found: Vec::new() };
    match flavour {
        Flavour::V2 => check.v2(mapping, 0),
        Flavour::V3 => check.v3(mapping, &mut HashSet::new(), 0),
    }
    check.found
}

struct Check<'a> {
    tree: &'a Tree,
    fields: &'a [&'a str],
    type_name: &'a str,
    flavour: Flavour,
    found: Vec<ValueError>,
}

impl<'a> Check<'a> {
    fn refuse(&mut self, key: NodeId, name: &str, why: &str) {
        let line = self.tree.line(key) + 1;
        let message = format!("line {line}: field {name} {why} in type {}", self.type_name);
        self.found.push(ValueError { message, span: self.tree.span(key) });
    }

    /// The text of a key; `None` for null, and for what is no scalar.
    fn name(&self, key: NodeId) -> Option<&'a str> {
        let node = self.tree.resolve(key);
        let text = self.tree.scalar(node)?;
        let tag = self.tree.tag(node).filter(|tag| *tag != "!" || self.flavour == Flavour::V2);
        let plain = self.tree.style(node) == Some(Style::Plain);
        let is_null = (plain || tag.is_some()) && resolve(self.flavour, tag, text) == Ok(Resolved::Null);
        (!is_null).then_some(text)
    }

    /// The mappings that a merge key names.
    fn merged(&self, value: NodeId) -> Vec<NodeId> {
        match self.tree.kind(value) {
            Kind::Sequence { items, .. } => items.to_vec(),
            _ => vec![value],
        }
    }

    fn v2(&mut self, mapping: NodeId, depth: usize) {
        let mut seen = HashSet::new();
        for entry in self.tree.entries(mapping) {
            if is_merge(self.tree, entry.key, self.flavour) {
                if depth < MAX_MERGES {
                    // Earlier mappings win, so that they are merged last.
                    self.merged(entry.value).into_iter().rev().for_each(|item| self.v2(item, depth + 1));
                }
                continue;
            }
            if self.tree.scalar(entry.key).is_none() {
                continue;
            }
            let name = self.name(entry.key).unwrap_or("");
            if !self.fields.contains(&name) {
                self.refuse(entry.key, name, "not found");
            } else if !seen.insert(name) {
                self.refuse(entry.key, name, "already set");
            }
        }
    }

    fn v3(&mut self, mapping: NodeId, known: &mut HashSet<&'a str>, depth: usize) {
        let mut merge = None;
        for entry in self.tree.entries(mapping) {
            if is_merge(self.tree, entry.key, self.flavour) {
                merge = Some(entry.value);
                continue;
            }
            let Some(name) = self.name(entry.key) else { continue };
            // A merge leaves the keys alone that are there.
            if (known.insert(name) || depth == 0) && !self.fields.contains(&name) {
                self.refuse(entry.key, name, "not found");
            }
        }
        if let Some(value) = merge.filter(|_| depth < MAX_MERGES) {
            self.merged(value).into_iter().for_each(|item| self.v3(item, known, depth + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_as;

    /// The lines for a struct with the fields `a` and `b`. The expected ones are those of the libraries.
    fn check(text: &str, v2: &[&str], v3: &[&str]) {
        for (flavour, want) in [(Flavour::V2, v2), (Flavour::V3, v3)] {
            let tree = parse_as(text, flavour);
            let root = tree.documents()[0].root.unwrap();
            let found = strict_fields(&tree, root, &["a", "b"], "main.S", flavour);
            let lines: Vec<&str> = found.iter().map(|error| error.message.as_str()).collect();
            assert_eq!(lines, want, "{text:?}");
        }
    }

    #[test]
    fn unknown_keys() {
        let unknown =
            ["line 1: field 1 not found in type main.S", "line 2: field 01 not found in type main.S"];
        check("1: a\n01: b\na: 1\n", &unknown, &unknown);
        let word = ["line 1: field on not found in type main.S"];
        check("on: push", &word, &word);
        check("~: a", &["line 1: field  not found in type main.S"], &[]);
        let alias = [
            "line 1: field x not found in type main.S",
            "line 2: field k not found in type main.S",
            "line 3: field k not found in type main.S",
        ];
        check("x: &a k\n*a : 1\nk: 2", &alias, &alias);
    }

    #[test]
    fn keys_that_stand_twice() {
        check("a: 1\nb: 2\na: 3\n", &["line 3: field a already set in type main.S"], &[]);
        check("a: 1\n<<: {b: 1, b: 2}", &["line 2: field b already set in type main.S"], &[]);
    }

    #[test]
    fn merged_keys() {
        let two = "line 2: field 2 not found in type main.S";
        let one = "line 1: field 1 not found in type main.S";
        check("<<: {1: a}\n2: c", &[one, two], &[two, one]);
        let again = "line 2: field 1 not found in type main.S";
        check("<<: {1: a}\n\"1\": b", &[one, again], &[again]);
        let quoted = ["line 1: field << not found in type main.S"];
        check("\"<<\": {a: 1}", &quoted, &quoted);
    }

    #[test]
    fn a_merge_of_itself_ends() {
        let tree = parse_as("&m\n<<: *m\nx: 1\n", Flavour::V3);
        let root = tree.documents()[0].root.unwrap();
        assert_eq!(strict_fields(&tree, root, &[], "T", Flavour::V3).len(), 1);
        assert_eq!(strict_fields(&tree, root, &[], "T", Flavour::V2).len(), MAX_MERGES + 1);
    }
}
