use super::{Check, Example, Release, Reports, Rule};
use crate::diagnostic::{Severity, Stage};

pub(super) const RULE: Rule = Rule {
    name: "core-group",
    stage: Stage::Review,
    severity: Severity::Hint,
    summary: "An empty group matches every group.",
    explanation: r#"An empty field of a target matches all values, and the group of core kinds is the empty text: the core group cannot be asked for alone. `group: ""` with `kind: Service` also meets a `Service` of another group, such as Knative's."#,
    example: Example {
        wrong: r#"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: jsonPatch
  target: {group: "", version: v1, kind: Service}
  patches:
  - {op: add, path: /metadata/labels, value: {tier: edge}}
---
apiVersion: v1
kind: Service
metadata: {name: web}
---
apiVersion: serving.knative.dev/v1
kind: Service
metadata: {name: fn}
"#,
        right: "apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: jsonPatch
  target: {version: v1, kind: Service, name: web}
  patches:
  - {op: add, path: /metadata/labels, value: {tier: edge}}
---
apiVersion: v1
kind: Service
metadata: {name: web}
---
apiVersion: serving.knative.dev/v1
kind: Service
metadata: {name: fn}
",
    },
    check: Check::Release(check),
};

fn check(context: &Release<'_>, reports: &mut Reports) {
    for mutation in &context.preview.release.mutations {
        let Some(field) = mutation.target.written[0].filter(|_| mutation.target.group().is_none()) else {
            continue;
        };
        if mutation.target.kind().is_none() {
            continue;
        }
        let mut groups: Vec<(String, String)> = Vec::new();
        for (_, object, _) in context.preview.steps(mutation.index) {
            let group = object.object.document().identity.group().to_owned();
            if !groups.iter().any(|(known, _)| *known == group) {
                groups.push((group, object.object.label()));
            }
        }
        let other = groups.iter().find(|(group, _)| !group.is_empty());
        if let (Some((group, label)), true) = (other, groups.len() > 1) {
            reports
                .add(
                    context.place(field.shown()),
                    format!("an empty group matches every group: this also changes {label} of group {group}"),
                )
                .help("name the objects, since the core group cannot be asked for alone");
        }
    }
}
