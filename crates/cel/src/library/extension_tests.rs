//! The extensions against cel-go: calls with the value, error and cost that cel-go v0.29.2 gave for them.
//!
//! A line of the data has the library (`lib`), its `version`, the function (`fn`), whether it is a `member`, the
//! arguments (`args`), whether these were variables of type `dyn`, the `overload` if the checker knew it, then the value
//! (`out`) or error (`err`), and the `cost` of the call alone. Values are written as in the conformance cases.

use std::cell::Cell;
use std::mem::ManuallyDrop;
use std::sync::Arc;

use convoy_value::{Value, json};

use crate::function::{Binding, Context, Function, Overload};
use crate::re2::Cache;
use crate::types::Type;
use crate::value::{ErrorKind, EvalError, Map, Outcome, Timestamp, Val};

fn with_context<T>(memory: u64, steps: u64, run: impl FnOnce(&Context<'_>) -> T) -> T {
    let regexes = Cache::default();
    run(&Context { memory: Cell::new(memory), steps: Cell::new(steps), cancelled: None, regexes: &regexes })
}

fn field<'a>(case: &'a Value, name: &str) -> Option<&'a Value> {
    case.as_map().and_then(|map| map.get(name))
}

fn text(value: &Value) -> &str {
    match value {
        Value::String(text) => text,
        other => panic!("{other:?} is no text"),
    }
}

fn items(value: &Value) -> &[Value] {
    match value {
        Value::List(items) => items,
        other => panic!("{other:?} is no list"),
    }
}

fn value(written: &Value) -> Val {
    let parts = items(written);
    let number = |index: usize| text(&parts[index]).parse::<i64>().unwrap();
    match text(&parts[0]) {
        "null" => Val::Null,
        "bool" => Val::Bool(parts[1] == Value::Bool(true)),
        "int" => Val::Int(number(1)),
        "uint" => Val::Uint(text(&parts[1]).parse().unwrap()),
        "double" => Val::Double(f64::from_bits(text(&parts[1]).parse().unwrap())),
        "string" => Val::string(text(&parts[1])),
        "bytes" => {
            let digits = text(&parts[1]);
            let byte = |at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap();
            Val::Bytes((0..digits.len()).step_by(2).map(byte).collect())
        }
        "dur" => Val::Duration(number(1) * 1_000_000_000 + number(2)),
        "ts" => Val::Timestamp(Timestamp::utc(number(1), number(2) as u32)),
        "type" => Val::Type(match text(&parts[1]) {
            "int" => Type::Int,
            "string" => Type::String,
            "list" => Type::list(Type::Dyn),
            "null_type" => Type::Null,
            "google.protobuf.Timestamp" => Type::Timestamp,
            other => panic!("unknown type {other}"),
        }),
        "opt" => Val::Optional(parts.get(1).map(|inner| Arc::new(value(inner)))),
        "list" => Val::list(items(&parts[1]).iter().map(value).collect()),
        "map" => {
            let entry = |entry: &Value| (value(&items(entry)[0]), value(&items(entry)[1]));
            Val::Map(Map::from_entries(items(&parts[1]).iter().map(entry)))
        }
        other => panic!("unknown kind {other}"),
    }
}

/// A value as text in which equal values of one type are equal, the order of maps aside. All NaN are one.
fn canonical(value: &Val) -> String {
    match value {
        Val::Double(value) if value.is_nan() => "NaN".to_owned(),
        Val::Double(value) => format!("double {}", value.to_bits()),
        Val::List(list) => format!("{:?}", list.iter().map(|item| canonical(&item)).collect::<Vec<_>>()),
        Val::Map(map) => {
            let mut entries: Vec<_> = map
                .iter()
                .map(|(key, value)| format!("{}: {}", canonical(&key), canonical(&value)))
                .collect();
            entries.sort();
            format!("map {entries:?}")
        }
        other => format!("{other:?}"),
    }
}

