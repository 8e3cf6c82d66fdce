use convoy_patch::strategic::NoteKind;

use super::texts::report_notes;
use super::{Check, Example, Release, Reports, Rule};
use crate::diagnostic::{Severity, Stage};

pub(super) const RULE: Rule = Rule {
    name: "duplicate-merge-key",
    stage: Stage::Review,
    severity: Severity::Warning,
    summary: "Two items of a strategic merge patch have one merge key.",
    explanation: "A strategic merge tells the items of a list apart by one key alone: the ports of a Service by `port`, whatever their `protocol` is. Of two items with the same value the later one is merged into what the first one made, and into every item of the object that has the value; one of the two is lost. A jsonPatch sets both.",
    example: Example {
        wrong: r"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: strategicMergePatch
  target: {version: v1, kind: Service, name: web}
  inline: |
    spec:
      ports:
      - {name: tcp, port: 443, protocol: TCP}
      - {name: udp, port: 443, protocol: UDP}
---
apiVersion: v1
kind: Service
metadata: {name: web, finalizers: [a, b]}
spec:
  ports: [{name: http, port: 80}]
",
        right: r"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: strategicMergePatch
  target: {version: v1, kind: Service, name: web}
  inline: |
    spec:
      ports:
      - {name: tcp, port: 443, protocol: TCP}
      - {name: other, port: 8443, protocol: TCP}
---
apiVersion: v1
kind: Service
metadata: {name: web, finalizers: [a, b]}
spec:
  ports: [{name: http, port: 80}]
",
    },
    check: Check::Release(check),
};

fn check(context: &Release<'_>, reports: &mut Reports) {
    report_notes(context, reports, |note| match note {
        NoteKind::DuplicateMergeKey { key, value } => Some((
            format!(
                "duplicate merge key {value} in this patch: the items of this list are told apart by {key} alone"
            ),
            Some("give the items different values, or set the list with a jsonPatch".to_owned()),
        )),
        _ => None,
    });
}
