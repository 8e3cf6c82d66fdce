//! The parser against cel-go: `data/parse.jsonl` has expressions with the errors (`number@line:column text`, in the
//! order in which they are found) and the tree that `parser.Parse` of cel-go v0.29.2 gave for them, with the numbers of
//! its nodes, the place of each number in characters, and the macro calls. Besides, what holds for any text.

// Helpers of tests may fail as tests do.
#![allow(clippy::unwrap_used)]

use std::fmt::Write as _;

use convoy_cel::ast::{Ast, Expr, Kind, Literal, MacroCall};
use convoy_cel::env::{Env, Options};
use convoy_cel::macros;
use convoy_cel::parse::{Parsed, parse};
use convoy_text::Span;
use convoy_value::{Value, json};

fn env(off: &[&str]) -> Env {
    let on = |option| !off.contains(&option);
    let macros = [
        macros::standard::macros(),
        macros::optional::macros(2),
        macros::lists::macros(3),
        macros::math::macros(2),
        macros::bindings::macros(1),
        macros::two_variable::macros(0),
    ];
    let mut env = Env::new();
    env.macros = macros.concat();
    env.options = Options {
        optional_syntax: on("optional syntax"),
        escaped_identifiers: on("escaped identifiers"),
        macros: on("macros"),
        ..Options::default()
    };
    env
}

/// A tree in the notation of the data.
struct Show<'a> {
    ast: &'a Ast,
    out: String,
}

impl Show<'_> {
    fn bytes(&mut self, bytes: &[u8]) {
        self.out.push('"');
        for byte in bytes {
            match byte {
                b' '..=b'~' if !matches!(byte, b'"' | b'\\') => self.out.push(*byte as char),
                _ => write!(self.out, "\\x{byte:02x}").unwrap(),
            }
        }
        self.out.push('"');
    }

    fn literal(&mut self, literal: &Literal) {
        match literal {
            Literal::Null => self.out.push_str("null"),
            Literal::Bool(value) => write!(self.out, "{value}").unwrap(),
            Literal::Int(value) => write!(self.out, "{value}i").unwrap(),
            Literal::Uint(value) => write!(self.out, "{value}u").unwrap(),
            Literal::Double(value) => write!(self.out, "{:016x}d", value.to_bits()).unwrap(),
            Literal::String(value) => self.bytes(value.as_bytes()),
            Literal::Bytes(value) => {
                self.out.push('b');
                self.bytes(value);
            }
        }
    }

    /// A node; in an argument of a macro call, macro calls within are shown as unknown, as cel-go keeps them.
    fn node(&mut self, expr: Expr, argument: bool) {
        let ast = self.ast;
        write!(self.out, "{}:", ast.id(expr)).unwrap();
        if argument && ast.macro_calls.iter().any(|call| ast.id(call.expansion) == ast.id(expr)) {
            self.out.push('?');
            return;
        }
        match ast.kind(expr) {
            Kind::Error => self.out.push('?'),
            Kind::Literal(literal) => self.literal(literal),
            Kind::Ident(name) => self.out.push_str(name),
            Kind::Select { operand, field, test_only, .. } => {
                self.out.push_str(if *test_only { "(has " } else { "(. " });
                self.node(*operand, false);
                self.out.push(' ');
                self.bytes(field.as_bytes());
                self.out.push(')');
            }
            Kind::Call { function, target, args, .. } => self.call(function, *target, args, argument),
            Kind::List { elements, optional } => {
                self.out.push('[');
                for (index, element) in elements.iter().enumerate() {
                    self.out.push_str(if index > 0 { " " } else { "" });
                    self.out.push_str(if optional.contains(&(index as u32)) { "?" } else { "" });
                    self.node(*element, argument);
                }
                self.out.push(']');
            }
            Kind::Map(entries) => {
                self.out.push('{');
                for (index, entry) in entries.iter().enumerate() {
                    let space = if index > 0 { " " } else { "" };
                    write!(self.out, "{space}{}:{}", entry.id, if entry.optional { "?" } else { "" })
                        .unwrap();
                    self.node(entry.key, false);
                    self.out.push('=');
                    self.node(entry.value, false);
                }
                self.out.push('}');
            }
            Kind::Struct { name, fields, .. } => {
                write!(self.out, "{name}{{").unwrap();
                for (index, field) in fields.iter().enumerate() {
                    let space = if index > 0 { " " } else { "" };
                    write!(self.out, "{space}{}:{}", field.id, if field.optional { "?" } else { "" })
                        .unwrap();
                    self.bytes(field.name.as_bytes());
                    self.out.push('=');
                    self.node(field.value, false);
                }
                self.out.push('}');
            }
            Kind::Comprehension(fold) => {
                write!(self.out, "(for {}", fold.variable).unwrap();
                if let Some(second) = &fold.variable2 {
                    write!(self.out, ",{second}").unwrap();
                }
                write!(self.out, " {}", fold.accumulator).unwrap();
                for part in ast.children(expr) {
                    self.out.push(' ');
                    self.node(part, false);
                }
                self.out.push(')');
            }
        }
    }

    fn call(&mut self, function: &str, target: Option<Expr>, args: &[Expr], argument: bool) {
        write!(self.out, "({function}").unwrap();
        if let Some(target) = target {
            self.out.push_str(" on ");
            self.node(target, argument);
        }
        for arg in args {
            self.out.push(' ');
            self.node(*arg, argument);
        }
        self.out.push(')');
    }
}

