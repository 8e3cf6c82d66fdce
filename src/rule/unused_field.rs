use super::{Check, Example, Release, Reports, Rule};
use crate::diagnostic::{Severity, Stage};
use crate::dialect::convoy::MutationType;

pub(super) const RULE: Rule = Rule {
    name: "unused-field",
    stage: Stage::Review,
    severity: Severity::Warning,
    summary: "The type of the mutation ignores a field.",
    explanation: "jsonPatch reads only `patches`, syncWave only `waveStrategy`, the others only `inline` and `from`. A field that the type does not read has no effect.",
    example: Example {
        wrong: r#"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: jsonPatch
  target: {group: apps, version: v1, kind: Deployment, name: web}
  patches: [{op: replace, path: /spec/replicas, value: 2}]
  inline: "spec: {replicas: 2}"
"#,
        right: "apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: jsonPatch
  target: {group: apps, version: v1, kind: Deployment, name: web}
  patches: [{op: replace, path: /spec/replicas, value: 2}]
",
    },
    check: Check::Release(check),
};

fn check(context: &Release<'_>, reports: &mut Reports) {
    for mutation in &context.preview.release.mutations {
        let Some(kind) = mutation.kind else { continue };
        for (name, field) in &mutation.fields {
            if !kind.reads(name) {
                let reads = if kind.reads_content() {
                    "inline and from"
                } else if kind == MutationType::JsonPatch {
                    "patches"
                } else {
                    "waveStrategy"
                };
                reports.add(
                    context.place(field.key),
                    format!("a {} does not read {name}, only {reads}", kind.name()),
                );
            }
        }
    }
}
