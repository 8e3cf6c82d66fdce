//! Patches as `evanphx/json-patch` version 5 answers.

use convoy_patch::{Document, json_patch, merge_patch};
use convoy_value::json::{self, KeyOrder};

/// Applies the text of a JSON Patch; an error has its phase, `decode` or `apply`, in front.
pub fn json_patch(doc: &str, patch: &str) -> Result<String, (&'static str, String)> {
    let patch = json_patch::decode(patch).map_err(|error| ("decode", error.message))?;
    json_patch::apply_text(&patch, doc).map_err(|error| ("apply", error.message))
}

/// Merges the text of a patch into the text of a document.
pub fn merge_patch(doc: &str, patch: &str) -> Result<String, String> {
    merge_patch::merge_texts(doc, patch).map(|document| document.to_string())
}

/// A result as our crate writes it. The library keeps the escapes that a string was written with, so that both
/// sides are read here before they are compared.
pub fn rewritten(text: &str) -> String {
    Document::parse(text).map_or_else(|_| text.to_owned(), |document| document.to_string())
}

/// A result with the keys of every object in the order of their bytes; nothing if it is no JSON.
pub fn sorted(text: &str) -> Option<String> {
    let value = Document::parse(text).ok()?.to_value();
    json::write(&value, KeyOrder::Sorted).ok()
}
