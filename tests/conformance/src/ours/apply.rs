//! Apply configurations as the API server answers.

use std::sync::OnceLock;

use convoy_kube::{GroupVersionKind, Registry, Release, crd};
use convoy_patch::apply::{Options, apply};
use convoy_value::Value;
use convoy_value::json::{self, KeyOrder};

/// The built-in kinds of the newest release, and those of a custom resource definition.
pub fn registry(definition: Option<&str>) -> Registry {
    let mut registry = Registry::new(Release::NEWEST);
    if let Some(Ok(definition)) = definition.map(json::parse) {
        for version in crd::read(&definition.to_value(), Release::NEWEST) {
            registry.add(version.gvk, version.types);
        }
    }
    registry
}

/// The definition of the custom resource that the cases are about.
pub fn definition() -> &'static str {
    include_str!("../../apply-crd.json")
}

/// The registry with [`definition`].
pub fn known() -> &'static Registry {
    static REGISTRY: OnceLock<Registry> = OnceLock::new();
    REGISTRY.get_or_init(|| registry(Some(definition())))
}

/// Whether an object is of the custom resource.
pub fn is_custom(object: &str) -> bool {
    json::parse(object)
        .ok()
        .and_then(|object| GroupVersionKind::of_object(&object.to_value()))
        .is_some_and(|gvk| &*gvk.group == "example.convoy.dev")
}

fn object(text: &str, phase: &'static str) -> Result<Value, (&'static str, String)> {
    let value = json::parse(text).map_err(|error| (phase, error.message))?.to_value();
    if value.as_map().is_none() {
        return Err((phase, "no object".to_owned()));
    }
    Ok(value)
}

/// Applies the text of a configuration to the text of an object; an error has its phase in front: `object`, `patch`
/// (what is no JSON object), `type` (a kind that is not known) or `apply`. Texts of the last have their errors in an
/// order that does not depend on the order in which Go walks maps.
pub fn applied(live: &str, patch: &str, duplicates: bool) -> Result<String, (&'static str, String)> {
    let live = object(live, "object")?;
    let patch = object(patch, "patch")?;
    let gvk = GroupVersionKind::of_object(&live).ok_or(("type", "no kind".to_owned()))?;
    let ty = known().find(&gvk).ok_or(("type", format!("{gvk} is not known")))?;
    match apply(&live, &patch, ty, Options { duplicates }) {
        Ok(result) => json::write(&result, KeyOrder::Sorted).map_err(|error| ("write", error)),
        Err(error) => Err(("apply", sorted_errors(&error.message))),
    }
}

const ATOMICS: &str = "invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ";

/// A text with its errors in the order of their bytes.
pub fn sorted_errors(text: &str) -> String {
    if let Some(paths) = text.strip_prefix(ATOMICS) {
        let mut paths: Vec<&str> = paths.split(", ").collect();
        paths.sort_unstable();
        return format!("{ATOMICS}{}", paths.join(", "));
    }
    // Names of fields may have ends of lines as well.
    let mut errors: Vec<&str> = text.split("\n  ").collect();
    errors[1..].sort_unstable();
    errors.join("\n  ")
}
