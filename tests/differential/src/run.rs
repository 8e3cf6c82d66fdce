//! The run: make inputs, ask both sides, judge, minimise.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use anyhow::Result;
use serde_json::{Map, Value};

use crate::draw::{of_case, one_in};
use crate::excuses::{self, GO_VARIES, go_varies};
use crate::minimise::minimise;
use crate::mutate::mutate;
use crate::oracle::{Answer, Oracle};
use crate::outcome::{Difference, Outcome, differences};
use crate::report::Report;
use crate::targets::{Input, Outcomes, Target, compared};

/// Cases between two looks at the answers: enough that neither side waits for the other.
const BATCH: u64 = 64;
/// How often Go is asked the same before it counts as settled.
const REPEATS: usize = 60;
/// Candidates that the minimiser may ask about, per case.
const BUDGET: usize = 3000;

/// How many cases of one signature are minimised; the others are counted.
const WORTH_MINIMISING: u64 = 6;

/// What is to be run.
pub(crate) struct Plan {
    pub(crate) target: Box<dyn Target>,
    pub(crate) seed: u64,
    /// Where the stream of cases ends.
    pub(crate) cases: u64,
    /// When the run ends at the latest.
    pub(crate) time: Option<Duration>,
}

/// Makes the input of a case, which depends on the seed, the index and the corpora alone.
pub(crate) fn input(target: &dyn Target, seed: u64, index: u64) -> Input {
    let mut rng = of_case(seed, index);
    let seeds = target.seeds();
    let draw = |rng: &mut fastrand::Rng| seeds[rng.usize(..seeds.len())].clone();
    let mut input =
        if seeds.is_empty() || one_in(&mut rng, 2) { target.generate(&mut rng) } else { draw(&mut rng) };
    // A seed as it stands is tested elsewhere; of those that the grammar made most stay as they are.
    let from_grammar = one_in(&mut rng, 3);
    if seeds.contains(&input) || from_grammar {
        let other = if seeds.is_empty() { input.clone() } else { draw(&mut rng) };
        let text = rng.usize(..input.texts.len());
        input.texts[text] = mutate(&mut rng, &input.texts[text], &other.texts[text], target.dictionary());
    }
    input
}

/// What the hook was told of the last panic.
static PANIC: Mutex<String> = Mutex::new(String::new());

/// Keeps the text of panics instead of printing it.
pub(crate) fn quiet_panics() {
    std::panic::set_hook(Box::new(|info| {
        if let Ok(mut last) = PANIC.lock() {
            *last = info.to_string();
        }
    }));
}

/// Our outcomes; a panic is an outcome too.
fn ours(target: &dyn Target, input: &Input) -> Result<Outcomes, String> {
    catch_unwind(AssertUnwindSafe(|| target.ours(input)))
        .map_err(|_| PANIC.lock().map_or_else(|_| String::new(), |last| last.clone()))
}

/// What came of one input.
enum Judged {
    Same,
    Excused(&'static str),
    Different(Vec<Difference>),
}

fn judge(target: &dyn Target, input: &Input, ours: Result<Outcomes, String>, answers: &[Answer]) -> Judged {
    let theirs = target.theirs(answers);
    let ours = ours.unwrap_or_else(|text| {
        theirs.iter().map(|(aspect, _)| (*aspect, Outcome::Panicked(text.clone()))).collect()
    });
    let mut excused = None;
    let mut left = Vec::new();
    for difference in differences(compared(ours, theirs)) {
        match excuses::excuse(input, &difference) {
            Some(name) => excused = excused.or(Some(name)),
            None => left.push(difference),
        }
    }
    match (left.is_empty(), excused) {
        (false, _) => Judged::Different(left),
        (true, Some(name)) => Judged::Excused(name),
        (true, None) => Judged::Same,
    }
}

pub(crate) struct Run<'a> {
    plan: &'a Plan,
    oracle: &'a mut Oracle,
    report: Report,
    /// How many cases of each signature were minimised.
    minimised: HashMap<String, u64>,
}

impl<'a> Run<'a> {
    pub(crate) fn new(plan: &'a Plan, oracle: &'a mut Oracle) -> Self {
        Run { plan, oracle, report: Report::default(), minimised: HashMap::new() }
    }

