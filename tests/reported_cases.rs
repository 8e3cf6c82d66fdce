//! Cases drawn from public reports, as far as convoy's rules decide them: see the page of reported cases. Each test has
//! the number of its case. The values are those of the page, of RFC 6901 and 6902, of Go's `text/template`, of
//! evanphx/json-patch v5 and of apimachinery's strategicpatch.
//!
//! Of the cases of other dialects only what a goTemplate shares is here. Case 40 is about Orkestra's own idea of
//! emptiness and has no part in convoy.

// Helpers of tests may fail as tests do, and build texts the short way.
#![allow(unreachable_pub, clippy::unwrap_used, clippy::format_collect)]

mod common;

use common::{Fixture, assert_absent, assert_at, crlf, release, soon};

const D: &str = r#"apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web}}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 1}}
  template:
    metadata: {labels: {app: web}}
    spec:
      tolerations: [{key: k1, operator: Exists}]
      volumes: [{name: v, emptyDir: {}}]
      containers:
      - name: web
        image: nginx:1
        args: [-a, -b]
        env: [{name: A, value: "1"}, {name: B, value: "2"}]
        ports: [{containerPort: 8080, name: http, protocol: TCP}]
      - {name: side, image: side:1}
"#;
const P: &str = r"apiVersion: v1
kind: Pod
metadata: {name: p, namespace: default, labels: {app: web}}
spec: {containers: [{name: c, image: nginx}]}
";
const S: &str = r"apiVersion: v1
kind: Service
metadata: {name: s, finalizers: [a, b, c]}
spec:
  ports:
  - {name: tcp, port: 443, protocol: TCP, targetPort: 8443}
  - {name: udp, port: 443, protocol: UDP, targetPort: 8443}
";
const W: &str = r#"apiVersion: example.com/v1
kind: Widget
metadata: {name: w}
spec: {containers: [{name: a, image: "a:1", env: x}, {name: b, image: "b:1"}]}
"#;

/// The mutations of a case in a Release, beside the sample objects.
fn case(mutations: &str) -> Fixture {
    let release = release(mutations);
    Fixture::new(&[("release.yaml", &release), ("d.yaml", D), ("p.yaml", P), ("s.yaml", S), ("w.yaml", W)])
}

/// The same without any object.
fn alone(mutations: &str) -> Fixture {
    Fixture::new(&[("release.yaml", &release(mutations))])
}

/// A jsonPatch on D with this operation.
fn patch_d(operations: &str) -> String {
    format!(
        "- type: jsonPatch\n  target: {{group: apps, version: v1, kind: Deployment, name: web}}\n  patches:\n{operations}"
    )
}

/// A goTemplate on D with this block scalar, indented by four.
fn template_d(inline: &str) -> String {
    format!(
        "- type: goTemplate\n  target: {{group: apps, version: v1, kind: Deployment, name: web}}\n  inline: |\n{inline}"
    )
}

const R: &str = "release.yaml";
const WEB: &str = "Deployment/web";
const ENV: &str = "/spec/template/spec/containers/0/env";

// ---- JSON Patch ----

#[test]
fn case_01_slash_in_an_annotation_key_not_escaped() {
    let fixture =
        case(&patch_d("  - {op: add, path: /metadata/labels/team.example.com/owner, value: core}\n"));
    let found = fixture.expect(R, &[("json-patch-failed", "error", "team.example.com")]);
    found[0]
        .quotes(
            r#"add operation does not apply: doc is missing path: "/metadata/labels/team.example.com/owner""#,
        )
        .says(&["team.example.com~1owner"]);
    assert_eq!(fixture.failure(R, None, WEB).0, "DeployFailed");
}

#[test]
fn case_01_with_the_fix() {
    let fixture =
        case(&patch_d("  - {op: add, path: /metadata/labels/team.example.com~1owner, value: core}\n"));
    fixture.expect(R, &[]);
    assert_eq!(fixture.changed(R, None, WEB), ["/metadata/labels/team.example.com~1owner"]);
    assert_at(&fixture.result(R, None, WEB), "/metadata/labels", "{app: web, team.example.com/owner: core}");
}

#[test]
fn case_02_backslash_used_to_escape_the_slash() {
    let fixture =
        case(&patch_d("  - {op: replace, path: '/metadata/labels/team.example.com\\/owner', value: core}\n"));
    let found = fixture.expect(R, &[("json-pointer", "error", "\\/")]);
    found[0].says(&["~0", "~1", "/metadata/labels/team.example.com~1owner"]);
    let (reason, message) = fixture.failure(R, None, WEB);
    assert_eq!(reason, "DeployFailed");
    assert!(
        message.contains(
            r"replace operation does not apply: doc is missing path: /metadata/labels/team.example.com\/owner"
        ),
        "{message}"
    );
}

#[test]
fn case_02_is_seen_without_any_object() {
    let fixture = alone(&patch_d(
        "  - {op: replace, path: '/metadata/labels/team.example.com\\/owner', value: core}\n",
    ));
    fixture.expect(R, &[("json-pointer", "error", "\\/")]);
}

#[test]
fn case_03_adding_under_a_map_that_is_not_there() {
    let mutations = "- type: jsonPatch\n  target: {version: v1, kind: Pod, name: p}\n  patches:\n  - {op: add, path: /metadata/annotations/example.com~1a, value: x}\n";
    let fixture = case(mutations);
    let found = fixture.expect(R, &[("json-patch-failed", "error", "annotations")]);
    found[0]
        .quotes(
            r#"add operation does not apply: doc is missing path: "/metadata/annotations/example.com~1a""#,
        )
        .says(&["/metadata/annotations", "{}"]);
    // The two steps that mend it lose what other objects have, and the help says so.
    assert!(found[0].help.contains("remove"), "{found:#?}");
}

#[test]
fn case_03_names_the_objects_that_fail() {
    let mutations = "- type: jsonPatch\n  target: {version: v1, kind: Pod}\n  patches:\n  - {op: add, path: /metadata/annotations/example.com~1a, value: x}\n";
    let other = P.replace("name: p,", "name: q, annotations: {k: v},");
    let fixture = Fixture::new(&[(R, &release(mutations)), ("p.yaml", P), ("q.yaml", &other)]);
    let found = fixture.expect(R, &[("json-patch-failed", "warning", "annotations")]);
    found[0].quotes("Pod/default/p");
    assert!(!found[0].message.contains("Pod/default/q"), "{found:#?}");
    assert_at(&fixture.result(R, None, "Pod/default/q"), "/metadata/annotations", "{k: v, example.com/a: x}");
}

