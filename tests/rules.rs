//! Every rule's example: the wrong document is reported by the rule, the right one by none.

// Helpers of tests may fail as tests do, and build texts the short way.
#![allow(unreachable_pub, clippy::unwrap_used, clippy::format_collect)]

mod common;

use common::Fixture;

#[test]
fn examples_of_all_rules() {
    let mut failures = Vec::new();
    for rule in convoy_lsp::rule::RULES {
        if rule.example.wrong.is_empty() {
            // Rules about files that are no Release have tests of their own.
            assert!(["file-encoding", "settings"].contains(&rule.name), "{} has no example", rule.name);
            continue;
        }
        let wrong = Fixture::new(&[("release.yaml", rule.example.wrong)]).diagnostics("release.yaml");
        if !wrong.iter().any(|d| d.rule == rule.name) {
            failures.push(format!("{}: the wrong example is not reported: {wrong:#?}", rule.name));
        }
        let others: Vec<_> = wrong.iter().filter(|d| d.rule != rule.name).collect();
        if !others.is_empty() {
            failures.push(format!("{}: the wrong example is also reported by {others:#?}", rule.name));
        }
        let right = Fixture::new(&[("release.yaml", rule.example.right)]).diagnostics("release.yaml");
        if !right.is_empty() {
            failures.push(format!("{}: the right example is reported: {right:#?}", rule.name));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn names_are_sorted_and_unique() {
    let names: Vec<&str> = convoy_lsp::rule::RULES.iter().map(|rule| rule.name).collect();
    let mut sorted = names.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(names, sorted);
}
