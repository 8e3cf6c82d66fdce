use convoy_patch::pointer::escape;
use convoy_patch::strategic::NoteKind;
use convoy_text::Span;
use convoy_value::Value;
use convoy_yaml::NodeId;

use super::judged::{Finding, judge};
use super::unquoted_value::string_action;
use super::{Check, Example, Release, Reports, Rule};
use crate::diagnostic::{Severity, Stage};
use crate::dialect::convoy::MutationType;
use crate::preview::diff::at;
use crate::preview::{Noted, Render, Step};

pub(super) const RULE: Rule = Rule {
    name: "empty-value",
    stage: Stage::Review,
    severity: Severity::Hint,
    summary: "A key without a value removes the field.",
    explanation: "YAML reads a key without a value as null, and in a merge null removes the field from the object; the API server then sets its default. The same happens where everything under the key comes from a template that writes nothing. Write `null` if the field is to go.",
    example: Example {
        wrong: r#"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: strategicMergePatch
  target: {group: apps, version: v1, kind: Deployment, name: web}
  inline: |
    spec:
      replicas:
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web}}
spec:
  replicas: 1
  template:
    spec:
      containers:
      - {name: web, image: "nginx:1", args: [-a], env: [{name: A, value: "1"}, {name: B, value: "2"}]}
      - {name: side, image: "side:1"}
"#,
        right: r#"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: strategicMergePatch
  target: {group: apps, version: v1, kind: Deployment, name: web}
  inline: |
    spec:
      replicas: null
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web}}
spec:
  replicas: 1
  template:
    spec:
      containers:
      - {name: web, image: "nginx:1", args: [-a], env: [{name: A, value: "1"}, {name: B, value: "2"}]}
      - {name: side, image: "side:1"}
"#,
    },
    check: Check::Release(check),
};

fn check(context: &Release<'_>, reports: &mut Reports) {
    for mutation in &context.preview.release.mutations {
        if !mutation.kind.is_some_and(MutationType::is_template) {
            continue;
        }
        let by_type = mutation.kind == Some(MutationType::StrategicMergePatch);
        let judged = judge(context.preview, mutation.index, |step| {
            if step.after_unknown {
                return Vec::new();
            }
            if by_type {
                return step.notes.iter().filter_map(|noted| removed(step, noted)).collect();
            }
            step.renders.iter().flat_map(|render| empty_values(render, step)).collect()
        });
        for finding in judged {
            reports
                .add(finding.place, finding.message)
                .maybe_help(finding.help)
                .related(finding.object, format!("{} has the field", finding.object_label));
        }
    }
}

fn finding(render: &Render, key: Span) -> Finding {
    Finding {
        place: render.place(key),
        message: "nothing is written here, which is null: it deletes the field".to_owned(),
        help: Some(format!("{}: null says so", key.text(&render.output))),
    }
}

/// Whether a value was left out, and is not an action's that wrote nothing: rule `unquoted-value` has those.
fn is_empty(render: &Render, value: NodeId) -> bool {
    let at = render.tree.span(value);
    render.tree.is_null(value) && at.is_empty() && string_action(render, at).is_none()
}

/// A field that a strategic merge removed.
fn removed(step: &Step, noted: &Noted) -> Option<Finding> {
    if noted.note.kind != NoteKind::Removed {
        return None;
    }
    let render = step.renders.get(noted.render)?;
    let (key, value) = render.node_at(&noted.note.path)?;
    is_empty(render, value).then(|| finding(render, key.unwrap_or_default()))
}

/// The empty values of an overlay whose field the object has.
fn empty_values(render: &Render, step: &Step) -> Vec<Finding> {
    let mut found = Vec::new();
    let tree = &render.tree;
    let Some(root) = render.root() else { return found };
    let mut pending = vec![(root, String::new())];
    while let Some((node, pointer)) = pending.pop() {
        // What an alias stands for is met at its anchor; in a list nothing is merged.
        for entry in tree.entries(node) {
            let pointer = format!("{pointer}/{}", escape(tree.scalar(entry.key).unwrap_or("")));
            let Some(now) = at(&step.before, &pointer) else { continue };
            if is_empty(render, entry.value) && *now != Value::Null {
                found.push(finding(render, tree.span(entry.key)));
            }
            if tree.resolve(entry.value) == entry.value {
                pending.push((entry.value, pointer));
            }
        }
    }
    found
}
