//! strategicMergePatch from the text of a Release to the object: templates, several documents, `from`, exact places,
//! releases of Kubernetes, objects that are made up, and definitions of Releases. Values are arithmetic, or what
//! apimachinery's strategicpatch gives.

// Helpers of tests may fail as tests do, and build texts the short way.
#![allow(unreachable_pub, clippy::unwrap_used, clippy::format_collect)]

mod common;

use common::{Fixture, assert_absent, assert_at, cluster, crlf, release};
use convoy_lsp::ide::hover;
use convoy_lsp::preview::Origin;

const R: &str = "release.yaml";
const WEB: &str = "Deployment/web";
const CONTAINERS: &str = "/spec/template/spec/containers";
const OBJECT: &str = r#"apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web, version: "1.10"}}
spec:
  replicas: 1
  template:
    spec:
      containers:
      - {name: web, image: "nginx:1", env: [{name: A, value: "1"}]}
      - {name: side, image: "side:1"}
"#;
const TARGET: &str = "  target: {group: apps, version: v1, kind: Deployment, name: web}\n";

fn with(mutations: &str) -> Fixture {
    let east = cluster("east", "region: us-east, replicas: \"3\"");
    Fixture::new(&[(R, &release(mutations)), ("object.yaml", OBJECT), ("east.yaml", &east)])
}

/// A strategicMergePatch with this block scalar.
fn block(patch: &str) -> String {
    let lines: String = patch.lines().map(|line| format!("    {line}\n")).collect();
    format!("- type: strategicMergePatch\n{TARGET}  inline: |\n{lines}")
}

// ---- templates, documents, from ----

#[test]
fn a_template_sees_the_cluster_the_release_and_the_object() {
    let fixture = with(&block(
        "spec:\n  replicas: {{ with .cluster.replicas }}{{ . }}{{ else }}2{{ end }}\n  template:\n    spec:\n      containers:\n      - name: '{{ .object.metadata.name }}'\n        env: [{name: RELEASE, value: '{{ .self.name }}'}, {name: REGION, value: '{{ .cluster.region }}'}]",
    ));
    fixture.expect(R, &[]);
    let east = fixture.result(R, Some("east"), WEB);
    assert_at(&east, "/spec/replicas", "3");
    assert_at(
        &east,
        &format!("{CONTAINERS}/0/env"),
        "[{name: RELEASE, value: rel}, {name: REGION, value: us-east}, {name: A, value: '1'}]",
    );
    assert_at(&east, &format!("{CONTAINERS}/1"), "{name: side, image: 'side:1'}");
}

#[test]
fn each_document_sees_what_the_one_before_it_left() {
    let fixture = with(&format!(
        "- type: strategicMergePatch\n{TARGET}  inline:\n  - 'spec: {{replicas: 5}}'\n  - 'metadata: {{labels: {{copies: \"{{{{ .object.spec.replicas }}}}\"}}}}'\n"
    ));
    fixture.expect(R, &[]);
    let result = fixture.result(R, None, WEB);
    assert_at(&result, "/spec/replicas", "5");
    assert_at(&result, "/metadata/labels/copies", "'5'");
}

