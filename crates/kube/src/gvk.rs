use std::fmt::{Display, Formatter, Result as FmtResult};
use std::sync::Arc;

use convoy_value::Value;

/// What a kind is called: its group (empty for the core kinds), its version and its name.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GroupVersionKind {
    /// `apps`; empty for the core kinds.
    pub group: Arc<str>,
    /// `v1`.
    pub version: Arc<str>,
    /// `Deployment`.
    pub kind: Arc<str>,
}

impl GroupVersionKind {
    /// A kind of a group and a version.
    pub fn new(group: &str, version: &str, kind: &str) -> GroupVersionKind {
        GroupVersionKind { group: group.into(), version: version.into(), kind: kind.into() }
    }

    /// The kind that `apiVersion` and `kind` name: `apps/v1` is a group and a version, `v1` a version of the core
    /// group.
    pub fn of_texts(api_version: &str, kind: &str) -> GroupVersionKind {
        let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
        GroupVersionKind::new(group, version, kind)
    }

    /// The kind of an object; none if `apiVersion` or `kind` is missing or no text.
    pub fn of_object(object: &Value) -> Option<GroupVersionKind> {
        Some(GroupVersionKind::of_texts(object.get("apiVersion")?.as_str()?, object.get("kind")?.as_str()?))
    }

    /// `apps/v1`, or `v1` for the core group.
    pub fn api_version(&self) -> String {
        if self.group.is_empty() {
            self.version.to_string()
        } else {
            format!("{}/{}", self.group, self.version)
        }
    }
}

/// As Kubernetes prints it: `apps/v1, Kind=Deployment`, `/v1, Kind=Pod`.
impl Display for GroupVersionKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> FmtResult {
        write!(f, "{}/{}, Kind={}", self.group, self.version, self.kind)
    }
}
