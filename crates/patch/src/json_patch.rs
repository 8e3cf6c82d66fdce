//! RFC 6902 as `evanphx/json-patch` has it, in the two [`Flavour`]s that programs use.

mod decode;
mod equal;
mod target;
mod value;

use convoy_text::Span;
use convoy_value::json::{self, DEPTH_LIMIT};

use crate::document::Document;
use crate::pointer::{self, decode as decode_key};

pub use decode::{decode, decode_as};
use equal::{copied, equal};
use target::{Target, atoi, position};
pub use value::apply_to_value;

/// Which line of the library. Where the code asks for the flavour, the two differ; everything else they share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flavour {
    /// Version 5, github.com/evanphx/json-patch/v5: `replace` of something that is not there fails, operations are
    /// decoded before any is applied, and the empty pointer is the document.
    V5,
    /// Version 4, gopkg.in/evanphx/json-patch.v4, which the API server has: `replace` sets a member that is not
    /// there, `copy` of one copies null, a fault inside an operation counts when its turn comes, and the empty
    /// pointer leads nowhere but for `replace` and `test`.
    V4,
}

/// The operations of RFC 6902, in its order.
pub const OPERATIONS: [&str; 6] = ["add", "remove", "replace", "move", "copy", "test"];

/// Which operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Adds a member, inserts an item, or replaces a member.
    Add,
    /// Removes what is there.
    Remove,
    /// Replaces what is there.
    Replace,
    /// Removes at `from` and adds at `path`.
    Move,
    /// Adds a copy of what is at `from`.
    Copy,
    /// Fails unless the value is there.
    Test,
    /// No operation, which only version 4 decodes.
    Unknown,
}

impl Op {
    /// The operation of this name; case counts.
    pub fn parse(name: &str) -> Option<Op> {
        Some(match name {
            "add" => Op::Add,
            "remove" => Op::Remove,
            "replace" => Op::Replace,
            "move" => Op::Move,
            "copy" => Op::Copy,
            "test" => Op::Test,
            _ => return None,
        })
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        OPERATIONS.get(self as usize).copied().unwrap_or("unknown")
    }
}

/// A text with its span in the JSON that was decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located {
    /// The decoded text.
    pub text: String,
    /// The literal with its quotes.
    pub span: Span,
}

/// One operation of a patch.
#[derive(Clone, Debug, PartialEq)]
pub struct Operation {
    /// What it does.
    pub op: Op,
    /// Where; empty where there is a fault instead of it.
    pub path: Located,
    /// From where; only `move` and `copy` read it.
    pub from: Option<Located>,
    /// The value; a `null` that is written is [`Document::PutNull`].
    pub value: Option<Document>,
    /// The span of the value in the JSON.
    pub value_span: Option<Span>,
    /// The span of the operation in the JSON.
    pub span: Span,
    /// What version 4 says once it needs the operation, `from` or path that it did not find; version 5 refuses the
    /// patch as a whole.
    pub fault: Option<String>,
}

/// Why a text is no patch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodeError {
    /// The library's text.
    pub message: String,
    /// Which operation, from 0, if it is one.
    pub index: Option<usize>,
    /// The place in the JSON.
    pub span: Span,
    /// Where the text stops being JSON, with `encoding/json`'s words, which the library does not print.
    pub syntax: Option<json::Error>,
}

impl std::fmt::Display for DecodeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for DecodeError {}

/// Why a patch does not apply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApplyError {
    /// The library's text.
    pub message: String,
    /// Which operation, from 0; none where the document itself is at fault.
    pub index: Option<usize>,
    /// The pointer that could not be followed, `path` or `from`.
    pub pointer: String,
    /// Whether that pointer is the operation's `from`.
    pub at_from: bool,
    /// Whether a `test` found another value, for which the API server leaves the whole patch out and goes on.
    pub test_failed: bool,
}

impl std::fmt::Display for ApplyError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ApplyError {}

/// What goes wrong inside one operation.
struct Failure {
    message: String,
    at_from: bool,
    test_failed: bool,
}

fn fail<T>(message: String) -> Result<T, Failure> {
    Err(Failure { message, at_from: false, test_failed: false })
}

fn fail_from<T>(message: String) -> Result<T, Failure> {
    Err(Failure { message, at_from: true, test_failed: false })
}

/// An error with what the library wraps around it. A panic goes through all that.
fn within(context: &str, error: String) -> String {
    if error.starts_with("panic: ") { error } else { format!("{context}: {error}") }
}

