//! Runs conformance cases: `convoy-conformance SUITE FILE…`.
//!
//! A file has one JSON object a line with an input and what the real Go program answered. Each case that differs
//! is printed, then a line for each figure as `name: right/all`, then `N passed, N failed`. Exit code 1 if any
//! failed, 2 if the call was wrong. The formats are in `tests/conformance/README.md`.

use std::path::Path;
use std::process::ExitCode;

use convoy_conformance::{Case, Figures, suites};

fn main() -> ExitCode {
    // Deep inputs are part of the suites; a worker with a known stack makes a run the same everywhere.
    let worker =
        std::thread::Builder::new().stack_size(64 << 20).spawn(run).map(std::thread::JoinHandle::join);
    match worker {
        Ok(Ok(code)) => code,
        _ => ExitCode::from(101),
    }
}

fn run() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let Some(suite) = args.next() else { return usage() };
    let files: Vec<String> = args.collect();
    if files.is_empty() {
        return usage();
    }
    let Some(run_case) = suites::find(&suite) else { return usage() };
    let mut figures = Figures::default();
    for file in &files {
        if let Err(error) = run_file(run_case, file, &mut figures) {
            eprintln!("convoy-conformance: {error}");
            return ExitCode::from(2);
        }
    }
    figures.print();
    ExitCode::from(u8::from(figures.failed > 0))
}

/// Runs the cases of one file and prints those that differ.
fn run_file(run_case: suites::Suite, file: &str, figures: &mut Figures) -> Result<(), String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    let folder = Path::new(file).parent().unwrap_or(Path::new("."));
    for (i, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let case = Case::parse(line).map_err(|error| format!("{file}:{}: {error}", i + 1))?;
        let name = case.text("id").or(case.text("name")).unwrap_or("?");
        let before = figures.mismatches.len();
        run_case(&case, folder, figures);
        if figures.mismatches.len() == before {
            figures.passed += 1;
            continue;
        }
        figures.failed += 1;
        println!("{file}:{}: {name}", i + 1);
        for mismatch in &figures.mismatches[before..] {
            println!("  {mismatch}");
        }
    }
    Ok(())
}

fn usage() -> ExitCode {
    eprintln!("usage: convoy-conformance SUITE FILE…\nsuites: {}", suites::names().join(", "));
    ExitCode::from(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The committed cases of a suite all pass.
    fn check(suite: &str, file: &str, at_least: usize) {
        let path = format!("{}/{file}", env!("CARGO_MANIFEST_DIR"));
        let mut figures = Figures::default();
        run_file(suites::find(suite).unwrap(), &path, &mut figures).unwrap();
        assert_eq!(figures.failed, 0, "{suite} {file}");
        assert!(figures.passed >= at_least, "{suite} {file}: only {} cases", figures.passed);
    }

    #[test]
    fn templates() {
        check("gotemplate", "gotemplate.jsonl", 490);
        check("gotemplate", "template-extra.jsonl", 1100);
        check("gotemplate", "template-found.jsonl", 8);
    }

    #[test]
    fn yaml() {
        check("yaml-values", "yaml-resolution.jsonl", 190);
        check("yaml-values", "yaml-found.jsonl", 39);
        check("yaml-streams", "yaml-found.jsonl", 39);
        check("yaml3-values", "yaml3.jsonl", 480);
        check("yaml-recovery", "yaml-broken.jsonl", 25);
    }

    #[test]
    fn json() {
        check("json-texts", "json-texts.jsonl", 50);
    }

    #[test]
    fn expressions() {
        check("cel", "cel/cel.jsonl", 4500);
        check("cel", "cel/found.jsonl", 280);
    }

    #[test]
    fn patches() {
        check("json-patch", "json-patch.jsonl", 1200);
        check("json-patch-v4", "json-patch-v4.jsonl", 1700);
        check("merge-patch", "merge-patch.jsonl", 800);
        check("strategic-merge", "strategic-merge.jsonl", 320);
        check("strategic-merge", "strategic-merge-found.jsonl", 1000);
    }

    #[test]
    fn apply_configurations() {
        check("apply", "apply.jsonl", 1300);
    }

    #[test]
    fn types_of_kubernetes() {
        check("strict-decode", "strict-decode.jsonl", 2000);
        check("crd-validate", "crd-validate.jsonl", 830);
    }
}
