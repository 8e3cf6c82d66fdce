//! What a Release's mutations compile to: templates with their places.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::sync::Arc;

use convoy_cel::library::Library;
use convoy_gotemplate::{Arity, Function, Functions, Output, Template, parse};
use convoy_text::{ContentMap, Span};
use convoy_yaml::{NodeId, Options, ValueError, json_text};

use super::{Expression, Render};
use crate::diagnostic::Place;
use crate::dialect::convoy::{Content, Mutation, MutationType, Release, Source};
use crate::workspace::{DocumentRef, File, Settings};

/// The name of templates in the text of errors. convoy's own is not known, so that messages leave it out.
pub const TEMPLATE_NAME: &str = "mutation";

/// A text that is run as a template, with the way back to its file.
#[derive(Clone, Debug)]
pub struct Text {
    /// The file that it stands in.
    pub file: Arc<Path>,
    /// The scalar (or list) that it was read from.
    pub span: Span,
    /// From the template's text to the file.
    pub map: ContentMap,
    /// The template.
    pub template: Arc<Template>,
}

impl Text {
    /// The place of a span of the template.
    pub fn place(&self, span: Span) -> Place {
        Place { file: self.file.clone(), span: self.map.span_to_document(span) }
    }

    /// The template's text.
    pub fn text(&self) -> &str {
        &self.template.text
    }

    /// Whether the template reads a field of this name from the dot that it is run with.
    pub fn mentions(&self, root: &str) -> bool {
        self.text().contains(root)
    }
}

/// A document of content of a mutation.
#[derive(Clone, Debug)]
pub struct ContentText {
    /// Where it comes from.
    pub source: Source,
    /// The text.
    pub text: Arc<Text>,
}

/// The patch list of a jsonPatch mutation.
#[derive(Clone, Debug)]
pub struct PatchText {
    /// The JSON text of the list, which is the template.
    pub text: Arc<Text>,
}

/// One mutation, compiled.
#[derive(Clone, Debug, Default)]
pub struct CompiledMutation {
    /// The documents of `inline`, where they are templates.
    pub inline: Vec<Arc<Text>>,
    /// The documents of `inline`, where they are CEL expressions.
    pub expressions: Vec<Arc<Expression>>,
    /// The JSON text of `patches`, or why there is none.
    pub patches: Option<Result<PatchText, ValueError>>,
    /// `from.name`.
    pub from_name: Option<Arc<Text>>,
    /// `from.path`.
    pub from_path: Option<Arc<Text>>,
}

/// The texts of `ConfigMap`s by file and node.
type ConfigMapTexts<T> = std::sync::Mutex<HashMap<(Arc<Path>, NodeId), Arc<T>>>;

/// The last render of each text, which its address names, with the map of its output. Many texts write the same for
/// all objects of a cluster, and then it is read once.
type Renders = std::sync::Mutex<HashMap<usize, (ContentMap, Arc<Render>)>>;

/// A Release, compiled.
#[derive(Debug)]
pub struct Compiled {
    /// Its mutations in order.
    pub mutations: Vec<CompiledMutation>,
    /// The functions that its templates may call.
    pub functions: Functions,
    /// The libraries that its CEL expressions may use.
    pub libraries: BTreeSet<Library>,
    config_map_texts: ConfigMapTexts<Text>,
    config_map_expressions: ConfigMapTexts<Expression>,
    renders: Renders,
}

/// The functions of convoy's templates: Go's own, and the names that the settings add.
pub fn functions(settings: &Settings) -> Functions {
    let mut functions = Functions::builtin();
    for name in &settings.convoy.functions {
        let arity = Arity { min: 0, max: None };
        functions.insert(name, Function { arity, implementation: None });
    }
    functions
}

fn compile_text(file: &Arc<Path>, content: &Content, functions: &Functions) -> Arc<Text> {
    let template = parse(TEMPLATE_NAME, content.text.as_str(), &|name| functions.contains(name));
    Arc::new(Text {
        file: file.clone(),
        span: content.span,
        map: content.map.clone(),
        template: Arc::new(template),
    })
}

