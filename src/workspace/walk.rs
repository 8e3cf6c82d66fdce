use std::path::{Path, PathBuf};

use ignore::WalkBuilder;

use super::settings;

/// Whether a path has the name of a YAML file.
pub fn is_yaml(path: &Path) -> bool {
    path.extension().is_some_and(|ext| ext.eq_ignore_ascii_case("yaml") || ext.eq_ignore_ascii_case("yml"))
}

/// The root of a workspace: the nearest folder at or above `folder` with a settings file, else with `.git`, else
/// the folder itself.
pub fn find_root(folder: &Path) -> PathBuf {
    let with = |name: &str| folder.ancestors().find(|ancestor| ancestor.join(name).exists());
    with(settings::FILE_NAME).or_else(|| with(".git")).unwrap_or(folder).to_path_buf()
}

/// The YAML files at and below `paths`, in order, without what ignore files exclude. Links are not followed,
/// and ignore files above the root are not read.
pub fn yaml_files(root: &Path, paths: &[PathBuf]) -> Vec<PathBuf> {
    let Some((first, rest)) = paths.split_first() else { return Vec::new() };
    let mut builder = WalkBuilder::new(first);
    for path in rest {
        builder.add(path);
    }
    builder.follow_links(false).require_git(false).git_global(false).parents(false);
    let mut files: Vec<PathBuf> = builder
        .build()
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()) && is_yaml(entry.path()))
        .map(ignore::DirEntry::into_path)
        .collect();
    // A settings file is hidden, and so is not met on the walk.
    let settings_file = root.join(settings::FILE_NAME);
    if paths.iter().any(|path| path == root) && settings_file.is_file() {
        files.push(settings_file);
    }
    files.sort();
    files.dedup();
    files
}
