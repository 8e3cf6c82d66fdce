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
        self.settle_types();
        let spans_of = |rules: &[&str], found: &[Diagnostic]| -> Vec<Place> {
            found.iter().filter(|d| rules.contains(&d.rule)).map(|d| d.place.clone()).collect()
        };
        let told = spans_of(
            &["template-root", "template-arguments", "json-pointer", "json-patch-operation"],
            &self.found,
        );
        let at_run = ["template-failed", "json-patch-failed", "json-patch-rendered", "no-value"];
        self.found.retain(|diagnostic| {
            !(at_run.contains(&diagnostic.rule)
                && diagnostic.severity != Severity::Hint
                && told.iter().any(|place| meet(place, &diagnostic.place)))
        });
        self.found
    }

    /// Where a type and what ran speak of the same place, one of them speaks.
    fn settle_types(&mut self) {
        let of = |rule: &str, found: &[Diagnostic]| -> Vec<Diagnostic> {
            found.iter().filter(|diagnostic| diagnostic.rule == rule).cloned().collect()
        };
        let types = of("object-field-type", &self.found);
        let told: Vec<Diagnostic> = [of("no-value", &self.found), of("unquoted-value", &self.found)].concat();
        let met = |found: &Diagnostic, others: &[Diagnostic]| {
            others.iter().find(|other| meet(&found.place, &other.place)).cloned()
        };
        self.found.retain_mut(|found| match found.rule {
            // How a template came to write it says more than what became of it.
            "no-value" | "unquoted-value" => {
                if let Some(ty) = met(found, &types) {
                    found.severity = found.severity.max(ty.severity);
                    found.stage = ty.stage;
                    found.related.push(Related { place: ty.place, message: ty.message });
                }
                true
            }
            "object-field-type" => met(found, &told).is_none(),
            _ => true,
        });
    }
}

/// Whether two findings are about the same bytes.
fn meet(a: &Place, b: &Place) -> bool {
    a.file == b.file && (a.span.overlaps(b.span) || a.span == b.span)
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
