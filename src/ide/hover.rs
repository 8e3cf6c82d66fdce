//! What a mutation does, what a field of a template holds, what a key means.

use std::fmt::Write as _;
use std::sync::Arc;

use convoy_gotemplate::{Val, query};
use convoy_text::Span;
use convoy_value::Value;
use convoy_value::json::{self, KeyOrder};

use crate::dialect::convoy::Release;
use crate::preview::{Origin, Outcome, Preview, Run, Scope, Step, Text, diff};
use crate::workspace::{DocumentRef, File, Workspace};

/// What a hover shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// Markdown.
    pub markdown: String,
    /// What it is about.
    pub span: Span,
}

/// Objects whose difference or value a hover shows; the others are counted.
pub(super) const SHOWN_OBJECTS: usize = 3;
/// Lines of a difference before it is cut.
const SHOWN_LINES: usize = 40;

/// The hover at an offset of a file.
pub fn hover(workspace: &Workspace, file: &Arc<File>, offset: usize) -> Option<Hover> {
    let document = file.document_at(offset)?;
    if let Some(preview) = Preview::new(workspace, file, document, Scope::Show(None)) {
        return in_release(workspace, &preview, file, offset);
    }
    // Content of a ConfigMap: the hover of the mutation that uses it.
    for (reference, release) in workspace.releases() {
        if !super::diagnostics::may_read(release, file) {
            continue;
        }
        let Some(preview) = Preview::new(workspace, &reference.file, reference.document(), Scope::Show(None))
        else {
            continue;
        };
        for mutation in 0..preview.release.mutations.len() {
            for content in preview.expressions(mutation) {
                let expression = &content.expression;
                if expression.file == file.path && expression.span.touches(offset) {
                    let hover = super::hover_cel::hover(workspace, &preview, mutation, expression, offset);
                    return hover.or_else(|| {
                        let markdown = mutation_markdown(workspace, &preview, mutation);
                        Some(Hover { markdown, span: expression.span })
                    });
                }
            }
            for content in preview.contents(mutation) {
                if content.text.file == file.path && content.text.span.touches(offset) {
                    return in_text(workspace, &preview, mutation, &content.text, offset).or_else(|| {
                        let markdown = mutation_markdown(workspace, &preview, mutation);
                        Some(Hover { markdown, span: content.text.span })
                    });
                }
            }
        }
    }
    None
}

fn in_release(workspace: &Workspace, preview: &Preview, file: &Arc<File>, offset: usize) -> Option<Hover> {
    let release = &preview.release;
    if let Some(field) = release.mutations_field
        && field.key.touches(offset)
        && !field.key.is_empty()
    {
        return Some(Hover { markdown: mutations_markdown(release), span: field.key });
    }
    let mutation = release.mutations.iter().find(|mutation| {
        let start = file.lines.line_span(&file.text, file.lines.line_of(mutation.span.start)).start;
        start <= offset && offset <= mutation.span.end
    })?;
    let contents = preview.contents(mutation.index);
    let compiled = &preview.compiled.mutations[mutation.index];
    let texts = contents
        .iter()
        .map(|content| &content.text)
        .chain(compiled.patches.iter().flatten().map(|patches| &patches.text))
        .chain(compiled.from_name.iter())
        .chain(compiled.from_path.iter());
    for text in texts {
        if text.file == file.path
            && text.span.touches(offset)
            && let Some(hover) = in_text(workspace, preview, mutation.index, text, offset)
        {
            return Some(hover);
        }
    }
    for content in preview.expressions(mutation.index) {
        let expression = &content.expression;
        if expression.file == file.path
            && expression.span.touches(offset)
            && let Some(hover) =
                super::hover_cel::hover(workspace, preview, mutation.index, expression, offset)
        {
            return Some(hover);
        }
    }
    for (name, field) in &mutation.fields {
        if field.key.touches(offset) {
            let mut markdown = key_markdown(name).to_owned();
            markdown.push_str("\n\n---\n\n");
            markdown.push_str(&mutation_markdown(workspace, preview, mutation.index));
            return Some(Hover { markdown, span: field.key });
        }
    }
    let markdown = mutation_markdown(workspace, preview, mutation.index);
    // A client marks the range, so that it holds the place that was asked about.
    let start = mutation.span.start.min(offset);
    let span =
        if mutation.head().touches(offset) { mutation.head() } else { Span::new(start, mutation.span.end) };
    Some(Hover { markdown, span })
}

// ---- fields of templates ----

