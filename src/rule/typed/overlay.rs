//! Faults of what a template wrote to be merged.

use convoy_kube::Shape;
use convoy_kube::check::{self, Key, Problem, path_text};
use convoy_kube::path::Followed;
use convoy_text::Span;
use convoy_value::Value;
use convoy_yaml::Options;

use super::{Class, Failing, Kind, Same, followed};
use crate::preview::Render;

/// How the message about a field that a type does not have begins.
pub(super) const NO_FIELD: &str = "the type has no field ";

/// Something wrong in a text.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    pub(super) class: Class,
    /// Where in the object.
    pub(super) path: Vec<Key>,
    /// When the object has the same already.
    pub(super) same: Same,
    /// Whether it is written into the object; else it is only read or tested.
    pub(super) sets: bool,
    /// The operation of a patch that it is in.
    pub(super) operation: Option<usize>,
    /// Where in the text.
    pub(super) span: Span,
    pub(super) message: String,
    /// The same without the value, which is another for each object or cluster where a template writes it.
    pub(super) general: Option<String>,
    pub(super) help: Option<String>,
    /// How the value's source would be right.
    pub(super) mend: Option<Mend>,
    /// What it says of the operation that it is in, if that fails.
    pub(super) failing: Option<Failing>,
}

/// How a value becomes one that the field takes.
#[derive(Clone, Debug)]
pub(super) enum Mend {
    /// With quotes; what the value reads as without them, if that is not what is written.
    Quote { reads: Option<String> },
    /// Without quotes, or by a function of CEL.
    Bare { function: &'static str },
}

/// The faults of a goTemplate's or a strategicMergePatch's output.
pub(super) fn faults(render: &Render, kind: &Kind<'_>, directives: bool) -> Vec<Fault> {
    let Some(root) = render.root() else { return Vec::new() };
    let Ok(value @ Value::Map(_)) = convoy_yaml::value(&render.tree, root, Options::default()) else {
        return Vec::new();
    };
    let problems = kind.check(&value, &[], directives);
    problems
        .into_iter()
        .filter_map(|problem| {
            let span = span_at(render, &problem.path, is_key(&problem));
            let written = at(&value, &problem.path);
            let text = render.node_at(&problem.path).and_then(|(_, node)| render.tree.scalar(node));
            fault(kind, problem, &[], written, text, span)
        })
        .collect()
}

/// Whether the key is wrong, and not the value.
pub(super) fn is_key(problem: &Problem) -> bool {
    matches!(problem.fault, check::Fault::UnknownField { .. })
}

/// The bytes of a path in an output: the key, or the value where it is one line.
pub(in crate::rule) fn span_at(render: &Render, path: &[Key], of_key: bool) -> Span {
    let Some((key, node)) = render.node_at(path) else { return Span::new(0, render.output.len()) };
    let value = render.tree.span(node);
    let lines = value.text(&render.output);
    match key {
        Some(key) if of_key || value.is_empty() => key,
        Some(key) if lines.contains('\n') && render.tree.scalar(node).is_none() => key,
        _ => Span::new(value.start, value.start + lines.lines().next().unwrap_or("").trim_end().len()),
    }
}

/// The value at a path.
pub(in crate::rule) fn at<'a>(value: &'a Value, path: &[Key]) -> Option<&'a Value> {
    path.iter().try_fold(value, |here, key| match key {
        Key::Name(name) => here.get(name),
        Key::Index(index) => here.as_list()?.get(*index),
    })
}

