//! What the types of Kubernetes say of mutations: places in every kind of text, and silence where there is nothing
//! to say. The texts are those of the strict decoder and of the validation of the API server.

// Helpers of tests may fail as tests do, and build texts the short way.
#![allow(unreachable_pub, clippy::unwrap_used, clippy::format_collect)]

mod common;

use common::{Fixture, Found, cluster, crlf, release, soon};

const R: &str = "release.yaml";
const TARGET: &str = "  target: {group: apps, version: v1, kind: Deployment, name: web}\n";
const OBJECT: &str = r#"apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web, version: "1.10"}}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      tolerations: [{key: k1, operator: Exists}]
      containers:
      - name: web
        image: nginx:1
        args: [-a, -b]
        env: [{name: A, value: "1"}, {name: B, value: "2"}]
      - {name: side, image: side:1}
"#;

fn with(mutations: &str) -> Fixture {
    Fixture::new(&[(R, &release(mutations)), ("object.yaml", OBJECT)])
}

fn alone(mutations: &str) -> Fixture {
    Fixture::new(&[(R, &release(mutations))])
}

/// A mutation with a block scalar of these lines.
fn block(ty: &str, text: &str) -> String {
    let lines: String = text.lines().map(|line| format!("    {line}\n")).collect();
    format!("- type: {ty}\n{TARGET}  inline: |\n{lines}")
}

fn patch(operations: &str) -> String {
    format!("- type: jsonPatch\n{TARGET}  patches:\n{operations}")
}

/// What is found, with or without the object.
#[track_caller]
fn both(mutations: &str, wanted: &[(&str, &str, &str)]) -> Vec<Found> {
    alone(mutations).expect(R, wanted);
    with(mutations).expect(R, wanted)
}

// ---- fields that are not there ----

