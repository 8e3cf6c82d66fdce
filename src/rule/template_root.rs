use convoy_gotemplate::query::{Base, fields};

use super::nearest::{nearest, suggestion};
use super::texts::texts;
use super::{Check, Example, Release, Reports, Rule};
use crate::diagnostic::{Severity, Stage};
use crate::dialect::convoy::SELF_FIELDS;
use crate::preview::Text;

pub(super) const RULE: Rule = Rule {
    name: "template-root",
    stage: Stage::Run,
    severity: Severity::Error,
    summary: "A template reads something that does not exist there.",
    explanation: "Templates of mutations see `.cluster` (the name and the metadata of the target Cluster), `.self` (name, namespace, labels and annotations of the Release) and `.object` (the object that is mutated). Helm's `.Values`, `.Release` and `.Chart` exist only while Helm renders. In `from.name` and `from.path` there is no `.object`. A path through what does not exist fails: `nil pointer evaluating interface {}.x`; alone it prints `<no value>`.",
    example: Example {
        wrong: r#"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: goTemplate
  target: {group: apps, version: v1, kind: Deployment, name: web}
  inline: |
    metadata: {labels: {env: "{{ .Values.env }}"}}
"#,
        right: r#"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: goTemplate
  target: {group: apps, version: v1, kind: Deployment, name: web}
  inline: |
    metadata: {labels: {env: "{{ .cluster.env }}"}}
"#,
    },
    check: Check::Release(check),
};

fn check(context: &Release<'_>, reports: &mut Reports) {
    for text in texts(context) {
        check_text(&text, &["cluster", "self", "object"], "a template of a mutation", reports);
    }
    for mutation in &context.preview.compiled.mutations {
        for text in [&mutation.from_name, &mutation.from_path].into_iter().flatten() {
            check_text(text, &["cluster", "self"], "from.name and from.path", reports);
        }
    }
}

fn check_text(text: &Text, roots: &[&str], whose: &str, reports: &mut Reports) {
    let list = roots.iter().map(|root| format!(".{root}")).collect::<Vec<_>>().join(", ");
    for field in fields(&text.template) {
        if field.base != Base::Root {
            continue;
        }
        let root = &*field.idents[0];
        if !roots.contains(&root) {
            let path = field.idents.join(".");
            let fails = field.idents.len() > 1;
            let what = if fails {
                format!("nil pointer evaluating interface {{}}.{}", field.idents[1])
            } else {
                "it prints <no value>".to_owned()
            };
            reports
                .add(
                    text.place(field.spans[0]),
                    format!(".{root} does not exist in {whose}, which see {list}: {what}"),
                )
                .severity(if fails { Severity::Error } else { Severity::Warning })
                .maybe_help(instead(root, &path, roots));
            continue;
        }
        let Some(next) = field.idents.get(1) else { continue };
        if root == "self" && !SELF_FIELDS.contains(&&**next) {
            let deeper = field.idents.get(2);
            let what = deeper.map_or("it prints <no value>".to_owned(), |deeper| {
                format!("nil pointer evaluating interface {{}}.{deeper}")
            });
            let help = match (&**next, deeper) {
                ("metadata", Some(deeper)) => format!("write .self.{deeper}"),
                (next, _) => suggestion(next, &SELF_FIELDS),
            };
            reports
                .add(text.place(field.spans[1]), format!(".self has only {}: {what}", SELF_FIELDS.join(", ")))
                .severity(if deeper.is_some() { Severity::Error } else { Severity::Warning })
                .help(help);
        }
        if root == "cluster" && field.idents.len() > 2 {
            reports
                .add(
                    text.place(field.spans[2]),
                    format!("can't evaluate field {} in type string", field.idents[2]),
                )
                .help(
                    "the values of .cluster are texts: the keys of the Cluster's spec.metadata, and its name",
                );
        }
    }
}

/// What to write instead of a root that does not exist.
fn instead(root: &str, path: &str, roots: &[&str]) -> Option<String> {
    Some(match root {
        "Values" => "Helm values are gone after rendering: read the object, or put the value into the Cluster's metadata".to_owned(),
        "Chart" | "Capabilities" | "Files" | "Template" => format!(".{root} exists only while Helm renders"),
        "Release" => format!("write .self.{}", path.split('.').nth(1).unwrap_or("name").to_lowercase()),
        "object" => "from is read once for each mutation, before any object is at hand".to_owned(),
        "metadata" | "spec" | "status" | "kind" | "apiVersion" | "data" if roots.contains(&"object") => {
            format!("write .object.{path}")
        }
        _ => {
            let near = nearest(root, roots.iter().copied())?;
            format!("did you mean .{near}?")
        }
    })
}
