//! Fields of built-in kinds that the API server refuses together, with its text.
//!
//! Types do not say this; the facts are those of the validation of Kubernetes 1.37. A merge that adds one source of a
//! volume beside another makes such an object, since no merge takes the other away.

use std::sync::Arc;

use convoy_value::{Map, Value, go, json};

use crate::check::{DEPTH_LIMIT, Key, path_text};
use crate::{Shape, Struct, Typed};

/// Fields that may not stand together.
#[derive(Clone, Debug, PartialEq)]
pub struct Conflict {
    /// Where they stand, from the value that was looked at. The first is the one that the API server lets pass.
    pub paths: Vec<Vec<Key>>,
    /// What the API server says.
    pub text: String,
}

/// The conflicts in a value. `prefix` is where the value stands in its object, for the texts; the paths begin at the
/// value.
pub fn conflicts(value: &Value, ty: Typed<'_>, prefix: &[Key]) -> Vec<Conflict> {
    let mut walk = Walk { path: prefix.to_vec(), base: prefix.len(), found: Vec::new() };
    walk.value(value, ty);
    walk.found
}

struct Walk {
    path: Vec<Key>,
    base: usize,
    found: Vec<Conflict>,
}

impl Walk {
    fn value(&mut self, value: &Value, ty: Typed<'_>) {
        if self.path.len() > DEPTH_LIMIT {
            return;
        }
        match (&ty.ty.shape, value) {
            (Shape::List(item), Value::List(items)) => {
                for (i, value) in items.iter().enumerate() {
                    self.below(Key::Index(i), value, ty.with(item));
                }
            }
            (Shape::Map(values), Value::Map(map)) => {
                for (key, value) in &**map {
                    self.below(Key::Name(key.clone()), value, ty.with(values));
                }
            }
            (Shape::Struct(id), Value::Map(map)) => {
                let structure = ty.types.structure(*id);
                self.structure(structure, map);
                for (key, value) in &**map {
                    if let Some((name, field)) = structure.fields.get_key_value(key) {
                        self.below(Key::Name(name.clone()), value, ty.with(&field.ty));
                    }
                }
            }
            _ => (),
        }
    }

    fn below(&mut self, key: Key, value: &Value, ty: Typed<'_>) {
        if matches!(value, Value::List(_) | Value::Map(_)) {
            self.path.push(key);
            self.value(value, ty);
            self.path.pop();
        }
    }

    fn structure(&mut self, structure: &Struct, map: &Map) {
        let fields = Fields { map, path: &self.path };
        let Some((names, text)) = fields.conflict(structure) else { return };
        let path = |name: &&str| {
            let mut path = self.path[self.base..].to_vec();
            path.push(Key::Name(Arc::from(*name)));
            path
        };
        self.found.push(Conflict { paths: names.iter().map(path).collect(), text });
    }
}

/// The fields of an object that stands somewhere.
struct Fields<'a> {
    map: &'a Map,
    path: &'a [Key],
}

