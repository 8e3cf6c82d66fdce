//! What calls of the extension `strings` cost (the trackers of ext/strings.go).

// Other libraries have calls without a cost of their own; these functions have the same type.
#![allow(clippy::unnecessary_wraps)]

use crate::library::arguments::actual_size;
use crate::value::Val;

/// What every call costs.
const CALL: u64 = 1;
/// What a new list costs.
const LIST: u64 = 10;

/// A tenth of the number, rounded up.
fn tenth(size: u64) -> u64 {
    (size as f64 * 0.1).ceil() as u64
}

fn sum(terms: [u64; 3]) -> u64 {
    terms.into_iter().fold(0, u64::saturating_add)
}

/// Going through the string, and one character.
pub(super) fn char_at(args: &[Val], _result: Option<&Val>) -> Option<u64> {
    Some(sum([CALL, tenth(actual_size(args.first())), 1]))
}

/// Going through the string, and the result.
pub(super) fn transform(args: &[Val], result: Option<&Val>) -> Option<u64> {
    Some(sum([CALL, tenth(actual_size(args.first())), actual_size(result)]))
}

/// Going through the text at every place of the string.
pub(super) fn search(args: &[Val], _result: Option<&Val>) -> Option<u64> {
    let places = actual_size(args.first()).wrapping_mul(actual_size(args.get(1)));
    Some(tenth(places).saturating_add(CALL))
}

/// As [`search`], and the result.
pub(super) fn replace(args: &[Val], result: Option<&Val>) -> Option<u64> {
    let places = actual_size(args.first()).max(1).wrapping_mul(actual_size(args.get(1)).max(1));
    Some(sum([CALL, tenth(places), actual_size(result)]))
}

/// Going through the string, and a list of the parts.
pub(super) fn split(args: &[Val], result: Option<&Val>) -> Option<u64> {
    let through = tenth(actual_size(args.first()).saturating_add(1));
    Some(sum([CALL, through, actual_size(result)]).saturating_add(LIST))
}

/// Going through the list, and the result.
pub(super) fn join(args: &[Val], result: Option<&Val>) -> Option<u64> {
    let through = tenth(actual_size(args.first()).saturating_add(1));
    Some(sum([CALL, through, actual_size(result)]))
}
