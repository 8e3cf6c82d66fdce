//! A kind, an object and a patch, with NULs between them: as a strategic merge.
#![no_main]

use convoy_fuzz::remember;
use convoy_kube::check::Key;
use convoy_kube::{GroupVersionKind, Registry, Release};
use convoy_patch::strategic;
use convoy_value::Value;
use convoy_value::json::{self, KeyOrder};
use libfuzzer_sys::{Corpus, fuzz_target};

fuzz_target!(|data: &[u8]| -> Corpus {
    remember(data);
    let Ok(text) = std::str::from_utf8(data) else { return Corpus::Reject };
    let Some((kind, rest)) = text.split_once('\0') else { return Corpus::Reject };
    let Some((object, patch)) = rest.split_once('\0') else { return Corpus::Reject };
    let (api_version, kind) = kind.split_once(' ').unwrap_or(("v1", "Pod"));
    let registry = Registry::new(Release::NEWEST);
    let gvk = GroupVersionKind::of_texts(api_version, kind);
    let Some(ty) = registry.find(&gvk).or_else(|| registry.find(&GroupVersionKind::of_texts("v1", "Pod")))
    else {
        return Corpus::Reject;
    };
    let (Ok(object), Ok(patch)) = (json::parse(object), json::parse(patch)) else { return Corpus::Reject };
    let patch = patch.to_value();
    match strategic::merge(&object.to_value(), &patch, ty) {
        Ok(merged) => {
            let text = json::write(&merged.value, KeyOrder::Kept).expect("what was merged has JSON");
            json::parse(&text).expect("what was merged is JSON within the limits");
            for note in merged.notes {
                leads(&patch, &note.path);
            }
        }
        Err(error) => {
            assert!(!error.message.is_empty());
            leads(&patch, &error.path);
        }
    }
    Corpus::Keep
});

/// Asserts that a path leads somewhere in the patch.
fn leads(patch: &Value, path: &[Key]) {
    let end = path.iter().try_fold(patch, |value, key| match key {
        Key::Name(name) => value.get(name),
        Key::Index(index) => value.as_list()?.get(*index),
    });
    assert!(end.is_some(), "{path:?} leads nowhere in {patch:?}");
}
