use super::nearest::suggestion;
use super::{Check, Example, Release, Reports, Rule};
use crate::diagnostic::{Severity, Stage};
use crate::dialect::convoy::MutationType;

pub(super) const RULE: Rule = Rule {
    name: "from-kind",
    stage: Stage::Run,
    severity: Severity::Warning,
    summary: "`from.kind` is a kind that convoy may not know.",
    explanation: "The documentation shows `ConfigMap`. An unknown `from.kind` gives `Applied=False`, reason `Unsupported`; the setting `convoy.fromKinds` lists the kinds that your build knows.",
    example: Example {
        wrong: r#"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: goTemplate
  target: {group: apps, version: v1, kind: Deployment, name: web}
  from: {kind: Secret, name: overlay, path: overlay.yaml}
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
    let known: Vec<&str> =
        context.workspace.settings().convoy.from_kinds.iter().map(String::as_str).collect();
    for mutation in &context.preview.release.mutations {
        if !mutation.kind.is_some_and(MutationType::reads_content) {
            continue;
        }
        let Some(from) = &mutation.from else { continue };
        match &from.kind {
            Some(kind) if !known.contains(&kind.text.as_str()) => {
                reports
                    .add(
                        context.place(kind.span),
                        format!(
                            "convoy reports Unsupported for kinds it does not know, such as {:?}",
                            kind.text
                        ),
                    )
                    .help(suggestion(&kind.text, &known));
            }
            None => {
                reports
                    .add(
                        context.place(from.field.key),
                        "from names no kind, and convoy reports Unsupported for one that it does not know",
                    )
                    .help(format!("kind: {}", known.first().unwrap_or(&"ConfigMap")));
            }
            _ => {}
        }
    }
}