#[test]
fn case_03_the_first_step_of_the_fix_wipes_what_is_there() {
    let mutations = "- type: jsonPatch\n  target: {version: v1, kind: Pod, name: q}\n  patches:\n  - {op: add, path: /metadata/annotations, value: {}}\n  - {op: add, path: /metadata/annotations/example.com~1a, value: x}\n";
    let other = P.replace("name: p,", "name: q, annotations: {k: v},");
    let fixture = Fixture::new(&[(R, &release(mutations)), ("q.yaml", &other)]);
    assert_at(&fixture.result(R, None, "Pod/default/q"), "/metadata/annotations", "{example.com/a: x}");
}

#[test]
fn case_04_no_leading_slash() {
    let fixture = case(&patch_d("  - {op: add, path: spec/replicas, value: 3}\n"));
    let found = fixture.expect(R, &[("json-pointer", "error", "spec/replicas")]);
    found[0].says(&["/spec/replicas"]);
    // What the library does: a key at the top, and spec as it was.
    let result = fixture.result(R, None, WEB);
    assert_at(&result, "/replicas", "3");
    assert_at(&result, "/spec/replicas", "1");
    assert_eq!(fixture.changed(R, None, WEB), ["/replicas"]);
}

#[test]
fn case_06_replacing_what_is_not_there_fails_in_convoy() {
    let fixture = case(&patch_d("  - {op: replace, path: /spec/paused, value: true}\n"));
    let found = fixture.expect(R, &[("json-patch-failed", "error", "paused")]);
    found[0].quotes("replace operation does not apply: doc is missing key: /spec/paused").says(&["add"]);
    assert_eq!(fixture.failure(R, None, WEB).0, "DeployFailed");
}

#[test]
fn case_06_add_sets_it() {
    let fixture = case(&patch_d("  - {op: add, path: /spec/paused, value: true}\n"));
    fixture.expect(R, &[]);
    assert_at(&fixture.result(R, None, WEB), "/spec/paused", "true");
}

#[test]
fn case_07_adding_a_mapping_to_a_list_replaces_it() {
    let fixture =
        case(&patch_d(&format!("  - op: add\n    path: {ENV}\n    value: {{name: C, value: \"3\"}}\n")));
    let found = fixture.expect(
        R,
        &[("list-replaced", "warning", ENV), ("object-field-type", "error", "{name: C, value: \"3\"}")],
    );
    found[0].says(&["replaces 2 existing items", "/env/-", "object"]);
    found[1].says(&["spec.template.spec.containers[0].env takes a list, not an object"]).quotes(
        "json: cannot unmarshal object into Go struct field Container.spec.template.spec.containers.env of type []v1.EnvVar",
    );
    assert_eq!(found[1].stage, "run");
    assert_at(&fixture.result(R, None, WEB), ENV, "{name: C, value: '3'}");
}

#[test]
fn case_07_adding_a_list_still_drops_what_was_there() {
    let fixture =
        case(&patch_d(&format!("  - op: add\n    path: {ENV}\n    value: [{{name: C, value: \"3\"}}]\n")));
    let found = fixture.expect(R, &[("list-replaced", "warning", ENV)]);
    found[0].says(&["replaces 2 existing items", "/env/-"]);
    assert_at(&fixture.result(R, None, WEB), ENV, "[{name: C, value: '3'}]");
}

#[test]
fn case_07_with_the_fix() {
    let fixture =
        case(&patch_d(&format!("  - op: add\n    path: {ENV}/-\n    value: {{name: C, value: \"3\"}}\n")));
    fixture.expect(R, &[]);
    assert_at(
        &fixture.result(R, None, WEB),
        ENV,
        "[{name: A, value: '1'}, {name: B, value: '2'}, {name: C, value: '3'}]",
    );
}

#[test]
fn case_09_dash_is_for_add_only() {
    for operation in ["op: replace, value: {name: B, value: '9'}", "op: remove", "op: test, value: 1"] {
        let mutations = patch_d(&format!("  - {{path: {ENV}/-, {operation}}}\n"));
        for fixture in [alone(&mutations), case(&mutations)] {
            let found = fixture.expect(R, &[("json-pointer", "error", "-")]);
            found[0].says(&["add"]);
        }
    }
}

#[test]
fn case_09_dash_is_also_for_the_target_of_move_and_copy() {
    let operations = format!("  - {{op: copy, from: {ENV}/0, path: {ENV}/-}}\n");
    let fixture = case(&patch_d(&operations));
    fixture.expect(R, &[]);
    assert_at(
        &fixture.result(R, None, WEB),
        ENV,
        "[{name: A, value: '1'}, {name: B, value: '2'}, {name: A, value: '1'}]",
    );
    let source = alone(&patch_d(&format!("  - {{op: move, from: {ENV}/-, path: {ENV}/0}}\n")));
    source.expect(R, &[("json-pointer", "error", "-")]);
}

#[test]
fn case_10_negative_index() {
    let fixture =
        case(&patch_d(&format!("  - {{op: replace, path: {ENV}/-1, value: {{name: Z, value: \"0\"}}}}\n")));
    let found = fixture.expect(R, &[("json-pointer", "hint", "-1")]);
    found[0].says(&["extension", "RFC 6901"]);
    assert_at(&fixture.result(R, None, WEB), ENV, "[{name: A, value: '1'}, {name: Z, value: '0'}]");
}

#[test]
fn case_10_add_at_a_negative_index_appends() {
    let containers = "/spec/template/spec/containers";
    let fixture =
        case(&patch_d(&format!("  - {{op: add, path: {containers}/-1, value: {{name: z, image: z}}}}\n")));
    fixture.expect(R, &[("json-pointer", "hint", "-1")]);
    assert_at(&fixture.result(R, None, WEB), &format!("{containers}/2/name"), "z");
}

#[test]
fn case_11_indices_shift_inside_one_patch() {
    let fixture =
        case(&patch_d(&format!("  - {{op: remove, path: {ENV}/0}}\n  - {{op: remove, path: {ENV}/1}}\n")));
    let found = fixture.expect(R, &[("json-patch-failed", "error", "1")]);
    let lines: Vec<String> = fixture.file(R).text.lines().map(str::to_owned).collect();
    assert!(lines[found[0].line].contains(&format!("{ENV}/1")), "{found:#?}");
    found[0]
        .quotes(&format!("error in remove for path: '{ENV}/1': Unable to access invalid index: 1"))
        .says(&["after the removal above", "1 item"]);
}

