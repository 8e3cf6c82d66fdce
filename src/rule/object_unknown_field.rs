use super::typed::Class;
use super::{Check, Example, Release, Reports, Rule};
use crate::diagnostic::{Severity, Stage};

pub(super) const RULE: Rule = Rule {
    name: "object-unknown-field",
    stage: Stage::Run,
    severity: Severity::Error,
    summary: "A mutation writes a field that the type of the object does not have.",
    explanation: "The render passes, since convoy merges whatever an overlay holds. The API server decodes the object strictly and refuses the field, or drops it with a warning where it is not asked to be strict; either way the setting is not there. A field that the sample itself has is not reported. The types are those of the release that setting `kubernetes.release` names, and of the `CustomResourceDefinition`s in the workspace; of other kinds only `metadata` is known.",
    example: Example {
        wrong: r#"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: goTemplate
  target: {group: apps, version: v1, kind: Deployment, name: web}
  inline: |
    spec: {replcias: 3}
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
- type: goTemplate
  target: {group: apps, version: v1, kind: Deployment, name: web}
  inline: |
    spec: {replicas: 3}
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
    context.report_typed(reports, Class::UnknownField);
}
