use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context as _, Result, anyhow, bail, ensure};
use convoy_cel::check::check;
use convoy_cel::eval::{Limits, Program};
use convoy_cel::parse::parse;
use convoy_conformance::Case;
use convoy_conformance::ours::cel::{Setting, canonical, text};
use serde_json::Value as Json;

use crate::sample::{median, processor_time};

/// Runs of cel-go in one round; it evaluates ten times as often.
const RUNS: usize = 2_000;
const ROUNDS: usize = 3;
/// Runs of ours and of the peer: some systems count a thread's time in steps of several milliseconds.
const COMPILATIONS: usize = 20_000;
const PEER_COMPILATIONS: usize = 4_000;
const EVALUATIONS: usize = 60_000;
/// The variables, which are those of the conformance cases.
const ENV: &str = "kube";

/// The steps, in the order of their times.
const STEPS: [&str; 3] = ["parse", "check", "evaluate"];

/// The times of a side in each round, by step.
type Times = [Vec<f64>; 3];

struct Expression {
    name: String,
    text: String,
    ours: Times,
    go: Times,
    /// The registry's crate `cel`, which has no checker; none where it cannot run the expression.
    peer: Option<Times>,
}

fn conformance() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../conformance/cel")
}

/// Nanoseconds of one run.
fn time(runs: usize, mut run: impl FnMut()) -> f64 {
    let start = Instant::now();
    let before = processor_time(start);
    for _ in 0..runs {
        run();
    }
    (processor_time(start) - before) / runs as f64
}

/// Measures ours, and gives the value.
fn ours(setting: &Setting, expression: &mut Expression) -> Result<String> {
    let source = expression.text.as_str();
    let env = setting.env();
    let parsed = parse(source, env);
    ensure!(parsed.issues.is_empty(), "{}: {:?}", expression.name, parsed.issues);
    let checked = check(parsed.ast.clone(), env);
    ensure!(checked.issues.is_empty(), "{}: {:?}", expression.name, checked.issues);
    let program = Program::new(&checked, env).map_err(|error| anyhow!("{}: {error}", expression.name))?;
    let limits = Limits::default();
    let value = program.eval(setting.variables(), &limits).result?;
    expression.ours[0].push(time(COMPILATIONS, || {
        std::hint::black_box(parse(source, env));
    }));
    expression.ours[1].push(time(COMPILATIONS, || {
        std::hint::black_box(check(parsed.ast.clone(), env));
    }));
    expression.ours[2].push(time(EVALUATIONS, || {
        let _ = std::hint::black_box(program.eval(setting.variables(), &limits).result);
    }));
    text::of_value(&value).context("a value too large to write down")
}

/// Measures the peer.
fn peer(env: &cel::Env, context: &cel::Context<'_, '_>, expression: &mut Expression) {
    let Some(times) = &mut expression.peer else { return };
    let program = env.compile(&expression.text);
    let Some(program) = program.ok().filter(|program| program.execute(context).is_ok()) else {
        expression.peer = None;
        return;
    };
    times[0].push(time(PEER_COMPILATIONS, || {
        let _ = std::hint::black_box(env.compile(&expression.text));
    }));
    times[2].push(time(EVALUATIONS, || {
        let _ = std::hint::black_box(program.execute(context));
    }));
}

/// A value of the input for the peer, with the integers as they are for cel-go.
fn peer_value(json: &Json) -> cel::Value {
    match json {
        Json::Null => cel::Value::Null,
        Json::Bool(value) => cel::Value::Bool(*value),
        Json::Number(number) => match number.as_i64() {
            Some(value) => cel::Value::Int(value),
            None => cel::Value::Float(number.as_f64().unwrap_or(f64::NAN)),
        },
        Json::String(text) => cel::Value::String(Arc::new(text.clone())),
        Json::Array(items) => cel::Value::List(Arc::new(items.iter().map(peer_value).collect())),
        Json::Object(members) => {
            let members = members.iter().map(|(key, value)| (key.as_str().into(), peer_value(value)));
            cel::Value::Map(cel::objects::Map { map: Arc::new(members.collect()) })
        }
    }
}

