//! Faults of the operations of a jsonPatch: pointers that lead nowhere, and values of the wrong type.

use std::sync::Arc;

use convoy_kube::check::{self, Key, path_text};
use convoy_kube::path::{Followed, follow};
use convoy_kube::{Shape, Typed};
use convoy_patch::json_patch::Op;
use convoy_patch::pointer::{self, Token, escape};
use convoy_text::Span;
use convoy_value::{Map, Value};
use convoy_yaml::{NodeId, Options};

use super::overlay::{Fault, NO_FIELD, at, fault, is_key, kind_in_words, may_fit, span_at};
use super::{Class, Failing, Kind, Same, followed};
use crate::preview::Render;

/// Stands for what a template will write.
const HOLE: char = '\u{0}';

/// The faults of a patch list. `filled` says whether its templates have run; what they write is not known before.
pub(super) fn faults(render: &Render, kind: &Kind<'_>, filled: bool) -> Vec<Fault> {
    let tree = &render.tree;
    let mut found = Vec::new();
    let Some(root) = render.root() else { return found };
    for (i, &item) in tree.items(root).iter().enumerate() {
        let first = found.len();
        operation_faults(render, kind, i, item, filled, &mut found);
        found[first..].iter_mut().for_each(|fault| fault.operation = Some(i));
    }
    found
}

fn operation_faults(
    render: &Render,
    kind: &Kind<'_>,
    number: usize,
    item: NodeId,
    filled: bool,
    found: &mut Vec<Fault>,
) {
    let tree = &render.tree;
    let Some(op) = tree.get(item, "op").and_then(|op| Op::parse(tree.scalar(op)?)) else { return };
    let from = tree.get(item, "from").filter(|_| matches!(op, Op::Move | Op::Copy));
    let from = from.and_then(|from| pointer_fault(render, kind, from, filled, false, found));
    let Some(path) = tree.get(item, "path") else { return };
    let sets = !matches!(op, Op::Remove | Op::Test);
    let Some((place, ty)) = pointer_fault(render, kind, path, filled, sets, found) else { return };
    if let Some((from, there)) = from {
        found.extend(copied(kind, &from, there, &place, ty, tree.span(path)));
    }
    if let Some(value) = tree.get(item, "value").filter(|_| matches!(op, Op::Add | Op::Replace | Op::Test)) {
        let tests = (op == Op::Test).then(|| tree.scalar(path).unwrap_or(""));
        Operation { render, kind, number, tests, place, ty }.value_faults(value, filled, found);
    }
}

/// What a move or a copy puts where no value of its kind belongs.
fn copied(
    kind: &Kind<'_>,
    from: &[Key],
    there: Typed<'_>,
    place: &[Key],
    ty: Typed<'_>,
    span: Span,
) -> Option<Fault> {
    let value = match there.ty.shape {
        Shape::Boolean => Value::Bool(true),
        Shape::Integer | Shape::Number => Value::Int(0),
        Shape::String => Value::from(""),
        Shape::List(_) => Value::list([]),
        Shape::Map(_) | Shape::Struct(_) => Value::Map(Arc::default()),
        Shape::Any | Shape::IntOrString | Shape::Quantity => return None,
    };
    if may_fit(&ty.ty.shape, value.kind()) {
        return None;
    }
    let mut problems = kind.check(&value, place, false).into_iter().filter(|problem| problem.path.is_empty());
    let problem = problems.find(|problem| matches!(problem.fault, check::Fault::WrongType { .. }))?;
    let check::Fault::WrongType { expected, .. } = &problem.fault else { return None };
    let (what, from, shown) = (kind_in_words(value.kind()), path_text(from), path_text(place));
    Some(Fault {
        class: Class::WrongType,
        same: Same::Kind(value.kind()),
        sets: true,
        operation: None,
        span,
        message: format!("{shown} takes {expected}, but {from} is {what}: {}", problem.text),
        general: None,
        help: None,
        mend: None,
        failing: None,
        path: place.to_vec(),
    })
}

/// The text of a pointer with holes where templates stand.
fn with_holes(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("{{") {
        out.push_str(before);
        out.push(HOLE);
        rest = behind.split_once("}}").map_or("", |(_, after)| after);
    }
    out + rest
}

