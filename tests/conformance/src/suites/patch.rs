use std::path::Path;

use convoy_patch::{Document, json_patch, merge_patch};
use serde_json::Value as Json;

use crate::figures::Figures;

fn check(case: &Json, got: Result<String, String>, figures: &mut Figures) {
    let want = case["result"].as_str();
    figures.compare("verdict", &got.is_ok(), &want.is_some());
    match (got, want) {
        (Ok(got), Some(want)) => {
            // The library keeps the escapes that a string was written with; both sides are read here.
            let read = |text: &str| Document::parse(text).map_or_else(|_| text.to_owned(), |d| d.to_string());
            if case["unordered"].as_bool() == Some(true) {
                let sorted = |text: &str| serde_json::from_str::<Json>(text).ok();
                figures.compare("value", &sorted(&got), &sorted(want));
            } else {
                figures.compare("value", &read(&got), &read(want));
            }
        }
        (Err(got), None) => figures.compare("text", &got.as_str(), &case["error"].as_str().unwrap_or("")),
        _ => {}
    }
}

pub(crate) fn json(case: &Json, _: &Path, figures: &mut Figures) {
    let (doc, patch) = (case["doc"].as_str().unwrap_or(""), case["patch"].as_str().unwrap_or(""));
    let got = json_patch::decode(patch)
        .map_err(|error| error.message)
        .and_then(|patch| json_patch::apply_text(&patch, doc).map_err(|error| error.message));
    check(case, got, figures);
}

pub(crate) fn merge(case: &Json, _: &Path, figures: &mut Figures) {
    let (doc, patch) = (case["doc"].as_str().unwrap_or(""), case["patch"].as_str().unwrap_or(""));
    check(case, merge_patch::merge_texts(doc, patch).map(|document| document.to_string()), figures);
}
