//! The values of literals.

use std::borrow::Cow;

/// The value of an int literal; none if it has no room in 64 bits.
pub(super) fn int(digits: &str, negative: bool) -> Option<i64> {
    let (digits, radix) = radix(digits);
    let signed: Cow<'_, str> = if negative { format!("-{digits}").into() } else { digits.into() };
    i64::from_str_radix(&signed, radix).ok()
}

/// The value of a uint literal with its `u`; none if it has no room in 64 bits.
pub(super) fn uint(text: &str) -> Option<u64> {
    let (digits, radix) = radix(text.trim_end_matches(['u', 'U']));
    u64::from_str_radix(digits, radix).ok()
}

fn radix(digits: &str) -> (&str, u32) {
    digits.strip_prefix("0x").map_or((digits, 10), |digits| (digits, 16))
}

/// The value of a double literal; none if it is too large.
pub(super) fn double(digits: &str, negative: bool) -> Option<f64> {
    let value: f64 = digits.parse().ok()?;
    value.is_finite().then_some(if negative { -value } else { value })
}

/// The bytes of a string or bytes literal, which is given without the `b`.
///
/// An escape that the lexer lets pass may still mean nothing: half of a surrogate pair, or `\u` among bytes.
pub(super) fn unquote(literal: &str, bytes: bool) -> Result<Vec<u8>, &'static str> {
    let (literal, raw) = match literal.strip_prefix(['r', 'R']) {
        Some(rest) => (rest, true),
        None => (literal, false),
    };
    let long = literal.starts_with("\"\"\"") || literal.starts_with("'''");
    let quotes = if long { 3 } else { 1 };
    let content = literal
        .len()
        .checked_sub(quotes)
        .and_then(|end| literal.get(quotes..end))
        .ok_or("unable to unescape string")?;
    let content = newlines(content);
    if raw || !content.contains('\\') {
        return Ok(content.into_owned().into_bytes());
    }
    let mut out = Vec::with_capacity(content.len());
    let mut rest: &str = &content;
    while let Some(found) = rest.find('\\') {
        let (plain, tail) = rest.split_at(found);
        out.extend_from_slice(plain.as_bytes());
        rest = escape(tail.get(1..).unwrap_or_default(), bytes, &mut out)?;
    }
    out.extend_from_slice(rest.as_bytes());
    Ok(out)
}

/// The text with `\n` for every kind of line end.
fn newlines(text: &str) -> Cow<'_, str> {
    if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n").into() } else { text.into() }
}

/// Adds what an escape stands for; `text` begins behind the backslash. Gives what follows.
fn escape<'t>(text: &'t str, bytes: bool, out: &mut Vec<u8>) -> Result<&'t str, &'static str> {
    const WRONG: &str = "unable to unescape string";
    let mut chars = text.chars();
    let kind = chars.next().ok_or("unable to unescape string, found '\\' as last character")?;
    let rest = chars.as_str();
    let simple = match kind {
        'a' => 0x07,
        'b' => 0x08,
        'f' => 0x0C,
        'n' => b'\n',
        'r' => b'\r',
        't' => b'\t',
        'v' => 0x0B,
        '\\' | '\'' | '"' | '`' | '?' => kind as u8,
        _ => {
            let (digits, radix, tail) = match kind {
                'x' | 'X' => (rest.get(..2), 16, rest.get(2..)),
                'u' if !bytes => (rest.get(..4), 16, rest.get(4..)),
                'U' if !bytes => (rest.get(..8), 16, rest.get(8..)),
                '0'..='3' => (text.get(..3), 8, text.get(3..)),
                _ => return Err(WRONG),
            };
            let (Some(digits), Some(tail)) = (digits, tail) else { return Err(WRONG) };
            let code = u32::from_str_radix(digits, radix).map_err(|_| WRONG)?;
            if bytes {
                out.push(code as u8);
            } else {
                let char = char::from_u32(code).ok_or("invalid unicode code point")?;
                out.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
            }
            return Ok(tail);
        }
    };
    out.push(simple);
    Ok(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_limits_of_64_bits() {
        assert_eq!(int("9223372036854775807", false), Some(i64::MAX));
        assert_eq!(int("9223372036854775808", false), None);
        assert_eq!(int("9223372036854775808", true), Some(i64::MIN));
        assert_eq!(int("0x7fffffffffffffff", false), Some(i64::MAX));
        assert_eq!(int("0x8000000000000000", true), Some(i64::MIN));
        assert_eq!(uint("18446744073709551615u"), Some(u64::MAX));
        assert_eq!(uint("0xFFFFFFFFFFFFFFFFU"), Some(u64::MAX));
        assert_eq!(uint("18446744073709551616u"), None);
        assert_eq!(double("1e308", true), Some(-1e308));
        assert_eq!(double("1e309", false), None);
        assert_eq!(double("1e-400", false), Some(0.0));
    }

    #[test]
    fn escapes_stand_for_characters_or_bytes() {
        assert_eq!(unquote(r#""\x41\u00e9\101\n""#, false), Ok("A\u{e9}A\n".into()));
        assert_eq!(unquote(r"'\xff\377é'", true), Ok(vec![0xff, 0xff, 0xc3, 0xa9]));
        assert_eq!(unquote(r"'\xff'", false), Ok("\u{ff}".into()));
        assert_eq!(unquote(r"'\ud800'", false), Err("invalid unicode code point"));
        assert_eq!(unquote(r"'\u0041'", true), Err("unable to unescape string"));
        assert_eq!(unquote("r'''a\\b\r\nc'''", false), Ok("a\\b\nc".into()));
        assert_eq!(unquote("''", false), Ok(Vec::new()));
    }
}
