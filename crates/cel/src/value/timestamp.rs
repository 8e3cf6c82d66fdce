//! The calendar, and timestamps from and as text, as Go's package `time` has them.

use super::Timestamp;

/// The first second of the year 1.
pub const MIN_SECONDS: i64 = -62_135_596_800;
/// The last second of the year 9999.
pub const MAX_SECONDS: i64 = 253_402_300_799;

const DAY: i64 = 86_400;

/// A date and time of day in the Gregorian calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Civil {
    /// The year; 0 is the year before 1.
    pub year: i64,
    /// The month, 1 to 12.
    pub month: i64,
    /// The day of the month, 1 to 31.
    pub day: i64,
    /// The day of the year, 0 to 365.
    pub day_of_year: i64,
    /// The day of the week, 0 (Sunday) to 6.
    pub weekday: i64,
    /// The hour.
    pub hour: i64,
    /// The minute.
    pub minute: i64,
    /// The second.
    pub second: i64,
}

/// The date and time of day of a number of seconds since 1970.
pub fn civil(seconds: i64) -> Civil {
    let days = seconds.div_euclid(DAY);
    let time = seconds.rem_euclid(DAY);
    // Years are counted from March on, in cycles of 400 years, so that the leap day is the last day of a year.
    let shifted = days + 719_468;
    let cycle = shifted.div_euclid(146_097);
    let of_cycle = shifted.rem_euclid(146_097);
    let year_of_cycle = (of_cycle - of_cycle / 1_460 + of_cycle / 36_524 - of_cycle / 146_096) / 365;
    let of_year = of_cycle - (365 * year_of_cycle + year_of_cycle / 4 - year_of_cycle / 100);
    let month_from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_cycle + cycle * 400 + i64::from(month <= 2);
    Civil {
        year,
        month,
        day,
        day_of_year: days - days_before(year, 1, 1),
        weekday: (days + 4).rem_euclid(7),
        hour: time / 3600,
        minute: time / 60 % 60,
        second: time % 60,
    }
}

/// The days from 1970 to a date.
fn days_before(year: i64, month: i64, day: i64) -> i64 {
    let year = year - i64::from(month <= 2);
    let cycle = year.div_euclid(400);
    let year_of_cycle = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    cycle * 146_097 + year_of_cycle * 365 + year_of_cycle / 4 - year_of_cycle / 100 + of_year - 719_468
}

fn days_in(year: i64, month: i64) -> i64 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        _ => 31,
    }
}

/// What is left of the text of a timestamp.
struct Rest<'a>(&'a [u8]);

impl Rest<'_> {
    fn digit(&mut self) -> Option<i64> {
        let (first, rest) = self.0.split_first()?;
        if !first.is_ascii_digit() {
            return None;
        }
        self.0 = rest;
        Some(i64::from(first - b'0'))
    }

    /// So many digits.
    fn digits(&mut self, count: usize) -> Option<i64> {
        (0..count).try_fold(0, |value, _| Some(value * 10 + self.digit()?))
    }

    fn byte(&mut self, byte: u8) -> Option<()> {
        self.0 = self.0.strip_prefix(&[byte])?;
        Some(())
    }

    /// Digits behind a point or comma, as nanoseconds; those beyond the ninth do not count. A point without a digit
    /// stays.
    fn nanos(&mut self) -> u32 {
        let [b'.' | b',', digits @ ..] = self.0 else { return 0 };
        let length = digits.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if length == 0 {
            return 0;
        }
        let (digits, rest) = digits.split_at(length);
        self.0 = rest;
        let used = digits.iter().copied().chain(std::iter::repeat(b'0')).take(9);
        used.fold(0, |value, digit| value * 10 + u32::from(digit - b'0'))
    }
}

