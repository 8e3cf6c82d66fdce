use super::texts::{expressions, report_failures};
use super::{Check, Example, Release, Reports, Rule};
use crate::diagnostic::{Severity, Stage};
use crate::preview::FailureKind;

pub(super) const RULE: Rule = Rule {
    name: "cel-result",
    stage: Stage::Run,
    severity: Severity::Error,
    summary: "The result of a celTransform is no map with string keys.",
    explanation: "An expression gives an overlay that is merged into the object (RFC 7386). A result that is not a map with string keys stops the render. Where the types say so already, it is told for every object; else for the samples that show it.",
    example: Example {
        wrong: r#"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: celTransform
  target: {group: apps, version: v1, kind: Deployment, name: web}
  inline: |
    ["metadata"]
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
        if !expression.compiled.issues.is_empty() {
            continue;
        }
        if let (Some(ty), Some(root)) = (expression.wrong_type(), expression.compiled.checked.ast.root) {
            let place = expression.place(expression.compiled.checked.ast.span(root));
            reports.add(place, format!("the result is of type {ty}, not a map with string keys"));
        }
    }
    report_failures(context, reports, |kind| *kind == FailureKind::ExpressionShape);
}
