//! Smaller inputs that show the same difference: delta debugging on lines, then on characters.

use anyhow::Result;

use crate::targets::Input;

/// Candidates that are asked about at once.
const BATCH: usize = 32;
/// Texts up to so many characters also lose two parts at once, such as both brackets.
const PAIRS: usize = 40;

/// Tells which of some candidates is the first that still shows the difference.
pub(crate) type Holds<'a> = dyn FnMut(&[Input]) -> Result<Option<usize>> + 'a;

/// The smallest input that was found with at most about `budget` candidates.
pub(crate) fn minimise(input: &Input, budget: usize, holds: &mut Holds<'_>) -> Result<Input> {
    let mut state = State { best: input.clone(), budget, holds };
    loop {
        let before = state.best.len();
        for text in 0..state.best.texts.len() {
            state.units(text, |text| text.split_inclusive('\n').map(str::to_owned).collect())?;
            state.units(text, |text| text.chars().map(String::from).collect())?;
            state.pairs(text)?;
        }
        if state.best.len() == before || state.budget == 0 {
            return Ok(state.best);
        }
    }
}

struct State<'a, 'b> {
    best: Input,
    budget: usize,
    holds: &'a mut Holds<'b>,
}

impl State<'_, '_> {
    /// Asks about versions of one text; the first that holds becomes the best, and its index is given.
    fn ask(&mut self, text: usize, versions: Vec<String>) -> Result<Option<usize>> {
        self.budget = self.budget.saturating_sub(versions.len());
        let candidate = |version| {
            let mut candidate = self.best.clone();
            candidate.texts[text] = version;
            candidate
        };
        let candidates: Vec<Input> = versions.into_iter().map(candidate).collect();
        let found = (self.holds)(&candidates)?;
        if let Some(index) = found {
            self.best = candidates[index].clone();
        }
        Ok(found)
    }

    /// Takes away runs of units, from long ones to single units.
    fn units(&mut self, text: usize, split: fn(&str) -> Vec<String>) -> Result<()> {
        let mut units = split(&self.best.texts[text]);
        let mut size = units.len().next_power_of_two() / 2;
        while size > 0 {
            let mut at = 0;
            while at < units.len() && self.budget > 0 {
                let starts: Vec<usize> = (at..units.len()).step_by(size).take(BATCH).collect();
                let without = |start: &usize| {
                    let end = (start + size).min(units.len());
                    [&units[..*start], &units[end..]].concat().concat()
                };
                match self.ask(text, starts.iter().map(without).collect())? {
                    Some(index) => {
                        at = starts[index];
                        units.drain(at..(at + size).min(units.len()));
                    }
                    None => at += size * starts.len(),
                }
            }
            size /= 2;
        }
        Ok(())
    }

    /// Takes away two characters at once, for brackets and quotes that only go together.
    fn pairs(&mut self, text: usize) -> Result<()> {
        let mut first = 0;
        loop {
            let chars: Vec<char> = self.best.texts[text].chars().collect();
            if chars.len() > PAIRS || first >= chars.len() || self.budget == 0 {
                return Ok(());
            }
            let without = |second: usize| {
                chars
                    .iter()
                    .enumerate()
                    .filter(|(at, _)| *at != first && *at != second)
                    .map(|(_, c)| *c)
                    .collect()
            };
            let versions = (first + 1..chars.len()).map(without).collect();
            if self.ask(text, versions)?.is_none() {
                first += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn smallest(text: &str, budget: usize, wanted: fn(&str) -> bool) -> (String, usize) {
        let mut asked = 0;
        let mut holds = |candidates: &[Input]| {
            asked += candidates.len();
            Ok(candidates.iter().position(|candidate| wanted(candidate.text())))
        };
        let found = minimise(&Input::one(text), budget, &mut holds).unwrap();
        (found.text().to_owned(), asked)
    }

    #[test]
    fn what_does_not_matter_goes() {
        let text = "a: 1\nb:\n  - {x: 2}\n  - 3\nc: 4\n".repeat(8);
        assert_eq!(smallest(&text, 10_000, |text| text.contains('x') && text.contains("c: ")).0, "xc: ");
    }

    #[test]
    fn brackets_go_in_pairs() {
        let balanced =
            |text: &str| text.matches('(').count() == text.matches(')').count() && text.contains('x');
        assert_eq!(smallest("((x))", 10_000, balanced).0, "x");
    }

    #[test]
    fn the_budget_bounds_the_questions() {
        let (found, asked) = smallest(&"ab\n".repeat(2000), 100, |text| text.contains("b\na"));
        assert!(asked <= 100 + BATCH, "{asked}");
        assert!(found.contains("b\na"));
    }

    #[test]
    fn each_text_is_minimised() {
        let input = Input { texts: vec!["xxay".into(), "bzzz".into()] };
        let mut holds = |candidates: &[Input]| {
            let wanted = |input: &Input| input.texts[0].contains('a') && input.texts[1].contains('b');
            Ok(candidates.iter().position(wanted))
        };
        let found = minimise(&input, 1000, &mut holds).unwrap();
        assert_eq!(found.texts, ["a", "b"]);
    }
}
