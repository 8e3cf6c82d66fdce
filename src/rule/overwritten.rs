use std::collections::HashSet;

use convoy_patch::pointer;

use super::judged::listed;
use super::{Check, Example, Release, Reports, Rule};
use crate::diagnostic::{Severity, Stage};
use crate::dialect::convoy::Mutation;
use crate::preview::Outcome;
use crate::preview::diff::changed_pointers;

pub(super) const RULE: Rule = Rule {
    name: "overwritten",
    stage: Stage::Review,
    severity: Severity::Warning,
    summary: "Later mutations overwrite everything that a mutation sets.",
    explanation: "Each mutation works on the output of the one before. One whose every change is changed again has no effect. Where a later mutation for the same objects overwrites only a part, a hint says which fields.",
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
        // What is overwritten, and by which mutation, on every object; and whether anything is left.
        let mut lost: Option<Vec<(String, usize)>> = None;
        let mut all = true;
        for (_, object, step) in context.preview.steps(mutation.index) {
            let Outcome::Done(after) = &step.outcome else {
                lost = Some(Vec::new());
                break;
            };
            let mut left = changed_pointers(&step.before, after);
            let mut here: Vec<(String, usize)> = Vec::new();
            for next in object.steps.iter().filter(|next| next.mutation > mutation.index) {
                let Outcome::Done(after) = &next.outcome else { continue };
                let changed: HashSet<String> = changed_pointers(&next.before, after).into_iter().collect();
                left.retain(|pointer| {
                    let stays = !is_within(pointer, &changed);
                    if !stays {
                        here.push((pointer.clone(), next.mutation));
                        later = Some(next.mutation);
                    }
                    stays
                });
            }
            all &= left.is_empty();
            lost = Some(match lost {
                None => here,
                Some(known) => {
                    let here: HashSet<(String, usize)> = here.into_iter().collect();
                    known.into_iter().filter(|one| here.contains(one)).collect()
                }
            });
            if lost.as_ref().is_some_and(Vec::is_empty) {
                break;
            }
        }
        let Some(lost) = lost.filter(|lost| !lost.is_empty()) else { continue };
        // A later mutation may read what this one sets, and so make another object of it.
        if let Some(later) = later.filter(|_| all) {
            if context.preview.is_superfluous(context.workspace, mutation.index) {
                reports
                    .add(
                        context.place(mutation.head()),
                        format!("everything that this mutation sets is overwritten by mutation {later}"),
                    )
                    .related(context.place(release.mutations[later].head()), "overwrites it");
            }
            continue;
        }
        partly(context, mutation, lost, reports);
    }
}

/// A part of what a mutation sets is overwritten. A later mutation for fewer objects may well set it in another way.
fn partly(context: &Release<'_>, mutation: &Mutation, lost: Vec<(String, usize)>, reports: &mut Reports) {
    let release = &context.preview.release;
    let as_wide = |later: usize| {
        let (here, there) = (&mutation.target.values, &release.mutations[later].target.values);
        here.iter().zip(there).all(|(here, there)| {
            there.as_ref().is_none_or(|there| here.as_ref().is_some_and(|here| here.text == there.text))
        })
    };
    let mut lost: Vec<(String, usize)> = lost.into_iter().filter(|(_, later)| as_wide(*later)).collect();
    if lost.is_empty() {
        return;
    }
    let pointers: Vec<&str> = lost.iter().map(|(pointer, _)| pointer.as_str()).collect();
    let same = context.preview.same_without(context.workspace, mutation.index, &pointers);
    let mut same = same.into_iter();
    lost.retain(|_| same.next().unwrap_or(false));
    let Some((_, later)) = lost.last().cloned() else { return };
    let names: Vec<String> = lost
        .iter()
        .map(|(pointer, _)| {
            let keys: Vec<String> = pointer::tokens(pointer).into_iter().map(|token| token.key).collect();
            keys.join(".")
        })
        .collect();
    let names = listed(names.iter().map(String::as_str));
    reports
        .add(
            context.place(mutation.head()),
            format!("of what this mutation sets, {names} is overwritten by mutation {later}"),
        )
        .severity(Severity::Hint)
        .related(context.place(release.mutations[later].head()), "overwrites it");
}

/// Whether one of these pointers leads to a place or to what it stands in.
fn is_within(place: &str, pointers: &HashSet<String>) -> bool {
    let above = place.match_indices('/').map(|(at, _)| &place[..at]);
    above.chain([place]).any(|pointer| pointers.contains(pointer))
}
