use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, bail};

use super::{FINDINGS, FailOn, Format, USAGE, absolute, human, json, print, shown};
use crate::diagnostic::{Diagnostic, Severity};
use crate::workspace::{File, Workspace, find_root, yaml_files};

pub(super) struct Options {
    pub(super) paths: Vec<PathBuf>,
    pub(super) format: Format,
    pub(super) fail_on: FailOn,
    pub(super) color: bool,
}

/// A checked file.
pub(super) struct Checked {
    pub(super) file: Arc<File>,
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// Checks the paths and prints the findings. Gives the exit code.
pub(super) fn run(options: &Options) -> anyhow::Result<u8> {
    let paths = if options.paths.is_empty() { vec![PathBuf::from(".")] } else { options.paths.clone() };
    let here = absolute(Path::new("."))?;
    // Each path is checked in the workspace that it lies in.
    let mut by_root: BTreeMap<PathBuf, Vec<PathBuf>> = BTreeMap::new();
    for path in &paths {
        let full = absolute(path)?;
        let metadata = std::fs::metadata(&full).with_context(|| format!("cannot read {}", path.display()))?;
        // A pipe, such as `<(helm template …)`, lies nowhere: it is checked where the program runs.
        let folder = if metadata.is_dir() {
            full.clone()
        } else if metadata.is_file() {
            full.parent().unwrap_or(&full).to_path_buf()
        } else {
            here.clone()
        };
        by_root.entry(find_root(&folder, &here)).or_default().push(full);
    }
    let mut checked: BTreeMap<Arc<Path>, Checked> = BTreeMap::new();
    let mut workspaces = Vec::new();
    let mut bad_settings = false;
    for (root, paths) in by_root {
        let mut now: Vec<Checked> = Vec::new();
        let mut workspace = Workspace::load(&root);
        for path in &paths {
            // What is named is checked even if an ignore file excludes it.
            let named = if path.is_dir() { yaml_files(path) } else { vec![path.clone()] };
            for path in named {
                if workspace.file(&path).is_none() {
                    let bytes =
                        std::fs::read(&path).with_context(|| format!("cannot read {}", shown(&path)))?;
                    workspace.set_file(File::from_bytes(path.into(), bytes));
                }
            }
        }
        // Settings that cannot be read as they are meant make every verdict doubtful, so that they always count.
        if let Some(file) = workspace.settings_file().cloned() {
            let diagnostics = crate::ide::diagnostics(&workspace, &file);
            bad_settings |= diagnostics.iter().any(|d| d.severity == Severity::Error);
            now.push(Checked { file, diagnostics });
        }
        let settings_path = workspace.settings_file().map(|file| file.path.clone());
        let files: Vec<Arc<File>> = workspace
            .files()
            .filter(|file| Some(&file.path) != settings_path.as_ref())
            .filter(|file| paths.iter().any(|path| file.path.starts_with(path)))
            .cloned()
            .collect();
        let found = crate::ide::check(&workspace, &files);
        now.extend(files.into_iter().zip(found).map(|(file, diagnostics)| Checked { file, diagnostics }));
        // A file that lies in the roots of several paths is checked in the innermost, which comes last.
        checked.extend(now.into_iter().map(|one| (one.file.path.clone(), one)));
        workspaces.insert(0, workspace);
    }
    let checked: Vec<Checked> = checked.into_values().collect();
    if checked.is_empty() && paths.iter().any(|path| !path.is_dir()) {
        bail!("no file to check");
    }
    let find = |path: &Path| workspaces.iter().find_map(|workspace| workspace.file(path)).cloned();
    match options.format {
        Format::Human => print(&human::render(&checked, &find, options.color))?,
        Format::Json => print(&json::render(&checked, &find)?)?,
    }
    if bad_settings {
        return Ok(USAGE);
    }
    let found = checked.iter().flat_map(|checked| &checked.diagnostics);
    let fails = found.into_iter().any(|diagnostic| options.fail_on.reached_by(diagnostic.severity));
    Ok(if fails { FINDINGS } else { 0 })
}
