//! The libraries `regex`, `network` and `encoders` against the values, errors and costs of cel-go v0.29.2.

use convoy_cel::check::{check, unchecked};
use convoy_cel::env::Env;
use convoy_cel::eval::{Limits, Program, Variables};
use convoy_cel::library::Library;
use convoy_cel::parse::parse;
use convoy_cel::types::Type;
use convoy_cel::value::Val;
use convoy_value::go::quote;
use serde_json::Value;

#[test]
fn same_as_cel_go() {
    let mut env = Env::standard();
    for library in [Library::Optional, Library::Regex, Library::Network, Library::Encoders] {
        env.add(library, library.newest()).unwrap();
    }
    let mut wrong = Vec::new();
    for line in include_str!("data/libraries.jsonl").lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let text = case["expr"].as_str().unwrap();
        let parsed = parse(text, &env);
        assert!(parsed.issues.is_empty(), "{text}: {:?}", parsed.issues);
        let checked = if case["checked"] == true { check(parsed.ast, &env) } else { unchecked(parsed.ast) };
        assert!(checked.issues.is_empty(), "{text}: {:?}", checked.issues);
        let program = Program::new(&checked, &env).unwrap();
        let limits = Limits { track_cost: true, ..Limits::default() };
        let evaluation = program.eval(&Variables::default(), &limits);
        let found = match evaluation.result {
            Ok(value) => (Some(show(&value)), None, evaluation.cost),
            Err(error) => (None, Some(error.message().to_owned()), evaluation.cost),
        };
        let field = |name: &str| case[name].as_str().map(str::to_owned);
        let expected = (field("value"), field("error"), case["cost"].as_u64().unwrap());
        if found != expected {
            wrong.push(format!("{text}: {found:?}, in cel-go {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

/// A value as the answers of cel-go have it.
fn show(value: &Val) -> String {
    match value {
        Val::String(text) => quote(text.as_bytes()),
        Val::Bytes(bytes) => format!("b{}", quote(bytes)),
        Val::Bool(value) => format!("bool {value}"),
        Val::Int(value) => format!("int {value}"),
        Val::Type(ty) => format!("type {}", ty.name()),
        Val::List(list) => {
            let items: Vec<String> = list.iter().map(|item| show(&item)).collect();
            format!("[{}]", items.join(", "))
        }
        Val::Optional(None) => "none".to_owned(),
        Val::Optional(Some(inner)) => format!("of {}", show(inner)),
        Val::Object(object) => match object.convert(&Type::String) {
            Some(Ok(Val::String(text))) if object.ty().name() == "net.IP" => format!("IP {text}"),
            Some(Ok(Val::String(text))) => format!("CIDR {text}"),
            other => format!("{other:?}"),
        },
        other => format!("{other:?}"),
    }
}
