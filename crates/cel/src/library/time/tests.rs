//! The values and texts here are answers of cel-go.

use crate::library::standard::tests::answer;
use crate::types::Type;
use crate::value::timestamp::{MAX_SECONDS, MIN_SECONDS, parse};
use crate::value::{Timestamp, Val, duration};

fn time(text: &str) -> Val {
    parse(text).map_or(Val::Null, Val::Timestamp)
}

fn span(text: &str) -> Val {
    duration::parse(text).map_or(Val::Null, Val::Duration)
}

/// A part of a time in a zone, by the name of the part.
fn zoned(name: &str, at: &str, zone: &str) -> String {
    let functions = super::functions();
    let function = functions.iter().find(|function| &*function.name == name);
    let overload = function.and_then(|function| function.overloads.iter().find(|o| o.params.len() == 2));
    let id = overload.map_or("", |overload| &*overload.id);
    answer(&functions, name, id, &[time(at), Val::string(zone)])
}

#[test]
fn parts_in_utc() {
    let at = Val::Timestamp(Timestamp { seconds: 1_709_251_199, nanos: 123_456_789, offset: 3_600 });
    let functions = super::functions();
    let parts: Vec<_> = functions
        .iter()
        .flat_map(|function| function.overloads.iter().map(move |overload| (function, overload)))
        .filter(|(function, overload)| {
            function.name.starts_with("get") && *overload.params == [Type::Timestamp]
        })
        .map(|(function, overload)| {
            let answer = answer(&functions, &function.name, &overload.id, std::slice::from_ref(&at));
            format!("{} {answer}", function.name)
        })
        .collect();
    assert_eq!(
        parts,
        [
            "getFullYear int 2024",
            "getMonth int 1",
            "getDayOfYear int 59",
            "getDayOfMonth int 28",
            "getDate int 29",
            "getDayOfWeek int 4",
            "getHours int 23",
            "getMinutes int 59",
            "getSeconds int 59",
            "getMilliseconds int 123",
        ]
    );
}

#[test]
fn zones() {
    let winter = "2023-01-01T00:00:00Z";
    assert_eq!(zoned("getHours", winter, "America/New_York"), "int 19");
    assert_eq!(zoned("getHours", "2023-07-01T00:00:00Z", "America/New_York"), "int 20");
    // The clock goes from 02:00 to 03:00 in spring, and from 03:00 to 02:00 in autumn.
    assert_eq!(zoned("getHours", "2024-03-31T00:59:59Z", "Europe/Berlin"), "int 1");
    assert_eq!(zoned("getHours", "2024-03-31T01:00:00Z", "Europe/Berlin"), "int 3");
    assert_eq!(zoned("getHours", "2024-10-27T00:59:59Z", "Europe/Berlin"), "int 2");
    assert_eq!(zoned("getHours", "2024-10-27T01:00:00Z", "Europe/Berlin"), "int 2");
    // Half an hour of daylight saving time, and rules that hold for ever.
    assert_eq!(zoned("getMinutes", "2024-07-01T00:00:00Z", "Australia/Lord_Howe"), "int 30");
    assert_eq!(zoned("getHours", "2500-07-01T00:00:00Z", "Europe/Berlin"), "int 2");
    assert_eq!(zoned("getDate", "9999-12-31T23:59:59Z", "Asia/Tokyo"), "int 1");
    assert_eq!(zoned("getFullYear", "9999-12-31T23:59:59Z", "Asia/Tokyo"), "int 10000");
    assert_eq!(zoned("getFullYear", "0001-01-01T00:00:00Z", "-00:01"), "int 0");
    for utc in ["", "UTC", "Local", "Etc/UTC"] {
        assert_eq!(zoned("getHours", winter, utc), "int 0", "{utc}");
    }
}

#[test]
fn offsets() {
    let winter = "2023-01-01T00:00:00Z";
    assert_eq!(zoned("getMinutes", winter, "+05:30"), "int 30");
    assert_eq!(zoned("getHours", winter, "-08:00"), "int 16");
    assert_eq!(zoned("getHours", winter, "5:5"), "int 5");
    assert_eq!(zoned("getMinutes", winter, "-00:45"), "int 15");
    assert_eq!(zoned("getHours", winter, "+05:90"), "int 6");
    assert_eq!(zoned("getFullYear", winter, "9999999999999999:00"), "int 2300");
}

