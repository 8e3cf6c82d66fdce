//! A document and a patch, with a NUL between them: as RFC 6902 and as RFC 7386.
#![no_main]

use convoy_fuzz::{assert_span, remember};
use convoy_patch::json_patch::Flavour;
use convoy_patch::{Document, json_patch, merge_patch, pointer};
use libfuzzer_sys::{Corpus, fuzz_target};

fuzz_target!(|data: &[u8]| -> Corpus {
    remember(data);
    let Ok(text) = std::str::from_utf8(data) else { return Corpus::Reject };
    let Some((document, patch)) = text.split_once('\0') else { return Corpus::Reject };
    operations(document, patch);
    operations_of_version_4(document, patch);
    merge(document, patch);
    Corpus::Keep
});

/// Asserts that a document that was made is one that can be read: its text is JSON, within the limits of this
/// program, and that of the same document.
fn assert_readable(document: &Document) {
    let text = document.to_string();
    let again = Document::parse(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_eq!(again.to_string(), text);
}

fn operations_of_version_4(document: &str, text: &str) {
    let patch = match json_patch::decode_as(Flavour::V4, text) {
        Ok(patch) => patch,
        Err(error) => {
            assert!(!error.message.is_empty());
            assert_span(text, error.span, &error);
            return;
        }
    };
    for operation in &patch {
        assert_span(text, operation.path.span, operation);
        operation.value.iter().for_each(assert_readable);
    }
    match json_patch::apply_text_as(Flavour::V4, &patch, document) {
        Ok(result) if document.is_empty() => assert_eq!(result, ""),
        Ok(result) => {
            let parsed = Document::parse(&result).expect("a result is JSON");
            assert_eq!(parsed.to_string(), result);
        }
        Err(error) => {
            assert!(!error.message.is_empty());
            assert!(error.index.is_none_or(|index| index < patch.len()), "{error:?}");
        }
    }
}

fn operations(document: &str, text: &str) {
    let patch = match json_patch::decode(text) {
        Ok(patch) => patch,
        Err(error) => {
            assert!(!error.message.is_empty());
            assert_span(text, error.span, &error);
            return;
        }
    };
    let parsed = Document::parse(document);
    for operation in &patch {
        let located = [Some(&operation.path), operation.from.as_ref()];
        let spans = located.into_iter().flatten().map(|located| located.span);
        for span in spans.chain([operation.span]).chain(operation.value_span) {
            assert_span(text, span, operation);
            assert!(operation.span.contains(span), "{span:?} is outside of {operation:?}");
        }
        operation.value.iter().for_each(assert_readable);
        for located in located.into_iter().flatten() {
            pointers(&located.text);
            if let Ok(document) = &parsed {
                json_patch::first_missing(document, &located.text);
            }
        }
    }
    match json_patch::apply_text(&patch, document) {
        Ok(result) if document.is_empty() => assert_eq!(result, ""),
        Ok(result) => {
            let parsed = parsed.expect("a document that was patched is JSON");
            let applied = json_patch::apply(&patch, &parsed).expect("the text and the document agree");
            assert_eq!(applied.to_string(), result);
            assert_readable(&applied);
        }
        Err(error) => {
            assert!(!error.message.is_empty());
            assert!(error.index.is_none_or(|index| index < patch.len()), "{error:?}");
        }
    }
}

/// The tokens of a pointer stand in it, and are what their text means; so is what is wrong with it.
fn pointers(text: &str) {
    for token in pointer::tokens(text) {
        assert_span(text, token.span, &token);
        assert_eq!(pointer::decode(token.span.text(text)), token.key);
        assert_eq!(pointer::decode(&pointer::escape(&token.key)), token.key);
    }
    if let Some(pointer::Fault::BadEscape(span) | pointer::Fault::Backslash(span)) = pointer::fault(text) {
        assert_span(text, span, &text);
    }
}

fn merge(document: &str, patch: &str) {
    let Ok(merged) = merge_patch::merge_texts(document, patch) else { return };
    assert_readable(&merged);
    let patch = Document::parse(patch).expect("a patch that was merged is JSON");
    for change in merge_patch::changes(&patch) {
        let fault = pointer::fault(&change.pointer);
        assert!(matches!(fault, None | Some(pointer::Fault::Backslash(_))), "{fault:?} in {change:?}");
        // What the patch removes is gone, and what it sets is there.
        let there = json_patch::first_missing(&merged, &change.pointer).is_none();
        assert!(there != change.removed || change.pointer.is_empty(), "{change:?} of {merged}");
    }
}
