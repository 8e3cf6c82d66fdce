use anyhow::Result;
use convoy_conformance::ours::patch::{sorted, strategic_merge};
use fastrand::Rng;
use serde_json::{Map, Value};

use super::{Input, Outcomes, Target, case_of, field, request};
use crate::corpus;
use crate::generate;
use crate::oracle::Answer;
use crate::outcome::Outcome;

/// Strategic merge of `k8s.io/apimachinery`. The first text is `apiVersion` and `kind`, with a space between.
pub(super) struct StrategicMerge {
    seeds: Vec<Input>,
}

impl StrategicMerge {
    pub(super) fn load() -> Result<StrategicMerge> {
        let mut seeds = corpus::strategic_patches("strategic-merge.jsonl")?;
        seeds.extend(corpus::strategic_patches("strategic-merge-found.jsonl")?);
        Ok(StrategicMerge { seeds })
    }
}

/// `apiVersion` and `kind`.
fn kind(input: &Input) -> (&str, &str) {
    input.text().split_once(' ').unwrap_or((input.text(), ""))
}

impl Target for StrategicMerge {
    fn seeds(&self) -> &[Input] {
        &self.seeds
    }

    fn generate(&self, rng: &mut Rng) -> Input {
        generate::strategic::strategic_merge(rng)
    }

    fn dictionary(&self) -> &'static [&'static str] {
        generate::strategic::DICTIONARY
    }

    fn requests(&self, input: &Input) -> Vec<String> {
        let (api_version, kind) = kind(input);
        let fields = [
            ("apiVersion", api_version),
            ("kind", kind),
            ("doc", &input.texts[1]),
            ("patch", &input.texts[2]),
        ];
        vec![request("strategic-merge", &fields)]
    }

    fn ours(&self, input: &Input) -> Outcomes {
        let (api_version, kind) = kind(input);
        let result = strategic_merge(api_version, kind, &input.texts[1], &input.texts[2]);
        // A float that is -0 is written as an integer is, so that both sides are read once more.
        vec![("merge", Outcome::of(result.map(|text| sorted(&text).unwrap_or(text))))]
    }

    fn theirs(&self, answers: &[Answer]) -> Outcomes {
        let answer = &answers[0];
        let outcome = if *answer == Answer::Missing {
            Outcome::NoAnswer
        } else if let Some(result) = answer.lossy("result") {
            Outcome::value(sorted(&result).unwrap_or(result))
        } else {
            let panic = answer.lossy("panic").map(|reason| format!("panic: {reason}"));
            Outcome::refused(answer.lossy("error").or(panic).unwrap_or_default())
        };
        vec![("merge", outcome)]
    }

    fn case(&self, name: &str, input: &Input, answers: &[Answer], _: &str) -> Map<String, Value> {
        let answer = &answers[0];
        let panic = answer.lossy("panic").map(|reason| format!("panic: {reason}").into());
        let (api_version, kind) = kind(input);
        case_of(vec![
            ("name", Some(name.into())),
            ("apiVersion", Some(api_version.into())),
            ("kind", Some(kind.into())),
            ("doc", Some(input.texts[1].as_str().into())),
            ("patch", Some(input.texts[2].as_str().into())),
            ("result", answer.lossy("result").map(Value::from)),
            ("error", field(answer, "error").or(panic)),
        ])
    }
}
