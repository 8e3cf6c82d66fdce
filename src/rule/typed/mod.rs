//! What the types of Kubernetes say of what mutations write: found once for a Release, read by several rules.
//!
//! Where samples match, each object's own kind decides, on what the templates wrote for it. Where none does, the kind
//! that the target names decides over what needs no object to be known. Without a type only `metadata` is judged,
//! which all objects have.

pub(super) mod expression;
pub(super) mod items;
pub(super) mod overlay;
pub(super) mod patch;

use std::collections::HashMap;

use convoy_kube::check::{Key, Options, Problem, check_at};
use convoy_kube::path::{Followed, follow};
use convoy_kube::{GroupVersionKind, Registry, Typed};
use convoy_text::{ContentMap, Span};
use convoy_value::Value;

use super::Release;
use super::judged::{Finding, Judged, judge, reads_cluster};
use crate::diagnostic::{Place, Severity};
use crate::dialect::convoy::{Mutation, MutationType, Target};
use crate::preview::{Evaluated, Expression, FailureKind, ObjectRun, Outcome, Render, Step, names_cluster};
use overlay::{Fault, Mend};

/// Which rule tells of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Class {
    /// A field that the type does not have.
    UnknownField,
    /// A value of another kind than the field takes.
    WrongType,
    /// A text that a template of a patch writes where the field takes none.
    TemplatedType,
    /// A value that is none of those that the field takes.
    Enumeration,
    /// A pointer that leads nowhere.
    Pointer,
}

/// The type of an object, as far as it is known.
#[derive(Clone, Copy)]
struct Kind<'a> {
    /// The type of the whole object; where it is not known, that of an object which has nothing to tell but its metadata.
    root: Option<Typed<'a>>,
    /// Whether only `metadata` is known, which all objects have.
    only_metadata: bool,
    /// Whether it is the type of a custom resource.
    custom: bool,
}

impl<'a> Kind<'a> {
    fn of(registry: &'a Registry, gvk: &GroupVersionKind) -> Kind<'a> {
        let builtin = registry.builtin();
        match registry.find(gvk) {
            Some(root) => {
                Kind { root: Some(root), only_metadata: false, custom: builtin.root(gvk).is_none() }
            }
            None => Kind {
                root: builtin.root(&GroupVersionKind::new("", "v1", "ConfigMap")),
                only_metadata: true,
                custom: false,
            },
        }
    }

    /// The faults of a value that stands at a path of the object; their paths begin at the value.
    fn check(&self, value: &Value, at: &[Key], directives: bool) -> Vec<Problem> {
        let Some(root) = self.root else { return Vec::new() };
        let options = Options { whole: false, custom: self.custom, directives };
        match (self.only_metadata, at.first()) {
            (true, None) => {
                let key = [Key::Name("metadata".into())];
                let Some(metadata) = value.get("metadata") else { return Vec::new() };
                let problems = check_at(metadata, root, &key, options).into_iter();
                problems.map(|problem| Problem { path: joined(&key, &problem.path), ..problem }).collect()
            }
            (true, Some(Key::Name(name))) if **name != *"metadata" => Vec::new(),
            _ => check_at(value, root, at, options),
        }
    }

    /// Follows keys from the object's root.
    fn follow<'k>(&self, keys: impl IntoIterator<Item = Option<&'k str>>) -> Followed<'a> {
        let Some(root) = self.root else { return Followed::Open };
        let mut keys = keys.into_iter().peekable();
        if self.only_metadata && keys.peek() != Some(&Some("metadata")) {
            return Followed::Open;
        }
        follow(root, keys)
    }
}

/// A key as it is followed: any item of a list has the same type.
pub(super) fn followed(key: &Key) -> Option<&str> {
    match key {
        Key::Name(name) => Some(name),
        Key::Index(_) => None,
    }
}

/// One path after another.
fn joined(prefix: &[Key], path: &[Key]) -> Vec<Key> {
    prefix.iter().chain(path).cloned().collect()
}

/// What all rules of types know of a Release.
#[derive(Default)]
pub(super) struct Told {
    /// By the step that shows it, which its address names, since rules are handed steps.
    by_step: HashMap<usize, Vec<(Class, Finding)>>,
    /// Which mutations have a class at all.
    classes: Vec<Vec<Class>>,
    /// What is known of the operation that a step fails at.
    failing: HashMap<usize, Failing>,
    /// What is known of mutations that match no sample, by their index.
    alone: Vec<Vec<(Class, Finding, Severity)>>,
}

