//! Regular expressions against the answers of Go's package `regexp`, version 1.27.3: the error of each pattern, or all
//! matches in some texts with their groups.

use std::convert::Infallible;

use convoy_cel::re2::Regex;
use serde_json::Value;

#[test]
fn same_as_go() {
    let cases = include_str!("data/re2.jsonl");
    let mut wrong = Vec::new();
    for line in cases.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        check(&case, &mut wrong);
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(cases.lines().count() > 1000);
}

fn check(case: &Value, wrong: &mut Vec<String>) {
    let pattern = case["pattern"].as_str().unwrap_or_default();
    let expected = case["error"].as_str();
    let regex = match (Regex::new(pattern), expected) {
        (Ok(regex), None) => regex,
        (Err(error), Some(expected)) if error.to_string() == expected => return,
        (found, expected) => {
            let found = found.map(|_| "no error").map_err(|error| error.to_string());
            wrong.push(format!("{pattern:?}: {found:?}, in Go {expected:?}"));
            return;
        }
    };
    let groups = case["groups"].as_u64().unwrap_or(0) as usize;
    assert_eq!(regex.group_count(), groups, "{pattern:?}");
    let names: Vec<&str> = regex.group_names().map(Option::unwrap_or_default).collect();
    let expected: Vec<&str> =
        case["names"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    assert_eq!(names, expected, "{pattern:?}");
    for subject in case["subjects"].as_array().into_iter().flatten() {
        let text = subject["text"].as_str().unwrap_or_default();
        let expected: Vec<Vec<i64>> = subject["matches"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|places| places.as_array().into_iter().flatten().filter_map(Value::as_i64).collect())
            .collect();
        let found = matches(&regex, text);
        if found != expected {
            wrong.push(format!("{pattern:?} in {text:?}: {found:?}, in Go {expected:?}"));
        }
        assert_eq!(regex.is_match(text), !expected.is_empty(), "{pattern:?} in {text:?}");
        let Ok(first) = regex.find(text, groups, &mut |_| Ok::<(), Infallible>(()));
        assert_eq!(first.map(|found| found.start as i64), expected.first().map(|places| places[0]));
    }
}

/// All matches, with the bounds of all groups in a row, -1 for a group that is not there.
fn matches(regex: &Regex, text: &str) -> Vec<Vec<i64>> {
    let mut all = Vec::new();
    let done = regex.find_all(text, regex.group_count(), &mut |_| Ok::<(), Infallible>(()), |found| {
        let mut places = vec![found.start as i64, found.end as i64];
        for group in &found.groups {
            let (start, end) = group.map_or((-1, -1), |(start, end)| (start as i64, end as i64));
            places.extend([start, end]);
        }
        all.push(places);
        Ok(true)
    });
    assert_eq!(done, Ok(()));
    all
}