#[test]
fn an_unknown_field_in_every_type() {
    for mutations in [
        block("goTemplate", "spec: {replcias: 3}"),
        block("strategicMergePatch", "spec: {replcias: 3}"),
        patch("  - {op: add, path: /spec/replcias, value: 3}\n"),
    ] {
        let rule =
            if mutations.contains("patches") { "pointer-unknown-field" } else { "object-unknown-field" };
        let found = both(&mutations, &[(rule, "error", "replcias")]);
        found[0]
            .quotes("strict decoding error: unknown field \"spec.replcias\"")
            .says(&["did you mean replicas?"]);
        assert_eq!(found[0].stage, "run");
    }
    let found = both(
        &block("celTransform", r#"{"spec": {"replcias": 3}}"#),
        &[("object-unknown-field", "error", "\"replcias\"")],
    );
    found[0]
        .quotes("strict decoding error: unknown field \"spec.replcias\"")
        .says(&["did you mean replicas?"]);
}

#[test]
fn the_place_is_exact_in_every_kind_of_text() {
    let inline = |text: &str| format!("- type: goTemplate\n{TARGET}  inline: {text}\n");
    let deep = "spec: {template: {spec: {containers: [{name: '🚀', imgae: x}]}}}";
    for mutations in [
        block("goTemplate", deep),
        block(
            "goTemplate",
            "spec:\n  template:\n    spec:\n      containers:\n      - name: 🚀\n        imgae: x",
        ),
        inline(&format!("\"{}\"", deep.replace("🚀", "\\U0001F680"))),
        inline(&format!("'{}'", deep.replace('\'', "''"))),
        inline(&format!(">-\n    {}", deep.replace(", imgae", ",\n    imgae"))),
    ] {
        for text in [release(&mutations), crlf(&release(&mutations))] {
            let fixture = Fixture::new(&[(R, &text)]);
            let found = fixture.expect(R, &[("object-unknown-field", "error", "imgae")]);
            found[0]
                .quotes("unknown field \"spec.template.spec.containers[0].imgae\"")
                .says(&["did you mean image?"]);
        }
    }
}

#[test]
fn what_an_action_wrote_is_shown_at_the_action() {
    let found = with(&block("goTemplate", "spec: { {{ print \"replcias\" }}: 3 }"))
        .expect(R, &[("object-unknown-field", "error", "{{ print \"replcias\" }}")]);
    found[0].says(&["replicas"]);
    let found = with(&block("goTemplate", "spec: {replicas: \"{{ .object.metadata.name }}\"}")).found(R);
    assert_eq!((found.len(), found[0].rule), (1, "object-field-type"), "{found:#?}");
    found[0].quotes("spec.replicas takes an integer of 32 bits, not a text: json: cannot unmarshal string");
}

#[test]
fn content_of_a_config_map_is_shown_where_it_stands() {
    let text =
        release(&format!("- type: goTemplate\n{TARGET}  from: {{kind: ConfigMap, name: c, path: k}}\n"));
    let map =
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n  k: |\n    spec:\n      replcias: 3\n";
    for files in [
        vec![(R, text.as_str()), ("map.yaml", map), ("object.yaml", OBJECT)],
        vec![(R, text.as_str()), ("map.yaml", map)],
    ] {
        let fixture = Fixture::new(&files);
        fixture.expect(R, &[]);
        fixture.expect("map.yaml", &[("object-unknown-field", "error", "replcias")]);
    }
}

#[test]
fn a_field_that_the_object_has_is_not_the_mutations_fault() {
    let object = OBJECT.replace("  replicas: 1\n", "  replicas: 1\n  fromTheFuture: 1\n");
    let mutations = format!(
        "{}{}",
        block("goTemplate", "spec: {fromTheFuture: 2}"),
        patch("  - {op: replace, path: /spec/fromTheFuture, value: 3}\n")
    );
    let fixture = Fixture::new(&[(R, &release(&mutations)), ("object.yaml", &object)]);
    let types = ["object-unknown-field", "pointer-unknown-field"];
    assert!(fixture.found(R).iter().all(|found| !types.contains(&found.rule)), "{}", fixture.report(R));
}

#[test]
fn each_of_two_mutations_with_one_fault_is_told() {
    let mutations = block("strategicMergePatch", "spec:\n  replicas: three\n  pausd: true")
        + &block("celTransform", r#"{"spec": {"replicas": "3", "pausd": true}}"#)
        + &patch("  - {op: replace, path: /spec/replicas, value: '{{ .object.spec.replicas }}'}\n");
    let object = with(&mutations);
    let found = object.found(R);
    let told =
        |rule: &str| found.iter().filter(|f| f.rule == rule).map(|f| f.text.as_str()).collect::<Vec<_>>();
    assert_eq!(told("object-field-type"), ["three", "\"3\""]);
    assert_eq!(told("object-unknown-field"), ["pausd", "\"pausd\""]);
    assert_eq!(told("templated-value-type").len(), 1, "{found:?}");
}

#[test]
fn a_rule_that_is_off_does_not_speak_for_another() {
    let release = release(&block(
        "goTemplate",
        "metadata:\n  labels: {version: {{ .object.metadata.labels.version }}}",
    ));
    let rules = |settings: &str| {
        let files = [(R, release.as_str()), ("object.yaml", OBJECT), (".convoy-lsp.yaml", settings)];
        Fixture::new(&files).found(R).into_iter().map(|found| found.rule).collect::<Vec<_>>()
    };
    assert_eq!(rules(""), ["unquoted-value"]);
    assert_eq!(rules("rules: {unquoted-value: off}\n"), ["object-field-type"]);
}

#[test]
fn what_is_gone_at_the_end_is_no_fault() {
    // A value that is handed on between operations, or between mutations.
    with(&patch(
        "  - {op: add, path: /spec/tmp, value: x}\n  - {op: move, from: /spec/tmp, path: /metadata/labels/x}\n",
    ))
    .expect(R, &[]);
    with(&format!(
        "{}{}",
        block("goTemplate", "tmp: x"),
        block("goTemplate", "{metadata: {labels: {x: \"{{ .object.tmp }}\"}}, tmp: null}")
    ))
    .expect(R, &[]);
}

#[test]
fn directives_are_no_fields_of_a_strategic_merge() {
    let text = "metadata: {$deleteFromPrimitiveList/finalizers: [a]}\nspec:\n  strategy: {$retainKeys: [type], type: Recreate}\n  template: {spec: {$setElementOrder/containers: [{name: side}, {name: web}], containers: [{name: side, $patch: delete}, {name: web, image: x}]}}";
    let silent = |fixture: &Fixture| {
        let found = fixture.found(R);
        assert!(found.iter().all(|found| !found.rule.starts_with("object-")), "{found:#?}");
    };
    silent(&with(&block("strategicMergePatch", text)));
    silent(&alone(&block("strategicMergePatch", text)));
    // Elsewhere they are what they look like.
    with(&block("goTemplate", "spec: {$patch: delete}"))
        .expect(R, &[("object-unknown-field", "error", "$patch")]);
}

#[test]
fn without_a_type_only_metadata_is_judged() {
    let widget = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\nspec: {a: 1}\n";
    let text = release(
        "- type: celTransform\n  target: {kind: Widget}\n  inline: |\n    {\"spec\": {\"any\": \"thing\"}, \"metadata\": {\"labels\": {\"n\": 5}}}\n- type: jsonPatch\n  target: {kind: Widget}\n  patches:\n  - {op: add, path: /spec/b, value: {x: 1}}\n  - {op: add, path: /metadata/anotations, value: {}}\n",
    );
    Fixture::new(&[(R, &text), ("w.yaml", widget)])
        .expect(R, &[("object-field-type", "error", "5"), ("pointer-unknown-field", "error", "anotations")])
        [1]
    .says(&["annotations"]);
}

#[test]
fn a_definition_decides_over_its_kind() {
    let definition = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: widgets.example.com}\nspec:\n  group: example.com\n  names: {kind: Widget, plural: widgets}\n  scope: Namespaced\n  versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer}, mode: {type: string, enum: [Fast, Slow]}, free: {x-kubernetes-preserve-unknown-fields: true, type: object}}}}}\n";
    let widget = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\nspec: {size: 1}\n";
    let text = release(
        "- type: goTemplate\n  target: {group: example.com, version: v1, kind: Widget}\n  inline: |\n    spec: {siez: 2, mode: Fsat, free: {any: {thing: 1}}}\n",
    );
    let wanted = [("object-unknown-field", "error", "siez"), ("object-field-value", "error", "Fsat")];
    let files = [(R, text.as_str()), ("crd.yaml", definition), ("w.yaml", widget)];
    let found = Fixture::new(&files).expect(R, &wanted);
    found[0].says(&["did you mean size?"]);
    found[1].says(&["did you mean Fast?"]);
    Fixture::new(&files[..2]).expect(R, &wanted);
}