/// What the type says of an operation that fails.
#[derive(Clone, Debug)]
pub(super) enum Failing {
    /// It is a `test` that can never pass, which is told of the value that is tested.
    Never,
    /// Its pointer leads to no field: which is meant, or that there is none.
    NoField(String),
    /// Its pointer leads nowhere, and how it should be written.
    NoPlace(Option<String>),
}

fn address(step: &Step) -> usize {
    std::ptr::from_ref(step).addr()
}

/// A finding of a rule of types.
pub(super) struct TypeFinding {
    pub(super) place: Place,
    pub(super) message: String,
    pub(super) help: Option<String>,
    pub(super) severity: Severity,
    /// The object that shows it; none where no sample matches.
    pub(super) object: Option<(Place, String)>,
}

impl From<Judged> for TypeFinding {
    fn from(judged: Judged) -> Self {
        TypeFinding {
            place: judged.place,
            message: judged.message,
            help: judged.help,
            severity: judged.severity,
            object: Some((judged.object, judged.object_label)),
        }
    }
}

impl Told {
    /// What there is of a class, judged over all steps.
    pub(super) fn of(&self, context: &Release<'_>, class: Class) -> Vec<TypeFinding> {
        let mut found = Vec::new();
        for mutation in &context.preview.release.mutations {
            if self.classes[mutation.index].contains(&class) {
                let judged = judge(context.preview, mutation.index, |step| {
                    let told = self.by_step.get(&address(step)).into_iter().flatten();
                    told.filter(|(known, _)| *known == class).map(|(_, finding)| finding.clone()).collect()
                });
                found.extend(judged.into_iter().map(TypeFinding::from));
            }
            let alone = self.alone[mutation.index].iter().filter(|(known, ..)| *known == class);
            found.extend(alone.map(|(_, finding, severity)| TypeFinding {
                place: finding.place.clone(),
                message: finding.message.clone(),
                help: finding.help.clone(),
                severity: *severity,
                object: None,
            }));
        }
        found
    }

    /// What the type says of the operation that a step fails at.
    pub(super) fn failing(&self, step: &Step) -> Option<&Failing> {
        self.failing.get(&address(step))
    }

    /// Finds it.
    pub(super) fn new(context: &Release<'_>) -> Told {
        let preview = context.preview;
        let mutations = &preview.release.mutations;
        let mut told = Told {
            classes: vec![Vec::new(); mutations.len()],
            alone: vec![Vec::new(); mutations.len()],
            ..Told::default()
        };
        let mut looking = Looking::new(context);
        for mutation in mutations {
            let Some(kind) = mutation.kind.filter(|kind| *kind != MutationType::SyncWave) else { continue };
            let mut matched = false;
            for (run, object, step) in preview.steps(mutation.index) {
                matched = true;
                let no_cluster = preview.by_cluster && run.cluster.is_none();
                let findings = looking.step(kind, object, step, no_cluster, &mut told.failing);
                if findings.is_empty() {
                    continue;
                }
                let classes = &mut told.classes[mutation.index];
                classes.extend(findings.iter().map(|(class, _)| *class));
                classes.dedup();
                told.by_step.insert(address(step), findings);
            }
            if !matched {
                told.alone[mutation.index] = looking.alone(mutation, kind);
            }
        }
        told
    }
}

/// What a text was found to be wrong in, once for each text and kind.
type Known<'a> = HashMap<(usize, usize, &'a str), Vec<Fault>>;

struct Looking<'a> {
    context: &'a Release<'a>,
    kinds: Vec<Kind<'a>>,
    by_name: HashMap<(&'a str, &'a str), usize>,
    known: Known<'a>,
}

