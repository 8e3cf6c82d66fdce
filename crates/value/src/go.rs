//! Text of Go: numbers, quoting and character classes as package `strconv` and `unicode` have them.

/// The digits of the shortest decimal that reads back as `value` and the power of ten of the first digit:
/// `1.25` gives `("125", 0)`, `0.03` gives `("3", -2)`.
fn shortest_digits(value: f64, bits: u32) -> (String, i32) {
    let text = if bits == 32 { format!("{:e}", value.abs() as f32) } else { format!("{:e}", value.abs()) };
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    (mantissa.replace('.', ""), exponent.parse().unwrap_or(0))
}

fn special(value: f64) -> Option<&'static str> {
    if value.is_nan() {
        Some("NaN")
    } else if value == f64::INFINITY {
        Some("+Inf")
    } else if value == f64::NEG_INFINITY {
        Some("-Inf")
    } else {
        None
    }
}

fn exponential(digits: &str, exponent: i32) -> String {
    let (first, rest) = digits.split_at(1);
    let dot = if rest.is_empty() { "" } else { "." };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{first}{dot}{rest}e{sign}{:02}", exponent.abs())
}

fn positional(digits: &str, exponent: i32) -> String {
    if exponent < 0 {
        return format!("0.{}{digits}", "0".repeat((-exponent - 1) as usize));
    }
    let whole = exponent as usize + 1;
    if digits.len() <= whole {
        format!("{digits}{}", "0".repeat(whole - digits.len()))
    } else {
        format!("{}.{}", &digits[..whole], &digits[whole..])
    }
}

/// Digits after the point beyond which every float64 has only zeros.
const MAX_DECIMALS: usize = 1100;

/// `strconv.FormatFloat(value, verb, precision, bits)` for the verbs `e`, `f` and `g`; no precision means the
/// shortest text that reads back in `bits` (32 or 64) bits.
pub fn format_float(value: f64, verb: char, precision: Option<usize>, bits: u32) -> String {
    let value = if bits == 32 { f64::from(value as f32) } else { value };
    if let Some(text) = special(value) {
        return text.to_owned();
    }
    // No float64 has more decimals than this; what is asked for beyond are zeros.
    let asked = precision.unwrap_or(0);
    let zeros = if verb == 'g' { 0 } else { asked.saturating_sub(MAX_DECIMALS) };
    let precision = precision.map(|p| p.min(MAX_DECIMALS));
    let sign = if value.is_sign_negative() { "-" } else { "" };
    let magnitude = value.abs();
    let body = match (verb, precision) {
        ('e', None) => {
            let (digits, exponent) = shortest_digits(value, bits);
            exponential(&digits, exponent)
        }
        ('e', Some(p)) => {
            let text = format!("{magnitude:.p$e}");
            let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
            let exponent: i32 = exponent.parse().unwrap_or(0);
            let sign = if exponent < 0 { '-' } else { '+' };
            format!("{mantissa}e{sign}{:02}", exponent.abs())
        }
        ('f', None) => {
            let (digits, exponent) = shortest_digits(value, bits);
            positional(&digits, exponent)
        }
        ('f', Some(p)) => format!("{magnitude:.p$}"),
        (_, precision) => {
            let (digits, exponent) = match precision {
                None => shortest_digits(value, bits),
                Some(p) => {
                    let text = format!("{magnitude:.*e}", p.max(1) - 1);
                    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
                    let digits = mantissa.replace('.', "");
                    let trimmed = digits.trim_end_matches('0');
                    let digits = if trimmed.is_empty() { "0" } else { trimmed };
                    (digits.to_owned(), exponent.parse().unwrap_or(0))
                }
            };
            // The exponent form is used below -4 and from the precision on; the shortest form counts as a
            // precision of 6, and digits that all stand before the point count as their own precision.
            let nd = digits.len() as i32;
            let limit = match precision {
                None => 6,
                Some(p) => {
                    let p = p.max(1) as i32;
                    if p > nd && nd > exponent { nd } else { p }
                }
            };
            if exponent < -4 || exponent >= limit {
                exponential(&digits, exponent)
            } else {
                positional(&digits, exponent)
            }
        }
    };
    if zeros == 0 {
        return format!("{sign}{body}");
    }
    let at = body.find('e').unwrap_or(body.len());
    format!("{sign}{}{}{}", &body[..at], "0".repeat(zeros), &body[at..])
}

/// A float as `encoding/json` writes it. NaN and the infinities have no JSON; the caller refuses them before.
pub fn json_float(value: f64) -> String {
    let magnitude = value.abs();
    if magnitude != 0.0 && !(1e-6..1e21).contains(&magnitude) {
        let text = format_float(value, 'e', None, 64);
        // encoding/json writes e-9, not e-09.
        return text.replace("e-0", "e-");
    }
    format_float(value, 'f', None, 64)
}

