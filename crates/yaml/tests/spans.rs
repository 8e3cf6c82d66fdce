//! Spans and content maps against the values that the parser gives.

// Helpers of tests may fail as tests do, and build texts the short way.
#![allow(unreachable_pub, clippy::unwrap_used, clippy::format_collect)]

use convoy_text::Span;
use convoy_yaml::{Kind, NodeId, Style, Tree, parse};

fn nodes(tree: &Tree) -> Vec<NodeId> {
    let mut out = Vec::new();
    let mut pending: Vec<NodeId> = tree.documents().iter().filter_map(|d| d.root).collect();
    while let Some(node) = pending.pop() {
        out.push(node);
        pending.extend(tree.entries(node).iter().flat_map(|e| [e.key, e.value]));
        pending.extend(tree.items(node));
        if matches!(tree.kind(node), Kind::Alias { .. }) {
            // An alias has the children of its target, which were met before.
            pending.retain(|child| !out.contains(child));
        }
    }
    out
}

/// Each byte of a scalar's text comes from the document: verbatim runs read the same there, and the map is
/// monotone.
fn check_maps(text: &str) {
    let tree = parse(text);
    for node in nodes(&tree) {
        let Some(decoded) = tree.scalar(node).filter(|_| tree.style(node).is_some()) else { continue };
        let map = tree.content_map(node);
        let mut last = 0;
        for (i, c) in decoded.char_indices() {
            let span = map.span_to_document(Span::new(i, i + c.len_utf8()));
            assert!(span.start >= last && span.end <= text.len(), "{text:?}: {decoded:?} at {i} is {span:?}");
            assert!(tree.span(node).contains(span), "{text:?}: {span:?} is outside {:?}", tree.span(node));
            let source = span.text(text);
            if !source.starts_with(c) {
                // Only escapes and folded line breaks read differently.
                let folded = c == ' ' || c == '\n' || c == '\u{2028}' || c == '\u{2029}';
                assert!(
                    source.starts_with('\\') || source == "''" || folded,
                    "{text:?}: {c:?} of {decoded:?} maps to {source:?}"
                );
            }
            last = span.start;
        }
        if matches!(tree.style(node), Some(Style::Plain)) && !decoded.contains([' ', '\n']) {
            assert_eq!(tree.span(node).text(text), decoded, "{text:?}");
        }
    }
}

#[test]
fn maps_of_every_style() {
    for text in [
        "a: b\n",
        "a: b c\n  d\n\n  e\n",
        "a: 'it''s\n\n  x'\n",
        "a: \"x\\ty\\u00e9\\\n   z \\U0001F600\"\n",
        "a: |\n  one\n  two\n",
        "a: |2-\n    one\n  two\n\n",
        "a: |+\n  one\n\n\n",
        "a: >\n  one\n  two\n\n  three\n    more\n  four\n",
        "a: >-\r\n  one\r\n  two\r\n\r\n  three\r\n",
        "\u{feff}a: |\n  \u{1F600} x\n  é\n",
        "- [a, 'b', \"c\\n\", d e]\n- {k: v, \"q\": 'w'}\n",
        "a:\t|\n  x\ty\n",
        "--- |\ntop\n level\n",
        "x: &a !!str v\ny: *a\n",
        "a: \"\\x41 \\\n  b\"\n",
        "a: x\u{2028}y\n",
        "a:\n          b:\n            c: 0 d e\n              f\n",
    ] {
        check_maps(text);
    }
}

#[test]
fn maps_of_the_corpora() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/conformance");
    let mut checked = 0;
    for file in ["yaml-resolution.jsonl", "yaml-broken.jsonl"] {
        let cases = std::fs::read_to_string(format!("{folder}/{file}")).unwrap();
        for line in cases.lines() {
            let case = convoy_value::json::parse(line).unwrap().to_value();
            check_maps(case.get("yaml").and_then(|yaml| yaml.as_str()).unwrap());
            checked += 1;
        }
    }
    assert!(checked > 200);
}

