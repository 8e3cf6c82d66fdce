use std::path::Path;
use std::sync::Arc;

use convoy_gotemplate::{Functions, MissingKey, Options, Output, Val, execute, parse};
use convoy_value::{Value, json};

use super::data;
use crate::case::Case;
use crate::figures::Figures;

fn load(case: &Case, folder: &Path) -> Val {
    let data = match case.text("data").and_then(|text| text.strip_prefix('@')) {
        Some(file) => {
            let text = std::fs::read_to_string(folder.join(file)).unwrap_or_default();
            json::parse(&text).map(|node| data::value(&node)).unwrap_or_default()
        }
        None => case.get("data").map(data::value).unwrap_or_default(),
    };
    let strmaps = case.texts("strmaps");
    let Value::Map(map) = &data else { return Val::from_value(&data) };
    let typed = map.iter().map(|(key, value)| match value {
        Value::Map(inner) if strmaps.contains(&&**key) => (key.clone(), Value::StringMap(inner.clone())),
        value => (key.clone(), value.clone()),
    });
    Val::Map(Arc::new(typed.collect()))
}

pub(crate) fn run(case: &Case, folder: &Path, figures: &mut Figures) {
    // The answer of the newer Go is the right one where the two differ.
    let newer = case.object("go1.27.3");
    let want = newer.as_ref().unwrap_or(case);
    let missing_key = match case.text("missingkey") {
        Some("zero") => MissingKey::Zero,
        Some("error") => MissingKey::Error,
        _ => MissingKey::Default,
    };
    let functions = Functions::builtin();
    let template = parse("t", case.text("template").unwrap_or(""), &|name| functions.contains(name));
    let parse_error = template.errors.first().map(|error| error.message.clone());
    let mut output = Output::default();
    if parse_error.is_none() {
        output = execute(
            &template,
            &functions,
            &load(case, folder),
            &Options { missing_key, ..Options::default() },
        );
    }
    let phase = if parse_error.is_some() { "parse" } else { "exec" };
    let error = parse_error.or(output.error.map(|error| error.message));
    let text = String::from_utf8_lossy(&output.bytes).into_owned();
    match want.text("error") {
        None => {
            figures.compare("verdict", &error, &None);
            if error.is_none() {
                figures.compare("value", &text.as_str(), &want.text("output").unwrap_or(""));
            }
        }
        Some(wanted) => {
            figures.compare("verdict", &error.is_some(), &true);
            if let Some(error) = error {
                figures.compare("text", &error.as_str(), &wanted);
                if let Some(wanted) = want.text("phase") {
                    figures.compare("phase", &phase, &wanted);
                }
                if let Some(partial) = want.text("partial") {
                    figures.compare("value", &text.as_str(), &partial);
                }
            }
        }
    }
}
