//! Findings as one JSON array, with the ranges of LSP: lines and UTF-16 columns from 0.

use std::path::Path;
use std::sync::Arc;

use convoy_text::{PositionEncoding, Span};
use serde::Serialize;

use super::check::Checked;
use super::shown;
use crate::diagnostic::{Severity, Stage};
use crate::workspace::File;

#[derive(Serialize)]
struct Position {
    line: u32,
    character: u32,
}

#[derive(Serialize)]
struct Range {
    start: Position,
    end: Position,
}

#[derive(Serialize)]
struct Related {
    file: String,
    range: Range,
    message: String,
}

#[derive(Serialize)]
struct Finding<'a> {
    file: String,
    range: Range,
    rule: &'a str,
    severity: Severity,
    stage: Stage,
    message: &'a str,
    help: Option<&'a str>,
    related: Vec<Related>,
}

fn range(file: &File, span: Span) -> Range {
    let position = |offset| {
        let position = file.lines.position(&file.text, offset, PositionEncoding::Utf16);
        Position { line: position.line, character: position.column }
    };
    Range { start: position(span.start), end: position(span.end) }
}

pub(super) fn render(
    checked: &[Checked],
    find: &dyn Fn(&Path) -> Option<Arc<File>>,
) -> anyhow::Result<String> {
    let mut findings = Vec::new();
    for checked in checked {
        for diagnostic in &checked.diagnostics {
            let related = diagnostic.related.iter().filter_map(|related| {
                let file = find(&related.place.file)?;
                Some(Related {
                    file: shown(&file.path),
                    range: range(&file, related.place.span),
                    message: related.message.clone(),
                })
            });
            findings.push(Finding {
                file: shown(&checked.file.path),
                range: range(&checked.file, diagnostic.place.span),
                rule: diagnostic.rule,
                severity: diagnostic.severity,
                stage: diagnostic.stage,
                message: &diagnostic.message,
                help: diagnostic.help.as_deref(),
                related: related.collect(),
            });
        }
    }
    Ok(serde_json::to_string_pretty(&findings)? + "\n")
}
