mod data;
mod gotemplate;
mod json;
mod patch;
mod yaml;

use std::path::Path;

use crate::case::Case;
use crate::figures::Figures;

/// Runs one case; the folder is where the case's file stands.
pub(crate) type Suite = fn(&Case, &Path, &mut Figures);

const SUITES: &[(&str, Suite)] = &[
    ("gotemplate", gotemplate::run),
    ("json-texts", json::texts),
    ("json-patch", patch::json_patches),
    ("merge-patch", patch::merge_patches),
    ("yaml-values", yaml::values),
    ("yaml-verdicts", yaml::verdicts),
    ("yaml-recovery", yaml::recovery),
];

pub(crate) fn find(name: &str) -> Option<Suite> {
    SUITES.iter().find(|(known, _)| *known == name).map(|(_, suite)| *suite)
}

pub(crate) fn names() -> Vec<&'static str> {
    SUITES.iter().map(|(name, _)| *name).collect()
}