#[test]
fn keys_values_and_collections() {
    let text = "# head\na: 1 # one\nlist:\n- x\n- {k: [1, 2]}\nblock: |\n  text\nempty:\nlast: 'q'\n";
    let tree = parse(text);
    let root = tree.documents()[0].root.unwrap();
    let span = |key: &str| tree.span(tree.get(root, key).unwrap()).text(text);
    assert_eq!(span("a"), "1");
    assert_eq!(span("list"), "- x\n- {k: [1, 2]}");
    assert_eq!(span("block"), "|\n  text\n");
    assert_eq!(span("empty"), "");
    assert_eq!(span("last"), "'q'");
    for entry in tree.entries(root) {
        assert_eq!(Some(tree.span(entry.key).text(text)), tree.scalar(entry.key));
    }
    let comments: Vec<&str> = tree.comments().iter().map(|span| span.text(text)).collect();
    assert_eq!(comments, ["# head", "# one"]);
    let at = tree.path_at(text.find("2]").unwrap());
    assert_eq!(tree.scalar(*at.last().unwrap()), Some("2"));
}

#[test]
fn places_of_errors() {
    let shown = |text: &str| {
        let tree = parse(text);
        tree.errors().map(|e| (e.span.text(text).to_owned(), e.message.clone())).collect::<Vec<_>>()
    };
    let one = |text: &str, span: &str, message: &str| {
        assert_eq!(shown(text), [(span.to_owned(), message.to_owned())], "{text:?}");
    };
    // The texts are go-yaml's.
    one("a: 'x\nb: 1\n", "'x", "yaml: line 3: found unexpected end of stream");
    one("a: [1, 2\nb: 1\n", "[", "yaml: line 1: did not find expected ',' or ']'");
    one("a: 1\nb\nc: 2\n", "b", "yaml: line 3: could not find expected ':'");
    one("a: @x\n", "@x", "yaml: found character that cannot start any token");
    one("a: \"\\q\"\n", "\\q", "yaml: found unknown escape character");
    one("a: b: c\n", "b: c", "yaml: mapping values are not allowed in this context");
    one("a: *x\n", "*x", "yaml: unknown anchor 'x' referenced");
    one("a: 1\n\u{7f}: 2\n", "\u{7f}", "yaml: control characters are not allowed");
    one("b: [\n---\na: 1\n", "b: [", "yaml: line 1: did not find expected node content");
}

#[test]
fn a_broken_document_leaves_the_others() {
    let text = "a: [1\n---\nb: 1\n---\nc: \"x\n---\nd:\n  e: 2\n";
    let tree = parse(text);
    assert_eq!(tree.documents().len(), 4);
    let errors: Vec<usize> = tree.documents().iter().map(|d| d.errors.len()).collect();
    assert_eq!(errors, [1, 0, 1, 0]);
    let d = tree.documents()[3].root.unwrap();
    assert!(tree.get(tree.get(d, "d").unwrap(), "e").is_some());
}

#[test]
fn a_percent_sign_within_a_document_begins_no_directive() {
    let text = "['a\n%b', 1]\n---\n\tc";
    let tree = parse(text);
    let root = tree.documents()[0].root.unwrap();
    assert_eq!(tree.documents()[0].errors, []);
    assert_eq!(tree.scalar(tree.items(root)[1]), Some("1"));
    assert_eq!(tree.documents()[1].errors.len(), 1);
}

#[test]
fn what_follows_a_document_is_not_lost() {
    let text = "a: 1\n...\nb: 2\n";
    let tree = parse(text);
    let errors: Vec<_> = tree.errors().collect();
    assert_eq!(errors.len(), 1);
    assert!(errors[0].after_document);
    assert_eq!(errors[0].message, "yaml: line 2: did not find expected <document start>");
    let last = tree.documents().last().unwrap().root.unwrap();
    assert!(tree.get(last, "b").is_some());
}

#[test]
fn hostile_texts_end() {
    let deep = "[".repeat(20_000);
    assert_eq!(parse(deep.as_str()).errors().next().unwrap().problem, "exceeded max depth of 10000");
    for text in [
        "[a, a:\n\u{85}\t%YAML 1.1\n  \n\n".to_owned(),
        "[a, a:\n\u{85}".repeat(1000),
        "---\na: [\n".repeat(5000),
        "\"".repeat(10_001),
        "- ".repeat(20_000),
        "? ".repeat(20_000),
        "a:\n".to_owned(),
        (0..3000).map(|i| format!("{:1$}k:\n", "", i)).collect(),
    ] {
        let tree = parse(text.as_str());
        assert!(tree.documents().len() < 10_000);
    }
}
