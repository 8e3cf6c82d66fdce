//! Constants: what `strconv` makes of a literal.

use convoy_text::Span;
use convoy_value::go;

use crate::lex::ItemKind;
use crate::node::Number;

/// `strconv.ParseUint(text, 0, 64)`: prefixes and underscores as in Go source.
fn parse_magnitude(text: &str) -> Option<u128> {
    let bytes = text.as_bytes();
    let (radix, digits) = match bytes {
        [b'0', b'x' | b'X', ..] => (16, &text[2..]),
        [b'0', b'o' | b'O', ..] => (8, &text[2..]),
        [b'0', b'b' | b'B', ..] => (2, &text[2..]),
        [b'0', _, ..] => (8, &text[1..]),
        _ => (10, text),
    };
    if digits.is_empty() || !underscores_fit(text) {
        return None;
    }
    let digits = digits.replace('_', "");
    if !digits.bytes().all(|b| b.is_ascii_alphanumeric()) {
        return None;
    }
    u128::from_str_radix(&digits, radix).ok()
}

/// Underscores may stand between digits, and after a prefix.
fn underscores_fit(text: &str) -> bool {
    if !text.contains('_') {
        return true;
    }
    let text = text.strip_prefix(['+', '-']).unwrap_or(text);
    let bytes = text.as_bytes();
    // Without a prefix, strconv takes underscores only where the base is found out from the text, which a
    // leading 0 or a decimal text does as well.
    let (start, hex) = match bytes {
        [b'0', b'x' | b'X', ..] => (2, true),
        [b'0', b'o' | b'O' | b'b' | b'B', ..] => (2, false),
        _ => (0, false),
    };
    let mut last = if start == 2 { b'0' } else { b'^' };
    for &byte in &bytes[start..] {
        if byte.is_ascii_digit() || (hex && byte.is_ascii_hexdigit()) {
            last = b'0';
        } else if byte == b'_' {
            if last != b'0' {
                return false;
            }
            last = b'_';
        } else {
            if last == b'_' {
                return false;
            }
            last = b'!';
        }
    }
    last != b'_'
}

/// `strconv.ParseFloat(text, 64)`, hexadecimal floats too; `None` where Go gives an error.
fn parse_float(text: &str) -> Option<f64> {
    let (negative, body) = match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    let magnitude = if body.starts_with("0x") || body.starts_with("0X") {
        if !underscores_fit(body) {
            return None;
        }
        let body = body[2..].replace('_', "");
        let (mantissa, exponent) = body.split_once(['p', 'P'])?;
        // An exponent this far out gives zero or more than a float64 holds, whatever its digits are.
        let sign_fits = exponent.trim_start_matches(['+', '-']);
        if sign_fits.is_empty() || !sign_fits.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let far = if exponent.starts_with('-') { -100_000 } else { 100_000 };
        let exponent: i32 = exponent.parse().unwrap_or(far).clamp(-100_000, 100_000);
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        if whole.is_empty() && fraction.is_empty() {
            return None;
        }
        let mut value = 0.0_f64;
        for c in whole.chars().chain(fraction.chars()) {
            value = value * 16.0 + f64::from(c.to_digit(16)?);
        }
        // In two steps, since the power alone may be too small for a float64.
        let power = exponent.saturating_sub(4 * fraction.len() as i32);
        value * 2.0_f64.powi(power / 2) * 2.0_f64.powi(power - power / 2)
    } else {
        if !underscores_fit(body) || !body.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
            return None;
        }
        body.replace('_', "").parse().ok()?
    };
    let value = if negative { -magnitude } else { magnitude };
    value.is_finite().then_some(value)
}

/// One character of a Go literal that is quoted with `quote`: its value, whether it is a character (and not a
/// byte), and the rest of the text.
pub(crate) fn unquote_char(text: &str, quote: char) -> Option<(u32, bool, &str)> {
    let mut chars = text.chars();
    let c = chars.next()?;
    if c == quote && (quote == '\'' || quote == '"') {
        return None;
    }
    if c != '\\' {
        return Some((c as u32, true, chars.as_str()));
    }
    let c = chars.next()?;
    let rest = chars.as_str();
    let simple = |value: u32| Some((value, true, rest));
    match c {
        'a' => simple(7),
        'b' => simple(8),
        'f' => simple(12),
        'n' => simple(10),
        'r' => simple(13),
        't' => simple(9),
        'v' => simple(11),
        '\\' => simple('\\' as u32),
        'x' | 'u' | 'U' => {
            let len = match c {
                'x' => 2,
                'u' => 4,
                _ => 8,
            };
            let digits = rest.get(..len)?;
            if !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
                return None;
            }
            let value = u32::from_str_radix(digits, 16).ok()?;
            if c != 'x' && char::from_u32(value).is_none() {
                return None;
            }
            Some((value, c != 'x', &rest[len..]))
        }
        '0'..='7' => {
            let digits = text.get(1..4)?;
            let value = u32::from_str_radix(digits, 8).ok().filter(|v| *v <= 255)?;
            if !digits.bytes().all(|b| (b'0'..=b'7').contains(&b)) {
                return None;
            }
            Some((value, false, &text[4..]))
        }
        '\'' | '"' if c == quote => simple(c as u32),
        _ => None,
    }
}

