//! Traps that the real libraries show, each where it snaps and where it does not, with the exact text under the
//! range: in block and folded scalars, in quotes with escapes, in flow style, with CRLF, and behind an emoji.
//! At the end: Releases in which nothing is wrong.

// Helpers of tests may fail as tests do, and build texts the short way.
#![allow(unreachable_pub, clippy::unwrap_used, clippy::format_collect)]

mod common;

use common::{Fixture, Found, assert_absent, assert_at, cluster, crlf, release};

const R: &str = "release.yaml";
const WEB: &str = "Deployment/web";
const OBJECT: &str = r#"apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  labels: {app: web, version: "1.10", lt: "a<b", "on": "yes"}
spec:
  replicas: 1
  ratio: 1.5
  big: 1234567.5
  paused: false
  template:
    spec:
      containers:
      - {name: web, image: "nginx:1", env: [{name: A, value: "1"}]}
      - {name: side, image: "side:1"}
"#;

const TARGET: &str = "  target: {group: apps, version: v1, kind: Deployment, name: web}\n";

fn with(mutations: &str) -> Fixture {
    Fixture::new(&[(R, &release(mutations)), ("object.yaml", OBJECT)])
}

fn with_clusters(mutations: &str, clusters: &[(&str, &str)]) -> Fixture {
    let clusters: Vec<(String, String)> =
        clusters.iter().map(|(name, keys)| (format!("{name}.yaml"), cluster(name, keys))).collect();
    let text = release(mutations);
    let mut files = vec![(R, text.as_str()), ("object.yaml", OBJECT)];
    files.extend(clusters.iter().map(|(name, text)| (name.as_str(), text.as_str())));
    Fixture::new(&files)
}

/// A goTemplate with this `inline:` field.
fn go_template(inline: &str) -> String {
    format!("- type: goTemplate\n{TARGET}{inline}")
}

/// A goTemplate with one line in a block scalar.
fn line(text: &str) -> String {
    go_template(&format!("  inline: |\n    {text}\n"))
}

/// A jsonPatch that adds label `x` with this `value:` field.
fn add_label(value: &str) -> String {
    format!("- type: jsonPatch\n{TARGET}  patches:\n  - op: add\n    path: /metadata/labels/x\n{value}")
}

/// A text, in which `¦` is a blank where a line may be broken, as a scalar under a key, in every style of YAML.
fn styles(indent: &str, key: &str, text: &str) -> Vec<(&'static str, String)> {
    let flat = text.replace('¦', " ");
    let broken = text.replace('¦', &format!("\n{indent}  "));
    let escaped = |text: &str| {
        // Letters, blanks and the emoji as escapes too, so that no byte stands where its text does.
        let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('🚀', "\\U0001F680");
        escaped.replacen("note", "n\\x6fte", 1)
    };
    vec![
        ("literal", format!("{indent}{key}: |\n{indent}  {flat}\n")),
        ("literal, stripped", format!("{indent}{key}: |-\n{indent}    {flat}\n")),
        ("literal with its indentation", format!("{indent}{key}: |2\n{indent}  {flat}\n")),
        ("folded", format!("{indent}{key}: >-\n{indent}  {broken}\n")),
        ("double-quoted", format!("{indent}{key}: \"{}\"\n", escaped(&flat))),
        ("double-quoted over lines", format!("{indent}{key}: \"{}\"\n", escaped(&broken))),
        (
            "double-quoted with an escaped break",
            format!(
                "{indent}{key}: \"{}\"\n",
                escaped(&text.replace('¦', "⏎")).replace('⏎', &format!(" \\\n{indent}    "))
            ),
        ),
        ("single-quoted", format!("{indent}{key}: '{}'\n", flat.replace('\'', "''"))),
        ("single-quoted over lines", format!("{indent}{key}: '{}'\n", broken.replace('\'', "''"))),
    ]
}

/// Asserts that a template has one finding with this text under its range, in every style, with LF and CRLF.
/// `text` begins with an emoji and has `¦` where a line may be broken.
#[track_caller]
fn everywhere(text: &str, objects: &[(&str, &str)], wanted: (&str, &str, &str)) -> Found {
    assert!(text.contains('🚀') && text.contains('¦'), "{text}");
    let mut first: Option<Found> = None;
    for (style, inline) in styles("  ", "inline", text) {
        for windows in [false, true] {
            let mut release = release(&go_template(&inline));
            if windows {
                release = crlf(&release);
            }
            let mut files = vec![(R, release.as_str()), ("object.yaml", OBJECT)];
            files.extend(objects);
            let fixture = Fixture::new(&files);
            let found = fixture.found(R);
            let seen: Vec<_> = found.iter().map(|f| (f.rule, f.severity, f.text.as_str())).collect();
            assert_eq!(seen, [wanted], "{style}, CRLF {windows}\n{release}\n{}", fixture.report(R));
            // The words do not depend on how it is written.
            let first = first.get_or_insert_with(|| found[0].clone());
            assert_eq!((&first.message, &first.help), (&found[0].message, &found[0].help), "{style}");
        }
    }
    first.expect("there are styles")
}

// ---- 1: quotes and line breaks in a jsonPatch template ----

#[test]
fn trap_01_double_quotes() {
    for (value, under) in [
        ("    value: '{{ index .object.metadata.labels \"app\" }}'\n", "\""),
        ("    value: \"{{ index .object.metadata.labels \\\"app\\\" }}\"\n", "\\\""),
        ("    value: |-\n      {{ index .object.metadata.labels \"app\" }}\n", "\""),
        ("    value: >-\n      🚀 {{ index\n      .object.metadata.labels \"app\" }}\n", "\""),
    ] {
        for windows in [false, true] {
            let text = release(&add_label(value));
            let text = if windows { crlf(&text) } else { text };
            let fixture = Fixture::new(&[(R, &text), ("object.yaml", OBJECT)]);
            let found = fixture.expect(R, &[("json-patch-quotes", "error", under)]);
            found[0].quotes("unexpected \"\\\\\" in operand").says(&["`app`"]);
            // It is the first of the two quotes.
            let file = fixture.file(R);
            let line = file.text.lines().nth(found[0].line).expect("the line is there");
            let column = line.find(&format!("{under}app")).expect("the quote is there");
            assert_eq!(found[0].column, line[..column].encode_utf16().count(), "{line}");
            assert_eq!(fixture.failure(R, None, WEB).0, "DeployFailed");
        }
    }
}

#[test]
fn trap_01_double_quotes_in_flow_style_behind_an_emoji() {
    let fixture = with(
        "- {type: jsonPatch, target: {kind: Deployment}, patches: [{op: add, path: /metadata/labels/🚀é, value: '{{ index .object.metadata.labels \"app\" }}'}]}\n",
    );
    let found = fixture.expect(R, &[("json-patch-quotes", "error", "\"")]);
    let line = fixture.file(R).text.lines().nth(found[0].line).expect("the line is there").to_owned();
    assert_eq!(found[0].column, line[..line.find("\"app").expect("it is there")].encode_utf16().count());
}

#[test]
fn trap_01_double_quotes_in_a_path() {
    let fixture = with(&format!(
        "- type: jsonPatch\n{TARGET}  patches:\n  - {{op: add, path: '/metadata/labels/{{{{ index .object.metadata.labels \"app\" }}}}', value: x}}\n"
    ));
    fixture.expect(R, &[("json-patch-quotes", "error", "\"")]);
}

#[test]
fn trap_01_backquotes_work() {
    let fixture = with(&add_label("    value: '{{ index .object.metadata.labels `app` }}'\n"));
    fixture.expect(R, &[]);
    assert_at(&fixture.result(R, None, WEB), "/metadata/labels/x", "web");
}

#[test]
fn trap_01_double_quotes_outside_of_actions_are_text() {
    let fixture = with(&add_label("    value: 'say \"{{ .object.metadata.name }}\"'\n"));
    fixture.expect(R, &[]);
    assert_at(&fixture.result(R, None, WEB), "/metadata/labels/x", "'say \"web\"'");
}

#[test]
fn trap_01_double_quotes_in_a_go_template_are_fine() {
    let fixture = with(&line("metadata: {labels: {x: '{{ index .object.metadata.labels \"app\" }}'}}"));
    fixture.expect(R, &[]);
    assert_at(&fixture.result(R, None, WEB), "/metadata/labels/x", "web");
}

