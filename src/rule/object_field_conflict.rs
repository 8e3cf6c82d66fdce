use std::collections::HashMap;

use convoy_kube::check::Key;
use convoy_kube::conflict::{Conflict, conflicts};
use convoy_kube::{GroupVersionKind, Registry};
use convoy_patch::json_patch::Op;
use convoy_patch::pointer;
use convoy_text::Span;
use convoy_value::Value;
use convoy_yaml::NodeId;

use super::judged::{Finding, judge_objects};
use super::typed::overlay::at;
use super::typed::{expression, followed, items, patch};
use super::{Check, Example, Release, Reports, Rule};
use crate::diagnostic::{Place, Severity, Stage};
use crate::dialect::convoy::MutationType;
use crate::preview::{ObjectRun, Outcome, Render, Step};

pub(super) const RULE: Rule = Rule {
    name: "object-field-conflict",
    stage: Stage::Run,
    severity: Severity::Error,
    summary: "A mutation brings a field into the object that may not stand beside another.",
    explanation: "A merge keeps what it does not name: `valueFrom` beside the `value` that the object has, one source of a volume beside another, `rollingUpdate` beside the type `Recreate`. Each of the two is right, and the API server refuses both together. Null removes the other.",
    example: Example {
        wrong: r#"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: strategicMergePatch
  target: {group: apps, version: v1, kind: Deployment, name: web}
  inline: |
    spec: {template: {spec: {containers: [{name: web, env: [{name: A, valueFrom: {fieldRef: {fieldPath: metadata.name}}}]}]}}}
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
- type: strategicMergePatch
  target: {group: apps, version: v1, kind: Deployment, name: web}
  inline: |
    spec: {template: {spec: {containers: [{name: web, env: [{name: A, value: null, valueFrom: {fieldRef: {fieldPath: metadata.name}}}]}]}}}
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
    // What is no conflict at the end is none that counts, and nearly no object has any.
    let runs = context.preview.runs.iter().flat_map(|run| &run.objects);
    let ends: HashMap<usize, Vec<Conflict>> = runs
        .filter(|object| !object.steps.is_empty())
        .filter_map(|object| Some((address(object), conflicts_of(registry, object.result()?))))
        .filter(|(_, conflicts)| !conflicts.is_empty())
        .collect();
    if ends.is_empty() {
        return;
    }
    for mutation in &context.preview.release.mutations {
        let head = context.place(mutation.head());
        let judged = judge_objects(context.preview, mutation.index, |object, step| {
            let Some(end) = ends.get(&address(object)) else { return Vec::new() };
            let conflicts = brought(registry, end, step).into_iter();
            conflicts.map(|conflict| finding(mutation.kind, step, &conflict, &head)).collect()
        });
        for finding in judged {
            reports
                .add(finding.place, finding.message)
                .severity(finding.severity)
                .maybe_help(finding.help)
                .related(finding.object, format!("{} is the object", finding.object_label));
        }
    }
}

fn address(object: &ObjectRun) -> usize {
    std::ptr::from_ref(object).addr()
}

/// The conflicts in an object whose kind is built in.
fn conflicts_of(registry: &Registry, object: &Value) -> Vec<Conflict> {
    let ty = GroupVersionKind::of_object(object).and_then(|kind| registry.builtin().root(&kind));
    ty.map_or_else(Vec::new, |ty| conflicts(object, ty, &[]))
}

/// The conflicts that a step brings into the object and that are still there at the end.
fn brought(registry: &Registry, end: &[Conflict], step: &Step) -> Vec<Conflict> {
    let Outcome::Done(after) = &step.outcome else { return Vec::new() };
    let mut found = conflicts_of(registry, after);
    if found.is_empty() {
        return found;
    }
    // Items may have moved, so that their numbers do not count.
    let known = |others: &[Conflict], conflict: &Conflict| {
        others.iter().any(|other| {
            other.paths.len() == conflict.paths.len()
                && other
                    .paths
                    .iter()
                    .zip(&conflict.paths)
                    .all(|(a, b)| a.iter().map(followed).eq(b.iter().map(followed)))
        })
    };
    let before = conflicts_of(registry, &step.before);
    found.retain(|conflict| !known(&before, conflict) && known(end, conflict));
    found
}

fn finding(kind: Option<MutationType>, step: &Step, conflict: &Conflict, head: &Place) -> Finding {
    // The first is the one that the API server lets pass, so that another is to blame where both are written.
    let written: Vec<Option<Place>> =
        conflict.paths.iter().map(|path| written_at(kind, step, path)).collect();
    let place = written.iter().flatten().next_back().unwrap_or(head).clone();
    let other = conflict.paths.iter().zip(&written).find(|(_, written)| written.is_none());
    let help = match (other.map(|(path, _)| path.as_slice()), kind) {
        (Some(path), Some(MutationType::JsonPatch)) => {
            let pointer = items::pointer_of(path);
            Some(format!("remove the other first: {{op: remove, path: {pointer}}}"))
        }
        (Some([.., Key::Name(name)]), Some(MutationType::CelTransform)) => {
            Some(format!("write \"{name}\": null beside it, which removes the other"))
        }
        (Some([.., Key::Name(name)]), _) => {
            Some(format!("write {name}: null beside it, which removes the other"))
        }
        _ => Some("keep one of them".to_owned()),
    };
    Finding { place, message: conflict.text.clone(), help }
}

/// Where a mutation writes a path of the object.
fn written_at(kind: Option<MutationType>, step: &Step, path: &[Key]) -> Option<Place> {
    let after = at(step.after(), path);
    for evaluated in step.evaluated.iter().rev() {
        if at(&evaluated.overlay, path).is_some_and(|value| *value != Value::Null) {
            let span = expression::span_at(&evaluated.expression, path, true);
            return Some(evaluated.expression.place(span));
        }
    }
    for render in step.renders.iter().rev() {
        let span = if kind == Some(MutationType::JsonPatch) {
            in_patch(render, path)
        } else {
            key_of(render, render.root()?, path, after)
        };
        if let Some(span) = span {
            return Some(render.place(span));
        }
    }
    None
}

/// The key of a path in an output. The items of a strategic merge have other numbers than those of the object: the
/// one with the value that the object has, else the first that has the key.
fn key_of(render: &Render, root: NodeId, path: &[Key], after: Option<&Value>) -> Option<Span> {
    let tree = &render.tree;
    let mut here: Vec<(Option<Span>, NodeId)> = vec![(None, root)];
    for key in path {
        here = match key {
            Key::Name(name) => here
                .into_iter()
                .filter_map(|(_, node)| tree.entry(node, name))
                .map(|entry| (Some(tree.span(entry.key)), entry.value))
                .collect(),
            Key::Index(_) => {
                here.into_iter().flat_map(|(_, node)| tree.items(node)).map(|item| (None, *item)).collect()
            }
        };
    }
    here.retain(|(_, node)| !tree.is_null(*node));
    let same = |node: NodeId| {
        let value = convoy_yaml::value(tree, node, convoy_yaml::Options::default());
        value.is_ok_and(|value| after.is_some_and(|after| value.same_json(after)))
    };
    here.iter().find(|(_, node)| same(*node)).or(here.first())?.0
}

/// The operation of a patch that writes a path: the end of its pointer, or the key in its value.
fn in_patch(render: &Render, path: &[Key]) -> Option<Span> {
    let tree = &render.tree;
    let pointers = patch::pointers(render);
    pointers.into_iter().rev().filter(|(op, ..)| matches!(op, Op::Add | Op::Replace)).find_map(
        |(_, node, text)| {
            let tokens = pointer::tokens(text);
            let leads = tokens.len() <= path.len()
                && tokens.iter().zip(path).all(|(token, key)| match key {
                    Key::Name(name) => *token.key == **name,
                    Key::Index(index) => token.key.parse() == Ok(*index) || token.key == "-",
                });
            if !leads {
                return None;
            }
            if tokens.len() == path.len() {
                return Some(patch::span_of(render, node, text, tokens.last()?));
            }
            let operation =
                tree.items(render.root()?).iter().find(|item| tree.get(**item, "path") == Some(node))?;
            key_of(render, tree.get(*operation, "value")?, &path[tokens.len()..], None)
        },
    )
}
