//! A text as YAML: the tree, the maps of its scalars, its values, its JSON and the YAML that is written back.
#![no_main]

use convoy_fuzz::{assert_map, assert_span, remember, some_offsets};
use convoy_patch::Document as Json;
use convoy_text::Span;
use convoy_value::Value;
use convoy_yaml::{Flavour, NodeId, Options, Style, Tree, emit, json_text, parse_as, value};
use libfuzzer_sys::{Corpus, fuzz_target};

/// Values with more parts are not written back: aliases make millions of them from a few bytes, and the fuzzer would
/// read its own output all day.
const WRITTEN_BACK: usize = 20_000;

fuzz_target!(|data: &[u8]| -> Corpus {
    remember(data);
    let Ok(text) = std::str::from_utf8(data) else { return Corpus::Reject };
    for (flavour, other) in [(Flavour::V2, Flavour::V3), (Flavour::V3, Flavour::V2)] {
        let tree = parse_as(text, flavour);
        assert_eq!(tree.text(), text);
        stream(&tree);
        for document in tree.documents() {
            let Some(root) = document.root else { continue };
            let whole = document.errors.is_empty();
            // What follows a document that has ended makes it end earlier, perhaps before its own text does.
            let parent = if whole { document.span } else { Span::new(document.span.start, text.len()) };
            nodes(&tree, root, parent, whole);
            values(&tree, root, flavour, whole);
            // Whoever asks the wrong reader gets an answer as well.
            let _ = value(&tree, root, Options { flavour: other, strict: true });
        }
    }
    Corpus::Keep
});

/// Documents, comments and errors; and paths, which never leave the place that was asked for.
fn stream(tree: &Tree) {
    let text = tree.text();
    let mut end = 0;
    for document in tree.documents() {
        assert_span(text, document.span, &"document");
        assert!(document.span.start >= end, "{:?} begins before {end}", document.span);
        end = document.span.end;
    }
    let mut end = 0;
    for &comment in tree.comments() {
        assert_span(text, comment, &"comment");
        assert!(comment.start >= end, "{comment:?} begins before {end}");
        assert!(comment.text(text).starts_with('#'), "{comment:?} is no comment");
        assert!(!comment.text(text).contains(['\n', '\r']), "{comment:?} goes over its line");
        end = comment.end;
    }
    for error in tree.errors() {
        assert_span(text, error.span, error);
        error.context.into_iter().for_each(|span| assert_span(text, span, error));
        assert!(error.offset() <= text.len(), "{error:?}");
        assert!(error.message.starts_with("yaml: ") && !error.problem.is_empty(), "{error:?}");
    }
    // A program that reads the whole stream has met no error.
    assert_eq!(tree.stop().is_some(), tree.errors().next().is_some(), "{:?}", tree.stop());
    if let Some(stop) = tree.stop() {
        assert_span(text, stop.error.span, stop);
        assert!(stop.documents <= tree.documents().len(), "{stop:?}");
    }
    for offset in some_offsets(text, 16) {
        for node in tree.path_at(offset) {
            assert!(tree.span(node).touches(offset), "{:?} is not at {offset}", tree.span(node));
        }
    }
}

/// Each node lies in its parent, behind what stands in front of it. What is not written stands
/// where go-yaml misses it: the last value of a block mapping behind it, and the key of `{}:` before the braces.
fn nodes(tree: &Tree, root: NodeId, parent: Span, whole: bool) {
    let text = tree.text();
    let mut pending = vec![(root, parent)];
    while let Some((id, parent)) = pending.pop() {
        let span = tree.span(id);
        assert_span(text, span, &id);
        assert!(parent.contains(span) || span.is_empty(), "{span:?} leaves its parent, {parent:?}");
        let properties = tree.properties(id);
        let anchor = properties.and_then(|p| p.anchor.as_ref());
        let tag = properties.and_then(|p| p.tag.as_ref());
        for (name, property) in anchor.into_iter().chain(tag) {
            assert_span(text, *property, name);
            assert!(property.end <= span.start, "{name:?} stands behind its node, {span:?}");
        }
        if let Some((name, span)) = anchor {
            assert_eq!(span.text(text), format!("&{name}"));
        }
        let mut end = span.start;
        for child in tree.children(id) {
            let inner = tree.span(child);
            assert!(inner.start >= end || inner.is_empty(), "{inner:?} begins before {end}");
            end = end.max(inner.end);
            pending.push((child, span));
        }
        if tree.style(id).is_some() {
            scalar(tree, id, whole);
        }
    }
}