impl Compiled {
    /// Compiles the mutations of a Release that stands in `file`.
    pub fn new(file: &File, release: &Release, settings: &Settings) -> Compiled {
        let functions = functions(settings);
        let libraries = settings.convoy.cel_libraries();
        let mutations = release
            .mutations
            .iter()
            .map(|mutation| compile_mutation(file, mutation, &functions, &libraries))
            .collect();
        Compiled {
            mutations,
            functions,
            libraries,
            config_map_texts: ConfigMapTexts::default(),
            config_map_expressions: ConfigMapTexts::default(),
            renders: Renders::default(),
        }
    }

    /// What a text wrote. The last render is given again where nothing differs, neither the output nor the way back.
    pub fn render(&self, text: &Arc<Text>, output: Output) -> Arc<Render> {
        let string = String::from_utf8_lossy(&output.bytes);
        let key = Arc::as_ptr(text).addr();
        let lock = || self.renders.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some((map, known)) = lock().get(&key)
            && known.output == string
            && known.written == output.written
            && *map == output.map
        {
            return known.clone();
        }
        // The text is kept by its render, so that no other can have its address.
        let render = Arc::new(Render::new(text.clone(), string.into_owned(), &output.map, output.written));
        lock().insert(key, (output.map, render.clone()));
        render
    }

    /// The text under a key of a `ConfigMap`'s data as a template, compiled once.
    pub fn config_map_text(&self, reference: &DocumentRef, key: &str) -> Option<Arc<Text>> {
        let compile = |content: &Content| compile_text(&reference.file.path, content, &self.functions);
        config_map_value(&self.config_map_texts, reference, key, compile)
    }

    /// The text under a key of a `ConfigMap`'s data as a CEL expression, compiled once.
    pub fn config_map_expression(&self, reference: &DocumentRef, key: &str) -> Option<Arc<Expression>> {
        let compile =
            |content: &Content| Arc::new(Expression::new(&reference.file.path, content, &self.libraries));
        config_map_value(&self.config_map_expressions, reference, key, compile)
    }
}

fn config_map_value<T>(
    made: &ConfigMapTexts<T>,
    reference: &DocumentRef,
    key: &str,
    compile: impl FnOnce(&Content) -> Arc<T>,
) -> Option<Arc<T>> {
    let tree = &reference.file.tree;
    let data = tree.get(reference.document().root?, "data")?;
    let node = tree.get(data, key)?;
    let content = Content::of(tree, node)?;
    let mut made = made.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let entry = made.entry((reference.file.path.clone(), node));
    Some(entry.or_insert_with(|| compile(&content)).clone())
}

fn compile_mutation(
    file: &File,
    mutation: &Mutation,
    functions: &Functions,
    libraries: &BTreeSet<Library>,
) -> CompiledMutation {
    let mut compiled = CompiledMutation::default();
    let text = |content: &Content| compile_text(&file.path, content, functions);
    if mutation.kind.is_some_and(MutationType::is_template) {
        compiled.inline = mutation.inline.iter().map(text).collect();
    }
    if mutation.kind == Some(MutationType::CelTransform) {
        let expression = |content| Arc::new(Expression::new(&file.path, content, libraries));
        compiled.expressions = mutation.inline.iter().map(expression).collect();
    }
    if mutation.kind.is_some_and(MutationType::reads_content)
        && let Some(from) = &mutation.from
    {
        compiled.from_name = from.name.as_ref().map(text);
        compiled.from_path = from.path.as_ref().map(text);
    }
    if mutation.kind == Some(MutationType::JsonPatch)
        && let Some(field) = mutation.patches_field
        && file.tree.is_sequence(field.node)
    {
        let node = file.tree.resolve(field.node);
        compiled.patches = Some(json_text(&file.tree, node, Options::default()).map(|(json, map)| {
            let content = Content { text: json, map, span: field.span };
            PatchText { text: text(&content) }
        }));
    }
    compiled
}
