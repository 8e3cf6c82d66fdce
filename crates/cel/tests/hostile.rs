//! Expressions that would take all memory, all time or all of the stack: each ends with a value or with a named error
//! before a test would be noticed to be slow. They run with the limits that the program uses, over an object of a
//! megabyte, on threads with a stack of 2 MiB.

// Helpers of tests may fail as tests do.
#![allow(clippy::unwrap_used)]

use std::sync::{Arc, LazyLock};

use convoy_cel::check::{Checked, check, unchecked};
use convoy_cel::env::{Env, Library};
use convoy_cel::eval::{Evaluation, Limits, Program, Variables};
use convoy_cel::issue::report;
use convoy_cel::parse::parse;
use convoy_cel::types::Type;
use convoy_cel::value::Val;
use convoy_cel::value::equal::equal;
use convoy_cel::value::show::go_text;
use convoy_value::Value;

const STEPS: &str = "the expression takes more steps than the limit";
const MEMORY: &str = "the values of the expression take more memory than the limit";
const DEPTH: &str = "the values of the expression nest deeper than the limit";
const NODES: &str = "expression is too large: more than ";
const NESTED: &str = "expression recursion limit exceeded: 250";
const DEEP_TREE: &str = "max recursion depth exceeded";

/// A loop that goes round until the steps are used up.
const LOOP: &str = "lists.range(200000)";

static ENV: LazyLock<Env> = LazyLock::new(|| {
    let mut env = Env::standard();
    for library in Library::ALL {
        env.add(library, u32::MAX).unwrap();
    }
    env.add_variable("object", Type::map(Type::String, Type::Dyn));
    env
});

/// An object with a text of a megabyte, a list of 100,000 numbers, one of 20,000 texts, a map with as many keys, and
/// maps in maps.
static VARIABLES: LazyLock<Variables> = LazyLock::new(|| {
    let named = |name: &str, value| (Arc::<str>::from(name), value);
    let texts = (0..20_000).map(|number| Value::from(format!("text {number:020}")));
    let entries = (0..20_000).map(|number| (format!("key {number}"), Value::Int(number)));
    let deep = (0..1_000).fold(Value::Int(1), |inner, _| Value::map([named("a", inner)]));
    let object = Value::map([
        named("text", Value::from("a".repeat(1_000_000))),
        named("numbers", Value::list((0..100_000).map(Value::Int))),
        named("texts", Value::list(texts)),
        named("entries", Value::map(entries)),
        named("deep", deep),
    ]);
    Variables::from([("object".into(), Val::from(&object))])
});

/// What comes of an expression: `ok` and the type, or the text of the first error.
fn outcome(text: &str) -> String {
    compiled(text).map_or_else(|message| message, |checked| outcome_of(&checked))
}

fn compiled(text: &str) -> Result<Checked, String> {
    let parsed = parse(text, &ENV);
    if let Some(issue) = parsed.issues.first() {
        report(text, &parsed.issues);
        return Err(issue.message.to_string());
    }
    let checked = check(parsed.ast, &ENV);
    match checked.issues.first() {
        Some(issue) => Err(issue.message.to_string()),
        None => Ok(checked),
    }
}

fn outcome_of(checked: &Checked) -> String {
    let plain = run(checked, &Limits::default());
    // What is watched makes no difference, as far as these expressions go.
    let watched = Limits { track_cost: true, all_errors: true, ..Limits::default() };
    assert_eq!(shown(&run(checked, &watched)), shown(&plain));
    shown(&plain)
}

fn run(checked: &Checked, limits: &Limits<'_>) -> Evaluation {
    match Program::new(checked, &ENV) {
        Ok(program) => program.eval(&VARIABLES, limits),
        Err(message) => panic!("no program: {message}"),
    }
}

fn shown(evaluation: &Evaluation) -> String {
    match &evaluation.result {
        Ok(value) => format!("ok {}", value.ty().name()),
        Err(error) => error.message().to_owned(),
    }
}

#[track_caller]
fn ends(text: &str, wanted: &str) {
    let found = outcome(text);
    assert!(found == wanted, "{text:.200}: {found:.300}");
}

/// In each round of a loop.
#[track_caller]
fn loops(predicate: &str, wanted: &str) {
    ends(&format!("{LOOP}.all(i, {predicate})"), wanted);
}