#[test]
fn trap_01_a_line_break_inside_an_action() {
    for (windows, under) in [(false, "\n"), (true, "\r\n")] {
        let text = release(&add_label("    value: |-\n      {{ .object.metadata.name\n      }}\n"));
        let text = if windows { crlf(&text) } else { text };
        let fixture = Fixture::new(&[(R, &text), ("object.yaml", OBJECT)]);
        let found = fixture.expect(R, &[("json-patch-quotes", "error", under)]);
        found[0].quotes("bad character U+005C '\\'").says(&["line break"]);
    }
}

#[test]
fn trap_01_an_escaped_line_break_and_a_tab_inside_an_action() {
    let fixture = with(&add_label("    value: \"{{ .object.metadata.name\\n}}\"\n"));
    fixture.expect(R, &[("json-patch-quotes", "error", "\\n")])[0].quotes("bad character U+005C '\\'");
    let fixture = with(&add_label("    value: \"{{\\t.object.metadata.name }}\"\n"));
    let found = fixture.expect(R, &[("json-patch-quotes", "error", "\\t")]);
    found[0].quotes("unexpected \"\\\\\" in command").says(&["tab"]);
}

#[test]
fn trap_01_a_folded_line_break_is_a_blank() {
    let fixture = with(&add_label("    value: >-\n      {{ .object.metadata.name\n      }}\n"));
    fixture.expect(R, &[]);
    assert_at(&fixture.result(R, None, WEB), "/metadata/labels/x", "web");
}

#[test]
fn trap_01_a_double_quote_as_a_character() {
    let fixture = with(&add_label("    value: |-\n      {{ '\"' }}\n"));
    let found = fixture.found(R);
    assert_eq!(found.len(), 1, "{}", fixture.report(R));
    assert_eq!((found[0].rule, found[0].severity), ("json-patch-quotes", "error"));
    found[0].quotes("invalid syntax");
    assert!(["\"", "'\"'"].contains(&found[0].text.as_str()), "{found:#?}");
}

#[test]
fn trap_01_less_than_in_a_backquoted_text_never_compares_equal() {
    // Go writes the list with < as \u003c, which backquotes do not undo.
    let value = "    value: '{{ if eq .object.metadata.labels.lt `a<b` }}same{{ else }}other{{ end }}'\n";
    let fixture = with(&add_label(value));
    assert_at(&fixture.result(R, None, WEB), "/metadata/labels/x", "other");
    let found = fixture.found(R);
    assert!(
        found.iter().any(|f| f.text.contains('<')),
        "nothing is said of the < that is compared: {}",
        fixture.report(R)
    );
}

#[test]
fn trap_01_less_than_that_is_printed_is_harmless() {
    let fixture = with(&add_label("    value: '{{ `a<b` }} & <c>'\n"));
    fixture.expect(R, &[]);
    assert_at(&fixture.result(R, None, WEB), "/metadata/labels/x", "'a<b & <c>'");
}

#[test]
fn trap_01_trim_markers_do_not_trim_a_line_break_of_the_value() {
    let fixture = with(&add_label("    value: \"a\\n{{- .object.metadata.name -}}\\nb\"\n"));
    assert_at(&fixture.result(R, None, WEB), "/metadata/labels/x", "\"a\\nweb\\nb\"");
    // Blanks they trim.
    let fixture = with(&add_label("    value: 'a  {{- .object.metadata.name -}}  b'\n"));
    fixture.expect(R, &[]);
    assert_at(&fixture.result(R, None, WEB), "/metadata/labels/x", "awebb");
}

// ---- 2: a filled value is not escaped ----

/// The finding for a jsonPatch that copies a label with this value, written in double quotes.
fn copied(label: &str) -> Vec<Found> {
    let object = OBJECT.replace("app: web", &format!("app: \"{label}\""));
    let text = release(&add_label("    value: 'v🚀 {{ .object.metadata.labels.app }}!'\n"));
    Fixture::new(&[(R, &text), ("object.yaml", &object)]).found(R)
}

#[test]
fn trap_02_a_filled_value_breaks_the_json() {
    for (label, message) in [
        ("say \\\"hi\\\"", "invalid character 'h' after object key:value pair"),
        ("a\\\\c", "invalid escape sequence `\\c` in string"),
        ("a\\nb", "invalid character '\\n' in string"),
    ] {
        let found = copied(label);
        assert_eq!(found.len(), 1, "{found:#?}");
        assert_eq!((found[0].rule, found[0].severity), ("json-patch-rendered", "error"));
        assert_eq!(found[0].text, "{{ .object.metadata.labels.app }}", "{label}");
        found[0].quotes(message);
    }
}

#[test]
fn trap_02_names_the_objects_and_clusters_whose_value_breaks_it() {
    let mutations = add_label("    value: '{{ .cluster.note }}'\n");
    let fixture =
        with_clusters(&mutations, &[("bad", "note: 'say \"x\"'"), ("good", "note: fine"), ("none", "")]);
    let found = fixture.expect(R, &[("json-patch-rendered", "warning", "{{ .cluster.note }}")]);
    found[0].quotes("invalid character 'x' after object key:value pair").quotes("cluster bad");
    assert!(!found[0].message.contains("good") && !found[0].message.contains("none"), "{found:#?}");
}

#[test]
fn trap_02_a_plain_value_is_fine() {
    for label in ["web", "a/b", "é🚀", "it's <fine> & well"] {
        assert_eq!(copied(label), [], "{label}");
    }
}

// ---- 3: a value from a template is a string ----

#[test]
fn trap_03_a_templated_number() {
    for (value, under) in [
        ("'{{ .object.spec.replicas }}'", "'{{ .object.spec.replicas }}'"),
        ("\"{{ .object.spec.replicas }}\"", "\"{{ .object.spec.replicas }}\""),
        ("'{{ .cluster.replicas }}'", "'{{ .cluster.replicas }}'"),
    ] {
        let fixture = with_clusters(
            &format!(
                "- type: jsonPatch\n{TARGET}  patches:\n  - {{op: replace, path: /spec/replicas, value: {value}}}\n"
            ),
            &[("west", "replicas: 3")],
        );
        let found = fixture.expect(R, &[("templated-value-type", "error", under)]);
        found[0].says(&["always a string", "spec.replicas takes an integer"]);
        let result = fixture.result(R, None, WEB);
        assert!(
            matches!(result.at(["spec", "replicas"]), Some(convoy_value::Value::String(_))),
            "{result:?}"
        );
    }
}

#[test]
fn trap_03_a_templated_boolean() {
    let fixture = with(&format!(
        "- type: jsonPatch\n{TARGET}  patches:\n  - {{op: replace, path: /spec/paused, value: '{{{{ eq 1 1 }}}}'}}\n"
    ));
    let found = fixture.expect(R, &[("templated-value-type", "error", "'{{ eq 1 1 }}'")]);
    found[0].says(&["spec.paused takes true or false"]);
    assert_at(&fixture.result(R, None, WEB), "/spec/paused", "'true'");
}

#[test]
fn trap_03_a_templated_text_and_a_plain_number_are_fine() {
    let fixture = with(&format!(
        "- type: jsonPatch\n{TARGET}  patches:\n  - {{op: replace, path: /metadata/labels/app, value: '{{{{ .self.name }}}}'}}\n  - {{op: replace, path: /spec/replicas, value: 4}}\n"
    ));
    fixture.expect(R, &[]);
    assert_at(&fixture.result(R, None, WEB), "/spec/replicas", "4");
}

// ---- 4: a path through what is not there ----

#[test]
fn trap_04_a_path_through_a_missing_map() {
    let found = everywhere(
        "metadata: {annotations: {note: \"🚀\",¦bar: \"{{ .object.spec.foo.bar }}\"}}",
        &[],
        ("template-failed", "error", ".bar"),
    );
    found.quotes("nil pointer evaluating interface {}.bar");
}

#[test]
fn trap_04_a_path_through_a_number() {
    let found = everywhere(
        "metadata: {annotations: {note: \"🚀\",¦bar: \"{{ .object.spec.replicas.bar }}\"}}",
        &[],
        ("template-failed", "error", ".bar"),
    );
    found.quotes("can't evaluate field bar in type interface {}");
}

