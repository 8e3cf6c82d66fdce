//! What `convoy_kube` says of objects.

use std::sync::OnceLock;

use convoy_kube::check::{Options, Stage, check, refusal};
use convoy_kube::{GroupVersionKind, Registry, Release};
use convoy_value::Value;

/// The built-in kinds of the newest release.
pub fn registry() -> &'static Registry {
    static REGISTRY: OnceLock<Registry> = OnceLock::new();
    REGISTRY.get_or_init(|| Registry::new(Release::NEWEST))
}

/// The kind of an object, be its texts what they may: the strict decoder looks at them before it knows the kind.
fn kind(object: &Value) -> Option<GroupVersionKind> {
    let texts = |name| object.get(name).and_then(Value::as_str);
    let kind = texts("kind")?;
    let version = texts("apiVersion").unwrap_or("v1");
    Some(GroupVersionKind::of_texts(version, kind))
}

/// What the strict decoder of Kubernetes says of an object of a built-in kind; none if it takes it.
///
/// # Errors
///
/// The kind is not known.
pub fn strict_decode(object: &Value) -> Result<Option<String>, String> {
    let ty = kind(object).and_then(|kind| registry().find(&kind)).ok_or("unknown kind")?;
    let options = Options { whole: false, custom: false, directives: false };
    let mut problems = check(object, ty, &[], options);
    problems.retain(|problem| problem.stage < Stage::Validate);
    Ok(refusal(&problems))
}

/// What is said of a custom resource: unknown fields, and what the validation finds, each in the order of its texts.
#[derive(Debug, Default)]
pub struct Found {
    /// What ends the reading before.
    pub stop: Option<String>,
    /// `unknown field "spec.foo"`.
    pub strict: Vec<String>,
    /// What the validation finds.
    pub errors: Vec<String>,
}

/// Checks a custom resource against the schema of its definition.
pub fn crd_validate(schema: &Value, object: &Value) -> Found {
    let version = Value::map([
        ("name", "v1".into()),
        ("served", Value::Bool(true)),
        ("schema", Value::map([("openAPIV3Schema", schema.clone())])),
    ]);
    let spec = Value::map([
        ("group", "example.com".into()),
        ("names", Value::map([("kind", "App".into())])),
        ("versions", Value::list([version])),
    ]);
    let definition = Value::map([
        ("apiVersion", "apiextensions.k8s.io/v1".into()),
        ("kind", "CustomResourceDefinition".into()),
        ("spec", spec),
    ]);
    let mut found = Found::default();
    let Some(version) = convoy_kube::crd::read(&definition, Release::NEWEST).pop() else { return found };
    let Some(ty) = version.types.root(&version.gvk) else { return found };
    let options = Options { whole: true, custom: true, directives: false };
    for problem in check(object, ty, &[], options) {
        match problem.stage {
            Stage::Kind | Stage::Stop | Stage::Decode => found.stop = found.stop.or(Some(problem.text)),
            Stage::Strict => {
                let text = problem.text.strip_prefix("strict decoding error: ").unwrap_or(&problem.text);
                found.strict.push(text.to_owned());
            }
            Stage::Validate => found.errors.push(problem.text),
        }
    }
    found.strict.sort();
    found.errors.sort();
    found
}
