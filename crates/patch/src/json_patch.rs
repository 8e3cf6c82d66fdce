//! RFC 6902 as `evanphx/json-patch` version 5 has it: the flavour in which `replace` and `remove` of something
//! that is not there fail.

use std::sync::Arc;

use convoy_text::Span;
use convoy_value::go;
use convoy_value::json::{self, DEPTH_LIMIT, Kind, Node};

use crate::document::{Document, Object};
use crate::pointer::{self, decode as decode_key};

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
        OPERATIONS[self as usize]
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
    /// Where.
    pub path: Located,
    /// From where; only `move` and `copy` read it.
    pub from: Option<Located>,
    /// The value; a `null` that is written is [`Document::PutNull`].
    pub value: Option<Document>,
    /// The span of the value in the JSON.
    pub value_span: Option<Span>,
    /// The span of the operation in the JSON.
    pub span: Span,
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
}

impl std::fmt::Display for ApplyError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ApplyError {}

fn kind_name(node: &Node) -> &'static str {
    match node.kind {
        Kind::Null => "null",
        Kind::Bool(_) => "bool",
        Kind::Number(_) => "number",
        Kind::String(_) => "string",
        Kind::Array(_) => "array",
        Kind::Object(_) => "object",
    }
}

/// Decodes the JSON text of a patch. All operations are looked at before any is applied.
///
/// # Errors
///
/// The library's text for the first fault.
pub fn decode(text: &str) -> Result<Vec<Operation>, DecodeError> {
    let error = |message: String, index: Option<usize>, span: Span| DecodeError {
        message,
        index,
        span,
        syntax: None,
    };
    let root = json::parse(text).map_err(|syntax| DecodeError {
        message: "invalid state detected".to_owned(),
        index: None,
        span: Span::character(text, syntax.offset),
        syntax: Some(syntax),
    })?;
    let items = match &root.kind {
        Kind::Array(items) => items,
        Kind::Null => return Ok(Vec::new()),
        _ => {
            let name = kind_name(&root);
            return Err(error(
                format!("json: cannot unmarshal {name} into Go value of type jsonpatch.Patch"),
                None,
                root.span,
            ));
        }
    };
    // The types of all entries are looked at before the operations in them.
    for (i, item) in items.iter().enumerate() {
        if !matches!(item.kind, Kind::Object(_) | Kind::Null) {
            let name = kind_name(item);
            return Err(error(
                format!("json: cannot unmarshal {name} into Go value of type jsonpatch.Operation"),
                Some(i),
                item.span,
            ));
        }
    }
    let mut operations = Vec::with_capacity(items.len());
    for (i, item) in items.iter().enumerate() {
        let operation = operation(text, item).map_err(|(reason, span)| {
            error(format!("invalid operation {}: {reason}", marshalled(text, item)), Some(i), span)
        })?;
        operations.push(operation);
    }
    Ok(operations)
}

/// An operation as `json.Marshal` prints it: members by key, values as they were written.
fn marshalled(text: &str, item: &Node) -> String {
    let Kind::Object(members) = &item.kind else { return "null".to_owned() };
    let mut last: std::collections::BTreeMap<&str, &Node> = std::collections::BTreeMap::new();
    for member in members {
        last.insert(&member.key, &member.value);
    }
    let mut out = String::from("{");
    for (i, (key, value)) in last.into_iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        json::write_string(&mut out, key);
        out.push(':');
        compact(&mut out, value.span.text(text));
    }
    out.push('}');
    out
}

/// `json.Compact` with HTML escapes: blanks outside strings go, everything else stays as written.
fn compact(out: &mut String, raw: &str) {
    let mut in_string = false;
    let mut escaped = false;
    for c in raw.chars() {
        match c {
            ' ' | '\t' | '\r' | '\n' if !in_string => continue,
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => out.push_str(&format!("\\u{:04x}", c as u32)),
            c => out.push(c),
        }
        match c {
            '"' if !escaped => in_string = !in_string,
            _ => {}
        }
        escaped = c == '\\' && !escaped;
    }
}

type Reason = (String, Span);

fn located(item: &Node, key: &str, missing: &str) -> Result<Located, Reason> {
    let decode = |reason: String| format!("failed to decode '{key}': {reason}");
    match item.get(key) {
        None => Err((decode(format!("{missing}: missing value")), item.span)),
        Some(Node { kind: Kind::Null, span }) => Err((decode(format!("{missing}: missing value")), *span)),
        Some(Node { kind: Kind::String(text), span }) => Ok(Located { text: text.to_string(), span: *span }),
        Some(other) => {
            let name = kind_name(other);
            Err((decode(format!("json: cannot unmarshal {name} into Go value of type string")), other.span))
        }
    }
}

