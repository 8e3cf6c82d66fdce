//! What a JSON Pointer leads to in a typed object, and which name was meant by one that is not there.

use crate::{Shape, Typed};

/// Where the keys of a path lead.
#[derive(Clone, Debug)]
pub enum Followed<'a> {
    /// To a place with a type.
    Found(Typed<'a>),
    /// To a place of which nothing is known: below a value that may be anything.
    Open,
    /// To a field that the type does not have.
    Unknown {
        /// Which key it was, from 0.
        at: usize,
        /// The type that lacks it.
        within: Typed<'a>,
        /// The name that is nearest to it, if one is near.
        nearest: Option<&'a str>,
    },
    /// Into a value that has nothing below it (a text, a number), or to a key that is no index of a list.
    NoSuchPlace {
        /// Which key it was, from 0.
        at: usize,
        /// The type of the value.
        within: Typed<'a>,
    },
}

/// Follows keys from a type. An index of a list is a number, a negative number or `-`. A key that is `None` is not
/// known (a template writes it): any field may be meant, so that below a struct nothing is known, while a map or a
/// list goes on.
pub fn follow<'a, 'k>(from: Typed<'a>, keys: impl IntoIterator<Item = Option<&'k str>>) -> Followed<'a> {
    let mut place = from;
    for (at, key) in keys.into_iter().enumerate() {
        let next = match (&place.ty.shape, key) {
            (Shape::Any, _) | (Shape::Struct(_), None) => return Followed::Open,
            (Shape::Map(values), _) => Some(place.with(values)),
            (Shape::Struct(_), Some(name)) => place.member(name),
            (Shape::List(item), key) => key.is_none_or(is_index).then(|| place.with(item)),
            _ => None,
        };
        place = match (next, place.structure(), key) {
            (Some(next), ..) => next,
            (None, ..) if place.ty.preserve_unknown => return Followed::Open,
            (None, Some(_), Some(name)) => {
                let nearest = nearest(name, names(place).into_iter());
                return Followed::Unknown { at, within: place, nearest };
            }
            (None, ..) => return Followed::NoSuchPlace { at, within: place },
        };
    }
    Followed::Found(place)
}

/// Whether a key may stand for an item of a list, in the flavour of any library: `0`, `-1`, `-`.
fn is_index(key: &str) -> bool {
    key == "-" || key.parse::<i64>().is_ok()
}

/// The names that may stand under a place: the declared fields of a struct.
pub fn names(at: Typed<'_>) -> Vec<&str> {
    at.structure().map_or_else(Vec::new, |structure| structure.fields.keys().map(|name| &**name).collect())
}

/// The candidate that is nearest to a name, if one is near enough to be meant: the same but for case and hyphens, else
/// the plural or the singular, else with a few letters mistaken.
pub fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = plain(name);
    if wanted.is_empty() || wanted.len() > LONGEST_NAME {
        return None;
    }
    let limit = mistakes(wanted.chars().count());
    candidates
        .filter(|candidate| *candidate != name && candidate.len() <= LONGEST_NAME)
        .filter_map(|candidate| Some((distance(&wanted, &plain(candidate), limit)?, candidate)))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// No field of Kubernetes is half as long. The distance of two long texts would take long.
const LONGEST_NAME: usize = 200;

/// How many mistakes a name of so many letters may have. In a short name every letter counts: `tcp` is not `tls`.
fn mistakes(letters: usize) -> usize {
    match letters {
        0..=3 => 0,
        4..=5 => 1,
        6..=9 => 2,
        _ => 3,
    }
}

/// How far two plain names are from each other; none if that is too far.
fn distance(a: &str, b: &str, limit: usize) -> Option<usize> {
    if a == b {
        return Some(0);
    }
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    if short.len() >= 2 && is_plural(long, short) {
        return Some(1);
    }
    if limit == 0 || a.len().abs_diff(b.len()) > 4 * limit {
        return None;
    }
    let mistakes = strsim::damerau_levenshtein(a, b);
    (mistakes <= limit).then_some(1 + mistakes)
}

