//! Properties that hold for every text: decoding a scalar piece by piece through its content map gives the parser's
//! value, and the span of a key reads as the key.

// Helpers of tests may fail as tests do, and build texts the short way.
#![allow(unreachable_pub, clippy::unwrap_used, clippy::format_collect)]

use std::path::{Path, PathBuf};

use convoy_text::Span;
use convoy_value::{Value, json};
use convoy_yaml::{Flavour, Kind, NodeId, Options, Style, Tree, emit, parse_as};
use proptest::prelude::*;

/// All nodes that are written in the text, and which of them are keys.
fn nodes(tree: &Tree) -> Vec<(NodeId, bool)> {
    let mut pending: Vec<(NodeId, bool)> =
        tree.documents().iter().filter_map(|d| d.root).map(|root| (root, false)).collect();
    let mut out = Vec::new();
    while let Some((node, is_key)) = pending.pop() {
        out.push((node, is_key));
        match tree.kind(node) {
            Kind::Mapping { entries, .. } => {
                pending.extend(entries.iter().flat_map(|e| [(e.key, true), (e.value, false)]));
            }
            Kind::Sequence { items, .. } => pending.extend(items.iter().map(|item| (*item, false))),
            _ => {}
        }
    }
    out
}

/// What an escape of a double-quoted scalar stands for, by the table of the YAML 1.1 specification, 5.6.
fn unescaped(escape: &str) -> Option<String> {
    let mut chars = escape.chars();
    (chars.next() == Some('\\')).then_some(())?;
    let letter = chars.next()?;
    let digits = chars.as_str();
    let code = match letter {
        '0' => 0,
        'a' => 7,
        'b' => 8,
        't' | '\t' => 9,
        'n' => 10,
        'v' => 11,
        'f' => 12,
        'r' => 13,
        'e' => 27,
        ' ' | '"' | '\\' | '\'' => letter as u32,
        'N' => 0x85,
        '_' => 0xA0,
        'L' => 0x2028,
        'P' => 0x2029,
        'x' | 'u' | 'U' => u32::from_str_radix(digits, 16).ok()?,
        _ => return None,
    };
    (matches!(letter, 'x' | 'u' | 'U') || digits.is_empty()).then_some(())?;
    char::from_u32(code).map(String::from)
}

/// The line breaks of a text, each as it stands in a value.
fn breaks(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let len = if rest.starts_with("\r\n") { 2 } else { c.len_utf8() };
        match c {
            '\n' | '\r' | '\u{85}' => out.push("\n"),
            '\u{2028}' | '\u{2029}' => out.push(&rest[..len]),
            _ => {}
        }
        rest = &rest[len..];
    }
    out
}

fn ends_with_escaped_break(text: &str) -> bool {
    let line = text
        .strip_suffix("\r\n")
        .or_else(|| text.strip_suffix(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']));
    line.is_some_and(|line| line.ends_with('\\'))
}

/// What a piece of the source stands for in a scalar of this style. Folding of `>` depends on the lines around, so that
/// a single break may be itself or a space there.
fn meanings(before: &str, source: &str, style: Style) -> Vec<String> {
    let breaks = breaks(source);
    let blank = source.chars().all(|c| c.is_whitespace() || c == '\\');
    match style {
        Style::SingleQuoted if source == "''" => vec!["'".to_owned()],
        Style::DoubleQuoted if source.starts_with('\\') && breaks.is_empty() => {
            unescaped(source).into_iter().collect()
        }
        // An escaped break joins two lines, and leaves the empty lines after it.
        Style::DoubleQuoted if blank && ends_with_escaped_break(before) => vec![breaks.concat()],
        Style::Plain | Style::SingleQuoted | Style::DoubleQuoted if blank && !breaks.is_empty() => {
            // The first break of a gap goes, or is a space if it is alone.
            let folded = match (breaks[0], breaks.len()) {
                // A gap that is as long as its meaning maps byte by byte, so that this may be the rest of one.
                ("\n", 1) if before.ends_with(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']) => {
                    "\n".to_owned()
                }
                ("\n", 1) => " ".to_owned(),
                ("\n", _) => breaks[1..].concat(),
                _ => breaks.concat(),
            };
            vec![folded]
        }
        Style::Folded if breaks.len() == 1 => vec![breaks.concat(), " ".to_owned()],
        Style::Literal if breaks.len() == 1 => vec![breaks.concat()],
        _ => vec![source.to_owned()],
    }
}

/// Puts a scalar together again from the pieces of the document that its map names.
fn check_scalar(tree: &Tree, node: NodeId, style: Style, text: &str) {
    let map = tree.content_map(node);
    let document = tree.scanned_text();
    let mut at = 0;
    let mut last = 0;
    while at < text.len() {
        let width = |at: usize| text[at..].chars().next().map_or(0, char::len_utf8);
        let place = |at: usize| map.span_to_document(Span::new(at, at + width(at)));
        let span = place(at);
        assert!(
            tree.span(node).contains(span),
            "{span:?} lies outside of {:?} in {document:?}",
            tree.span(node)
        );
        assert!(span.start >= last, "{span:?} lies before {last} in {document:?}");
        last = span.start;
        let source = span.text(document);
        if text[at..].starts_with(source) && source.len() == width(at) {
            at += width(at);
            continue;
        }
        // All that stands for one piece of the source.
        let mut end = at;
        while end < text.len() && place(end) == span {
            end += width(end);
        }
        let wanted = &text[at..end];
        assert!(
            meanings(&document[..span.start], source, style).iter().any(|meaning| meaning == wanted),
            "{source:?} stands for {wanted:?} in {document:?}"
        );
        at = end;
    }
}

fn check(text: &str) {
    for flavour in [Flavour::V2, Flavour::V3] {
        let tree = parse_as(text, flavour);
        for (node, is_key) in nodes(&tree) {
            let span = tree.span(node);
            assert!(
                text.is_char_boundary(span.start) && text.is_char_boundary(span.end),
                "{span:?} in {text:?}"
            );
            let Kind::Scalar { style, text: decoded } = tree.kind(node) else { continue };
            check_scalar(&tree, node, style, decoded);
            if !is_key {
                continue;
            }
            let source = span.text(tree.scanned_text());
            match style {
                Style::Plain if breaks(source).is_empty() => assert_eq!(source, decoded, "{text:?}"),
                Style::SingleQuoted | Style::DoubleQuoted => {
                    let read = parse_as(source, flavour);
                    let root = read.documents()[0].root.unwrap();
                    assert_eq!(read.scalar(root), Some(decoded), "{source:?} in {text:?}");
                }
                _ => {}
            }
        }
    }
}

/// The texts of all committed cases, and of those beside the project where they are.
fn corpora() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files: Vec<PathBuf> = Vec::new();
    let mut folders =
        vec![root.join("tests/conformance"), root.join("docs"), root.join("../shared/conformance")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() && !path.ends_with("target") {
                folders.push(path);
            } else {
                files.push(path);
            }
        }
    }
    let mut texts = Vec::new();
    for file in files {
        let Ok(content) = std::fs::read_to_string(&file) else { continue };
        match file.extension().and_then(|extension| extension.to_str()) {
            Some("jsonl") => {
                for line in content.lines() {
                    let Ok(case) = json::parse(line) else { continue };
                    let fields = ["yaml", "template", "doc", "patch", "text"];
                    let case = case.to_value();
                    texts.extend(
                        fields.iter().filter_map(|field| Some(case.get(field)?.as_str()?.to_owned())),
                    );
                }
            }
            Some("yaml" | "yml" | "md" | "json") => texts.push(content),
            _ => {}
        }
    }
    texts
}

