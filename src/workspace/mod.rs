//! The files of a workspace: objects, clusters, content sources, settings.
//!
//! A [`Workspace`] is a snapshot: cheap to clone, never changed while somebody reads it. It knows the dialects as far
//! as to tell whose a document is; it must not know rules, previews or editors, and reads nothing outside its
//! root. Start reading at [`Workspace::samples`].

mod definitions;
mod file;
pub mod modeline;
pub mod settings;
mod walk;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, OnceLock};

use convoy_kube::{Registry, Release, Typed};
use convoy_text::Span;
use convoy_value::{Map, Value};
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

pub use definitions::{ReleaseDefinition, allowed};
pub use file::{Document, File};
pub use settings::{CelLibrary, Settings};
pub use walk::{find_root, is_yaml, yaml_files};

use crate::diagnostic::Place;
use crate::dialect::{DocumentKind, convoy};

/// A document of a file.
#[derive(Clone, Debug)]
pub struct DocumentRef {
    /// The file.
    pub file: Arc<File>,
    /// The number of the document.
    pub index: usize,
}

impl DocumentRef {
    /// The document.
    pub fn document(&self) -> &Document {
        &self.file.documents[self.index]
    }

    /// Its value, if it has one.
    pub fn value(&self) -> Option<&Arc<Value>> {
        self.file.value(self.index)
    }

    /// `Kind/name`, with the namespace in front of the name where there is one.
    pub fn label(&self) -> String {
        let identity = &self.document().identity;
        match identity.namespace_text() {
            "" => format!("{}/{}", identity.kind_text(), identity.name_text()),
            namespace => format!("{}/{namespace}/{}", identity.kind_text(), identity.name_text()),
        }
    }

    /// Whether the object is meant by `Kind/name` or `Kind/namespace/name`.
    pub fn is_named(&self, name: &str) -> bool {
        let identity = &self.document().identity;
        name == self.label() || name == format!("{}/{}", identity.kind_text(), identity.name_text())
    }

    /// The place that stands for the object: its name, else its kind.
    pub fn place(&self) -> Place {
        let identity = &self.document().identity;
        let span = identity.name.as_ref().or(identity.kind.as_ref()).map_or(Span::default(), |l| l.span);
        Place { file: self.file.path.clone(), span }
    }
}

/// A cluster that Releases may go to.
#[derive(Clone, Debug, PartialEq)]
pub struct Cluster {
    /// `cluster.name`.
    pub name: String,
    /// The keys of its spec metadata, with texts.
    pub metadata: Map,
    /// Where it is written, unless it comes from the settings.
    pub place: Option<Place>,
}

impl Cluster {
    /// The value of `cluster` in templates: `map[string]string`; the real name wins over a key `name`.
    pub fn value(&self) -> Value {
        let mut map = self.metadata.clone();
        map.insert("name".into(), Value::from(self.name.as_str()));
        Value::StringMap(Arc::new(map))
    }
}

/// Where the samples of a document come from.
#[derive(Clone, Debug)]
pub struct Samples {
    /// The objects, in the order of files and documents.
    pub objects: Vec<DocumentRef>,
    /// Names in the modeline that lead nowhere: the word's place and why.
    pub faults: Vec<(Span, String)>,
}

/// A snapshot of the files below a root.
#[derive(Clone, Debug)]
pub struct Workspace {
    root: Arc<Path>,
    files: Arc<BTreeMap<Arc<Path>, Arc<File>>>,
    file_settings: Arc<Settings>,
    client_settings: Option<Arc<serde_json::Value>>,
    settings: Arc<Settings>,
    globs: Arc<Globs>,
    /// What is found out about this snapshot once, when it is first asked for.
    index: Arc<OnceLock<Index>>,
}

/// Ways into a snapshot.
#[derive(Debug)]
struct Index {
    by_folder: HashMap<PathBuf, Vec<Arc<File>>>,
    releases: Vec<(DocumentRef, Arc<convoy::Release>)>,
    /// `ConfigMap`s by name.
    config_maps: HashMap<String, Vec<DocumentRef>>,
    /// What the `from`s name: content, and no samples.
    sources: Sources,
    clusters: Vec<Cluster>,
    definition: Option<ReleaseDefinition>,
    /// The built-in kinds, and those that `CustomResourceDefinition`s of the workspace define.
    registry: Registry,
}

#[derive(Debug, Default)]
struct Globs {
    samples: GlobSet,
    mutation_lists: GlobSet,
}

