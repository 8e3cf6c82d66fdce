use convoy_kube::Typed;
use convoy_yaml::NodeId;

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
    let release = &context.preview.release;
    if let Some(ty) = context.workspace.mutation_type(release) {
        for mutation in &release.mutations {
            check_typed(context, mutation.node, ty, "a mutation", reports);
        }
        return;
    }
    for fault in &release.faults {
        let FieldFault::Unknown { key, of, known } = fault else { continue };
        reports
            .add(context.place(key.span), format!("{of} has no field {:?}", key.text))
            .help(suggestion(&key.text, known));
    }
}

/// What the `CustomResourceDefinition` of Releases does not have, below a node of a mutation.
fn check_typed(context: &Release<'_>, node: NodeId, ty: Typed<'_>, of: &str, reports: &mut Reports) {
    let tree = &context.file().tree;
    let mut pending = vec![(node, ty, of.to_owned())];
    while let Some((node, ty, of)) = pending.pop() {
        // What an alias stands for is met at its anchor.
        if tree.resolve(node) != node {
            continue;
        }
        for item in tree.items(node) {
            let of = if of == "patches" { "an operation".to_owned() } else { format!("an item of {of}") };
            pending.extend(ty.item().map(|ty| (*item, ty, of)));
        }
        for entry in tree.entries(node) {
            let Some(key) = tree.scalar(entry.key).filter(|key| *key != "<<") else { continue };
            if let Some(ty) = ty.member(key) {
                let of = if key == "target" { "a target" } else { key };
                pending.push((entry.value, ty, of.to_owned()));
                continue;
            }
            let Some(structure) = ty.structure().filter(|_| !ty.is_open()) else { continue };
            let names: Vec<&str> = structure.fields.keys().map(|name| &**name).collect();
            reports
                .add(context.place(tree.span(entry.key)), format!("{of} has no field {key:?}"))
                .severity(Severity::Error)
                .help(suggestion(key, &names));
        }
    }
}