/// `time.Parse(time.RFC3339, text)`: the timestamp of a text; none where Go has an error. Go takes a little more than
/// RFC 3339 has: hours of one digit, a comma before the decimals, offsets up to 24:60. The range is that of Go, the
/// years 0 to 9999.
pub fn parse(text: &str) -> Option<Timestamp> {
    let mut rest = Rest(text.as_bytes());
    let year = rest.digits(4)?;
    rest.byte(b'-')?;
    let month = rest.digits(2).filter(|month| (1..=12).contains(month))?;
    rest.byte(b'-')?;
    let day = rest.digits(2)?;
    rest.byte(b'T')?;
    let hour = rest.digit()?;
    let hour = rest.digit().map_or(hour, |next| hour * 10 + next);
    rest.byte(b':')?;
    let minute = rest.digits(2)?;
    rest.byte(b':')?;
    let second = rest.digits(2)?;
    if hour > 23 || minute > 59 || second > 59 || !(1..=days_in(year, month)).contains(&day) {
        return None;
    }
    let nanos = rest.nanos();
    let offset = if rest.byte(b'Z').is_some() {
        0
    } else {
        let sign = if rest.byte(b'-').is_some() { -1 } else { rest.byte(b'+').map(|()| 1)? };
        let hours = rest.digits(2)?;
        rest.byte(b':')?;
        let minutes = rest.digits(2)?;
        if hours > 24 || minutes > 60 {
            return None;
        }
        sign * (hours * 60 + minutes) * 60
    };
    if !rest.0.is_empty() {
        return None;
    }
    let seconds = days_before(year, month, day) * DAY + hour * 3600 + minute * 60 + second - offset;
    Some(Timestamp { seconds, nanos, offset: offset as i32 })
}

/// The decimals of a second with their point, without zeros at the end.
fn decimals(nanos: u32) -> String {
    if nanos == 0 {
        return String::new();
    }
    format!(".{nanos:09}").trim_end_matches('0').to_owned()
}

/// The sign, hours and minutes of an offset.
fn offset_parts(offset: i32) -> (char, u32, u32) {
    let minutes = (offset / 60).unsigned_abs();
    (if offset < 0 { '-' } else { '+' }, minutes / 60, minutes % 60)
}

/// What `string(timestamp)` gives (Go's layout `RFC3339Nano`), in its own offset: `2023-01-01T00:00:00.5+05:30`.
pub fn to_text(timestamp: &Timestamp) -> String {
    let Civil { year, month, day, hour, minute, second, .. } = shown(timestamp);
    let zone = if timestamp.offset == 0 {
        "Z".to_owned()
    } else {
        let (sign, hours, minutes) = offset_parts(timestamp.offset);
        format!("{sign}{hours:02}:{minutes:02}")
    };
    let decimals = decimals(timestamp.nanos);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{decimals}{zone}")
}

/// What Go prints for a `time.Time`: `2023-01-01 00:00:00.5 +0530 +0530`.
pub fn go_text(timestamp: &Timestamp) -> String {
    let Civil { year, month, day, hour, minute, second, .. } = shown(timestamp);
    let (sign, hours, minutes) = offset_parts(timestamp.offset);
    let zone = if timestamp.offset == 0 { "UTC".to_owned() } else { format!("{sign}{hours:02}{minutes:02}") };
    let decimals = decimals(timestamp.nanos);
    format!(
        "{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}{decimals} {sign}{hours:02}{minutes:02} {zone}"
    )
}

