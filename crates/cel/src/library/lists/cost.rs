//! What calls of the extension `lists` cost (the trackers of ext/lists.go).

// Other libraries have calls without a cost of their own; these functions have the same type.
#![allow(clippy::unnecessary_wraps)]

use crate::library::arguments::actual_size;
use crate::value::Val;

/// What every call costs that makes a list: the call itself and the list.
const CALL: u64 = 1 + 10;

/// One for each element of the result.
pub(super) fn output_size(_args: &[Val], result: Option<&Val>) -> Option<u64> {
    Some(making_list(1.0, actual_size(result)))
}

/// One for each element of the list and each level that is flattened.
pub(super) fn flatten(args: &[Val], _result: Option<&Val>) -> Option<u64> {
    let depth = match args {
        [_, Val::Int(depth)] => *depth as f64,
        _ => 1.0,
    };
    Some(making_list(depth, actual_size(args.first())))
}

/// Two for each pair of elements.
pub(super) fn distinct(args: &[Val], _result: Option<&Val>) -> Option<u64> {
    Some(comparing_all(args.first()))
}

/// Two for each pair of elements.
pub(super) fn sort(args: &[Val], _result: Option<&Val>) -> Option<u64> {
    Some(comparing_all(args.first()))
}

/// Two for each pair of keys.
pub(super) fn sort_by(args: &[Val], _result: Option<&Val>) -> Option<u64> {
    Some(comparing_all(args.get(1)))
}

fn comparing_all(list: Option<&Val>) -> u64 {
    let size = actual_size(list);
    let first = match list {
        Some(Val::List(list)) => list.get(0),
        _ => None,
    };
    // Texts cost a tenth more, as if each had one character.
    let factor = if matches!(first, Some(Val::String(_) | Val::Bytes(_))) { 2.1 } else { 2.0 };
    making_list(factor, size.saturating_mul(size))
}

fn making_list(factor: f64, size: u64) -> u64 {
    let factor = if factor < 0.0 { 1.0 } else { factor };
    to_uint(size as f64 * factor).saturating_add(CALL)
}

/// `uint64(value)` as Go compiles it for amd64, where a number that is too large becomes 2^63.
fn to_uint(value: f64) -> u64 {
    if value < 18_446_744_073_709_551_616.0 { value as u64 } else { 1 << 63 }
}