#[test]
fn definitions_that_differ_decide_nothing() {
    let definition = |field: &str| {
        format!(
            "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: widgets.example.com}}\nspec:\n  group: example.com\n  names: {{kind: Widget, plural: widgets}}\n  scope: Namespaced\n  versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema: {{type: object, properties: {{spec: {{type: object, properties: {{{field}: {{type: integer}}}}}}}}}}\n"
        )
    };
    let (old, new) = (definition("a"), definition("b"));
    let widget = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\nspec: {}\n";
    let text = release(
        "- type: goTemplate\n  target: {group: example.com, version: v1, kind: Widget}\n  inline: |\n    spec: {a: 2}\n",
    );
    let files = [(R, text.as_str()), ("w.yaml", widget), ("old.yaml", &old), ("new.yaml", &new)];
    Fixture::new(&files).expect(R, &[]);
    // Two copies of one are one.
    let files = [(R, text.as_str()), ("w.yaml", widget), ("copy.yaml", &new), ("new.yaml", &new)];
    Fixture::new(&files).expect(R, &[("object-unknown-field", "error", "a")]);
}

// ---- values ----

#[test]
fn values_of_the_wrong_type() {
    for (overlay, under, text, help) in [
        (
            "spec: {replicas: \"3\"}",
            "\"3\"",
            "spec.replicas takes an integer of 32 bits, not the text \"3\": json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32",
            "write it without quotes: 3",
        ),
        (
            "spec: {paused: \"true\"}",
            "\"true\"",
            "json: cannot unmarshal string into Go struct field DeploymentSpec.spec.paused of type bool",
            "write it without quotes: true",
        ),
        (
            "spec: {template: {spec: {nodeSelector: {disk: 5}}}}",
            "5",
            "json: cannot unmarshal number into Go struct field PodSpec.spec.template.spec.nodeSelector of type string",
            "quote it: \"5\"",
        ),
        ("spec: {template: {spec: {hostAliases: {}}}}", "{}", "of type []v1.HostAlias", ""),
    ] {
        for ty in ["goTemplate", "strategicMergePatch"] {
            let found = both(&block(ty, overlay), &[("object-field-type", "error", under)]);
            found[0].quotes(text);
            assert_eq!(found[0].help, help);
        }
    }
}

