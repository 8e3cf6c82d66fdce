//! Objects of Kubernetes with apply configurations for them, made along their types.

use convoy_conformance::ours::apply::known;
use convoy_kube::{GroupVersionKind, ListKind, Shape, Type, Typed};
use fastrand::Rng;
use serde_json::{Map, Value, json};

use crate::draw::{one_in, pick, weighted};
use crate::targets::Input;

/// What such objects are made of.
#[rustfmt::skip]
pub(crate) const DICTIONARY: &[&str] = &[
    "null", "true", "0", "1", "80", "1.5", "\"\"", "\"a\"", "\"b\"", "\"TCP\"", "[]", "{}", "[null]", "[{}]", "{\"a\":1}", "[\"a\",\"a\"]",
    "\"name\":\"a\",", "\"spec\":{},", "\"containers\":[],", "\"unknown\":1,", "{\"name\":\"a\"},", "{\"name\":\"a\"}", ",",
];

/// The kinds, with how often they are drawn.
#[rustfmt::skip]
const KINDS: &[(&str, &str, &str, u32)] = &[
    ("apps", "v1", "Deployment", 8), ("", "v1", "Pod", 8), ("", "v1", "Service", 6), ("networking.k8s.io", "v1", "Ingress", 4),
    ("example.convoy.dev", "v1", "Widget", 12), ("apps", "v1", "StatefulSet", 2), ("apps", "v1", "DaemonSet", 1), ("batch", "v1", "Job", 2),
    ("batch", "v1", "CronJob", 1), ("", "v1", "ConfigMap", 2), ("", "v1", "Secret", 1), ("", "v1", "ServiceAccount", 1),
    ("", "v1", "Namespace", 1), ("", "v1", "Node", 1), ("", "v1", "PersistentVolume", 1), ("", "v1", "PersistentVolumeClaim", 1),
    ("discovery.k8s.io", "v1", "EndpointSlice", 2), ("networking.k8s.io", "v1", "NetworkPolicy", 1), ("apps", "v1", "ControllerRevision", 1),
    ("rbac.authorization.k8s.io", "v1", "ClusterRole", 1), ("", "v1", "ResourceQuota", 1), ("", "v1", "LimitRange", 1), ("", "v1", "Event", 1),
];

/// The fields that lead to what people mutate.
const BELOVED: &[&str] = &["spec", "template", "metadata", "containers", "ports", "env", "labels"];

const TEXTS: &[&str] = &["a", "b", "c", "a", "b", "TCP", "UDP", "", "a-b", "x=\"y\"", "é\n"];

/// The objects of one side.
struct Maker<'r> {
    rng: &'r mut Rng,
    /// Whether nothing is written that is refused for itself.
    clean: bool,
    /// Whether what is atomic is left out.
    granular: bool,
    /// How much may still be written.
    left: usize,
}

/// An object with an apply configuration for it.
pub(crate) fn apply(rng: &mut Rng) -> Input {
    let weights: Vec<u32> = KINDS.iter().map(|kind| kind.3).collect();
    let (group, version, kind, _) = KINDS[weighted(rng, &weights)];
    let gvk = GroupVersionKind::new(group, version, kind);
    let Some(typed) = known().find(&gvk) else {
        return Input { texts: vec!["{}".to_owned(), "{}".to_owned()] };
    };
    let clean = !one_in(rng, 8);
    let live = whole(&mut Maker { rng, clean, granular: false, left: 60 }, typed, &gvk);
    let (clean, granular) = (!one_in(rng, 3), !one_in(rng, 5));
    let patch = whole(&mut Maker { rng, clean, granular, left: 30 }, typed, &gvk);
    Input { texts: vec![live, patch] }
}

fn whole(maker: &mut Maker<'_>, typed: Typed<'_>, gvk: &GroupVersionKind) -> String {
    let mut object = maker.value(typed, 0);
    if let Value::Object(members) = &mut object {
        members.insert("apiVersion".to_owned(), gvk.api_version().into());
        members.insert("kind".to_owned(), (*gvk.kind).into());
        if !maker.clean && one_in(maker.rng, 60) {
            members.insert("kind".to_owned(), json!("Other"));
        }
    }
    serde_json::to_string_pretty(&object).unwrap_or_default()
}

fn is_atomic_list(ty: &Type) -> bool {
    match ty.list {
        ListKind::Atomic => true,
        ListKind::Unspecified => !ty.patch_strategy.merge,
        _ => false,
    }
}

fn is_atomic(ty: &Type) -> bool {
    ty.atomic || (matches!(ty.shape, Shape::List(_)) && is_atomic_list(ty))
}

