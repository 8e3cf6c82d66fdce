use std::collections::BTreeMap;

/// Counts over all cases of a run.
#[derive(Default)]
pub struct Figures {
    counts: BTreeMap<&'static str, (usize, usize)>,
    /// What differed, to be printed.
    pub mismatches: Vec<String>,
    /// Cases of which all was equal.
    pub passed: usize,
    /// Cases that differed.
    pub failed: usize,
}

impl Figures {
    /// Counts one comparison under a figure; a difference is kept to be printed.
    pub fn compare<T: PartialEq + std::fmt::Debug>(&mut self, figure: &'static str, got: &T, want: &T) {
        let right = got == want;
        self.count(figure, usize::from(right), 1);
        if !right {
            self.mismatches.push(format!(
                "{figure}: want {want:?}\n  {:>width$}  got {got:?}",
                "",
                width = figure.len() - 1
            ));
        }
    }

    /// Counts `right` of `all` under a figure.
    pub fn count(&mut self, figure: &'static str, right: usize, all: usize) {
        let entry = self.counts.entry(figure).or_default();
        entry.0 += right;
        entry.1 += all;
    }

    /// Prints a line for each figure, and the sum.
    pub fn print(&self) {
        for (figure, (right, all)) in &self.counts {
            println!("{figure}: {right}/{all}");
        }
        println!("{} passed, {} failed", self.passed, self.failed);
    }
}
