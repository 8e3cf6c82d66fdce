//! Templates as `text/template` answers.

use convoy_gotemplate::{ExecErrorKind, Functions, MissingKey, Options, Val, execute, parse};

/// What a run gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rendered {
    /// The phase, `parse` or `exec`, and the text of the error.
    pub error: Option<(&'static str, String)>,
    /// All that was written, also before an error.
    pub output: Vec<u8>,
    /// The error is a limit of ours, where Go may go on.
    pub limit: bool,
}

/// The option of a name, that of Go's default for any other.
pub fn missing_key(name: Option<&str>) -> MissingKey {
    match name {
        Some("zero") => MissingKey::Zero,
        Some("error") => MissingKey::Error,
        _ => MissingKey::Default,
    }
}

/// Parses and runs a template that is called `t`.
pub fn render(text: &str, data: &Val, missing_key: MissingKey) -> Rendered {
    let functions = Functions::builtin();
    let template = parse("t", text, &|name| functions.contains(name));
    if let Some(error) = template.errors.first() {
        let message = error.message.clone();
        let limit = message.contains("a limit of convoy-lsp");
        return Rendered { error: Some(("parse", message)), output: Vec::new(), limit };
    }
    let output = execute(&template, &functions, data, &Options { missing_key, ..Options::default() });
    let limit = output.error.as_ref().is_some_and(|error| error.kind == ExecErrorKind::Limit);
    Rendered { error: output.error.map(|error| ("exec", error.message)), output: output.bytes, limit }
}