/// A problem as a fault. Its path begins at the object's root once `prefix` stands before it; `written` is the value
/// there, `text` the scalar that it was read from.
pub(super) fn fault(
    kind: &Kind<'_>,
    problem: Problem,
    prefix: &[Key],
    written: Option<&Value>,
    text: Option<&str>,
    span: Span,
) -> Option<Fault> {
    let path = super::joined(prefix, &problem.path);
    let shown = path_text(&path);
    let mut fault = Fault {
        class: Class::UnknownField,
        path,
        same: Same::Any,
        sets: true,
        operation: None,
        span,
        message: String::new(),
        general: None,
        help: None,
        mend: None,
        failing: None,
    };
    match problem.fault {
        check::Fault::UnknownField { nearest } => {
            fault.message = format!("{NO_FIELD}{shown}: {}", problem.text);
            fault.help = nearest.map(|nearest| format!("did you mean {nearest}?"));
        }
        check::Fault::WrongType { expected, found } => {
            fault.class = Class::WrongType;
            fault.message = format!("{shown} takes {expected}, not {found}: {}", problem.text);
            let written = written?;
            let Followed::Found(ty) = kind.follow(fault.path.iter().map(followed)) else {
                return Some(fault);
            };
            let shape = &ty.ty.shape;
            let fits = may_fit(shape, written.kind());
            fault.same = if fits { Same::Value(written.clone()) } else { Same::Kind(written.kind()) };
            fault.mend = mend(shape, written, text, &found);
            if !fits {
                let kind = kind_in_words(written.kind());
                fault.general = Some(format!("{shown} takes {expected}, not {kind}: {}", problem.text));
            }
        }
        check::Fault::NotInEnumeration { allowed } => {
            fault.class = Class::Enumeration;
            fault.same = Same::Value(written?.clone());
            fault.message = if problem.text.starts_with(&shown) {
                problem.text
            } else {
                format!("{shown}: {}", problem.text)
            };
            let names: Vec<&str> = allowed.iter().filter_map(Value::as_str).collect();
            let nearest = convoy_kube::path::nearest(written?.as_str()?, names.into_iter());
            fault.help = nearest.map(|nearest| format!("did you mean {nearest}?"));
        }
        // A patch may lack what the object has; items with the same keys are refused only in some lists.
        check::Fault::Missing { .. } | check::Fault::DuplicateKey { .. } => return None,
    }
    Some(fault)
}

pub(super) fn kind_in_words(kind: &str) -> &'static str {
    match kind {
        "boolean" => "a boolean",
        "number" => "a number",
        "string" => "a text",
        "array" => "a list",
        _ => "an object",
    }
}

/// Whether values of a kind may fit a shape: then it is the value itself that does not.
pub(super) fn may_fit(shape: &Shape, kind: &str) -> bool {
    match shape {
        Shape::Any => true,
        Shape::Boolean => kind == "boolean",
        Shape::Integer | Shape::Number => kind == "number",
        Shape::String => kind == "string",
        Shape::IntOrString | Shape::Quantity => matches!(kind, "number" | "string"),
        Shape::List(_) => kind == "array",
        Shape::Map(_) | Shape::Struct(_) => kind == "object",
    }
}

/// How a value becomes one of this shape.
fn mend(shape: &Shape, written: &Value, text: Option<&str>, found: &str) -> Option<Mend> {
    match (shape, written) {
        (Shape::String, Value::Bool(_) | Value::Int(_) | Value::Uint(_) | Value::Float(_)) => {
            let canonical = match written {
                Value::Bool(value) => value.to_string(),
                Value::Int(value) => value.to_string(),
                Value::Uint(value) => value.to_string(),
                Value::Float(value) => convoy_value::go::json_float(*value),
                _ => String::new(),
            };
            let reads = text.filter(|text| *text != canonical).map(|text| format!("{text} reads as {found}"));
            Some(Mend::Quote { reads })
        }
        (Shape::Integer, Value::String(text)) if text.parse::<i64>().is_ok() => {
            Some(Mend::Bare { function: "int" })
        }
        (Shape::Number, Value::String(text)) if text.parse::<f64>().is_ok_and(f64::is_finite) => {
            Some(Mend::Bare { function: "double" })
        }
        (Shape::Boolean, Value::String(text)) if matches!(&**text, "true" | "false") => {
            Some(Mend::Bare { function: "bool" })
        }
        _ => None,
    }
}

/// What to write instead of a template in a patch: an overlay with the same path, if it has no list.
pub(super) fn templated_help(path: &[Key]) -> String {
    let names: Option<Vec<&str>> = path
        .iter()
        .map(|key| match key {
            Key::Name(name) => Some(&**name),
            Key::Index(_) => None,
        })
        .collect();
    match names.as_deref() {
        Some([first, rest @ ..]) => {
            let open = rest.iter().fold(String::new(), |open, name| open + "{" + name + ": ");
            format!(
                "a goTemplate can write it without quotes: {first}: {open}{{{{ … }}}}{}",
                "}".repeat(rest.len())
            )
        }
        _ => "a strategicMergePatch or a goTemplate can write it without quotes".to_owned(),
    }
}
