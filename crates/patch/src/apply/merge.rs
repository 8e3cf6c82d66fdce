//! The merge (`typed/merge.go` of structured-merge-diff): what the configuration says lies over what is there.
//!
//! Both values fit their type, so that a value which only one side has is the result as it is, and nothing fails.

use std::collections::BTreeMap;
use std::sync::Arc;

use convoy_value::{Map, Value};

use super::element::Element;
use super::schema::{Chosen, Items, Kind, List, Object, Place};

/// Lays one value over another.
pub(super) fn merge(place: Place<'_>, live: &Value, patch: &Value) -> Value {
    match place.atom().chosen(Kind::of(patch)) {
        Some(Chosen::Object(object)) => merge_objects(&object, live, patch),
        Some(Chosen::List(list)) => merge_lists(&list, live, patch),
        Some(Chosen::Scalar(_)) | None => patch.clone(),
    }
}

fn merge_objects(object: &Object<'_>, live: &Value, patch: &Value) -> Value {
    let Some(there) = live.as_map().filter(|map| !map.is_empty() && !object.atomic) else {
        return patch.clone();
    };
    // A null or an empty object changes nothing in an object that has members.
    let Some(over) = patch.as_map().filter(|map| !map.is_empty()) else { return live.clone() };
    let mut out: Map = there.clone();
    for (key, value) in over {
        let merged = match (there.get(key), object.member(key)) {
            (Some(live), Some(place)) => merge(place, live, value),
            _ => value.clone(),
        };
        out.insert(key.clone(), merged);
    }
    Value::Map(Arc::new(out))
}

fn merge_lists(list: &List<'_>, live: &Value, patch: &Value) -> Value {
    let Some(there) = live.as_list().filter(|items| !items.is_empty()) else { return patch.clone() };
    if matches!(list.items, Items::Atomic) {
        return patch.clone();
    }
    let Some(over) = patch.as_list().filter(|items| !items.is_empty()) else { return live.clone() };
    let (Some(there_ids), Some(over_ids)) = (elements(list, there), elements(list, over)) else {
        return patch.clone();
    };
    Value::list(zip(list, there, &there_ids, over, &over_ids))
}

fn elements<'a>(list: &List<'a>, items: &'a [Value]) -> Option<Vec<Element<'a>>> {
    items.iter().map(|item| Element::of_item(list, item).ok()).collect()
}

/// Walks both lists at once. Items that only the live list has stay where they are, those of the patch keep their
/// order, and a new one stands before the next item that both have, or at the end.
fn zip(
    list: &List<'_>,
    there: &[Value],
    there_elements: &[Element<'_>],
    over: &[Value],
    over_elements: &[Element<'_>],
) -> Vec<Value> {
    // Where an item of the patch stands, and which live item is its twin. A live item that stands there more than
    // once is no twin: the library takes null for it.
    let positions: BTreeMap<&Element<'_>, usize> =
        over_elements.iter().enumerate().map(|(i, element)| (element, i)).collect();
    let twin_of: Vec<Option<usize>> =
        there_elements.iter().map(|element| positions.get(element).copied()).collect();
    let mut twins: Vec<Twin> = vec![Twin::None; over.len()];
    for (i, position) in twin_of.iter().enumerate() {
        if let Some(position) = position {
            twins[*position] = match twins[*position] {
                Twin::None => Twin::One(i),
                Twin::One(_) | Twin::Many => Twin::Many,
            };
        }
    }
    let mut shared = (0..over.len()).filter(|&i| !matches!(twins[i], Twin::None));
    let mut next_shared = shared.next();
    let merged = |i: usize| match twins[i] {
        Twin::None => over[i].clone(),
        Twin::One(twin) => merge(list.item, &there[twin], &over[i]),
        Twin::Many => merge(list.item, &Value::Null, &over[i]),
    };
    let mut out = Vec::with_capacity(there.len() + over.len());
    let mut done = vec![false; over.len()];
    let (mut l, mut r) = (0, 0);
    while l < there.len() || r < over.len() {
        if l < there.len() && r < over.len() {
            if twin_of[l] == Some(r) {
                done[r] = true;
                out.push(merged(r));
                l += 1;
                r += 1;
                next_shared = shared.next();
                continue;
            }
            if twin_of[l].is_some() && next_shared.is_some() && twin_of[l] != next_shared {
                // It is in both, but another one is due before it.
                l += 1;
                continue;
            }
        }
        if l < there.len() {
            match twin_of[l] {
                None => {
                    out.push(there[l].clone());
                    l += 1;
                    continue;
                }
                Some(position) if done[position] => l += 1,
                Some(_) => {}
            }
        }
        if r < over.len() {
            done[r] = true;
            out.push(merged(r));
            if next_shared == Some(r) {
                next_shared = shared.next();
            }
            r += 1;
        }
    }
    out
}

/// The live items that an item of the patch has.
#[derive(Clone, Copy)]
enum Twin {
    None,
    One(usize),
    Many,
}
