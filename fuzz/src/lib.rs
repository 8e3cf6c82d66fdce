//! What the fuzz targets share: the properties of spans and maps, the input that was looked at last, and CEL.

pub mod cel;

use std::fmt::Debug;
use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::sync::LazyLock;

use convoy_text::{ContentMap, Span};

/// Where [`remember`] writes, if the script wants it.
static LAST: LazyLock<Option<File>> =
    LazyLock::new(|| File::create(std::env::var_os("CONVOY_FUZZ_LAST")?).ok());

/// Keeps the input in the file that `CONVOY_FUZZ_LAST` names. libFuzzer saves the input of a panic by itself, but a
/// stack that overflows kills the process before it can. The length stands in front, so that one write is enough.
pub fn remember(data: &[u8]) {
    if let Some(file) = LAST.as_ref() {
        let mut record = format!("{:9}\n", data.len()).into_bytes();
        record.extend_from_slice(data);
        // Without the copy fuzzing is as good; only that one kind of crash leaves nothing behind.
        let _ = file.write_all_at(&record, 0);
    }
}

/// Asserts that a span lies in the text, begins and ends between characters, and is not inverted.
#[track_caller]
pub fn assert_span(text: &str, span: Span, what: &dyn Debug) {
    assert!(
        span.start <= span.end && text.get(span.range()).is_some(),
        "{what:?}: {span:?} is no part of the text of {} bytes",
        text.len()
    );
}

/// Asserts that each character of a content stands somewhere in the document, and in one piece.
#[track_caller]
pub fn assert_map(content: &str, map: &ContentMap, document: &str) {
    for (at, c) in content.char_indices() {
        let span = map.span_to_document(Span::new(at, at + c.len_utf8()));
        assert_span(document, span, &("character of a content", at, c));
    }
    assert_span(document, map.span_to_document(Span::empty(content.len())), &"end of a content");
}

/// Up to `count` offsets of a text, spread over it, with its start and its end. They need not stand between
/// characters, since neither does what a client sends.
pub fn some_offsets(text: &str, count: usize) -> impl Iterator<Item = usize> {
    let len = text.len();
    let step = (len / count).max(1);
    (0..len).step_by(step).chain([len])
}
