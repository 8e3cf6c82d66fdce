//! The order of the items of a merged list: those of the patch in the order of the patch, the others in the order that
//! they had, and both as far as possible in the order that they had before.

use std::collections::HashSet;

use convoy_value::Value;

use super::PATCH;
use super::table::Table;
use super::text::{Kind, Scalar, bad_type, no_merge_key, unhashable, unhashable_in_nothing};

/// What the order of a list follows.
pub(super) struct Order<'a> {
    /// Which items belong to the patch, and their order.
    pub(super) patch: &'a [Value],
    /// The order of the others.
    pub(super) before: &'a [Value],
    /// Empty where the list has none.
    pub(super) merge_key: &'a str,
    /// Whether the items are objects.
    pub(super) maps: bool,
}

/// The positions of the items of the patch and of the others.
pub(super) struct Parts {
    of_patch: Vec<usize>,
    others: Vec<usize>,
    /// The items of the patch by their merge key.
    by_key: Option<Table>,
}

impl Order<'_> {
    /// The positions of the items of a merged list in the order that they get.
    pub(super) fn of(&self, merged: &[Value]) -> Result<Vec<usize>, String> {
        let parts = self.split(merged)?;
        self.joined(merged, parts)
    }

    /// Tells the items of the patch from the others. Whether the items are objects does not matter yet.
    pub(super) fn split(&self, merged: &[Value]) -> Result<Parts, String> {
        if self.merge_key.is_empty() { self.split_by_value(merged) } else { self.split_by_key(merged) }
    }

    /// Puts both parts in order and between each other.
    pub(super) fn joined(&self, merged: &[Value], parts: Parts) -> Result<Vec<usize>, String> {
        let Parts { of_patch, others, by_key } = parts;
        let table = |items: &[Value]| {
            if self.maps { Table::by_key(items, self.merge_key) } else { Table::by_value(items) }
        };
        let by_patch = by_key.filter(|_| self.maps).unwrap_or_else(|| table(self.patch));
        let of_patch = self.sorted(merged, of_patch, self.patch, &by_patch)?;
        let looked_up = others.len() > usize::from(of_patch.is_empty());
        let by_before = table(if looked_up { self.before } else { &[] });
        let others = self.sorted(merged, others, self.before, &by_before)?;
        self.interleaved(merged, &others, &of_patch, &by_before)
    }

    /// What an item is compared by.
    fn key<'v>(&self, item: &'v Value) -> &'v Value {
        if self.maps { item.get(self.merge_key).unwrap_or(&Value::Null) } else { item }
    }

    fn split_by_value(&self, merged: &[Value]) -> Result<Parts, String> {
        let hashed = |value: &Value| Scalar::of(value).ok_or_else(|| unhashable(Kind::of(value)));
        let patch: HashSet<Scalar> = self.patch.iter().map(hashed).collect::<Result<_, _>>()?;
        if patch.is_empty()
            && let Some(item) = merged.iter().find(|item| Scalar::of(item).is_none())
        {
            return Err(unhashable_in_nothing(Kind::of(item)));
        }
        let (mut of_patch, mut others) = (Vec::new(), Vec::new());
        for (i, item) in merged.iter().enumerate() {
            if patch.contains(&hashed(item)?) { of_patch.push(i) } else { others.push(i) }
        }
        Ok(Parts { of_patch, others, by_key: None })
    }

    fn split_by_key(&self, merged: &[Value]) -> Result<Parts, String> {
        let table = Table::by_key(self.patch, self.merge_key);
        let (mut of_patch, mut others) = (Vec::with_capacity(self.patch.len()), Vec::new());
        for (i, item) in merged.iter().enumerate() {
            let map = item.as_map().ok_or_else(|| bad_type(Kind::Map, item))?;
            let key = map.get(self.merge_key).ok_or_else(|| no_merge_key(item, self.merge_key))?;
            if table.find(key)?.is_some() { of_patch.push(i) } else { others.push(i) }
        }
        Ok(Parts { of_patch, others, by_key: Some(table) })
    }

    fn have_merge_keys<'v>(&self, items: impl Iterator<Item = &'v Value>) -> Result<(), String> {
        for item in items {
            let map = item.as_map().ok_or_else(|| bad_type(Kind::Map, item))?;
            if !map.contains_key(self.merge_key) {
                return Err(no_merge_key(item, self.merge_key));
            }
        }
        Ok(())
    }

    /// Sorts items by where they stand in another list. Objects with `$patch: delete` go to the end.
    fn sorted(
        &self,
        merged: &[Value],
        mut items: Vec<usize>,
        order: &[Value],
        table: &Table,
    ) -> Result<Vec<usize>, String> {
        let mut deleted = Vec::new();
        if self.maps {
            self.have_merge_keys(items.iter().map(|i| &merged[*i]))?;
            self.have_merge_keys(order.iter())?;
            items.retain(|i| {
                let delete = merged[*i].get(PATCH).and_then(Value::as_str) == Some("delete");
                if delete {
                    deleted.push(*i);
                }
                !delete
            });
        }
        if items.len() > 1 {
            let places: Vec<Result<Option<usize>, String>> =
                items.iter().map(|i| table.index(self.key(&merged[*i]))).collect();
            let known: Option<Vec<usize>> = places.iter().map(|place| place.clone().ok().flatten()).collect();
            let mut order: Vec<usize> = (0..items.len()).collect();
            match known {
                Some(known) => order.sort_by_key(|i| known[*i]),
                None => stable(&mut order, &mut |a, b| less(&places, a, b))?,
            }
            items = order.into_iter().map(|i| items[i]).collect();
        }
        items.append(&mut deleted);
        Ok(items)
    }

    /// Puts the other items between those of the patch: each before the first item of the patch that stood behind it.
    fn interleaved(
        &self,
        merged: &[Value],
        others: &[usize],
        of_patch: &[usize],
        before: &Table,
    ) -> Result<Vec<usize>, String> {
        let mut out = Vec::with_capacity(others.len() + of_patch.len());
        let (mut i, mut j) = (0, 0);
        while i < others.len() && j < of_patch.len() {
            let left = before.index(self.key(&merged[others[i]]))?;
            let right = before.index(self.key(&merged[of_patch[j]]))?;
            if matches!((left, right), (Some(left), Some(right)) if left < right) {
                out.push(others[i]);
                i += 1;
            } else {
                out.push(of_patch[j]);
                j += 1;
            }
        }
        out.extend_from_slice(&others[i..]);
        out.extend_from_slice(&of_patch[j..]);
        Ok(out)
    }
}

