//! The steps of the pipeline.

use std::sync::Arc;

use convoy_cel::eval::Variables;
use convoy_gotemplate::{
    ExecError, ExecErrorKind, MissingKey, Options, Output, Val, execute, failures, query,
};
use convoy_patch::{Document as Json, json_patch, merge_patch, pointer};
use convoy_text::Span;
use convoy_value::{Map, Value};
use rayon::prelude::*;

use super::{
    Compiled, Evaluated, Expression, Failure, FailureKind, FromContent, Noted, ObjectRun, Origin, Outcome,
    PatchText, Reason, Render, Run, Step, Text, cluster_value, dot, expression, strategic,
};
use crate::diagnostic::Place;
use crate::dialect::convoy::{Mutation, MutationType, Release, target};
use crate::workspace::{Cluster, DocumentRef, Workspace, allowed};

/// What a pipeline runs with.
#[derive(Clone, Copy)]
pub(super) struct Pipeline<'a> {
    pub(super) workspace: &'a Workspace,
    pub(super) document: &'a DocumentRef,
    pub(super) release: &'a Release,
    pub(super) compiled: &'a Compiled,
    pub(super) self_value: &'a Value,
}

/// Why a step does not end with an object.
enum Why {
    Failed(Box<Failure>),
    NotEvaluated(String),
}

struct Stop {
    why: Why,
    /// As [`Step::further`].
    further: Vec<Failure>,
}

impl From<Why> for Stop {
    fn from(why: Why) -> Self {
        Stop { why, further: Vec::new() }
    }
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Box::new(failure).into()
    }
}

impl From<Box<Failure>> for Stop {
    fn from(failure: Box<Failure>) -> Self {
        Why::Failed(failure).into()
    }
}

/// What a step made on its way.
#[derive(Default)]
struct Made {
    renders: Vec<Arc<Render>>,
    evaluated: Vec<Evaluated>,
    notes: Vec<Noted>,
}

/// The content of a `from`, unless it cannot be read.
fn readable(from: Option<&FromContent>) -> Result<Option<&FromContent>, Stop> {
    match from {
        Some(FromContent::Failed(failure)) => Err(Why::Failed(failure.clone()).into()),
        Some(FromContent::NotInWorkspace { name }) => {
            Err(Why::NotEvaluated(format!("ConfigMap {name} is not in the workspace")).into())
        }
        Some(FromContent::Unknown(why)) => Err(Why::NotEvaluated(why.clone()).into()),
        from => Ok(from),
    }
}

/// An overlay merged into an object (RFC 7386), which is decoded from JSON.
pub(super) fn merge(object: &Value, overlay: &Value) -> Value {
    merge_patch::merge_values(object, &Json::decoded(overlay))
}

/// The overlay that an expression gives.
fn transform(expression: &Expression, variables: &Variables) -> Result<Value, Stop> {
    let whole = Span::new(0, expression.text().len());
    let Some(result) = expression.overlay(variables) else {
        let compiled = &expression.compiled;
        let (span, message) = match (compiled.issues.first(), expression.wrong_type()) {
            (Some(issue), _) => (issue.span, issue.message.to_string()),
            (None, Some(ty)) => (whole, format!("the result is of type {ty}, not a map with string keys")),
            (None, None) => (whole, "the expression cannot be run".to_owned()),
        };
        return Err(failure(FailureKind::Static, expression.place(span), message).into());
    };
    result.map_err(|wrong| {
        let mut failures = wrong.into_iter().map(|wrong| {
            let kind = if wrong.shape { FailureKind::ExpressionShape } else { FailureKind::Expression };
            let mut failed = failure(kind, expression.place(wrong.span), wrong.message);
            failed.help = wrong.help;
            failed.missing = wrong.missing;
            failed
        });
        match failures.next() {
            Some(first) => Stop { why: Why::Failed(Box::new(first)), further: failures.collect() },
            None => failure(FailureKind::Expression, expression.place(whole), "the expression failed").into(),
        }
    })
}

pub(super) fn failure(kind: FailureKind, place: Place, message: impl Into<String>) -> Failure {
    Failure { kind, place, message: message.into(), help: None, reason: Reason::DeployFailed, missing: None }
}

fn template_failure(text: &Text, error: &ExecError) -> Failure {
    if error.kind == ExecErrorKind::Limit {
        let message = format!("{} (a limit of convoy-lsp; convoy would go on)", error.detail);
        return failure(FailureKind::Template, text.place(error.span), message);
    }
    let mut failed = failure(FailureKind::Template, text.place(error.span), error.detail.clone());
    failed.missing = missing_key(text, error.span, &error.detail);
    failed.help = template_help(&error.detail);
    failed
}

