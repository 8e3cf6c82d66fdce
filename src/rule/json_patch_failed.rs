use super::texts::report_failures_of;
use super::typed::Failing;
use super::{Check, Example, Release, Reports, Rule};
use crate::diagnostic::{Severity, Stage};
use crate::preview::FailureKind;

pub(super) const RULE: Rule = Rule {
    name: "json-patch-failed",
    stage: Stage::Run,
    severity: Severity::Error,
    summary: "An operation of a patch fails on a sample.",
    explanation: "convoy applies patches as RFC 6902 has them: `replace` and `remove` of something that is not there fail, and so does a `test` of another value. A failing operation stops the render. The text is that of evanphx/json-patch.",
    example: Example {
        wrong: r#"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: jsonPatch
  target: {group: apps, version: v1, kind: Deployment, name: web}
  patches:
  - {op: replace, path: /spec/replica, value: 3}
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
  - {op: replace, path: /spec/replicas, value: 3}
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
    let wanted = |kind: &FailureKind| matches!(kind, FailureKind::PatchOperation { .. });
    report_failures_of(context, reports, wanted, |step, failure| {
        match context.told().failing(step) {
            Some(Failing::Never) => return false,
            Some(Failing::NoField(help)) => failure.help = Some(help.clone()),
            Some(Failing::NoPlace(help)) => failure.help = failure.help.take().or(help.clone()),
            None => {}
        }
        true
    });
}
