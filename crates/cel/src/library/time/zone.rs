//! Time zones by the texts that cel-go takes: names of the tz database, and offsets.

use std::sync::OnceLock;

use convoy_value::go::quote;
use jiff::tz::{TimeZone, TimeZoneDatabase};

use crate::value::EvalError;
use crate::value::duration::seconds;

/// A time zone.
pub(super) enum Zone {
    /// So many seconds east of UTC.
    Fixed(i64),
    /// One of the tz database.
    Named(TimeZone),
}

impl Zone {
    /// The zone of a text: `Europe/Berlin`, `+05:30`, `-08:00`, `UTC`.
    ///
    /// The database is the one inside this program. `Local` is UTC, as there is no other local time here.
    ///
    /// # Errors
    ///
    /// cel-go's error for a text that is no zone.
    pub(super) fn new(text: &str) -> Result<Zone, EvalError> {
        match text.split_once(':') {
            Some((hours, minutes)) => offset(text, hours, minutes),
            None => named(text),
        }
    }

    /// The seconds east of UTC at an instant (seconds since 1970).
    pub(super) fn offset(&self, seconds: i64) -> i64 {
        match self {
            Zone::Fixed(offset) => *offset,
            Zone::Named(zone) => {
                // The calendar of the time zone crate ends a day before that of CEL; no rule changes on that day.
                let first = jiff::Timestamp::MIN.as_second();
                let last = jiff::Timestamp::MAX.as_second();
                let instant = jiff::Timestamp::from_second(seconds.clamp(first, last)).unwrap_or_default();
                i64::from(zone.to_offset(instant).seconds())
            }
        }
    }
}

/// cel-go takes any two numbers, and computes with Go's integers, which wrap around.
fn offset(text: &str, hours: &str, minutes: &str) -> Result<Zone, EvalError> {
    let hours = integer(hours)?.wrapping_mul(60);
    let minutes = integer(minutes)?;
    let minutes =
        if text.starts_with('-') { hours.wrapping_sub(minutes) } else { hours.wrapping_add(minutes) };
    Ok(Zone::Fixed(seconds(minutes.wrapping_mul(60_000_000_000)) as i64))
}

/// `strconv.Atoi` with its errors.
fn integer(text: &str) -> Result<i64, EvalError> {
    text.parse().map_err(|_| {
        let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
        let number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        let problem = if number { "value out of range" } else { "invalid syntax" };
        EvalError::new(format!("strconv.Atoi: parsing {}: {problem}", quote(text.as_bytes())))
    })
}

fn named(name: &str) -> Result<Zone, EvalError> {
    if matches!(name, "" | "UTC" | "Local") {
        return Ok(Zone::Fixed(0));
    }
    if name.contains("..") || name.starts_with(['/', '\\']) {
        return Err(EvalError::new("time: invalid location name"));
    }
    match database().get(name) {
        // Here names do not depend on case, but they do in Go.
        Ok(zone) if zone.iana_name() == Some(name) => Ok(Zone::Named(zone)),
        _ => Err(EvalError::new(format!("unknown time zone {name}"))),
    }
}

fn database() -> &'static TimeZoneDatabase {
    static DATABASE: OnceLock<TimeZoneDatabase> = OnceLock::new();
    DATABASE.get_or_init(TimeZoneDatabase::bundled)
}
