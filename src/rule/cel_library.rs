use super::texts::expressions;
use super::{Check, Example, Release, Reports, Rule};
use crate::diagnostic::{Severity, Stage};
use crate::workspace::CelLibrary;

pub(super) const RULE: Rule = Rule {
    name: "cel-library",
    stage: Stage::Run,
    severity: Severity::Warning,
    summary: "A CEL expression uses a library that is not known to be enabled.",
    explanation: "cel-go's standard library is always there; which of its extensions a build of convoy has is not documented. What an extension brings is reported until the setting `convoy.celLibraries` names it. Without the library, the expression does not compile: `Applied=False`, reason `DeployFailed`, stage Rendering.",
    example: Example {
        wrong: r#"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: celTransform
  target: {group: apps, version: v1, kind: Deployment, name: web}
  inline: |
    {"metadata": {"labels": {"short": self.name.split("-")[0]}}}
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
- type: celTransform
  target: {group: apps, version: v1, kind: Deployment, name: web}
  inline: |
    {"metadata": {"labels": {"short": self.name}}}
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
    for expression in expressions(context) {
        for need in &expression.compiled.needs {
            let library = CelLibrary::name_of(need.library);
            let what = &need.what;
            reports
                .add(
                    expression.place(need.span),
                    format!("`{what}` needs the CEL library {library}, which convoy is not known to enable"),
                )
                .help(format!(
                    "if your convoy has it, name it in .convoy-lsp.yaml: convoy: {{celLibraries: [{library}]}}"
                ));
        }
    }
}
