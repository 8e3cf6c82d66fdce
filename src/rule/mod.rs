//! The rules: one file for each diagnostic, with its meaning, its check and its tests.
//!
//! A rule is a [`Rule`] in [`RULES`]. Its name is its only code: the file, the page in the documentation, the
//! suppression comment and the setting all use it. Rules of stage *run* read the steps of a
//! [`Preview`] and run nothing themselves. Rules must not know editors or terminals.

mod judged;
mod nearest;
mod report;
mod texts;
mod typed;

mod cel_failed;
mod cel_library;
mod cel_result;
mod cel_syntax;
mod cel_type;
mod core_group;
mod duplicate_key;
mod duplicate_merge_key;
mod empty_value;
mod field_type;
mod file_encoding;
mod from_key_missing;
mod from_kind;
mod from_namespace;
mod from_not_found;
mod identity_change;
mod index_shifted;
mod json_patch_failed;
mod json_patch_operation;
mod json_patch_quotes;
mod json_patch_rendered;
mod json_pointer;
mod list_replaced;
mod misplaced_mutations;
mod missing_content;
mod modeline;
mod mutation_type;
mod no_effect;
mod no_value;
mod nothing_deleted;
mod object_field_conflict;
mod object_field_type;
mod object_field_value;
mod object_unknown_field;
mod overlay_shape;
mod overlay_syntax;
mod overwritten;
mod pointer_unknown_field;
mod replace_directive;
mod settings;
mod strategic_merge_failed;
mod strategic_merge_kind;
mod stray_quote;
mod target_matches_everything;
mod target_matches_nothing;
mod template_arguments;
mod template_failed;
mod template_root;
mod template_syntax;
mod templated_value_type;
mod unknown_field;
mod unquoted_value;
mod unused_field;
mod wave_strategy;
mod yaml_syntax;

use std::cell::OnceCell;
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Severity, Stage};
use crate::preview::Preview;
use crate::workspace::settings::RuleSetting;
use crate::workspace::{File, Workspace};

pub use report::Reports;

use typed::{Class, Told};