#[test]
fn scalars_and_keys_of_every_corpus() {
    let texts = corpora();
    assert!(texts.len() > 3000, "only {} texts", texts.len());
    for text in texts {
        check(&text);
    }
}

/// Pieces that scalars are made of, and that break them.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[a-zé🚀0-9 ]{0,6}",
        2 => "[\\n \\t]{1,4}",
        1 => prop::sample::select(vec![
            "\r\n", "\r", "\u{85}", "\u{2028}", "\\n", "\\x41", "\\u00e9", "\\U0001F600", "\\\n", "\\\r\n  ", "\\ ", "''",
            "'", "\"", ": ", " #", "#", "- ", "? ", "|", ">", "|+\n", ">-\n", ">2\n", "&a ", "*a", "!!str ", "{", "}", "[",
            "]", ",", "---\n", "...\n", "%", "\u{feff}", "\\",
        ]).prop_map(str::to_owned),
    ]
}

fn scalar() -> impl Strategy<Value = String> {
    (0..6_u8, prop::collection::vec(piece(), 0..8), 0..5_usize).prop_map(|(style, pieces, indent)| {
        let text = pieces.concat();
        let lines = || text.split('\n').map(|line| format!("{:indent$}{line}\n", "")).collect::<String>();
        match style {
            0 => format!("'{}'", text.replace('\'', "''")),
            1 => format!("\"{}\"", text.replace('"', "\\\"")),
            2 => format!("|\n{}", lines()),
            3 => format!(">\n{}", lines()),
            4 => format!(">+\n{}", lines()),
            _ => text,
        }
    })
}

fn document() -> impl Strategy<Value = String> {
    prop::collection::vec((0..5_u8, scalar(), scalar()), 0..6).prop_map(|entries| {
        entries
            .into_iter()
            .map(|(shape, key, value)| match shape {
                0 => format!("{key}: {value}\n"),
                1 => format!("- {value}\n"),
                2 => format!("{{{key}: {value}}}\n"),
                3 => format!("k:\n  {key}: {value}\n"),
                _ => format!("[{key}, {value}]\n"),
            })
            .collect()
    })
}

fn any_value() -> impl Strategy<Value = Value> {
    let text = || prop::collection::vec(piece(), 0..6).prop_map(|pieces| pieces.concat());
    let leaf = prop_oneof![
        4 => text().prop_map(Value::from),
        1 => prop::sample::select(vec!["~", "yes", "0x1", "1e3", ".inf", "<<", "2001-01-01", "null", "-", "0o7"]).prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::Int),
        1 => any::<bool>().prop_map(Value::Bool),
        1 => Just(Value::Null),
    ];
    leaf.prop_recursive(3, 24, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::list),
            prop::collection::vec((text(), inner), 0..4).prop_map(Value::map),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, rng_seed: prop::test_runner::RngSeed::Fixed(7), ..ProptestConfig::default() })]

    #[test]
    fn scalars_and_keys_of_generated_texts(text in document()) {
        check(&text);
    }

    #[test]
    fn scalars_and_keys_of_loose_pieces(pieces in prop::collection::vec(piece(), 0..20)) {
        check(&pieces.concat());
    }

    #[test]
    fn what_is_written_is_read_as_the_same(value in any_value()) {
        let text = emit(&value);
        for flavour in [Flavour::V2, Flavour::V3] {
            let tree = parse_as(text.as_str(), flavour);
            prop_assert_eq!(tree.errors().next(), None, "{}", text);
            let root = tree.documents()[0].root.unwrap();
            let again = convoy_yaml::value(&tree, root, Options { flavour, strict: true });
            prop_assert_eq!(again.as_ref(), Ok(&value), "{}", text);
        }
    }
}