#[test]
fn trap_04_a_path_through_a_cluster_value() {
    for clusters in [&[("west", "a: x")][..], &[("west", "a: x"), ("east", "")], &[]] {
        let fixture = with_clusters(&line("metadata: {annotations: {x: '{{ .cluster.a.b }}'}}"), clusters);
        let found = fixture.expect(R, &[("template-root", "error", ".b")]);
        found[0].quotes("can't evaluate field b in type string");
    }
}

#[test]
fn trap_04_names_the_objects_that_lack_the_map() {
    let other = OBJECT
        .replace("name: web\n", "name: other\n")
        .replace("  replicas: 1\n", "  replicas: 1\n  foo: {bar: x}\n");
    let mutations = "- type: goTemplate\n  target: {kind: Deployment}\n  inline: 'metadata: {labels: {x: \"{{ .object.spec.foo.bar }}\"}}'\n";
    let fixture = Fixture::new(&[(R, &release(mutations)), ("object.yaml", OBJECT), ("other.yaml", &other)]);
    let found = fixture.expect(R, &[("template-failed", "warning", ".bar")]);
    found[0].quotes("nil pointer evaluating interface {}.bar").quotes("Deployment/web");
    assert!(!found[0].message.contains("Deployment/other"), "{found:#?}");
    assert_at(&fixture.result(R, None, "Deployment/other"), "/metadata/labels/x", "x");
}

#[test]
fn trap_04_names_the_clusters_in_which_it_fails() {
    let mutations = line(
        "{{ if eq .cluster.tier \"gold\" }}metadata: {labels: {x: '{{ .object.spec.foo.bar }}'}}{{ end }}",
    );
    let fixture = with_clusters(&mutations, &[("a", "tier: gold"), ("b", "tier: tin"), ("c", "")]);
    let found = fixture.expect(R, &[("template-failed", "warning", ".bar")]);
    found[0].quotes("in cluster a");
}

#[test]
fn trap_04_guarded_paths_are_fine() {
    for text in [
        "metadata: {labels: {x: 'a{{ with .object.spec.foo }}{{ .bar }}{{ end }}'}}",
        "metadata: {labels: {x: 'a{{ if .object.spec.foo }}{{ .object.spec.foo.bar }}{{ end }}'}}",
        "metadata: {labels: {x: 'a{{ and .object.spec.foo .object.spec.foo.bar | len }}'}}",
    ] {
        let fixture = with(&line(text));
        let failed: Vec<_> = fixture.found(R).into_iter().filter(|f| f.rule == "template-failed").collect();
        // Only the last one takes the length of nothing.
        assert_eq!(failed.len(), usize::from(text.contains("len")), "{text}{}", fixture.report(R));
    }
}

#[test]
fn trap_04_what_an_earlier_mutation_sets_is_there() {
    let first = line("spec: {strategy: {type: Recreate}}");
    let second = line("metadata: {labels: {x: '{{ .object.spec.strategy.type }}'}}");
    let fixture = with(&format!("{first}{second}"));
    fixture.expect(R, &[]);
    assert_at(&fixture.result(R, None, WEB), "/metadata/labels/x", "Recreate");
}

#[test]
fn trap_04_what_a_mutation_that_is_not_run_may_set_is_not_missing() {
    let first = format!(
        "- type: strategicMergePatch\n{TARGET}  from: {{kind: ConfigMap, name: elsewhere, path: a}}\n"
    );
    let second = line("metadata: {labels: {x: '{{ .object.spec.strategy.type }}'}}");
    let found = with(&format!("{first}{second}")).found(R);
    assert!(found.iter().all(|f| f.rule == "from-not-found"), "{found:#?}");
    // One that is run and sets it makes it be there.
    let first =
        format!("- type: strategicMergePatch\n{TARGET}  inline: 'spec: {{strategy: {{type: Recreate}}}}'\n");
    let fixture = with(&format!("{first}{second}"));
    assert!(fixture.found(R).iter().all(|f| f.rule != "template-failed"), "{}", fixture.report(R));
}

// ---- 5: a field of a variable that holds nothing ----

#[test]
fn trap_05_a_field_of_a_variable_that_holds_nothing_prints_no_value() {
    let found = everywhere(
        "metadata: {annotations: {note: \"🚀\",¦x: \"{{ $x := .object.a }}{{ $x.y }}\"}}",
        &[],
        ("no-value", "warning", "{{ $x.y }}"),
    );
    found.quotes("<no value>");
    let fixture = with(&line("metadata: {annotations: {x: '{{ $x := .object.a }}{{ $x.y }}'}}"));
    assert_at(&fixture.result(R, None, WEB), "/metadata/annotations/x", "<no value>");
}

#[test]
fn trap_05_a_missing_key_prints_no_value_where_it_is_missing() {
    let other = OBJECT.replace("name: web\n", "name: other\n").replace("app: web,", "app: web, team: core,");
    let mutations = "- type: goTemplate\n  target: {kind: Deployment}\n  inline: 'metadata: {labels: {x: \"{{ .object.metadata.labels.team }}\"}}'\n";
    let fixture = Fixture::new(&[(R, &release(mutations)), ("object.yaml", OBJECT), ("other.yaml", &other)]);
    let found = fixture.expect(R, &[("no-value", "warning", "{{ .object.metadata.labels.team }}")]);
    found[0].quotes("Deployment/web");
    assert!(!found[0].message.contains("Deployment/other"), "{found:#?}");
}

#[test]
fn trap_05_a_missing_cluster_key_prints_nothing() {
    let mutations = line("metadata: {annotations: {x: \"{{ .cluster.region }}\"}}");
    let fixture = with_clusters(&mutations, &[("a", "region: eu"), ("b", "")]);
    fixture.expect(R, &[]);
    assert_at(&fixture.result(R, Some("a"), WEB), "/metadata/annotations/x", "eu");
    assert_at(&fixture.result(R, Some("b"), WEB), "/metadata/annotations/x", "''");
}

#[test]
fn trap_05_a_variable_that_holds_something_is_fine() {
    let fixture = with(&line("metadata: {annotations: {x: '{{ $x := .object.metadata }}{{ $x.name }}'}}"));
    fixture.expect(R, &[]);
    assert_at(&fixture.result(R, None, WEB), "/metadata/annotations/x", "web");
}

// ---- 6: numbers ----

#[test]
fn trap_06_comparing_an_integer_with_a_float() {
    for (call, message) in [
        (
            "eq .object.spec.replicas 1.0",
            "error calling eq: incompatible types for comparison: int64 and float64",
        ),
        ("eq .object.spec.ratio 1", "error calling eq: incompatible types for comparison: float64 and int"),
        (
            "lt .object.spec.replicas 2.5",
            "error calling lt: incompatible types for comparison: int64 and float64",
        ),
        (
            "eq .object.spec.ratio .object.spec.replicas",
            "error calling eq: incompatible types for comparison: float64 and int64",
        ),
        (
            "eq .object.spec.replicas `1`",
            "error calling eq: incompatible types for comparison: int64 and string",
        ),
    ] {
        let text = format!("metadata: {{annotations: {{note: \"🚀\",¦x: \"{{{{ {call} }}}}\"}}}}");
        let found = everywhere(&text, &[], ("template-failed", "error", call));
        found.quotes(message);
    }
}

#[test]
fn trap_06_comparing_like_with_like_is_fine() {
    let fixture = with(&line(
        "metadata: {annotations: {x: '{{ eq .object.spec.replicas 1 }} {{ eq .object.spec.ratio 1.5 }} {{ lt .object.spec.replicas 2 }}'}}",
    ));
    fixture.expect(R, &[]);
    assert_at(&fixture.result(R, None, WEB), "/metadata/annotations/x", "'true true true'");
}

#[test]
fn trap_06_large_floats_print_with_an_exponent() {
    let fixture = with(&line("metadata: {annotations: {x: '{{ .object.spec.big }}'}}"));
    assert_at(&fixture.result(R, None, WEB), "/metadata/annotations/x", "'1.2345675e+06'");
}