impl Pipeline<'_> {
    pub(super) fn run(&self, cluster: Option<Cluster>, objects: &[(DocumentRef, Origin)]) -> Run {
        let from: Vec<Option<FromContent>> = (0..self.release.mutations.len())
            .map(|mutation| self.content_of_from(mutation, cluster.as_ref(), self.self_value))
            .collect();
        // A few objects are done before another thread has heard of them.
        let objects = objects.par_iter().with_min_len(16).filter_map(|(sample, origin)| {
            // convoy has its objects from JSON, and so have files.
            let value = Value::clone(sample.value()?);
            let mut object = ObjectRun { object: sample.clone(), origin: *origin, steps: Vec::new() };
            self.go_on(&mut object, value, &from, cluster.as_ref());
            Some(object)
        });
        let objects = objects.collect();
        Run { cluster, from, objects }
    }

    /// Runs the mutations over an object.
    fn go_on(
        &self,
        run: &mut ObjectRun,
        object: Value,
        from: &[Option<FromContent>],
        cluster: Option<&Cluster>,
    ) {
        let (mut current, mut failed_before, mut after_unknown) = (object, Vec::new(), false);
        let mut next = 0;
        while let Some(mutation) = self.next_match(next, &current) {
            next = mutation + 1;
            let content = from[mutation].as_ref();
            let (mut made, mut further) = (Made::default(), Vec::new());
            let result = self.step(mutation, &current, cluster, self.self_value, content, &mut made);
            let outcome = match result {
                Ok(value) => Outcome::Done(value),
                Err(stop) => {
                    further = stop.further;
                    match stop.why {
                        Why::Failed(failure) => Outcome::Failed(failure),
                        Why::NotEvaluated(why) => Outcome::NotEvaluated(why),
                    }
                }
            };
            let step = Step {
                mutation,
                before: current,
                outcome,
                further,
                renders: made.renders,
                evaluated: made.evaluated,
                notes: made.notes,
                failed_before: failed_before.clone(),
                after_unknown,
            };
            current = step.after().clone();
            if matches!(step.outcome, Outcome::Failed(_)) {
                failed_before.push(mutation);
            }
            after_unknown |= matches!(step.outcome, Outcome::NotEvaluated(_));
            run.steps.push(step);
        }
    }

    /// The first mutation from an index on that matches an object as it stands.
    fn next_match(&self, from: usize, object: &Value) -> Option<usize> {
        let key = target::key_of_value(object);
        let mut mutations = self.release.mutations.iter().enumerate().skip(from);
        mutations.find(|(_, mutation)| target::matches(&mutation.target, &key)).map(|(i, _)| i)
    }

    /// What an object comes to without a mutation; none if something fails then, or if it takes more than `steps`, which
    /// counts down. Only what comes behind the mutation is run, and only until the object is as it was with it.
    pub(super) fn without(
        &self,
        run: &Run,
        object: &ObjectRun,
        mutation: usize,
        steps: &mut usize,
    ) -> Option<Value> {
        let is_done = |steps: &[Step]| steps.iter().all(|step| matches!(step.outcome, Outcome::Done(_)));
        let at = object.steps.partition_point(|step| step.mutation < mutation);
        let (before, behind) = object.steps.split_at(at);
        if !is_done(before) {
            return None;
        }
        let left_out = behind.first().filter(|step| step.mutation == mutation);
        let mut current = match left_out {
            Some(step) => step.before.clone(),
            None => object.result()?.clone(),
        };
        // The steps with the mutation that are still to come.
        let mut behind = if left_out.is_some() { &behind[1..] } else { behind };
        let mut first = mutation + 1;
        while let Some(next) = self.next_match(first, &current) {
            first = next + 1;
            while behind.first().is_some_and(|step| step.mutation < next) {
                behind = &behind[1..];
            }
            let with = behind.first().map(|step| &step.before).or(object.result())?;
            if left_out.is_none() || current == *with {
                return is_done(behind).then(|| object.result().cloned())?;
            }
            *steps = steps.checked_sub(1)?;
            let from = run.from.get(next).and_then(Option::as_ref);
            let cluster = run.cluster.as_ref();
            current = self.step(next, &current, cluster, self.self_value, from, &mut Made::default()).ok()?;
        }
        Some(current)
    }

    fn mutation(&self, index: usize) -> &Mutation {
        &self.release.mutations[index]
    }

    fn head(&self, index: usize) -> Place {
        Place { file: self.document.file.path.clone(), span: self.mutation(index).head() }
    }

    fn step(
        &self,
        index: usize,
        object: &Value,
        cluster: Option<&Cluster>,
        self_value: &Value,
        from: Option<&FromContent>,
        made: &mut Made,
    ) -> Result<Value, Stop> {
        let mutation = self.mutation(index);
        let Some(kind) = mutation.kind else {
            let text = mutation.type_text.as_ref().map_or("", |text| text.text.as_str());
            // A newer convoy may have types that are not known here.
            if allowed(self.workspace.mutation_type(self.release), &["type"]).contains(&text) {
                let why = format!("{text} is not evaluated by this version");
                return Err(Why::NotEvaluated(why).into());
            }
            let mut unknown = failure(FailureKind::Type, self.head(index), format!("unknown type {text:?}"));
            unknown.reason = Reason::Unsupported;
            return Err(unknown.into());
        };
        match kind {
            MutationType::GoTemplate | MutationType::StrategicMergePatch => {
                let by_type = kind == MutationType::StrategicMergePatch;
                let registry = self.workspace.registry();
                if by_type {
                    // A custom resource stops the render, whatever the patch is.
                    strategic::builtin(registry, object, &self.head(index))?;
                }
                let mut texts: Vec<Arc<Text>> = self.compiled.mutations[index].inline.clone();
                if let Some(FromContent::Found { text, .. }) = readable(from)? {
                    texts.push(text.clone());
                }
                let mut current = object.clone();
                for text in texts {
                    let output = self.execute(&text, &dot(cluster, self_value, Some(&current)))?;
                    let render = self.compiled.render(&text, output);
                    let number = made.renders.len();
                    made.renders.push(render.clone());
                    let Some(overlay) = overlay(&render)? else { continue };
                    current = if by_type {
                        let ty = strategic::builtin(registry, &current, &self.head(index))?;
                        strategic::merge(&render, number, &current, overlay, ty, &mut made.notes)?
                    } else {
                        merge_patch::merge_values(&current, overlay)
                    };
                }
                Ok(current)
            }
            MutationType::CelTransform => {
                let mut expressions = self.compiled.mutations[index].expressions.clone();
                if let Some(FromContent::Expression { expression, .. }) = readable(from)? {
                    expressions.push(expression.clone());
                }
                let cluster = cluster_value(cluster);
                let mut current = object.clone();
                for expression in expressions {
                    let variables = expression::variables(&cluster, self_value, &current);
                    let overlay = transform(&expression, &variables)?;
                    current = merge(&current, &overlay);
                    made.evaluated.push(Evaluated { expression, overlay });
                }
                Ok(current)
            }
            MutationType::JsonPatch => match &self.compiled.mutations[index].patches {
                Some(Ok(patches)) => self.json_patch(
                    mutation,
                    patches,
                    &dot(cluster, self_value, Some(object)),
                    object,
                    &mut made.renders,
                ),
                Some(Err(error)) => {
                    let place = Place { file: self.document.file.path.clone(), span: error.span };
                    Err(failure(FailureKind::Static, place, error.message.clone()).into())
                }
                None => Err(failure(FailureKind::Static, self.head(index), "no patches").into()),
            },
            MutationType::SyncWave => Ok(self.sync_wave(mutation, object)),
        }
    }

    // ---- templates ----

    fn execute(&self, text: &Text, context: &Val) -> Result<Output, Stop> {
        if let Some(error) = text.template.errors.first() {
            return Err(failure(FailureKind::Static, text.place(error.span), error.detail.clone()).into());
        }
        let options = Options { missing_key: MissingKey::Zero, ..Options::default() };
        let mut output = execute(&text.template, &self.compiled.functions, context, &options);
        let Some(error) = output.error.take() else { return Ok(output) };
        let why = match &error.kind {
            ExecErrorKind::NotEvaluated(name) => Why::NotEvaluated(format!(
                "the template calls {name}, which the settings name but this version does not run"
            )),
            _ => Why::Failed(Box::new(template_failure(text, &error))),
        };
        if error.kind == ExecErrorKind::Limit {
            // A run that goes on behind failures ends there as well.
            return Err(why.into());
        }
        let all = failures(&text.template, &self.compiled.functions, context, &options);
        let further = all.iter().filter(|other| **other != error && other.kind == ExecErrorKind::Failed);
        Err(Stop { why, further: further.map(|other| template_failure(text, other)).collect() })
    }

    // ---- jsonPatch ----

    fn json_patch(
        &self,
        mutation: &Mutation,
        patches: &PatchText,
        context: &Val,
        object: &Value,
        renders: &mut Vec<Arc<Render>>,
    ) -> Result<Value, Stop> {
        let output = self.execute(&patches.text, context)?;
        let render = self.compiled.render(&patches.text, output);
        renders.push(render.clone());
        let render = &*render;
        let decoded = render.operations.get_or_init(|| json_patch::decode(&render.output));
        let operations = decoded.as_ref().map_err(|error| {
            // What the library says of broken JSON names nothing; the decoder's words do.
            let message = match &error.syntax {
                Some(syntax) => syntax.message.clone(),
                None => error.message.clone(),
            };
            failure(FailureKind::PatchText, render.place(error.span), message)
        })?;
        match json_patch::apply_to_value(operations, object) {
            Ok(value @ Value::Map(_)) => Ok(value),
            Ok(other) => {
                let place = render.place(Span::new(0, render.output.len()));
                let message = format!("the patched object is a {}, not an object", other.kind());
                Err(failure(FailureKind::Result, place, message).into())
            }
            Err(error) => {
                let document = Json::from_value(object);
                Err(patch_failure(mutation, render, operations, &document, &error).into())
            }
        }
    }

    // ---- syncWave ----

    fn sync_wave(&self, mutation: &Mutation, object: &Value) -> Value {
        let settings = &self.workspace.settings().convoy;
        let Some(wave) = &mutation.wave else { return object.clone() };
        let pairs =
            [(&settings.wave_annotation, &wave.wave), (&settings.wave_strategy_annotation, &wave.strategy)];
        let mut annotations = Map::new();
        for (annotation, text) in pairs {
            if let Some(text) = text {
                annotations.insert(annotation.as_str().into(), Value::from(text.text.as_str()));
            }
        }
        if annotations.is_empty() {
            return object.clone();
        }
        let overlay =
            Value::map([("metadata", Value::map([("annotations", Value::Map(Arc::new(annotations)))]))]);
        merge(object, &overlay)
    }

    // ---- from ----

    fn content_of_from(
        &self,
        index: usize,
        cluster: Option<&Cluster>,
        self_value: &Value,
    ) -> Option<FromContent> {
        let mutation = self.mutation(index);
        let from =
            mutation.from.as_ref().filter(|_| mutation.kind.is_some_and(MutationType::reads_content))?;
        let compiled = &self.compiled.mutations[index];
        let unknown = |why: &str| Some(FromContent::Unknown(why.to_owned()));
        let kind = from.kind.as_ref().map_or("", |kind| &kind.text);
        if kind != "ConfigMap" {
            return unknown(&format!("content from a {kind:?} is not read by this version"));
        }
        let (Some(name), Some(path)) = (&compiled.from_name, &compiled.from_path) else {
            return unknown("from names no object or no key");
        };
        let context = dot(cluster, self_value, None);
        let filled = |text: &Arc<Text>| match self.execute(text, &context) {
            Ok(output) => Ok(String::from_utf8_lossy(&output.bytes).into_owned()),
            Err(Stop { why: Why::Failed(mut failed), .. }) => {
                if failed.kind != FailureKind::Static {
                    failed.kind = FailureKind::FromTemplate;
                }
                Err(FromContent::Failed(failed))
            }
            Err(Stop { why: Why::NotEvaluated(why), .. }) => Err(FromContent::Unknown(why)),
        };
        let (name_text, path_text) = match (filled(name), filled(path)) {
            (Ok(name), Ok(path)) => (name, path),
            (Err(stop), _) | (_, Err(stop)) => return Some(stop),
        };
        let namespace = self.release.identity.namespace_text();
        let found = self.workspace.config_maps(&name_text, namespace);
        if found.is_empty() {
            return Some(FromContent::NotInWorkspace { name: name_text });
        }
        for reference in &found {
            if mutation.kind == Some(MutationType::CelTransform) {
                if let Some(expression) = self.compiled.config_map_expression(reference, &path_text) {
                    return Some(FromContent::Expression { expression, name: name_text, path: path_text });
                }
            } else if let Some(text) = self.compiled.config_map_text(reference, &path_text) {
                return Some(FromContent::Found { text, name: name_text, path: path_text });
            }
        }
        let keys = found
            .iter()
            .filter_map(|reference| reference.value()?.get("data")?.as_map())
            .flat_map(|data| data.keys().map(ToString::to_string))
            .collect::<Vec<_>>();
        let mut missing = failure(
            FailureKind::FromKey,
            path.place(Span::new(0, path.text().len())),
            format!("ConfigMap {name_text} has no key {path_text:?}"),
        );
        missing.help = Some(match keys.as_slice() {
            [] => format!("ConfigMap {name_text} has no data"),
            keys => format!("its keys are {}", keys.join(", ")),
        });
        Some(FromContent::Failed(Box::new(missing)))
    }
}

