//! The command line, run as people run it: the real program in a temporary folder.

// Helpers of tests may fail as tests do, and build texts the short way.
#![allow(unreachable_pub, clippy::unwrap_used, clippy::format_collect)]

mod common;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use common::lsp::{DEPLOYMENT, Folder, PATIENCE, failing, good, release};
use expect_test::expect;
use serde_json::{Value as Json, json};

struct Ran {
    code: i32,
    out: String,
    err: String,
}

impl Ran {
    fn of(output: Output) -> Ran {
        let ran = Ran {
            code: output.status.code().expect("no signal"),
            out: String::from_utf8(output.stdout).expect("UTF-8"),
            err: String::from_utf8(output.stderr).expect("UTF-8"),
        };
        assert!(!ran.err.contains("panicked"), "{}", ran.err);
        ran
    }

    fn json(&self) -> Vec<Json> {
        let value: Json =
            serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e}: {}{}", self.out, self.err));
        value.as_array().expect("an array").clone()
    }

    /// `FILE RULE` of each finding, in order.
    fn findings(&self) -> Vec<String> {
        let text = |value: &Json| value.as_str().expect("a text").to_owned();
        self.json().iter().map(|f| format!("{} {}", text(&f["file"]), text(&f["rule"]))).collect()
    }
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_convoy-lsp"));
    command.args(arguments).current_dir(folder).stdin(Stdio::null()).env_remove("NO_COLOR");
    command
}

fn run(folder: &Folder, arguments: &[&str]) -> Ran {
    run_in(&folder.root, arguments)
}

fn run_in(folder: &Path, arguments: &[&str]) -> Ran {
    Ran::of(command(folder, arguments).output().expect("it runs"))
}

fn check(folder: &Folder) -> Ran {
    run(folder, &["--check", "--format", "json", "--fail-on", "hint"])
}

fn example(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/examples/podinfo").join(name);
    std::fs::read_to_string(path).expect("an example")
}

fn podinfo() -> Folder {
    let folder = Folder::new(&[]);
    for name in [
        "release.yaml",
        "broken.yaml",
        "rendered.yaml",
        "overlay.yaml",
        "clusters/east.yaml",
        "clusters/west.yaml",
        "clusters/edge.yaml",
    ] {
        folder.write(name, example(name).as_bytes());
    }
    folder
}

/// A finding of severity warning: a modeline with a key that does not exist.
fn warned() -> String {
    format!("# convoy-lsp: nothing=1\n{}", good())
}

/// A finding of severity hint: a negative index.
fn hinted() -> String {
    "apiVersion: convoy.kumodo.io/v1alpha1\nkind: Release\nmetadata: {name: web, namespace: prod}\nspec: {}\n\
     mutations:\n- type: jsonPatch\n  target: {kind: Nothing}\n  patches: [{op: remove, path: /spec/list/-1}]\n"
        .to_owned()
}

// ---- exit codes ----

#[test]
fn exit_code_0_without_findings() {
    let folder = Folder::new(&[("release.yaml", &good()), ("rendered.yaml", DEPLOYMENT)]);
    let ran = run(&folder, &["--check"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    assert_eq!(ran.out, "2 files checked: 0 errors, 0 warnings, 0 hints\n");
}

#[test]
fn exit_code_0_for_an_empty_folder() {
    let ran = run(&Folder::new(&[]), &["--check", "--format", "json"]);
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, "[]\n", ""));
}

#[test]
fn exit_code_1_with_an_error() {
    let folder = Folder::new(&[("release.yaml", &failing()), ("rendered.yaml", DEPLOYMENT)]);
    assert_eq!(run(&folder, &["--check"]).code, 1);
    assert_eq!(run(&folder, &["--check", "release.yaml"]).code, 1);
    assert_eq!(run(&folder, &["--check", "rendered.yaml"]).code, 0, "only the named file is judged");
}

#[test]
fn fail_on_sets_the_severity_that_counts() {
    let objects = ("rendered.yaml", DEPLOYMENT);
    let error = Folder::new(&[("release.yaml", &failing()), objects]);
    let warning = Folder::new(&[("release.yaml", &warned()), objects]);
    let hint = Folder::new(&[("release.yaml", &hinted())]);
    let codes = |folder: &Folder| {
        ["error", "warning", "hint", "never"].map(|level| run(folder, &["--check", "--fail-on", level]).code)
    };
    let severities = |folder: &Folder| -> Vec<Json> {
        check(folder).json().iter().map(|f| f["severity"].clone()).collect()
    };
    assert_eq!(severities(&error), ["error"]);
    assert_eq!(severities(&warning), ["warning"]);
    assert_eq!(severities(&hint), ["hint"]);
    assert_eq!(codes(&error), [1, 1, 1, 0]);
    assert_eq!(codes(&warning), [0, 1, 1, 0]);
    assert_eq!(codes(&hint), [0, 0, 1, 0]);
    assert_eq!(run(&warning, &["--check"]).code, 0, "the default is error");
}

