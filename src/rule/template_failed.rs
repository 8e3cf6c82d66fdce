use super::texts::report_failures;
use super::{Check, Example, Release, Reports, Rule};
use crate::diagnostic::{Severity, Stage};
use crate::preview::FailureKind;

pub(super) const RULE: Rule = Rule {
    name: "template-failed",
    stage: Stage::Run,
    severity: Severity::Error,
    summary: "A template fails when it runs on a sample.",
    explanation: "The text is Go's. What fails for every object and cluster that is known is an error, what fails for some a warning that names them. An error stops the render: the Release reports `Applied=False`, reason `DeployFailed`, stage Rendering; it also stops a pinned render. Go stops at the first failure; here the run goes on behind it, so that every path that a sample lacks shows at once: each at the link that fails, none that `if` or `with` guards, and none that only follows from another.",
    example: Example {
        wrong: r#"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: goTemplate
  target: {group: apps, version: v1, kind: Deployment, name: web}
  inline: |
    metadata: {annotations: {zone: "{{ .object.status.zone }}"}}
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
    metadata: {annotations: {zone: "{{ with .object.status }}{{ .zone }}{{ end }}"}}
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
    report_failures(context, reports, |kind| {
        matches!(kind, FailureKind::Template | FailureKind::FromTemplate)
    });
}
