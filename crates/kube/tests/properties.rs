//! Any value against any type: no check panics, and what it reports has a place.

use convoy_kube::check::{Fault, Key, Options, Problem, check, check_at, refusal};
use convoy_kube::conflict::conflicts;
use convoy_kube::path::{Followed, follow};
use convoy_kube::{Field, ListKind, Registry, Release, Shape, Struct, StructId, Type, Typed, Types};
use convoy_value::Value;

/// The generator `SplitMix64`.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn one<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

const NAMES: [&str; 8] = ["name", "key", "spec", "status", "metadata", "kind", "$patch", "a.b/c"];
const FORMATS: [&str; 7] = ["int32", "int64", "byte", "date-time", "double", "uuid", "odd"];

fn ty(random: &mut Random, depth: usize, structs: u32) -> Type {
    let inner = |random: &mut Random| Box::new(ty(random, depth + 1, structs));
    let shape = match random.below(if depth > 4 { 7 } else { 11 }) {
        0 => Shape::Any,
        1 => Shape::Boolean,
        2 => Shape::Integer,
        3 => Shape::Number,
        4 => Shape::String,
        5 => Shape::IntOrString,
        6 => Shape::Quantity,
        7 => Shape::List(inner(random)),
        8 => Shape::Map(inner(random)),
        _ => Shape::Struct(StructId(random.below(structs as usize) as u32)),
    };
    let list = match random.below(4) {
        0 => ListKind::Set,
        1 => ListKind::Map(["name".into(), "key".into()].into()),
        2 => ListKind::Map(["key".into()].into()),
        _ => ListKind::Unspecified,
    };
    Type {
        shape,
        format: random.chance(40).then(|| (*random.one(&FORMATS)).into()),
        nullable: random.chance(20),
        list,
        default: random.chance(20).then(|| value(random, 4)),
        enumeration: if random.chance(20) { [value(random, 4), value(random, 4)].into() } else { [].into() },
        preserve_unknown: random.chance(10),
        embedded_resource: random.chance(10),
        ..Type::default()
    }
}

fn value(random: &mut Random, depth: usize) -> Value {
    match random.below(if depth > 4 { 7 } else { 11 }) {
        0 => Value::Null,
        1 => Value::Bool(true),
        2 => Value::Int(random.next() as i64 >> random.below(60)),
        3 => Value::Float(*random.one(&[0.5, 1.0, -0.0, 1e300, 3e9, f64::NAN, f64::INFINITY])),
        4 => Value::Uint(u64::MAX),
        5 | 6 => {
            (*random.one(&["", "a", "1Gi", "YQ==", "2026-01-01T00:00:00Z", "ä", "1.5e", "-", "=="])).into()
        }
        7 | 8 => {
            let items: Vec<Value> = (0..random.below(4)).map(|_| value(random, depth + 1)).collect();
            Value::list(items)
        }
        _ => {
            let names: Vec<&str> = (0..random.below(4)).map(|_| *random.one(&NAMES)).collect();
            Value::map(names.into_iter().map(|name| (name, value(random, depth + 1))))
        }
    }
}

fn at<'a>(value: &'a Value, path: &[Key]) -> Option<&'a Value> {
    path.iter().try_fold(value, |value, key| match key {
        Key::Name(name) => value.get(name),
        Key::Index(i) => value.as_list()?.get(*i),
    })
}

fn hold(value: &Value, problems: &[Problem]) {
    for problem in problems {
        let place = at(value, &problem.path);
        assert!(place.is_some(), "{problem:?} in {value:?}");
        assert!(!problem.text.is_empty(), "{problem:?}");
        if let Fault::Missing { name } = &problem.fault {
            assert!(
                place.and_then(|place| place.get(name)).is_none_or(|value| *value == Value::Null),
                "{problem:?}"
            );
        }
    }
    assert_eq!(refusal(problems).is_some(), !problems.is_empty());
}

const OPTIONS: [Options; 4] = [
    Options { whole: false, custom: false, directives: true },
    Options { whole: true, custom: false, directives: false },
    Options { whole: true, custom: true, directives: false },
    Options { whole: false, custom: true, directives: true },
];

