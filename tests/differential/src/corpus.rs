//! Seeds from the committed corpora: the conformance cases and the examples of the documentation.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use convoy_conformance::Case;

use crate::targets::Input;

/// A longer seed says little that shorter ones do not, and slows the run down.
const LONGEST_SEED: usize = 12 << 10;

/// The folder of the conformance cases.
pub(crate) fn conformance() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../conformance")
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All files below a folder in the order of their names, none if there is no such folder.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    let mut out = Vec::new();
    for path in paths {
        if path.is_dir() {
            out.extend(files(&path, extension));
        } else if path.extension().is_some_and(|found| found == extension) {
            out.push(path);
        }
    }
    out
}

/// The inputs of all cases that have these fields.
fn cases(fields: &[&str], out: &mut Vec<Input>) -> Result<()> {
    let mut all = files(&conformance(), "jsonl");
    // Cases that may not be committed stand beside the repository where somebody has them.
    all.extend(files(&root().join("../shared/conformance"), "jsonl"));
    for file in all {
        let text = std::fs::read_to_string(&file).with_context(|| file.display().to_string())?;
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            // Lines of other suites may nest deeper than our JSON goes, or have other fields.
            let Ok(case) = Case::parse(line) else { continue };
            let texts: Option<Vec<String>> =
                fields.iter().map(|field| case.text(field).map(str::to_owned)).collect();
            out.extend(texts.map(|texts| Input { texts }));
        }
    }
    Ok(())
}

fn examples(out: &mut Vec<Input>) -> Result<()> {
    for file in files(&root().join("docs/examples"), "yaml") {
        let text = std::fs::read_to_string(&file).with_context(|| file.display().to_string())?;
        out.push(Input::one(text));
    }
    Ok(())
}

/// Each seed once, in the order in which it was found.
fn settled(seeds: Vec<Input>) -> Vec<Input> {
    let mut seen = std::collections::HashSet::new();
    seeds.into_iter().filter(|seed| seed.len() <= LONGEST_SEED && seen.insert(seed.clone())).collect()
}

pub(crate) fn yaml() -> Result<Vec<Input>> {
    let mut seeds = Vec::new();
    cases(&["yaml"], &mut seeds)?;
    examples(&mut seeds)?;
    Ok(settled(seeds))
}

pub(crate) fn templates() -> Result<Vec<Input>> {
    let mut seeds = Vec::new();
    cases(&["template"], &mut seeds)?;
    // A Release is a template as well: text with actions in it.
    examples(&mut seeds)?;
    Ok(settled(seeds))
}

pub(crate) fn expressions() -> Result<Vec<Input>> {
    let mut seeds = Vec::new();
    cases(&["expr"], &mut seeds)?;
    Ok(settled(seeds))
}

/// The objects of Kubernetes with their apply configurations.
pub(crate) fn configurations() -> Result<Vec<Input>> {
    let mut seeds = Vec::new();
    cases(&["object", "patch"], &mut seeds)?;
    Ok(settled(seeds))
}

/// The kinds, documents and patches of one file.
pub(crate) fn strategic_patches(file: &str) -> Result<Vec<Input>> {
    let path = conformance().join(file);
    let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let mut seeds = Vec::new();
    for line in text.lines() {
        let case = Case::parse(line).with_context(|| file.to_owned())?;
        let texts: Option<Vec<&str>> =
            ["apiVersion", "kind", "doc", "patch"].iter().map(|field| case.text(field)).collect();
        if let Some([api_version, kind, doc, patch]) = texts.as_deref() {
            let texts = vec![format!("{api_version} {kind}"), (*doc).to_owned(), (*patch).to_owned()];
            seeds.push(Input { texts });
        }
    }
    Ok(settled(seeds))
}

/// The documents and patches of one file, since both kinds of patch have the same fields.
pub(crate) fn patches(file: &str) -> Result<Vec<Input>> {
    let path = conformance().join(file);
    let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let mut seeds = Vec::new();
    for line in text.lines() {
        let case = Case::parse(line).with_context(|| file.to_owned())?;
        if let (Some(doc), Some(patch)) = (case.text("doc"), case.text("patch")) {
            seeds.push(Input { texts: vec![doc.to_owned(), patch.to_owned()] });
        }
    }
    Ok(settled(seeds))
}
