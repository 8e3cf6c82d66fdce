use std::path::Path;

use crate::case::Case;
use crate::figures::Figures;
use crate::ours::patch::{json_patch, merge_patch, rewritten, sorted};

fn check(case: &Case, got: Result<String, String>, figures: &mut Figures) {
    let want = case.text("result");
    figures.compare("verdict", &got.is_ok(), &want.is_some());
    match (got, want) {
        (Ok(got), Some(want)) => {
            if case.is_set("unordered") {
                figures.compare("value", &sorted(&got), &sorted(want));
            } else {
                figures.compare("value", &rewritten(&got), &rewritten(want));
            }
        }
        (Err(got), None) => figures.compare("text", &got.as_str(), &case.text("error").unwrap_or("")),
        _ => {}
    }
}

pub(crate) fn json_patches(case: &Case, _: &Path, figures: &mut Figures) {
    let (doc, patch) = (case.text("doc").unwrap_or(""), case.text("patch").unwrap_or(""));
    let got = json_patch(doc, patch).map_err(|(_, text)| text);
    check(case, got, figures);
}

pub(crate) fn merge_patches(case: &Case, _: &Path, figures: &mut Figures) {
    let (doc, patch) = (case.text("doc").unwrap_or(""), case.text("patch").unwrap_or(""));
    check(case, merge_patch(doc, patch), figures);
}
