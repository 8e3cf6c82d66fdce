use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::ValueEnum;

use super::{FINDINGS, absolute, complain, print, shown};
use crate::preview::{Outcome, Preview, Scope, diff};
use crate::workspace::{DocumentRef, File, Workspace, find_root};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// A file with a Release, or with the list of its /mutations subresource.
    file: PathBuf,
    /// The cluster, by name; else the one that the settings choose, else the first.
    #[arg(long)]
    cluster: Option<String>,
    /// Only this object.
    #[arg(long, value_name = "KIND/NAME")]
    object: Option<String>,
    /// Every sample, and not only the objects that a mutation matches.
    #[arg(long)]
    all: bool,
    /// What is printed.
    #[arg(long, value_enum, default_value_t = Format::Diff)]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A unified difference for each object.
    Diff,
    /// The objects after the mutations, as YAML documents.
    Yaml,
}

/// Prints what the mutations of a file's Releases do. Failures go to standard error.
pub(super) fn run(arguments: &Arguments) -> anyhow::Result<u8> {
    let path = absolute(&arguments.file)?;
    let bytes = std::fs::read(&path).with_context(|| format!("cannot read {}", arguments.file.display()))?;
    let folder = path.parent().unwrap_or(&path);
    let mut workspace = Workspace::load(&find_root(folder, &absolute(Path::new("."))?));
    workspace.set_file(File::from_bytes(path.as_path().into(), bytes));
    let file = workspace.file(&path).context("the file is part of its workspace")?.clone();
    if let Some(name) = &arguments.cluster {
        let clusters = workspace.clusters();
        if !clusters.iter().any(|cluster| cluster.name == *name) {
            let known: Vec<&str> = clusters.iter().map(|cluster| cluster.name.as_str()).collect();
            bail!("there is no cluster {name:?} in the workspace; known are: {}", known.join(", "));
        }
    }
    let mut previews = Vec::new();
    for document in &file.documents {
        let scope = Scope::Show(arguments.cluster.as_deref());
        previews.extend(Preview::new(&workspace, &file, document, scope));
    }
    if previews.is_empty() {
        bail!("{} has no Release and no list of mutations", shown(&file.path));
    }
    let mut out = String::new();
    let mut failed = false;
    let mut shown_objects = 0;
    for preview in &previews {
        for run in &preview.runs {
            for object in &run.objects {
                let matched = !object.steps.is_empty() || arguments.all;
                if !object.is_sample || !matched || !is_wanted(&object.object, arguments) {
                    continue;
                }
                shown_objects += 1;
                for step in &object.steps {
                    let name = preview.release.mutations[step.mutation].kind.map_or("?", |kind| kind.name());
                    let whom = format!("mutation {} ({name}) on {}", step.mutation, object.object.label());
                    match &step.outcome {
                        Outcome::Failed(failure) => {
                            failed = true;
                            complain(&format!(
                                "{whom}, {}: {} (Applied=False, reason {}, stage Rendering)",
                                run.cluster_label(),
                                failure.message,
                                failure.reason.name()
                            ));
                        }
                        Outcome::NotEvaluated(why) => complain(&format!("{whom}: {why}")),
                        Outcome::Done(_) => {}
                    }
                }
                let (Some(before), Some(after)) = (object.object.value(), object.result()) else { continue };
                match arguments.format {
                    Format::Yaml => {
                        if !out.is_empty() {
                            out.push_str("---\n");
                        }
                        out.push_str(&convoy_yaml::emit(after));
                    }
                    Format::Diff => {
                        let text = diff::unified(before, after, 3);
                        let label = object.object.label();
                        out.push_str(&format!("# {label}, {}\n", run.cluster_label()));
                        if text.is_empty() {
                            out.push_str("# unchanged\n");
                        } else {
                            out.push_str(&format!("--- rendered\n+++ mutated\n{text}"));
                        }
                        out.push('\n');
                    }
                }
            }
        }
    }
    print(&out)?;
    if let Some(object) = arguments.object.as_ref().filter(|_| shown_objects == 0) {
        bail!("no mutation matches an object {object}; --all shows every sample");
    }
    if shown_objects == 0 {
        complain("no mutation matches an object of the workspace; --all shows every sample");
    }
    Ok(if failed { FINDINGS } else { 0 })
}

/// Whether an object is the one that was asked for, if one was.
fn is_wanted(object: &DocumentRef, arguments: &Arguments) -> bool {
    arguments.object.as_ref().is_none_or(|wanted| object.is_named(wanted))
}
