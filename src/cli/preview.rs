use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, bail};
use clap::ValueEnum;
use rayon::prelude::*;

use super::{FINDINGS, absolute, complain, print, shown};
use crate::preview::{ObjectRun, Origin, Outcome, Preview, Run, Scope, diff};
use crate::workspace::{Document, DocumentRef, File, Workspace, find_root};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Files with a Release, or with the list of its /mutations subresource, and folders that have such files.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
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

/// What is printed of a Release.
#[derive(Default)]
struct Page {
    /// The text of each object.
    objects: Vec<String>,
    /// What goes to standard error.
    complaints: Vec<String>,
    /// Whether a mutation fails.
    failed: bool,
    /// How many of the objects are samples.
    samples: usize,
}

/// The files of a workspace that are to be shown.
struct Group {
    workspace: Workspace,
    files: Vec<Arc<File>>,
}

/// Prints what the mutations of the files' Releases do. Failures go to standard error.
pub(super) fn run(arguments: &Arguments) -> anyhow::Result<u8> {
    let groups = groups(arguments)?;
    let several = groups.iter().map(|group| group.files.len()).sum::<usize>() > 1;
    if groups.iter().all(|group| group.files.is_empty()) {
        bail!("no file there has a Release or a list of mutations");
    }
    let (mut failed, mut objects, mut samples) = (false, 0, 0);
    let mut headed: Option<Arc<Path>> = None;
    for Group { workspace, files } in &groups {
        let releases: Vec<(&Arc<File>, &Document)> = files
            .iter()
            .flat_map(|file| file.documents.iter().map(move |document| (file, document)))
            .filter(|(file, document)| workspace.release(file, document).is_some())
            .collect();
        // A preview holds every step, so that no more are held than are made at once.
        for some in releases.chunks(4 * rayon::current_num_threads()) {
            let pages: Vec<Page> =
                some.par_iter().map(|(file, document)| page(workspace, file, document, arguments)).collect();
            for ((file, _), page) in some.iter().zip(pages) {
                page.complaints.iter().for_each(|text| complain(text));
                let mut out = String::new();
                for object in &page.objects {
                    if arguments.format == Format::Yaml && objects > 0 {
                        out.push_str("---\n");
                    }
                    if several && headed.as_ref() != Some(&file.path) {
                        out.push_str(&format!("# {}\n", shown(&file.path)));
                        headed = Some(file.path.clone());
                    }
                    out.push_str(object);
                    objects += 1;
                }
                print(&out)?;
                failed |= page.failed;
                samples += page.samples;
            }
        }
    }
    if let Some(object) = arguments.object.as_ref().filter(|_| objects == 0) {
        bail!("no mutation matches an object {object}; --all shows every sample");
    }
    if samples == 0 {
        complain("no mutation matches an object of the workspace; --all shows every sample");
    }
    Ok(if failed { FINDINGS } else { 0 })
}

/// The files that the arguments name, by the workspaces in which they lie.
fn groups(arguments: &Arguments) -> anyhow::Result<Vec<Group>> {
    let here = absolute(Path::new("."))?;
    let mut groups: Vec<Group> = Vec::new();
    for named in &arguments.paths {
        let path = absolute(named)?;
        let is_folder = path.is_dir();
        let folder = if is_folder { &path } else { path.parent().unwrap_or(&path) };
        let root = find_root(folder, &here);
        let at = match groups.iter().position(|group| group.workspace.root() == root) {
            Some(at) => at,
            None => {
                groups.push(Group { workspace: Workspace::load(&root), files: Vec::new() });
                groups.len() - 1
            }
        };
        let Group { workspace, files } = &mut groups[at];
        if is_folder {
            let below: Vec<_> =
                workspace.files().filter(|file| file.path.starts_with(&path)).cloned().collect();
            files.extend(below.into_iter().filter(|file| has_mutations(workspace, file)));
        } else {
            // What is named is shown even if an ignore file excludes it.
            if workspace.file(&path).is_none() {
                let bytes =
                    std::fs::read(&path).with_context(|| format!("cannot read {}", named.display()))?;
                workspace.set_file(File::from_bytes(path.as_path().into(), bytes));
            }
            let file = workspace.file(&path).context("the file is part of its workspace")?.clone();
            if !has_mutations(workspace, &file) {
                bail!("{} has no Release and no list of mutations", shown(&file.path));
            }
            files.push(file);
        }
    }
    for Group { workspace, files } in &mut groups {
        let mut seen = HashSet::new();
        files.retain(|file| seen.insert(file.path.clone()));
        let Some(name) = &arguments.cluster else { continue };
        let clusters = workspace.clusters();
        if !clusters.iter().any(|cluster| cluster.name == *name) {
            let known: Vec<&str> = clusters.iter().map(|cluster| cluster.name.as_str()).collect();
            bail!("there is no cluster {name:?} in the workspace; known are: {}", known.join(", "));
        }
    }
    Ok(groups)
}

