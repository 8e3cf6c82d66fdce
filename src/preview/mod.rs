//! What the mutations of a Release do to objects: the pipeline of convoy, step by step.
//!
//! [`Preview::new`] runs every mutation over every sample, for every cluster. Rules of stage *run*, hovers and the
//! `preview` command read its steps; nothing else runs a pipeline. It must not know rules or editors.

pub mod compile;
pub mod diff;
pub mod expression;
mod made_up;
mod steps;
mod strategic;

use std::path::Path;
use std::sync::{Arc, OnceLock};

use convoy_gotemplate::{Val, Written};
use convoy_kube::check::Key;
use convoy_patch::json_patch::{DecodeError, Operation};
use convoy_text::{ContentMap, Span};
use convoy_value::{Map, Value};
use convoy_yaml::{Entry, Flavour, NodeId, Resolved, Style, Tree, resolve};

pub use compile::{Compiled, ContentText, PatchText, Text};
pub use expression::{ContentExpression, Evaluated, Expression};
pub use strategic::Noted;

use crate::diagnostic::Place;
use crate::dialect::DocumentKind;
use crate::dialect::convoy::{Release, Source, target};
use crate::workspace::{Cluster, Document, DocumentRef, File, Workspace};

/// What the Release would report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// `Applied=False`, reason `DeployFailed`.
    DeployFailed,
    /// `Applied=False`, reason `Unsupported`.
    Unsupported,
}

impl Reason {
    /// The reason as the Release's status has it.
    pub fn name(self) -> &'static str {
        match self {
            Reason::DeployFailed => "DeployFailed",
            Reason::Unsupported => "Unsupported",
        }
    }
}

/// What failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// The text is no template, or no patch list: found without any object.
    Static,
    /// A template failed when it ran.
    Template,
    /// A template of `from.name` or `from.path` failed.
    FromTemplate,
    /// The key that `from.path` names is not in the `ConfigMap`.
    FromKey,
    /// A CEL expression failed when it ran.
    Expression,
    /// The result of a CEL expression is no map with string keys.
    ExpressionShape,
    /// The output of a template is not YAML.
    OverlaySyntax,
    /// The output of a template is YAML, but no mapping.
    OverlayShape,
    /// The patch list, filled in, is no JSON patch.
    PatchText,
    /// An operation failed.
    PatchOperation {
        /// Which one, from 0.
        index: usize,
    },
    /// The result is no object any more.
    Result,
    /// The type of the mutation does not exist.
    Type,
    /// A strategic merge met a kind that is not built in.
    StrategicKind,
    /// A strategic merge was refused.
    StrategicMerge,
}

/// Why a step failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What failed.
    pub kind: FailureKind,
    /// The place to show.
    pub place: Place,
    /// The text of the real program.
    pub message: String,
    /// What to write instead, where that is known.
    pub help: Option<String>,
    /// What the Release would report.
    pub reason: Reason,
    /// The key that is not there, if that is why: an earlier mutation might have put it there.
    pub missing: Option<String>,
}

/// How a step ended.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The object after the step.
    Done(Value),
    /// The render stops here.
    Failed(Box<Failure>),
    /// This version cannot tell what happens, and why.
    NotEvaluated(String),
}

/// What a template wrote, with the way back.
#[derive(Clone, Debug)]
pub struct Render {
    /// The template.
    pub text: Arc<Text>,
    /// The output.
    pub output: String,
    /// What each action wrote.
    pub written: Vec<Written>,
    /// From the output to the file.
    pub to_file: ContentMap,
    /// The output as YAML; for a patch list, the JSON of it.
    pub tree: Tree,
    /// What is merged.
    overlay: OnceLock<Result<Option<Value>, Box<Failure>>>,
    /// What a patch list does.
    operations: OnceLock<Result<Vec<Operation>, DecodeError>>,
}

impl Render {
    /// What a text wrote; `map` leads from the output to the text.
    pub fn new(text: Arc<Text>, output: String, map: &ContentMap, written: Vec<Written>) -> Render {
        Render {
            to_file: map.then(&text.map),
            tree: convoy_yaml::parse(output.as_str()),
            text,
            output,
            written,
            overlay: OnceLock::new(),
            operations: OnceLock::new(),
        }
    }