#[test]
fn case_11_descending_order_works() {
    let fixture =
        case(&patch_d(&format!("  - {{op: remove, path: {ENV}/1}}\n  - {{op: remove, path: {ENV}/0}}\n")));
    fixture.expect(R, &[]);
    assert_at(&fixture.result(R, None, WEB), ENV, "[]");
}

const CASE_12: &str = "- type: jsonPatch\n  target: {group: apps, version: v1, kind: Deployment}\n  patches:\n  - {op: replace, path: /spec/template/spec/containers/5/image, value: x}\n";

#[test]
fn case_12_fixed_container_index_on_an_object_with_fewer_containers() {
    let fixture = case(CASE_12);
    let found = fixture.expect(R, &[("json-patch-failed", "error", "5")]);
    found[0]
        .quotes(
            "replace operation does not apply: doc is missing path: /spec/template/spec/containers/5/image",
        )
        .says(&["2 items"]);
}

#[test]
fn case_12_no_object_no_verdict() {
    alone(CASE_12).expect(R, &[]);
}

#[test]
fn case_12_names_the_objects_with_fewer_containers() {
    let six = D
        .replace("name: web, labels", "name: six, labels")
        .replace("      - {name: side, image: side:1}\n", &"      - {name: side, image: side:1}\n".repeat(5));
    let fixture = Fixture::new(&[(R, &release(CASE_12)), ("d.yaml", D), ("six.yaml", &six)]);
    let found = fixture.expect(R, &[("json-patch-failed", "warning", "5")]);
    found[0].quotes("Deployment/web");
    assert!(!found[0].message.contains("Deployment/six"), "{found:#?}");
    assert_at(&fixture.result(R, None, "Deployment/six"), "/spec/template/spec/containers/5/image", "x");
}

#[test]
fn case_13_test_with_the_wrong_type() {
    let operations = "  - {op: test, path: /spec/replicas, value: \"1\"}\n  - {op: replace, path: /spec/replicas, value: 3}\n";
    let fixture = case(&patch_d(operations));
    let found = fixture.expect(R, &[("object-field-type", "error", "\"1\"")]);
    found[0].quotes("testing value /spec/replicas failed: test failed").says(&[
        "can never pass",
        "spec.replicas takes an integer",
        "without quotes: 1",
    ]);
    let lines: Vec<String> = fixture.file(R).text.lines().map(str::to_owned).collect();
    assert!(lines[found[0].line].contains("op: test"), "{found:#?}");
    // Nothing is changed.
    let steps = fixture.steps(R, None, WEB);
    assert_eq!(steps[0].after(), &steps[0].before);
}

#[test]
fn case_13_test_with_the_right_type() {
    let operations =
        "  - {op: test, path: /spec/replicas, value: 1}\n  - {op: replace, path: /spec/replicas, value: 3}\n";
    let fixture = case(&patch_d(operations));
    fixture.expect(R, &[]);
    assert_at(&fixture.result(R, None, WEB), "/spec/replicas", "3");
}

#[test]
fn case_13_is_seen_without_any_object() {
    let operations = "  - {op: test, path: /spec/replicas, value: \"1\"}\n";
    let found = alone(&patch_d(operations)).expect(R, &[("object-field-type", "error", "\"1\"")]);
    found[0].says(&["can never pass", "spec.replicas takes an integer"]);
}

const CASE_15: &str = "  - op: multiply\n    path: /spec/replicas\n    value: {\"disk\": ssd\"}\n";

#[test]
fn case_15_unknown_operation_and_unbalanced_quote() {
    for fixture in [alone(&patch_d(CASE_15)), case(&patch_d(CASE_15))] {
        let found = fixture
            .expect(R, &[("json-patch-operation", "error", "multiply"), ("stray-quote", "warning", "\"")]);
        found[0].says(&["multiply", "add, remove, replace, move, copy, test"]);
        assert_eq!(found[0].stage, "admission");
        found[1].says(&["ssd\""]);
    }
}

#[test]
fn case_15_the_case_of_an_operation_counts() {
    for fixture in [
        alone(&patch_d("  - {op: Add, path: /spec/replicas, value: 2}\n")),
        case(&patch_d("  - {op: Add, path: /spec/replicas, value: 2}\n")),
    ] {
        let found = fixture.expect(R, &[("json-patch-operation", "error", "Add")]);
        found[0].says(&["did you mean add?"]);
    }
}

#[test]
fn case_15_the_render_would_fail_too() {
    let (reason, _) = case(&patch_d(CASE_15)).failure(R, None, WEB);
    assert_eq!(reason, "DeployFailed");
}

#[test]
fn case_16_target_that_matches_nothing() {
    let mutations = "- type: jsonPatch\n  target: {group: apps, version: v2, kind: Deployment, name: web}\n  patches:\n  - {op: replace, path: /spec/replicas, value: 2}\n";
    let fixture = case(mutations);
    let found = fixture.expect(R, &[("target-matches-nothing", "warning", "v2")]);
    found[0].quotes("no object in the workspace matches; apps/v1 Deployment web exists");
    assert_eq!(fixture.steps(R, None, WEB).len(), 0);
}

#[test]
fn case_16_no_object_no_verdict() {
    let mutations = "- type: jsonPatch\n  target: {group: apps, version: v2, kind: Deployment, name: web}\n  patches:\n  - {op: replace, path: /spec/replicas, value: 2}\n";
    alone(mutations).expect(R, &[]);
}