#[test]
fn trap_06_a_whole_number_with_a_point_is_an_integer() {
    // sigs.k8s.io/yaml gives 1000000.0 to the decoder as the JSON 1000000, which is an int64.
    let object = OBJECT.replace("  big: 1234567.5\n", "  big: 1000000.0\n");
    let text = release(&line("metadata: {annotations: {x: '{{ .object.spec.big }}'}}"));
    let fixture = Fixture::new(&[(R, &text), ("object.yaml", &object)]);
    fixture.expect(R, &[]);
    assert_at(&fixture.result(R, None, WEB), "/metadata/annotations/x", "'1000000'");
}

// ---- 7: output that YAML reads as something else ----

#[test]
fn trap_07_a_label_that_reads_as_a_number() {
    let found = everywhere(
        "metadata: {annotations: {note: \"🚀\",¦v: {{ .object.metadata.labels.version }}}}",
        &[],
        ("unquoted-value", "error", "{{ .object.metadata.labels.version }}"),
    );
    found.says(&["1.10", "the number 1.1"]);
}

#[test]
fn trap_07_every_text_that_go_yaml_reads_as_something_else() {
    for (text, read) in [
        ("1.10", "1.1"),
        ("yes", "true"),
        ("on", "true"),
        ("y", "true"),
        ("Y", "true"),
        ("off", "false"),
        ("NO", "false"),
        ("true", "true"),
        ("012", "10"),
        ("0o17", "15"),
        ("0x1F", "31"),
        ("0b11", "3"),
        ("1e3", "1000"),
        ("1_000", "1000"),
        ("+1", "1"),
        (".5", "0.5"),
        ("null", "null"),
        ("~", "null"),
    ] {
        let mutations = line("metadata: {annotations: {a: b, v: {{ .cluster.v }} }}");
        let fixture = with_clusters(&mutations, &[("west", &format!("v: \"{text}\""))]);
        // Null only removes the key.
        let severity = if read == "null" { "warning" } else { "error" };
        let found = fixture.expect(R, &[("unquoted-value", severity, "{{ .cluster.v }}")]);
        found[0].says(&[text, read]);
        let result = fixture.result(R, None, WEB);
        if read == "null" {
            assert_absent(&result, "/metadata/annotations/v");
        } else {
            assert_at(&result, "/metadata/annotations/v", read);
        }
    }
}

#[test]
fn trap_07_texts_that_stay_texts() {
    for text in ["v1.10", "1.10.2", "2024-01-02", "12:30:45", "eu-west", "yesterday", "12a"] {
        let mutations = line("metadata: {annotations: {v: {{ .cluster.v }} }}");
        let fixture = with_clusters(&mutations, &[("west", &format!("v: \"{text}\""))]);
        fixture.expect(R, &[]);
        assert_at(&fixture.result(R, None, WEB), "/metadata/annotations/v", &format!("'{text}'"));
    }
}

#[test]
fn trap_07_quotes_help() {
    for quote in ["\"", "'"] {
        let mutations =
            line(&format!("metadata: {{annotations: {{v: {quote}{{{{ .cluster.v }}}}{quote}}}}}"));
        let fixture = with_clusters(&mutations, &[("west", "v: '1.10'"), ("east", "")]);
        fixture.expect(R, &[]);
        assert_at(&fixture.result(R, Some("west"), WEB), "/metadata/annotations/v", "'1.10'");
    }
}

#[test]
fn trap_07_names_the_clusters() {
    let mutations = line("metadata: {annotations: {v: {{ .cluster.version }} }}");
    let fixture =
        with_clusters(&mutations, &[("a", "version: '1.10'"), ("b", "version: v2"), ("c", "version: v3")]);
    let found = fixture.expect(R, &[("unquoted-value", "warning", "{{ .cluster.version }}")]);
    found[0].quotes("1.10 reads as the number 1.1").quotes("cluster a");
    assert!(!found[0].message.contains("cluster b"), "{found:#?}");
}

#[test]
fn trap_07_a_cluster_that_lacks_the_key_removes_it() {
    let mutations = line("metadata: {labels: {app: {{ .cluster.app }} }}");
    let fixture = with_clusters(&mutations, &[("a", "app: shop"), ("b", "")]);
    let found = fixture.expect(R, &[("unquoted-value", "warning", "{{ .cluster.app }}")]);
    found[0].says(&["null", "removes the key"]).quotes("cluster b");
    assert_absent(&fixture.result(R, Some("b"), WEB), "/metadata/labels/app");
}

#[test]
fn trap_07_two_clusters_with_two_faults_are_both_told() {
    // In one the text reads as a number, in the other it is empty: one place, two findings, each with its cluster.
    let mutations = line("metadata: {annotations: {v: {{ .cluster.version }} }}");
    let fixture = with_clusters(&mutations, &[("a", "version: '1.10'"), ("b", "")]);
    let found = fixture.found(R);
    let told = |words: &str, cluster: &str| {
        found.iter().any(|f| f.message.contains(words) && f.message.contains(cluster))
    };
    assert!(told("the number 1.1", "cluster a"), "{}", fixture.report(R));
    assert!(told("null", "cluster b"), "{}", fixture.report(R));
}

#[test]
fn trap_07_keys() {
    let fixture = with(&go_template("  inline: |\n    metadata:\n      annotations:\n        on: \"🚀\"\n"));
    let found = fixture.expect(R, &[("unquoted-value", "warning", "on")]);
    found[0].says(&["on", "true"]);
    assert_at(&fixture.result(R, None, WEB), "/metadata/annotations/true", "'🚀'");
    with(&go_template("  inline: |\n    metadata:\n      labels:\n        \"on\": x\n        one: z\n"))
        .expect(R, &[]);
}

#[test]
fn trap_07_a_templated_key() {
    let fixture = with(&line("metadata: {annotations: { {{ index .object.metadata.labels \"on\" }}: x } }"));
    let found =
        fixture.expect(R, &[("unquoted-value", "warning", "{{ index .object.metadata.labels \"on\" }}")]);
    found[0].says(&["yes", "true"]);
    assert_at(&fixture.result(R, None, WEB), "/metadata/annotations", "{'true': x}");
}

#[test]
fn trap_07_a_key_that_is_empty_where_no_cluster_is_found() {
    let mutations = line("metadata: {annotations: { {{ .cluster.key }}: x } }");
    let fixture = with_clusters(&mutations, &[("west", "key: team")]);
    let found = fixture.found(R);
    assert_eq!(found.len(), 1, "{}", fixture.report(R));
    assert_eq!((found[0].rule, found[0].severity), ("overlay-syntax", "warning"));
    found[0].quotes("did not find expected node content").quotes("does not find the Cluster");
    assert_at(&fixture.result(R, Some("west"), WEB), "/metadata/annotations", "{team: x}");
}

#[test]
fn trap_07_a_number_where_a_number_is_meant() {
    let mutations = line("spec: {replicas: {{ .cluster.replicas }} }");
    let fixture = with_clusters(&mutations, &[("west", "replicas: '3'")]);
    fixture.expect(R, &[]);
    assert_at(&fixture.result(R, None, WEB), "/spec/replicas", "3");
}

#[test]
fn trap_07_a_literal_number_in_an_annotation() {
    let fixture = with(&line("metadata: {annotations: {interval: 60, \"on\": true}}"));
    let found = fixture.expect(R, &[("unquoted-value", "error", "60"), ("unquoted-value", "error", "true")]);
    found[0].says(&["strings", "\"60\""]);
}

// ---- 9: identity ----

