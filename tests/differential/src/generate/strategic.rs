//! Objects of built-in kinds with strategic merge patches for them: both follow the types, the patch follows the
//! object, and then some of it is made wrong.

use convoy_kube::{GroupVersionKind, Registry, Release, Shape, Type, Typed};
use fastrand::Rng;

use crate::draw::{one_in, pick, weighted};
use crate::targets::Input;

#[rustfmt::skip]
pub(crate) const DICTIONARY: &[&str] = &[
    "{", "}", "[", "]", ",", ":", "null", "true", "0", "1", "1.0", "\"\"", "\"a\"", "\"name\"", "\"$patch\"", "\"delete\"", "\"replace\"",
    "\"merge\"", "\"$retainKeys\"", "\"$setElementOrder/containers\"", "\"$deleteFromPrimitiveList/finalizers\"", "\"containers\"",
    "\"spec\"", "{\"$patch\":\"replace\"}", "{\"name\":\"a\",\"$patch\":\"delete\"}", "{\"name\":null}", "[null]", "[[]]", "{}", "[]",
];

#[rustfmt::skip]
const KINDS: &[(&str, &str)] = &[
    ("apps/v1", "Deployment"), ("apps/v1", "Deployment"), ("apps/v1", "Deployment"), ("v1", "Pod"), ("v1", "Pod"), ("v1", "Service"),
    ("v1", "Service"), ("networking.k8s.io/v1", "Ingress"), ("networking.k8s.io/v1", "Ingress"), ("batch/v1", "Job"), ("batch/v1", "CronJob"),
    ("apps/v1", "StatefulSet"), ("apps/v1", "DaemonSet"), ("v1", "ConfigMap"), ("v1", "Secret"), ("v1", "ServiceAccount"), ("v1", "Node"),
    ("v1", "PersistentVolume"), ("v1", "PersistentVolumeClaim"), ("autoscaling/v2", "HorizontalPodAutoscaler"),
    ("apiextensions.k8s.io/v1", "CustomResourceDefinition"), ("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration"),
];

const REFUSED: &[(&str, &str)] = &[
    ("example.com/v1", "Widget"),
    ("apps/v1", "Widget"),
    ("apps/v1beta9", "Deployment"),
    ("v1", "deployment"),
    ("v1", ""),
];

const NAMES: &[&str] = &["a", "b", "c", "web", "", "é", "a/b"];
const NUMBERS: &[&str] = &["80", "443", "80.0", "0", "1", "-1", "1.5", "8080", "1e3", "9223372036854775808"];
const SCALARS: &[&str] = &["null", "true", "false", "1", "1.0", "\"a\"", "\"\"", "\"x\"", "{}", "[]"];

/// A value as JSON is written, so that keys may stand twice.
#[derive(Clone, PartialEq)]
enum Json {
    Text(String),
    List(Vec<Json>),
    Map(Vec<(String, Json)>),
}

impl Json {
    fn string(text: &str) -> Json {
        Json::Text(serde_json::Value::from(text).to_string())
    }

    fn null() -> Json {
        Json::Text("null".to_owned())
    }

    fn get(&self, key: &str) -> Option<&Json> {
        match self {
            Json::Map(members) => members.iter().find(|(name, _)| name == key).map(|(_, value)| value),
            _ => None,
        }
    }

    fn write(&self, out: &mut String) {
        let mut comma = false;
        let mut next = |out: &mut String| {
            if std::mem::replace(&mut comma, true) {
                out.push(',');
            }
        };
        match self {
            Json::Text(text) => out.push_str(text),
            Json::List(items) => {
                out.push('[');
                for item in items {
                    next(out);
                    item.write(out);
                }
                out.push(']');
            }
            Json::Map(members) => {
                out.push('{');
                for (key, value) in members {
                    next(out);
                    out.push_str(&serde_json::Value::from(key.as_str()).to_string());
                    out.push(':');
                    value.write(out);
                }
                out.push('}');
            }
        }
    }
}

/// A kind, an object and a patch.
pub(crate) fn strategic_merge(rng: &mut Rng) -> Input {
    let registry = Registry::new(Release::NEWEST);
    let (api_version, kind) = match rng.u32(..40) {
        0 => REFUSED[rng.usize(..REFUSED.len())],
        _ => KINDS[rng.usize(..KINDS.len())],
    };
    let (api_version, kind) = if one_in(rng, 8) {
        let all: Vec<&GroupVersionKind> = registry.builtin().kinds().collect();
        let gvk = all[rng.usize(..all.len())];
        (gvk.api_version(), gvk.kind.to_string())
    } else {
        (api_version.to_owned(), kind.to_owned())
    };
    let typed = registry.find(&GroupVersionKind::of_texts(&api_version, &kind));
    let (mut object, mut patch) = match typed {
        Some(typed) => {
            let made = value(rng, Some(typed), 0);
            let change = change(rng, &made, Some(typed), 0);
            (made, change)
        }
        None => (any(rng, 0), any(rng, 0)),
    };
    if one_in(rng, 60) {
        object = any(rng, 2);
    }
    if one_in(rng, 60) {
        patch = any(rng, 2);
    }
    let (mut doc, mut text) = (String::new(), String::new());
    object.write(&mut doc);
    patch.write(&mut text);
    Input { texts: vec![format!("{api_version} {kind}"), doc, text] }
}

