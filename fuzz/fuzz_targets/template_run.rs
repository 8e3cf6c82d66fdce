//! A template run over fixed data: how each option behaves, and where each byte of the output comes from.
#![no_main]

use std::sync::{Arc, LazyLock};

use convoy_fuzz::{assert_span, remember};
use convoy_gotemplate::{
    Arity, ExecError, ExecErrorKind, Function, Functions, Limits, MissingKey, Options, Output, Template, Val,
    execute, failures, parse, query,
};
use convoy_text::Span;
use convoy_value::json::{self, Kind, Node};
use convoy_value::{Map, Value};
use libfuzzer_sys::{Corpus, fuzz_target};

/// Enough for any template that a fuzzer writes to reach its end, and little enough for thousands of runs a second.
const LIMITS: Limits = Limits { steps: 5_000, output: 64 << 10 };

/// The data of the conformance cases, in which each type occurs.
static DATA: LazyLock<Val> = LazyLock::new(|| {
    let text = include_str!("../../tests/conformance/data.json");
    let data = typed(&json::parse(text).expect("the data are JSON"));
    let map = data.as_map().expect("the data are an object");
    let entries: Map = map
        .iter()
        .map(|(key, value)| match value {
            Value::Map(inner) if &**key == "params" => (key.clone(), Value::StringMap(inner.clone())),
            value => (key.clone(), value.clone()),
        })
        .chain([
            ("uint".into(), Value::Uint(u64::MAX)),
            ("bytes".into(), Value::Bytes(Arc::from([0xff, b'x']))),
        ])
        .collect();
    Val::Map(Arc::new(entries))
});

/// Go's functions, one of a dialect, and one of which only the name is known.
static FUNCTIONS: LazyLock<Functions> = LazyLock::new(|| {
    let mut functions = Functions::builtin();
    let upper = |arguments: &[Value]| match arguments {
        [Value::String(text)] => Ok(Value::from(text.to_uppercase())),
        _ => Err("not a string".to_owned()),
    };
    let arity = Arity { min: 1, max: Some(1) };
    functions.insert("upper", Function { arity, implementation: Some(Arc::new(upper)) });
    functions.insert("lookup", Function { arity: Arity { min: 0, max: None }, implementation: None });
    functions
});

/// The value that Go decodes: a number with a point or an exponent is a `float64`, any other an integer.
fn typed(node: &Node) -> Value {
    match &node.kind {
        Kind::Number(text) if text.contains(['.', 'e', 'E']) => {
            Value::Float(text.parse().unwrap_or(f64::NAN))
        }
        Kind::Array(items) => Value::list(items.iter().map(typed)),
        Kind::Object(members) => Value::map(members.iter().map(|m| (m.key.clone(), typed(&m.value)))),
        _ => node.to_value(),
    }
}

fuzz_target!(|data: &[u8]| -> Corpus {
    remember(data);
    let Ok(text) = std::str::from_utf8(data) else { return Corpus::Reject };
    let template = parse("t", text, &|name| FUNCTIONS.contains(name));
    for missing_key in [MissingKey::Default, MissingKey::Zero, MissingKey::Error] {
        let mut options = Options { missing_key, limits: LIMITS, watch: None };
        let output = execute(&template, &FUNCTIONS, &DATA, &options);
        check_output(&template, &output);
        check_failures(&template, &output, &failures(&template, &FUNCTIONS, &DATA, &options));
        // Looking at a field changes nothing.
        options.watch = query::fields(&template).first().and_then(|field| field.spans.last().copied());
        if options.watch.is_some() {
            let watched = execute(&template, &FUNCTIONS, &DATA, &options);
            assert_eq!(watched.bytes, output.bytes);
            assert_eq!(watched.error, output.error);
            assert_eq!(watched.map, output.map);
        }
    }
    Corpus::Keep
});

/// The run that goes on behind failures begins with the one that ends the other run, and tells each once.
fn check_failures(template: &Template, output: &Output, failures: &[ExecError]) {
    match &output.error {
        None => assert_eq!(failures, []),
        // What such a function gives is not known, which is no failure.
        Some(ExecError { kind: ExecErrorKind::NotEvaluated(_), .. }) => {}
        error => assert_eq!(failures.first(), error.as_ref()),
    }
    for (i, failure) in failures.iter().enumerate() {
        check_error(template, failure);
        assert!(!matches!(failure.kind, ExecErrorKind::NotEvaluated(_)), "{failure:?}");
        let same = |other: &ExecError| other.span == failure.span && other.detail == failure.detail;
        assert!(!failures[..i].iter().any(same), "{failure:?} is told twice");
    }
}

fn check_error(template: &Template, error: &ExecError) {
    assert_span(&template.text, error.span, error);
    assert!(error.message.starts_with("template: t:") && error.message.ends_with(&error.detail), "{error:?}");
}

fn check_output(template: &Template, output: &Output) {
    let text = &*template.text;
    assert!(output.bytes.len() <= LIMITS.output, "{} bytes", output.bytes.len());
    if let Some(error) = &output.error {
        check_error(template, error);
        if let ExecErrorKind::NotEvaluated(name) = &error.kind {
            assert_eq!(&**name, "lookup");
        }
    }
    // Each byte is one that an action wrote, and stands for that action, or is a byte of the template's text.
    let mut at = 0;
    for written in &output.written {
        assert_span(text, written.action, written);
        assert!(
            written.output.start >= at && written.output.end <= output.bytes.len(),
            "{written:?} at {at}"
        );
        assert!(written.action.text(text).starts_with("{{"), "{written:?} is no action");
        verbatim(template, output, at..written.output.start);
        for byte in written.output.range() {
            let span = output.map.span_to_document(Span::new(byte, byte + 1));
            assert_eq!(span, written.action, "byte {byte}");
        }
        at = written.output.end;
    }
    verbatim(template, output, at..output.bytes.len());
}

fn verbatim(template: &Template, output: &Output, range: std::ops::Range<usize>) {
    for byte in range {
        let span = output.map.span_to_document(Span::new(byte, byte + 1));
        assert_eq!(
            template.text.as_bytes().get(span.range()),
            Some(&output.bytes[byte..=byte]),
            "byte {byte}"
        );
    }
}