/// `a` bound to a value, `b` to one that is made of it, and so on, with a value that is made of the last.
fn chain(first: &str, next: impl Fn(&str) -> String, levels: usize, last: impl Fn(&str) -> String) -> String {
    let mut text = format!("cel.bind(x0, {first}, ");
    for level in 1..levels {
        text += &format!("cel.bind(x{level}, {}, ", next(&format!("x{}", level - 1)));
    }
    text + &last(&format!("x{}", levels - 1)) + &")".repeat(levels)
}

#[test]
fn loops_end() {
    ends(
        "lists.range(9223372036854775807)",
        "lists.range: size 9223372036854775807 exceeds maximum allowed (1000000)",
    );
    ends("lists.range(1000000)", STEPS);
    let nested = "lists.range(1000).all(a, lists.range(1000).all(b, lists.range(1000).all(c, lists.range(1000).all(d, true))))";
    ends(nested, STEPS);
    let made = outcome(&nested.replace(".all(", ".map("));
    assert!([STEPS, MEMORY].contains(&&*made), "{made}");
    let wide = vec!["i < 0"; 400].join(" || ");
    loops(&format!("{wide} || true"), STEPS);
    loops(
        &format!("{{{}}} != {{}}", (0..700).map(|key| format!("{key}: 1")).collect::<Vec<_>>().join(", ")),
        STEPS,
    );
    // Each link of a chain is a step.
    loops(&format!("object.deep{} != 1", ".a".repeat(200)), STEPS);
    loops(&format!("has(object.deep{})", ".a".repeat(200)), STEPS);
}

#[test]
fn growth_ends() {
    ends(&chain("'0123456789'", |x| format!("{x} + {x}"), 60, str::to_owned), MEMORY);
    ends(&chain("'a'", |x| format!("[{x}, {x}, {x}, {x}].join()"), 60, str::to_owned), MEMORY);
    ends(&chain("'a'", |x| format!("{x}.replace('a', 'aaaaaaaa')"), 60, str::to_owned), MEMORY);
    ends(&chain("'a'", |x| format!("regex.replace({x}, 'a', 'aaaaaaaa')"), 60, str::to_owned), STEPS);
    ends(
        &chain("'%s'", |x| format!("(\"%s%s%s%s\").format([{x}, {x}, {x}, {x}])"), 60, str::to_owned),
        MEMORY,
    );
    ends(&chain("b'a'", |x| format!("{x} + {x}"), 60, str::to_owned), MEMORY);
    ends(&chain("[1]", |x| format!("{x} + {x}"), 60, str::to_owned), MEMORY);
    ends(&chain("'\\''", |x| format!("strings.quote({x} + {x})"), 60, str::to_owned), MEMORY);
    ends(&format!("{LOOP}.map(i, object.text.split(''))"), MEMORY);
    ends(&format!("{LOOP}.map(i, object.text.split('a'))"), MEMORY);
    ends(&format!("{LOOP}.map(i, object.numbers + [i])"), MEMORY);
    let formats = format!("'{}'.format([{}])", "%.100f".repeat(300), vec!["1e308"; 300].join(", "));
    loops(&format!("{formats} != ''"), STEPS);
    let message = "could not parse formatting clause: error while parsing precision: precision 999999999 exceeds maximum allowed precision 100";
    ends("'%.999999999f'.format([1.0])", message);
}

#[test]
fn shared_parts_are_not_written_out() {
    // 2^59 ones, in a few lists.
    let with = |last: &dyn Fn(&str) -> String| chain("[1]", |x| format!("[{x}, {x}]"), 60, last);
    ends(&with(&str::to_owned), "ok list");
    ends(&with(&|x| format!("{x} == [{}, {}]", x.replace("59", "58"), x.replace("59", "58"))), "ok bool");
    ends(&with(&|x| format!("{x} in [{x}]")), "ok bool");
    ends(&with(&|x| format!("json.encode({x})")), STEPS);
    ends(&with(&|x| format!("'%s'.format([{x}])")), STEPS);
    ends(&with(&|x| format!("{x}.flatten(100)")), STEPS);
    ends(&with(&|x| format!("google.protobuf.Value{{list_value: {x}}}")), MEMORY);
    ends(&with(&|x| format!("google.protobuf.ListValue{{values: {x}}}")), MEMORY);
    let shown = outcome(&chain("dyn([1])", |x| format!("dyn([{x}, {x}])"), 60, |x| format!("[?dyn({x})]")));
    assert!(shown.starts_with("cannot initialize optional list element from non-optional value [[["));
    assert!(shown.len() < 100_000);
    let checked = compiled(&with(&str::to_owned)).unwrap();
    let value = run(&checked, &Limits::default()).result.unwrap();
    assert!(equal(&value, &value) && go_text(&value).len() < 100_000);
}

