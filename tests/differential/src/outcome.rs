//! What a program did with an input, and how two such outcomes differ.

use std::fmt::Write as _;

use crate::signature::{generalised, of_values};

/// What one side did, in one respect.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Outcome {
    /// It gave this.
    Value(Vec<u8>),
    /// It refused the input.
    Refused {
        /// Where, for programs that have phases.
        phase: String,
        /// The text of the error.
        text: String,
        /// What was written before, where anything can be.
        partial: Vec<u8>,
    },
    /// Our engine panicked, which it must never do.
    Panicked(String),
    /// There is nothing to compare: the value has no JSON, or the other side did not get so far.
    Open,
    /// The oracle did not answer in time, or ended.
    NoAnswer,
}

impl Outcome {
    pub(crate) fn value(text: impl Into<Vec<u8>>) -> Outcome {
        Outcome::Value(text.into())
    }

    pub(crate) fn refused(text: impl Into<String>) -> Outcome {
        Outcome::Refused { phase: String::new(), text: text.into(), partial: Vec::new() }
    }

    pub(crate) fn of(result: Result<String, String>) -> Outcome {
        match result {
            Ok(value) => Outcome::value(value),
            Err(text) => Outcome::refused(text),
        }
    }

    pub(crate) fn error(&self) -> Option<&str> {
        match self {
            Outcome::Refused { text, .. } => Some(text),
            _ => None,
        }
    }
}

impl Outcome {
    /// The outcome in one line; of long texts only what stands around the first difference to the other one.
    pub(crate) fn shown(&self, other: &Outcome) -> String {
        match self {
            Outcome::Value(bytes) => {
                let other = if let Outcome::Value(other) = other { other } else { &Vec::new() };
                format!("gives {}", around(bytes, other))
            }
            Outcome::Refused { phase, text, partial } => {
                let none = (&String::new(), &Vec::new());
                let (their_text, their_partial) = match other {
                    Outcome::Refused { text, partial, .. } => (text, partial),
                    _ => none,
                };
                let phase = if phase.is_empty() { String::new() } else { format!(" in phase {phase}") };
                let mut out = format!("refuses{phase}: {}", around(text.as_bytes(), their_text.as_bytes()));
                if !partial.is_empty() {
                    let _ = write!(out, " after {}", around(partial, their_partial));
                }
                out
            }
            Outcome::Panicked(text) => format!("panics: {}", quoted(text.as_bytes())),
            Outcome::Open => "accepts".to_owned(),
            Outcome::NoAnswer => "does not answer".to_owned(),
        }
    }
}

/// A text in quotes on one line, and cut where it is long.
pub(crate) fn quoted(bytes: &[u8]) -> String {
    around(bytes, &[])
}

/// A text in quotes; of a long one a piece around the first byte that another does not have.
fn around(bytes: &[u8], other: &[u8]) -> String {
    const LONG: usize = 400;
    let same = bytes.iter().zip(other).take_while(|(a, b)| a == b).count();
    let start = if bytes.len() > LONG { same.saturating_sub(LONG / 2) } else { 0 };
    let end = bytes.len().min(start + LONG);
    let (before, after) = (if start > 0 { "…" } else { "" }, if end < bytes.len() { "…" } else { "" });
    format!("{before}{:?}{after}", String::from_utf8_lossy(&bytes[start..end]))
}

/// In what two outcomes differ. The order is that of weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Kind {
    /// One accepts and the other refuses, or ours panics.
    Verdict,
    /// Both accept and give different values, or wrote different things before they failed.
    Value,
    /// Both refuse, in different words or phases.
    Text,
}

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Verdict => "verdict",
            Kind::Value => "value",
            Kind::Text => "text",
        }
    }
}

/// A respect in which the two sides are compared, such as `strict`, and what they did.
#[derive(Clone, Debug)]
pub(crate) struct Compared {
    pub(crate) aspect: &'static str,
    pub(crate) ours: Outcome,
    pub(crate) theirs: Outcome,
}

/// A difference in one respect.
#[derive(Clone, Debug)]
pub(crate) struct Difference {
    pub(crate) kind: Kind,
    pub(crate) compared: Compared,
}

/// All differences, the heaviest first.
pub(crate) fn differences(all: Vec<Compared>) -> Vec<Difference> {
    let mut found: Vec<Difference> = all
        .into_iter()
        .filter_map(|compared| {
            kind(&compared.ours, &compared.theirs).map(|kind| Difference { kind, compared })
        })
        .collect();
    // The sort keeps the order of aspects within a kind, which targets choose.
    found.sort_by_key(|difference| difference.kind);
    found
}