/// What a rule looks at.
#[derive(Clone, Copy)]
pub enum Check {
    /// A Release or a list of mutations with its preview.
    Release(fn(&Release<'_>, &mut Reports)),
    /// A file, whatever its documents are.
    File(fn(&FileContext<'_>, &mut Reports)),
}

/// A rule.
#[derive(Clone, Copy)]
pub struct Rule {
    /// Its name, in kebab case.
    pub name: &'static str,
    /// When what it finds shows in the cluster.
    pub stage: Stage,
    /// How bad it is, unless the check says otherwise.
    pub severity: Severity,
    /// One line.
    pub summary: &'static str,
    /// Why it matters, with the text of the real program where there is one.
    pub explanation: &'static str,
    /// A document that it reports, and the same mended.
    pub example: Example,
    /// The check.
    pub check: Check,
}

/// A wrong document and a right one. Both may hold other documents that they need.
#[derive(Clone, Copy)]
pub struct Example {
    /// Reported by the rule.
    pub wrong: &'static str,
    /// Not reported.
    pub right: &'static str,
}

/// A Release as rules see it.
pub struct Release<'a> {
    /// The workspace.
    pub workspace: &'a Workspace,
    /// The Release, its model and its steps.
    pub preview: &'a Preview,
    /// What the types say of it, found when a rule first asks.
    told: OnceCell<Told>,
}

impl<'a> Release<'a> {
    /// A Release of a workspace with its preview.
    pub fn new(workspace: &'a Workspace, preview: &'a Preview) -> Release<'a> {
        Release { workspace, preview, told: OnceCell::new() }
    }

    /// What the types of Kubernetes say of what the mutations write.
    fn told(&self) -> &Told {
        self.told.get_or_init(|| Told::new(self))
    }

    /// Reports what there is of a class.
    fn report_typed(&self, reports: &mut Reports, class: Class) {
        for found in self.told().of(self, class) {
            let report =
                reports.add(found.place, found.message).maybe_help(found.help).severity(found.severity);
            if let Some((place, label)) = found.object {
                report.related(place, format!("shown for {label}"));
            }
        }
    }

    /// The file of the Release.
    pub fn file(&self) -> &Arc<File> {
        &self.preview.document.file
    }

    /// A place in the file of the Release.
    pub fn place(&self, span: convoy_text::Span) -> crate::diagnostic::Place {
        crate::diagnostic::Place { file: self.file().path.clone(), span }
    }
}

/// A file as rules see it.
pub struct FileContext<'a> {
    /// The workspace.
    pub workspace: &'a Workspace,
    /// The file.
    pub file: &'a Arc<File>,
}

/// All rules, by name.
pub static RULES: &[&Rule] = &[
    &cel_failed::RULE,
    &cel_library::RULE,
    &cel_result::RULE,
    &cel_syntax::RULE,
    &cel_type::RULE,
    &core_group::RULE,
    &duplicate_key::RULE,
    &duplicate_merge_key::RULE,
    &empty_value::RULE,
    &field_type::RULE,
    &file_encoding::RULE,
    &from_key_missing::RULE,
    &from_kind::RULE,
    &from_namespace::RULE,
    &from_not_found::RULE,
    &identity_change::RULE,
    &index_shifted::RULE,
    &json_patch_failed::RULE,
    &json_patch_operation::RULE,
    &json_patch_quotes::RULE,
    &json_patch_rendered::RULE,
    &json_pointer::RULE,
    &list_replaced::RULE,
    &misplaced_mutations::RULE,
    &missing_content::RULE,
    &modeline::RULE,
    &mutation_type::RULE,
    &no_effect::RULE,
    &no_value::RULE,
    &nothing_deleted::RULE,
    &object_field_conflict::RULE,
    &object_field_type::RULE,
    &object_field_value::RULE,
    &object_unknown_field::RULE,
    &overlay_shape::RULE,
    &overlay_syntax::RULE,
    &overwritten::RULE,
    &pointer_unknown_field::RULE,
    &replace_directive::RULE,
    &settings::RULE,
    &strategic_merge_failed::RULE,
    &strategic_merge_kind::RULE,
    &stray_quote::RULE,
    &target_matches_everything::RULE,
    &target_matches_nothing::RULE,
    &template_arguments::RULE,
    &template_failed::RULE,
    &template_root::RULE,
    &template_syntax::RULE,
    &templated_value_type::RULE,
    &unknown_field::RULE,
    &unquoted_value::RULE,
    &unused_field::RULE,
    &wave_strategy::RULE,
    &yaml_syntax::RULE,
];

/// The rule of a name.
pub fn find(name: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.name == name).copied()
}

/// The rules that the settings do not switch off. One that is off must not speak for another at the same place.
fn in_force(workspace: &Workspace) -> impl Iterator<Item = &'static Rule> {
    let settings = &workspace.settings().rules;
    RULES.iter().copied().filter(|rule| settings.get(rule.name) != Some(&RuleSetting::Off))
}

/// Everything that the rules find in a file: in its documents, and in what other files' Releases read from it.
/// Places may lie in other files than the one that is checked.
pub fn check_release(workspace: &Workspace, preview: &Preview) -> Vec<Diagnostic> {
    let context = Release::new(workspace, preview);
    let mut reports = Reports::new();
    for rule in in_force(workspace) {
        if let Check::Release(check) = rule.check {
            reports.run(rule, |reports| check(&context, reports));
        }
    }
    reports.finish()
}

/// Everything that the rules find in a file itself.
pub fn check_file(workspace: &Workspace, file: &Arc<File>) -> Vec<Diagnostic> {
    let context = FileContext { workspace, file };
    let mut reports = Reports::new();
    for rule in in_force(workspace) {
        if let Check::File(check) = rule.check {
            reports.run(rule, |reports| check(&context, reports));
        }
    }
    reports.finish()
}