#[test]
fn chained_optionals_end() {
    for maps in [".optMap(x, x)", ".optFlatMap(x, optional.of(x))"] {
        ends(&format!("optional.of(1){}", maps.repeat(8)), "ok optional_type");
        // Each link doubles what is before it.
        assert!(outcome(&format!("optional.of(1){}", maps.repeat(60))).starts_with(NODES));
    }
}

#[test]
fn functions_count_what_they_do() {
    for predicate in [
        "!object.text.contains('zz')",
        "!object.text.contains('aaaaaaaaaaaaaaaaaaaaab')",
        "size(object.text) > 0",
        "object.text <= object.text",
        "object.text.startsWith(object.text)",
        "object.text.endsWith(object.text)",
        "object.text.indexOf('b') < 0",
        "object.text.lastIndexOf('b', 500000) < 0",
        "object.text.charAt(999999) == 'a'",
        "object.text.substring(999999) == 'a'",
        "object.text.lowerAscii() != ''",
        "object.text.trim() != ''",
        "object.text.replace('b', 'c') != ''",
        "object.text.replace('a', '') == ''",
        "!isIP(object.text)",
        "'%f'.format([1e308 / 3.0]) != ''",
        "!('x' in object.texts) || i < 0",
        "object.texts.sort() != []",
        "object.texts.exists(text, text == 'x') || true",
        "sets.contains(object.texts, object.texts)",
        "math.greatest(object.numbers) > 0",
        "optional.unwrap([optional.of(object.numbers)]) != []",
    ] {
        loops(predicate, STEPS);
    }
    let sorted = "list elements must be comparable";
    ends("lists.range(20000).map(i, [i]).map(i, dyn(i)).sortBy(i, i)", sorted);
    ends("lists.range(100000).map(i, object.text).sort()", STEPS);
    ends("lists.range(30000).map(i, object.text).distinct()", STEPS);
    ends(
        "cel.bind(l, lists.range(1000).map(i, object.text), lists.range(1000).all(j, sets.contains(l, l)))",
        STEPS,
    );
    ends(&format!("cel.bind(l, lists.range(100000).map(i, ''), {LOOP}.all(i, l.join() == ''))"), STEPS);
    // A set of numbers is compared one by one.
    ends("sets.equivalent(lists.range(10000), lists.range(10000).reverse())", STEPS);
    ends("lists.range(10000).distinct()", STEPS);
}

#[test]
fn comparisons_count_what_they_do() {
    loops("object.text + 'a' != object.text + 'b'", MEMORY);
    for predicate in [
        "object.text == object.text",
        "object.numbers == object.numbers",
        "object.entries == object.entries",
        "[object.numbers, object.texts] == [object.numbers, object.texts]",
        "object.numbers in [object.numbers]",
    ] {
        loops(predicate, STEPS);
    }
    ends(
        &format!("cel.bind(l, lists.range(1000).map(i, object.numbers), {LOOP}.all(i, l.distinct() != []))"),
        STEPS,
    );
    // Keys of other types than the usual ones are found one by one.
    let keys = (0..150).map(|key| format!("duration('{key}s'): 1")).collect::<Vec<_>>().join(", ");
    ends(&format!("cel.bind(m, {{{keys}}}, {LOOP}.all(i, m == m))"), STEPS);
    ends(&format!("cel.bind(m, {{{keys}}}, {LOOP}.all(i, !(null in m)))"), STEPS);
    let entry = |value: &str| format!("google.protobuf.Struct.FieldsEntry{{key: 'a', value: {value}}}");
    let both = format!("cel.bind(a, {0}, cel.bind(b, {0}, {LOOP}.all(i, a == b)))", entry("object.numbers"));
    ends(&both, STEPS);
}

#[test]
fn keys_count() {
    for predicate in [
        "!(object.text in object.entries)",
        "object[?object.text] == optional.none()",
        "{object.text: 1} != {}",
    ] {
        loops(predicate, STEPS);
    }
    ends(&format!("{LOOP}.transformMapEntry(i, v, {{object.text + string(v): 1}})"), MEMORY);
    ends("lists.range(100000).transformMapEntry(i, v, {duration(string(v) + 's'): 1})", STEPS);
}