/// Parse, check and evaluation of each expression, beside cel-go and the registry's crate.
pub(crate) fn run(file: &Path, go: &Path) -> Result<()> {
    let source = std::fs::read_to_string(file).with_context(|| file.display().to_string())?;
    let source: Json = serde_json::from_str(&source)?;
    let case = Case::parse(&format!("{{\"env\":\"{ENV}\"}}"))?;
    let setting = Setting::of_case(&case, &conformance()).map_err(anyhow::Error::msg)?;
    let variables = conformance().join(format!("{ENV}.json"));
    let shared: Json = serde_json::from_str(&std::fs::read_to_string(&variables)?)?;

    let mut env = cel::Env::stdlib();
    env.add_extension(cel::extensions::strings).map_err(|error| anyhow!("{error:?}"))?;
    let env = Arc::new(env);
    let mut context = cel::Context::with_env(Arc::clone(&env));
    for (name, value) in shared["data"].as_object().context("no data")? {
        context.add_variable_from_value(name.as_str(), peer_value(value));
    }

    let mut expressions = Vec::new();
    for one in source["expressions"].as_array().context("no expressions")? {
        let text =
            |key: &str| one[key].as_str().map(str::to_owned).context("an expression without name or text");
        let (ours, go, peer) = (Times::default(), Times::default(), Some(Times::default()));
        expressions.push(Expression { name: text("name")?, text: text("expr")?, ours, go, peer });
    }
    for _ in 0..ROUNDS {
        let mut values = Vec::new();
        for expression in &mut expressions {
            values.push(ours(&setting, expression)?);
            peer(&env, &context, expression);
        }
        let output = Command::new(go).arg("cel").arg(&variables).arg(file).arg(RUNS.to_string()).output();
        let output = output.context("the Go program")?;
        if !output.status.success() {
            bail!("the Go program: {}", String::from_utf8_lossy(&output.stderr));
        }
        for ((line, value), expression) in
            String::from_utf8(output.stdout)?.lines().zip(values).zip(&mut expressions)
        {
            let result: Json = serde_json::from_str(line)?;
            ensure!(canonical(&result["output"].to_string())? == value, "ours gives {value}: {line}");
            for (step, times) in STEPS.iter().zip(&mut expression.go) {
                times.push(result[*step].as_f64().context("no time")?);
            }
        }
    }
    print(&mut expressions);
    Ok(())
}

fn print(expressions: &mut [Expression]) {
    println!("processor time in µs, median of {ROUNDS} rounds");
    for (step, name) in STEPS.into_iter().enumerate() {
        let (mut all_ours, mut all_go, mut all_peer, mut beside_peer) = (0.0, 0.0, 0.0, 0.0);
        for expression in &mut *expressions {
            let (ours, go) = (median(&mut expression.ours[step]), median(&mut expression.go[step]));
            let peer =
                expression.peer.as_mut().map(|times| &mut times[step]).filter(|times| !times.is_empty());
            let peer = peer.map(|times| median(times));
            let shown = peer.map_or("     n/a".to_owned(), |peer| format!("{:8.2}", peer / 1e3));
            println!(
                "{name:8} {:10} ours {:8.2}   cel-go {:8.2}   cel {shown}   ratio to cel-go {:.3}",
                expression.name,
                ours / 1e3,
                go / 1e3,
                ours / go
            );
            all_ours += ours;
            all_go += go;
            if let Some(peer) = peer {
                all_peer += peer;
                beside_peer += ours;
            }
        }
        let peer = if all_peer > 0.0 {
            format!("{:.3} of that of the crate cel", beside_peer / all_peer)
        } else {
            "the crate cel has no such step".to_owned()
        };
        println!(
            "ratio: {name}: ours takes {:.3} of the processor time of cel-go, {peer}",
            all_ours / all_go
        );
    }
}
