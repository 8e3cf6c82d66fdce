use convoy_patch::strategic::NoteKind;

use super::texts::report_notes;
use super::{Check, Example, Release, Reports, Rule};
use crate::diagnostic::{Severity, Stage};

pub(super) const RULE: Rule = Rule {
    name: "replace-directive",
    stage: Stage::Review,
    severity: Severity::Hint,
    summary: "`$patch: replace` drops what the patch does not name.",
    explanation: "As an item of a list, `$patch: replace` replaces the whole list by the other items; as a field of an object it replaces the object by the other fields. That is what it is for; this only says that something is lost by it.",
    example: Example {
        wrong: r#"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: strategicMergePatch
  target: {group: apps, version: v1, kind: Deployment, name: web}
  inline: |
    spec: {template: {spec: {containers: [{$patch: replace}, {name: only, image: "only:1"}]}}}
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
    spec: {template: {spec: {containers: [{name: only, image: "only:1"}]}}}
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
    report_notes(context, reports, |note| match note {
        NoteKind::ReplaceDirective { .. } => Some((
            "replaces the whole list or object that it stands in: what the patch does not repeat is lost"
                .to_owned(),
            None,
        )),
        _ => None,
    });
}
