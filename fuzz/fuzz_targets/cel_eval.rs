//! An expression of CEL run over the variables of the conformance cases, checked and unchecked: whatever is watched
//! while it runs, the answer is the same, and within the limits.
#![no_main]

use std::collections::HashSet;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};

use convoy_cel::check::{Checked, check, unchecked};
use convoy_cel::eval::{Evaluation, Limits, Program};
use convoy_cel::parse::parse;
use convoy_cel::value::equal::equal;
use convoy_cel::value::show::go_text;
use convoy_cel::value::{ErrorKind, List, Map, Outcome, Val};
use convoy_fuzz::cel::{ENV, VARIABLES};
use convoy_fuzz::remember;
use libfuzzer_sys::{Corpus, fuzz_target};

/// Enough for any expression that a fuzzer writes to reach its end, and little enough for thousands of runs a second.
const STEPS: u64 = 20_000;
const MEMORY: u64 = 1 << 20;

/// The bytes of the variables and of the constants that a text of the longest length can have.
const GIVEN: usize = 256 << 10;

fuzz_target!(|data: &[u8]| -> Corpus {
    remember(data);
    let Ok(text) = std::str::from_utf8(data) else { return Corpus::Reject };
    let parsed = parse(text, &ENV);
    if !parsed.issues.is_empty() {
        return Corpus::Keep;
    }
    let checked = check(parsed.ast.clone(), &ENV);
    if checked.issues.is_empty() {
        run(&checked);
    }
    run(&unchecked(parsed.ast));
    Corpus::Keep
});

fn run(checked: &Checked) {
    static PLAIN: LazyLock<Limits<'static>> =
        LazyLock::new(|| Limits { steps: STEPS, memory: MEMORY, ..Limits::default() });
    let Ok(program) = Program::new(checked, &ENV) else { return };
    let eval = |limits: Limits<'_>| program.eval(&VARIABLES, &limits);
    let plain = eval(*PLAIN);
    assert_outcome(&plain.result);
    assert_eq!(plain.cost, 0);
    assert!(plain.values.is_empty() && plain.further.is_empty());
    assert_same(&plain, &eval(*PLAIN));

    let tracked = eval(Limits { track_cost: true, ..*PLAIN });
    assert_same(&plain, &tracked);

    let recorded = eval(Limits { record: true, track_cost: true, ..*PLAIN });
    assert_same(&plain, &recorded);
    if !is_limit(&plain.result) && !is_limit(&recorded.result) {
        assert_eq!(recorded.cost, tracked.cost);
        let root = checked.ast.root.map(|root| checked.ast.id(root));
        let value = root.and_then(|root| recorded.values.get(&root));
        assert!(value.is_none_or(|value| shown(value) == shown(&recorded.result)), "{value:?}");
        cost_limit(&program, tracked.cost, &plain);
    }

    let all = eval(Limits { all_errors: true, ..*PLAIN });
    if !is_limit(&all.result) {
        assert_same(&plain, &all);
    }
    assert!(all.further.is_empty() || all.result.is_err(), "{:?}", all.further);
    for error in &all.further {
        assert!(!matches!(error.0.kind, ErrorKind::Limit | ErrorKind::Cancelled), "{error:?}");
    }
    cancelled(&program, &plain);
}

/// A limit at the cost lets the expression pass, one below does not.
fn cost_limit(program: &Program, cost: u64, plain: &Evaluation) {
    let eval = |cost| {
        program
            .eval(&VARIABLES, &Limits { cost: Some(cost), steps: STEPS, memory: MEMORY, ..Limits::default() })
    };
    assert_same(plain, &eval(cost));
    if let Some(less) = cost.checked_sub(1) {
        let ended = eval(less);
        let error = ended.result.expect_err("the cost is above the limit");
        assert_eq!(error.0.kind, ErrorKind::Limit, "{error:?}");
    }
}

/// Who gives up gets an answer at once.
fn cancelled(program: &Program, plain: &Evaluation) {
    let asked = AtomicU32::new(0);
    let give_up = || asked.fetch_add(1, Ordering::Relaxed) >= 1;
    let limits = Limits { cancelled: Some(&give_up), steps: STEPS, memory: MEMORY, ..Limits::default() };
    let evaluation = program.eval(&VARIABLES, &limits);
    match &evaluation.result {
        Err(error) if error.0.kind == ErrorKind::Cancelled => {
            assert_eq!(asked.load(Ordering::Relaxed), 2, "asked again after it was told to give up");
        }
        _ => assert_same(plain, &evaluation),
    }
}

fn is_limit(outcome: &Outcome) -> bool {
    outcome.as_ref().is_err_and(|error| error.0.kind == ErrorKind::Limit)
}

/// Two runs give the same. Where one keeps more values than the other, a limit may be passed earlier.
#[track_caller]
fn assert_same(left: &Evaluation, right: &Evaluation) {
    if !is_limit(&left.result) && !is_limit(&right.result) {
        assert_eq!(shown(&left.result), shown(&right.result));
    }
}

/// All that can be told of an outcome; a value as text, since NaN is not equal to itself.
fn shown(outcome: &Outcome) -> String {
    match outcome {
        Ok(value) => format!("{} {}", value.ty().name(), go_text(value)),
        Err(error) => format!("{error:?}"),
    }
}

/// The outcome can be handled, and its value is within the limits.
fn assert_outcome(outcome: &Outcome) {
    match outcome {
        Err(error) => assert!(!error.message().is_empty(), "{error:?}"),
        Ok(value) => {
            equal(value, value);
            let size = size(value);
            assert!(size <= MEMORY as usize + GIVEN, "{size} bytes");
        }
    }
}

/// The bytes of a value that the expression made, what is shared counted once.
fn size(value: &Val) -> usize {
    let mut seen = HashSet::new();
    let mut pending = vec![value.clone()];
    let mut bytes = 0;
    while let Some(value) = pending.pop() {
        match value {
            Val::String(text) if seen.insert(text.as_ptr().addr()) => bytes += text.len(),
            Val::Bytes(data) if seen.insert(data.as_ptr().addr()) => bytes += data.len(),
            Val::List(List::Vals(items)) if seen.insert(items.as_ptr().addr()) => {
                bytes += items.len() * size_of::<Val>();
                pending.extend(items.iter().cloned());
            }
            Val::Map(Map::Vals(map)) if seen.insert(std::sync::Arc::as_ptr(&map).addr()) => {
                bytes += map.len() * 2 * size_of::<Val>();
                pending.extend(Map::Vals(map).iter().flat_map(|(key, value)| [key, value]));
            }
            Val::Optional(Some(inner)) => pending.push(Val::clone(&inner)),
            _ => {}
        }
    }
    bytes
}
