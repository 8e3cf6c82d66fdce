use convoy_kube::{GroupVersionKind, Registry, Typed};
use convoy_patch::json_patch::Op;
use convoy_patch::pointer::{self, Token};
use convoy_value::Value;

use super::judged::{Finding, judge_objects};
use super::typed::{items, patch};
use super::{Check, Example, Release, Reports, Rule};
use crate::diagnostic::{Severity, Stage};
use crate::dialect::convoy::MutationType;
use crate::preview::diff::at;
use crate::preview::{ObjectRun, Step};

pub(super) const RULE: Rule = Rule {
    name: "index-shifted",
    stage: Stage::Review,
    severity: Severity::Warning,
    summary: "An index names another item than in the sample, since an earlier mutation moved the items.",
    explanation: "Each mutation works on what the one before it left. A strategic merge puts new items first, and a patch may insert or remove one: behind it every index means the next item. Put the patch before the mutation that moves the items, or count with it.",
    example: Example {
        wrong: r#"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: strategicMergePatch
  target: {group: apps, version: v1, kind: Deployment, name: web}
  inline: |
    spec: {template: {spec: {containers: [{name: new, image: "n:1"}]}}}
- type: jsonPatch
  target: {group: apps, version: v1, kind: Deployment, name: web}
  patches:
  - {op: replace, path: /spec/template/spec/containers/0/image, value: "nginx:2"}
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
  - {op: replace, path: /spec/template/spec/containers/0/image, value: "nginx:2"}
- type: strategicMergePatch
  target: {group: apps, version: v1, kind: Deployment, name: web}
  inline: |
    spec: {template: {spec: {containers: [{name: new, image: "n:1"}]}}}
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
    let registry = context.workspace.registry();
    for mutation in &context.preview.release.mutations {
        if mutation.kind != Some(MutationType::JsonPatch) {
            continue;
        }
        // What was found, and the mutation that moved the items.
        let mut moved: Vec<(Finding, usize)> = Vec::new();
        let judged = judge_objects(context.preview, mutation.index, |object, step| {
            let found = shifts(registry, object, step);
            moved.extend(found.iter().cloned());
            found.into_iter().map(|(finding, _)| finding).collect()
        });
        for finding in judged {
            let by = moved.iter().find(|(known, _)| {
                known.place == finding.place && finding.message.starts_with(&known.message)
            });
            let report = reports
                .add(finding.place, finding.message)
                .severity(Severity::Warning)
                .maybe_help(finding.help)
                .related(finding.object, format!("{} is the object", finding.object_label));
            if let Some((_, by)) = by {
                let head = context.place(context.preview.release.mutations[*by].head());
                report.related(head, "moves the items");
            }
        }
    }
}

/// Where an index of a patch means another item than in the sample, each with the mutation that moved the items.
fn shifts(registry: &Registry, object: &ObjectRun, step: &Step) -> Vec<(Finding, usize)> {
    let (Some(render), Some(sample)) = (step.renders.first(), object.object.value()) else {
        return Vec::new();
    };
    if step.after_unknown {
        return Vec::new();
    }
    let ty = GroupVersionKind::of_object(&step.before).and_then(|kind| registry.find(&kind));
    let mut found = Vec::new();
    for (op, node, text) in patch::pointers(render) {
        let tokens = pointer::tokens(text);
        // An index at the end of an `add` is a place between items, and names none.
        let named = tokens.len() - usize::from(op == Op::Add && !tokens.is_empty());
        let Some((token, was, is)) = shifted(sample, &step.before, ty, &tokens[..named]) else { continue };
        let Some(by) = moved_by(object, step, &tokens[..=token], &was, ty) else { continue };
        let index = &tokens[token].key;
        let finding = Finding {
            place: render.place(patch::span_of(render, node, text, &tokens[token])),
            message: format!(
                "index {index} is {is} here, but {was} in the sample: mutation {by} moved the items"
            ),
            help: Some(format!("put this patch before mutation {by}, or count with what it does")),
        };
        found.push((finding, by));
    }
    found
}

/// The first token of a pointer that is an index of another item than in the sample: its number, what the item is in the
/// sample, and what it is now.
fn shifted(
    sample: &Value,
    now: &Value,
    ty: Option<Typed<'_>>,
    tokens: &[Token],
) -> Option<(usize, String, String)> {
    let (mut then, mut now, mut ty) = (sample, now, ty);
    for (i, token) in tokens.iter().enumerate() {
        let Value::List(items) = now else {
            (then, now) = (then.get(&token.key)?, now.get(&token.key)?);
            ty = ty.and_then(|ty| ty.member(&token.key));
            continue;
        };
        let (index, before) = (token.key.parse::<usize>().ok()?, then.as_list()?);
        let (old, new) = (before.get(index)?, items.get(index)?);
        let (was, is) = (items::identity(old, ty)?, items::identity(new, ty)?);
        if was != is {
            let among = |items: &[Value], wanted: &str| {
                items.iter().any(|item| items::identity(item, ty).is_some_and(|name| name == wanted))
            };
            // An item that was given another name has not moved.
            return (among(items, &was) || among(before, &is)).then_some((i, was, is));
        }
        (then, now) = (old, new);
        ty = ty.and_then(Typed::item);
    }
    None
}

/// The mutation before this step that put another item at the index.
fn moved_by(
    object: &ObjectRun,
    step: &Step,
    tokens: &[Token],
    was: &str,
    ty: Option<Typed<'_>>,
) -> Option<usize> {
    let (_, list) = tokens.split_last()?;
    let ty = list.iter().try_fold(ty?, |ty, token| ty.item().or_else(|| ty.member(&token.key)));
    let pointer = items::pointer(tokens.iter().map(|token| token.key.as_str()));
    let earlier = object.steps.iter().take_while(|earlier| earlier.mutation < step.mutation);
    let mut earlier = earlier.filter(|earlier| {
        at(earlier.after(), &pointer).and_then(|item| items::identity(item, ty)).is_none_or(|is| is != was)
    });
    earlier.next().map(|earlier| earlier.mutation)
}