/// What a document of content wrote, as a value to merge; none if that is nothing.
fn overlay(render: &Render) -> Result<Option<&Value>, Box<Failure>> {
    let overlay = render.overlay.get_or_init(|| read_overlay(render));
    overlay.as_ref().map(Option::as_ref).map_err(Clone::clone)
}

fn read_overlay(render: &Render) -> Result<Option<Value>, Box<Failure>> {
    let not_yaml = |place: Place, message: &str| {
        let message = format!("error converting YAML to JSON: {message}");
        Box::new(failure(FailureKind::OverlaySyntax, place, message))
    };
    let Some(document) = render.tree.documents().first() else { return Ok(None) };
    if let Some(error) = document.errors.iter().find(|error| !error.after_document) {
        return Err(not_yaml(render.place(blamed(render, error)), &error.message));
    }
    let Some(root) = document.root else { return Ok(None) };
    match convoy_yaml::value(&render.tree, root, convoy_yaml::Options::default()) {
        Ok(Value::Null) => Ok(None),
        Ok(value @ Value::Map(_)) => Ok(Some(Json::decoded(&value))),
        Ok(other) => {
            let article = if matches!(other, Value::List(_)) { "an" } else { "a" };
            let place = render.place(render.tree.span(root));
            let message = format!(
                "the output is {article} {}, not a mapping that could be merged into the object",
                other.kind()
            );
            Err(Box::new(failure(FailureKind::OverlayShape, place, message)))
        }
        Err(error) => Err(not_yaml(render.place(error.span), &error.message)),
    }
}

