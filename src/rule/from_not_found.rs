use super::{Check, Example, Release, Reports, Rule};
use crate::diagnostic::{Severity, Stage};
use crate::preview::FromContent;

pub(super) const RULE: Rule = Rule {
    name: "from-not-found",
    stage: Stage::Run,
    severity: Severity::Hint,
    summary: "The object that `from` names is not in the workspace.",
    explanation: "It may live in the cluster. A missing object stops the render, and convoy retries; a change to the object does not start a reconcile, convoy reads it again at the next one.",
    example: Example {
        wrong: r#"apiVersion: convoy.kumodo.io/v1alpha1
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
        let Some(name) = mutation.from.as_ref().and_then(|from| from.name.as_ref()) else { continue };
        let mut missing: Vec<(&str, String)> = Vec::new();
        for run in context.preview.runs.iter().filter(|run| context.preview.is_of_cluster(run)) {
            if let Some(Some(FromContent::NotInWorkspace { name })) = run.from.get(mutation.index)
                && !missing.iter().any(|(known, _)| known == name)
            {
                missing.push((name, run.cluster_label()));
            }
        }
        let Some((first, cluster)) = missing.first() else { continue };
        let whom = match missing.len() {
            1 if *first == name.text => String::new(),
            1 => format!(" (for {cluster})"),
            more => format!(" (for {cluster}; {} more for other clusters)", more - 1),
        };
        reports
            .add(context.place(name.span), format!("ConfigMap {first:?} is not in the workspace{whom}"))
            .help(
                "it may live in the cluster: if not, the render stops, and convoy retries at each reconcile",
            );
    }
}