#[test]
fn exit_code_2_for_a_wrong_call() {
    let folder = Folder::new(&[]);
    for arguments in [
        &["--check", "--colour"][..],
        &["--check", "--format", "xml"],
        &["--check", "--fail-on", "fatal"],
        &["--format", "json"],
        &["--fail-on", "error"],
        &["release.yaml"],
        &["preview"],
        &["preview", "--format", "json", "a.yaml"],
        &["explode"],
    ] {
        let ran = run(&folder, arguments);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{arguments:?}");
        assert!(ran.err.starts_with("error: "), "{arguments:?}: {}", ran.err);
    }
}

#[test]
fn exit_code_2_for_a_path_that_does_not_exist() {
    let folder = Folder::new(&[("release.yaml", &good())]);
    for arguments in
        [&["--check", "nowhere.yaml"][..], &["--check", "nowhere"], &["--check", ".", "nowhere.yaml"]]
    {
        let ran = run(&folder, arguments);
        assert_eq!(ran.code, 2, "{arguments:?}");
        assert!(ran.err.starts_with("convoy-lsp: cannot read nowhere"), "{}", ran.err);
    }
    let ran = run(&folder, &["preview", "nowhere.yaml"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.starts_with("convoy-lsp: cannot read nowhere.yaml"), "{}", ran.err);
}

#[test]
fn exit_code_2_for_wrong_settings_and_the_rest_is_checked() {
    let folder = Folder::new(&[
        (".convoy-lsp.yaml", "rules: {template-failed: fatal}\nconvoy: {cutInline: true}\n"),
        ("release.yaml", &failing()),
        ("rendered.yaml", DEPLOYMENT),
    ]);
    let ran = check(&folder);
    assert_eq!(ran.code, 2);
    assert_eq!(ran.findings(), [".convoy-lsp.yaml settings", "release.yaml template-failed"]);
    assert_eq!(run(&folder, &["--check", "--fail-on", "never"]).code, 2);
    // Also where only another file is named.
    let ran = run(&folder, &["--check", "--format", "json", "release.yaml"]);
    assert_eq!((ran.code, ran.findings().len()), (2, 2));
    // A rule that does not exist is a warning: settings of a newer version do no harm.
    folder.write(".convoy-lsp.yaml", b"rules: {no-such-rule: hint}\n");
    let ran = run(&folder, &["--check", "--format", "json", "--fail-on", "never"]);
    assert_eq!(ran.code, 0);
    assert_eq!(ran.findings(), [".convoy-lsp.yaml settings", "release.yaml template-failed"]);
}

#[test]
fn a_rule_is_switched_off_with_and_without_quotes() {
    // Go reads a plain `off` as false; nobody means that here.
    for off in ["off", "'off'", "\"off\""] {
        let folder = Folder::new(&[
            (".convoy-lsp.yaml", &format!("rules: {{template-failed: {off}}}\n")),
            ("release.yaml", &failing()),
            ("rendered.yaml", DEPLOYMENT),
        ]);
        let ran = check(&folder);
        assert_eq!((ran.code, ran.findings()), (0, Vec::new()), "{off}");
    }
}

#[test]
fn settings_that_are_no_yaml_or_no_mapping_are_exit_code_2() {
    for text in ["samples: [", "- samples\n", "samples: 5\n", "clusterz: a\n", "a: &a *a\n"] {
        let folder = Folder::new(&[
            (".convoy-lsp.yaml", text),
            ("release.yaml", &good()),
            ("rendered.yaml", DEPLOYMENT),
        ]);
        let ran = check(&folder);
        assert_eq!(ran.code, 2, "{text:?}: {}", ran.out);
        assert!(
            ran.findings().iter().all(|f| f == ".convoy-lsp.yaml settings"),
            "{text:?}: {:?}",
            ran.findings()
        );
    }
}

// ---- JSON ----

#[test]
fn json_has_exactly_these_fields() {
    let folder = Folder::new(&[("deploy/release.yaml", &failing()), ("deploy/rendered.yaml", DEPLOYMENT)]);
    let ran = check(&folder);
    assert_eq!((ran.code, ran.err.as_str()), (1, ""));
    let expected = json!([{
        "file": "deploy/release.yaml",
        "range": { "start": { "line": 8, "character": 48 }, "end": { "line": 8, "character": 53 } },
        "rule": "template-failed",
        "severity": "error",
        "stage": "run",
        "message": "nil pointer evaluating interface {}.zone",
        "help": "what .zone is read from does not exist; guard it with {{ with … }} or {{ if … }}",
        "related": [{
            "file": "deploy/rendered.yaml",
            "range": { "start": { "line": 2, "character": 17 }, "end": { "line": 2, "character": 20 } },
            "message": "fails for Deployment/web",
        }],
    }]);
    assert_eq!(Json::from(ran.json()), expected);
    let keys: Vec<&String> = match &ran.json()[0] {
        Json::Object(object) => object.keys().cloned().collect::<Vec<_>>().leak().iter().collect(),
        _ => Vec::new(),
    };
    assert_eq!(keys, ["file", "range", "rule", "severity", "stage", "message", "help", "related"]);
    assert!(ran.out.ends_with("]\n"));
}

#[test]
fn json_help_is_null_where_there_is_none() {
    let folder =
        Folder::new(&[("release.yaml", "apiVersion: convoy.kumodo.io/v1alpha1\nkind: Release\na: \"\n")]);
    let found = check(&folder).json();
    assert_eq!(found[0]["rule"], "yaml-syntax");
    assert_eq!(found[0]["help"], Json::Null);
    assert!(found[0].as_object().unwrap().contains_key("help"));
    assert!(found[0]["related"].is_array());
}

#[test]
fn json_ranges_count_utf16() {
    // One emoji is two units, é is one; both stand before the place.
    let folder = Folder::new(&[
        ("release.yaml", &release("metadata: {labels: {zone: \"é😀{{ .object.status.zone }}\"}}")),
        ("rendered.yaml", DEPLOYMENT),
    ]);
    let found = check(&folder).json();
    let range = json!({ "start": { "line": 8, "character": 51 }, "end": { "line": 8, "character": 56 } });
    assert_eq!(found[0]["range"], range);
}

#[test]
fn files_are_relative_to_the_working_directory() {
    let folder = Folder::new(&[
        (".convoy-lsp.yaml", ""),
        ("a/b/release.yaml", &failing()),
        ("a/b/rendered.yaml", DEPLOYMENT),
        ("c/x.yaml", ""),
    ]);
    let file = |here: &str, path: &str| {
        let ran = run_in(&folder.path(here), &["--check", "--format", "json", path]);
        let found = ran.json();
        assert_eq!(found.len(), 1, "{here} {path}: {}", ran.out);
        found[0]["file"].as_str().unwrap().to_owned()
    };
    assert_eq!(file("a", "b"), "b/release.yaml");
    assert_eq!(file("a", "./b/../b/release.yaml"), "b/release.yaml");
    assert_eq!(file("a/b", "."), "release.yaml");
    // Below the working directory or not at all: then the whole path.
    assert_eq!(file("c", "../a/b"), folder.path("a/b/release.yaml").to_str().unwrap());
}

#[test]
fn the_order_is_the_same_in_every_run() {
    let folder = podinfo();
    folder.write(".convoy-lsp.yaml", b"");
    for i in 0..20 {
        folder.write(&format!("many/{i}.yaml"), failing().as_bytes());
    }
    folder.write("many/objects.yaml", DEPLOYMENT.as_bytes());
    let first = check(&folder);
    let mut sorted = first.findings();
    sorted.sort_by(|a, b| a.split(' ').next().cmp(&b.split(' ').next()));
    assert_eq!(first.findings(), sorted, "by file");
    assert_eq!(first.findings().len(), 25);
    for _ in 0..8 {
        assert!(check(&folder).out == first.out);
    }
    // Neither the order of arguments nor a repetition changes anything.
    let named = run(
        &folder,
        &["--check", "--format", "json", "--fail-on", "hint", "many", "release.yaml", ".", "many"],
    );
    assert!(named.out == first.out);
}

#[test]
fn a_file_is_checked_once_however_often_it_is_named() {
    let files = [("a/release.yaml", &*failing()), ("a/rendered.yaml", DEPLOYMENT)];
    let folder = Folder::new(&files);
    let once = ["a/release.yaml template-failed"];
    for paths in [&["."][..], &["a", "a"], &["a", "a/release.yaml"], &[".", "a"], &["a/release.yaml", "."]] {
        let ran = run(&folder, &[&["--check", "--format", "json"], paths].concat());
        assert_eq!(ran.findings(), once, "{paths:?}");
        let ran = run(&folder, &[&["--check"], paths].concat());
        assert!(
            ran.out.ends_with("2 files checked: 1 error, 0 warnings, 0 hints\n"),
            "{paths:?}: {}",
            ran.out
        );
    }
    // Also where the folders are workspaces of their own.
    folder.write("a/.convoy-lsp.yaml", b"");
    assert_eq!(run(&folder, &["--check", "--format", "json", ".", "a"]).findings(), once);
}

// ---- the walk ----

#[test]
fn broken_files_are_findings_and_neighbours_are_checked() {
    let folder = Folder::new(&[
        ("a-broken.yaml", "apiVersion: convoy.kumodo.io/v1alpha1\nkind: Release\nmutations: [\n"),
        ("c-release.yaml", &failing()),
        ("rendered.yaml", DEPLOYMENT),
        ("values.yaml", "{{ a: b }}: [\n"),
    ]);
    folder.write("b-latin1.yaml", b"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: caf\xe9}\n");
    let ran = check(&folder);
    assert_eq!(ran.code, 1);
    assert_eq!(
        ran.findings(),
        ["a-broken.yaml yaml-syntax", "b-latin1.yaml file-encoding", "c-release.yaml template-failed"]
    );
    let encoding = &ran.json()[1];
    assert_eq!(encoding["message"], "invalid UTF-8 at byte 51, line 3");
    assert_eq!(encoding["range"]["start"], json!({ "line": 2, "character": 20 }));
}

#[test]
fn ignore_files_count_unless_a_file_is_named() {
    let folder = Folder::new(&[
        (".convoy-lsp.yaml", ""),
        (".gitignore", "ignored.yaml\nvendor/\n"),
        (".ignore", "hidden-by-ignore.yaml\n"),
        ("ignored.yaml", &failing()),
        ("hidden-by-ignore.yaml", &failing()),
        ("vendor/release.yaml", &failing()),
        ("release.yaml", &good()),
        ("rendered.yaml", DEPLOYMENT),
    ]);
    assert!(check(&folder).findings().is_empty());
    for name in ["ignored.yaml", "hidden-by-ignore.yaml", "vendor/release.yaml"] {
        let ran = run(&folder, &["--check", "--format", "json", name]);
        assert_eq!(ran.findings(), [format!("{name} template-failed")], "{}", ran.err);
        assert_eq!(ran.code, 1);
    }
}

#[test]
fn an_ignore_file_above_the_workspace_is_not_read() {
    let folder = Folder::new(&[
        (".gitignore", "*.yaml\n"),
        ("work/.convoy-lsp.yaml", ""),
        ("work/release.yaml", &failing()),
        ("work/rendered.yaml", DEPLOYMENT),
    ]);
    let ran = run_in(&folder.path("work"), &["--check", "--format", "json"]);
    assert_eq!(ran.findings(), ["release.yaml template-failed"]);
}

#[test]
fn a_named_folder_that_an_ignore_file_excludes_is_checked_or_refused() {
    let folder = Folder::new(&[
        (".convoy-lsp.yaml", ""),
        (".gitignore", "vendor/\n"),
        ("vendor/release.yaml", &failing()),
        ("vendor/rendered.yaml", DEPLOYMENT),
    ]);
    let ran = run(&folder, &["--check", "--format", "json", "vendor"]);
    assert_ne!(ran.code, 0, "a verdict over nothing is no verdict: {}", ran.out);
}

#[test]
fn files_of_other_names_are_checked_only_when_named() {
    let folder = Folder::new(&[
        ("release.txt", &failing()),
        ("RELEASE.YML", &failing()),
        ("rendered.yaml", DEPLOYMENT),
    ]);
    assert_eq!(check(&folder).findings(), ["RELEASE.YML template-failed"]);
    let ran = run(&folder, &["--check", "--format", "json", "release.txt"]);
    assert_eq!(ran.findings(), ["release.txt template-failed"]);
}

#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    use std::os::unix::fs::symlink;
    let outside = Folder::new(&[("secret.yaml", DEPLOYMENT), ("folder/release.yaml", &failing())]);
    let folder = Folder::new(&[("release.yaml", &failing())]);
    symlink(outside.path("secret.yaml"), folder.path("link.yaml")).unwrap();
    symlink(outside.path("folder"), folder.path("link")).unwrap();
    symlink(folder.path("."), folder.path("loop")).unwrap();
    symlink("nowhere.yaml", folder.path("dangling.yaml")).unwrap();
    // The Deployment behind the link is no sample, so that nothing fails.
    let ran = check(&folder);
    assert_eq!(ran.findings(), Vec::<String>::new());
    let ran = run(&folder, &["preview", "release.yaml", "--all", "--format", "yaml"]);
    assert_eq!(ran.out, "");
    // A modeline is no way around it.
    folder.write("release.yaml", format!("# convoy-lsp: samples=link.yaml\n{}", failing()).as_bytes());
    assert_eq!(check(&folder).findings(), ["release.yaml modeline"]);
    folder.write("release.yaml", format!("# convoy-lsp: samples=link/..\n{}", failing()).as_bytes());
    assert_eq!(check(&folder).findings(), ["release.yaml modeline"]);
}

