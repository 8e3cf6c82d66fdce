//! Changes of a text at random places. What comes out is UTF-8 again, since that is what our engines read.

use fastrand::Rng;

use crate::draw::{one_in, pick};

/// Characters on which scanners decide, also those that look like others.
const CHARS: &[&str] = &[
    "\0", "\u{1}", "\t", "\n", "\r", "\r\n", "\u{b}", " ", "\"", "'", "`", "\\", "{", "}", "[", "]", "(",
    ")", ",", ":", "-", "?", "#", "&", "*", "!", "|", ">", "<", "=", "%", "@", "~", ".", "/", "_", "+", "0",
    "1", "9", "a", "e", "x", "\u{7f}", "\u{85}", "\u{a0}", "é", "\u{2028}", "\u{2029}", "\u{feff}",
    "\u{fffd}", "\u{ffff}", "日", "😀",
];

/// Changes a text a few times; `other` is a second seed to take parts from.
pub(crate) fn mutate(rng: &mut Rng, text: &str, other: &str, dictionary: &[&str]) -> String {
    let mut text = text.to_owned();
    let rounds = 1 + rng.usize(..4);
    for _ in 0..rounds {
        // Of a single line the changes of lines leave nothing.
        text = if one_in(rng, 2) || !text.contains('\n') {
            of_characters(rng, &text, other, dictionary)
        } else {
            of_lines(rng, &text, other)
        };
    }
    text
}

/// A place between two characters.
fn place(rng: &mut Rng, text: &str) -> usize {
    let mut at = rng.usize(..=text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// A part of at most so many characters.
fn part(rng: &mut Rng, text: &str, most: usize) -> std::ops::Range<usize> {
    let start = place(rng, text);
    let count = 1 + rng.usize(..most);
    let end = text[start..].char_indices().nth(count).map_or(text.len(), |(at, _)| start + at);
    start..end
}

fn of_characters(rng: &mut Rng, text: &str, other: &str, dictionary: &[&str]) -> String {
    let mut out = text.to_owned();
    match rng.u32(..9) {
        0 => out.replace_range(part(rng, text, 1), pick(rng, CHARS)),
        1 => out.insert_str(place(rng, text), pick(rng, CHARS)),
        2 => out.insert_str(place(rng, text), pick(rng, dictionary)),
        3 => out.replace_range(part(rng, text, 3), pick(rng, dictionary)),
        4 => out.replace_range(part(rng, text, 8), ""),
        5 => {
            let again = text[part(rng, text, 12)].to_owned();
            out.insert_str(place(rng, text), &again);
        }
        6 => out.truncate(place(rng, text)),
        7 => {
            // The head of the one and the tail of the other.
            out.truncate(place(rng, text));
            out.push_str(&other[place(rng, other)..]);
        }
        _ => flip(rng, &mut out),
    }
    out
}

/// Flips a bit of an ASCII character, so that the text stays UTF-8.
fn flip(rng: &mut Rng, text: &mut String) {
    let range = part(rng, text, 1);
    if let [byte] = *text[range.clone()].as_bytes() {
        let flipped = char::from((byte ^ (1 << rng.u32(..7))) & 0x7f);
        text.replace_range(range, flipped.encode_utf8(&mut [0; 4]));
    }
}

fn of_lines(rng: &mut Rng, text: &str, other: &str) -> String {
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    if lines.is_empty() {
        return other.to_owned();
    }
    let at = rng.usize(..lines.len());
    match rng.u32(..8) {
        0 => {
            lines.remove(at);
        }
        1 => lines.insert(at, lines[at].clone()),
        2 => {
            let to = rng.usize(..lines.len());
            lines.swap(at, to);
        }
        3 => {
            let others: Vec<&str> = other.split_inclusive('\n').collect();
            if !others.is_empty() {
                lines.insert(at, pick(rng, &others).to_owned());
            }
        }
        4 => lines[at].insert_str(0, pick(rng, &[" ", "  ", "    ", "\t", "- "])),
        5 => {
            let blanks = lines[at].len() - lines[at].trim_start_matches(' ').len();
            let cut = rng.usize(..=blanks);
            lines[at].replace_range(..cut, "");
        }
        6 => {
            let end = pick(rng, &["\r\n", "\r", "\u{85}", "\u{2028}", "\n\n", " \n", "\t\n", " # c\n", ""]);
            if one_in(rng, 3) {
                return text.replace('\n', end);
            }
            lines[at] = lines[at].trim_end_matches('\n').to_owned() + end;
        }
        _ => {
            // All lines from here to there move, as a block does that is indented anew.
            let to = at + rng.usize(..lines.len() - at);
            for line in &mut lines[at..=to] {
                line.insert(0, ' ');
            }
        }
    }
    lines.concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::of_case;

    #[test]
    fn the_same_seed_gives_the_same_text() {
        let run = |index| mutate(&mut of_case(7, index), "a: é\nb:\n  - 1\n", "x: 日\n", &["- ", "? "]);
        for index in 0..500 {
            assert_eq!(run(index), run(index));
        }
        assert!((0..500).any(|index| run(index) != run(index + 1)));
    }

    #[test]
    fn an_empty_text_is_no_hindrance() {
        for index in 0..500 {
            mutate(&mut of_case(1, index), "", "", &["x"]);
        }
    }
}
