//! Prints what the tables say of a release, as one JSON document, so that other programs can hold it against what
//! they know: `cargo run -p convoy-kube --example facts -- 1.37`.

use std::env;
use std::error::Error;
use std::sync::Arc;

use convoy_kube::{Field, ListKind, Registry, Release, Shape, Struct, Type, Types};
use convoy_value::json::{KeyOrder, write};
use convoy_value::{Map, Value};

fn main() -> Result<(), Box<dyn Error>> {
    let release: Release = match env::args().nth(1) {
        Some(text) => text.parse()?,
        None => Release::NEWEST,
    };
    let registry = Registry::new(release);
    let types = registry.builtin();
    let kinds = types.kinds().filter_map(|gvk| {
        let structure = types.root(gvk)?.structure()?;
        let entries = [
            ("group", Value::from(&*gvk.group)),
            ("version", Value::from(&*gvk.version)),
            ("kind", Value::from(&*gvk.kind)),
            ("struct", Value::from(&*structure.name)),
        ];
        Some(Value::map(entries))
    });
    let structs =
        types.structs().map(|(_, structure)| (structure.name.clone(), struct_facts(structure, types)));
    let facts = Value::map([
        ("release", Value::from(release.to_string())),
        ("kinds", Value::list(kinds)),
        ("structs", Value::map(structs)),
    ]);
    println!("{}", write(&facts, KeyOrder::Kept)?);
    Ok(())
}

fn struct_facts(structure: &Struct, types: &Types) -> Value {
    let fields = structure.fields.iter().map(|(name, field)| (name.clone(), field_facts(field, types)));
    Value::map([("goName", Value::from(structure.go_name())), ("fields", Value::map(fields))])
}

fn field_facts(field: &Field, types: &Types) -> Value {
    let mut facts = type_facts(&field.ty, types);
    facts.insert("required".into(), Value::Bool(field.required));
    Value::Map(Arc::new(facts))
}

fn type_facts(ty: &Type, types: &Types) -> Map {
    let mut facts = Map::new();
    let (shape, inner) = match &ty.shape {
        Shape::Any => ("any", None),
        Shape::Boolean => ("boolean", None),
        Shape::Integer => ("integer", None),
        Shape::Number => ("number", None),
        Shape::String => ("string", None),
        Shape::IntOrString => ("int-or-string", None),
        Shape::Quantity => ("quantity", None),
        Shape::List(items) => ("list", Some(items)),
        Shape::Map(values) => ("map", Some(values)),
        Shape::Struct(_) => ("struct", None),
    };
    facts.insert("shape".into(), shape.into());
    if let Some(inner) = inner {
        facts.insert("inner".into(), Value::Map(Arc::new(type_facts(inner, types))));
    }
    if let Shape::Struct(id) = ty.shape {
        facts.insert("struct".into(), Value::from(&*types.structure(id).name));
    }
    let texts = [("format", &ty.format), ("go", &ty.go_type), ("mergeKey", &ty.patch_merge_key)];
    for (name, text) in texts {
        if let Some(text) = text {
            facts.insert(name.into(), Value::String(text.clone()));
        }
    }
    facts.insert("pointer".into(), Value::Bool(ty.pointer));
    facts.insert("atomic".into(), Value::Bool(ty.atomic));
    let (list, keys) = match &ty.list {
        ListKind::Unspecified => ("", None),
        ListKind::Atomic => ("atomic", None),
        ListKind::Set => ("set", None),
        ListKind::Map(keys) => ("map", Some(keys)),
    };
    facts.insert("list".into(), list.into());
    if let Some(keys) = keys {
        facts.insert("keys".into(), Value::list(keys.iter().map(|key| Value::String(key.clone()))));
    }
    let strategy = ty.patch_strategy;
    let words =
        [("merge", strategy.merge), ("replace", strategy.replace), ("retainKeys", strategy.retain_keys)];
    facts.insert(
        "strategy".into(),
        Value::list(words.iter().filter(|(_, said)| *said).map(|(word, _)| (*word).into())),
    );
    if !ty.enumeration.is_empty() {
        facts.insert("enum".into(), Value::list(ty.enumeration.iter().cloned()));
    }
    if let Some(default) = &ty.default {
        facts.insert("default".into(), default.clone());
    }
    facts
}
