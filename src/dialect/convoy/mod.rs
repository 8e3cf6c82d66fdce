//! The convoy dialect: a `Release` whose `mutations` patch the objects that its content renders to.
//!
//! [`Release::read`] models a document with spans; [`target`] says which objects a mutation matches. Facts: the
//! convoy documentation on mutations; what it leaves open is a setting (see `docs/dialects/convoy.md`).

pub mod cel;
mod model;
pub mod target;

pub use model::{
    Content, Field, FieldFault, From, Mutation, MutationType, PatchOperation, Release, Source, Target, Wave,
};

/// The API group of convoy's kinds.
pub const GROUP: &str = "convoy.kumodo.io";

/// The fields of a mutation.
pub const MUTATION_FIELDS: [&str; 6] = ["type", "target", "inline", "from", "patches", "waveStrategy"];
/// The fields of a target.
pub const TARGET_FIELDS: [&str; 5] = ["group", "version", "kind", "name", "namespace"];
/// The fields of `from`.
pub const FROM_FIELDS: [&str; 4] = ["kind", "name", "namespace", "path"];
/// The fields of an operation of a JSON patch (RFC 6902).
pub const OPERATION_FIELDS: [&str; 4] = ["op", "path", "from", "value"];
/// The fields of `waveStrategy` (assumed: the documentation leaves its table out).
pub const WAVE_FIELDS: [&str; 2] = ["strategy", "wave"];
/// The keys of `self` in templates and CEL.
pub const SELF_FIELDS: [&str; 4] = ["name", "namespace", "labels", "annotations"];
