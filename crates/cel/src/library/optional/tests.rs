//! The values and texts here are answers of cel-go.

use std::sync::Arc;

use super::functions;
use crate::library::standard::tests::answer;
use crate::types::Type;
use crate::value::timestamp::MIN_SECONDS;
use crate::value::{Map, Timestamp, Val};

fn call(name: &str, id: &str, args: &[Val]) -> String {
    answer(&functions(2), name, id, args)
}

fn some(value: Val) -> Val {
    Val::Optional(Some(Arc::new(value)))
}

#[test]
fn making_and_reading() {
    assert_eq!(call("optional.of", "optional_of", &[Val::Null]), "optional_type optional(0)");
    assert_eq!(call("optional.none", "optional_none", &[]), "optional_type optional.none()");
    assert_eq!(call("value", "optional_value", &[some(Val::Int(1))]), "int 1");
    assert_eq!(call("value", "optional_value", &[Val::Optional(None)]), "error: optional.none() dereference");
    assert_eq!(call("hasValue", "optional_hasValue", &[some(Val::Null)]), "bool true");
    assert_eq!(call("hasValue", "optional_hasValue", &[Val::Optional(None)]), "bool false");
}

#[test]
fn zero_values() {
    let of = |value: Val| call("optional.ofNonZeroValue", "optional_ofNonZeroValue", &[value]);
    let zeros = [
        Val::Null,
        Val::Bool(false),
        Val::Int(0),
        Val::Uint(0),
        Val::Double(-0.0),
        Val::string(""),
        Val::Bytes(Arc::from([])),
        Val::Duration(0),
        Val::Timestamp(Timestamp::utc(MIN_SECONDS, 0)),
        Val::list(vec![]),
        Val::Map(Map::from_entries([])),
    ];
    for zero in zeros {
        assert_eq!(of(zero.clone()), "optional_type optional.none()", "{zero:?}");
    }
    assert_eq!(
        of(Val::Timestamp(Timestamp::utc(0, 0))),
        "optional_type optional(1970-01-01 00:00:00 +0000 UTC)"
    );
    assert_eq!(of(Val::Double(f64::NAN)), "optional_type optional(NaN)");
    assert_eq!(of(Val::Type(Type::Int)), "optional_type optional(int)");
    assert_eq!(of(Val::Optional(None)), "optional_type optional(optional.none())");
}

#[test]
fn lists() {
    let list = Val::list(vec![Val::Int(1), Val::Int(2)]);
    assert_eq!(call("first", "list_first", std::slice::from_ref(&list)), "optional_type optional(1)");
    assert_eq!(call("last", "list_last", &[list]), "optional_type optional(2)");
    assert_eq!(call("last", "list_last", &[Val::list(vec![])]), "optional_type optional.none()");
    let optionals = vec![some(Val::Int(1)), Val::Optional(None), some(Val::Null)];
    for (name, id) in [("optional.unwrap", "optional_unwrap"), ("unwrapOpt", "optional_unwrapOpt")] {
        assert_eq!(call(name, id, &[Val::list(optionals.clone())]), "list [1, 0]");
        let mixed = Val::list(vec![
            some(Val::Int(1)),
            Val::Map(Map::from_entries([(Val::string("a"), Val::Double(2.0))])),
        ]);
        assert_eq!(call(name, id, &[mixed]), "error: value {a: 2} is not optional");
    }
}

#[test]
fn versions() {
    let names =
        |version| functions(version).iter().map(|function| function.name.to_string()).collect::<Vec<_>>();
    assert_eq!(names(0), names(1));
    assert_eq!(names(2).split_off(names(1).len()), ["last", "first", "optional.unwrap", "unwrapOpt"]);
}
