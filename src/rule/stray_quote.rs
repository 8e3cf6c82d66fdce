use convoy_text::Span;
use convoy_yaml::Style;

use super::{Check, Example, Release, Reports, Rule};
use crate::diagnostic::{Severity, Stage};

pub(super) const RULE: Rule = Rule {
    name: "stray-quote",
    stage: Stage::Review,
    severity: Severity::Warning,
    summary: "A plain text ends with a quote that nothing opens.",
    explanation: r#"`ssd"` is valid YAML: a plain text whose last character is a quote. It is hardly meant."#,
    example: Example {
        wrong: r#"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: jsonPatch
  target: {group: apps, version: v1, kind: Deployment, name: web}
  patches:
  - {op: add, path: /metadata/labels/disk, value: ssd"}
"#,
        right: r#"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: jsonPatch
  target: {group: apps, version: v1, kind: Deployment, name: web}
  patches:
  - {op: add, path: /metadata/labels/disk, value: "ssd"}
"#,
    },
    check: Check::Release(check),
};

fn check(context: &Release<'_>, reports: &mut Reports) {
    let tree = &context.file().tree;
    let Some(root) = context.preview.document.document().root else { return };
    let mut pending = vec![root];
    while let Some(node) = pending.pop() {
        pending.extend(tree.children(node));
        if tree.style(node) != Some(Style::Plain) {
            continue;
        }
        let text = tree.scalar(node).unwrap_or("");
        if let Some(quote) = text.chars().last().filter(|c| matches!(c, '"' | '\''))
            && text.matches(quote).count() == 1
        {
            let span = tree.span(node);
            reports.add(
                context.place(Span::new(span.end - 1, span.end)),
                format!("the text {text} ends with a quote that nothing opens"),
            );
        }
    }
}
