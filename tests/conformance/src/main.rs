//! Runs conformance cases: `convoy-conformance SUITE FILE…`.
//!
//! A file has one JSON object a line with an input and what the real Go program answered. Each case that differs
//! is printed, then a line for each figure as `name: right/all`, then `N passed, N failed`. Exit code 1 if any
//! failed, 2 if the call was wrong. The formats are in `tests/conformance/README.md`.

mod figures;
mod suites;

use std::path::Path;
use std::process::ExitCode;

use figures::Figures;

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
        let text = match std::fs::read_to_string(file) {
            Ok(text) => text,
            Err(error) => {
                eprintln!("convoy-conformance: {file}: {error}");
                return ExitCode::from(2);
            }
        };
        let folder = Path::new(file).parent().unwrap_or(Path::new("."));
        for (i, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let case: serde_json::Value = match serde_json::from_str(line) {
                Ok(case) => case,
                Err(error) => {
                    eprintln!("convoy-conformance: {file}:{}: {error}", i + 1);
                    return ExitCode::from(2);
                }
            };
            let name = ["id", "name"].iter().find_map(|key| case[*key].as_str()).unwrap_or("?");
            let before = figures.mismatches.len();
            run_case(&case, folder, &mut figures);
            let differs = figures.mismatches.len() > before;
            if differs {
                println!("{file}:{}: {name}", i + 1);
                for mismatch in &figures.mismatches[before..] {
                    println!("  {mismatch}");
                }
                figures.failed += 1;
            } else {
                figures.passed += 1;
            }
        }
    }
    figures.print();
    ExitCode::from(u8::from(figures.failed > 0))
}

fn usage() -> ExitCode {
    eprintln!("usage: convoy-conformance SUITE FILE…\nsuites: {}", suites::names().join(", "));
    ExitCode::from(2)
}
