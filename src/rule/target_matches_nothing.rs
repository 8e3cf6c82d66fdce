use super::{Check, Example, Release, Reports, Rule};
use crate::diagnostic::{Severity, Stage};
use crate::dialect::DocumentKind;
use crate::dialect::convoy::target::{self, Key};
use crate::dialect::convoy::{Mutation, TARGET_FIELDS};
use crate::workspace::DocumentRef;

pub(super) const RULE: Rule = Rule {
    name: "target-matches-nothing",
    stage: Stage::Review,
    severity: Severity::Warning,
    summary: "The target matches no object.",
    explanation: "Each field of a target must be equal to the value in the object; there are no patterns. A mutation that matches nothing runs without a word, and does nothing. Objects are compared as they are rendered: one without `metadata.namespace` never matches a target that names a namespace, since convoy adds the default only when it applies the object.",
    example: Example {
        wrong: r#"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: goTemplate
  target: {group: apps, version: v2, kind: Deployment, name: web}
  inline: "metadata: {labels: {a: b}}"
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
  inline: "metadata: {labels: {a: b}}"
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
        if mutation.kind.is_none() || pattern(context, mutation, reports) {
            continue;
        }
        if !context.preview.has_samples() || context.preview.steps(mutation.index).next().is_some() {
            continue;
        }
        // An object elsewhere in the workspace is never judged, but it shows that the target can match.
        let elsewhere = context.workspace.documents(DocumentKind::Object).any(|reference| {
            target::matches(&mutation.target, &target::key_of(&reference.document().identity))
        });
        if elsewhere {
            continue;
        }
        near(context, mutation, reports);
    }
}

/// Values that equal nothing that an object can have.
fn pattern(context: &Release<'_>, mutation: &Mutation, reports: &mut Reports) -> bool {
    let mut found = false;
    for (i, value) in mutation.target.values.iter().enumerate() {
        let Some(value) = value else { continue };
        let field = TARGET_FIELDS[i];
        let text = value.text.as_str();
        let why = if text.contains("{{") {
            Some(("is plain text, a template in it is not run".to_owned(), None))
        } else if text.contains(['*', '?']) || (text.starts_with('^') || text.ends_with('$')) {
            Some((
                "is compared as it stands, there are no patterns".to_owned(),
                Some("leave the field out to match all".to_owned()),
            ))
        } else {
            match field {
                "group" if text == "core" => Some((
                    "is no group: the group of core kinds is empty".to_owned(),
                    Some("leave group out".to_owned()),
                )),
                "group" if text.contains('/') => {
                    let (group, version) = text.split_once('/').unwrap_or((text, ""));
                    Some((
                        "is no group".to_owned(),
                        Some(format!("write group: {group} and version: {version}")),
                    ))
                }
                "version" if text.contains('/') => {
                    let (group, version) = text.split_once('/').unwrap_or((text, ""));
                    Some((
                        "is no version".to_owned(),
                        Some(format!("write group: {group} and version: {version}")),
                    ))
                }
                "kind" if text.starts_with(|c: char| c.is_ascii_lowercase()) => {
                    let mut kind = text.to_owned();
                    kind[..1].make_ascii_uppercase();
                    Some((
                        "is no kind: kinds begin with a capital".to_owned(),
                        Some(format!("did you mean {kind}?")),
                    ))
                }
                _ => None,
            }
        };
        if let Some((why, help)) = why {
            reports
                .add(
                    context.place(value.span),
                    format!("target.{field} {text:?} {why}, so that it matches nothing"),
                )
                .maybe_help(help);
            found = true;
        }
    }
    found
}

/// Says what the nearest sample has instead.
fn near(context: &Release<'_>, mutation: &Mutation, reports: &mut Reports) {
    let mut best: Option<(usize, &DocumentRef, Key<'_>)> = None;
    for object in context.preview.runs.iter().flat_map(|run| &run.objects) {
        let key = target::key_of(&object.object.document().identity);
        let agreement = target::agreement(&mutation.target, &key);
        if best.as_ref().is_none_or(|(known, _, _)| agreement > *known) {
            best = Some((agreement, &object.object, key));
        }
    }
    let Some((agreement, object, key)) = best else { return };
    let Some(first) = target::first_difference(&mutation.target, &key) else { return };
    let span = mutation.target.values[first].as_ref().map_or(mutation.head(), |value| value.span);
    // An object that has nothing in common with the target is no help.
    if agreement == 0 {
        reports.add(context.place(span), "no object in the workspace matches this target");
        return;
    }
    let api_version = object.document().identity.api_version.as_ref().map_or("", |v| &v.text);
    let (kind, name) = (&key[2], &key[3]);
    let mut report = reports.add(
        context.place(span),
        format!("no object in the workspace matches; {api_version} {kind} {name} exists"),
    );
    if TARGET_FIELDS[first] == "namespace" && key[4].is_empty() {
        report = report.help(
            "the rendered object has no namespace, and convoy adds the default only when it applies it: leave target.namespace out",
        );
    }
    report.related(object.place(), format!("its {} is {:?}", TARGET_FIELDS[first], key[first]));
}
