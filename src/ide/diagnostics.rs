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
    preview.runs.iter().flat_map(|run| &run.from).any(|from| match from {
        Some(FromContent::Found { text, .. }) => text.file == file.path,
        Some(FromContent::Expression { expression, .. }) => expression.file == file.path,
        _ => false,
    })
}

/// Diagnostics after the severities of the settings and the suppressions of the file, in order.
fn settled(workspace: &Workspace, file: &File, mut found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let suppressed = suppressions(file);
    // What is read of an alias without an anchor is a consequence of the error that is reported of it.
    let unknown: HashSet<usize> = file.tree.unknown_aliases().map(|span| span.start).collect();
    found.retain_mut(|diagnostic| {
        match workspace.settings().rules.get(diagnostic.rule) {
            Some(RuleSetting::Off) => return false,
            Some(RuleSetting::Hint) => diagnostic.severity = Severity::Hint,
            Some(RuleSetting::Warning) => diagnostic.severity = Severity::Warning,
            Some(RuleSetting::Error) => diagnostic.severity = Severity::Error,
            None => {}
        }
        if unknown.contains(&diagnostic.place.span.start) && diagnostic.rule != "yaml-syntax" {
            return false;
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
    limit(&mut found);
    for diagnostic in &mut found {
        clip(&mut diagnostic.message);
        diagnostic.help.iter_mut().for_each(clip);
    }
    found
}

/// How many bytes a message has at most: it quotes values, and a value may be a file of a megabyte.
const MAX_MESSAGE: usize = 4000;

/// Shortens a message that is longer than [`MAX_MESSAGE`] in its middle, since Go puts the reason last.
fn clip(message: &mut String) {
    let Some(excess) = message.len().checked_sub(MAX_MESSAGE).filter(|excess| *excess > 0) else { return };
    let start = (0..=MAX_MESSAGE / 2).rfind(|at| message.is_char_boundary(*at)).unwrap_or(0);
    let end =
        (start + excess..=message.len()).find(|at| message.is_char_boundary(*at)).unwrap_or(message.len());
    message.replace_range(start..end, &format!("… ({} bytes left out) …", end - start));
}

/// How many findings of one rule a file has at most: a generated file may have a fault in each of a million lines,
/// which no editor and no reader could use.
const MAX_OF_A_RULE: usize = 1000;

/// Keeps [`MAX_OF_A_RULE`] findings of each rule and severity, and one more that says how many follow.
fn limit(found: &mut Vec<Diagnostic>) {
    if found.len() <= MAX_OF_A_RULE {
        return;
    }
    // How many there are, and the first that is left out, by rule and severity.
    let mut left_out: HashMap<(&str, Severity), (usize, Option<Diagnostic>)> = HashMap::new();
    found.retain(|diagnostic| {
        let (count, first) = left_out.entry((diagnostic.rule, diagnostic.severity)).or_default();
        *count += 1;
        if *count > MAX_OF_A_RULE && first.is_none() {
            *first = Some(diagnostic.clone());
        }
        *count <= MAX_OF_A_RULE
    });
    for (count, first) in left_out.into_values() {
        if let Some(first) = first {
            // The last one stands for itself and for those after it.
            let more = count - MAX_OF_A_RULE - 1;
            let message = match more {
                0 => first.message,
                _ => format!(
                    "{}; {more} more findings of this rule follow, which are not shown",
                    first.message
                ),
            };
            found.push(Diagnostic { message, ..first });
        }
    }
    Diagnostic::sort(found);
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

#[cfg(test)]
mod tests {
    use convoy_text::Span;

    use super::*;
    use crate::diagnostic::{Place, Stage};

    fn finding(rule: &'static str, at: usize) -> Diagnostic {
        Diagnostic {
            rule,
            severity: Severity::Error,
            stage: Stage::Admission,
            place: Place { file: Path::new("a").into(), span: Span::new(at, at + 1) },
            message: "wrong".to_owned(),
            help: None,
            related: Vec::new(),
        }
    }

    #[test]
    fn findings_of_one_rule_are_limited_and_the_others_stay() {
        let mut found: Vec<Diagnostic> = (0..MAX_OF_A_RULE + 5).map(|at| finding("a", at)).collect();
        found.push(finding("b", 1_000_000));
        limit(&mut found);
        assert_eq!(found.len(), MAX_OF_A_RULE + 2);
        let last = &found[MAX_OF_A_RULE];
        assert_eq!(last.place.span.start, MAX_OF_A_RULE);
        assert_eq!(last.message, "wrong; 4 more findings of this rule follow, which are not shown");
        assert_eq!(found[MAX_OF_A_RULE + 1].rule, "b");
    }

    #[test]
    fn as_many_as_fit_stay_as_they_are() {
        let mut found: Vec<Diagnostic> = (0..=MAX_OF_A_RULE).map(|at| finding("a", at)).collect();
        let before = found.clone();
        limit(&mut found);
        assert_eq!(found, before);
    }

    #[test]
    fn a_long_message_keeps_its_beginning_and_its_reason() {
        let mut message = format!("a{}: no such thing", "é".repeat(10_000));
        clip(&mut message);
        assert!(message.starts_with("aé") && message.ends_with("é: no such thing"), "{message}");
        assert!(message.len() < MAX_MESSAGE + 50 && message.contains(" bytes left out) …"), "{message}");
        let mut short = "é".repeat(MAX_MESSAGE / 2);
        clip(&mut short);
        assert_eq!(short, "é".repeat(MAX_MESSAGE / 2));
    }
}