fn any(rng: &mut Rng, depth: u32) -> Json {
    match weighted(rng, &[5, 3, 2]) {
        1 if depth < 4 => Json::Map(
            (0..rng.usize(..4))
                .map(|_| (pick(rng, &["a", "name", "b", "$patch", ""]).to_owned(), any(rng, depth + 1)))
                .collect(),
        ),
        2 if depth < 4 => Json::List((0..rng.usize(..4)).map(|_| any(rng, depth + 1)).collect()),
        _ => Json::Text(pick(rng, SCALARS).to_owned()),
    }
}

fn name(rng: &mut Rng) -> Json {
    let at = weighted(rng, &[8, 6, 4, 3, 1, 1, 1]);
    Json::string(NAMES[at])
}

/// A value of a type; without one, any.
fn value(rng: &mut Rng, typed: Option<Typed<'_>>, depth: u32) -> Json {
    let Some(typed) = typed.filter(|_| !one_in(rng, 40)) else { return any(rng, 2) };
    if one_in(rng, 40) && depth > 0 {
        return Json::null();
    }
    let number =
        |rng: &mut Rng| Json::Text(NUMBERS[weighted(rng, &[8, 6, 1, 4, 4, 1, 1, 4, 1, 1])].to_owned());
    match &typed.ty.shape {
        Shape::Any => any(rng, 2),
        Shape::Boolean => Json::Text(pick(rng, &["true", "false"]).to_owned()),
        Shape::Integer | Shape::Number => number(rng),
        Shape::String => match typed.ty.enumeration.first().and_then(|value| value.as_str()) {
            Some(text) if one_in(rng, 2) => Json::string(text),
            _ => name(rng),
        },
        Shape::IntOrString | Shape::Quantity => match rng.u32(..4) {
            0 => name(rng),
            1 => Json::Map(vec![("Format".to_owned(), any(rng, 2)), ("StrVal".to_owned(), any(rng, 2))]),
            _ => number(rng),
        },
        Shape::List(item) => {
            let count = if depth > 6 { rng.usize(..2) } else { weighted(rng, &[1, 4, 4, 3, 1]) };
            let count = if one_in(rng, 60) { count + rng.usize(..24) } else { count };
            Json::List((0..count).map(|_| item_of(rng, typed, item, depth)).collect())
        }
        Shape::Map(values) => Json::Map(
            (0..rng.usize(..4))
                .map(|_| (pick(rng, NAMES).to_owned(), value(rng, Some(typed.with(values)), depth + 1)))
                .collect(),
        ),
        Shape::Struct(_) => structure(rng, typed, depth),
    }
}

/// An item of a list, mostly with its merge key.
fn item_of(rng: &mut Rng, list: Typed<'_>, item: &Type, depth: u32) -> Json {
    let mut made = value(rng, Some(list.with(item)), depth + 1);
    let Some(merge_key) = &list.ty.patch_merge_key else { return made };
    if let Json::Map(members) = &mut made
        && !one_in(rng, 40)
    {
        let key = value(rng, list.with(item).field(merge_key), 9);
        members.retain(|(name, _)| *name != **merge_key);
        let at = rng.usize(..=members.len());
        members.insert(at, (merge_key.to_string(), key));
    }
    made
}

/// Some fields of a struct, above all those in which merges differ.
fn fields(rng: &mut Rng, typed: Typed<'_>, count: usize) -> Vec<String> {
    let Some(structure) = typed.structure().filter(|structure| !structure.fields.is_empty()) else {
        return Vec::new();
    };
    let telling: Vec<&str> = structure
        .fields
        .iter()
        .filter(|(name, field)| {
            let strategy = field.ty.patch_strategy;
            strategy.merge
                || strategy.retain_keys
                || strategy.replace
                || matches!(&***name, "spec" | "template" | "jobTemplate" | "metadata")
        })
        .map(|(name, _)| &**name)
        .collect();
    let mut out: Vec<String> = Vec::new();
    for _ in 0..count {
        let name = if telling.is_empty() || one_in(rng, 3) {
            let at = rng.usize(..structure.fields.len());
            structure.fields.get_index(at).map_or("", |(name, _)| name)
        } else {
            telling[rng.usize(..telling.len())]
        };
        if !out.iter().any(|other| other == name) {
            out.push(name.to_owned());
        }
    }
    out
}

