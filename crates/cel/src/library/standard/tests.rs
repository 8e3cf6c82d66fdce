//! The values and texts here are answers of cel-go.

use std::cell::Cell;
use std::sync::Arc;

use super::functions;
use crate::function::{Context, Function};
use crate::re2::Cache;
use crate::types::Type;
use crate::value::show::go_text;
use crate::value::{Map, Val};

/// Calls the binding of an overload, or without an id that for all overloads, and shows the value as Go prints it or
/// the error.
pub(in crate::library) fn answer(functions: &[Function], name: &str, id: &str, args: &[Val]) -> String {
    answer_within(functions, name, id, args, u64::MAX)
}

fn answer_within(functions: &[Function], name: &str, id: &str, args: &[Val], memory: u64) -> String {
    let cache = Cache::default();
    let context =
        Context { memory: Cell::new(memory), steps: Cell::new(u64::MAX), cancelled: None, regexes: &cache };
    let Some(function) = functions.iter().find(|function| &*function.name == name) else {
        return format!("no function {name}");
    };
    let binding = match &function.singleton {
        Some(singleton) if id.is_empty() => {
            if singleton.operand.is_some_and(|takes| !args.first().is_some_and(takes)) {
                return "not an operand".to_owned();
            }
            Some(singleton.binding)
        }
        _ => function
            .overloads
            .iter()
            .find(|overload| &*overload.id == id)
            .and_then(|overload| overload.binding),
    };
    let Some(binding) = binding else { return format!("no binding {id}") };
    match (binding.call)(&context, args) {
        Ok(value) => format!("{} {}", value.ty().name(), go_text(&value)),
        Err(error) => format!("error: {}", error.message()),
    }
}

/// Checks rows of arguments and the answer.
fn check(name: &str, rows: &[(&[Val], &str)]) {
    let functions = functions();
    for (args, want) in rows {
        assert_eq!(answer(&functions, name, "", args), *want, "{name} {args:?}");
    }
}

fn int(value: i64) -> Val {
    Val::Int(value)
}

fn uint(value: u64) -> Val {
    Val::Uint(value)
}

fn double(value: f64) -> Val {
    Val::Double(value)
}

fn text(value: &str) -> Val {
    Val::string(value)
}

fn bytes(value: &[u8]) -> Val {
    Val::Bytes(value.into())
}

fn map(entries: Vec<(Val, Val)>) -> Val {
    Val::Map(Map::from_entries(entries))
}

const OVERFLOW: &str = "error: integer overflow";
const UNSIGNED_OVERFLOW: &str = "error: unsigned integer overflow";
const NO_OVERLOAD: &str = "error: no such overload";

#[test]
fn sums_and_differences() {
    check(
        "_+_",
        &[
            (&[int(i64::MAX), int(1)], OVERFLOW),
            (&[int(i64::MIN), int(-1)], OVERFLOW),
            (&[int(i64::MIN), int(i64::MAX)], "int -1"),
            (&[uint(u64::MAX), uint(1)], UNSIGNED_OVERFLOW),
            (&[double(1e308), double(1e308)], "double +Inf"),
            (&[text("a"), text("\u{e9}")], "string a\u{e9}"),
            (&[bytes(b"a"), bytes(b"\xff")], "bytes [97 255]"),
            (&[Val::list(vec![int(1)]), Val::list(vec![text("a")])], "list [1, a]"),
            (&[Val::list(vec![]), Val::list(vec![])], "list []"),
            (&[int(1), uint(1)], NO_OVERLOAD),
            (&[int(1), double(1.0)], NO_OVERLOAD),
            (&[text("a"), bytes(b"a")], NO_OVERLOAD),
            (&[Val::list(vec![]), int(1)], NO_OVERLOAD),
            (&[Val::Bool(true), Val::Bool(true)], "not an operand"),
            (&[Val::Null, int(1)], "not an operand"),
            (&[map(vec![]), map(vec![])], "not an operand"),
        ],
    );
    check(
        "_-_",
        &[
            (&[int(i64::MIN), int(1)], OVERFLOW),
            (&[int(0), int(i64::MIN)], OVERFLOW),
            (&[int(-1), int(i64::MIN)], "int 9223372036854775807"),
            (&[uint(0), uint(1)], UNSIGNED_OVERFLOW),
            (&[double(0.5), double(0.75)], "double -0.25"),
            (&[text("a"), text("a")], "not an operand"),
        ],
    );
}

