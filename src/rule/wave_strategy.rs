use super::nearest::suggestion;
use super::{Check, Example, Release, Reports, Rule};
use crate::diagnostic::{Severity, Stage};
use crate::dialect::convoy::MutationType;
use crate::workspace::allowed;

pub(super) const RULE: Rule = Rule {
    name: "wave-strategy",
    stage: Stage::Admission,
    severity: Severity::Error,
    summary: "A syncWave has no `waveStrategy`, or an unknown strategy.",
    explanation: "A syncWave has `waveStrategy`, with a known strategy if one is set. Which strategies are known comes from the `CustomResourceDefinition` of Releases in the workspace, or from the setting `convoy.waveStrategies`; without them any is taken.",
    example: Example {
        wrong: "apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: syncWave
  target: {group: apps, version: v1, kind: Deployment, name: web}
",
        right: "apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
- type: syncWave
  target: {group: apps, version: v1, kind: Deployment, name: web}
  waveStrategy: {wave: 2}
",
    },
    check: Check::Release(check),
};

fn check(context: &Release<'_>, reports: &mut Reports) {
    let ty = context.workspace.mutation_type(&context.preview.release);
    let mut known = allowed(ty, &["waveStrategy", "strategy"]);
    if known.is_empty() {
        known = context.workspace.settings().convoy.wave_strategies.iter().map(String::as_str).collect();
    }
    for mutation in &context.preview.release.mutations {
        if mutation.kind != Some(MutationType::SyncWave) {
            continue;
        }
        let Some(wave) = &mutation.wave else {
            let written = mutation.fields.iter().find(|(name, _)| *name == "waveStrategy");
            // A value of the wrong kind has a finding of its own.
            if written.is_none_or(|(_, field)| context.file().tree.is_null(field.node)) {
                let span = written.map_or(mutation.head(), |(_, field)| field.key);
                reports
                    .add(context.place(span), "a syncWave has waveStrategy")
                    .help("waveStrategy: {wave: 2}");
            }
            continue;
        };
        if let Some(strategy) =
            wave.strategy.as_ref().filter(|s| !known.is_empty() && !known.contains(&s.text.as_str()))
        {
            reports
                .add(context.place(strategy.span), format!("unknown strategy {:?}", strategy.text))
                .help(suggestion(&strategy.text, &known));
        }
    }
}
