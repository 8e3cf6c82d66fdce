//! A text as an expression of CEL: its tree and its issues, in each set of options of the language.
#![no_main]

use std::sync::LazyLock;

use convoy_cel::env::{Env, Library, Options};
use convoy_cel::parse::parse;
use convoy_fuzz::cel::{ENV, assert_issues, assert_tree, environment};
use convoy_fuzz::remember;
use libfuzzer_sys::{Corpus, fuzz_target};

/// The standard library alone, then everything, then everything without one option.
static ENVIRONMENTS: LazyLock<[Env; 5]> = LazyLock::new(|| {
    let without = |change: fn(&mut Options)| {
        let mut env = ENV.clone();
        change(&mut env.options);
        env
    };
    [
        environment(&[Library::Standard]),
        ENV.clone(),
        without(|options| options.optional_syntax = false),
        without(|options| options.escaped_identifiers = false),
        without(|options| options.macros = false),
    ]
});

fuzz_target!(|data: &[u8]| -> Corpus {
    remember(data);
    let Ok(text) = std::str::from_utf8(data) else { return Corpus::Reject };
    for env in ENVIRONMENTS.iter() {
        let parsed = parse(text, env);
        assert_eq!(&*parsed.ast.text, text);
        assert!(parsed.ast.root.is_some() || !parsed.issues.is_empty(), "neither tree nor issue");
        assert_tree(&parsed.ast);
        assert_issues(text, &parsed.issues);
        let again = parse(text, env);
        assert_eq!(again.issues, parsed.issues);
        assert_eq!(again.ast.nodes, parsed.ast.nodes);
        assert_eq!(again.ast.places, parsed.ast.places);
        assert_eq!(again.ast.macro_calls, parsed.ast.macro_calls);
    }
    Corpus::Keep
});