#[test]
fn what_is_no_zone() {
    let error = |zone: &str| zoned("getHours", "2023-01-01T00:00:00Z", zone);
    assert_eq!(error("Nowhere"), "error: unknown time zone Nowhere");
    assert_eq!(error("america/new_york"), "error: unknown time zone america/new_york");
    assert_eq!(error("utc"), "error: unknown time zone utc");
    assert_eq!(error("../x"), "error: time: invalid location name");
    assert_eq!(error("/x"), "error: time: invalid location name");
    assert_eq!(error("\\x"), "error: time: invalid location name");
    assert_eq!(error("a:b"), "error: strconv.Atoi: parsing \"a\": invalid syntax");
    assert_eq!(error("1:b"), "error: strconv.Atoi: parsing \"b\": invalid syntax");
    assert_eq!(error(":"), "error: strconv.Atoi: parsing \"\": invalid syntax");
    assert_eq!(error("+5:0:0"), "error: strconv.Atoi: parsing \"0:0\": invalid syntax");
    assert_eq!(error("a\n\"':0"), "error: strconv.Atoi: parsing \"a\\n\\\"'\": invalid syntax");
    assert_eq!(
        error("99999999999999999999:00"),
        "error: strconv.Atoi: parsing \"99999999999999999999\": value out of range"
    );
}

#[test]
fn parts_of_durations() {
    let functions = super::functions();
    let part = |name: &str, id: &str, value: Val| answer(&functions, name, id, &[value]);
    assert_eq!(part("getHours", "duration_to_hours", span("-90m")), "int -1");
    assert_eq!(part("getMinutes", "duration_to_minutes", span("26h30m")), "int 1590");
    assert_eq!(part("getSeconds", "duration_to_seconds", span("-1.999999999s")), "int -1");
    assert_eq!(part("getMilliseconds", "duration_to_milliseconds", span("-1.5ms")), "int -1");
    // As a double, this is a whole number of hours.
    assert_eq!(part("getHours", "duration_to_hours", span("2562046h59m59.999999999s")), "int 2562047");
}

#[test]
fn conversions() {
    let functions = super::functions();
    let convert = |name: &str, id: &str, value: Val| answer(&functions, name, id, &[value]);
    assert_eq!(
        convert("timestamp", "int64_to_timestamp", Val::Int(MAX_SECONDS + 1)),
        "error: timestamp overflow"
    );
    assert_eq!(convert("timestamp", "string_to_timestamp", Val::string("2023-02-29T00:00:00Z")), {
        "error: type conversion error from 'string' to 'google.protobuf.Timestamp'"
    });
    assert_eq!(convert("duration", "string_to_duration", Val::string("1d")), {
        "error: type conversion error from 'string' to 'google.protobuf.Duration'"
    });
    assert_eq!(convert("duration", "duration_to_duration", span("90s")), "google.protobuf.Duration 1m30s");
}

#[test]
fn arithmetic() {
    let functions = crate::library::standard::functions();
    let add = |left: Val, right: Val| answer(&functions, "_+_", "", &[left, right]);
    let subtract = |left: Val, right: Val| answer(&functions, "_-_", "", &[left, right]);
    let first = || Val::Timestamp(Timestamp::utc(MIN_SECONDS, 0));
    let last = || Val::Timestamp(Timestamp::utc(MAX_SECONDS, 999_999_999));
    assert_eq!(add(span("1ns"), last()), "error: timestamp overflow");
    assert_eq!(subtract(first(), span("1ns")), "error: timestamp overflow");
    assert_eq!(add(first(), span("1.5s")), "google.protobuf.Timestamp 0001-01-01 00:00:01.5 +0000 UTC");
    assert_eq!(subtract(last(), first()), "error: integer overflow");
    assert_eq!(subtract(first(), Val::Duration(i64::MIN)), "error: integer overflow");
    assert_eq!(add(span("9223372036854775807ns"), span("1ns")), "error: integer overflow");
    assert_eq!(subtract(span("1ns"), span("2ns")), "google.protobuf.Duration -1ns");
    assert_eq!(add(time("2023-01-01T00:00:00+05:00"), span("-1.5s")), {
        "google.protobuf.Timestamp 2022-12-31 23:59:58.5 +0500 +0500"
    });
    assert_eq!(subtract(time("2024-03-01T00:00:00Z"), time("2024-02-29T00:00:00.25Z")), {
        "google.protobuf.Duration 23h59m59.75s"
    });
    assert_eq!(add(time("2024-03-01T00:00:00Z"), time("2024-03-01T00:00:00Z")), "error: no such overload");
    assert_eq!(subtract(span("1s"), time("2024-03-01T00:00:00Z")), "error: no such overload");
}