#[test]
fn trap_09_identity_changes() {
    for (overlay, under, change) in [
        (
            "{apiVersion: apps/v1beta1}",
            "apps/v1beta1",
            r#"changes apiVersion from "apps/v1" to "apps/v1beta1""#,
        ),
        ("{kind: StatefulSet}", "StatefulSet", r#"changes kind from "Deployment" to "StatefulSet""#),
        ("{metadata: {name: other}}", "other", r#"changes metadata.name from "web" to "other""#),
        ("{metadata: {namespace: shop}}", "shop", "changes metadata.namespace from nothing to \"shop\""),
    ] {
        let fixture = with(&line(overlay));
        let found = fixture.expect(R, &[("identity-change", "warning", under)]);
        found[0].quotes(change);
    }
}

#[test]
fn trap_09_identity_change_through_every_style() {
    let found = everywhere(
        "metadata: {annotations: {note: \"🚀\"},¦name: {{ .object.metadata.name }}-x}",
        &[],
        ("identity-change", "warning", "{{ .object.metadata.name }}-x"),
    );
    found.quotes(r#"changes metadata.name from "web" to "web-x""#);
}

#[test]
fn trap_09_identity_change_by_a_patch() {
    let patch = |operation: &str| format!("- type: jsonPatch\n{TARGET}  patches:\n  - {operation}\n");
    let fixture = with(&patch("{op: replace, path: /metadata/name, value: other}"));
    fixture.expect(R, &[("identity-change", "warning", "/metadata/name")]);
    // An operation on a neighbour is not the one to show.
    let fixture = with(&format!(
        "- type: jsonPatch\n{TARGET}  patches:\n  - {{op: add, path: /metadata/labels/a, value: b}}\n  - {{op: add, path: /metadata/namespace, value: shop}}\n"
    ));
    fixture.expect(R, &[("identity-change", "warning", "/metadata/namespace")]);
}

#[test]
fn trap_09_the_same_identity_is_no_change() {
    let fixture =
        with(&line("{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, labels: {a: b}}}"));
    fixture.expect(R, &[]);
    assert_eq!(fixture.changed(R, None, WEB), ["/metadata/labels/a"]);
}

#[test]
fn trap_09_names_inside_the_object_are_not_its_name() {
    with(&line("spec: {template: {metadata: {name: x, namespace: z}}}")).expect(R, &[]);
}

// ---- 10: output that is empty or no mapping ----

#[test]
fn trap_10_a_list_or_a_text_cannot_be_merged() {
    let shape = "overlay-shape";
    with(&go_template("  inline: |\n    - a\n")).expect(R, &[(shape, "error", "- a")])[0].quotes("array");
    with(&line("just {{ .object.kind }}")).expect(R, &[(shape, "error", "just {{ .object.kind }}")])[0]
        .quotes("string");
    with(&line("{{ .object.spec.replicas }}")).expect(R, &[(shape, "error", "{{ .object.spec.replicas }}")])
        [0]
    .quotes("number");
    let fixture = with(&line("{{ .object.metadata.labels.none }}"));
    let rules: Vec<_> = fixture.found(R).iter().map(|f| f.rule).collect();
    assert!(rules.contains(&shape), "{}", fixture.report(R));
}

#[test]
fn trap_10_in_every_style() {
    let found = everywhere(
        "{{/* 🚀 note¦here */}}{{ .object.spec.replicas }}",
        &[],
        ("overlay-shape", "error", "{{ .object.spec.replicas }}"),
    );
    found.quotes("number");
}

#[test]
fn trap_10_an_empty_output_changes_nothing() {
    for text in ["{{ if .object.none }}a: b{{ end }}", "# nothing", "{{- /* nothing */ -}}", "null", "{}"] {
        let fixture = with(&line(text));
        let found = fixture.expect(R, &[("no-effect", "hint", "goTemplate")]);
        found[0].says(&["changes nothing", WEB]);
        assert_eq!(fixture.changed(R, None, WEB), [""; 0]);
    }
}

#[test]
fn trap_10_an_output_that_is_empty_for_some_clusters_is_fine() {
    let mutations = line("{{ if .cluster.tier }}metadata: {labels: {tier: '{{ .cluster.tier }}'}}{{ end }}");
    let fixture = with_clusters(&mutations, &[("a", "tier: gold"), ("b", "")]);
    fixture.expect(R, &[]);
    assert_at(&fixture.result(R, Some("a"), WEB), "/metadata/labels/tier", "gold");
    assert_absent(&fixture.result(R, Some("b"), WEB), "/metadata/labels/tier");
}

#[test]
fn trap_10_an_output_that_is_no_yaml() {
    let fixture = with(&line("metadata: {labels: {a: {{ .object.metadata.name }}}"));
    let found = fixture.found(R);
    assert_eq!(found.len(), 1, "{}", fixture.report(R));
    assert_eq!((found[0].rule, found[0].severity), ("overlay-syntax", "error"));
    found[0].quotes("did not find expected ',' or '}'");
    let fixture = with_clusters(
        &line("metadata: {labels: {a: \"{{ .cluster.note }}\"}}"),
        &[("a", "note: 'say \"x\" y'"), ("b", "note: fine")],
    );
    let found = fixture.expect(R, &[("overlay-syntax", "warning", "{{ .cluster.note }}")]);
    found[0].quotes("cluster a");
}

// ---- 11: JSON Pointers ----

/// The findings for operations on the object.
fn operations(text: &str) -> Fixture {
    with(&format!("- type: jsonPatch\n{TARGET}  patches:\n{text}"))
}

#[test]
fn trap_11_a_tilde_that_is_no_escape() {
    let fixture = operations("  - {op: add, path: /metadata/labels/a~b, value: x}\n");
    let found = fixture.expect(R, &[("json-pointer", "warning", "~")]);
    found[0].says(&["~0", "/metadata/labels/a~0b"]);
    assert_at(&fixture.result(R, None, WEB), "/metadata/labels/a~0b", "x");
    for path in ["/metadata/labels/a~0b", "/metadata/labels/a~1b", "/metadata/labels/a~01b"] {
        operations(&format!("  - {{op: add, path: {path}, value: x}}\n")).expect(R, &[]);
    }
}

#[test]
fn trap_11_a_missing_parent_is_shown_in_every_style() {
    for (style, path) in styles("    ", "path", "/metadata/annotations/x") {
        if style.starts_with("literal") && style == "literal" || style.contains("indentation") {
            // These end with a line break, which would be part of the path.
            continue;
        }
        for windows in [false, true] {
            let text = release(&format!(
                "- type: jsonPatch\n{TARGET}  patches:\n  - op: add\n{path}    value: \"🚀\"\n"
            ));
            let text = if windows { crlf(&text) } else { text };
            let fixture = Fixture::new(&[(R, &text), ("object.yaml", OBJECT)]);
            let found = fixture.expect(R, &[("json-patch-failed", "error", "annotations")]);
            found[0].quotes("add operation does not apply: doc is missing path: \"/metadata/annotations/x\"");
        }
    }
}

#[test]
fn trap_11_escapes_in_a_double_quoted_path() {
    let fixture =
        operations("  - {op: add, path: \"/met\\x61data/ann\\u006ftations/\\U0001F680\", value: x}\n");
    fixture.expect(R, &[("json-patch-failed", "error", "ann\\u006ftations")]);
}

#[test]
fn trap_11_a_templated_path() {
    let fixture = operations("  - {op: replace, path: '/metadata/labels/{{ .object.kind }}', value: x}\n");
    let found = fixture.found(R);
    assert_eq!(found.len(), 1, "{}", fixture.report(R));
    assert_eq!((found[0].rule, found[0].severity), ("json-patch-failed", "error"));
    assert!(found[0].text.contains("{{ .object.kind }}"), "{found:#?}");
    found[0].quotes("doc is missing key: /metadata/labels/Deployment");
}

#[test]
fn trap_11_an_index_past_the_end() {
    let containers = "/spec/template/spec/containers";
    let fixture = operations(&format!("  - {{op: add, path: {containers}/3, value: {{name: x}}}}\n"));
    let found = fixture.expect(R, &[("json-patch-failed", "error", "3")]);
    found[0].quotes("Unable to access invalid index: 3").says(&["2 items"]);
    // The place after the last item is one for add.
    let fixture = operations(&format!("  - {{op: add, path: {containers}/2, value: {{name: x}}}}\n"));
    fixture.expect(R, &[]);
    assert_at(&fixture.result(R, None, WEB), &format!("{containers}/2/name"), "x");
}

#[test]
fn trap_11_a_key_that_is_misspelt() {
    let fixture = operations("  - {op: replace, path: /spec/replica, value: 2}\n");
    let found = fixture.expect(R, &[("json-patch-failed", "error", "replica")]);
    found[0]
        .quotes("replace operation does not apply: doc is missing key: /spec/replica")
        .says(&["replicas"]);
}

#[test]
fn trap_11_remove_move_and_copy_of_what_is_not_there() {
    let fixture = operations("  - {op: remove, path: /spec/nothing}\n");
    fixture.expect(R, &[("json-patch-failed", "error", "nothing")])[0]
        .quotes("error in remove for path: '/spec/nothing': unable to remove nonexistent key: nothing");
    let fixture = operations("  - {op: copy, from: /spec/nothing, path: /spec/x}\n");
    fixture.expect(R, &[("json-patch-failed", "error", "nothing")])[0]
        .quotes("error in copy for from: '/spec/nothing': unable to get nonexistent key: nothing");
    let fixture = operations("  - {op: move, from: /spec/nothing, path: /spec/x}\n");
    fixture.expect(R, &[("json-patch-failed", "error", "nothing")])[0]
        .quotes("error in move for path: 'nothing': unable to get nonexistent key: nothing");
}

#[test]
fn trap_11_add_on_a_list_that_keeps_what_is_there() {
    let fixture = operations(
        "  - op: add\n    path: /spec/template/spec/containers/0/env\n    value: [{name: A, value: \"1\"}, {name: B, value: \"2\"}]\n",
    );
    fixture.expect(R, &[]);
    let fixture = operations(
        "  - {op: add, path: /spec/template/spec/containers/1/env, value: [{name: A, value: x}]}\n",
    );
    fixture.expect(R, &[]);
}

#[test]
fn trap_11_a_dash_as_a_key_of_a_map() {
    // `-` is a place after a list only in a list: a map may have such a key.
    let object = OBJECT.replace("labels: {app: web,", "labels: {\"-\": dash, app: web,");
    let text = release(&format!(
        "- type: jsonPatch\n{TARGET}  patches:\n  - {{op: replace, path: /metadata/labels/-, value: x}}\n"
    ));
    let fixture = Fixture::new(&[(R, &text), ("object.yaml", &object)]);
    assert_at(&fixture.result(R, None, WEB), "/metadata/labels/-", "x");
    fixture.expect(R, &[]);
}

// ---- 14: nothing matched, nothing changed, everything overwritten ----

#[test]
fn trap_14_nothing_matched() {
    let fixture = with(
        "- type: goTemplate\n  target: {kind: Deployment, name: wbe}\n  inline: 'metadata: {labels: {a: b}}'\n",
    );
    let found = fixture.expect(R, &[("target-matches-nothing", "warning", "wbe")]);
    found[0].quotes("apps/v1 Deployment web exists");
}

#[test]
fn trap_14_nothing_changed() {
    let fixture = with(&line("spec: {replicas: 1}"));
    let found = fixture.expect(R, &[("no-effect", "hint", "goTemplate")]);
    found[0].says(&["changes nothing", WEB]);
    // A cluster in which it changes something is enough.
    let fixture = with_clusters(
        &line("spec: {replicas: {{ .cluster.count }} }"),
        &[("a", "count: '1'"), ("b", "count: '2'")],
    );
    fixture.expect(R, &[]);
}

#[test]
fn trap_14_everything_overwritten() {
    let fixture = with(&format!("{}{}", line("spec: {replicas: 2}"), line("spec: {replicas: 3}")));
    let found = fixture.expect(R, &[("overwritten", "warning", "goTemplate")]);
    assert_eq!(found[0].line, 5);
    assert_at(&fixture.result(R, None, WEB), "/spec/replicas", "3");
}

#[test]
fn trap_14_a_part_that_stays_is_an_effect() {
    let first = line("{spec: {replicas: 2}, metadata: {labels: {a: b}}}");
    // The part that does not stay is named.
    let found = with(&format!("{first}{}", line("spec: {replicas: 3}")))
        .expect(R, &[("overwritten", "hint", "goTemplate")]);
    found[0].says(&["spec.replicas"]);
}

#[test]
fn trap_14_a_key_is_named_as_it_is_written() {
    let first = line("metadata: {annotations: {example.com/a~b: x, c: d}}");
    let later = line("metadata: {annotations: {example.com/a~b: z}}");
    let found = with(&format!("{first}{later}")).expect(R, &[("overwritten", "hint", "goTemplate")]);
    found[0].says(&["metadata.annotations.example.com/a~b is overwritten by mutation 1"]);
}

#[test]
fn trap_14_what_a_later_mutation_reads_is_an_effect() {
    let first = line("metadata: {labels: {a: one}}");
    // Moved, extended from itself, or tested: without the first mutation the result is another.
    for (second, label, value) in [
        (
            format!(
                "- type: jsonPatch\n{TARGET}  patches: [{{op: move, from: /metadata/labels/a, path: /metadata/labels/b}}]\n"
            ),
            "b",
            "one",
        ),
        (line("metadata: {labels: {a: '{{ .object.metadata.labels.a }}-two'}}"), "a", "one-two"),
        (
            format!(
                "- type: jsonPatch\n{TARGET}  patches: [{{op: test, path: /metadata/labels/a, value: one}}, {{op: replace, path: /metadata/labels/a, value: two}}]\n"
            ),
            "a",
            "two",
        ),
    ] {
        let fixture = with(&format!("{first}{second}"));
        assert_at(&fixture.result(R, None, WEB), &format!("/metadata/labels/{label}"), value);
        fixture.expect(R, &[]);
    }
}

#[test]
fn trap_14_overwritten_on_one_of_two_objects_is_an_effect() {
    let other = OBJECT.replace("name: web\n", "name: other\n");
    let text = release(&format!(
        "- type: goTemplate\n  target: {{kind: Deployment}}\n  inline: 'spec: {{replicas: 2}}'\n{}",
        line("spec: {replicas: 3}")
    ));
    Fixture::new(&[(R, &text), ("object.yaml", OBJECT), ("other.yaml", &other)]).expect(R, &[]);
}

// ---- 15: targets that match nothing ----

#[test]
fn trap_15_values_that_equal_nothing() {
    for (target, under, words) in [
        ("{kind: Deployment, name: 'web*'}", "'web*'", "no patterns"),
        ("{kind: Deployment, name: '*'}", "'*'", "no patterns"),
        ("{kind: deployment, name: web}", "deployment", "Deployment"),
        ("{group: core, version: v1, kind: Service}", "core", "empty"),
        ("{group: apps/v1, kind: Deployment}", "apps/v1", "version: v1"),
        ("{version: apps/v1, kind: Deployment}", "apps/v1", "group: apps"),
        ("{kind: Deployment, name: '{{ .self.name }}'}", "'{{ .self.name }}'", "template"),
    ] {
        let mutations = format!(
            "- {{type: goTemplate, target: {target}, inline: 'metadata: {{labels: {{\"🚀\": b}}}}'}}\n"
        );
        // Such a value is wrong whether or not there are objects.
        for text in [release(&mutations), crlf(&release(&mutations))] {
            Fixture::new(&[(R, &text)]).expect(R, &[("target-matches-nothing", "warning", under)])[0]
                .says(&[words]);
            let fixture = Fixture::new(&[(R, &text), ("object.yaml", OBJECT)]);
            fixture.expect(R, &[("target-matches-nothing", "warning", under)])[0].says(&[words]);
            assert_eq!(fixture.steps(R, None, WEB).len(), 0);
        }
    }
}

#[test]
fn trap_15_a_namespace_while_the_objects_have_none() {
    let mutations = "- type: goTemplate\n  target: {kind: Deployment, name: web, namespace: prod}\n  inline: 'metadata: {labels: {a: b}}'\n";
    let fixture = with(mutations);
    let found = fixture.expect(R, &[("target-matches-nothing", "warning", "prod")]);
    found[0].says(&["no namespace", "default"]);
    let object = OBJECT.replace("  name: web\n", "  name: web\n  namespace: prod\n");
    Fixture::new(&[(R, &release(mutations)), ("object.yaml", &object)]).expect(R, &[]);
}

#[test]
fn trap_15_an_empty_group_meets_other_groups() {
    let services = "apiVersion: v1\nkind: Service\nmetadata: {name: web}\n---\napiVersion: serving.knative.dev/v1\nkind: Service\nmetadata: {name: fn}\n";
    let mutations = |target: &str| {
        release(&format!(
            "- {{type: goTemplate, target: {target}, inline: 'metadata: {{labels: {{a: b}}}}'}}\n"
        ))
    };
    let fixture =
        Fixture::new(&[(R, &mutations("{group: \"\", version: v1, kind: Service}")), ("s.yaml", services)]);
    let found = fixture.expect(R, &[("core-group", "hint", "\"\"")]);
    found[0].says(&["Service/fn", "serving.knative.dev"]);
    let alone = services.split("---\n").next().expect("there are two");
    Fixture::new(&[(R, &mutations("{group: \"\", version: v1, kind: Service}")), ("s.yaml", alone)])
        .expect(R, &[]);
    Fixture::new(&[(R, &mutations("{group: \"\", kind: Service, name: web}")), ("s.yaml", services)])
        .expect(R, &[]);
}

#[test]
fn trap_15_names_that_only_look_like_patterns() {
    let object = OBJECT.replace("  name: web\n", "  name: web.v1-core\n");
    let text =
        release("- {type: goTemplate, target: {name: web.v1-core}, inline: 'metadata: {labels: {a: b}}'}\n");
    Fixture::new(&[(R, &text), ("object.yaml", &object)]).expect(R, &[]);
}

// ---- no false alarm ----

/// Asserts that a workspace of these files has no finding at all.
#[track_caller]
fn silent(files: &[(&str, &str)]) -> Fixture {
    let fixture = Fixture::new(files);
    for (name, _) in files {
        assert_eq!(fixture.found(name), [], "{name}\n{}", fixture.report(name));
    }
    // The same with the line breaks of Windows.
    let windows: Vec<(&str, String)> = files.iter().map(|(name, text)| (*name, crlf(text))).collect();
    let windows: Vec<(&str, &str)> = windows.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let windows = Fixture::new(&windows);
    for (name, _) in files {
        assert_eq!(windows.found(name), [], "{name} with CRLF\n{}", windows.report(name));
    }
    fixture
}

const SHOP: &str = r#"# Rendered by Helm.
---
# Source: shop/templates/service.yaml
apiVersion: v1
kind: Service
metadata:
  name: shop
  labels: {app.kubernetes.io/name: shop}
  annotations:
    service.beta.kubernetes.io/load-balancer-type: nlb
spec:
  type: ClusterIP
  selector: {app.kubernetes.io/name: shop}
  ports:
  - {name: http, port: 80, targetPort: http}
---
# Source: shop/templates/deployment.yaml
apiVersion: apps/v1
kind: Deployment
metadata:
  name: shop
  labels: {app.kubernetes.io/name: shop, app.kubernetes.io/version: "1.10"}
spec:
  replicas: 2
  selector: {matchLabels: {app.kubernetes.io/name: shop}}
  template:
    metadata:
      labels: {app.kubernetes.io/name: shop}
      annotations: {checksum/config: abc}
    spec:
      serviceAccountName: shop
      containers:
      - name: shop
        image: registry.example.com/shop:1.10
        env:
        - {name: LOG_LEVEL, value: info}
        ports: [{containerPort: 8080, name: http}]
        resources: {limits: {memory: 256Mi}}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: shop
  annotations: {nginx.ingress.kubernetes.io/rewrite-target: /$1}
spec:
  ingressClassName: nginx
  rules:
  - host: shop.example.com
    http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: shop, port: {name: http}}}}]}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: shop-config}
