use std::collections::HashMap;

use convoy_kube::check::Key;
use convoy_kube::{GroupVersionKind, Typed};
use convoy_patch::strategic::NoteKind;
use convoy_text::Span;
use convoy_value::Value;

use super::judged::{Finding, NAMES, judge, listed};
use super::texts::report_notes;
use super::typed::{expression, items, overlay};
use super::{Check, Example, Release, Reports, Rule};
use crate::diagnostic::{Severity, Stage};
use crate::dialect::convoy::{Mutation, MutationType};
use crate::preview::diff::at;

pub(super) const RULE: Rule = Rule {
    name: "list-replaced",
    stage: Stage::Review,
    severity: Severity::Warning,
    summary: "A mutation replaces a list that is there, and items are lost.",
    explanation: "`add` on a member that exists replaces it (RFC 6902 4.1). On a list the entries that were there are lost; `/-` appends. What a goTemplate or a celTransform gives is merged as RFC 7386 says: a list in it replaces the whole list, so that `containers` with one entry drops the others, and the one that it names keeps only what the overlay has. A strategic merge replaces each list that has no patch merge key, such as `tolerations`, `args`, or the `rules` of an Ingress.",
    example: Example {
        wrong: r#"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: jsonPatch
  target: {group: apps, version: v1, kind: Deployment, name: web}
  patches:
  - {op: add, path: /spec/template/spec/containers/0/env, value: [{name: C, value: '3'}]}
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
  - {op: add, path: /spec/template/spec/containers/0/env/-, value: {name: C, value: '3'}}
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
    report_notes(context, reports, |note| match note {
        NoteKind::ListReplaced { lost } if *lost > 0 => Some((
            format!(
                "the list has no patch merge key, so that it is replaced: {lost} existing item{} lost",
                if *lost == 1 { " is" } else { "s are" }
            ),
            Some("repeat the items that should stay, or append with a jsonPatch".to_owned()),
        )),
        _ => None,
    });
    for mutation in &context.preview.release.mutations {
        if matches!(mutation.kind, Some(MutationType::GoTemplate | MutationType::CelTransform)) {
            overlays(context, mutation, reports);
        }
        for operation in &mutation.patches {
            let Some(path) = operation.path.as_ref().filter(|path| !path.text.contains("{{")) else {
                continue;
            };
            if operation.op.as_ref().is_none_or(|op| op.text != "add") {
                continue;
            }
            let tree = &context.file().tree;
            let value = operation
                .value
                .and_then(|field| convoy_yaml::value(tree, field.node, convoy_yaml::Options::default()).ok());
            let judged = judge(context.preview, mutation.index, |step| {
                let Some(Value::List(items)) = at(&step.before, &path.text).filter(|_| !step.after_unknown)
                else {
                    return Vec::new();
                };
                // A value that keeps what was there is no loss.
                let kept = value
                    .as_ref()
                    .and_then(Value::as_list)
                    .is_some_and(|new| items.iter().all(|item| new.contains(item)));
                if items.is_empty() || kept {
                    return Vec::new();
                }
                let shape = match value.as_ref().map(Value::kind) {
                    Some("array") | None => String::new(),
                    Some(kind) => format!(" by an {kind}").replace("an string", "a string"),
                };
                vec![Finding {
                    place: context.place(path.map.span_to_document(Span::new(0, path.text.len()))),
                    message: format!(
                        "replaces {} existing item{}{shape}",
                        items.len(),
                        if items.len() == 1 { "" } else { "s" }
                    ),
                    help: Some(format!("{}/- appends to the list", path.text)),
                }]
            });
            for finding in judged {
                reports
                    .add(finding.place, finding.message)
                    .maybe_help(finding.help)
                    .related(finding.object, format!("{} has the list", finding.object_label));
            }
        }
    }
}

/// The lists of overlays that replace a list of the object and lose items of it.
fn overlays(context: &Release<'_>, mutation: &Mutation, reports: &mut Reports) {
    let registry = context.workspace.registry();
    let judged =
        judge(context.preview, mutation.index, |step| {
            let mut found = Vec::new();
            if step.after_unknown {
                return found;
            }
            let kind = GroupVersionKind::of_object(&step.before);
            let ty = kind.as_ref().and_then(|kind| registry.find(kind));
            let merges = kind.as_ref().is_some_and(|kind| registry.is_builtin(kind));
            for render in &step.renders {
                let Some(root) = render.root() else { continue };
                let overlay = convoy_yaml::value(&render.tree, root, convoy_yaml::Options::default());
                let Ok(overlay) = overlay else { continue };
                let mut lists = Vec::new();
                replaced(&overlay, &step.before, ty, &mut Vec::new(), &mut lists);
                found.extend(lists.into_iter().map(|list| {
                    list.finding(render.place(overlay::span_at(render, &list.path, true)), merges)
                }));
            }
            for evaluated in &step.evaluated {
                let mut lists = Vec::new();
                replaced(&evaluated.overlay, &step.before, ty, &mut Vec::new(), &mut lists);
                found.extend(lists.into_iter().map(|list| {
                    let span = expression::span_at(&evaluated.expression, &list.path, true);
                    list.finding(evaluated.expression.place(span), merges)
                }));
            }
            found
        });
    for finding in judged {
        reports
            .add(finding.place, finding.message)
            .severity(Severity::Warning)
            .maybe_help(finding.help)
            .related(finding.object, format!("{} has the list", finding.object_label));
    }
}

/// A list of an overlay that loses something.
struct Replaced {
    path: Vec<Key>,
    /// How many items there were, and which are lost; none where an item has no name.
    items: usize,
    lost: Vec<Option<String>>,
    /// Items that stay by their name, with the fields that they lose.
    poorer: Vec<(String, Vec<String>)>,
    /// The key by which a strategic merge would keep them.
    merge_key: Option<String>,
}

impl Replaced {
    fn finding(&self, place: crate::diagnostic::Place, merges: bool) -> Finding {
        let mut losses = Vec::new();
        if !self.lost.is_empty() {
            let names: Vec<&str> = self.lost.iter().flatten().map(String::as_str).collect();
            let names =
                if names.len() == self.lost.len() { format!(": {}", listed(names)) } else { String::new() };
            let items = if self.items == 1 { "item" } else { "items" };
            losses.push(format!("{} of {} {items}{names}", self.lost.len(), self.items));
        }
        losses.extend(
            self.poorer
                .iter()
                .take(NAMES)
                .map(|(name, fields)| format!("{} of {name}", listed(fields.iter().map(String::as_str)))),
        );
        let pointer = items::pointer_of(&self.path);
        let help = match self.merge_key.as_ref().filter(|_| merges) {
            Some(key) => format!(
                "a strategicMergePatch merges the items by {key}; a jsonPatch appends with {pointer}/-"
            ),
            None => format!("repeat the items that should stay, or append with a jsonPatch: {pointer}/-"),
        };
        let message = format!("the list replaces the one that is there, which loses {}", losses.join("; "));
        Finding { place, message, help: Some(help) }
    }
}

/// Finds the lists. Values nest 400 levels at most.
fn replaced(
    overlay: &Value,
    before: &Value,
    ty: Option<Typed<'_>>,
    path: &mut Vec<Key>,
    found: &mut Vec<Replaced>,
) {
    if let (Value::List(new), Value::List(old)) = (overlay, before) {
        found.extend(losses(new, old, ty).map(|list| Replaced { path: path.clone(), ..list }));
    } else if let Some(entries) = overlay.as_map() {
        for (key, value) in entries {
            let Some(before) = before.get(key) else { continue };
            path.push(Key::Name(key.as_ref().into()));
            replaced(value, before, ty.and_then(|ty| ty.member(key)), path, found);
            path.pop();
        }
    }
}

fn losses(new: &[Value], old: &[Value], ty: Option<Typed<'_>>) -> Option<Replaced> {
    // An empty list says what it means, and so does one that keeps what was there.
    if new.is_empty() || old.iter().all(|item| new.contains(item)) {
        return None;
    }
    let names: HashMap<String, &Value> =
        new.iter().filter_map(|item| Some((items::identity(item, ty)?, item))).collect();
    let merge_key = ty.and_then(items::merge_key);
    let mut list = Replaced {
        path: Vec::new(),
        items: old.len(),
        lost: Vec::new(),
        poorer: Vec::new(),
        merge_key: merge_key.map(str::to_owned),
    };
    for item in old {
        let name = items::identity(item, ty);
        match name.as_ref().map(|name| names.get(name)) {
            Some(None) => list.lost.push(name),
            Some(Some(other)) => {
                let fields = item.as_map().filter(|_| merge_key.is_some()).into_iter().flatten();
                let gone: Vec<String> =
                    fields.map(|(key, _)| key.to_string()).filter(|key| other.get(key).is_none()).collect();
                if let (false, Some(name)) = (gone.is_empty(), name) {
                    list.poorer.push((name, gone));
                }
            }
            None if !new.contains(item) => list.lost.push(None),
            None => {}
        }
    }
    (!list.lost.is_empty() || !list.poorer.is_empty()).then_some(list)
}
