use std::collections::{HashMap, HashSet};

use convoy_patch::pointer;

use super::judged::listed;
use super::{Check, Example, Release, Reports, Rule};
use crate::diagnostic::{Severity, Stage};
use crate::dialect::convoy::Mutation;
use crate::preview::diff::changed_pointers;
use crate::preview::{Outcome, Preview};

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

/// What becomes of what a mutation sets, over all objects.
#[derive(Clone, Default)]
struct Fate {
    /// It fails somewhere, so that nothing is known.
    fails: bool,
    /// Something that it sets is left.
    leaves: bool,
    /// What is overwritten on every object, and by which mutation.
    lost: Option<Vec<(String, usize)>>,
    /// The last mutation that overwrites something.
    later: Option<usize>,
}

/// What a mutation sets on one object.
impl Fate {
    fn add(&mut self, changed: &[String], next: &HashMap<String, usize>) {
        let mut here: Vec<(String, usize)> = changed
            .iter()
            .filter_map(|pointer| Some((pointer.clone(), overwriting(next, pointer)?)))
            .collect();
        here.sort_by_key(|(_, later)| *later);
        self.leaves |= here.len() < changed.len();
        self.later = here.last().map(|(_, later)| *later).or(self.later);
        self.lost = Some(match self.lost.take() {
            None => here,
            Some(known) => {
                let here: HashSet<(String, usize)> = here.into_iter().collect();
                known.into_iter().filter(|one| here.contains(one)).collect()
            }
        });
    }
}

/// The next mutation that changes a pointer, or what it stands in.
fn overwriting(next: &HashMap<String, usize>, pointer: &str) -> Option<usize> {
    let parents = pointer.match_indices('/').map(|(at, _)| &pointer[..at]);
    parents.chain([pointer]).filter_map(|known| next.get(known).copied()).min()
}

/// The fate of each mutation. Each step is compared once, from the last to the first.
fn fates(preview: &Preview) -> Vec<Fate> {
    let mut fates = vec![Fate::default(); preview.release.mutations.len()];
    for object in preview.runs.iter().flat_map(|run| &run.objects) {
        let mut next: HashMap<String, usize> = HashMap::new();
        for step in object.steps.iter().rev() {
            let Some(fate) = fates.get_mut(step.mutation) else { continue };
            let Outcome::Done(after) = &step.outcome else {
                fate.fails = true;
                continue;
            };
            let changed = changed_pointers(&step.before, after);
            fate.add(&changed, &next);
            next.extend(changed.into_iter().map(|pointer| (pointer, step.mutation)));
        }
    }
    fates
}

/// How many steps may be run to see what is left of mutations, or twice as many as there are. What is not seen is not
/// reported.
const STEPS: usize = 5_000;

fn check(context: &Release<'_>, reports: &mut Reports) {
    let release = &context.preview.release;
    let objects = context.preview.runs.iter().flat_map(|run| &run.objects);
    let mut steps = STEPS.max(2 * objects.map(|object| object.steps.len()).sum::<usize>());
    for (mutation, fate) in release.mutations.iter().zip(fates(context.preview)) {
        let Some(lost) = fate.lost.filter(|lost| !lost.is_empty() && !fate.fails) else { continue };
        // A later mutation may read what this one sets, and so make another object of it.
        if let Some(later) = fate.later.filter(|_| !fate.leaves) {
            if context.preview.is_superfluous(context.workspace, mutation.index, &mut steps) {
                reports
                    .add(
                        context.place(mutation.head()),
                        format!("everything that this mutation sets is overwritten by mutation {later}"),
                    )
                    .related(context.place(release.mutations[later].head()), "overwrites it");
            }
            continue;
        }
        partly(context, mutation, lost, &mut steps, reports);
    }
}

/// A part of what a mutation sets is overwritten. A later mutation for fewer objects may well set it in another way.
fn partly(
    context: &Release<'_>,
    mutation: &Mutation,
    lost: Vec<(String, usize)>,
    steps: &mut usize,
    reports: &mut Reports,
) {
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
    let same = context.preview.same_without(context.workspace, mutation.index, pointers, steps);
    let same: HashSet<String> = same.into_iter().map(str::to_owned).collect();
    lost.retain(|(pointer, _)| same.contains(pointer));
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
