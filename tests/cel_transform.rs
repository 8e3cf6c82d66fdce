//! celTransform: what the compiler says, what fails over samples and clusters and what is guarded, where it shows, what
//! becomes of the result, and what hovers tell.

#![allow(unreachable_pub, clippy::unwrap_used, clippy::format_collect)]

mod common;

use common::{Fixture, Found, assert_absent, assert_at, cluster, crlf, release};

const R: &str = "release.yaml";
const OBJECTS: &str = r#"apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web, old: "1"}}
spec:
  replicas: 2
  paused: null
  strategy: {rollingUpdate: {maxSurge: 1}}
  template: {spec: {containers: [{name: web, resources: {limits: {cpu: 1}}}]}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: worker}
spec:
  template: {spec: {containers: [{name: worker}, {name: proxy}]}}
"#;
const SETTINGS: &str = ".convoy-lsp.yaml";

/// A celTransform of all Deployments, its expression as a block.
fn transform(expression: &str) -> String {
    let lines: String = expression.lines().map(|line| format!("    {line}\n")).collect();
    release(&format!("- type: celTransform\n  target: {{kind: Deployment}}\n  inline: |\n{lines}"))
}

fn workspace(release: &str) -> Fixture {
    let (east, edge) = (cluster("east", "region: eu, tier: gold"), cluster("edge", "tier: silver"));
    Fixture::new(&[(R, release), ("objects.yaml", OBJECTS), ("east.yaml", &east), ("edge.yaml", &edge)])
}

#[track_caller]
fn expect(expression: &str, wanted: &[(&str, &str, &str)]) -> Vec<Found> {
    workspace(&transform(expression)).expect(R, wanted)
}

/// An overlay that reads `expression` as text.
fn label(expression: &str) -> String {
    format!(r#"{{"metadata": {{"labels": {{"x": string({expression})}}}}}}"#)
}

// ---- reads that fail, and guards ----

#[test]
fn an_unguarded_read_names_the_clusters_that_lack_the_key() {
    let found = expect(&label("cluster.region"), &[("cel-failed", "warning", "cluster.region")]);
    found[0].quotes("no such key: region (in cluster edge)");
    found[0].says(&["has(cluster.region)"]);
}

#[test]
fn an_unguarded_read_names_the_objects_that_lack_the_key() {
    let found = expect(
        &label("object.spec.strategy.rollingUpdate.maxSurge"),
        &[("cel-failed", "warning", "strategy")],
    );
    found[0].quotes("no such key: strategy (for Deployment/worker)");
    let found = expect(&label("object.status.zone"), &[("cel-failed", "error", "object.status")]);
    found[0].quotes("no such key: status");
}

#[test]
fn guards_are_understood() {
    for expression in [
        r#""region" in cluster ? cluster.region : "none""#,
        r#"has(cluster.region) ? cluster.region : "none""#,
        r#"!has(cluster.region) ? "none" : cluster.region"#,
        r#"has(cluster.region) && cluster.region == "eu""#,
        r#"cluster.region == "eu" && has(cluster.region)"#,
        r#"!("region" in cluster) || cluster.region != """#,
        "cluster.tier",
        "has(object.spec.strategy) ? object.spec.strategy.rollingUpdate.maxSurge : 0",
        "object.spec.template.spec.containers.all(c, !has(c.resources) || c.resources.limits.cpu == 1)",
        "object.spec.template.spec.containers.filter(c, has(c.resources)).map(c, c.resources.limits.cpu).size()",
        "object.spec.template.spec.containers.exists(c, has(c.resources) && c.resources.limits.cpu > 5)",
        r#"["region", "zone"].exists(k, k in cluster && cluster[k] == "x")"#,
    ] {
        // Where convoy does not find the Cluster, `cluster` has no tier.
        let wanted: &[_] =
            if expression == "cluster.tier" { &[("cel-failed", "warning", "cluster.tier")] } else { &[] };
        expect(&label(expression), wanted);
    }
}

#[test]
fn a_variable_of_a_macro_is_no_guard() {
    let found = expect(
        &label("object.spec.template.spec.containers.map(c, c.resources.limits.cpu).size()"),
        &[("cel-failed", "warning", "c.resources")],
    );
    found[0].quotes("no such key: resources (for Deployment/worker)");
}

#[test]
fn all_reads_that_fail_show_at_once() {
    let found = expect(
        r#"{
  "metadata": {"labels": {"region": cluster.region, "zone": cluster.zone + "-" + self.nope}},
  "spec": {"a": [object.spec.a, object.spec.b], "ok": has(object.x) ? object.x.y : 1,
    "or": cluster.q == "a" || true},
}"#,
        &[
            ("cel-failed", "warning", "cluster.region"),
            ("cel-failed", "error", "cluster.zone"),
            ("cel-failed", "error", "self.nope"),
            ("cel-failed", "error", "a"),
            ("cel-failed", "error", "b"),
        ],
    );
    assert_eq!(found[3].line, 10);
}