    /// The place of a span of the output.
    pub fn place(&self, span: Span) -> Place {
        Place { file: self.text.file.clone(), span: self.to_file.span_to_document(span) }
    }

    /// The root of the output, which is none where the output has a syntax error.
    pub fn root(&self) -> Option<NodeId> {
        self.tree.documents().first().filter(|document| document.errors.is_empty())?.root
    }

    /// The node at a path of the output, with the span of its key; as far as the path leads.
    pub fn node_at(&self, path: &[Key]) -> Option<(Option<Span>, NodeId)> {
        let tree = &self.tree;
        let mut here = (None, tree.documents().first()?.root?);
        for step in path {
            here = match step {
                Key::Name(name) => {
                    let Some(entry) = tree.entry(here.1, name).or_else(|| self.read_as(here.1, name)) else {
                        break;
                    };
                    (Some(tree.span(entry.key)), entry.value)
                }
                Key::Index(index) => {
                    let Some(item) = tree.items(here.1).get(*index) else { break };
                    (None, *item)
                }
            };
        }
        Some(here)
    }
}

impl Render {
    /// The last entry of a mapping whose key reads as a boolean or a number with this text: `on` is `true`.
    fn read_as(&self, mapping: NodeId, name: &str) -> Option<Entry> {
        let tree = &self.tree;
        tree.entries(mapping).iter().rev().copied().find(|entry| {
            let plain = tree.style(entry.key) == Some(Style::Plain);
            let text = tree.scalar(entry.key).filter(|_| plain);
            match text.map(|text| resolve(Flavour::V2, None, text)) {
                Some(Ok(Resolved::Bool(value))) => value.to_string() == name,
                Some(Ok(Resolved::Int(value))) => value.to_string() == name,
                _ => false,
            }
        })
    }
}

/// One mutation on one object.
#[derive(Clone, Debug)]
pub struct Step {
    /// The mutation, from 0.
    pub mutation: usize,
    /// The object before.
    pub before: Value,
    /// How it ended.
    pub outcome: Outcome,
    /// What else fails in the template that stopped the step, once what comes before is mended.
    pub further: Vec<Failure>,
    /// What its templates wrote.
    pub renders: Vec<Arc<Render>>,
    /// What its CEL expressions gave.
    pub evaluated: Vec<Evaluated>,
    /// What its strategic merges did beside what they were asked for.
    pub notes: Vec<Noted>,
    /// The mutations before this one that failed on this object: what is missing here may only be missing because
    /// of that.
    pub failed_before: Vec<usize>,
    /// An earlier mutation of this object was not evaluated.
    pub after_unknown: bool,
}

impl Step {
    /// The object after the step; the one before it if the step did nothing that is known.
    pub fn after(&self) -> &Value {
        match &self.outcome {
            Outcome::Done(value) => value,
            _ => &self.before,
        }
    }
}

/// Where an object comes from. Only samples are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A sample of the document.
    Sample,
    /// Another object of the workspace, which is shown where no sample matches.
    Other,
    /// Made from the type of the kind that a target names, where nothing else matches.
    MadeUp,
}

/// All mutations on one object.
#[derive(Clone, Debug)]
pub struct ObjectRun {
    /// The object.
    pub object: DocumentRef,
    /// Where it comes from.
    pub origin: Origin,
    /// The steps of the mutations that match it, in the order of the mutations.
    pub steps: Vec<Step>,
}

impl ObjectRun {
    /// The object in words, and what it is if it is no sample.
    pub fn label(&self) -> String {
        let label = self.object.label();
        match self.origin {
            Origin::Sample => label,
            Origin::Other => format!("{label} (not a sample of this document)"),
            Origin::MadeUp => format!("{label} (made up from the type)"),
        }
    }

    /// The step of a mutation, if it matches.
    pub fn step(&self, mutation: usize) -> Option<&Step> {
        let at = self.steps.binary_search_by_key(&mutation, |step| step.mutation).ok()?;
        self.steps.get(at)
    }

    /// The object after the last step.
    pub fn result(&self) -> Option<&Value> {
        self.steps.last().map(Step::after).or(self.object.value().map(|value| &**value))
    }
}

