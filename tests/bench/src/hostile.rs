use std::sync::Arc;
use std::time::{Duration, Instant};

use convoy_yaml::{Flavour, Options};

use crate::manifest::manifests;

const SIZE: usize = 1 << 20;

/// `part` again and again, up to 1 MB.
fn repeat(part: &str) -> String {
    part.repeat(SIZE / part.len())
}

/// Texts of 1 MB that are hard for one reader of YAML or another.
fn texts() -> Vec<(&'static str, String)> {
    let numbered = |line: &dyn Fn(usize) -> String| {
        let mut text = String::new();
        for i in 0.. {
            text.push_str(&line(i));
            if text.len() >= SIZE {
                break;
            }
        }
        text
    };
    vec![
        ("deep flow sequences", repeat("[")),
        ("deep flow mappings", repeat("{a: ")),
        (
            "closed flow sequences",
            format!("{}{}", "[".repeat(9_000), "]".repeat(9_000)).repeat(SIZE / 18_000),
        ),
        ("deep block sequences", repeat("- ")),
        ("deep complex keys", repeat("? ")),
        ("deep block mappings", numbered(&|i| format!("{}k:\n", " ".repeat(i)))),
        ("one long plain line", format!("a: {}", repeat("word "))),
        ("one long word", format!("a: {}", repeat("x"))),
        ("one long quoted line", format!("a: \"{}\"", repeat("word "))),
        ("one long flow sequence", format!("[{}]", repeat("a, "))),
        ("one long flow mapping", format!("{{{}}}", numbered(&|i| format!("k{i}: v, ")))),
        ("flow sequence over lines", format!("[{}]", repeat("a,\n "))),
        ("many anchors", numbered(&|i| format!("- &a{i} x\n"))),
        ("many anchors and aliases", numbered(&|i| format!("- &a{i} x\n- *a{i}\n"))),
        ("aliases of one anchor", format!("- &a x\n{}", repeat("- *a\n"))),
        ("unknown aliases", repeat("- *a\n")),
        ("same key", repeat("a: 1\n")),
        ("many keys", numbered(&|i| format!("key{i}: {i}\n"))),
        ("merge keys", format!("- &a {{k: v}}\n{}", repeat("- <<: *a\n"))),
        ("unclosed double quotes", repeat("- \"a\n")),
        ("one unclosed double quote", format!("a: \"{}", repeat("word\n"))),
        ("unclosed single quotes", repeat("k: 'a\n")),
        ("unclosed brackets", repeat("k: [a\n")),
        ("unclosed brackets in documents", repeat("---\nk: [a\n")),
        ("lines without colon", repeat("word\nkey: v\n")),
        ("tabs", repeat("a:\n\tb: 1\n")),
        ("two colons", repeat("a: b: c\n")),
        ("escapes", format!("a: \"{}\"", repeat("\\u0041"))),
        ("doubled quotes", format!("a: '{}'", repeat("''"))),
        ("empty lines", repeat("\n")),
        ("carriage returns", repeat("a: b\r")),
        ("spaces", repeat(" ")),
        ("comments", repeat("# comment\n")),
        ("one long comment", format!("#{}", repeat("x"))),
        ("documents", repeat("---\n")),
        ("document ends", repeat("...\n")),
        ("one literal scalar", format!("a: |\n{}", repeat("  text\n"))),
        ("one folded scalar", format!("a: >\n{}", repeat("  text\n\n"))),
        ("literal of empty lines", format!("a: |+\n{}", repeat("\n"))),
        ("growing indentation", numbered(&|i| format!("{}- a\n", " ".repeat(i)))),
        ("tags", repeat("- !!str a\n")),
        ("tag directives", numbered(&|i| format!("%TAG !a{i}! b\n"))),
        ("control characters", repeat("a: \u{1}\n")),
        ("wide characters", format!("a: {}", repeat("\u{1F600}"))),
        ("next lines", format!("a: {}", repeat("x\u{85}"))),
        ("question marks", repeat("? a\n")),
        ("binary", repeat("- !!binary YQ==\n")),
        ("percent", repeat("%")),
        ("colons", repeat(":\n")),
        ("dashes", repeat("-\n")),
        ("ampersands", repeat("&a ")),
        ("stars", repeat("*a ")),
        ("exclamation marks", repeat("! ")),
        ("pipes", repeat("- |\n")),
        ("integers", repeat("- 123456789\n")),
        ("one long integer", format!("a: {}", repeat("1"))),
        ("one long float", format!("a: 1.{}", repeat("1"))),
    ]
}

fn time(text: &Arc<str>) -> (Duration, Duration) {
    let mut best = (Duration::MAX, Duration::MAX);
    for _ in 0..3 {
        let start = Instant::now();
        let tree = convoy_yaml::parse(text.clone());
        let parsed = start.elapsed();
        let start = Instant::now();
        let whole = tree.documents().iter().all(|document| document.errors.is_empty());
        if whole {
            for root in tree.documents().iter().filter_map(|document| document.root) {
                for strict in [false, true] {
                    let options = Options { strict, flavour: Flavour::V2 };
                    std::hint::black_box(convoy_yaml::value(&tree, root, options).is_ok());
                }
            }
        }
        best = (best.0.min(parsed), best.1.min(start.elapsed()));
    }
    best
}

/// Each hostile text beside ordinary manifests of the same size: the tree, and the values strict and not.
pub(crate) fn run() {
    let (base, base_value) = time(&manifests(SIZE).into());
    println!("1 MB of manifests: tree {:.1} ms, values {:.1} ms", ms(base), ms(base_value));
    let mut worst = 0.0_f64;
    for (name, text) in texts() {
        let text: Arc<str> = text.into();
        let (parse, value) = time(&text);
        let ratio = parse.as_secs_f64() / base.as_secs_f64();
        let value_ratio = value.as_secs_f64() / base_value.as_secs_f64();
        worst = worst.max(ratio).max(value_ratio);
        println!(
            "{name:32} tree {:8.1} ms {ratio:7.2}   values {:8.1} ms {value_ratio:7.2}",
            ms(parse),
            ms(value)
        );
    }
    println!("worst: {worst:.2} times the manifests");
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