fn structure(rng: &mut Rng, typed: Typed<'_>, depth: u32) -> Json {
    let count = if depth > 6 { rng.usize(..2) } else { 1 + rng.usize(..4) };
    let mut members: Vec<(String, Json)> = fields(rng, typed, count)
        .into_iter()
        .map(|name| {
            let made = value(rng, typed.field(&name), depth + 1);
            (cased(rng, name), made)
        })
        .collect();
    if one_in(rng, 30) {
        members.push((odd(rng).to_owned(), any(rng, 2)));
    }
    Json::Map(members)
}

/// A name, seldom in another case.
fn cased(rng: &mut Rng, name: String) -> String {
    match rng.u32(..90) {
        0 => name.to_uppercase(),
        1 => name.replacen('s', "\u{17f}", 1).replacen('k', "\u{212a}", 1),
        2 => name
            .chars()
            .next()
            .map_or(String::new(), |c| format!("{}{}", c.to_uppercase(), &name[c.len_utf8()..])),
        _ => name,
    }
}

fn odd(rng: &mut Rng) -> &'static str {
    pick(
        rng,
        &[
            "",
            "a/b",
            "nope",
            "$x",
            "$patch ",
            "$patch",
            "$retainKeys",
            "$setElementOrder",
            "$setElementOrder/",
            "$setElementOrder/nope",
            "$setElementOrderX/containers",
            "$setElementOrder/$setElementOrder/ports",
            "$deleteFromPrimitiveList",
            "$deleteFromPrimitiveList/",
            "$deleteFromPrimitiveList/nope",
            "$deleteFromPrimitiveListX/finalizers",
            "$deleteFromPrimitiveList/a/b",
        ],
    )
}

fn directive(rng: &mut Rng) -> Json {
    match weighted(rng, &[8, 6, 2, 2]) {
        0 => Json::string("delete"),
        1 => Json::string("replace"),
        2 => Json::string("merge"),
        _ => match rng.u32(..7) {
            0 => Json::string(""),
            1 => Json::string("Delete"),
            2 => Json::Text("1".to_owned()),
            3 => Json::null(),
            4 => Json::Text("true".to_owned()),
            _ => any(rng, 2),
        },
    }
}

/// A patch for a value that is there.
fn change(rng: &mut Rng, there: &Json, typed: Option<Typed<'_>>, depth: u32) -> Json {
    if depth > 0 {
        match rng.u32(..40) {
            0 | 1 => return Json::null(),
            2 => return any(rng, 2),
            3 => return there.clone(),
            _ => {}
        }
    }
    match there {
        Json::Text(_) => value(rng, typed, depth),
        Json::Map(members) => change_of_map(rng, members, typed, depth),
        Json::List(items) => change_of_list(rng, items, typed, depth),
    }
}

fn change_of_map(rng: &mut Rng, there: &[(String, Json)], typed: Option<Typed<'_>>, depth: u32) -> Json {
    let mut members: Vec<(String, Json)> = Vec::new();
    for (key, value) in there {
        if one_in(rng, 4) {
            continue;
        }
        let below = typed.and_then(|typed| typed.member(key));
        let changed = change(rng, value, below, depth + 1);
        if matches!(value, Json::List(_)) || one_in(rng, 30) {
            around_list(rng, key, value, &changed, below, &mut members);
        }
        if !one_in(rng, 12) {
            let at = rng.usize(..=members.len());
            members.insert(at, (key.clone(), changed));
        }
    }
    if let Some(typed) = typed
        && one_in(rng, 3)
    {
        for name in fields(rng, typed, 1) {
            if !members.iter().any(|(other, _)| *other == name) {
                let made = with_directives(rng, typed.field(&name), depth);
                members.push((cased(rng, name), made));
            }
        }
    }
    if one_in(rng, 25) {
        members.push((odd(rng).to_owned(), any(rng, 2)));
    }
    if one_in(rng, if depth == 0 { 60 } else { 25 }) {
        members.push(("$patch".to_owned(), directive(rng)));
    }
    let retains = typed.is_some_and(|typed| typed.ty.patch_strategy.retain_keys);
    if one_in(rng, if retains { 3 } else { 40 }) {
        let mut keys: Vec<Json> = members
            .iter()
            .filter(|(name, _)| !name.starts_with('$'))
            .map(|(name, _)| Json::string(name))
            .collect();
        if one_in(rng, 2) {
            keys.extend(there.first().map(|(name, _)| Json::string(name)));
        }
        if one_in(rng, 10) {
            keys.push(any(rng, 2));
        }
        if one_in(rng, 10) {
            keys.pop();
        }
        let keys = if one_in(rng, 20) { any(rng, 2) } else { Json::List(keys) };
        members.push(("$retainKeys".to_owned(), keys));
    }
    Json::Map(members)
}

