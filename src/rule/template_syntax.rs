use convoy_gotemplate::{ParseError, ParseErrorKind};
use convoy_text::Span;

use super::json_patch_quotes::{is_patch_list, is_quote_fault};
use super::texts::texts;
use super::{Check, Example, Release, Reports, Rule};
use crate::diagnostic::{Place, Severity, Stage};
use crate::preview::Text;

pub(super) const RULE: Rule = Rule {
    name: "template-syntax",
    stage: Stage::Run,
    severity: Severity::Error,
    summary: "A template cannot be parsed.",
    explanation: "Admission does not parse templates: a fault shows when convoy renders the Release, as `Applied=False`, reason `DeployFailed`. The text is Go's. The first fault is the one that convoy reports; convoy-lsp goes on behind it.",
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
      labels: {name: "{{ .object.metadata.name | upper }}"}
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
      labels: {name: "{{ .object.metadata.name }}"}
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

/// Functions of Sprig and Helm that people know best.
const SPRIG: [&str; 56] = [
    "add",
    "add1",
    "append",
    "b64dec",
    "b64enc",
    "ceil",
    "coalesce",
    "concat",
    "contains",
    "date",
    "default",
    "dict",
    "div",
    "empty",
    "fail",
    "first",
    "floor",
    "fromJson",
    "fromYaml",
    "get",
    "has",
    "hasKey",
    "hasPrefix",
    "hasSuffix",
    "include",
    "indent",
    "int",
    "join",
    "keys",
    "kindIs",
    "last",
    "list",
    "lookup",
    "lower",
    "max",
    "merge",
    "min",
    "mod",
    "mul",
    "nindent",
    "now",
    "quote",
    "regexMatch",
    "replace",
    "required",
    "set",
    "split",
    "squote",
    "sub",
    "ternary",
    "title",
    "toJson",
    "toYaml",
    "tpl",
    "trim",
    "upper",
];

fn check(context: &Release<'_>, reports: &mut Reports) {
    for text in texts(context) {
        for (i, error) in text.template.errors.iter().enumerate() {
            if is_patch_list(context, &text) && is_quote_fault(&text, error) {
                continue;
            }
            let place = visible(&text, error.span);
            let more = if i == 0 { "" } else { " (after the first fault is mended)" };
            reports.add(place, format!("{}{more}", error.detail)).maybe_help(help(context, &text, error));
        }
    }
}

/// The place of an error; the whole text where the error has no bytes of its own.
fn visible(text: &Text, span: Span) -> Place {
    let place = text.place(span);
    if !place.span.is_empty() {
        return place;
    }
    let start = span.start.saturating_sub(1);
    text.place(Span::new(start, span.end.max(start + 1)))
}

fn help(context: &Release<'_>, text: &Text, error: &ParseError) -> Option<String> {
    let source = text.text();
    match &error.kind {
        ParseErrorKind::UnknownFunction(name) => {
            let functions = &context.preview.compiled.functions;
            if SPRIG.contains(&&**name) {
                return Some(format!(
                    "{name} is a function of Sprig, and convoy's documentation names none; if your build has it, add it to the setting convoy.functions"
                ));
            }
            return Some(match functions.nearest(name) {
                Some(near) => format!("did you mean {near}?"),
                None => format!(
                    "convoy's documentation names no functions beside Go's own: {}",
                    functions.names().join(", ")
                ),
            });
        }
        ParseErrorKind::UnknownVariable(name) => {
            return Some(format!("declare it before: {{{{ {name} := … }}}}"));
        }
        ParseErrorKind::Other => {}
    }
    let at = error.span.start.min(source.len());
    let operator = |ops: &[&str]| {
        ops.iter().any(|op| {
            source[at..].starts_with(op) || source[..at].ends_with(op) || error.span.text(source).contains(op)
        })
    };
    if operator(&["==", "!=", "&&", "||", ">=", "<="]) {
        return Some(
            "templates have no operators: eq A B, ne A B, lt A B, or X Y, and X Y, not X, with parentheses around each part"
                .to_owned(),
        );
    }
    if error.detail.starts_with("bad character") {
        return Some(
            "a key that is no plain word is read with index: index .object.metadata.labels \"app-tier\""
                .to_owned(),
        );
    }
    if error.detail.contains("unexpected \"/\"") {
        return Some("a comment begins directly after the braces: {{/* … */}} or {{- /* … */ -}}".to_owned());
    }
    if error.detail.contains("unexpected \"[\"") || error.detail.contains("U+005B") {
        return Some("an item is read with index: index .list 0".to_owned());
    }
    None
}
