//! Where in a list an item stands, by its value or by its merge key, found as fast as the length of the list asks
//! for.

use std::collections::{BTreeSet, HashMap};

use convoy_value::Value;

use super::text::{Kind, Scalar, uncomparable};

/// Up to this length a list is looked through.
const FEW: usize = 16;

/// The positions of the items of a list.
pub(super) struct Table {
    few: Vec<(Scalar, usize)>,
    many: HashMap<Scalar, BTreeSet<usize>>,
    /// The first items whose key is a map and a list: Go crashes when it compares two of them.
    map: Option<usize>,
    list: Option<usize>,
    /// The first item that is no object, and so has no merge key.
    foreign: Option<usize>,
}

impl Table {
    /// The items of a list by their merge key; those without one are not in it.
    pub(super) fn by_key(items: &[Value], key: &str) -> Table {
        let mut table = Table::sized(items.len());
        for (i, item) in items.iter().enumerate() {
            match item.as_map() {
                Some(map) => {
                    if let Some(value) = map.get(key) {
                        table.insert(value, i);
                    }
                }
                None => table.foreign = table.foreign.or(Some(i)),
            }
        }
        table
    }

    /// The items of a list by themselves.
    pub(super) fn by_value(items: &[Value]) -> Table {
        let mut table = Table::sized(items.len());
        for (i, item) in items.iter().enumerate() {
            table.insert(item, i);
        }
        table
    }

    fn sized(len: usize) -> Table {
        let (few, many) = if len <= FEW { (len, 0) } else { (0, len) };
        Table {
            few: Vec::with_capacity(few),
            many: HashMap::with_capacity(many),
            map: None,
            list: None,
            foreign: None,
        }
    }

    /// Adds an item.
    pub(super) fn insert(&mut self, value: &Value, at: usize) {
        let Some(scalar) = Scalar::of(value) else {
            let first = if Kind::of(value) == Kind::Map { &mut self.map } else { &mut self.list };
            *first = Some(first.map_or(at, |first| first.min(at)));
            return;
        };
        if self.many.is_empty() && self.few.len() < FEW {
            let place = self.few.partition_point(|(_, other)| *other <= at);
            self.few.insert(place, (scalar, at));
            return;
        }
        for (scalar, at) in self.few.drain(..) {
            self.many.entry(scalar).or_default().insert(at);
        }
        self.many.entry(scalar).or_default().insert(at);
    }

    /// Takes an item out, by what it was added with. Lists and maps stay, since nothing finds them.
    pub(super) fn remove(&mut self, value: &Value, at: usize) {
        let Some(scalar) = Scalar::of(value) else { return };
        self.few.retain(|(_, other)| *other != at);
        if let Some(places) = self.many.get_mut(&scalar) {
            places.remove(&at);
        }
    }

    fn first(&self, scalar: &Scalar) -> Option<usize> {
        if self.many.is_empty() {
            return self.few.iter().find(|(other, _)| other == scalar).map(|(_, at)| *at);
        }
        self.many.get(scalar)?.first().copied()
    }

    /// The first item with this value, as Go finds it when it compares one item after the other.
    pub(super) fn index(&self, value: &Value) -> Result<Option<usize>, String> {
        let kind = Kind::of(value);
        let crash = match kind {
            Kind::Map => self.map,
            Kind::List => self.list,
            _ => None,
        };
        match Scalar::of(value) {
            Some(scalar) => Ok(self.first(&scalar)),
            None if crash.is_some() => Err(uncomparable(kind)),
            None => Ok(None),
        }
    }

    /// The same in a list that must have only objects in front of what is found.
    pub(super) fn find(&self, value: &Value) -> Result<Option<usize>, String> {
        let hit = match Kind::of(value) {
            Kind::Map => self.map,
            Kind::List => self.list,
            _ => self.index(value)?,
        };
        match self.foreign {
            Some(foreign) if hit.is_none_or(|at| foreign < at) => {
                Err(format!("value for key {foreign} is not a map"))
            }
            _ => self.index(value),
        }
    }
}
