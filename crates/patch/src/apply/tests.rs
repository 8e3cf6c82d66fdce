use std::sync::Arc;
use std::time::{Duration, Instant};

use convoy_kube::{Field, GroupVersionKind, ListKind, Registry, Release, Shape, Struct, Type, Types};
use convoy_value::{Value, json};
use expect_test::{Expect, expect};

use super::{Options, apply};

const ALLOWED: Options = Options { duplicates: true };

fn value(text: &str) -> Value {
    json::parse(text).unwrap().to_value()
}

/// What comes out for the specs of two Deployments, or why nothing does.
fn deployments(live: &str, patch: &str, options: Options) -> String {
    let whole =
        |spec: &str| value(&format!(r#"{{"apiVersion":"apps/v1","kind":"Deployment","spec":{spec}}}"#));
    let registry = Registry::new(Release::NEWEST);
    let ty = registry.find(&GroupVersionKind::new("apps", "v1", "Deployment")).unwrap();
    match apply(&whole(live), &whole(patch), ty, options) {
        Ok(result) => json::write(result.get("spec").unwrap(), json::KeyOrder::Kept).unwrap(),
        Err(error) => error.message,
    }
}

// All texts and results are those of `ApplyStructuredMergeDiff` of k8s.io/apiserver v0.37.2; the order of keys is ours.
fn check(live: &str, patch: &str, expected: &Expect) {
    expected.assert_eq(&deployments(live, patch, ALLOWED));
}

#[test]
fn a_container_is_known_by_its_name_and_a_new_one_keeps_its_place() {
    check(
        r#"{"replicas":1,"template":{"spec":{"containers":[{"name":"a","image":"i"},{"name":"b"}]}}}"#,
        r#"{"template":{"spec":{"containers":[{"name":"c"},{"image":"j","name":"a"}],"hostname":"h"}},"paused":true}"#,
        &expect![[
            r#"{"replicas":1,"template":{"spec":{"containers":[{"name":"c"},{"name":"a","image":"j"},{"name":"b"}],"hostname":"h"}},"paused":true}"#
        ]],
    );
}

#[test]
fn the_default_of_a_key_is_a_key() {
    let ports = |ports: &str| {
        format!(r#"{{"template":{{"spec":{{"containers":[{{"name":"a","ports":[{ports}]}}]}}}}}}"#)
    };
    check(
        &ports(r#"{"containerPort":80,"name":"http"}"#),
        &ports(r#"{"containerPort":80,"protocol":"TCP","hostPort":1},{"containerPort":80,"protocol":"UDP"}"#),
        &expect![[
            r#"{"template":{"spec":{"containers":[{"name":"a","ports":[{"containerPort":80,"name":"http","protocol":"TCP","hostPort":1},{"containerPort":80,"protocol":"UDP"}]}]}}}"#
        ]],
    );
}

#[test]
fn errors_come_with_their_paths() {
    check(
        "{}",
        r#"{"replicas":"3","zz":1,"template":{"spec":{"containers":[{"name":"a","image":3},{"name":"b","ports":[{"containerPort":true}]}]}}}"#,
        &expect![[r#"
            failed to convert patch object to typed object: errors:
              .spec.replicas: expected numeric (int or float), got string
              .spec.template.spec.containers[name="a"].image: expected string, got &value.valueUnstructured{Value:3}
              .spec.template.spec.containers[name="b"].ports[containerPort=true,protocol="TCP"].containerPort: expected numeric (int or float), got bool
              .spec.zz: field not declared in schema"#]],
    );
}

#[test]
fn what_is_atomic_is_refused() {
    check(
        r#"{"selector":{"matchLabels":{"a":"b"}}}"#,
        r#"{"selector":{},"template":{"spec":{"containers":[{"name":"a","args":["x"]}],"nodeSelector":null}}}"#,
        &expect![
            "invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .spec.selector, .spec.template.spec.containers[0].args"
        ],
    );
}

#[test]
fn releases_differ_in_duplicates_of_the_live_object() {
    let env =
        |env: &str| format!(r#"{{"template":{{"spec":{{"containers":[{{"name":"a","env":[{env}]}}]}}}}}}"#);
    let live = env(r#"{"name":"E","value":"1"},{"name":"G"},{"name":"E","value":"2"}"#);
    let patch = env(r#"{"name":"E"}"#);
    // The item of the patch stands for both, and takes nothing from either.
    expect![[r#"{"template":{"spec":{"containers":[{"name":"a","env":[{"name":"E"},{"name":"G"}]}]}}}"#]]
        .assert_eq(&deployments(&live, &patch, ALLOWED));
    expect![[r#"failed to convert original object to typed object: .spec.template.spec.containers[name="a"].env: duplicate entries for key [name="E"]"#]]
        .assert_eq(&deployments(&live, &patch, Options { duplicates: false }));
}

#[test]
fn kinds_must_be_the_same() {
    let registry = Registry::new(Release::NEWEST);
    let ty = registry.find(&GroupVersionKind::new("", "v1", "Pod")).unwrap();
    let message = |patch: &str| {
        apply(&value(r#"{"apiVersion":"v1","kind":"Pod"}"#), &value(patch), ty, ALLOWED).unwrap_err().message
    };
    assert_eq!(
        message(r#"{"apiVersion":"apps/v1","kind":"Pod"}"#),
        "patch (apps/v1, Kind=Pod) and original object (/v1, Kind=Pod) are not of the same gvk"
    );
    assert_eq!(
        message(r#"{"apiVersion":"a/b/c","kind":"Pod"}"#),
        "patch (/, Kind=) and original object (/v1, Kind=Pod) are not of the same gvk"
    );
}

/// A type with a set, a list of maps, a number, a text and anything.
fn thing() -> Types {
    let mut types = Types::new();
    let of = |shape| Type { shape, ..Type::default() };
    let list = |item, list| Type { shape: Shape::List(Box::new(item)), list, ..Type::default() };
    let keyed = |fields: Vec<(&str, Type)>| {
        let fields = fields.into_iter().map(|(name, ty)| (Arc::from(name), Field { ty, required: false }));
        Struct { fields: fields.collect(), ..Struct::default() }
    };
    let item = types.push(keyed(vec![("name", of(Shape::String)), ("value", of(Shape::Integer))]));
    let keys = ListKind::Map([Arc::from("name")].into());
    let root = types.push(keyed(vec![
        ("apiVersion", of(Shape::String)),
        ("kind", of(Shape::String)),
        ("set", list(of(Shape::String), ListKind::Set)),
        ("map", list(of(Shape::Struct(item)), keys)),
        ("number", of(Shape::Integer)),
        ("text", of(Shape::String)),
        ("switch", of(Shape::Boolean)),
        ("any", of(Shape::Any)),
    ]));
    types.set_root(GroupVersionKind::new("", "v1", "Thing"), of(Shape::Struct(root)));
    types
}

fn things(live: Vec<(&str, Value)>, patch: Vec<(&str, Value)>) -> Result<Value, String> {
    let types = thing();
    let whole = |members: Vec<(&str, Value)>| {
        let head = [("apiVersion", Value::from("v1")), ("kind", Value::from("Thing"))];
        Value::map(head.into_iter().chain(members))
    };
    let ty = types.root(&GroupVersionKind::new("", "v1", "Thing")).unwrap();
    apply(&whole(live), &whole(patch), ty, ALLOWED).map_err(|error| error.message)
}

#[test]
fn values_that_json_does_not_have_are_no_values() {
    let message = |key: &str, value: Value| {
        let message = things(vec![], vec![(key, value)]).unwrap_err();
        message.strip_prefix("failed to convert patch object to typed object: .").unwrap().to_owned()
    };
    let bytes = || Value::Bytes(b"ab"[..].into());
    assert_eq!(message("number", Value::Uint(5)), "number: expected numeric (int or float), got uint64");
    assert_eq!(message("number", bytes()), "number: expected numeric (int or float), got []uint8");
    assert_eq!(
        message("text", Value::Uint(5)),
        "text: expected string, got &value.valueUnstructured{Value:0x5}"
    );
    assert_eq!(
        message("text", Value::map([("b", Value::Uint(1)), ("a", bytes())])),
        "text: expected string, got &value.valueUnstructured{Value:map[string]interface {}{\"a\":[]uint8{0x61, \
         0x62}, \"b\":0x1}}"
    );
    assert_eq!(message("switch", bytes()), "switch: expected boolean, got &{[97 98]}");
    // Where anything may stand, the library looks for an object first.
    assert_eq!(message("any", Value::Uint(5)), "any: expected map, got &{5}");
    assert_eq!(
        message("map", Value::list([Value::map([("name", Value::Uint(1))])])),
        "map[name={{undefined}}].name: expected string, got &value.valueUnstructured{Value:0x1}"
    );
}

#[test]
fn numbers_of_the_live_object_are_those_that_the_api_server_decodes() {
    let result = things(vec![("any", Value::Uint(u64::MAX))], vec![]).unwrap();
    assert_eq!(result.get("any"), Some(&Value::Float(18_446_744_073_709_551_615.0)));
}

#[test]
fn depth_has_a_limit() {
    let nested = |levels: usize| (0..levels).fold(Value::Null, |inner, _| Value::map([("a", inner)]));
    let at_most = nested(json::DEPTH_LIMIT - 1);
    assert_eq!(things(vec![], vec![("any", at_most.clone())]).unwrap().get("any"), Some(&at_most));
    let message = things(vec![], vec![("any", nested(json::DEPTH_LIMIT))]).unwrap_err();
    assert_eq!(message, "the configuration nests more than 400 levels (a limit of convoy-lsp)");
    let message = things(vec![("any", nested(json::DEPTH_LIMIT))], vec![]).unwrap_err();
    assert_eq!(message, "the object nests more than 400 levels (a limit of convoy-lsp)");
}

#[test]
fn long_lists_take_no_time() {
    let names = |range: std::ops::Range<usize>| range.map(|i| Value::from(format!("n{i:05}")));
    let items = |range| Value::list(names(range).map(|name| Value::map([("name", name)])));
    let reversed = |range| Value::list(names(range).rev());
    let start = Instant::now();
    let result = things(
        vec![("set", Value::list(names(0..10_000))), ("map", items(0..10_000))],
        vec![("set", reversed(5_000..15_000)), ("map", items(5_000..15_000))],
    )
    .unwrap();
    assert_eq!(result.get("set").unwrap().as_list().unwrap().len(), 15_000);
    assert_eq!(result.get("map").unwrap().as_list().unwrap().len(), 15_000);
    // 10,000 bad items make 10,000 lines.
    let bad = Value::list((0..10_000).map(|i| Value::map([("name", Value::Int(i))])));
    let message = things(vec![], vec![("map", bad)]).unwrap_err();
    assert_eq!(message.lines().count(), 10_001);
    let same = Value::list((0..10_000).map(|_| Value::from("a")));
    let message = things(vec![], vec![("set", same)]).unwrap_err();
    assert_eq!(message.lines().count(), 10_000);
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}
