use convoy_text::Span;

use super::texts::report_failures;
use super::{Check, Example, Release, Reports, Rule};
use crate::diagnostic::{Severity, Stage};
use crate::dialect::convoy::MutationType;
use crate::preview::FailureKind;

pub(super) const RULE: Rule = Rule {
    name: "strategic-merge-failed",
    stage: Stage::Run,
    severity: Severity::Error,
    summary: "A strategic merge patch is refused.",
    explanation: "The message is that of Kubernetes' own library, such as `map: map[image:nginx:2] does not contain declared merge key: name`: an item of a list with a merge key must have that key, a directive must be one that exists, and lists, objects and texts must stand where the object has them. `$patch: delete` at the root is refused as well, since a mutation cannot remove an object.",
    example: Example {
        wrong: r#"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: strategicMergePatch
  target: {group: apps, version: v1, kind: Deployment, name: web}
  inline: |
    spec: {template: {spec: {containers: [{image: "nginx:2"}]}}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web}}
spec:
  replicas: 1
  template:
    spec:
      containers:
      - {name: web, image: "nginx:1", args: [-a], env: [{name: A, value: "1"}, {name: B, value: "2"}]}
      - {name: side, image: "side:1"}
"#,
        right: r#"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: strategicMergePatch
  target: {group: apps, version: v1, kind: Deployment, name: web}
  inline: |
    spec: {template: {spec: {containers: [{name: web, image: "nginx:2"}]}}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web}}
spec:
  replicas: 1
  template:
    spec:
      containers:
      - {name: web, image: "nginx:1", args: [-a], env: [{name: A, value: "1"}, {name: B, value: "2"}]}
      - {name: side, image: "side:1"}
"#,
    },
    check: Check::Release(check),
};

fn check(context: &Release<'_>, reports: &mut Reports) {
    report_failures(context, reports, |kind| matches!(kind, FailureKind::StrategicMerge));
    for mutation in &context.preview.release.mutations {
        let is_merge = mutation.kind == Some(MutationType::StrategicMergePatch);
        if is_merge && context.preview.steps(mutation.index).next().is_none() {
            for content in context.preview.contents(mutation.index) {
                if let Some(span) = root_delete(content.text.text()) {
                    reports.add(
                        content.text.place(span),
                        "the patch deletes the object: a mutation cannot remove one",
                    );
                }
            }
        }
    }
}

/// `$patch: delete` at the root of a text without templates, which is refused whatever the object is.
fn root_delete(text: &str) -> Option<Span> {
    if text.contains("{{") {
        return None;
    }
    let tree = convoy_yaml::parse(text);
    let entry = tree.entry(tree.documents().first()?.root?, "$patch")?;
    let is_delete = tree.scalar(entry.value) == Some("delete");
    is_delete.then(|| tree.span(entry.key).cover(tree.span(entry.value)))
}