impl<'a> Looking<'a> {
    fn new(context: &'a Release<'a>) -> Looking<'a> {
        Looking { context, kinds: Vec::new(), by_name: HashMap::new(), known: HashMap::new() }
    }

    /// The number of an object's kind.
    fn kind_of(&mut self, object: &'a Value) -> Option<usize> {
        let key = (object.get("apiVersion")?.as_str()?, object.get("kind")?.as_str()?);
        if let Some(known) = self.by_name.get(&key) {
            return Some(*known);
        }
        let gvk = GroupVersionKind::of_texts(key.0, key.1);
        self.kinds.push(Kind::of(self.context.workspace.registry(), &gvk));
        self.by_name.insert(key, self.kinds.len() - 1);
        Some(self.kinds.len() - 1)
    }

    /// What is found in a step. Without a Cluster, what its values would decide is not known.
    fn step(
        &mut self,
        ty: MutationType,
        object: &'a ObjectRun,
        step: &'a Step,
        no_cluster: bool,
        failing: &mut HashMap<usize, Failing>,
    ) -> Vec<(Class, Finding)> {
        let mut found = Vec::new();
        let Some(number) = self.kind_of(&step.before) else { return found };
        let kind = self.kinds[number];
        for render in &step.renders {
            let text = std::sync::Arc::as_ptr(&render.text).addr();
            let faults = self
                .known
                .entry((text, number, render.output.as_str()))
                .or_insert_with(|| faults_of(render, ty, &kind, true));
            for fault in faults.iter().filter(|fault| is_meant(fault, object, step)) {
                if fails_at(step, fault) {
                    failing.extend(fault.failing.clone().map(|told| (address(step), told)));
                    // The library's text is what people will see; which name was meant, the type knows better.
                    if fault.class == Class::Pointer {
                        continue;
                    }
                }
                let place = render.place(fault.span);
                if !no_cluster || !is_of_cluster(self.context, fault, &place) {
                    found.push(finding(self.context, fault, &place, ty));
                }
            }
        }
        for evaluated in &step.evaluated {
            for fault in expression::faults(evaluated, &kind) {
                if is_meant(&fault, object, step) {
                    let place = evaluated.expression.place(fault.span);
                    if !no_cluster || !is_of_cluster(self.context, &fault, &place) {
                        found.push(finding(self.context, &fault, &place, ty));
                    }
                }
            }
        }
        found
    }

    /// What is known of a mutation without any object, where the target says of which kind its objects are.
    fn alone(&mut self, mutation: &Mutation, ty: MutationType) -> Vec<(Class, Finding, Severity)> {
        let registry = self.context.workspace.registry();
        let Some((gvk, sure)) = kind_of_target(registry, &mutation.target) else { return Vec::new() };
        let kind = Kind::of(registry, &gvk);
        let preview = self.context.preview;
        let mut found = Vec::new();
        let patches = preview.compiled.mutations[mutation.index].patches.iter().flatten();
        let mut texts: Vec<_> = patches.map(|patches| patches.text.clone()).collect();
        if ty.is_template() {
            // What a template would write is not known.
            let contents = preview.contents(mutation.index).into_iter().map(|content| content.text);
            texts.extend(contents.filter(|text| !text.text().contains("{{")));
        }
        for text in texts {
            let output = text.text().to_owned();
            let identity = ContentMap::identity(Span::new(0, output.len()));
            let render = Render::new(text, output, &identity, Vec::new());
            for fault in faults_of(&render, ty, &kind, false) {
                found.push(finding(self.context, &fault, &render.place(fault.span), ty));
            }
        }
        for content in preview.expressions(mutation.index) {
            let expression = content.expression;
            let Some(overlay) = expression::known(&expression) else { continue };
            let evaluated = Evaluated { expression, overlay };
            for fault in expression::faults(&evaluated, &kind) {
                let place = evaluated.expression.place(fault.span);
                found.push(finding(self.context, &fault, &place, ty));
            }
        }
        let severity = if sure { Severity::Error } else { Severity::Warning };
        found
            .into_iter()
            .map(|(class, mut finding)| {
                if !sure {
                    let (version, kind) = (gvk.api_version(), &gvk.kind);
                    finding.message.push_str(&format!(" (if {version} {kind} is meant)"));
                }
                (class, finding, severity)
            })
            .collect()
    }
}

fn faults_of(render: &Render, ty: MutationType, kind: &Kind<'_>, filled: bool) -> Vec<Fault> {
    match ty {
        MutationType::JsonPatch => patch::faults(render, kind, filled),
        _ => overlay::faults(render, kind, ty == MutationType::StrategicMergePatch),
    }
}

/// The kind of a target's objects, and whether no other can be meant: without a group, an object of any group is.
fn kind_of_target(registry: &Registry, target: &Target) -> Option<(GroupVersionKind, bool)> {
    let kind = target.kind()?.text.as_str();
    let (group, version) = (target.group(), target.version());
    if let (Some(group), Some(version)) = (group, version) {
        return Some((GroupVersionKind::new(&group.text, &version.text, kind), true));
    }
    let mut fitting = registry.kinds().filter(|gvk| {
        *gvk.kind == *kind
            && group.is_none_or(|group| *gvk.group == *group.text)
            && version.is_none_or(|version| *gvk.version == *version.text)
    });
    let only = fitting.next()?;
    fitting.next().is_none().then(|| (only.clone(), group.is_some()))
}

/// Whether a fault is the mutation's: the object was rendered without it, and has it at the end. What an earlier
/// mutation put there is no excuse, since that one may be mended without this one.
fn is_meant(fault: &Fault, object: &ObjectRun, step: &Step) -> bool {
    let has = |value: &Value| holds(value, &fault.path, &fault.same);
    let rendered = object.object.value().map(|value| &**value).filter(|_| fault.sets);
    if has(rendered.unwrap_or(&step.before)) {
        return false;
    }
    match (&step.outcome, fault.sets) {
        (Outcome::Done(_), true) => object.result().is_some_and(has),
        // What was read or tested was there: the same patch may have put it there.
        (Outcome::Done(_), false) => false,
        _ => true,
    }
}

