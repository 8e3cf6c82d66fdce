//! Formats of `printf`.

use fastrand::Rng;

use crate::draw::{one_in, pick, weighted};

#[rustfmt::skip]
const VERBS: &[&str] = &[
    "v", "v", "v", "d", "d", "s", "s", "q", "q", "x", "x", "X", "t", "T", "f", "e", "g", "F", "E", "G", "b", "o", "O", "c",
    "U", "%", "p", "w", "z", "!", "é", " ", "",
];

const WIDTHS: &[&str] = &[
    "", "", "", "", "1", "5", "8", "12", "20", "*", "*", "[1]*", "[2]*", "[3]*", "0", "-3", "100", "10000001",
];

const PRECISIONS: &[&str] =
    &["", "", "", "", ".", ".0", ".1", ".3", ".10", ".*", ".[1]*", ".[2]*", ".-1", ".100"];

const INDEXES: &[&str] =
    &["[1]", "[2]", "[3]", "[1]", "[0]", "[9]", "[-1]", "[x]", "[]", "[", "[2", "[1][2]", "[ 1 ]"];

const LITERALS: &[&str] = &["", "", "|", " ", ", ", "é", "x=", "100%%", "\\n", "\\x00", "\\\"", "%%", "日"];

/// A quoted format, and how many arguments it takes at first sight.
pub(crate) fn format(rng: &mut Rng) -> (String, usize) {
    let mut out = String::from("\"");
    let mut wanted = 0;
    let verbs = weighted(rng, &[1, 14, 6, 3]);
    for _ in 0..verbs {
        out.push_str(pick(rng, LITERALS));
        out.push('%');
        for _ in 0..weighted(rng, &[6, 4, 2, 1]) {
            out.push_str(pick(rng, &["+", "-", "#", " ", "0"]));
        }
        if one_in(rng, 8) {
            out.push_str(pick(rng, INDEXES));
        }
        let width = pick(rng, WIDTHS);
        out.push_str(width);
        let precision = pick(rng, PRECISIONS);
        out.push_str(precision);
        if one_in(rng, 8) {
            out.push_str(pick(rng, INDEXES));
        }
        let verb = pick(rng, VERBS);
        out.push_str(verb);
        wanted += usize::from(width.contains('*'))
            + usize::from(precision.contains('*'))
            + usize::from(verb != "%");
    }
    out.push_str(pick(rng, LITERALS));
    out.push('"');
    (out, wanted)
}