fn operation(_text: &str, item: &Node) -> Result<Operation, Reason> {
    let op_node = item.get("op");
    let op = match op_node.map(|node| &node.kind) {
        Some(Kind::String(name)) => Op::parse(name),
        _ => None,
    };
    let Some(op) = op else {
        let span = op_node.map_or(item.span, |node| node.span);
        return Err(("unsupported operation".to_owned(), span));
    };
    let value = item.get("value");
    if matches!(op, Op::Add | Op::Replace) && value.is_none() {
        let reason = "failed to decode 'value': operation, missing value field: missing value";
        return Err((reason.to_owned(), item.span));
    }
    let needs_from = matches!(op, Op::Move | Op::Copy);
    let from = needs_from.then(|| located(item, "from", "operation, missing from field")).transpose()?;
    let path = located(item, "path", "operation missing path field")?;
    Ok(Operation {
        op,
        path,
        from,
        value: value.map(|node| match node.kind {
            Kind::Null => Document::PutNull,
            _ => Document::from_node(node),
        }),
        value_span: value.map(|node| node.span),
        span: item.span,
    })
}

/// What goes wrong inside one operation.
struct Failure {
    message: String,
    at_from: bool,
}

fn fail<T>(message: String) -> Result<T, Failure> {
    Err(Failure { message, at_from: false })
}

fn fail_from<T>(message: String) -> Result<T, Failure> {
    Err(Failure { message, at_from: true })
}

const MISSING: &str = "missing value";
const PANIC: &str = "panic: runtime error: invalid memory address or nil pointer dereference";

/// Applies a patch to a document.
///
/// # Errors
///
/// The library's text for the first operation that fails; nothing is applied then.
pub fn apply(patch: &[Operation], document: &Document) -> Result<Document, ApplyError> {
    let mut state = State::new(document)?;
    for (index, operation) in patch.iter().enumerate() {
        state.operation(operation).map_err(|failure| {
            let from = operation.from.as_ref().filter(|_| failure.at_from);
            ApplyError {
                message: failure.message,
                index: Some(index),
                pointer: from.unwrap_or(&operation.path).text.clone(),
                at_from: from.is_some(),
            }
        })?;
    }
    if matches!(state.root, Document::Null) && !state.null_is_fine {
        let message =
            "json: error calling MarshalJSON for type *jsonpatch.partialDoc: invalid value, expected object";
        return Err(document_error(message.to_owned()));
    }
    Ok(state.root)
}

/// Applies a patch to the text of a document, as `Patch.Apply` does.
///
/// # Errors
///
/// As [`apply`]; also for a text that is not JSON, and for a list with blanks before it, which the library takes
/// for an object.
pub fn apply_text(patch: &[Operation], document: &str) -> Result<String, ApplyError> {
    if document.is_empty() {
        return Ok(String::new());
    }
    let parsed =
        Document::parse(document).map_err(|_| document_error("invalid state detected".to_owned()))?;
    if matches!(parsed, Document::Array(_)) && !document.starts_with('[') {
        return Err(document_error(not_an_object("array")));
    }
    apply(patch, &parsed).map(|document| document.to_string())
}

fn document_error(message: String) -> ApplyError {
    ApplyError { message, index: None, pointer: String::new(), at_from: false }
}

fn not_an_object(kind: &str) -> String {
    format!("json: cannot unmarshal {kind} into Go value of type map[string]*jsonpatch.lazyNode")
}

/// Values that `copy` and `move` may put in all, far more than any object holds. The library has no such limit by default.
pub const COPY_LIMIT: usize = 1_000_000;

struct State {
    /// Values that `copy` and `move` have put.
    copied: usize,
    root: Document,
    /// What the empty key of the root stands for: the document as it was given, apart from the root. Edits under
    /// it are lost.
    own: Option<Document>,
    null_is_fine: bool,
}

/// Where an operation works: a container and a key in it.
struct Target<'a> {
    container: &'a mut Document,
    key: String,
    /// The value of the container's empty key.
    own: Option<Document>,
}

/// Refuses what would nest deeper than a document may; the parsers refuse the same in texts.
fn fits(path: &str, value: &Document) -> Result<(), Failure> {
    if path.matches('/').count() + value.depth() > DEPTH_LIMIT {
        return fail(format!("nested deeper than {DEPTH_LIMIT} levels (a limit of convoy-lsp)"));
    }
    Ok(())
}

fn atoi(key: &str) -> Result<i64, String> {
    let digits = key.strip_prefix(['+', '-']).unwrap_or(key);
    let problem = if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        "invalid syntax"
    } else if let Ok(value) = key.parse() {
        return Ok(value);
    } else {
        "value out of range"
    };
    Err(format!("strconv.Atoi: parsing {}: {problem}", go::quote(key.as_bytes())))
}

