use super::{Check, Example, Release, Reports, Rule};
use crate::diagnostic::{Severity, Stage};

pub(super) const RULE: Rule = Rule {
    name: "misplaced-mutations",
    stage: Stage::Admission,
    severity: Severity::Error,
    summary: "`mutations` stands under `spec`.",
    explanation: "`mutations` is a top-level list of the Release, beside `spec`. Under `spec` convoy does not look, and none of the mutations runs.",
    example: Example {
        wrong: "apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web}
spec:
  mutations:
  - type: syncWave
    waveStrategy: {wave: 1}
",
        right: "apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: syncWave
  target: {name: web}
  waveStrategy: {wave: 1}
",
    },
    check: Check::Release(check),
};

fn check(context: &Release<'_>, reports: &mut Reports) {
    if let Some(field) = context.preview.release.misplaced {
        reports
            .add(context.place(field.key), "mutations under spec are not read: none of them runs")
            .help("move the list beside spec, to the top level of the Release");
    }
}
