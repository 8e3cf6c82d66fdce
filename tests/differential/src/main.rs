//! Compares our engines with the Go programs over generated inputs:
//! `convoy-differential TARGET --oracle PATH [--cases N] [--seed S] [--seconds T] [--out FILE]`.
//!
//! Per signature of a difference it prints the count and one smallest case, and at the end the sum. Exit code 1 if
//! anything differed that no excuse explains, 2 if the call was wrong. Start reading at `run.rs`; README.md says how to
//! use it.

mod corpus;
mod draw;
mod excuses;
mod generate;
mod minimise;
mod mutate;
mod oracle;
mod outcome;
mod report;
mod run;
mod signature;
mod targets;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use oracle::Oracle;
use run::{Plan, Run};

/// Cases where the call names neither a number nor a time.
const CASES: u64 = 10_000;

struct Args {
    plan: Plan,
    oracle: PathBuf,
    out: Option<PathBuf>,
}

fn args(mut words: impl Iterator<Item = String>) -> Result<Args> {
    let name = words.next().context("no target")?;
    let target = targets::find(&name)?;
    let (mut cases, mut seed, mut time, mut oracle, mut out) = (None, 1, None, None, None);
    while let Some(option) = words.next() {
        let value = words.next().with_context(|| format!("{option} needs a value"))?;
        let number = || value.parse::<u64>().with_context(|| format!("{option} {value}: not a number"));
        match option.as_str() {
            "--oracle" => oracle = Some(PathBuf::from(&value)),
            "--cases" => cases = Some(number()?),
            "--seed" => seed = number()?,
            "--seconds" => time = Some(Duration::from_secs(number()?)),
            "--out" => out = Some(PathBuf::from(&value)),
            _ => bail!("unknown option {option}"),
        }
    }
    let cases = cases.unwrap_or(if time.is_some() { u64::MAX } else { CASES });
    let oracle = oracle.context("--oracle is missing: the program of tests/oracle")?;
    Ok(Args { plan: Plan { target, seed, cases, time }, oracle, out })
}

fn compare(args: &Args) -> Result<bool> {
    let mut oracle = Oracle::start(&args.oracle)?;
    run::quiet_panics();
    let start = Instant::now();
    let report = Run::new(&args.plan, &mut oracle).run()?;
    report.print();
    let seconds = start.elapsed().as_secs_f64();
    eprintln!("{seconds:.1} s, {:.0} cases/s", report.cases as f64 / seconds);
    if let Some(path) = &args.out {
        let mut file = std::fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(path)
            .with_context(|| path.display().to_string())?;
        for case in run::cases(&args.plan, &mut oracle, &report)? {
            writeln!(file, "{}", serde_json::Value::Object(case))?;
        }
    }
    Ok(report.entries.is_empty())
}

fn call() -> ExitCode {
    let args = match args(std::env::args().skip(1)) {
        Ok(args) => args,
        Err(error) => {
            eprintln!(
                "convoy-differential: {error:#}\nusage: convoy-differential TARGET --oracle PATH [--cases N] [--seed S] \
                 [--seconds T] [--out FILE]\ntargets: {}",
                targets::NAMES.join(", ")
            );
            return ExitCode::from(2);
        }
    };
    match compare(&args) {
        Ok(same) => ExitCode::from(u8::from(!same)),
        Err(error) => {
            eprintln!("convoy-differential: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn main() -> ExitCode {
    // As large as the stack on which the conformance cases run, so that depth is judged alike.
    let worker =
        std::thread::Builder::new().stack_size(64 << 20).spawn(call).map(std::thread::JoinHandle::join);
    match worker {
        Ok(Ok(code)) => code,
        _ => ExitCode::from(101),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &[&str]) -> Result<Args> {
        args(words.iter().map(|word| (*word).to_owned()))
    }

    #[test]
    fn arguments_are_read() {
        let args = read(&["yaml", "--oracle", "o", "--cases", "7", "--seed", "3"]).unwrap();
        assert_eq!((args.plan.cases, args.plan.seed, args.plan.time), (7, 3, None));
        assert_eq!(read(&["yaml", "--oracle", "o", "--seconds", "9"]).unwrap().plan.cases, u64::MAX);
        assert_eq!(read(&["yaml", "--oracle", "o"]).unwrap().plan.cases, CASES);
        for wrong in [
            &["x", "--oracle", "o"][..],
            &["yaml"],
            &["yaml", "--oracle"],
            &["yaml", "--oracle", "o", "-x", "1"],
        ] {
            assert!(read(wrong).is_err());
        }
    }
}
