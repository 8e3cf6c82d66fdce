//! Objects: directives, nulls, and what becomes of each member.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use convoy_kube::check::Key;
use convoy_value::{Map, Value};

use super::list::{MergedList, Seen, grown, item_kind};
use super::order::Order;
use super::schema::{Meta, Schema};
use super::taken::taken;
use super::text::{Kind, Scalar, bad_directive, bad_type, equal, no_merge_key, unhashable};
use super::{Note, NoteKind, PATCH, lost};
use crate::go_text::shown_list;

const RETAIN_KEYS: &str = "$retainKeys";
const DELETE_FROM_LIST: &str = "$deleteFromPrimitiveList";
const SET_ORDER: &str = "$setElementOrder";

const BAD_ORDER: &str = "invalid patch format of setElementOrder list";
const BAD_DELETION: &str = "invalid patch format of primitive list";
const BAD_RETAIN_KEYS: &str = "invalid patch format of retainKeys";

/// A merge that is under way.
#[derive(Default)]
pub(super) struct Merger {
    /// Where in the patch it is. After an error it stays where it was.
    pub(super) path: Vec<Key>,
    pub(super) notes: Vec<Note>,
    /// How many items fit in the memory of the lists that this merge made, which the library makes in another way than
    /// by appending. A list is known by its place in memory, so it is kept.
    capacities: HashMap<*const Vec<Value>, (Arc<Vec<Value>>, usize)>,
}

/// The object that is merged into. What is removed from it goes at the end at once.
struct Target<'m> {
    map: &'m mut Map,
    gone: HashSet<Arc<str>>,
}

impl Target<'_> {
    fn get(&self, key: &str) -> Option<&Value> {
        self.map.get(key).filter(|_| !self.gone.contains(key))
    }

    fn get_mut(&mut self, key: &str) -> Option<&mut Value> {
        self.map.get_mut(key).filter(|_| !self.gone.contains(key))
    }

    fn insert(&mut self, key: &str, value: Value) {
        self.gone.remove(key);
        if let Some(place) = self.map.get_mut(key) {
            *place = value;
        } else {
            self.map.insert(key.into(), value);
        }
    }

    /// Whether it was there.
    fn remove(&mut self, key: &str) -> bool {
        match self.map.get_key_value(key) {
            Some((key, _)) => self.gone.insert(key.clone()),
            None => false,
        }
    }

    fn finish(self) {
        if !self.gone.is_empty() {
            let gone = self.gone;
            self.map.retain(|key, _| !gone.contains(key));
        }
    }
}

/// The list that a directive is for.
fn directed<'k>(key: &'k str, prefix: &str, error: &str) -> Result<&'k str, String> {
    match key.split_once('/') {
        Some((before, name)) if before == prefix => Ok(name),
        _ => Err(error.to_owned()),
    }
}

fn list(value: &Value) -> Result<&Arc<Vec<Value>>, String> {
    match value {
        Value::List(items) => Ok(items),
        value => Err(bad_type(Kind::List, value)),
    }
}

impl Merger {
    pub(super) fn note_at(&mut self, key: Option<Key>, kind: NoteKind) {
        let mut path = self.path.clone();
        path.extend(key);
        self.notes.push(Note { path, kind });
    }

    /// How many items fit in the memory of a list.
    pub(super) fn capacity(&self, items: &Arc<Vec<Value>>) -> usize {
        self.capacities.get(&Arc::as_ptr(items)).map_or_else(|| grown(items.len()), |(_, capacity)| *capacity)
    }

    pub(super) fn remember(&mut self, items: &Arc<Vec<Value>>, capacity: usize) {
        if capacity != grown(items.len()) {
            self.capacities.insert(Arc::as_ptr(items), (items.clone(), capacity));
        }
    }

    /// Merges an object of the patch into one of the object.
    pub(super) fn merge_maps(
        &mut self,
        original: &mut Value,
        patch: &Map,
        schema: Schema<'_>,
    ) -> Result<(), String> {
        if let Some(directive) = patch.get(PATCH) {
            *original = self.replaced(original, patch, directive)?;
            return Ok(());
        }
        let Value::Map(map) = original else { return Err(bad_type(Kind::Map, original)) };
        let mut target = Target { map: Arc::make_mut(map), gone: HashSet::new() };
        retain_keys(&mut target, patch)?;
        let done = self.set_orders(&mut target, patch, schema)?;
        for (key, value) in patch {
            if **key == *RETAIN_KEYS || key.starts_with(SET_ORDER) || done.contains(&**key) {
                continue;
            }
            self.path.push(Key::Name(key.clone()));
            self.merge_member(&mut target, key, value, schema)?;
            self.path.pop();
        }
        target.finish();
        Ok(())
    }

