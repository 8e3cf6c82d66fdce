use std::sync::Arc;

use crate::manifest::manifests;
use crate::sample::{Side, measure};

const ROUNDS: usize = 15;

/// Counts events, which is the least that a receiver can do.
#[derive(Default)]
struct Count(usize);

impl saphyr_parser::EventReceiver<'_> for Count {
    fn on_event(&mut self, _: saphyr_parser::Event<'_>) {
        self.0 += 1;
    }
}

impl yaml_rust2::parser::EventReceiver for Count {
    fn on_event(&mut self, _: yaml_rust2::Event) {
        self.0 += 1;
    }
}

fn saphyr(text: &str) -> usize {
    let mut count = Count::default();
    let mut parser = saphyr_parser::Parser::new_from_str(text);
    parser.load(&mut count, true).expect("ordinary manifests are YAML");
    count.0
}

fn yaml_rust2_events(text: &str) -> usize {
    let mut count = Count::default();
    let mut parser = yaml_rust2::parser::Parser::new_from_str(text);
    parser.load(&mut count, true).expect("ordinary manifests are YAML");
    count.0
}

fn libyaml_safer_events(text: &str) -> usize {
    let mut parser = libyaml_safer::Parser::new();
    let mut bytes = text.as_bytes();
    parser.set_input_string(&mut bytes);
    let mut count = 0;
    loop {
        let event = parser.parse().expect("ordinary manifests are YAML");
        count += 1;
        if matches!(event.data, libyaml_safer::EventData::StreamEnd) {
            return count;
        }
    }
}

fn libyaml_safer_trees(text: &str) -> usize {
    let mut parser = libyaml_safer::Parser::new();
    let mut bytes = text.as_bytes();
    parser.set_input_string(&mut bytes);
    let mut count = 0;
    loop {
        let mut document = libyaml_safer::Document::load(&mut parser).expect("ordinary manifests are YAML");
        if document.get_root_node().is_none() {
            return count;
        }
        count += 1;
    }
}

/// `megabytes` of manifests into the whole tree, beside the events and, where there is one, the tree of the peers.
pub(crate) fn run(megabytes: usize) {
    let text: Arc<str> = manifests(megabytes << 20).into();
    println!("{} bytes of manifests, median of {ROUNDS} runs", text.len());
    let ours = "convoy-yaml: tree with spans";
    let mut sides = [
        Side::new(ours, || convoy_yaml::parse(text.clone()).documents().len()),
        Side::new("saphyr-parser: events", || saphyr(&text)),
        Side::new("yaml-rust2: events", || yaml_rust2_events(&text)),
        Side::new("yaml-rust2: values without spans", || {
            yaml_rust2::YamlLoader::load_from_str(&text).expect("ordinary manifests are YAML").len()
        }),
        Side::new("libyaml-safer: events", || libyaml_safer_events(&text)),
        Side::new("libyaml-safer: tree", || libyaml_safer_trees(&text)),
    ];
    measure(&mut sides, ROUNDS);
    let base = sides[0].median().as_secs_f64();
    for side in &sides {
        let time = side.median().as_secs_f64();
        println!(
            "{:34} {:7.1} ms  {:6.1} MB/s  {:5.2} times ours",
            side.name,
            time * 1e3,
            text.len() as f64 / 1e6 / time,
            time / base
        );
    }
    let fastest =
        sides[1..].iter().min_by_key(|side| side.median()).map_or(0.0, |side| side.median().as_secs_f64());
    println!("ratio: the fastest peer takes {:.2} times as long", fastest / base);
}