/// The part of an output to blame: the value of an action that the parser stumbled in, if there is one there.
fn blamed(render: &Render, error: &convoy_yaml::SyntaxError) -> Span {
    let at = error.offset();
    let written = render.written.iter().find(|written| written.output.start < at && at <= written.output.end);
    written.map_or(error.span, |written| written.output)
}

/// The key that a template read from and did not find.
fn missing_key(text: &Text, span: Span, detail: &str) -> Option<String> {
    if detail.contains("index of untyped nil") {
        return query::fields(&text.template)
            .into_iter()
            .find(|field| span.contains(field.spans[0]))
            .and_then(|field| field.idents.last().map(ToString::to_string));
    }
    if !detail.contains("nil pointer") {
        return None;
    }
    query::fields(&text.template).into_iter().find_map(|field| {
        let link = field.spans.iter().position(|known| *known == span)?;
        field.idents.get(link.checked_sub(1)?).map(ToString::to_string)
    })
}

/// Advice for errors of templates that people meet most.
fn template_help(detail: &str) -> Option<String> {
    if let Some(rest) = detail.strip_prefix("nil pointer evaluating interface {}.") {
        return Some(format!(
            "what .{rest} is read from does not exist; guard it with {{{{ with … }}}} or {{{{ if … }}}}"
        ));
    }
    if detail.contains("incompatible types for comparison") {
        return Some(
            "integers of an object are int64, other numbers float64, constants such as 1 are int: compare like with like"
                .to_owned(),
        );
    }
    if let Some(rest) = detail.strip_prefix("can't evaluate field ")
        && rest.ends_with("in type string")
    {
        return Some("the values of .cluster are texts and have no fields".to_owned());
    }
    None
}

