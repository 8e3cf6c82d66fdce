//! Lists whose items are merged.
//!
//! The library merges in place and goes on reading what it has just overwritten, so that the order of some results
//! depends on which memory a list shares with another. What it sees then is worked out here: see [`Seen`].

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use convoy_kube::check::Key;
use convoy_value::Value;

use super::merge::Merger;
use super::order::Order;
use super::schema::Schema;
use super::table::Table;
use super::text::{Kind, Scalar, bad_directive, equal, no_merge_key, uncomparable};
use super::{NoteKind, PATCH};
use crate::go_text::{shown, shown_list};

/// A list that was merged.
pub(super) struct MergedList {
    pub(super) items: Arc<Vec<Value>>,
    /// What the library sees afterwards where the list of the object was.
    pub(super) seen: Option<Vec<Value>>,
}

/// What of the list of the object is looked at once more after the merge.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Seen {
    Again,
    Never,
}

/// The type that all items of some lists have.
pub(super) fn item_kind(lists: [&[Value]; 2]) -> Result<Kind, String> {
    let mut kinds = lists.into_iter().flatten().map(Kind::of);
    let Some(first) = kinds.next() else {
        return Err("no elements in any of the given slices".to_owned());
    };
    match first {
        Kind::Nil => {
            Err("panic: runtime error: invalid memory address or nil pointer dereference".to_owned())
        }
        Kind::List => Err("lists of lists are not supported".to_owned()),
        _ if kinds.all(|kind| kind == first) => Ok(first),
        _ => {
            let [a, b] = lists.map(shown_list);
            Err(format!("list element types are not identical: [{a} {b}]"))
        }
    }
}

/// How many items fit in the memory of a list that was made by appending one item after the other.
pub(super) fn grown(len: usize) -> usize {
    const SMALL: [usize; 14] = [0, 1, 2, 4, 8, 16, 32, 71, 143, 303, 591, 1023, 1535, 2560];
    if let Some(capacity) = SMALL.into_iter().find(|capacity| *capacity >= len) {
        return capacity;
    }
    let mut capacity = SMALL[SMALL.len() - 1];
    while capacity < len {
        // A quarter more and 192, in whole pages of 512 items.
        capacity = (capacity + (capacity + 768) / 4).next_multiple_of(512);
    }
    capacity
}

/// What the items with directives of a list in the patch say.
struct Directives<'p> {
    /// The other items, with their positions.
    items: Vec<(usize, &'p Value)>,
    replace: bool,
    /// The positions of the items of the object that stay, if any went.
    kept: Option<Vec<usize>>,
    /// What the library leaves behind the items that stay, from the end.
    tail: Vec<usize>,
}

impl Merger {
    /// Merges a list of the patch into one of the object. `delete` is for `$deleteFromPrimitiveList`.
    pub(super) fn merge_lists(
        &mut self,
        original: &Arc<Vec<Value>>,
        patch: &Arc<Vec<Value>>,
        schema: Schema<'_>,
        merge_key: &str,
        delete: bool,
        seen: Seen,
    ) -> Result<MergedList, String> {
        if original.is_empty() && patch.is_empty() {
            return Ok(MergedList { items: original.clone(), seen: None });
        }
        let kind = item_kind([original, patch])?;
        if kind == Kind::Map {
            if merge_key.is_empty() {
                return Err(format!("cannot merge lists without merge key for {}", schema.kind()));
            }
            return self.merge_objects(original, patch, schema, merge_key, seen);
        }
        if delete {
            return Ok(MergedList { items: self.delete_scalars(original, patch), seen: None });
        }
        let (mut merged, before) = self.union(original, patch);
        let order = Order { patch, before: before.as_deref().unwrap_or(original), merge_key, maps: false }
            .of(&merged)?;
        if before.is_none() {
            self.note_order(&order, original.len());
        }
        let items = self.arranged(&mut merged, &order);
        Ok(MergedList { items, seen: before })
    }

    /// Deletes scalars from a list.
    fn delete_scalars(&mut self, original: &Arc<Vec<Value>>, patch: &[Value]) -> Arc<Vec<Value>> {
        let gone: HashSet<Scalar> = patch.iter().filter_map(Scalar::of).collect();
        let mut found = HashSet::new();
        let kept: Vec<Value> = original
            .iter()
            .filter(|item| match Scalar::of(item) {
                Some(scalar) if gone.contains(&scalar) => {
                    found.insert(scalar);
                    false
                }
                _ => true,
            })
            .cloned()
            .collect();
        for (i, item) in patch.iter().enumerate() {
            if Scalar::of(item).is_some_and(|scalar| !found.contains(&scalar)) {
                self.note_at(Some(Key::Index(i)), NoteKind::NothingDeleted);
            }
        }
        let items = Arc::new(kept);
        self.remember(&items, original.len());
        items
    }

