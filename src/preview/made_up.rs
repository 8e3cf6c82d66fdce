//! Objects that are made from the type of a kind, where the workspace has none that a mutation matches.

use std::sync::Arc;

use convoy_kube::{GroupVersionKind, sample};

use super::Origin;
use crate::dialect::convoy::{Release, Target, target};
use crate::workspace::{DocumentRef, File, Workspace};

/// So many objects are made up at most: each is held against every mutation.
const LIMIT: usize = 1_000;

/// For each mutation that matches no object and names a kind whose type is known, the smallest object of it.
pub(super) fn objects(
    workspace: &Workspace,
    release: &Release,
    known: &[(DocumentRef, Origin)],
) -> Vec<DocumentRef> {
    let mut made: Vec<DocumentRef> = Vec::new();
    for mutation in &release.mutations {
        if made.len() >= LIMIT {
            break;
        }
        let matches = |reference: &DocumentRef| {
            target::matches(&mutation.target, &target::key_of(&reference.document().identity))
        };
        if known.iter().any(|(object, _)| matches(object)) || made.iter().any(matches) {
            continue;
        }
        made.extend(object(workspace, &mutation.target).filter(matches));
    }
    made
}

fn object(workspace: &Workspace, target: &Target) -> Option<DocumentRef> {
    let gvk = kind(workspace, target)?;
    let name = target.name().map_or("example", |name| &name.text);
    let namespace = target.namespace().map(|namespace| namespace.text.as_str());
    let value = sample::minimal(workspace.registry(), &gvk, name, namespace)?;
    // No file of the workspace can have this path, since it is the root's.
    let file = File::from_text(workspace.root().into(), convoy_yaml::emit(&value).into());
    let reference = DocumentRef { file: Arc::new(file), index: 0 };
    (reference.file.documents.len() == 1 && reference.value().is_some()).then_some(reference)
}

/// The kind that a target means: of several groups the first, of several versions the one that Kubernetes prefers.
fn kind(workspace: &Workspace, target: &Target) -> Option<GroupVersionKind> {
    let kind = &target.kind()?.text;
    let fits = |wanted: Option<&crate::dialect::Located>, text: &str| wanted.is_none_or(|w| w.text == text);
    let kinds = workspace.registry().kinds().filter(|gvk| {
        *gvk.kind == **kind && fits(target.group(), &gvk.group) && fits(target.version(), &gvk.version)
    });
    // A group of Kubernetes wins over one of a custom resource.
    let rank = |gvk: &&GroupVersionKind| {
        let builtin = workspace.registry().is_builtin(gvk);
        (std::cmp::Reverse(builtin), gvk.group.clone(), std::cmp::Reverse(maturity(&gvk.version)))
    };
    kinds.min_by_key(rank).cloned()
}

/// The order in which Kubernetes prefers versions: `v2`, `v1`, `v2beta1`, `v1beta2`, `v1alpha1`, and then all others.
fn maturity(version: &str) -> (u8, u32, u32) {
    let Some(rest) = version.strip_prefix('v') else { return (0, 0, 0) };
    let (major, stage, minor) = if let Some((major, minor)) = rest.split_once("beta") {
        (major, 2, minor)
    } else if let Some((major, minor)) = rest.split_once("alpha") {
        (major, 1, minor)
    } else {
        (rest, 3, "0")
    };
    match (major.parse(), minor.parse()) {
        (Ok(major), Ok(minor)) => (stage, major, minor),
        _ => (0, 0, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::maturity;

    #[test]
    fn versions_in_the_order_of_kubernetes() {
        // The order of the page on versions of CustomResourceDefinitions.
        let versions = ["v10", "v2", "v1", "v11beta2", "v10beta3", "v3beta1", "v12alpha1", "v11alpha2"];
        assert!(versions.windows(2).all(|pair| maturity(pair[0]) > maturity(pair[1])), "{versions:?}");
        assert!(maturity("v1alpha1") > maturity("foo1"));
    }
}