/// The content of a `from`, for one cluster.
#[derive(Clone, Debug)]
pub enum FromContent {
    /// The text under the key of a `ConfigMap` of the workspace.
    Found {
        /// The text.
        text: Arc<Text>,
        /// The name that was asked for.
        name: String,
        /// The key.
        path: String,
    },
    /// The same for a celTransform.
    Expression {
        /// The expression.
        expression: Arc<Expression>,
        /// The name that was asked for.
        name: String,
        /// The key.
        path: String,
    },
    /// The workspace has no such object; the cluster may.
    NotInWorkspace {
        /// The name that was asked for.
        name: String,
    },
    /// It can never be read.
    Failed(Box<Failure>),
    /// This version cannot tell, and why.
    Unknown(String),
}

/// The pipeline for one cluster.
#[derive(Clone, Debug)]
pub struct Run {
    /// The cluster; none is what convoy does when it cannot find the Cluster: `cluster` is empty.
    pub cluster: Option<Cluster>,
    /// The content of each mutation's `from`.
    pub from: Vec<Option<FromContent>>,
    /// The objects.
    pub objects: Vec<ObjectRun>,
}

impl Run {
    /// The cluster in words.
    pub fn cluster_label(&self) -> String {
        match &self.cluster {
            Some(cluster) => format!("cluster {}", cluster.name),
            None => "no Cluster found".to_owned(),
        }
    }
}

/// A Release, its samples, and what its mutations do to them.
#[derive(Debug)]
pub struct Preview {
    /// The document.
    pub document: DocumentRef,
    /// Its model.
    pub release: Arc<Release>,
    /// Its templates.
    pub compiled: Compiled,
    /// A run for each cluster and one for no cluster. Where no template reads `cluster`, one run stands for all.
    pub runs: Vec<Run>,
    /// Whether the runs differ by cluster at all.
    pub by_cluster: bool,
    /// The value of `self` in templates.
    pub self_value: Value,
    /// Where the steps of each mutation are.
    by_mutation: Vec<Vec<StepAt>>,
}

/// Where a step is: its run, its object and its number among the steps of the object.
type StepAt = (usize, usize, usize);

/// The steps of each mutation. Those on objects that are made up only count where there are no others.
fn by_mutation(runs: &[Run], mutations: usize) -> Vec<Vec<StepAt>> {
    let mut all: Vec<Vec<StepAt>> = vec![Vec::new(); mutations];
    for (r, run) in runs.iter().enumerate() {
        let starts: Vec<usize> = all.iter().map(Vec::len).collect();
        for (o, object) in run.objects.iter().enumerate() {
            for (s, step) in object.steps.iter().enumerate() {
                let others = &all[step.mutation][starts[step.mutation]..];
                // Those that are made up stand behind all others.
                let counts = object.origin != Origin::MadeUp
                    || others.iter().all(|(_, o, _)| run.objects[*o].origin == Origin::MadeUp);
                if counts {
                    all[step.mutation].push((r, o, s));
                }
            }
        }
    }
    all
}

/// Whether a text reads the variable `cluster`, as far as words tell: neither `clusterIP` nor `svc.cluster.local` does.
pub fn names_cluster(text: &str) -> bool {
    const NAME: &str = "cluster";
    let in_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    text.match_indices(NAME).any(|(at, _)| {
        let before = text[..at].strip_suffix('.').unwrap_or(&text[..at]);
        !before.ends_with(in_word) && !text[at + NAME.len()..].starts_with(in_word)
    })
}

/// How much of the workspace a preview runs over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope<'a> {
    /// All clusters, and none: for diagnostics.
    Judge,
    /// One cluster by name, or the one that the settings choose, or the first.
    Show(Option<&'a str>),
}