    fn target(&self) -> &'a dyn Target {
        &*self.plan.target
    }

    fn submit(&mut self, inputs: &[Input]) {
        let target = self.target();
        self.oracle.submit(inputs.iter().flat_map(|input| target.requests(input)).collect());
    }

    /// Judges inputs, in order. Our side runs while the oracle does.
    fn judged(&mut self, inputs: &[Input]) -> Result<Vec<Judged>> {
        self.submit(inputs);
        let target = self.target();
        let mine: Vec<Result<Outcomes, String>> = inputs.iter().map(|input| ours(target, input)).collect();
        let answers = self.oracle.collect()?;
        let each = answers.len() / inputs.len().max(1);
        Ok(inputs
            .iter()
            .zip(mine)
            .zip(answers.chunks(each.max(1)))
            .map(|((input, mine), answers)| judge(target, input, mine, answers))
            .collect())
    }

    pub(crate) fn run(mut self) -> Result<Report> {
        let start = Instant::now();
        let mut index = 0;
        while index < self.plan.cases && self.plan.time.is_none_or(|time| start.elapsed() < time) {
            let end = (index + BATCH).min(self.plan.cases);
            let inputs: Vec<Input> = (index..end).map(|i| input(self.target(), self.plan.seed, i)).collect();
            for (i, judged) in self.judged(&inputs)?.into_iter().enumerate() {
                match judged {
                    Judged::Same => {}
                    Judged::Excused(name) => self.report.excuse(name),
                    Judged::Different(differences) => {
                        self.different(index + i as u64, &inputs[i], differences)?;
                    }
                }
            }
            index = end;
        }
        self.report.cases = index;
        Ok(self.report)
    }

    /// Whether Go answers the same question in several ways, ours among them.
    fn varies(&mut self, input: &Input, difference: &Difference) -> Result<bool> {
        let target = self.target();
        let requests = target.requests(input);
        let each = requests.len();
        let answers = self.oracle.ask(std::iter::repeat_n(requests, REPEATS).flatten().collect())?;
        let aspect = difference.compared.aspect;
        let mut outcomes = vec![difference.compared.theirs.clone()];
        for answers in answers.chunks(each) {
            let theirs = target.theirs(answers).into_iter().find(|(name, _)| *name == aspect);
            outcomes.extend(theirs.map(|(_, outcome)| outcome));
        }
        Ok(go_varies(input, &difference.compared.ours, &outcomes))
    }

    fn different(&mut self, index: u64, input: &Input, differences: Vec<Difference>) -> Result<()> {
        for difference in differences {
            if self.varies(input, &difference)? {
                continue;
            }
            let signature = difference.signature();
            let count = self.minimised.entry(signature.clone()).or_default();
            *count += 1;
            if *count > WORTH_MINIMISING {
                self.report.add(signature, index, input.clone(), difference);
                return Ok(());
            }
            let (smallest, smaller) = self.smallest(input, &difference)?;
            self.report.add(smaller.signature(), index, smallest, smaller);
            return Ok(());
        }
        self.report.excuse(GO_VARIES);
        Ok(())
    }

    /// The smallest input with the same coarse difference, and that difference.
    fn smallest(&mut self, input: &Input, difference: &Difference) -> Result<(Input, Difference)> {
        let coarse = difference.coarse();
        let same = |judged: &Judged| match judged {
            Judged::Different(all) => all.iter().find(|difference| difference.coarse() == coarse).cloned(),
            _ => None,
        };
        let smallest = minimise(input, BUDGET, &mut |candidates| {
            Ok(self.judged(candidates)?.iter().position(|judged| same(judged).is_some()))
        })?;
        if let Some(smaller) = self.judged(std::slice::from_ref(&smallest))?.first().and_then(same)
            && !self.varies(&smallest, &smaller)?
        {
            return Ok((smallest, smaller));
        }
        // On the way it became one of those that Go answers in several ways.
        Ok((input.clone(), difference.clone()))
    }
}

/// The smallest case of each signature as a case of the conformance suites.
pub(crate) fn cases(plan: &Plan, oracle: &mut Oracle, report: &Report) -> Result<Vec<Map<String, Value>>> {
    let mut out = Vec::new();
    for entry in report.entries.values() {
        let answers = oracle.ask(plan.target.requests(&entry.smallest))?;
        let name = format!("differential-{}-{}", plan.seed, entry.index);
        out.push(plan.target.case(&name, &entry.smallest, &answers, entry.difference.compared.aspect));
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::Kind;
    use crate::targets;

    #[test]
    fn the_same_seed_gives_the_same_cases() {
        for name in targets::NAMES {
            let target = targets::find(name).unwrap();
            let all = |seed| (0..300).map(|index| input(&*target, seed, index)).collect::<Vec<_>>();
            let (first, again, other) = (all(1), all(1), all(2));
            assert_eq!(first, again, "{name}");
            assert_ne!(first, other, "{name}");
            let distinct: std::collections::HashSet<&Input> = first.iter().collect();
            assert!(distinct.len() > 250, "{name}: only {} distinct inputs", distinct.len());
        }
    }

    #[test]
    fn our_engines_answer_all_of_them() {
        for name in targets::NAMES {
            let target = targets::find(name).unwrap();
            let answered =
                (0..300).filter(|index| ours(&*target, &input(&*target, 3, *index)).is_ok()).count();
            assert_eq!(answered, 300, "{name}");
        }
    }

    /// An engine that panics.
    struct Broken;

    impl Target for Broken {
        fn seeds(&self) -> &[Input] {
            &[]
        }

        fn generate(&self, _: &mut fastrand::Rng) -> Input {
            Input::one("x")
        }

        fn dictionary(&self) -> &'static [&'static str] {
            &["x"]
        }

        fn requests(&self, _: &Input) -> Vec<String> {
            Vec::new()
        }

        fn ours(&self, _: &Input) -> Outcomes {
            panic!("broken")
        }

        fn theirs(&self, _: &[Answer]) -> Outcomes {
            vec![("x", Outcome::refused("no"))]
        }

        fn case(&self, _: &str, _: &Input, _: &[Answer], _: &str) -> Map<String, Value> {
            Map::new()
        }
    }

    #[test]
    fn a_panic_is_a_difference() {
        let input = input(&Broken, 1, 1);
        let Judged::Different(found) = judge(&Broken, &input, ours(&Broken, &input), &[]) else {
            panic!("no difference");
        };
        assert_eq!(found[0].kind, Kind::Verdict);
        assert!(matches!(found[0].compared.ours, Outcome::Panicked(_)));
    }

    /// What only makes errors says little about values.
    #[test]
    fn much_of_what_the_grammars_make_is_accepted() {
        for name in targets::NAMES {
            let target = targets::find(name).unwrap();
            let made = (0..1000).map(|index| target.generate(&mut of_case(5, index)));
            let accepted = made.filter(|input| target.ours(input)[0].1.error().is_none()).count();
            assert!((300..900).contains(&accepted), "{name}: {accepted} of 1000 accepted");
        }
    }
}
