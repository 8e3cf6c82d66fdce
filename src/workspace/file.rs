use std::path::Path;
use std::sync::{Arc, OnceLock};

use convoy_kube::{Release, crd};
use convoy_text::{LineIndex, Span};
use convoy_value::Value;
use convoy_yaml::{NodeId, Tree};

use super::modeline::{Comments, Modeline};
use crate::dialect::{DocumentKind, Identity, convoy, identify};

/// A document of a file.
#[derive(Debug)]
pub struct Document {
    /// Its number in the file, from 0.
    pub index: usize,
    /// Its bytes.
    pub span: Span,
    /// Its root node, if it has content.
    pub root: Option<NodeId>,
    /// What it says of itself.
    pub identity: Identity,
    /// Whose it is.
    pub kind: DocumentKind,
    /// The modeline at its top.
    pub modeline: Modeline,
    value: OnceLock<Option<Arc<Value>>>,
    /// The convoy model, by whether inline texts are cut: made once for all snapshots that share the file.
    release: [OnceLock<Arc<convoy::Release>>; 2],
    /// The types that it defines, and the release of Kubernetes that they were read for.
    definition: OnceLock<(Release, Arc<[crd::Version]>)>,
}

/// A YAML file as it was read.
#[derive(Debug)]
pub struct File {
    /// The absolute path.
    pub path: Arc<Path>,
    /// The text. Bytes that are not UTF-8 are replaced, see [`File::not_utf8`].
    pub text: Arc<str>,
    /// Where its lines begin.
    pub lines: LineIndex,
    /// Its tree.
    pub tree: Tree,
    /// Its documents.
    pub documents: Vec<Document>,
    /// Suppressions in its comments.
    pub comments: Comments,
    /// The first byte that is not UTF-8.
    pub not_utf8: Option<usize>,
}

impl File {
    /// Reads a file from its bytes.
    pub fn from_bytes(path: Arc<Path>, bytes: Vec<u8>) -> File {
        match String::from_utf8(bytes) {
            Ok(text) => File::from_text(path, text.into()),
            Err(error) => {
                let at = error.utf8_error().valid_up_to();
                let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
                let mut file = File::from_text(path, text.into());
                file.not_utf8 = Some(at);
                file
            }
        }
    }

    /// Reads a file from its text.
    pub fn from_text(path: Arc<Path>, text: Arc<str>) -> File {
        let tree = convoy_yaml::parse(text.clone());
        let lines = LineIndex::new(&text);
        let comments = Comments::read(&text, tree.comments());
        let documents = tree
            .documents()
            .iter()
            .enumerate()
            .map(|(index, document)| {
                let identity = document.root.map(|root| Identity::of(&tree, root)).unwrap_or_default();
                let start = document.root.map_or(document.span.end, |root| tree.span(root).start);
                let modeline =
                    comments.modeline(Span::new(document.span.start.min(start), start), index == 0);
                let kind = if modeline.is_mutation_list() {
                    DocumentKind::MutationList
                } else {
                    identify(&identity)
                };
                Document {
                    index,
                    span: document.span,
                    root: document.root,
                    identity,
                    kind,
                    modeline,
                    value: OnceLock::new(),
                    release: Default::default(),
                    definition: OnceLock::new(),
                }
            })
            .collect();
        File { path, text, lines, tree, documents, comments, not_utf8: None }
    }

    /// The value of a document as Go decodes it; none where it has no value or its text is broken.
    pub fn value(&self, index: usize) -> Option<&Arc<Value>> {
        let document = self.documents.get(index)?;
        document
            .value
            .get_or_init(|| {
                if self.tree.documents().get(index).is_some_and(|d| !d.errors.is_empty()) {
                    return None;
                }
                let value = convoy_yaml::value(&self.tree, document.root?, convoy_yaml::Options::default());
                // A number such as 1.0 passes through JSON, where it is 1, and so becomes an int64.
                let json = convoy_patch::Document::from_value(&value.ok()?);
                Some(Arc::new(json.to_value()))
            })
            .as_ref()
    }

    /// The convoy model of a document that is a Release or, if `is_list`, a list of mutations.
    pub(super) fn release(
        &self,
        document: &Document,
        is_list: bool,
        cut: bool,
    ) -> Option<Arc<convoy::Release>> {
        let root = document.root?;
        if !is_list && document.kind != DocumentKind::Release {
            return None;
        }
        let model = document.release[usize::from(cut)].get_or_init(|| {
            Arc::new(if is_list {
                let (name, namespace) = (document.modeline.release(), document.modeline.namespace());
                convoy::Release::read_list(&self.tree, root, name, namespace, cut)
            } else {
                convoy::Release::read(&self.tree, root, cut)
            })
        });
        Some(model.clone())
    }

    /// The versions of the `CustomResourceDefinition` that a document is, made once for all snapshots that share the
    /// file; none if it is no definition.
    pub(super) fn definition(&self, document: &Document, release: Release) -> Arc<[crd::Version]> {
        let read = || -> Arc<[crd::Version]> {
            self.value(document.index).map_or_else(Arc::default, |value| crd::read(value, release).into())
        };
        if document.kind != DocumentKind::Definition {
            return Arc::default();
        }
        let (known, versions) = document.definition.get_or_init(|| (release, read()));
        // Only a change of the settings asks for another release.
        if *known == release { versions.clone() } else { read() }
    }

    /// The document that holds an offset.
    pub fn document_at(&self, offset: usize) -> Option<&Document> {
        let i = self.documents.partition_point(|d| d.span.end <= offset);
        self.documents.get(i.min(self.documents.len().checked_sub(1)?))
    }

    /// The folder of the file.
    pub fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new("/"))
    }
}
