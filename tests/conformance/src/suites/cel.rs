use std::path::Path;

use crate::case::Case;
use crate::figures::Figures;
use crate::ours::cel::{Setting, text};

/// How cel-go begins the error of a panic that it caught.
const PANIC: &str = "internal error: ";

pub(crate) fn run(case: &Case, folder: &Path, figures: &mut Figures) {
    let setting = match Setting::of_case(case, folder) {
        Ok(setting) => setting,
        Err(error) => {
            figures.compare("verdict", &error.as_str(), &"a case");
            return;
        }
    };
    let got = setting.ask(case.text("expr").unwrap_or(""));
    let Some(want) = case.object("cel_go") else {
        figures.compare("verdict", &"no answer", &"cel_go");
        return;
    };
    let wanted = want.text("err").map(|text| text.split_once(": ").unwrap_or(("", text)));
    let phase = got.error.as_ref().map(|(phase, _)| *phase);
    figures.compare("verdict", &phase, &wanted.map(|(phase, _)| phase));
    match (&got.error, wanted) {
        (Some((phase, text)), Some((wanted_phase, wanted))) if *phase == wanted_phase => {
            // A panic of the library is caught by it; the words are those of the Go runtime.
            let panicked = text.starts_with(PANIC) && wanted.starts_with(PANIC);
            figures.compare("text", &text.as_str(), &if panicked { text } else { wanted });
        }
        (Some((_, text)), None) => figures.compare("value", &text.as_str(), &"no error"),
        _ => {}
    }
    if let (Some(got), Some(want)) = (&got.out, want.get("out")) {
        figures.compare("value", got, &text::canonical(want));
    }
    if let (Some(got), Some(want)) = (&got.ty, want.text("type")) {
        figures.compare("type", &got.as_str(), &want);
    }
    if let (Some(got), Some(want)) = (got.cost, want.get("cost")) {
        figures.compare("cost", &format!("\"{got}\""), &text::canonical(want));
    }
}
