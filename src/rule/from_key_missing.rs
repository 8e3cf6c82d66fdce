use super::{Check, Example, Release, Reports, Rule};
use crate::diagnostic::{Severity, Stage};
use crate::preview::{FailureKind, FromContent};

pub(super) const RULE: Rule = Rule {
    name: "from-key-missing",
    stage: Stage::Run,
    severity: Severity::Error,
    summary: "The `ConfigMap` that `from` names has no such key.",
    explanation: "A missing key stops the render, and convoy retries; `from` has no optional field.",
    example: Example {
        wrong: r#"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: goTemplate
  target: {group: apps, version: v1, kind: Deployment, name: web}
  from: {kind: ConfigMap, name: overlay, path: overlai.yaml}
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
apiVersion: v1
kind: ConfigMap
metadata: {name: overlay, namespace: prod}
data:
  overlay.yaml: |
    metadata:
      labels: {team: core}
"#,
        right: r#"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: goTemplate
  target: {group: apps, version: v1, kind: Deployment, name: web}
  from: {kind: ConfigMap, name: overlay, path: overlay.yaml}
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
apiVersion: v1
kind: ConfigMap
metadata: {name: overlay, namespace: prod}
data:
  overlay.yaml: |
    metadata:
      labels: {team: core}
"#,
    },
    check: Check::Release(check),
};

fn check(context: &Release<'_>, reports: &mut Reports) {
    for mutation in &context.preview.release.mutations {
        let preview = context.preview;
        let runs: Vec<_> = preview.runs.iter().filter(|run| preview.is_of_cluster(run)).collect();
        let failed: Vec<_> = runs
            .iter()
            .filter_map(|run| match run.from.get(mutation.index) {
                Some(Some(FromContent::Failed(failure))) if failure.kind == FailureKind::FromKey => {
                    Some((run, failure))
                }
                _ => None,
            })
            .collect();
        let Some((run, failure)) = failed.first() else { continue };
        let mut message = failure.message.clone();
        let mut severity = Severity::Error;
        if failed.len() < runs.len() {
            message.push_str(&format!(" (for {})", run.cluster_label()));
            severity = Severity::Warning;
        }
        reports.add(failure.place.clone(), message).maybe_help(failure.help.clone()).severity(severity);
    }
}