/// The failure of an operation, at the token of its pointer that leads nowhere.
fn patch_failure(
    mutation: &Mutation,
    render: &Render,
    operations: &[json_patch::Operation],
    object: &Json,
    error: &json_patch::ApplyError,
) -> Failure {
    let index = error.index.unwrap_or(0);
    let operation = operations.get(index);
    // The document as the operation found it.
    let before = json_patch::apply(&operations[..index.min(operations.len())], object);
    let before = before.unwrap_or_else(|_| object.clone());
    let located = operation.map(|operation| {
        if error.at_from { operation.from.as_ref().unwrap_or(&operation.path) } else { &operation.path }
    });
    let missing = json_patch::first_missing(&before, &error.pointer);
    let content = mutation
        .patches
        .get(index)
        .and_then(|patch| if error.at_from { patch.from.as_ref() } else { patch.path.as_ref() });
    // A pointer without a template stands in the document as it is, so that the token can be shown.
    let place = match (content, &missing, located) {
        (Some(content), Some((token, _)), _) if content.text == error.pointer => {
            let span = if token.span.is_empty() { Span::new(0, content.text.len()) } else { token.span };
            Place { file: render.text.file.clone(), span: content.map.span_to_document(span) }
        }
        (_, _, Some(located)) => render.place(located.span),
        _ => render.place(Span::new(0, render.output.len())),
    };
    let mut failed = failure(FailureKind::PatchOperation { index }, place, error.message.clone());
    failed.missing = match &missing {
        Some((token, _)) => Some(token.key.clone()),
        // A test that fails may wait for a value that an earlier mutation sets.
        None => pointer::tokens(&error.pointer).pop().map(|token| token.key),
    };
    failed.help = patch_help(operation, &before, error, missing.as_ref(), index, operations);
    failed
}