/// Whether Go's `strconv.IsPrint` (and so `%q`) shows the character as itself: letters, marks, numbers,
/// punctuation, symbols and the ASCII space.
pub fn is_print(c: char) -> bool {
    if c.is_ascii() {
        return (' '..='~').contains(&c);
    }
    // `char::escape_debug` escapes exactly the characters that are neither printable nor, at the start of a
    // text, visible on their own; grapheme extenders are printable for Go.
    let mut escaped = c.escape_debug();
    let escaped_by_rust = escaped.len() > 1 && escaped.next() == Some('\\');
    let grapheme_extend = {
        let mut buffer = String::from("a");
        buffer.push(c);
        buffer.escape_debug().count() == 2
    };
    (!escaped_by_rust || grapheme_extend) && !is_go_space(c) && !('\u{E000}'..='\u{F8FF}').contains(&c)
}

fn is_go_space(c: char) -> bool {
    matches!(
        c,
        '\u{85}' | '\u{A0}' | '\u{1680}' | '\u{2000}'
            ..='\u{200A}' | '\u{2028}' | '\u{2029}' | '\u{202F}' | '\u{205F}' | '\u{3000}'
    )
}

/// `strconv.Quote` of bytes (`%q` of a string): a Go string literal; bytes that are not UTF-8 become `\x..`.
pub fn quote(bytes: &[u8]) -> String {
    quote_with(bytes, '"', false)
}

/// `strconv.QuoteToASCII` (`%+q`).
pub fn quote_ascii(bytes: &[u8]) -> String {
    quote_with(bytes, '"', true)
}

/// `strconv.QuoteRune` (`%q` of an integer) with the choice of ASCII only.
pub fn quote_rune(c: char, ascii: bool) -> String {
    let mut buffer = [0; 4];
    quote_with(c.encode_utf8(&mut buffer).as_bytes(), '\'', ascii)
}

fn quote_with(bytes: &[u8], quote: char, ascii: bool) -> String {
    use std::fmt::Write as _;
    let mut out = String::with_capacity(bytes.len() + 2);
    out.push(quote);
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\\' => out.push_str("\\\\"),
                c if c == quote => {
                    out.push('\\');
                    out.push(c);
                }
                '\u{7}' => out.push_str("\\a"),
                '\u{8}' => out.push_str("\\b"),
                '\u{c}' => out.push_str("\\f"),
                '\n' => out.push_str("\\n"),
                '\r' => out.push_str("\\r"),
                '\t' => out.push_str("\\t"),
                '\u{b}' => out.push_str("\\v"),
                c if (c.is_ascii() || !ascii) && is_print(c) => out.push(c),
                c if (c as u32) < 0x20 || c == '\u{7f}' => {
                    let _ = write!(out, "\\x{:02x}", c as u32);
                }
                c if (c as u32) < 0x10000 => {
                    let _ = write!(out, "\\u{:04x}", c as u32);
                }
                c => {
                    let _ = write!(out, "\\U{:08x}", c as u32);
                }
            }
        }
        for byte in chunk.invalid() {
            let _ = write!(out, "\\x{byte:02x}");
        }
    }
    out.push(quote);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    // Expected values: Go's strconv and encoding/json.
    #[test]
    fn floats_as_go_prints_them() {
        let v = |f| format_float(f, 'g', None, 64);
        assert_eq!(v(1.0), "1");
        assert_eq!(v(1e6), "1e+06");
        assert_eq!(v(123_456_789.0), "1.23456789e+08");
        assert_eq!(v(0.0001), "0.0001");
        assert_eq!(v(0.00001), "1e-05");
        assert_eq!(v(1e21), "1e+21");
        assert_eq!(v(-0.0), "-0");
        assert_eq!(json_float(1e6), "1000000");
        assert_eq!(json_float(1e21), "1e+21");
        assert_eq!(json_float(1e-7), "1e-7");
        assert_eq!(json_float(0.25), "0.25");
    }

    #[test]
    fn quoting_as_go_does_it() {
        assert_eq!(quote("a\"\\\n\u{1}é\u{200b}".as_bytes()), r#""a\"\\\n\x01é\u200b""#);
        assert_eq!(quote(b"\xff"), r#""\xff""#);
        assert_eq!(quote_ascii("é\u{1F600}".as_bytes()), r#""\u00e9\U0001f600""#);
        assert_eq!(quote_rune('\'', false), r"'\''");
    }
}