    /// All scalars of two lists, each once; and what is then in the place of the first list, where that changed.
    ///
    /// The library appends the second list to the first, perhaps in its memory, and fills the place of an item that
    /// was there before with the last one.
    fn union(&self, original: &Arc<Vec<Value>>, patch: &[Value]) -> (Vec<Value>, Option<Vec<Value>>) {
        let mut both: Vec<Value> = original.iter().chain(patch).cloned().collect();
        let mut places: HashMap<Scalar, BTreeSet<usize>> = HashMap::with_capacity(both.len());
        for (i, item) in both.iter().enumerate() {
            places.entry(Scalar::of(item).unwrap_or(Scalar::Nil)).or_default().insert(i);
        }
        if places.len() == both.len() {
            return (both, None);
        }
        let mut len = both.len();
        let mut i = 0;
        while i + 1 < len {
            let scalar = Scalar::of(&both[i]).unwrap_or(Scalar::Nil);
            while let Some(again) = places.get(&scalar).and_then(|all| all.range(i + 1..).next().copied()) {
                let last = len - 1;
                let moved = both[last].clone();
                if let Some(all) = places.get_mut(&scalar) {
                    all.remove(&again);
                }
                if again != last {
                    let all = places.entry(Scalar::of(&moved).unwrap_or(Scalar::Nil)).or_default();
                    all.remove(&last);
                    all.insert(again);
                    both[again] = moved;
                }
                len = last;
            }
            i += 1;
        }
        let shared = self.capacity(original) >= original.len() + patch.len();
        let before =
            (shared && both[..original.len()] != original[..]).then(|| both[..original.len()].to_vec());
        both.truncate(len);
        (both, before)
    }

    /// Merges objects by their merge key.
    fn merge_objects(
        &mut self,
        original: &Arc<Vec<Value>>,
        patch: &[Value],
        schema: Schema<'_>,
        merge_key: &str,
        seen: Seen,
    ) -> Result<MergedList, String> {
        let said = self.directives(original, patch, merge_key)?;
        let mut merged: Vec<Value> = match &said.kept {
            Some(kept) => kept.iter().map(|i| original[*i].clone()).collect(),
            None => original.to_vec(),
        };
        let kept = merged.len();
        if said.replace {
            let mut items: Vec<Value> = said.items.iter().map(|(_, item)| (*item).clone()).collect();
            let order = Order { patch: &[], before: &items, merge_key, maps: true }.of(&items)?;
            let lost = original.len().saturating_sub(items.len());
            self.note_at(None, NoteKind::ReplaceDirective { lost });
            let seen = (seen == Seen::Again && said.kept.is_some())
                .then(|| said.overwritten(original, &merged, &[], kept));
            return Ok(MergedList { items: self.arranged(&mut items, &order), seen });
        }
        let order_of_patch = self.merge_items(&mut merged, &said.items, schema, merge_key)?;
        let order =
            Order { patch: &order_of_patch, before: &merged[..kept], merge_key, maps: true }.of(&merged)?;
        self.note_order(&order, kept);
        let seen = (seen == Seen::Again)
            .then(|| said.overwritten(original, &merged[..kept], &merged[kept..], self.capacity(original)));
        Ok(MergedList { items: self.arranged(&mut merged, &order), seen })
    }

