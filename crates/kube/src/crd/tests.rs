use convoy_value::json;

use super::*;
use crate::Typed;

fn value(text: &str) -> Value {
    json::parse(text).unwrap().to_value()
}

fn definition(schema: &str) -> Value {
    value(&format!(
        r#"{{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","spec":{{
            "group":"example.com","names":{{"kind":"App"}},"scope":"Namespaced","versions":[
            {{"name":"v1","served":true,"schema":{{"openAPIV3Schema":{schema}}}}},
            {{"name":"v0","served":false,"schema":{{"openAPIV3Schema":{schema}}}}},
            {{"name":"v2","served":true}},
            5]}}}}"#
    ))
}

/// A built-in table that has only the metadata.
fn builtin() -> Types {
    let mut types = Types::new();
    types.push(Struct { name: "io.k8s.Other".into(), ..Struct::default() });
    let mut meta =
        Struct { name: "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta".into(), ..Struct::default() };
    let name = Type { shape: Shape::String, ..Type::default() };
    meta.fields.insert("name".into(), Field { ty: name, required: false });
    types.push(meta);
    types
}

fn types(schema: &str) -> (Arc<Types>, GroupVersionKind) {
    let mut found = versions(&definition(schema), &builtin()).unwrap();
    assert_eq!(found.len(), 1);
    let version = found.remove(0);
    assert!(version.namespaced);
    (version.types, version.gvk)
}

#[test]
fn a_schema_becomes_types() {
    let (types, gvk) = types(
        r#"{"type":"object","required":["spec"],"properties":{"metadata":{"type":"object"},"spec":{"type":"object",
            "required":["mode","gone"],"properties":{
            "mode":{"type":"string","enum":["a","b"],"default":"a"},
            "replicas":{"type":"integer","format":"int32","nullable":true},
            "port":{"x-kubernetes-int-or-string":true,"anyOf":[{"type":"integer"},{"type":"string"}]},
            "labels":{"type":"object","additionalProperties":{"type":"string"},"x-kubernetes-map-type":"atomic"},
            "free":{"type":"object","x-kubernetes-preserve-unknown-fields":true},
            "any":{"x-kubernetes-preserve-unknown-fields":true},
            "template":{"type":"object","x-kubernetes-embedded-resource":true},
            "items":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name"],
                "items":{"type":"object","properties":{"name":{"type":"string"}}}},
            "broken":{"type":7}, "worse":[]}}}}"#,
    );
    assert_eq!(gvk, GroupVersionKind::new("example.com", "v1", "App"));
    let root = types.root(&gvk).unwrap();
    assert_eq!(root.field("metadata").unwrap().field("name").unwrap().ty.shape, Shape::String);
    assert_eq!(root.field("kind").unwrap().ty.shape, Shape::String);
    assert!(root.structure().unwrap().fields["spec"].required);
    let spec = root.field("spec").unwrap();
    let ty = |name: &str| spec.field(name).unwrap().ty;
    assert_eq!(ty("mode").enumeration.len(), 2);
    assert_eq!(ty("mode").default, Some("a".into()));
    assert!(spec.structure().unwrap().fields["mode"].required);
    assert_eq!((ty("replicas").format.as_deref(), ty("replicas").nullable), (Some("int32"), true));
    assert_eq!(ty("port").shape, Shape::IntOrString);
    assert!(matches!(ty("labels").shape, Shape::Map(_)) && ty("labels").atomic);
    assert!(ty("free").preserve_unknown && matches!(ty("free").shape, Shape::Struct(_)));
    assert!(spec.field("any").unwrap().is_open());
    assert!(spec.field("template").unwrap().field("metadata").unwrap().field("name").is_some());
    assert_eq!(ty("items").list, ListKind::Map(["name".into()].into()));
    let item = spec.field("items").unwrap().item().unwrap();
    assert_eq!(item.field("name").unwrap().ty.shape, Shape::String);
    assert_eq!(ty("broken").shape, Shape::Any);
    assert_eq!(ty("worse").shape, Shape::Any);
}

#[test]
fn broken_definitions_are_left_out() {
    for text in [
        "null",
        "[]",
        r#"{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition"}"#,
        r#"{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","spec":{"group":1}}"#,
        r#"{"apiVersion":"v1","kind":"Pod","spec":{}}"#,
    ] {
        assert!(read(&value(text), Release::NEWEST).is_empty(), "{text}");
    }
    for schema in
        [r#"{"type":"string"}"#, "{}", r#"{"type":"object","additionalProperties":{"type":"string"}}"#]
    {
        let (types, gvk) = types(schema);
        let root: Typed<'_> = types.root(&gvk).unwrap();
        assert!(root.field("metadata").is_some(), "{schema}");
    }
}

#[test]
fn deep_schemas_end() {
    let mut schema = value(r#"{"type":"string"}"#);
    for _ in 0..395 {
        schema = Value::map([("type", "array".into()), ("items", schema)]);
    }
    let schema = Value::map([("type", "object".into()), ("properties", Value::map([("spec", schema)]))]);
    let mut reader = Reader::new(&Types::new());
    assert!(matches!(reader.root(&schema).shape, Shape::Struct(_)));
}
