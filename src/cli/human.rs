//! Findings in the form of rustc: the line with the place marked.

use std::path::Path;
use std::sync::Arc;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use convoy_text::Span;

use super::check::Checked;
use super::shown;
use crate::diagnostic::{Diagnostic, Severity};
use crate::workspace::File;

type Find<'a> = &'a dyn Fn(&Path) -> Option<Arc<File>>;

/// A path without characters that a terminal would obey: names of files may hold them.
fn printable(path: &str) -> String {
    path.chars()
        .flat_map(|c| {
            let escaped = c.is_control().then(|| c.escape_default());
            let plain = (!c.is_control()).then_some(c);
            escaped.into_iter().flatten().chain(plain)
        })
        .collect()
}

pub(super) fn render(checked: &[Checked], find: Find<'_>, color: bool) -> String {
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    let mut out = String::new();
    let mut counts = [0_usize; 3];
    for checked in checked {
        for diagnostic in &checked.diagnostics {
            counts[diagnostic.severity as usize] += 1;
            out.push_str(&one(&checked.file, diagnostic, find, &renderer));
            out.push_str("\n\n");
        }
    }
    let files = checked.len();
    let plural = |n: usize, word: &str| format!("{n} {word}{}", if n == 1 { "" } else { "s" });
    out.push_str(&format!(
        "{} checked: {}, {}, {}\n",
        plural(files, "file"),
        plural(counts[2], "error"),
        plural(counts[1], "warning"),
        plural(counts[0], "hint")
    ));
    out
}

/// The lines around a span, so that the renderer does not read the whole file: the piece, its first line (from 1)
/// and the span in it.
fn piece(file: &File, span: Span) -> (&str, usize, Span) {
    let (first, last) = (file.lines.line_of(span.start), file.lines.line_of(span.end));
    let start = file.lines.line_span(&file.text, first).start;
    // A span over many lines is shown by its first ones.
    let last = last.min(first + 6);
    let end = file.lines.line_span(&file.text, last).end;
    let inside = Span::new(span.start - start, span.end.min(end).max(span.start) - start);
    (&file.text[start..end], first + 1, inside)
}

fn one(file: &File, diagnostic: &Diagnostic, find: Find<'_>, renderer: &Renderer) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Hint => Level::INFO.with_name("hint"),
    };
    let (source, line, span) = piece(file, diagnostic.place.span);
    let path = printable(&shown(&file.path));
    let snippet = Snippet::source(source)
        .line_start(line)
        .path(path.as_str())
        .annotation(AnnotationKind::Primary.span(span.range()));
    let mut group = level.primary_title(diagnostic.message.as_str()).id(diagnostic.rule).element(snippet);
    let related: Vec<(Arc<File>, Span, String)> = diagnostic
        .related
        .iter()
        .filter_map(|related| {
            let file = find(&related.place.file)?;
            Some((file, related.place.span, related.message.clone()))
        })
        .collect();
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    let mut groups: Vec<Group<'_>> = vec![group];
    let paths: Vec<String> = related.iter().map(|(file, _, _)| printable(&shown(&file.path))).collect();
    for ((file, span, message), path) in related.iter().zip(&paths) {
        let (source, line, span) = piece(file, *span);
        let snippet = Snippet::source(source)
            .line_start(line)
            .path(path.as_str())
            .annotation(AnnotationKind::Context.span(span.range()));
        groups.push(Level::NOTE.secondary_title(message.as_str()).element(snippet));
    }
    renderer.render(&groups)
}
