//! Differences that are known and documented, each with its reason. They are counted apart, by name.
//!
//! An excuse may hide other words for the same refusal, but never that one side accepts what the other refuses: only
//! our limits, what Go itself answers differently from one time to the next, and what depends on the blocks in which
//! go-yaml reads may do that.

use convoy_conformance::ours::patch::sorted;

use crate::outcome::{Compared, Difference, Kind, Outcome, differences};
use crate::targets::Input;

type Excuse = fn(&Input, &Difference) -> bool;

const EXCUSES: &[(&str, Excuse)] = &[
    ("limit-of-ours", limit_of_ours),
    ("no-answer-of-go", no_answer_of_go),
    ("panic-of-go", panic_of_go),
    ("address", address),
    ("wording-of-1.6", wording_of_1_6),
    ("control-characters", control_characters),
    ("time-in-key", time_in_key),
    ("read-ahead-of-v3", read_ahead_of_v3),
    ("panic-of-v3", panic_of_v3),
    ("binary-in-key", binary_in_key),
    ("mark-within", mark_within),
    ("panic-within-cel-go", panic_within_cel_go),
    ("address-of-cel-go", address_of_cel_go),
    ("version-not-served", version_not_served),
];

/// The name under which [`go_varies`] is counted.
pub(crate) const GO_VARIES: &str = "go-varies";

/// The name of the first excuse that applies.
pub(crate) fn excuse(input: &Input, difference: &Difference) -> Option<&'static str> {
    EXCUSES.iter().find(|(_, applies)| applies(input, difference)).map(|(name, _)| *name)
}

fn texts(difference: &Difference) -> Option<(&str, &str)> {
    difference.compared.ours.error().zip(difference.compared.theirs.error())
}

/// Our engines stop at depths, steps and lengths where Go goes on; the message names the limit
/// (`crates/yaml/README.md`, `crates/gotemplate/README.md`, `crates/patch/README.md`).
fn limit_of_ours(_: &Input, difference: &Difference) -> bool {
    difference.compared.ours.error().is_some_and(|text| {
        text.contains("(a limit of convoy-lsp)")
            || text.contains(": stopped after ")
            || text.contains(": stopped at a value of more than ")
    })
}

/// The oracle gave up after its time, or ended: there is no answer that ours could be held against.
fn no_answer_of_go(_: &Input, difference: &Difference) -> bool {
    difference.compared.theirs == Outcome::NoAnswer
        && !matches!(difference.compared.ours, Outcome::Panicked(_))
}

/// Where the patch library panics there is no result and no error text; ours is an error that begins with `panic: `
/// as well, but the words are those of the Go runtime (`crates/patch/README.md`).
fn panic_of_go(_: &Input, difference: &Difference) -> bool {
    // A strategic merge has the words as well.
    difference.compared.aspect == "patch"
        && texts(difference)
            .is_some_and(|(ours, theirs)| ours.starts_with("panic: ") && theirs.starts_with("panic: "))
}

/// `%p` prints where a value lies, which no two runs share (`crates/gotemplate/README.md`). Only the digits of
/// addresses may differ.
fn address(input: &Input, difference: &Difference) -> bool {
    let fixed = |outcome: &Outcome| match outcome {
        Outcome::Value(bytes) => Outcome::Value(without_addresses(bytes)),
        Outcome::Refused { phase, text, partial } => Outcome::Refused {
            phase: phase.clone(),
            text: String::from_utf8_lossy(&without_addresses(text.as_bytes())).into_owned(),
            partial: without_addresses(partial),
        },
        other => other.clone(),
    };
    let (ours, theirs) = (&difference.compared.ours, &difference.compared.theirs);
    input.text().contains('%') && input.text().contains('p') && fixed(ours) == fixed(theirs)
}

/// A text in which every number of at least six hexadecimal digits is the same.
fn without_addresses(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.first() {
        let digits = rest.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
        if digits >= 6 {
            out.push(b'#');
            rest = &rest[digits..];
        } else {
            out.push(*first);
            rest = &rest[1..];
        }
    }
    out
}

/// `Unsupported map key of type` of `sigs.k8s.io/yaml` 1.3, which our text follows, has a small letter in 1.6
/// (`crates/yaml/README.md`, known difference 3).
fn wording_of_1_6(_: &Input, difference: &Difference) -> bool {
    texts(difference).is_some_and(|(ours, theirs)| {
        ours.strip_prefix('U').is_some_and(|rest| theirs.strip_prefix('u') == Some(rest))
    })
}

