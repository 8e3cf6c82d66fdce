use super::texts::report_failures;
use super::{Check, Example, Release, Reports, Rule};
use crate::diagnostic::{Severity, Stage};
use crate::preview::FailureKind;

pub(super) const RULE: Rule = Rule {
    name: "cel-failed",
    stage: Stage::Run,
    severity: Severity::Error,
    summary: "A CEL expression fails when it runs on a sample.",
    explanation: "The text is cel-go's. In CEL, a read of a key that is not there is an error, unlike in a template. Guards count: `\"region\" in cluster ? cluster.region : …`, `has(cluster.region) ? … : …`, `&&`, `||` and the variables of macros. What fails for every object and cluster that is known is an error, what fails for some a warning that names them. Reads that fail are shown at once, the first hundred of an object: entries of maps and lists, operands and arguments are each looked at, though cel-go stops at the first.",
    example: Example {
        wrong: r#"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: celTransform
  target: {group: apps, version: v1, kind: Deployment, name: web}
  inline: |
    {"metadata": {"labels": {"region": cluster.region}}}
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
---
apiVersion: convoy.kumodo.io/v1alpha1
kind: Cluster
metadata: {name: east}
spec: {metadata: {region: eu-1}}
---
apiVersion: convoy.kumodo.io/v1alpha1
kind: Cluster
metadata: {name: edge}
spec: {metadata: {}}
"#,
        right: r#"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: celTransform
  target: {group: apps, version: v1, kind: Deployment, name: web}
  inline: |
    {"metadata": {"labels": {"region": "region" in cluster ? cluster.region : "none"}}}
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
---
apiVersion: convoy.kumodo.io/v1alpha1
kind: Cluster
metadata: {name: east}
spec: {metadata: {region: eu-1}}
---
apiVersion: convoy.kumodo.io/v1alpha1
kind: Cluster
metadata: {name: edge}
spec: {metadata: {}}
"#,
    },
    check: Check::Release(check),
};

fn check(context: &Release<'_>, reports: &mut Reports) {
    report_failures(context, reports, |kind| *kind == FailureKind::Expression);
}