data:
  app.properties: |
    mode=normal
    template={{ not a template of ours }}
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: cleanup}
spec:
  schedule: "0 3 * * *"
  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: OnFailure
          containers: [{name: cleanup, image: "registry.example.com/cleanup:2"}]
---
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: {name: shop}
spec:
  selector: {matchLabels: {app.kubernetes.io/name: shop}}
  endpoints: [{port: http, interval: 30s}]
"#;

const WEST: &str = "apiVersion: convoy.kumodo.io/v1alpha1\nkind: Cluster\nmetadata: {name: west, labels: {a: b}}\nspec:\n  metadata: {region: eu-west-1, tier: production, replicas: \"5\"}\n";
const EAST: &str = "apiVersion: convoy.kumodo.io/v1alpha1\nkind: Cluster\nmetadata: {name: east}\nspec:\n  metadata: {region: us-east-1}\n";

fn shop(mutations: &str) -> String {
    format!(
        "# The shop.\napiVersion: convoy.kumodo.io/v1alpha1\nkind: Release\nmetadata:\n  name: shop\n  namespace: shop\n  labels: {{team: commerce}}\n  annotations: {{owner: commerce@example.com}}\nspec:\n  chart: {{name: shop, version: 1.2.3}}\n  values: {{a: \"{{{{ not ours }}}}\"}}\nmutations:\n{mutations}"
    )
}

