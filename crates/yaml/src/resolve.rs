//! What a scalar means: the words and numbers of yaml.v2 and yaml.v3.

use std::borrow::Cow;

use convoy_value::Value;

use crate::value::Flavour;

/// A scalar's meaning.
#[derive(Clone, Debug, PartialEq)]
pub enum Resolved {
    /// `null`.
    Null,
    /// A boolean.
    Bool(bool),
    /// A number that fits `int64`.
    Int(i64),
    /// A number that fits only `uint64`.
    Uint(u64),
    /// Any other number.
    Float(f64),
    /// The text as it stands.
    Text,
    /// A date or time; Go programs that decode into `interface{}` see its text with yaml.v2.
    Timestamp,
}

impl Resolved {
    /// The value of the scalar `text`. A time is its text.
    pub(crate) fn value(&self, text: &str) -> Value {
        match *self {
            Resolved::Null => Value::Null,
            Resolved::Bool(b) => Value::Bool(b),
            Resolved::Int(i) => Value::Int(i),
            Resolved::Uint(u) => Value::Uint(u),
            Resolved::Float(f) => Value::Float(f),
            Resolved::Text | Resolved::Timestamp => Value::from(text),
        }
    }

    fn tag(&self) -> &'static str {
        match self {
            Resolved::Null => "!!null",
            Resolved::Bool(_) => "!!bool",
            Resolved::Int(_) | Resolved::Uint(_) => "!!int",
            Resolved::Float(_) => "!!float",
            Resolved::Text => "!!str",
            Resolved::Timestamp => "!!timestamp",
        }
    }
}

const TAG_PREFIX: &str = "tag:yaml.org,2002:";

/// `tag:yaml.org,2002:int` as `!!int`; `None` for any other tag. Version 3 takes one that is spelled `!!int` as well, as
/// in `!<!!int>`.
pub(crate) fn short_tag(tag: &str, flavour: Flavour) -> Option<Cow<'_, str>> {
    match tag.strip_prefix(TAG_PREFIX) {
        Some(name) => Some(Cow::Owned(format!("!!{name}"))),
        None if flavour == Flavour::V3 && tag.starts_with("!!") => Some(Cow::Borrowed(tag)),
        None => None,
    }
}

/// The meaning of a scalar that is plain, or has `tag`.
///
/// # Errors
///
/// Go's text where the tag does not fit: ``cannot decode !!str `x` as a !!int``.
pub fn resolve(flavour: Flavour, tag: Option<&str>, text: &str) -> Result<Resolved, String> {
    let Some(tag) = tag else { return Ok(plain(flavour, text)) };
    let short = short_tag(tag, flavour);
    match short.as_deref() {
        Some("!!str") => Ok(Resolved::Text),
        Some("!!bool" | "!!int" | "!!float" | "!!null" | "!!timestamp") => {
            let wanted = short.unwrap_or_default();
            let mut resolved = plain(flavour, text);
            if resolved == Resolved::Timestamp && wanted != "!!timestamp" {
                resolved = Resolved::Text;
            }
            match (&*wanted, &resolved) {
                ("!!float", Resolved::Int(i)) => Ok(Resolved::Float(*i as f64)),
                (wanted, resolved) if wanted == resolved.tag() => Ok(resolved.clone()),
                _ => Err(format!("cannot decode {} `{text}` as a {wanted}", resolved.tag())),
            }
        }
        _ => Ok(Resolved::Text),
    }
}

fn plain(flavour: Flavour, text: &str) -> Resolved {
    let Some(&first) = text.as_bytes().first() else { return Resolved::Null };
    match first {
        b'~' | b'n' | b'N' | b't' | b'T' | b'f' | b'F' | b'y' | b'Y' | b'o' | b'O' => word(flavour, text),
        b'.' => match text {
            ".nan" | ".NaN" | ".NAN" => Resolved::Float(f64::NAN),
            ".inf" | ".Inf" | ".INF" => Resolved::Float(f64::INFINITY),
            _ => fraction(text).map_or(Resolved::Text, Resolved::Float),
        },
        b'+' | b'-' | b'0'..=b'9' => match text {
            "+.inf" | "+.Inf" | "+.INF" => Resolved::Float(f64::INFINITY),
            "-.inf" | "-.Inf" | "-.INF" => Resolved::Float(f64::NEG_INFINITY),
            _ => number(flavour, text),
        },
        _ => Resolved::Text,
    }
}

fn word(flavour: Flavour, text: &str) -> Resolved {
    match text {
        "~" | "null" | "Null" | "NULL" => Resolved::Null,
        "true" | "True" | "TRUE" => Resolved::Bool(true),
        "false" | "False" | "FALSE" => Resolved::Bool(false),
        // The words of YAML 1.1, which yaml.v3 only takes where the program wants a bool.
        "y" | "Y" | "yes" | "Yes" | "YES" | "on" | "On" | "ON" if flavour == Flavour::V2 => {
            Resolved::Bool(true)
        }
        "n" | "N" | "no" | "No" | "NO" | "off" | "Off" | "OFF" if flavour == Flavour::V2 => {
            Resolved::Bool(false)
        }
        _ => Resolved::Text,
    }
}

