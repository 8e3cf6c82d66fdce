use std::path::Path;

use convoy_gotemplate::Val;
use convoy_value::json;

use crate::case::Case;
use crate::data;
use crate::figures::Figures;
use crate::ours::template::{missing_key, render};

fn load(case: &Case, folder: &Path) -> Val {
    let data = match case.text("data").and_then(|text| text.strip_prefix('@')) {
        Some(file) => {
            let text = std::fs::read_to_string(folder.join(file)).unwrap_or_default();
            json::parse(&text).map(|node| data::value(&node)).unwrap_or_default()
        }
        None => case.get("data").map(data::value).unwrap_or_default(),
    };
    data::with_string_maps(&data, &case.texts("strmaps"))
}

pub(crate) fn run(case: &Case, folder: &Path, figures: &mut Figures) {
    // The answer of the newer Go is the right one where the two differ.
    let newer = case.object("go1.27.3");
    let want = newer.as_ref().unwrap_or(case);
    let template = case.text("template").unwrap_or("");
    let got = render(template, &load(case, folder), missing_key(case.text("missingkey")));
    let text = String::from_utf8_lossy(&got.output).into_owned();
    match want.text("error") {
        None => {
            figures.compare("verdict", &got.error, &None);
            if got.error.is_none() {
                figures.compare("value", &text.as_str(), &want.text("output").unwrap_or(""));
            }
        }
        Some(wanted) => {
            figures.compare("verdict", &got.error.is_some(), &true);
            if let Some((phase, error)) = got.error {
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