/// What the library tells the sort. It says of items that it does not find that they are less than any other, also
/// than themselves, so that the result depends on what the sort asks for.
fn less(places: &[Result<Option<usize>, String>], a: usize, b: usize) -> Result<bool, String> {
    let Some(a) = places[a].clone()? else { return Ok(true) };
    let Some(b) = places[b].clone()? else { return Ok(true) };
    Ok(a < b)
}

type Less<'a> = dyn FnMut(usize, usize) -> Result<bool, String> + 'a;

/// Go's stable sort, which asks in this order: insertion sort of blocks, which are then merged in place (Kim and
/// Kutzner, "Stable minimum storage merging by symmetric comparisons").
fn stable(items: &mut [usize], less: &mut Less<'_>) -> Result<(), String> {
    let len = items.len();
    let mut block = 20;
    let mut start = 0;
    while start < len {
        let end = (start + block).min(len);
        for i in start + 1..end {
            let mut j = i;
            while j > start && less(items[j], items[j - 1])? {
                items.swap(j, j - 1);
                j -= 1;
            }
        }
        start = end;
    }
    while block < len {
        let mut start = 0;
        while start + block < len {
            let end = (start + 2 * block).min(len);
            merge(items, start, start + block, end, less)?;
            start = end;
        }
        block *= 2;
    }
    Ok(())
}

/// Merges the sorted parts `from..m` and `m..to`. It recurses as deep as the logarithm of the length.
fn merge(items: &mut [usize], from: usize, m: usize, to: usize, less: &mut Less<'_>) -> Result<(), String> {
    if m - from == 1 {
        let (mut low, mut high) = (m, to);
        while low < high {
            let middle = usize::midpoint(low, high);
            if less(items[middle], items[from])? { low = middle + 1 } else { high = middle }
        }
        items[from..low].rotate_left(1);
        return Ok(());
    }
    if to - m == 1 {
        let (mut low, mut high) = (from, m);
        while low < high {
            let middle = usize::midpoint(low, high);
            if less(items[m], items[middle])? { high = middle } else { low = middle + 1 }
        }
        items[low..=m].rotate_right(1);
        return Ok(());
    }
    let middle = usize::midpoint(from, to);
    let n = middle + m;
    let (mut start, mut right) = if m > middle { (n - to, middle) } else { (from, m) };
    let last = n - 1;
    while start < right {
        let c = usize::midpoint(start, right);
        if less(items[last - c], items[c])? { right = c } else { start = c + 1 }
    }
    let end = n - start;
    if start < m && m < end {
        items[start..end].rotate_left(m - start);
    }
    if from < start && start < middle {
        merge(items, from, start, middle, less)?;
    }
    if middle < end && end < to {
        merge(items, middle, end, to, less)?;
    }
    Ok(())
}
