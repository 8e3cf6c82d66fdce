use std::path::Path;

use convoy_value::json::{self, KeyOrder};

use crate::case::Case;
use crate::figures::Figures;

/// The verdict and the text of `encoding/json`; the value written again where there is one.
pub(crate) fn texts(case: &Case, _: &Path, figures: &mut Figures) {
    let got = json::parse(case.text("text").unwrap_or(""));
    figures.compare("verdict", &got.is_ok(), &case.text("json").is_some());
    match got {
        Ok(node) => {
            let written = json::write(&node.to_value(), KeyOrder::Sorted).unwrap_or_default();
            figures.compare("value", &written.as_str(), &case.text("json").unwrap_or(""));
        }
        Err(error) => {
            figures.compare("text", &error.message.as_str(), &case.text("error").unwrap_or(""));
        }
    }
}
