//! Comments that speak to convoy-lsp: `# convoy-lsp: KEY[=VALUE] …` at the top of a document, and
//! `# convoy-lsp: ignore[rule] reason` on a line or the line above.

use convoy_text::Span;

/// What a comment must begin with.
const MARK: &str = "convoy-lsp:";
/// The keys of a modeline.
pub const KEYS: [&str; 4] = ["samples", "mutations", "release", "namespace"];

/// A word of a modeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// Before `=`.
    pub key: String,
    /// After `=`.
    pub value: Option<String>,
    /// The whole word.
    pub span: Span,
}

/// The modeline of a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Modeline {
    /// Its words in order.
    pub words: Vec<Word>,
}

impl Modeline {
    fn get(&self, key: &str) -> Option<&Word> {
        self.words.iter().rev().find(|word| word.key == key)
    }

    /// The paths that `samples` names, with the word's place.
    pub fn samples(&self) -> Option<(Vec<&str>, Span)> {
        let word = self.get("samples")?;
        Some((word.value.as_deref()?.split(',').filter(|path| !path.is_empty()).collect(), word.span))
    }

    /// Whether the document is the list of a `/mutations` subresource.
    pub fn is_mutation_list(&self) -> bool {
        self.get("mutations").is_some_and(|word| word.value.is_none())
    }

    /// The name of the Release that a list belongs to.
    pub fn release(&self) -> Option<&str> {
        self.get("release")?.value.as_deref()
    }

    /// Its namespace.
    pub fn namespace(&self) -> Option<&str> {
        self.get("namespace")?.value.as_deref()
    }
}

/// `ignore[rule, …] reason`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suppression {
    /// The rules.
    pub rules: Vec<String>,
    /// The comment.
    pub span: Span,
    /// Whether it stands alone on its line, and so means the next one.
    pub alone: bool,
}

/// The comments of a file that speak to convoy-lsp.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comments {
    modelines: Vec<(Span, Vec<Word>)>,
    /// The suppressions in order.
    pub suppressions: Vec<Suppression>,
}

impl Comments {
    /// Reads the comments of a text.
    pub fn read(text: &str, comments: &[Span]) -> Comments {
        let mut found = Comments::default();
        for &span in comments {
            let body = span.text(text).trim_start_matches('#');
            let trimmed = body.trim_start();
            let Some(rest) = trimmed.strip_prefix(MARK) else { continue };
            let rest_start = span.end - rest.len();
            if let Some(list) = rest.trim_start().strip_prefix("ignore[") {
                let rules = list.split(']').next().unwrap_or("");
                let line_start = text[..span.start].rfind(['\n', '\r']).map_or(0, |i| i + 1);
                found.suppressions.push(Suppression {
                    rules: rules
                        .split(',')
                        .map(|rule| rule.trim().to_owned())
                        .filter(|r| !r.is_empty())
                        .collect(),
                    span,
                    alone: text[line_start..span.start].trim().is_empty(),
                });
                continue;
            }
            found.modelines.push((span, words(rest, rest_start)));
        }
        found
    }

    /// The modeline of a document: the comments before its first node.
    pub(super) fn modeline(&self, before_root: Span, first: bool) -> Modeline {
        let start = if first { 0 } else { before_root.start };
        let words = self
            .modelines
            .iter()
            .filter(|(span, _)| start <= span.start && span.start < before_root.end)
            .flat_map(|(_, words)| words.clone())
            .collect();
        Modeline { words }
    }
}

fn words(text: &str, offset: usize) -> Vec<Word> {
    let mut words = Vec::new();
    let mut at = 0;
    for part in text.split_inclusive(char::is_whitespace) {
        let word = part.trim_end();
        if !word.is_empty() {
            let (key, value) = match word.split_once('=') {
                Some((key, value)) => (key, Some(value.to_owned())),
                None => (word, None),
            };
            let span = Span::new(offset + at, offset + at + word.len());
            words.push(Word { key: key.to_owned(), value, span });
        }
        at += part.len();
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Comments {
        Comments::read(text, convoy_yaml::parse(text).comments())
    }

    #[test]
    fn words_and_their_places() {
        let text = "# convoy-lsp: samples=a.yaml,b.yaml mutations release=web\n- type: x\n";
        let modeline = read(text).modeline(Span::new(0, 57), true);
        assert_eq!(modeline.samples().unwrap().0, ["a.yaml", "b.yaml"]);
        assert_eq!(modeline.samples().unwrap().1.text(text), "samples=a.yaml,b.yaml");
        assert!(modeline.is_mutation_list());
        assert_eq!(modeline.release(), Some("web"));
        assert_eq!(modeline.namespace(), None);
    }

    #[test]
    fn suppressions() {
        let text = "# convoy-lsp: ignore[no-effect] on purpose\na: 1 # convoy-lsp: ignore[a, b]\n# other\n";
        let comments = read(text);
        assert_eq!(comments.suppressions.len(), 2);
        assert_eq!(comments.suppressions[0].rules, ["no-effect"]);
        assert!(comments.suppressions[0].alone);
        assert_eq!(comments.suppressions[1].rules, ["a", "b"]);
        assert!(!comments.suppressions[1].alone);
    }
}
