use super::texts::expressions;
use super::{Check, Example, Release, Reports, Rule};
use crate::diagnostic::{Severity, Stage};

pub(super) const RULE: Rule = Rule {
    name: "cel-syntax",
    stage: Stage::Run,
    severity: Severity::Error,
    summary: "A CEL expression has a syntax error.",
    explanation: "The text is cel-go's. Admission does not compile expressions: the error shows when convoy renders the Release, as `Applied=False`, reason `DeployFailed`, stage Rendering.",
    example: Example {
        wrong: r#"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: celTransform
  target: {group: apps, version: v1, kind: Deployment, name: web}
  inline: |
    {"metadata": {"labels": {"release": self.name}}
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
- type: celTransform
  target: {group: apps, version: v1, kind: Deployment, name: web}
  inline: |
    {"metadata": {"labels": {"release": self.name}}}
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
    for expression in expressions(context) {
        if expression.compiled.is_syntax {
            for issue in &expression.compiled.issues {
                reports.add(expression.place(issue.span), issue.message.to_string());
            }
        }
    }
}
