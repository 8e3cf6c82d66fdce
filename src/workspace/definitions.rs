use convoy_value::Value;

use crate::dialect::convoy;

/// What the `CustomResourceDefinition` of Releases says, where the workspace has it: it decides over what the
/// documentation leaves open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReleaseDefinition {
    /// The fields of a mutation.
    pub mutation_fields: Vec<String>,
    /// The strategies that `waveStrategy.strategy` may name; empty if any.
    pub wave_strategies: Vec<String>,
}

impl ReleaseDefinition {
    /// Reads a definition; none if it defines another kind or has no schema of mutations.
    pub fn read(value: &Value) -> Option<ReleaseDefinition> {
        let spec = value.get("spec")?;
        if spec.get("group")?.as_str()? != convoy::GROUP || spec.at(["names", "kind"])?.as_str()? != "Release"
        {
            return None;
        }
        let versions = spec.get("versions")?.as_list()?;
        let items = versions.iter().find_map(|version| {
            version.at(["schema", "openAPIV3Schema", "properties", "mutations", "items"])
        })?;
        if items.get("x-kubernetes-preserve-unknown-fields") == Some(&Value::Bool(true)) {
            return None;
        }
        let properties = items.get("properties")?.as_map()?;
        let strategies = items.at(["properties", "waveStrategy", "properties", "strategy", "enum"]);
        Some(ReleaseDefinition {
            mutation_fields: properties.keys().map(ToString::to_string).collect(),
            wave_strategies: strategies
                .and_then(Value::as_list)
                .into_iter()
                .flatten()
                .filter_map(|value| value.as_str().map(str::to_owned))
                .collect(),
        })
    }
}
