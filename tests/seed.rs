//! The page of convoy's documentation on mutations, statement by statement: each snippet is a fixture with its verdict.
//!
//! Not here, since this version runs neither CEL nor strategic merge: what their documents do. That their documents
//! are accepted is here.

// Helpers of tests may fail as tests do, and build texts the short way.
#![allow(unreachable_pub, clippy::unwrap_used, clippy::format_collect)]

mod common;

use common::{Fixture, assert_absent, assert_at, cluster, release};

const R: &str = "release.yaml";
const OBJECTS: &str = "objects.yaml";

/// The object of the page's examples.
const PODINFO: &str = r#"apiVersion: apps/v1
kind: Deployment
metadata:
  name: podinfo
  labels: {app: podinfo}
  annotations: {keep: "yes", convoy.kumodo.io/sync-wave: "1", convoy.kumodo.io/sync-wave-strategy: old}
spec:
  replicas: 1
  paused: false
  template:
    spec:
      containers:
      - {name: podinfo, image: "podinfo:1"}
      - {name: side, image: "side:1"}
"#;
const PODINFO_LABEL: &str = "Deployment/podinfo";

fn with(mutations: &str) -> Fixture {
    Fixture::new(&[(R, &release(mutations)), (OBJECTS, PODINFO)])
}

/// Mutations on the page's object: each a type and the rest of the entry, one line.
fn on_podinfo(entries: &[(&str, &str)]) -> String {
    let target = "target: {group: apps, version: v1, kind: Deployment, name: podinfo}";
    entries.iter().map(|(kind, rest)| format!("- {{type: {kind}, {target}, {rest}}}\n")).collect()
}

// ---- the snippets ----

#[test]
fn the_json_patch_example() {
    let text = "apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata:
  name: podinfo
  namespace: default
spec: {}
mutations:
  - type: jsonPatch
    target:
      group: apps
      version: v1
      kind: Deployment
      name: podinfo
    patches:
      - op: replace
        path: /spec/replicas
        value: 3
";
    let fixture = Fixture::new(&[(R, text), (OBJECTS, PODINFO)]);
    fixture.expect(R, &[]);
    assert_eq!(fixture.changed(R, None, PODINFO_LABEL), ["/spec/replicas"]);
    assert_at(&fixture.result(R, None, PODINFO_LABEL), "/spec/replicas", "3");
}

#[test]
fn the_cel_line() {
    let line = r#"{"metadata": {"labels": {"region": "region" in cluster ? cluster.region : "none"}}}"#;
    let mutations = format!(
        "- type: celTransform\n  target: {{group: apps, version: v1, kind: Deployment, name: podinfo}}\n  inline: |\n    {line}\n"
    );
    let (west, east) = (cluster("west", "region: eu"), cluster("east", ""));
    let fixture = Fixture::new(&[
        (R, &release(&mutations)),
        (OBJECTS, PODINFO),
        ("west.yaml", &west),
        ("east.yaml", &east),
    ]);
    fixture.expect(R, &[]);
}

#[test]
fn an_expression_is_no_go_template() {
    // Braces of CEL are no actions, and what looks like one is none.
    let mutations = "- type: celTransform\n  target: {kind: Deployment}\n  inline: '{\"metadata\": {\"labels\": {\"c\": \"{{ .nothing\"}}}'\n";
    with(mutations).expect(R, &[]);
}

/// The `ConfigMap` as the page has it, with its comments.
const CONFIG_MAP: &str = r#"# goTemplate content sourced from a ConfigMap.
#
# The template renders a partial overlay that is RFC7386-merged onto each matched
# object (it injects/updates fields, it does not replace the object). Context:
#   .cluster  -> the target Cluster's name (.cluster.name) + its Spec.Metadata
#                keys (e.g. {{ .cluster.region }})
#   .self     -> the Release's name / namespace / labels / annotations
#   .object   -> the object being mutated (e.g. {{ .object.metadata.name }})
#
#   mutations:
#     - type: goTemplate
#       target: { group: apps, version: v1, kind: Deployment }
#       from: { kind: ConfigMap, name: mutation-go-template, path: overlay.yaml }
#   from.name and from.path may themselves be templated with {.cluster,.self}
#   (release-level only, no .object), e.g. name: "{{ .cluster.name }}-overlay".
apiVersion: v1
kind: ConfigMap
metadata:
  name: mutation-go-template
  namespace: default
data:
  overlay.yaml: |
    metadata:
      labels:
        convoy.kumodo.io/release: "{{ .self.name }}"
      annotations:
        convoy.kumodo.io/type: "{{ .cluster.type }}"
        convoy.kumodo.io/role: "{{ .cluster.role }}"
"#;

/// A Release in the `ConfigMap`'s namespace with this `from`.
fn from_release(from: &str) -> String {
    format!(
        "apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {{name: podinfo, namespace: default}}
spec: {{}}
mutations:
  - type: goTemplate
    target: {{ group: apps, version: v1, kind: Deployment }}
    from: {from}
"
    )
}

