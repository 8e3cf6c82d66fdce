use convoy_kube::{GroupVersionKind, Registry, Release};
use convoy_value::json;

use super::*;

fn value(text: &str) -> Value {
    json::parse(text).unwrap().to_value()
}

fn merged(kind: (&str, &str), object: &str, patch: &str) -> Result<Merged, Error> {
    let registry = Registry::new(Release::NEWEST);
    let ty = registry.find(&GroupVersionKind::of_texts(kind.0, kind.1)).unwrap();
    merge(&value(object), &value(patch), ty)
}

const DEPLOYMENT: (&str, &str) = ("apps/v1", "Deployment");
const POD: (&str, &str) = ("v1", "Pod");

fn notes(kind: (&str, &str), object: &str, patch: &str) -> Vec<String> {
    let merged = merged(kind, object, patch).unwrap();
    merged.notes.into_iter().map(|note| format!("{}: {:?}", path(&note.path), note.kind)).collect()
}

fn path(path: &[Key]) -> String {
    path.iter()
        .map(|key| match key {
            Key::Name(name) => format!("/{name}"),
            Key::Index(index) => format!("/{index}"),
        })
        .collect()
}

#[test]
fn keys_keep_the_order_of_the_object() {
    let object = r#"{"spec":{"z":1,"replicas":1,"a":2},"kind":"Deployment"}"#;
    let patch = r#"{"x":1,"spec":{"y":1,"a":null,"replicas":2,"b":3}}"#;
    let merged = merged(DEPLOYMENT, object, patch).unwrap().value;
    let text = json::write(&merged, json::KeyOrder::Kept).unwrap();
    assert_eq!(text, r#"{"spec":{"z":1,"replicas":2,"y":1,"b":3},"kind":"Deployment","x":1}"#);
}

#[test]
fn what_does_not_change_is_shared() {
    let object =
        value(r#"{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"a"},{"name":"b"}]}}"#);
    let registry = Registry::new(Release::NEWEST);
    let ty = registry.find(&GroupVersionKind::of_texts("v1", "Pod")).unwrap();
    let patch = value(r#"{"spec":{"containers":[{"name":"b","image":"x"}]}}"#);
    let merged = merge(&object, &patch, ty).unwrap().value;
    let same = |a: Option<&Value>, b: Option<&Value>| match (a, b) {
        (Some(Value::Map(a)), Some(Value::Map(b))) => Arc::ptr_eq(a, b),
        _ => false,
    };
    assert!(same(object.get("metadata"), merged.get("metadata")));
    let item =
        |value: &Value, i: usize| value.at(["spec", "containers"]).unwrap().as_list().unwrap()[i].clone();
    assert!(same(Some(&item(&object, 0)), Some(&item(&merged, 0))));
    assert_eq!(item(&merged, 1).get("image"), Some(&Value::from("x")));
}

#[test]
fn errors_have_their_place_in_the_patch() {
    let object = r#"{"spec":{"containers":[{"name":"a","ports":[{"containerPort":1}]}]}}"#;
    let at = |patch: &str| path(&merged(POD, object, patch).unwrap_err().path);
    assert_eq!(at(r#"{"spec":{"containers":[{"name":"c"},{"image":"x"}]}}"#), "/spec/containers/1");
    let nested = r#"{"spec":{"containers":[{"name":"a","ports":[{"name":"http"}]}]}}"#;
    assert_eq!(at(nested), "/spec/containers/0/ports/0");
    assert_eq!(at(r#"{"spec":{"$patch":"x"}}"#), "/spec/$patch");
    assert_eq!(at(r#"{"spec":{"$setElementOrder/containers":1}}"#), "/spec/$setElementOrder/containers");
    assert_eq!(at("[]"), "");
}

#[test]
fn notes_tell_what_may_not_have_been_meant() {
    let pod = r#"{"metadata":{"finalizers":["a"],"labels":{"x":"1"}},"spec":{"nodeName":"n","tolerations":[{"key":"a"},{"key":"b"}],
        "containers":[{"name":"a","args":["x"]},{"name":"b"}]}}"#;
    let of = |patch: &str| notes(POD, pod, patch);
    assert_eq!(of(r#"{"spec":{"nodeName":null,"hostname":null}}"#), ["/spec/nodeName: Removed"]);
    assert_eq!(
        of(r#"{"spec":{"tolerations":[{"key":"b"}]}}"#),
        ["/spec/tolerations: ListReplaced { lost: 1 }"]
    );
    assert_eq!(of(r#"{"spec":{"tolerations":[{"key":"b"},{"key":"a"}]}}"#), [""; 0]);
    assert_eq!(
        of(r#"{"spec":{"containers":[{"name":"c"},{"name":"c"}]}}"#),
        [
            r#"/spec/containers/1: DuplicateMergeKey { key: "name", value: "c" }"#,
            "/spec/containers: ItemsAddedFirst { count: 1, before: 2 }"
        ]
    );
    assert_eq!(
        of(r#"{"spec":{"containers":[{"name":"z","$patch":"delete"}]}}"#),
        ["/spec/containers/0: NothingDeleted"]
    );
    assert_eq!(
        of(r#"{"spec":{"containers":[{"$patch":"replace"},{"name":"b"}]}}"#),
        ["/spec/containers: ReplaceDirective { lost: 1 }"]
    );
    assert_eq!(
        of(r#"{"metadata":{"labels":{"$patch":"replace","y":"2"}}}"#),
        ["/metadata/labels: ReplaceDirective { lost: 1 }"]
    );
    assert_eq!(
        of(r#"{"metadata":{"$deleteFromPrimitiveList/finalizers":["a","b"]}}"#),
        ["/metadata/$deleteFromPrimitiveList/finalizers/1: NothingDeleted"]
    );
    assert_eq!(
        of(r#"{"metadata":{"annotations":{"$patch":"delete"}}}"#),
        ["/metadata/annotations: NothingDeleted"]
    );
}

/// Go compares each item with each; here a merge of long lists takes no time that one would notice.
#[test]
fn long_lists_are_merged_in_time() {
    let count = 10_000;
    let items = |from: usize, directive: &str| -> String {
        let all: Vec<String> = (from..from + count)
            .map(|i| format!(r#"{{"name":"c{i}","image":"{from}"{directive}}}"#))
            .collect();
        format!(r#"{{"spec":{{"containers":[{}]}}}}"#, all.join(","))
    };
    let start = std::time::Instant::now();
    for directive in ["", r#","$patch":"delete""#, r#","$deleteFromPrimitiveList/name":"x""#] {
        merged(POD, &items(0, ""), &items(5_000, directive)).unwrap();
    }
    let keys = |value: &str| -> String {
        let all: Vec<String> = (0..count).map(|i| format!(r#""k{i}":{value}"#)).collect();
        format!(r#"{{"data":{{{}}}}}"#, all.join(","))
    };
    merged(("v1", "ConfigMap"), &keys("\"x\""), &keys("null")).unwrap();
    let same = format!(r#"{{"metadata":{{"finalizers":[{}]}}}}"#, vec!["\"a\""; count].join(","));
    merged(POD, &same, &same).unwrap();
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

#[test]
fn depth_is_limited() {
    let mut deep = Value::Null;
    for _ in 0..=DEPTH_LIMIT {
        deep = Value::map([("a", deep)]);
    }
    let registry = Registry::new(Release::NEWEST);
    let ty = registry.find(&GroupVersionKind::of_texts("v1", "Pod")).unwrap();
    let error = merge(&Value::map([("a", Value::Null)]), &deep, ty).unwrap_err();
    assert_eq!(error.message, "nested deeper than 400 levels (a limit of convoy-lsp)");
}
