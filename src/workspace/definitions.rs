use std::sync::Arc;

use convoy_kube::{Shape, Typed, Types, crd};
use convoy_value::Value;

use crate::dialect::convoy;

/// What the `CustomResourceDefinition` of Releases says, where the workspace has it: it decides over what the
/// documentation leaves open.
#[derive(Clone, Debug)]
pub struct ReleaseDefinition {
    versions: Vec<crd::Version>,
}

impl ReleaseDefinition {
    /// Takes the versions of a definition; none if they are of another kind, or none has a schema of mutations.
    pub fn of(versions: &[crd::Version]) -> Option<ReleaseDefinition> {
        let is_release = |version: &&crd::Version| {
            *version.gvk.group == *convoy::GROUP
                && &*version.gvk.kind == "Release"
                && mutation_type(version).is_some()
        };
        let versions: Vec<crd::Version> = versions.iter().filter(is_release).cloned().collect();
        (!versions.is_empty()).then_some(ReleaseDefinition { versions })
    }

    /// The type of a mutation in a version of Releases; in the first one if there is no such version.
    pub fn mutation(&self, version: &str) -> Option<Typed<'_>> {
        let named = self.versions.iter().find(|known| *known.gvk.version == *version);
        mutation_type(named.or(self.versions.first())?)
    }
}

fn mutation_type(version: &crd::Version) -> Option<Typed<'_>> {
    let types: &Arc<Types> = &version.types;
    let mutation = types.root(&version.gvk)?.field("mutations")?.item()?;
    let has_fields = mutation.structure().is_some_and(|structure| !structure.fields.is_empty());
    (has_fields && !mutation.is_open()).then_some(mutation)
}

/// The texts that a definition allows for the field at a path of a mutation; empty if any. `*` is any item.
pub fn allowed<'a>(mutation: Option<Typed<'a>>, path: &[&str]) -> Vec<&'a str> {
    let Some(mutation) = mutation else { return Vec::new() };
    let field = path.iter().try_fold(mutation, |here, key| match here.ty.shape {
        Shape::List(_) => here.item(),
        _ => here.field(key),
    });
    field.map_or_else(Vec::new, |field| field.ty.enumeration.iter().filter_map(Value::as_str).collect())
}