#[test]
fn the_config_map_with_the_from() {
    let text = from_release("{ kind: ConfigMap, name: mutation-go-template, path: overlay.yaml }");
    let (edge, bare) = (cluster("edge", "type: kind, role: leaf"), cluster("bare", "type: eks"));
    let fixture = Fixture::new(&[
        (R, &text),
        (OBJECTS, PODINFO),
        ("config-map.yaml", CONFIG_MAP),
        ("edge.yaml", &edge),
        ("bare.yaml", &bare),
    ]);
    fixture.expect(R, &[]);
    fixture.expect("config-map.yaml", &[]);
    let in_edge = fixture.result(R, Some("edge"), PODINFO_LABEL);
    assert_at(&in_edge, "/metadata/labels", "{app: podinfo, convoy.kumodo.io/release: podinfo}");
    assert_at(&in_edge, "/metadata/annotations/convoy.kumodo.io~1type", "kind");
    assert_at(&in_edge, "/metadata/annotations/convoy.kumodo.io~1role", "leaf");
    // A missing cluster key gives an empty string.
    let in_bare = fixture.result(R, Some("bare"), PODINFO_LABEL);
    assert_at(&in_bare, "/metadata/annotations/convoy.kumodo.io~1type", "eks");
    assert_at(&in_bare, "/metadata/annotations/convoy.kumodo.io~1role", "''");
    // It injects fields and does not replace the object.
    assert_at(
        &in_bare,
        "/spec",
        "{replicas: 1, paused: false, template: {spec: {containers: [{name: podinfo, image: 'podinfo:1'}, {name: side, image: 'side:1'}]}}}",
    );
    assert_at(&in_bare, "/metadata/annotations/keep", "'yes'");
}

/// A `ConfigMap` of a cluster.
fn overlay(name: &str, label: &str) -> String {
    format!(
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}, namespace: default}}\ndata:\n  overlay.yaml: |\n    metadata: {{labels: {{from: {label}}}}}\n"
    )
}