fn in_text(
    workspace: &Workspace,
    preview: &Preview,
    mutation: usize,
    text: &Arc<Text>,
    offset: usize,
) -> Option<Hover> {
    let at = text.map.to_content(offset)?;
    if let Some((field, link)) = query::field_at(&text.template, at) {
        let name = format!(".{}", field.idents[..=link].join("."));
        let span = text.map.span_to_document(field.spans[0].cover(field.spans[link]));
        let chosen = workspace.settings().object.as_deref();
        let values = preview.watch(mutation, text, field.spans[link], chosen);
        let mut markdown = format!("`{name}`\n\n");
        if values.is_empty() {
            markdown.push_str("no sample object reaches this field");
        }
        for (whom, value) in values.iter().take(SHOWN_OBJECTS) {
            let _ = writeln!(markdown, "- {} — {whom}", shown(value));
        }
        if values.len() > SHOWN_OBJECTS {
            let _ = writeln!(markdown, "- and {} more", values.len() - SHOWN_OBJECTS);
        }
        return Some(Hover { markdown, span });
    }
    let (name, span) = query::function_at(&text.template, at)?;
    let documentation = function_markdown(&name)?;
    Some(Hover { markdown: documentation.to_owned(), span: text.map.span_to_document(span) })
}

/// A value on one line.
fn shown(value: &Val) -> String {
    match value.to_value().filter(|_| !matches!(value, Val::Invalid | Val::Nil)) {
        Some(value) => shown_value(&value),
        None => "nothing there".to_owned(),
    }
}

/// A value as JSON on one line, cut where it is long.
pub(super) fn shown_value(value: &Value) -> String {
    let mut text = json::write(value, KeyOrder::Kept).unwrap_or_default();
    for (escape, c) in [("\\u003c", "<"), ("\\u003e", ">"), ("\\u0026", "&")] {
        text = text.replace(escape, c);
    }
    if text.chars().count() > 120 {
        text = text.chars().take(117).collect::<String>() + "…";
    }
    format!("`{}`", text.replace('`', "'"))
}

// ---- mutations ----

fn mutation_markdown(workspace: &Workspace, preview: &Preview, index: usize) -> String {
    let mutation = &preview.release.mutations[index];
    let kind = mutation.kind.map_or_else(
        || mutation.type_text.as_ref().map_or("no type", |text| &text.text).to_owned(),
        |kind| kind.name().to_owned(),
    );
    let mut steps: Vec<(&Run, &DocumentRef, &Step)> = Vec::new();
    let mut labels: Vec<String> = Vec::new();
    let mut samples = 0;
    let mut made_up = false;
    for (run, object, step) in preview.steps(index) {
        samples += usize::from(object.origin == Origin::Sample);
        made_up |= object.origin == Origin::MadeUp;
        steps.push((run, &object.object, step));
        labels.push(object.label());
    }
    let mut out = format!("**mutation {index}** · {kind} · ");
    out.push_str(&match samples {
        0 => "matches no sample object".to_owned(),
        1 => "matches 1 object".to_owned(),
        n => format!("matches {n} objects"),
    });
    if let Some(run) = preview.runs.first() {
        let _ = write!(out, " · {}", run.cluster_label());
    }
    out.push_str("\n\n");
    if !preview.has_samples() {
        out.push_str(
            "No sample objects: put rendered objects beside this file, or name them with `# convoy-lsp: samples=rendered.yaml`.\n",
        );
        if steps.is_empty() {
            return out;
        }
        out.push('\n');
    }
    if made_up {
        out.push_str(
            "No object of the workspace matches. What follows is shown on the smallest object of the kind; a rendered one has more fields.\n\n",
        );
    }
    // The chosen object, if the mutation matches it.
    let wanted = workspace.settings().object.as_deref();
    let wanted = wanted.filter(|wanted| steps.iter().any(|(_, object, _)| object.is_named(wanted)));
    let is_wanted = |object: &DocumentRef| wanted.is_none_or(|wanted| object.is_named(wanted));
    let mut failed = false;
    for ((run, _, step), label) in steps.iter().zip(&labels) {
        let Outcome::Failed(failure) = &step.outcome else { continue };
        if made_up {
            // What the smallest object lacks, a rendered one may have.
            let _ = writeln!(out, "**{label}**: {}\n", failure.message.replace('\n', " "));
        } else {
            failed = true;
            let _ = writeln!(
                out,
                "❌ **{label}**: {} — `Applied=False`, reason `{}`, stage Rendering ({})\n",
                failure.message.replace('\n', " "),
                failure.reason.name(),
                run.cluster_label()
            );
            if let Some(help) = &failure.help {
                let _ = writeln!(out, "help: {help}\n");
            }
        }
    }
    if failed {
        out.push_str(
            "An error in a mutation stops the render, also of a pinned Release: convoy runs the mutations at each reconcile before it reads the pin and the rollout.\n\n",
        );
    }
    let mut shown = 0;
    let mut more = 0;
    for ((_, object, step), label) in steps.iter().zip(&labels) {
        let after = match &step.outcome {
            Outcome::Done(after) => after,
            Outcome::NotEvaluated(why) => {
                if shown < SHOWN_OBJECTS {
                    let _ = writeln!(out, "**{label}**: {why}\n");
                    shown += 1;
                }
                continue;
            }
            Outcome::Failed(_) => continue,
        };
        if shown >= SHOWN_OBJECTS || !is_wanted(object) {
            more += 1;
            continue;
        }
        let text = diff::unified(&step.before, after, 3);
        shown += 1;
        if text.is_empty() {
            let _ = writeln!(out, "**{label}**: unchanged\n");
        } else {
            let _ = writeln!(out, "**{label}**\n\n```diff\n{}```\n", cut(&text));
        }
    }
    if more > 0 {
        let _ = writeln!(out, "and {more} more\n");
    }
    if kind == "syncWave" {
        out.push_str("The names of the annotations are assumed; settings `convoy.waveAnnotation` and `convoy.waveStrategyAnnotation` change them.\n");
    }
    out
}