const MISSING: &str = "missing value";
const PANIC: &str = "panic: runtime error: invalid memory address or nil pointer dereference";

/// Applies a patch to a document as version 5 does.
///
/// # Errors
///
/// The library's text for the first operation that fails; nothing is applied then.
pub fn apply(patch: &[Operation], document: &Document) -> Result<Document, ApplyError> {
    apply_as(Flavour::V5, patch, document)
}

/// Applies a patch, which was decoded in the same flavour, to a document.
///
/// # Errors
///
/// The library's text for the first operation that fails; nothing is applied then. Where the library panics, the
/// text is that of the panic after `panic: `.
pub fn apply_as(flavour: Flavour, patch: &[Operation], document: &Document) -> Result<Document, ApplyError> {
    let mut state = State::new(flavour, patch, document)?;
    for (index, operation) in patch.iter().enumerate() {
        state.operation(operation).map_err(|failure| {
            let from = operation.from.as_ref().filter(|_| failure.at_from);
            ApplyError {
                message: failure.message,
                index: Some(index),
                pointer: from.unwrap_or(&operation.path).text.clone(),
                at_from: from.is_some(),
                test_failed: failure.test_failed,
            }
        })?;
    }
    if matches!(state.root, Document::Null) && !state.null_is_fine {
        let message =
            "json: error calling MarshalJSON for type *jsonpatch.partialDoc: invalid value, expected object";
        return Err(document_error(message.to_owned()));
    }
    state.root.settle();
    Ok(state.root)
}

/// Applies a patch to the text of a document, as `Patch.Apply` of version 5 does.
///
/// # Errors
///
/// As [`apply`]; also for a text that is not JSON, and for a list with blanks before it, which the library takes
/// for an object.
pub fn apply_text(patch: &[Operation], document: &str) -> Result<String, ApplyError> {
    apply_text_as(Flavour::V5, patch, document)
}

/// Applies a patch, which was decoded in the same flavour, to the text of a document, as `Patch.Apply` does.
///
/// # Errors
///
/// As [`apply_text`].
pub fn apply_text_as(flavour: Flavour, patch: &[Operation], document: &str) -> Result<String, ApplyError> {
    if document.is_empty() {
        return Ok(String::new());
    }
    let node = json::parse(document).map_err(|error| {
        document_error(match flavour {
            Flavour::V5 => "invalid state detected".to_owned(),
            Flavour::V4 => error.message,
        })
    })?;
    let parsed = match flavour {
        Flavour::V5 => Document::from_node(&node),
        Flavour::V4 => Document::spelled(&node, document),
    };
    if matches!(parsed, Document::Array(_)) && !document.starts_with('[') {
        return Err(document_error(not_an_object(flavour, "array")));
    }
    apply_as(flavour, patch, &parsed).map(|document| document.to_string())
}

fn document_error(message: String) -> ApplyError {
    ApplyError { message, index: None, pointer: String::new(), at_from: false, test_failed: false }
}

fn not_an_object(flavour: Flavour, kind: &str) -> String {
    let wanted = match flavour {
        Flavour::V5 => "map[string]*jsonpatch.lazyNode",
        Flavour::V4 => "jsonpatch.partialDoc",
    };
    format!("json: cannot unmarshal {kind} into Go value of type {wanted}")
}

/// The name of a value that is no document, as Go calls it.
fn scalar_name(document: &Document) -> Option<&'static str> {
    match document {
        Document::Object(_) | Document::Array(_) | Document::Null | Document::PutNull | Document::NilMap => {
            None
        }
        Document::Bool(_) => Some("bool"),
        Document::Number(_) => Some("number"),
        Document::String(_) | Document::Spelled { .. } => Some("string"),
    }
}

/// Values that `copy` and `move` may put in all, far more than any object holds. The library has no such limit by default.
pub const COPY_LIMIT: usize = 1_000_000;

struct State {
    flavour: Flavour,
    /// Values that `copy` and `move` have put.
    copied: usize,
    root: Document,
    /// What the empty key of the root stands for in version 5: the document as it was given, apart from the root.
    /// Edits under it are lost.
    own: Option<Document>,
    null_is_fine: bool,
}

/// Whether a pointer of a patch may mean what [`State::own`] has.
fn reads_own(patch: &[Operation]) -> bool {
    let pointers = patch.iter().flat_map(|operation| [Some(&operation.path), operation.from.as_ref()]);
    pointers.flatten().any(|pointer| pointer.text.split('/').nth(1).is_none_or(str::is_empty))
}