#[test]
fn a_key_that_is_nearly_there_is_named() {
    expect(&label("object.metdata.name"), &[("cel-failed", "error", "object.metdata")])[0]
        .says(&["did you mean metadata?"]);
    expect(&label(r#"object.metadata["nam"]"#), &[("cel-failed", "error", r#"object.metadata["nam"]"#)])[0]
        .says(&["did you mean name?"]);
}

#[test]
fn errors_of_operators_and_functions_show_at_them() {
    expect(&label("1 / 0"), &[("cel-failed", "error", "1 / 0")])[0].quotes("division by zero");
    expect(&label("int(object.metadata.name)"), &[("cel-failed", "error", "int")])[0]
        .quotes("type conversion error from 'string' to 'int'");
}

// ---- the compiler ----

#[test]
fn syntax_and_types_in_the_words_of_cel_go() {
    expect(r#"{"a": }"#, &[("cel-syntax", "error", "}")])[0]
        .quotes("Syntax error: mismatched input '}' expecting");
    expect(r#"{"a": 1"#, &[("cel-syntax", "error", "1")])[0]
        .quotes("Syntax error: mismatched input '<EOF>' expecting {'}', ','}");
    expect(r#"{"a": 1 + "b"}"#, &[("cel-type", "error", "+")])[0]
        .quotes("found no matching overload for '_+_' applied to '(int, string)'");
    expect(r#"{"a": objekt.metadata}"#, &[("cel-type", "error", "objekt")])[0]
        .quotes("undeclared reference to 'objekt' (in container '')")
        .says(&["did you mean object?"]);
    expect(
        r#"{"a": clusters, "b": foo(1)}"#,
        &[("cel-type", "error", "clusters"), ("cel-type", "error", "foo")],
    );
    // Elements of several types are no fault of the expression; that the type has no such fields, the type tells.
    expect(
        r#"{"a": [1, "b"], "c": {"d": 1, "e": "f"}}"#,
        &[("object-unknown-field", "error", "\"a\""), ("object-unknown-field", "error", "\"c\"")],
    );
}

#[test]
fn a_broken_expression_leaves_its_neighbours() {
    let mutations = "- type: celTransform\n  target: {kind: Deployment}\n  inline:\n  - '{\"a\": '\n  - '{\"a\": cluster.zone}'\n- type: celTransform\n  target: {kind: Deployment}\n  inline: '{\"a\": nope}'\n- type: celTransform\n  inline: ''\n";
    workspace(&release(mutations)).expect(
        R,
        &[
            ("cel-syntax", "error", ":"),
            ("cel-type", "error", "nope"),
            ("target-matches-everything", "warning", "celTransform"),
            ("cel-syntax", "error", "''"),
        ],
    );
}

#[test]
fn the_place_is_exact_in_every_kind_of_text() {
    let in_flow = |inline: &str| {
        release(&format!("- type: celTransform\n  target: {{kind: Deployment}}\n  inline: {inline}\n"))
    };
    for text in [
        in_flow(r#"'{"é😀": nope}'"#),
        in_flow(r#""{\"a\\u00e9\": \"\\U0001F600\" + nope}""#),
        in_flow("{\"a\":\n      {\"b\": \"\\t\"},\n").replace("inline: ", "inline: >\n      ")
            + "\n       \"c\": nope}\n",
        in_flow(">-\n    {\n    \"😀\":\n    nope\n    }"),
        transform("{\n  // emoji 😀\n  \"a\":\tnope,\n}"),
    ] {
        for text in [text.clone(), crlf(&text)] {
            let found = workspace(&text).found(R);
            assert!(found.iter().any(|f| f.rule == "cel-type" && f.text == "nope"), "{found:#?}\n{text}");
        }
    }
}

#[test]
fn libraries_that_are_not_enabled_are_named_and_run() {
    let split = r#"{"metadata": {"labels": {"first": object.metadata.name.split("e")[0]}}}"#;
    let found = expect(split, &[("cel-library", "warning", "split")]);
    found[0].says(&["strings", "convoy: {celLibraries: [strings]}"]);
    assert_at(
        &workspace(&transform(split)).result(R, Some("east"), "Deployment/web"),
        "/metadata/labels/first",
        "w",
    );
    expect(
        &label(r#"object.?spec.?strategy.orValue("x") == "x""#),
        &[
            ("cel-library", "warning", ".?"),
            ("cel-library", "warning", ".?"),
            ("cel-library", "warning", "orValue"),
        ],
    );
    expect(&label("cel.bind(n, 1, n + 1)"), &[("cel-library", "warning", "bind")]);
    expect(
        &label("math.greatest(1, 2) == 2 && sets.contains([1], [1])"),
        &[("cel-library", "warning", "greatest"), ("cel-library", "warning", "contains")],
    );
}

#[test]
fn the_setting_enables_libraries() {
    let text = transform(&label(
        r#"object.?spec.?replicas.orValue(1) > 1 ? "a,b".split(",")[0] : "c".upperAscii()"#,
    ));
    let with = |libraries: &str| {
        let settings = format!("convoy: {{celLibraries: {libraries}}}\n");
        let (east, edge) = (cluster("east", ""), cluster("edge", ""));
        Fixture::new(&[
            (R, &text),
            ("objects.yaml", OBJECTS),
            ("east.yaml", &east),
            ("edge.yaml", &edge),
            (SETTINGS, &settings),
        ])
    };
    with("[optional, strings]").expect(R, &[]);
    with("[optional]")
        .expect(R, &[("cel-library", "warning", "split"), ("cel-library", "warning", "upperAscii")]);
    with("[sprig]").expect(SETTINGS, &[("settings", "error", "sprig")])[0].quotes("unknown variant `sprig`");
}

// ---- the result ----

#[test]
fn the_result_is_a_map_with_string_keys() {
    expect(r#"["a"]"#, &[("cel-result", "error", r#"["a"]"#)])[0]
        .quotes("the result is of type list(string)");
    expect(r#"{1: "a"}"#, &[("cel-result", "error", r#"{1: "a"}"#)])[0].quotes("map(int, string)");
    // What only the run knows.
    expect("object.metadata.name", &[("cel-result", "error", "object.metadata.name")])[0]
        .quotes("the result is of type string, not a map with string keys");
    expect("{dyn(1): 2}", &[("cel-result", "error", "{dyn(1): 2}")])[0].quotes("a key of type int");
    expect(r#"{"a": int}"#, &[("cel-result", "error", r#"{"a": int}"#)])[0].quotes("a value of type type");
    expect("object", &[]);
}

#[test]
fn the_result_is_merged_as_rfc_7386_has_it() {
    let text = transform(
        r#"{
  "metadata": {"labels": {"old": null, "n": string(object.spec.replicas)}},
  "spec": {
    "replicas": object.spec.replicas + 1, "ratio": 0.5, "big": 18446744073709551615u,
    "bytes": b"abc", "wait": duration("90s"), "at": timestamp("2020-01-01T00:00:00Z"),
    "template": {"spec": {"containers": [{"name": "only"}]}},
  },
}"#,
    );
    let object = workspace(&text).result(R, Some("east"), "Deployment/web");
    assert_absent(&object, "/metadata/labels/old");
    assert_at(&object, "/metadata/labels", r#"{app: web, "n": "2"}"#);
    assert_at(&object, "/spec/replicas", "3");
    assert_at(&object, "/spec/ratio", "0.5");
    assert_at(&object, "/spec/big", "18446744073709551615");
    assert_at(&object, "/spec/bytes", "YWJj");
    assert_at(&object, "/spec/wait", "90s");
    assert_at(&object, "/spec/at", "'2020-01-01T00:00:00Z'");
    assert_at(&object, "/spec/template/spec/containers", "[{name: only}]");
}

#[test]
fn each_document_sees_what_the_one_before_left() {
    let mutations = "- type: celTransform\n  target: {kind: Deployment, name: web}\n  inline:\n  - '{\"spec\": {\"replicas\": 5}}'\n  - '{\"metadata\": {\"labels\": {\"n\": string(object.spec.replicas)}}}'\n";
    let object = workspace(&release(mutations)).result(R, Some("east"), "Deployment/web");
    assert_at(&object, "/metadata/labels/n", "'5'");
}

#[test]
fn a_change_of_identity_shows_at_the_entry() {
    expect(
        r#"{"metadata": {"name": self.name + "-" + object.metadata.name}}"#,
        &[("identity-change", "warning", r#"self.name + "-" + object.metadata.name"#); 2],
    );
}

// ---- content of a ConfigMap ----

const CONTENT: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cel, namespace: prod}\ndata:\n  east: |\n    {\"metadata\": {\"labels\": {\"z\": cluster.zone}}}\n  edge: '{\"a\": 1 + \"b\"}'\n";

#[test]
fn an_expression_of_a_config_map_is_checked_there() {
    let release = release(
        "- type: celTransform\n  target: {kind: Deployment}\n  from: {kind: ConfigMap, name: cel, path: \"{{ .cluster.name }}\"}\n",
    );
    let (east, edge) = (cluster("east", ""), cluster("edge", ""));
    let files = [
        (R, &*release),
        ("objects.yaml", OBJECTS),
        ("cel.yaml", CONTENT),
        ("c/1.yaml", &east),
        ("c/2.yaml", &edge),
    ];
    let fixture = Fixture::new(&files);
    fixture.expect("cel.yaml", &[("cel-failed", "warning", "cluster.zone"), ("cel-type", "error", "+")]);
    let text = hover(&fixture, "cel.yaml", "zone}}");
    assert!(text.contains("no such key: zone"), "{text}");
}

// ---- hovers ----

/// The hover in the middle of a text that occurs once.
#[track_caller]
fn hover(fixture: &Fixture, file: &str, at: &str) -> String {
    let file = fixture.file(file);
    let offset = file.text.find(at).expect("the text is there") + at.len() / 2;
    let hover = convoy_lsp::ide::hover(&fixture.workspace, file, offset);
    hover.map_or_else(String::new, |hover| format!("{:?}\n{}", hover.span.text(&file.text), hover.markdown))
}

#[test]
fn hovers_show_types_values_and_meanings() {
    let fixture = workspace(&transform(
        r#"{"metadata": {"labels": {"n": string(object.spec.replicas), "all": object.spec.template.spec.containers.exists(c, c.name == "web") ? "y" : "n"}}}"#,
    ));
    let text = hover(&fixture, R, "object.spec.replicas");
    assert!(text.contains("object.spec: dyn"), "{text}");
    let text = hover(&fixture, R, "replicas)");
    assert!(text.starts_with("\"object.spec.replicas\"\n"), "{text}");
    assert!(
        text.contains("object.spec.replicas: dyn") && text.contains("`2` — Deployment/web, cluster east"),
        "{text}"
    );
    assert!(text.contains("no such key: replicas — Deployment/worker"), "{text}");
    let text = hover(&fixture, R, "string(");
    assert!(
        text.starts_with("\"string\"\n") && text.contains("string(") && text.contains("-> string"),
        "{text}"
    );
    assert!(text.contains("library standard"), "{text}");
    let text = hover(&fixture, R, "exists(");
    assert!(text.contains("Macro of the CEL library standard") && text.contains("`true`"), "{text}");
    let text = hover(&fixture, R, "c.name ==");
    assert!(text.contains("bool") || text.contains("dyn"), "{text}");
    // Broken while typing: what is whole still has its type.
    let broken = workspace(&transform(r#"{"metadata": {"labels": {"n": object.spec.replicas + }}}"#));
    let text = hover(&broken, R, "replicas +");
    assert!(text.contains("object.spec.replicas: dyn"), "{text}");
}

#[test]
fn the_hover_of_the_mutation_shows_the_difference() {
    let fixture = workspace(&transform(&label(r#""region" in cluster ? cluster.region : "none""#)));
    let text = hover(&fixture, R, "celTransform");
    assert!(text.contains("celTransform") && text.contains("+    x: eu"), "{text}");
    let fixture = workspace(&transform(&label("cluster.zone")));
    let text = hover(&fixture, R, "celTransform");
    assert!(
        text.contains("❌") && text.contains("no such key: zone") && text.contains("DeployFailed"),
        "{text}"
    );
}

#[test]
fn advice_is_an_expression_that_works() {
    let advice = |expression: &str| {
        let found = workspace(&transform(&label(expression))).found(R);
        found.into_iter().find(|f| f.rule == "cel-failed").map(|f| f.help).unwrap()
    };
    assert_eq!(advice("cluster.`my-key`"), "guard it: has(cluster.`my-key`) ? cluster.`my-key` : …");
    // The guard covers the whole chain.
    assert_eq!(
        advice("object.status.zone"),
        "guard it: has(object.status) && has(object.status.zone) ? object.status.zone : …"
    );
    assert_eq!(advice(r#"cluster["zone"]"#), r#"guard it: "zone" in cluster ? cluster["zone"] : …"#);
    // Where it would not be right as it is written, there is none.
    assert_eq!(advice(r#"has(object.status.zone) ? "a" : "b""#), "");
    assert_eq!(advice(r#"(true ? cluster : self)["zone"]"#), "");
    assert_eq!(advice(r#"cluster[true ? "aa" : "bb"]"#), "");
}

#[test]
fn what_is_shared_is_written_within_a_budget() {
    // Each round doubles the value, whose parts are shared until it is written out.
    let expression = format!("{{'a': [0]{}}}", ".map(x, [x, x])".repeat(40));
    let found = expect(&expression, &[("cel-result", "error", expression.as_str())]);
    found[0].quotes("a limit of convoy-lsp");
}
