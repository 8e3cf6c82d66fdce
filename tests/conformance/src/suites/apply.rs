use std::path::Path;

use crate::case::Case;
use crate::figures::Figures;
use crate::ours::apply::applied;
use crate::ours::patch::sorted;

/// Apply configurations of mutating admission policies.
pub(crate) fn run(case: &Case, _: &Path, figures: &mut Figures) {
    let (object, patch) = (case.text("object").unwrap_or(""), case.text("patch").unwrap_or(""));
    let got = applied(object, patch, case.text("duplicates") != Some("refused"));
    let want = case.text("result");
    figures.compare("verdict", &got.is_ok(), &want.is_some());
    match (got, want) {
        (Ok(got), Some(want)) => figures.compare("value", &sorted(&got), &sorted(want)),
        (Err((_, got)), None) => {
            figures.compare("text", &got.as_str(), &case.text("error").unwrap_or(""));
        }
        _ => {}
    }
}
