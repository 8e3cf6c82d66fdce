use std::path::Path;

use anyhow::{Context, Result};
use convoy_conformance::Case;
use convoy_conformance::ours::cel::{Answer as Ours, Setting, canonical};
use fastrand::Rng;
use serde_json::{Map, Value};

use super::{Input, Outcomes, Target, case_of, field};
use crate::corpus;
use crate::generate;
use crate::oracle::Answer;
use crate::outcome::Outcome;

/// The file with the variables of all expressions, without its ending.
const ENV: &str = "kube";
/// The aspects of an expression that was checked, then of one that was only parsed.
const ASPECTS: [&str; 5] = ["run", "type", "cost", "unchecked", "unchecked-cost"];

/// cel-go.
pub(super) struct Cel {
    seeds: Vec<Input>,
    checked: Setting,
    unchecked: Setting,
    /// The variables as the oracle reads them, between commas.
    raw: String,
}

impl Cel {
    pub(super) fn load() -> Result<Cel> {
        let folder = corpus::conformance().join("cel");
        let path = folder.join(format!("{ENV}.json"));
        let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let raw: Map<String, Value> = serde_json::from_str(&text)?;
        let raw: Vec<String> =
            raw.iter().map(|(name, value)| format!("{}:{value}", Value::from(name.as_str()))).collect();
        Ok(Cel {
            seeds: corpus::expressions()?,
            checked: setting(&folder, false)?,
            unchecked: setting(&folder, true)?,
            raw: raw.join(","),
        })
    }
}

fn setting(folder: &Path, disable_check: bool) -> Result<Setting> {
    let case = Case::parse(&format!("{{\"env\":\"{ENV}\",\"disable_check\":{disable_check}}}"))?;
    Setting::of_case(&case, folder).map_err(anyhow::Error::msg)
}

impl Target for Cel {
    fn seeds(&self) -> &[Input] {
        &self.seeds
    }

    fn generate(&self, rng: &mut Rng) -> Input {
        Input::one(generate::cel::expression(rng))
    }

    fn dictionary(&self) -> &'static [&'static str] {
        generate::cel::DICTIONARY
    }

    fn requests(&self, input: &Input) -> Vec<String> {
        let expression = Value::from(input.text());
        let request = |disable_check: bool| {
            format!("{{\"op\":\"cel\",\"expr\":{expression},\"disable_check\":{disable_check},{}}}", self.raw)
        };
        vec![request(false), request(true)]
    }

    fn ours(&self, input: &Input) -> Outcomes {
        let checked = self.checked.ask(input.text());
        let unchecked = self.unchecked.ask(input.text());
        let ty = checked.ty.clone().map_or(Outcome::Open, Outcome::value);
        let outcomes = [outcome(&checked), ty, cost(&checked), outcome(&unchecked), cost(&unchecked)];
        ASPECTS.into_iter().zip(outcomes).collect()
    }

    fn theirs(&self, answers: &[Answer]) -> Outcomes {
        let [checked, unchecked] = answers else { return Vec::new() };
        let ty = checked.text("type").map_or(Outcome::Open, Outcome::value);
        let outcomes = [theirs(checked), ty, their_cost(checked), theirs(unchecked), their_cost(unchecked)];
        ASPECTS.into_iter().zip(outcomes).collect()
    }

    fn case(&self, name: &str, input: &Input, answers: &[Answer], aspect: &str) -> Map<String, Value> {
        let unchecked = aspect.starts_with("unchecked");
        let answer = &answers[usize::from(unchecked)];
        let mut fields = Map::new();
        for name in ["cost", "err", "out", "type"] {
            let value = field(answer, name);
            // A cost may be larger than the integers that some readers of JSON know.
            let value = value.map(|value| if value.is_number() { value.to_string().into() } else { value });
            fields.extend(value.map(|value| (name.to_owned(), value)));
        }
        case_of(vec![
            ("id", Some(name.into())),
            ("env", Some(ENV.into())),
            ("expr", Some(input.text().into())),
            ("disable_check", unchecked.then_some(true.into())),
            ("cel_go", Some(fields.into())),
        ])
    }
}

fn refused(phase: &str, text: String) -> Outcome {
    Outcome::Refused { phase: phase.to_owned(), text, partial: Vec::new() }
}

fn outcome(answer: &Ours) -> Outcome {
    match (&answer.error, &answer.out) {
        (Some((phase, text)), _) if answer.limit => refused(phase, format!("{text} (a limit of convoy-lsp)")),
        (Some((phase, text)), _) => refused(phase, text.clone()),
        (None, Some(out)) => Outcome::value(out.as_str()),
        // The value is too large to be compared.
        (None, None) => Outcome::Open,
    }
}

fn cost(answer: &Ours) -> Outcome {
    match answer.cost {
        Some(cost) if !answer.limit => Outcome::value(cost.to_string()),
        _ => Outcome::Open,
    }
}

fn theirs(answer: &Answer) -> Outcome {
    if *answer == Answer::Missing {
        return Outcome::NoAnswer;
    }
    if let Some(panic) = answer.lossy("panic") {
        return refused("panic", panic);
    }
    if let Some(error) = answer.lossy("err") {
        let (phase, text) = error.split_once(": ").unwrap_or(("", &error));
        return refused(phase, text.to_owned());
    }
    match field(answer, "out").map(|out| canonical(&out.to_string())) {
        Some(Ok(out)) => Outcome::value(out),
        _ => Outcome::Open,
    }
}

fn their_cost(answer: &Answer) -> Outcome {
    match answer {
        Answer::Missing => Outcome::NoAnswer,
        Answer::Fields(_) => {
            field(answer, "cost").map_or(Outcome::Open, |cost| Outcome::value(cost.to_string()))
        }
    }
}