#[test]
fn case_17_empty_target_with_a_delete() {
    let mutations = "- type: strategicMergePatch\n  target: {}\n  inline: |\n    $patch: delete\n";
    for fixture in [alone(mutations), case(mutations)] {
        let found: Vec<_> =
            fixture.found(R).into_iter().filter(|f| f.rule == "target-matches-everything").collect();
        assert_eq!(found.len(), 1, "{}", fixture.report(R));
        assert!(["warning", "error"].contains(&found[0].severity), "{found:#?}");
        assert_eq!(found[0].text, "target");
        found[0].says(&["every object"]);
    }
    // An empty target matches every object. No mutation can remove one, so that the render stops.
    let fixture = case(mutations);
    let failed: Vec<_> =
        fixture.found(R).into_iter().filter(|f| f.rule == "strategic-merge-failed").collect();
    assert_eq!(failed.len(), 1, "{}", fixture.report(R));
    assert_eq!(failed[0].text, "$patch: delete");
    failed[0].says(&["cannot remove an object"]);
    for object in [WEB, "Pod/default/p", "Service/s", "Widget/w"] {
        assert_eq!(fixture.steps(R, None, object).len(), 1, "{object}");
    }
}

// ---- strategic merge and JSON merge ----

/// A strategicMergePatch on an object with this patch in a block scalar.
fn strategic(target: &str, patch: &str) -> String {
    format!("- type: strategicMergePatch\n  target: {target}\n  inline: |\n    {patch}\n")
}

const TARGET_D: &str = "{group: apps, version: v1, kind: Deployment, name: web}";
const TARGET_S: &str = "{version: v1, kind: Service, name: s}";
const TARGET_W: &str = "{group: example.com, version: v1, kind: Widget, name: w}";
const CONTAINERS: &str = "/spec/template/spec/containers";

/// The names of the items of a list.
fn names(value: &convoy_value::Value, pointer: &str) -> Vec<String> {
    let list = convoy_lsp::preview::diff::at(value, pointer).and_then(|list| list.as_list());
    let items = list.unwrap_or_else(|| panic!("{pointer} is no list")).iter();
    items.map(|item| item.get("name").and_then(|name| name.as_str()).unwrap_or("?").to_owned()).collect()
}

#[test]
fn case_18_strategic_merge_on_a_custom_resource() {
    let fixture = case(&strategic(TARGET_W, r#"spec: {containers: [{name: a, image: "a:2"}]}"#));
    let found = fixture.expect(R, &[("strategic-merge-kind", "error", "strategicMergePatch")]);
    found[0].quotes(r#"no kind "Widget" is registered for version "example.com/v1""#).says(&[
        "Widget/w",
        "jsonPatch",
        "goTemplate",
        "celTransform",
    ]);
    let (reason, message) = fixture.failure(R, None, "Widget/w");
    assert_eq!(reason, "DeployFailed");
    assert!(message.starts_with(r#"no kind "Widget" is registered for version "example.com/v1""#));
    // Nothing is done to the object.
    assert_eq!(names(fixture.steps(R, None, "Widget/w")[0].after(), "/spec/containers"), ["a", "b"]);
}

#[test]
fn case_18_one_custom_resource_among_others_stops_the_render() {
    let fixture = case(&strategic("{version: v1}", "metadata: {labels: {a: b}}"));
    let found = fixture.expect(R, &[("strategic-merge-kind", "error", "strategicMergePatch")]);
    found[0].says(&["Widget/w"]);
    assert!(!found[0].message.contains("Deployment"), "{found:#?}");
    assert_at(fixture.steps(R, None, WEB)[0].after(), "/metadata/labels", "{app: web, a: b}");
}

#[test]
fn case_18_a_definition_makes_no_built_in_kind() {
    let definition = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: widgets.example.com}\nspec:\n  group: example.com\n  names: {kind: Widget, plural: widgets}\n  scope: Namespaced\n  versions:\n  - name: v1\n    served: true\n    storage: true\n    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, x-kubernetes-preserve-unknown-fields: true}}}}\n";
    let release = release(&strategic(TARGET_W, "spec: {size: 2}"));
    let fixture = Fixture::new(&[(R, &release), ("w.yaml", W), ("crd.yaml", definition)]);
    let found = fixture.expect(R, &[("strategic-merge-kind", "error", "strategicMergePatch")]);
    found[0].says(&["Widget/w", "built into Kubernetes"]);
}

#[test]
fn case_19_a_directive_in_a_custom_resource() {
    let fixture = case(&strategic(TARGET_W, "spec: {containers: [{name: a, $patch: delete}]}"));
    let found = fixture.expect(R, &[("strategic-merge-kind", "error", "strategicMergePatch")]);
    found[0].says(&["Widget/w"]);
    assert_eq!(names(fixture.steps(R, None, "Widget/w")[0].after(), "/spec/containers"), ["a", "b"]);
}

#[test]
fn case_20_lists_without_a_merge_key_are_replaced() {
    let patch = "spec: {template: {spec: {tolerations: [{key: k2, operator: Exists}]}}}";
    let fixture = case(&strategic(TARGET_D, patch));
    let found = fixture.expect(R, &[("list-replaced", "warning", "tolerations")]);
    found[0].quotes("no patch merge key").says(&["1 existing item"]);
    let result = fixture.result(R, None, WEB);
    assert_at(&result, "/spec/template/spec/tolerations", "[{key: k2, operator: Exists}]");
    // The same for a list of texts.
    let patch = "spec: {template: {spec: {containers: [{name: web, args: [-c]}]}}}";
    let fixture = case(&strategic(TARGET_D, patch));
    let found = fixture.expect(R, &[("list-replaced", "warning", "args")]);
    found[0].says(&["2 existing items"]);
    assert_at(&fixture.result(R, None, WEB), &format!("{CONTAINERS}/0/args"), "[-c]");
}

#[test]
fn case_20_a_list_that_keeps_its_items_is_silent() {
    let patch = "spec: {template: {spec: {containers: [{name: web, args: [-a, -b, -c]}]}}}";
    case(&strategic(TARGET_D, patch)).expect(R, &[]);
}

#[test]
fn case_20_the_rules_of_an_ingress() {
    let ingress = "apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: i}\nspec:\n  rules: [{host: a.example.com}, {host: b.example.com}]\n  tls: [{hosts: [a.example.com]}]\n";
    let patch = "spec: {rules: [{host: c.example.com}], tls: [{hosts: [c.example.com]}]}";
    let release =
        release(&strategic("{group: networking.k8s.io, version: v1, kind: Ingress, name: i}", patch));
    let fixture = Fixture::new(&[(R, &release), ("i.yaml", ingress)]);
    let found =
        fixture.expect(R, &[("list-replaced", "warning", "rules"), ("list-replaced", "warning", "tls")]);
    found[0].says(&["2 existing items"]);
    found[1].says(&["1 existing item"]);
}

