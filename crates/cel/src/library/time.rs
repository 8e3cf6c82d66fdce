//! The part of the standard library that knows time: timestamps, durations and their parts.

mod zone;

use zone::Zone;

use super::standard::conversion::{conversion, converted};
use crate::function::{Context, Function, Overload};
use crate::types::Type;
use crate::value::timestamp::{Civil, civil};
use crate::value::{EvalError, Outcome, Timestamp, Val, duration};

const SECOND: i64 = 1_000_000_000;

/// The functions.
pub fn functions() -> Vec<Function> {
    let mut functions = vec![
        conversion(
            "duration",
            "A duration from a text such as `1h30m` or `-0.5s`; units are h, m, s, ms, us and ns.",
            Type::Duration,
            to_duration,
            &[
                ("duration_to_duration", Type::Duration, "duration(duration('5s')) // duration('5s')"),
                ("string_to_duration", Type::String, "duration('1m30s') // duration('90s')"),
            ],
        ),
        conversion(
            "timestamp",
            "A time from a text as in RFC 3339 or from the seconds since 1970.",
            Type::Timestamp,
            to_timestamp,
            &[
                (
                    "timestamp_to_timestamp",
                    Type::Timestamp,
                    "timestamp(timestamp(0)) // timestamp('1970-01-01T00:00:00Z')",
                ),
                ("int64_to_timestamp", Type::Int, "timestamp(86400) // timestamp('1970-01-02T00:00:00Z')"),
                (
                    "string_to_timestamp",
                    Type::String,
                    "timestamp('2024-02-29T12:00:00+01:00') // timestamp('2024-02-29T11:00:00Z')",
                ),
            ],
        ),
    ];
    functions.extend(PARTS.iter().map(Part::function));
    functions
}

fn to_duration(context: &Context<'_>, args: &[Val]) -> Outcome {
    converted(context, args, &Type::Duration)
}

fn to_timestamp(context: &Context<'_>, args: &[Val]) -> Outcome {
    converted(context, args, &Type::Timestamp)
}

/// A getter: of a time in UTC, of a time in a zone, and some of a duration.
struct Part {
    name: &'static str,
    summary: &'static str,
    /// In UTC: id, implementation and example.
    utc: Getter,
    /// In a zone.
    zoned: Getter,
    /// Of a duration.
    duration: Option<Getter>,
}

type Getter = (&'static str, crate::function::Implementation, &'static str);

impl Part {
    fn function(&self) -> Function {
        let (id, call, example) = self.utc;
        let mut function = Function::new(super::standard::NAME, self.name, self.summary)
            .overload(Overload::member(id, [Type::Timestamp], Type::Int).unary(call).example(example));
        let (id, call, example) = self.zoned;
        let params = [Type::Timestamp, Type::String];
        function = function.overload(Overload::member(id, params, Type::Int).binary(call).example(example));
        if let Some((id, call, example)) = self.duration {
            function = function
                .overload(Overload::member(id, [Type::Duration], Type::Int).unary(call).example(example));
        }
        function
    }
}

/// The implementation for UTC: the part of the argument that the closure takes.
macro_rules! in_utc {
    ($part:expr) => {
        |_, args| part(args, &$part)
    };
}

/// The same in the zone that the second argument names.
macro_rules! in_zone {
    ($part:expr) => {
        |_, args| part_in_zone(args, &$part)
    };
}

