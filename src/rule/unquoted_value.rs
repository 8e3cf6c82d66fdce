use convoy_gotemplate::Written;
use convoy_kube::{GroupVersionKind, Shape, Typed};
use convoy_patch::pointer::escape;
use convoy_text::Span;
use convoy_value::Value;
use convoy_yaml::{Flavour, NodeId, Resolved, Style, resolve};

use super::judged::{Finding, judge};
use super::{Check, Example, Release, Reports, Rule};
use crate::diagnostic::{Severity, Stage};
use crate::dialect::convoy::MutationType;
use crate::preview::diff::at;
use crate::preview::{Render, Step};

pub(super) const RULE: Rule = Rule {
    name: "unquoted-value",
    stage: Stage::Review,
    severity: Severity::Warning,
    summary: "YAML reads what a template wrote as something else than the text it is.",
    explanation: "What a template of a goTemplate or a strategicMergePatch writes is read as YAML 1.1: `1.10` is the number 1.1, `yes`, `on` and `y` are booleans, `012` is 10, nothing is null, which removes the key. A text that is filled in without quotes becomes what it looks like. Labels and annotations must be strings: the API server refuses anything else. Where the type of the object is known, a number or a boolean is fine in a field that takes one.",
    example: Example {
        wrong: r#"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: goTemplate
  target: {group: apps, version: v1, kind: Deployment, name: web}
  inline: |
    metadata:
      annotations:
        version: {{ .object.metadata.labels.version }}
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
    metadata:
      annotations:
        version: "{{ .object.metadata.labels.version }}"
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
        if !mutation.kind.is_some_and(MutationType::is_template) {
            continue;
        }
        let judged = judge(context.preview, mutation.index, |step| {
            let kind = GroupVersionKind::of_object(&step.before);
            let ty = kind.and_then(|kind| context.workspace.registry().find(&kind));
            step.renders.iter().flat_map(|render| findings(context, render, step, ty)).collect()
        });
        for finding in judged {
            let report = reports.add(finding.place, finding.message).maybe_help(finding.help);
            report.related(finding.object, format!("shown for {}", finding.object_label));
        }
    }
}

fn findings(context: &Release<'_>, render: &Render, step: &Step, ty: Option<Typed<'_>>) -> Vec<Finding> {
    let mut found = Vec::new();
    let tree = &render.tree;
    let Some(root) = render.root() else { return found };
    let mut pending = vec![(root, String::new(), ty)];
    while let Some((node, pointer, ty)) = pending.pop() {
        // What an alias stands for is met at its anchor.
        if tree.children(node).is_empty() && tree.style(node).is_none() {
            continue;
        }
        for entry in tree.entries(node) {
            let key = tree.scalar(entry.key).unwrap_or("");
            if let Some(finding) = key_finding(render, entry.key) {
                found.push(finding);
            }
            let ty = ty.and_then(|ty| ty.member(key));
            pending.push((entry.value, format!("{pointer}/{}", escape(key)), ty));
        }
        for (i, item) in tree.items(node).iter().enumerate() {
            pending.push((*item, format!("{pointer}/{i}"), ty.and_then(Typed::item)));
        }
        if tree.style(node) == Some(Style::Plain) {
            found.extend(value_finding(context, render, step, node, &pointer, ty));
        }
    }
    found
}

/// What a plain text reads as, if it is no text.
fn reads_as(text: &str) -> Option<String> {
    Some(match resolve(Flavour::V2, None, text) {
        Ok(Resolved::Bool(b)) => format!("the boolean {b}"),
        Ok(Resolved::Int(i)) => format!("the number {i}"),
        Ok(Resolved::Uint(u)) => format!("the number {u}"),
        Ok(Resolved::Float(f)) => format!("the number {}", convoy_value::go::json_float(f)),
        Ok(Resolved::Null) => "null".to_owned(),
        _ => return None,
    })
}

/// The action that wrote a part of a scalar, if the value was a string.
pub(super) fn string_action(render: &Render, span: Span) -> Option<&Written> {
    render.written.iter().find(|written| {
        written.is_string
            && (written.output.overlaps(span)
                || (written.output.is_empty() && span.is_empty() && follows(render, span, written)))
    })
}

/// Whether nothing but blanks lies between an empty scalar and the empty output of an action.
fn follows(render: &Render, span: Span, written: &Written) -> bool {
    let (from, to) = (span.start.min(written.output.start), span.start.max(written.output.start));
    render.output.get(from..to).is_some_and(|between| between.trim().is_empty() && !between.contains('\n'))
}

/// Whether a field takes what is no text, if its type is known.
fn takes_other_than_text(ty: Typed<'_>) -> Option<bool> {
    match ty.ty.shape {
        Shape::Boolean | Shape::Integer | Shape::Number | Shape::IntOrString | Shape::Quantity => Some(true),
        Shape::String => Some(false),
        _ => None,
    }
}

fn value_finding(
    context: &Release<'_>,
    render: &Render,
    step: &Step,
    node: NodeId,
    pointer: &str,
    ty: Option<Typed<'_>>,
) -> Option<Finding> {
    let tree = &render.tree;
    let text = tree.scalar(node)?;
    let read = reads_as(text)?;
    let in_metadata = pointer
        .strip_prefix("/metadata/labels/")
        .or_else(|| pointer.strip_prefix("/metadata/annotations/"))
        .is_some_and(|key| !key.contains('/'));
    let action = string_action(render, tree.span(node));
    if action.is_none() && (!in_metadata || read == "null") {
        return None;
    }
    // A number where the field takes a number, or where the object has one, is what was meant.
    let has_other =
        || matches!(at(&step.before, pointer), Some(Value::Int(_) | Value::Float(_) | Value::Bool(_)));
    if !in_metadata && read != "null" && ty.and_then(takes_other_than_text).unwrap_or_else(has_other) {
        return None;
    }
    let place = match action {
        Some(action) => crate::diagnostic::Place {
            file: render.text.file.clone(),
            span: render.text.map.span_to_document(action.action),
        },
        None => render.place(tree.span(node)),
    };
    let message = if text.is_empty() {
        "the value is empty, which YAML reads as null: it removes the key".to_owned()
    } else if in_metadata {
        format!("{text} reads as {read}, but labels and annotations are strings")
    } else {
        format!("{text} reads as {read}")
    };
    let written = render.place(tree.span(node));
    let file = context.workspace.file(&written.file);
    let source = file.and_then(|file| file.text.get(written.span.range())).map_or("", str::trim);
    let source = match action {
        Some(action) if source.is_empty() => action.action.text(render.text.text()),
        // Quotes inside of an action are no quotes of YAML.
        _ if source.is_empty() || source.contains('\n') => text,
        _ if source.contains(['"', '\'']) && !source.contains("{{") => text,
        _ => source,
    };
    let help = Some(format!("quote it: \"{source}\""));
    Some(Finding { place, message, help })
}

fn key_finding(render: &Render, key: NodeId) -> Option<Finding> {
    let tree = &render.tree;
    if tree.style(key) != Some(Style::Plain) {
        return None;
    }
    let text = tree.scalar(key)?;
    let read = reads_as(text).filter(|_| !text.is_empty())?;
    let action = string_action(render, tree.span(key));
    // A key that is written out is reported only where it is a word: `on:` becomes `true`.
    if action.is_none() && !read.starts_with("the boolean") {
        return None;
    }
    Some(Finding {
        place: render.place(tree.span(key)),
        message: format!("the key {text} reads as {read}"),
        help: Some("quote the key".to_owned()),
    })
}
