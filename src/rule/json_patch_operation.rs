use convoy_patch::json_patch::{OPERATIONS, Op};

use super::nearest::suggestion;
use super::report::short;
use super::{Check, Example, Release, Reports, Rule};
use crate::diagnostic::{Severity, Stage};
use crate::dialect::convoy::{MutationType, PatchOperation};
use crate::workspace::allowed;

pub(super) const RULE: Rule = Rule {
    name: "json-patch-operation",
    stage: Stage::Admission,
    severity: Severity::Error,
    summary: "A jsonPatch has no operation, or one without a known `op` and a `path`.",
    explanation: "Admission wants at least one operation, and in each a known `op` (add, remove, replace, move, copy, test; case counts) and a `path`. An operation that would be refused later, such as an `add` without `value`, is reported as well: `invalid operation …: failed to decode 'value': operation, missing value field: missing value`.",
    example: Example {
        wrong: "apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: jsonPatch
  target: {group: apps, version: v1, kind: Deployment, name: web}
  patches:
  - {op: multiply, path: /spec/replicas, value: 2}
",
        right: "apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: jsonPatch
  target: {group: apps, version: v1, kind: Deployment, name: web}
  patches:
  - {op: replace, path: /spec/replicas, value: 2}
",
    },
    check: Check::Release(check),
};

fn check(context: &Release<'_>, reports: &mut Reports) {
    let ty = context.workspace.mutation_type(&context.preview.release);
    let mut names = allowed(ty, &["patches", "*", "op"]);
    if names.is_empty() {
        names = OPERATIONS.to_vec();
    }
    for mutation in &context.preview.release.mutations {
        if mutation.kind != Some(MutationType::JsonPatch) {
            continue;
        }
        if mutation.patches.is_empty() {
            let span = mutation.patches_field.map_or(mutation.head(), |field| field.key);
            reports
                .add(context.place(span), "a jsonPatch has at least one operation in patches")
                .help("patches: [{op: add, path: /metadata/labels/team, value: core}]");
            continue;
        }
        for operation in &mutation.patches {
            check_operation(context, operation, &names, reports);
        }
    }
}

fn check_operation(context: &Release<'_>, operation: &PatchOperation, names: &[&str], reports: &mut Reports) {
    let whole = short(operation.span, &context.file().text);
    let op = match &operation.op {
        // A templated operation is known only when it runs.
        Some(op) if op.text.contains("{{") => None,
        Some(op) => {
            if !names.contains(&op.text.as_str()) {
                reports
                    .add(context.place(op.span), format!("unknown operation {:?}", op.text))
                    .help(suggestion(&op.text, names));
            }
            Op::parse(&op.text)
        }
        None => {
            if !operation.has_op {
                reports
                    .add(context.place(whole), "the operation has no op")
                    .help(format!("op is one of {}", names.join(", ")));
            }
            None
        }
    };
    if operation.path.is_none() && !operation.has_path {
        reports.add(context.place(whole), "the operation has no path");
    }
    // The library decodes all operations before it applies one.
    let missing = match op {
        Some(Op::Add | Op::Replace) if operation.value.is_none() => Some("value"),
        Some(Op::Move | Op::Copy) if operation.from.is_none() => Some("from"),
        _ => None,
    };
    if let (Some(field), Some(op)) = (missing, op) {
        reports.add(
            context.place(operation.op.as_ref().map_or(whole, |located| located.span)),
            format!(
                "{} needs {field}: failed to decode '{field}': operation, missing {field} field: missing value",
                op.name()
            ),
        );
    }
}