/// Follows a pointer. Where it leads, with the path to it, if that is known.
fn pointer_fault<'a>(
    render: &Render,
    kind: &Kind<'a>,
    node: NodeId,
    filled: bool,
    sets: bool,
    found: &mut Vec<Fault>,
) -> Option<(Vec<Key>, Typed<'a>)> {
    let tree = &render.tree;
    let text = tree.scalar(node)?;
    let holes = if filled { text.to_owned() } else { with_holes(text) };
    // What is no pointer is told by another rule.
    if pointer::fault(&holes).is_some() {
        return None;
    }
    let tokens = pointer::tokens(&holes);
    let keys: Vec<Option<&str>> =
        tokens.iter().map(|token| (!token.key.contains(HOLE)).then_some(token.key.as_str())).collect();
    let path = path_of(kind.root?, &keys);
    // Where nothing ever is, nothing can be wrong: another rule tells.
    let nowhere =
        path.iter().zip(&keys).rposition(|(key, text)| matches!(key, Key::Index(_)) && *text == Some("-"));
    if nowhere.is_some_and(|at| at + 1 < path.len() || !sets) {
        return None;
    }
    let (at, within) = match kind.follow(keys.iter().copied()) {
        Followed::Found(ty) => return Some((path, ty)),
        Followed::Open => return None,
        Followed::Unknown { at, within, .. } | Followed::NoSuchPlace { at, within } => (at, within),
    };
    let token = tokens.get(at)?;
    let within_path = path[..at].to_vec();
    let mut fault = Fault {
        class: Class::Pointer,
        path: super::joined(&within_path, &[Key::Name(token.key.as_str().into())]),
        same: Same::Any,
        sets,
        operation: None,
        span: Span::default(),
        message: String::new(),
        general: None,
        help: None,
        mend: None,
        failing: None,
    };
    describe(&mut fault, kind, within, &within_path, &tokens, at);
    fault.span = span_of_token(render, node, &holes, text, token);
    found.push(fault);
    None
}

/// The pointers of a patch list whose templates have run, each with the operation and its node.
pub(in crate::rule) fn pointers(render: &Render) -> Vec<(Op, NodeId, &str)> {
    let tree = &render.tree;
    let mut found = Vec::new();
    let Some(root) = render.root() else { return found };
    for &item in tree.items(root) {
        let Some(op) = tree.get(item, "op").and_then(|op| Op::parse(tree.scalar(op)?)) else { continue };
        for name in ["from", "path"] {
            if name == "from" && !matches!(op, Op::Move | Op::Copy) {
                continue;
            }
            let Some(node) = tree.get(item, name) else { continue };
            // The target of a move or a copy is a place to add to.
            let op = if name == "path" && matches!(op, Op::Move | Op::Copy) { Op::Add } else { op };
            found.extend(tree.scalar(node).map(|text| (op, node, text)));
        }
    }
    found
}

/// The bytes of a token of a pointer whose templates have run.
pub(in crate::rule) fn span_of(render: &Render, node: NodeId, text: &str, token: &Token) -> Span {
    span_of_token(render, node, text, text, token)
}

/// The bytes of a token of a pointer in the output; where templates stand before it, the whole pointer.
fn span_of_token(render: &Render, node: NodeId, holes: &str, text: &str, token: &Token) -> Span {
    let tree = &render.tree;
    let span = if holes == text {
        token.span
    } else {
        // The token has no hole, so that it stands in the text as it is.
        let raw = token.span.text(holes);
        let at = text.match_indices(raw).find(|(at, _)| {
            let (before, after) = (&text[..*at], &text[at + raw.len()..]);
            before.ends_with('/') && (after.is_empty() || after.starts_with('/'))
        });
        match at {
            Some((at, _)) => Span::new(at, at + raw.len()),
            None => Span::new(0, text.len()),
        }
    };
    let inner = tree.content_map(tree.resolve(node)).span_to_document(span);
    if inner.is_empty() { tree.span(node) } else { inner }
}

/// Keys as a path of an object of this type.
fn path_of(from: Typed<'_>, keys: &[Option<&str>]) -> Vec<Key> {
    let mut here = Some(from);
    let mut path = Vec::with_capacity(keys.len());
    for key in keys {
        let is_list = here.is_some_and(|ty| matches!(ty.ty.shape, Shape::List(_)));
        here = here.and_then(|ty| if is_list { ty.item() } else { ty.member((*key)?) });
        path.push(match key {
            Some(key) if !is_list => Key::Name((*key).into()),
            Some(key) => Key::Index(key.parse().unwrap_or(0)),
            None if is_list => Key::Index(0),
            None => Key::Name("…".into()),
        });
    }
    path
}

