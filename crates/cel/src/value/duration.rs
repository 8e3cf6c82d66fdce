//! Durations from and as text, as Go's package `time` has them.

use convoy_value::go::format_float;

const SECOND: i64 = 1_000_000_000;

/// The units of a text, with their nanoseconds. The micro sign has two code points.
const UNITS: [(&str, u64); 8] = [
    ("ns", 1),
    ("us", 1_000),
    ("\u{b5}s", 1_000),
    ("\u{3bc}s", 1_000),
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
    ("m", 60_000_000_000),
    ("h", 3_600_000_000_000),
];

/// The most that a magnitude may be: that of the smallest duration.
const LIMIT: u64 = 1 << 63;

/// `time.ParseDuration`: the nanoseconds of a text such as `1h30m` or `-1.5s`; none where Go has an error.
pub fn parse(text: &str) -> Option<i64> {
    let (negative, mut rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if rest == "0" {
        return Some(0);
    }
    if rest.is_empty() {
        return None;
    }
    let mut total = 0_u64;
    while !rest.is_empty() {
        let (digits, after) = split_while(rest, |byte| byte.is_ascii_digit());
        let mut value = whole(digits)?;
        let (decimals, after) = match after.strip_prefix('.') {
            Some(after) => split_while(after, |byte| byte.is_ascii_digit()),
            None => ("", after),
        };
        if digits.is_empty() && decimals.is_empty() {
            return None;
        }
        let (unit, after) = split_while(after, |byte| byte != b'.' && !byte.is_ascii_digit());
        let (_, unit) = *UNITS.iter().find(|(name, _)| *name == unit)?;
        if value > LIMIT / unit {
            return None;
        }
        value *= unit;
        let (fraction, scale) = fraction(decimals);
        if fraction > 0 {
            value = value.checked_add((fraction as f64 * (unit as f64 / scale)) as u64)?;
            if value > LIMIT {
                return None;
            }
        }
        // Go adds without a check: twice the limit is zero again.
        total = total.wrapping_add(value);
        if total > LIMIT {
            return None;
        }
        rest = after;
    }
    if negative { Some((total as i64).wrapping_neg()) } else { i64::try_from(total).ok() }
}

/// Splits behind the leading bytes that fit. They are whole characters, since a byte of a longer character fits or not
/// like its first.
fn split_while(text: &str, fits: impl Fn(u8) -> bool) -> (&str, &str) {
    let end = text.bytes().position(|byte| !fits(byte)).unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or((text, ""))
}

fn whole(digits: &str) -> Option<u64> {
    let mut value = 0_u64;
    for digit in digits.bytes() {
        if value > LIMIT / 10 {
            return None;
        }
        value = value * 10 + u64::from(digit - b'0');
        if value > LIMIT {
            return None;
        }
    }
    Some(value)
}

/// Decimals as a number and what to divide it by. Those beyond what a `u64` takes do not count.
fn fraction(decimals: &str) -> (u64, f64) {
    let mut value = 0_u64;
    let mut scale = 1.0;
    for digit in decimals.bytes() {
        if value > (LIMIT - 1) / 10 {
            break;
        }
        let next = value * 10 + u64::from(digit - b'0');
        if next > LIMIT {
            break;
        }
        value = next;
        scale *= 10.0;
    }
    (value, scale)
}

/// `Duration.Seconds()`.
pub fn seconds(nanos: i64) -> f64 {
    (nanos / SECOND) as f64 + (nanos % SECOND) as f64 / 1e9
}

/// What `string(duration)` gives: all of it in seconds, as `3601.5s`.
pub fn to_text(nanos: i64) -> String {
    format!("{}s", format_float(seconds(nanos), 'f', None, 64))
}

/// What Go prints for a `time.Duration`: `1h0m1.5s`, `2ms`, `0s`.
pub fn go_text(nanos: i64) -> String {
    let magnitude = nanos.unsigned_abs();
    let sign = if nanos < 0 { "-" } else { "" };
    let (unit, name) = match magnitude {
        0 => return "0s".to_owned(),
        1..1_000 => (1, "ns"),
        1_000..1_000_000 => (1_000, "\u{b5}s"),
        1_000_000..1_000_000_000 => (1_000_000, "ms"),
        _ => (1_000_000_000, "s"),
    };
    let mut text = sign.to_owned();
    let mut whole = magnitude / unit;
    if unit == 1_000_000_000 {
        if whole >= 3600 {
            text.push_str(&format!("{}h", whole / 3600));
        }
        if whole >= 60 {
            text.push_str(&format!("{}m", whole / 60 % 60));
        }
        whole %= 60;
    }
    text.push_str(&whole.to_string());
    let rest = magnitude % unit;
    if rest != 0 {
        let width = unit.ilog10() as usize;
        let decimals = format!("{rest:0width$}");
        text.push('.');
        text.push_str(decimals.trim_end_matches('0'));
    }
    text.push_str(name);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_go_reads() {
        let cases = [
            ("0", Some(0)),
            ("-0", Some(0)),
            ("1.5h", Some(5_400_000_000_000)),
            ("+1h1m1s1ms1us1ns", Some(3_661_001_001_001)),
            ("1\u{b5}s1\u{3bc}s", Some(2_000)),
            (".5s", Some(500_000_000)),
            ("5.s", Some(5_000_000_000)),
            ("0.3333333333333333333h", Some(1_200_000_000_000)),
            ("0.9223372036854775807s", Some(922_337_203)),
            ("0.100000000000000000000h", Some(360_000_000_000)),
            ("0.830103483285477580700h", Some(2_988_372_539_827)),
            ("9223372036854775807ns", Some(i64::MAX)),
            ("9223372036854775808ns", None),
            ("-9223372036854775808ns", Some(i64::MIN)),
            ("-9223372036854775809ns", None),
            ("-9223372036854775808ns9223372036854775808ns", Some(0)),
            ("9223372036.854775808s", None),
            ("2562048h", None),
            ("", None),
            ("-", None),
            ("1", None),
            ("1x", None),
            ("1d", None),
            (".s", None),
            ("1 s", None),
            ("1\u{e4}", None),
            ("--1s", None),
            ("1s-1s", None),
        ];
        for (text, nanos) in cases {
            assert_eq!(parse(text), nanos, "{text}");
        }
    }

    #[test]
    fn texts_of_durations() {
        assert_eq!(to_text(3_601_500_000_000), "3601.5s");
        assert_eq!(to_text(-1), "-0.000000001s");
        assert_eq!(to_text(i64::MAX), "9223372036.854776s");
        assert_eq!(go_text(-3_660_000_000_001), "-1h1m0.000000001s");
        assert_eq!(go_text(1_500_000), "1.5ms");
        assert_eq!(go_text(1_500), "1.5\u{b5}s");
        assert_eq!(go_text(15), "15ns");
        assert_eq!(go_text(0), "0s");
        assert_eq!(go_text(i64::MIN), "-2562047h47m16.854775808s");
    }
}
