//! Numbers from text, as Go's package `strconv` reads them.

/// `strconv.ParseInt(text, 10, 64)`.
pub fn parse_int(text: &str) -> Option<i64> {
    // Rust reads what Go reads: an optional sign and decimal digits, nothing else.
    text.parse().ok()
}

/// `strconv.ParseUint(text, 10, 64)`: no sign at all.
pub fn parse_uint(text: &str) -> Option<u64> {
    if text.starts_with('+') { None } else { text.parse().ok() }
}

/// `strconv.ParseBool`.
pub fn parse_bool(text: &str) -> Option<bool> {
    match text {
        "1" | "t" | "T" | "true" | "TRUE" | "True" => Some(true),
        "0" | "f" | "F" | "false" | "FALSE" | "False" => Some(false),
        _ => None,
    }
}

/// `strconv.ParseFloat(text, 64)`: none for a text that is not a number and for one beyond the range.
pub fn parse_float(text: &str) -> Option<f64> {
    let (negative, unsigned) = match text.as_bytes().first() {
        Some(b'-') => (true, text.get(1..)?),
        Some(b'+') => (false, text.get(1..)?),
        _ => (false, text),
    };
    if unsigned.eq_ignore_ascii_case("inf") || unsigned.eq_ignore_ascii_case("infinity") {
        return Some(if negative { f64::NEG_INFINITY } else { f64::INFINITY });
    }
    if text.eq_ignore_ascii_case("nan") {
        return Some(f64::NAN);
    }
    let hex = unsigned.len() > 2 && unsigned.get(..2).is_some_and(|prefix| prefix.eq_ignore_ascii_case("0x"));
    let number = scan(if hex { unsigned.get(2..)? } else { unsigned }, hex)?;
    if number.underscores && !underscores_fit(unsigned, hex) {
        return None;
    }
    let value = if hex { number.binary()? } else { number.decimal()? };
    Some(if negative { -value } else { value })
}

/// A number without sign and prefix, taken apart.
struct Scanned {
    /// The digits before and after the point.
    digits: Vec<u8>,
    /// How many of them stand after the point.
    decimals: usize,
    exponent: i64,
    underscores: bool,
}

/// From here on Go reads no more digits of an exponent; the number is zero or too large anyway.
const MAX_EXPONENT: i64 = 10_000;

fn scan(text: &str, hex: bool) -> Option<Scanned> {
    let bytes = text.as_bytes();
    let mut scanned = Scanned { digits: Vec::new(), decimals: 0, exponent: 0, underscores: false };
    let mut point = false;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'_' => scanned.underscores = true,
            b'.' if !point => point = true,
            b'0'..=b'9' => scanned.push(byte, point),
            b'a'..=b'f' | b'A'..=b'F' if hex => scanned.push(byte, point),
            _ => break,
        }
        at += 1;
    }
    if scanned.digits.is_empty() {
        return None;
    }
    let marker = if hex { b'p' } else { b'e' };
    if bytes.get(at).is_some_and(|byte| byte.to_ascii_lowercase() == marker) {
        at += 1;
        let negative = bytes.get(at) == Some(&b'-');
        if matches!(bytes.get(at), Some(b'+' | b'-')) {
            at += 1;
        }
        if !bytes.get(at).is_some_and(u8::is_ascii_digit) {
            return None;
        }
        while let Some(&byte) = bytes.get(at) {
            match byte {
                b'_' => scanned.underscores = true,
                b'0'..=b'9' if scanned.exponent < MAX_EXPONENT => {
                    scanned.exponent = scanned.exponent * 10 + i64::from(byte - b'0');
                }
                b'0'..=b'9' => {}
                _ => break,
            }
            at += 1;
        }
        if negative {
            scanned.exponent = -scanned.exponent;
        }
    } else if hex {
        // A hexadecimal number has to have an exponent.
        return None;
    }
    (at == bytes.len()).then_some(scanned)
}

/// Whether underscores stand between digits, where the prefix counts as a digit.
fn underscores_fit(text: &str, hex: bool) -> bool {
    let bytes = text.as_bytes();
    let mut before = if hex { b'0' } else { b'^' };
    for &byte in bytes.get(if hex { 2 } else { 0 }..).unwrap_or_default() {
        let digit = byte.is_ascii_digit() || hex && byte.is_ascii_hexdigit();
        if byte == b'_' && before != b'0' || byte != b'_' && !digit && before == b'_' {
            return false;
        }
        before = if digit { b'0' } else { byte };
    }
    before != b'_'
}

impl Scanned {
    fn push(&mut self, digit: u8, after_point: bool) {
        self.digits.push(digit);
        self.decimals += usize::from(after_point);
    }