fn cut(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    if lines.len() <= SHOWN_LINES {
        return text.to_owned();
    }
    format!("{}\n… {} more lines\n", lines[..SHOWN_LINES].join("\n"), lines.len() - SHOWN_LINES)
}

fn mutations_markdown(release: &Release) -> String {
    let mut out = format!(
        "**mutations** — {} in order, each on the output of the one before.\n\n",
        match release.mutations.len() {
            1 => "one mutation".to_owned(),
            n => format!("{n} mutations"),
        }
    );
    out.push_str(
        "- convoy runs them after the content renderer, before it calculates the renderRef.\n\
         - They change objects; they can neither add nor remove one, and do not see lifecycle hook workloads.\n\
         - An error stops the render, also of a pinned Release.\n\
         - A write to the `/mutations` subresource replaces the whole list.\n",
    );
    out
}

fn key_markdown(name: &str) -> &'static str {
    match name {
        "type" => "**type** — goTemplate, jsonPatch, strategicMergePatch, celTransform or syncWave.",
        "target" => {
            "**target** — which objects change: group, version, kind, name, namespace. An empty field matches all \
             values, any other must be equal; there are no patterns. The namespace is that of the rendered object."
        }
        "inline" => {
            "**inline** — the content itself: one text, or a list of texts. Templates see `.cluster`, `.self` and \
             `.object`, CEL expressions `cluster`, `self` and `object`."
        }
        "from" => {
            "**from** — content of another object, after the inline documents. `name` and `path` are templates over \
             `.cluster` and `.self`; a missing object or key stops the render, and convoy retries. A change to the \
             object does not start a reconcile."
        }
        "patches" => {
            "**patches** — operations of RFC 6902. The list is written as JSON and run as a template for each \
             object; a value from a template is always a string. A failing operation stops the render."
        }
        _ => {
            "**waveStrategy** — the sync-wave annotations of each matching object. An existing value is replaced; an \
             annotation whose field is not set stays."
        }
    }
}

fn function_markdown(name: &str) -> Option<&'static str> {
    Some(match name {
        "and" => {
            "`and A B…` — the first argument that is empty, else the last. Later ones are not evaluated."
        }
        "or" => {
            "`or A B…` — the first argument that is not empty, else the last. Later ones are not evaluated."
        }
        "not" => "`not A` — true if A is empty: false, 0, nil, or a text, list or map without content.",
        "eq" => "`eq A B…` — whether A equals any of the others. Integers and floats are never comparable.",
        "ne" => "`ne A B` — whether A and B differ.",
        "lt" => "`lt A B` — whether A < B.",
        "le" => "`le A B` — whether A ≤ B.",
        "gt" => "`gt A B` — whether A > B.",
        "ge" => "`ge A B` — whether A ≥ B.",
        "index" => {
            "`index X K…` — the item of a list or the value of a key. A missing key gives the zero value."
        }
        "slice" => "`slice X I J` — the part of a text or list from I up to J.",
        "len" => "`len X` — the length of a text in bytes, or of a list or map.",
        "print" => "`print A…` — the arguments as text, with spaces between two that are no texts.",
        "printf" => "`printf FORMAT A…` — as Go's fmt.Sprintf.",
        "println" => "`println A…` — the arguments with spaces between and a line break after.",
        "html" => "`html A…` — escaped for HTML.",
        "js" => "`js A…` — escaped for JavaScript.",
        "urlquery" => "`urlquery A…` — escaped for the query of a URL.",
        "call" => "`call F A…` — calls a function value; there are none in this context.",
        _ => return None,
    })
}