fn shown(timestamp: &Timestamp) -> Civil {
    civil(timestamp.seconds.saturating_add(i64::from(timestamp.offset)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_go_reads() {
        let cases = [
            ("1970-01-01T00:00:01Z", Some((1, 0, 0))),
            ("2023-01-01T1:00:00Z", Some((1_672_534_800, 0, 0))),
            ("2023-01-01T01:00:00,5Z", Some((1_672_534_800, 500_000_000, 0))),
            ("2023-01-01T01:00:00.9999999999Z", Some((1_672_534_800, 999_999_999, 0))),
            ("2023-01-01T01:00:00+24:00", Some((1_672_448_400, 0, 86_400))),
            ("2023-01-01T01:00:00+05:60", Some((1_672_513_200, 0, 21_600))),
            ("2023-01-01T01:00:00-00:00", Some((1_672_534_800, 0, 0))),
            ("0001-01-01T00:00:00Z", Some((MIN_SECONDS, 0, 0))),
            ("0000-01-01T00:00:00Z", Some((-62_167_219_200, 0, 0))),
            ("9999-12-31T23:59:59.999999999Z", Some((MAX_SECONDS, 999_999_999, 0))),
            ("2024-02-29T00:00:00Z", Some((1_709_164_800, 0, 0))),
            ("2023-02-29T01:00:00Z", None),
            ("2100-02-29T01:00:00Z", None),
            ("2023-1-01T00:00:00Z", None),
            ("2023-00-01T00:00:00Z", None),
            ("2023-13-01T00:00:00Z", None),
            ("2023-01-00T00:00:00Z", None),
            ("2023-01-01T24:00:00Z", None),
            ("2023-01-01T01:00:60Z", None),
            ("2023-01-01T01:00:00.Z", None),
            ("2023-01-01t01:00:00z", None),
            ("2023-01-01T01:00:00+25:00", None),
            ("2023-01-01T01:00:00+99:99", None),
            ("2023-01-01T01:00:00+0500", None),
            ("2023-01-01T01:00:00 05:00", None),
            ("2023-01-01T01:00:00", None),
            ("2023-01-01 01:00:00Z", None),
            ("2023-01-01T01:00:00Z ", None),
            ("12023-01-01T01:00:00Z", None),
            ("", None),
        ];
        for (text, want) in cases {
            let got = parse(text).map(|timestamp| (timestamp.seconds, timestamp.nanos, timestamp.offset));
            assert_eq!(got, want, "{text}");
        }
    }

    #[test]
    fn texts_of_timestamps() {
        let text = |seconds, nanos, offset| to_text(&Timestamp { seconds, nanos, offset });
        assert_eq!(text(0, 0, 0), "1970-01-01T00:00:00Z");
        assert_eq!(text(1_672_513_200, 120_000_000, 21_600), "2023-01-01T01:00:00.12+06:00");
        assert_eq!(text(1_672_448_400, 0, 86_400), "2023-01-01T01:00:00+24:00");
        assert_eq!(text(MAX_SECONDS - 14_400 - 3_600, 1, 18_000), "9999-12-31T23:59:59.000000001+05:00");
        assert_eq!(text(253_402_297_199, 0, 18_000), "10000-01-01T03:59:59+05:00");
        assert_eq!(text(MIN_SECONDS + 3_600, 0, -18_000), "0000-12-31T20:00:00-05:00");
        let go = |text: &str| parse(text).map(|timestamp| go_text(&timestamp)).unwrap_or_default();
        assert_eq!(go("2023-01-01T00:00:00.5+05:30"), "2023-01-01 00:00:00.5 +0530 +0530");
        assert_eq!(go("2023-01-01T00:00:00-03:45"), "2023-01-01 00:00:00 -0345 -0345");
        assert_eq!(go("2023-01-01T00:00:00Z"), "2023-01-01 00:00:00 +0000 UTC");
    }

    #[test]
    fn the_calendar() {
        let day = civil(1_709_164_800);
        assert_eq!((day.year, day.month, day.day, day.day_of_year, day.weekday), (2024, 2, 29, 59, 4));
        let first = civil(MIN_SECONDS);
        assert_eq!((first.year, first.month, first.day, first.day_of_year, first.weekday), (1, 1, 1, 0, 1));
        let last = civil(MAX_SECONDS);
        assert_eq!((last.year, last.month, last.day, last.day_of_year, last.weekday), (9999, 12, 31, 364, 5));
        assert_eq!((last.hour, last.minute, last.second), (23, 59, 59));
        // No number of seconds is too large to be taken apart.
        civil(i64::MIN);
        civil(i64::MAX);
    }
}