    /// What `$patch` leaves of an object.
    fn replaced(&mut self, original: &Value, patch: &Map, directive: &Value) -> Result<Value, String> {
        let before = original.as_map();
        match directive.as_str() {
            Some("replace") => {
                let mut map = patch.clone();
                map.shift_remove(PATCH);
                let lost = before.map_or(0, |map| map.keys().filter(|key| !patch.contains_key(*key)).count());
                self.note_at(None, NoteKind::ReplaceDirective { lost });
                Ok(Value::Map(Arc::new(map)))
            }
            Some("delete") => {
                if before.is_none_or(Map::is_empty) {
                    self.note_at(None, NoteKind::NothingDeleted);
                }
                Ok(Value::Map(Arc::default()))
            }
            _ => {
                self.path.push(Key::Name(PATCH.into()));
                Err(bad_directive(directive, patch))
            }
        }
    }

    fn merge_member(
        &mut self,
        target: &mut Target<'_>,
        key: &str,
        value: &Value,
        schema: Schema<'_>,
    ) -> Result<(), String> {
        let delete = key.starts_with(DELETE_FROM_LIST);
        let key = if delete {
            // Without a name it is the name itself.
            Some(directed(key, DELETE_FROM_LIST, BAD_DELETION)?)
                .filter(|name| !name.is_empty())
                .unwrap_or(key)
        } else {
            key
        };
        if *value == Value::Null {
            if target.remove(key) {
                self.note_at(None, NoteKind::Removed);
            }
            return Ok(());
        }
        let same_type = target.get(key).map(|current| Kind::of(current) == Kind::of(value));
        if same_type != Some(true) {
            if delete {
                self.note_at(None, NoteKind::NothingDeleted);
                return Ok(());
            }
            match taken(value, true).of(value) {
                Some(value) => target.insert(key, value),
                None => {
                    if !target.remove(key) {
                        self.note_at(None, NoteKind::NothingDeleted);
                    }
                }
            }
            return Ok(());
        }
        let Some(current) = target.get_mut(key) else { return Ok(()) };
        match (&*current, value) {
            (Value::Map(_), Value::Map(patch)) => {
                let (schema, meta) = schema.field(key)?;
                if meta.replace {
                    *current = value.clone();
                } else {
                    self.merge_maps(current, patch, schema)?;
                }
            }
            (Value::List(original), Value::List(patch)) => {
                let (schema, meta) = schema.items(key)?;
                let merged = self.merge_member_lists(original, patch, schema, meta, delete, Seen::Never)?;
                *current = Value::List(merged.items);
            }
            _ => *current = value.clone(),
        }
        Ok(())
    }

    /// Merges two lists if their strategy is to merge; otherwise the patch's takes the place of the other.
    fn merge_member_lists(
        &mut self,
        original: &Arc<Vec<Value>>,
        patch: &Arc<Vec<Value>>,
        schema: Schema<'_>,
        meta: Meta<'_>,
        delete: bool,
        seen: Seen,
    ) -> Result<MergedList, String> {
        if meta.merge || delete {
            return self.merge_lists(original, patch, schema, meta.merge_key, delete, seen);
        }
        let lost = lost::count(original, patch);
        if lost > 0 {
            self.note_at(None, NoteKind::ListReplaced { lost });
        }
        Ok(MergedList { items: patch.clone(), seen: None })
    }

