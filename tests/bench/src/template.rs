use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context as _, Result, bail, ensure};
use convoy_conformance::data::{value, with_string_maps};
use convoy_gotemplate::{Functions, MissingKey, Options, Output, Val, execute, parse};
use convoy_value::json;
use serde_json::Value as Json;

use crate::sample::{median, processor_time};

/// Runs of each template in one round.
const RUNS: usize = 20_000;
const ROUNDS: usize = 5;

struct Case {
    name: String,
    template: String,
    ours: Vec<f64>,
    go: Vec<f64>,
}

fn once(case: &Case, functions: &Functions, data: &Val) -> Output {
    let template = parse(&case.name, case.template.as_str(), &|name| functions.contains(name));
    let options = Options { missing_key: MissingKey::Zero, ..Options::default() };
    execute(&template, functions, data, &options)
}

/// Parse and run of each template, beside the Go program that does the same.
pub(crate) fn run(file: &Path, go: &Path) -> Result<()> {
    let text = std::fs::read_to_string(file).with_context(|| file.display().to_string())?;
    let json: Json = serde_json::from_str(&text)?;
    let strings =
        |key: &str| json[key].as_array().into_iter().flatten().filter_map(Json::as_str).collect::<Vec<_>>();
    let data = json::parse(&text)?.get("data").map(value).unwrap_or_default();
    let data = with_string_maps(&data, &strings("strmaps"));
    let functions = Functions::builtin();
    let mut cases = Vec::new();
    for case in json["templates"].as_array().context("no templates")? {
        let text =
            |key: &str| case[key].as_str().map(str::to_owned).context("a template without name or text");
        cases.push(Case {
            name: text("name")?,
            template: text("template")?,
            ours: Vec::new(),
            go: Vec::new(),
        });
    }
    let start = Instant::now();
    for _ in 0..ROUNDS {
        for case in &mut cases {
            let before = processor_time(start);
            for _ in 0..RUNS {
                std::hint::black_box(once(case, &functions, &data));
            }
            case.ours.push((processor_time(start) - before) / RUNS as f64);
        }
        let output = Command::new(go).arg(file).arg(RUNS.to_string()).output().context("the Go program")?;
        if !output.status.success() {
            bail!("the Go program: {}", String::from_utf8_lossy(&output.stderr));
        }
        for (line, case) in String::from_utf8(output.stdout)?.lines().zip(&mut cases) {
            let result: Json = serde_json::from_str(line)?;
            let ours = once(case, &functions, &data);
            ensure!(ours.error.is_none() && result["output"] == *String::from_utf8(ours.bytes)?, "{line}");
            case.go.push(result["ns"].as_f64().context("no time")?);
        }
    }
    println!("parse and run, processor time, median of {ROUNDS} rounds of {RUNS} runs");
    let (mut all_ours, mut all_go) = (0.0, 0.0);
    for case in &mut cases {
        let (ours, go) = (median(&mut case.ours), median(&mut case.go));
        println!(
            "{:12} ours {:6.2} µs   Go {:6.2} µs   ratio {:.2}",
            case.name,
            ours / 1e3,
            go / 1e3,
            ours / go
        );
        all_ours += ours;
        all_go += go;
    }
    println!("ratio: ours takes {:.2} of the processor time of Go", all_ours / all_go);
    Ok(())
}