/// go-yaml reads ahead in blocks and may meet a control character before the error in front of it, or the other way
/// round (`crates/yaml/README.md`, known difference 2). Both refuse; one of the texts names the character.
fn control_characters(_: &Input, difference: &Difference) -> bool {
    const NAMED: &str = "control characters are not allowed";
    difference.kind == Kind::Text
        && texts(difference).is_some_and(|(ours, theirs)| ours.contains(NAMED) != theirs.contains(NAMED))
}

/// yaml.v3 shows a time within a key as Go code, ours as its text (`crates/yaml/README.md`, known difference 4).
fn time_in_key(_: &Input, difference: &Difference) -> bool {
    texts(difference).is_some_and(|(ours, theirs)| {
        ours.contains("invalid map key: ")
            && theirs.contains("invalid map key: ")
            && theirs.contains("time.Date(")
    })
}

/// yaml.v3 may look at a token that it has failed to read a second time, or ask an old key of the queue in the place of
/// a new one, and so prefers a later error (`crates/yaml/README.md`, known difference 5).
fn read_ahead_of_v3(_: &Input, difference: &Difference) -> bool {
    difference.compared.aspect == "yaml3"
        && texts(difference).is_some_and(|(_, theirs)| {
            let later = [
                "could not find expected ':'",
                "found character that cannot start any token",
                "block sequence entries are not allowed in this context",
                "did not find expected node content",
                "did not find expected comment or line break",
            ];
            later.iter().any(|problem| theirs.ends_with(problem))
        })
}

/// yaml.v3 panics where a merge meets a key that is a collection; ours is an error with the words of the panic.
fn panic_of_v3(_: &Input, difference: &Difference) -> bool {
    texts(difference).is_some_and(|(ours, theirs)| theirs.strip_prefix("panic: ") == Some(ours))
}

/// Bytes of `!!binary` that are no UTF-8 are U+FFFD in our values, also in the text of an error
/// (`crates/yaml/README.md`, known difference 6).
fn binary_in_key(input: &Input, difference: &Difference) -> bool {
    if !input.text().contains("!!binary") {
        return false;
    }
    if let (Outcome::Value(_), Outcome::Value(_)) = (&difference.compared.ours, &difference.compared.theirs) {
        // Go sorts the keys by the bytes.
        return without_order(&difference.compared.ours) == without_order(&difference.compared.theirs);
    }
    texts(difference).is_some_and(|(ours, theirs)| {
        ours.contains(char::REPLACEMENT_CHARACTER)
            && [ours, theirs].iter().all(|text| {
                ["invalid map key: ", "nsupported map key of type: ", "already set in map"]
                    .iter()
                    .any(|kind| text.contains(kind))
            })
    })
}

/// Where a byte order mark within the text comes to stand first in go-yaml's buffer, which depends on the blocks in which
/// it reads, go-yaml skips the first character of the lines behind it (`crates/yaml/README.md`, known difference 7).
fn mark_within(input: &Input, _: &Difference) -> bool {
    input.text().chars().skip(1).any(|c| c == '\u{FEFF}')
}

/// cel-go catches its own panics; the words are those of the Go runtime (`crates/cel/README.md`).
fn panic_within_cel_go(_: &Input, difference: &Difference) -> bool {
    texts(difference).is_some_and(|(ours, theirs)| {
        ours.starts_with("internal error: ") && theirs.starts_with("internal error: ")
    })
}

/// cel-go ends this text with the addresses of its own parts, which no two runs share.
fn address_of_cel_go(_: &Input, difference: &Difference) -> bool {
    const FIXED: &str = "test only expressions must have constant qualifiers";
    texts(difference).is_some_and(|(ours, theirs)| {
        ours == FIXED && theirs.strip_prefix(FIXED).is_some_and(|rest| rest.starts_with(": &{"))
    })
}

/// client-go still knows versions that no release in our tables serves, such as `apps/v1beta1` (`crates/patch/README.md`).
fn version_not_served(_: &Input, difference: &Difference) -> bool {
    let compared = &difference.compared;
    let refused = |outcome: &Outcome| outcome.error().is_some_and(|text| text.starts_with("no kind \""));
    compared.aspect == "merge" && refused(&compared.ours) && !refused(&compared.theirs)
}

