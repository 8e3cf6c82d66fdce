use strsim::damerau_levenshtein;

use super::texts::expressions;
use super::{Check, Example, Release, Reports, Rule};
use crate::diagnostic::{Severity, Stage};
use crate::dialect::convoy::cel::VARIABLES;

pub(super) const RULE: Rule = Rule {
    name: "cel-type",
    stage: Stage::Run,
    severity: Severity::Error,
    summary: "A CEL expression does not pass the type check.",
    explanation: "convoy compiles an expression ahead of time, with `cluster`, `self` and `object` as maps from strings to anything. The text is cel-go's; `dyn` is what is not known before it runs. The error shows when convoy renders the Release, as `Applied=False`, reason `DeployFailed`, stage Rendering.",
    example: Example {
        wrong: r#"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: celTransform
  target: {group: apps, version: v1, kind: Deployment, name: web}
  inline: |
    {"metadata": {"labels": {"release": self.name + 1 + "-"}, "annotations": {"len": "n" + size(object)}}}
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
    {"metadata": {"labels": {"release": self.name + "-1"}, "annotations": {"len": "n" + string(size(object))}}}
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
        if !expression.compiled.is_syntax {
            for issue in &expression.compiled.issues {
                let help = help(&issue.message, expression.compiled.env.functions.keys().map(|name| &**name));
                reports.add(expression.place(issue.span), issue.message.to_string()).maybe_help(help);
            }
        }
    }
}

/// What an undeclared name may have been meant to be.
fn help<'a>(message: &str, functions: impl Iterator<Item = &'a str>) -> Option<String> {
    let name = message.strip_prefix("undeclared reference to '")?.split('\'').next()?;
    let known = VARIABLES.into_iter().chain(functions);
    // Operators have names that nobody can write.
    let known =
        known.filter(|known| known.len().abs_diff(name.len()) <= 2 && !known.contains(['@', '_', '!']));
    let near = known.map(|known| (damerau_levenshtein(known, name), known)).filter(|(far, _)| *far <= 2);
    let (far, near) = near.min()?;
    if far * 3 <= name.chars().count() { Some(format!("did you mean {near}?")) } else { None }
}
