//! Writes the seeds of a fuzz target: the committed cases and documents of the program, one file each.
//!
//! `convoy-fuzz-seeds REPOSITORY TARGET FOLDER`. It is a crate of its own, since it must not be instrumented.

use std::fs;
use std::io::{Error, Result};
use std::path::{Path, PathBuf};

use convoy_value::{Value, json};

/// Templates, patches and expressions are of use to `check` as parts of a Release as well; of all of them it would read for minutes,
/// so that only each so-manieth is one.
const SHARE: usize = 8;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [repository, target, folder] = arguments.as_slice() else {
        return Err(Error::other("usage: convoy-fuzz-seeds REPOSITORY TARGET FOLDER"));
    };
    let seeds = seeds(Path::new(repository), target)?;
    if seeds.is_empty() {
        return Err(Error::other(format!("there are no seeds for {target}")));
    }
    fs::create_dir_all(folder)?;
    for (i, seed) in seeds.iter().enumerate() {
        fs::write(Path::new(folder).join(format!("{i:05}")), seed)?;
    }
    println!("{} seeds", seeds.len());
    Ok(())
}

fn seeds(repository: &Path, target: &str) -> Result<Vec<String>> {
    let conformance = repository.join("tests/conformance");
    let templates = || cases(&conformance, &["gotemplate.jsonl", "template-extra.jsonl"]);
    let patches = || cases(&conformance, &["json-patch.jsonl", "merge-patch.jsonl"]);
    let merges = || cases(&conformance, &["strategic-merge.jsonl", "strategic-merge-found.jsonl"]);
    let yaml = || cases(&conformance, &["yaml-resolution.jsonl", "yaml-broken.jsonl"]);
    let expressions = || -> Result<Vec<Value>> {
        let own = cases(&repository.join("crates/cel/tests/data"), &["parse.jsonl", "libraries.jsonl"])?;
        Ok([own, cases(&conformance, &["cel/cel.jsonl"])?].concat())
    };
    Ok(match target {
        "yaml" => {
            let mut seeds: Vec<String> = yaml()?.iter().filter_map(|case| text(case, "yaml")).collect();
            seeds.extend(documents(repository)?);
            seeds
        }
        "template_parse" | "template_run" => {
            templates()?.iter().filter_map(|case| text(case, "template")).collect()
        }
        "json_patch" => patches()?
            .iter()
            .filter_map(|case| Some(format!("{}\0{}", text(case, "doc")?, text(case, "patch")?)))
            .collect(),
        "apply" => cases(&conformance, &["apply.jsonl"])?
            .iter()
            .filter_map(|case| Some(format!("{}\0{}", text(case, "object")?, text(case, "patch")?)))
            .collect(),
        "strategic_merge" => merges()?
            .iter()
            .filter_map(|case| {
                let field = |name| text(case, name);
                let (api_version, kind) = (field("apiVersion")?, field("kind")?);
                Some(format!("{api_version} {kind}\0{}\0{}", field("doc")?, field("patch")?))
            })
            .collect(),
        "cel_parse" | "cel_check" | "cel_eval" => {
            let mut seeds: Vec<String> =
                expressions()?.iter().filter_map(|case| text(case, "expr")).collect();
            let documents = documents(repository)?;
            seeds.extend(documents.iter().flat_map(|document| inline_expressions(document)));
            seeds
        }
        "check" => {
            let mut seeds = documents(repository)?;
            seeds.extend(yaml()?.iter().filter_map(|case| text(case, "yaml")));
            for case in expressions()?.iter().step_by(SHARE * SHARE) {
                let Some(expression) = text(case, "expr") else { continue };
                let mut quoted = String::new();
                json::write_string(&mut quoted, &format!("{{'a': {expression}}}"));
                seeds.push(release("celTransform", "inline", &quoted));
            }
            for case in templates()?.iter().step_by(SHARE) {
                let Some(template) = text(case, "template") else { continue };
                let mut quoted = String::new();
                json::write_string(&mut quoted, &template);
                seeds.push(release("goTemplate", "inline", &quoted));
            }
            for case in patches()?.iter().step_by(SHARE) {
                seeds.extend(text(case, "patch").map(|patch| release("jsonPatch", "patches", &patch)));
            }
            seeds
        }
        _ => return Err(Error::other(format!("{target} is no target"))),
    })
}

fn release(kind: &str, field: &str, value: &str) -> String {
    format!(
        "apiVersion: convoy.kumodo.io/v1alpha1\nkind: Release\nmetadata: {{name: podinfo, namespace: default}}\nspec: {{}}\n\
         mutations:\n- type: {kind}\n  target: {{group: apps, version: v1, kind: Deployment}}\n  {field}: {value}\n"
    )
}

/// The cases of files with one JSON object a line.
fn cases(folder: &Path, files: &[&str]) -> Result<Vec<Value>> {
    let mut cases = Vec::new();
    for file in files {
        for line in fs::read_to_string(folder.join(file))?.lines() {
            cases.push(json::parse(line).map_err(Error::other)?.to_value());
        }
    }
    Ok(cases)
}

fn text(case: &Value, field: &str) -> Option<String> {
    Some(case.get(field)?.as_str()?.to_owned())
}

/// The expressions of a document: what stands in the block scalar of each celTransform.
fn inline_expressions(document: &str) -> Vec<String> {
    let parts = document.split("type: celTransform").skip(1);
    let blocks = parts.filter_map(|part| Some(part.split_once("inline: |")?.1.split_once('\n')?.1));
    let expressions = blocks.map(|block| {
        let indent = block.len() - block.trim_start_matches(' ').len();
        let lines =
            block.lines().map_while(|line| line.get(indent..).filter(|_| line[..indent].trim().is_empty()));
        lines.collect::<Vec<_>>().join("\n")
    });
    expressions.collect()
}

/// The documents of the examples, and those that stand in the documentation: the wrong and the right one of each rule,
/// and settings.
fn documents(repository: &Path) -> Result<Vec<String>> {
    let mut documents = Vec::new();
    for path in files(&repository.join("docs"))? {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("yaml") => documents.push(fs::read_to_string(path)?),
            Some("md") => documents.extend(blocks(&fs::read_to_string(path)?)),
            _ => {}
        }
    }
    Ok(documents)
}

/// The files below a folder, in an order that is always the same.
fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut entries = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    entries.sort();
    let mut found = Vec::new();
    for path in entries {
        if path.is_dir() {
            found.extend(files(&path)?);
        } else {
            found.push(path);
        }
    }
    Ok(found)
}

/// The YAML blocks of a page.
fn blocks(page: &str) -> Vec<String> {
    let parts = page.split("\n```yaml\n").skip(1);
    parts.filter_map(|part| Some(format!("{}\n", part.split_once("\n```")?.0))).collect()
}
