use std::fmt::{Display, Formatter, Result as FmtResult};
use std::str::FromStr;

/// A minor release of Kubernetes, 1.25 and later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Release(u8);

impl Release {
    /// The oldest that the tables have.
    pub const OLDEST: Release = Release(25);
    /// The newest that the tables have.
    pub const NEWEST: Release = Release(37);

    /// All of them, the oldest first.
    pub fn all() -> impl DoubleEndedIterator<Item = Release> {
        (Release::OLDEST.0..=Release::NEWEST.0).map(Release)
    }

    /// The release of a minor number: 33 is 1.33. None if the tables do not have it.
    pub fn of_minor(minor: u8) -> Option<Release> {
        (Release::OLDEST.0..=Release::NEWEST.0).contains(&minor).then_some(Release(minor))
    }

    /// The minor number.
    pub const fn minor(self) -> u8 {
        self.0
    }
}

impl Display for Release {
    fn fmt(&self, f: &mut Formatter<'_>) -> FmtResult {
        write!(f, "1.{}", self.0)
    }
}

/// The text of a release that the tables do not have, or that is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownRelease(pub String);

impl Display for UnknownRelease {
    fn fmt(&self, f: &mut Formatter<'_>) -> FmtResult {
        let (oldest, newest) = (Release::OLDEST, Release::NEWEST);
        write!(f, "{:?} is no known release of Kubernetes: {oldest} to {newest} are", self.0)
    }
}

impl std::error::Error for UnknownRelease {}

/// `1.33`, and as people write it also `v1.33` and `1.33.4`.
impl FromStr for Release {
    type Err = UnknownRelease;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let unknown = || UnknownRelease(text.to_owned());
        let mut parts = text.strip_prefix('v').unwrap_or(text).split('.');
        let (major, minor) = (parts.next(), parts.next());
        if major != Some("1") || parts.nth(1).is_some() {
            return Err(unknown());
        }
        minor.and_then(|minor| minor.parse().ok()).and_then(Release::of_minor).ok_or_else(unknown)
    }
}
