//! Regular expressions with the syntax, the errors and the matches of Go's package `regexp`.
//!
//! A pattern is parsed ([`Regex::new`]) into a tree, which becomes a program for a machine that follows all ways through
//! the pattern at once. So the time of a search is bounded by the length of the text times that of the pattern, whatever
//! they are, and a search says how much it does while it runs, so that the caller can stop it.

mod class;
mod escape;
mod factor;
mod machine;
mod parse;
mod program;
mod tree;
mod unicode;

use std::convert::Infallible;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use indexmap::IndexMap;

use self::machine::Machine;
use self::program::Program;
use crate::value::{ErrorKind, EvalError};

/// How many patterns a cache holds.
const MAX_CACHED: usize = 128;
/// How many instructions and ranges the patterns of a cache have together.
const MAX_CACHED_SIZE: usize = 1 << 20;

/// A compiled pattern.
#[derive(Debug)]
pub struct Regex {
    program: Program,
    names: Vec<Option<Arc<str>>>,
}

/// Why a pattern is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    message: String,
    limit: bool,
}

/// A match: where it and its groups are in the text, in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// Where the match begins.
    pub start: usize,
    /// Where the match ends.
    pub end: usize,
    /// Where the groups begin and end, from that with the number 1; none for a group that is not in the match.
    pub groups: Vec<Option<(usize, usize)>>,
}

impl Regex {
    /// Compiles a pattern. The error has the text of Go's `regexp.Compile`, or is [a limit](Error::is_limit): Go takes
    /// some patterns for which the program would be very large.
    pub fn new(pattern: &str) -> Result<Regex, Error> {
        let parsed = parse::parse(pattern)?;
        Ok(Regex { program: Program::new(&parsed.tree)?, names: parsed.names })
    }

    /// The number of groups.
    pub fn group_count(&self) -> usize {
        self.names.len().saturating_sub(1)
    }

    /// The names of the groups, from that with the number 1; none for a group without a name.
    pub fn group_names(&self) -> impl Iterator<Item = Option<&str>> {
        self.names.iter().skip(1).map(Option::as_deref)
    }

    /// Whether there is a match somewhere in the text.
    pub fn is_match(&self, text: &str) -> bool {
        let mut spend = |_| Ok::<(), Infallible>(());
        matches!(self.is_match_within(text, &mut spend), Ok(true))
    }

    /// Whether there is a match somewhere in the text. `spend` is told the steps as they are taken, and ends the search
    /// with its error.
    pub fn is_match_within<E>(
        &self,
        text: &str,
        spend: &mut impl FnMut(usize) -> Result<(), E>,
    ) -> Result<bool, E> {
        Ok(Machine::new(&self.program, text, 0).find(0, spend)?.is_some())
    }

    /// The first match, with the first `groups` of its groups.
    pub fn find<E>(
        &self,
        text: &str,
        groups: usize,
        spend: &mut impl FnMut(usize) -> Result<(), E>,
    ) -> Result<Option<Match>, E> {
        let slots = self.slots(groups);
        Ok(Machine::new(&self.program, text, slots).find(0, spend)?.and_then(|slots| Match::new(&slots)))
    }

    /// All matches that do not overlap, with the first `groups` of their groups, each given to `found` until that is
    /// false. An empty match right behind another match does not count.
    pub fn find_all<E>(
        &self,
        text: &str,
        groups: usize,
        spend: &mut impl FnMut(usize) -> Result<(), E>,
        mut found: impl FnMut(Match) -> Result<bool, E>,
    ) -> Result<(), E> {
        let mut machine = Machine::new(&self.program, text, self.slots(groups));
        let mut at = 0;
        let mut last_end = None;
        while at <= text.len() {
            let Some(found_match) = machine.find(at, spend)?.and_then(|slots| Match::new(&slots)) else {
                break;
            };
            let Match { start, end, .. } = found_match;
            let empty = end == at;
            // Behind an empty match, it goes on with the next character.
            at = if empty {
                let letter = text.get(at..).and_then(|rest| rest.chars().next());
                at + letter.map_or(1, char::len_utf8)
            } else {
                end
            };
            let accepted = !(empty && last_end == Some(start));
            last_end = Some(end);
            if accepted && !found(found_match)? {
                break;
            }
        }
        Ok(())
    }

    fn slots(&self, groups: usize) -> usize {
        groups.min(self.group_count()) * 2 + 2
    }

    /// How much memory it takes, in instructions and ranges.
    pub(crate) fn size(&self) -> usize {
        self.program.insts.len() + self.program.ranges
    }
}