const PARTS: [Part; 10] = [
    Part {
        name: "getFullYear",
        summary: "The year of a time, in UTC or in a time zone.",
        utc: ("timestamp_to_year", in_utc!(year), "timestamp('2024-02-29T23:30:00Z').getFullYear() // 2024"),
        zoned: (
            "timestamp_to_year_with_tz",
            in_zone!(year),
            "timestamp('2023-12-31T23:30:00Z').getFullYear('+01:00') // 2024",
        ),
        duration: None,
    },
    Part {
        name: "getMonth",
        summary: "The month of a time, in UTC or in a time zone; January is 0.",
        utc: ("timestamp_to_month", in_utc!(month), "timestamp('2024-02-29T23:30:00Z').getMonth() // 1"),
        zoned: (
            "timestamp_to_month_with_tz",
            in_zone!(month),
            "timestamp('2024-02-29T23:30:00Z').getMonth('Europe/Berlin') // 2",
        ),
        duration: None,
    },
    Part {
        name: "getDayOfYear",
        summary: "The day of the year of a time, in UTC or in a time zone; the first day is 0.",
        utc: (
            "timestamp_to_day_of_year",
            in_utc!(day_of_year),
            "timestamp('2024-02-29T23:30:00Z').getDayOfYear() // 59",
        ),
        zoned: (
            "timestamp_to_day_of_year_with_tz",
            in_zone!(day_of_year),
            "timestamp('2024-02-29T23:30:00Z').getDayOfYear('+01:00') // 60",
        ),
        duration: None,
    },
    Part {
        name: "getDayOfMonth",
        summary: "The day of the month of a time, in UTC or in a time zone; the first day is 0.",
        utc: (
            "timestamp_to_day_of_month",
            in_utc!(day_of_month),
            "timestamp('2024-02-29T23:30:00Z').getDayOfMonth() // 28",
        ),
        zoned: (
            "timestamp_to_day_of_month_with_tz",
            in_zone!(day_of_month),
            "timestamp('2024-02-29T23:30:00Z').getDayOfMonth('+01:00') // 0",
        ),
        duration: None,
    },
    Part {
        name: "getDate",
        summary: "The day of the month of a time, in UTC or in a time zone; the first day is 1.",
        utc: (
            "timestamp_to_day_of_month_1_based",
            in_utc!(date),
            "timestamp('2024-02-29T23:30:00Z').getDate() // 29",
        ),
        zoned: (
            "timestamp_to_day_of_month_1_based_with_tz",
            in_zone!(date),
            "timestamp('2024-02-29T23:30:00Z').getDate('+01:00') // 1",
        ),
        duration: None,
    },
    Part {
        name: "getDayOfWeek",
        summary: "The day of the week of a time, in UTC or in a time zone; Sunday is 0.",
        utc: (
            "timestamp_to_day_of_week",
            in_utc!(day_of_week),
            "timestamp('2024-02-29T23:30:00Z').getDayOfWeek() // 4",
        ),
        zoned: (
            "timestamp_to_day_of_week_with_tz",
            in_zone!(day_of_week),
            "timestamp('2024-02-29T23:30:00Z').getDayOfWeek('Asia/Tokyo') // 5",
        ),
        duration: None,
    },
    Part {
        name: "getHours",
        summary: "The hour of a time, in UTC or in a time zone, or all whole hours of a duration.",
        utc: ("timestamp_to_hours", in_utc!(hours), "timestamp('2024-02-29T23:30:00Z').getHours() // 23"),
        zoned: (
            "timestamp_to_hours_with_tz",
            in_zone!(hours),
            "timestamp('2024-02-29T23:30:00Z').getHours('-05:00') // 18",
        ),
        duration: Some(("duration_to_hours", hours_of_duration, "duration('26h30m').getHours() // 26")),
    },
    Part {
        name: "getMinutes",
        summary: "The minute of a time, in UTC or in a time zone, or all whole minutes of a duration.",
        utc: (
            "timestamp_to_minutes",
            in_utc!(minutes),
            "timestamp('2024-02-29T23:30:00Z').getMinutes() // 30",
        ),
        zoned: (
            "timestamp_to_minutes_with_tz",
            in_zone!(minutes),
            "timestamp('2024-02-29T23:30:00Z').getMinutes('Asia/Kolkata') // 0",
        ),
        duration: Some((
            "duration_to_minutes",
            minutes_of_duration,
            "duration('26h30m').getMinutes() // 1590",
        )),
    },
    Part {
        name: "getSeconds",
        summary: "The second of a time, in UTC or in a time zone, or all whole seconds of a duration.",
        utc: (
            "timestamp_to_seconds",
            in_utc!(seconds),
            "timestamp('2024-02-29T23:30:15Z').getSeconds() // 15",
        ),
        zoned: (
            "timestamp_to_seconds_tz",
            in_zone!(seconds),
            "timestamp('2024-02-29T23:30:15Z').getSeconds('-05:00') // 15",
        ),
        duration: Some(("duration_to_seconds", seconds_of_duration, "duration('1m2.5s').getSeconds() // 62")),
    },
    Part {
        name: "getMilliseconds",
        summary: "The milliseconds within the second of a time, or all whole milliseconds of a duration.",
        utc: (
            "timestamp_to_milliseconds",
            in_utc!(milliseconds),
            "timestamp('2024-02-29T23:30:15.25Z').getMilliseconds() // 250",
        ),
        zoned: (
            "timestamp_to_milliseconds_with_tz",
            in_zone!(milliseconds),
            "timestamp('2024-02-29T23:30:15.25Z').getMilliseconds('-05:00') // 250",
        ),
        duration: Some((
            "duration_to_milliseconds",
            milliseconds_of_duration,
            "duration('1.5s').getMilliseconds() // 1500",
        )),
    },
];

