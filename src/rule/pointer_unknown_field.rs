use super::typed::Class;
use super::{Check, Example, Release, Reports, Rule};
use crate::diagnostic::{Severity, Stage};

pub(super) const RULE: Rule = Rule {
    name: "pointer-unknown-field",
    stage: Stage::Run,
    severity: Severity::Error,
    summary: "A path of a patch leads to nothing that the type of the object has.",
    explanation: "Where the kind of the object is known, its type says which fields there are: a pointer to any other sets what the API server refuses, or finds nothing. Items of a list have a number, and below a text or a number there is nothing: a `/` in the key of a label or an annotation is written `~1`. What a template writes is not known before it runs, and is passed over.",
    example: Example {
        wrong: r#"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: jsonPatch
  target: {group: apps, version: v1, kind: Deployment, name: web}
  patches:
  - {op: add, path: /spec/replica, value: 3}
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
  - {op: add, path: /spec/replicas, value: 3}
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
    context.report_typed(reports, Class::Pointer);
}
