use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context as _, Result, anyhow, bail, ensure};
use convoy_kube::{GroupVersionKind, Registry, Release, Typed};
use convoy_patch::strategic::merge;
use convoy_value::Value;
use convoy_value::json::{self, KeyOrder};
use serde_json::Value as Json;

use crate::sample::{median, processor_time};

/// Merges in one round.
const RUNS: usize = 5_000;
const ROUNDS: usize = 5;

/// What is measured on both sides.
const STEPS: [(&str, &str); 2] = [("merge", "value to value"), ("whole", "JSON to JSON")];

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("strategic").join(name)
}

fn read(name: &str) -> Result<Value> {
    let text = std::fs::read_to_string(file(name)).with_context(|| name.to_owned())?;
    let tree = convoy_yaml::parse(text);
    let root = tree.documents().first().and_then(|document| document.root);
    let root = root.with_context(|| format!("{name}: no document"))?;
    convoy_yaml::value(&tree, root, convoy_yaml::Options::default())
        .map_err(|error| anyhow!("{name}: {error}"))
}

fn merged(object: &Value, patch: &Value, ty: Typed<'_>) -> Result<Value> {
    merge(object, patch, ty).map(|merged| merged.value).map_err(|error| anyhow!(error.message))
}

/// From texts to a text, as a program does it that gets both from somewhere else.
fn whole(object: &str, patch: &str, ty: Typed<'_>) -> Result<String> {
    let (object, patch) = (json::parse(object)?.to_value(), json::parse(patch)?.to_value());
    json::write(&merged(&object, &patch, ty)?, KeyOrder::Sorted).map_err(anyhow::Error::msg)
}

fn time(mut run: impl FnMut() -> Result<()>) -> Result<f64> {
    let start = Instant::now();
    let before = processor_time(start);
    for _ in 0..RUNS {
        run()?;
    }
    Ok((processor_time(start) - before) / RUNS as f64)
}

/// A strategic merge into a Deployment of 200 lines, beside the Go program that does the same.
pub(crate) fn run(go: &Path) -> Result<()> {
    let (object, patch) = (read("deployment.yaml")?, read("patch.yaml")?);
    let newest = Release::all().next_back().context("no release")?;
    let registry = Registry::new(newest);
    let gvk = GroupVersionKind::of_object(&object).context("the object has no kind")?;
    let ty = registry.find(&gvk).context("no type of a Deployment")?;
    let text = |value: &Value| json::write(value, KeyOrder::Sorted).map_err(anyhow::Error::msg);
    let (object_text, patch_text) = (text(&object)?, text(&patch)?);
    let result = text(&merged(&object, &patch, ty)?)?;

    let (mut ours, mut theirs) = ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()]);
    for _ in 0..ROUNDS {
        ours[0].push(time(|| {
            std::hint::black_box(merged(&object, &patch, ty)?);
            Ok(())
        })?);
        ours[1].push(time(|| {
            std::hint::black_box(whole(&object_text, &patch_text, ty)?);
            Ok(())
        })?);
        let output = Command::new(go)
            .arg("strategic")
            .args([file("deployment.yaml"), file("patch.yaml")])
            .arg(RUNS.to_string())
            .output()
            .context("the Go program")?;
        if !output.status.success() {
            bail!("the Go program: {}", String::from_utf8_lossy(&output.stderr));
        }
        let answer: Json = serde_json::from_slice(&output.stdout)?;
        let go_result = json::parse(answer["output"].as_str().context("no output")?)?.to_value();
        ensure!(text(&go_result)? == result, "ours gives {result}, Go {}", text(&go_result)?);
        for (times, (name, _)) in theirs.iter_mut().zip(STEPS) {
            times.push(answer[name].as_f64().context("no time")?);
        }
    }
    let lines = std::fs::read_to_string(file("deployment.yaml"))?.lines().count();
    println!(
        "strategic merge into a Deployment of {lines} lines, processor time, median of {ROUNDS} rounds of {RUNS} runs"
    );
    for ((ours, theirs), (_, name)) in ours.iter_mut().zip(&mut theirs).zip(STEPS) {
        let (ours, theirs) = (median(ours), median(theirs));
        println!("{name:14} ours {:7.2} µs   Go {:7.2} µs", ours / 1e3, theirs / 1e3);
        println!("ratio: {name}: ours takes {:.3} of the processor time of Go", ours / theirs);
    }
    Ok(())
}