fn patch_help(
    operation: Option<&json_patch::Operation>,
    before: &Json,
    error: &json_patch::ApplyError,
    missing: Option<&(pointer::Token, Json)>,
    index: usize,
    operations: &[json_patch::Operation],
) -> Option<String> {
    let operation = operation?;
    let Some((token, holder)) = missing else {
        if operation.op == json_patch::Op::Test {
            let found =
                pointer::tokens(&error.pointer).iter().try_fold(
                    before.clone(),
                    |here, token| match here {
                        Json::Object(object) => object.get(token.key.as_str()).cloned(),
                        Json::Array(items) => items.get(token.key.parse::<usize>().ok()?).cloned(),
                        _ => None,
                    },
                )?;
            let wanted = operation.value.as_ref().map_or("nothing".to_owned(), ToString::to_string);
            return Some(format!("the value there is {found}, the test wants {wanted}"));
        }
        return None;
    };
    let tokens = pointer::tokens(&error.pointer);
    let at = tokens.iter().position(|known| known.span == token.span)?;
    if let Json::Array(items) = holder {
        let shifted = operations[..index].iter().any(|earlier| {
            matches!(earlier.op, json_patch::Op::Remove | json_patch::Op::Move)
                && pointer::tokens(&earlier.path.text).len() == tokens.len()
        });
        let because = if shifted { " after the removal above" } else { "" };
        return Some(match items.len() {
            0 => format!("the list is empty{because}"),
            len => format!(
                "the list has {len} item{}{because}; its last index is {}",
                if len == 1 { "" } else { "s" },
                len - 1
            ),
        });
    }
    // A key with a slash was written without `~1`.
    if at + 1 < tokens.len() && token.key.contains('.') && !token.key.starts_with('.') {
        let key: Vec<&str> = tokens[at..].iter().map(|t| t.key.as_str()).collect();
        return Some(format!(
            "a / in a key is written ~1: {}",
            error.pointer[..token.span.start].to_owned() + &pointer::escape(&key.join("/"))
        ));
    }
    let parent = error.pointer[..token.span.start.saturating_sub(1)].to_owned();
    let Json::Object(object) = holder else {
        return Some(format!("{} is no object that could have the key {:?}", or_root(&parent), token.key));
    };
    let nearest = object
        .keys()
        .map(|key| (strsim::damerau_levenshtein(key, &token.key), key))
        .filter(|(distance, _)| *distance <= 2)
        .min();
    if let Some((_, nearest)) = nearest {
        return Some(format!("did you mean {nearest:?}?"));
    }
    if at + 1 < tokens.len() {
        let map = format!("{parent}/{}", pointer::escape(&token.key));
        return Some(format!(
            "add {map} with the value {{}} first; on objects that have it, that would remove what it holds"
        ));
    }
    if operation.op == json_patch::Op::Replace {
        return Some("replace needs something that is there; add sets it in both cases".to_owned());
    }
    Some(format!("{} has no {:?}", or_root(&parent), token.key))
}

fn or_root(pointer: &str) -> &str {
    if pointer.is_empty() { "the object" } else { pointer }
}
