use convoy_patch::json_patch::Op;
use convoy_patch::pointer::{self, Fault};
use convoy_text::Span;

use super::{Check, Example, Release, Reports, Rule};
use crate::diagnostic::{Severity, Stage};
use crate::dialect::convoy::{Content, MutationType};
use crate::preview::Outcome;

pub(super) const RULE: Rule = Rule {
    name: "json-pointer",
    stage: Stage::Run,
    severity: Severity::Error,
    summary: "A path of a patch is no JSON Pointer, or can never be followed.",
    explanation: "RFC 6901: a pointer begins with `/`; a `/` in a key is written `~1`, a `~` as `~0`. `-` is the place after the last item of a list, which only `add` (and the target of `move` and `copy`) can use. The library drops what stands before the first `/` without a word: `spec/replicas` sets the top-level key `replicas`. A negative index is an extension of the library, not part of the RFC.",
    example: Example {
        wrong: "apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: jsonPatch
  target: {group: apps, version: v1, kind: Deployment, name: web}
  patches:
  - {op: add, path: spec/replicas, value: 3}
",
        right: "apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: jsonPatch
  target: {group: apps, version: v1, kind: Deployment, name: web}
  patches:
  - {op: add, path: /spec/replicas, value: 3}
",
    },
    check: Check::Release(check),
};

fn check(context: &Release<'_>, reports: &mut Reports) {
    for mutation in &context.preview.release.mutations {
        if mutation.kind != Some(MutationType::JsonPatch) {
            continue;
        }
        // A pointer that was followed on every sample can be followed: `-` may be the key of a map.
        let mut steps = context.preview.steps(mutation.index).peekable();
        let works =
            steps.peek().is_some() && steps.all(|(_, _, step)| matches!(step.outcome, Outcome::Done(_)));
        for operation in &mutation.patches {
            let op = operation.op.as_ref().and_then(|op| Op::parse(&op.text));
            if let Some(path) = &operation.path {
                let adds = matches!(op, Some(Op::Add | Op::Move | Op::Copy) | None);
                check_pointer(context, path, adds || works, reports);
            }
            if let Some(from) = operation.from.as_ref().filter(|_| matches!(op, Some(Op::Move | Op::Copy))) {
                check_pointer(context, from, works, reports);
            }
        }
    }
}

fn check_pointer(context: &Release<'_>, content: &Content, dash_fits: bool, reports: &mut Reports) {
    let text = content.text.as_str();
    let place = |span| context.place(content.map.span_to_document(span));
    let whole = Span::new(0, text.len());
    // Only what a template leaves alone is known.
    let known = text.find("{{").unwrap_or(text.len());
    if text.is_empty() || known == 0 {
        return;
    }
    match pointer::fault(&text[..known]) {
        Some(Fault::NoLeadingSlash) => {
            let message = match text.find('/') {
                Some(at) => format!(
                    "{text:?} does not begin with /: the library drops {:?} and works on {:?}",
                    &text[..at],
                    &text[at..]
                ),
                None => format!("{text:?} does not begin with /: doc is missing path"),
            };
            reports.add(place(whole), message).help(format!("write /{text}"));
            return;
        }
        Some(Fault::Backslash(span)) => {
            let mended = text.replace("\\/", "~1");
            reports
                .add(place(span), "a backslash does not escape: JSON Pointer knows only ~0 and ~1")
                .help(format!("write {mended}"));
            return;
        }
        Some(Fault::BadEscape(span)) => {
            reports
                .add(place(span), "~ is written ~0, and / in a key ~1; any other ~ is no escape")
                .severity(Severity::Warning)
                .help(format!("write {}~0{}", &text[..span.start], &text[span.end..]));
        }
        None => {}
    }
    let tokens = pointer::tokens(text);
    for (i, token) in tokens.iter().enumerate() {
        if token.span.end > known {
            break;
        }
        let last = i + 1 == tokens.len();
        if token.key == "-" && !(last && dash_fits) {
            reports
                .add(place(token.span), "- names the place after the last item, where nothing ever is")
                .help("- is for add only; name an index instead");
        }
        let negative = token
            .key
            .strip_prefix('-')
            .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()));
        if negative {
            reports
                .add(
                    place(token.span),
                    "a negative index counts from the end: an extension of the library, not RFC 6901",
                )
                .severity(Severity::Hint);
        }
    }
}