    /// Reads the items with directives of a list in the patch.
    fn directives<'p>(
        &mut self,
        original: &[Value],
        patch: &'p [Value],
        merge_key: &str,
    ) -> Result<Directives<'p>, String> {
        let mut out = Directives {
            items: Vec::with_capacity(patch.len()),
            replace: false,
            kept: None,
            tail: Vec::new(),
        };
        let mut deletions: Option<Deletions> = None;
        for (i, item) in patch.iter().enumerate() {
            let Some(map) = item.as_map() else { continue };
            let Some(directive) = map.get(PATCH) else {
                out.items.push((i, item));
                continue;
            };
            self.path.push(Key::Index(i));
            match directive.as_str() {
                Some("delete") => {
                    let key = map.get(merge_key).ok_or_else(|| no_merge_key(item, merge_key))?;
                    let deletions = deletions.get_or_insert_with(|| Deletions::new(original, merge_key));
                    if !deletions.delete(key)? {
                        self.note_at(None, NoteKind::NothingDeleted);
                    }
                }
                Some("replace") => out.replace = true,
                Some("merge") => return Err("merging lists cannot yet be specified in the patch".to_owned()),
                _ => return Err(bad_directive(directive, map)),
            }
            self.path.pop();
        }
        if let Some(deletions) = deletions
            && !deletions.tail.is_empty()
        {
            out.kept = Some((0..original.len()).filter(|i| deletions.there[*i]).collect());
            out.tail = deletions.tail;
        }
        Ok(out)
    }

    /// Merges the items without directives, and gives the list by which they are put in order.
    fn merge_items(
        &mut self,
        merged: &mut Vec<Value>,
        patch: &[(usize, &Value)],
        schema: Schema<'_>,
        merge_key: &str,
    ) -> Result<Vec<Value>, String> {
        let mut table = Table::by_key(merged, merge_key);
        let before = merged.len();
        let mut touched = HashSet::new();
        // Where an item was appended: what is merged into it later is in the list of the patch too.
        let mut appended = Vec::new();
        for (nth, (i, item)) in patch.iter().enumerate() {
            let Some(map) = item.as_map() else { continue };
            self.path.push(Key::Index(*i));
            let key = map.get(merge_key).ok_or_else(|| no_merge_key(item, merge_key))?;
            let Some(at) = table.find(key)? else {
                table.insert(key, merged.len());
                appended.push((nth, merged.len()));
                merged.push((*item).clone());
                self.path.pop();
                continue;
            };
            if at >= before || !touched.insert(at) {
                let kind = NoteKind::DuplicateMergeKey { key: merge_key.to_owned(), value: shown(key) };
                self.note_at(None, kind);
            }
            self.merge_maps(&mut merged[at], map, schema)?;
            // A null may have removed the key, and a list of deletions that names a text replaces it.
            let now = merged[at].get(merge_key);
            if now.is_none_or(|now| equal(now, key) != Ok(true)) {
                table.remove(key, at);
                if let Some(now) = now {
                    table.insert(now, at);
                }
            }
            self.path.pop();
        }
        let mut order: Vec<Value> = patch.iter().map(|(_, item)| (*item).clone()).collect();
        for (nth, at) in appended {
            order[nth] = merged[at].clone();
        }
        Ok(order)
    }

    /// The items in their order.
    pub(super) fn arranged(&mut self, items: &mut [Value], order: &[usize]) -> Arc<Vec<Value>> {
        let items: Vec<Value> = order.iter().map(|i| std::mem::take(&mut items[*i])).collect();
        let items = Arc::new(items);
        self.remember(&items, items.len());
        items
    }

    /// Notes new items that come before some that were there, which are the first `before` of the merged list.
    fn note_order(&mut self, order: &[usize], before: usize) {
        let Some(last) = order.iter().rposition(|i| *i < before) else { return };
        let count = order[..last].iter().filter(|i| **i >= before).count();
        if count > 0 {
            self.note_at(None, NoteKind::ItemsAddedFirst { count, before });
        }
    }
}

impl Directives<'_> {
    /// What the library sees in the place of the list of the object after it has deleted and appended items: behind the
    /// items that stayed there are the last ones once more, until new ones overwrite them.
    fn overwritten(&self, original: &[Value], kept: &[Value], new: &[Value], capacity: usize) -> Vec<Value> {
        let mut out = kept.to_vec();
        let places = self.kept.as_deref().unwrap_or(&[]);
        out.extend(self.tail.iter().rev().map(|i| match places.binary_search(i) {
            Ok(at) => kept[at].clone(),
            Err(_) => original[*i].clone(),
        }));
        for (i, item) in new.iter().enumerate() {
            let at = kept.len() + i;
            if at >= capacity || at >= out.len() {
                break;
            }
            out[at] = item.clone();
        }
        out
    }
}

/// The deletion of items by their merge key.
struct Deletions {
    places: HashMap<Scalar, Vec<usize>>,
    maps: bool,
    lists: bool,
    there: Vec<bool>,
    /// The length of what is there, and the last item that is.
    end: usize,
    tail: Vec<usize>,
}

impl Deletions {
    fn new(original: &[Value], merge_key: &str) -> Deletions {
        let mut out = Deletions {
            places: HashMap::new(),
            maps: false,
            lists: false,
            there: vec![true; original.len()],
            end: original.len(),
            tail: Vec::new(),
        };
        for (i, item) in original.iter().enumerate() {
            let Some(key) = item.get(merge_key) else { continue };
            match Scalar::of(key) {
                Some(scalar) => out.places.entry(scalar).or_default().push(i),
                None if Kind::of(key) == Kind::Map => out.maps = true,
                None => out.lists = true,
            }
        }
        out
    }

    /// Deletes all items with a key; false if there are none.
    fn delete(&mut self, key: &Value) -> Result<bool, String> {
        let kind = Kind::of(key);
        let Some(scalar) = Scalar::of(key) else {
            let crashes = if kind == Kind::Map { self.maps } else { self.lists };
            return if crashes { Err(uncomparable(kind)) } else { Ok(false) };
        };
        let Some(places) = self.places.remove(&scalar) else { return Ok(false) };
        for place in places {
            while self.end > 0 && !self.there[self.end - 1] {
                self.end -= 1;
            }
            // The items behind move up by one, and the last place keeps what it has.
            self.tail.push(self.end.saturating_sub(1));
            self.there[place] = false;
        }
        Ok(true)
    }
}
