use std::path::Path;

use crate::case::Case;
use crate::figures::Figures;
use crate::ours::patch::{
    json_patch, json_patch_v4, merge_patch, ordered, rewritten, sorted, strategic_merge,
};

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

pub(crate) fn json_patches_v4(case: &Case, _: &Path, figures: &mut Figures) {
    let (doc, patch) = (case.text("doc").unwrap_or(""), case.text("patch").unwrap_or(""));
    let (got, want) = (json_patch_v4(doc, patch), case.text("result"));
    figures.compare("verdict", &got.is_ok(), &want.is_some());
    match (got, want) {
        (Ok(got), Some(want)) => figures.compare("value", &ordered(&got), &ordered(want)),
        (Err((_, got)), None) => figures.compare("text", &got.as_str(), &case.text("error").unwrap_or("")),
        _ => {}
    }
}

pub(crate) fn merge_patches(case: &Case, _: &Path, figures: &mut Figures) {
    let (doc, patch) = (case.text("doc").unwrap_or(""), case.text("patch").unwrap_or(""));
    check(case, merge_patch(doc, patch), figures);
}

pub(crate) fn strategic_merges(case: &Case, _: &Path, figures: &mut Figures) {
    let text = |field| case.text(field).unwrap_or("");
    let got = strategic_merge(text("apiVersion"), text("kind"), text("doc"), text("patch"));
    // Where chance decides in Go, the case has all of its answers.
    let any = case.objects("any");
    let one = any.iter().find(|answer| match (&got, answer.text("result")) {
        (Ok(got), Some(want)) => sorted(want) == sorted(got),
        (Err(got), None) => answer.text("error") == Some(got),
        _ => false,
    });
    let case = one.or(any.first()).unwrap_or(case);
    let want = case.text("result");
    figures.compare("verdict", &got.is_ok(), &want.is_some());
    match (got, want) {
        (Ok(got), Some(want)) => figures.compare("value", &sorted(&got), &sorted(want)),
        (Err(got), None) => figures.compare("text", &got.as_str(), &case.text("error").unwrap_or("")),
        _ => {}
    }
}
