use std::path::Path;

use convoy_value::json::Kind;
use convoy_yaml::{Flavour, NodeId, Options, Tree};

use crate::case::Case;
use crate::figures::Figures;
use crate::ours::yaml::{stream, to_json, tree};

/// What a case wants of one reader; nothing if it does not say.
fn want(case: &Case, json: &str, error: &str) -> Option<Result<String, String>> {
    match (case.text(json), case.text(error)) {
        (_, Some(error)) => Some(Err(error.to_owned())),
        (Some(json), None) => Some(Ok(json.to_owned())),
        (None, None) => None,
    }
}

pub(crate) fn values(case: &Case, _: &Path, figures: &mut Figures) {
    let tree = tree(case.text("yaml").unwrap_or(""), Flavour::V2);
    let plain = want(case, "json", "error");
    if let Some(want) = &plain {
        check(figures, &to_json(&tree, Options::default()), want);
    }
    if let Some(want) = want(case, "strict_json", "strict_error").or(plain) {
        check(figures, &to_json(&tree, Options { strict: true, ..Options::default() }), &want);
    }
}

/// The same for `gopkg.in/yaml.v3`; `ok` says that a value is read which has no JSON.
pub(crate) fn values_of_v3(case: &Case, _: &Path, figures: &mut Figures) {
    let tree = tree(case.text("yaml").unwrap_or(""), Flavour::V3);
    let options = Options { flavour: Flavour::V3, strict: false };
    if let Some(want) = want(case, "json", "error") {
        check(figures, &to_json(&tree, options), &want);
    } else if case.is_set("ok") {
        figures.compare("verdict", &stream(&tree, options).first_error, &None);
    }
}

/// How many documents a decoder reads, and the error that ends it, in `documents` and `all_error`.
pub(crate) fn streams(case: &Case, _: &Path, figures: &mut Figures) {
    let tree = tree(case.text("yaml").unwrap_or(""), Flavour::V2);
    let got = stream(&tree, Options::default());
    if let Some(Kind::Number(count)) = case.get("documents").map(|node| &node.kind) {
        figures.compare("value", &got.documents.to_string().as_str(), &&**count);
    }
    figures.compare("text", &got.all_error.as_deref(), &case.text("all_error"));
}

fn check(figures: &mut Figures, got: &Result<String, String>, want: &Result<String, String>) {
    figures.compare("verdict", &got.is_ok(), &want.is_ok());
    match (got, want) {
        (Ok(got), Ok(want)) => figures.compare("value", got, want),
        (Err(got), Err(want)) => figures.compare("text", got, want),
        _ => {}
    }
}

pub(crate) fn verdicts(case: &Case, _: &Path, figures: &mut Figures) {
    let yaml = case.text("yaml").unwrap_or("");
    let tree = convoy_yaml::parse(yaml);
    // A value error of the real library counts as accepted syntax.
    let is_value_error = |text: &str| {
        [
            "unknown anchor",
            "invalid map key",
            "map merge",
            "!!binary",
            "cannot decode",
            "excessive",
            "unmarshal",
        ]
        .iter()
        .any(|part| text.contains(part))
    };
    let want = case.text("error").filter(|text| !is_value_error(text));
    let got = stream(&tree, Options::default()).all_error.filter(|text| !is_value_error(text));
    figures.compare("verdict", &got.is_some(), &want.is_some());
    if let (Some(got), Some(want)) = (got, want) {
        figures.compare("text", &got.as_str(), &want);
    }
}

/// The paths of all keys, with `0`, `1`… for list items.
fn paths(tree: &Tree, node: NodeId, prefix: &str, out: &mut Vec<String>) {
    for entry in tree.entries(node) {
        let Some(key) = tree.scalar(entry.key) else { continue };
        let path = if prefix.is_empty() { key.to_owned() } else { format!("{prefix}.{key}") };
        out.push(path.clone());
        paths(tree, entry.value, &path, out);
    }
    for (i, &item) in tree.items(node).iter().enumerate() {
        let path = if prefix.is_empty() { i.to_string() } else { format!("{prefix}.{i}") };
        paths(tree, item, &path, out);
    }
}

pub(crate) fn recovery(case: &Case, _: &Path, figures: &mut Figures) {
    let yaml = case.text("yaml").unwrap_or("");
    let tree = convoy_yaml::parse(yaml);
    let mut found = Vec::new();
    for document in tree.documents() {
        if let Some(root) = document.root {
            paths(&tree, root, "", &mut found);
        }
    }
    let want = case.texts("want");
    let missing: Vec<&&str> = want.iter().filter(|path| !found.iter().any(|f| f == **path)).collect();
    figures.count("keys", want.len() - missing.len(), want.len());
    if !missing.is_empty() {
        figures.mismatches.push(format!("missing keys {missing:?} of {yaml:?}, found {found:?}"));
    }
}
