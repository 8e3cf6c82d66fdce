//! Settings: `.convoy-lsp.yaml` at the root of the workspace, and the same through the editor.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use convoy_cel::library::Library;
use convoy_text::Span;
use convoy_yaml::{NodeId, Tree};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

/// The name of the settings file.
pub const FILE_NAME: &str = ".convoy-lsp.yaml";

/// Settings of convoy-lsp. All have a default.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub struct Settings {
    /// Files that hold the sample objects, as globs relative to the root. Without it, the objects of the nearest
    /// folder at or above a document's own are its samples.
    pub samples: Vec<String>,
    /// Clusters beside the `Cluster` documents of the workspace.
    pub clusters: Vec<ClusterSetting>,
    /// The cluster that hovers show; without it, the first by name.
    pub cluster: Option<String>,
    /// The object that hovers show, as `Kind/name`; without it, the first that match.
    pub object: Option<String>,
    /// Severity of rules by name, or `off`.
    pub rules: BTreeMap<String, RuleSetting>,
    /// What the convoy documentation leaves open.
    pub convoy: ConvoySettings,
    /// The Kubernetes of the clusters.
    pub kubernetes: KubernetesSettings,
}

/// The Kubernetes of the clusters.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub struct KubernetesSettings {
    /// The minor release whose types built-in kinds have, from `"1.25"`; without it, the newest that convoy-lsp knows.
    /// In YAML it needs its quotes: `1.30` is the number 1.3.
    pub release: Option<KubernetesRelease>,
}

/// A minor release of Kubernetes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct KubernetesRelease(pub convoy_kube::Release);

impl TryFrom<String> for KubernetesRelease {
    type Error = convoy_kube::UnknownRelease;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse().map(KubernetesRelease)
    }
}

impl From<KubernetesRelease> for String {
    fn from(release: KubernetesRelease) -> Self {
        release.0.to_string()
    }
}

/// A cluster that has no `Cluster` document in the workspace.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ClusterSetting {
    /// Its name: `cluster.name` in templates.
    pub name: String,
    /// The keys of its metadata: `cluster.KEY` in templates.
    #[serde(default)]
    pub metadata: BTreeMap<String, String>,
}

/// Severity of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RuleSetting {
    /// The rule reports nothing.
    Off,
    /// Reported as a hint.
    Hint,
    /// Reported as a warning.
    Warning,
    /// Reported as an error.
    Error,
}

/// What the convoy documentation leaves open. Each default is what convoy-lsp assumes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub struct ConvoySettings {
    /// Files that hold only the list of a Release's `/mutations` subresource, as globs relative to the root.
    pub mutation_lists: Vec<String>,
    /// Whether an `inline` text is cut into several documents at its `---` lines.
    pub cut_inline: bool,
    /// The kinds that `from` may name.
    pub from_kinds: Vec<String>,
    /// Names of template functions that your build of convoy has beside Go's own, such as those of Sprig. A
    /// template that calls one is checked but not run.
    pub functions: Vec<String>,
    /// The libraries of CEL that your build of convoy has beside cel-go's standard library.
    pub cel_libraries: Vec<CelLibrary>,
    /// Whether `self.labels` and `self.annotations` are `map[string]string`, so that a missing key prints nothing
    /// instead of `<no value>`.
    pub self_string_maps: bool,
    /// The strategies that `waveStrategy.strategy` may name; empty if they are not known.
    pub wave_strategies: Vec<String>,
    /// The annotation that syncWave sets to `waveStrategy.wave`.
    pub wave_annotation: String,
    /// The annotation that syncWave sets to `waveStrategy.strategy`.
    pub wave_strategy_annotation: String,
}

/// A library of CEL beside the standard one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum CelLibrary {
    /// Optional values and their syntax: `a.?b`, `optional.of`.
    Optional,
    /// `split`, `replace`, `format` and others.
    Strings,
    /// `slice`, `flatten`, `sort` and others.
    Lists,
    /// `math.greatest`, `math.ceil` and others.
    Math,
    /// `base64.encode`, `base64.decode`.
    Encoders,
    /// `sets.contains` and others.
    Sets,
    /// `cel.bind`.
    Bindings,
    /// Macros with two variables, `transformList` and others.
    TwoVariable,
    /// `ip`, `cidr` and others.
    Network,
    /// `regex.extract`, `regex.replace` and others.
    Regex,
}

impl CelLibrary {
    /// All of them.
    pub const ALL: [CelLibrary; 10] = [
        CelLibrary::Optional,
        CelLibrary::Strings,
        CelLibrary::Lists,
        CelLibrary::Math,
        CelLibrary::Encoders,
        CelLibrary::Sets,
        CelLibrary::Bindings,
        CelLibrary::TwoVariable,
        CelLibrary::Network,
        CelLibrary::Regex,
    ];

