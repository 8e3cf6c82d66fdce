use convoy_gotemplate::{ParseError, ParseErrorKind};
use convoy_text::Span;

use super::json_patch_quotes::{is_patch_list, is_quote_fault};
use super::texts::texts;
use super::{Check, Example, Release, Reports, Rule};
use crate::diagnostic::{Place, Severity, Stage};
use crate::preview::Text;

pub(super) const RULE: Rule = Rule {
    name: "template-syntax",
    stage: Stage::Run,
    severity: Severity::Error,
    summary: "A template cannot be parsed.",
    explanation: "Admission does not parse templates: a fault shows when convoy renders the Release, as `Applied=False`, reason `DeployFailed`. The text is Go's. The first fault is the one that convoy reports; convoy-lsp goes on behind it.",
    example: Example {
        wrong: r#"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: goTemplate
  target: {group: apps, version: v1, kind: Deployment, name: web}
  inline: |
    metadata:
      labels: {name: "{{ .object.metadata.name | upper }}"}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web, version: "1.10"}}
spec:
  replicas: 1
  template:
    spec:
      containers:
      - {name: web, image: "nginx:1", env: [{name: A, value: "1"}, {name: B, value: "2"}]}
"#,
        right: r#"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: goTemplate
  target: {group: apps, version: v1, kind: Deployment, name: web}
  inline: |
    metadata:
      labels: {name: "{{ .object.metadata.name }}"}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web, version: "1.10"}}
spec:
  replicas: 1
  template:
    spec:
      containers:
      - {name: web, image: "nginx:1", env: [{name: A, value: "1"}, {name: B, value: "2"}]}
"#,
    },
    check: Check::Release(check),
};

/// Functions of Sprig and Helm that people know best.
const SPRIG: [&str; 56] = [
    "add",
    "add1",
    "append",
    "b64dec",
    "b64enc",
    "ceil",
    "coalesce",
    "concat",
    "contains",
    "date",
    "default",
    "dict",
    "div",
    "empty",
    "fail",
    "first",
    "floor",
    "fromJson",
    "fromYaml",
    "get",
    "has",
    "hasKey",
    "hasPrefix",
    "hasSuffix",
    "include",
    "indent",
    "int",
    "join",
    "keys",
    "kindIs",
    "last",
    "list",
    "lookup",
    "lower",
    "max",
    "merge",
    "min",
    "mod",
    "mul",
    "nindent",
    "now",
    "quote",
    "regexMatch",
    "replace",
    "required",
    "set",
    "split",
    "squote",
    "sub",
    "ternary",
    "title",
    "toJson",
    "toYaml",
    "tpl",
    "trim",
    "upper",
];

fn check(context: &Release<'_>, reports: &mut Reports) {
    for text in texts(context) {
        for (i, error) in text.template.errors.iter().enumerate() {
            if is_patch_list(context, &text) && is_quote_fault(&text, error) {
                continue;
            }
            let place = visible(&text, error.span);
            let more = if i == 0 { "" } else { " (after the first fault is mended)" };
            reports.add(place, format!("{}{more}", error.detail)).maybe_help(help(context, &text, error));
        }
    }
}

/// The place of an error; the whole text where the error has no bytes of its own.
fn visible(text: &Text, span: Span) -> Place {
    let place = text.place(span);
    if !place.span.is_empty() {
        return place;
    }
    let before = text.text()[..span.start].chars().next_back().map_or(0, char::len_utf8);
    let last = Span::character(text.text(), span.start - before);
    text.place(Span::new(last.start, span.end.max(last.end)))
}

fn help(context: &Release<'_>, text: &Text, error: &ParseError) -> Option<String> {
    let source = text.text();
    match &error.kind {
        ParseErrorKind::UnknownFunction(name) => {
            let functions = &context.preview.compiled.functions;
            if SPRIG.contains(&&**name) {
                return Some(format!(
                    "{name} is a function of Sprig, and convoy's documentation names none; if your build has it, add it to the setting convoy.functions"
                ));
            }
            return Some(match functions.nearest(name) {
                Some(near) => format!("did you mean {near}?"),
                None => format!(
                    "convoy's documentation names no functions beside Go's own: {}",
                    functions.names().join(", ")
                ),
            });
        }
        ParseErrorKind::UnknownVariable(name) => {
            return Some(format!("declare it before: {{{{ {name} := … }}}}"));
        }
        ParseErrorKind::Other => {}
    }
    let at = error.span.start.min(source.len());
    if error.detail.starts_with("bad character") || error.detail.contains("unexpected \"[\"") {
        return Some(indexed(source, at));
    }
    let operators = ["==", "!=", "&&", "||", ">=", "<="];
    let near = source[..at].len().saturating_sub(1);
    let around = source.get(near..(at + 2).min(source.len())).unwrap_or("");
    if operators.iter().any(|op| around.contains(op) || error.span.text(source).contains(op)) {
        return Some(match rewritten(source, at) {
            Some(condition) => format!("templates have no operators; write {condition}"),
            None => "templates have no operators: eq A B, ne A B, lt A B, or X Y, and X Y, not X, with parentheses around each part".to_owned(),
        });
    }
    if error.detail.contains("unexpected \"/\"") {
        return Some("a comment begins directly after the braces: {{/* … */}} or {{- /* … */ -}}".to_owned());
    }
    None
}

