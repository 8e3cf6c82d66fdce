//! What a template does with the dot: every path that a sample lacks shows at once, at the link that fails, where
//! nothing guards it.

#![allow(unreachable_pub, clippy::unwrap_used, clippy::format_collect)]

mod common;

use common::Fixture;

const R: &str = "release.yaml";

/// Two Deployments: `web` has a strategy and limits, `worker` has neither.
const OBJECTS: &str = r"apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  strategy: {rollingUpdate: {maxSurge: 1}}
  template: {spec: {containers: [{name: web, resources: {limits: {cpu: 1}}}]}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: worker}
spec:
  template: {spec: {containers: [{name: worker}, {name: proxy}]}}
";

fn expect(template: &str, wanted: &[(&str, &str, &str)]) -> Vec<common::Found> {
    let lines: String = template.lines().map(|line| format!("    {line}\n")).collect();
    let release = format!(
        "apiVersion: convoy.kumodo.io/v1alpha1\nkind: Release\nmetadata: {{name: web, namespace: prod}}\nspec: {{}}\nmutations:\n- type: goTemplate\n  target: {{group: apps, version: v1, kind: Deployment}}\n  inline: |\n{lines}"
    );
    Fixture::new(&[(R, &release), ("objects.yaml", OBJECTS)]).expect(R, wanted)
}

#[test]
fn all_unguarded_paths_show_at_once() {
    let found = expect(
        "metadata:\n  annotations:\n    a: \"{{ .object.status.zone }}\"\n    b: \"{{ .object.spec.strategy.rollingUpdate.maxSurge }}\"\n    c: \"{{ .self.name }}\"",
        &[("template-failed", "error", ".zone"), ("template-failed", "warning", ".rollingUpdate")],
    );
    found[0].quotes("nil pointer evaluating interface {}.zone");
    found[1].quotes("nil pointer evaluating interface {}.rollingUpdate");
    found[1].quotes("Deployment/worker");
}

#[test]
fn a_guarded_path_is_silent() {
    expect(
        "metadata:\n  annotations:\n    {{- with .object.spec.strategy }}\n    a: \"{{ .rollingUpdate.maxSurge }}\"\n    {{- end }}\n    {{- if .object.status }}\n    b: \"{{ .object.status.zone.name }}\"\n    {{- end }}\n    c: \"c\"",
        &[],
    );
}

#[test]
fn in_a_loop_the_dot_is_the_item() {
    let found = expect(
        "metadata:\n  annotations:\n    {{- range .object.spec.template.spec.containers }}\n    {{ .name }}: \"{{ .resources.limits.cpu }}\"\n    {{- end }}",
        &[("template-failed", "warning", ".limits")],
    );
    found[0].quotes("Deployment/worker");
    expect(
        "metadata:\n  annotations:\n    {{- range .object.spec.template.spec.containers }}\n    {{ .name }}: \"{{ with .resources }}{{ .limits.cpu }}{{ end }}\"\n    {{- end }}",
        &[],
    );
}

#[test]
fn what_follows_from_a_failure_is_silent() {
    expect(
        "metadata:\n  annotations:\n    {{- $zone := .object.status.zone }}\n    a: \"{{ $zone.name }}\"\n    {{- with .object.status.zone }}\n    b: \"{{ .x.y }}\"\n    {{- end }}",
        &[("template-failed", "error", ".zone"), ("template-failed", "error", ".zone")],
    );
}