/// Refuses what would nest deeper than a document may; the parsers refuse the same in texts.
fn fits(path: &str, value: &Document) -> Result<(), Failure> {
    if path.matches('/').count() + value.depth() > DEPTH_LIMIT {
        return fail(format!("nested deeper than {DEPTH_LIMIT} levels (a limit of convoy-lsp)"));
    }
    Ok(())
}

impl State {
    fn new(flavour: Flavour, patch: &[Operation], document: &Document) -> Result<State, ApplyError> {
        if let Some(name) = scalar_name(document) {
            return Err(document_error(not_an_object(flavour, name)));
        }
        let (root, own) = match flavour {
            Flavour::V5 => (document.clone(), reads_own(patch).then(|| document.clone())),
            Flavour::V4 if document.is_null() => (Document::NilMap, None),
            Flavour::V4 => (document.clone(), None),
        };
        Ok(State { flavour, copied: 0, root, own, null_is_fine: false })
    }

    /// Follows a pointer to the container of its last key.
    fn find(&mut self, path: &str) -> Option<Target<'_>> {
        let parts: Vec<&str> = path.split('/').collect();
        let (flavour, v5) = (self.flavour, self.flavour == Flavour::V5);
        if parts.len() < 2 {
            let own = self.own.clone();
            let whole = v5 && path.is_empty();
            return whole.then(|| Target { flavour, container: &mut self.root, key: String::new(), own });
        }
        // Under the empty key, version 5 sees the document itself, and only of the root; to version 4 it is a key.
        let own = if parts.len() == 2 && parts[1].is_empty() { self.own.clone() } else { None };
        let through_own = v5 && parts.len() > 2 && parts[1].is_empty();
        let mut container = if through_own { self.own.as_mut()? } else { &mut self.root };
        for part in &parts[1 + usize::from(through_own)..parts.len() - 1] {
            let key = decode_key(part);
            container = match container {
                _ if v5 && key.is_empty() => return None,
                Document::Object(object) => object.get_mut(key.as_str())?,
                Document::Array(items) => {
                    let at = position(atoi(&key).ok()?, items.len()).ok()?;
                    &mut items[at]
                }
                _ => return None,
            };
            if !matches!(container, Document::Object(_) | Document::Array(_) | Document::NilMap) {
                return None;
            }
        }
        Some(Target { flavour, container, key: decode_key(parts[parts.len() - 1]), own })
    }

    fn operation(&mut self, operation: &Operation) -> Result<(), Failure> {
        if let Some(fault) = &operation.fault {
            // The path of these two is only read once something has been found at `from`.
            let later = matches!(operation.op, Op::Move | Op::Copy) && operation.from.is_some();
            if !later {
                return fail(fault.clone());
            }
        }
        match operation.op {
            Op::Add => self.add(operation),
            Op::Remove => self.remove(&operation.path.text),
            Op::Replace => self.replace(operation),
            Op::Move => self.move_value(operation),
            Op::Copy => self.copy(operation),
            Op::Test => self.test(operation),
            Op::Unknown => fail("Unexpected kind: unknown".to_owned()),
        }
    }

    /// The value that an operation puts. Version 4 puts null where there is none.
    fn value(&self, operation: &Operation) -> Result<Document, Failure> {
        match (&operation.value, self.flavour) {
            (Some(value), _) => Ok(value.clone()),
            (None, Flavour::V4) => Ok(Document::Null),
            (None, Flavour::V5) => fail(PANIC.to_owned()),
        }
    }

    fn add(&mut self, operation: &Operation) -> Result<(), Failure> {
        let path = &operation.path.text;
        let value = self.value(operation)?;
        if self.flavour == Flavour::V5 && path.is_empty() {
            if let Some(name) = scalar_name(&value) {
                return fail(not_an_object(self.flavour, name));
            }
            self.root = if value.is_null() { Document::Null } else { value.clone() };
            self.own = Some(value);
            self.null_is_fine = false;
            return Ok(());
        }
        match self.find(path) {
            None => fail(format!("add operation does not apply: doc is missing path: \"{path}\": {MISSING}")),
            Some(mut target) => {
                fits(path, &value)?;
                target
                    .add(value)
                    .or_else(|error| fail(within(&format!("error in add for path: '{path}'"), error)))
            }
        }
    }

    fn remove(&mut self, path: &str) -> Result<(), Failure> {
        match self.find(path) {
            None => {
                fail(format!("remove operation does not apply: doc is missing path: \"{path}\": {MISSING}"))
            }
            Some(mut target) => {
                target.remove().or_else(|error| fail(format!("error in remove for path: '{path}': {error}")))
            }
        }
    }

    fn replace(&mut self, operation: &Operation) -> Result<(), Failure> {
        let path = &operation.path.text;
        if path.is_empty() {
            let Some(value) = operation.value.clone() else { return fail(PANIC.to_owned()) };
            match value {
                Document::Object(_) | Document::Array(_) => {
                    self.root = value;
                    self.null_is_fine = false;
                }
                // Version 5 takes null for an empty list here and prints it as null.
                Document::PutNull | Document::Null if self.flavour == Flavour::V5 => {
                    self.root = Document::Null;
                    self.null_is_fine = true;
                }
                _ => return fail("replace operation value must be object or array: %!w(<nil>)".to_owned()),
            }
            self.own = None;
            return Ok(());
        }
        let value = self.value(operation)?;
        let Some(mut target) = self.find(path) else {
            return fail(format!("replace operation does not apply: doc is missing path: {path}: {MISSING}"));
        };
        if target.get().is_err() {
            return fail(format!("replace operation does not apply: doc is missing key: {path}: {MISSING}"));
        }
        fits(path, &value)?;
        target.set(value).or_else(|error| fail(within(&format!("error in remove for path: '{path}'"), error)))
    }

    fn move_value(&mut self, operation: &Operation) -> Result<(), Failure> {
        let (from, path) = (from_text(operation), &operation.path.text);
        if self.flavour == Flavour::V5 && from.is_empty() {
            return fail_from(
                "unable to move entire document to another path: invalid state detected".to_owned(),
            );
        }
        let Some(mut target) = self.find(from) else {
            return fail_from(format!(
                "move operation does not apply: doc is missing from path: {from}: {MISSING}"
            ));
        };
        let key = target.key.clone();
        let in_move = |error: String| Failure {
            message: format!("error in move for path: '{key}': {error}"),
            at_from: true,
            test_failed: false,
        };
        let value = target.get().map_err(in_move)?.unwrap_or(Document::Null);
        target.remove().map_err(in_move)?;
        if let Some(fault) = &operation.fault {
            return fail(fault.clone());
        }
        self.count(&value)?;
        let Some(mut target) = self.find(path) else {
            return fail(format!(
                "move operation does not apply: doc is missing destination path: {path}: {MISSING}"
            ));
        };
        fits(path, &value)?;
        target.add(value).or_else(|error| fail(within(&format!("error in move for path: '{path}'"), error)))
    }

    /// Counts the values that are put, so that a patch cannot double a document without end.
    fn count(&mut self, value: &Document) -> Result<(), Failure> {
        self.copied += value.size();
        if self.copied > COPY_LIMIT {
            return fail_from(format!("copies more than {COPY_LIMIT} values (a limit of convoy-lsp)"));
        }
        Ok(())
    }

    fn copy(&mut self, operation: &Operation) -> Result<(), Failure> {
        let flavour = self.flavour;
        let (from, path) = (from_text(operation), &operation.path.text);
        let Some(target) = self.find(from) else {
            let from = match flavour {
                Flavour::V5 => format!("\"{from}\""),
                Flavour::V4 => from.to_owned(),
            };
            return fail_from(format!(
                "copy operation does not apply: doc is missing from path: {from}: {MISSING}"
            ));
        };
        let value =
            target.get().or_else(|error| fail_from(format!("error in copy for from: '{from}': {error}")))?;
        if let Some(fault) = &operation.fault {
            return fail(fault.clone());
        }
        let mut value = value.unwrap_or(Document::Null);
        if flavour == Flavour::V4 {
            value = copied(value);
        }
        self.count(&value)?;
        let Some(mut target) = self.find(path) else {
            return fail(format!(
                "copy operation does not apply: doc is missing destination path: {path}: {MISSING}"
            ));
        };
        fits(path, &value)?;
        target.add(value).or_else(|error| fail(within("error while adding value during copy", error)))
    }

    fn test(&mut self, operation: &Operation) -> Result<(), Failure> {
        let (flavour, path) = (self.flavour, &operation.path.text);
        let verdict = |equal: Option<bool>| match equal {
            Some(true) => Ok(()),
            Some(false) => Err(Failure {
                message: format!("testing value {path} failed: test failed"),
                at_from: false,
                test_failed: true,
            }),
            None => fail(PANIC.to_owned()),
        };
        if path.is_empty() {
            return verdict(operation.value.as_ref().and_then(|value| equal(flavour, &self.root, value)));
        }
        let Some(target) = self.find(path) else {
            return fail(format!("test operation does not apply: is missing path: {path}: {MISSING}"));
        };
        let found = match target.get() {
            Ok(found) => found,
            // A member that is not there counts as null.
            Err(error) if error.starts_with("unable to get nonexistent key") => None,
            Err(error) => return fail(format!("error in test for path: '{path}': {error}")),
        };
        let wanted_null = operation.value.as_ref().is_none_or(Document::is_null);
        let found = found.filter(|value| !matches!(value, Document::Null));
        match (found, &operation.value) {
            (None, _) => verdict(Some(wanted_null)),
            (Some(_), None) => verdict(Some(false)),
            // To version 5, a null that was put is not the null that is wanted.
            (Some(_), _) if flavour == Flavour::V5 && wanted_null => verdict(Some(false)),
            (Some(found), Some(value)) => verdict(equal(flavour, &found, value)),
        }
    }
}

