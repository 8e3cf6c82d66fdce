use convoy_text::Span;
use convoy_value::Value;

use super::judged::{Finding, judge};
use super::{Check, Example, Release, Reports, Rule};
use crate::diagnostic::{Severity, Stage};
use crate::preview::diff::at;

pub(super) const RULE: Rule = Rule {
    name: "list-replaced",
    stage: Stage::Review,
    severity: Severity::Warning,
    summary: "An `add` replaces a list that is there.",
    explanation: "`add` on a member that exists replaces it (RFC 6902 4.1). On a list the entries that were there are lost; `/-` appends.",
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
    for mutation in &context.preview.release.mutations {
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