impl Workspace {
    /// An empty workspace.
    pub fn new(root: &Path) -> Workspace {
        Workspace {
            root: root.into(),
            files: Arc::default(),
            file_settings: Arc::default(),
            client_settings: None,
            settings: Arc::default(),
            globs: Arc::default(),
            index: Arc::default(),
        }
    }

    /// Reads all YAML files below the root, ignore files respected.
    pub fn load(root: &Path) -> Workspace {
        let mut workspace = Workspace::new(root);
        workspace.reload();
        workspace
    }

    /// Reads all files again.
    pub fn reload(&mut self) {
        use rayon::prelude::*;
        let files: Vec<Arc<File>> = yaml_files(&self.root)
            .into_par_iter()
            .filter_map(|path| {
                let bytes = std::fs::read(&path).ok()?;
                Some(Arc::new(File::from_bytes(path.into(), bytes)))
            })
            .collect();
        self.files = Arc::new(files.into_iter().map(|file| (file.path.clone(), file)).collect());
        self.update_settings();
    }

    /// The root.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The settings in force.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Whether a path lies below the root. Paths are compared as they are written, without `.` and `..`.
    pub fn contains(&self, path: &Path) -> bool {
        normalize(path).starts_with(&self.root)
    }

    /// Puts a file in place of the one with its path.
    pub fn set_file(&mut self, file: File) {
        let is_settings = settings::is_settings_file(&file.path);
        Arc::make_mut(&mut self.files).insert(file.path.clone(), Arc::new(file));
        self.index = Arc::default();
        if is_settings {
            self.update_settings();
        }
    }

    /// Forgets a file.
    pub fn remove_file(&mut self, path: &Path) {
        self.index = Arc::default();
        if Arc::make_mut(&mut self.files).remove(path).is_some() && settings::is_settings_file(path) {
            self.update_settings();
        }
    }

    /// Takes settings from the editor; they win over the file's, key by key.
    pub fn set_client_settings(&mut self, json: serde_json::Value) {
        self.client_settings = Some(Arc::new(json));
        self.update_settings();
    }

    fn update_settings(&mut self) {
        self.index = Arc::default();
        let file = self.settings_file();
        self.file_settings = Arc::new(file.map(|file| settings::read(&file.tree).0).unwrap_or_default());
        let mut merged = Settings::clone(&self.file_settings);
        if let Some(json) = &self.client_settings {
            let (client, readable, _) = settings::read_json(json);
            // A value that cannot be read says nothing.
            let said = |key: &str| readable.get(key).is_some();
            if said("samples") {
                merged.samples = client.samples;
            }
            if said("clusters") {
                merged.clusters = client.clusters;
            }
            if said("cluster") {
                merged.cluster = client.cluster;
            }
            if said("object") {
                merged.object = client.object;
            }
            if said("rules") {
                merged.rules = client.rules;
            }
            if said("convoy") {
                merged.convoy = client.convoy;
            }
            if said("kubernetes") {
                merged.kubernetes = client.kubernetes;
            }
        }
        self.globs = Arc::new(Globs {
            samples: glob_set(&merged.samples),
            mutation_lists: glob_set(&merged.convoy.mutation_lists),
        });
        self.settings = Arc::new(merged);
    }

    /// The settings file of the root.
    pub fn settings_file(&self) -> Option<&Arc<File>> {
        self.files.get(self.root.join(settings::FILE_NAME).as_path())
    }

    /// A file by its path.
    pub fn file(&self, path: &Path) -> Option<&Arc<File>> {
        self.files.get(path)
    }

    /// All files in the order of their paths.
    pub fn files(&self) -> impl Iterator<Item = &Arc<File>> {
        self.files.values()
    }

    /// All documents of a kind.
    pub fn documents(&self, kind: DocumentKind) -> impl Iterator<Item = DocumentRef> {
        self.files().flat_map(move |file| {
            let documents = file.documents.iter().filter(move |document| document.kind == kind);
            documents.map(move |document| DocumentRef { file: file.clone(), index: document.index })
        })
    }

