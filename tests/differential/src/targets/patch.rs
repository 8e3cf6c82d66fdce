use anyhow::Result;
use convoy_conformance::ours::patch::{json_patch, json_patch_v4, merge_patch, ordered, rewritten};
use fastrand::Rng;
use serde_json::{Map, Value};

use super::{Input, Outcomes, Target, case_of, field, request};
use crate::corpus;
use crate::generate;
use crate::oracle::Answer;
use crate::outcome::Outcome;

/// RFC 6902 of evanphx/json-patch version 5.
pub(super) struct JsonPatch {
    seeds: Vec<Input>,
}

impl JsonPatch {
    pub(super) fn load() -> Result<JsonPatch> {
        Ok(JsonPatch { seeds: corpus::patches("json-patch.jsonl")? })
    }
}

/// RFC 6902 of version 4, over objects of Kubernetes as well.
pub(super) struct JsonPatchV4 {
    seeds: Vec<Input>,
}

impl JsonPatchV4 {
    pub(super) fn load() -> Result<JsonPatchV4> {
        Ok(JsonPatchV4 { seeds: corpus::patches("json-patch-v4.jsonl")? })
    }
}

/// RFC 7386 of version 5.
pub(super) struct MergePatch {
    seeds: Vec<Input>,
}

impl MergePatch {
    pub(super) fn load() -> Result<MergePatch> {
        Ok(MergePatch { seeds: corpus::patches("merge-patch.jsonl")? })
    }
}

fn requests(op: &str, input: &Input) -> Vec<String> {
    vec![request(op, &[("doc", &input.texts[0]), ("patch", &input.texts[1])])]
}

fn outcome(answer: &Answer) -> Outcome {
    if *answer == Answer::Missing {
        return Outcome::NoAnswer;
    }
    if let Some(result) = answer.lossy("result") {
        return Outcome::value(rewritten(&result));
    }
    let panic = answer.lossy("panic").map(|reason| format!("panic: {reason}"));
    Outcome::Refused {
        phase: answer.text("phase").unwrap_or_default().to_owned(),
        text: answer.lossy("error").or(panic).unwrap_or_default(),
        partial: Vec::new(),
    }
}

fn case(name: &str, input: &Input, answer: &Answer) -> Map<String, Value> {
    let panic = answer.lossy("panic").map(|reason| format!("panic: {reason}").into());
    case_of(vec![
        ("name", Some(name.into())),
        ("doc", Some(input.texts[0].as_str().into())),
        ("patch", Some(input.texts[1].as_str().into())),
        ("result", answer.lossy("result").map(Value::from)),
        ("error", field(answer, "error").or(panic)),
        ("phase", field(answer, "phase")),
    ])
}

impl Target for JsonPatch {
    fn seeds(&self) -> &[Input] {
        &self.seeds
    }

    fn generate(&self, rng: &mut Rng) -> Input {
        generate::patch::json_patch(rng)
    }

    fn dictionary(&self) -> &'static [&'static str] {
        generate::patch::DICTIONARY
    }

    fn requests(&self, input: &Input) -> Vec<String> {
        requests("json-patch", input)
    }

    fn ours(&self, input: &Input) -> Outcomes {
        let outcome = match json_patch(&input.texts[0], &input.texts[1]) {
            Ok(result) => Outcome::value(rewritten(&result)),
            Err((phase, text)) => Outcome::Refused { phase: phase.to_owned(), text, partial: Vec::new() },
        };
        vec![("patch", outcome)]
    }

    fn theirs(&self, answers: &[Answer]) -> Outcomes {
        vec![("patch", outcome(&answers[0]))]
    }

    fn case(&self, name: &str, input: &Input, answers: &[Answer], _: &str) -> Map<String, Value> {
        case(name, input, &answers[0])
    }
}

impl Target for JsonPatchV4 {
    fn seeds(&self) -> &[Input] {
        &self.seeds
    }

    fn generate(&self, rng: &mut Rng) -> Input {
        generate::patch::of_object(rng)
    }

    fn dictionary(&self) -> &'static [&'static str] {
        generate::patch::DICTIONARY
    }

    fn requests(&self, input: &Input) -> Vec<String> {
        let fields = [("flavour", "v4"), ("doc", &input.texts[0]), ("patch", &input.texts[1])];
        vec![request("json-patch", &fields)]
    }

    fn ours(&self, input: &Input) -> Outcomes {
        let outcome = match json_patch_v4(&input.texts[0], &input.texts[1]) {
            Ok(result) => Outcome::value(ordered(&result)),
            Err((phase, text)) => Outcome::Refused { phase: phase.to_owned(), text, partial: Vec::new() },
        };
        vec![("patch", outcome)]
    }

    fn theirs(&self, answers: &[Answer]) -> Outcomes {
        let outcome = match outcome(&answers[0]) {
            Outcome::Value(result) => Outcome::value(ordered(&String::from_utf8_lossy(&result))),
            other => other,
        };
        vec![("patch", outcome)]
    }

    fn case(&self, name: &str, input: &Input, answers: &[Answer], _: &str) -> Map<String, Value> {
        case(name, input, &answers[0])
    }
}

impl Target for MergePatch {
    fn seeds(&self) -> &[Input] {
        &self.seeds
    }

    fn generate(&self, rng: &mut Rng) -> Input {
        generate::patch::merge_patch(rng)
    }

    fn dictionary(&self) -> &'static [&'static str] {
        generate::patch::DICTIONARY
    }

    fn requests(&self, input: &Input) -> Vec<String> {
        requests("merge-patch", input)
    }

    fn ours(&self, input: &Input) -> Outcomes {
        let result = merge_patch(&input.texts[0], &input.texts[1]);
        vec![("patch", Outcome::of(result.map(|result| rewritten(&result))))]
    }

    fn theirs(&self, answers: &[Answer]) -> Outcomes {
        vec![("patch", outcome(&answers[0]))]
    }

    fn case(&self, name: &str, input: &Input, answers: &[Answer], _: &str) -> Map<String, Value> {
        case(name, input, &answers[0])
    }
}
