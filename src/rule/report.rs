use convoy_text::Span;

use super::{RULES, Rule};
use crate::diagnostic::{Diagnostic, Place, Related, Severity};

/// Collects what the rules find.
pub struct Reports {
    found: Vec<Diagnostic>,
    rule: &'static Rule,
}

impl Reports {
    /// Nothing yet.
    pub(super) fn new() -> Self {
        Reports { found: Vec::new(), rule: RULES[0] }
    }

    /// Runs one rule.
    pub(super) fn run(&mut self, rule: &'static Rule, check: impl FnOnce(&mut Reports)) {
        self.rule = rule;
        check(self);
    }

    /// Adds a finding of the rule that runs.
    pub fn add(&mut self, place: Place, message: impl Into<String>) -> Report<'_> {
        let rule = self.rule;
        self.found.push(Diagnostic {
            rule: rule.name,
            severity: rule.severity,
            stage: rule.stage,
            place,
            message: message.into(),
            help: None,
            related: Vec::new(),
        });
        let last = self.found.len() - 1;
        Report { diagnostic: &mut self.found[last] }
    }

    /// All findings, without those that only repeat another: a static fault of a template shows again when the
    /// template runs.
    pub(super) fn finish(mut self) -> Vec<Diagnostic> {
        let spans_of = |rules: &[&str], found: &[Diagnostic]| -> Vec<Place> {
            found.iter().filter(|d| rules.contains(&d.rule)).map(|d| d.place.clone()).collect()
        };
        let told = spans_of(
            &["template-root", "template-arguments", "json-pointer", "json-patch-operation"],
            &self.found,
        );
        let at_run = ["template-failed", "json-patch-failed", "json-patch-rendered", "no-value"];
        self.found.retain(|diagnostic| {
            let overlaps = |place: &Place| {
                place.file == diagnostic.place.file
                    && (place.span.overlaps(diagnostic.place.span) || place.span == diagnostic.place.span)
            };
            !(at_run.contains(&diagnostic.rule)
                && diagnostic.severity != Severity::Hint
                && told.iter().any(overlaps))
        });
        self.found
    }
}

/// A finding that is being written.
pub struct Report<'a> {
    diagnostic: &'a mut Diagnostic,
}

impl Report<'_> {
    /// What to write instead.
    pub fn help(self, help: impl Into<String>) -> Self {
        self.diagnostic.help = Some(help.into());
        self
    }

    /// The same, where it is known.
    pub fn maybe_help(self, help: Option<String>) -> Self {
        self.diagnostic.help = help;
        self
    }

    /// Another severity than the rule's.
    pub fn severity(self, severity: Severity) -> Self {
        self.diagnostic.severity = severity;
        self
    }

    /// Another place that explains the finding.
    pub fn related(self, place: Place, message: impl Into<String>) -> Self {
        self.diagnostic.related.push(Related { place, message: message.into() });
        self
    }
}

/// The span, or its first byte where it is longer than a line is wide.
pub(super) fn short(span: Span, text: &str) -> Span {
    let line = span.text(text).lines().next().unwrap_or("").trim_end().len();
    Span::new(span.start, span.start + line.max(usize::from(!span.is_empty())))
}