fn kind(ours: &Outcome, theirs: &Outcome) -> Option<Kind> {
    match (ours, theirs) {
        (Outcome::Panicked(_), _) => Some(Kind::Verdict),
        (_, Outcome::NoAnswer) => Some(Kind::Verdict),
        (ours, theirs) if ours == theirs => None,
        (Outcome::Open, Outcome::Value(_)) | (Outcome::Value(_), Outcome::Open) => None,
        (Outcome::Value(_), Outcome::Value(_)) => Some(Kind::Value),
        (Outcome::Refused { phase: a, text: x, .. }, Outcome::Refused { phase: b, text: y, .. }) => {
            Some(if a == b && x == y { Kind::Value } else { Kind::Text })
        }
        _ => Some(Kind::Verdict),
    }
}

impl Difference {
    /// What differences of one cause share before their input is minimised: values say too little about it.
    pub(crate) fn coarse(&self) -> String {
        let Compared { aspect, ours, theirs } = &self.compared;
        let what = match (self.kind, ours, theirs) {
            (Kind::Value, ..) => "values".to_owned(),
            (_, ours, theirs) => format!("ours {} / Go {}", short(ours), short(theirs)),
        };
        format!("{} [{aspect}] {what}", self.kind.name())
    }

    /// The signature of a minimised difference.
    pub(crate) fn signature(&self) -> String {
        let Compared { aspect, ours, theirs } = &self.compared;
        let bytes = |outcome: &Outcome| match outcome {
            Outcome::Value(bytes) => Some(bytes.clone()),
            Outcome::Refused { partial, .. } => Some(partial.clone()),
            _ => None,
        };
        match (self.kind, bytes(ours), bytes(theirs)) {
            (Kind::Value, Some(ours), Some(theirs)) => {
                format!("value [{aspect}] {}", of_values(&ours, &theirs))
            }
            _ => self.coarse(),
        }
    }
}

/// An outcome without what varies from input to input.
fn short(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Value(_) | Outcome::Open => "accepts".to_owned(),
        Outcome::NoAnswer => "does not answer".to_owned(),
        Outcome::Panicked(text) => format!("panics: {}", generalised(text)),
        Outcome::Refused { phase, text, .. } if phase.is_empty() => format!("`{}`", generalised(text)),
        Outcome::Refused { phase, text, .. } => format!("{phase} `{}`", generalised(text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn difference(ours: Outcome, theirs: Outcome) -> Option<Difference> {
        differences(vec![Compared { aspect: "x", ours, theirs }]).pop()
    }

    #[test]
    fn kinds_are_told_apart() {
        let value = |text: &str| Outcome::value(text);
        assert!(difference(value("a"), value("a")).is_none());
        assert_eq!(difference(value("a"), value("b")).unwrap().kind, Kind::Value);
        assert_eq!(difference(value("a"), Outcome::refused("no")).unwrap().kind, Kind::Verdict);
        assert_eq!(difference(Outcome::refused("no"), Outcome::refused("never")).unwrap().kind, Kind::Text);
        assert_eq!(difference(Outcome::Panicked("p".into()), value("a")).unwrap().kind, Kind::Verdict);
        assert!(difference(Outcome::Open, value("a")).is_none());
        assert_eq!(difference(Outcome::Open, Outcome::refused("no")).unwrap().kind, Kind::Verdict);
    }

    #[test]
    fn what_was_written_before_an_error_counts_as_a_value() {
        let refused = |partial: &str| Outcome::Refused {
            phase: "exec".into(),
            text: "no".into(),
            partial: partial.as_bytes().to_vec(),
        };
        let difference = difference(refused("ab"), refused("a")).unwrap();
        assert_eq!(difference.kind, Kind::Value);
        assert_eq!(difference.signature(), "value [x] ours \"a\" / Go \"\"");
    }

    #[test]
    fn one_cause_has_one_signature() {
        let a = difference(Outcome::refused("line 1: \"a\""), Outcome::value("x")).unwrap();
        let b = difference(Outcome::refused("line 22: \"bc\""), Outcome::value("y")).unwrap();
        assert_eq!(a.signature(), b.signature());
        let a = difference(Outcome::value("[1,\"ab\"]"), Outcome::value("[1,22]")).unwrap();
        assert_eq!(a.signature(), "value [x] ours a string / Go a number");
    }

    #[test]
    fn long_texts_are_shown_around_the_difference() {
        let (a, b) = (Outcome::value("x".repeat(1000) + "a"), Outcome::value("x".repeat(1000) + "b"));
        let shown = a.shown(&b);
        assert!(shown.starts_with("gives …\"xx") && shown.ends_with("xa\""), "{shown}");
        assert_eq!(Outcome::value("é").shown(&b), "gives \"é\"");
    }

    #[test]
    fn the_heaviest_comes_first() {
        let found = differences(vec![
            Compared { aspect: "t", ours: Outcome::refused("a"), theirs: Outcome::refused("b") },
            Compared { aspect: "v", ours: Outcome::value("a"), theirs: Outcome::refused("b") },
        ]);
        assert_eq!(found[0].compared.aspect, "v");
    }
}
