//! Package `fmt`: `Sprint`, `Sprintln`, `Sprintf`.

use convoy_value::{Value, go};

use crate::val::Val;

/// `fmt.Sprint`: a space between two operands when neither is a string. None if the text would be longer than
/// `limit` bytes.
pub fn sprint(args: &[Val], limit: usize) -> Option<Vec<u8>> {
    let mut printer = Printer::new(limit);
    let mut previous_string = false;
    for (i, arg) in args.iter().enumerate() {
        let is_string = matches!(arg, Val::Str(_));
        if i > 0 && !is_string && !previous_string {
            printer.out.push(b' ');
        }
        printer.arg(arg, 'v');
        previous_string = is_string;
    }
    printer.finish()
}

/// `fmt.Sprintln`: spaces between all operands and a line break at the end.
pub fn sprintln(args: &[Val], limit: usize) -> Option<Vec<u8>> {
    let mut printer = Printer::new(limit);
    for (i, arg) in args.iter().enumerate() {
        if i > 0 {
            printer.out.push(b' ');
        }
        printer.arg(arg, 'v');
    }
    printer.out.push(b'\n');
    printer.finish()
}

/// `fmt.Sprintf`.
pub fn sprintf(format: &[u8], args: &[Val], limit: usize) -> Option<Vec<u8>> {
    let mut printer = Printer::new(limit);
    printer.format(format, args);
    printer.finish()
}

#[derive(Clone, Copy, Default)]
#[allow(clippy::struct_excessive_bools)]
struct Flags {
    width: Option<usize>,
    precision: Option<usize>,
    minus: bool,
    plus: bool,
    sharp: bool,
    space: bool,
    zero: bool,
    /// `%+v` and `%#v`, which are not the flags of their names.
    plus_v: bool,
    sharp_v: bool,
}

struct Printer {
    out: Vec<u8>,
    flags: Flags,
    limit: usize,
    exceeded: bool,
}

/// Numbers above this are no widths, precisions or argument numbers.
const TOO_LARGE: i64 = 1_000_000;

fn parse_number(format: &[u8], mut i: usize, end: usize) -> (usize, bool, usize) {
    let mut number: i64 = 0;
    let mut found = false;
    while i < end && format[i].is_ascii_digit() {
        if number > TOO_LARGE {
            return (0, false, end);
        }
        number = number * 10 + i64::from(format[i] - b'0');
        found = true;
        i += 1;
    }
    (number as usize, found, i)
}

fn int_arg(args: &[Val], number: usize) -> (Option<i64>, usize) {
    let Some(arg) = args.get(number) else { return (None, number) };
    let value = match arg {
        Val::Int(i) | Val::Int64(i) => Some(*i),
        Val::Uint64(u) => i64::try_from(*u).ok(),
        Val::Uint8(u) => Some(i64::from(*u)),
        _ => None,
    };
    (value.filter(|v| v.unsigned_abs() <= TOO_LARGE as u64), number + 1)
}

/// Decodes one character as `utf8.DecodeRune`: a bad byte is U+FFFD of length 1.
fn decode_rune(bytes: &[u8]) -> (char, usize) {
    for len in 1..=bytes.len().min(4) {
        if let Ok(text) = std::str::from_utf8(&bytes[..len])
            && let Some(c) = text.chars().next()
        {
            return (c, len);
        }
    }
    ('\u{FFFD}', bytes.len().min(1))
}

fn rune_count(bytes: &[u8]) -> usize {
    let mut count = 0;
    let mut i = 0;
    while i < bytes.len() {
        i += decode_rune(&bytes[i..]).1;
        count += 1;
    }
    count
}

impl Printer {
    fn new(limit: usize) -> Self {
        Printer { out: Vec::new(), flags: Flags::default(), limit, exceeded: false }
    }

    fn finish(self) -> Option<Vec<u8>> {
        (!self.exceeded && self.out.len() <= self.limit).then_some(self.out)
    }

    /// Whether there is room for this many bytes; once there is not, nothing more is written.
    fn has_room(&mut self, len: usize) -> bool {
        self.exceeded |= self.out.len().saturating_add(len) > self.limit;
        !self.exceeded
    }