#[test]
fn random_values_against_random_types() {
    let mut random = Random(5);
    for _ in 0..2000 {
        let mut types = Types::new();
        let count = 1 + random.below(4) as u32;
        for _ in 0..count {
            let mut structure =
                Struct { name: (*random.one(&["io.v1.Probe", "", "x"])).into(), ..Struct::default() };
            for _ in 0..random.below(5) {
                let field = Field { ty: ty(&mut random, 0, count), required: random.chance(30) };
                structure.fields.insert((*random.one(&NAMES)).into(), field);
            }
            structure.additional = random.chance(10).then(|| ty(&mut random, 2, count));
            types.push(structure);
        }
        let root = ty(&mut random, 0, count);
        let typed = Typed { types: &types, ty: &root };
        for _ in 0..10 {
            let value = value(&mut random, 0);
            for options in OPTIONS {
                hold(&value, &check(&value, typed, &[], options));
                let keys: Vec<Key> = (0..random.below(4))
                    .map(|_| match random.below(3) {
                        0 => Key::Index(0),
                        _ => Key::Name((*random.one(&NAMES)).into()),
                    })
                    .collect();
                hold(&value, &check_at(&value, typed, &keys, options));
            }
            conflicts(&value, typed, &[]);
            let keys: Vec<&str> =
                (0..random.below(5)).map(|_| *random.one(&["0", "-", "name", "x"])).collect();
            if let Followed::Unknown { at, .. } | Followed::NoSuchPlace { at, .. } =
                follow(typed, keys.iter().map(|key| Some(*key)))
            {
                assert!(at < keys.len());
            }
        }
    }
}

/// Values of the names that a kind has, so that the walk gets deep.
fn near(random: &mut Random, ty: Typed<'_>, depth: usize) -> Value {
    if depth > 8 || random.chance(7) {
        return value(random, 3);
    }
    match &ty.ty.shape {
        Shape::Struct(id) => {
            let fields: Vec<_> = ty.types.structure(*id).fields.iter().collect();
            let mut members = Vec::new();
            for _ in 0..random.below(5) {
                if !fields.is_empty() {
                    let (name, field) = random.one(&fields);
                    members.push(((*name).clone(), near(random, ty.with(&field.ty), depth + 1)));
                }
            }
            Value::map(members)
        }
        Shape::List(item) => {
            Value::list((0..random.below(3)).map(|_| near(random, ty.with(item), depth + 1)))
        }
        Shape::Map(values) => Value::map([("a", near(random, ty.with(values), depth + 1))]),
        _ => value(random, 4),
    }
}

#[test]
fn random_objects_of_the_built_in_kinds() {
    let mut random = Random(37);
    let registry = Registry::new(Release::NEWEST);
    for kind in registry.kinds() {
        let ty = registry.find(kind).unwrap();
        for _ in 0..20 {
            let object = near(&mut random, ty, 0);
            for options in OPTIONS {
                hold(&object, &check(&object, ty, &[], options));
            }
            for conflict in conflicts(&object, ty, &[]) {
                assert!(conflict.paths.iter().all(|path| at(&object, path).is_some()), "{conflict:?}");
            }
        }
    }
}

/// A place in an object gives the texts that the whole object gives.
#[test]
fn a_part_has_the_texts_of_the_whole() {
    let mut random = Random(11);
    let registry = Registry::new(Release::NEWEST);
    let options = Options { whole: false, custom: false, directives: false };
    for kind in registry.kinds() {
        let ty = registry.find(kind).unwrap();
        let object = near(&mut random, ty, 0);
        let whole = check(&object, ty, &[], options);
        for (name, part) in object.as_map().into_iter().flatten() {
            let key = Key::Name(name.clone());
            let part = check_at(part, ty, std::slice::from_ref(&key), options);
            let texts: Vec<&str> = part.iter().map(|problem| &*problem.text).collect();
            let wanted = whole.iter().filter(|problem| problem.path.first() == Some(&key));
            // What is no field at all is reported by the object that lacks it.
            let wanted = wanted.filter(|problem| {
                !(problem.path.len() == 1 && matches!(problem.fault, Fault::UnknownField { .. }))
            });
            assert_eq!(texts, wanted.map(|problem| &*problem.text).collect::<Vec<_>>(), "{kind}");
        }
    }
}
