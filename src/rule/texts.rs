use std::sync::Arc;

use convoy_patch::strategic::NoteKind;

use super::judged::{Finding, Judged, judge, judge_all};
use super::{Release, Reports};
use crate::dialect::convoy::MutationType;
use crate::preview::{Expression, Failure, FailureKind, FromContent, Outcome, Step, Text};

/// All texts of a Release that are run as templates over objects, each once.
pub(super) fn texts(context: &Release<'_>) -> Vec<Arc<Text>> {
    let mut texts: Vec<Arc<Text>> = Vec::new();
    for (i, compiled) in context.preview.compiled.mutations.iter().enumerate() {
        let is_template = context.preview.release.mutations[i].kind.is_some_and(MutationType::is_template);
        if is_template {
            for content in context.preview.contents(i) {
                if !texts.iter().any(|known| Arc::ptr_eq(known, &content.text)) {
                    texts.push(content.text);
                }
            }
        }
        if let Some(Ok(patches)) = &compiled.patches {
            texts.push(patches.text.clone());
        }
    }
    texts
}

/// All CEL expressions of a Release, each once.
pub(super) fn expressions(context: &Release<'_>) -> Vec<Arc<Expression>> {
    let mut expressions: Vec<Arc<Expression>> = Vec::new();
    for mutation in 0..context.preview.release.mutations.len() {
        for content in context.preview.expressions(mutation) {
            if !expressions.iter().any(|known| Arc::ptr_eq(known, &content.expression)) {
                expressions.push(content.expression);
            }
        }
    }
    expressions
}

/// Reports the failures of these kinds, judged over all steps.
pub(super) fn report_failures(
    context: &Release<'_>,
    reports: &mut Reports,
    wanted: fn(&FailureKind) -> bool,
) {
    report_failures_of(context, reports, wanted, |_, _| true);
}

/// The same, where the rule has more to say: it may change what stopped a step, or leave it to another rule.
pub(super) fn report_failures_of(
    context: &Release<'_>,
    reports: &mut Reports,
    wanted: fn(&FailureKind) -> bool,
    amend: impl Fn(&Step, &mut Failure) -> bool,
) {
    for mutation in &context.preview.release.mutations {
        let judged = judge_all(context.preview, mutation.index, |_, step| {
            let stopped = match &step.outcome {
                Outcome::Failed(failure) => Some(&**failure),
                _ => None,
            };
            // What an earlier mutation may have put there is not known to be missing.
            let told = stopped
                .into_iter()
                .chain(&step.further)
                .filter(|failure| wanted(&failure.kind) && !context.preview.is_consequence(step, failure));
            let amended =
                told.cloned().filter_map(|mut failure| amend(step, &mut failure).then_some(failure));
            amended
                .map(|failure| Finding { place: failure.place, message: failure.message, help: failure.help })
                .collect()
        });
        for finding in judged {
            reports
                .add(finding.place, finding.message)
                .maybe_help(finding.help)
                .severity(finding.severity)
                .related(finding.object, format!("fails for {}", finding.object_label));
        }
        report_from(context, mutation.index, reports, wanted);
    }
}

/// Failures of `from.name` and `from.path`, which show even where no object matches.
fn report_from(
    context: &Release<'_>,
    mutation: usize,
    reports: &mut Reports,
    wanted: fn(&FailureKind) -> bool,
) {
    if context.preview.steps(mutation).next().is_some() {
        return;
    }
    let failed = context.preview.runs.iter().find_map(|run| match run.from.get(mutation) {
        Some(Some(FromContent::Failed(failure))) if wanted(&failure.kind) => Some(failure),
        _ => None,
    });
    if let Some(failure) = failed {
        reports.add(failure.place.clone(), failure.message.clone()).maybe_help(failure.help.clone());
    }
}

/// What a rule says of a note: the message and the help.
pub(super) type Said = Option<(String, Option<String>)>;

/// What the strategic merges of a mutation did beside what they were asked for, judged over all steps.
pub(super) fn judge_notes(
    context: &Release<'_>,
    mutation: usize,
    say: impl Fn(&NoteKind) -> Said,
) -> Vec<Judged> {
    judge(context.preview, mutation, |step| {
        if step.after_unknown {
            return Vec::new();
        }
        let said = step.notes.iter().filter_map(|noted| Some((noted, say(&noted.note.kind)?)));
        said.map(|(noted, (message, help))| Finding { place: noted.place.clone(), message, help }).collect()
    })
}

/// Reports them for each mutation.
pub(super) fn report_notes(context: &Release<'_>, reports: &mut Reports, say: impl Fn(&NoteKind) -> Said) {
    for mutation in &context.preview.release.mutations {
        for finding in judge_notes(context, mutation.index, &say) {
            reports
                .add(finding.place, finding.message)
                .maybe_help(finding.help)
                .related(finding.object, format!("{} is the object", finding.object_label));
        }
    }
}