    fn bytes(&mut self, bytes: &[u8]) {
        if self.has_room(bytes.len()) {
            self.out.extend_from_slice(bytes);
        }
    }

    fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    fn rune(&mut self, c: char) {
        self.text(c.encode_utf8(&mut [0; 4]));
    }

    // ---- the format ----

    fn format(&mut self, format: &[u8], args: &[Val]) {
        let end = format.len();
        let mut number = 0;
        let mut reordered = false;
        let mut i = 0;
        while i < end {
            let percent = format[i..].iter().position(|b| *b == b'%').map_or(end, |p| i + p);
            self.bytes(&format[i..percent]);
            i = percent + 1;
            if percent >= end || self.exceeded {
                break;
            }
            self.flags = Flags::default();
            while i < end {
                match format[i] {
                    b'#' => self.flags.sharp = true,
                    b'0' => self.flags.zero = true,
                    b'+' => self.flags.plus = true,
                    b'-' => self.flags.minus = true,
                    b' ' => self.flags.space = true,
                    _ => break,
                }
                i += 1;
            }
            let mut good = true;
            let mut after_index = false;
            let mut arg_number = |number: &mut usize, i: &mut usize, good: &mut bool| {
                if *i >= end || format[*i] != b'[' {
                    return false;
                }
                reordered = true;
                let rest = &format[*i..];
                let (index, width, fits) = bracketed(rest);
                *i += width;
                if let Some(index) = index.filter(|n| fits && *n < args.len()) {
                    *number = index;
                    return true;
                }
                *good = false;
                fits
            };
            after_index |= arg_number(&mut number, &mut i, &mut good);
            if i < end && format[i] == b'*' {
                i += 1;
                let (width, next) = int_arg(args, number);
                number = next;
                match width {
                    None => self.text("%!(BADWIDTH)"),
                    Some(width) => {
                        if width < 0 {
                            self.flags.minus = true;
                            self.flags.zero = false;
                        }
                        self.flags.width = Some(width.unsigned_abs() as usize);
                    }
                }
                after_index = false;
            } else {
                let (width, found, next) = parse_number(format, i, end);
                i = next;
                self.flags.width = found.then_some(width);
                if after_index && found {
                    good = false;
                }
            }
            if i + 1 < end && format[i] == b'.' {
                i += 1;
                if after_index {
                    good = false;
                }
                after_index = arg_number(&mut number, &mut i, &mut good);
                if i < end && format[i] == b'*' {
                    i += 1;
                    let (precision, next) = int_arg(args, number);
                    number = next;
                    self.flags.precision = precision.and_then(|p| usize::try_from(p).ok());
                    if self.flags.precision.is_none() {
                        self.text("%!(BADPREC)");
                    }
                    after_index = false;
                } else {
                    let (precision, found, next) = parse_number(format, i, end);
                    i = next;
                    self.flags.precision = Some(if found { precision } else { 0 });
                }
            }
            if !after_index {
                arg_number(&mut number, &mut i, &mut good);
            }
            if i >= end {
                self.text("%!(NOVERB)");
                break;
            }
            let (verb, len) = decode_rune(&format[i..]);
            i += len;
            match args.get(number) {
                _ if verb == '%' => self.out.push(b'%'),
                _ if !good => self.bad_format(verb, "(BADINDEX)"),
                None => self.bad_format(verb, "(MISSING)"),
                Some(arg) => {
                    if verb == 'v' || verb == 'w' {
                        self.flags.sharp_v = std::mem::take(&mut self.flags.sharp);
                        self.flags.plus_v = std::mem::take(&mut self.flags.plus);
                    }
                    self.arg(arg, verb);
                    number += 1;
                }
            }
        }
        if !reordered && number < args.len() {
            self.flags = Flags::default();
            self.text("%!(EXTRA ");
            for (i, arg) in args[number..].iter().enumerate() {
                if i > 0 {
                    self.text(", ");
                }
                if matches!(arg, Val::Nil | Val::Invalid) {
                    self.text("<nil>");
                } else {
                    self.text(arg.type_name());
                    self.out.push(b'=');
                    self.arg(arg, 'v');
                }
            }
            self.out.push(b')');
        }
    }

    fn bad_format(&mut self, verb: char, what: &str) {
        self.text("%!");
        self.rune(verb);
        self.text(what);
    }

