use super::nearest::suggestion;
use super::{Check, Example, FileContext, Reports, Rule};
use crate::diagnostic::{Place, Severity, Stage};
use crate::workspace::modeline::KEYS;

pub(super) const RULE: Rule = Rule {
    name: "modeline",
    stage: Stage::Review,
    severity: Severity::Warning,
    summary: "A modeline names something that is not there.",
    explanation: "A modeline is a comment at the top of a document, `# convoy-lsp: KEY[=VALUE] …`, with the keys `samples`, `mutations`, `release` and `namespace`. Paths are relative to the document's file and must lie in the workspace.",
    example: Example {
        wrong: r#"# convoy-lsp: samples=nowhere.yaml
apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: goTemplate
  target: {name: web}
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
    for document in &context.file.documents {
        let place = |span| Place { file: context.file.path.clone(), span };
        for word in &document.modeline.words {
            if !KEYS.contains(&word.key.as_str()) {
                reports
                    .add(place(word.span), format!("a modeline has no key {:?}", word.key))
                    .help(suggestion(&word.key, &KEYS));
            }
        }
        if document.modeline.samples().is_some() {
            for (span, why) in context.workspace.samples(context.file, document).faults {
                reports.add(place(span), why);
            }
        }
    }
}
