//! Classes of characters as libyaml (and so go-yaml) has them. All look at bytes; `0` stands for the end.

/// The byte at `i`, or 0 at the end of the text.
#[inline]
pub(crate) fn at(bytes: &[u8], i: usize) -> u8 {
    bytes.get(i).copied().unwrap_or(0)
}

/// Length of the line break at `i`: LF, CR, CRLF, NEL, LS or PS; 0 if there is none.
#[inline]
pub(crate) fn break_len(bytes: &[u8], i: usize) -> usize {
    match at(bytes, i) {
        b'\n' => 1,
        b'\r' if at(bytes, i + 1) == b'\n' => 2,
        b'\r' => 1,
        0xC2 if at(bytes, i + 1) == 0x85 => 2,
        0xE2 if at(bytes, i + 1) == 0x80 && matches!(at(bytes, i + 2), 0xA8 | 0xA9) => 3,
        _ => 0,
    }
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
    at(bytes, i) == 0 || is_break(bytes, i)
}

#[inline]
pub(crate) fn is_blankz(bytes: &[u8], i: usize) -> bool {
    is_blank(bytes, i) || is_breakz(bytes, i)
}

/// Characters of anchors, tag handles and directive names.
#[inline]
pub(crate) fn is_alpha(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
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
pub(crate) fn is_allowed(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='~' | '\u{85}' | '\u{A0}'..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}'
        | '\u{10000}'..='\u{10FFFF}')
}