/// Maps whose keys are often no plain words.
const MAPS: [&str; 5] = ["labels", "annotations", "data", "matchLabels", "nodeSelector"];

/// A chain of fields with a key that is no word, or an index in brackets, as `index` reads it.
fn indexed(source: &str, at: usize) -> String {
    let ends = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | '|' | ',' | '{' | '}' | '"');
    let start = source[..at].rfind(ends).map_or(0, |i| i + 1);
    let end = source[at..].find(ends).map_or(source.len(), |i| at + i);
    let chain = &source[start..end];
    if let Some((base, rest)) = chain.split_once('[') {
        let key = rest.split(']').next().unwrap_or("").trim_matches(['"', '`', '\'']);
        let is_number = !key.is_empty() && key.bytes().all(|b| b.is_ascii_digit());
        return format!(
            "write index {base} {}",
            if is_number { key.to_owned() } else { format!("\"{key}\"") }
        );
    }
    let parts: Vec<&str> = chain.split('.').collect();
    let bad = at - start;
    // The key begins after a field that is known to be a map; else it is the name around the bad character.
    let known =
        (1..parts.len()).rev().find(|i| MAPS.contains(&parts[*i]) && parts[..=*i].join(".").len() <= bad);
    let own = (1..parts.len())
        .find(|i| parts[..=*i].join(".").len() > bad.saturating_sub(1))
        .map_or(1, |i| i.max(1) - 1);
    let split = known.unwrap_or(own).min(parts.len() - 1);
    let (base, key) = (parts[..=split].join("."), parts[split + 1..].join("."));
    if key.is_empty() {
        return "a key that is no plain word is read with index: index .object.metadata.labels \"app-tier\""
            .to_owned();
    }
    format!("write index {} \"{key}\"", if base.is_empty() { "." } else { &base })
}

/// The condition around an operator in the words of templates, where it is only operands and operators.
fn rewritten(source: &str, at: usize) -> Option<String> {
    let start = source[..at].rfind("{{")? + 2;
    let end = at + source[at..].find("}}")?;
    let body = source[start..end].trim_matches(['-', ' ']);
    let (word, condition) = ["else if ", "if ", "with "]
        .iter()
        .find_map(|word| body.strip_prefix(word).map(|rest| (word.trim(), rest)))
        .unwrap_or(("", body));
    let rewritten = either(condition.trim())?;
    Some(if word.is_empty() { rewritten } else { format!("{word} {rewritten}") })
}

fn either(text: &str) -> Option<String> {
    joined(text, "||", "or", |part| joined(part, "&&", "and", comparison))
}

/// `A op B op C` as `word A B C`, with parentheses around what is a call itself.
fn joined(text: &str, op: &str, word: &str, part: impl Fn(&str) -> Option<String>) -> Option<String> {
    let parts: Vec<&str> = text.split(op).map(str::trim).collect();
    if parts.len() == 1 {
        return part(parts[0]);
    }
    let mut out = word.to_owned();
    for one in parts {
        let one = part(one)?;
        out.push_str(&if one.contains(' ') && !one.starts_with('"') {
            format!(" ({one})")
        } else {
            format!(" {one}")
        });
    }
    Some(out)
}

fn comparison(text: &str) -> Option<String> {
    for (op, word) in [("==", "eq"), ("!=", "ne"), ("<=", "le"), (">=", "ge"), ("<", "lt"), (">", "gt")] {
        if let Some((a, b)) = text.split_once(op) {
            return Some(format!("{word} {} {}", operand(a.trim())?, operand(b.trim())?));
        }
    }
    match text.strip_prefix('!') {
        Some(rest) => Some(format!("not {}", operand(rest.trim())?)),
        None => operand(text).map(str::to_owned),
    }
}

/// One word or one quoted text.
fn operand(text: &str) -> Option<&str> {
    let quoted = text.len() >= 2 && text.starts_with('"') && text[1..].find('"') == Some(text.len() - 2);
    let word =
        !text.is_empty() && !text.contains(char::is_whitespace) && !text.contains(['(', ')', '|', '"']);
    (quoted || word).then_some(text)
}
