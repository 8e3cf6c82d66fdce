//! YAML as the libraries of Go answer.

use convoy_value::json::{self, KeyOrder};
use convoy_yaml::{Document, Flavour, Options, Tree};

/// The tree of a text as the library of this flavour reads it.
pub fn tree(text: &str, flavour: Flavour) -> Tree {
    convoy_yaml::parse_as(text, flavour)
}

/// The JSON of the first document, or the error, as `sigs.k8s.io/yaml` gives them.
pub fn to_json(tree: &Tree, options: Options) -> Result<String, String> {
    if let Some(stop) = tree.stop().filter(|stop| stop.documents == 0) {
        return Err(stop.error.message.clone());
    }
    let Some(root) = tree.documents().first().and_then(|document| document.root) else {
        return Ok("null".to_owned());
    };
    let value = convoy_yaml::value(tree, root, options).map_err(|error| error.message)?;
    json::write(&value, KeyOrder::Sorted)
}

/// What a decoder of Go answers that reads a stream document by document, and does not want JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stream {
    /// The error of the first document, where one ends.
    pub first_error: Option<String>,
    /// Documents read before the end, or before the first error.
    pub documents: usize,
    /// That first error.
    pub all_error: Option<String>,
}

/// Reads a stream to its end or its first error.
pub fn stream(tree: &Tree, options: Options) -> Stream {
    let readable = tree.stop().map_or(tree.documents().len(), |stop| stop.documents);
    let mut documents = 0;
    let mut all_error = None;
    for document in tree.documents().iter().take(readable) {
        all_error = decode_error(tree, document, options);
        if all_error.is_some() {
            break;
        }
        documents += 1;
    }
    let all_error = all_error.or_else(|| tree.stop().map(|stop| stop.error.message.clone()));
    let first_error = all_error.clone().filter(|_| documents == 0);
    Stream { first_error, documents, all_error }
}

/// Why a document cannot be decoded. That a value has no JSON does not count.
fn decode_error(tree: &Tree, document: &Document, options: Options) -> Option<String> {
    let error = convoy_yaml::value(tree, document.root?, options).err()?;
    let of_decoding = ["yaml:", "runtime error:"].iter().any(|start| error.message.starts_with(start))
        || error.message.contains("a limit of convoy-lsp");
    of_decoding.then_some(error.message)
}
