//! Benchmarks: `convoy-bench yaml`, `convoy-bench hostile`, `convoy-bench template GO-PROGRAM`,
//! `convoy-bench cel GO-PROGRAM`.
//!
//! Each runs our engine and its peers in turns, and prints the ratios. README.md says how to read them.

mod cel;
mod hostile;
mod manifest;
mod sample;
mod template;
mod yaml;

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let expressions = concat!(env!("CARGO_MANIFEST_DIR"), "/expressions.json");
    let templates = concat!(env!("CARGO_MANIFEST_DIR"), "/templates.json");
    match args[..] {
        ["yaml"] => yaml::run(5),
        ["hostile"] => hostile::run(),
        ["template", go] => {
            if let Err(error) = template::run(Path::new(templates), Path::new(go)) {
                eprintln!("convoy-bench: {error:#}");
                return ExitCode::FAILURE;
            }
        }
        ["cel", go] => {
            if let Err(error) = cel::run(Path::new(expressions), Path::new(go)) {
                eprintln!("convoy-bench: {error:#}");
                return ExitCode::FAILURE;
            }
        }
        _ => {
            eprintln!("usage: convoy-bench yaml | hostile | template GO-PROGRAM | cel GO-PROGRAM");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}