    // ---- padding ----

    fn pad(&mut self, bytes: &[u8]) {
        let fill = self.flags.width.unwrap_or(0).saturating_sub(rune_count(bytes));
        // Zeros pad only to the left.
        if self.flags.minus {
            self.bytes(bytes);
            self.padding(fill, b' ');
        } else {
            let with = if self.flags.zero { b'0' } else { b' ' };
            self.padding(fill, with);
            self.bytes(bytes);
        }
    }

    fn padding(&mut self, count: usize, with: u8) {
        if self.has_room(count) {
            self.out.resize(self.out.len() + count, with);
        }
    }

    fn pad_without_zero(&mut self, bytes: &[u8]) {
        let zero = std::mem::take(&mut self.flags.zero);
        self.pad(bytes);
        self.flags.zero = zero;
    }

    // ---- values ----

    fn bad_verb(&mut self, arg: &Val, verb: char) {
        self.text("%!");
        self.rune(verb);
        self.out.push(b'(');
        match arg {
            Val::Nil | Val::Invalid => self.text("<nil>"),
            arg => {
                self.text(arg.type_name());
                self.out.push(b'=');
                self.arg(arg, 'v');
            }
        }
        self.out.push(b')');
    }

    /// An argument at the top, where nil has no type.
    fn arg(&mut self, arg: &Val, verb: char) {
        match (arg, verb) {
            (Val::Nil | Val::Invalid, 'T' | 'v') => {
                self.pad(b"<nil>");
            }
            (Val::Nil | Val::Invalid, _) => self.bad_verb(arg, verb),
            (arg, 'T') => {
                let name = arg.type_name();
                self.string(name.as_bytes(), 's', arg);
            }
            (_, 'w') => self.bad_verb(arg, verb),
            (arg, verb) => self.value(arg, verb),
        }
    }

    fn value(&mut self, value: &Val, verb: char) {
        match value {
            Val::Invalid | Val::Unknown => self.text("<nil>"),
            Val::Nil => self.text(if self.flags.sharp_v { "interface {}(nil)" } else { "<nil>" }),
            Val::Bool(b) => match verb {
                't' | 'v' => self.pad(if *b { b"true" } else { b"false" }),
                _ => self.bad_verb(value, verb),
            },
            Val::Int(i) | Val::Int64(i) => {
                self.integer(i.unsigned_abs(), *i < 0, *i as u64, true, verb, value);
            }
            Val::Uint64(u) => self.integer(*u, false, *u, false, verb, value),
            Val::Uint8(u) => self.integer(u64::from(*u), false, u64::from(*u), false, verb, value),
            Val::Float(f) => self.float_verb(*f, verb, value),
            Val::Complex(re, im) => {
                if !"vbgGxXfFeE".contains(verb) {
                    self.bad_verb(value, verb);
                    return;
                }
                let plus = self.flags.plus;
                self.out.push(b'(');
                self.float_verb(*re, verb, value);
                self.flags.plus = true;
                self.float_verb(*im, verb, value);
                self.text("i)");
                self.flags.plus = plus;
            }
            Val::Str(bytes) => self.string(bytes, verb, value),
            Val::List(list) => self.list(list, verb),
            Val::Map(map) => self.map(map, false, verb),
            Val::StrMap(map) => self.map(map, true, verb),
        }
    }

    fn list(&mut self, list: &[Value], verb: char) {
        if verb == 'p' {
            self.address();
            return;
        }
        let (open, separator, close) =
            if self.flags.sharp_v { ("[]interface {}{", ", ", "}") } else { ("[", " ", "]") };
        self.text(open);
        for (i, item) in list.iter().enumerate() {
            if i > 0 {
                self.text(separator);
            }
            if self.exceeded {
                return;
            }
            self.value(&Val::from_value(item), verb);
        }
        self.text(close);
    }

    /// Where a list or map lies, which differs from run to run: here always at the same place.
    fn address(&mut self) {
        let sharp = self.flags.sharp;
        self.flags.sharp = !sharp;
        self.digits(0xC0_0000_0000, false, 16, 'v', false);
        self.flags.sharp = sharp;
    }