impl Preview {
    /// Runs the pipeline of a document; none if it is no Release.
    pub fn new(
        workspace: &Workspace,
        file: &Arc<File>,
        document: &Document,
        scope: Scope<'_>,
    ) -> Option<Preview> {
        let release = workspace.release(file, document)?;
        let settings = workspace.settings();
        let compiled = Compiled::new(file, &release, settings);
        let samples = workspace.samples(file, document);
        let clusters = workspace.clusters();
        let reference = DocumentRef { file: file.clone(), index: document.index };
        // Contents of ConfigMaps are not compiled yet; whether one reads `cluster` is told by its bytes.
        let reads_cluster = release.mutations.iter().any(|m| m.from.is_some())
            || file.text.get(document.span.range()).is_some_and(names_cluster);
        let chosen: Vec<Option<Cluster>> = match scope {
            Scope::Judge if reads_cluster => clusters.iter().cloned().map(Some).chain([None]).collect(),
            Scope::Judge => vec![clusters.first().cloned()],
            Scope::Show(name) => {
                let name = name.or(settings.cluster.as_deref());
                let chosen = name.and_then(|name| clusters.iter().find(|cluster| cluster.name == name));
                vec![chosen.or(clusters.first()).cloned()]
            }
        };
        let self_value = self_value(&release, &reference, settings.convoy.self_string_maps);
        let pipeline = steps::Pipeline {
            workspace,
            document: &reference,
            release: &release,
            compiled: &compiled,
            self_value: &self_value,
        };
        let mut objects: Vec<(DocumentRef, Origin)> =
            samples.objects.into_iter().map(|object| (object, Origin::Sample)).collect();
        if scope != Scope::Judge {
            let others = others(workspace, &release, &objects);
            objects.extend(others.into_iter().map(|object| (object, Origin::Other)));
            let made_up = made_up::objects(workspace, &release, &objects);
            objects.extend(made_up.into_iter().map(|object| (object, Origin::MadeUp)));
        }
        let runs: Vec<Run> = chosen.into_iter().map(|cluster| pipeline.run(cluster, &objects)).collect();
        let by_mutation = by_mutation(&runs, release.mutations.len());
        Some(Preview {
            document: reference,
            release,
            compiled,
            runs,
            by_cluster: reads_cluster && scope == Scope::Judge,
            self_value,
            by_mutation,
        })
    }

    /// Whether a run is that of a known Cluster, or the only one where none is known; the other is for a Cluster that
    /// convoy does not find.
    pub fn is_of_cluster(&self, run: &Run) -> bool {
        run.cluster.is_some() || self.runs.len() == 1
    }

    /// All steps of one mutation, with their run and object. Steps on objects that are made up only count where there
    /// are no others.
    pub fn steps(&self, mutation: usize) -> impl Iterator<Item = (&Run, &ObjectRun, &Step)> {
        self.by_mutation[mutation].iter().map(|&(run, object, step)| {
            let run = &self.runs[run];
            let object = &run.objects[object];
            (run, object, &object.steps[step])
        })
    }

    /// The texts that a mutation runs as templates: inline documents first, then what its `from` gives in any
    /// cluster, each once.
    pub fn contents(&self, mutation: usize) -> Vec<ContentText> {
        let mut contents: Vec<ContentText> = Vec::new();
        for (i, text) in self.compiled.mutations[mutation].inline.iter().enumerate() {
            contents.push(ContentText { source: Source::Inline(i), text: text.clone() });
        }
        for run in &self.runs {
            if let Some(Some(FromContent::Found { text, .. })) = run.from.get(mutation)
                && !contents.iter().any(|known| Arc::ptr_eq(&known.text, text))
            {
                contents.push(ContentText { source: Source::From, text: text.clone() });
            }
        }
        contents
    }

    /// The CEL expressions of a mutation: inline documents first, then what its `from` gives in any cluster, each once.
    pub fn expressions(&self, mutation: usize) -> Vec<ContentExpression> {
        let mut contents: Vec<ContentExpression> = Vec::new();
        for (i, expression) in self.compiled.mutations[mutation].expressions.iter().enumerate() {
            contents.push(ContentExpression { source: Source::Inline(i), expression: expression.clone() });
        }
        for run in &self.runs {
            if let Some(Some(FromContent::Expression { expression, .. })) = run.from.get(mutation)
                && !contents.iter().any(|known| Arc::ptr_eq(&known.expression, expression))
            {
                contents.push(ContentExpression { source: Source::From, expression: expression.clone() });
            }
        }
        contents
    }

