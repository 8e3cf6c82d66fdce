use convoy_text::Span;

use super::{Check, Example, FileContext, Reports, Rule};
use crate::diagnostic::{Place, Severity, Stage};

pub(super) const RULE: Rule = Rule {
    name: "file-encoding",
    stage: Stage::Admission,
    severity: Severity::Error,
    summary: "A file is not UTF-8.",
    explanation: "Kubernetes and its tools read YAML as UTF-8. The rest of the file is analysed with the bad bytes replaced.",
    example: Example { wrong: "", right: "" },
    check: Check::File(check),
};

fn check(context: &FileContext<'_>, reports: &mut Reports) {
    if let Some(at) = context.file.not_utf8 {
        let line = context.file.lines.line_of(at.min(context.file.text.len())) + 1;
        let span = Span::new(at.min(context.file.text.len()), (at + 3).min(context.file.text.len()));
        let place = Place { file: context.file.path.clone(), span };
        reports.add(place, format!("invalid UTF-8 at byte {at}, line {line}")).help("save the file as UTF-8");
    }
}
