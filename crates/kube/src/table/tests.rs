#![allow(clippy::unwrap_used)]

use super::*;
use crate::Typed;

fn text() -> String {
    String::from_utf8(decompress_to_vec_with_limit(TABLE, LIMIT).unwrap()).unwrap()
}

fn release(minor: u8) -> &'static Types {
    types(Release::of_minor(minor).unwrap())
}

fn kind(minor: u8, api_version: &str, kind: &str) -> Option<Typed<'static>> {
    release(minor).root(&GroupVersionKind::of_texts(api_version, kind))
}

/// The place in an object of the newest release that a path leads to; `[]` goes to the items of a list.
fn place(api_version: &str, name: &str, path: &str) -> Typed<'static> {
    place_of(Release::NEWEST.minor(), api_version, name, path).unwrap()
}

fn place_of(minor: u8, api_version: &str, name: &str, path: &str) -> Option<Typed<'static>> {
    let root = kind(minor, api_version, name)?;
    path.split('.').try_fold(root, |at, key| match key {
        "[]" => at.item(),
        key => at.member(key),
    })
}

fn keys(list: &ListKind) -> Vec<&str> {
    match list {
        ListKind::Map(keys) => keys.iter().map(|key| &**key).collect(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_line_is_understood() {
    let text = text();
    for release in Release::all() {
        assert_eq!(read(&text, release).broken, Vec::<&str>::new(), "{release}");
    }
}

/// The figures are those of the published definitions: what the kinds reach, without the definitions that stand for
/// one value.
#[test]
fn each_release_has_the_kinds_structs_and_fields_that_were_published() {
    let published = [
        (25, 121, 493, 2110),
        (26, 132, 509, 2166),
        (27, 135, 524, 2213),
        (28, 140, 547, 2304),
        (29, 142, 554, 2331),
        (30, 154, 603, 2496),
        (31, 154, 612, 2526),
        (32, 155, 615, 2542),
        (33, 172, 684, 2805),
        (34, 176, 707, 2927),
        (35, 176, 712, 2939),
        (36, 186, 748, 3074),
        (37, 196, 839, 3361),
    ];
    let counted = Release::all().map(|release| {
        let types = types(release);
        let fields = types.structs().map(|(_, structure)| structure.fields.len()).sum::<usize>();
        (release.minor(), types.kinds().count(), types.structs().count(), fields)
    });
    assert_eq!(counted.collect::<Vec<_>>(), published);
}

#[test]
fn every_struct_that_a_type_refers_to_is_there() {
    fn follow(ty: &Type, types: &Types) {
        match &ty.shape {
            Shape::Struct(id) => assert!((id.0 as usize) < types.structs().count()),
            Shape::List(inner) | Shape::Map(inner) => follow(inner, types),
            _ => {}
        }
    }
    for release in Release::all() {
        let types = types(release);
        for (_, structure) in types.structs() {
            assert!(structure.name.starts_with("io.k8s."), "{}", structure.name);
            for field in structure.fields.values() {
                follow(&field.ty, types);
            }
        }
    }
}

#[test]
fn containers_merge_by_name() {
    let containers = place("apps/v1", "Deployment", "spec.template.spec.containers");
    assert_eq!(containers.ty.patch_merge_key.as_deref(), Some("name"));
    assert!(containers.ty.patch_strategy.merge);
    assert_eq!(keys(&containers.ty.list), ["name"]);
    assert_eq!(containers.ty.go_type.as_deref(), Some("[]v1.Container"));
    let item = containers.item().unwrap();
    assert_eq!(item.ty.go_type.as_deref(), Some("v1.Container"));
    assert_eq!(&*item.structure().unwrap().name, "io.k8s.api.core.v1.Container");
    assert_eq!(item.structure().unwrap().go_name(), "Container");
}

#[test]
fn ports_merge_by_one_key_and_apply_by_two() {
    let ports = place("v1", "Pod", "spec.containers.[].ports");
    assert_eq!(ports.ty.patch_merge_key.as_deref(), Some("containerPort"));
    assert_eq!(keys(&ports.ty.list), ["containerPort", "protocol"]);
    let protocol = ports.item().unwrap().field("protocol").unwrap();
    assert_eq!(protocol.ty.default, Some("TCP".into()));
    assert_eq!(protocol.ty.go_type.as_deref(), Some("v1.Protocol"));
    assert_eq!(*protocol.ty.enumeration, ["SCTP".into(), "TCP".into(), "UDP".into()]);
    let number = ports.item().unwrap().field("containerPort").unwrap();
    assert_eq!((&number.ty.shape, number.ty.format.as_deref()), (&Shape::Integer, Some("int32")));
}

#[test]
fn strategies_are_those_of_the_tags() {
    let strategy = place("apps/v1", "Deployment", "spec.strategy").ty.patch_strategy;
    assert_eq!(strategy, PatchStrategy { retain_keys: true, ..PatchStrategy::default() });
    let volumes = place("v1", "Pod", "spec.volumes").ty;
    assert_eq!(volumes.patch_strategy, PatchStrategy { merge: true, retain_keys: true, replace: false });
    let finalizers = place("v1", "Pod", "metadata.finalizers").ty;
    assert!(finalizers.patch_strategy.merge);
    assert_eq!((&finalizers.patch_merge_key, &finalizers.list), (&None, &ListKind::Set));
}

#[test]
fn objects_may_be_atomic() {
    // The struct says so, and one field does not follow it.
    assert!(place("apps/v1", "Deployment", "spec.selector").ty.atomic);
    assert!(place("v1", "Pod", "spec.nodeSelector").ty.atomic);
    assert!(place("v1", "ServiceAccount", "secrets.[]").ty.atomic);
    assert!(!place("v1", "PersistentVolume", "spec.claimRef").ty.atomic);
    assert!(!place("v1", "Pod", "metadata.labels").ty.atomic);
}

#[test]
fn facts_are_those_of_the_release() {
    let templates = |minor| {
        place_of(minor, "apps/v1", "StatefulSet", "spec.volumeClaimTemplates").unwrap().ty.list.clone()
    };
    assert_eq!((templates(29), templates(30)), (ListKind::Unspecified, ListKind::Atomic));
    let port = |minor| {
        place_of(minor, "networking.k8s.io/v1", "Ingress", "spec.defaultBackend.service.port").unwrap()
    };
    assert_eq!((port(30).ty.atomic, port(31).ty.atomic), (false, true));
    // Who omits the key of a list fails where it has no default.
    let secret =
        |minor| place_of(minor, "v1", "Pod", "spec.imagePullSecrets.[].name").unwrap().ty.default.clone();
    assert_eq!((secret(30), secret(31)), (None, Some("".into())));
    let restart = |minor| place_of(minor, "v1", "Pod", "spec.containers.[].restartPolicy");
    assert!(restart(27).is_none() && restart(28).is_some());
}

#[test]
fn kinds_come_and_go() {
    let has = |minor, api_version, name| kind(minor, api_version, name).is_some();
    assert!(!has(25, "batch/v1beta1", "CronJob") && has(25, "batch/v1", "CronJob"));
    assert!(has(25, "autoscaling/v2beta2", "HorizontalPodAutoscaler"));
    assert!(!has(26, "autoscaling/v2beta2", "HorizontalPodAutoscaler"));
    let flow = |minor, version| has(minor, version, "FlowSchema");
    let beta = |minor| flow(minor, "flowcontrol.apiserver.k8s.io/v1beta3");
    assert_eq!([25, 26, 31, 32].map(beta), [false, true, true, false]);
    assert_eq!([28, 29].map(|minor| flow(minor, "flowcontrol.apiserver.k8s.io/v1")), [false, true]);
    // What a request or an answer has is no kind of object.
    assert!(!has(37, "v1", "DeleteOptions") && !has(37, "v1", "Status"));
}

#[test]
fn values_of_their_own_have_a_shape() {
    let shape =
        |kind, path| (place("v1", kind, path).ty.shape.clone(), place("v1", kind, path).ty.go_type.clone());
    let go = |text: &str| Some(Arc::from(text));
    assert_eq!(shape("Service", "spec.ports.[].targetPort"), (Shape::IntOrString, go("intstr.IntOrString")));
    assert_eq!(shape("Pod", "metadata.creationTimestamp"), (Shape::String, go("v1.Time")));
    assert_eq!(shape("Event", "eventTime"), (Shape::String, go("v1.MicroTime")));
    assert_eq!(
        shape("Pod", "spec.containers.[].resources.limits.cpu"),
        (Shape::Quantity, go("resource.Quantity"))
    );
    assert_eq!(place("v1", "Pod", "spec.overhead").ty.go_type, go("v1.ResourceList"));
    assert_eq!(shape("Secret", "data.key"), (Shape::String, go("[]uint8")));
    assert!(place("apps/v1", "ControllerRevision", "data").is_open());
    let usages = place("certificates.k8s.io/v1", "CertificateSigningRequest", "spec.usages.[]");
    assert!(usages.ty.enumeration.contains(&"digital signature".into()));
}

#[test]
fn required_fields_and_pointers_are_known() {
    let spec = place("apps/v1", "Deployment", "spec").structure().unwrap();
    let required = spec.fields.iter().filter(|(_, field)| field.required).map(|(name, _)| &**name);
    assert_eq!(required.collect::<Vec<_>>(), ["selector", "template"]);
    assert!(spec.fields["replicas"].ty.pointer && !spec.fields["paused"].ty.pointer);
}

#[test]
fn a_schema_refers_to_itself() {
    let path = "spec.versions.[].schema.openAPIV3Schema";
    let schema = place("apiextensions.k8s.io/v1", "CustomResourceDefinition", path);
    let below = schema.member("properties").unwrap().member("anything").unwrap();
    assert_eq!(schema.ty.shape, below.ty.shape);
    assert!(!schema.ty.atomic && schema.ty.pointer && !below.ty.pointer);
}

#[test]
fn the_table_is_small() {
    assert!(TABLE.len() < 100_000, "{} bytes", TABLE.len());
}

#[test]
fn broken_lines_are_left_out() {
    let text = "releases 25-37\n\na.b.C @30-\n  = kind v1\n  = odd\n  x string\n  y strange\n  z string list=odd\n  w [][][][][][][][][][]bool\n\n  lost bool\n";
    let newest = read(text, Release::NEWEST);
    assert_eq!(newest.broken, ["= odd", "y strange", "z string list=odd", "w [][][][][][][][][][]bool"]);
    assert_eq!(newest.types.structs().map(|(_, structure)| structure.fields.len()).collect::<Vec<_>>(), [2]);
    assert_eq!(read(text, Release::OLDEST).types.structs().count(), 0);
    for text in ["", "x", "\n\n", "releases\n @\n  @", "releases\nA @5-x,-\n  a"] {
        read(text, Release::NEWEST);
    }
}

#[test]
fn the_releases_of_a_kind_are_those_whose_types_have_it() {
    for release in Release::all() {
        for gvk in types(release).kinds() {
            assert!(releases_of(gvk).contains(&release), "{gvk} {release}");
        }
        let count = kinds(&text()).values().filter(|releases| releases.contains(&release)).count();
        assert_eq!(count, types(release).kinds().count(), "{release}");
    }
    assert_eq!(releases_of(&GroupVersionKind::new("example.com", "v1", "Widget")), []);
}