/// Whether a word is the plural of another.
fn is_plural(plural: &str, singular: &str) -> bool {
    match plural.strip_prefix(singular) {
        Some(end) => end == "s" || end == "es",
        None => plural.strip_suffix("ies").is_some_and(|stem| singular.strip_suffix('y') == Some(stem)),
    }
}

/// A name without what people write in other ways: case, hyphens and underscores.
fn plain(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '-' | '_')).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Field, Struct, Type, Types};

    fn of(shape: Shape) -> Type {
        Type { shape, ..Type::default() }
    }

    /// `name` and `args` and `labels`, `any` and `open`, an object whose other fields stay.
    fn types() -> (Types, Type) {
        let mut types = Types::new();
        let mut open = Struct::default();
        open.fields.insert("known".into(), Field { ty: of(Shape::String), required: false });
        let open = types.push(open);
        let mut container = Struct::default();
        for (name, ty) in [
            ("name", of(Shape::String)),
            ("args", of(Shape::List(Box::new(of(Shape::String))))),
            ("labels", of(Shape::Map(Box::new(of(Shape::String))))),
            ("any", of(Shape::Any)),
            ("open", Type { preserve_unknown: true, ..of(Shape::Struct(open)) }),
        ] {
            container.fields.insert(name.into(), Field { ty, required: false });
        }
        let container = types.push(container);
        (types, of(Shape::Struct(container)))
    }

    /// Where a pointer leads, in words; `*` is a key that is not known.
    fn lead(pointer: &str) -> String {
        let (types, ty) = types();
        let keys = pointer.split('/').skip(1).map(|key| (key != "*").then_some(key));
        match follow(Typed { types: &types, ty: &ty }, keys) {
            Followed::Found(found) => match found.ty.shape {
                Shape::String => "text".to_owned(),
                Shape::List(_) => "list".to_owned(),
                Shape::Struct(_) => "object".to_owned(),
                _ => "other".to_owned(),
            },
            Followed::Open => "open".to_owned(),
            Followed::Unknown { at, nearest, .. } => format!("unknown {at} {nearest:?}"),
            Followed::NoSuchPlace { at, .. } => format!("no place {at}"),
        }
    }

    #[test]
    fn keys_lead_to_fields_items_and_values() {
        for (pointer, place) in [
            ("", "object"),
            ("/name", "text"),
            ("/args", "list"),
            ("/args/0", "text"),
            ("/args/-", "text"),
            ("/args/-1", "text"),
            ("/args/*", "text"),
            ("/args/first", "no place 1"),
            ("/args/0/x", "no place 2"),
            ("/name/x", "no place 1"),
            ("/labels/any of them", "text"),
            ("/labels/*", "text"),
            ("/labels/*/x", "no place 2"),
            ("/any/x/y", "open"),
            ("/*", "open"),
            ("/*/x", "open"),
            ("/open/known", "text"),
            ("/open/known/x", "no place 2"),
            ("/open/other/x", "open"),
            ("/nmae", "unknown 0 Some(\"name\")"),
            ("/labels/x", "text"),
            ("/entirely", "unknown 0 None"),
        ] {
            assert_eq!(lead(pointer), place, "{pointer}");
        }
    }

    #[test]
    fn the_nearest_name_is_one_that_may_be_meant() {
        let candidates = [
            "replicas",
            "container",
            "containers",
            "initContainers",
            "image",
            "imagePullPolicy",
            "ports",
            "policies",
            "env",
            "envFrom",
            "tls",
        ];
        for (name, meant) in [
            ("replcias", Some("replicas")),
            ("Replicas", Some("replicas")),
            ("replica", Some("replicas")),
            ("imagepullpolicy", Some("imagePullPolicy")),
            ("image_pull_policy", Some("imagePullPolicy")),
            ("initContainer", Some("initContainers")),
            ("Containers", Some("containers")),
            ("containerz", Some("container")),
            ("port", Some("ports")),
            ("policy", Some("policies")),
            ("imgae", Some("image")),
            ("envs", Some("env")),
            ("tcp", None),
            ("foo", None),
            ("nodeName", None),
            ("", None),
            ("-", None),
        ] {
            assert_eq!(nearest(name, candidates.into_iter()), meant, "{name}");
        }
        assert_eq!(nearest(&"a".repeat(100_000), candidates.into_iter()), None);
    }
}