    fn relative<'a>(&self, path: &'a Path) -> &'a Path {
        path.strip_prefix(&self.root).unwrap_or(path)
    }

    /// Whether a document is the list of a `/mutations` subresource, by its modeline or the settings.
    pub fn is_mutation_list(&self, file: &File, document: &Document) -> bool {
        document.kind == DocumentKind::MutationList
            || (document.kind == DocumentKind::Other
                && self.globs.mutation_lists.is_match(self.relative(&file.path)))
    }

    /// The convoy model of a document, if it is a Release or a list of mutations.
    pub fn release(&self, file: &File, document: &Document) -> Option<Arc<convoy::Release>> {
        let is_list = self.is_mutation_list(file, document);
        file.release(document, is_list, self.settings.convoy.cut_inline)
    }

    /// All Releases and lists of mutations.
    pub fn releases(&self) -> &[(DocumentRef, Arc<convoy::Release>)] {
        &self.index().releases
    }

    fn index(&self) -> &Index {
        self.index.get_or_init(|| {
            let mut index = Index {
                by_folder: HashMap::new(),
                releases: Vec::new(),
                config_maps: HashMap::new(),
                sources: Sources::default(),
                clusters: self.read_clusters(),
                definition: None,
                registry: Registry::new(
                    self.settings.kubernetes.release.map_or(Release::NEWEST, |release| release.0),
                ),
            };
            for file in self.files() {
                index.by_folder.entry(file.folder().to_path_buf()).or_default().push(file.clone());
                for document in &file.documents {
                    let reference = || DocumentRef { file: file.clone(), index: document.index };
                    if let Some(release) = self.release(file, document) {
                        index.sources.extend(&release);
                        index.releases.push((reference(), release));
                    }
                    let identity = &document.identity;
                    match document.kind {
                        DocumentKind::Object
                            if identity.kind_text() == "ConfigMap" && identity.group().is_empty() =>
                        {
                            index
                                .config_maps
                                .entry(identity.name_text().to_owned())
                                .or_default()
                                .push(reference());
                        }
                        DocumentKind::Definition => {
                            let versions = file.definition(document, index.registry.release());
                            if index.definition.is_none() {
                                index.definition = ReleaseDefinition::of(&versions);
                            }
                            for version in versions.iter() {
                                index.registry.add(version.gvk.clone(), version.types.clone());
                            }
                        }
                        _ => {}
                    }
                }
            }
            index
        })
    }

    // ---- samples ----

    /// The objects that a document is judged against: those that its modeline or the setting `samples` names; else
    /// those in the nearest folder at or above its own that has any.
    pub fn samples(&self, file: &File, document: &Document) -> Samples {
        if let Some((paths, span)) = document.modeline.samples() {
            return self.named_samples(file, &paths, span);
        }
        let index = self.index();
        if !self.settings.samples.is_empty() {
            let files = self.files().filter(|f| self.globs.samples.is_match(self.relative(&f.path)));
            return Samples { objects: objects(files, &index.sources), faults: Vec::new() };
        }
        let mut folder = Some(file.folder());
        while let Some(here) = folder.filter(|folder| folder.starts_with(&self.root)) {
            let files = index.by_folder.get(here).into_iter().flatten();
            let objects = objects(files, &index.sources);
            if !objects.is_empty() {
                return Samples { objects, faults: Vec::new() };
            }
            folder = here.parent();
        }
        Samples { objects: Vec::new(), faults: Vec::new() }
    }

    fn named_samples(&self, file: &File, paths: &[&str], span: Span) -> Samples {
        let mut samples = Samples { objects: Vec::new(), faults: Vec::new() };
        for name in paths {
            let path = normalize(&file.folder().join(name));
            if !path.starts_with(&self.root) {
                samples.faults.push((span, format!("{name} lies outside the workspace and is not read")));
                continue;
            }
            let files = self.files().filter(|file| *file.path == *path || file.path.starts_with(&path));
            let found = objects(files, &Sources::default());
            if found.is_empty() {
                samples.faults.push((span, format!("no object is found in {name}")));
            }
            samples.objects.extend(found);
        }
        samples
    }

    // ---- clusters ----

    /// The clusters of the workspace and the settings, by name.
    pub fn clusters(&self) -> &[Cluster] {
        &self.index().clusters
    }

    fn read_clusters(&self) -> Vec<Cluster> {
        let mut clusters: Vec<Cluster> = Vec::new();
        for reference in self.documents(DocumentKind::Cluster) {
            let identity = &reference.document().identity;
            let metadata = reference.value().and_then(|value| value.at(["spec", "metadata"]).cloned());
            let entries = metadata.as_ref().and_then(Value::as_map).into_iter().flatten();
            clusters.push(Cluster {
                name: identity.name_text().to_owned(),
                metadata: entries.map(|(key, value)| (key.clone(), text_of(value))).collect(),
                place: Some(reference.place()),
            });
        }
        for setting in &self.settings.clusters {
            let metadata = setting.metadata.iter();
            clusters.push(Cluster {
                name: setting.name.clone(),
                metadata: metadata.map(|(k, v)| (k.as_str().into(), Value::from(v.as_str()))).collect(),
                place: None,
            });
        }
        clusters.sort_by(|a, b| a.name.cmp(&b.name));
        clusters
    }

    // ---- content sources ----

    /// The `ConfigMap`s of this name. An object or a Release without a namespace may be in any.
    pub fn config_maps(&self, name: &str, namespace: &str) -> Vec<DocumentRef> {
        let named = self.index().config_maps.get(name).into_iter().flatten();
        named
            .filter(|reference| {
                let theirs = reference.document().identity.namespace_text();
                theirs == namespace || theirs.is_empty() || namespace.is_empty()
            })
            .cloned()
            .collect()
    }

    // ---- types ----

    /// The types of all kinds that are known: those of Kubernetes in the release of the settings, and those that
    /// `CustomResourceDefinition`s of the workspace define.
    pub fn registry(&self) -> &Registry {
        &self.index().registry
    }

    /// The type of a mutation of this Release, where a `CustomResourceDefinition` of the workspace says it.
    pub fn mutation_type(&self, release: &convoy::Release) -> Option<Typed<'_>> {
        self.index().definition.as_ref()?.mutation(release.identity.version())
    }
}

