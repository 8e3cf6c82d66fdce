use super::texts::texts;
use super::{Check, Example, Release, Reports, Rule};
use crate::diagnostic::{Severity, Stage};

pub(super) const RULE: Rule = Rule {
    name: "template-arguments",
    stage: Stage::Run,
    severity: Severity::Error,
    summary: "A call in a template can never work.",
    explanation: "A wrong number of arguments, or a comparison of constants of two kinds, fails as soon as the action is reached. Go's parser does not look at it.",
    example: Example {
        wrong: r#"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: goTemplate
  target: {group: apps, version: v1, kind: Deployment, name: web}
  inline: |
    metadata: {labels: {a: "{{ if not .object.a .object.b }}x{{ end }}"}}
"#,
        right: r#"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: goTemplate
  target: {group: apps, version: v1, kind: Deployment, name: web}
  inline: |
    metadata: {labels: {a: "{{ if not .object.a }}x{{ end }}"}}
"#,
    },
    check: Check::Release(check),
};

fn check(context: &Release<'_>, reports: &mut Reports) {
    for text in texts(context) {
        if !text.template.errors.is_empty() {
            continue;
        }
        for fault in convoy_gotemplate::check::check(&text.template, &context.preview.compiled.functions) {
            reports.add(text.place(fault.span), fault.detail);
        }
    }
}