fn bad_index(index: i64) -> String {
    format!("Unable to access invalid index: {index}: invalid index referenced")
}

/// The position of an index in a list of `len` items, negative ones from the end.
fn position(index: i64, len: usize) -> Result<usize, String> {
    let at = if index < 0 { index + len as i64 } else { index };
    usize::try_from(at).ok().filter(|at| *at < len).ok_or_else(|| bad_index(index))
}

impl Target<'_> {
    fn get(&self) -> Result<Option<Document>, String> {
        if self.key.is_empty() {
            return Ok(self.own.clone());
        }
        match &*self.container {
            Document::Object(object) => match object.get(self.key.as_str()) {
                Some(value) => Ok(Some(value.clone())),
                None => Err(format!("unable to get nonexistent key: {}: {MISSING}", self.key)),
            },
            Document::Array(items) => {
                let at = position(atoi(&self.key)?, items.len())?;
                Ok(Some(items[at].clone()))
            }
            _ => Err("invalid value, expected object".to_owned()),
        }
    }

    fn set(&mut self, value: Document) -> Result<(), String> {
        match &mut *self.container {
            Document::Object(object) => {
                object.insert(Arc::from(self.key.as_str()), value);
                Ok(())
            }
            Document::Array(items) => {
                let at = position(atoi(&self.key)?, items.len())?;
                items[at] = value;
                Ok(())
            }
            _ => Err("invalid value, expected object".to_owned()),
        }
    }

    fn add(&mut self, value: Document) -> Result<(), String> {
        let Document::Array(items) = &mut *self.container else { return self.set(value) };
        if self.key == "-" {
            items.push(value);
            return Ok(());
        }
        let index = atoi(&self.key)
            .map_err(|error| format!("value was not a proper array index: '{}': {error}", self.key))?;
        let at = position(index, items.len() + 1)?;
        items.insert(at, value);
        Ok(())
    }

    fn remove(&mut self) -> Result<(), String> {
        match &mut *self.container {
            Document::Object(object) => match object.shift_remove(self.key.as_str()) {
                Some(_) => Ok(()),
                None => Err(format!("unable to remove nonexistent key: {}: {MISSING}", self.key)),
            },
            Document::Array(items) => {
                let at = position(atoi(&self.key)?, items.len())?;
                items.remove(at);
                Ok(())
            }
            _ => Err("invalid value, expected object".to_owned()),
        }
    }
}

impl State {
    fn new(document: &Document) -> Result<State, ApplyError> {
        let name = match document {
            Document::Object(_) | Document::Array(_) | Document::Null | Document::PutNull => "",
            Document::Bool(_) => "bool",
            Document::Number(_) => "number",
            Document::String(_) => "string",
        };
        if !name.is_empty() {
            return Err(document_error(not_an_object(name)));
        }
        Ok(State { copied: 0, root: document.clone(), own: Some(document.clone()), null_is_fine: false })
    }

