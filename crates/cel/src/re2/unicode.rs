//! The Unicode data of Go: general categories, scripts and simple case folding.
//!
//! The data stands in a file of its own, so that a pattern means the same whatever version of Unicode a dependency has.
//! A line of the file is a name and its ranges in hexadecimal (`lo`, `lo-hi` or `lo-hi/stride`), a name and the
//! category it is another name of (`=Lu`), or `fold` and the sets of characters that fold to each other.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::class::{MAX_RUNE, Range, append_range, clean, folded, negate};

/// The file.
const DATA: &str = include_str!("unicode.txt");

/// Every character that folds to another one, in order, and the set it is in.
static FOLDS: LazyLock<Folds> = LazyLock::new(Folds::read);

struct Folds {
    /// Sets of characters that fold to each other.
    orbits: Vec<Vec<u32>>,
    /// The set of a character.
    orbit_of: HashMap<u32, usize>,
    /// The characters, in order.
    members: Vec<u32>,
}

impl Folds {
    fn read() -> Folds {
        let mut folds = Folds { orbits: Vec::new(), orbit_of: HashMap::new(), members: Vec::new() };
        for orbit in line("fold").unwrap_or_default().split_ascii_whitespace() {
            let orbit: Vec<u32> = orbit.split(',').filter_map(hexadecimal).collect();
            for &rune in &orbit {
                folds.orbit_of.insert(rune, folds.orbits.len());
                folds.members.push(rune);
            }
            folds.orbits.push(orbit);
        }
        folds.members.sort_unstable();
        folds
    }
}

/// The characters that a character folds to, itself among them; empty if it folds to itself only.
pub(super) fn orbit(rune: u32) -> &'static [u32] {
    let folds = &*FOLDS;
    folds.orbit_of.get(&rune).and_then(|&index| folds.orbits.get(index)).map_or(&[], Vec::as_slice)
}

/// The least character that a character folds to.
pub(super) fn least_fold(rune: u32) -> u32 {
    if rune < 0x41 {
        return rune;
    }
    orbit(rune).iter().copied().min().unwrap_or(rune)
}

/// The characters from `low` to `high` that fold to others.
pub(super) fn foldable(low: u32, high: u32) -> &'static [u32] {
    let members = &FOLDS.members;
    let start = members.partition_point(|&rune| rune < low);
    let end = members.partition_point(|&rune| rune <= high);
    members.get(start..end).unwrap_or(&[])
}

/// The ranges of a category or script, in order, with `fold` also those of all that its characters fold to; none if
/// there is none of the name.
pub(super) fn table(name: &str, fold: bool) -> Option<Vec<Range>> {
    let (ranges, cased) = named(&canonical(name))?;
    // Go has no characters for `LC` that its own fold to, though there is one.
    Some(if fold && !cased { folded(&ranges) } else { ranges })
}

/// The ranges of a category or script, and whether it is `LC`.
fn named(name: &str) -> Option<(Vec<Range>, bool)> {
    let plain = |ranges| Some((ranges, false));
    match name {
        "Any" => return plain(vec![(0, MAX_RUNE)]),
        "Assigned" => return category("Cn").map(|unassigned| (negate(&unassigned), false)),
        "Ascii" => return plain(vec![(0, 0x7F)]),
        "Lc" => return category("LC").map(|ranges| (ranges, true)),
        _ => {}
    }
    // Names of one letter are the categories that hold others.
    if name.len() == 1 {
        return category(name).and_then(plain);
    }
    let line = line(name)?;
    match line.trim().strip_prefix('=') {
        Some(short) => category(short).map(|ranges| (ranges, short == "LC")),
        None => plain(ranges(line)),
    }
}

/// The ranges of a category, by its short name.
fn category(name: &str) -> Option<Vec<Range>> {
    let parts: &[&str] = match name {
        "C" => &["Cc", "Cf", "Cn", "Co", "Cs"],
        "L" => &["Ll", "Lm", "Lo", "Lt", "Lu"],
        "LC" => &["Ll", "Lt", "Lu"],
        "M" => &["Mc", "Me", "Mn"],
        "N" => &["Nd", "Nl", "No"],
        "P" => &["Pc", "Pd", "Pe", "Pf", "Pi", "Po", "Ps"],
        "S" => &["Sc", "Sk", "Sm", "So"],
        "Z" => &["Zl", "Zp", "Zs"],
        _ => return line(name).map(ranges),
    };
    let mut all: Vec<Range> = parts.iter().filter_map(|part| line(part)).flat_map(ranges).collect();
    clean(&mut all);
    Some(all)
}

/// What stands behind a name in the file.
fn line(name: &str) -> Option<&'static str> {
    DATA.lines().skip(1).find_map(|line| line.strip_prefix(name)?.strip_prefix(' '))
}

/// The ranges that stand in a line.
fn ranges(line: &str) -> Vec<Range> {
    let mut ranges = Vec::new();
    for item in line.split_ascii_whitespace() {
        let (span, stride) = item.split_once('/').unwrap_or((item, "1"));
        let (low, high) = span.split_once('-').unwrap_or((span, span));
        let (Some(low), Some(high), Some(stride)) =
            (hexadecimal(low), hexadecimal(high), hexadecimal(stride))
        else {
            continue;
        };
        if stride <= 1 {
            append_range(&mut ranges, low, high);
        } else {
            for rune in (low..=high).step_by(stride as usize) {
                append_range(&mut ranges, rune, rune);
            }
        }
    }
    ranges
}

fn hexadecimal(text: &str) -> Option<u32> {
    u32::from_str_radix(text, 16).ok()
}

/// The name as it is looked up: without `_`, `-` and spaces, the first letter large, all others small.
fn canonical(name: &str) -> String {
    let mut canonical = String::with_capacity(name.len());
    for letter in name.chars().filter(|letter| !matches!(letter, '_' | '-' | ' ')) {
        canonical.push(if canonical.is_empty() {
            letter.to_ascii_uppercase()
        } else {
            letter.to_ascii_lowercase()
        });
    }
    canonical
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folds() {
        assert_eq!(orbit('k' as u32), [0x4B, 0x6B, 0x212A]);
        assert_eq!(orbit('1' as u32), [0u32; 0]);
        assert_eq!(least_fold('\u{17F}' as u32), 'S' as u32);
        assert_eq!(foldable(0x30, 0x42), [0x41, 0x42]);
    }

    #[test]
    fn names() {
        assert_eq!(table("Nd", false).and_then(|ranges| ranges.first().copied()), Some((0x30, 0x39)));
        assert_eq!(table("lowercase letters", false), None);
        assert_eq!(table("lower_case-letter", false), table("Ll", false));
        assert_eq!(table("oldItalic", false), Some(vec![(0x10300, 0x10323), (0x1032D, 0x1032F)]));
        assert_eq!(table("fold", false), None);
        assert_eq!(table("", false), None);
        assert_eq!(table("#", false), None);
        assert_eq!(table("LC", true), table("Cased_Letter", false));
        assert!(table("Ll", true).is_some_and(|ranges| ranges.contains(&(0x41, 0x5A))));
    }
}