#[test]
fn from_name_is_a_template_over_the_cluster() {
    let text =
        from_release(r#"{ kind: ConfigMap, name: "{{ .cluster.name }}-overlay", path: overlay.yaml }"#);
    let fixture = Fixture::new(&[
        (R, &text),
        ("samples/objects.yaml", PODINFO),
        (".convoy-lsp.yaml", "samples: [samples/*.yaml]\n"),
        ("west.yaml", &cluster("west", "")),
        ("east.yaml", &cluster("east", "")),
        ("west-overlay.yaml", &overlay("west-overlay", "w")),
        ("east-overlay.yaml", &overlay("east-overlay", "e")),
    ]);
    fixture.expect(R, &[]);
    assert_at(&fixture.result(R, Some("west"), PODINFO_LABEL), "/metadata/labels/from", "w");
    assert_at(&fixture.result(R, Some("east"), PODINFO_LABEL), "/metadata/labels/from", "e");
}

#[test]
fn from_name_that_leads_nowhere_in_one_cluster() {
    let text =
        from_release(r#"{ kind: ConfigMap, name: "{{ .cluster.name }}-overlay", path: overlay.yaml }"#);
    let fixture = Fixture::new(&[
        (R, &text),
        ("samples/objects.yaml", PODINFO),
        (".convoy-lsp.yaml", "samples: [samples/*.yaml]\n"),
        ("west.yaml", &cluster("west", "")),
        ("east.yaml", &cluster("east", "")),
        ("west-overlay.yaml", &overlay("west-overlay", "w")),
    ]);
    let found = fixture.expect(R, &[("from-not-found", "hint", r#""{{ .cluster.name }}-overlay""#)]);
    found[0].says(&["east-overlay", "cluster east", "retries"]);
}

#[test]
fn the_config_maps_of_a_templated_name_are_content_and_no_samples() {
    // As in the test before, but in the folder of the Release, where every object is a sample.
    let text =
        from_release(r#"{ kind: ConfigMap, name: "{{ .cluster.name }}-overlay", path: overlay.yaml }"#);
    let fixture = Fixture::new(&[
        (R, &text),
        (OBJECTS, PODINFO),
        ("west.yaml", &cluster("west", "")),
        ("west-overlay.yaml", &overlay("west-overlay", "w")),
    ]);
    fixture.expect(R, &[]);
    let preview = fixture.preview(R, None);
    let labels: Vec<String> = preview.runs[0].objects.iter().map(|object| object.object.label()).collect();
    assert_eq!(labels, [PODINFO_LABEL]);
}

#[test]
fn from_path_is_a_template_over_self() {
    let text =
        from_release(r#"{ kind: ConfigMap, name: "{{ .self.name }}", path: "{{ .self.namespace }}.yaml" }"#);
    let content = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: podinfo, namespace: default}\ndata:\n  default.yaml: \"metadata: {labels: {a: b}}\"\n";
    let fixture = Fixture::new(&[
        (R, &text),
        ("samples/objects.yaml", PODINFO),
        (".convoy-lsp.yaml", "samples: [samples/*.yaml]\n"),
        ("content.yaml", content),
    ]);
    fixture.expect(R, &[]);
    assert_at(&fixture.result(R, None, PODINFO_LABEL), "/metadata/labels/a", "b");
}

#[test]
fn object_is_not_available_in_from() {
    let text = from_release(r#"{ kind: ConfigMap, name: "{{ .object.kind }}", path: "{{ .object }}.yaml" }"#);
    let fixture = Fixture::new(&[(R, &text), (OBJECTS, PODINFO)]);
    let found: Vec<_> = fixture.found(R).into_iter().filter(|f| f.rule == "template-root").collect();
    assert_eq!(found.len(), 2, "{}", fixture.report(R));
    for one in &found {
        assert_eq!(one.text, ".object");
        one.says(&[".object does not exist", ".cluster, .self"]);
    }
    // A path through it fails, alone it prints <no value>.
    assert_eq!((found[0].severity, found[1].severity), ("error", "warning"));
    assert_eq!(fixture.failure(R, None, PODINFO_LABEL).0, "DeployFailed");
}

#[test]
fn a_missing_key_of_the_config_map_stops_the_render() {
    let text = from_release("{ kind: ConfigMap, name: mutation-go-template, path: overlai.yaml }");
    let fixture = Fixture::new(&[(R, &text), (OBJECTS, PODINFO), ("config-map.yaml", CONFIG_MAP)]);
    let found = fixture.expect(R, &[("from-key-missing", "error", "overlai.yaml")]);
    found[0].says(&["overlay.yaml"]);
    assert_eq!(fixture.failure(R, None, PODINFO_LABEL).0, "DeployFailed");
}

#[test]
fn a_missing_object_may_be_in_the_cluster() {
    let text = from_release("{ kind: ConfigMap, name: elsewhere, path: overlay.yaml }");
    let fixture = Fixture::new(&[(R, &text), (OBJECTS, PODINFO)]);
    let found = fixture.expect(R, &[("from-not-found", "hint", "elsewhere")]);
    found[0].says(&["not in the workspace", "stops"]);
}

#[test]
fn from_has_no_optional_field() {
    let text =
        from_release("{ kind: ConfigMap, name: mutation-go-template, path: overlay.yaml, optional: true }");
    let fixture = Fixture::new(&[(R, &text), (OBJECTS, PODINFO), ("config-map.yaml", CONFIG_MAP)]);
    let found = fixture.expect(R, &[("unknown-field", "warning", "optional")]);
    found[0].says(&["optional"]);
}

#[test]
fn an_unknown_kind_of_source_is_unsupported() {
    let text = from_release("{ kind: GitRepository, name: x, path: overlay.yaml }");
    let fixture = Fixture::new(&[(R, &text), (OBJECTS, PODINFO)]);
    let found = fixture.expect(R, &[("from-kind", "warning", "GitRepository")]);
    found[0].quotes("Unsupported").says(&["ConfigMap"]);
    // Admission does not check from.kind.
    assert_eq!(found[0].stage, "run");
}

// ---- the pipeline ----

#[test]
fn mutations_run_in_the_order_of_the_list() {
    let first = ("jsonPatch", "patches: [{op: replace, path: /spec/replicas, value: 3}]");
    let second = ("goTemplate", "inline: 'metadata: {annotations: {seen: \"{{ .object.spec.replicas }}\"}}'");
    let fixture = with(&on_podinfo(&[first, second]));
    fixture.expect(R, &[]);
    assert_at(&fixture.result(R, None, PODINFO_LABEL), "/metadata/annotations/seen", "'3'");
    // The other way round the second sees what was rendered.
    let fixture = with(&on_podinfo(&[second, first]));
    assert_at(&fixture.result(R, None, PODINFO_LABEL), "/metadata/annotations/seen", "'1'");
}

#[test]
fn each_mutation_receives_the_output_of_the_one_before() {
    let fixture = with(&on_podinfo(&[
        ("goTemplate", "inline: 'metadata: {labels: {a: \"1\"}}'"),
        ("jsonPatch", "patches: [{op: move, from: /metadata/labels/a, path: /metadata/labels/b}]"),
        ("goTemplate", "inline: 'metadata: {labels: {c: \"{{ .object.metadata.labels.b }}\"}}'"),
    ]));
    fixture.expect(R, &[]);
    let steps = fixture.steps(R, None, PODINFO_LABEL);
    for pair in steps.windows(2) {
        assert_eq!(pair[0].after(), &pair[1].before);
    }
    assert_at(&fixture.result(R, None, PODINFO_LABEL), "/metadata/labels", "{app: podinfo, b: '1', c: '1'}");
}

#[test]
fn a_mutation_also_matches_what_an_earlier_one_made() {
    let text = release(
        "- {type: jsonPatch, target: {name: podinfo}, patches: [{op: replace, path: /metadata/name, value: other}]}\n- {type: jsonPatch, target: {name: other}, patches: [{op: replace, path: /spec/replicas, value: 9}]}\n",
    );
    let fixture = Fixture::new(&[(R, &text), (OBJECTS, PODINFO)]);
    assert_at(&fixture.result(R, None, PODINFO_LABEL), "/spec/replicas", "9");
}

#[test]
fn other_objects_pass_without_a_change() {
    let other = PODINFO.replace("name: podinfo\n", "name: other\n");
    let text =
        release(&on_podinfo(&[("jsonPatch", "patches: [{op: replace, path: /spec/replicas, value: 3}]")]));
    let fixture = Fixture::new(&[(R, &text), (OBJECTS, &format!("{PODINFO}---\n{other}"))]);
    fixture.expect(R, &[]);
    assert_eq!(fixture.changed(R, None, "Deployment/other"), [""; 0]);
    assert_eq!(fixture.changed(R, None, PODINFO_LABEL), ["/spec/replicas"]);
}

#[test]
fn a_mutation_cannot_add_or_remove_objects() {
    // Two documents of output are no two objects, and an overlay of nulls is no removal of the object.
    let text = release(
        "- type: goTemplate\n  target: {kind: Deployment, name: podinfo}\n  inline: |\n    spec: null\n    ---\n    apiVersion: v1\n    kind: Pod\n    metadata: {name: new}\n",
    );
    let fixture = Fixture::new(&[(R, &text), (OBJECTS, PODINFO)]);
    assert_eq!(fixture.preview(R, None).runs[0].objects.len(), 1);
    let result = fixture.result(R, None, PODINFO_LABEL);
    assert_at(&result, "/kind", "Deployment");
    assert_at(&result, "/metadata/name", "podinfo");
    assert_absent(&result, "/spec");
}

#[test]
fn an_error_stops_the_render_with_deploy_failed() {
    for mutations in [
        on_podinfo(&[("jsonPatch", "patches: [{op: remove, path: /spec/nothing}]")]),
        on_podinfo(&[("jsonPatch", "patches: [{op: test, path: /spec/replicas, value: 2}]")]),
        on_podinfo(&[("goTemplate", "inline: '{{ .object.a.b }}'")]),
        on_podinfo(&[("goTemplate", "inline: '{{ if }}'")]),
        on_podinfo(&[("goTemplate", "inline: 'a: [b'")]),
        on_podinfo(&[("goTemplate", "inline: '- a'")]),
        on_podinfo(&[(
            "jsonPatch",
            "patches: [{op: add, path: /metadata/labels/a, value: '{{ .object.a.b }}'}]",
        )]),
    ] {
        let fixture = with(&mutations);
        assert_eq!(fixture.failure(R, None, PODINFO_LABEL).0, "DeployFailed", "{mutations}");
        let errors: Vec<_> = fixture.found(R).into_iter().filter(|f| f.severity == "error").collect();
        assert_eq!(errors.len(), 1, "{mutations}{}", fixture.report(R));
    }
}

#[test]
fn an_unknown_type_is_unsupported() {
    let fixture = with(&on_podinfo(&[("kustomize", "inline: 'a: b'")]));
    assert_eq!(fixture.failure(R, None, PODINFO_LABEL).0, "Unsupported");
    let found = fixture.expect(R, &[("mutation-type", "error", "kustomize")]);
    found[0].says(&["goTemplate", "jsonPatch", "strategicMergePatch", "celTransform", "syncWave"]);
}

#[test]
fn mutations_stand_beside_spec() {
    let text = "apiVersion: convoy.kumodo.io/v1alpha1\nkind: Release\nmetadata: {name: r}\nspec:\n  mutations:\n  - type: nothing\n";
    Fixture::new(&[(R, text)]).expect(R, &[("misplaced-mutations", "error", "mutations")]);
}

// ---- target ----

/// The objects that a target matches, of these.
fn matched(target: &str) -> Vec<String> {
    let objects = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: shop}\n---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n---\napiVersion: v1\nkind: Service\nmetadata: {name: web}\n---\napiVersion: serving.knative.dev/v1\nkind: Service\nmetadata: {name: fn}\n---\napiVersion: apps/v1beta1\nkind: Deployment\nmetadata: {name: web-2}\n";
    let text = release(&format!(
        "- type: goTemplate\n  target: {target}\n  inline: 'metadata: {{labels: {{a: b}}}}'\n"
    ));
    let fixture = Fixture::new(&[(R, &text), (OBJECTS, objects)]);
    let preview = fixture.preview(R, None);
    let objects = preview.runs[0].objects.iter().filter(|object| !object.steps.is_empty());
    objects
        .map(|object| {
            format!("{} {}", at_text(object.object.value().expect("it has one")), object.object.label())
        })
        .collect()
}

fn at_text(value: &convoy_value::Value) -> String {
    value.get("apiVersion").and_then(convoy_value::Value::as_str).unwrap_or("").to_owned()
}

#[test]
fn all_fields_empty_match_all_objects() {
    for target in ["{}", "", "{group: '', version: '', kind: '', name: '', namespace: ''}", "{kind: null}"] {
        assert_eq!(matched(target).len(), 5, "{target}");
    }
}

#[test]
fn an_empty_field_matches_all_values() {
    assert_eq!(
        matched("{kind: Deployment}"),
        ["apps/v1 Deployment/shop/web", "apps/v1 Deployment/web", "apps/v1beta1 Deployment/web-2"]
    );
    assert_eq!(matched("{version: v1, kind: Deployment, namespace: ''}").len(), 2);
}

#[test]
fn each_field_must_be_equal() {
    assert_eq!(matched("{group: apps, version: v1beta1}"), ["apps/v1beta1 Deployment/web-2"]);
    assert_eq!(
        matched("{name: web}"),
        ["apps/v1 Deployment/shop/web", "apps/v1 Deployment/web", "v1 Service/web"]
    );
    for target in [
        "{kind: deployment}",
        "{name: Web}",
        "{name: 'web*'}",
        "{name: '^web$'}",
        "{name: we}",
        "{group: APPS}",
        "{group: apps/v1}",
        "{version: apps/v1}",
        "{group: core}",
        "{name: '{{ .self.name }}'}",
    ] {
        assert_eq!(matched(target), [""; 0], "{target}");
    }
}

#[test]
fn the_group_of_core_kinds_is_empty_and_so_matches_all_groups() {
    assert_eq!(
        matched("{group: '', version: v1, kind: Service}"),
        ["v1 Service/web", "serving.knative.dev/v1 Service/fn"]
    );
    assert_eq!(matched("{group: serving.knative.dev, kind: Service}"), ["serving.knative.dev/v1 Service/fn"]);
}

#[test]
fn namespace_compares_with_the_rendered_object() {
    // Neither the namespace of the Release nor the default one counts for an object that has none.
    assert_eq!(matched("{namespace: shop}"), ["apps/v1 Deployment/shop/web"]);
    assert_eq!(matched("{namespace: prod}"), [""; 0]);
    assert_eq!(matched("{namespace: default}"), [""; 0]);
}

// ---- goTemplate ----

#[test]
fn maps_merge_key_by_key() {
    let fixture = with(&on_podinfo(&[("goTemplate", "inline: 'metadata: {labels: {tier: front}}'")]));
    fixture.expect(R, &[]);
    assert_eq!(fixture.changed(R, None, PODINFO_LABEL), ["/metadata/labels/tier"]);
}

#[test]
fn a_list_replaces_the_full_list() {
    let fixture = with(&on_podinfo(&[(
        "goTemplate",
        "inline: 'spec: {template: {spec: {containers: [{name: podinfo, image: \"podinfo:2\"}]}}}'",
    )]));
    assert_at(
        &fixture.result(R, None, PODINFO_LABEL),
        "/spec/template/spec/containers",
        "[{name: podinfo, image: 'podinfo:2'}]",
    );
}

#[test]
fn a_null_value_removes_the_key() {
    let fixture = with(&on_podinfo(&[("goTemplate", "inline: 'spec: {replicas: null, paused: ~}'")]));
    fixture.expect(R, &[]);
    let result = fixture.result(R, None, PODINFO_LABEL);
    assert_absent(&result, "/spec/replicas");
    assert_absent(&result, "/spec/paused");
    assert_eq!(fixture.changed(R, None, PODINFO_LABEL), ["/spec/replicas", "/spec/paused"]);
}

#[test]
fn nulls_of_a_new_map_do_not_reach_the_object() {
    // RFC 7386: a null in a map that is new removes nothing, and is not kept either.
    let fixture = with(&on_podinfo(&[(
        "goTemplate",
        "inline: 'spec: {strategy: {type: Recreate, rollingUpdate: null}}'",
    )]));
    fixture.expect(R, &[]);
    assert_at(&fixture.result(R, None, PODINFO_LABEL), "/spec/strategy", "{type: Recreate}");
}

#[test]
fn documents_of_inline_come_before_from() {
    let text = "apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: podinfo, namespace: default}
spec: {}
mutations:
- type: goTemplate
  target: {group: apps, version: v1, kind: Deployment}
  from: {kind: ConfigMap, name: content, path: overlay.yaml}
  inline:
  - 'metadata: {labels: {a: inline-1, b: inline-1, c: inline-1}}'
  - 'metadata: {labels: {b: inline-2, c: inline-2}}'
";
    let content = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: content, namespace: default}\ndata: {overlay.yaml: 'metadata: {labels: {c: from}}'}\n";
    let fixture = Fixture::new(&[(R, text), (OBJECTS, PODINFO), ("content.yaml", content)]);
    fixture.expect(R, &[]);
    assert_at(
        &fixture.result(R, None, PODINFO_LABEL),
        "/metadata/labels",
        "{app: podinfo, a: inline-1, b: inline-2, c: from}",
    );
}

// ---- jsonPatch ----

#[test]
fn all_six_operations() {
    let fixture = with(
        "- type: jsonPatch
  target: {group: apps, version: v1, kind: Deployment, name: podinfo}
  patches:
  - {op: test, path: /spec/replicas, value: 1}
  - {op: add, path: /metadata/labels/tier, value: front}
  - {op: replace, path: /spec/replicas, value: 3}
  - {op: copy, from: /metadata/labels/tier, path: /metadata/annotations/tier}
  - {op: move, from: /metadata/labels/app, path: /metadata/annotations/app}
  - {op: remove, path: /spec/paused}
",
    );
    fixture.expect(R, &[]);
    let result = fixture.result(R, None, PODINFO_LABEL);
    assert_at(&result, "/metadata/labels", "{tier: front}");
    assert_at(&result, "/metadata/annotations/tier", "front");
    assert_at(&result, "/metadata/annotations/app", "podinfo");
    assert_at(&result, "/spec/replicas", "3");
    assert_absent(&result, "/spec/paused");
}

#[test]
fn json_patch_reads_only_patches() {
    // Neither a broken template in inline nor a missing ConfigMap is anything to it, but a word is due.
    let fixture = with(&on_podinfo(&[(
        "jsonPatch",
        "patches: [{op: replace, path: /spec/replicas, value: 3}], inline: '{{ if }}', from: {kind: ConfigMap, name: nothing, path: x}",
    )]));
    let found =
        fixture.expect(R, &[("unused-field", "warning", "inline"), ("unused-field", "warning", "from")]);
    found[0].says(&["patches"]);
    assert_eq!(fixture.changed(R, None, PODINFO_LABEL), ["/spec/replicas"]);
}

#[test]
fn a_value_from_a_template_is_always_a_string() {
    let fixture = with(&on_podinfo(&[(
        "jsonPatch",
        "patches: [{op: add, path: /metadata/annotations/n, value: '{{ .object.spec.replicas }}'}, {op: add, path: /spec/minReadySeconds, value: 7}]",
    )]));
    fixture.expect(R, &[]);
    let result = fixture.result(R, None, PODINFO_LABEL);
    assert_at(&result, "/metadata/annotations/n", "'1'");
    assert_at(&result, "/spec/minReadySeconds", "7");
}

#[test]
fn the_list_is_a_template_for_each_object() {
    let other = PODINFO.replace("name: podinfo\n", "name: other\n");
    let text = release(
        "- {type: jsonPatch, target: {kind: Deployment}, patches: [{op: add, path: '/metadata/labels/{{ .object.metadata.name }}', value: '{{ .self.name }}'}]}\n",
    );
    let fixture = Fixture::new(&[(R, &text), (OBJECTS, &format!("{PODINFO}---\n{other}"))]);
    fixture.expect(R, &[]);
    assert_eq!(fixture.changed(R, None, PODINFO_LABEL), ["/metadata/labels/podinfo"]);
    assert_eq!(fixture.changed(R, None, "Deployment/other"), ["/metadata/labels/other"]);
    assert_at(&fixture.result(R, None, "Deployment/other"), "/metadata/labels/other", "rel");
}

#[test]
fn replace_on_a_path_that_does_not_exist_fails() {
    let fixture =
        with(&on_podinfo(&[("jsonPatch", "patches: [{op: replace, path: /spec/nothing, value: 1}]")]));
    let found = fixture.expect(R, &[("json-patch-failed", "error", "nothing")]);
    found[0].quotes("replace operation does not apply: doc is missing key: /spec/nothing");
}

#[test]
fn a_failed_test_fails_and_changes_nothing() {
    let fixture = with(&on_podinfo(&[(
        "jsonPatch",
        "patches: [{op: replace, path: /spec/replicas, value: 3}, {op: test, path: /metadata/name, value: other}]",
    )]));
    let found = fixture.expect(R, &[("json-patch-failed", "error", "/metadata/name")]);
    found[0].quotes("testing value /metadata/name failed: test failed");
    let steps = fixture.steps(R, None, PODINFO_LABEL);
    assert_at(steps[0].after(), "/spec/replicas", "1");
}

// ---- strategicMergePatch ----

#[test]
fn a_strategic_merge_patch_is_a_template_too() {
    let fixture =
        with(&on_podinfo(&[("strategicMergePatch", "inline: 'spec: {replicas: {{ .object.spec.replicas'")]));
    let found = fixture.found(R);
    assert_eq!(
        found.iter().map(|f| (f.rule, f.severity)).collect::<Vec<_>>(),
        [("template-syntax", "error")]
    );
}

// ---- syncWave ----

#[test]
fn sync_wave_replaces_the_annotation_that_exists() {
    let fixture = with(&on_podinfo(&[("syncWave", "waveStrategy: {wave: 2}")]));
    fixture.expect(R, &[]);
    let result = fixture.result(R, None, PODINFO_LABEL);
    // And it does not remove the one of a field that is not set.
    assert_at(
        &result,
        "/metadata/annotations",
        "{keep: 'yes', convoy.kumodo.io/sync-wave: '2', convoy.kumodo.io/sync-wave-strategy: old}",
    );
}

#[test]
fn sync_wave_adds_what_is_not_there() {
    let bare = "apiVersion: v1\nkind: Service\nmetadata: {name: s}\n";
    let text =
        release("- {type: syncWave, target: {kind: Service}, waveStrategy: {wave: \"-1\", strategy: Any}}\n");
    let fixture = Fixture::new(&[(R, &text), (OBJECTS, bare)]);
    fixture.expect(R, &[]);
    assert_at(
        &fixture.result(R, None, "Service/s"),
        "/metadata/annotations",
        "{convoy.kumodo.io/sync-wave: '-1', convoy.kumodo.io/sync-wave-strategy: Any}",
    );
}

#[test]
fn sync_wave_does_not_read_inline_or_from() {
    let fixture = with(&on_podinfo(&[(
        "syncWave",
        "waveStrategy: {wave: 2}, inline: '{{ if }}', from: {kind: ConfigMap, name: nothing, path: x}",
    )]));
    fixture.expect(R, &[("unused-field", "warning", "inline"), ("unused-field", "warning", "from")]);
    assert_eq!(
        fixture.changed(R, None, PODINFO_LABEL),
        ["/metadata/annotations/convoy.kumodo.io~1sync-wave"]
    );
}

// ---- template context ----

/// What a template prints on the page's object in a cluster.
fn prints(template: &str, clusters: &[(&str, &str)], chosen: Option<&str>) -> Result<String, String> {
    let text = release(&format!(
        "- type: goTemplate\n  target: {{kind: Deployment}}\n  inline: |\n    metadata: {{annotations: {{out: '{template}'}}}}\n"
    ));
    let clusters: Vec<(String, String)> =
        clusters.iter().map(|(name, keys)| (format!("{name}.yaml"), cluster(name, keys))).collect();
    let mut files = vec![(R, text.as_str()), (OBJECTS, PODINFO)];
    files.extend(clusters.iter().map(|(name, text)| (name.as_str(), text.as_str())));
    let fixture = Fixture::new(&files);
    let steps = fixture.steps(R, chosen, PODINFO_LABEL);
    match &steps[0].outcome {
        convoy_lsp::preview::Outcome::Done(value) => {
            let out = value.at(["metadata", "annotations", "out"]).and_then(convoy_value::Value::as_str);
            Ok(out.expect("the template wrote it").to_owned())
        }
        convoy_lsp::preview::Outcome::Failed(failure) => Err(failure.message.clone()),
        convoy_lsp::preview::Outcome::NotEvaluated(why) => panic!("{why}"),
    }
}

#[allow(clippy::unnecessary_wraps)] // Compared with results that fail.
fn fine(text: &str) -> Result<String, String> {
    Ok(text.to_owned())
}

fn fails(text: &str) -> Result<String, String> {
    Err(text.to_owned())
}

#[test]
fn cluster_is_its_name_and_its_metadata() {
    let clusters = [("west", "region: eu, tier: 1"), ("east", "name: liar")];
    let template = "{{ .cluster.name }}/{{ .cluster.region }}/{{ .cluster.tier }}";
    assert_eq!(prints(template, &clusters, Some("west")), fine("west/eu/1"));
    // A missing cluster key gives an empty string; the real name wins.
    assert_eq!(prints(template, &clusters, Some("east")), fine("east//"));
}

#[test]
fn cluster_is_empty_where_it_is_not_found() {
    assert_eq!(
        prints("<{{ .cluster.name }}{{ .cluster.region }}>{{ len .cluster }}", &[], None),
        fine("<>0")
    );
}

#[test]
fn self_is_the_release() {
    assert_eq!(
        prints("{{ .self.name }} {{ .self.namespace }} {{ .self.labels.tier }}", &[], None),
        fine("rel prod gold")
    );
}

#[test]
fn a_missing_key_in_self_or_object_gives_no_value() {
    for template in [
        "{{ .self.labels.none }}",
        "{{ .self.annotations.none }}",
        "{{ .object.none }}",
        "{{ .object.spec.none }}",
        "{{ .object.metadata.labels.none }}",
        "{{ index .object.metadata.labels \"none\" }}",
    ] {
        assert_eq!(prints(template, &[], None), fine("<no value>"), "{template}");
    }
}

#[test]
fn a_path_through_a_missing_map_is_an_error() {
    assert_eq!(
        prints("{{ .object.spec.foo.bar }}", &[], None),
        fails("nil pointer evaluating interface {}.bar")
    );
    assert_eq!(
        prints("{{ .self.labels.none.deep }}", &[], None),
        fails("nil pointer evaluating interface {}.deep")
    );
    assert_eq!(
        prints("{{ .cluster.a.b }}", &[("w", "a: x")], None),
        fails("can't evaluate field b in type string")
    );
}

#[test]
fn the_paths_of_the_page_as_diagnostics() {
    let fixture = with(&on_podinfo(&[(
        "goTemplate",
        "inline: 'metadata: {labels: {a: \"{{ .object.spec.foo }}\", b: \"{{ .object.spec.foo.bar }}\"}}'",
    )]));
    let found = fixture.expect(R, &[("template-failed", "error", ".bar")]);
    found[0].quotes("nil pointer evaluating interface {}.bar");
}

#[test]
fn object_has_the_types_of_the_api() {
    assert_eq!(prints("{{ printf \"%T\" .object.spec.replicas }}", &[], None), fine("int64"));
    assert_eq!(prints("{{ printf \"%T\" .object.spec.paused }}", &[], None), fine("bool"));
    assert_eq!(prints("{{ printf \"%T\" .cluster }}", &[("w", "")], None), fine("map[string]string"));
}

// ---- admission ----

/// The errors of stage admission of a Release with this entry, as rule and text.
fn refused(entry: &str) -> Vec<(String, String)> {
    let fixture = Fixture::new(&[(R, &release(entry))]);
    let found = fixture.found(R);
    found
        .into_iter()
        .filter(|f| f.stage == "admission" && f.severity == "error")
        .map(|f| (f.rule.to_owned(), f.text))
        .collect()
}

fn one(rule: &str, text: &str) -> Vec<(String, String)> {
    vec![(rule.to_owned(), text.to_owned())]
}

#[test]
fn admission_1_type_is_one_of_the_five() {
    for entry in [
        "- {type: goTemplate, target: {name: a}, inline: 'a: b'}\n",
        "- {type: jsonPatch, target: {name: a}, patches: [{op: remove, path: /a}]}\n",
        "- {type: strategicMergePatch, target: {name: a}, inline: 'a: b'}\n",
        "- {type: celTransform, target: {name: a}, inline: '{}'}\n",
        "- {type: syncWave, target: {name: a}, waveStrategy: {wave: 1}}\n",
    ] {
        assert_eq!(refused(entry), [], "{entry}");
    }
    for name in ["GoTemplate", "jsonpatch", "mergePatch", "helm"] {
        let entry = format!("- {{type: {name}, target: {{name: a}}, inline: 'a: b'}}\n");
        assert_eq!(refused(&entry), one("mutation-type", name));
    }
    assert_eq!(refused("- {type: '', target: {name: a}, inline: 'a: b'}\n"), one("mutation-type", "''"));
    assert_eq!(
        refused("- {target: {name: a}, inline: 'a: b'}\n"),
        one("mutation-type", "{target: {name: a}, inline: 'a: b'}")
    );
}

#[test]
fn admission_2_json_patch_has_patches_with_op_and_path() {
    let entry = |patches: &str| format!("- {{type: jsonPatch, target: {{name: a}}, {patches}}}\n");
    for op in
        ["add, value: 1", "remove", "replace, value: 1", "test, value: 1", "move, from: /b", "copy, from: /b"]
    {
        assert_eq!(refused(&entry(&format!("patches: [{{path: /a, op: {op}}}]"))), [], "{op}");
    }
    assert_eq!(refused(&entry("patches: []")), one("json-patch-operation", "patches"));
    assert_eq!(refused(&entry("patches: null")), one("json-patch-operation", "patches"));
    assert_eq!(refused(&entry("inline: x")), one("json-patch-operation", "jsonPatch"));
    assert_eq!(refused(&entry("patches: [{op: merge, path: /a}]")), one("json-patch-operation", "merge"));
    assert_eq!(refused(&entry("patches: [{path: /a}]")), one("json-patch-operation", "{path: /a}"));
    assert_eq!(refused(&entry("patches: [{op: remove}]")), one("json-patch-operation", "{op: remove}"));
    // The second operation is looked at as well.
    assert_eq!(
        refused(&entry("patches: [{op: remove, path: /a}, {op: Remove, path: /b}]")),
        one("json-patch-operation", "Remove")
    );
}

#[test]
fn admission_3_content_types_have_inline_or_from() {
    for kind in ["goTemplate", "strategicMergePatch", "celTransform"] {
        let entry = |rest: &str| format!("- {{type: {kind}, target: {{name: a}}{rest}}}\n");
        for rest in [
            ", inline: '{}'",
            ", from: {kind: ConfigMap, name: a, path: b}",
            ", inline: '{}', from: {kind: ConfigMap, name: a, path: b}",
        ] {
            assert_eq!(refused(&entry(rest)), [], "{kind}{rest}");
        }
        assert_eq!(refused(&entry("")), one("missing-content", kind));
        assert_eq!(refused(&entry(", patches: [{op: remove, path: /a}]")), one("missing-content", kind));
        assert_eq!(refused(&entry(", inline: null")), one("missing-content", kind));
    }
    for rest in
        ["type: jsonPatch, patches: [{op: remove, path: /a}]", "type: syncWave, waveStrategy: {wave: 1}"]
    {
        assert_eq!(refused(&format!("- {{target: {{name: a}}, {rest}}}\n")), [], "{rest}");
    }
}

#[test]
fn admission_4_sync_wave_has_wave_strategy() {
    assert_eq!(refused("- {type: syncWave, target: {name: a}, waveStrategy: {wave: 1}}\n"), []);
    assert_eq!(refused("- {type: syncWave, target: {name: a}}\n"), one("wave-strategy", "syncWave"));
    assert_eq!(
        refused("- {type: syncWave, target: {name: a}, waveStrategy: null}\n"),
        one("wave-strategy", "waveStrategy")
    );
    // Which strategies are known is not said; the settings say it.
    let text = release("- {type: syncWave, target: {name: a}, waveStrategy: {strategy: Ordred}}\n");
    Fixture::new(&[(R, &text)]).expect(R, &[]);
    let settings = "convoy: {waveStrategies: [Ordered, Parallel]}\n";
    let fixture = Fixture::new(&[(R, &text), (".convoy-lsp.yaml", settings)]);
    let found = fixture.expect(R, &[("wave-strategy", "error", "Ordred")]);
    found[0].says(&["Ordered"]);
    let known = Fixture::new(&[(R, &text.replace("Ordred", "Parallel")), (".convoy-lsp.yaml", settings)]);
    known.expect(R, &[]);
}

#[test]
fn admission_5_from_namespace_is_empty_or_the_own_one() {
    let entry = |namespace: &str| {
        format!(
            "- {{type: goTemplate, target: {{name: a}}, from: {{kind: ConfigMap, name: a, path: b, {namespace}}}}}\n"
        )
    };
    for namespace in ["namespace: prod", "namespace: ''", "namespace: null"] {
        assert_eq!(refused(&entry(namespace)), [], "{namespace}");
    }
    assert_eq!(refused(&entry("namespace: other")), one("from-namespace", "other"));
    // It is no template.
    assert_eq!(
        refused(&entry("namespace: '{{ .self.namespace }}'")),
        one("from-namespace", "'{{ .self.namespace }}'")
    );
    // Of a Release without a namespace nothing is known.
    let text = release(&entry("namespace: other")).replace(", namespace: prod", "");
    let found = Fixture::new(&[(R, &text)]).found(R);
    assert!(found.iter().all(|f| f.rule != "from-namespace"), "{found:#?}");
}

#[test]
fn admission_does_not_parse_templates() {
    // The faults show at render, and their stage says so.
    for (entry, rule) in [
        ("- {type: goTemplate, target: {name: a}, inline: '{{ if }}'}\n", "template-syntax"),
        ("- {type: goTemplate, target: {name: a}, from: {kind: Secret, name: a, path: b}}\n", "from-kind"),
        (
            "- {type: jsonPatch, target: {name: a}, patches: [{op: remove, path: '/{{ if }}'}]}\n",
            "template-syntax",
        ),
    ] {
        assert_eq!(refused(entry), [], "{entry}");
        let found = Fixture::new(&[(R, &release(entry))]).found(R);
        assert!(found.iter().any(|f| f.rule == rule && f.stage == "run"), "{entry}{found:#?}");
    }
}

// ---- the /mutations subresource ----

#[test]
fn a_list_of_mutations_is_checked_where_the_user_says_so() {
    let list = "- type: jsonPatch\n  target: {group: apps, version: v1, kind: Deployment, name: podinfo}\n  patches: [{op: Replace, path: /spec/replicas, value: 3}]\n";
    // A list of anything is nobody's.
    Fixture::new(&[("list.yaml", list), (OBJECTS, PODINFO)]).expect("list.yaml", &[]);
    let wanted = [("json-patch-operation", "error", "Replace")];
    let marked = format!("# convoy-lsp: mutations release=podinfo namespace=prod\n{list}");
    let fixture = Fixture::new(&[("list.yaml", &marked)]);
    fixture.expect("list.yaml", &wanted);
    let settings = "convoy: {mutationLists: [list.yaml]}\n";
    Fixture::new(&[("list.yaml", list), (".convoy-lsp.yaml", settings)]).expect("list.yaml", &wanted);
    let mapping = format!("# convoy-lsp: mutations\nmutations:\n{list}");
    Fixture::new(&[("list.yaml", &mapping)]).expect("list.yaml", &wanted);
}

#[test]
fn a_list_of_mutations_runs_as_its_release() {
    let list = "# convoy-lsp: mutations release=podinfo namespace=prod\n- type: goTemplate\n  target: {kind: Deployment}\n  inline: 'metadata: {labels: {r: \"{{ .self.namespace }}-{{ .self.name }}\"}}'\n";
    let fixture = Fixture::new(&[("list.yaml", list), (OBJECTS, PODINFO)]);
    fixture.expect("list.yaml", &[]);
    assert_at(&fixture.result("list.yaml", None, PODINFO_LABEL), "/metadata/labels/r", "prod-podinfo");
}
