//! What a rule reports. Plain data: no LSP type and no terminal has a say in it.

use std::path::Path;
use std::sync::Arc;

use convoy_text::Span;
use serde::Serialize;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing.
    Hint,
    /// Fails for some, or is hardly meant.
    Warning,
    /// Is refused, or fails.
    Error,
}

impl Severity {
    /// The word of outputs and settings.
    pub fn word(self) -> &'static str {
        match self {
            Severity::Hint => "hint",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// When it shows in the cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// The API server refuses the document.
    Admission,
    /// The mutation fails when it runs, or makes an object that the API server refuses.
    Run,
    /// It runs, but hardly as meant.
    Review,
}

impl Stage {
    /// The word of outputs.
    pub fn word(self) -> &'static str {
        match self {
            Stage::Admission => "admission",
            Stage::Run => "run",
            Stage::Review => "review",
        }
    }
}

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The file.
    pub file: Arc<Path>,
    /// Bytes in it.
    pub span: Span,
}

/// Another place that explains a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// Where.
    pub place: Place,
    /// What it has to do with it.
    pub message: String,
}

/// A finding of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The rule's name.
    pub rule: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// When it shows.
    pub stage: Stage,
    /// Where.
    pub place: Place,
    /// What is wrong, with the values, in one sentence.
    pub message: String,
    /// What to write instead.
    pub help: Option<String>,
    /// Other places.
    pub related: Vec<Related>,
}

impl Diagnostic {
    /// The order of outputs: by file, place, severity and rule.
    pub fn sort(diagnostics: &mut Vec<Diagnostic>) {
        diagnostics.sort_by(|a, b| {
            (&a.place, std::cmp::Reverse(a.severity), a.rule, &a.message).cmp(&(
                &b.place,
                std::cmp::Reverse(b.severity),
                b.rule,
                &b.message,
            ))
        });
        diagnostics.dedup();
    }
}