fn library(name: &str, version: u32) -> Vec<Function> {
    match name {
        "strings" => super::strings::functions(version),
        "lists" => super::lists::functions(version),
        "sets" => super::sets::functions(version),
        "math" => super::math::functions(version),
        "two_variable" => super::two_variable::functions(version),
        other => panic!("unknown library {other}"),
    }
}

/// Whether a value may be an argument for a parameter, by what cel-go looks at: the type and the first element.
fn fits(param: &Type, value: &Val) -> bool {
    match (param, value) {
        (Type::Dyn | Type::Param(_), _) => true,
        (Type::List(element), Val::List(list)) => list.get(0).is_none_or(|first| fits(element, &first)),
        (Type::Map(_), Val::Map(_)) => true,
        (param, value) => *param == value.ty(),
    }
}

fn overload<'a>(function: &'a Function, id: Option<&str>, args: &[Val]) -> Option<&'a Overload> {
    match id {
        Some(id) => {
            let found = function.overloads.iter().find(|overload| &*overload.id == id);
            Some(found.unwrap_or_else(|| panic!("{} has no overload {id}", function.name)))
        }
        None => function.overloads.iter().find(|overload| {
            overload.params.len() == args.len()
                && overload.params.iter().zip(args).all(|(param, value)| fits(param, value))
        }),
    }
}

/// Runs a case; what differs, if anything does.
fn difference(case: &Value) -> Option<String> {
    let name = text(field(case, "fn").unwrap());
    let Some(Value::Int(version)) = field(case, "version") else { panic!("no version") };
    let functions = library(text(field(case, "lib").unwrap()), *version as u32);
    let error = field(case, "err").map(text);
    let Some(function) = functions.iter().find(|function| &*function.name == name) else {
        return (error != Some("unknown function")).then(|| "the function is missing".to_owned());
    };
    match error {
        Some("unknown function") => return Some("the function is there".to_owned()),
        // What the checker or the evaluator refuse before the call.
        Some("check") => return None,
        Some(error)
            if error.starts_with(&format!("no such overload: {name}")) && function.singleton.is_some() =>
        {
            return None;
        }
        Some(error) if error.starts_with(&format!("no such overload: {name}(")) => return None,
        _ => {}
    }
    let args: Vec<Val> = items(field(case, "args").unwrap()).iter().map(value).collect();
    let overload = overload(function, field(case, "overload").map(text), &args);
    if let Some(overload) = overload
        && overload.member != field(case, "member").is_some()
    {
        return Some("the style differs".to_owned());
    }
    let binding: Binding = match (&function.singleton, overload) {
        (Some(singleton), _) => singleton.binding,
        (None, Some(overload)) => overload.binding.expect("an overload without implementation"),
        (None, None) => return Some("no overload fits".to_owned()),
    };
    let outcome: Outcome = with_context(1 << 30, 1 << 30, |context| (binding.call)(context, &args));
    if let (Some(Value::Int(cost)), Some(overload)) = (field(case, "cost"), overload)
        && let Some(ours) = overload.cost.and_then(|cost| cost(&args, outcome.as_ref().ok()))
        && ours != *cost as u64
    {
        return Some(format!("costs {ours}"));
    }
    let ours = outcome.as_ref().map(canonical).map_err(EvalError::message);
    let theirs = match (field(case, "out"), error) {
        (Some(out), _) => Ok(canonical(&value(out))),
        (None, error) => Err(error.unwrap_or_default()),
    };
    (ours != theirs).then(|| format!("{ours:?}"))
}

