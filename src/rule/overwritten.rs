use super::{Check, Example, Release, Reports, Rule};
use crate::diagnostic::{Severity, Stage};
use crate::preview::Outcome;
use crate::preview::diff::changed_pointers;

pub(super) const RULE: Rule = Rule {
    name: "overwritten",
    stage: Stage::Review,
    severity: Severity::Warning,
    summary: "Later mutations overwrite everything that a mutation sets.",
    explanation: "Each mutation works on the output of the one before. One whose every change is changed again has no effect.",
    example: Example {
        wrong: r#"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: jsonPatch
  target: {group: apps, version: v1, kind: Deployment, name: web}
  patches: [{op: replace, path: /spec/replicas, value: 2}]
- type: goTemplate
  target: {group: apps, version: v1, kind: Deployment, name: web}
  inline: |
    spec: {replicas: 3}
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
    let release = &context.preview.release;
    for mutation in &release.mutations {
        let mut later: Option<usize> = None;
        let mut all = true;
        for (_, object, step) in context.preview.steps(mutation.index) {
            let Outcome::Done(after) = &step.outcome else {
                all = false;
                break;
            };
            let mut left = changed_pointers(&step.before, after);
            if left.is_empty() {
                all = false;
                break;
            }
            for next in object.steps.iter().filter(|next| next.mutation > mutation.index) {
                let Outcome::Done(after) = &next.outcome else { continue };
                let changed = changed_pointers(&next.before, after);
                let before = left.len();
                left.retain(|pointer| {
                    !changed.iter().any(|c| pointer == c || pointer.starts_with(&format!("{c}/")))
                });
                if left.len() < before {
                    later = Some(next.mutation);
                }
            }
            all &= left.is_empty();
        }
        let Some(later) = later.filter(|_| all) else { continue };
        // A later mutation may read what this one sets, and so make another object of it.
        if !context.preview.is_superfluous(context.workspace, mutation.index) {
            continue;
        }
        reports
            .add(
                context.place(mutation.head()),
                format!("everything that this mutation sets is overwritten by mutation {later}"),
            )
            .related(context.place(release.mutations[later].head()), "overwrites it");
    }
}