#[test]
fn messages_count() {
    for message in [
        "google.protobuf.ListValue{values: object.numbers}",
        "google.protobuf.Struct{fields: object.entries}",
        "google.protobuf.Value{list_value: object.numbers}",
    ] {
        ends(&format!("{LOOP}.map(i, {message})"), MEMORY);
    }
    let any = "google.protobuf.Any{type_url: 'type.googleapis.com/google.protobuf.BytesValue', value: bytes(object.text)}";
    loops(&format!("{any} != b''"), MEMORY);
}

#[test]
fn regular_expressions_end() {
    ends("object.text.matches('(a*)*b')", "ok bool");
    for predicate in [
        "!object.text.matches('(a*)*b')",
        "object.text.matches('(a|aa)+$')",
        r"!object.text.matches('[^\\pL]{500}')",
        "'a'.matches('(a?){500}b' + string(i)) || true",
        "!'a'.matches('(a{1000}){1}' + string(i))",
        r"!'a'.matches('\\pL{500}\\pN{400}')",
        r"!'a'.matches('\\pL{900}' + string(i))",
        "regex.replace(object.text, 'a', '') == ''",
        "regex.extractAll(object.text, '^') != []",
        "regex.extractAll(object.text, '(b*)') == []",
    ] {
        loops(predicate, STEPS);
    }
    loops("!'a'.matches(object.text)", "the regular expression takes more memory than the limit");
    ends("'a'.matches('(a{1000}){1000}')", "error parsing regexp: invalid repeat count: `{1000}`");
    let nested = outcome(&format!("'a'.matches('{}a{}')", "(".repeat(2000), ")".repeat(2000)));
    assert_eq!(nested.split(": `").next(), Some("error parsing regexp: expression nests too deeply"));
}

#[test]
fn errors_are_bounded() {
    // The text of each error is a part of the key.
    let missing = format!("[{}]", vec!["object.entries[object.text]"; 200].join(", "));
    let checked = compiled(&missing).unwrap();
    let all = run(&checked, &Limits { all_errors: true, ..Limits::default() });
    assert!(all.result.unwrap_err().message().starts_with("no such key: aaa"));
    assert!(!all.further.is_empty() && all.further.len() < 100);
    let many = compiled(&format!("[{}]", vec!["dyn(1).a"; 1000].join(", "))).unwrap();
    let all = run(&many, &Limits { all_errors: true, ..Limits::default() });
    assert_eq!(all.further.len(), 100);
    for body in ["[?dyn(object.numbers)]", "object.entries[object.text]", "int(object.text)"] {
        let found = outcome(&format!("{LOOP}.exists(i, {body} == dyn(1))"));
        assert!(
            [STEPS, MEMORY].contains(&&*found) || found.starts_with("found no matching"),
            "{body}: {found:.100}"
        );
    }
}

#[test]
fn texts_without_end_are_read() {
    let repeated = |part: &str, times: usize| part.repeat(times);
    for (text, wanted) in [
        (repeated("!", 10_000) + "true", "ok bool"),
        (repeated("!", 10_001) + "true", "ok bool"),
        (repeated("(", 10_000) + "1" + &repeated(")", 10_000), NESTED),
        (repeated("[", 10_000), NESTED),
        (repeated("{", 50_000), NESTED),
        (repeated("f(", 10_000), NESTED),
        (repeated("a.b(", 20_000), NESTED),
        (repeated("1 ? 2 : ", 12_000), NESTED),
        ("1".to_owned() + &repeated(" + 1", 10_000), DEEP_TREE),
        ("true".to_owned() + &repeated(" && true", 10_000), "ok bool"),
        ("object".to_owned() + &repeated(".a", 30_000), DEEP_TREE),
        ("'a'".to_owned() + &repeated(".trim()", 10_000), DEEP_TREE),
        ("[0]".to_owned() + &repeated(".map(x, x)", 5_000), DEEP_TREE),
        (repeated("1 - ", 20_000) + "1", DEEP_TREE),
    ] {
        ends(&text, wanted);
    }
    let odd = outcome(&(repeated("-", 10_001) + "1"));
    assert!(odd.starts_with("ok"), "{odd}");
    // What is found first in garbage is of no matter here.
    for garbage in [
        repeated("a ", 50_000),
        repeated("'", 100_000),
        repeated("\\", 100_000),
        repeated("?:", 50_000),
        repeated(", ", 50_000),
        repeated("é", 100_000),
        repeated("[1, ", 25_000),
        noise("abc()[]{}.,?:+-*/%!&|<>='\"\\`0123 \t\n", 100_000),
        noise("([{)]}", 100_000),
    ] {
        assert!(parse(&garbage, &ENV).ast.root.is_none() || compiled(&garbage).is_err());
    }
    let long = outcome(&repeated("a", 100_001));
    assert_eq!(long, "expression code point size exceeds limit: size: 100001, limit 100000");
}

