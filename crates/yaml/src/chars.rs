//! Classes of characters as libyaml (and so go-yaml) has them. All look at bytes; `0` stands for the end.

/// A blank: space or tab.
const BLANK: u8 = 1;
/// LF, CR or the end of the text.
const BREAKZ: u8 = 2;
/// The first byte of NEL, LS or PS, which are line breaks too.
const WIDE: u8 = 4;
/// A character of anchors, tag handles and directive names.
const ALPHA: u8 = 8;
/// Can only be part of a plain scalar that has begun.
const PLAIN: u8 = 16;
/// Can only be part of a quoted scalar.
const QUOTED: u8 = 32;

/// The classes of each byte, so that the scanner asks one table instead of many comparisons.
static CLASSES: [u8; 256] = classes();

const fn classes() -> [u8; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let c = byte as u8;
        table[byte] = match c {
            b' ' | b'\t' => BLANK,
            b'\n' | b'\r' | 0 => BREAKZ,
            0xC2 | 0xE2 => WIDE,
            _ => 0,
        };
        if c.is_ascii_alphanumeric() || c == b'_' || c == b'-' {
            table[byte] |= ALPHA;
        }
        if c.is_ascii_graphic() && !matches!(c, b':' | b',' | b'?' | b'[' | b']' | b'{' | b'}') {
            table[byte] |= PLAIN;
        }
        if c.is_ascii_graphic() && !matches!(c, b'\'' | b'"' | b'\\') {
            table[byte] |= QUOTED;
        }
        byte += 1;
    }
    table
}

#[inline]
fn has(byte: u8, class: u8) -> bool {
    CLASSES[byte as usize] & class != 0
}

/// The byte at `i`, or 0 at the end of the text.
#[inline]
pub(crate) fn at(bytes: &[u8], i: usize) -> u8 {
    bytes.get(i).copied().unwrap_or(0)
}

/// Length of the line break at `i`: LF, CR, CRLF, NEL, LS or PS; 0 if there is none.
#[inline]
pub(crate) fn break_len(bytes: &[u8], i: usize) -> usize {
    let first = at(bytes, i);
    if first == b'\n' {
        1
    } else if has(first, BREAKZ | WIDE) {
        rare_break_len(bytes, i)
    } else {
        0
    }
}

fn rare_break_len(bytes: &[u8], i: usize) -> usize {
    match at(bytes, i) {
        b'\r' if at(bytes, i + 1) == b'\n' => 2,
        b'\r' => 1,
        0xC2 if at(bytes, i + 1) == 0x85 => 2,
        0xE2 if at(bytes, i + 1) == 0x80 && matches!(at(bytes, i + 2), 0xA8 | 0xA9) => 3,
        _ => 0,
    }
}

/// Whether a line break ends at `i`.
pub(crate) fn break_before(bytes: &[u8], i: usize) -> bool {
    matches!(bytes[..i], [.., b'\n' | b'\r'] | [.., 0xC2, 0x85] | [.., 0xE2, 0x80, 0xA8 | 0xA9])
}

/// What a line break at `i` becomes in a value: LS and PS stay, the others are LF.
pub(crate) fn break_text(bytes: &[u8], i: usize) -> &'static str {
    match (at(bytes, i), at(bytes, i + 2)) {
        (0xE2, 0xA8) => "\u{2028}",
        (0xE2, _) => "\u{2029}",
        _ => "\n",
    }
}

#[inline]
pub(crate) fn is_break(bytes: &[u8], i: usize) -> bool {
    break_len(bytes, i) > 0
}

#[inline]
pub(crate) fn is_blank(bytes: &[u8], i: usize) -> bool {
    matches!(at(bytes, i), b' ' | b'\t')
}

#[inline]
pub(crate) fn is_breakz(bytes: &[u8], i: usize) -> bool {
    let byte = at(bytes, i);
    has(byte, BREAKZ) || (has(byte, WIDE) && rare_break_len(bytes, i) > 0)
}

#[inline]
pub(crate) fn is_blankz(bytes: &[u8], i: usize) -> bool {
    let byte = at(bytes, i);
    has(byte, BLANK | BREAKZ) || (has(byte, WIDE) && rare_break_len(bytes, i) > 0)
}

/// Characters of anchors, tag handles and directive names.
#[inline]
pub(crate) fn is_alpha(byte: u8) -> bool {
    has(byte, ALPHA)
}

/// How many bytes from `i` on can only be part of a plain scalar that has begun.
#[inline]
pub(crate) fn plain_run(bytes: &[u8], i: usize) -> usize {
    run(bytes, i, |byte| has(byte, PLAIN))
}

/// How many bytes from `i` on can only be part of a quoted scalar.
#[inline]
pub(crate) fn quoted_run(bytes: &[u8], i: usize) -> usize {
    run(bytes, i, |byte| has(byte, QUOTED))
}

/// How many spaces stand from `i` on. Indentation is a good part of any text, so that it is read eight bytes at a time.
#[inline]
pub(crate) fn space_run(bytes: &[u8], i: usize) -> usize {
    let mut n = 0;
    while let Some(chunk) = bytes.get(i + n..).and_then(|rest| rest.first_chunk()) {
        let others = u64::from_le_bytes(*chunk) ^ u64::from_le_bytes([b' '; 8]);
        if others != 0 {
            return n + others.trailing_zeros() as usize / 8;
        }
        n += 8;
    }
    n + run(bytes, i + n, |b| b == b' ')
}

/// How many bytes from `i` on satisfy a test.
#[inline]
pub(crate) fn run(bytes: &[u8], i: usize, test: impl Fn(u8) -> bool) -> usize {
    bytes.get(i..).map_or(0, |rest| rest.iter().position(|byte| !test(*byte)).unwrap_or(rest.len()))
}

/// Length of the UTF-8 character that begins with `byte`; the text is known to be UTF-8.
#[inline]
pub(crate) fn width(byte: u8) -> usize {
    match byte {
        0..0x80 => 1,
        0x80..0xE0 => 2,
        0xE0..0xF0 => 3,
        _ => 4,
    }
}

/// Whether `---` or `...` and a blank stand at `i`, which must be the start of a line.
#[inline]
pub(crate) fn document_indicator(bytes: &[u8], i: usize) -> bool {
    let c = at(bytes, i);
    (c == b'-' || c == b'.') && at(bytes, i + 1) == c && at(bytes, i + 2) == c && is_blankz(bytes, i + 3)
}

/// Whether go-yaml's reader takes the character.
fn is_allowed(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='~' | '\u{85}' | '\u{A0}'..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}'
        | '\u{10000}'..='\u{10FFFF}')
}

/// The first character that go-yaml's reader does not take.
pub(crate) fn first_refused(text: &str) -> Option<(usize, char)> {
    // Nearly all text is plain ASCII. Numbers instead of booleans leave no branch, so that the compiler looks at many
    // bytes at a time.
    let is = u8::from;
    let odd = |b: u8| is(!(b' '..=b'~').contains(&b)) & is(b != b'\n') & is(b != b'\t') & is(b != b'\r');
    let suspicious = |chunk: &[u8]| chunk.iter().fold(0, |found, b| found | odd(*b)) != 0;
    let first = text.as_bytes().chunks(256).position(suspicious)? * 256;
    // The chunk may begin inside a character that began in the one before it, which then had been found.
    text[first..].char_indices().find(|(_, c)| !is_allowed(*c)).map(|(i, c)| (first + i, c))
}