#[test]
fn case_21_two_ports_with_one_number() {
    let mutations = format!(
        "- type: strategicMergePatch\n  target: {TARGET_S}\n  inline: |\n    spec:\n      ports:\n      - {{name: tcp, port: 443, protocol: TCP, targetPort: 8443}}\n      - {{name: udp, port: 443, protocol: UDP, targetPort: 8443}}\n"
    );
    let fixture = case(&mutations);
    let found = fixture.found(R);
    let duplicate: Vec<_> = found.iter().filter(|f| f.rule == "duplicate-merge-key").collect();
    assert_eq!(duplicate.len(), 1, "{}", fixture.report(R));
    assert_eq!(duplicate[0].severity, "warning");
    duplicate[0].quotes("duplicate merge key 443 in this patch");
    let udp = "{name: udp, port: 443, protocol: UDP, targetPort: 8443}";
    assert_at(&fixture.result(R, None, "Service/s"), "/spec/ports", &format!("[{udp}, {udp}]"));
}

#[test]
fn case_23_an_item_without_its_merge_key() {
    let patch = r#"spec: {template: {spec: {containers: [{image: "nginx:2"}]}}}"#;
    let fixture = case(&strategic(TARGET_D, patch));
    let found = fixture.expect(R, &[("strategic-merge-failed", "error", r#"{image: "nginx:2"}"#)]);
    found[0]
        .quotes("map: map[image:nginx:2] does not contain declared merge key: name")
        .says(&["web", "side"]);
    assert_eq!(fixture.failure(R, None, WEB).0, "DeployFailed");
}

#[test]
fn case_24_replace_as_an_item() {
    let patch = "spec: {template: {spec: {containers: [{$patch: replace}, {name: only, image: o}]}}}";
    let fixture = case(&strategic(TARGET_D, patch));
    let found = fixture.expect(R, &[("replace-directive", "hint", "$patch: replace")]);
    found[0].says(&["replaces the whole list"]);
    assert_at(&fixture.result(R, None, WEB), CONTAINERS, "[{name: only, image: o}]");
}

#[test]
fn case_24_a_directive_that_does_not_exist() {
    let patch = "spec: {template: {spec: {containers: [{name: web, $patch: remove}]}}}";
    let fixture = case(&strategic(TARGET_D, patch));
    let found = fixture.expect(R, &[("strategic-merge-failed", "error", "$patch: remove")]);
    found[0].quotes("unknown patch type: remove in map: map[$patch:remove name:web]");
}

#[test]
fn case_25_deleting_an_item_that_is_not_there() {
    let patch = "spec: {template: {spec: {containers: [{name: nosuch, $patch: delete}]}}}";
    let fixture = case(&strategic(TARGET_D, patch));
    let found = fixture.found(R);
    assert_eq!(
        found.iter().map(|f| (f.rule, f.severity)).collect::<Vec<_>>(),
        [("nothing-deleted", "hint")],
        "{}",
        fixture.report(R)
    );
    assert!(found[0].text.contains("delete"), "{found:#?}");
    // Nothing of the directive is left in the result.
    assert_eq!(fixture.changed(R, None, WEB), Vec::<String>::new());
}

#[test]
fn case_26_one_value_of_a_list_of_texts() {
    let fixture = case(&strategic(TARGET_S, "metadata: {$deleteFromPrimitiveList/finalizers: [b]}"));
    fixture.expect(R, &[]);
    assert_at(&fixture.result(R, None, "Service/s"), "/metadata/finalizers", "[a, c]");
    // A plain list adds, new ones first.
    let fixture = case(&strategic(TARGET_S, "metadata: {finalizers: [d]}"));
    fixture.expect(R, &[]);
    assert_at(&fixture.result(R, None, "Service/s"), "/metadata/finalizers", "[d, a, b, c]");
}

#[test]
fn case_30_new_items_go_first() {
    let patch = r#"spec: {template: {spec: {containers: [{name: new, image: "n:1"}]}}}"#;
    let fixture = case(&strategic(TARGET_D, patch));
    fixture.expect(R, &[]);
    assert_eq!(names(&fixture.result(R, None, WEB), CONTAINERS), ["new", "web", "side"]);
}

#[test]
fn case_31_null_means_delete() {
    for kind in ["strategicMergePatch", "goTemplate"] {
        let mutations =
            format!("- type: {kind}\n  target: {TARGET_D}\n  inline: |\n    spec:\n      replicas:\n");
        let fixture = case(&mutations);
        let found = fixture.expect(R, &[("empty-value", "hint", "replicas")]);
        assert_eq!(found[0].line, 9);
        found[0].quotes("it deletes the field").says(&["null"]);
        assert_absent(&fixture.result(R, None, WEB), "/spec/replicas");
        // Who writes null means it.
        for null in ["null", "~", "Null"] {
            let mutations = mutations.replace("replicas:\n", &format!("replicas: {null}\n"));
            let fixture = case(&mutations);
            fixture.expect(R, &[]);
            assert_absent(&fixture.result(R, None, WEB), "/spec/replicas");
        }
    }
}

#[test]
fn case_31_an_empty_value_that_the_object_lacks_removes_nothing() {
    for kind in ["strategicMergePatch", "goTemplate"] {
        let mutations = format!(
            "- type: {kind}\n  target: {TARGET_D}\n  inline: |\n    metadata:\n      annotations:\n      labels: {{a: b}}\n"
        );
        case(&mutations).expect(R, &[]);
    }
}

// ---- the YAML layer ----

/// Case 4 twice.
fn case_34() -> String {
    let one = release(&patch_d("  - {op: add, path: spec/replicas, value: 3}\n"));
    format!("{one}---\n{}", one.replace("name: rel", "name: rel2"))
}

#[test]
fn case_34_crlf_file_has_the_same_findings_at_the_same_places() {
    let text = case_34();
    let lf = Fixture::new(&[(R, &text), ("d.yaml", D)]);
    let crlf = Fixture::new(&[(R, &crlf(&text)), ("d.yaml", &crlf(D))]);
    let wanted = [("json-pointer", "error", "spec/replicas"); 2];
    assert_eq!(lf.expect(R, &wanted), crlf.expect(R, &wanted));
    assert_eq!(crlf.file(R).documents.len(), 2);
    assert_eq!(lf.result(R, None, WEB), crlf.result(R, None, WEB));
}

#[test]
fn case_34_crlf_and_emoji_count_in_utf_16() {
    let text = case_34().replace("op: add, path", "op: add, \"🚀é\": 1, path");
    let lf = Fixture::new(&[(R, &text), ("d.yaml", D)]);
    let windows = Fixture::new(&[(R, &crlf(&text)), ("d.yaml", D)]);
    assert_eq!(lf.found(R), windows.found(R));
    let pointers: Vec<_> = windows.found(R).into_iter().filter(|f| f.rule == "json-pointer").collect();
    let line = text.lines().find(|line| line.contains("🚀")).expect("the text has it");
    let before = &line[..line.find("spec/replicas").expect("the line has it")];
    assert_eq!(pointers.len(), 2);
    for pointer in pointers {
        assert_eq!(pointer.text, "spec/replicas");
        assert_eq!(pointer.column, before.encode_utf16().count());
    }
}

#[test]
fn case_34_block_scalars_reach_the_engine_with_lf_only() {
    let text = release(&template_d(
        "    metadata:\n      annotations:\n        note: |\n          a\n          b\n",
    ));
    let fixture = Fixture::new(&[(R, &crlf(&text)), ("d.yaml", &crlf(D))]);
    fixture.expect(R, &[]);
    let preview = fixture.preview(R, None);
    assert!(!preview.contents(0)[0].text.text().contains('\r'));
    assert_at(&fixture.result(R, None, WEB), "/metadata/annotations/note", "\"a\\nb\\n\"");
}

#[test]
fn case_34_a_template_that_gets_crlf_keeps_it() {
    let text = release(
        "- type: goTemplate\n  target: {group: apps, version: v1, kind: Deployment, name: web}\n  inline: \"metadata:\\r\\n  annotations: {a: '{{ .object.kind }}'}\\r\\n\"\n",
    );
    let fixture = Fixture::new(&[(R, &text), ("d.yaml", D)]);
    fixture.expect(R, &[]);
    let steps = fixture.steps(R, None, WEB);
    assert_eq!(steps[0].renders[0].output, "metadata:\r\n  annotations: {a: 'Deployment'}\r\n");
}

#[test]
fn case_35_error_in_the_second_document() {
    let good = release(&patch_d("  - {op: replace, path: /spec/replicas, value: 2}\n"));
    let bad = release(&template_d("    metadata: {labels: {a: \"{{ .object.metadata.name \"}}\n"))
        .replace("rel,", "bad,");
    for (text, objects) in
        [(format!("{good}---\n{bad}"), D.to_owned()), (crlf(&format!("{good}---\n{bad}")), crlf(D))]
    {
        let fixture = Fixture::new(&[(R, &text), ("d.yaml", &objects)]);
        let found = fixture.found(R);
        assert_eq!(found.len(), 1, "{}", fixture.report(R));
        assert_eq!((found[0].rule, found[0].severity), ("template-syntax", "error"));
        assert!(found[0].line > good.lines().count(), "{found:#?}");
    }
}

#[test]
fn case_35_each_document_has_its_own_dialect() {
    let good = release(&patch_d("  - {op: replace, path: /spec/replicas, value: 2}\n"));
    // Neither a Helm values file nor a broken document of nobody is anything to us.
    let text =
        format!("{good}---\nmutations: {{a: [}}\n---\nkind: Release\nmutations: [{{type: nothing}}]\n");
    Fixture::new(&[(R, &text), ("d.yaml", D)]).expect(R, &[]);
}

/// Nine levels of lists, each with nine aliases of the level before, indented by two.
fn bomb() -> String {
    let mut text = "  a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..9 {
        let aliases = vec![format!("*a{}", level - 1); 9].join(", ");
        text.push_str(&format!("  a{level}: &a{level} [{aliases}]\n"));
    }
    text
}

#[test]
fn case_37_alias_bomb() {
    soon(|| {
        let object = format!("apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: bomb}}\ndata:\n{}", bomb());
        let text = release(&patch_d("  - {op: replace, path: /spec/replicas, value: 2}\n"));
        let fixture = Fixture::new(&[(R, &text), ("d.yaml", D), ("bomb.yaml", &object)]);
        // The neighbours are judged as ever, and nobody asks for a verdict on a document of no dialect.
        fixture.expect(R, &[]);
        fixture.expect("bomb.yaml", &[]);
    });
}

#[test]
fn case_37_alias_bomb_in_a_release() {
    soon(|| {
        let text = release(&patch_d("  - {op: replace, path: /spec/replicas, value: 2}\n"));
        let text = text.replace("spec: {}\n", &format!("spec:\n{}", bomb()));
        let fixture = Fixture::new(&[(R, &text), ("d.yaml", D)]);
        let found = fixture.found(R);
        assert_eq!(found.len(), 1, "{}", fixture.report(R));
        assert_eq!((found[0].rule, found[0].severity), ("yaml-syntax", "error"));
        found[0].quotes("document contains excessive aliasing");
    });
}

#[test]
fn case_37_alias_bomb_in_a_value_of_a_patch() {
    soon(|| {
        let text = release(&patch_d(&format!(
            "  - op: add\n    path: /metadata/x\n    value:\n{}",
            bomb().replace("  a", "      a")
        )));
        let fixture = Fixture::new(&[(R, &text), ("d.yaml", D)]);
        let found = fixture.found(R);
        assert_eq!(found.len(), 1, "{}", fixture.report(R));
        assert_eq!(found[0].severity, "error");
        found[0].quotes("excessive aliasing");
    });
}

#[test]
fn case_37_alias_bomb_in_the_output_of_a_template() {
    soon(|| {
        let text = release(&template_d(&format!("    spec:\n{}", bomb().replace("  a", "      a"))));
        let fixture = Fixture::new(&[(R, &text), ("d.yaml", D)]);
        let found = fixture.found(R);
        assert_eq!(found.len(), 1, "{}", fixture.report(R));
        assert_eq!((found[0].rule, found[0].severity), ("overlay-syntax", "error"));
        found[0].quotes("excessive aliasing");
    });
}

// ---- Go templates ----

#[test]
fn case_39_missing_key() {
    let fixture = case(&template_d("    metadata: {annotations: {zone: \"{{ .object.status.zone }}\"}}\n"));
    let found = fixture.expect(R, &[("template-failed", "error", ".zone")]);
    found[0].quotes("nil pointer evaluating interface {}.zone").says(&["with"]);
    assert_eq!(found[0].stage, "run");
    let failure = fixture.failure(R, None, WEB);
    assert_eq!(failure, ("DeployFailed", "nil pointer evaluating interface {}.zone".to_owned()));
}

#[test]
fn case_39_default_is_no_function_of_go() {
    let fixture = case(&template_d(
        "    metadata: {annotations: {zone: '{{ .object.status.zone | default \"x\" }}'}}\n",
    ));
    let found = fixture.expect(R, &[("template-syntax", "error", "default")]);
    found[0].quotes("function \"default\" not defined");
}

#[test]
fn case_39_with_is_safe() {
    let inline =
        "    metadata:\n      annotations: {a: b{{ with .object.status }}, zone: \"{{ .zone }}\"{{ end }}}\n";
    let fixture = case(&template_d(inline));
    fixture.expect(R, &[]);
    assert_at(&fixture.result(R, None, WEB), "/metadata/annotations", "{a: b}");
}

#[test]
fn case_39_an_explicit_null_fails_as_well() {
    let object = format!("{D}status: null\n");
    let text = release(&template_d("    metadata: {annotations: {zone: \"{{ .object.status.zone }}\"}}\n"));
    let fixture = Fixture::new(&[(R, &text), ("d.yaml", &object)]);
    let found = fixture.expect(R, &[("template-failed", "error", ".zone")]);
    found[0].quotes("nil pointer evaluating interface {}.zone");
}

#[test]
fn case_39_warns_where_no_value_is_printed() {
    let fixture = case(&template_d("    metadata: {annotations: {zone: \"{{ .object.status }}\"}}\n"));
    let found = fixture.expect(R, &[("no-value", "warning", "{{ .object.status }}")]);
    found[0].quotes("<no value>");
    assert_at(&fixture.result(R, None, WEB), "/metadata/annotations/zone", "<no value>");
}

#[test]
fn case_41_default_does_not_exist_in_convoy() {
    for call in
        ["{{ .object.spec.logLevel | default \"info\" }}", "{{ default .object.spec.size \"small\" }}"]
    {
        for fixture in [
            case(&template_d(&format!("    spec: {{a: '{call}'}}\n"))),
            alone(&template_d(&format!("    spec: {{a: '{call}'}}\n"))),
        ] {
            let found = fixture.expect(R, &[("template-syntax", "error", "default")]);
            found[0].quotes("function \"default\" not defined");
        }
    }
}

#[test]
fn case_41_a_build_with_sprig_names_it_in_the_settings() {
    let text = release(&template_d("    spec: {a: '{{ .object.spec.logLevel | default \"info\" }}'}\n"));
    let settings = "convoy: {functions: [default]}\n";
    let fixture = Fixture::new(&[(R, &text), ("d.yaml", D), (".convoy-lsp.yaml", settings)]);
    fixture.expect(R, &[]);
}

#[test]
fn case_42_integers_of_a_million_and_more() {
    let object = D.replace("  replicas: 1\n", "  replicas: 1\n  progressDeadlineSeconds: 1000000\n");
    let text = release(&template_d(
        "    metadata: {annotations: {gen: \"{{ .object.spec.progressDeadlineSeconds }}\"}}\n",
    ));
    let fixture = Fixture::new(&[(R, &text), ("d.yaml", &object)]);
    fixture.expect(R, &[]);
    assert_at(&fixture.result(R, None, WEB), "/metadata/annotations/gen", "'1000000'");
}

#[test]
fn case_42_an_integer_compares_with_a_constant() {
    let object = D.replace("  replicas: 1\n", "  replicas: 1000000\n");
    let text = release(&template_d(
        "    metadata: {annotations: {a: '{{ eq .object.spec.replicas 1000000 }}', d: '{{ printf \"%d\" .object.spec.replicas }}'}}\n",
    ));
    let fixture = Fixture::new(&[(R, &text), ("d.yaml", &object)]);
    fixture.expect(R, &[]);
    assert_at(&fixture.result(R, None, WEB), "/metadata/annotations", "{a: 'true', d: '1000000'}");
}

#[test]
fn case_44_keys_with_a_dash() {
    let fixture = case(&template_d("    spec: {tier: '{{ .object.metadata.labels.app-tier }}'}\n"));
    let found = fixture.expect(R, &[("template-syntax", "error", "-")]);
    found[0].quotes("bad character U+002D '-'").says(&["index .object.metadata.labels \"app-tier\""]);
}

#[test]
fn case_44_keys_with_dots_and_a_slash() {
    let fixture =
        case(&template_d("    spec: {app: '{{ .object.metadata.labels.app.kubernetes.io/name }}'}\n"));
    let found = fixture.expect(R, &[("template-syntax", "error", "/")]);
    found[0]
        .quotes("bad character U+002F '/'")
        .says(&["index .object.metadata.labels \"app.kubernetes.io/name\""]);
}

#[test]
fn case_44_an_index_in_brackets() {
    let fixture = case(&template_d("    spec: {app: '{{ .object.a[0] }}'}\n"));
    let found = fixture.expect(R, &[("template-syntax", "error", "[")]);
    found[0].quotes("bad character U+005B '['").says(&["index .object.a 0"]);
}

#[test]
fn case_44_with_the_fix() {
    let object = D.replace("labels: {app: web}}\nspec", "labels: {app: web, app-tier: front}}\nspec");
    let text = release(&template_d(
        "    metadata: {annotations: {tier: '{{ index .object.metadata.labels \"app-tier\" }}'}}\n",
    ));
    let fixture = Fixture::new(&[(R, &text), ("d.yaml", &object)]);
    fixture.expect(R, &[]);
    assert_at(&fixture.result(R, None, WEB), "/metadata/annotations/tier", "front");
}

/// Case 46 with its three lines.
const CASE_46: &str = "- type: goTemplate\n  target: {version: v1, kind: Service, name: s}\n  inline: |\n    {{ if .object.a == \"x\" || .object.b }}k: v{{ end }}\n    {{- /* fine */ -}}\n    {{ /* not fine */ }}\n";

#[test]
fn case_46_operators_and_comments() {
    let fixture = case(CASE_46);
    let found = fixture.found(R);
    let seen: Vec<_> = found.iter().map(|f| (f.rule, f.severity)).collect();
    assert_eq!(seen, [("template-syntax", "error"); 2], "{}", fixture.report(R));
    let lines: Vec<String> = fixture.file(R).text.lines().map(str::to_owned).collect();
    // At `==`, of which Go's lexer sees the first character.
    assert_eq!(lines[found[0].line].find("=="), Some(found[0].column));
    assert!(["=", "=="].contains(&found[0].text.as_str()), "{found:#?}");
    found[0].quotes("unexpected \"=\" in operand").says(&["eq", "or"]);
    assert!(lines[found[1].line].contains("not fine"), "{found:#?}");
    assert_eq!(found[1].text, "/");
    found[1].quotes("unexpected \"/\" in command").says(&["{{/*"]);
}

#[test]
fn case_46_the_help_rewrites_the_condition() {
    let found = case(CASE_46).found(R);
    found[0].says(&["or (eq .object.a \"x\") .object.b"]);
}

#[test]
fn case_46_with_the_fix() {
    let mutations = CASE_46
        .replace(".object.a == \"x\" || .object.b", "or (eq .object.a \"x\") .object.b")
        .replace("{{ /* not fine */ }}", "{{/* fine */}}");
    let object = S.replace("kind: Service", "kind: Service\na: x");
    let fixture = Fixture::new(&[(R, &release(&mutations)), ("s.yaml", &object)]);
    fixture.expect(R, &[("object-unknown-field", "error", "k")]);
    assert_at(&fixture.result(R, None, "Service/s"), "/k", "v");
}

#[test]
fn samples_are_those_of_the_page() {
    // A guard for the tests above: the objects are there, and none of them is a Release.
    let fixture = case(&patch_d("  - {op: replace, path: /spec/replicas, value: 2}\n"));
    let preview = fixture.preview(R, None);
    let labels: Vec<String> = preview.runs[0].objects.iter().map(|object| object.object.label()).collect();
    assert_eq!(labels, [WEB, "Pod/default/p", "Service/s", "Widget/w"]);
    assert_absent(&fixture.result(R, None, WEB), "/replicas");
}

// ---- types ----

#[test]
fn case_15_with_a_known_operation_the_value_is_of_the_wrong_type() {
    let fixture = case(&patch_d(&CASE_15.replace("multiply", "replace")));
    let found = fixture
        .expect(R, &[("object-field-type", "error", "{\"disk\": ssd\"}"), ("stray-quote", "warning", "\"")]);
    found[0].quotes(
        "json: cannot unmarshal object into Go struct field DeploymentSpec.spec.replicas of type int32",
    );
}

/// A strategicMergePatch on D with this line.
fn merge_d(line: &str) -> String {
    format!(
        "- type: strategicMergePatch\n  target: {{group: apps, version: v1, kind: Deployment, name: web}}\n  inline: |\n    {line}\n"
    )
}

const CASE_28: &str = "spec: {template: {spec: {containers: [{name: web, env: [{name: A, valueFrom: {fieldRef: {fieldPath: metadata.name}}}]}]}}}";

#[test]
fn case_28_value_and_value_from_together() {
    let fixture = case(&merge_d(CASE_28));
    let found = fixture.expect(R, &[("object-field-conflict", "error", "valueFrom")]);
    found[0]
        .quotes("spec.template.spec.containers[0].env[0].valueFrom: Invalid value: \"\": may not be specified when `value` is not empty")
        .says(&["value: null"]);
    let result = fixture.result(R, None, WEB);
    assert_at(&result, &format!("{ENV}/0/value"), "'1'");
}

#[test]
fn case_28_with_the_fix() {
    let fixture = case(&merge_d(&CASE_28.replace("valueFrom", "value: null, valueFrom")));
    fixture.expect(R, &[]);
}

#[test]
fn case_28_in_a_patch() {
    let value = "{fieldRef: {fieldPath: metadata.name}}";
    let add = format!("  - {{op: add, path: {ENV}/0/valueFrom, value: {value}}}\n");
    let found = case(&patch_d(&add)).expect(R, &[("object-field-conflict", "error", "valueFrom")]);
    found[0].says(&[&format!("{{op: remove, path: {ENV}/0/value}}")]);
    case(&patch_d(&format!("  - {{op: remove, path: {ENV}/0/value}}\n{add}"))).expect(R, &[]);
}

#[test]
fn case_30_a_later_index_names_another_item() {
    let first = merge_d("spec: {template: {spec: {containers: [{name: new, image: \"n:1\"}]}}}");
    let second =
        patch_d("  - {op: replace, path: /spec/template/spec/containers/0/image, value: \"nginx:2\"}\n");
    let fixture = case(&format!("{first}{second}"));
    let found = fixture.expect(R, &[("index-shifted", "warning", "0")]);
    found[0].quotes("index 0 is new here, but web in the sample: mutation 0 moved the items");
    let moved = fixture.diagnostics(R)[0].related.iter().any(|related| {
        related.message == "moves the items"
            && related.place.span.text(&fixture.file(R).text) == "strategicMergePatch"
    });
    assert!(moved);
    // In the other order each means what it says.
    case(&format!("{second}{first}")).expect(R, &[]);
}

#[test]
fn case_32_unquoted_number_or_boolean_where_a_string_is_due() {
    let mutations = "- type: strategicMergePatch\n  target: {version: v1, kind: Service, name: s}\n  inline: |\n    metadata: {annotations: {lb.example.com/interval: 60, lb.example.com/on: true}}\n";
    let fixture = case(mutations);
    let found = fixture.expect(R, &[("unquoted-value", "error", "60"), ("unquoted-value", "error", "true")]);
    found[0].says(&["annotations are strings", "quote it: \"60\""]);
    found[1].says(&["annotations are strings", "quote it: \"true\""]);
    for (diagnostic, kind) in fixture.diagnostics(R).iter().zip(["number", "bool"]) {
        let text = format!(
            "json: cannot unmarshal {kind} into Go struct field ObjectMeta.metadata.annotations of type string"
        );
        assert!(diagnostic.related.iter().any(|related| related.message.contains(&text)), "{diagnostic:#?}");
    }
    case(&mutations.replace("60", "\"60\"").replace("true", "'true'")).expect(R, &[]);
    // Without any object the type alone tells; the core group cannot be asked for.
    let found = alone(mutations)
        .expect(R, &[("object-field-type", "warning", "60"), ("object-field-type", "warning", "true")]);
    found[0].says(&["v1 Service is meant", "quote it: \"60\""]);
}
