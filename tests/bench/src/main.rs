//! Benchmarks: `convoy-bench yaml`, `convoy-bench hostile`, `convoy-bench template GO-PROGRAM`,
//! `convoy-bench cel GO-PROGRAM`, `convoy-bench strategic GO-PROGRAM`, `convoy-bench preview CONVOY-LSP`,
//! `convoy-bench footprint CONVOY-LSP`.
//!
//! Each runs our engine and its peers in turns, and prints the ratios. README.md says how to read them.

mod cel;
mod footprint;
mod hostile;
mod manifest;
mod preview;
mod sample;
mod strategic;
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
        ["strategic", go] => {
            if let Err(error) = strategic::run(Path::new(go)) {
                eprintln!("convoy-bench: {error:#}");
                return ExitCode::FAILURE;
            }
        }
        ["preview", binary, ref more @ ..] if more.len() <= 2 => {
            let kustomize = more.first().copied().unwrap_or("kubectl");
            let Ok(count) = more.get(1).map_or(Ok(usize::MAX), |count| count.parse()) else {
                return usage();
            };
            if let Err(error) = preview::run(Path::new(binary), kustomize, count) {
                eprintln!("convoy-bench: {error:#}");
                return ExitCode::FAILURE;
            }
        }
        ["footprint", binary] => match footprint::run(Path::new(binary)) {
            Ok(true) => {}
            Ok(false) => return ExitCode::FAILURE,
            Err(error) => {
                eprintln!("convoy-bench: {error:#}");
                return ExitCode::FAILURE;
            }
        },
        _ => return usage(),
    }
    ExitCode::SUCCESS
}

fn usage() -> ExitCode {
    eprintln!(
        "usage: convoy-bench yaml | hostile | template GO-PROGRAM | cel GO-PROGRAM | strategic GO-PROGRAM | preview \
         CONVOY-LSP [KUBECTL-OR-KUSTOMIZE [COUNT]] | footprint CONVOY-LSP"
    );
    ExitCode::from(2)
}
