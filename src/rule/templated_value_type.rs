use convoy_kube::GroupVersionKind;
use convoy_kube::path::{Followed, follow};
use convoy_patch::pointer;
use convoy_value::Value;

use super::judged::{Finding, judge};
use super::typed::Class;
use super::{Check, Example, Release, Reports, Rule};
use crate::diagnostic::{Severity, Stage};
use crate::preview::diff::at;

pub(super) const RULE: Rule = Rule {
    name: "templated-value-type",
    stage: Stage::Run,
    severity: Severity::Warning,
    summary: "A template puts a text where a number or a boolean belongs.",
    explanation: r#"A value of a patch that comes from a template is always a string: `"3"`, not `3`. The API server refuses a string where the field is an integer, and by then the render has passed. The type of the object says what the field takes, with a sample or without; where it is not known, the value in the samples is a hint."#,
    example: Example {
        wrong: r#"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: jsonPatch
  target: {group: apps, version: v1, kind: Deployment, name: web}
  patches:
  - {op: replace, path: /spec/replicas, value: '{{ .cluster.replicas }}'}
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
---
apiVersion: convoy.kumodo.io/v1alpha1
kind: Cluster
metadata: {name: west}
spec: {metadata: {replicas: "3"}}
"#,
        right: r#"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: goTemplate
  target: {group: apps, version: v1, kind: Deployment, name: web}
  inline: |
    spec: {replicas: {{ .cluster.replicas }}}
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
---
apiVersion: convoy.kumodo.io/v1alpha1
kind: Cluster
metadata: {name: west}
spec: {metadata: {replicas: "3"}}
"#,
    },
    check: Check::Release(check),
};

fn check(context: &Release<'_>, reports: &mut Reports) {
    context.report_typed(reports, Class::TemplatedType);
    let registry = context.workspace.registry();
    let tree = &context.file().tree;
    for mutation in &context.preview.release.mutations {
        for operation in &mutation.patches {
            let Some(path) = operation.path.as_ref().filter(|path| !path.text.contains("{{")) else {
                continue;
            };
            let Some(value) = operation.value else { continue };
            let templated = tree.scalar(value.node).is_some_and(|text| text.contains("{{"));
            let sets = operation.op.as_ref().is_some_and(|op| matches!(op.text.as_str(), "add" | "replace"));
            if !templated || !sets {
                continue;
            }
            let judged = judge(context.preview, mutation.index, |step| {
                // The type decides where it is known.
                let ty = GroupVersionKind::of_object(&step.before).and_then(|kind| registry.find(&kind));
                let tokens = pointer::tokens(&path.text);
                let keys = tokens.iter().map(|token| Some(token.key.as_str()));
                if matches!(ty.map(|ty| follow(ty, keys)), Some(Followed::Found(_))) {
                    return Vec::new();
                }
                let now = match at(&step.before, &path.text) {
                    Some(Value::Bool(now)) => format!("the boolean {now}"),
                    Some(Value::Int(now)) => format!("the number {now}"),
                    Some(Value::Float(now)) => format!("the number {now}"),
                    _ => return Vec::new(),
                };
                vec![Finding {
                    place: context.place(value.span),
                    message: format!(
                        "a value from a template is always a string, but {} is {now}",
                        path.text
                    ),
                    help: Some(
                        "a goTemplate overlay can write a number: spec: {replicas: {{ … }}}".to_owned(),
                    ),
                }]
            });
            for finding in judged {
                reports
                    .add(finding.place, finding.message)
                    .maybe_help(finding.help)
                    .related(finding.object, format!("{} has it", finding.object_label));
            }
        }
    }
}