/// Whether a step fails at the operation that has a fault.
fn fails_at(step: &Step, fault: &Fault) -> bool {
    let Outcome::Failed(failure) = &step.outcome else { return false };
    matches!(failure.kind, FailureKind::PatchOperation { index } if fault.operation == Some(index))
}

/// What makes a value the same as the one that is wrong.
#[derive(Clone, Debug, PartialEq)]
enum Same {
    /// That it is there.
    Any,
    /// That it is of the same kind.
    Kind(&'static str),
    /// That it is equal.
    Value(Value),
}

/// Whether an object has such a value at a path. An index stands for any item: lists are replaced, and items move.
fn holds(value: &Value, path: &[Key], same: &Same) -> bool {
    let mut here: Vec<&Value> = vec![value];
    for key in path {
        here = match key {
            Key::Name(name) => here.into_iter().filter_map(|value| value.get(name)).collect(),
            Key::Index(_) => here.into_iter().filter_map(Value::as_list).flatten().collect(),
        };
    }
    here.into_iter().any(|value| match same {
        Same::Any => true,
        Same::Kind(kind) => value.kind() == *kind,
        Same::Value(wanted) => value.same_json(wanted),
    })
}

/// The text at a place.
fn source<'a>(context: &Release<'a>, place: &Place) -> &'a str {
    let file = context.workspace.file(&place.file);
    file.and_then(|file| file.text.get(place.span.range())).unwrap_or("")
}

/// Whether it is the value of a Cluster that is wrong, and not that there is one.
fn is_of_cluster(context: &Release<'_>, fault: &Fault, place: &Place) -> bool {
    let source = source(context, place);
    !matches!(fault.same, Same::Kind(_))
        && (names_cluster(source) || source.contains("{{") && reads_cluster(context.preview, place))
}

/// A fault in words, at its place.
fn finding(context: &Release<'_>, fault: &Fault, place: &Place, ty: MutationType) -> (Class, Finding) {
    let source = source(context, place);
    // A text that may be right, such as that of a quantity, is not wrong because a template wrote it.
    let templated = ty == MutationType::JsonPatch
        && source.contains("{{")
        && fault.sets
        && !matches!(fault.same, Same::Value(_));
    let is_written = match ty {
        MutationType::CelTransform => is_literal(source),
        _ => !source.contains("{{"),
    };
    let message = fault.general.as_ref().filter(|_| !is_written).unwrap_or(&fault.message);
    let mut finding = Finding { place: place.clone(), message: message.clone(), help: fault.help.clone() };
    if fault.class == Class::WrongType && templated {
        finding.message = format!("a value from a template is always a string, but {message}");
        finding.help = Some(overlay::templated_help(&fault.path));
        return (Class::TemplatedType, finding);
    }
    if let Some(mend) = &fault.mend {
        finding.help = mended(mend, source, ty == MutationType::CelTransform);
    }
    (fault.class, finding)
}

/// Whether a part of an expression is a number, a text or a boolean.
fn is_literal(source: &str) -> bool {
    source.starts_with(['"', '\''])
        || matches!(source, "true" | "false")
        || !source.contains(|c: char| c.is_alphabetic())
}

/// How the source of a value is written as the field takes it.
fn mended(mend: &Mend, source: &str, is_cel: bool) -> Option<String> {
    if source.is_empty() || source.contains('\n') {
        return None;
    }
    let literal = is_literal(source);
    let bare = source.trim_matches(['"', '\'']);
    match mend {
        Mend::Quote { reads } => {
            let reads = reads.as_ref().map(|reads| format!("{reads}; ")).unwrap_or_default();
            let quoted = match source {
                _ if is_cel && !literal => {
                    return Some(format!("string({source}) makes a text of it"));
                }
                _ if source.contains('"') && source.contains('\'') => return None,
                _ if source.contains('"') => format!("'{source}'"),
                _ => format!("\"{source}\""),
            };
            Some(format!("{reads}quote it: {quoted}"))
        }
        Mend::Bare { function } if is_cel && !literal => Some(format!(
            "{function}({source}) makes {} of it",
            if *function == "int" { "a number" } else { "one" }
        )),
        Mend::Bare { .. } if bare.len() < source.len() => Some(format!("write it without quotes: {bare}")),
        Mend::Bare { .. } => None,
    }
}