    /// The library itself.
    pub fn library(self) -> Library {
        match self {
            CelLibrary::Optional => Library::Optional,
            CelLibrary::Strings => Library::Strings,
            CelLibrary::Lists => Library::Lists,
            CelLibrary::Math => Library::Math,
            CelLibrary::Encoders => Library::Encoders,
            CelLibrary::Sets => Library::Sets,
            CelLibrary::Bindings => Library::Bindings,
            CelLibrary::TwoVariable => Library::TwoVariable,
            CelLibrary::Network => Library::Network,
            CelLibrary::Regex => Library::Regex,
        }
    }

    /// The name that the setting has for a library.
    pub fn name_of(library: Library) -> String {
        let found = CelLibrary::ALL.into_iter().find(|known| known.library() == library);
        let json = found.and_then(|known| serde_json::to_value(known).ok());
        json.as_ref().and_then(Json::as_str).unwrap_or_default().to_owned()
    }
}

impl ConvoySettings {
    /// The libraries of CEL that expressions may use beside the standard one.
    pub fn cel_libraries(&self) -> BTreeSet<Library> {
        self.cel_libraries.iter().map(|library| library.library()).collect()
    }
}

impl Default for ConvoySettings {
    fn default() -> Self {
        ConvoySettings {
            mutation_lists: Vec::new(),
            cut_inline: false,
            from_kinds: vec!["ConfigMap".to_owned()],
            functions: Vec::new(),
            cel_libraries: Vec::new(),
            self_string_maps: false,
            wave_strategies: Vec::new(),
            wave_annotation: "convoy.kumodo.io/sync-wave".to_owned(),
            wave_strategy_annotation: "convoy.kumodo.io/sync-wave-strategy".to_owned(),
        }
    }
}

/// What is wrong in a settings file; the rest of it still counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsFault {
    /// Where.
    pub span: Span,
    /// What.
    pub message: String,
}

/// Reads settings from YAML. Each top-level key is read on its own, so that a wrong one leaves the others.
pub fn read(tree: &Tree) -> (Settings, Vec<SettingsFault>) {
    let mut faults: Vec<SettingsFault> = tree
        .errors()
        .map(|error| SettingsFault { span: error.span, message: error.message.clone() })
        .collect();
    let mut settings = Settings::default();
    let Some(root) = tree.documents().first().and_then(|document| document.root) else {
        return (settings, faults);
    };
    if !tree.is_mapping(root) {
        if !tree.is_null(root) {
            faults.push(SettingsFault {
                span: tree.span(root),
                message: "settings are a mapping from names to values".to_owned(),
            });
        }
        return (settings, faults);
    }
    let value = match convoy_yaml::value(tree, root, convoy_yaml::Options::default()) {
        Ok(value) => value,
        Err(error) => {
            faults.push(SettingsFault { span: error.span, message: error.message });
            return (settings, faults);
        }
    };
    let text = convoy_value::json::write(&value, convoy_value::json::KeyOrder::Kept).unwrap_or_default();
    let json: Json = serde_json::from_str(&text).unwrap_or(Json::Null);
    let (read, _, wrong) = lenient(json);
    settings = read;
    for (path, message) in wrong {
        let span = locate(tree, root, &path).unwrap_or(tree.span(root));
        faults.push(SettingsFault { span, message: format!("setting {path}: {message}") });
    }
    (settings, faults)
}

/// Reads the settings that an editor sends: an object of the same shape. Gives also what of it could be read, and
/// what is wrong with the rest.
pub fn read_json(json: &Json) -> (Settings, Json, Vec<String>) {
    if !json.is_object() {
        return (Settings::default(), Json::Null, Vec::new());
    }
    let (settings, readable, wrong) = lenient(json.clone());
    let wrong = wrong.into_iter().map(|(path, message)| format!("setting {path}: {message}"));
    (settings, readable, wrong.collect())
}

/// Reads what can be read: whatever is wrong is left out, and told with its path.
fn lenient(mut json: Json) -> (Settings, Json, Vec<(String, String)>) {
    let mut wrong = Vec::new();
    tidy(&mut json);
    loop {
        let error = match serde_path_to_error::deserialize::<_, Settings>(json.clone()) {
            Ok(settings) => {
                wrong.extend(bad_globs(&settings));
                return (settings, json, wrong);
            }
            Err(error) => error,
        };
        let mut path: Vec<String> = error.path().iter().map(ToString::to_string).collect();
        path.retain(|part| part != "." && part != "?");
        let message = error.into_inner().to_string();
        // An unknown field is told at what it is a field of.
        let unknown = message.split("unknown field `").nth(1).and_then(|rest| rest.split('`').next());
        if let Some(field) = unknown.filter(|field| path.last().is_none_or(|last| last != field)) {
            path.push(field.to_owned());
        }
        if !remove(&mut json, &path) {
            wrong.push((path.join("."), message));
            return (Settings::default(), Json::Null, wrong);
        }
        wrong.push((path.join("."), message));
    }
}

