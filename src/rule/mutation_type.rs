use super::nearest::suggestion;
use super::report::short;
use super::{Check, Example, Release, Reports, Rule};
use crate::diagnostic::{Severity, Stage};
use crate::dialect::convoy::MutationType;
use crate::workspace::allowed;

pub(super) const RULE: Rule = Rule {
    name: "mutation-type",
    stage: Stage::Admission,
    severity: Severity::Error,
    summary: "`type` is none of the five types.",
    explanation: "`type` is one of goTemplate, jsonPatch, strategicMergePatch, celTransform and syncWave; case counts. An unknown one that reaches the render gives `Applied=False`, reason `Unsupported`.",
    example: Example {
        wrong: r#"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: gotemplate
  target: {group: apps, version: v1, kind: Deployment, name: web}
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
    let ty = context.workspace.mutation_type(&context.preview.release);
    let mut names = allowed(ty, &["type"]);
    if names.is_empty() {
        names = MutationType::ALL.iter().map(|(name, _)| *name).collect();
    }
    for mutation in &context.preview.release.mutations {
        let known = mutation.type_text.as_ref().is_some_and(|text| names.contains(&text.text.as_str()));
        if known || !context.file().tree.is_mapping(mutation.node) {
            continue;
        }
        match &mutation.type_text {
            Some(text) => {
                reports
                    .add(context.place(text.span), format!("unknown type {:?}", text.text))
                    .help(suggestion(&text.text, &names));
            }
            None => {
                let span = mutation
                    .type_field
                    .map_or_else(|| short(mutation.span, &context.file().text), |field| field.shown());
                reports
                    .add(context.place(span), "the mutation has no type")
                    .help(format!("type is one of {}", names.join(", ")));
            }
        }
    }
}