impl Match {
    fn new(slots: &[Option<usize>]) -> Option<Match> {
        let mut pairs = slots.chunks_exact(2).map(|pair| match pair {
            [Some(start), Some(end)] => Some((*start, *end)),
            _ => None,
        });
        let (start, end) = pairs.next()??;
        Some(Match { start, end, groups: pairs.collect() })
    }
}

impl Error {
    fn syntax(what: &str, piece: &str) -> Error {
        Error { message: format!("error parsing regexp: {what}: `{piece}`"), limit: false }
    }

    fn limit() -> Error {
        Error { message: "the regular expression takes more memory than the limit".to_owned(), limit: true }
    }

    /// Whether Go may take the pattern, and only a limit here does not.
    pub fn is_limit(&self) -> bool {
        self.limit
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

impl From<Error> for EvalError {
    fn from(error: Error) -> EvalError {
        let kind = if error.limit { ErrorKind::Limit } else { ErrorKind::Value };
        EvalError::of(kind, error.message)
    }
}

/// Compiled patterns, so that an expression which is evaluated often compiles each of its patterns once. It holds the
/// patterns that were compiled last.
#[derive(Debug, Default)]
pub struct Cache {
    compiled: Mutex<Compiled>,
}

#[derive(Debug, Default)]
struct Compiled {
    /// The oldest one first.
    regexes: IndexMap<Box<str>, Arc<Regex>>,
    size: usize,
}

impl Cache {
    /// The compiled pattern.
    pub fn get(&self, pattern: &str) -> Result<Arc<Regex>, Error> {
        if let Some(regex) = self.lock().regexes.get(pattern) {
            return Ok(Arc::clone(regex));
        }
        // Others may go on meanwhile; that two of them compile the same pattern is no harm.
        let regex = Arc::new(Regex::new(pattern)?);
        let size = regex.size() + pattern.len();
        if size > MAX_CACHED_SIZE / 4 {
            return Ok(regex);
        }
        let mut compiled = self.lock();
        while compiled.regexes.len() >= MAX_CACHED || compiled.size + size > MAX_CACHED_SIZE {
            let Some((pattern, oldest)) = compiled.regexes.shift_remove_index(0) else { break };
            compiled.size = compiled.size.saturating_sub(oldest.size() + pattern.len());
        }
        if compiled.regexes.insert(pattern.into(), Arc::clone(&regex)).is_none() {
            compiled.size += size;
        }
        Ok(regex)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Compiled> {
        self.compiled.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_is_stopped() {
        let regex = Regex::new("(x+x+)+y|.*[^A-Z]|[A-Z]").unwrap();
        let text = "A".repeat(100_000);
        let mut left = 1_000_000usize;
        let mut spend = |steps| {
            left = left.checked_sub(steps).ok_or("stopped")?;
            Ok(())
        };
        assert_eq!(regex.find_all(&text, 0, &mut spend, |_| Ok(true)), Err("stopped"));
        assert!(
            Regex::new("(x+x+)+y")
                .unwrap()
                .find(&"x".repeat(1000), 1, &mut spend)
                .is_err_and(|error| error == "stopped")
        );
    }

    #[test]
    fn large_programs_are_refused() {
        let error = Regex::new(&format!("(?:{}){{1000}}", "a.".repeat(500))).unwrap_err();
        assert!(error.is_limit());
        assert_eq!(EvalError::from(error).0.kind, ErrorKind::Limit);
        assert_eq!(
            EvalError::from(Regex::new("(").unwrap_err()),
            EvalError::new("error parsing regexp: missing closing ): `(`")
        );
    }

    #[test]
    fn a_cache_is_bounded() {
        let cache = Cache::default();
        let first = cache.get("a").unwrap();
        assert!(Arc::ptr_eq(&first, &cache.get("a").unwrap()));
        assert!(cache.get("(").is_err());
        for number in 0..1000 {
            assert!(cache.get(&format!("a{number}")).unwrap().is_match(&format!("ba{number}")));
        }
        assert_eq!(cache.lock().regexes.len(), MAX_CACHED);
        for number in 0..20 {
            cache.get(&format!("(?:b{number}[a-c]{{1000}}){{1}}{}", "x.{1000}".repeat(50))).unwrap();
        }
        let compiled = cache.lock();
        assert!(compiled.size <= MAX_CACHED_SIZE);
        let held: usize = compiled.regexes.iter().map(|(pattern, regex)| regex.size() + pattern.len()).sum();
        assert_eq!(compiled.size, held);
    }
}