fn tree(ast: &Ast) -> String {
    let mut show = Show { ast, out: String::new() };
    match ast.root {
        Some(root) => show.node(root, false),
        None => show.out.push_str("0:?"),
    }
    show.out.push_str(" @");
    for (id, place) in ast.places.iter().enumerate() {
        // Where there is no text, cel-go finds no place.
        if let Some(place) = place.filter(|_| !ast.text.is_empty()) {
            write!(show.out, " {id}:{}", ast.text[..place as usize].chars().count()).unwrap();
        }
    }
    let mut calls: Vec<_> = ast.macro_calls.iter().collect();
    calls.sort_by_key(|call| ast.id(call.expansion));
    for call in calls {
        write!(show.out, " macro {}=0:", ast.id(call.expansion)).unwrap();
        show.call(&call.function, call.target, &call.args, true);
    }
    show.out
}

/// The issues in the notation of the data.
fn errors(parsed: &Parsed) -> Vec<String> {
    let text = &parsed.ast.text;
    let show = |issue: &convoy_cel::issue::Issue| {
        let (line, column) = match issue.place {
            None if issue.id == 0 => (-1, -1),
            None => (1, -1),
            Some(_) if text.is_empty() => (1, -1),
            Some(place) => {
                let before = &text[..place as usize];
                let line = before.rsplit('\n').next().unwrap();
                (before.matches('\n').count() as i64 + 1, line.chars().count() as i64)
            }
        };
        format!("{}@{line}:{column} {}", issue.id, issue.message)
    };
    parsed.issues.iter().map(show).collect()
}

/// The cases of the data: text, options that are off, errors, tree.
fn cases() -> Vec<(String, Vec<String>, Vec<String>, String)> {
    let list = |value: Option<&Value>| -> Vec<String> {
        let items = value.and_then(Value::as_list).unwrap_or_default();
        items.iter().map(|item| item.as_str().unwrap().to_owned()).collect()
    };
    include_str!("data/parse.jsonl")
        .lines()
        .map(|line| {
            let case = json::parse(line).unwrap().to_value();
            let text = |key| case.get(key).and_then(Value::as_str).unwrap().to_owned();
            (text("expr"), list(case.get("off")), list(case.get("errors")), text("tree"))
        })
        .collect()
}

fn parse_with(text: &str, off: &[String]) -> Parsed {
    let off: Vec<&str> = off.iter().map(String::as_str).collect();
    parse(text, &env(&off))
}

