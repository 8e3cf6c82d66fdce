use convoy_patch::strategic::NoteKind;

use super::texts::judge_notes;
use super::{Check, Example, Release, Reports, Rule};
use crate::diagnostic::{Severity, Stage};

pub(super) const RULE: Rule = Rule {
    name: "nothing-deleted",
    stage: Stage::Review,
    severity: Severity::Hint,
    summary: "A directive deletes what no object has.",
    explanation: "`$patch: delete` in an item, and `$deleteFromPrimitiveList`, remove what is there; what is not there they pass over in silence. If no sample has it, the name may be misspelt.",
    example: Example {
        wrong: r#"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: strategicMergePatch
  target: {group: apps, version: v1, kind: Deployment, name: web}
  inline: |
    metadata: {labels: {team: core}}
    spec: {template: {spec: {containers: [{name: sidecar, $patch: delete}]}}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web}}
spec:
  replicas: 1
  template:
    spec:
      containers:
      - {name: web, image: "nginx:1", args: [-a], env: [{name: A, value: "1"}, {name: B, value: "2"}]}
      - {name: side, image: "side:1"}
"#,
        right: r#"apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: strategicMergePatch
  target: {group: apps, version: v1, kind: Deployment, name: web}
  inline: |
    metadata: {labels: {team: core}}
    spec: {template: {spec: {containers: [{name: side, $patch: delete}]}}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web}}
spec:
  replicas: 1
  template:
    spec:
      containers:
      - {name: web, image: "nginx:1", args: [-a], env: [{name: A, value: "1"}, {name: B, value: "2"}]}
      - {name: side, image: "side:1"}
"#,
    },
    check: Check::Release(check),
};

fn check(context: &Release<'_>, reports: &mut Reports) {
    for mutation in &context.preview.release.mutations {
        let judged = judge_notes(context, mutation.index, |note| {
            matches!(note, NoteKind::NothingDeleted)
                .then(|| ("nothing is deleted here: no sample has it".to_owned(), None))
        });
        // A directive that some objects have use for is no mistake.
        for finding in judged.into_iter().filter(|finding| finding.severity == Severity::Error) {
            reports
                .add(finding.place, finding.message)
                .related(finding.object, format!("{} lacks it", finding.object_label));
        }
    }
}