#[test]
fn values_of_an_expression() {
    let found = both(
        &block("celTransform", r#"{"metadata": {"labels": {"a": 5, "b": true}}, "spec": {"replicas": "3"}}"#),
        &[
            ("object-field-type", "error", "5"),
            ("object-field-type", "error", "true"),
            ("object-field-type", "error", "\"3\""),
        ],
    );
    assert_eq!(found[0].help, "quote it: \"5\"");
    assert_eq!(found[1].help, "quote it: \"true\"");
    assert_eq!(found[2].help, "write it without quotes: 3");
    let found = with(&block("celTransform", r#"{"metadata": {"labels": {"n": object.spec.replicas}}}"#))
        .expect(R, &[("object-field-type", "error", "object.spec.replicas")]);
    assert_eq!(found[0].help, "string(object.spec.replicas) makes a text of it");
    // What is not written out is not known without an object.
    alone(&block("celTransform", r#"{"metadata": {"labels": {"n": object.spec.replicas}}}"#)).expect(R, &[]);
}

#[test]
fn maps_of_the_release_are_looked_into() {
    let mutations = block("celTransform", r#"{"metadata": {"labels": self.labels}}"#);
    let text = release(&mutations).replace("labels: {tier: gold}", "labels: {tier: 5}");
    let fixture = Fixture::new(&[(R, &text), ("object.yaml", OBJECT)]);
    let found = fixture.expect(R, &[("object-field-type", "error", "self.labels")]);
    found[0].quotes("metadata.labels.tier takes a text, not a number");
    assert_eq!(found[0].help, "");
    with(&mutations).expect(R, &[]);
}

#[test]
fn a_template_makes_a_text() {
    let replicas = "  - {op: replace, path: /spec/replicas, value: '{{ .self.name }}'}\n";
    let found = both(&patch(replicas), &[("templated-value-type", "error", "'{{ .self.name }}'")][..]);
    found[0].quotes("a value from a template is always a string, but spec.replicas takes an integer");
    // The object lacks the field, and the type tells; deeper in a value, too.
    both(
        &patch(
            "  - {op: add, path: /spec/minReadySeconds, value: '{{ .self.name }}'}\n  - {op: add, path: /spec/template/spec/containers/-, value: {name: x, ports: [{containerPort: '{{ .self.name }}', name: '{{ .self.name }}'}]}}\n",
        ),
        &[
            ("templated-value-type", "error", "'{{ .self.name }}'"),
            ("templated-value-type", "error", "'{{ .self.name }}'"),
        ],
    );
    // Texts, and fields that take both.
    both(
        &patch(
            "  - {op: add, path: /metadata/labels/x, value: '{{ .self.name }}'}\n  - {op: add, path: /spec/strategy, value: {rollingUpdate: {maxSurge: '{{ 25 }}%'}}}\n  - {op: add, path: /spec/template/spec/containers/0/resources, value: {limits: {cpu: '{{ 2 }}'}}}\n",
        ),
        &[],
    );
}

#[test]
fn values_of_an_enumeration() {
    let found = both(
        &block(
            "strategicMergePatch",
            "spec: {template: {spec: {containers: [{name: web, imagePullPolicy: Alway}]}}}",
        ),
        &[("object-field-value", "error", "Alway")],
    );
    found[0]
        .quotes("spec.template.spec.containers[0].imagePullPolicy: Unsupported value: \"Alway\": supported values: \"Always\", \"IfNotPresent\", \"Never\"")
        .says(&["did you mean Always?"]);
}

#[test]
fn what_fits_is_silent() {
    for overlay in [
        "spec: {strategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: 25%}}}",
        "spec: {template: {spec: {containers: [{name: web, resources: {limits: {cpu: 1, memory: 1Gi}}, livenessProbe: {httpGet: {port: http}}}]}}}",
        "spec: {replicas: null, minReadySeconds: 5, template: {metadata: {labels: null, annotations: {any: thing}}}}",
        "spec: {template: {spec: {nodeSelector: {any: thing}, volumes: [{name: v, emptyDir: {}}]}}}",
        "status: {replicas: 1}",
    ] {
        both(&block("strategicMergePatch", overlay), &[]);
        let found = with(&block("goTemplate", overlay)).found(R);
        assert!(found.iter().all(|found| found.rule == "list-replaced"), "{overlay}: {found:#?}");
    }
}

#[test]
fn clusters_and_objects_are_named() {
    let other = OBJECT.replace("name: web, labels", "name: other, labels");
    let text = release(
        "- type: goTemplate\n  target: {kind: Deployment}\n  inline: |\n    spec: {replicas: \"{{ .cluster.count }}\"}\n",
    );
    let files = [
        (R, text.as_str()),
        ("object.yaml", OBJECT),
        ("other.yaml", &other),
        ("a.yaml", &cluster("a", "count: '1'")),
        ("b.yaml", &cluster("b", "count: '2'")),
    ];
    let found = Fixture::new(&files).found(R);
    assert_eq!(
        (found.len(), found[0].rule, found[0].severity),
        (1, "object-field-type", "error"),
        "{found:#?}"
    );
    assert_eq!(found[0].help, "write it without quotes: {{ .cluster.count }}");
}

#[test]
fn what_a_cluster_would_say_is_not_guessed() {
    let quantity = block(
        "strategicMergePatch",
        r#"spec: {template: {spec: {containers: [{name: web, resources: {limits: {cpu: "{{ .cluster.cpu }}"}}}]}}}"#,
    );
    let patched = patch(
        "  - {op: add, path: /spec/template/spec/containers/0/resources, value: {limits: {cpu: '{{ .cluster.cpu }}'}}}\n",
    );
    for mutations in
        [&quantity, &patched, &patch("  - {op: add, path: '/spec/{{ .cluster.field }}', value: 3}\n")]
    {
        with(mutations).expect(R, &[]);
    }
    // A text is wrong whatever it is.
    with(&block("goTemplate", r#"spec: {replicas: "{{ .cluster.count }}"}"#))
        .expect(R, &[("object-field-type", "warning", "\"{{ .cluster.count }}\"")]);
    // One that has no value counts, and the quantity is what is wrong, not that a template writes it.
    for mutations in [&quantity, &patched] {
        let files = [
            (R, &*release(mutations)),
            ("object.yaml", OBJECT),
            ("a.yaml", &cluster("a", "cpu: 100m")),
            ("b.yaml", &cluster("b", "cpu: 1GB")),
        ];
        let found = Fixture::new(&files).found(R);
        assert_eq!(
            found.iter().map(|found| (found.rule, found.severity)).collect::<Vec<_>>(),
            [("object-field-type", "warning")],
            "{found:#?}"
        );
        found[0].quotes("takes a quantity, not the text \"1GB\"").quotes("(in cluster b)");
    }
}

#[test]
fn a_field_with_cluster_in_its_name_reads_no_cluster() {
    let service = "apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {ports: [{port: 80}]}\n";
    let text = release(
        "- type: goTemplate\n  target: {version: v1, kind: Service}\n  inline: |\n    spec: {externalIPs: 1.2.3.4, clusterIP: None, externalName: web.svc.cluster.local}\n",
    );
    let found = Fixture::new(&[(R, &text), ("service.yaml", service)])
        .expect(R, &[("object-field-type", "error", "1.2.3.4")]);
    assert!(!found[0].message.contains("Cluster"), "{found:#?}");
}

// ---- pointers ----

#[test]
fn pointers_that_lead_nowhere() {
    for (path, under, message, help) in [
        (
            "/spec/template/spec/containers/0/imgae",
            "imgae",
            "the type has no field spec.template.spec.containers[0].imgae",
            "did you mean image?",
        ),
        (
            "/spec/template/spec/containers/web/image",
            "web",
            "spec.template.spec.containers is a list: its items have a number, not the name \"web\"",
            "index",
        ),
        (
            "/metadata/annotations/example.com/a",
            "a",
            "metadata.annotations.example.com is a text, which has nothing below it",
            "/metadata/annotations/example.com~1a",
        ),
        ("/spec/replicas/x", "x", "spec.replicas is a number, which has nothing below it", ""),
    ] {
        let found = alone(&patch(&format!("  - {{op: add, path: {path}, value: x}}\n")))
            .expect(R, &[("pointer-unknown-field", "error", under)]);
        found[0].quotes(message).says(&[help]);
        // On an object the library's text comes first, and says what is meant.
        let failed = with(&patch(&format!("  - {{op: remove, path: {path}}}\n"))).found(R);
        assert_eq!((failed.len(), failed[0].rule), (1, "json-patch-failed"), "{failed:#?}");
        if message.starts_with("the type has no field") {
            failed[0].says(&[help]);
        }
    }
}

#[test]
fn pointers_from_which_is_moved() {
    alone(&patch("  - {op: move, from: /spec/replcias, path: /metadata/labels/x}\n"))
        .expect(R, &[("pointer-unknown-field", "error", "replcias")])[0]
        .says(&["replicas"]);
}

#[test]
fn values_that_are_copied() {
    let mutations = patch(
        "  - {op: copy, from: /metadata/labels/app, path: /spec/replicas}\n  - {op: copy, from: /spec/progressDeadlineSeconds, path: /metadata/labels/n}\n",
    );
    let found = alone(&mutations).expect(
        R,
        &[
            ("object-field-type", "error", "/spec/replicas"),
            ("object-field-type", "error", "/metadata/labels/n"),
        ],
    );
    found[0]
        .quotes("cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32");
    found[1].quotes("cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string");
    let moved =
        patch("  - {op: move, from: /metadata/labels, path: /spec/template/spec/containers/0/args}\n");
    both(&moved, &[("object-field-type", "error", "/spec/template/spec/containers/0/args")]);
    let right = patch(
        "  - {op: copy, from: /spec/replicas, path: /spec/minReadySeconds}\n  - {op: copy, from: /spec/template/spec/containers/0, path: /spec/template/spec/containers/-}\n  - {op: add, path: /spec/template/spec/containers/0/livenessProbe, value: {httpGet: {port: 1}}}\n  - {op: copy, from: /metadata/labels/app, path: /spec/template/spec/containers/0/livenessProbe/httpGet/port}\n",
    );
    both(&right, &[]);
}

#[test]
fn what_a_template_writes_is_passed_over() {
    alone(&patch(
        "  - {op: add, path: '/spec/template/spec/containers/{{ 0 }}/image', value: x}\n  - {op: add, path: '/metadata/labels/{{ .self.name }}', value: x}\n  - {op: add, path: '/spec/{{ .cluster.field }}', value: 1}\n",
    ))
    .expect(R, &[]);
    let operations = "  - {op: add, path: '/spec/template/spec/containers/{{ 0 }}/imgae', value: x}\n";
    both(&patch(operations), &[("pointer-unknown-field", "error", "imgae")]);
}

#[test]
fn pointers_that_lead_somewhere_are_silent() {
    both(
        &patch(
            "  - {op: add, path: /spec/template/spec/containers/0/env/-, value: {name: C, value: \"3\"}}\n  - {op: add, path: /metadata/annotations, value: {}}\n  - {op: add, path: /metadata/annotations/example.com~1a, value: x}\n  - {op: add, path: /spec/template/spec/containers/-, value: {name: x}}\n",
        ),
        &[],
    );
}

#[test]
fn without_group_and_version_the_kind_may_be_another() {
    let mutations =
        "- type: goTemplate\n  target: {kind: Service, name: s}\n  inline: |\n    spec: {template: {}}\n";
    let found = alone(mutations).expect(R, &[("object-unknown-field", "warning", "template")]);
    found[0].quotes("(if v1 Service is meant)");
    // An object of another group decides.
    let knative = "apiVersion: serving.knative.dev/v1\nkind: Service\nmetadata: {name: s}\nspec: {}\n";
    Fixture::new(&[(R, &release(mutations)), ("s.yaml", knative)]).expect(R, &[]);
    // Several kinds of that name: nothing is guessed.
    alone("- type: goTemplate\n  target: {version: v1, kind: Event}\n  inline: |\n    a: b\n").expect(R, &[]);
}

// ---- lists ----

#[test]
fn an_overlay_that_drops_entries() {
    let text = "spec: {template: {spec: {containers: [{name: web, image: \"nginx:2\"}]}}}";
    let found = with(&block("goTemplate", text)).expect(R, &[("list-replaced", "warning", "containers")]);
    found[0].quotes("1 of 2 items: side").says(&["args, env of web", "strategicMergePatch", "by name"]);
    let expression = r#"{"spec": {"template": {"spec": {"containers": [{"name": "new", "image": "n"}]}}}}"#;
    let found =
        with(&block("celTransform", expression)).expect(R, &[("list-replaced", "warning", "\"containers\"")]);
    found[0].quotes("2 of 2 items: web, side");
    // A list without a merge key is replaced by every merge.
    let found = with(&block("goTemplate", "spec: {template: {spec: {tolerations: [{key: k2}]}}}"))
        .expect(R, &[("list-replaced", "warning", "tolerations")]);
    found[0].says(&["/spec/template/spec/tolerations/-"]);
}

#[test]
fn an_overlay_that_keeps_the_entries_is_silent() {
    for text in [
        "spec: {template: {spec: {tolerations: [{key: k1, operator: Exists}, {key: k2}]}}}",
        "spec: {template: {spec: {tolerations: []}}}",
        "spec: {template: {spec: {containers: [{name: web, image: x, args: [], env: []}, {name: side, image: z}]}}}",
        "spec: {template: {spec: {volumes: [{name: v, emptyDir: {}}]}}}",
    ] {
        with(&block("goTemplate", text)).expect(R, &[]);
    }
}

#[test]
fn an_index_after_a_removal() {
    let remove = patch("  - {op: remove, path: /spec/template/spec/containers/0/env/0}\n");
    let replace = |index| {
        patch(&format!(
            "  - {{op: replace, path: /spec/template/spec/containers/0/env/{index}/value, value: x}}\n"
        ))
    };
    let fixture = with(&format!("{remove}{}", replace(0)));
    fixture.expect(R, &[("index-shifted", "warning", "0")])[0]
        .quotes("index 0 is B here, but A in the sample: mutation 0 moved the items");
    // A name that changes moves nothing.
    let rename = patch("  - {op: replace, path: /spec/template/spec/containers/0/env/0/name, value: Z}\n");
    with(&format!("{rename}{}", replace(0))).expect(R, &[]);
    // Behind the end of the list of the sample, the index was counted with the mutation before.
    let append =
        block("strategicMergePatch", "spec: {template: {spec: {containers: [{name: new, image: 'n:1'}]}}}");
    let third = patch("  - {op: replace, path: /spec/template/spec/containers/2/image, value: x}\n");
    with(&format!("{append}{third}")).expect(R, &[]);
}

// ---- fields that stand against each other ----

#[test]
fn conflicts_that_a_mutation_brings() {
    let recreate = block("goTemplate", "spec: {strategy: {type: Recreate}}");
    let object =
        OBJECT.replace("  replicas: 1\n", "  replicas: 1\n  strategy: {rollingUpdate: {maxSurge: 1}}\n");
    let fixture = Fixture::new(&[(R, &release(&recreate)), ("object.yaml", &object)]);
    let found = fixture.found(R);
    assert_eq!((found.len(), found[0].rule), (1, "object-field-conflict"), "{found:#?}");
    found[0].says(&["rollingUpdate: null"]);
    let mended = recreate.replace("Recreate", "Recreate, rollingUpdate: null");
    Fixture::new(&[(R, &release(&mended)), ("object.yaml", &object)]).expect(R, &[]);
    // One that the object has already is not the mutation's.
    let both = object.replace("rollingUpdate:", "type: Recreate, rollingUpdate:");
    let other = block("goTemplate", "spec: {replicas: 2}");
    Fixture::new(&[(R, &release(&other)), ("object.yaml", &both)]).expect(R, &[]);
}

#[test]
fn an_object_in_a_list_is_told_by_its_name() {
    let object = "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: db}\nspec:\n  serviceName: db\n  selector: {matchLabels: {app: db}}\n  volumeClaimTemplates:\n  - {metadata: {name: data}, spec: {resources: {requests: {storage: 1Gi}}}}\n";
    for ty in ["goTemplate", "strategicMergePatch"] {
        let of = |name: &str| {
            let text = format!(
                "spec: {{volumeClaimTemplates: [{{metadata: {{name: {name}}}, spec: {{resources: {{requests: {{storage: 2Gi}}}}}}}}]}}"
            );
            let mutations = block(ty, &text).replace("kind: Deployment, name: web", "kind: StatefulSet");
            Fixture::new(&[(R, &release(&mutations)), ("object.yaml", object)])
        };
        of("data").expect(R, &[]);
        of("other").expect(R, &[("list-replaced", "warning", "volumeClaimTemplates")]);
    }
}

// ---- overwritten ----

#[test]
fn overwritten_in_part() {
    let first = block("strategicMergePatch", "{spec: {replicas: 2}, metadata: {labels: {a: b}}}");
    let second = block("celTransform", r#"{"spec": {"replicas": 3}}"#);
    let found =
        with(&format!("{first}{second}")).expect(R, &[("overwritten", "hint", "strategicMergePatch")]);
    found[0].quotes("spec.replicas is overwritten by mutation 1");
    // For all objects one thing, for one of them another.
    let general = first.replace(", name: web}", "}");
    with(&format!("{general}{second}")).expect(R, &[]);
}

#[test]
fn no_effect_in_every_type() {
    for mutations in [
        block(
            "strategicMergePatch",
            "spec: {template: {spec: {containers: [{name: web, image: \"nginx:1\"}]}}}",
        ),
        block("celTransform", r#"{"spec": {"replicas": 1}}"#),
        block("goTemplate", "spec: {replicas: 1}"),
        patch("  - {op: replace, path: /spec/replicas, value: 1}\n"),
    ] {
        let found = with(&mutations).found(R);
        assert_eq!((found.len(), found[0].rule), (1, "no-effect"), "{found:#?}");
    }
}

#[test]
fn overwritten_unless_something_between_reads_it() {
    let first = block("goTemplate", "spec: {replicas: 2}");
    let reads = block("goTemplate", "metadata: {labels: {count: \"{{ .object.spec.replicas }}\"}}");
    let last = block("goTemplate", "spec: {replicas: 3}");
    with(&format!("{first}{last}{reads}")).expect(R, &[("overwritten", "warning", "goTemplate")]);
    with(&format!("{first}{reads}{last}")).expect(R, &[]);
    // A change of a list overwrites what was set in it.
    let item = patch("  - {op: replace, path: /spec/template/spec/containers/0/args/0, value: -c}\n");
    let list = patch("  - {op: replace, path: /spec/template/spec/containers/0/args, value: [-d]}\n");
    let found = with(&format!("{item}{list}")).expect(R, &[("overwritten", "warning", "jsonPatch")]);
    found[0].quotes("overwritten by mutation 1");
}

// ---- time ----

#[test]
fn many_mutations_take_no_time() {
    soon(|| {
        // Each changes what the one before it did, and something of its own.
        let mutations: String = (0..300)
            .map(|i| {
                let text = format!(
                    "spec: {{template: {{spec: {{containers: [{{name: web, env: [{{name: V{i}, value: v}}]}}]}}}}}}"
                );
                block("strategicMergePatch", &text)
            })
            .collect();
        with(&mutations).expect(R, &[]);
    });
}

#[test]
fn many_objects_and_clusters_take_no_time() {
    soon(|| {
        let text = release(&format!(
            "{}{}",
            "- type: goTemplate\n  target: {kind: Deployment}\n  inline: |\n    metadata: {labels: {x: \"{{ .cluster.name }}\"}}\n    spec: {replcias: 3, paused: \"no\"}\n",
            "- type: jsonPatch\n  target: {kind: Deployment}\n  patches:\n  - {op: add, path: /spec/replica, value: '{{ .cluster.name }}'}\n",
        ));
        let objects: String = (0..200)
            .map(|i| format!("{}---\n", OBJECT.replace("name: web, labels", &format!("name: w{i}, labels"))))
            .collect();
        let clusters: String =
            (0..20).map(|i| format!("{}---\n", cluster(&format!("c{i}"), "a: b"))).collect();
        let files = [(R, text.as_str()), ("objects.yaml", &objects), ("clusters.yaml", &clusters)];
        let found = Fixture::new(&files).found(R);
        let rules: Vec<&str> = found.iter().map(|found| found.rule).collect();
        assert_eq!(
            rules,
            ["object-unknown-field", "object-field-type", "pointer-unknown-field"],
            "{found:#?}"
        );
    });
}
