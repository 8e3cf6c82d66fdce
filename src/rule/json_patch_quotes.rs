use std::sync::Arc;

use convoy_gotemplate::node::Arg;
use convoy_gotemplate::{ParseError, query};
use convoy_text::Span;

use super::texts::texts;
use super::{Check, Example, Release, Reports, Rule};
use crate::diagnostic::{Severity, Stage};
use crate::preview::Text;

pub(super) const RULE: Rule = Rule {
    name: "json-patch-quotes",
    stage: Stage::Run,
    severity: Severity::Error,
    summary: "A template in a patch has double quotes or a line break.",
    explanation: r#"convoy writes the list of patches as JSON and runs that text as a template. A double quote of the template reaches the engine as `\"`, a line break as `\n`, and the template does not parse: `unexpected "\\" in operand`. Go's other quotes, the backquotes, pass unchanged."#,
    example: Example {
        wrong: r#"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: jsonPatch
  target: {group: apps, version: v1, kind: Deployment, name: web}
  patches:
  - op: add
    path: /metadata/labels/copy
    value: '{{ index .object.metadata.labels "app" }}'
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
  - op: add
    path: /metadata/labels/copy
    value: '{{ index .object.metadata.labels `app` }}'
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
    for text in texts(context) {
        if !is_patch_list(context, &text) {
            continue;
        }
        compared_escapes(&text, reports);
        for error in &text.template.errors {
            if !is_quote_fault(&text, error) {
                continue;
            }
            let source = text.text();
            let at = error.span.start.min(source.len());
            let escape = source[at..].find('\\').map_or(at, |i| at + i);
            let end = (escape + 2).min(source.len());
            let place = text.place(Span::new(escape, end));
            let what = match source.as_bytes().get(escape + 1) {
                Some(b'"') => "the double quote",
                Some(b'n') => "the line break",
                Some(b't') => "the tab",
                _ => "the backslash",
            };
            let report = reports.add(
                place,
                format!(
                    "{} ({what} reaches the template as {}, since the list is written as JSON first)",
                    error.detail,
                    &source[escape..end]
                ),
            );
            report.maybe_help(mended(source, at));
        }
    }
}

/// Functions whose result depends on what a text is, and not only on how it is printed.
const COMPARING: [&str; 7] = ["eq", "ne", "lt", "le", "gt", "ge", "index"];

/// `<`, `>` and `&` in backquotes stay escaped, and so equal nothing.
fn compared_escapes(text: &Text, reports: &mut Reports) {
    for command in query::commands(&text.template) {
        let Some(Arg::Identifier(_, name)) = command.args.first() else { continue };
        if !COMPARING.contains(&&**name) {
            continue;
        }
        for arg in &command.args[1..] {
            let Arg::String { span, quoted, .. } = arg else { continue };
            let found = [("\\u003c", '<'), ("\\u003e", '>'), ("\\u0026", '&')]
                .into_iter()
                .filter_map(|(escape, c)| Some((quoted.find(escape)?, escape, c)))
                .min();
            if let Some((at, escape, c)) = found.filter(|_| quoted.starts_with('`')) {
                let start = span.start + at;
                reports
                    .add(
                        text.place(Span::new(start, start + escape.len())),
                        format!(
                            "{c} reaches the template as {escape}, since the list is written as JSON first: {name} never sees it"
                        ),
                    )
                    .severity(Severity::Warning)
                    .help("a goTemplate overlay is not written as JSON");
            }
        }
    }
}

/// Whether a text is the JSON of a patch list.
pub(super) fn is_patch_list(context: &Release<'_>, text: &Arc<Text>) -> bool {
    context
        .preview
        .compiled
        .mutations
        .iter()
        .any(|mutation| matches!(&mutation.patches, Some(Ok(patches)) if Arc::ptr_eq(&patches.text, text)))
}

/// Whether an error comes from an escape of JSON inside an action.
pub(super) fn is_quote_fault(text: &Text, error: &ParseError) -> bool {
    let names_backslash = error.detail.contains(r#""\\""#) || error.detail.contains("U+005C");
    let broken_constant = ["unterminated", "invalid syntax", "malformed character"]
        .iter()
        .any(|part| error.detail.contains(part));
    names_backslash || (broken_constant && error.span.text(text.text()).contains('\\'))
}

/// The action with backquotes instead of escaped quotes.
fn mended(source: &str, at: usize) -> Option<String> {
    let start = source[..at].rfind("{{")?;
    let end = at + source[at..].find("}}")? + 2;
    let action = &source[start..end];
    let quoted = action.replace("\\\"", "`").replace("\\n", " ").replace("\\t", " ");
    (!quoted.contains('\\')).then(|| format!("write {quoted}"))
}
