use super::report::short;
use super::{Check, Example, Release, Reports, Rule};
use crate::diagnostic::{Severity, Stage};
use crate::dialect::convoy::FieldFault;

pub(super) const RULE: Rule = Rule {
    name: "field-type",
    stage: Stage::Admission,
    severity: Severity::Error,
    summary: "A field has a value of the wrong kind.",
    explanation: "The API server refuses a field whose value is of another kind than the type of the field.",
    example: Example {
        wrong: r#"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: goTemplate
  target: [web]
  inline: "metadata: {labels: {a: b}}"
"#,
        right: r#"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: goTemplate
  target: {name: web}
  inline: "metadata: {labels: {a: b}}"
"#,
    },
    check: Check::Release(check),
};

fn check(context: &Release<'_>, reports: &mut Reports) {
    for fault in &context.preview.release.faults {
        if let FieldFault::Type { field, span, expected, found } = fault {
            let span = short(*span, &context.file().text);
            reports.add(context.place(span), format!("{field} is {found}, but must be {expected}"));
        }
    }
}
