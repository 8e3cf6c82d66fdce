//! The suites by name.

mod cel;
mod gotemplate;
mod json;
mod patch;
mod yaml;

use std::path::Path;

use crate::case::Case;
use crate::figures::Figures;

/// Runs one case; the folder is where the case's file stands.
pub type Suite = fn(&Case, &Path, &mut Figures);

const SUITES: &[(&str, Suite)] = &[
    ("cel", cel::run),
    ("gotemplate", gotemplate::run),
    ("json-texts", json::texts),
    ("json-patch", patch::json_patches),
    ("merge-patch", patch::merge_patches),
    ("yaml-values", yaml::values),
    ("yaml-streams", yaml::streams),
    ("yaml3-values", yaml::values_of_v3),
    ("yaml-verdicts", yaml::verdicts),
    ("yaml-recovery", yaml::recovery),
];

/// The suite of a name.
pub fn find(name: &str) -> Option<Suite> {
    SUITES.iter().find(|(known, _)| *known == name).map(|(_, suite)| *suite)
}

/// The names of all suites.
pub fn names() -> Vec<&'static str> {
    SUITES.iter().map(|(name, _)| *name).collect()
}