/// The shop with these mutations and two clusters, of which one lacks keys.
#[track_caller]
fn silent_shop(mutations: &str) -> Fixture {
    silent(&[(R, &shop(mutations)), ("rendered.yaml", SHOP), ("west.yaml", WEST), ("east.yaml", EAST)])
}

#[test]
fn no_false_alarm_01_replicas_and_image_by_json_patch() {
    let fixture = silent_shop(
        r#"  # More of it in production.
  - type: jsonPatch
    target: {group: apps, version: v1, kind: Deployment, name: shop}
    patches:
      - op: test
        path: /spec/template/spec/containers/0/name
        value: shop
      - op: replace
        path: /spec/replicas
        value: 3
      - op: add
        path: /spec/template/spec/containers/0/env/-
        value: {name: CLUSTER, value: "{{ .cluster.name }}"}
      - op: add
        path: /spec/template/metadata/annotations/convoy.example.com~1team
        value: '{{ .self.labels.team }}'
"#,
    );
    let result = fixture.result(R, Some("west"), "Deployment/shop");
    assert_at(
        &result,
        "/spec/template/spec/containers/0/env",
        "[{name: LOG_LEVEL, value: info}, {name: CLUSTER, value: west}]",
    );
}

#[test]
fn no_false_alarm_02_labels_and_annotations_by_template() {
    let fixture = silent_shop(
        r#"- type: goTemplate
  target: {group: apps, version: v1, kind: Deployment}
  inline: |
    metadata:
      labels:
        region: "{{ .cluster.region }}"
        tier: "{{ with .cluster.tier }}{{ . }}{{ else }}standard{{ end }}"
        version: {{ index .object.metadata.labels "app.kubernetes.io/version" | printf "%q" }}
      annotations:
        owner: {{ .self.annotations.owner | printf "%q" }}
        # The containers, for those who look.
        containers: "{{ range $i, $c := .object.spec.template.spec.containers }}{{ if $i }},{{ end }}{{ $c.name }}{{ end }}"
"#,
    );
    let labels =
        |cluster| fixture.result(R, Some(cluster), "Deployment/shop").at(["metadata", "labels"]).cloned();
    let of = |text: &str| Some(common::yaml(text));
    let own = "app.kubernetes.io/name: shop, app.kubernetes.io/version: '1.10', version: '1.10'";
    assert!(
        labels("west")
            .expect("it has some")
            .same_json(&of(&format!("{{{own}, region: eu-west-1, tier: production}}")).expect("yaml"))
    );
    assert!(
        labels("east")
            .expect("it has some")
            .same_json(&of(&format!("{{{own}, region: us-east-1, tier: standard}}")).expect("yaml"))
    );
}

#[test]
fn no_false_alarm_03_ingress_host_for_each_cluster() {
    let fixture = silent_shop(
        r#"- type: jsonPatch
  target: {group: networking.k8s.io, version: v1, kind: Ingress, name: shop}
  patches:
  - {op: replace, path: /spec/rules/0/host, value: "shop.{{ .cluster.region }}.example.com"}
  - {op: add, path: /metadata/annotations/nginx.ingress.kubernetes.io~1ssl-redirect, value: "true"}
  - {op: remove, path: /metadata/annotations/nginx.ingress.kubernetes.io~1rewrite-target}
"#,
    );
    assert_at(
        &fixture.result(R, Some("east"), "Ingress/shop"),
        "/spec/rules/0/host",
        "shop.us-east-1.example.com",
    );
}

#[test]
fn no_false_alarm_04_service_of_one_cluster_only() {
    let fixture = silent_shop(
        r#"- type: goTemplate
  target: {version: v1, kind: Service, name: shop}
  inline: |
    {{- if eq .cluster.tier "production" }}
    metadata:
      annotations:
        service.beta.kubernetes.io/load-balancer-type: null
        service.beta.kubernetes.io/scheme: "internet-facing"
    spec:
      type: LoadBalancer
    {{- end }}
"#,
    );
    assert_at(&fixture.result(R, Some("west"), "Service/shop"), "/spec/type", "LoadBalancer");
    assert_absent(
        &fixture.result(R, Some("west"), "Service/shop"),
        "/metadata/annotations/service.beta.kubernetes.io~1load-balancer-type",
    );
    assert_eq!(fixture.changed(R, Some("east"), "Service/shop"), [""; 0]);
}