    /// Follows a pointer to the container of its last key.
    fn find(&mut self, path: &str) -> Option<Target<'_>> {
        let parts: Vec<&str> = path.split('/').collect();
        if parts.len() < 2 {
            let own = self.own.clone();
            return path.is_empty().then(|| Target { container: &mut self.root, key: String::new(), own });
        }
        let own = if parts.len() == 2 { self.own.clone() } else { None };
        let through_own = parts.len() > 2 && parts[1].is_empty();
        let mut container = if through_own { self.own.as_mut()? } else { &mut self.root };
        for part in &parts[1 + usize::from(through_own)..parts.len() - 1] {
            let key = decode_key(part);
            container = match container {
                // Only the root has something under the empty key.
                _ if key.is_empty() => return None,
                Document::Object(object) => object.get_mut(key.as_str())?,
                Document::Array(items) => {
                    let at = position(atoi(&key).ok()?, items.len()).ok()?;
                    &mut items[at]
                }
                _ => return None,
            };
            if !matches!(container, Document::Object(_) | Document::Array(_)) {
                return None;
            }
        }
        Some(Target { container, key: decode_key(parts[parts.len() - 1]), own })
    }

    fn operation(&mut self, operation: &Operation) -> Result<(), Failure> {
        match operation.op {
            Op::Add => self.add(operation),
            Op::Remove => self.remove(&operation.path.text),
            Op::Replace => self.replace(operation),
            Op::Move => self.move_value(operation),
            Op::Copy => self.copy(operation),
            Op::Test => self.test(operation),
        }
    }

    fn add(&mut self, operation: &Operation) -> Result<(), Failure> {
        let path = &operation.path.text;
        let Some(value) = operation.value.clone() else { return fail(PANIC.to_owned()) };
        if path.is_empty() {
            let name = match &value {
                Document::Object(_) | Document::Array(_) => "",
                Document::Null | Document::PutNull => "null",
                Document::Bool(_) => "bool",
                Document::Number(_) => "number",
                Document::String(_) => "string",
            };
            if !name.is_empty() && name != "null" {
                return fail(not_an_object(name));
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
                target.add(value).or_else(|error| fail(format!("error in add for path: '{path}': {error}")))
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
        let Some(value) = operation.value.clone() else { return fail(PANIC.to_owned()) };
        if path.is_empty() {
            match value {
                Document::Object(_) | Document::Array(_) => {
                    self.root = value;
                    self.null_is_fine = false;
                }
                // The library takes null for an empty list here and prints it as null.
                Document::PutNull | Document::Null => {
                    self.root = Document::Null;
                    self.null_is_fine = true;
                }
                _ => return fail("replace operation value must be object or array: %!w(<nil>)".to_owned()),
            }
            self.own = None;
            return Ok(());
        }
        let Some(mut target) = self.find(path) else {
            return fail(format!("replace operation does not apply: doc is missing path: {path}: {MISSING}"));
        };
        if target.get().is_err() {
            return fail(format!("replace operation does not apply: doc is missing key: {path}: {MISSING}"));
        }
        fits(path, &value)?;
        target.set(value).or_else(|error| fail(format!("error in remove for path: '{path}': {error}")))
    }

    fn move_value(&mut self, operation: &Operation) -> Result<(), Failure> {
        let (from, path) = (from_text(operation), &operation.path.text);
        if from.is_empty() {
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
        };
        let value = target.get().map_err(in_move)?.unwrap_or(Document::Null);
        target.remove().map_err(in_move)?;
        self.count(&value)?;
        let Some(mut target) = self.find(path) else {
            return fail(format!(
                "move operation does not apply: doc is missing destination path: {path}: {MISSING}"
            ));
        };
        fits(path, &value)?;
        target.add(value).or_else(|error| fail(format!("error in move for path: '{path}': {error}")))
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
        let (from, path) = (from_text(operation), &operation.path.text);
        let Some(target) = self.find(from) else {
            return fail_from(format!(
                "copy operation does not apply: doc is missing from path: \"{from}\": {MISSING}"
            ));
        };
        let value =
            target.get().or_else(|error| fail_from(format!("error in copy for from: '{from}': {error}")))?;
        let value = value.unwrap_or(Document::Null);
        self.count(&value)?;
        let Some(mut target) = self.find(path) else {
            return fail(format!(
                "copy operation does not apply: doc is missing destination path: {path}: {MISSING}"
            ));
        };
        fits(path, &value)?;
        target.add(value).or_else(|error| fail(format!("error while adding value during copy: {error}")))
    }

    fn test(&mut self, operation: &Operation) -> Result<(), Failure> {
        let path = &operation.path.text;
        let failed = || fail(format!("testing value {path} failed: test failed"));
        if path.is_empty() {
            let Some(value) = &operation.value else { return fail(PANIC.to_owned()) };
            let Some(equal) = equal(&self.root, value) else { return fail(PANIC.to_owned()) };
            return if equal { Ok(()) } else { failed() };
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
        match found.filter(|value| !matches!(value, Document::Null)) {
            None if wanted_null => Ok(()),
            None => failed(),
            Some(_) if wanted_null => failed(),
            Some(found) => match operation.value.as_ref().map(|value| equal(&found, value)) {
                Some(Some(true)) => Ok(()),
                Some(None) => fail(PANIC.to_owned()),
                _ => failed(),
            },
        }
    }
}

fn from_text(operation: &Operation) -> &str {
    operation.from.as_ref().map_or("", |from| &from.text)
}

/// Whether two documents are equal for `test`: numbers by their text. None where the library crashes, which it
/// does on a null among the items of a list.
fn equal(a: &Document, b: &Document) -> Option<bool> {
    match (a, b) {
        (Document::Object(a), Document::Object(b)) => objects_equal(a, b),
        (Document::Array(a), Document::Array(b)) => {
            if a.len() != b.len() {
                return Some(false);
            }
            for (a, b) in a.iter().zip(b) {
                if a.is_null() || b.is_null() {
                    return None;
                }
                if !equal(a, b)? {
                    return Some(false);
                }
            }
            Some(true)
        }
        (Document::PutNull, Document::Array(_)) => None,
        (a, b) => Some(a == b),
    }
}

fn objects_equal(a: &Object, b: &Object) -> Option<bool> {
    if a.len() != b.len() {
        return Some(false);
    }
    for (key, a) in a {
        let Some(b) = b.get(key) else { return Some(false) };
        match (matches!(a, Document::Null), matches!(b, Document::Null)) {
            (true, true) => {}
            (false, false) => {
                if !equal(a, b)? {
                    return Some(false);
                }
            }
            _ => return Some(false),
        }
    }
    Some(true)
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
