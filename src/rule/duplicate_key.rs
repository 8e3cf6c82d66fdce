use super::{Check, Example, Release, Reports, Rule};
use crate::diagnostic::{Severity, Stage};
use crate::dialect::convoy::FieldFault;

pub(super) const RULE: Rule = Rule {
    name: "duplicate-key",
    stage: Stage::Admission,
    severity: Severity::Warning,
    summary: "A key stands twice in one mapping.",
    explanation: r#"go-yaml keeps the last of several equal keys, and `kubectl` refuses the document where its strict validation is on: `yaml: unmarshal errors: … key "type" already set in map`."#,
    example: Example {
        wrong: r#"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: goTemplate
  target: {group: apps, version: v1, kind: Deployment, name: web}
  inline: "{}"
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
    for fault in &context.preview.release.faults {
        if let FieldFault::Duplicate { key, earlier } = fault {
            reports
                .add(
                    context.place(key.span),
                    format!("key {:?} already set in map; the last one counts", key.text),
                )
                .related(context.place(*earlier), "first set here");
        }
    }
}