#[test]
fn an_output_without_content_changes_nothing() {
    for text in ["''", "'{{ with .object.spec.nothing }}a: b{{ end }}'", "'# nothing'", "'null'", "'{}'"] {
        let fixture = with(&format!("- type: strategicMergePatch\n{TARGET}  inline: {text}\n"));
        fixture.expect(R, &[("no-effect", "hint", "strategicMergePatch")]);
        assert_eq!(fixture.changed(R, None, WEB), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn an_output_that_is_no_mapping_stops_the_render() {
    for (text, kind) in [("[a]", "an array"), ("text", "a string"), ("3", "a number")] {
        let fixture = with(&format!("- type: strategicMergePatch\n{TARGET}  inline: '{text}'\n"));
        let found = fixture.expect(R, &[("overlay-shape", "error", text)]);
        found[0].says(&[kind, "not a mapping"]);
        assert_eq!(fixture.failure(R, None, WEB).0, "DeployFailed");
    }
}

#[test]
fn an_output_that_is_not_yaml_is_shown_at_the_action() {
    let fixture = with(&block("metadata:\n  annotations: {note: {{ .object.kind }}: x}"));
    let found = fixture.expect(R, &[("overlay-syntax", "error", "{{ .object.kind }}")]);
    found[0].quotes("error converting YAML to JSON: yaml: line ");
}

#[test]
fn content_of_a_config_map_comes_after_inline() {
    let content = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: patch, namespace: prod}\ndata:\n  a.yaml: |\n    spec:\n      replicas: 7\n      template:\n        spec:\n          containers:\n          - image: '{{ .self.name }}:2'\n";
    let mutations = format!(
        "- type: strategicMergePatch\n{TARGET}  inline: 'spec: {{replicas: 6}}'\n  from: {{kind: ConfigMap, name: patch, path: a.yaml}}\n"
    );
    let wrong = Fixture::new(&[(R, &release(&mutations)), ("object.yaml", OBJECT), ("patch.yaml", content)]);
    wrong.expect(R, &[]);
    // What is wrong stands in the ConfigMap.
    let found =
        wrong.expect("patch.yaml", &[("strategic-merge-failed", "error", "image: '{{ .self.name }}:2'")]);
    found[0].quotes("map: map[image:rel:2] does not contain declared merge key: name");
    let right =
        content.replace("- image: '{{ .self.name }}:2'", "- {name: side, image: '{{ .self.name }}:2'}");
    let fixture = Fixture::new(&[(R, &release(&mutations)), ("object.yaml", OBJECT), ("patch.yaml", &right)]);
    fixture.expect(R, &[]);
    fixture.expect("patch.yaml", &[]);
    let result = fixture.result(R, None, WEB);
    assert_at(&result, "/spec/replicas", "7");
    assert_at(&result, &format!("{CONTAINERS}/1/image"), "rel:2");
}

#[test]
fn a_failure_behind_content_that_is_not_known_is_not_reported() {
    let mutations = format!(
        "- type: strategicMergePatch\n{TARGET}  from: {{kind: ConfigMap, name: elsewhere, path: a}}\n{}",
        block("spec: {template: {spec: {containers: [{image: x}]}}}")
    );
    let found = with(&mutations).found(R);
    assert!(found.iter().all(|f| f.rule == "from-not-found"), "{found:#?}");
}

// ---- places ----

/// The finding of a patch, written in each way that YAML has for it, with line breaks of Unix and of Windows.
#[track_caller]
fn everywhere(patch: &str, wanted: (&str, &str, &str), says: &str) {
    let quoted = patch.replace('\'', "''");
    let mutations = [
        block(patch),
        block(patch).replace("inline: |", "inline: >+"),
        format!("- type: strategicMergePatch\n{TARGET}  inline:\n  - \"a: 🚀\" # first\n  - '{quoted}'\n")
            .replace("a: 🚀", "metadata: {labels: {rocket: launched}} # 🚀"),
        format!("- {{type: strategicMergePatch, target: {{kind: Deployment}}, inline: '{quoted}'}}\n"),
    ];
    for text in mutations {
        for text in [release(&text), crlf(&release(&text))] {
            let fixture = Fixture::new(&[(R, &text), ("object.yaml", OBJECT)]);
            let found = fixture.expect(R, &[wanted]);
            found[0].says(&[says]);
        }
    }
}

#[test]
fn the_place_is_exact_wherever_the_patch_is_written() {
    everywhere(
        "spec: {template: {spec: {containers: [{name: web}, {image: 🚀, args: []}]}}}",
        ("strategic-merge-failed", "error", "{image: 🚀, args: []}"),
        "does not contain declared merge key: name",
    );
}

#[test]
fn what_an_action_wrote_is_shown_at_the_action() {
    let fixture =
        with(&block("spec: {template: {spec: {containers: [{name: web, $patch: \"{{ .self.name }}\"}]}}}"));
    let found = fixture.found(R);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(found[0].text.contains("{{ .self.name }}"), "{found:#?}");
    found[0].quotes("unknown patch type: rel in map: map[$patch:rel name:web]");
}

// ---- values ----

#[test]
fn a_number_is_fine_where_the_type_takes_one() {
    // The object has none of these fields, so that only the type tells.
    let fixture = with(&block(
        "spec:\n  revisionHistoryLimit: {{ .cluster.replicas }}\n  paused: {{ .cluster.paused }}\n  template:\n    spec:\n      containers:\n      - {name: web, ports: [{containerPort: {{ .cluster.port }}}], resources: {limits: {cpu: {{ .cluster.replicas }}}}}",
    )
    .replace("{{ .cluster.paused }}", "{{ with .cluster.paused }}{{ . }}{{ else }}true{{ end }}")
    .replace("{{ .cluster.port }}", "{{ with .cluster.port }}{{ . }}{{ else }}80{{ end }}"));
    let east: Vec<_> = fixture.found(R).into_iter().filter(|f| !f.message.contains("no Cluster")).collect();
    assert!(east.is_empty(), "{east:#?}");
}

#[test]
fn a_number_is_wrong_where_the_type_takes_a_text() {
    let fixture = with(&block(
        "spec: {template: {spec: {containers: [{name: web, env: [{name: V, value: {{ .object.metadata.labels.version }}}]}]}}}",
    ));
    let found = fixture.found(R);
    assert!(found.iter().any(|f| f.rule == "unquoted-value"
        && f.text == "{{ .object.metadata.labels.version }}"
        && f.message.contains("1.1")));
}

// ---- kinds ----

#[test]
fn a_kind_that_is_built_in_in_other_releases_only_says_in_which() {
    // policy/v1beta1 was removed in 1.25, batch/v1beta1 CronJob in 1.25, flowcontrol v1beta3 in 1.32.
    let object = "apiVersion: flowcontrol.apiserver.k8s.io/v1beta3\nkind: FlowSchema\nmetadata: {name: f}\n";
    let mutations = "- type: strategicMergePatch\n  target: {kind: FlowSchema, name: f}\n  inline: 'metadata: {labels: {a: b}}'\n";
    let files = |release: &str| format!("kubernetes:\n  release: \"{release}\"\n");
    let text = release(mutations);
    let old = Fixture::new(&[(R, &text), ("f.yaml", object), (".convoy-lsp.yaml", &files("1.30"))]);
    old.expect(R, &[]);
    assert_at(&old.result(R, None, "FlowSchema/f"), "/metadata/labels", "{a: b}");
    let new = Fixture::new(&[(R, &text), ("f.yaml", object), (".convoy-lsp.yaml", &files("1.33"))]);
    let found = new.expect(R, &[("strategic-merge-kind", "error", "strategicMergePatch")]);
    found[0]
        .quotes(r#"no kind "FlowSchema" is registered for version "flowcontrol.apiserver.k8s.io/v1beta3""#)
        .says(&["from 1.26 to 1.31", "kubernetes.release", "1.33"]);
}

#[test]
fn an_object_cannot_be_removed_and_keeps_its_kind() {
    for patch in ["$patch: delete", "$patch: replace", "{$patch: replace, spec: {}}"] {
        let fixture = with(&block(patch));
        let found = fixture.found(R);
        assert!(
            found.iter().any(|f| f.rule == "strategic-merge-failed" && f.text.starts_with("$patch: ")),
            "{patch}: {found:#?}"
        );
        assert_eq!(fixture.failure(R, None, WEB).0, "DeployFailed");
    }
}

// ---- rules that see all overlays ----

#[test]
fn a_changed_name_is_shown_where_it_is_written() {
    let fixture = with(&block("metadata: {name: other}"));
    fixture.expect(R, &[("identity-change", "warning", "other")]);
}

#[test]
fn a_merge_that_is_overwritten_is_reported() {
    let mutations = format!("{}{}", block("spec: {replicas: 2}"), block("spec: {replicas: 3}"));
    let found = with(&mutations).expect(R, &[("overwritten", "warning", "strategicMergePatch")]);
    found[0].says(&["mutation 1"]);
}

#[test]
fn a_directive_that_some_objects_have_use_for_is_silent() {
    let other =
        OBJECT.replace("name: web, labels", "name: other, labels").replace("name: side", "name: proxy");
    let mutations = "- type: strategicMergePatch\n  target: {kind: Deployment}\n  inline: 'spec: {template: {spec: {containers: [{name: side, $patch: delete}]}}}'\n";
    let fixture = Fixture::new(&[(R, &release(mutations)), ("object.yaml", OBJECT), ("other.yaml", &other)]);
    fixture.expect(R, &[]);
    assert_absent(&fixture.result(R, None, WEB), &format!("{CONTAINERS}/1"));
    assert_eq!(fixture.changed(R, None, "Deployment/other"), Vec::<String>::new());
}

#[test]
fn no_value_is_seen_in_a_patch_too() {
    let fixture = with(&block("metadata: {annotations: {zone: '{{ .object.zone }}'}}"));
    fixture.expect(R, &[("no-value", "warning", "{{ .object.zone }}")]);
}

// ---- hovers and objects that are made up ----

fn hover_at(fixture: &Fixture, needle: &str) -> String {
    let file = fixture.file(R);
    let at = file.text.find(needle).expect("the text has it");
    hover(&fixture.workspace, file, at).expect("there is a hover").markdown
}

#[test]
fn a_hover_shows_the_merge() {
    let fixture = with(&block("spec: {template: {spec: {containers: [{name: side, image: 'side:2'}]}}}"));
    let markdown = hover_at(&fixture, "strategicMergePatch");
    assert!(markdown.contains("**mutation 0** · strategicMergePatch · matches 1 object"), "{markdown}");
    assert!(markdown.contains("side:2") && markdown.contains("```diff"), "{markdown}");
}

#[test]
fn a_hover_over_a_custom_resource_says_that_it_stops_the_render() {
    let widget = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\nspec: {size: 1}\n";
    let mutations = "- type: strategicMergePatch\n  target: {kind: Widget}\n  inline: 'spec: {size: 2}'\n";
    let fixture = Fixture::new(&[(R, &release(mutations)), ("w.yaml", widget)]);
    let markdown = hover_at(&fixture, "strategicMergePatch");
    assert!(markdown.contains("❌ **Widget/w**: no kind \"Widget\" is registered"), "{markdown}");
    assert!(markdown.contains("use jsonPatch, goTemplate or celTransform"), "{markdown}");
}

#[test]
fn where_nothing_matches_the_smallest_object_of_the_kind_is_shown() {
    let mutations = "- type: strategicMergePatch\n  target: {kind: Deployment, name: shop}\n  inline: 'spec: {replicas: 3}'\n- type: jsonPatch\n  target: {kind: Deployment, name: shop}\n  patches: [{op: add, path: /metadata/annotations/a, value: b}]\n";
    let fixture = Fixture::new(&[(R, &release(mutations))]);
    // Nothing is judged.
    fixture.expect(R, &[]);
    let preview = fixture.preview(R, None);
    assert_eq!(preview.runs[0].objects.len(), 1);
    assert_eq!(preview.runs[0].objects[0].origin, Origin::MadeUp);
    let object = preview.runs[0].objects[0].object.value().unwrap().clone();
    assert_at(&object, "/apiVersion", "apps/v1");
    let markdown = hover_at(&fixture, "strategicMergePatch");
    assert!(markdown.contains("matches no sample object"), "{markdown}");
    assert!(markdown.contains("**Deployment/shop (made up from the type)**"), "{markdown}");
    assert!(markdown.contains("+  replicas: 3"), "{markdown}");
    // A failure on it says nothing of a render.
    let markdown = hover_at(&fixture, "jsonPatch");
    assert!(markdown.contains("add operation does not apply"), "{markdown}");
    assert!(!markdown.contains('❌') && !markdown.contains("DeployFailed"), "{markdown}");
}

#[test]
fn an_object_of_the_workspace_wins_over_one_that_is_made_up() {
    let fixture = with(
        "- type: syncWave\n  target: {kind: Deployment}\n  waveStrategy: {wave: 1}\n- type: syncWave\n  target: {kind: Service}\n  waveStrategy: {wave: 2}\n- type: syncWave\n  target: {kind: Nothing}\n  waveStrategy: {wave: 2}\n- type: syncWave\n  target: {}\n  waveStrategy: {wave: 2}\n",
    );
    let preview = fixture.preview(R, None);
    let origins = |mutation: usize| -> Vec<Origin> {
        preview.steps(mutation).map(|(_, object, _)| object.origin).collect()
    };
    assert_eq!(origins(0), [Origin::Sample]);
    assert_eq!(origins(1), [Origin::MadeUp]);
    assert_eq!(origins(2), []);
    assert_eq!(origins(3), [Origin::Sample]);
}

#[test]
fn no_more_objects_are_made_up_than_can_be_shown_in_time() {
    let mutations: String = (0..1_200)
        .map(|i| {
            format!(
                "- type: syncWave\n  target: {{kind: Deployment, name: n{i}}}\n  waveStrategy: {{wave: 1}}\n"
            )
        })
        .collect();
    let preview = Fixture::new(&[(R, &release(&mutations))]).preview(R, None);
    assert_eq!(preview.runs[0].objects.len(), 1_000);
    assert_eq!(preview.steps(999).count(), 1);
    assert_eq!(preview.steps(1_000).count(), 0);
}

// ---- a definition of Releases ----

/// A definition whose mutations have these properties, as a flow mapping.
fn definition(properties: &str) -> String {
    format!(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: releases.convoy.kumodo.io}}\nspec:\n  group: convoy.kumodo.io\n  names: {{kind: Release, plural: releases}}\n  scope: Namespaced\n  versions:\n  - name: v1alpha1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n        type: object\n        properties:\n          mutations:\n            type: array\n            items:\n              type: object\n              properties: {properties}\n"
    )
}

const PROPERTIES: &str = "{type: {type: string, enum: [goTemplate, jsonPatch, newType]}, target: {type: object, properties: {kind: {type: string}, labels: {type: object, additionalProperties: {type: string}}}}, inline: {type: string}, when: {type: string}, patches: {type: array, items: {type: object, properties: {op: {type: string, enum: [add, remove]}, path: {type: string}, value: {x-kubernetes-preserve-unknown-fields: true}}}}, waveStrategy: {type: object, properties: {strategy: {type: string, enum: [Ordered]}}}}";

fn defined(mutations: &str) -> Fixture {
    Fixture::new(&[(R, &release(mutations)), ("crd.yaml", &definition(PROPERTIES))])
}

#[test]
fn a_definition_decides_over_the_fields_at_every_level() {
    let fixture = defined(
        "- type: goTemplate\n  when: always\n  target: {kind: Deployment, labels: {any: thing}, name: x}\n  inline: 'metadata: {labels: {a: b}}'\n  from: {kind: ConfigMap, name: a, path: b}\n- type: jsonPatch\n  target: {kind: Deployment}\n  patches: [{op: add, path: /metadata/labels, value: {any: thing}, from: /b}]\n",
    );
    let found = fixture.expect(
        R,
        &[
            ("unknown-field", "error", "name"),
            ("unknown-field", "error", "from"),
            ("from-not-found", "hint", "a"),
            ("unknown-field", "error", "from"),
        ],
    );
    found[0].quotes("a target has no field \"name\"");
    found[1].quotes("a mutation has no field \"from\"");
    found[3].quotes("an operation has no field \"from\"");
}

#[test]
fn a_definition_decides_over_types_operations_and_strategies() {
    let fixture = defined(
        "- type: newType\n  target: {kind: Deployment}\n- type: celTransform\n  target: {kind: Deployment}\n  inline: '{}'\n- type: jsonPatch\n  target: {kind: Deployment}\n  patches: [{op: replace, path: /spec/replicas, value: 1}]\n",
    );
    let found = fixture.expect(
        R,
        &[("mutation-type", "error", "celTransform"), ("json-patch-operation", "error", "replace")],
    );
    found[0].says(&["goTemplate", "newType"]);
    found[1].says(&["add", "remove"]);
}

#[test]
fn a_type_that_only_the_definition_knows_is_not_run() {
    let release = release("- type: newType\n  target: {kind: Deployment}\n");
    let files = [(R, release.as_str()), ("crd.yaml", &definition(PROPERTIES)), ("object.yaml", OBJECT)];
    let fixture = Fixture::new(&files);
    fixture.expect(R, &[]);
    let markdown = hover_at(&fixture, "newType");
    assert!(markdown.contains("newType is not evaluated by this version"), "{markdown}");
}
