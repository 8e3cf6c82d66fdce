use super::judged::{NAMES, listed};
use super::{Check, Example, Release, Reports, Rule};
use crate::diagnostic::{Place, Severity, Stage};
use crate::preview::{FailureKind, Outcome};

pub(super) const RULE: Rule = Rule {
    name: "strategic-merge-kind",
    stage: Stage::Run,
    severity: Severity::Error,
    summary: "A strategicMergePatch matches an object whose kind is not built in.",
    explanation: "A strategic merge needs the Go type of the kind, and only the kinds that are built into Kubernetes have one. A custom resource that matches the target stops the render: `no kind \"Widget\" is registered for version \"example.com/v1\"`. jsonPatch, goTemplate and celTransform take any kind. Which kinds are built in depends on the release of Kubernetes, which the setting `kubernetes.release` names.",
    example: Example {
        wrong: r"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: strategicMergePatch
  target: {group: example.com, version: v1, kind: Widget, name: w}
  inline: |
    spec: {size: 2}
---
apiVersion: example.com/v1
kind: Widget
metadata: {name: w}
spec: {size: 1}
",
        right: r"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: goTemplate
  target: {group: example.com, version: v1, kind: Widget, name: w}
  inline: |
    spec: {size: 2}
---
apiVersion: example.com/v1
kind: Widget
metadata: {name: w}
spec: {size: 1}
",
    },
    check: Check::Release(check),
};

/// Objects that stop the render in the same way.
struct Group {
    message: String,
    help: Option<String>,
    place: Place,
    objects: Vec<(String, Place)>,
}

fn check(context: &Release<'_>, reports: &mut Reports) {
    for mutation in &context.preview.release.mutations {
        let mut groups: Vec<Group> = Vec::new();
        for (_, object, step) in context.preview.steps(mutation.index) {
            let Outcome::Failed(failure) = &step.outcome else { continue };
            if failure.kind != FailureKind::StrategicKind || step.after_unknown {
                continue;
            }
            let of = |group: &&mut Group| group.message == failure.message;
            let known = (object.object.label(), object.object.place());
            match groups.iter_mut().find(of) {
                Some(group) if group.objects.contains(&known) => {}
                Some(group) => group.objects.push(known),
                None => groups.push(Group {
                    message: failure.message.clone(),
                    help: failure.help.clone(),
                    place: failure.place.clone(),
                    objects: vec![known],
                }),
            }
        }
        // One object stops the render for all, so that this is an error however many match.
        for group in groups {
            let names = listed(group.objects.iter().map(|(label, _)| label.as_str()));
            let message = format!("{}, which stops the render ({names})", group.message);
            let mut report = reports.add(group.place, message).maybe_help(group.help);
            for (label, place) in group.objects.into_iter().take(NAMES) {
                report = report.related(place, format!("{label} matches"));
            }
        }
    }
}
