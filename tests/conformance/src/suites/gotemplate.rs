use std::path::Path;
use std::sync::Arc;

use convoy_gotemplate::{Functions, MissingKey, Options, Val, execute, parse};
use convoy_value::Value;
use serde_json::Value as Json;

use super::data;
use crate::figures::Figures;

fn load(case: &Json, folder: &Path) -> Val {
    let spec = &case["data"];
    let json = match spec.as_str().and_then(|text| text.strip_prefix('@')) {
        Some(file) => {
            let text = std::fs::read_to_string(folder.join(file)).unwrap_or_default();
            serde_json::from_str(&text).unwrap_or_default()
        }
        None => spec.clone(),
    };
    let strmaps: Vec<&str> =
        case["strmaps"].as_array().into_iter().flatten().filter_map(Json::as_str).collect();
    let Value::Map(map) = data::value(&json) else { return Val::from_value(&data::value(&json)) };
    let typed = map.iter().map(|(key, value)| match value {
        Value::Map(inner) if strmaps.contains(&&**key) => (key.clone(), Value::StringMap(inner.clone())),
        value => (key.clone(), value.clone()),
    });
    Val::Map(Arc::new(typed.collect()))
}

pub(crate) fn run(case: &Json, folder: &Path, figures: &mut Figures) {
    // The answer of the newer Go is the right one where the two differ.
    let want = if case["go1.27.3"].is_object() { &case["go1.27.3"] } else { case };
    let missing_key = match case["missingkey"].as_str() {
        Some("zero") => MissingKey::Zero,
        Some("error") => MissingKey::Error,
        _ => MissingKey::Default,
    };
    let functions = Functions::builtin();
    let name = case["template_name"].as_str().unwrap_or("t");
    let template = parse(name, case["template"].as_str().unwrap_or(""), &|name| functions.contains(name));
    let parse_error = template.errors.first().map(|error| error.message.clone());
    let mut output = convoy_gotemplate::Output::default();
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
    match want["error"].as_str() {
        None => {
            figures.compare("verdict", &error, &None);
            if error.is_none() {
                figures.compare("value", &text.as_str(), &want["output"].as_str().unwrap_or(""));
            }
        }
        Some(wanted) => {
            figures.compare("verdict", &error.is_some(), &true);
            if let Some(error) = error {
                figures.compare("text", &error.as_str(), &wanted);
                if let Some(wanted) = want["phase"].as_str() {
                    figures.compare("phase", &phase, &wanted);
                }
                if let Some(partial) = want["partial"].as_str() {
                    figures.compare("value", &text.as_str(), &partial);
                }
            }
        }
    }
}
