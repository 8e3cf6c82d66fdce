//! What a run found: per signature how often, and one smallest case.

use std::collections::BTreeMap;

use crate::outcome::{Difference, Kind, quoted};
use crate::targets::Input;

/// The differences of one signature.
pub(crate) struct Entry {
    pub(crate) count: u64,
    /// The smallest input, with the index of the case that it was made from.
    pub(crate) smallest: Input,
    pub(crate) index: u64,
    pub(crate) difference: Difference,
}

#[derive(Default)]
pub(crate) struct Report {
    pub(crate) cases: u64,
    pub(crate) entries: BTreeMap<String, Entry>,
    pub(crate) excused: BTreeMap<&'static str, u64>,
}

impl Report {
    /// Counts a difference, and keeps its input if it is the smallest.
    pub(crate) fn add(&mut self, signature: String, index: u64, input: Input, difference: Difference) {
        match self.entries.get_mut(&signature) {
            Some(entry) => {
                entry.count += 1;
                if input.len() < entry.smallest.len() {
                    entry.smallest = input;
                    entry.index = index;
                    entry.difference = difference;
                }
            }
            None => {
                self.entries.insert(signature, Entry { count: 1, smallest: input, index, difference });
            }
        }
    }

    pub(crate) fn excuse(&mut self, name: &'static str) {
        *self.excused.entry(name).or_default() += 1;
    }

    fn of_kind(&self, kind: Kind) -> u64 {
        self.entries.values().filter(|entry| entry.difference.kind == kind).map(|entry| entry.count).sum()
    }

    pub(crate) fn print(&self) {
        let mut entries: Vec<(&String, &Entry)> = self.entries.iter().collect();
        entries.sort_by_key(|(_, entry)| (entry.difference.kind, std::cmp::Reverse(entry.count)));
        for (signature, entry) in entries {
            println!("{} × {signature}", entry.count);
            println!("  case {}", entry.index);
            for text in &entry.smallest.texts {
                println!("  input {}", quoted(text.as_bytes()));
            }
            let (ours, theirs) = (&entry.difference.compared.ours, &entry.difference.compared.theirs);
            println!("  ours {}", ours.shown(theirs));
            println!("  Go   {}", theirs.shown(ours));
        }
        for (name, count) in &self.excused {
            println!("excused {count} × {name}");
        }
        println!(
            "{} cases, {} verdict differences, {} text differences, {} value differences, {} excused",
            self.cases,
            self.of_kind(Kind::Verdict),
            self.of_kind(Kind::Text),
            self.of_kind(Kind::Value),
            self.excused.values().sum::<u64>()
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::{Compared, Outcome, differences};

    #[test]
    fn the_smallest_input_is_kept() {
        let difference = || {
            let compared = Compared { aspect: "x", ours: Outcome::value("1"), theirs: Outcome::value("2") };
            differences(vec![compared]).remove(0)
        };
        let mut report = Report::default();
        for (index, text) in ["abc", "a", "ab"].into_iter().enumerate() {
            report.add("s".into(), index as u64, Input::one(text), difference());
        }
        let entry = &report.entries["s"];
        assert_eq!((entry.count, entry.index, entry.smallest.text()), (3, 1, "a"));
        assert_eq!((report.of_kind(Kind::Value), report.of_kind(Kind::Text)), (3, 0));
    }
}