/// Characters in an order without order.
fn noise(alphabet: &str, length: usize) -> String {
    let alphabet: Vec<char> = alphabet.chars().collect();
    let mut state = 1_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        alphabet[(state >> 33) as usize % alphabet.len()]
    };
    (0..length).map(|_| next()).collect()
}

#[test]
fn deep_expressions_fit_the_stack() {
    let around =
        |before: &str, inner: &str, after: &str, times| before.repeat(times) + inner + &after.repeat(times);
    for text in [
        around("[", "1", "]", 240),
        around("{'a': ", "1", "}", 240),
        around("(", "1", ")", 240),
        around("-(", "1", ")", 120),
        around("!(", "true", ")", 240),
        around("optional.of(", "1", ")", 200),
        around("[0][", "0", "]", 240),
        around("(true ? [0] : [1])[", "0", "]", 100),
        around("string(", "'a'", ")", 240),
        around("[1].map(x, ", "x", ")", 240),
        around("[1].exists_one(x, ", "true", ")", 100),
        around("cel.bind(x, 1, ", "x", ")", 240),
        around("(true ? ", "1", " : 2)", 100),
        around("google.protobuf.ListValue{values: [", "1", "]}", 100),
        "[0]".to_owned() + &".map(x, [x])".repeat(200),
    ] {
        let found = outcome(&text);
        assert!(found.starts_with("ok") || found == NESTED || found == DEEP_TREE, "{text:.100}: {found}");
        let parsed = parse(&text, &ENV);
        if parsed.issues.is_empty() {
            outcome_of(&unchecked(parsed.ast));
        }
    }
}

#[test]
fn deep_values_are_refused() {
    let levels = |open: &str, close: &str, rounds: usize, each: usize| {
        let wrapped = open.repeat(each) + "dyn(x)" + &close.repeat(each);
        "[0]".to_owned() + &format!(".map(x, {wrapped})").repeat(rounds)
    };
    // `map` makes a list and takes the element of one, so that each round adds the brackets alone.
    ends(&levels("[", "]", 9, 100), "ok list");
    ends(&levels("[", "]", 20, 100), DEPTH);
    ends(&levels("[", "]", 200, 100), DEPTH);
    ends(&levels("{1: ", "}", 100, 40), DEPTH);
    ends(&levels("optional.of(", ")", 100, 40), DEPTH);
    let bound =
        chain("dyn(0)", |x| format!("{}dyn({x}){}", "[".repeat(60), "]".repeat(60)), 60, str::to_owned);
    ends(&bound, DEPTH);
    let parsed = parse(&levels("[", "]", 150, 100), &ENV);
    assert_eq!(outcome_of(&unchecked(parsed.ast)), DEPTH);
    // What may be made can be compared, shown and dropped.
    let value = run(&compiled(&levels("[", "]", 9, 100)).unwrap(), &Limits::default()).result.unwrap();
    assert!(equal(&value, &value));
    assert_eq!(go_text(&value), format!("{}0{}", "[".repeat(901), "]".repeat(901)));
}

#[test]
fn shared_conditions_are_planned_once() {
    let text = (0..40).fold("0".to_owned(), |inner, _| format!("(true ? [0] : [1])[{inner}]"));
    ends(&text, "ok int");
}

#[test]
fn accumulators_grow_in_place_whoever_watches() {
    for text in [
        "lists.range(20000).map(i, i)",
        "lists.range(20000).filter(i, i % 2 == 0)",
        "lists.range(20000).transformMap(i, v, v)",
        "lists.range(20000).transformList(i, v, v % 2 == 0, v)",
    ] {
        let checked = compiled(text).unwrap();
        let watched = Limits { track_cost: true, record: true, ..Limits::default() };
        assert!(shown(&run(&checked, &watched)).starts_with("ok"), "{text}");
    }
}

#[test]
fn cost_tracking_takes_no_longer() {
    // Each round leaves something on the tracker's stack, which is not searched for what is not there.
    let text = format!("{LOOP}.all(i, string(1.5) != '')");
    let checked = compiled(&text).unwrap();
    let limits = Limits { track_cost: true, ..Limits::default() };
    assert_eq!(shown(&run(&checked, &limits)), STEPS);
}
