//! The dialects: which documents are theirs, and what they mean.
//!
//! A dialect knows YAML trees and the languages that are embedded in them. It must not know the workspace, rules or
//! editors. Start reading at [`identify`].

pub mod convoy;

use convoy_text::Span;
use convoy_yaml::{NodeId, Tree};

/// A text of a document with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located {
    /// The decoded text.
    pub text: String,
    /// The scalar, with quotes.
    pub span: Span,
}

/// What every Kubernetes object says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// `apiVersion`.
    pub api_version: Option<Located>,
    /// `kind`.
    pub kind: Option<Located>,
    /// `metadata.name`.
    pub name: Option<Located>,
    /// `metadata.namespace`.
    pub namespace: Option<Located>,
}

impl Identity {
    /// Reads a document's root.
    pub fn of(tree: &Tree, root: NodeId) -> Identity {
        let located = |node: Option<NodeId>| {
            let node = node?;
            // Null is no name, and a number is one only after quoting.
            let text = tree.scalar(node).filter(|text| !text.is_empty() && !tree.is_null(node))?;
            Some(Located { text: text.to_owned(), span: tree.span(node) })
        };
        let metadata = tree.get(root, "metadata");
        let in_metadata = |key: &str| metadata.and_then(|metadata| tree.get(metadata, key));
        Identity {
            api_version: located(tree.get(root, "apiVersion")),
            kind: located(tree.get(root, "kind")),
            name: located(in_metadata("name")),
            namespace: located(in_metadata("namespace")),
        }
    }

    /// The group of `apiVersion`; empty for the core group.
    pub fn group(&self) -> &str {
        self.api_version.as_ref().and_then(|v| v.text.split_once('/')).map_or("", |(group, _)| group)
    }

    /// The version of `apiVersion`.
    pub fn version(&self) -> &str {
        self.api_version
            .as_ref()
            .map_or("", |v| v.text.rsplit_once('/').map_or(&v.text, |(_, version)| version))
    }

    /// `kind`, or nothing.
    pub fn kind_text(&self) -> &str {
        self.kind.as_ref().map_or("", |kind| &kind.text)
    }

    /// `metadata.name`, or nothing.
    pub fn name_text(&self) -> &str {
        self.name.as_ref().map_or("", |name| &name.text)
    }

    /// `metadata.namespace`, or nothing.
    pub fn namespace_text(&self) -> &str {
        self.namespace.as_ref().map_or("", |namespace| &namespace.text)
    }

    /// Whether this is a Kubernetes object at all.
    pub fn is_object(&self) -> bool {
        self.api_version.is_some() && self.kind.is_some()
    }
}

/// Whose document it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DocumentKind {
    /// A convoy `Release`.
    Release,
    /// The list of a Release's `/mutations` subresource, where the user says that it is one.
    MutationList,
    /// A convoy `Cluster`.
    Cluster,
    /// Any other object of a dialect's group, which is no sample.
    DialectObject,
    /// A `CustomResourceDefinition`.
    Definition,
    /// Any other Kubernetes object: a possible sample.
    Object,
    /// Not an object: a Helm values file, a template, anything.
    Other,
}

/// Groups whose documents belong to a dialect.
const DIALECT_GROUPS: [&str; 2] = [convoy::GROUP, "orkestra.orkspace.io"];
/// Kinds of Kubernetes itself that belong to a dialect.
const POLICY_KINDS: [&str; 2] = ["MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding"];

/// Says whose a document is.
pub fn identify(identity: &Identity) -> DocumentKind {
    let (group, kind) = (identity.group(), identity.kind_text());
    if group == convoy::GROUP {
        return match kind {
            "Release" => DocumentKind::Release,
            "Cluster" => DocumentKind::Cluster,
            _ => DocumentKind::DialectObject,
        };
    }
    if !identity.is_object() {
        return DocumentKind::Other;
    }
    if DIALECT_GROUPS.contains(&group) || POLICY_KINDS.contains(&kind) || matches!(kind, "Katalog" | "Motif")
    {
        return DocumentKind::DialectObject;
    }
    if kind == "CustomResourceDefinition" && group == "apiextensions.k8s.io" {
        return DocumentKind::Definition;
    }
    DocumentKind::Object
}