    /// What the objects come to without a mutation, each beside the object as it is: none from the first on for which
    /// something fails without it, or for which the answer takes more than `steps`, which counts down.
    fn without<'a>(
        &'a self,
        workspace: &'a Workspace,
        mutation: usize,
        steps: &'a mut usize,
    ) -> impl Iterator<Item = Option<(&'a ObjectRun, Value)>> {
        let pipeline = steps::Pipeline {
            workspace,
            document: &self.document,
            release: &self.release,
            compiled: &self.compiled,
            self_value: &self.self_value,
        };
        let objects = self.runs.iter().flat_map(|run| run.objects.iter().map(move |object| (run, object)));
        objects.map(move |(run, object)| Some((object, pipeline.without(run, object, mutation, steps)?)))
    }

    /// Whether all objects end as they do without a mutation, and nothing fails without it. `steps` is how much may be
    /// run for the answer, and becomes what is left of it.
    pub fn is_superfluous(&self, workspace: &Workspace, mutation: usize, steps: &mut usize) -> bool {
        self.without(workspace, mutation, steps)
            .all(|end| end.is_some_and(|(with, without)| with.result() == Some(&without)))
    }

    /// Which of these pointers lead to the same value in all objects without a mutation, where nothing fails without it.
    /// `steps` is as for [`Preview::is_superfluous`].
    pub fn same_without<'p>(
        &self,
        workspace: &Workspace,
        mutation: usize,
        pointers: Vec<&'p str>,
        steps: &mut usize,
    ) -> Vec<&'p str> {
        let mut same = pointers;
        for end in self.without(workspace, mutation, steps) {
            let Some((with, without)) = end else { return Vec::new() };
            let with = with.result();
            same.retain(|pointer| {
                with.and_then(|value| diff::at(value, pointer)) == diff::at(&without, pointer)
            });
            if same.is_empty() {
                break;
            }
        }
        same
    }

    /// Whether a failure may be the consequence of another: an earlier mutation that failed on this object, or whose
    /// result is not known, might have put there what is missing.
    pub fn is_consequence(&self, step: &Step, failure: &Failure) -> bool {
        let Some(missing) = &failure.missing else { return step.after_unknown };
        step.after_unknown || step.failed_before.iter().any(|mutation| self.mentions(*mutation, missing))
    }

    /// Whether a mutation has a text somewhere, in the Release or in what its `from` gives.
    fn mentions(&self, mutation: usize, text: &str) -> bool {
        let span = self.release.mutations[mutation].span;
        span.text(&self.document.file.text).contains(text)
            || self.contents(mutation).iter().any(|content| content.text.text().contains(text))
            || self.expressions(mutation).iter().any(|content| content.expression.text().contains(text))
    }

    /// The values that a field of a template has: of each object that the mutation matches (or of the chosen one, if
    /// it is among them), and for the templates of `from`, of each cluster.
    pub fn watch(
        &self,
        mutation: usize,
        text: &Arc<Text>,
        field: Span,
        chosen: Option<&str>,
    ) -> Vec<(String, Val)> {
        let chosen = chosen.filter(|name| self.steps(mutation).any(|(_, o, _)| o.object.is_named(name)));
        let compiled = &self.compiled.mutations[mutation];
        let of_from = [&compiled.from_name, &compiled.from_path]
            .into_iter()
            .flatten()
            .any(|known| Arc::ptr_eq(known, text));
        let options = convoy_gotemplate::Options {
            missing_key: convoy_gotemplate::MissingKey::Zero,
            watch: Some(field),
            ..convoy_gotemplate::Options::default()
        };
        let mut values = Vec::new();
        let mut look = |whom: String, dot: &Val| {
            let output = convoy_gotemplate::execute(&text.template, &self.compiled.functions, dot, &options);
            values.extend(output.watched.into_iter().next().map(|value| (whom, value)));
        };
        if of_from {
            for run in &self.runs {
                look(run.cluster_label(), &dot(run.cluster.as_ref(), &self.self_value, None));
            }
            return values;
        }
        for (run, object, step) in self.steps(mutation) {
            if chosen.is_none_or(|name| object.object.is_named(name)) {
                let whom = format!("{}, {}", object.label(), run.cluster_label());
                look(whom, &dot(run.cluster.as_ref(), &self.self_value, Some(&step.before)));
            }
        }
        values
    }

    /// The values that a node of a CEL expression has: of the first objects that the mutation matches (or of the chosen
    /// one, if it is among them), and how many objects there are besides.
    pub fn values(
        &self,
        mutation: usize,
        expression: &Arc<Expression>,
        node: convoy_cel::ast::Id,
        chosen: Option<&str>,
        at_most: usize,
    ) -> (Vec<(String, convoy_cel::value::Outcome)>, usize) {
        let chosen = chosen.filter(|name| self.steps(mutation).any(|(_, o, _)| o.object.is_named(name)));
        let limits = convoy_cel::eval::Limits { record: true, ..convoy_cel::eval::Limits::default() };
        let mut values = Vec::new();
        let mut more = 0;
        for (run, object, step) in self.steps(mutation) {
            if chosen.is_some_and(|name| !object.object.is_named(name)) {
                continue;
            }
            if values.len() >= at_most {
                more += 1;
                continue;
            }
            // What the documents before this one made of the object.
            let earlier = step.evaluated.iter().take_while(|done| !Arc::ptr_eq(&done.expression, expression));
            let before =
                earlier.fold(step.before.clone(), |object, done| steps::merge(&object, &done.overlay));
            let cluster = cluster_value(run.cluster.as_ref());
            let variables = expression::variables(&cluster, &self.self_value, &before);
            let evaluation = expression.evaluate(&variables, &limits);
            if let Some(value) = evaluation.and_then(|mut evaluation| evaluation.values.remove(&node)) {
                values.push((format!("{}, {}", object.label(), run.cluster_label()), value));
            }
        }
        (values, more)
    }

    /// Whether any object of the workspace is known at all.
    pub fn has_samples(&self) -> bool {
        self.runs.iter().flat_map(|run| &run.objects).any(|object| object.origin != Origin::MadeUp)
    }

    /// The file of the Release.
    pub fn path(&self) -> &Arc<Path> {
        &self.document.file.path
    }
}