#[test]
fn trees_and_errors_are_those_of_cel_go() {
    let mut wrong = String::new();
    for (text, off, wanted_errors, wanted_tree) in cases() {
        let parsed = parse_with(&text, &off);
        if errors(&parsed) != wanted_errors || tree(&parsed.ast) != wanted_tree {
            let found = (errors(&parsed), tree(&parsed.ast));
            write!(wrong, "{text:?}\n  wanted {:?}\n  found  {found:?}\n", (wanted_errors, wanted_tree))
                .unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Panics unless all spans are in the text and at characters, nodes are in those around them, and issues mark
/// something.
fn check_spans(parsed: &Parsed) {
    let ast = &parsed.ast;
    let text = &ast.text;
    let check = |span: Span| {
        assert!(text.get(span.start..span.end).is_some(), "{span:?} of {text:?}");
    };
    for node in &ast.nodes {
        check(node.span);
        match &node.kind {
            Kind::Select { field_span: span, .. } => check(*span),
            Kind::Call { name_span: span, .. } => check(*span),
            Kind::Struct { name_span, fields, .. } => {
                check(*name_span);
                for field in fields {
                    check(field.name_span);
                }
            }
            _ => {}
        }
    }
    for call in &ast.macro_calls {
        check(call.span);
        check(call.name_span);
        for arg in call.args.iter().chain(&call.target) {
            let span = ast.span(*arg);
            assert!(call.span.start <= span.start && span.end <= call.span.end, "{span:?} of {text:?}");
        }
    }
    for place in ast.places.iter().flatten() {
        check(Span::empty(*place as usize));
    }
    for issue in &parsed.issues {
        check(issue.span);
        assert!(!issue.span.is_empty() || issue.span.start == text.len(), "{issue:?} of {text:?}");
    }
    let mut open: Vec<Expr> = ast.root.into_iter().collect();
    while let Some(expr) = open.pop() {
        let outer = ast.span(expr);
        for child in ast.children(expr) {
            let span = ast.span(child);
            assert!(outer.start <= span.start && span.end <= outer.end, "{span:?} of {text:?}");
            open.push(child);
        }
    }
}

#[test]
fn spans_are_in_the_text_and_in_each_other() {
    let env = env(&[]);
    let pieces = [
        "(", ")", "[", "]", "{", "}", ".", ",", "?", ":", "-", "!", "+", "&&", "||", "in", "a", "é", "1",
        "'", "\"", "\\", " ", "\n", "#", "true", "map(", "x,", "😀", "`",
    ];
    let mut seed = 1_u64;
    let mut random = move |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    for (text, off, ..) in cases() {
        check_spans(&parse_with(&text, &off));
        let chars: Vec<char> = text.chars().collect();
        for _ in 0..12 {
            let at = random(chars.len() + 1);
            let drop = random(3);
            let head: String = chars[..at].iter().collect();
            let tail: String = chars[(at + drop).min(chars.len())..].iter().collect();
            check_spans(&parse(&format!("{head}{}{tail}", pieces[random(pieces.len())]), &env));
        }
    }
}

#[test]
fn spans_are_those_of_the_written_nodes() {
    let parsed = parse("  (a + b) * c.d( e )[0] && !f ", &env(&[]));
    assert!(parsed.issues.is_empty());
    let text = &parsed.ast.text;
    let mut spans: Vec<&str> = Vec::new();
    let mut open = vec![parsed.ast.root.unwrap()];
    while let Some(expr) = open.pop() {
        let span = parsed.ast.span(expr);
        spans.push(&text[span.start..span.end]);
        open.extend(parsed.ast.children(expr).into_iter().rev());
    }
    let wanted = [
        "(a + b) * c.d( e )[0] && !f",
        "(a + b) * c.d( e )[0]",
        "a + b",
        "a",
        "b",
        "c.d( e )[0]",
        "c.d( e )",
        "c",
        "e",
        "0",
        "!f",
        "f",
    ];
    assert_eq!(spans, wanted);
}

#[test]
fn limits_are_those_of_cel_go() {
    let env = env(&[]);
    let last = |text: &str| parse(text, &env).issues.last().map(|issue| issue.message.to_string());
    let nested =
        |open: &str, close: &str, depth: usize| format!("{}a{}", open.repeat(depth), close.repeat(depth));
    let too_deep = Some("expression recursion limit exceeded: 250".to_owned());
    for (open, close) in [("(", ")"), ("[", "]"), ("{a: ", "}"), ("f(", ")"), ("a[", "]"), ("a ? a : ", "")] {
        assert_eq!(last(&nested(open, close, 249)), None, "{open}");
        assert_eq!(last(&nested(open, close, 250)), too_deep, "{open}");
    }
    let too_long = Some("max recursion depth exceeded".to_owned());
    for part in ["+a", "*a", "<a", ".a", "[a]", ".a()"] {
        assert_eq!(last(&format!("a{}", part.repeat(250))), None, "{part}");
        assert_eq!(last(&format!("a{}", part.repeat(251))), too_long, "{part}");
    }
    assert_eq!(
        last(&"a b ".repeat(200)).as_deref(),
        Some("error recovery token lookahead limit exceeded: 256")
    );
    assert_eq!(
        last(&"- ! ".repeat(60)).as_deref(),
        Some("Syntax error: error recovery attempt limit exceeded: 30")
    );
    assert_eq!(last(&"#".repeat(200)).as_deref(), Some("Syntax error: More than 100 syntax errors"));
    assert_eq!(
        last(&"a".repeat(100_001)).as_deref(),
        Some("expression code point size exceeds limit: size: 100001, limit 100000")
    );
    assert_eq!(last(&"é".repeat(100_000)).as_deref(), Some("Syntax error: More than 100 syntax errors"));
}

#[test]
fn long_texts_take_little_time() {
    let env = env(&[]);
    let texts = [
        format!("1{}", "+1".repeat(10_000)),
        format!("a{}", "&&a".repeat(10_000)),
        format!("a{}", ".a".repeat(10_000)),
        format!("a{}{{}}", ".a".repeat(10_000)),
        "a ? b :".repeat(10_000),
        "[".repeat(10_000),
        "f(".repeat(10_000),
        format!("[{}]", "f(1),".repeat(10_000)),
        "-".repeat(99_999),
        "!".repeat(99_999),
        "'\\q".repeat(30_000),
        "'''".repeat(33_333),
        "r'''\"\"\"".repeat(14_000),
        "\\x4".repeat(33_333),
        "é#".repeat(50_000),
        " ".repeat(100_000),
    ];
    let start = std::time::Instant::now();
    for text in &texts {
        check_spans(&parse(text, &env));
    }
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

#[test]
fn examples_of_macros_expand() {
    let env = env(&[]);
    for known in &env.macros {
        let parsed = parse(known.example, &env);
        assert!(parsed.issues.is_empty(), "{}", known.example);
        let expands = |call: &MacroCall| {
            call.function.as_ref() == known.function
                && known.arity.is_none_or(|arity| arity == call.args.len())
                && known.receiver == call.target.is_some()
        };
        assert!(parsed.ast.macro_calls.iter().any(expands), "{}", known.example);
        assert!(known.signature.contains(known.function));
    }
}

#[test]
fn macros_that_double_the_tree_come_to_an_end() {
    let env = env(&[]);
    let small = parse(&format!("a{}", ".optMap(x, x)".repeat(10)), &env);
    assert!(small.issues.is_empty());
    let large = parse(&format!("a{}", ".optMap(x, x)".repeat(100)), &env);
    assert_eq!(large.ast.root, None);
    assert!(large.issues[0].message.starts_with("expression is too large"));
}

#[test]
fn deep_trees_need_little_stack() {
    let texts = [
        format!("{}a{}", "[!".repeat(249), "]".repeat(249)),
        format!("{}a{}", "[!f(".repeat(124), ")]".repeat(124)),
        format!("{}a{}", "{-M{a: -".repeat(124), "}: 1}".repeat(124)),
        format!("{}a{}", "(1 < 2 + 3 * a[b ? [{c: ".repeat(40), "}] : d])".repeat(40)),
        format!("{}a{}", "[1].map(x, [!".repeat(120), "])".repeat(120)),
        format!("{}a{}", "-[".repeat(300), "]".repeat(300)),
        format!("{}a{}", "a || b && M{a: ".repeat(249), "}".repeat(249)),
        "(".repeat(1000),
        "a ? (".repeat(1000),
    ];
    let parse_all = move || {
        for text in &texts {
            parse(text, &env(&[]));
        }
    };
    std::thread::Builder::new().stack_size(STACK).spawn(parse_all).unwrap().join().unwrap();
}

/// Half of what a thread has by default.
const STACK: usize = 1 << 20;
