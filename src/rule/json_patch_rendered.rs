use super::texts::report_failures;
use super::{Check, Example, Release, Reports, Rule};
use crate::diagnostic::{Severity, Stage};
use crate::preview::FailureKind;

pub(super) const RULE: Rule = Rule {
    name: "json-patch-rendered",
    stage: Stage::Run,
    severity: Severity::Error,
    summary: "The list of patches, filled in, is not JSON.",
    explanation: r#"A value that a template fills in is not escaped for JSON: a label that holds `"`, `\` or a line break breaks the text, e.g. `invalid character 'h' after object key:value pair`. printf `%q` escapes, but brings quotes of its own."#,
    example: Example {
        wrong: r#"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: jsonPatch
  target: {group: apps, version: v1, kind: Deployment, name: web}
  patches:
  - {op: add, path: /metadata/labels/note, value: '{{ .object.metadata.annotations.note }}'}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, annotations: {note: "say \"hi\""}, labels: {app: web, version: "1.10"}}
spec:
  replicas: 1
  template:
    spec:
      containers:
      - {name: web, image: "nginx:1", env: [{name: A, value: "1"}, {name: B, value: "2"}]}
"#,
        right: r#"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: jsonPatch
  target: {group: apps, version: v1, kind: Deployment, name: web}
  patches:
  - {op: add, path: /metadata/labels/note, value: '{{ .object.metadata.name }}'}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web, version: "1.10"}}
spec:
  replicas: 1
  template:
    spec:
      containers:
      - {name: web, image: "nginx:1", env: [{name: A, value: "1"}, {name: B, value: "2"}]}
"#,
    },
    check: Check::Release(check),
};

fn check(context: &Release<'_>, reports: &mut Reports) {
    report_failures(context, reports, |kind| matches!(kind, FailureKind::PatchText));
}
