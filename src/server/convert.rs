//! Between the words of LSP and ours. Byte offsets become lines and columns here, and nowhere else.

use std::path::{Path, PathBuf};
use std::str::FromStr as _;

use convoy_text::{Position, PositionEncoding, Span};
use lsp_types as lsp;

use crate::diagnostic::{Diagnostic, Severity};
use crate::workspace::{File, Workspace, normalize};

/// Where the page of a rule stands.
const RULE_PAGES: &str = "https://github.com/convoy-lsp/convoy-lsp/blob/main/docs/rules";

/// The path of a document. One that is no file, such as an untitled one, gets a path that no file has.
pub(super) fn path_of(uri: &lsp::Uri) -> PathBuf {
    let parsed = url::Url::parse(uri.as_str()).ok();
    match parsed.filter(|url| url.scheme() == "file").and_then(|url| url.to_file_path().ok()) {
        Some(path) => normalize(&path),
        None => Path::new("/").join(uri.as_str().replace('/', "%2F")),
    }
}

/// The URI of a file.
pub(super) fn uri_of(path: &Path) -> Option<lsp::Uri> {
    let url = url::Url::from_file_path(path).ok()?;
    lsp::Uri::from_str(url.as_str()).ok()
}

pub(super) fn encoding(params: &lsp::InitializeParams) -> PositionEncoding {
    let offered =
        params.capabilities.general.as_ref().and_then(|general| general.position_encodings.as_ref());
    let offers = |kind: &lsp::PositionEncodingKind| offered.is_some_and(|offered| offered.contains(kind));
    // UTF-8 needs no counting, so that it is taken where it is offered.
    if offers(&lsp::PositionEncodingKind::UTF8) {
        PositionEncoding::Utf8
    } else if !offers(&lsp::PositionEncodingKind::UTF16) && offers(&lsp::PositionEncodingKind::UTF32) {
        PositionEncoding::Utf32
    } else {
        PositionEncoding::Utf16
    }
}

pub(super) fn encoding_kind(encoding: PositionEncoding) -> lsp::PositionEncodingKind {
    match encoding {
        PositionEncoding::Utf8 => lsp::PositionEncodingKind::UTF8,
        PositionEncoding::Utf16 => lsp::PositionEncodingKind::UTF16,
        PositionEncoding::Utf32 => lsp::PositionEncodingKind::UTF32,
    }
}

pub(super) fn range(file: &File, span: Span, encoding: PositionEncoding) -> lsp::Range {
    let position = |offset| {
        let position = file.lines.position(&file.text, offset, encoding);
        lsp::Position { line: position.line, character: position.column }
    };
    lsp::Range { start: position(span.start), end: position(span.end) }
}

pub(super) fn offset(file: &File, position: lsp::Position, encoding: PositionEncoding) -> usize {
    let position = Position { line: position.line, column: position.character };
    file.lines.offset(&file.text, position, encoding)
}

/// What a client takes of a diagnostic.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct DiagnosticSupport {
    pub(super) related: bool,
    pub(super) code_description: bool,
}

pub(super) fn diagnostic(
    workspace: &Workspace,
    file: &File,
    diagnostic: &Diagnostic,
    encoding: PositionEncoding,
    support: DiagnosticSupport,
) -> lsp::Diagnostic {
    let mut message = diagnostic.message.clone();
    if let Some(help) = &diagnostic.help {
        message.push_str("\nhelp: ");
        message.push_str(help);
    }
    let related = diagnostic.related.iter().filter_map(|related| {
        let file = workspace.file(&related.place.file)?;
        let range = range(file, related.place.span, encoding);
        let location = lsp::Location { uri: uri_of(&related.place.file)?, range };
        Some(lsp::DiagnosticRelatedInformation { location, message: related.message.clone() })
    });
    let href = lsp::Uri::from_str(&format!("{RULE_PAGES}/{}.md", diagnostic.rule)).ok();
    lsp::Diagnostic {
        range: range(file, diagnostic.place.span, encoding),
        severity: Some(match diagnostic.severity {
            Severity::Error => lsp::DiagnosticSeverity::ERROR,
            Severity::Warning => lsp::DiagnosticSeverity::WARNING,
            Severity::Hint => lsp::DiagnosticSeverity::HINT,
        }),
        code: Some(lsp::NumberOrString::String(diagnostic.rule.to_owned())),
        code_description: href.filter(|_| support.code_description).map(|href| lsp::CodeDescription { href }),
        source: Some("convoy-lsp".to_owned()),
        message,
        related_information: support.related.then(|| related.collect()),
        tags: None,
        data: None,
    }
}

/// Applies the changes of a client to a text.
pub(super) fn apply_changes(
    rope: &mut ropey::Rope,
    changes: Vec<lsp::TextDocumentContentChangeEvent>,
    encoding: PositionEncoding,
) {
    for change in changes {
        let Some(range) = change.range else {
            *rope = ropey::Rope::from_str(&change.text);
            continue;
        };
        let start = char_index(rope, range.start, encoding);
        let end = char_index(rope, range.end, encoding).max(start);
        rope.remove(start..end);
        rope.insert(start, &change.text);
    }
}

/// The index of a character; a column past the end of its line is its end, a line past the end the end.
fn char_index(rope: &ropey::Rope, position: lsp::Position, encoding: PositionEncoding) -> usize {
    let line = position.line as usize;
    if line >= rope.len_lines() {
        return rope.len_chars();
    }
    let start = rope.line_to_char(line);
    let text = rope.line(line);
    let breaks = text.chars_at(text.len_chars()).reversed().take(2).take_while(|c| matches!(c, '\n' | '\r'));
    let body = text.slice(..text.len_chars() - breaks.count());
    let column = position.character as usize;
    start
        + match encoding {
            PositionEncoding::Utf8 => body.byte_to_char(column.min(body.len_bytes())),
            PositionEncoding::Utf16 => body.utf16_cu_to_char(column.min(body.len_utf16_cu())),
            PositionEncoding::Utf32 => column.min(body.len_chars()),
        }
}