/// What to say of a token that leads nowhere.
fn describe(
    fault: &mut Fault,
    kind: &Kind<'_>,
    within: Typed<'_>,
    path: &[Key],
    tokens: &[Token],
    number: usize,
) {
    let token = &tokens[number];
    let holder = if path.is_empty() { "the object".to_owned() } else { path_text(path) };
    match &within.ty.shape {
        Shape::Struct(_) => {
            let member = Value::map([(token.key.as_str(), Value::Null)]);
            let problem = kind.check(&member, path, false).into_iter().next();
            let text = problem.as_ref().filter(|_| fault.sets).map(|problem| format!(": {}", problem.text));
            let message = format!("{NO_FIELD}{}", path_text(&fault.path));
            fault.message = format!("{message}{}", text.unwrap_or_default());
            let names = convoy_kube::path::names(within).into_iter();
            let nearest = convoy_kube::path::nearest(&token.key, names);
            fault.help = nearest.map(|nearest| format!("did you mean {nearest}?"));
            fault.failing = Some(Failing::NoField(fault.help.clone().unwrap_or(message)));
            return;
        }
        Shape::List(_) => {
            fault.message =
                format!("{holder} is a list: its items have a number, not the name {:?}", token.key);
            fault.help = Some("name the item's index; - is the place after the last one, for add".to_owned());
        }
        shape => {
            let what = match shape {
                Shape::Boolean => "a boolean",
                Shape::Integer | Shape::Number => "a number",
                Shape::String => "a text",
                _ => "a number or a text",
            };
            fault.message = format!("{holder} is {what}, which has nothing below it");
            // Keys of maps are where slashes are forgotten.
            let before = &tokens[..number.saturating_sub(1)];
            let key: Vec<&str> =
                tokens[number.saturating_sub(1)..].iter().map(|token| token.key.as_str()).collect();
            if key[0].contains('.') && !key.iter().any(|key| key.contains(HOLE)) {
                let parent = super::items::pointer(before.iter().map(|token| token.key.as_str()));
                fault.help = Some(format!("a / in a key is written ~1: {parent}/{}", escape(&key.join("/"))));
            }
        }
    }
    fault.failing = Some(Failing::NoPlace(fault.help.clone()));
}

/// An operation with a value, and the place that its path leads to.
struct Operation<'a, 'b> {
    render: &'b Render,
    kind: &'b Kind<'a>,
    number: usize,
    /// The pointer of a `test`.
    tests: Option<&'b str>,
    place: Vec<Key>,
    ty: Typed<'a>,
}

impl Operation<'_, '_> {
    fn value_faults(&self, node: NodeId, filled: bool, found: &mut Vec<Fault>) {
        let tree = &self.render.tree;
        let Ok(value) = convoy_yaml::value(tree, node, Options::default()) else { return };
        let in_list = [Key::Index(self.number), Key::Name("value".into())];
        let mut holes = Vec::new();
        let value = if filled { value } else { without_templates(&value, &mut Vec::new(), &mut holes) };
        for problem in self.kind.check(&value, &self.place, false) {
            let in_output = super::joined(&in_list, &problem.path);
            let span = span_at(self.render, &in_output, is_key(&problem));
            let written = at(&value, &problem.path);
            let is_type = matches!(problem.fault, check::Fault::WrongType { .. });
            let said = match &problem.fault {
                check::Fault::WrongType { expected, found } => format!("takes {expected}, not {found}"),
                _ => String::new(),
            };
            let Some(mut fault) = fault(self.kind, problem, &self.place, written, None, span) else {
                continue;
            };
            if let Some(pointer) = self.tests {
                if !is_type {
                    continue;
                }
                fault.sets = false;
                fault.failing = Some(Failing::Never);
                fault.general = None;
                fault.message = format!(
                    "this test can never pass, since {} {said}: testing value {pointer} failed: test failed",
                    path_text(&fault.path)
                );
            }
            found.push(fault);
        }
        if self.tests.is_some() {
            return;
        }
        for path in holes {
            let Followed::Found(ty) = follow(self.ty, path.iter().map(followed)) else { continue };
            let Some(expected) = no_text(&ty.ty.shape) else { continue };
            let whole = super::joined(&self.place, &path);
            found.push(Fault {
                class: Class::WrongType,
                same: Same::Kind("string"),
                sets: true,
                operation: None,
                span: span_at(self.render, &super::joined(&in_list, &path), false),
                message: format!("{} takes {expected}", path_text(&whole)),
                general: None,
                help: None,
                mend: None,
                failing: None,
                path: whole,
            });
        }
    }
}

/// What a field takes, if it takes no text.
fn no_text(shape: &Shape) -> Option<&'static str> {
    match shape {
        Shape::Boolean => Some("a boolean"),
        Shape::Integer => Some("an integer"),
        Shape::Number => Some("a number"),
        Shape::List(_) => Some("a list"),
        Shape::Map(_) | Shape::Struct(_) => Some("an object"),
        _ => None,
    }
}

/// A value without what templates will write, and where that was. Values of YAML nest 400 levels at most.
fn without_templates(value: &Value, path: &mut Vec<Key>, holes: &mut Vec<Vec<Key>>) -> Value {
    match value {
        Value::String(text) if text.contains("{{") => {
            holes.push(path.clone());
            Value::Null
        }
        Value::List(items) => {
            let mut kept = Vec::with_capacity(items.len());
            for (i, item) in items.iter().enumerate() {
                path.push(Key::Index(i));
                kept.push(without_templates(item, path, holes));
                path.pop();
            }
            Value::List(Arc::new(kept))
        }
        Value::Map(entries) => {
            let mut kept = Map::new();
            for (key, value) in entries.iter().filter(|(key, _)| !key.contains("{{")) {
                path.push(Key::Name(key.as_ref().into()));
                kept.insert(key.clone(), without_templates(value, path, holes));
                path.pop();
            }
            Value::Map(Arc::new(kept))
        }
        other => other.clone(),
    }
}
