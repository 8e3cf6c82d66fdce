//! From steps to findings: what fails for every object and cluster is an error, what fails for some is a warning
//! that names them.

use std::collections::BTreeSet;

use crate::diagnostic::{Place, Severity};
use crate::preview::{FromContent, ObjectRun, Preview, Run, Step, names_cluster};

/// Something that a step shows.
#[derive(Clone, Debug)]
pub(super) struct Finding {
    pub(super) place: Place,
    pub(super) message: String,
    pub(super) help: Option<String>,
}

/// A finding with whom it concerns.
#[derive(Clone, Debug)]
pub(super) struct Judged {
    pub(super) place: Place,
    /// The finding's message, and whom it concerns where that is not everybody.
    pub(super) message: String,
    pub(super) help: Option<String>,
    pub(super) severity: Severity,
    /// It shows for no cluster that is known.
    only_without_cluster: bool,
    /// The first object concerned.
    pub(super) object: Place,
    pub(super) object_label: String,
}

/// How many names a message gives before it counts the rest.
pub(super) const NAMES: usize = 3;

/// The first names, and how many more there are.
pub(super) fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let mut names = names.into_iter();
    let shown: Vec<&str> = names.by_ref().take(NAMES).collect();
    match names.count() {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// What several steps show at one place.
struct Group {
    finding: Finding,
    concerned: Vec<(usize, String)>,
    first: (Place, String),
}

/// Groups what the steps of a mutation show by place, over the clusters that are known.
pub(super) fn judge(
    preview: &Preview,
    mutation: usize,
    mut look: impl FnMut(&Step) -> Vec<Finding>,
) -> Vec<Judged> {
    judge_objects(preview, mutation, |_, step| look(step))
}

/// The same for what also depends on the object's other steps.
pub(super) fn judge_objects(
    preview: &Preview,
    mutation: usize,
    look: impl FnMut(&ObjectRun, &Step) -> Vec<Finding>,
) -> Vec<Judged> {
    let known = judge_all(preview, mutation, look);
    known.into_iter().filter(|judged| !judged.only_without_cluster).collect()
}

/// The same, and also what shows only when convoy does not find the Cluster: for failures.
pub(super) fn judge_all(
    preview: &Preview,
    mutation: usize,
    mut look: impl FnMut(&ObjectRun, &Step) -> Vec<Finding>,
) -> Vec<Judged> {
    let mut groups: Vec<Group> = Vec::new();
    let key_of = |run: &Run, object: &ObjectRun| {
        let number = preview.runs.iter().position(|known| std::ptr::eq(known, run)).unwrap_or(0);
        (number, name_of(object))
    };
    for (run, object, step) in preview.steps(mutation) {
        let findings = look(object, step);
        if findings.is_empty() {
            continue;
        }
        let key = key_of(run, object);
        for finding in findings {
            let here = |group: &&Group| group.finding.place == finding.place;
            let known = groups.iter().position(|g| here(&g) && g.finding.message == finding.message);
            if let Some(i) = known {
                if !groups[i].concerned.contains(&key) {
                    groups[i].concerned.push(key.clone());
                }
                continue;
            }
            // A place with a message for each object says enough with a few.
            if groups.iter().filter(here).count() < NAMES {
                groups.push(Group {
                    finding,
                    concerned: vec![key.clone()],
                    first: (object.object.place(), object.object.label()),
                });
            }
        }
    }
    // Nearly always there is nothing, and nobody needs to be counted.
    if groups.is_empty() {
        return Vec::new();
    }
    let all: BTreeSet<(usize, String)> = preview
        .steps(mutation)
        .filter(|(run, ..)| preview.is_of_cluster(run))
        .map(|(run, object, _)| key_of(run, object))
        .collect();
    let all_objects: BTreeSet<&String> = all.iter().map(|(_, object)| object).collect();
    let all_runs: BTreeSet<usize> = all.iter().map(|(run, _)| *run).collect();
    let mut judged = Vec::new();
    for group in groups {
        let concerned: BTreeSet<&(usize, String)> =
            group.concerned.iter().filter(|key| all.contains(*key)).collect();
        let mut message = group.finding.message;
        let severity = if concerned.is_empty() {
            message.push_str(" (when convoy does not find the Cluster, and cluster is empty)");
            Severity::Warning
        } else if concerned.len() == all.len() {
            if preview.runs.iter().all(|run| run.cluster.is_none())
                && preview.by_cluster
                && reads_cluster(preview, &group.finding.place)
            {
                message.push_str(" (no Cluster is known in this workspace, so cluster is empty here)");
                Severity::Warning
            } else {
                Severity::Error
            }
        } else {
            let objects: BTreeSet<&String> = concerned.iter().map(|(_, object)| object).collect();
            let runs: BTreeSet<usize> = concerned.iter().map(|(run, _)| *run).collect();
            let mut whom = Vec::new();
            if objects.len() < all_objects.len() {
                let labels: BTreeSet<&str> = objects.into_iter().map(|key| label_of(key)).collect();
                whom.push(format!("for {}", listed(labels)));
            }
            if runs.len() < all_runs.len() {
                let labels: BTreeSet<String> =
                    runs.iter().map(|run| preview.runs[*run].cluster_label()).collect();
                whom.push(format!("in {}", listed(labels.iter().map(String::as_str))));
            }
            message = format!("{message} ({})", whom.join(" "));
            Severity::Warning
        };
        judged.push(Judged {
            place: group.finding.place,
            message,
            help: group.finding.help,
            severity,
            only_without_cluster: concerned.is_empty(),
            object: group.first.0,
            object_label: group.first.1,
        });
    }
    judged
}

/// An object by file, document and label, so that two of one name stay apart.
fn name_of(object: &ObjectRun) -> String {
    format!("{}\0{}\0{}", object.object.label(), object.object.file.path.display(), object.object.index)
}

fn label_of(key: &str) -> &str {
    key.split('\0').next().unwrap_or("")
}

/// Whether the line of a place speaks of the cluster.
pub(super) fn reads_cluster(preview: &Preview, place: &Place) -> bool {
    let from = preview.runs.iter().flat_map(|run| &run.from).flatten();
    let mut texts = from.filter_map(|from| match from {
        FromContent::Found { text, .. } if text.file == place.file => Some(text.text()),
        FromContent::Expression { expression, .. } if expression.file == place.file => {
            Some(expression.text())
        }
        _ => None,
    });
    if *preview.path() != place.file {
        return texts.any(names_cluster);
    }
    let file = &preview.document.file;
    names_cluster(file.lines.line_span(&file.text, file.lines.line_of(place.span.start)).text(&file.text))
}
