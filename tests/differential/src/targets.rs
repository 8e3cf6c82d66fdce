//! What can be compared: how inputs are made, what Go is asked, and what ours is held against.

mod apply;
mod cel;
mod patch;
mod strategic;
mod template;
mod yaml;

use anyhow::{Result, bail};
use fastrand::Rng;
use serde_json::{Map, Value};

use crate::oracle::Answer;
use crate::outcome::{Compared, Outcome};

/// What both sides read: one text, or a document and a patch.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Input {
    pub(crate) texts: Vec<String>,
}

impl Input {
    pub(crate) fn one(text: impl Into<String>) -> Input {
        Input { texts: vec![text.into()] }
    }

    pub(crate) fn text(&self) -> &str {
        &self.texts[0]
    }

    pub(crate) fn len(&self) -> usize {
        self.texts.iter().map(String::len).sum()
    }
}

/// The outcome of each aspect, in an order that is the same on both sides.
pub(crate) type Outcomes = Vec<(&'static str, Outcome)>;

/// One thing that is compared.
pub(crate) trait Target {
    /// Inputs of the committed corpora.
    fn seeds(&self) -> &[Input];
    /// An input by the grammar.
    fn generate(&self, rng: &mut Rng) -> Input;
    /// What stands in such inputs, to be put in at random.
    fn dictionary(&self) -> &'static [&'static str];
    /// The requests about an input, always as many.
    fn requests(&self, input: &Input) -> Vec<String>;
    /// What our engine does.
    fn ours(&self, input: &Input) -> Outcomes;
    /// What the answers to [`Self::requests`] say, in the aspects of [`Self::ours`].
    fn theirs(&self, answers: &[Answer]) -> Outcomes;
    /// A case of the conformance suites with Go's answers; `aspect` is the one that differed.
    fn case(&self, name: &str, input: &Input, answers: &[Answer], aspect: &str) -> Map<String, Value>;
}

pub(crate) const NAMES: &[&str] = &[
    "yaml",
    "yaml3",
    "template",
    "json-patch",
    "json-patch-v4",
    "merge-patch",
    "strategic-merge",
    "apply",
    "cel",
];

pub(crate) fn find(name: &str) -> Result<Box<dyn Target>> {
    Ok(match name {
        "yaml" => Box::new(yaml::V2::load()?),
        "yaml3" => Box::new(yaml::V3::load()?),
        "template" => Box::new(template::Template::load()?),
        "json-patch" => Box::new(patch::JsonPatch::load()?),
        "json-patch-v4" => Box::new(patch::JsonPatchV4::load()?),
        "merge-patch" => Box::new(patch::MergePatch::load()?),
        "apply" => Box::new(apply::Apply::load()?),
        "strategic-merge" => Box::new(strategic::StrategicMerge::load()?),
        "cel" => Box::new(cel::Cel::load()?),
        _ => bail!("unknown target {name}; there are {}", NAMES.join(", ")),
    })
}

/// Both sides next to each other.
pub(crate) fn compared(ours: Outcomes, theirs: Outcomes) -> Vec<Compared> {
    ours.into_iter()
        .zip(theirs)
        .map(|((aspect, ours), (_, theirs))| Compared { aspect, ours, theirs })
        .collect()
}

/// A request as the oracle reads it.
fn request(op: &str, fields: &[(&str, &str)]) -> String {
    let mut map = Map::new();
    map.insert("op".to_owned(), op.into());
    for (name, text) in fields {
        map.insert((*name).to_owned(), (*text).into());
    }
    Value::Object(map).to_string()
}

/// The fields of a case in the order given, without those that Go did not answer.
fn case_of(fields: Vec<(&str, Option<Value>)>) -> Map<String, Value> {
    fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
}

fn field(answer: &Answer, name: &str) -> Option<Value> {
    match answer {
        Answer::Fields(fields) => fields.get(name).cloned(),
        Answer::Missing => None,
    }
}