fn number(flavour: Flavour, text: &str) -> Resolved {
    if is_timestamp(text) {
        return Resolved::Timestamp;
    }
    let plain: Cow<'_, str> = if text.contains('_') { text.replace('_', "").into() } else { text.into() };
    let (negative, digits) = match plain.as_bytes().first() {
        Some(b'-') => (true, &plain[1..]),
        Some(b'+') => (false, &plain[1..]),
        _ => (false, &*plain),
    };
    let signed = matches!(plain.as_bytes().first(), Some(b'+' | b'-'));
    if let Some(magnitude) = integer(digits) {
        if negative && magnitude <= 1 << 63 {
            return Resolved::Int((magnitude as i64).wrapping_neg());
        }
        if !negative && let Ok(value) = i64::try_from(magnitude) {
            return Resolved::Int(value);
        }
        // strconv.ParseUint takes no sign.
        if !signed && let Ok(value) = u64::try_from(magnitude) {
            return Resolved::Uint(value);
        }
    }
    if is_float_shape(digits)
        && let Some(value) = float(&plain)
    {
        return Resolved::Float(value);
    }
    // After `0b`, the library takes a sign, and version 3 after `0o` too.
    let signed_digits = match (plain.strip_prefix("0b"), plain.strip_prefix("0o")) {
        (Some(digits), _) => Some((digits, 2)),
        (None, Some(digits)) if flavour == Flavour::V3 => Some((digits, 8)),
        _ => None,
    };
    if let Some((digits, radix)) = signed_digits.filter(|(digits, _)| digits.starts_with(['+', '-']))
        && digits[1..].bytes().all(|b| char::from(b).is_digit(radix))
        && let Ok(value) = i64::from_str_radix(digits, radix)
    {
        return Resolved::Int(value);
    }
    Resolved::Text
}

/// `strconv.ParseUint(digits, 0, …)` without underscores: the prefixes `0x`, `0o`, `0b` and `0`.
fn integer(digits: &str) -> Option<u128> {
    let bytes = digits.as_bytes();
    let (radix, rest) = match bytes {
        [b'0', b'x' | b'X', ..] => (16, &digits[2..]),
        [b'0', b'o' | b'O', ..] => (8, &digits[2..]),
        [b'0', b'b' | b'B', ..] => (2, &digits[2..]),
        [b'0', _, ..] => (8, &digits[1..]),
        _ => (10, digits),
    };
    // `from_str_radix` would take a second sign.
    if !rest.bytes().all(|b| b.is_ascii_alphanumeric()) {
        return None;
    }
    u128::from_str_radix(rest, radix).ok()
}

fn is_float_shape(digits: &str) -> bool {
    let (mantissa, exponent) = match digits.find(['e', 'E']) {
        Some(i) => (&digits[..i], Some(&digits[i + 1..])),
        None => (digits, None),
    };
    let all_digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    let mantissa_fits = match mantissa.split_once('.') {
        Some((whole, fraction)) => {
            all_digits(whole) && all_digits(fraction) && !(whole.is_empty() && fraction.is_empty())
        }
        None => !mantissa.is_empty() && all_digits(mantissa),
    };
    let exponent_fits = exponent.is_none_or(|text| {
        let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
        !digits.is_empty() && all_digits(digits)
    });
    mantissa_fits && exponent_fits
}

/// `strconv.ParseFloat`, which refuses what does not fit a `float64`.
fn float(text: &str) -> Option<f64> {
    text.parse().ok().filter(|value: &f64| value.is_finite())
}

/// A number that begins with a point; underscores may stand between its digits.
fn fraction(text: &str) -> Option<f64> {
    if !text.contains('_') {
        return float(text);
    }
    let bytes = text.as_bytes();
    let digit = |i: Option<usize>| i.and_then(|i| bytes.get(i)).is_some_and(u8::is_ascii_digit);
    let fits =
        (0..bytes.len()).filter(|i| bytes[*i] == b'_').all(|i| digit(i.checked_sub(1)) && digit(Some(i + 1)));
    if fits { float(&text.replace('_', "")) } else { None }
}

/// The four shapes of date and time that go-yaml knows.
fn is_timestamp(text: &str) -> bool {
    let bytes = text.as_bytes();
    if bytes.len() < 8 || !bytes[..4].iter().all(u8::is_ascii_digit) || bytes[4] != b'-' {
        return false;
    }
    let (date, time) = match text.find(['T', 't', ' ']) {
        Some(i) => (&text[..i], Some((text.as_bytes()[i], &text[i + 1..]))),
        None => (text, None),
    };
    let short = |part: &str, min: u32, max: u32| {
        (1..=2).contains(&part.len())
            && part.bytes().all(|b| b.is_ascii_digit())
            && part.parse().is_ok_and(|n: u32| (min..=max).contains(&n))
    };
    let parts: Vec<&str> = date.split('-').collect();
    if parts.len() != 3 || !short(parts[1], 1, 12) {
        return false;
    }
    let (year, month): (u32, u32) = (parts[0].parse().unwrap_or(0), parts[1].parse().unwrap_or(0));
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    if !short(parts[2], 1, days) {
        return false;
    }
    let Some((separator, time)) = time else { return true };
    let zone = time.find(['Z', '+', '-']);
    let (clock, zone) = time.split_at(zone.unwrap_or(time.len()));
    let zone_fits = match (separator, zone.as_bytes()) {
        (b' ', b"") | (b'T' | b't', b"Z") => true,
        (b'T' | b't', [b'+' | b'-', h1, h2, b':', m1, m2]) => {
            let number = |tens: u8, ones: u8| (tens - b'0') * 10 + (ones - b'0');
            // Go takes offsets up to 24 hours and 60 minutes.
            [h1, h2, m1, m2].iter().all(|b| b.is_ascii_digit())
                && number(*h1, *h2) <= 24
                && number(*m1, *m2) <= 60
        }
        _ => false,
    };
    let fields: Vec<&str> = clock.split(':').collect();
    let [hour, minute, second] = fields[..] else { return false };
    let (second, fraction) = second.split_once(['.', ',']).unwrap_or((second, "0"));
    zone_fits
        && short(hour, 0, 23)
        && short(minute, 0, 59)
        && short(second, 0, 59)
        && !fraction.is_empty()
        && fraction.bytes().all(|b| b.is_ascii_digit())
}
