use super::nearest::nearest;
use super::{Check, Example, Release, Reports, Rule};
use crate::diagnostic::{Severity, Stage};

pub(super) const RULE: Rule = Rule {
    name: "target-matches-everything",
    stage: Stage::Review,
    severity: Severity::Warning,
    summary: "The target selects every object.",
    explanation: "An empty field of a target matches all values, so that a target without any value matches every object that the Release renders. Say so by a comment and a suppression if it is meant.",
    example: Example {
        wrong: r#"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: goTemplate
  target: {}
  inline: "metadata: {labels: {a: b}}"
"#,
        right: r#"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: goTemplate
  target: {group: apps, version: v1, kind: Deployment, name: web}
  inline: "metadata: {labels: {a: b}}"
"#,
    },
    check: Check::Release(check),
};

fn check(context: &Release<'_>, reports: &mut Reports) {
    // In a broken document the target may be what could not be read.
    let index = context.preview.document.index;
    if context.file().tree.documents().get(index).is_some_and(|document| !document.errors.is_empty()) {
        return;
    }
    for mutation in &context.preview.release.mutations {
        if mutation.kind.is_none() || !mutation.target.is_empty() {
            continue;
        }
        let tree = &context.file().tree;
        // A misspelt `target` has a finding of its own.
        let misspelt = tree
            .entries(mutation.node)
            .iter()
            .filter_map(|entry| tree.scalar(entry.key))
            .any(|key| nearest(key, ["target"]).is_some());
        if mutation.target.field.is_none() && misspelt {
            continue;
        }
        // A target of the wrong kind has a finding of its own.
        if mutation
            .target
            .field
            .is_some_and(|field| !tree.is_mapping(field.node) && !tree.is_null(field.node))
        {
            continue;
        }
        let span = mutation.target.field.map_or(mutation.head(), |field| field.key);
        reports
            .add(context.place(span), "the target is empty: the mutation changes every object of the Release")
            .help("name at least a kind, or suppress this with a reason");
    }
}
