//! What is wrong with an expression before it runs, in cel-go's words.

use std::sync::Arc;

use convoy_text::Span;

use crate::ast::Id;

/// The most issues that cel-go prints; it counts the others.
pub const MAX_REPORTED: usize = 100;

/// The longest line, in bytes, that cel-go shows below an error.
const LONGEST_SNIPPET: usize = 16_384;

/// One error of the parser or the checker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issue {
    /// cel-go's number of the node, 0 if there is none.
    pub id: Id,
    /// The byte offset of the place that cel-go prints; none for an error without a place.
    pub place: Option<u32>,
    /// The bytes to mark for a reader: the whole token, name or node that is wrong.
    pub span: Span,
    /// The text behind the place.
    pub message: Arc<str>,
}

/// The issues as cel-go prints them (`Errors.ToDisplayString`): by place, each with its line and a mark below it, and
/// from the [`MAX_REPORTED`] that were found first. Issues without a place come first.
pub fn report(text: &str, issues: &[Issue]) -> String {
    let lines = Lines::new(text);
    let mut placed: Vec<((i64, i64), &Issue)> =
        issues.iter().take(MAX_REPORTED).map(|issue| (lines.location_of(issue), issue)).collect();
    placed.sort_by_key(|(location, _)| *location);

    let mut out = String::new();
    for ((line, column), issue) in placed {
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str(&format!("ERROR: <input>:{line}:{}: {}", column.saturating_add(1), issue.message));
        if let Some(snippet) = lines.snippet(line)
            && snippet.len() <= LONGEST_SNIPPET
        {
            mark(snippet, column, &mut out);
        }
    }
    if issues.len() > MAX_REPORTED {
        out.push_str(&format!("\n{} more errors were truncated", issues.len() - MAX_REPORTED));
    }
    out
}

/// The line (from 1) and the column (from 1, in code points) that cel-go prints for a byte offset.
/// The end of an empty text is at line 1, column 0.
pub fn line_column(text: &str, place: u32) -> (u32, u32) {
    let (line, column) = Lines::new(text).location(place);
    (u32::try_from(line).unwrap_or(0), u32::try_from(column.saturating_add(1)).unwrap_or(0))
}

/// Writes a line and, below it, a mark under one of its characters.
fn mark(snippet: &str, column: i64, out: &mut String) {
    out.push_str("\n | ");
    out.extend(snippet.chars().map(|c| if c == '\t' { ' ' } else { c }));
    out.push_str("\n | ");
    let mut chars = snippet.chars();
    for _ in 0..column {
        match chars.next() {
            // A character that takes several bytes is taken for a wide one.
            Some(c) => out.push(if c.len_utf8() > 1 { '\u{ff0e}' } else { '.' }),
            None => break,
        }
    }
    out.push(if chars.next().is_some_and(|c| c.len_utf8() > 1) { '\u{ff3e}' } else { '^' });
}

/// The lines of a text.
struct Lines<'a> {
    text: &'a str,
    /// The byte offsets at which the second and further lines begin.
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str) -> Lines<'a> {
        Lines { text, starts: text.match_indices('\n').map(|(at, _)| at + 1).collect() }
    }

    fn location_of(&self, issue: &Issue) -> (i64, i64) {
        match issue.place {
            Some(place) => self.location(place),
            // An error at a node without a place is at offset -1, one without a node is nowhere.
            None if issue.id != 0 => (1, -1),
            None => (-1, -1),
        }
    }

    /// The line (from 1) and the column (from 0).
    fn location(&self, place: u32) -> (i64, i64) {
        let mut place = (place as usize).min(self.text.len());
        while !self.text.is_char_boundary(place) {
            place -= 1;
        }
        if self.text.is_empty() {
            return (1, -1);
        }
        let line = self.starts.partition_point(|start| *start <= place);
        let start = line.checked_sub(1).and_then(|index| self.starts.get(index)).copied().unwrap_or(0);
        let column = self.text.get(start..place).map_or(0, |head| head.chars().count());
        (line as i64 + 1, column as i64)
    }

    /// The text of a line.
    fn snippet(&self, line: i64) -> Option<&'a str> {
        if self.text.is_empty() {
            return None;
        }
        let index = usize::try_from(line).ok()?.checked_sub(1)?;
        let start = match index.checked_sub(1) {
            Some(before) => *self.starts.get(before)?,
            None => 0,
        };
        let end = self.starts.get(index).map_or(self.text.len(), |next| next - 1);
        self.text.get(start..end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn issue(place: Option<u32>, message: &str) -> Issue {
        Issue { id: 0, place, span: Span::new(0, 0), message: message.into() }
    }

    // All texts are what `common.Errors.ToDisplayString` prints.
    #[test]
    fn places_are_marked_below_their_line() {
        assert_eq!(report("a +\n\tb", &[issue(Some(5), "bad")]), "ERROR: <input>:2:2: bad\n |  b\n | .^");
        assert_eq!(
            report("ä + é", &[issue(Some(5), "bad")]),
            "ERROR: <input>:1:5: bad\n | ä + é\n | ．...＾"
        );
        assert_eq!(report("a", &[issue(Some(1), "end")]), "ERROR: <input>:1:2: end\n | a\n | .^");
        assert_eq!(report("", &[issue(Some(0), "end")]), "ERROR: <input>:1:0: end");
    }

    #[test]
    fn issues_are_in_the_order_of_their_places() {
        let issues = [issue(Some(1), "second"), issue(None, "first"), issue(Some(1), "third")];
        assert_eq!(
            report("ab", &issues),
            "ERROR: <input>:-1:0: first\nERROR: <input>:1:2: second\n | ab\n | .^\nERROR: <input>:1:2: third\n | ab\n | .^"
        );
    }

    #[test]
    fn the_first_hundred_are_shown_and_the_others_counted() {
        let text = "x".repeat(101);
        let issues: Vec<Issue> = (0..101).rev().map(|place| issue(Some(place), "bad")).collect();
        let report = report(&text, &issues);
        assert!(report.starts_with("ERROR: <input>:1:2: bad\n"));
        assert!(report.ends_with("^\n1 more errors were truncated"));
    }

    #[test]
    fn columns_are_code_points() {
        assert_eq!(line_column("'😀'\n+ x", 9), (2, 3));
        assert_eq!(line_column("\n'😀' + x", 10), (2, 7));
        assert_eq!(line_column("", 0), (1, 0));
    }

    #[test]
    fn long_lines_are_not_shown() {
        let text = "x".repeat(16_385);
        assert_eq!(report(&text, &[issue(Some(0), "bad")]), "ERROR: <input>:1:1: bad");
    }
}
