//! From the text of a patch to its operations.

use convoy_text::Span;
use convoy_value::json::{self, Kind, Node};

use super::{DecodeError, Flavour, Located, MISSING, Op, Operation};
use crate::document::Document;

/// What `encoding/json` calls a kind of value.
pub(super) fn kind_name(node: &Node) -> &'static str {
    match node.kind {
        Kind::Null => "null",
        Kind::Bool(_) => "bool",
        Kind::Number(_) => "number",
        Kind::String(_) => "string",
        Kind::Array(_) => "array",
        Kind::Object(_) => "object",
    }
}

/// Decodes the JSON text of a patch for version 5. All operations are looked at before any is applied.
///
/// # Errors
///
/// The library's text for the first fault.
pub fn decode(text: &str) -> Result<Vec<Operation>, DecodeError> {
    decode_as(Flavour::V5, text)
}

/// Decodes the JSON text of a patch. Version 5 looks at all operations here; version 4 only asks for a list of
/// objects, and what is wrong inside one comes up when it is applied ([`Operation::fault`]).
///
/// # Errors
///
/// The library's text for the first fault.
pub fn decode_as(flavour: Flavour, text: &str) -> Result<Vec<Operation>, DecodeError> {
    let error = |message: String, index: Option<usize>, span: Span| DecodeError {
        message,
        index,
        span,
        syntax: None,
    };
    let root = json::parse(text).map_err(|syntax| DecodeError {
        message: match flavour {
            Flavour::V5 => "invalid state detected".to_owned(),
            Flavour::V4 => syntax.message.clone(),
        },
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
            // Version 5 brings an older `encoding/json` along, which does not name the place.
            let place = match flavour {
                Flavour::V5 => "Go value".to_owned(),
                Flavour::V4 => format!("Patch.{i}"),
            };
            return Err(error(
                format!("json: cannot unmarshal {name} into {place} of type jsonpatch.Operation"),
                Some(i),
                item.span,
            ));
        }
    }
    if flavour == Flavour::V4 {
        return Ok(items.iter().map(|item| tolerant(text, item)).collect());
    }
    let mut operations = Vec::with_capacity(items.len());
    for (i, item) in items.iter().enumerate() {
        let operation = strict(item).map_err(|(reason, span)| {
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
        if !in_string && matches!(c, ' ' | '\t' | '\r' | '\n') {
            continue;
        }
        match json::html_escape(c) {
            Some(escape) => out.push_str(&escape),
            None => out.push(c),
        }
        if c == '"' && !escaped {
            in_string = !in_string;
        }
        escaped = c == '\\' && !escaped;
    }
}

type Reason = (String, Span);

/// The text of a member, or why there is none; `missing` says so of a member that is not there.
fn located(item: &Node, key: &str, missing: &str) -> Result<Located, Reason> {
    match item.get(key) {
        None => Err((format!("{missing}: {MISSING}"), item.span)),
        Some(Node { kind: Kind::Null, span }) => Err((format!("{missing}: {MISSING}"), *span)),
        Some(Node { kind: Kind::String(text), span }) => Ok(Located { text: text.to_string(), span: *span }),
        Some(other) => {
            let name = kind_name(other);
            Err((format!("json: cannot unmarshal {name} into Go value of type string"), other.span))
        }
    }
}

fn from_of(item: &Node) -> Result<Located, Reason> {
    located(item, "from", "operation, missing from field")
}

fn path_of(item: &Node) -> Result<Located, Reason> {
    located(item, "path", "operation missing path field")
}

/// An operation that version 5 lets through.
fn strict(item: &Node) -> Result<Operation, Reason> {
    let within = |key: &'static str| {
        move |(reason, span): Reason| (format!("failed to decode '{key}': {reason}"), span)
    };
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
    let from = needs_from.then(|| from_of(item)).transpose().map_err(within("from"))?;
    let path = path_of(item).map_err(within("path"))?;
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
        fault: None,
    })
}

/// An operation as version 4 takes it, whatever is in it.
fn tolerant(text: &str, item: &Node) -> Operation {
    let op = match item.get("op").map(|node| &node.kind) {
        Some(Kind::String(name)) => Op::parse(name).ok_or(&**name),
        _ => Err("unknown"),
    };
    let (mut path, mut from) = (path_of(item), None);
    let mut fault = None;
    let op = op.unwrap_or_else(|name| {
        fault = Some(format!("Unexpected kind: {name}"));
        Op::Unknown
    });
    if matches!(op, Op::Move | Op::Copy) {
        match from_of(item) {
            Ok(found) => from = Some(found),
            Err((reason, _)) => {
                fault = Some(format!("{} operation failed to decode from: {reason}", op.name()));
            }
        }
    }
    if let Err((reason, _)) = &mut path {
        // Where the library does not wrap the reason it only says that something is missing.
        if matches!(op, Op::Add | Op::Remove | Op::Copy) {
            MISSING.clone_into(reason);
        }
        let of_path = format!("{} operation failed to decode path: {reason}", op.name());
        fault.get_or_insert(of_path);
    }
    let value = item.get("value");
    Operation {
        op,
        path: path.unwrap_or_else(|(_, span)| Located { text: String::new(), span }),
        from,
        value: value.map(|node| match node.kind {
            Kind::Null => Document::PutNull,
            _ => Document::spelled(node, text),
        }),
        value_span: value.map(|node| node.span),
        span: item.span,
        fault,
    }
}