    /// Merges the lists that have a `$setElementOrder`, and gives their keys.
    fn set_orders<'p>(
        &mut self,
        target: &mut Target<'_>,
        patch: &'p Map,
        schema: Schema<'_>,
    ) -> Result<HashSet<&'p str>, String> {
        let mut done = HashSet::new();
        for (key, order) in patch {
            if !key.starts_with(SET_ORDER) {
                continue;
            }
            self.path.push(Key::Name(key.clone()));
            let order = list(order)?;
            let name = directed(key, SET_ORDER, BAD_ORDER)?;
            let original = target.get(name).map(list).transpose()?.cloned();
            let from_patch = patch.get(name).filter(|_| !done.contains(name));
            let from_patch = from_patch.map(list).transpose()?;
            if let Some(merged) = self.set_order(original, from_patch, order, name, schema)? {
                target.insert(name, Value::List(merged));
                done.insert(name);
            }
            self.path.pop();
        }
        Ok(done)
    }

    /// Merges a list and puts it in the order that is given.
    fn set_order(
        &mut self,
        original: Option<Arc<Vec<Value>>>,
        patch: Option<&Arc<Vec<Value>>>,
        order: &[Value],
        name: &str,
        schema: Schema<'_>,
    ) -> Result<Option<Arc<Vec<Value>>>, String> {
        let (items, meta) = schema.items(name)?;
        let of_patch: &[Value] = patch.map_or(&[], |patch| patch);
        check_order(of_patch, order, meta.merge_key)?;
        let mut before = original.clone();
        let merged = match (&original, patch) {
            (None, None) => return Ok(None),
            (Some(original), None) => original.clone(),
            (None, Some(patch)) => {
                let value = Value::List(patch.clone());
                match taken(&value, false).of(&value) {
                    Some(Value::List(items)) => items,
                    _ => return Ok(None),
                }
            }
            (Some(original), Some(patch)) => {
                if let Some(Key::Name(key)) = self.path.last_mut() {
                    *key = name.into();
                }
                let merged = self.merge_member_lists(original, patch, items, meta, false, Seen::Again)?;
                if let Some(seen) = merged.seen {
                    before = Some(Arc::new(seen));
                }
                merged.items
            }
        };
        let before: &[Value] = before.as_deref().map_or(&[], Vec::as_slice);
        let mut by = Order { patch: order, before, merge_key: meta.merge_key, maps: false };
        // The library splits the items before it looks at their types.
        let parts = by.split(&merged)?;
        by.maps = match item_kind([before, of_patch])? {
            Kind::List => return Err("lists of lists are not supported".to_owned()),
            kind => kind == Kind::Map,
        };
        let order = by.joined(&merged, parts)?;
        Ok(Some(self.arranged(&mut merged.to_vec(), &order)))
    }
}

/// Clears the fields that `$retainKeys` does not name.
fn retain_keys(target: &mut Target<'_>, patch: &Map) -> Result<(), String> {
    let Some(keys) = patch.get(RETAIN_KEYS) else { return Ok(()) };
    let Value::List(keys) = keys else { return Err(BAD_RETAIN_KEYS.to_owned()) };
    let mut names = HashSet::new();
    for key in keys.iter() {
        match Scalar::of(key) {
            Some(Scalar::Text(name)) => {
                names.insert(name);
            }
            Some(_) => {}
            None => return Err(unhashable(Kind::of(key))),
        }
    }
    for (key, value) in patch {
        let directive =
            **key == *RETAIN_KEYS || key.starts_with(DELETE_FROM_LIST) || key.starts_with(SET_ORDER);
        if !directive && *value != Value::Null && !names.contains(key) {
            return Err(BAD_RETAIN_KEYS.to_owned());
        }
    }
    target.map.retain(|key, _| names.contains(key));
    Ok(())
}

/// Whether the items of a list in the patch stand in the order that `$setElementOrder` gives, and are all in it.
fn check_order(patch: &[Value], order: &[Value], merge_key: &str) -> Result<(), String> {
    if patch.is_empty() || order.is_empty() {
        return Ok(());
    }
    let mut items = Vec::with_capacity(patch.len());
    for item in patch {
        let deletes = || item.get(PATCH).and_then(Value::as_str) == Some("delete");
        if merge_key.is_empty() {
            items.push(item);
        } else if item.as_map().is_none() {
            return Err(bad_type(Kind::Map, item));
        } else if !deletes() {
            items.push(item);
        }
    }
    let key = |item: &Value| -> Result<Value, String> {
        let map = item.as_map().ok_or_else(|| bad_type(Kind::Map, item))?;
        map.get(merge_key).cloned().ok_or_else(|| no_merge_key(item, merge_key))
    };
    let (mut at, mut place) = (0, 0);
    while at < items.len() && place < order.len() {
        if items[at].get(PATCH).is_some() {
            at += 1;
            continue;
        }
        let same = if merge_key.is_empty() {
            equal(items[at], &order[place])?
        } else {
            // Both are looked at for their types before either is for its key.
            for item in [items[at], &order[place]] {
                if item.as_map().is_none() {
                    return Err(bad_type(Kind::Map, item));
                }
            }
            equal(&key(items[at])?, &key(&order[place])?)?
        };
        if same {
            at += 1;
        }
        place += 1;
    }
    if at < items.len() {
        return Err(format!(
            "The order in patch list:\n{}\n doesn't match {SET_ORDER} list:\n{}\n",
            shown_list(patch),
            shown_list(order)
        ));
    }
    Ok(())
}