/// A new value in which there may be directives.
fn with_directives(rng: &mut Rng, typed: Option<Typed<'_>>, depth: u32) -> Json {
    let mut made = value(rng, typed, depth + 1);
    if one_in(rng, 3) {
        sprinkle(rng, &mut made);
    }
    made
}

fn sprinkle(rng: &mut Rng, value: &mut Json) {
    match value {
        Json::Map(members) => {
            for (_, member) in members.iter_mut() {
                if one_in(rng, 6) {
                    *member = Json::null();
                } else {
                    sprinkle(rng, member);
                }
            }
            if one_in(rng, 6) {
                members.push(("$patch".to_owned(), directive(rng)));
            }
        }
        Json::List(items) => {
            for item in items.iter_mut() {
                sprinkle(rng, item);
            }
            if one_in(rng, 12) {
                items.push(Json::null());
            }
        }
        Json::Text(_) => {}
    }
}

/// The directives that stand beside a list.
fn around_list(
    rng: &mut Rng,
    key: &str,
    there: &Json,
    changed: &Json,
    typed: Option<Typed<'_>>,
    members: &mut Vec<(String, Json)>,
) {
    let items = |value: &Json| match value {
        Json::List(items) => items.clone(),
        _ => Vec::new(),
    };
    let merges = typed.is_some_and(|typed| typed.ty.patch_strategy.merge);
    if one_in(rng, if merges { 5 } else { 25 }) {
        // The items of the patch in their order, with some of the object between them.
        let mut order: Vec<Json> =
            items(changed).into_iter().filter(|item| item.get("$patch").is_none()).collect();
        for item in items(there) {
            if one_in(rng, 2) && !order.contains(&item) {
                let at = rng.usize(..=order.len());
                order.insert(at, item);
            }
        }
        if let Some(merge_key) = typed.and_then(|typed| typed.ty.patch_merge_key.as_deref()) {
            for item in &mut order {
                if let Some(value) = item.get(merge_key).cloned() {
                    *item = Json::Map(vec![(merge_key.to_owned(), value)]);
                }
            }
        }
        if one_in(rng, 8) {
            rng.shuffle(&mut order);
        }
        if one_in(rng, 12) {
            order.push(any(rng, 2));
        }
        if one_in(rng, 12) {
            order.pop();
        }
        let order = if one_in(rng, 30) { any(rng, 2) } else { Json::List(order) };
        members.push((format!("$setElementOrder/{key}"), order));
    }
    let maps = items(there).iter().any(|item| matches!(item, Json::Map(_)));
    if one_in(rng, if maps { 30 } else { 5 }) {
        let mut gone: Vec<Json> = items(there).into_iter().filter(|_| one_in(rng, 2)).collect();
        if one_in(rng, 4) {
            gone.push(name(rng));
        }
        let gone = if one_in(rng, 20) { any(rng, 2) } else { Json::List(gone) };
        members.push((format!("$deleteFromPrimitiveList/{key}"), gone));
    }
}

fn change_of_list(rng: &mut Rng, there: &[Json], typed: Option<Typed<'_>>, depth: u32) -> Json {
    let item_type = typed.and_then(Typed::item);
    let merge_key = typed.and_then(|typed| typed.ty.patch_merge_key.as_deref());
    let mut out = Vec::new();
    for item in there {
        if one_in(rng, 3) {
            continue;
        }
        let mut changed = match merge_key {
            Some(_) => change(rng, item, item_type, depth + 1),
            None => item.clone(),
        };
        if let (Some(merge_key), Some(key), Json::Map(members)) =
            (merge_key, merge_key.and_then(|key| item.get(key)), &mut changed)
            && !one_in(rng, 25)
        {
            members.retain(|(name, _)| name != merge_key);
            members.push((merge_key.to_owned(), key.clone()));
            match rng.u32(..12) {
                0 => members.push(("$patch".to_owned(), directive(rng))),
                1 => {
                    *members = vec![
                        (merge_key.to_owned(), key.clone()),
                        ("$patch".to_owned(), Json::string("delete")),
                    ];
                }
                _ => {}
            }
        }
        out.push(changed);
    }
    if let (Some(typed), Shape::List(item)) = (typed, typed.map_or(&Shape::Any, |typed| &typed.ty.shape)) {
        for _ in 0..weighted(rng, &[4, 3, 1]) {
            let mut made = item_of(rng, typed, item, depth);
            if one_in(rng, 4) {
                sprinkle(rng, &mut made);
            }
            let at = rng.usize(..=out.len());
            out.insert(at, made);
        }
    }
    if one_in(rng, 20) {
        out.push(Json::Map(vec![("$patch".to_owned(), directive(rng))]));
    }
    if one_in(rng, 4) {
        rng.shuffle(&mut out);
    }
    Json::List(out)
}