    fn map(&mut self, map: &convoy_value::Map, strings: bool, verb: char) {
        if verb == 'p' {
            self.address();
            return;
        }
        let (open, separator, close) = match (self.flags.sharp_v, strings) {
            (true, true) => ("map[string]string{", ", ", "}"),
            (true, false) => ("map[string]interface {}{", ", ", "}"),
            (false, _) => ("map[", " ", "]"),
        };
        self.text(open);
        for (i, (key, value)) in Val::sorted(map).into_iter().enumerate() {
            if i > 0 {
                self.text(separator);
            }
            self.value(&Val::str(key), verb);
            self.out.push(b':');
            self.value(&Val::from_value(value), verb);
        }
        self.text(close);
    }

    // ---- integers ----

    fn integer(&mut self, magnitude: u64, negative: bool, bits: u64, signed: bool, verb: char, arg: &Val) {
        match verb {
            'v' if self.flags.sharp_v && !signed => {
                let sharp = std::mem::replace(&mut self.flags.sharp, true);
                self.digits(magnitude, negative, 16, verb, false);
                self.flags.sharp = sharp;
            }
            'v' | 'd' => self.digits(magnitude, negative, 10, verb, false),
            'b' => self.digits(magnitude, negative, 2, verb, false),
            'o' | 'O' => self.digits(magnitude, negative, 8, verb, false),
            'x' => self.digits(magnitude, negative, 16, verb, false),
            'X' => self.digits(magnitude, negative, 16, verb, true),
            'c' => {
                let c = u32::try_from(bits).ok().and_then(char::from_u32).unwrap_or('\u{FFFD}');
                self.pad(c.encode_utf8(&mut [0; 4]).as_bytes());
            }
            'q' => {
                let c = u32::try_from(bits).ok().and_then(char::from_u32).unwrap_or('\u{FFFD}');
                let quoted = go::quote_rune(c, self.flags.plus);
                self.pad(quoted.as_bytes());
            }
            'U' => self.unicode(bits),
            _ => self.bad_verb(arg, verb),
        }
    }

    fn digits(&mut self, magnitude: u64, negative: bool, base: u32, verb: char, upper: bool) {
        let mut precision = 0;
        if let Some(p) = self.flags.precision {
            precision = p;
            if p == 0 && magnitude == 0 {
                let width = self.flags.width.unwrap_or(0);
                self.padding(width, b' ');
                return;
            }
        } else if self.flags.zero
            && !self.flags.minus
            && let Some(width) = self.flags.width
        {
            precision = width;
            if negative || self.flags.plus || self.flags.space {
                precision = precision.saturating_sub(1);
            }
        }
        let mut digits = match base {
            2 => format!("{magnitude:b}"),
            8 => format!("{magnitude:o}"),
            16 if upper => format!("{magnitude:X}"),
            16 => format!("{magnitude:x}"),
            _ => magnitude.to_string(),
        };
        if digits.len() < precision {
            digits.insert_str(0, &"0".repeat(precision - digits.len()));
        }
        if self.flags.sharp {
            match base {
                2 => digits.insert_str(0, "0b"),
                8 if !digits.starts_with('0') => digits.insert(0, '0'),
                16 => digits.insert_str(0, if upper { "0X" } else { "0x" }),
                _ => {}
            }
        }
        if verb == 'O' {
            digits.insert_str(0, "0o");
        }
        if negative {
            digits.insert(0, '-');
        } else if self.flags.plus {
            digits.insert(0, '+');
        } else if self.flags.space {
            digits.insert(0, ' ');
        }
        self.pad_without_zero(digits.as_bytes());
    }

    fn unicode(&mut self, bits: u64) {
        let precision = self.flags.precision.unwrap_or(4).max(4);
        let digits = format!("{bits:X}");
        let mut text = format!("U+{}{digits}", "0".repeat(precision.saturating_sub(digits.len())));
        if self.flags.sharp
            && let Some(c) = u32::try_from(bits).ok().and_then(char::from_u32)
            && go::is_print(c)
        {
            text.push_str(&format!(" '{c}'"));
        }
        self.pad_without_zero(text.as_bytes());
    }

    // ---- floats ----

