//! The arrows between the crates, and those between the modules of `src/`, run one way.

// Helpers of tests may fail as tests do, and build texts the short way.
#![allow(unreachable_pub, clippy::unwrap_used, clippy::format_collect)]

use std::path::{Path, PathBuf};

/// Modules from the lowest to the highest; a module may use what stands before it. `dialect` and `diagnostic` know
/// no other module of ours.
const LAYERS: &[(&str, &[&str])] = &[
    ("diagnostic", &[]),
    ("dialect", &[]),
    ("workspace", &["diagnostic", "dialect"]),
    ("preview", &["diagnostic", "dialect", "workspace"]),
    ("rule", &["diagnostic", "dialect", "workspace", "preview"]),
    ("ide", &["diagnostic", "dialect", "workspace", "preview", "rule"]),
    ("server", &["diagnostic", "dialect", "workspace", "ide"]),
    ("cli", &["diagnostic", "workspace", "preview", "ide", "server"]),
];

/// The crates of the languages, and which others each may use. None may use the program.
const CRATES: &[(&str, &[&str])] = &[
    ("text", &[]),
    ("value", &["text"]),
    ("yaml", &["text", "value"]),
    ("gotemplate", &["text", "value"]),
    ("cel", &["text", "value"]),
    ("kube", &["text", "value"]),
    ("patch", &["text", "value", "kube"]),
];

#[test]
fn arrows_between_crates_run_one_way() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates");
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort_unstable();
    let mut known: Vec<&str> = CRATES.iter().map(|(name, _)| *name).collect();
    known.sort_unstable();
    assert_eq!(names, known, "every crate has its place");
    for (name, allowed) in CRATES {
        let manifest = std::fs::read_to_string(folder.join(name).join("Cargo.toml")).unwrap();
        let uses = manifest.lines().filter_map(|line| line.strip_prefix("convoy-"));
        for used in uses.filter_map(|line| line.split(['.', ' ', '=']).next()) {
            assert!(allowed.contains(&used), "{name} uses {used}");
        }
    }
}

fn rust_files(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, out);
        } else if path.extension().is_some_and(|ext| ext == "rs") {
            out.push(path);
        }
    }
}

#[test]
fn arrows_run_one_way() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    rust_files(&src, &mut files);
    assert!(files.len() > 40, "the walk found the sources");
    let mut wrong = Vec::new();
    for file in files {
        let inside = file.strip_prefix(&src).unwrap();
        let module =
            inside.components().next().unwrap().as_os_str().to_str().unwrap().trim_end_matches(".rs");
        let Some((_, allowed)) = LAYERS.iter().find(|(name, _)| *name == module) else { continue };
        let text = std::fs::read_to_string(&file).unwrap();
        for (at, _) in text.match_indices("crate::") {
            let used: String =
                text[at + 7..].chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
            let ours = LAYERS.iter().any(|(name, _)| *name == used);
            if ours && used != module && !allowed.contains(&used.as_str()) {
                wrong.push(format!("{} uses {used}", inside.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