fn year(date: &Civil, _: &Timestamp) -> i64 {
    date.year
}

fn month(date: &Civil, _: &Timestamp) -> i64 {
    date.month - 1
}

fn day_of_year(date: &Civil, _: &Timestamp) -> i64 {
    date.day_of_year
}

fn day_of_month(date: &Civil, _: &Timestamp) -> i64 {
    date.day - 1
}

fn date(date: &Civil, _: &Timestamp) -> i64 {
    date.day
}

fn day_of_week(date: &Civil, _: &Timestamp) -> i64 {
    date.weekday
}

fn hours(date: &Civil, _: &Timestamp) -> i64 {
    date.hour
}

fn minutes(date: &Civil, _: &Timestamp) -> i64 {
    date.minute
}

fn seconds(date: &Civil, _: &Timestamp) -> i64 {
    date.second
}

fn milliseconds(_: &Civil, time: &Timestamp) -> i64 {
    i64::from(time.nanos / 1_000_000)
}

fn part(args: &[Val], part: &dyn Fn(&Civil, &Timestamp) -> i64) -> Outcome {
    match args {
        [Val::Timestamp(time)] => Ok(Val::Int(part(&civil(time.seconds), time))),
        _ => Err(EvalError::no_such_overload()),
    }
}

fn part_in_zone(args: &[Val], part: &dyn Fn(&Civil, &Timestamp) -> i64) -> Outcome {
    match args {
        [Val::Timestamp(time), Val::String(zone)] => {
            let offset = Zone::new(zone)?.offset(time.seconds);
            Ok(Val::Int(part(&civil(time.seconds.saturating_add(offset)), time)))
        }
        _ => Err(EvalError::no_such_overload()),
    }
}

fn of_duration(args: &[Val], part: fn(i64) -> i64) -> Outcome {
    match args {
        [Val::Duration(nanos)] => Ok(Val::Int(part(*nanos))),
        _ => Err(EvalError::no_such_overload()),
    }
}

/// Whole units of a duration. Go computes them as a double and cuts that off; so does this, as the double may have been
/// rounded up to a whole number.
fn units(nanos: i64, unit: i64) -> i64 {
    ((nanos / unit) as f64 + (nanos % unit) as f64 / unit as f64) as i64
}

fn hours_of_duration(_: &Context<'_>, args: &[Val]) -> Outcome {
    of_duration(args, |nanos| units(nanos, 3600 * SECOND))
}

fn minutes_of_duration(_: &Context<'_>, args: &[Val]) -> Outcome {
    of_duration(args, |nanos| units(nanos, 60 * SECOND))
}

fn seconds_of_duration(_: &Context<'_>, args: &[Val]) -> Outcome {
    of_duration(args, |nanos| duration::seconds(nanos) as i64)
}

fn milliseconds_of_duration(_: &Context<'_>, args: &[Val]) -> Outcome {
    of_duration(args, |nanos| nanos / 1_000_000)
}

#[cfg(test)]
mod tests;