    fn float_verb(&mut self, value: f64, verb: char, arg: &Val) {
        match verb {
            'v' => self.float(value, 'g', None, verb),
            'b' | 'g' | 'G' | 'x' | 'X' => self.float(value, verb, None, verb),
            'f' | 'e' | 'E' => self.float(value, verb, Some(6), verb),
            'F' => self.float(value, 'f', Some(6), verb),
            _ => self.bad_verb(arg, verb),
        }
    }

    fn float(&mut self, value: f64, verb: char, default: Option<usize>, asked: char) {
        let precision = self.flags.precision.or(default);
        let mut text = match verb {
            'E' => go::format_float(value, 'e', precision, 64).replace('e', "E"),
            'G' => go::format_float(value, 'g', precision, 64).replace('e', "E"),
            'b' => binary_exponent(value),
            'x' | 'X' => hexadecimal(value, precision, verb == 'X'),
            verb => go::format_float(value, verb, precision, 64),
        };
        if !text.starts_with(['-', '+']) {
            text.insert(0, '+');
        }
        if self.flags.space && text.starts_with('+') && !self.flags.plus {
            text.replace_range(0..1, " ");
        }
        if !value.is_finite() {
            if value.is_nan() && !self.flags.space && !self.flags.plus {
                text.remove(0);
            } else if text.starts_with('+') && !self.flags.plus && asked != 'v' {
                // +Inf keeps its sign only where one is asked for; %v shows it.
            }
            self.pad_without_zero(text.as_bytes());
            return;
        }
        if self.flags.sharp && verb != 'b' {
            text = sharp_float(&text, verb, precision);
        }
        if self.flags.plus || !text.starts_with('+') {
            let width = self.flags.width.unwrap_or(0);
            if self.flags.zero && !self.flags.minus && width > text.len() {
                self.out.push(text.as_bytes()[0]);
                self.padding(width - text.len(), b'0');
                self.text(&text[1..]);
                return;
            }
            self.pad(text.as_bytes());
            return;
        }
        self.pad(&text.as_bytes()[1..]);
    }

    // ---- strings ----

    fn truncated<'a>(&self, bytes: &'a [u8]) -> &'a [u8] {
        let Some(precision) = self.flags.precision else { return bytes };
        let mut i = 0;
        for _ in 0..precision {
            if i >= bytes.len() {
                break;
            }
            i += decode_rune(&bytes[i..]).1;
        }
        &bytes[..i]
    }

    fn string(&mut self, bytes: &[u8], verb: char, arg: &Val) {
        match verb {
            'v' if self.flags.sharp_v => self.quoted(bytes),
            'v' | 's' => {
                let cut = self.truncated(bytes);
                self.pad(cut);
            }
            'q' => self.quoted(bytes),
            'x' => self.hex(bytes, false),
            'X' => self.hex(bytes, true),
            _ => self.bad_verb(arg, verb),
        }
    }

    fn quoted(&mut self, bytes: &[u8]) {
        let cut = self.truncated(bytes);
        let text = if self.flags.sharp && can_backquote(cut) {
            format!("`{}`", String::from_utf8_lossy(cut))
        } else if self.flags.plus {
            go::quote_ascii(cut)
        } else {
            go::quote(cut)
        };
        self.pad(text.as_bytes());
    }

    fn hex(&mut self, bytes: &[u8], upper: bool) {
        let len = self.flags.precision.map_or(bytes.len(), |p| p.min(bytes.len()));
        let prefix = if upper { "0X" } else { "0x" };
        let mut text = String::new();
        if len > 0 && self.flags.sharp {
            text.push_str(prefix);
        }
        for (i, byte) in bytes[..len].iter().enumerate() {
            if self.flags.space && i > 0 {
                text.push(' ');
                if self.flags.sharp {
                    text.push_str(prefix);
                }
            }
            text.push_str(&if upper { format!("{byte:02X}") } else { format!("{byte:02x}") });
        }
        let fill = self.flags.width.unwrap_or(0).saturating_sub(text.len());
        let with = if self.flags.zero && !self.flags.minus { b'0' } else { b' ' };
        if !self.flags.minus {
            self.padding(fill, with);
        }
        self.text(&text);
        if self.flags.minus {
            self.padding(fill, b' ');
        }
    }
}

