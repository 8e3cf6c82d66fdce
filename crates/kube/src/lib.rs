//! The types of Kubernetes objects.
//!
//! [`Registry`] answers which type an object has: those of the built-in kinds come from tables that are embedded
//! compressed and read on first use ([`table`]), those of custom resources from `CustomResourceDefinition`s
//! ([`crd`]). A [`Typed`] is a place in an object with its type: go from it to fields, items and values, along a JSON
//! Pointer ([`path`]), check a value ([`check`], [`conflict`]), or make a sample ([`sample`]).
//!
//! ```
//! use convoy_kube::{GroupVersionKind, Registry, Release};
//!
//! let registry = Registry::new(Release::NEWEST);
//! let deployment = registry.find(&GroupVersionKind::new("apps", "v1", "Deployment")).unwrap();
//! let containers = deployment.field("spec").unwrap().field("template").unwrap();
//! let containers = containers.field("spec").unwrap().field("containers").unwrap();
//! assert_eq!(containers.ty.patch_merge_key.as_deref(), Some("name"));
//! ```
//!
//! It must not know YAML, patches, LSP or the file system. Start reading at [`Types`].

pub mod check;
pub mod conflict;
pub mod crd;
pub mod path;
pub mod sample;
pub mod table;

mod gvk;
mod registry;
mod release;
mod types;

pub use gvk::GroupVersionKind;
pub use registry::Registry;
pub use release::{Release, UnknownRelease};
pub use types::{Field, ListKind, PatchStrategy, Shape, Struct, StructId, Type, Typed, Types};
