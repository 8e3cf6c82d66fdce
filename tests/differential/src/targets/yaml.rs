use anyhow::Result;
use convoy_conformance::ours::yaml::{stream, to_json, tree};
use convoy_yaml::{Flavour, Options};
use fastrand::Rng;
use serde_json::{Map, Value};

use super::{Input, Outcomes, Target, case_of, field, request};
use crate::corpus;
use crate::generate;
use crate::oracle::Answer;
use crate::outcome::Outcome;

/// `sigs.k8s.io/yaml`, and the yaml.v2 below it over the whole stream.
pub(super) struct V2 {
    seeds: Vec<Input>,
}

impl V2 {
    pub(super) fn load() -> Result<V2> {
        Ok(V2 { seeds: corpus::yaml()? })
    }
}

/// An answer that is either in the one field or refused with the text of the other.
fn outcome(answer: &Answer, value: &str, error: &str) -> Outcome {
    if *answer == Answer::Missing {
        return Outcome::NoAnswer;
    }
    if let Some(reason) = answer.lossy("panic") {
        return Outcome::refused(format!("panic: {reason}"));
    }
    if let Some(text) = answer.lossy(error) {
        return Outcome::refused(text);
    }
    answer.lossy(value).map_or(Outcome::Open, Outcome::value)
}

impl Target for V2 {
    fn seeds(&self) -> &[Input] {
        &self.seeds
    }

    fn generate(&self, rng: &mut Rng) -> Input {
        Input::one(generate::yaml::stream(rng))
    }

    fn dictionary(&self) -> &'static [&'static str] {
        generate::yaml::DICTIONARY
    }

    fn requests(&self, input: &Input) -> Vec<String> {
        ["yaml-json", "yaml2"].map(|op| request(op, &[("yaml", input.text())])).to_vec()
    }

    fn ours(&self, input: &Input) -> Outcomes {
        let tree = tree(input.text(), Flavour::V2);
        let strict = Options { strict: true, ..Options::default() };
        let stream = stream(&tree, Options::default());
        let refused = |error: Option<String>| error.map_or(Outcome::Open, Outcome::refused);
        vec![
            ("json", Outcome::of(to_json(&tree, Options::default()))),
            ("strict", Outcome::of(to_json(&tree, strict))),
            ("yaml2", refused(stream.first_error)),
            ("stream", refused(stream.all_error)),
            ("documents", Outcome::value(stream.documents.to_string())),
        ]
    }

    fn theirs(&self, answers: &[Answer]) -> Outcomes {
        let (json, yaml2) = (&answers[0], &answers[1]);
        let documents =
            field(yaml2, "documents").map_or(Outcome::Open, |count| Outcome::value(count.to_string()));
        vec![
            ("json", outcome(json, "json", "error")),
            ("strict", outcome(json, "strict_json", "strict_error")),
            ("yaml2", outcome(yaml2, "-", "error")),
            ("stream", outcome(yaml2, "-", "all_error")),
            ("documents", documents),
        ]
    }

    fn case(&self, name: &str, input: &Input, answers: &[Answer], _: &str) -> Map<String, Value> {
        let (json, yaml2) = (&answers[0], &answers[1]);
        case_of(vec![
            ("name", Some(name.into())),
            ("yaml", Some(input.text().into())),
            ("json", field(json, "json")),
            ("error", field(json, "error")),
            ("strict_json", field(json, "strict_json")),
            ("strict_error", field(json, "strict_error")),
            ("documents", field(yaml2, "documents")),
            ("all_error", field(yaml2, "all_error")),
        ])
    }
}

/// `gopkg.in/yaml.v3`.
pub(super) struct V3 {
    seeds: Vec<Input>,
}

impl V3 {
    pub(super) fn load() -> Result<V3> {
        Ok(V3 { seeds: corpus::yaml()? })
    }
}

impl Target for V3 {
    fn seeds(&self) -> &[Input] {
        &self.seeds
    }

    fn generate(&self, rng: &mut Rng) -> Input {
        Input::one(generate::yaml::stream(rng))
    }

    fn dictionary(&self) -> &'static [&'static str] {
        generate::yaml::DICTIONARY
    }

    fn requests(&self, input: &Input) -> Vec<String> {
        vec![request("yaml3", &[("yaml", input.text())])]
    }

    fn ours(&self, input: &Input) -> Outcomes {
        let tree = tree(input.text(), Flavour::V3);
        let options = Options { flavour: Flavour::V3, strict: false };
        let outcome = match to_json(&tree, options) {
            // The text of our crate for what has no JSON is that of another library: yaml.v3 reads it.
            Err(text) if stream(&tree, options).first_error.as_ref() != Some(&text) => Outcome::Open,
            result => Outcome::of(result),
        };
        vec![("yaml3", outcome)]
    }

    fn theirs(&self, answers: &[Answer]) -> Outcomes {
        vec![("yaml3", outcome(&answers[0], "json", "error"))]
    }

    fn case(&self, name: &str, input: &Input, answers: &[Answer], _: &str) -> Map<String, Value> {
        case_of(vec![
            ("name", Some(name.into())),
            ("yaml", Some(input.text().into())),
            ("json", field(&answers[0], "json")),
            ("error", field(&answers[0], "error")),
            ("ok", field(&answers[0], "ok").filter(|_| field(&answers[0], "json").is_none())),
        ])
    }
}