/// `strconv.Unquote` of a string or raw string literal.
pub(crate) fn unquote(literal: &str) -> Option<Vec<u8>> {
    let quote = literal.chars().next()?;
    let body = literal.get(1..literal.len().checked_sub(1)?)?;
    if quote == '`' {
        // Carriage returns are dropped from raw strings.
        return Some(body.bytes().filter(|b| *b != b'\r').collect());
    }
    if body.contains('\n') {
        return None;
    }
    let mut out = Vec::with_capacity(body.len());
    let mut rest = body;
    while !rest.is_empty() {
        let (value, is_char, tail) = unquote_char(rest, quote)?;
        if is_char || value < 0x80 {
            let c = char::from_u32(value).unwrap_or('\u{FFFD}');
            out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        } else {
            out.push(value as u8);
        }
        rest = tail;
    }
    Some(out)
}

/// `1+2i` as `fmt.Sscan` reads it.
fn complex(text: &str) -> Result<(f64, f64), String> {
    const ERROR: &str = "syntax error scanning complex number";
    let real = float_token(text);
    let (real, rest) = text.split_at(real);
    if !rest.starts_with(['+', '-']) {
        return Err(ERROR.into());
    }
    let (imaginary, rest) = rest.split_at(1 + float_token(&rest[1..]));
    if !rest.starts_with('i') {
        return Err(ERROR.into());
    }
    Ok((scanned_float(real)?, scanned_float(imaginary)?))
}

/// How much of a text `fmt.Sscan` takes for a floating-point number, whether it is one or not.
fn float_token(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    let accept = |at: &mut usize, valid: &[u8]| {
        let accepted = bytes.get(*at).is_some_and(|b| valid.contains(b));
        *at += usize::from(accepted);
        accepted
    };
    // A letter of "nan" or "inf" is taken even where the next one is not there.
    if accept(&mut at, b"nN") && accept(&mut at, b"aA") && accept(&mut at, b"nN") {
        return at;
    }
    accept(&mut at, b"+-");
    if accept(&mut at, b"iI") && accept(&mut at, b"nN") && accept(&mut at, b"fF") {
        return at;
    }
    let decimal: &[u8] = b"0123456789_";
    let (digits, exponent): (&[u8], &[u8]) = if accept(&mut at, b"0") && accept(&mut at, b"xX") {
        (b"0123456789abcdefABCDEF_", b"pP")
    } else {
        (decimal, b"eEpP")
    };
    while accept(&mut at, digits) {}
    if accept(&mut at, b".") {
        while accept(&mut at, digits) {}
    }
    if accept(&mut at, exponent) {
        accept(&mut at, b"+-");
        while accept(&mut at, decimal) {}
    }
    at
}

fn scanned_float(text: &str) -> Result<f64, String> {
    parse_float(text).ok_or_else(|| {
        // Where only the magnitude is too large, the text is a number for Rust.
        let too_large = text.parse::<f64>().is_ok_and(f64::is_infinite);
        let why = if too_large { "value out of range" } else { "invalid syntax" };
        format!("strconv.ParseFloat: parsing {}: {why}", go::quote(text.as_bytes()))
    })
}

/// The number that a literal stands for, or Go's error.
pub(crate) fn number(kind: ItemKind, text: &str, span: Span) -> Result<Number, String> {
    let mut number = Number { span, text: text.into(), int: None, uint: None, float: None, complex: None };
    match kind {
        ItemKind::CharConstant => {
            let Some((value, _, tail)) = text.get(1..).and_then(|body| unquote_char(body, '\'')) else {
                return Err("invalid syntax".to_owned());
            };
            if tail != "'" {
                return Err(format!("malformed character constant: {text}"));
            }
            number.int = Some(i64::from(value));
            number.uint = Some(u64::from(value));
            number.float = Some(f64::from(value));
            return Ok(number);
        }
        ItemKind::Complex => {
            number.complex = Some(complex(text)?);
            simplify(&mut number);
            return Ok(number);
        }
        _ => {}
    }
    if let Some(body) = text.strip_suffix('i')
        && let Some(imaginary) = parse_float(body)
    {
        number.complex = Some((0.0, imaginary));
        simplify(&mut number);
        return Ok(number);
    }
    let (sign, body) = match text.as_bytes().first() {
        Some(b'-') => (-1, &text[1..]),
        Some(b'+') => (1, &text[1..]),
        _ => (0, text),
    };
    if let Some(magnitude) = parse_magnitude(body) {
        if sign == 0 {
            number.uint = u64::try_from(magnitude).ok();
        }
        if sign < 0 && magnitude <= 1 << 63 {
            number.int = Some((magnitude as i64).wrapping_neg());
        } else if sign >= 0 {
            number.int = i64::try_from(magnitude).ok();
        }
        if number.int == Some(0) {
            number.uint = Some(0);
        }
    }
    if let Some(int) = number.int {
        number.float = Some(int as f64);
    } else if let Some(uint) = number.uint {
        number.float = Some(uint as f64);
    } else if let Some(float) = parse_float(text) {
        if !text.contains(['.', 'e', 'E', 'p', 'P']) {
            return Err(format!("integer overflow: {}", go::quote(text.as_bytes())));
        }
        number.float = Some(float);
        if (float as i64) as f64 == float && float.abs() < 9.3e18 {
            number.int = Some(float as i64);
        }
        if (float as u64) as f64 == float && float >= 0.0 {
            number.uint = Some(float as u64);
        }
    }
    if number.float.is_none() {
        return Err(format!("illegal number syntax: {}", go::quote(text.as_bytes())));
    }
    Ok(number)
}

/// A complex number without an imaginary part also is a plain one.
fn simplify(number: &mut Number) {
    let Some((real, imaginary)) = number.complex else { return };
    if imaginary != 0.0 {
        return;
    }
    number.float = Some(real);
    if (real as i64) as f64 == real {
        number.int = Some(real as i64);
    }
    if real >= 0.0 && (real as u64) as f64 == real {
        number.uint = Some(real as u64);
    }
}