#[test]
fn products_and_quotients() {
    check(
        "_*_",
        &[
            (&[int(i64::MIN), int(-1)], OVERFLOW),
            (&[int(i64::MAX), int(2)], OVERFLOW),
            (&[int(i64::MIN), int(1)], "int -9223372036854775808"),
            (&[uint(u64::MAX), uint(2)], UNSIGNED_OVERFLOW),
            (&[double(1e200), double(-1e200)], "double -Inf"),
            (&[Val::Duration(1), int(2)], "not an operand"),
        ],
    );
    check(
        "_/_",
        &[
            (&[int(1), int(0)], "error: division by zero"),
            (&[uint(1), uint(0)], "error: division by zero"),
            (&[int(i64::MIN), int(-1)], OVERFLOW),
            (&[int(-7), int(2)], "int -3"),
            (&[double(1.0), double(0.0)], "double +Inf"),
            (&[double(0.0), double(0.0)], "double NaN"),
            (&[int(1), double(1.0)], NO_OVERLOAD),
        ],
    );
    check(
        "_%_",
        &[
            (&[int(1), int(0)], "error: modulus by zero"),
            (&[uint(1), uint(0)], "error: modulus by zero"),
            (&[int(i64::MIN), int(-1)], OVERFLOW),
            (&[int(-7), int(3)], "int -1"),
            (&[double(1.0), double(1.0)], "not an operand"),
        ],
    );
    check(
        "-_",
        &[
            (&[int(i64::MIN)], OVERFLOW),
            (&[double(0.0)], "double -0"),
            (&[Val::Duration(i64::MIN)], OVERFLOW),
            (&[Val::Duration(1_000_000_000)], "google.protobuf.Duration -1s"),
            (&[Val::Bool(true)], NO_OVERLOAD),
            (&[uint(1)], "not an operand"),
        ],
    );
}

#[test]
fn comparisons() {
    let nan = "error: NaN values cannot be ordered";
    check(
        "_<_",
        &[
            (&[int(-1), uint(0)], "bool true"),
            (&[int(i64::MAX), double(9_223_372_036_854_775_808.0)], "bool false"),
            (&[double(f64::NAN), int(1)], nan),
            (&[uint(1), double(f64::NAN)], nan),
            (&[int(1), text("a")], NO_OVERLOAD),
            (&[Val::list(vec![]), Val::list(vec![])], "not an operand"),
            (&[Val::Null, Val::Null], "not an operand"),
        ],
    );
    check("_<=_", &[(&[text("a"), text("a")], "bool true"), (&[bytes(b"b"), bytes(b"a")], "bool false")]);
    check("_>_", &[(&[Val::Bool(true), Val::Bool(false)], "bool true"), (&[int(1), int(1)], "bool false")]);
    check(
        "_>=_",
        &[(&[Val::Duration(1), Val::Duration(1)], "bool true"), (&[double(0.0), double(-0.0)], "bool true")],
    );
}

#[test]
fn logic_and_membership() {
    check("!_", &[(&[Val::Bool(true)], "bool false"), (&[int(1)], NO_OVERLOAD)]);
    let list = Val::list(vec![int(1), Val::Null, double(f64::NAN)]);
    let entries = map(vec![(int(1), int(2)), (Val::Duration(5), int(3))]);
    for name in ["@in", "_in_", "in"] {
        check(
            name,
            &[
                (&[double(1.0), list.clone()], "bool true"),
                (&[Val::Null, list.clone()], "bool true"),
                (&[double(f64::NAN), list.clone()], "bool false"),
                (&[uint(1), entries.clone()], "bool true"),
                (&[Val::Duration(5), entries.clone()], "bool true"),
                (&[Val::Null, entries.clone()], "bool false"),
                (&[bytes(b"a"), map(vec![])], "bool false"),
                (
                    &[bytes(b"a"), entries.clone()],
                    "error: internal error: runtime error: hash of unhashable type types.Bytes",
                ),
                (&[text("a"), text("abc")], NO_OVERLOAD),
            ],
        );
    }
    let functions = functions();
    let undeclared: Vec<_> =
        functions.iter().filter(|function| function.undeclared).map(|function| &*function.name).collect();
    assert_eq!(undeclared, ["__not_strictly_false__", "_in_", "in"]);
    let goes_on = |value| answer(&functions, "@not_strictly_false", "not_strictly_false", &[value]);
    assert_eq!(goes_on(Val::Bool(false)), "bool false");
    assert_eq!(goes_on(Val::Bool(true)), "bool true");
}

