//! Doubles as Go's package `fmt` prints them, and as `golang.org/x/text/message` prints them for `en_US`.

use convoy_value::go::format_float;

use crate::function::Context;
use crate::value::EvalError;

/// What Go prints where a number in a format is too large for it: it reads no verb then.
const NO_VERB: &str = "%!(NOVERB)";

/// Whether Go reads a width or precision. It gives up where a further digit follows a number above a million.
fn readable(number: usize) -> bool {
    number / 10 <= 1_000_000
}

/// The name of a value that has no digits.
pub(super) fn infinite_or_nan(value: f64) -> Option<&'static str> {
    if value.is_nan() {
        Some("NaN")
    } else if value.is_infinite() {
        Some(if value > 0.0 { "Infinity" } else { "-Infinity" })
    } else {
        None
    }
}

/// `fmt.Sprintf` of a finite double with `%.<precision><verb>`.
pub(super) fn go_float(
    context: &Context<'_>,
    value: f64,
    verb: char,
    precision: usize,
) -> Result<String, EvalError> {
    if !readable(precision) {
        // The value is left over then.
        let value = format_float(value, 'g', None, 64);
        return Ok(format!("{NO_VERB}%!(EXTRA float64={value})"));
    }
    context.charge(precision)?;
    let text = format_float(value, verb, Some(precision), 64);
    // Exact digits of large and small numbers are found one by one.
    context.work(text.len() / 8)?;
    Ok(text)
}

/// A decimal number `0.DIGITS * 10^exponent`, without zeros at either end of the digits.
struct Decimal {
    digits: String,
    exponent: i32,
}

impl Decimal {
    /// Reads what [`format_float`] writes with the verb `e` for a finite number.
    fn of(text: &str) -> Decimal {
        let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
        let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
        let digits = digits.trim_end_matches('0');
        let exponent = exponent.parse::<i32>().unwrap_or_default().saturating_add(1);
        if digits.is_empty() {
            Decimal { digits: String::new(), exponent: 0 }
        } else {
            Decimal { digits: digits.to_owned(), exponent }
        }
    }

    /// Reads a number without exponent.
    fn of_positional(text: &str) -> Decimal {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let all = format!("{whole}{fraction}");
        let significant = all.trim_start_matches('0');
        let leading = (all.len() - significant.len()) as i32;
        let digits = significant.trim_end_matches('0');
        let exponent = if digits.is_empty() { 0 } else { whole.len() as i32 - leading };
        Decimal { digits: digits.to_owned(), exponent }
    }
}

/// `%.<precision>f` for `en_US`: with commas between groups of three digits.
///
/// The printer keeps the greatest number of decimals in 16 bits and the least in 8, so that high precisions are taken
/// for others.
pub(super) fn localized_fixed(value: f64, precision: usize) -> String {
    if !readable(precision) {
        return NO_VERB.to_owned();
    }
    let sign = sign(value);
    if !value.is_finite() {
        return localized_special(value);
    }
    let least = usize::from(precision as u8);
    let decimal = match usize::try_from(precision as i16) {
        Ok(most) => Decimal::of_positional(&format_float(value.abs(), 'f', Some(most), 64)),
        // A negative number is for no limit.
        Err(_) => Decimal::of(&format_float(value.abs(), 'e', None, 64)),
    };
    let whole_len = usize::try_from(decimal.exponent).unwrap_or(0);
    let (whole, fraction) = decimal.digits.split_at(whole_len.min(decimal.digits.len()));
    let mut whole = format!("{whole:0<whole_len$}");
    if whole.is_empty() {
        whole.push('0');
    }
    let zeros = usize::try_from(-decimal.exponent).unwrap_or(0);
    let mut fraction = format!("{}{fraction}", "0".repeat(zeros));
    while fraction.len() < least {
        fraction.push('0');
    }
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{sign}{}{point}{fraction}", grouped(&whole))
}

/// Digits with a comma before each group of three that others stand before.
fn grouped(digits: &str) -> String {
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// `%<width>e` for `en_US`: six decimals and a power of ten in superscript.
pub(super) fn localized_scientific(
    context: &Context<'_>,
    value: f64,
    width: usize,
) -> Result<String, EvalError> {
    if !readable(width) {
        return Ok(NO_VERB.to_owned());
    }
    let text = if value.is_finite() {
        let text = format_float(value.abs(), 'e', Some(6), 64);
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "+00"));
        let exponent = superscript(exponent);
        format!("{}{mantissa}×10{exponent}", sign(value))
    } else {
        localized_special(value)
    };
    // The printer keeps the width in 16 bits.
    let padding = usize::from(width as u16).saturating_sub(text.chars().count());
    context.charge(padding)?;
    Ok(format!("{}{text}", " ".repeat(padding)))
}

/// An exponent such as `+07` or `-120` in superscript, without plus sign.
fn superscript(exponent: &str) -> String {
    exponent
        .chars()
        .filter_map(|character| match character {
            '-' => Some('\u{207b}'),
            '1' => Some('\u{b9}'),
            '2' => Some('\u{b2}'),
            '3' => Some('\u{b3}'),
            digit => char::from_u32(0x2070 + digit.to_digit(10)?),
        })
        .collect()
}

fn localized_special(value: f64) -> String {
    if value.is_nan() { "NaN".to_owned() } else { format!("{}∞", sign(value)) }
}

/// The sign; zero has none.
fn sign(value: f64) -> &'static str {
    if value < 0.0 { "-" } else { "" }
}