fn from_text(operation: &Operation) -> &str {
    operation.from.as_ref().map_or("", |from| &from.text)
}

/// The pointer of the innermost value that is there, and the token of `path` that is not: where to show a
/// failure of an operation on `document`.
pub fn first_missing(document: &Document, path: &str) -> Option<(pointer::Token, Document)> {
    let mut here = document;
    for token in pointer::tokens(path) {
        let next = match here {
            Document::Object(object) => object.get(token.key.as_str()),
            Document::Array(items) => {
                atoi(&token.key).ok().and_then(|i| position(i, items.len()).ok()).map(|at| &items[at])
            }
            _ => None,
        };
        match next {
            Some(next) => here = next,
            None => return Some((token, here.clone())),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(flavour: Flavour, document: &str, patch: &str) -> Result<Document, ApplyError> {
        apply_as(flavour, &decode_as(flavour, patch).unwrap(), &Document::parse(document).unwrap())
    }

    // The answers are those of the libraries; many more stand in `tests/conformance`.
    #[test]
    fn the_flavours_differ_in_what_is_not_there() {
        let patch = r#"[{"op":"replace","path":"/b","value":2}]"#;
        assert_eq!(run(Flavour::V4, r#"{"a":1}"#, patch).unwrap().to_string(), r#"{"a":1,"b":2}"#);
        let error = run(Flavour::V5, r#"{"a":1}"#, patch).unwrap_err();
        assert_eq!(error.message, "replace operation does not apply: doc is missing key: /b: missing value");
    }

    #[test]
    fn a_fault_waits_for_its_turn() {
        let patch = r#"[{"op":"add","path":"/b","value":null},{"op":"move","from":"/z"}]"#;
        assert!(decode(patch).is_err());
        let error = run(Flavour::V4, "{}", patch).unwrap_err();
        let text = "error in move for path: 'z': Unable to remove nonexistent key: z: missing value";
        assert_eq!((error.message.as_str(), error.index, error.at_from), (text, Some(1), true));
    }

    #[test]
    fn only_a_test_that_compared_has_failed() {
        let test = |path: &str| {
            let patch = format!(r#"[{{"op":"test","path":"{path}","value":2}}]"#);
            run(Flavour::V4, r#"{"a":1}"#, &patch).unwrap_err().test_failed
        };
        assert!(test("/a"));
        assert!(test("/z"));
        assert!(!test("/z/y"));
    }

    #[test]
    fn version_5_crashes_where_a_whole_list_is_tested_for_null() {
        let patch = r#"[{"op":"test","path":"","value":null}]"#;
        let message = |flavour, document: &str| run(flavour, document, patch).unwrap_err().message;
        let failed = "testing value  failed: test failed";
        assert_eq!(message(Flavour::V5, "[1]"), PANIC);
        assert_eq!(message(Flavour::V5, "{}"), failed);
        assert_eq!(message(Flavour::V4, "[1]"), failed);
    }

    #[test]
    fn a_result_has_one_kind_of_null_and_of_string() {
        let patch = r#"[{"op":"add","path":"/a","value":null},{"op":"copy","from":"/a","path":"/b"},
            {"op":"add","path":"/c","value":"\u0061"}]"#;
        for flavour in [Flavour::V4, Flavour::V5] {
            let result = run(flavour, "{}", patch).unwrap();
            assert_eq!(result, Document::parse(r#"{"a":null,"b":null,"c":"a"}"#).unwrap());
        }
    }
}
