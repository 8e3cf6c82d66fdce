//! The checker against cel-go: types, and the texts and places of errors.
//!
//! `data/check.jsonl` has an environment in its first line and in each further one an expression with what cel-go v0.29.2
//! answered, either its type or its errors as it prints them.
#![allow(clippy::unwrap_used)]

use convoy_cel::ast::{Ast, Kind};
use convoy_cel::check::{Checked, Reference, check};
use convoy_cel::env::{Env, Library};
use convoy_cel::function::{Function, Overload};
use convoy_cel::issue::report;
use convoy_cel::parse::parse;
use convoy_cel::types::Type;
use convoy_cel::value::show::go_type_text;
use serde_json::Value;

/// A type as nested lists: `["map","string","int"]`, `["abs","optional_type","int"]`, `["param","T"]`.
fn ty(value: &Value) -> Type {
    let part = |index: usize| ty(&value[index]);
    let Some(list) = value.as_array() else {
        return match value.as_str().unwrap() {
            "bool" => Type::Bool,
            "bytes" => Type::Bytes,
            "double" => Type::Double,
            "duration" => Type::Duration,
            "dyn" => Type::Dyn,
            "int" => Type::Int,
            "null" => Type::Null,
            "string" => Type::String,
            "timestamp" => Type::Timestamp,
            "type" => Type::Type(None),
            "uint" => Type::Uint,
            name => Type::message(name),
        };
    };
    match list[0].as_str().unwrap() {
        "list" => Type::list(part(1)),
        "map" => Type::map(part(1), part(2)),
        "param" => Type::param(list[1].as_str().unwrap()),
        "abs" => Type::opaque(list[1].as_str().unwrap(), list[2..].iter().map(ty)),
        other => panic!("no type {other}"),
    }
}

fn environment(description: &Value) -> Env {
    let mut env = Env::new();
    for name in description["libraries"].as_array().unwrap() {
        let name = name.as_str().unwrap().replace("two-variable", "twoVariable");
        env.add(Library::named(&name).unwrap(), u32::MAX).unwrap();
    }
    for variable in description["vars"].as_array().unwrap() {
        env.add_variable(variable[0].as_str().unwrap(), ty(&variable[1]));
    }
    for function in description["fns"].as_array().unwrap() {
        let text = |key: &str| function[key].as_str().unwrap();
        let params: Vec<Type> = function["params"].as_array().unwrap().iter().map(ty).collect();
        let mut overload = Overload::global(text("id"), params, ty(&function["result"]));
        overload.member = function["inst"] == true;
        env.add_function(Function::new("test", text("name"), "").overload(overload)).unwrap();
    }
    env.options.cross_type_numeric_comparisons = true;
    env
}

fn checked(text: &str, env: &Env) -> Checked {
    let parsed = parse(text, env);
    assert!(parsed.issues.is_empty(), "{}", report(text, &parsed.issues));
    check(parsed.ast, env)
}

/// The environment of the cases.
fn test_environment() -> Env {
    let first = include_str!("data/check.jsonl").lines().next().unwrap();
    environment(&serde_json::from_str(first).unwrap())
}

#[test]
fn types_and_errors_are_those_of_cel_go() {
    let standard = test_environment();
    let mut cases = 0;
    for line in include_str!("data/check.jsonl").lines().skip(1) {
        let case: Value = serde_json::from_str(line).unwrap();
        let mut env = standard.clone();
        env.container = case["container"].as_str().unwrap_or_default().into();
        env.options.homogeneous_literals = case["homogeneous"] == true;
        env.options.cross_type_numeric_comparisons = case["cross_type"] != false;
        let text = case["expr"].as_str().unwrap();
        let checked = checked(text, &env);
        if checked.issues.is_empty() {
            let result = checked.result().map(go_type_text);
            assert_eq!(result.as_deref(), case["type"].as_str(), "{text}");
        } else {
            assert_eq!(
                Some(report(text, &checked.issues).trim_start()),
                case["err"].as_str().map(str::trim_start)
            );
        }
        cases += 1;
    }
    assert!(cases > 250);
}

/// The names of identifiers and calls that stand in the tree after the check.
fn names(ast: &Ast) -> Vec<String> {
    let mut names = Vec::new();
    let mut open: Vec<_> = ast.root.into_iter().collect();
    while let Some(expr) = open.pop() {
        match ast.kind(expr) {
            Kind::Ident(name) => names.push(name.to_string()),
            Kind::Call { function, .. } => names.push(format!("{function}()")),
            Kind::Struct { name, .. } => names.push(format!("{name}{{}}")),
            _ => {}
        }
        open.extend(ast.children(expr).into_iter().rev());
    }
    names
}