#[test]
fn samples_outside_of_the_workspace_are_never_read() {
    let folder =
        Folder::new(&[("outside.yaml", DEPLOYMENT), ("work/.convoy-lsp.yaml", ""), ("work/a/x.yaml", "")]);
    let absolute = folder.path("outside.yaml");
    for name in ["../../outside.yaml", "../../work/../outside.yaml", absolute.to_str().unwrap(), "../.."] {
        folder
            .write("work/a/release.yaml", format!("# convoy-lsp: samples={name}\n{}", failing()).as_bytes());
        let ran = run_in(&folder.path("work"), &["--check", "--format", "json"]);
        // Were it read, the template would fail.
        assert_eq!(ran.findings(), ["a/release.yaml modeline"], "{name}");
        let found = ran.json();
        assert_eq!(found[0]["message"], format!("{name} lies outside the workspace and is not read"));
        assert_eq!(found[0]["range"]["start"], json!({ "line": 0, "character": 14 }));
        let ran = run_in(&folder.path("work"), &["preview", "a/release.yaml", "--all", "--format", "yaml"]);
        assert_eq!(ran.out, "", "{name}");
    }
}

#[test]
fn settings_cannot_reach_outside_either() {
    for pattern in ["../*.yaml", "../outside.yaml", "/**/*.yaml", "**/outside.yaml"] {
        let folder = Folder::new(&[
            ("outside.yaml", DEPLOYMENT),
            ("work/.convoy-lsp.yaml", &format!("samples: ['{pattern}']\n")),
            ("work/release.yaml", &failing()),
        ]);
        let ran = run_in(&folder.path("work"), &["--check", "--format", "json"]);
        assert!(!ran.out.contains("template-failed"), "{pattern}: {}", ran.out);
    }
}

