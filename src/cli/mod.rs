//! The command line: `--check`, `preview`, and the server on standard input and output.
//!
//! Exit codes: 0 clean, 1 findings (or a failed preview), 2 a wrong call, settings or path. It must not know rules;
//! it calls what editors call.

mod check;
mod human;
mod json;
mod preview;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Parser, Subcommand, ValueEnum};

use crate::diagnostic::Severity;
use crate::workspace::normalize;

/// Findings, or a preview that fails.
const FINDINGS: u8 = 1;
/// A call that cannot be carried out.
const USAGE: u8 = 2;

/// Language server and CI checker for declarative mutations of Kubernetes objects.
///
/// Without arguments it is a language server on standard input and output.
#[derive(Debug, Parser)]
#[command(name = "convoy-lsp", version, args_conflicts_with_subcommands = true)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// Check files and folders (default: the working directory) instead of serving.
    #[arg(long)]
    check: bool,
    /// How findings are printed.
    #[arg(long, value_enum, default_value_t = Format::Human, requires = "check")]
    format: Format,
    /// The severity from which on the exit code is 1.
    #[arg(long, value_enum, default_value_t = FailOn::Error, requires = "check")]
    fail_on: FailOn,
    /// When to colour the output.
    #[arg(long, value_enum, default_value_t = Color::Auto)]
    color: Color,
    /// Serve on standard input and output: the default, accepted for editors that pass it.
    #[arg(long)]
    stdio: bool,
    /// Files and folders to check.
    #[arg(requires = "check")]
    paths: Vec<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Show what the mutations of a Release do to the objects in the workspace.
    Preview(preview::Arguments),
    /// Print the JSON Schema of the settings file.
    Schema,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people: the line with the place marked.
    Human,
    /// One JSON array.
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FailOn {
    Error,
    Warning,
    Hint,
    /// Never.
    Never,
}

impl FailOn {
    fn reached_by(self, severity: Severity) -> bool {
        match self {
            FailOn::Error => severity >= Severity::Error,
            FailOn::Warning => severity >= Severity::Warning,
            FailOn::Hint => true,
            FailOn::Never => false,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Color {
    /// On a terminal, unless `NO_COLOR` is set.
    Auto,
    Always,
    Never,
}

impl Color {
    fn wanted(self) -> bool {
        use std::io::IsTerminal as _;
        match self {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none(),
        }
    }
}

/// Parsers and values nest within limits; a known stack makes the limits the same on every thread and system.
const STACK: usize = 16 << 20;

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    let pool = rayon::ThreadPoolBuilder::new().stack_size(STACK).build_global();
    debug_assert!(pool.is_ok(), "the pool is built once");
    let main = std::thread::Builder::new().name("main".to_owned()).stack_size(STACK).spawn(run);
    match main.map(std::thread::JoinHandle::join) {
        Ok(Ok(code)) => code,
        // The panic has been printed; the code is Rust's own.
        Ok(Err(_)) => ExitCode::from(101),
        Err(error) => {
            complain(&format!("cannot start a thread: {error}"));
            ExitCode::from(USAGE)
        }
    }
}

fn run() -> ExitCode {
    let arguments = Arguments::parse();
    let result = match arguments.command {
        Some(Command::Preview(preview)) => preview::run(&preview),
        Some(Command::Schema) => {
            let schema =
                serde_json::to_string_pretty(&crate::workspace::settings::schema()).unwrap_or_default();
            print(&format!("{schema}\n")).map(|()| 0)
        }
        None if arguments.check => {
            let options = check::Options {
                paths: arguments.paths,
                format: arguments.format,
                fail_on: arguments.fail_on,
                color: arguments.color.wanted(),
            };
            check::run(&options)
        }
        None => crate::server::serve().map(|clean| u8::from(!clean)),
    };
    match result {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            complain(&format!("{error:#}"));
            ExitCode::from(USAGE)
        }
    }
}

/// Writes to standard output. A reader that has gone, such as `head`, is no reason to complain, and does not change
/// the verdict; half a report on a full disk is an error.
fn print(text: &str) -> anyhow::Result<()> {
    use std::io::Write as _;
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(error).context("cannot write to standard output")
        }
        _ => Ok(()),
    }
}

/// Writes a line to standard error, if anybody still reads it.
fn complain(text: &str) {
    use std::io::Write as _;
    let _ = writeln!(std::io::stderr().lock(), "convoy-lsp: {text}");
}

/// The working directory and an absolute path, both without `.` and `..`.
fn absolute(path: &Path) -> anyhow::Result<PathBuf> {
    Ok(normalize(&std::env::current_dir()?.join(path)))
}

/// A path as it is printed: relative to the working directory where it lies below it.
fn shown(path: &Path) -> String {
    let here = std::env::current_dir().map(|here| normalize(&here)).unwrap_or_default();
    let shown = path.strip_prefix(&here).unwrap_or(path);
    shown.to_string_lossy().replace('\\', "/")
}
