//! Whether a value fits its type (`typed/validate.go` of structured-merge-diff).

use std::collections::BTreeSet;

use convoy_value::{Map, Value};

use super::element::Element;
use super::schema::{Chosen, Items, Kind, List, Object, Place, Scalar};
use crate::go_text;

/// One error: where, as the path is printed, and what.
struct FieldError {
    path: String,
    message: String,
}

/// What is wrong with a value, as the library prints it: one error, or `errors:` and a line for each; none if the value
/// fits. `duplicates` allows items with the same keys.
pub(super) fn errors(place: Place<'_>, value: &Value, duplicates: bool) -> Option<String> {
    let mut found = Vec::new();
    validate(place, value, duplicates, &mut found);
    let mut lines = found.iter().map(|error| {
        let colon = if error.path.is_empty() { "" } else { ": " };
        format!("{}{colon}{}", error.path, error.message)
    });
    match found.len() {
        0 => None,
        1 => lines.next(),
        _ => Some(lines.fold("errors:".to_owned(), |text, line| text + "\n  " + &line)),
    }
}

fn fault(message: impl Into<String>) -> FieldError {
    FieldError { path: String::new(), message: message.into() }
}

/// Validates what stands below an element; the element goes in front of the paths of what is found there.
fn descend(element: &Element<'_>, place: Place<'_>, value: &Value, dup: bool, out: &mut Vec<FieldError>) {
    let before = out.len();
    validate(place, value, dup, out);
    if out.len() > before {
        let prefix = element.to_string();
        for error in &mut out[before..] {
            error.path.insert_str(0, &prefix);
        }
    }
}

fn validate(place: Place<'_>, value: &Value, duplicates: bool, out: &mut Vec<FieldError>) {
    match (place.atom().chosen(Kind::of(value)), value) {
        // Null fits every type.
        (_, Value::Null) | (None, _) => {}
        (Some(Chosen::Scalar(scalar)), value) => out.extend(scalar_fault(scalar, value).map(fault)),
        (Some(Chosen::List(list)), Value::List(items)) => list_items(&list, items, duplicates, out),
        (Some(Chosen::List(_)), value) => {
            out.push(fault(format!("expected list, got {}", go_text::wrapped(value))));
        }
        (Some(Chosen::Object(object)), value) => match value.as_map() {
            Some(map) => members(&object, map, duplicates, out),
            None => out.push(fault(format!("expected map, got {}", go_text::wrapped(value)))),
        },
    }
}

fn scalar_fault(scalar: Scalar, value: &Value) -> Option<String> {
    match (scalar, value) {
        (Scalar::Numeric, Value::Int(_) | Value::Float(_))
        | (Scalar::String, Value::String(_))
        | (Scalar::Boolean, Value::Bool(_)) => None,
        (Scalar::Untyped, value) if Kind::of(value) == Kind::Scalar => None,
        (Scalar::Numeric, value) => {
            Some(format!("expected numeric (int or float), got {}", go_text::type_name(value)))
        }
        (Scalar::String, value) => Some(format!("expected string, got {}", go_text::in_syntax(value))),
        (Scalar::Boolean, value) => Some(format!("expected boolean, got {}", go_text::wrapped(value))),
        (Scalar::Untyped, value) => Some(format!("expected any scalar, got {}", go_text::wrapped(value))),
    }
}

fn list_items(list: &List<'_>, items: &[Value], duplicates: bool, out: &mut Vec<FieldError>) {
    let mut seen = BTreeSet::new();
    for (i, item) in items.iter().enumerate() {
        let element = if matches!(list.items, Items::Atomic) {
            Element::Index(i)
        } else {
            match Element::of_item(list, item) {
                Ok(element) => element,
                Err(reason) => {
                    // Without its keys an item has no place in a path, and the library looks no further.
                    out.push(fault(format!("element {i}: {reason}")));
                    return;
                }
            }
        };
        descend_item(list, &element, item, &mut seen, duplicates, out);
        if !matches!(list.items, Items::Atomic) {
            seen.insert(element);
        }
    }
}

fn descend_item<'a>(
    list: &List<'a>,
    element: &Element<'a>,
    item: &'a Value,
    seen: &mut BTreeSet<Element<'a>>,
    duplicates: bool,
    out: &mut Vec<FieldError>,
) {
    if !duplicates && seen.contains(element) {
        out.push(fault(format!("duplicate entries for key {element}")));
    }
    descend(element, list.item, item, duplicates, out);
}

fn first_line<'a>(a: &'a str, b: &'a str) -> &'a str {
    if a.bytes().chain(*b":").lt(b.bytes().chain(*b":")) { a } else { b }
}

fn members(object: &Object<'_>, map: &Map, duplicates: bool, out: &mut Vec<FieldError>) {
    let mut unknown: Option<&str> = None;
    for (key, value) in map {
        match object.member(key) {
            Some(place) => descend(&Element::Field(key), place, value, duplicates, out),
            // The library ends its walk at the first unknown field, in an order that is drawn anew each time. The
            // known ones come first here, and the line that is the first by its bytes stands for the unknown ones.
            None => unknown = Some(unknown.map_or(key, |first| first_line(first, key))),
        }
    }
    if let Some(name) = unknown {
        let path = Element::Field(name).to_string();
        out.push(FieldError { path, message: "field not declared in schema".to_owned() });
    }
}
