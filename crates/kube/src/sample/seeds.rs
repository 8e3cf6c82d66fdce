use convoy_value::{Value, json};

use crate::GroupVersionKind;

/// What the validation of the API server wants of a kind besides what its type requires, as JSON. `$name` stands for
/// a name that labels and containers may have, `$head` and `$tail` for what stands before and behind the first dot of
/// the object's name.
///
/// A Job has no selector here: the API server makes it, and refuses another.
fn text(group: &str, kind: &str) -> Option<String> {
    const CONTAINERS: &str = r#""containers":[{"name":"$name","image":"$name"}]"#;
    const LABELS: &str = r#"{"app":"$name"}"#;
    const RULES: &str = r#"{"resourceRules":[{"apiGroups":[""],"apiVersions":["v1"],"operations":["CREATE"],"resources":["pods"]}]}"#;
    let template = format!(r#"{{"metadata":{{"labels":{LABELS}}},"spec":{{{CONTAINERS}}}}}"#);
    let job = format!(r#"{{"template":{{"spec":{{{CONTAINERS},"restartPolicy":"Never"}}}}}}"#);
    let workload = format!(r#""selector":{{"matchLabels":{LABELS}}},"template":{template}"#);
    let spec = match (group, kind) {
        ("", "Pod") => format!("{{{CONTAINERS}}}"),
        ("", "ReplicationController") => format!(r#"{{"selector":{LABELS},"template":{template}}}"#),
        ("apps", "Deployment" | "ReplicaSet" | "DaemonSet") => format!("{{{workload}}}"),
        ("apps", "StatefulSet") => format!(r#"{{"serviceName":"$name",{workload}}}"#),
        ("batch", "Job") => job,
        ("batch", "CronJob") => format!(r#"{{"schedule":"0 0 * * *","jobTemplate":{{"spec":{job}}}}}"#),
        ("", "Service") => r#"{"ports":[{"port":80}]}"#.to_owned(),
        ("", "LimitRange") => r#"{"limits":[{"type":"Container"}]}"#.to_owned(),
        ("", "PersistentVolumeClaim") => {
            r#"{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}}"#.to_owned()
        }
        ("", "PersistentVolume") => {
            r#"{"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"],"hostPath":{"path":"/example"}}"#.to_owned()
        }
        ("networking.k8s.io", "Ingress") => {
            r#"{"defaultBackend":{"service":{"name":"$name","port":{"number":80}}}}"#.to_owned()
        }
        ("networking.k8s.io", "IngressClass") => r#"{"controller":"example.com/$name"}"#.to_owned(),
        ("networking.k8s.io", "ServiceCIDR") => r#"{"cidrs":["192.0.2.0/24"]}"#.to_owned(),
        ("storage.k8s.io", "VolumeAttachment") => r#"{"source":{"persistentVolumeName":"$name"}}"#.to_owned(),
        ("networking.k8s.io", "NetworkPolicy") => r#"{"podSelector":{}}"#.to_owned(),
        ("autoscaling", "HorizontalPodAutoscaler") => {
            r#"{"maxReplicas":1,"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"$name"}}"#.to_owned()
        }
        ("policy", "PodDisruptionBudget") => format!(r#"{{"minAvailable":1,"selector":{{"matchLabels":{LABELS}}}}}"#),
        ("admissionregistration.k8s.io", "ValidatingAdmissionPolicy") => {
            format!(r#"{{"matchConstraints":{RULES},"validations":[{{"expression":"true"}}]}}"#)
        }
        ("admissionregistration.k8s.io", "ValidatingAdmissionPolicyBinding") => {
            r#"{"policyName":"$name","validationActions":["Deny"]}"#.to_owned()
        }
        ("admissionregistration.k8s.io", "MutatingAdmissionPolicy") => {
            let mutations = r#"[{"patchType":"JSONPatch","jsonPatch":{"expression":"[]"}}]"#;
            format!(r#"{{"matchConstraints":{RULES},"mutations":{mutations},"reinvocationPolicy":"Never"}}"#)
        }
        ("admissionregistration.k8s.io", "MutatingAdmissionPolicyBinding") => r#"{"policyName":"$name"}"#.to_owned(),
        ("flowcontrol.apiserver.k8s.io", "FlowSchema") => {
            r#"{"priorityLevelConfiguration":{"name":"$name"}}"#.to_owned()
        }
        ("flowcontrol.apiserver.k8s.io", "PriorityLevelConfiguration") => {
            r#"{"type":"Limited","limited":{"limitResponse":{"type":"Reject"}}}"#.to_owned()
        }
        ("apiextensions.k8s.io", "CustomResourceDefinition") => {
            let schema = r#""schema":{"openAPIV3Schema":{"type":"object"}}"#;
            let versions = format!(r#"[{{"name":"v1","served":true,"storage":true,{schema}}}]"#);
            let names = r#"{"kind":"Example","plural":"$head"}"#;
            format!(r#"{{"group":"$tail","names":{names},"scope":"Namespaced","versions":{versions}}}"#)
        }
        ("apiregistration.k8s.io", "APIService") => {
            let service = r#"{"name":"$name","namespace":"default"}"#;
            let priorities = r#""groupPriorityMinimum":1,"versionPriority":1"#;
            format!(r#"{{"group":"$tail","version":"$head",{priorities},"service":{service}}}"#)
        }
        // These have no specification.
        ("", "PodTemplate") => return Some(format!(r#"{{"template":{template}}}"#)),
        ("rbac.authorization.k8s.io", "RoleBinding" | "ClusterRoleBinding") => {
            let role = r#"{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"$name"}"#;
            return Some(format!(r#"{{"roleRef":{role}}}"#));
        }
        ("storage.k8s.io", "StorageClass") => return Some(r#"{"provisioner":"example.com/$name"}"#.to_owned()),
        ("discovery.k8s.io", "EndpointSlice") => {
            return Some(r#"{"addressType":"IPv4","endpoints":[{"addresses":["192.0.2.1"]}]}"#.to_owned());
        }
        _ => return None,
    };
    Some(format!(r#"{{"spec":{spec}}}"#))
}

/// What an object of a kind begins with; none if its type says enough.
pub(super) fn seed(gvk: &GroupVersionKind, name: &str) -> Option<Value> {
    let value = json::parse(&text(&gvk.group, &gvk.kind)?).ok()?.to_value();
    let label = if is_label(name) { name } else { "example" };
    let (head, tail) = name.split_once('.').unwrap_or((name, "example.com"));
    Some(named(&value, [("$name", label), ("$head", head), ("$tail", tail)]))
}

/// The value with its placeholders replaced. The texts of seeds nest a few levels.
fn named(value: &Value, names: [(&str, &str); 3]) -> Value {
    match value {
        Value::String(text) => {
            let replaced = names.iter().fold(text.to_string(), |text, (from, to)| text.replace(from, to));
            Value::from(replaced)
        }
        Value::List(items) => Value::list(items.iter().map(|item| named(item, names))),
        Value::Map(map) => Value::map(map.iter().map(|(key, value)| (key.clone(), named(value, names)))),
        other => other.clone(),
    }
}

/// Whether a name may be that of a container and the value of a label.
fn is_label(name: &str) -> bool {
    let inner = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    (1..=63).contains(&name.len())
        && name.chars().all(inner)
        && !name.starts_with('-')
        && !name.ends_with('-')
}
