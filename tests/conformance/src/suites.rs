//! The suites by name.

mod apply;
mod cel;
mod gotemplate;
mod json;
mod kube;
mod patch;
mod yaml;

use std::path::Path;

use crate::case::Case;
use crate::figures::Figures;

/// Runs one case; the folder is where the case's file stands.
pub type Suite = fn(&Case, &Path, &mut Figures);

const SUITES: &[(&str, Suite)] = &[
    ("apply", apply::run),
    ("cel", cel::run),
    ("gotemplate", gotemplate::run),
    ("json-texts", json::texts),
    ("crd-validate", kube::crd_validate),
    ("strict-decode", kube::strict_decode),
    ("json-patch", patch::json_patches),
    ("json-patch-v4", patch::json_patches_v4),
    ("merge-patch", patch::merge_patches),
    ("strategic-merge", patch::strategic_merges),
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
