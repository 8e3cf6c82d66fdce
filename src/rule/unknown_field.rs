use super::nearest::suggestion;
use super::{Check, Example, Release, Reports, Rule};
use crate::diagnostic::{Severity, Stage};
use crate::dialect::convoy::FieldFault;

pub(super) const RULE: Rule = Rule {
    name: "unknown-field",
    stage: Stage::Admission,
    severity: Severity::Warning,
    summary: "A key is no field that the documentation names.",
    explanation: "The page of the documentation that lists all fields is missing, so that an unknown field is a warning. A `CustomResourceDefinition` of Releases in the workspace decides: a field that it lacks is an error, one that it has is fine.",
    example: Example {
        wrong: r#"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: goTemplate
  taget: {name: web}
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
    let definition = context.workspace.release_definition();
    for fault in &context.preview.release.faults {
        let FieldFault::Unknown { key, of, known } = fault else { continue };
        let mut severity = Severity::Warning;
        if *of == "a mutation"
            && let Some(definition) = definition
        {
            if definition.mutation_fields.contains(&key.text) {
                continue;
            }
            severity = Severity::Error;
        }
        reports
            .add(context.place(key.span), format!("{of} has no field {:?}", key.text))
            .severity(severity)
            .help(suggestion(&key.text, known));
    }
}
