use anyhow::Result;
use convoy_conformance::ours::apply::{applied, definition, is_custom};
use convoy_conformance::ours::patch::sorted;
use fastrand::Rng;
use serde_json::{Map, Value};

use super::{Input, Outcomes, Target, case_of, field, request};
use crate::corpus;
use crate::generate;
use crate::oracle::Answer;
use crate::outcome::Outcome;

/// Apply configurations as mutating admission policies merge them: with items of the live object that have the same
/// keys allowed (since 1.35), and refused.
pub(super) struct Apply {
    seeds: Vec<Input>,
}

impl Apply {
    pub(super) fn load() -> Result<Apply> {
        Ok(Apply { seeds: corpus::configurations()? })
    }
}

const DUPLICATES: [&str; 2] = ["allowed", "refused"];

fn value(text: &str) -> Outcome {
    Outcome::value(sorted(text).unwrap_or_else(|| text.to_owned()))
}

/// The words about what is no JSON object, or of an unknown kind, are not ours to say.
fn refused(phase: &str, text: String) -> Outcome {
    let text = if phase == "apply" { text } else { String::new() };
    Outcome::Refused { phase: phase.to_owned(), text, partial: Vec::new() }
}

fn outcome(answer: &Answer) -> Outcome {
    if *answer == Answer::Missing {
        return Outcome::NoAnswer;
    }
    match answer.lossy("result") {
        Some(result) => value(&result),
        None => refused(answer.text("phase").unwrap_or_default(), answer.lossy("error").unwrap_or_default()),
    }
}

impl Target for Apply {
    fn seeds(&self) -> &[Input] {
        &self.seeds
    }

    fn generate(&self, rng: &mut Rng) -> Input {
        generate::apply::apply(rng)
    }

    fn dictionary(&self) -> &'static [&'static str] {
        generate::apply::DICTIONARY
    }

    fn requests(&self, input: &Input) -> Vec<String> {
        let (object, patch) = (&*input.texts[0], &*input.texts[1]);
        let ask = |duplicates| {
            let mut fields = vec![("object", object), ("patch", patch), ("duplicates", duplicates)];
            if is_custom(object) {
                fields.push(("crd", definition()));
            }
            request("apply", &fields)
        };
        DUPLICATES.map(ask).into()
    }

    fn ours(&self, input: &Input) -> Outcomes {
        let ask = |duplicates: &'static str| {
            let outcome = match applied(&input.texts[0], &input.texts[1], duplicates == "allowed") {
                Ok(result) => value(&result),
                Err((phase, text)) => refused(phase, text),
            };
            (duplicates, outcome)
        };
        DUPLICATES.map(ask).into()
    }

    fn theirs(&self, answers: &[Answer]) -> Outcomes {
        DUPLICATES.into_iter().zip(answers.iter().map(outcome)).collect()
    }

    fn case(&self, name: &str, input: &Input, answers: &[Answer], aspect: &str) -> Map<String, Value> {
        let strict = aspect == DUPLICATES[1];
        let answer = &answers[usize::from(strict)];
        case_of(vec![
            ("name", Some(name.into())),
            ("object", Some(input.texts[0].as_str().into())),
            ("patch", Some(input.texts[1].as_str().into())),
            ("duplicates", strict.then(|| "refused".into())),
            ("result", answer.lossy("result").map(Value::from)),
            ("error", field(answer, "error")),
        ])
    }
}