/// What YAML makes of the words: null is no value, and `off` is a boolean.
fn tidy(json: &mut Json) {
    let Some(object) = json.as_object_mut() else { return };
    object.retain(|_, value| !value.is_null());
    if let Some(rules) = object.get_mut("rules").and_then(Json::as_object_mut) {
        for value in rules.values_mut().filter(|value| **value == Json::Bool(false)) {
            *value = Json::from("off");
        }
    }
    if let Some(convoy) = object.get_mut("convoy").and_then(Json::as_object_mut) {
        convoy.retain(|_, value| !value.is_null());
    }
}

/// Removes the value at a path of keys and `[index]`es.
fn remove(json: &mut Json, path: &[String]) -> bool {
    let Some((last, parents)) = path.split_last() else { return false };
    let index = |part: &str| part.trim_matches(['[', ']']).parse::<usize>().ok();
    let mut here = json;
    for part in parents {
        let next = match here {
            Json::Object(object) => object.get_mut(part),
            Json::Array(items) => index(part).and_then(|i| items.get_mut(i)),
            _ => None,
        };
        let Some(next) = next else { return false };
        here = next;
    }
    match here {
        Json::Object(object) => object.remove(last).is_some(),
        Json::Array(items) => match index(last).filter(|i| *i < items.len()) {
            Some(i) => {
                items.remove(i);
                true
            }
            None => false,
        },
        _ => false,
    }
}

/// Patterns that are no globs.
fn bad_globs(settings: &Settings) -> Vec<(String, String)> {
    let lists = [("samples", &settings.samples), ("convoy.mutationLists", &settings.convoy.mutation_lists)];
    let mut bad = Vec::new();
    for (name, patterns) in lists {
        for (i, pattern) in patterns.iter().enumerate() {
            if let Err(error) = globset::Glob::new(pattern) {
                bad.push((format!("{name}.[{i}]"), error.to_string()));
            }
        }
    }
    bad
}

/// The place of a path such as `clusters.[0].name`: the value, or the key of what is no field, or what lacks it.
fn locate(tree: &Tree, root: NodeId, path: &str) -> Option<Span> {
    let mut node = root;
    let mut span = None;
    for part in path.split('.') {
        if let Some(index) = part.strip_prefix('[').and_then(|part| part.strip_suffix(']')) {
            node = tree.items(node).get(index.parse::<usize>().ok()?).copied()?;
            span = Some(tree.span(node));
            continue;
        }
        // The path may end in a field that is missing: the place that lacks it is the one to show.
        let Some(entry) = tree.entry(node, part) else { return span };
        node = entry.value;
        span = Some(if tree.span(node).is_empty() { tree.span(entry.key) } else { tree.span(node) });
    }
    span
}

/// The JSON Schema of the settings.
pub fn schema() -> Json {
    let mut schema = schemars::schema_for!(Settings).to_value();
    if let Some(object) = schema.as_object_mut() {
        object.insert("title".to_owned(), Json::from("convoy-lsp settings"));
    }
    schema
}

/// Whether a path is the settings file of a folder.
pub fn is_settings_file(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == FILE_NAME)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(text: &str) -> (Settings, Vec<(String, String)>) {
        let tree = convoy_yaml::parse(text);
        let (settings, faults) = read(&tree);
        (settings, faults.into_iter().map(|f| (f.span.text(text).to_owned(), f.message)).collect())
    }

    #[test]
    fn a_wrong_field_leaves_the_others() {
        let (settings, faults) = faults(
            "samples: [a.yaml]\nclusterz: x\nconvoy:\n  cutInline: maybe\n  fromKinds: [Secret]\ncluster: west\nrules: {no-effect: off}\n",
        );
        assert_eq!(settings.samples, ["a.yaml"]);
        assert_eq!(settings.cluster.as_deref(), Some("west"));
        assert_eq!(settings.convoy.from_kinds, ["Secret"]);
        assert_eq!(settings.rules["no-effect"], RuleSetting::Off);
        assert_eq!(faults.len(), 2, "{faults:?}");
        assert!(faults[0].1.starts_with("setting clusterz: unknown field `clusterz`"), "{faults:?}");
        assert_eq!(faults[1].0, "maybe");
        assert_eq!(
            faults[1].1,
            "setting convoy.cutInline: invalid type: string \"maybe\", expected a boolean"
        );
    }

    #[test]
    fn an_empty_or_broken_file_gives_the_defaults() {
        assert_eq!(faults("").0, Settings::default());
        let (settings, faults) = faults("- a\n");
        assert_eq!(settings, Settings::default());
        assert_eq!(faults[0].1, "settings are a mapping from names to values");
    }
}
