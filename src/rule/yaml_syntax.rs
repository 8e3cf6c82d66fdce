use convoy_text::Span;

use super::report::short;
use super::{Check, Example, FileContext, Reports, Rule};
use crate::diagnostic::{Place, Severity, Stage};
use crate::dialect::DocumentKind;

pub(super) const RULE: Rule = Rule {
    name: "yaml-syntax",
    stage: Stage::Admission,
    severity: Severity::Error,
    summary: "The document is not YAML for Go.",
    explanation: "The text is what go-yaml, the reader of `kubectl` and of the API server, prints. The rest of the document is still analysed: what had to be skipped is at most the rest of a line. Only documents of a dialect are reported; a Helm template is no YAML, and nobody wants to hear of it.",
    example: Example {
        wrong: r#"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: goTemplate
  target: {name: web
  inline: "metadata: {labels: {a: b}}"
"#,
        right: r#"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: goTemplate
  target: {name: web}
  inline: "metadata: {labels: {a: b}}"
"#,
    },
    check: Check::File(check),
};

fn check(context: &FileContext<'_>, reports: &mut Reports) {
    let file = context.file;
    for document in &file.documents {
        let ours = matches!(document.kind, DocumentKind::Release | DocumentKind::Cluster)
            || context.workspace.is_mutation_list(file, document);
        if !ours {
            continue;
        }
        let place = |span| Place { file: file.path.clone(), span };
        let Some(parsed) = file.tree.documents().get(document.index) else { continue };
        for error in &parsed.errors {
            let message = if error.after_document {
                format!("what follows the end of the document is ignored: {}", error.message)
            } else {
                error.message.clone()
            };
            let report = reports.add(place(error.span), message);
            if let Some(context) = error.context.filter(|context| context.start < error.span.start) {
                report.related(place(Span::character(&file.text, context.start)), "it began here");
            }
        }
        if parsed.errors.is_empty()
            && let Some(root) = document.root
            && let Err(error) = convoy_yaml::value(&file.tree, root, convoy_yaml::Options::default())
        {
            let span = short(error.span, &file.text);
            reports.add(place(span), error.message);
        }
    }
}
