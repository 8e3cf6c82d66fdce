//! Times as Go's `time.Parse` reads them with the layouts of Kubernetes.

/// A part of a layout.
enum Part {
    /// This character.
    Text(&'static str),
    /// A number of so many digits; the name is for the error about its range. The hour may have one digit.
    Number { layout: &'static str, name: &'static str, low: u32, high: u32, one_digit: bool },
    /// The year.
    Year,
    /// Six digits of a second, behind a point or a comma.
    Micros,
    /// `Z`, or hours and minutes.
    Zone,
}

const TIME: &str = "2006-01-02T15:04:05Z07:00";
const MICRO_TIME: &str = "2006-01-02T15:04:05.000000Z07:00";

/// What is wrong with a time; none if Go takes it. A `MicroTime` has six digits behind the second.
pub(super) fn fault(text: &str, micros: bool) -> Option<String> {
    let number = |layout, name, low, high| Part::Number { layout, name, low, high, one_digit: false };
    let parts = [
        Part::Year,
        Part::Text("-"),
        number("01", "month", 1, 12),
        Part::Text("-"),
        number("02", "", 0, 99),
        Part::Text("T"),
        Part::Number { layout: "15", name: "hour", low: 0, high: 23, one_digit: true },
        Part::Text(":"),
        number("04", "minute", 0, 59),
        Part::Text(":"),
        number("05", "second", 0, 59),
        Part::Micros,
        Part::Zone,
    ];
    let whole = text;
    let shown = quote(whole);
    let layout = if micros { MICRO_TIME } else { TIME };
    let cannot = |rest: &str, part: &str| {
        format!("parsing time {shown} as {}: cannot parse {} as {}", quote(layout), quote(rest), quote(part))
    };
    let out_of_range = |name: &str| Some(format!("parsing time {shown}: {name} out of range"));

    let mut rest = text.as_bytes();
    let (mut year, mut month, mut day) = (0, 0, 0);
    let show = |rest: &[u8]| String::from_utf8_lossy(rest).into_owned();
    for part in &parts {
        match part {
            Part::Text(text) => match rest.split_first() {
                Some((c, after)) if *c == text.as_bytes()[0] => rest = after,
                _ => return Some(cannot(&show(rest), text)),
            },
            Part::Year => {
                let digits = rest.get(..4).filter(|digits| digits.iter().all(u8::is_ascii_digit));
                let Some(digits) = digits else { return Some(cannot(&show(rest), "2006")) };
                year = digits.iter().fold(0, |year, c| year * 10 + u32::from(c - b'0'));
                rest = &rest[4..];
            }
            Part::Number { layout, name, low, high, one_digit } => {
                let digit =
                    |i: usize| rest.get(i).filter(|c| c.is_ascii_digit()).map(|c| u32::from(c - b'0'));
                let (value, length) = match (digit(0), digit(1)) {
                    (Some(a), Some(b)) => (10 * a + b, 2),
                    (Some(a), None) if *one_digit => (a, 1),
                    _ => return Some(cannot(&show(rest), layout)),
                };
                if !(*low..=*high).contains(&value) {
                    return out_of_range(name);
                }
                match *layout {
                    "01" => month = value,
                    "02" => day = value,
                    _ => (),
                }
                rest = &rest[length..];
            }
            Part::Micros => {
                let point = rest.first().is_some_and(|c| matches!(c, b'.' | b','));
                let digits = rest.get(1..).unwrap_or_default();
                let digits = digits.iter().take_while(|c| c.is_ascii_digit()).count();
                if micros {
                    if rest.len() < 7 || !point || digits < 6 {
                        return Some(cannot(&show(rest), ".000000"));
                    }
                    rest = &rest[7..];
                } else if point && digits > 0 {
                    rest = &rest[1 + digits..];
                }
            }
            Part::Zone => match zone(rest) {
                Zone::Length(length) => rest = &rest[length..],
                Zone::OutOfRange(name) => return out_of_range(name),
                Zone::Bad => return Some(cannot(&show(rest), "Z07:00")),
            },
        }
    }
    if !rest.is_empty() {
        return Some(format!("parsing time {shown}: extra text: {}", quote(&show(rest))));
    }
    if day < 1 || day > days(month, year) {
        return out_of_range("day");
    }
    None
}

enum Zone {
    Length(usize),
    OutOfRange(&'static str),
    Bad,
}

fn zone(rest: &[u8]) -> Zone {
    if rest.first() == Some(&b'Z') {
        return Zone::Length(1);
    }
    let Some([sign, h1, h2, b':', m1, m2]) = rest.get(..6) else { return Zone::Bad };
    let number = |a: &u8, b: &u8| {
        (a.is_ascii_digit() && b.is_ascii_digit()).then(|| u32::from(a - b'0') * 10 + u32::from(b - b'0'))
    };
    let hours = number(h1, h2);
    let minutes = hours.and_then(|_| number(m1, m2));
    // A range is looked at before the digits of what follows are missed.
    if hours.is_some_and(|hours| hours > 24) {
        return Zone::OutOfRange("time zone offset hour");
    }
    if minutes.is_some_and(|minutes| minutes > 60) {
        return Zone::OutOfRange("time zone offset minute");
    }
    if minutes.is_some() && matches!(sign, b'+' | b'-') { Zone::Length(6) } else { Zone::Bad }
}

fn days(month: u32, year: u32) -> u32 {
    match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// A text in quotes as the package `time` writes it: all but printable ASCII as bytes.
fn quote(text: &str) -> String {
    use std::fmt::Write;

    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            ' '..='\x7f' => out.push(c),
            _ => {
                for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                    let _ = write!(out, "\\x{byte:02x}");
                }
            }
        }
    }
    out + "\""
}
