//! Arguments in, exit code out.

use std::process::ExitCode;

fn main() -> ExitCode {
    convoy_lsp::cli::main()
}