#[test]
fn texts() {
    check(
        "size",
        &[
            (&[text("h\u{e9}llo\u{1f44b}")], "int 6"),
            (&[bytes(b"\xc3\xa9")], "int 2"),
            (&[Val::list(vec![int(1)])], "int 1"),
            (&[map(vec![])], "int 0"),
            (&[int(1)], "not an operand"),
        ],
    );
    check(
        "matches",
        &[
            (&[text("v1beta2"), text("beta[0-9]")], "bool true"),
            (&[text("v1"), text("^beta")], "bool false"),
            (&[text("a"), text("(")], "error: error parsing regexp: missing closing ): `(`"),
            (&[text("a"), text("a{1001}")], "error: error parsing regexp: invalid repeat count: `{1001}`"),
            (&[text("a"), int(1)], NO_OVERLOAD),
            (&[int(1), text("a")], "not an operand"),
        ],
    );
    let functions = functions();
    let about = |name: &str, id: &str, left: Val, right: Val| answer(&functions, name, id, &[left, right]);
    assert_eq!(about("contains", "contains_string", text("abc"), text("bc")), "bool true");
    assert_eq!(about("contains", "contains_string", text("abc"), text("")), "bool true");
    assert_eq!(about("startsWith", "starts_with_string", text("abc"), text("bc")), "bool false");
    assert_eq!(about("endsWith", "ends_with_string", text("abc"), text("bc")), "bool true");
    // These look at the types themselves.
    assert_eq!(about("contains", "contains_string", int(1), text("a")), NO_OVERLOAD);
    assert_eq!(about("endsWith", "ends_with_string", text("a"), int(1)), NO_OVERLOAD);
    let unguarded = functions.iter().filter(|function| function.unguarded).count();
    assert_eq!(unguarded, 3);
}

#[test]
fn conversions() {
    check(
        "type",
        &[
            (&[int(1)], "type int"),
            (&[Val::Type(Type::Int)], "type type"),
            (&[map(vec![])], "type map(dyn, dyn)"),
        ],
    );
    check("dyn", &[(&[text("a")], "string a")]);
    let functions = functions();
    let convert = |name: &str, id: &str, value: Val| answer(&functions, name, id, &[value]);
    assert_eq!(convert("string", "double_to_string", double(1e20)), "string 1e+20");
    assert_eq!(convert("string", "bytes_to_string", bytes(b"\xff")), {
        "error: invalid UTF-8 in bytes, cannot convert to string"
    });
    assert_eq!(convert("string", "duration_to_string", Val::Duration(5_400_000_000_000)), "string 5400s");
    assert_eq!(convert("bytes", "string_to_bytes", text("\u{e9}")), "bytes [195 169]");
    assert_eq!(convert("int", "string_to_int64", text("1_0")), {
        "error: type conversion error from 'string' to 'int'"
    });
    assert_eq!(convert("uint", "double_to_uint64", double(-1.0)), UNSIGNED_OVERFLOW);
    assert_eq!(convert("bool", "string_to_bool", text("tRue")), {
        "error: type conversion error from 'string' to 'bool'"
    });
    assert_eq!(convert("double", "string_to_double", text("0x1p-2")), "double 0.25");
}

#[test]
fn joining_takes_memory() {
    let functions = functions();
    let limit = "error: the values of the expression take more memory than the limit";
    let long = text(&"a".repeat(100));
    let sum = |left: &Val, right: &Val, memory| {
        answer_within(&functions, "_+_", "", &[left.clone(), right.clone()], memory)
    };
    assert_eq!(sum(&long, &long, 199), limit);
    assert!(sum(&long, &long, 200).starts_with("string aaa"));
    let list = Val::List(vec![int(1); 10].into());
    assert_eq!(sum(&list, &list, 20), limit);
    // Nothing is copied where one side is empty.
    assert!(sum(&list, &Val::list(vec![]), 0).starts_with("list [1, 1"));
    assert!(sum(&text(""), &long, 0).starts_with("string aaa"));
}

#[test]
fn elements_of_an_input() {
    let native = convoy_value::Value::List(Arc::new(vec![convoy_value::Value::Int(1)]));
    let list = Val::from(&native);
    check(
        "_+_",
        &[
            (&[list.clone(), Val::list(vec![Val::Null])], "list [1, 0]"),
            (&[list.clone(), list.clone()], "list [1, 1]"),
        ],
    );
    check("@in", &[(&[uint(1), list], "bool true")]);
}
