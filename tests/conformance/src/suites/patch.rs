use std::path::Path;

use convoy_patch::{Document, json_patch, merge_patch};
use convoy_value::json::{self, KeyOrder};

use crate::case::Case;
use crate::figures::Figures;

fn check(case: &Case, got: Result<String, String>, figures: &mut Figures) {
    let want = case.text("result");
    figures.compare("verdict", &got.is_ok(), &want.is_some());
    match (got, want) {
        (Ok(got), Some(want)) => {
            // The library keeps the escapes that a string was written with; both sides are read here.
            let read = |text: &str| Document::parse(text).map_or_else(|_| text.to_owned(), |d| d.to_string());
            if case.is_set("unordered") {
                let sorted = |text: &str| {
                    let value = Document::parse(text).map(|document| document.to_value());
                    value.ok().and_then(|value| json::write(&value, KeyOrder::Sorted).ok())
                };
                figures.compare("value", &sorted(&got), &sorted(want));
            } else {
                figures.compare("value", &read(&got), &read(want));
            }
        }
        (Err(got), None) => figures.compare("text", &got.as_str(), &case.text("error").unwrap_or("")),
        _ => {}
    }
}

pub(crate) fn json_patches(case: &Case, _: &Path, figures: &mut Figures) {
    let (doc, patch) = (case.text("doc").unwrap_or(""), case.text("patch").unwrap_or(""));
    let got = json_patch::decode(patch)
        .map_err(|error| error.message)
        .and_then(|patch| json_patch::apply_text(&patch, doc).map_err(|error| error.message));
    check(case, got, figures);
}

pub(crate) fn merge_patches(case: &Case, _: &Path, figures: &mut Figures) {
    let (doc, patch) = (case.text("doc").unwrap_or(""), case.text("patch").unwrap_or(""));
    check(case, merge_patch::merge_texts(doc, patch).map(|document| document.to_string()), figures);
}
