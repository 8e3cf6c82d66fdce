//! Workspaces for tests, made of texts.
#![allow(dead_code)]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use convoy_lsp::diagnostic::Diagnostic;
use convoy_lsp::workspace::{File, Workspace};

/// A workspace that exists only in memory, under the root `/w`.
pub struct Fixture {
    pub workspace: Workspace,
}

pub fn path(name: &str) -> PathBuf {
    Path::new("/w").join(name)
}

impl Fixture {
    pub fn new(files: &[(&str, &str)]) -> Fixture {
        let mut workspace = Workspace::new(Path::new("/w"));
        for (name, text) in files {
            workspace.set_file(File::from_text(path(name).into(), Arc::from(*text)));
        }
        Fixture { workspace }
    }

    pub fn file(&self, name: &str) -> &Arc<File> {
        self.workspace.file(&path(name)).expect("the fixture has the file")
    }

    pub fn diagnostics(&self, name: &str) -> Vec<Diagnostic> {
        convoy_lsp::ide::diagnostics(&self.workspace, self.file(name))
    }

    /// The diagnostics of a file, each as `LINE:COLUMN "TEXT" SEVERITY RULE: MESSAGE` with its help under it.
    pub fn report(&self, name: &str) -> String {
        let file = self.file(name);
        let mut out = String::new();
        for diagnostic in self.diagnostics(name) {
            let span = diagnostic.place.span;
            let line = file.lines.line_of(span.start);
            let column = span.start - file.lines.line_span(&file.text, line).start;
            out.push_str(&format!(
                "{}:{} {:?} {} {}: {}\n",
                line + 1,
                column + 1,
                span.text(&file.text),
                diagnostic.severity.word(),
                diagnostic.rule,
                diagnostic.message
            ));
            if let Some(help) = &diagnostic.help {
                out.push_str(&format!("    help: {help}\n"));
            }
        }
        out
    }
}
