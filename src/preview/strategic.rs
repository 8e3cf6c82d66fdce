//! The steps of strategicMergePatch: what a template wrote, merged by the type of the object.

use convoy_kube::check::Key;
use convoy_kube::{GroupVersionKind, Registry, Release, Typed, table};
use convoy_patch::strategic::{self, Note, NoteKind};
use convoy_text::Span;
use convoy_value::Value;
use convoy_yaml::NodeId;

use super::{Failure, FailureKind, Render, steps};
use crate::diagnostic::Place;

/// Something that a strategic merge did, with the place in the patch that made it do so.
#[derive(Clone, Debug)]
pub struct Noted {
    /// The place.
    pub place: Place,
    /// What, and the path in the patch.
    pub note: Note,
    /// The render, by its number in [`super::Step::renders`].
    pub render: usize,
}

/// The kind of an object as it stands; texts that are missing are empty.
fn kind_of(object: &Value) -> GroupVersionKind {
    let text = |key: &str| object.get(key).and_then(Value::as_str).unwrap_or("");
    GroupVersionKind::of_texts(text("apiVersion"), text("kind"))
}

/// The type of an object whose kind is built in; `place` is shown if there is none.
pub(super) fn builtin<'a>(
    registry: &'a Registry,
    object: &Value,
    place: &Place,
) -> Result<Typed<'a>, Box<Failure>> {
    let gvk = kind_of(object);
    registry.builtin().root(&gvk).ok_or_else(|| {
        // Which scheme convoy has is not known.
        let message = strategic::not_registered(&gvk);
        let mut failed = steps::failure(FailureKind::StrategicKind, place.clone(), message);
        failed.help = Some(kind_help(registry, &gvk));
        Box::new(failed)
    })
}

/// Why a kind has no strategic merge, and what to use instead.
fn kind_help(registry: &Registry, gvk: &GroupVersionKind) -> String {
    let release = registry.release();
    if registry.find(gvk).is_none()
        && let Some(releases) = releases_of(gvk)
    {
        return format!(
            "{} {} is built in {releases}, but not in Kubernetes {release}, which setting kubernetes.release names",
            gvk.api_version(),
            gvk.kind
        );
    }
    "strategicMergePatch works only for kinds that are built into Kubernetes; use jsonPatch, goTemplate or celTransform"
        .to_owned()
}

/// The releases in which a kind is built in, in words.
fn releases_of(gvk: &GroupVersionKind) -> Option<String> {
    // All groups of Kubernetes have no dot or end so; the table is not read for the others.
    if gvk.group.contains('.') && !gvk.group.ends_with(".k8s.io") {
        return None;
    }
    let releases = table::releases_of(gvk);
    Some(match (*releases.first()?, *releases.last()?) {
        (Release::OLDEST, last) => format!("until {last}"),
        (first, Release::NEWEST) => format!("from {first} on"),
        (first, last) if first == last => format!("in {first} alone"),
        (first, last) => format!("from {first} to {last}"),
    })
}

/// Merges a patch that a template wrote into an object.
pub(super) fn merge(
    render: &Render,
    number: usize,
    object: &Value,
    patch: &Value,
    ty: Typed<'_>,
    notes: &mut Vec<Noted>,
) -> Result<Value, Box<Failure>> {
    let merged = strategic::merge(object, patch, ty).map_err(|error| {
        let mut path = error.path.clone();
        if error.message.starts_with("unknown patch type") && path.last() != Some(&directive()) {
            path.push(directive());
        }
        let place = place_of(render, &path);
        let mut failed = steps::failure(FailureKind::StrategicMerge, place, error.message.clone());
        failed.help = merge_help(object, &error);
        Box::new(failed)
    })?;
    // `$patch: delete` at the root leaves nothing; so does `$patch: replace` beside nothing.
    let kind = kind_of(&merged.value);
    if kind.version.is_empty() || kind.kind.is_empty() {
        let place = place_of(render, &[directive()]);
        let message = "the patch leaves no apiVersion and kind: a mutation cannot remove an object";
        return Err(Box::new(steps::failure(FailureKind::StrategicMerge, place, message)));
    }
    notes.extend(merged.notes.into_iter().map(|note| Noted {
        place: place_of_note(render, &note),
        note,
        render: number,
    }));
    Ok(merged.value)
}

fn directive() -> Key {
    Key::Name("$patch".into())
}

/// The place of a note: for `$patch: replace` that of the directive, which stands in an object or in an item of a
/// list.
fn place_of_note(render: &Render, note: &Note) -> Place {
    if !matches!(note.kind, NoteKind::ReplaceDirective { .. }) {
        return place_of(render, &note.path);
    }
    let mut path = note.path.clone();
    let tree = &render.tree;
    let items = render.node_at(&path).map_or(&[][..], |(_, node)| tree.items(node));
    let replaces = |item: &NodeId| {
        tree.get(*item, "$patch").is_some_and(|directive| tree.scalar(directive) == Some("replace"))
    };
    path.extend(items.iter().position(replaces).map(Key::Index));
    path.push(directive());
    place_of(render, &path)
}

/// Advice for an item without its merge key: the values that the object has.
fn merge_help(object: &Value, error: &strategic::Error) -> Option<String> {
    let key = error.message.rsplit_once("does not contain declared merge key: ")?.1;
    let (Key::Index(_), list) = error.path.split_last()? else { return None };
    let list = list.iter().try_fold(object, |here, step| match step {
        Key::Name(name) => here.get(name),
        Key::Index(_) => None,
    });
    let items = list.and_then(Value::as_list).into_iter().flatten();
    let values: Vec<String> = items
        .filter_map(|item| match item.get(key)? {
            Value::String(text) => Some(text.to_string()),
            Value::Int(number) => Some(number.to_string()),
            _ => None,
        })
        .collect();
    Some(if values.is_empty() {
        format!("each item needs {key}, which tells it apart from the others")
    } else {
        format!("say with {key} which item is meant: the object has {}", values.join(", "))
    })
}

/// The place of a path in the file: a scalar, the key of anything else, a directive with its value, the first line of
/// an item.
pub(super) fn place_of(render: &Render, path: &[Key]) -> Place {
    let Some((key, node)) = render.node_at(path) else {
        return render.place(Span::new(0, render.output.len()));
    };
    let value = render.tree.span(node);
    let span = match key {
        Some(key) if key.text(&render.output).trim_start_matches(['"', '\'']).starts_with('$') => {
            let both = key.cover(value);
            if both.text(&render.output).contains('\n') { key } else { both }
        }
        Some(key) if value.is_empty() || render.tree.scalar(node).is_none() => key,
        _ => {
            let line = value.text(&render.output).lines().next().unwrap_or("").trim_end().len();
            Span::new(value.start, value.start + line)
        }
    };
    render.place(span)
}
