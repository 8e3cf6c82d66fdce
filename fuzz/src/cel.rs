//! What the fuzz targets of CEL share: the environment of the conformance cases with every library, and what holds for
//! a tree and for issues, whatever the text.

use std::collections::HashSet;
use std::sync::{Arc, LazyLock};

use convoy_cel::ast::{Ast, Expr, Kind};
use convoy_cel::env::{Env, Library};
use convoy_cel::eval::Variables;
use convoy_cel::issue::{Issue, line_column, report};
use convoy_cel::types::Type;
use convoy_cel::value::{Map, Timestamp, Val};
use convoy_text::Span;
use convoy_value::{Value, json};

use crate::assert_span;

/// The variables of the conformance cases.
const CASES: &str = include_str!("../../tests/conformance/cel/kube.json");

/// All libraries in their newest versions, with the variables of the conformance cases.
pub static ENV: LazyLock<Env> = LazyLock::new(|| environment(&Library::ALL));

/// The values of the variables; `unset` has none.
pub static VARIABLES: LazyLock<Variables> = LazyLock::new(|| {
    let cases = json::parse(CASES).expect("the variables are JSON").to_value();
    let data = cases.get("data").and_then(Value::as_map).expect("there are values");
    let mut variables: Variables =
        data.iter().map(|(name, value)| (Arc::clone(name), Val::from(value))).collect();
    let optional = |value: Option<i64>| Val::Optional(value.map(|value| Arc::new(Val::Int(value))));
    for (name, value) in [
        ("u", Val::Uint(3)),
        ("by", Val::Bytes(Arc::from(*b"ab\xff"))),
        ("ts", Val::Timestamp(Timestamp::utc(1_709_209_845, 123_456_789))),
        ("du", Val::Duration(5_430_500_000_000)),
        ("m", Val::Map(Map::from_entries([(Val::string("a"), Val::Int(1))]))),
        ("mi", Val::Map(Map::from_entries([(Val::Int(1), Val::string("one"))]))),
        ("oi", optional(Some(3))),
        ("on", optional(None)),
    ] {
        variables.insert(name.into(), value);
    }
    variables
});

/// These libraries, with the variables of the conformance cases.
pub fn environment(libraries: &[Library]) -> Env {
    let mut env = Env::standard();
    for library in libraries {
        env.add(*library, u32::MAX).expect("the libraries fit each other");
    }
    let cases = json::parse(CASES).expect("the variables are JSON").to_value();
    let Some(Value::List(variables)) = cases.get("vars") else { panic!("there are no variables") };
    for variable in variables.iter() {
        let Value::List(pair) = variable else { panic!("{variable:?} is no variable") };
        env.add_variable(pair[0].as_str().expect("a name"), ty(&pair[1]));
    }
    env
}

fn ty(notation: &Value) -> Type {
    let words: Vec<&Value> = match notation {
        Value::List(words) => words.iter().collect(),
        word => vec![word],
    };
    match (words[0].as_str().expect("a type"), &words[1..]) {
        ("dyn", []) => Type::Dyn,
        ("int", []) => Type::Int,
        ("uint", []) => Type::Uint,
        ("double", []) => Type::Double,
        ("string", []) => Type::String,
        ("bool", []) => Type::Bool,
        ("bytes", []) => Type::Bytes,
        ("null", []) => Type::Null,
        ("timestamp", []) => Type::Timestamp,
        ("duration", []) => Type::Duration,
        ("list", [element]) => Type::list(ty(element)),
        ("map", [key, value]) => Type::map(ty(key), ty(value)),
        ("abs", [_, value]) => Type::optional(ty(value)),
        _ => panic!("{notation:?} is no type"),
    }
}

/// The nodes that can be reached from the root, each once.
pub fn reachable(ast: &Ast) -> Vec<Expr> {
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    let mut open: Vec<Expr> = ast.root.into_iter().collect();
    while let Some(expr) = open.pop() {
        if seen.insert(expr) {
            found.push(expr);
            open.extend(ast.children(expr));
        }
    }
    found
}

/// All of a tree lies in its text and in what it is part of.
pub fn assert_tree(ast: &Ast) {
    let text = &*ast.text;
    for place in ast.places.iter().flatten() {
        assert!(text.is_char_boundary(*place as usize), "{place} is no place of the text");
    }
    for expr in reachable(ast) {
        let node = ast.node(expr);
        assert_span(text, node.span, node);
        let inside = |span: Span| {
            assert_span(text, span, node);
            assert!(node.span.contains(span), "{span:?} leaves {node:?}");
        };
        ast.children(expr).into_iter().for_each(|child| inside(ast.span(child)));
        match &node.kind {
            Kind::Select { field_span, .. } => inside(*field_span),
            Kind::Call { name_span, .. } | Kind::Struct { name_span, .. } => inside(*name_span),
            _ => {}
        }
        if let Kind::Struct { fields, .. } = &node.kind {
            fields.iter().for_each(|field| inside(field.name_span));
        }
        if let Kind::List { elements, optional } = &node.kind {
            assert!(optional.iter().all(|index| (*index as usize) < elements.len()), "{node:?}");
        }
    }
    for call in &ast.macro_calls {
        assert_span(text, call.span, call);
        let parts = call.target.iter().chain(&call.args).map(|part| ast.span(*part)).chain([call.name_span]);
        for part in parts {
            assert_span(text, part, call);
            assert!(call.span.contains(part), "{part:?} leaves {call:?}");
        }
    }
}

/// Issues lie in the text and can be shown.
pub fn assert_issues(text: &str, issues: &[Issue]) {
    for issue in issues {
        assert_span(text, issue.span, issue);
        assert!(!issue.message.is_empty(), "{issue:?}");
        if let Some(place) = issue.place {
            assert!(text.is_char_boundary(place as usize), "{issue:?}");
            let (line, _) = line_column(text, place);
            assert!(line as usize <= text.matches('\n').count() + 1, "{issue:?}");
        }
    }
    assert_eq!(report(text, issues).is_empty(), issues.is_empty());
}
