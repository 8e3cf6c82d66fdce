#![allow(clippy::unwrap_used)]

use convoy_value::json;

use super::*;
use crate::Release;

fn sample(api_version: &str, kind: &str, name: &str) -> String {
    let registry = Registry::new(Release::NEWEST);
    let object = minimal(&registry, &GroupVersionKind::of_texts(api_version, kind), name, None).unwrap();
    json::write(&object, json::KeyOrder::Kept).unwrap()
}

/// Says what is wrong with a value: a field that the type lacks, a required one that is missing, a value of another
/// shape.
fn faults(value: &Value, at: Typed<'_>, path: &str, faults: &mut Vec<String>) {
    if !at.ty.enumeration.is_empty() && !at.ty.enumeration.contains(value) {
        faults.push(format!("{path}: {value:?} is none of {:?}", at.ty.enumeration));
    }
    let fits = match (&at.ty.shape, value) {
        (Shape::Any, _) => true,
        (Shape::Boolean, Value::Bool(_)) => true,
        (Shape::Integer, Value::Int(_)) => true,
        (Shape::Number, Value::Int(_) | Value::Float(_)) => true,
        (Shape::String | Shape::Quantity, Value::String(_)) => true,
        (Shape::IntOrString, Value::Int(_) | Value::String(_)) => true,
        (Shape::List(_), Value::List(items)) => {
            for (i, item) in items.iter().enumerate() {
                self::faults(item, at.item().unwrap(), &format!("{path}[{i}]"), faults);
            }
            true
        }
        (Shape::Map(_) | Shape::Struct(_), Value::Map(map)) => {
            for (key, value) in map.iter() {
                match at.member(key) {
                    Some(member) => self::faults(value, member, &format!("{path}.{key}"), faults),
                    None => faults.push(format!("{path}.{key}: unknown")),
                }
            }
            for (name, field) in at.structure().iter().flat_map(|structure| &structure.fields) {
                if field.required && !map.contains_key(name) {
                    faults.push(format!("{path}.{name}: missing"));
                }
            }
            true
        }
        _ => false,
    };
    if !fits {
        faults.push(format!("{path}: {value:?} is no {:?}", at.ty.shape));
    }
}

#[test]
fn every_kind_of_every_release_has_a_sample_that_fits_its_type() {
    let mut found = Vec::new();
    for release in Release::all() {
        let registry = Registry::new(release);
        for gvk in registry.kinds() {
            let object = minimal(&registry, gvk, "my-app", Some("shop")).unwrap();
            assert_eq!(GroupVersionKind::of_object(&object).as_ref(), Some(gvk));
            let root = registry.find(gvk).unwrap();
            faults(&object, root, &format!("{release} {gvk}: "), &mut found);
            let name = object.at(["metadata", "name"]).and_then(Value::as_str);
            assert_eq!(name, (!gvk.kind.ends_with("List")).then_some("my-app"), "{gvk}");
        }
    }
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn an_unknown_kind_has_none() {
    let registry = Registry::new(Release::NEWEST);
    assert_eq!(minimal(&registry, &GroupVersionKind::of_texts("apps/v1", "Deploymnet"), "a", None), None);
}

#[test]
fn the_selector_of_a_workload_fits_its_template() {
    let registry = Registry::new(Release::NEWEST);
    for kind in ["Deployment", "ReplicaSet", "DaemonSet", "StatefulSet"] {
        let object =
            minimal(&registry, &GroupVersionKind::of_texts("apps/v1", kind), "my-app", None).unwrap();
        let labels = object.at(["spec", "template", "metadata", "labels"]).unwrap();
        assert_eq!(object.at(["spec", "selector", "matchLabels"]), Some(labels), "{kind}");
    }
    assert_eq!(
        sample("apps/v1", "Deployment", "web"),
        r#"{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},"spec":{"selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"image":"web","name":"web"}]}}}}"#
    );
}

#[test]
fn what_validation_wants_is_there() {
    assert_eq!(
        sample("v1", "Service", "web"),
        r#"{"apiVersion":"v1","kind":"Service","metadata":{"name":"web"},"spec":{"ports":[{"port":80}]}}"#
    );
    assert_eq!(
        sample("batch/v1", "Job", "once"),
        r#"{"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"once"},"spec":{"template":{"spec":{"containers":[{"image":"once","name":"once"}],"restartPolicy":"Never"}}}}"#
    );
    assert_eq!(
        sample("apiextensions.k8s.io/v1", "CustomResourceDefinition", "things.example.org"),
        r#"{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"things.example.org"},"spec":{"group":"example.org","names":{"kind":"Example","plural":"things"},"scope":"Namespaced","versions":[{"name":"v1","schema":{"openAPIV3Schema":{"type":"object"}},"served":true,"storage":true}]}}"#
    );
}

#[test]
fn a_name_that_is_no_label_stays_out_of_labels() {
    assert!(sample("apps/v1", "Deployment", "my.app").contains(r#""labels":{"app":"example"}"#));
}

#[test]
fn a_struct_that_requires_itself_ends() {
    use crate::{Field, Struct, Types};

    let mut types = Types::new();
    let node = types.push(Struct::default());
    let place = Type { shape: Shape::Struct(node), ..Type::default() };
    let list = Type { shape: Shape::List(Box::new(place.clone())), ..Type::default() };
    let fields = &mut types.structure_mut(node).fields;
    fields.insert("next".into(), Field { ty: place.clone(), required: true });
    fields.insert("all".into(), Field { ty: list, required: true });
    let gvk = GroupVersionKind::new("example.com", "v1", "Node");
    types.set_root(gvk.clone(), place);
    let mut registry = Registry::new(Release::NEWEST);
    registry.add(gvk.clone(), Arc::new(types));
    let object = minimal(&registry, &gvk, "a", None).unwrap();
    let text = json::write(&object, json::KeyOrder::Kept).unwrap();
    assert_eq!(
        text,
        r#"{"apiVersion":"example.com/v1","kind":"Node","metadata":{"name":"a"},"next":{},"all":[]}"#
    );
}