fn run(cases: &str) {
    let mut count = 0;
    let mut wrong = Vec::new();
    for line in cases.lines() {
        count += 1;
        let case = json::parse(line).unwrap().to_value();
        if let Some(difference) = difference(&case) {
            wrong.push(format!("{line}\n  {difference}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {count} differ:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(25)].join("\n")
    );
}

#[test]
fn calls_as_in_cel_go() {
    run(include_str!("../../tests/data/extensions.jsonl"));
}

#[test]
fn formats_as_in_cel_go() {
    run(include_str!("../../tests/data/format.jsonl"));
}

fn call(functions: &[Function], id: &str, args: &[Val], memory: u64, steps: u64) -> Outcome {
    let overload =
        functions.iter().flat_map(|function| &function.overloads).find(|overload| &*overload.id == id);
    let binding = overload.unwrap().binding.unwrap();
    with_context(memory, steps, |context| (binding.call)(context, args))
}

/// The kind of the error with which a call fails under limits of a million bytes and a million steps.
fn failure(functions: &[Function], id: &str, args: &[Val]) -> ErrorKind {
    call(functions, id, args, 1_000_000, 1_000_000).unwrap_err().0.kind
}

#[test]
fn results_are_bounded() {
    let strings = super::strings::functions(4);
    let many = Val::string("a".repeat(10_000));
    let replace = [many.clone(), Val::string(""), many.clone()];
    assert_eq!(failure(&strings, "string_replace_string_string", &replace), ErrorKind::Limit);
    let format = [Val::string("%.9999999f"), Val::list(vec![Val::Double(0.5)])];
    assert_eq!(failure(&strings, "string_format", &format), ErrorKind::Limit);
    let repeated = Val::list(vec![many; 200]);
    assert_eq!(failure(&strings, "list_join", &[repeated]), ErrorKind::Limit);
    let lists = super::lists::functions(3);
    assert_eq!(failure(&lists, "lists_range", &[Val::Int(1_000_000)]), ErrorKind::Limit);
}

#[test]
fn shared_lists_do_not_take_forever() {
    // 2^60 lists, though only sixty are in memory.
    let mut nested = Val::list(Vec::new());
    for _ in 0..60 {
        nested = Val::list(vec![nested.clone(), nested]);
    }
    let lists = super::lists::functions(3);
    assert_eq!(failure(&lists, "list_flatten_int", &[nested.clone(), Val::Int(100)]), ErrorKind::Limit);
    let strings = super::strings::functions(5);
    let format = [Val::string("%s"), Val::list(vec![nested])];
    assert_eq!(failure(&strings, "string_format", &format), ErrorKind::Limit);
}

#[test]
fn deep_values_do_not_overflow_the_stack() {
    let depth = 20_000;
    let mut deep = Val::Int(1);
    for _ in 0..depth {
        deep = Val::list(vec![Val::Map(Map::from_entries([(Val::string("k"), deep)]))]);
    }
    let mut deep_list = Val::Int(1);
    for _ in 0..depth {
        deep_list = Val::list(vec![deep_list]);
    }
    for version in [3, 5] {
        let functions = super::strings::functions(version);
        let args = ManuallyDrop::new([Val::string("%s"), Val::list(vec![deep.clone()])]);
        assert!(call(&functions, "string_format", &*args, 1 << 40, 1 << 40).is_ok());
    }
    let lists = super::lists::functions(3);
    let args = ManuallyDrop::new([deep_list, Val::Int(i64::MAX)]);
    assert!(call(&lists, "list_flatten_int", &*args, 1 << 40, 1 << 40).is_ok());
    // Values that are nested so deep cannot be dropped on the stack of a test.
    std::mem::forget(deep);
}

#[test]
fn a_map_that_nobody_else_holds_grows_in_place() {
    with_context(1_000_000, 100, |context| {
        let mut map = Map::from_entries([]);
        // A copy for each entry would take more memory and steps than the limits.
        for index in 0..2_000 {
            match super::two_variable::insert(context, map, &Val::Int(index), &Val::Null) {
                Ok(Val::Map(grown)) => map = grown,
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(map.len(), 2_000);
        let kept = map.clone();
        assert!(super::two_variable::insert(context, map, &Val::Int(-1), &Val::Null).is_err());
        assert_eq!(kept.len(), 2_000);
    });
}
