//! Patches as `evanphx/json-patch` (version 5, and of JSON Patch version 4 as well) and `k8s.io/apimachinery` answer.

use convoy_kube::{GroupVersionKind, Registry, Release};
use convoy_patch::json_patch::{self, Flavour};
use convoy_patch::{Document, Object, merge_patch, strategic};
use convoy_value::json::{self, KeyOrder};

/// Applies the text of a JSON Patch; an error has its phase, `decode` or `apply`, in front.
pub fn json_patch(doc: &str, patch: &str) -> Result<String, (&'static str, String)> {
    of_flavour(Flavour::V5, doc, patch)
}

/// The same as version 4 does it. A panic has no phase, since the oracle cannot tell it.
pub fn json_patch_v4(doc: &str, patch: &str) -> Result<String, (&'static str, String)> {
    of_flavour(Flavour::V4, doc, patch).map_err(|(phase, text)| {
        let phase = if text.starts_with("panic: ") { "" } else { phase };
        (phase, text)
    })
}

fn of_flavour(flavour: Flavour, doc: &str, patch: &str) -> Result<String, (&'static str, String)> {
    let patch = json_patch::decode_as(flavour, patch).map_err(|error| ("decode", error.message))?;
    json_patch::apply_text_as(flavour, &patch, doc).map_err(|error| ("apply", error.message))
}

/// Merges the text of a patch into the text of a document.
pub fn merge_patch(doc: &str, patch: &str) -> Result<String, String> {
    merge_patch::merge_texts(doc, patch).map(|document| document.to_string())
}

/// The scheme of client-go is named after the line of its source.
const SCHEME: &str = "in scheme \"pkg/runtime/scheme.go:111\"";

/// Merges the text of a strategic merge patch into the text of an object. Keys come in the order of their bytes.
pub fn strategic_merge(api_version: &str, kind: &str, doc: &str, patch: &str) -> Result<String, String> {
    let registry = Registry::new(Release::NEWEST);
    let gvk = GroupVersionKind::of_texts(api_version, kind);
    let ty = registry.find(&gvk).ok_or_else(|| format!("{} {SCHEME}", strategic::not_registered(&gvk)))?;
    let read = |text: &str| {
        json::parse(text).map(|node| node.to_value()).map_err(|error| {
            // The library does not print why it cannot read a text.
            let limit = error.message.contains("(a limit of convoy-lsp)");
            if limit { error.message } else { "invalid JSON document".to_owned() }
        })
    };
    let merged = strategic::merge(&read(doc)?, &read(patch)?, ty).map_err(|error| error.message)?;
    json::write(&merged.value, KeyOrder::Sorted)
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

/// A result of version 4, which writes the objects that it has opened by key and leaves the others as they were: read,
/// and with the keys of every object in the order of their bytes. Numbers keep their text.
pub fn ordered(text: &str) -> String {
    let Ok(mut document) = Document::parse(text) else { return text.to_owned() };
    order(&mut document);
    document.to_string()
}

fn order(document: &mut Document) {
    match document {
        Document::Array(items) => items.iter_mut().for_each(order),
        Document::Object(object) => {
            object.values_mut().for_each(order);
            let mut members: Vec<_> = std::mem::take(object).into_iter().collect();
            members.sort_by(|a, b| a.0.cmp(&b.0));
            *object = members.into_iter().collect::<Object>();
        }
        _ => {}
    }
}