impl Maker<'_> {
    fn value(&mut self, typed: Typed<'_>, depth: u32) -> Value {
        self.left = self.left.saturating_sub(1);
        if !self.clean && depth > 0 && one_in(self.rng, 25) {
            return self.anything(0);
        }
        // A null is in its place everywhere.
        if depth > 1 && one_in(self.rng, 40) {
            return Value::Null;
        }
        match &typed.ty.shape {
            Shape::Any => self.anything(u32::from(self.granular)),
            Shape::Boolean => self.rng.bool().into(),
            Shape::Integer => json!(*[0, 1, 80, 443, 80][..].get(self.rng.usize(..5)).unwrap_or(&0)),
            Shape::Number => [json!(1), json!(1.0), json!(2.5), json!(1e6)][self.rng.usize(..4)].clone(),
            Shape::String => pick(self.rng, TEXTS).into(),
            Shape::IntOrString | Shape::Quantity => {
                if self.rng.bool() {
                    json!(80)
                } else {
                    pick(self.rng, &["http", "100m", "1Gi"]).into()
                }
            }
            Shape::List(item) => self.list(typed, typed.with(item), depth),
            Shape::Map(values) => {
                let mut members = Map::new();
                for _ in 0..self.some(depth) {
                    let key = pick(self.rng, TEXTS).to_owned();
                    members.insert(key, self.value(typed.with(values), depth + 1));
                }
                Value::Object(members)
            }
            Shape::Struct(_) => self.structure(typed, depth),
        }
    }

    /// How many things stand in a thing.
    fn some(&mut self, depth: u32) -> usize {
        if self.left == 0 || depth > 12 { 0 } else { weighted(self.rng, &[1, 5, 6, 3, 1]) }
    }

    fn list(&mut self, typed: Typed<'_>, item: Typed<'_>, depth: u32) -> Value {
        let mut items: Vec<Value> = Vec::new();
        let start = self.rng.usize(..3);
        for i in 0..self.some(depth) {
            let mut made = self.value(item, depth + 1);
            if let (Value::Object(members), true) = (&mut made, self.clean || one_in(self.rng, 2)) {
                self.keys(typed.ty, item, members, start + i);
            }
            items.push(made);
        }
        if self.clean && matches!(typed.ty.list, ListKind::Set) {
            let mut seen: Vec<Value> = Vec::new();
            items.retain(|item| {
                let new = !item.is_null() && !seen.contains(item);
                seen.push(item.clone());
                new
            });
        }
        if self.clean && !is_atomic_list(typed.ty) {
            items.retain(|item| !item.is_null());
        }
        Value::Array(items)
    }

    /// Gives an item its keys: mostly all of them, and mostly others than its neighbours have.
    fn keys(&mut self, ty: &Type, item: Typed<'_>, members: &mut Map<String, Value>, i: usize) {
        let keys: Vec<&str> = match (&ty.list, &ty.patch_merge_key) {
            (ListKind::Map(keys), _) => keys.iter().map(|key| &**key).collect(),
            (_, Some(key)) => vec![&**key],
            _ => return,
        };
        for key in keys {
            let Some(field) = item.field(key) else { continue };
            let value = match field.ty.shape {
                Shape::String => json!(["a", "b", "c", "d", "e", "f"][i % 6]),
                Shape::Integer | Shape::IntOrString => json!([80, 443, 8080, 1, 2, 3][i % 6]),
                _ => continue,
            };
            let optional = field.ty.default.is_some();
            if !one_in(self.rng, if optional { 2 } else { 30 }) {
                members.insert(key.to_owned(), value);
            }
        }
    }

    fn structure(&mut self, typed: Typed<'_>, depth: u32) -> Value {
        let mut members = Map::new();
        let Some(structure) = typed.structure() else { return Value::Object(members) };
        let fields: Vec<(&str, &Type)> = structure
            .fields
            .iter()
            .map(|(name, field)| (&**name, &field.ty))
            .filter(|(_, ty)| !self.granular || !is_atomic(ty))
            .collect();
        let weights: Vec<u32> = fields
            .iter()
            .map(|(name, ty)| match ty.shape {
                _ if BELOVED.contains(name) => 20,
                Shape::List(_) if !is_atomic(ty) => 5,
                Shape::Struct(_) | Shape::Map(_) => 2,
                _ => 1,
            })
            .collect();
        if !fields.is_empty() {
            for _ in 0..self.some(depth) {
                let (name, ty) = fields[weighted(self.rng, &weights)];
                members.insert(name.to_owned(), self.value(typed.with(ty), depth + 1));
            }
        }
        if let Some(additional) = &structure.additional
            && one_in(self.rng, 2)
        {
            members.insert(pick(self.rng, TEXTS).to_owned(), self.value(typed.with(additional), depth + 1));
        }
        if (typed.ty.preserve_unknown && one_in(self.rng, 2)) || (!self.clean && one_in(self.rng, 12)) {
            let name = *["unknown", "zz", "a-b", "Name"][..].get(self.rng.usize(..4)).unwrap_or(&"a");
            members.insert(name.to_owned(), self.anything(u32::from(self.granular)));
        }
        Value::Object(members)
    }

    /// Any value; below the first level, if it is one, no lists.
    fn anything(&mut self, depth: u32) -> Value {
        match self.rng.u32(..if depth > 3 { 8 } else { 12 }) {
            0 => Value::Null,
            1 => json!(true),
            2 => json!(3),
            3 => json!(-2.5),
            4 => json!(1e21),
            5..=7 => pick(self.rng, TEXTS).into(),
            8 | 9 if depth == 0 || !self.granular => {
                let count = self.rng.usize(..3);
                (0..count).map(|_| self.anything(depth + 1)).collect()
            }
            _ => {
                let count = self.rng.usize(..3);
                (0..count)
                    .map(|_| (pick(self.rng, TEXTS).to_owned(), self.anything(depth + 1)))
                    .collect::<Map<String, Value>>()
                    .into()
            }
        }
    }
}
