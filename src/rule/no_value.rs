use super::judged::{Finding, judge};
use super::{Check, Example, Release, Reports, Rule};
use crate::diagnostic::{Severity, Stage};

pub(super) const RULE: Rule = Rule {
    name: "no-value",
    stage: Stage::Review,
    severity: Severity::Warning,
    summary: "A template writes `<no value>`.",
    explanation: "With `missingkey=zero` a key that `.self` or `.object` lacks prints `<no value>`; so does a variable or a dot that holds nothing. It is hardly ever meant.",
    example: Example {
        wrong: r#"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: goTemplate
  target: {group: apps, version: v1, kind: Deployment, name: web}
  inline: |
    metadata: {annotations: {zone: "{{ .object.zone }}"}}
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
    metadata: {annotations: {zone: "{{ with .object.zone }}{{ . }}{{ end }}"}}
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
        let judged = judge(context.preview, mutation.index, |step| {
            let mut found = Vec::new();
            for render in step.renders.iter().filter(|_| !step.after_unknown && step.failed_before.is_empty())
            {
                for written in &render.written {
                    if written.output.text(&render.output) == "<no value>" {
                        let action = written.action.text(render.text.text());
                        found.push(Finding {
                            place: crate::diagnostic::Place {
                                file: render.text.file.clone(),
                                span: render.text.map.span_to_document(written.action),
                            },
                            message: format!("{action} prints <no value>"),
                            help: Some("guard it with {{ with … }} or {{ if … }}".to_owned()),
                        });
                    }
                }
            }
            found
        });
        for finding in judged {
            reports
                .add(finding.place, finding.message)
                .maybe_help(finding.help)
                .related(finding.object, format!("{} lacks it", finding.object_label));
        }
    }
}