/// Go walks its maps in an order that it draws anew each time, so that some answers vary: which of two keys wins that
/// are one in JSON (`crates/yaml/README.md`, known difference 1), in which order new keys of a merge stand, which fault
/// is found first. It excuses only what Go itself answers at times, up to the order of keys.
pub(crate) fn go_varies(input: &Input, ours: &Outcome, answers: &[Outcome]) -> bool {
    let vary = answers.iter().any(|answer| *answer != answers[0]);
    let same = |answer: &Outcome| {
        let compared = Compared { aspect: "", ours: without_order(ours), theirs: without_order(answer) };
        differences(vec![compared]).iter().all(|difference| excuse(input, difference).is_some())
    };
    vary && (answers.iter().any(same) || answers.iter().any(|answer| same_parts(ours, answer)))
}

/// Whether two values have the same characters: lists that were made from a larger map come in more orders than can
/// be asked for.
fn same_parts(ours: &Outcome, theirs: &Outcome) -> bool {
    let (Outcome::Value(ours), Outcome::Value(theirs)) = (ours, theirs) else { return false };
    let sorted = |bytes: &[u8]| {
        let mut bytes = bytes.to_vec();
        bytes.sort_unstable();
        bytes
    };
    sorted(ours) == sorted(theirs)
}

fn without_order(outcome: &Outcome) -> Outcome {
    match outcome {
        Outcome::Value(bytes) => {
            let text = std::str::from_utf8(bytes).ok().and_then(sorted);
            text.map_or_else(|| outcome.clone(), Outcome::value)
        }
        _ => outcome.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn excused(ours: Outcome, theirs: Outcome) -> Option<&'static str> {
        let found = differences(vec![Compared { aspect: "x", ours, theirs }]);
        excuse(&Input::one("{{printf \"%p\" .l}}"), &found[0])
    }

    #[test]
    fn an_excuse_does_not_hide_another_verdict() {
        let control = Outcome::refused("yaml: control characters are not allowed");
        assert_eq!(excused(control.clone(), Outcome::refused("yaml: x")), Some("control-characters"));
        assert_eq!(excused(control.clone(), Outcome::value("1")), None);
        assert_eq!(excused(Outcome::value("1"), control), None);
        assert_eq!(excused(Outcome::Panicked("p".into()), Outcome::NoAnswer), None);
    }

    #[test]
    fn a_limit_is_excused_whatever_go_does() {
        let limit = Outcome::refused("yaml: nested deeper than 400 levels (a limit of convoy-lsp)");
        assert_eq!(excused(limit, Outcome::value("1")), Some("limit-of-ours"));
    }

    #[test]
    fn only_addresses_are_excused() {
        assert_eq!(
            excused(Outcome::value("a 0xc000012345 b"), Outcome::value("a 0xc0000abcde b")),
            Some("address")
        );
        assert_eq!(excused(Outcome::value("a 0xc000012345 b"), Outcome::value("a 0xc0000abcde c")), None);
        assert_eq!(excused(Outcome::value("0xc000012345"), Outcome::refused("0xc0000abcde")), None);
    }

    #[test]
    fn only_addresses_of_cel_go_are_excused() {
        let text = "test only expressions must have constant qualifiers";
        let theirs = Outcome::refused(format!("{text}: &{{0x1 0x2}}"));
        assert_eq!(excused(Outcome::refused(text), theirs.clone()), Some("address-of-cel-go"));
        assert_eq!(excused(Outcome::refused("no such key: a"), theirs.clone()), None);
        assert_eq!(excused(Outcome::value("1"), theirs), None);
    }

    #[test]
    fn go_has_to_disagree_with_itself() {
        let (a, b) = (Outcome::value("{\"a\":1,\"b\":2}"), Outcome::value("{\"b\":2,\"a\":1}"));
        let varies = |ours: &Outcome, answers: &[Outcome]| go_varies(&Input::one(""), ours, answers);
        assert!(varies(&a, &[b.clone(), a.clone()]));
        assert!(varies(&Outcome::value("1"), &[Outcome::value("1"), Outcome::refused("x")]));
        assert!(!varies(&a, &[b.clone(), b.clone()]));
        assert!(!varies(&Outcome::refused("x"), &[a, b]));
    }
}
