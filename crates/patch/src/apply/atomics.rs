//! What is atomic in a configuration. The API server refuses it, since whoever writes some fields of it would remove
//! the others (`findAtomics` of `smd.go`).

use convoy_value::Value;

use super::element::Element;
use super::schema::{Items, Place};

/// The paths of all atomic lists and objects: those in an atomic one as well. The walk goes into declared fields and
/// items, and not into the values of maps. Items have their number in these paths.
pub(super) fn paths(place: Place<'_>, value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    find(&mut String::new(), place, value, &mut found);
    found
}

fn find(path: &mut String, place: Place<'_>, value: &Value, found: &mut Vec<String>) {
    let atom = place.atom();
    if let (Some(map), Some(object)) = (value.as_map(), atom.object) {
        if object.atomic {
            found.push(path.clone());
        }
        for (key, value) in map {
            if let Some(place) = object.declared(key) {
                step(path, &Element::Field(key), place, value, found);
            }
        }
    }
    if let (Some(items), Some(list)) = (value.as_list(), atom.list) {
        if matches!(list.items, Items::Atomic) {
            found.push(path.clone());
        }
        for (i, item) in items.iter().enumerate() {
            step(path, &Element::Index(i), list.item, item, found);
        }
    }
}

fn step(path: &mut String, element: &Element<'_>, place: Place<'_>, value: &Value, found: &mut Vec<String>) {
    // Scalars are never atomic; most values are scalars.
    if value.as_map().is_none() && value.as_list().is_none() {
        return;
    }
    let length = path.len();
    path.push_str(&element.to_string());
    find(path, place, value, found);
    path.truncate(length);
}
