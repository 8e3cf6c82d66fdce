use super::{Check, Example, Release, Reports, Rule};
use crate::diagnostic::{Severity, Stage};

pub(super) const RULE: Rule = Rule {
    name: "missing-content",
    stage: Stage::Admission,
    severity: Severity::Error,
    summary: "A mutation has neither `inline` nor `from`.",
    explanation: "goTemplate, strategicMergePatch and celTransform need content: `inline`, `from`, or both, `inline` first.",
    example: Example {
        wrong: "apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: goTemplate
  target: {group: apps, version: v1, kind: Deployment, name: web}
",
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
    for mutation in &context.preview.release.mutations {
        let Some(kind) = mutation.kind.filter(|kind| kind.reads_content()) else { continue };
        let tree = &context.file().tree;
        let says = |name: &str| {
            mutation.fields.iter().any(|(field, value)| *field == name && !tree.is_null(value.node))
        };
        if !says("inline") && !says("from") {
            reports
                .add(context.place(mutation.head()), format!("a {} has inline or from", kind.name()))
                .help("write the content under inline, or name a ConfigMap under from");
        }
    }
}