// ---- for people ----

#[test]
fn a_finding_for_people() {
    let folder = Folder::new(&[("deploy/release.yaml", &failing()), ("deploy/rendered.yaml", DEPLOYMENT)]);
    expect![[r#"
        error[template-failed]: nil pointer evaluating interface {}.zone
         --> deploy/release.yaml:9:49
          |
        9 |     metadata: {labels: {zone: "{{ .object.status.zone }}"}}
          |                                                 ^^^^^
          |
          = help: what .zone is read from does not exist; guard it with {{ with … }} or {{ if … }}
        note: fails for Deployment/web
         --> deploy/rendered.yaml:3:18
          |
        3 | metadata: {name: web, labels: {app: web}}
          |                  ---

        2 files checked: 1 error, 0 warnings, 0 hints
    "#]]
    .assert_eq(&run(&folder, &["--check"]).out);
}

#[test]
fn colour_only_where_it_is_wanted() {
    let folder = Folder::new(&[("release.yaml", &failing()), ("rendered.yaml", DEPLOYMENT)]);
    let coloured = |arguments: &[&str]| run(&folder, arguments).out.contains('\u{1b}');
    assert!(!coloured(&["--check"]), "a pipe is no terminal");
    assert!(coloured(&["--check", "--color", "always"]));
    assert!(!coloured(&["--check", "--color", "never"]));
    assert!(!coloured(&["--check", "--color", "always", "--format", "json"]));
}

#[test]
fn control_characters_of_a_file_do_not_reach_the_terminal() {
    let text = "apiVersion: convoy.kumodo.io/v1alpha1\nkind: Release\nmutations:\n- type: \"\\e[31mx\"\n  name: \u{1b}[2Jx\n";
    let folder = Folder::new(&[("release.yaml", text)]);
    let ran = run(&folder, &["--check"]);
    assert_eq!(ran.code, 1);
    assert!(!ran.out.contains('\u{1b}'), "{:?}", ran.out);
}

#[test]
fn help_names_every_flag() {
    let folder = Folder::new(&[]);
    let ran = run(&folder, &["--help"]);
    assert_eq!(ran.code, 0);
    for flag in
        ["--check", "--format", "--fail-on", "--color", "--stdio", "--help", "--version", "preview", "schema"]
    {
        assert!(ran.out.contains(flag), "{flag}: {}", ran.out);
    }
    let ran = run(&folder, &["preview", "--help"]);
    for flag in ["--cluster", "--object", "--all", "--format", "diff", "yaml", "<PATH>"] {
        assert!(ran.out.contains(flag), "{flag}: {}", ran.out);
    }
    let ran = run(&folder, &["--version"]);
    assert_eq!((ran.code, ran.out), (0, format!("convoy-lsp {}\n", env!("CARGO_PKG_VERSION"))));
}

#[test]
fn the_schema_is_json_and_knows_the_settings() {
    let ran = run(&Folder::new(&[]), &["schema"]);
    assert_eq!(ran.code, 0);
    let schema: Json = serde_json::from_str(&ran.out).expect("JSON");
    for name in ["samples", "clusters", "cluster", "object", "rules", "convoy"] {
        assert!(schema["properties"][name]["description"].is_string(), "{name}");
    }
    assert_eq!(schema["additionalProperties"], false);
}

// ---- preview ----

#[test]
fn preview_as_a_difference() {
    let folder = podinfo();
    let ran = run(&folder, &["preview", "release.yaml", "--object", "Deployment/podinfo-cache"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    expect![[r"
        # Deployment/podinfo-cache, cluster east
        --- rendered
        +++ mutated
        @@ -4,6 +4,11 @@
           name: podinfo-cache
           labels:
             app: podinfo-cache
        +    convoy.kumodo.io/release: podinfo
        +  annotations:
        +    region: eu-central-1
        +    convoy.kumodo.io/type: prod
        +    convoy.kumodo.io/role: gateway
         spec:
           replicas: 1
           selector:

    "]]
    .assert_eq(&ran.out);
}

/// The YAML documents of an output.
fn documents(out: &str) -> Vec<convoy_value::Value> {
    let tree = convoy_yaml::parse(out);
    assert_eq!(tree.errors().count(), 0, "{out}");
    let value = |root| convoy_yaml::value(&tree, root, convoy_yaml::Options::default()).expect("a value");
    tree.documents().iter().filter_map(|document| document.root).map(value).collect()
}

fn names(out: &str) -> Vec<String> {
    let text = |value: Option<&convoy_value::Value>| value.and_then(|v| v.as_str()).unwrap_or("?").to_owned();
    let label = |object: &convoy_value::Value| {
        format!("{}/{}", text(object.get("kind")), text(object.at(["metadata", "name"])))
    };
    documents(out).iter().map(label).collect()
}

#[test]
fn preview_as_yaml() {
    let folder = podinfo();
    let ran = run(&folder, &["preview", "release.yaml", "--format", "yaml"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(names(&ran.out), ["Service/podinfo", "Deployment/podinfo", "Deployment/podinfo-cache"]);
    let deployment = &documents(&ran.out)[1];
    let region = deployment.at(["metadata", "annotations", "region"]).and_then(|v| v.as_str());
    assert_eq!(region, Some("eu-central-1"));
    assert_eq!(
        deployment.at(["metadata", "labels", "version"]).and_then(|v| v.as_str()),
        Some("6.7"),
        "still a text"
    );
    assert!(ran.out.contains("replicas: 3\n"));
}

#[test]
fn preview_of_several_files_and_folders() {
    let folder = podinfo();
    let one = run(&folder, &["preview", "release.yaml", "--format", "yaml"]);
    folder.write("more/release.yaml", example("release.yaml").as_bytes());
    let both = run(&folder, &["preview", "release.yaml", "more", "release.yaml", "--format", "yaml"]);
    assert_eq!(both.code, 0, "{}", both.err);
    let (first, second) = ("# release.yaml\n", "---\n# more/release.yaml\n");
    assert_eq!(both.out, format!("{first}{}{second}{}", one.out, one.out));
    let none = run(&folder, &["preview", "clusters"]);
    assert_eq!((none.code, none.out.as_str()), (2, ""));
    assert_eq!(none.err, "convoy-lsp: no file there has a Release or a list of mutations\n");
}

#[test]
fn preview_for_a_cluster() {
    let folder = podinfo();
    let arguments = ["preview", "release.yaml", "--object", "Deployment/podinfo-cache", "--cluster"];
    let of = |cluster: &str| run(&folder, &[&arguments[..], &[cluster]].concat());
    assert!(of("east").out.contains("+    region: eu-central-1\n"));
    assert!(of("edge").out.contains("+    region: none\n"));
    assert!(of("edge").out.starts_with("# Deployment/podinfo-cache, cluster edge\n"));
    let unknown = of("north");
    assert_eq!((unknown.code, unknown.out.as_str()), (2, ""));
    assert_eq!(
        unknown.err,
        "convoy-lsp: there is no cluster \"north\" in the workspace; known are: east, edge, west\n"
    );
}

#[test]
fn preview_of_one_object_or_all() {
    let folder = podinfo();
    folder.write("other.yaml", b"apiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: prod}\n");
    let of = |arguments: &[&str]| {
        run(&folder, &[&["preview", "release.yaml", "--format", "yaml"], arguments].concat())
    };
    assert_eq!(names(&of(&["--object", "Service/podinfo"]).out), ["Service/podinfo"]);
    assert_eq!(names(&of(&[]).out).len(), 3, "the Secret matches no mutation");
    assert_eq!(names(&of(&["--all"]).out).len(), 4);
    assert_eq!(names(&of(&["--all", "--object", "Secret/s"]).out), ["Secret/s"]);
    assert_eq!(names(&of(&["--all", "--object", "Secret/prod/s"]).out), ["Secret/s"]);
    for wrong in ["Secret/s", "Secret/nothing", "podinfo"] {
        let ran = of(&["--object", wrong]);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{wrong}");
        assert!(ran.err.contains(&format!("no mutation matches an object {wrong}")), "{}", ran.err);
    }
}

#[test]
fn preview_of_a_mutation_list() {
    let list = "# convoy-lsp: mutations release=web\n- type: syncWave\n  target: {kind: Deployment}\n  waveStrategy: {wave: 3}\n";
    let folder = Folder::new(&[("list.yaml", list), ("rendered.yaml", DEPLOYMENT)]);
    let ran = run(&folder, &["preview", "list.yaml"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(ran.out.contains("+    convoy.kumodo.io/sync-wave: \"3\"\n"), "{}", ran.out);
}

#[test]
fn failures_of_a_preview_go_to_standard_error() {
    let folder = podinfo();
    let ran = run(&folder, &["preview", "broken.yaml", "--format", "yaml"]);
    assert_eq!(ran.code, 1);
    assert_eq!(
        names(&ran.out),
        ["Deployment/podinfo", "Deployment/podinfo-cache"],
        "still the YAML of the rest"
    );
    let failure = "convoy-lsp: mutation 0 (goTemplate) on Deployment/podinfo, cluster east: nil pointer evaluating \
                   interface {}.zone (Applied=False, reason DeployFailed, stage Rendering)\n";
    assert!(ran.err.contains(failure), "{}", ran.err);
    assert!(ran.err.lines().all(|line| line.starts_with("convoy-lsp: ")), "{}", ran.err);
    let ran = run(&folder, &["preview", "broken.yaml"]);
    assert_eq!(ran.code, 1);
    assert!(ran.out.starts_with("# Deployment/podinfo, cluster east\n"));
}

#[test]
fn preview_of_a_file_without_a_release_is_a_wrong_call() {
    let folder = podinfo();
    let ran = run(&folder, &["preview", "rendered.yaml"]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert_eq!(ran.err, "convoy-lsp: rendered.yaml has no Release and no list of mutations\n");
}

#[test]
fn preview_without_samples_says_so() {
    let folder = Folder::new(&[("release.yaml", &good())]);
    let ran = run(&folder, &["preview", "release.yaml"]);
    assert_eq!(ran.code, 0);
    assert!(ran.err.contains("no mutation matches an object of the workspace"), "{}", ran.err);
    // What is shown instead says what it is, and is never a result that could be applied.
    assert!(
        ran.out.starts_with("# Deployment/web (made up from the type), no Cluster found\n"),
        "{}",
        ran.out
    );
    let ran = run(&folder, &["preview", "release.yaml", "--format", "yaml"]);
    assert_eq!((ran.code, ran.out.as_str()), (0, ""));
}

// ---- streams ----

/// Runs with a standard output whose reader leaves after one line.
fn into_head(folder: &Folder, arguments: &[&str]) -> (String, i32, String) {
    let mut child = command(&folder.root, arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    let mut line = String::new();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    out.read_line(&mut line).unwrap();
    drop(out);
    let mut err = String::new();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    (line, child.wait().unwrap().code().expect("no signal"), err)
}

#[test]
fn a_reader_of_the_output_may_leave() {
    let folder = podinfo();
    // More than a pipe holds, so that the writer meets the closed end.
    for i in 0..400 {
        folder.write(&format!("many/{i}.yaml"), failing().as_bytes());
    }
    folder.write("many/objects.yaml", DEPLOYMENT.as_bytes());
    for arguments in [&["--check"][..], &["--check", "--format", "json"]] {
        let (line, code, err) = into_head(&folder, arguments);
        assert!(!line.is_empty());
        assert!(code == 0 || code == 1, "{code}");
        assert_eq!(err, "", "{arguments:?}");
    }
    let objects: String =
        (0..2000).map(|i| DEPLOYMENT.replace("web,", &format!("web{i},")) + "---\n").collect();
    let all = Folder::new(&[("release.yaml", &good()), ("objects.yaml", &objects)]);
    let (line, code, err) = into_head(&all, &["preview", "release.yaml", "--all"]);
    assert_eq!((line.as_str(), code, err.as_str()), ("# Deployment/web0, no Cluster found\n", 0, ""));
}

#[test]
fn a_reader_that_leaves_does_not_hide_the_verdict() {
    let folder = Folder::new(&[("release.yaml", &failing()), ("rendered.yaml", DEPLOYMENT)]);
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let status =
        command(&folder.root, &["--check"]).stdout(writer).stderr(Stdio::null()).status().expect("it runs");
    assert_eq!(
        status.code(),
        Some(1),
        "with `set -o pipefail`, `| head` must not turn findings into success"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_that_cannot_be_written_is_an_error() {
    let folder = Folder::new(&[("release.yaml", &good()), ("rendered.yaml", DEPLOYMENT)]);
    for arguments in
        [&["--check"][..], &["--check", "--format", "json"], &["preview", "release.yaml"], &["schema"]]
    {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let output = command(&folder.root, arguments).stdout(full).output().expect("it runs");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: half a report is none");
        assert!(String::from_utf8_lossy(&output.stderr).starts_with("convoy-lsp: "), "{arguments:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_path_that_is_neither_file_nor_folder_is_read_or_refused() {
    // `convoy-lsp --check <(helm template …)` names a pipe.
    let folder = Folder::new(&[]);
    let mut child = command(&folder.root, &["--check", "--format", "json", "/dev/stdin"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    let mut input = child.stdin.take().unwrap();
    // A program that refuses the path may be gone already.
    let _ = input.write_all(failing().replace("mutations:", "mutations: 5 #").as_bytes());
    drop(input);
    let ran = Ran::of(child.wait_with_output().unwrap());
    assert_ne!(ran.code, 0, "a verdict over nothing is no verdict: {}{}", ran.out, ran.err);
}

#[cfg(unix)]
#[test]
fn a_reader_of_the_errors_may_leave() {
    use std::os::unix::process::ExitStatusExt as _;
    let folder = podinfo();
    for arguments in
        [&["preview", "broken.yaml"][..], &["preview", "nowhere.yaml"], &["--check", "nowhere.yaml"]]
    {
        let mut command = command(&folder.root, arguments);
        // A pipe whose reader is gone before anything is written.
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let status = command.stdout(Stdio::null()).stderr(writer).status().expect("it runs");
        assert_eq!(status.signal(), None, "{arguments:?}");
        let code = status.code().unwrap();
        assert!(code == 1 || code == 2, "{arguments:?}: exit code {code}; 101 is a panic");
    }
}

// ---- the server as a process ----

fn frame(message: &Json) -> Vec<u8> {
    let body = message.to_string();
    format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

/// Runs the server on pipes, sends messages, and waits for its end while the input stays open.
fn serve(messages: &[Json]) -> (Option<i32>, String) {
    let mut child = command(&std::env::temp_dir(), &["--stdio"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it runs");
    let mut input = child.stdin.take().unwrap();
    for message in messages {
        input.write_all(&frame(message)).unwrap();
    }
    input.flush().unwrap();
    let (sender, ended) = crossbeam_channel::bounded(1);
    let mut out = child.stdout.take().unwrap();
    let id = child.id();
    let reader = std::thread::spawn(move || {
        let mut text = String::new();
        out.read_to_string(&mut text).unwrap();
        let _ = sender.send((child.wait().unwrap().code(), text));
    });
    let result = ended.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("process {id} does not end"));
    reader.join().unwrap();
    drop(input);
    result
}

fn initialize() -> [Json; 2] {
    [
        json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": { "processId": null, "capabilities": {} } }),
        json!({ "jsonrpc": "2.0", "method": "initialized", "params": {} }),
    ]
}

#[test]
fn the_process_ends_on_exit_with_the_input_open() {
    let [first, second] = initialize();
    let shutdown = json!({ "jsonrpc": "2.0", "id": 2, "method": "shutdown" });
    let exit = json!({ "jsonrpc": "2.0", "method": "exit" });
    let (code, out) = serve(&[first.clone(), second.clone(), shutdown, exit.clone()]);
    assert_eq!(code, Some(0));
    assert!(out.contains("\"id\":2,\"result\":null"), "{out}");
    let (code, _) = serve(&[first, second, exit]);
    assert_eq!(code, Some(1), "exit without shutdown");
}

#[test]
fn the_process_ends_on_exit_before_initialize() {
    let (code, _) = serve(&[json!({ "jsonrpc": "2.0", "method": "exit" })]);
    assert_eq!(code, Some(1), "LSP: 1 unless shutdown came before");
}

#[cfg(unix)]
#[test]
fn a_file_name_does_not_command_the_terminal() {
    let folder = Folder::new(&[("a\u{1b}[2J.yaml", &failing().replace("mutations:", "mutations: 5 #"))]);
    let output = command(&folder.root, &["--check"]).output().expect("it runs");
    let out = String::from_utf8_lossy(&output.stdout);
    assert!(!out.contains('\u{1b}') && out.contains(" a\\u{1b}[2J.yaml:"), "{out}");
}
