use convoy_patch::pointer::tokens;
use convoy_value::Value;

use super::judged::{Finding, judge};
use super::{Check, Example, Release, Reports, Rule};
use crate::diagnostic::{Place, Severity, Stage};
use crate::preview::diff::at;
use crate::preview::{Outcome, Step};

pub(super) const RULE: Rule = Rule {
    name: "identity-change",
    stage: Stage::Review,
    severity: Severity::Warning,
    summary: "A mutation changes what an object is.",
    explanation: "`apiVersion`, `kind`, `metadata.name` and `metadata.namespace` say which object it is. A mutation cannot add or remove objects; one that changes these makes convoy apply another object than the one that was rendered.",
    example: Example {
        wrong: r#"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: goTemplate
  target: {group: apps, version: v1, kind: Deployment, name: web}
  inline: |
    metadata: {name: "{{ .self.name }}-{{ .object.metadata.name }}"}
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
    metadata: {labels: {release: "{{ .self.name }}"}}
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

const IDENTITY: [&str; 4] = ["/apiVersion", "/kind", "/metadata/name", "/metadata/namespace"];

fn check(context: &Release<'_>, reports: &mut Reports) {
    for mutation in &context.preview.release.mutations {
        let judged = judge(context.preview, mutation.index, |step| {
            let Outcome::Done(after) = &step.outcome else { return Vec::new() };
            if identity(&step.before) == identity(after) {
                return Vec::new();
            }
            IDENTITY
                .iter()
                .filter(|pointer| at(&step.before, pointer) != at(after, pointer))
                .map(|pointer| Finding {
                    place: written_at(step, pointer).unwrap_or_else(|| context.place(mutation.head())),
                    message: format!(
                        "changes {} from {} to {}",
                        pointer[1..].replace('/', "."),
                        shown(at(&step.before, pointer)),
                        shown(at(after, pointer))
                    ),
                    help: None,
                })
                .collect()
        });
        for finding in judged {
            reports
                .add(finding.place, finding.message)
                .related(finding.object, format!("{} is the object", finding.object_label));
        }
    }
}

/// The values at [`IDENTITY`].
fn identity(object: &Value) -> [Option<&Value>; 4] {
    let metadata = object.get("metadata");
    let of_metadata = |key: &str| metadata.and_then(|metadata| metadata.get(key));
    [object.get("apiVersion"), object.get("kind"), of_metadata("name"), of_metadata("namespace")]
}

fn shown(value: Option<&Value>) -> String {
    value.map_or("nothing".to_owned(), |value| {
        value.as_str().map_or_else(|| value.kind().to_owned(), |text| format!("{text:?}"))
    })
}

/// The place that wrote a pointer: the value in the overlay, the path of an operation.
fn written_at(step: &Step, pointer: &str) -> Option<Place> {
    if let Some(place) = step.evaluated.iter().rev().find_map(|evaluated| evaluated.written_at(pointer)) {
        return Some(place);
    }
    for render in step.renders.iter().rev() {
        let tree = &render.tree;
        let Some(root) = tree.documents().first().and_then(|document| document.root) else { continue };
        for &item in tree.items(root) {
            let path = tree.get(item, "path")?;
            if tree.scalar(path).is_some_and(|text| pointer.starts_with(text)) {
                return Some(render.place(tree.span(path)));
            }
        }
        let node = tokens(pointer).iter().try_fold(root, |node, token| tree.get(node, &token.key));
        if let Some(node) = node {
            return Some(render.place(tree.span(node)));
        }
    }
    None
}
