use anyhow::{Context, Result};
use convoy_conformance::data;
use convoy_conformance::ours::template::{missing_key, render};
use convoy_gotemplate::Val;
use convoy_value::json;
use fastrand::Rng;
use serde_json::{Map, Value};

use super::{Input, Outcomes, Target, case_of, field};
use crate::corpus;
use crate::generate;
use crate::oracle::Answer;
use crate::outcome::Outcome;

/// The file beside the conformance cases that all templates run over.
const DATA: &str = "wide.json";
/// The members of it that are `map[string]string`.
const STRING_MAPS: &[&str] = &["params", "none"];
/// Each template runs with each of these; they are the aspects of a case.
const MISSING_KEYS: &[&str] = &["default", "zero", "error"];

/// `text/template`.
pub(super) struct Template {
    seeds: Vec<Input>,
    data: Val,
    /// The data as the oracle reads them.
    raw: String,
}

impl Template {
    pub(super) fn load() -> Result<Template> {
        let path = corpus::conformance().join(DATA);
        let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let node = json::parse(&text).with_context(|| DATA.to_owned())?;
        let raw: Value = serde_json::from_str(&text)?;
        Ok(Template {
            seeds: corpus::templates()?,
            data: data::with_string_maps(&data::value(&node), STRING_MAPS),
            raw: raw.to_string(),
        })
    }
}

impl Target for Template {
    fn seeds(&self) -> &[Input] {
        &self.seeds
    }

    fn generate(&self, rng: &mut Rng) -> Input {
        Input::one(generate::template::template(rng))
    }

    fn dictionary(&self) -> &'static [&'static str] {
        generate::template::DICTIONARY
    }

    fn requests(&self, input: &Input) -> Vec<String> {
        let template = Value::from(input.text()).to_string();
        let names = Value::from(STRING_MAPS).to_string();
        let request = |missing_key: &str| {
            format!(
                "{{\"op\":\"template\",\"template\":{template},\"missingkey\":\"{missing_key}\",\"strmaps\":{names},\
                 \"data\":{}}}",
                self.raw
            )
        };
        MISSING_KEYS.iter().map(|name| request(name)).collect()
    }

    fn ours(&self, input: &Input) -> Outcomes {
        let outcome = |name: &'static str| {
            let rendered = render(input.text(), &self.data, missing_key(Some(name)));
            let outcome = match rendered.error {
                None => Outcome::Value(rendered.output),
                Some((phase, text)) => {
                    Outcome::Refused { phase: phase.to_owned(), text, partial: rendered.output }
                }
            };
            (name, outcome)
        };
        MISSING_KEYS.iter().map(|name| outcome(name)).collect()
    }

    fn theirs(&self, answers: &[Answer]) -> Outcomes {
        MISSING_KEYS.iter().zip(answers).map(|(name, answer)| (*name, outcome(answer))).collect()
    }

    fn case(&self, name: &str, input: &Input, answers: &[Answer], aspect: &str) -> Map<String, Value> {
        let option = MISSING_KEYS.iter().position(|name| *name == aspect).unwrap_or(0);
        let answer = &answers[option];
        case_of(vec![
            ("id", Some(name.into())),
            ("class", Some("differential".into())),
            ("template", Some(input.text().into())),
            ("data", Some(format!("@{DATA}").into())),
            ("strmaps", Some(STRING_MAPS.into())),
            ("missingkey", Some(MISSING_KEYS[option].into())),
            // The conformance runner reads our bytes as text before it compares.
            ("output", answer.lossy("output").map(Value::from)),
            ("error", answer.lossy("error").map(Value::from)),
            ("phase", field(answer, "phase")),
            ("partial", answer.lossy("partial").map(Value::from)),
        ])
    }
}

fn outcome(answer: &Answer) -> Outcome {
    if *answer == Answer::Missing {
        return Outcome::NoAnswer;
    }
    if let Some(output) = answer.bytes("output") {
        return Outcome::Value(output);
    }
    let phase = answer.text("phase").unwrap_or("panic").to_owned();
    let text = answer.lossy("error").or(answer.lossy("panic")).unwrap_or_default();
    Outcome::Refused { phase, text, partial: answer.bytes("partial").unwrap_or_default() }
}
