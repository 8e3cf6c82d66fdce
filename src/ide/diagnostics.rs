use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Severity};
use crate::dialect::DocumentKind;
use crate::preview::{FromContent, Preview, Scope};
use crate::rule;
use crate::workspace::settings::RuleSetting;
use crate::workspace::{File, Workspace};

/// The diagnostics of a file, in order: those of its own documents, and those that other files' Releases find in
/// content that stands in it. The command line and the server call this function.
pub fn diagnostics(workspace: &Workspace, file: &Arc<File>) -> Vec<Diagnostic> {
    let mut found = rule::check_file(workspace, file);
    for document in &file.documents {
        if let Some(preview) = Preview::new(workspace, file, document, Scope::Judge) {
            found.extend(rule::check_release(workspace, &preview));
        }
    }
    // Content of a ConfigMap is analysed where it stands, in the context of the mutations that use it.
    let has_config_map = file.documents.iter().any(|document| {
        document.kind == DocumentKind::Object && document.identity.kind_text() == "ConfigMap"
    });
    if has_config_map {
        for (reference, release) in workspace.releases() {
            let elsewhere = reference.file.path != file.path;
            if !elsewhere || release.mutations.iter().all(|mutation| mutation.from.is_none()) {
                continue;
            }
            if let Some(preview) =
                Preview::new(workspace, &reference.file, reference.document(), Scope::Judge)
                && reads_from(&preview, file)
            {
                found.extend(rule::check_release(workspace, &preview));
            }
        }
    }
    found.retain(|diagnostic| diagnostic.place.file == file.path);
    settled(workspace, file, found)
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
pub fn settled(workspace: &Workspace, file: &File, mut found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    found.retain_mut(|diagnostic| {
        match workspace.settings().rules.get(diagnostic.rule) {
            Some(RuleSetting::Off) => return false,
            Some(RuleSetting::Hint) => diagnostic.severity = Severity::Hint,
            Some(RuleSetting::Warning) => diagnostic.severity = Severity::Warning,
            Some(RuleSetting::Error) => diagnostic.severity = Severity::Error,
            None => {}
        }
        let line = file.lines.line_of(diagnostic.place.span.start);
        !file.comments.suppressions.iter().any(|suppression| {
            let here = file.lines.line_of(suppression.span.start);
            let means = if suppression.alone { here + 1 } else { here };
            means == line && suppression.rules.iter().any(|rule| rule == diagnostic.rule)
        })
    });
    Diagnostic::sort(&mut found);
    found
}
