use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use crate::{GroupVersionKind, Release, Typed, Types, table};

/// The types of all kinds that are known: the built-in ones of a release, and custom resources.
#[derive(Clone, Debug)]
pub struct Registry {
    release: Release,
    /// None where definitions differ.
    custom: BTreeMap<GroupVersionKind, Option<Arc<Types>>>,
}

impl Registry {
    /// The built-in kinds of a release. Their table is read when it is first asked.
    pub fn new(release: Release) -> Registry {
        Registry { release, custom: BTreeMap::new() }
    }

    /// The release of the built-in kinds.
    pub fn release(&self) -> Release {
        self.release
    }

    /// Adds the type of a custom resource; it never takes the place of a built-in kind. Of a kind that another
    /// definition has with another type, such as one of an older release, the type is not known.
    pub fn add(&mut self, gvk: GroupVersionKind, types: Arc<Types>) {
        match self.custom.entry(gvk) {
            Entry::Vacant(entry) => {
                entry.insert(Some(types));
            }
            Entry::Occupied(mut entry) => {
                if entry.get().as_ref().is_none_or(|known| !Arc::ptr_eq(known, &types) && *known != types) {
                    entry.insert(None);
                }
            }
        }
    }

    /// The type of a kind; none if it is not known.
    pub fn find(&self, gvk: &GroupVersionKind) -> Option<Typed<'_>> {
        self.builtin().root(gvk).or_else(|| self.custom.get(gvk)?.as_ref()?.root(gvk))
    }

    /// Whether a kind is built in: only those have a strategic merge.
    pub fn is_builtin(&self, gvk: &GroupVersionKind) -> bool {
        self.builtin().root(gvk).is_some()
    }

    /// The built-in kinds.
    pub fn builtin(&self) -> &'static Types {
        table::types(self.release)
    }

    /// All kinds that are known, the built-in ones first.
    pub fn kinds(&self) -> impl Iterator<Item = &GroupVersionKind> {
        self.builtin().kinds().chain(self.custom.keys())
    }
}