    fn decimal(&self) -> Option<f64> {
        let whole = self.digits.len() - self.decimals;
        let (before, after) = self.digits.split_at(whole);
        let text = format!(
            "{}.{}e{}",
            std::str::from_utf8(before).ok()?,
            std::str::from_utf8(after).ok()?,
            self.exponent
        );
        let value: f64 = text.parse().ok()?;
        value.is_finite().then_some(value)
    }

    fn binary(&self) -> Option<f64> {
        // The first 16 digits that count; whether anything but zeros follows decides a tie.
        let mut mantissa = 0_u64;
        let mut used = 0;
        let mut rest = false;
        let mut exponent = self.exponent - 4 * self.decimals as i64;
        for &digit in &self.digits {
            let value = (digit as char).to_digit(16)?;
            if used == 16 {
                rest |= value != 0;
                exponent += 4;
            } else if mantissa != 0 || value != 0 {
                mantissa = mantissa << 4 | u64::from(value);
                used += 1;
            }
        }
        if mantissa == 0 {
            return Some(0.0);
        }
        let shift = mantissa.leading_zeros();
        let mantissa = mantissa << shift;
        // The value is `mantissa / 2^63 * 2^exponent`, with the highest bit of `mantissa` set.
        let exponent = exponent - i64::from(shift) + 63;
        if exponent > 1023 {
            return None;
        }
        let dropped = if exponent < -1022 { 11 + (-1022 - exponent) } else { 11 };
        let mut kept = if dropped > 64 {
            0
        } else {
            let (kept, lost) = split(mantissa, dropped as u32);
            let half = 1_u64 << (dropped - 1).min(63);
            let up = lost > half || lost == half && (rest || kept & 1 == 1);
            kept + u64::from(up)
        };
        let mut biased = if exponent < -1022 { 0 } else { (exponent + 1023) as u64 };
        if biased == 0 {
            // A carry out of the subnormal numbers is the smallest normal one, and has its bits.
            return Some(f64::from_bits(kept));
        }
        if kept >> 53 != 0 {
            kept >>= 1;
            biased += 1;
        }
        (biased < 0x7ff).then(|| f64::from_bits(biased << 52 | kept & ((1 << 52) - 1)))
    }
}

/// The bits of a number above the lowest `low` ones, and those; `low` is 1 to 64.
fn split(bits: u64, low: u32) -> (u64, u64) {
    let high = bits.checked_shr(low).unwrap_or(0);
    let mask = u64::MAX >> (64 - low);
    (high, bits & mask)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats() {
        let cases = [
            ("1_000", Some(1000.0)),
            ("1__0", None),
            ("_1", None),
            ("1_", None),
            ("1_.5", None),
            ("0x1p-2", Some(0.25)),
            ("0x_1p0", Some(1.0)),
            ("0x1_0p1", Some(32.0)),
            ("0x1.8", None),
            ("0x", None),
            ("0xp1", None),
            ("0x.8p1", Some(1.0)),
            (".5", Some(0.5)),
            ("5.", Some(5.0)),
            (".", None),
            ("", None),
            ("+", None),
            ("1e", None),
            ("1e+", None),
            ("1e+5", Some(1e5)),
            ("1e400", None),
            ("-1e400", None),
            ("1e-400", Some(0.0)),
            ("0x1p1024", None),
            ("0x1.fffffffffffff7p1023", Some(f64::MAX)),
            ("0x1.fffffffffffff8p1023", None),
            ("0x1p-1074", Some(5e-324)),
            ("0x1p-1075", Some(0.0)),
            ("0x1.8p-1075", Some(5e-324)),
            ("0x0.fffffffffffff8p-1022", Some(f64::MIN_POSITIVE)),
            ("0x1.00000000000008p0", Some(1.0)),
            ("0x1.000000000000080000001p0", Some(1.000_000_000_000_000_2)),
            ("Inf", Some(f64::INFINITY)),
            ("-iNFinity", Some(f64::NEG_INFINITY)),
            ("infin", None),
            ("+nan", None),
            (" 1", None),
            ("1f", None),
        ];
        for (text, value) in cases {
            assert_eq!(parse_float(text), value, "{text}");
        }
        assert!(parse_float("NaN").is_some_and(f64::is_nan));
        assert!(parse_float("-0").is_some_and(|zero| zero == 0.0 && zero.is_sign_negative()));
    }

    #[test]
    fn integers() {
        assert_eq!(parse_int("+5"), Some(5));
        assert_eq!(parse_int("-9223372036854775808"), Some(i64::MIN));
        assert_eq!(parse_int("9223372036854775808"), None);
        assert_eq!(parse_int("1_0"), None);
        assert_eq!(parse_int("0x1"), None);
        assert_eq!(parse_uint("18446744073709551615"), Some(u64::MAX));
        assert_eq!(parse_uint("+5"), None);
        assert_eq!(parse_uint("-0"), None);
        assert_eq!(parse_bool("tRue"), None);
        assert_eq!(parse_bool("T"), Some(true));
    }
}
