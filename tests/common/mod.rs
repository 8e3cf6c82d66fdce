//! Workspaces for tests, made of texts.
#![allow(dead_code)]

pub mod lsp;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use convoy_lsp::diagnostic::Diagnostic;
use convoy_lsp::preview::diff::{at, changed_pointers};
use convoy_lsp::preview::{Outcome, Preview, Scope, Step};
use convoy_lsp::workspace::{File, Workspace};
use convoy_value::Value;

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

/// A finding in words that tests compare.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    pub rule: &'static str,
    pub severity: &'static str,
    pub stage: &'static str,
    /// The text under the range.
    pub text: String,
    /// From 0.
    pub line: usize,
    /// In UTF-16 units, from 0.
    pub column: usize,
    pub message: String,
    pub help: String,
}

impl Found {
    /// Asserts that the message or the help has all of these words.
    #[track_caller]
    pub fn says(&self, words: &[&str]) -> &Found {
        for word in words {
            assert!(
                self.message.contains(word) || self.help.contains(word),
                "{word:?} is not said by {self:#?}"
            );
        }
        self
    }

    /// Asserts that the message has this text: what the real program prints.
    #[track_caller]
    pub fn quotes(&self, text: &str) -> &Found {
        assert!(self.message.contains(text), "{text:?} is not in {self:#?}");
        self
    }
}

impl Fixture {
    /// The diagnostics of a file in words.
    pub fn found(&self, name: &str) -> Vec<Found> {
        let file = self.file(name);
        self.diagnostics(name)
            .into_iter()
            .map(|diagnostic| {
                let span = diagnostic.place.span;
                let line = file.text[..span.start].matches('\n').count();
                let line_start = file.text[..span.start].rfind('\n').map_or(0, |i| i + 1);
                Found {
                    rule: diagnostic.rule,
                    severity: diagnostic.severity.word(),
                    stage: diagnostic.stage.word(),
                    text: span.text(&file.text).to_owned(),
                    line,
                    column: file.text[line_start..span.start].encode_utf16().count(),
                    message: diagnostic.message,
                    help: diagnostic.help.unwrap_or_default(),
                }
            })
            .collect()
    }

    /// Asserts that a file has exactly these diagnostics, in the order of their places, each as rule, severity and
    /// the text under its range.
    #[track_caller]
    pub fn expect(&self, name: &str, wanted: &[(&str, &str, &str)]) -> Vec<Found> {
        let found = self.found(name);
        let seen: Vec<(&str, &str, &str)> =
            found.iter().map(|f| (f.rule, f.severity, f.text.as_str())).collect();
        assert_eq!(seen, wanted, "\n{}", self.report(name));
        found
    }

    /// What the first Release of a file does in one cluster, or where no cluster is found.
    pub fn preview(&self, name: &str, cluster: Option<&str>) -> Preview {
        let file = self.file(name);
        let preview = |document| Preview::new(&self.workspace, file, document, Scope::Show(cluster));
        file.documents.iter().find_map(preview).expect("the file has a Release")
    }

    /// The steps of an object, named as `Kind/name` or `Kind/namespace/name`.
    #[track_caller]
    pub fn steps(&self, name: &str, cluster: Option<&str>, object: &str) -> Vec<Step> {
        let preview = self.preview(name, cluster);
        let run = preview.runs[0].objects.iter().find(|run| run.object.label() == object);
        run.unwrap_or_else(|| panic!("{object} is no sample")).steps.clone()
    }

    /// An object after all mutations, none of which failed.
    #[track_caller]
    pub fn result(&self, name: &str, cluster: Option<&str>, object: &str) -> Value {
        let preview = self.preview(name, cluster);
        let run = preview.runs[0].objects.iter().find(|run| run.object.label() == object);
        let run = run.unwrap_or_else(|| panic!("{object} is no sample"));
        for step in &run.steps {
            assert!(
                matches!(step.outcome, Outcome::Done(_)),
                "mutation {}: {:#?}",
                step.mutation,
                step.outcome
            );
        }
        run.result().expect("the object has a value").clone()
    }

    /// The pointers at which an object differs after all mutations.
    #[track_caller]
    pub fn changed(&self, name: &str, cluster: Option<&str>, object: &str) -> Vec<String> {
        let after = self.result(name, cluster, object);
        let preview = self.preview(name, cluster);
        let run =
            preview.runs[0].objects.iter().find(|run| run.object.label() == object).expect("it is there");
        changed_pointers(run.object.value().expect("the object has a value"), &after)
    }

    /// How the first mutation that fails on an object fails: the reason of the Release, and the text.
    #[track_caller]
    pub fn failure(&self, name: &str, cluster: Option<&str>, object: &str) -> (&'static str, String) {
        let steps = self.steps(name, cluster, object);
        let failed = steps.iter().find_map(|step| match &step.outcome {
            Outcome::Failed(failure) => Some((failure.reason.name(), failure.message.clone())),
            _ => None,
        });
        failed.unwrap_or_else(|| panic!("nothing fails: {steps:#?}"))
    }
}

/// A value written as YAML.
pub fn yaml(text: &str) -> Value {
    let tree = convoy_yaml::parse(text);
    let root = tree.documents()[0].root.expect("the text has a value");
    convoy_yaml::value(&tree, root, convoy_yaml::Options::default()).expect("the text is YAML")
}

/// Asserts that the value at a pointer is this one.
#[track_caller]
pub fn assert_at(value: &Value, pointer: &str, wanted: &str) {
    let found = at(value, pointer);
    let wanted = yaml(wanted);
    assert!(found.is_some_and(|found| found.same_json(&wanted)), "{pointer} is {found:?}, not {wanted:?}");
}

/// Asserts that nothing stands at a pointer.
#[track_caller]
pub fn assert_absent(value: &Value, pointer: &str) {
    assert_eq!(at(value, pointer), None, "{pointer}");
}

/// A Release in namespace `prod` with these entries of `mutations`, which begin at the first column.
pub fn release(mutations: &str) -> String {
    format!(
        "apiVersion: convoy.kumodo.io/v1alpha1\nkind: Release\nmetadata: {{name: rel, namespace: prod, labels: {{tier: gold}}}}\nspec: {{}}\nmutations:\n{mutations}"
    )
}

/// A Cluster with these metadata, as the inside of a flow mapping.
pub fn cluster(name: &str, metadata: &str) -> String {
    format!(
        "apiVersion: convoy.kumodo.io/v1alpha1\nkind: Cluster\nmetadata: {{name: {name}}}\nspec: {{metadata: {{{metadata}}}}}\n"
    )
}

/// The text with line breaks of Windows.
pub fn crlf(text: &str) -> String {
    text.replace('\n', "\r\n")
}

/// Runs a check that must not take long, and fails without waiting for one that does.
#[track_caller]
pub fn soon(check: impl FnOnce() + Send + 'static) {
    let (done, ended) = std::sync::mpsc::channel();
    let thread = std::thread::spawn(move || {
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(check));
        done.send(()).ok();
        if let Err(panic) = result {
            std::panic::resume_unwind(panic);
        }
    });
    let in_time = ended.recv_timeout(std::time::Duration::from_secs(10));
    assert!(in_time.is_ok(), "the check takes more than 10 seconds");
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}
