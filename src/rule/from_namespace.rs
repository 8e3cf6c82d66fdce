use super::{Check, Example, Release, Reports, Rule};
use crate::diagnostic::{Severity, Stage};

pub(super) const RULE: Rule = Rule {
    name: "from-namespace",
    stage: Stage::Admission,
    severity: Severity::Error,
    summary: "`from.namespace` is not the namespace of the Release.",
    explanation: "`from.namespace` is empty or the namespace of the Release; it is plain text, not a template. Of a Release without a namespace nothing is said, since `kubectl` fills it in.",
    example: Example {
        wrong: r#"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: goTemplate
  target: {group: apps, version: v1, kind: Deployment, name: web}
  from: {kind: ConfigMap, name: overlay, namespace: shared, path: overlay.yaml}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: overlay}
data: {overlay.yaml: "metadata: {labels: {team: core}}"}
"#,
        right: r#"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: goTemplate
  target: {group: apps, version: v1, kind: Deployment, name: web}
  from: {kind: ConfigMap, name: overlay, path: overlay.yaml}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: overlay}
data: {overlay.yaml: "metadata: {labels: {team: core}}"}
"#,
    },
    check: Check::Release(check),
};

fn check(context: &Release<'_>, reports: &mut Reports) {
    let own = context.preview.release.identity.namespace_text();
    for mutation in &context.preview.release.mutations {
        let Some(namespace) = mutation.from.as_ref().and_then(|from| from.namespace.as_ref()) else {
            continue;
        };
        let place = context.place(namespace.span);
        if namespace.text.contains("{{") {
            reports
                .add(place, "from.namespace is plain text: a template in it is not run")
                .help("leave it out: the namespace of the Release is meant");
        } else if !own.is_empty() && !namespace.text.is_empty() && namespace.text != own {
            reports
                .add(
                    place,
                    format!(
                        "from.namespace is {:?}, but must be empty or the Release's own {own:?}",
                        namespace.text
                    ),
                )
                .help("leave it out, and keep the ConfigMap in the namespace of the Release");
        }
    }
}