/// Each character of a scalar comes from inside it, in order. Where nothing had to be repaired, it reads the same there
/// unless it was decoded; what a repair skipped are spaces to the scalar, as many as it has bytes.
fn scalar(tree: &Tree, id: NodeId, whole: bool) {
    let text = tree.text();
    let node = tree.span(id);
    let decoded = tree.scalar(id).expect("a node with a style is a scalar");
    let map = tree.content_map(id);
    let mut last = 0;
    for (i, c) in decoded.char_indices() {
        let span = map.span_to_document(Span::new(i, i + c.len_utf8()));
        assert!(node.contains(span), "{c:?} of {decoded:?} is {span:?}, outside of {node:?}");
        assert!(span.start >= last, "{c:?} of {decoded:?} is {span:?}, before {last}");
        last = span.start;
        if !whole {
            continue;
        }
        assert_span(text, span, &decoded);
        let source = span.text(text);
        if !source.starts_with(c) {
            // Only escapes and folded line breaks read differently.
            let folded = matches!(c, ' ' | '\n' | '\u{2028}' | '\u{2029}');
            assert!(
                source.starts_with('\\') || source == "''" || folded,
                "{c:?} of {decoded:?} maps to {source:?}"
            );
        }
    }
    if whole && tree.style(id) == Some(Style::Plain) && !decoded.contains([' ', '\n', '\u{2028}', '\u{2029}'])
    {
        assert_eq!(node.text(text), decoded);
    }
}

/// What the readers say, strict and not, and what is written from their values.
fn values(tree: &Tree, root: NodeId, flavour: Flavour, whole: bool) {
    let options = Options { flavour, strict: false };
    let lax = value(tree, root, options);
    match value(tree, root, Options { flavour, strict: true }) {
        Ok(strict) => assert_eq!(lax.as_ref(), Ok(&strict)),
        Err(error) => assert_span(tree.text(), error.span, &error),
    }
    match lax {
        Ok(value) => {
            json(tree, root, options, &value, whole);
            if size(&value) <= WRITTEN_BACK {
                written_back(&value);
            }
        }
        Err(error) => {
            assert_span(tree.text(), error.span, &error);
            assert_eq!(json_text(tree, root, options).err(), Some(error));
        }
    }
}

/// The JSON text is that of the value, and each of its characters stands somewhere in the document.
fn json(tree: &Tree, root: NodeId, options: Options, value: &Value, whole: bool) {
    let (json, map) = json_text(tree, root, options).expect("what has a value has JSON");
    let read = Json::parse(&json).unwrap_or_else(|error| panic!("{error}: {json}"));
    assert_eq!(read, Json::from_value(value), "{json}");
    if whole {
        assert_map(&json, &map, tree.text());
    }
}

/// YAML that was written from a value is read as the same value, by readers of either version.
fn written_back(value: &Value) {
    let text = emit(value);
    for flavour in [Flavour::V2, Flavour::V3] {
        let tree = parse_as(text.as_str(), flavour);
        assert_eq!(tree.errors().next(), None, "{text:?}");
        assert_eq!(tree.documents().len(), 1, "{text:?}");
        let root = tree.documents()[0].root.expect("a document of one value");
        let again = convoy_yaml::value(&tree, root, Options { flavour, strict: true });
        let again = again.unwrap_or_else(|error| panic!("{error}: {text:?}"));
        // As Kubernetes holds them: without bytes, and without the sign of a zero.
        let (before, after) = (Json::from_value(value).to_value(), Json::from_value(&again).to_value());
        assert!(before.same_json(&after), "{text:?}: {before:?} is read as {after:?}");
    }
}

/// How many values a value has in it, itself included.
fn size(value: &Value) -> usize {
    match value {
        Value::List(items) => 1 + items.iter().map(size).sum::<usize>(),
        Value::Map(map) | Value::StringMap(map) => 1 + map.values().map(size).sum::<usize>(),
        _ => 1,
    }
}
