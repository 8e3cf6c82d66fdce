//! Classes of characters: lists of ranges of code points. Surrogates are code points here, as in Go, though no text
//! has them.

use super::unicode::{foldable, orbit};

/// The greatest code point.
pub(super) const MAX_RUNE: u32 = 0x10_FFFF;

/// From one code point to another, both included.
pub(super) type Range = (u32, u32);

/// Adds a range; the last two ranges grow where it touches them. Two, because with case folding small and large letters
/// come in turns.
pub(super) fn append_range(class: &mut Vec<Range>, low: u32, high: u32) {
    for (old_low, old_high) in class.iter_mut().rev().take(2) {
        if low <= old_high.saturating_add(1) && *old_low <= high.saturating_add(1) {
            *old_low = low.min(*old_low);
            *old_high = high.max(*old_high);
            return;
        }
    }
    class.push((low, high));
}

/// Adds a range and whatever its characters fold to.
pub(super) fn append_folded_range(class: &mut Vec<Range>, low: u32, high: u32) {
    append_range(class, low, high);
    for &rune in foldable(low, high) {
        for &folded in orbit(rune) {
            if !(low..=high).contains(&folded) {
                append_range(class, folded, folded);
            }
        }
    }
}

/// Adds all ranges of another class.
pub(super) fn append_class(class: &mut Vec<Range>, other: &[Range]) {
    for &(low, high) in other {
        append_range(class, low, high);
    }
}

/// The class with whatever its characters fold to.
pub(super) fn folded(class: &[Range]) -> Vec<Range> {
    let mut all = Vec::with_capacity(class.len());
    for &(low, high) in class {
        append_folded_range(&mut all, low, high);
    }
    clean(&mut all);
    all
}

/// Sorts the ranges and joins those that touch.
pub(super) fn clean(class: &mut Vec<Range>) {
    class.sort_unstable();
    let mut joined: Vec<Range> = Vec::with_capacity(class.len());
    for &(low, high) in class.iter() {
        match joined.last_mut() {
            Some((_, last)) if low <= last.saturating_add(1) => *last = high.max(*last),
            _ => joined.push((low, high)),
        }
    }
    *class = joined;
}

/// All characters that a clean class has not.
pub(super) fn negate(class: &[Range]) -> Vec<Range> {
    let mut others = Vec::with_capacity(class.len() + 1);
    let mut next = 0;
    for &(low, high) in class {
        if next < low {
            others.push((next, low - 1));
        }
        next = high + 1;
    }
    if next <= MAX_RUNE {
        others.push((next, MAX_RUNE));
    }
    others
}

/// Whether a clean class has a character.
pub(super) fn contains(class: &[Range], rune: u32) -> bool {
    // Most classes of patterns have a few ranges, which are found faster one by one.
    if class.len() <= 8 {
        return class.iter().any(|&(low, high)| (low..=high).contains(&rune));
    }
    let index = class.partition_point(|&(_, high)| high < rune);
    class.get(index).is_some_and(|&(low, _)| low <= rune)
}

/// The class of `\d`, `\s` or `\w`, and whether it is negated (`\D`).
pub(super) fn perl(letter: u8) -> Option<(&'static [Range], bool)> {
    let class: &[Range] = match letter.to_ascii_lowercase() {
        b'd' => &[(0x30, 0x39)],
        b's' => &[(0x9, 0xA), (0xC, 0xD), (0x20, 0x20)],
        b'w' => &[(0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A)],
        _ => return None,
    };
    Some((class, letter.is_ascii_uppercase()))
}

/// The class that POSIX names, as `alnum` in `[[:alnum:]]`.
pub(super) fn posix(name: &str) -> Option<&'static [Range]> {
    Some(match name {
        "alnum" => &[(0x30, 0x39), (0x41, 0x5A), (0x61, 0x7A)],
        "alpha" => &[(0x41, 0x5A), (0x61, 0x7A)],
        "ascii" => &[(0x0, 0x7F)],
        "blank" => &[(0x9, 0x9), (0x20, 0x20)],
        "cntrl" => &[(0x0, 0x1F), (0x7F, 0x7F)],
        "digit" => &[(0x30, 0x39)],
        "graph" => &[(0x21, 0x7E)],
        "lower" => &[(0x61, 0x7A)],
        "print" => &[(0x20, 0x7E)],
        "punct" => &[(0x21, 0x2F), (0x3A, 0x40), (0x5B, 0x60), (0x7B, 0x7E)],
        "space" => &[(0x9, 0xD), (0x20, 0x20)],
        "upper" => &[(0x41, 0x5A)],
        "word" => &[(0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A)],
        "xdigit" => &[(0x30, 0x39), (0x41, 0x46), (0x61, 0x66)],
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets() {
        let mut class = vec![(5, 6), (1, 2), (3, 3), (6, 9)];
        clean(&mut class);
        assert_eq!(class, [(1, 3), (5, 9)]);
        assert_eq!(negate(&class), [(0, 0), (4, 4), (10, MAX_RUNE)]);
        assert_eq!(negate(&[(0, MAX_RUNE)]), []);
        assert!(contains(&class, 5) && !contains(&class, 4));
        assert_eq!(folded(&[(0x6B, 0x6B)]), [(0x4B, 0x4B), (0x6B, 0x6B), (0x212A, 0x212A)]);
    }
}
