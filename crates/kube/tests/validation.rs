//! What the validation behind the decoder says: the texts are those of Kubernetes 1.37.

use convoy_kube::check::{Options, check, path_text};
use convoy_kube::{GroupVersionKind, Registry, Release};
use convoy_value::json;

fn texts(object: &str) -> Vec<(String, String)> {
    let object = json::parse(object).expect("JSON").to_value();
    let registry = Registry::new(Release::NEWEST);
    let kind = GroupVersionKind::of_object(&object).expect("a kind");
    let ty = registry.find(&kind).expect("a built-in kind");
    let options = Options { whole: true, custom: false, directives: false };
    let problems = check(&object, ty, &[], options);
    problems.into_iter().map(|problem| (path_text(&problem.path), problem.text)).collect()
}

fn hold(object: &str, wanted: &[(&str, &str)]) {
    let found = texts(object);
    let found: Vec<(&str, &str)> = found.iter().map(|(path, text)| (&**path, &**text)).collect();
    assert_eq!(found, wanted, "{object}");
}

#[test]
fn required_fields() {
    hold(
        r#"{"apiVersion":"apps/v1","kind":"Deployment","spec":{"template":{"spec":{"containers":[{"image":"a"}]}}}}"#,
        &[
            ("spec.template.spec.containers[0]", "spec.template.spec.containers[0].name: Required value"),
            ("spec", "spec.selector: Required value"),
        ],
    );
    // The server fills in what needs nothing, and takes a set without a service.
    hold(r#"{"apiVersion":"storage.k8s.io/v1","kind":"CSIDriver","metadata":{"name":"a"}}"#, &[]);
    hold(r#"{"apiVersion":"apps/v1","kind":"StatefulSet","spec":{"selector":{},"template":{}}}"#, &[]);
}

#[test]
fn enumerations_and_duplicates() {
    hold(
        r#"{"apiVersion":"v1","kind":"Pod","spec":{"restartPolicy":"Sometimes","dnsPolicy":"","containers":[
            {"name":"a","env":[{"name":"X"},{"name":"X"}],"volumeMounts":[{"name":"v","mountPath":"/a"},
            {"name":"w","mountPath":"/a"}]},{"name":"a"}]},"status":{"phase":"Odd"}}"#,
        &[
            (
                "spec.restartPolicy",
                "spec.restartPolicy: Unsupported value: \"Sometimes\": supported values: \"Always\", \"Never\", \
                 \"OnFailure\"",
            ),
            (
                "spec.containers[0].volumeMounts[1]",
                "spec.containers[0].volumeMounts[1].mountPath: Invalid value: \"/a\": must be unique",
            ),
            ("spec.containers[1]", "spec.containers[1].name: Duplicate value: \"a\""),
        ],
    );
    hold(
        r#"{"apiVersion":"v1","kind":"Service","spec":{"ports":[{"port":80},{"port":80,"protocol":"TCP"}]}}"#,
        &[(
            "spec.ports[1]",
            "spec.ports[1]: Duplicate value: {\"Name\":\"\",\"Protocol\":\"TCP\",\"AppProtocol\":null,\"Port\":80,\
             \"TargetPort\":0,\"NodePort\":0}",
        )],
    );
}
