use super::typed::Class;
use super::{Check, Example, Release, Reports, Rule};
use crate::diagnostic::{Severity, Stage};

pub(super) const RULE: Rule = Rule {
    name: "object-field-value",
    stage: Stage::Run,
    severity: Severity::Error,
    summary: "A mutation writes a value that is none of those the field takes.",
    explanation: "Some fields take only a few words, and their case counts: `imagePullPolicy` takes `Always`, `IfNotPresent` and `Never`. The API server refuses any other: `Unsupported value`.",
    example: Example {
        wrong: r#"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: jsonPatch
  target: {group: apps, version: v1, kind: Deployment, name: web}
  patches:
  - {op: add, path: /spec/template/spec/containers/0/imagePullPolicy, value: Alway}
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
        right: r#"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: jsonPatch
  target: {group: apps, version: v1, kind: Deployment, name: web}
  patches:
  - {op: add, path: /spec/template/spec/containers/0/imagePullPolicy, value: Always}
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
    context.report_typed(reports, Class::Enumeration);
}
