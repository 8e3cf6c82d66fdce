//! The types of an expression of CEL, whole or broken.
#![no_main]

use std::collections::HashSet;
use std::sync::LazyLock;

use convoy_cel::ast::{Expr, Kind};
use convoy_cel::check::{Checked, Reference, check};
use convoy_cel::env::{Env, Library};
use convoy_cel::eval::Program;
use convoy_cel::operator;
use convoy_cel::parse::parse;
use convoy_cel::types::Type;
use convoy_fuzz::cel::{ENV, assert_issues, assert_tree, environment, reachable};
use convoy_fuzz::remember;
use libfuzzer_sys::{Corpus, fuzz_target};

/// Everything, then the standard library alone in a container, with the strictest options.
static ENVIRONMENTS: LazyLock<[Env; 2]> = LazyLock::new(|| {
    let mut strict = environment(&[Library::Standard]);
    strict.options.homogeneous_literals = true;
    strict.options.cross_type_numeric_comparisons = true;
    strict.container = "google.protobuf".into();
    [ENV.clone(), strict]
});

fuzz_target!(|data: &[u8]| -> Corpus {
    remember(data);
    let Ok(text) = std::str::from_utf8(data) else { return Corpus::Reject };
    for env in ENVIRONMENTS.iter() {
        let parsed = parse(text, env);
        let whole = parsed.issues.is_empty();
        let checked = check(parsed.ast.clone(), env);
        assert_eq!(&*checked.ast.text, text);
        assert_tree(&checked.ast);
        assert_issues(text, &checked.issues);
        assert_eq!(check(parsed.ast, env).issues, checked.issues);
        // What cel-go would not check must do no harm; what it passes is complete.
        if whole && checked.issues.is_empty() {
            assert_complete(&checked, env);
            if let Err(message) = Program::new(&checked, env) {
                assert!(!message.is_empty());
            }
        }
    }
    Corpus::Keep
});

/// Each node has a type without variables of the checker, each call refers to overloads that its function has.
fn assert_complete(checked: &Checked, env: &Env) {
    assert!(checked.result().is_some());
    let nodes = reachable(&checked.ast);
    // The name behind `.?` is an argument of the operator, but no expression.
    let names: HashSet<Expr> = nodes
        .iter()
        .filter_map(|expr| match checked.ast.kind(*expr) {
            Kind::Call { function, args, .. } if &**function == operator::OPT_SELECT => args.get(1).copied(),
            _ => None,
        })
        .collect();
    for expr in nodes.into_iter().filter(|expr| !names.contains(expr)) {
        let node = checked.ast.node(expr);
        let ty = checked.ty(node.id).unwrap_or_else(|| panic!("{node:?} has no type"));
        assert!(!is_open(ty), "{node:?} has the type {ty:?}");
        let reference = checked.references.get(&node.id);
        match (&node.kind, reference) {
            (Kind::Call { function, .. }, Some(Reference::Overloads(ids))) => {
                assert!(!ids.is_empty(), "{node:?}");
                let function = env.function(function).unwrap_or_else(|| panic!("{node:?} has no function"));
                let known = |id| function.overloads.iter().any(|overload| overload.id == id);
                assert!(ids.iter().cloned().all(known), "{node:?} refers to {ids:?}");
            }
            (Kind::Ident(name), Some(Reference::Ident { name: full, .. })) => {
                let bare = |name: &str| name.trim_start_matches('.').to_owned();
                assert!(bare(full).ends_with(&bare(name)), "{node:?} refers to {full}");
            }
            (Kind::Call { .. } | Kind::Ident(_), reference) => panic!("{node:?} refers to {reference:?}"),
            _ => {}
        }
    }
}

fn is_open(ty: &Type) -> bool {
    match ty {
        Type::Error | Type::Param(_) => true,
        Type::List(of) | Type::Wrapper(of) | Type::Type(Some(of)) => is_open(of),
        Type::Map(both) => is_open(&both.0) || is_open(&both.1),
        Type::Opaque(_, parameters) => parameters.iter().any(is_open),
        _ => false,
    }
}
