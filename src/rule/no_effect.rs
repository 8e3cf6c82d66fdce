use convoy_patch::strategic::NoteKind;

use super::{Check, Example, Release, Reports, Rule};
use crate::diagnostic::{Severity, Stage};
use crate::preview::Outcome;

pub(super) const RULE: Rule = Rule {
    name: "no-effect",
    stage: Stage::Review,
    severity: Severity::Hint,
    summary: "A mutation changes nothing.",
    explanation: "The objects that it matches already are as it would make them. It may be meant as a guard for objects to come.",
    example: Example {
        wrong: r#"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: jsonPatch
  target: {group: apps, version: v1, kind: Deployment, name: web}
  patches: [{op: replace, path: /spec/replicas, value: 1}]
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
  patches: [{op: replace, path: /spec/replicas, value: 2}]
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
    for mutation in &context.preview.release.mutations {
        let mut objects: Vec<String> = Vec::new();
        let mut all_same = true;
        // With the first object that it changes the mutation is out of the question.
        for (_, object, step) in context.preview.steps(mutation.index) {
            let same = matches!(&step.outcome, Outcome::Done(after) if *after == step.before);
            // A directive that finds nothing to delete has a finding of its own, at its place.
            let told = step.notes.iter().any(|noted| noted.note.kind == NoteKind::NothingDeleted);
            all_same = same && !told && !step.after_unknown && step.failed_before.is_empty();
            if !all_same {
                break;
            }
            let label = object.object.label();
            if !objects.contains(&label) {
                objects.push(label);
            }
        }
        if !all_same || objects.is_empty() {
            continue;
        }
        let whom = match objects.as_slice() {
            [one] => one.clone(),
            many => format!("any of the {} objects that it matches", many.len()),
        };
        reports.add(context.place(mutation.head()), format!("changes nothing on {whom}"));
    }
}