/// `[n]` at the start of the text: the number less one, the bytes it takes, and whether it could be read.
fn bracketed(rest: &[u8]) -> (Option<usize>, usize, bool) {
    if rest.len() < 3 {
        return (None, 1, false);
    }
    let Some(close) = rest.iter().position(|b| *b == b']') else { return (None, 1, false) };
    let (number, found, next) = parse_number(rest, 1, close);
    if !found || next != close {
        return (None, close + 1, false);
    }
    (number.checked_sub(1), close + 1, true)
}

fn can_backquote(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_ok_and(|text| {
        text.chars().all(|c| c != '`' && c != '\u{FEFF}' && c != '\u{7f}' && (c >= ' ' || c == '\t'))
    })
}

/// The sharp flag of floats: a decimal point always, and for `%g` the zeros that it drops.
fn sharp_float(text: &str, verb: char, precision: Option<usize>) -> String {
    let mut digits: i64 = match verb {
        'g' | 'G' | 'x' => precision.map_or(6, |p| p as i64),
        _ => 0,
    };
    let split = match verb {
        'x' | 'X' => text.find(['p', 'P']),
        _ => text.find(['e', 'E']),
    };
    let (number, tail) = text.split_at(split.unwrap_or(text.len()));
    let mut number = number.to_owned();
    let mut point = false;
    let mut nonzero = false;
    for c in number.chars().skip(1) {
        if c == '.' {
            point = true;
            continue;
        }
        nonzero |= c != '0';
        if nonzero {
            digits -= 1;
        }
    }
    if !point {
        if number.len() == 2 && number.ends_with('0') {
            digits -= 1;
        }
        number.push('.');
    }
    for _ in 0..digits.max(0) {
        number.push('0');
    }
    number + tail
}

fn exponent_and_mantissa(value: f64) -> (u64, i32) {
    let bits = value.to_bits();
    let exponent = ((bits >> 52) & 0x7FF) as i32;
    let fraction = bits & ((1 << 52) - 1);
    if exponent == 0 { (fraction, -1074) } else { (fraction | (1 << 52), exponent - 1075) }
}

/// `%b`: the mantissa and the power of two.
fn binary_exponent(value: f64) -> String {
    if !value.is_finite() {
        return go::format_float(value, 'g', None, 64);
    }
    let (mantissa, exponent) = exponent_and_mantissa(value);
    let sign = if value.is_sign_negative() { "-" } else { "" };
    format!("{sign}{mantissa}p{exponent:+}")
}

/// `%x`: hexadecimal mantissa with a power of two.
fn hexadecimal(value: f64, precision: Option<usize>, upper: bool) -> String {
    if !value.is_finite() {
        return go::format_float(value, 'g', None, 64);
    }
    let sign = if value.is_sign_negative() { "-" } else { "" };
    let (mut mantissa, mut exponent) = exponent_and_mantissa(value);
    if mantissa == 0 {
        exponent = 0;
    } else {
        exponent += 52;
        // One bit before the point, the others after it.
        let shift = mantissa.leading_zeros() - 11;
        mantissa <<= shift;
        exponent -= shift as i32;
    }
    let mut fraction = mantissa & ((1 << 52) - 1);
    let mut whole = mantissa >> 52;
    let text = match precision {
        None => format!("{fraction:013x}").trim_end_matches('0').to_owned(),
        Some(p) if p < 13 => {
            let drop = 52 - 4 * p as u32;
            let all = (whole << 52) | fraction;
            let half = 1_u64 << (drop - 1);
            let mut kept = all >> drop;
            let rest = all & ((1 << drop) - 1);
            if rest > half || (rest == half && kept & 1 == 1) {
                kept += 1;
            }
            let all = kept << drop;
            whole = all >> 52;
            fraction = all & ((1 << 52) - 1);
            if whole > 1 {
                whole >>= 1;
                exponent += 1;
            }
            format!("{fraction:013x}")[..p].to_owned()
        }
        Some(p) => format!("{fraction:013x}{}", "0".repeat(p - 13)),
    };
    let dot = if text.is_empty() { "" } else { "." };
    let exponent_sign = if exponent < 0 { '-' } else { '+' };
    let out = format!("{sign}0x{whole}{dot}{text}p{exponent_sign}{:02}", exponent.abs());
    if upper { out.to_uppercase() } else { out }
}
