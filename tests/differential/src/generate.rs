//! Inputs by grammar: mostly what users write, with the things in it that break parsers.

pub(crate) mod apply;
pub(crate) mod cel;
pub(crate) mod format;
pub(crate) mod objects;
pub(crate) mod patch;
pub(crate) mod strategic;
pub(crate) mod template;
pub(crate) mod yaml;

use fastrand::Rng;

use crate::draw::pick;

/// Tokens in a row without any grammar, which finds what the writer of a grammar did not think of.
pub(crate) fn soup(rng: &mut Rng, dictionary: &[&str], most: usize) -> String {
    let count = 1 + rng.usize(..most);
    (0..count).map(|_| pick(rng, dictionary)).collect()
}
