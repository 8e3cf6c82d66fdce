//! A live object and an apply configuration, with a NUL between them, of the kind that the object says.
#![no_main]

use std::sync::OnceLock;

use convoy_fuzz::remember;
use convoy_kube::{GroupVersionKind, Registry, Release};
use convoy_patch::apply::{Options, apply};
use convoy_value::json;
use libfuzzer_sys::{Corpus, fuzz_target};

fn registry() -> &'static Registry {
    static REGISTRY: OnceLock<Registry> = OnceLock::new();
    REGISTRY.get_or_init(|| Registry::new(Release::NEWEST))
}

fuzz_target!(|data: &[u8]| -> Corpus {
    remember(data);
    let Ok(text) = std::str::from_utf8(data) else { return Corpus::Reject };
    let Some((live, patch)) = text.split_once('\0') else { return Corpus::Reject };
    let (Ok(live), Ok(patch)) = (json::parse(live), json::parse(patch)) else { return Corpus::Reject };
    let (live, patch) = (live.to_value(), patch.to_value());
    let Some(gvk) = GroupVersionKind::of_object(&live) else { return Corpus::Reject };
    let Some(ty) = registry().find(&gvk) else { return Corpus::Reject };
    for duplicates in [true, false] {
        let options = Options { duplicates };
        match apply(&live, &patch, ty, options) {
            Err(error) => assert!(!error.message.is_empty()),
            // What was applied is there: to apply it again changes nothing, and it still fits the type.
            Ok(once) => match apply(&once, &patch, ty, options) {
                Ok(twice) => assert!(once.same_json(&twice), "{once:?}\n{twice:?}"),
                Err(error) => panic!("{}: {once:?}", error.message),
            },
        }
    }
    Corpus::Keep
});