/// Objects of a mutation that are shown without being samples.
const SHOWN_OTHERS: usize = 3;

/// For each mutation that matches no sample, the first few other objects of the workspace that it matches.
fn others(workspace: &Workspace, release: &Release, samples: &[(DocumentRef, Origin)]) -> Vec<DocumentRef> {
    let mut found: Vec<DocumentRef> = Vec::new();
    for mutation in &release.mutations {
        let matches = |reference: &DocumentRef| {
            target::matches(&mutation.target, &target::key_of(&reference.document().identity))
        };
        if mutation.target.is_empty() || samples.iter().any(|(sample, _)| matches(sample)) {
            continue;
        }
        let objects = workspace.documents(DocumentKind::Object).filter(matches);
        for object in objects.filter(|object| object.value().is_some()).take(SHOWN_OTHERS) {
            let known = found.iter().any(|k| k.index == object.index && k.file.path == object.file.path);
            if !known {
                found.push(object);
            }
        }
    }
    found
}

/// The value of `self`: the Release's name, namespace, labels and annotations.
pub fn self_value(release: &Release, document: &DocumentRef, string_maps: bool) -> Value {
    let metadata = document.value().and_then(|value| value.get("metadata")).cloned().unwrap_or_default();
    let map_of = |key: &str| {
        let map = metadata.get(key).and_then(Value::as_map).cloned().unwrap_or_default();
        if string_maps { Value::StringMap(Arc::new(map)) } else { Value::Map(Arc::new(map)) }
    };
    Value::map([
        ("name", Value::from(release.identity.name_text())),
        ("namespace", Value::from(release.identity.namespace_text())),
        ("labels", map_of("labels")),
        ("annotations", map_of("annotations")),
    ])
}

/// The value of `cluster`, which is empty where convoy does not find the Cluster.
pub fn cluster_value(cluster: Option<&Cluster>) -> Value {
    cluster.map_or_else(|| Value::StringMap(Arc::new(Map::new())), Cluster::value)
}

/// The dot of a template.
pub fn dot(cluster: Option<&Cluster>, self_value: &Value, object: Option<&Value>) -> Val {
    let cluster = cluster_value(cluster);
    let mut entries = vec![("cluster", cluster), ("self", self_value.clone())];
    if let Some(object) = object {
        entries.push(("object", object.clone()));
    }
    Val::from_value(&Value::map(entries))
}
