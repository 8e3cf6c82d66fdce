use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;

use crate::diagnostic::{Diagnostic, Severity};
use crate::dialect::convoy::Release;
use crate::preview::{FromContent, Preview, Scope};
use crate::rule;
use crate::workspace::settings::RuleSetting;
use crate::workspace::{DocumentRef, File, Workspace};

/// The diagnostics of a file, in order: those of its own documents, and those that other files' Releases find in
/// content that stands in it.
pub fn diagnostics(workspace: &Workspace, file: &Arc<File>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (reference, release) in workspace.releases() {
        if reference.file.path == file.path {
            found.extend(of_release(workspace, reference));
        } else if may_read(release, file)
            && let Some(preview) = judged(workspace, reference)
            && reads_from(&preview, file)
        {
            // Content of a ConfigMap is analysed where it stands, in the context of the mutations that use it.
            found.extend(rule::check_release(workspace, &preview));
        }
    }
    of_file(workspace, file, found)
}

/// The diagnostics of many files: the same as [`diagnostics`] of each, but each Release is run only once.
pub fn check(workspace: &Workspace, files: &[Arc<File>]) -> Vec<Vec<Diagnostic>> {
    let of_releases: Vec<Vec<Diagnostic>> =
        workspace.releases().par_iter().map(|(reference, _)| of_release(workspace, reference)).collect();
    let mut by_file: HashMap<Arc<Path>, Vec<Diagnostic>> = HashMap::new();
    for diagnostic in of_releases.into_iter().flatten() {
        by_file.entry(diagnostic.place.file.clone()).or_default().push(diagnostic);
    }
    files
        .par_iter()
        .map(|file| of_file(workspace, file, by_file.get(&file.path).cloned().unwrap_or_default()))
        .collect()
}

fn judged(workspace: &Workspace, reference: &DocumentRef) -> Option<Preview> {
    Preview::new(workspace, &reference.file, reference.document(), Scope::Judge)
}

fn of_release(workspace: &Workspace, reference: &DocumentRef) -> Vec<Diagnostic> {
    judged(workspace, reference).map(|preview| rule::check_release(workspace, &preview)).unwrap_or_default()
}

/// What the file itself and the Releases say, after the settings and the suppressions of the file.
fn of_file(workspace: &Workspace, file: &Arc<File>, mut found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    found.retain(|diagnostic| diagnostic.place.file == file.path);
    found.extend(rule::check_file(workspace, file));
    settled(workspace, file, found)
}

/// Whether a Release may read content that stands in a file: a name that is a template may be any.
pub(super) fn may_read(release: &Release, file: &File) -> bool {
    release.mutations.iter().filter_map(|mutation| mutation.from.as_ref()?.name.as_ref()).any(|name| {
        file.documents.iter().any(|document| {
            document.identity.kind_text() == "ConfigMap"
                && (name.text.contains("{{") || document.identity.name_text() == name.text)
        })
    })
}

/// Whether a Release reads content that stands in a file.
fn reads_from(preview: &Preview, file: &File) -> bool {
    preview
        .runs
        .iter()
        .flat_map(|run| &run.from)
        .any(|from| matches!(from, Some(FromContent::Found { text, .. }) if text.file == file.path))
}

/// Diagnostics after the severities of the settings and the suppressions of the file, in order.
fn settled(workspace: &Workspace, file: &File, mut found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let suppressed = suppressions(file);
    found.retain_mut(|diagnostic| {
        match workspace.settings().rules.get(diagnostic.rule) {
            Some(RuleSetting::Off) => return false,
            Some(RuleSetting::Hint) => diagnostic.severity = Severity::Hint,
            Some(RuleSetting::Warning) => diagnostic.severity = Severity::Warning,
            Some(RuleSetting::Error) => diagnostic.severity = Severity::Error,
            None => {}
        }
        if suppressed.is_empty() {
            return true;
        }
        let line = file.lines.line_of(diagnostic.place.span.start);
        // Inside a block scalar a comment is text, so that one at its indicator means all of it.
        let block = file.tree.path_at(diagnostic.place.span.start).pop();
        let block = block.filter(|node| file.tree.style(*node).is_some_and(convoy_yaml::Style::is_block));
        let block_line = block.map(|node| file.lines.line_of(file.tree.span(node).start));
        ![Some(line), block_line]
            .into_iter()
            .flatten()
            .any(|line| suppressed.get(&line).is_some_and(|rules| rules.contains(diagnostic.rule)))
    });
    Diagnostic::sort(&mut found);
    found
}

/// The rules that comments switch off, by the line that they mean.
fn suppressions(file: &File) -> HashMap<usize, HashSet<&str>> {
    let mut by_line: HashMap<usize, HashSet<&str>> = HashMap::new();
    for suppression in &file.comments.suppressions {
        let here = file.lines.line_of(suppression.span.start);
        let means = if suppression.alone { here + 1 } else { here };
        by_line.entry(means).or_default().extend(suppression.rules.iter().map(String::as_str));
    }
    by_line
}