#[test]
fn no_false_alarm_05_config_map_as_a_target() {
    let fixture = silent_shop(
        "- type: goTemplate\n  target: {version: v1, kind: ConfigMap, name: shop-config}\n  inline:\n  - |\n    data:\n      region: '{{ .cluster.region }}'\n  - |\n    data:\n      app.properties: |\n        mode={{ if .cluster.tier }}{{ .cluster.tier }}{{ else }}normal{{ end }}\n        name={{ .object.metadata.name }}\n",
    );
    assert_at(
        &fixture.result(R, Some("west"), "ConfigMap/shop-config"),
        "/data",
        "{app.properties: \"mode=production\\nname=shop-config\\n\", region: eu-west-1}",
    );
}

#[test]
fn no_false_alarm_06_cron_job_and_waves() {
    let fixture = silent_shop(
        r#"- type: jsonPatch
  target: {group: batch, version: v1, kind: CronJob, name: cleanup}
  patches:
  - op: replace
    path: /spec/schedule
    value: "30 4 * * *"
  - {op: add, path: /spec/suspend, value: true}
  - {op: copy, from: /metadata/name, path: /spec/jobTemplate/spec/template/spec/containers/0/workingDir}
- type: syncWave
  target: {group: batch, version: v1, kind: CronJob}
  waveStrategy: {wave: 5}
- type: syncWave
  target: {version: v1, kind: ConfigMap, name: shop-config}
  waveStrategy: {wave: "-1"}
"#,
    );
    assert_at(
        &fixture.result(R, None, "CronJob/cleanup"),
        "/metadata/annotations/convoy.kumodo.io~1sync-wave",
        "'5'",
    );
}

#[test]
fn no_false_alarm_07_custom_resource() {
    let fixture = silent_shop(
        r#"- type: goTemplate
  target:
    group: monitoring.coreos.com
    version: v1
    kind: ServiceMonitor
  inline: >-
    {"spec": {"namespaceSelector": {"matchNames": ["{{ .self.namespace }}"]},
    "jobLabel": "{{ .object.metadata.name }}"}}
- type: celTransform
  target: {group: monitoring.coreos.com, kind: ServiceMonitor}
  inline: '{"metadata": {"labels": {"region": "region" in cluster ? cluster.region : "none"}}}'
"#,
    );
    let steps = fixture.steps(R, Some("west"), "ServiceMonitor/shop");
    assert_at(steps[0].after(), "/spec/namespaceSelector", "{matchNames: [shop]}");
}

#[test]
fn no_false_alarm_08_overlays_of_config_maps() {
    let mutations = r#"- type: goTemplate
  target: {group: apps, version: v1, kind: Deployment, name: shop}
  inline: "metadata: {labels: {stage: inline}}"
  from:
    kind: ConfigMap
    name: shop-overlay
    path: "{{ .cluster.region }}.yaml"
    namespace: shop
- type: goTemplate
  target: {version: v1, kind: Service, name: shop}
  from: {kind: ConfigMap, name: shop-overlay, path: service.yaml}
"#;
    let content = r#"apiVersion: v1
kind: ConfigMap
metadata: {name: shop-overlay, namespace: shop}
data:
  eu-west-1.yaml: |
    metadata: {labels: {continent: europe}}
  us-east-1.yaml: |
    metadata: {labels: {continent: america}}
  service.yaml: |
    metadata:
      labels:
        release: "{{ .self.name }}"
        {{- range $key, $value := .object.spec.selector }}
        selects-{{ $value }}: "yes"
        {{- end }}
"#;
    let fixture = silent(&[
        (R, &shop(mutations)),
        ("rendered.yaml", SHOP),
        ("overlay.yaml", content),
        ("west.yaml", WEST),
        ("east.yaml", EAST),
    ]);
    assert_at(&fixture.result(R, Some("east"), "Deployment/shop"), "/metadata/labels/continent", "america");
    assert_at(&fixture.result(R, Some("west"), "Service/shop"), "/metadata/labels/selects-shop", "'yes'");
}

#[test]
fn no_false_alarm_09_anchors_and_every_type() {
    silent_shop(
        r#"- type: strategicMergePatch
  target: &deployment {group: apps, version: v1, kind: Deployment, name: shop}
  inline: |
    spec:
      template:
        spec:
          containers:
          - name: shop
            env:
            - {name: REGION, value: "{{ .cluster.region }}"}
- type: jsonPatch
  target: *deployment
  patches:
  - {op: replace, path: /spec/replicas, value: 4}
- type: celTransform
  target: *deployment
  inline: |
    has(object.metadata.annotations) ? {} : {"metadata": {"annotations": {"seen": "true"}}}
- type: syncWave
  target: *deployment
  waveStrategy: {wave: 2, strategy: Ordered}
"#,
    );
}

#[test]
fn no_false_alarm_10_conditions_variables_and_numbers() {
    let fixture = silent_shop(
        r#"- type: goTemplate
  target: {group: apps, version: v1, kind: Deployment, name: shop}
  inline: |
    {{- /* Production runs as many as its cluster says. */ -}}
    {{- $wanted := .object.spec.replicas }}
    {{- with .cluster.replicas }}{{ $wanted = . }}{{ end }}
    spec:
      replicas: {{ $wanted }}
      {{- if and (ge .object.spec.replicas 2) (ne .cluster.name "test") }}
      minReadySeconds: 30
      {{- end }}
      template:
        metadata:
          annotations:
            note: 'größer 🚀 "{{ .object.metadata.name }}"'
            size: "{{ len .object.spec.template.spec.containers }}"
            html: {{ html "<a>" | printf "%q" }}
- type: goTemplate
  target: {kind: Deployment, name: shop}
  inline: |
    metadata:
      annotations:
        ready: "{{ .object.spec.minReadySeconds }}s"
"#,
    );
    let west = fixture.result(R, Some("west"), "Deployment/shop");
    assert_at(&west, "/spec/replicas", "5");
    assert_at(&west, "/metadata/annotations/ready", "30s");
    assert_at(&west, "/spec/template/metadata/annotations/note", "'größer 🚀 \"shop\"'");
    assert_at(&fixture.result(R, Some("east"), "Deployment/shop"), "/spec/replicas", "2");
}

#[test]
fn no_false_alarm_11_no_objects_and_no_clusters_at_all() {
    silent(&[(
        R,
        &shop(
            "- type: goTemplate\n  target: {group: apps, version: v1, kind: Deployment}\n  inline: 'metadata: {labels: {a: {{ .object.spec.foo.bar }}, b: {{ .cluster.region }}}}'\n- type: jsonPatch\n  target: {kind: Service}\n  patches: [{op: remove, path: /metadata/annotations/x}]\n",
        ),
    )]);
}

#[test]
fn of_an_alias_without_an_anchor_only_the_alias_is_reported() {
    // Nothing is known of its value, so that neither its type nor a missing field is a finding of its own.
    let text = release(
        "- *a\n- {type: *b, inline: *c}\n- {type: jsonPatch, target: *t, patches: [*d, {op: *e, path: *f}]}\n",
    );
    let found = Fixture::new(&[("release.yaml", &text)]).found("release.yaml");
    let rules: Vec<&str> = found.iter().map(|found| found.rule).collect();
    assert_eq!(rules, ["yaml-syntax"; 7]);
}

#[test]
fn more_mutations_than_an_api_server_stores_are_said_to_be_left_out() {
    let text = release(&"- {type: syncWave, target: {}}\n".repeat(20_001));
    let found = Fixture::new(&[("release.yaml", &text)]).found("release.yaml");
    let said: Vec<&Found> = found.iter().filter(|found| found.rule == "field-type").collect();
    assert_eq!(said.len(), 1);
    assert_eq!(
        said[0].message,
        "mutations is a list of more than 20000 mutations, but must be a shorter one (a limit of convoy-lsp, which leaves out the rest)"
    );
    let text = release(&"- {type: syncWave, target: {}}\n".repeat(20_000));
    let found = Fixture::new(&[("release.yaml", &text)]).found("release.yaml");
    assert!(found.iter().all(|found| found.rule != "field-type"));
}