/// The objects that `from`s name.
#[derive(Debug, Default)]
struct Sources {
    /// The names by kind.
    plain: HashMap<String, HashSet<String>>,
    /// Kind and the plain parts of a name between its templates.
    templated: Vec<(String, Vec<String>)>,
}

impl Sources {
    fn extend(&mut self, release: &convoy::Release) {
        for from in release.mutations.iter().filter_map(|mutation| mutation.from.as_ref()) {
            let Some(name) = &from.name else { continue };
            let kind = from.kind.as_ref().map_or("", |kind| &kind.text).to_owned();
            if !name.text.contains("{{") {
                self.plain.entry(kind).or_default().insert(name.text.clone());
                continue;
            }
            let parts = name.text.split("{{").enumerate();
            let plain =
                parts.map(|(i, part)| if i == 0 { part } else { part.split_once("}}").map_or("", |p| p.1) });
            let parts: Vec<String> = plain.map(str::to_owned).collect();
            // A name that is all template may be any, which says nothing.
            if parts.iter().any(|part| !part.is_empty())
                && !self.templated.contains(&(kind.clone(), parts.clone()))
            {
                self.templated.push((kind, parts));
            }
        }
    }

    fn contains(&self, kind: &str, name: &str) -> bool {
        self.plain.get(kind).is_some_and(|names| names.contains(name))
            || self.templated.iter().any(|(known, parts)| known == kind && fits(parts, name))
    }
}

/// Whether a name has the parts in order, the first at its start and the last at its end.
fn fits(parts: &[String], name: &str) -> bool {
    let (Some(first), Some(last)) = (parts.first(), parts.last()) else { return false };
    let Some(mut rest) = name.strip_prefix(first.as_str()).and_then(|rest| rest.strip_suffix(last.as_str()))
    else {
        return false;
    };
    for part in &parts[1..parts.len() - 1] {
        let Some(at) = rest.find(part.as_str()) else { return false };
        rest = &rest[at + part.len()..];
    }
    true
}

/// A metadata value as the text that a `map[string]string` holds.
fn text_of(value: &Value) -> Value {
    match value {
        Value::String(_) => value.clone(),
        Value::Null => Value::from(""),
        other => Value::from(
            convoy_value::json::write(other, convoy_value::json::KeyOrder::Sorted).unwrap_or_default(),
        ),
    }
}

fn objects<'a>(files: impl Iterator<Item = &'a Arc<File>>, sources: &Sources) -> Vec<DocumentRef> {
    let mut objects = Vec::new();
    for file in files {
        for document in &file.documents {
            let identity = &document.identity;
            let is_source = || sources.contains(identity.kind_text(), identity.name_text());
            if document.kind == DocumentKind::Object && file.value(document.index).is_some() && !is_source() {
                objects.push(DocumentRef { file: file.clone(), index: document.index });
            }
        }
    }
    objects
}

fn glob_set(patterns: &[String]) -> GlobSet {
    let mut builder = GlobSetBuilder::new();
    for pattern in patterns {
        // A folder stands for all that is in it.
        let pattern = pattern.trim_start_matches("./").trim_end_matches('/');
        for pattern in [pattern.to_owned(), format!("{pattern}/**")] {
            if let Ok(glob) = GlobBuilder::new(&pattern).literal_separator(true).build() {
                builder.add(glob);
            }
        }
    }
    builder.build().unwrap_or_default()
}

/// The path without `.` and `..`, as text: nothing is looked up.
pub fn normalize(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}