/// The names of the fields that stand against each other, and the text.
type Found = Option<(Vec<&'static str>, String)>;

/// The sources of a volume in the order in which they are looked at, and what the text calls them.
const VOLUME_SOURCES: [(&str, &str); 30] = [
    ("emptyDir", "emptyDir"),
    ("hostPath", "hostPath"),
    ("gitRepo", "gitRepo"),
    ("gcePersistentDisk", "gcePersistentDisk"),
    ("awsElasticBlockStore", "awsElasticBlockStore"),
    ("secret", "secret"),
    ("nfs", "nfs"),
    ("iscsi", "iscsi"),
    ("glusterfs", "glusterfs"),
    ("flocker", "flocker"),
    ("persistentVolumeClaim", "persistentVolumeClaim"),
    ("rbd", "rbd"),
    ("cinder", "cinder"),
    ("cephfs", "cephFS"),
    ("quobyte", "quobyte"),
    ("downwardAPI", "downwarAPI"),
    ("fc", "fc"),
    ("flexVolume", "flexVolume"),
    ("configMap", "configMap"),
    ("azureFile", "azureFile"),
    ("vsphereVolume", "vsphereVolume"),
    ("photonPersistentDisk", "photonPersistentDisk"),
    ("portworxVolume", "portworxVolume"),
    ("azureDisk", "azureDisk"),
    ("storageos", "storageos"),
    ("projected", "projected"),
    ("scaleIO", "scaleIO"),
    ("csi", "csi"),
    ("ephemeral", "ephemeral"),
    ("image", "image"),
];

/// The same of a persistent volume. The API server counts a `flexVolume` without refusing it.
const PERSISTENT_SOURCES: [(&str, &str); 22] = [
    ("hostPath", "hostPath"),
    ("gcePersistentDisk", "gcePersistentDisk"),
    ("awsElasticBlockStore", "awsElasticBlockStore"),
    ("glusterfs", "glusterfs"),
    ("flocker", "flocker"),
    ("nfs", "nfs"),
    ("rbd", "rbd"),
    ("quobyte", "quobyte"),
    ("cephfs", "cephFS"),
    ("iscsi", "iscsi"),
    ("cinder", "cinder"),
    ("fc", "fc"),
    ("flexVolume", ""),
    ("azureFile", "azureFile"),
    ("vsphereVolume", "vsphereVolume"),
    ("photonPersistentDisk", "photonPersistentDisk"),
    ("portworxVolume", "portworxVolume"),
    ("azureDisk", "azureDisk"),
    ("scaleIO", "scaleIO"),
    ("local", "local"),
    ("storageos", "storageos"),
    ("csi", "csi"),
];

const HANDLERS: [(&str, &str); 5] = [
    ("exec", "exec"),
    ("httpGet", "httpGet"),
    ("tcpSocket", "tcpSocket"),
    ("grpc", "grpc"),
    ("sleep", "sleep"),
];

impl Fields<'_> {
    fn conflict(&self, structure: &Struct) -> Found {
        let group = |name: &str| structure.name.contains(name);
        match structure.go_name() {
            "Volume" => self.one_of(&VOLUME_SOURCES, "may not specify more than 1 volume type"),
            "PersistentVolumeSpec" => {
                self.one_of(&PERSISTENT_SOURCES, "may not specify more than 1 volume type")
            }
            "Probe" | "LifecycleHandler" => self.one_of(&HANDLERS, "may not specify more than 1 handler type"),
            "VolumeProjection" => self.whole(
                &[
                    "secret",
                    "configMap",
                    "downwardAPI",
                    "serviceAccountToken",
                    "clusterTrustBundle",
                    "podCertificate",
                ],
                "Forbidden: may not specify more than 1 volume type per source",
            ),
            "EnvVar" => self.environment(),
            "EnvFromSource" => self.above(
                &["configMapRef", "secretRef"],
                1,
                "Invalid value: \"\": may not have more than one field specified at a time",
            ),
            "DownwardAPIVolumeFile" => self.above(
                &["fieldRef", "resourceFieldRef"],
                2,
                "Invalid value: \"resource\": fieldRef and resourceFieldRef can not be specified simultaneously",
            ),
            "VolumeMount" => self.sub_paths(),
            "Toleration" => self.toleration(),
            "PodResourceClaim" => self.resource_claim(),
            "DeploymentStrategy" if self.text("type") == "Recreate" && self.has("rollingUpdate") => Some(self.at(
                &["type", "rollingUpdate"],
                "rollingUpdate",
                "Forbidden: may not be specified when strategy `type` is 'Recreate'",
            )),
            "StatefulSetUpdateStrategy" => self.update_strategy(),
            "LabelSelectorRequirement" | "NodeSelectorRequirement" => self.requirement(),
            "IngressBackend" => self.whole(
                &["resource", "service"],
                "Invalid value: \"\": cannot set both resource and service backends",
            ),
            "ServiceBackendPort" if !self.text("name").is_empty() && self.number("number") != 0 => self.above(
                &["name", "number"],
                2,
                "Invalid value: \"\": cannot set both port name & port number",
            ),
            "NetworkPolicyPeer" if self.has("ipBlock") => {
                let other = ["podSelector", "namespaceSelector"].into_iter().find(|name| self.has(name))?;
                let text = "Forbidden: may not specify both ipBlock and another peer";
                Some((vec![other, "ipBlock"], self.says("", text)))
            }
            "PodDisruptionBudgetSpec" => self.disruption(),
            "VolumeAttachmentSource" => self.whole(
                &["inlineVolumeSpec", "persistentVolumeName"],
                "Forbidden: must specify exactly one of inlineVolumeSpec and persistentVolumeName",
            ),
            "WebhookClientConfig" if group(".admissionregistration.") => {
                self.whole(&["url", "service"], "Required value: exactly one of url or service is required")
            }
            "ParamRef" if !self.text("name").is_empty() && self.has("selector") => Some(self.at(
                &["selector", "name"],
                "name",
                "Forbidden: name and selector are mutually exclusive",
            )),
            "PolicyRule" if group(".rbac.") => self.policy_rule(),
            "MetricSpec" if group(".v2.") => self.metric(),
            _ => None,
        }
    }

    fn value(&self, name: &str) -> Option<&Value> {
        self.map.get(name).filter(|value| **value != Value::Null)
    }

    fn has(&self, name: &str) -> bool {
        self.value(name).is_some()
    }

    /// A text; the empty one if there is none.
    fn text(&self, name: &str) -> &str {
        self.value(name).and_then(Value::as_str).unwrap_or_default()
    }

    fn number(&self, name: &str) -> i64 {
        match self.value(name) {
            Some(Value::Int(value)) => *value,
            _ => 0,
        }
    }

    /// Whether a list has an item.
    fn lists(&self, name: &str) -> bool {
        self.value(name).and_then(Value::as_list).is_some_and(|list| !list.is_empty())
    }

    /// A text about a field of this object, or about the object.
    fn says(&self, field: &str, text: &str) -> String {
        let dot = if self.path.is_empty() || field.is_empty() { "" } else { "." };
        format!("{}{dot}{field}: {text}", path_text(self.path))
    }

    fn at(&self, names: &[&'static str], field: &str, text: &str) -> (Vec<&'static str>, String) {
        (names.to_vec(), self.says(field, text))
    }

    fn present(&self, names: &[&'static str]) -> Vec<&'static str> {
        names.iter().copied().filter(|name| self.has(name)).collect()
    }

    /// Members of which the second that is given is refused, in the order in which they are looked at.
    fn one_of(&self, members: &[(&'static str, &str)], text: &str) -> Found {
        let mut present = members.iter().filter(|(name, _)| self.has(name));
        let mut names = vec![present.next()?.0];
        let mut refused = None;
        for (name, shown) in present {
            names.push(name);
            if refused.is_none() && !shown.is_empty() {
                refused = Some(self.says(shown, &format!("Forbidden: {text}")));
            }
        }
        Some((names, refused?))
    }

    /// Members that are refused together, with a text about the object.
    fn whole(&self, members: &[&'static str], text: &str) -> Found {
        let present = self.present(members);
        (present.len() > 1).then(|| (present, self.says("", text)))
    }

    /// The same with a text about what stands some steps above.
    fn above(&self, members: &[&'static str], steps: usize, text: &str) -> Found {
        let present = self.present(members);
        let path = self.path.get(..self.path.len().saturating_sub(steps)).unwrap_or_default();
        (present.len() > 1).then(|| (present, Fields { map: self.map, path }.says("", text)))
    }

    fn environment(&self) -> Found {
        let sources = ["fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef"];
        let from = self.value("valueFrom")?.as_map()?;
        let count = sources.iter().filter(|name| from.get(**name).is_some_and(|v| *v != Value::Null)).count();
        let invalid = |text: &str| self.says("valueFrom", &format!("Invalid value: \"\": {text}"));
        if count > 0 && !self.text("value").is_empty() {
            return Some((
                vec!["value", "valueFrom"],
                invalid("may not be specified when `value` is not empty"),
            ));
        }
        (count > 1)
            .then(|| (vec!["valueFrom"], invalid("may not have more than one field specified at a time")))
    }

    fn sub_paths(&self) -> Found {
        let expression = self.text("subPathExpr");
        if expression.is_empty() || self.text("subPath").is_empty() {
            return None;
        }
        let text = format!(
            "Invalid value: {}: subPathExpr and subPath are mutually exclusive",
            go::quote(expression.as_bytes())
        );
        Some(self.at(&["subPath", "subPathExpr"], "subPathExpr", &text))
    }

    fn toleration(&self) -> Found {
        let value = self.text("value");
        if self.text("operator") != "Exists" || value.is_empty() {
            return None;
        }
        let value = go::quote(value.as_bytes());
        let text = format!("Invalid value: {value}: value must be empty when `operator` is 'Exists'");
        Some(self.at(&["operator", "value"], "operator", &text))
    }

    fn resource_claim(&self) -> Found {
        let (claim, template) = (self.value("resourceClaimName")?, self.value("resourceClaimTemplateName")?);
        let name = Value::from(self.text("name"));
        let shown = object_text(&[
            ("Name", &name),
            ("ResourceClaimName", claim),
            ("ResourceClaimTemplateName", template),
        ]);
        let text = "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified";
        let names = vec!["resourceClaimName", "resourceClaimTemplateName"];
        Some((names, self.says("", &format!("Invalid value: {shown}: {text}"))))
    }

    fn update_strategy(&self) -> Found {
        let update = self.value("rollingUpdate").filter(|_| self.text("type") == "OnDelete")?;
        let partition = update.get("partition").filter(|value| **value != Value::Null);
        let unavailable = update.get("maxUnavailable").unwrap_or(&Value::Null);
        let shown = object_text(&[
            ("Partition", partition.unwrap_or(&Value::Int(0))),
            ("MaxUnavailable", unavailable),
        ]);
        let text = format!("Invalid value: {shown}: only allowed for updateStrategy 'RollingUpdate'");
        Some(self.at(&["type", "rollingUpdate"], "rollingUpdate", &text))
    }

    fn requirement(&self) -> Found {
        let without = matches!(self.text("operator"), "Exists" | "DoesNotExist");
        if !without || !self.lists("values") {
            return None;
        }
        let text = "Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
        Some(self.at(&["operator", "values"], "values", text))
    }

    fn disruption(&self) -> Found {
        let (least, most) = (self.value("minAvailable")?, self.value("maxUnavailable")?);
        let null = Value::Null;
        let shown = object_text(&[
            ("MinAvailable", least),
            ("Selector", self.value("selector").unwrap_or(&null)),
            ("MaxUnavailable", most),
            ("UnhealthyPodEvictionPolicy", self.value("unhealthyPodEvictionPolicy").unwrap_or(&null)),
        ]);
        let text = format!("Invalid value: {shown}: minAvailable and maxUnavailable cannot be both set");
        Some((vec!["minAvailable", "maxUnavailable"], self.says("", &text)))
    }

    fn policy_rule(&self) -> Found {
        let urls = self.value("nonResourceURLs").filter(|_| self.lists("nonResourceURLs"))?;
        let other = ["apiGroups", "resources", "resourceNames"].into_iter().find(|name| self.lists(name))?;
        let shown = json::write(urls, json::KeyOrder::Kept).unwrap_or_default();
        let text = "rules cannot apply to both regular resources and non-resource URLs";
        let text = self.says("nonResourceURLs", &format!("Invalid value: {shown}: {text}"));
        Some((vec![other, "nonResourceURLs"], text))
    }

    fn metric(&self) -> Found {
        let sources = ["object", "external", "pods", "resource", "containerResource"];
        let expected = match self.text("type") {
            "Object" => "object",
            "External" => "external",
            "Pods" => "pods",
            "Resource" => "resource",
            "ContainerResource" => "containerResource",
            _ => return None,
        };
        let mut present = self.present(&sources);
        if present.len() < 2 || !present.contains(&expected) {
            return None;
        }
        present.retain(|name| *name != expected);
        let text = self.says(present[0], "Forbidden: must populate the given metric source only");
        present.insert(0, expected);
        Some((present, text))
    }
}

/// An object as Go writes a struct: its fields in their order.
fn object_text(fields: &[(&str, &Value)]) -> String {
    let object = Value::map(fields.iter().map(|(name, value)| (*name, (*value).clone())));
    json::write(&object, json::KeyOrder::Kept).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Field, StructId, Type, Types};

    /// A struct of a name with fields; a field with a struct of its own is an object, every other one any value.
    fn add(types: &mut Types, name: &str, fields: &[&str], below: &[(&str, StructId)]) -> StructId {
        let mut structure = Struct { name: name.into(), ..Struct::default() };
        for field in fields {
            structure.fields.insert((*field).into(), Field { ty: Type::default(), required: false });
        }
        for (field, id) in below {
            let item = Type { shape: Shape::Struct(*id), ..Type::default() };
            let ty = Type { shape: Shape::List(Box::new(item)), ..Type::default() };
            structure.fields.insert((*field).into(), Field { ty, required: false });
        }
        types.push(structure)
    }

    #[test]
    fn sources_of_volumes_and_variables_stand_alone() {
        let mut types = Types::new();
        let volume = add(&mut types, "io.k8s.api.core.v1.Volume", &["emptyDir", "configMap", "secret"], &[]);
        let var = add(&mut types, "io.k8s.api.core.v1.EnvVar", &["value", "valueFrom"], &[]);
        let from = add(&mut types, "io.k8s.api.core.v1.EnvFromSource", &["secretRef", "configMapRef"], &[]);
        let spec = add(
            &mut types,
            "io.k8s.api.core.v1.PodSpec",
            &[],
            &[("volumes", volume), ("env", var), ("envFrom", from)],
        );
        let ty = Type { shape: Shape::Struct(spec), ..Type::default() };
        let value = json::parse(
            r#"{"volumes":[{"name":"a","emptyDir":{}},{"name":"b","secret":{},"emptyDir":{},"configMap":null},
                {"configMap":{},"secret":{}}],
               "env":[{"name":"a","value":"","valueFrom":{"fieldRef":{}}},{"value":"x","valueFrom":{"fieldRef":{}}},
                {"valueFrom":{"fieldRef":{},"secretKeyRef":{}}}],
               "envFrom":[{"secretRef":{},"configMapRef":{}}]}"#,
        )
        .unwrap()
        .to_value();
        let found = conflicts(&value, Typed { types: &types, ty: &ty }, &[Key::Name("spec".into())]);
        let texts: Vec<&str> = found.iter().map(|conflict| &*conflict.text).collect();
        assert_eq!(
            texts,
            [
                "spec.volumes[1].secret: Forbidden: may not specify more than 1 volume type",
                "spec.volumes[2].configMap: Forbidden: may not specify more than 1 volume type",
                "spec.env[1].valueFrom: Invalid value: \"\": may not be specified when `value` is not empty",
                "spec.env[2].valueFrom: Invalid value: \"\": may not have more than one field specified at a time",
                "spec.envFrom: Invalid value: \"\": may not have more than one field specified at a time",
            ]
        );
        let paths: Vec<String> = found[0].paths.iter().map(|path| path_text(path)).collect();
        assert_eq!(paths, ["volumes[1].emptyDir", "volumes[1].secret"]);
    }
}
