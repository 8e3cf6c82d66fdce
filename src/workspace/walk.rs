use std::path::{Path, PathBuf};

use ignore::WalkBuilder;

use super::settings;

/// Whether a path has the name of a YAML file.
pub fn is_yaml(path: &Path) -> bool {
    path.extension().is_some_and(|ext| ext.eq_ignore_ascii_case("yaml") || ext.eq_ignore_ascii_case("yml"))
}

/// The root of a workspace: the nearest folder at or above `folder` with a settings file, else with `.git`, else
/// the working directory if it is above the folder, else the folder itself.
pub fn find_root(folder: &Path, working_directory: &Path) -> PathBuf {
    let with = |name: &str| folder.ancestors().find(|ancestor| ancestor.join(name).exists());
    let above = Some(working_directory).filter(|here| folder.starts_with(here));
    with(settings::FILE_NAME).or_else(|| with(".git")).or(above).unwrap_or(folder).to_path_buf()
}

/// The YAML files below a folder, in order, without what its ignore files exclude. Links are not followed, and
/// nothing above the folder is read.
pub fn yaml_files(root: &Path) -> Vec<PathBuf> {
    let mut builder = WalkBuilder::new(root);
    builder.follow_links(false).require_git(false).git_global(false).parents(false);
    let mut files: Vec<PathBuf> = builder
        .build()
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()) && is_yaml(entry.path()))
        .map(ignore::DirEntry::into_path)
        .collect();
    // A settings file is hidden, and so is not met on the walk.
    let settings_file = root.join(settings::FILE_NAME);
    if settings_file.is_file() {
        files.push(settings_file);
    }
    files.sort();
    files.dedup();
    files
}
