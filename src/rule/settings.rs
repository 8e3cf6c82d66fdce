use super::nearest::nearest;
use super::{Check, Example, FileContext, Reports, Rule};
use crate::diagnostic::{Place, Severity, Stage};
use crate::workspace::settings::{is_settings_file, read};

pub(super) const RULE: Rule = Rule {
    name: "settings",
    stage: Stage::Review,
    severity: Severity::Error,
    summary: "The settings file is wrong.",
    explanation: "A wrong field of `.convoy-lsp.yaml` is left out, and the rest counts. The JSON Schema is in `schemas/settings.schema.json`.",
    example: Example { wrong: "", right: "" },
    check: Check::File(check),
};

fn check(context: &FileContext<'_>, reports: &mut Reports) {
    if !is_settings_file(&context.file.path) {
        return;
    }
    let place = |span| Place { file: context.file.path.clone(), span };
    let (read, faults) = read(&context.file.tree);
    for fault in faults {
        reports.add(place(fault.span), fault.message);
    }
    let tree = &context.file.tree;
    let rules = tree.documents().first().and_then(|d| d.root).and_then(|root| tree.get(root, "rules"));
    for name in read.rules.keys() {
        if super::find(name).is_some() {
            continue;
        }
        let span = rules.and_then(|rules| tree.entry(rules, name)).map(|entry| tree.span(entry.key));
        let names: Vec<&str> = super::RULES.iter().map(|rule| rule.name).collect();
        let report = reports.add(place(span.unwrap_or_default()), format!("there is no rule {name:?}"));
        report
            .maybe_help(nearest(name, names).map(|near| format!("did you mean {near}?")))
            .severity(Severity::Warning);
    }
}