fn has_mutations(workspace: &Workspace, file: &File) -> bool {
    file.documents.iter().any(|document| workspace.release(file, document).is_some())
}

/// What is printed of a Release.
fn page(workspace: &Workspace, file: &Arc<File>, document: &Document, arguments: &Arguments) -> Page {
    let mut page = Page::default();
    let scope = Scope::Show(arguments.cluster.as_deref());
    let Some(preview) = Preview::new(workspace, file, document, scope) else { return page };
    for run in &preview.runs {
        for object in &run.objects {
            let matched = !object.steps.is_empty() || arguments.all;
            // An object that is made up is no result that could be used.
            let wanted = match object.origin {
                Origin::Sample => true,
                Origin::Other => false,
                Origin::MadeUp => arguments.format == Format::Diff,
            };
            if !wanted || !matched || !is_wanted(&object.object, arguments) {
                continue;
            }
            page.samples += usize::from(object.origin == Origin::Sample);
            page.failed |= complain_of(&preview, run, object, &mut page.complaints);
            page.objects.push(written(run, object, arguments.format));
        }
    }
    page
}

/// Says what fails on an object, and what is not known. Whether a mutation fails: on an object that is made up none
/// does, since what it lacks a rendered one may have.
fn complain_of(preview: &Preview, run: &Run, object: &ObjectRun, complaints: &mut Vec<String>) -> bool {
    let mut failed = false;
    for step in &object.steps {
        let name = preview.release.mutations[step.mutation].kind.map_or("?", |kind| kind.name());
        let whom = format!("mutation {} ({name}) on {}", step.mutation, object.label());
        match &step.outcome {
            Outcome::Failed(failure) if object.origin == Origin::MadeUp => {
                complaints.push(format!("{whom}, {}: {}", run.cluster_label(), failure.message));
            }
            Outcome::Failed(failure) => {
                failed = true;
                complaints.push(format!(
                    "{whom}, {}: {} (Applied=False, reason {}, stage Rendering)",
                    run.cluster_label(),
                    failure.message,
                    failure.reason.name()
                ));
            }
            Outcome::NotEvaluated(why) => complaints.push(format!("{whom}: {why}")),
            Outcome::Done(_) => {}
        }
    }
    failed
}

/// What is printed of an object.
fn written(run: &Run, object: &ObjectRun, format: Format) -> String {
    let (Some(before), Some(after)) = (object.object.value(), object.result()) else { return String::new() };
    match format {
        Format::Yaml => convoy_yaml::emit(after),
        Format::Diff => {
            let head = format!("# {}, {}\n", object.label(), run.cluster_label());
            let text = diff::unified(before, after, 3);
            if text.is_empty() {
                format!("{head}# unchanged\n\n")
            } else {
                format!("{head}--- rendered\n+++ mutated\n{text}\n")
            }
        }
    }
}

/// Whether an object is the one that was asked for, if one was.
fn is_wanted(object: &DocumentRef, arguments: &Arguments) -> bool {
    arguments.object.as_ref().is_none_or(|wanted| object.is_named(wanted))
}
