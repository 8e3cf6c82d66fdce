//! Objects of Kubernetes with what people really have in them, and with values that do not belong where they stand.

use fastrand::Rng;
use serde_json::Value;

use super::patch::places;
use crate::draw::{one_in, pick};

#[rustfmt::skip]
const OBJECTS: &[&str] = &[
    r#"{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"prod","labels":{"app":"web","app.kubernetes.io/name":"web"},"annotations":{"deployment.kubernetes.io/revision":"3"}},"spec":{"replicas":2,"selector":{"matchLabels":{"app":"web"}},"strategy":{"type":"RollingUpdate","rollingUpdate":{"maxSurge":"25%","maxUnavailable":0}},"template":{"metadata":{"creationTimestamp":null,"labels":{"app":"web"}},"spec":{"containers":[{"name":"web","image":"nginx:1.27","ports":[{"containerPort":80,"protocol":"TCP"}],"env":[{"name":"A","value":"1"},{"name":"B","valueFrom":{"fieldRef":{"fieldPath":"metadata.name"}}}],"resources":{}},{"name":"log","image":"busybox","args":["-v","--level=2"]}],"nodeSelector":{},"tolerations":[{"operator":"Exists"}]}}},"status":{}}"#,
    r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"job-1","finalizers":["a","b/c"],"ownerReferences":[{"apiVersion":"batch/v1","kind":"Job","name":"job","uid":"1","controller":true}]},"spec":{"initContainers":[],"containers":[{"name":"main","image":"app@sha256:00","command":["sh","-c","echo \"hi\" && exit 0"],"volumeMounts":[{"name":"conf","mountPath":"/etc/conf"}]}],"volumes":[{"name":"conf","configMap":{"name":"conf","defaultMode":420}},{"name":"tmp","emptyDir":{}}],"terminationGracePeriodSeconds":30,"hostNetwork":false,"securityContext":{"runAsUser":1000,"sysctls":null}}}"#,
    r#"{"apiVersion":"v1","kind":"Service","metadata":{"name":"dns","annotations":null},"spec":{"ports":[{"name":"dns","port":53,"protocol":"UDP","targetPort":"dns"},{"name":"dns-tcp","port":53,"protocol":"TCP","targetPort":5353}],"selector":{"app":"dns"},"externalIPs":[],"type":"ClusterIP","sessionAffinity":"None"}}"#,
    r#"{"apiVersion":"networking.k8s.io/v1","kind":"Ingress","metadata":{"name":"front","annotations":{"nginx.ingress.kubernetes.io/rewrite-target":"/$1"}},"spec":{"rules":[{"host":"example.org","http":{"paths":[{"path":"/api","pathType":"Prefix","backend":{"service":{"name":"api","port":{"number":80}}}},{"path":"/","pathType":"Exact","backend":{"service":{"name":"web","port":{"name":"http"}}}}]}}],"tls":[{"hosts":["example.org"],"secretName":"tls"}]}}"#,
    r#"{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"conf","labels":{}},"data":{"app.yaml":"a: 1\nb: <two> & \"three\"\n","empty":"","path/with/slash":"x","til~de":"y","é":"accent"},"binaryData":{"b":"AAEC"},"immutable":true}"#,
    r#"{"apiVersion":"example.org/v1","kind":"Widget","metadata":{"name":"w","generation":9007199254740993},"spec":{"ratio":1.0,"limit":1e3,"huge":10000000000000000000,"tiny":-0.0,"matrix":[[1,2],[3,[4,null]],[]],"on":true,"off":null,"items":[{"id":1},{"id":2,"sub":{"x":[]}}]}}"#,
];

const ODD_KEYS: &[&str] = &[
    "", "0", "1", "-", "-1", "01", "a/b", "a~b", "~1", "é", "x y", "<k>", "\u{2028}", "\"", "metadata",
    "name", "op", "\n",
];

/// An object as JSON. Most have been changed at a few places, some of which then clash with the type of the field.
pub(crate) fn object(rng: &mut Rng) -> String {
    let Ok(mut object) = serde_json::from_str::<Value>(pick(rng, OBJECTS)) else { return String::new() };
    for _ in 0..rng.usize(..5) {
        let there = places(&object);
        if there.is_empty() {
            break;
        }
        let other = object.pointer(&there[rng.usize(..there.len())]).cloned().unwrap_or_default();
        let Some(here) = object.pointer_mut(&there[rng.usize(..there.len())]) else { continue };
        change(rng, here, other);
    }
    object.to_string()
}

fn change(rng: &mut Rng, here: &mut Value, other: Value) {
    match (rng.u32(..8), here) {
        (0..=3, Value::Object(members)) => {
            let value = if one_in(rng, 3) { Value::Null } else { other };
            members.insert(pick(rng, ODD_KEYS).to_owned(), value);
        }
        (0..=3, Value::Array(items)) => {
            let at = rng.usize(..=items.len());
            items.insert(at, if one_in(rng, 3) { Value::Null } else { other });
        }
        (4 | 5, here) => *here = Value::Null,
        (6, here) => {
            *here = match rng.u32(..5) {
                0 => "text".into(),
                1 => 7.into(),
                2 => Value::Array(Vec::new()),
                3 => Value::Object(serde_json::Map::new()),
                _ => true.into(),
            }
        }
        (_, here) => *here = other,
    }
}
