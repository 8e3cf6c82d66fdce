use std::path::Path;

use convoy_value::json::{self, KeyOrder};
use convoy_yaml::{NodeId, Options, Tree};

use crate::case::Case;
use crate::figures::Figures;

/// The JSON of the first document, or the error, as `sigs.k8s.io/yaml` gives them.
fn to_json(text: &str, strict: bool) -> Result<String, String> {
    let tree = convoy_yaml::parse(text);
    let Some(document) = tree.documents().first() else { return Ok("null".to_owned()) };
    if let Some(error) = document.errors.iter().find(|error| !error.after_document) {
        return Err(error.message.clone());
    }
    let Some(root) = document.root else { return Ok("null".to_owned()) };
    let value = convoy_yaml::value(&tree, root, Options { strict, ..Options::default() });
    let value = value.map_err(|error| error.message)?;
    json::write(&value, KeyOrder::Sorted)
}

pub(crate) fn values(case: &Case, _: &Path, figures: &mut Figures) {
    let yaml = case.text("yaml").unwrap_or("");
    let want = |json: &str, error: &str| match (case.text(json), case.text(error)) {
        (_, Some(error)) => Some(Err(error.to_owned())),
        (Some(json), None) => Some(Ok(json.to_owned())),
        (None, None) => None,
    };
    let plain = want("json", "error");
    if let Some(want) = &plain {
        check(figures, &to_json(yaml, false), want);
    }
    if let Some(want) = want("strict_json", "strict_error").or(plain) {
        check(figures, &to_json(yaml, true), &want);
    }
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
    let got = tree.errors().map(|e| e.message.as_str()).find(|text| !is_value_error(text));
    figures.compare("verdict", &got.is_some(), &want.is_some());
    if let (Some(got), Some(want)) = (got, want) {
        figures.compare("text", &got, &want);
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