#[test]
fn names_become_full_names() {
    let mut env = test_environment();
    let root = |checked: &Checked| checked.ast.id(checked.ast.root.unwrap());

    let chain = checked("a.b", &env);
    assert_eq!(names(&chain.ast), ["a.b"]);
    assert!(
        matches!(&chain.references[&root(&chain)], Reference::Ident { name, value: None } if &**name == "a.b")
    );

    assert_eq!(names(&checked("a.f(1)", &env).ast), ["a.f()"]);
    let dynamic = checked("f(dy)", &env);
    assert!(matches!(
        &dynamic.references[&root(&dynamic)],
        Reference::Overloads(ids) if ids.iter().map(|id| &**id).eq(["f_i", "f_s"])
    ));

    let constant = checked("google.protobuf.NullValue.NULL_VALUE", &env);
    assert!(matches!(
        &constant.references[&root(&constant)],
        Reference::Ident { value: Some(convoy_cel::value::Val::Int(0)), .. }
    ));

    env.container = "google.protobuf".into();
    assert_eq!(names(&checked("Empty{}", &env).ast), ["google.protobuf.Empty{}"]);

    // A variable of a loop hides the declared one, which is then written with a dot.
    env.container = "".into();
    let hidden = checked("[1].exists(i, i == .i)", &env);
    assert!(names(&hidden.ast).contains(&".i".to_owned()));
}

#[test]
fn issues_mark_what_is_wrong() {
    let env = test_environment();
    let marked = |text: &str| {
        let checked = checked(text, &env);
        let span = checked.issues[0].span;
        text[span.start..span.end].to_owned()
    };
    assert_eq!(marked("1 + 'a'"), "+");
    assert_eq!(marked("s.startsWith(1)"), "startsWith");
    assert_eq!(marked("s.nope(1)"), "nope");
    assert_eq!(marked("1 == nope"), "nope");
    assert_eq!(marked("i.field"), "field");
    assert_eq!(marked("google.protobuf.Duration{seconds: 1, minutes: 2}"), "minutes");
    assert_eq!(marked("Nope{a: 1}"), "Nope");
    assert_eq!(marked("b && size(s)"), "size(s)");
    assert_eq!(marked("'%d'.format(['a'])"), "'a'");
}

#[test]
fn broken_expressions_have_types_as_far_as_they_go() {
    let env = test_environment();
    for text in ["1 + ", "li.map(x, x + )", "s.", "[1, , 2]", "{'a': }", "b ? 1 :", "has(1)", ")", ""] {
        let parsed = parse(text, &env);
        assert!(!parsed.issues.is_empty(), "{text}");
        // What is missing fits everywhere, so that there is nothing to say besides.
        let checked = check(parsed.ast, &env);
        assert_eq!(checked.issues, [], "{text}");
    }
    let checked = check(parse("s.size() + ", &env).ast, &env);
    let Kind::Call { args, .. } = checked.ast.kind(checked.ast.root.unwrap()) else { panic!() };
    assert_eq!(checked.ty(checked.ast.id(args[0])), Some(&Type::Int));
}

#[test]
fn large_types_end_the_check() {
    let env = test_environment();
    let mut text = "cel.bind(v0, {1: 1}, ".to_owned();
    for level in 0..30 {
        text += &format!("cel.bind(v{}, {{v{level}: v{level}}}, ", level + 1);
    }
    text += &format!("v30{}", ")".repeat(31));
    let checked = checked(&text, &env);
    let [issue] = &checked.issues[..] else { panic!("{:?}", checked.issues) };
    assert_eq!(
        &*issue.message,
        "the types of the expression are too large to be checked (limit: 4000 parts of a type)"
    );
    assert!(checked.result().is_none());
}

#[test]
fn deep_expressions_need_no_deep_stack() {
    let run = || {
        let mut env = test_environment();
        env.add_variable("o", Type::optional(Type::list(Type::Int)));
        let nested = |open: &str, inner: &str, close: &str, levels: usize| {
            let text = format!("{}{inner}{}", open.repeat(levels), close.repeat(levels));
            let parsed = parse(&text, &env);
            assert!(parsed.issues.is_empty(), "{}", report(&text, &parsed.issues));
            check(parsed.ast, &env)
        };
        assert!(nested("[", "1", "]", 60).issues.is_empty());
        assert!(nested("li.map(x, ", "x", ")", 40).issues.is_empty());
        assert!(nested("cel.bind(x, li, ", "x", ")", 40).issues.is_empty());
        assert!(nested("", "li", ".filter(x, x > 0)", 40).issues.is_empty());
    };
    std::thread::Builder::new().stack_size(2 << 20).spawn(run).unwrap().join().unwrap();
}
