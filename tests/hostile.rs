//! Texts that are broken, huge, deep or malicious: the command line and the server end in time, do not panic, and
//! say what is wrong.
//!
//! With `CONVOY_HOSTILE_DIR=folder` the tests write their files there and run nothing, to measure the release build.

// Helpers of tests may fail as tests do, and build texts the short way.
#![allow(unreachable_pub, clippy::unwrap_used, clippy::format_collect)]

mod common;

use std::fmt::Write as _;
use std::io::Read as _;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use common::lsp::{Client, DEPLOYMENT, Folder, failing, good, release, rules};
use serde_json::Value as Json;

/// What each of the two may take in a debug build on a busy machine; the release build takes a small part of it.
const TIME: Duration = Duration::from_secs(20);

/// The bytes of a large file, and by what the counts of other large texts are divided. The release build meets the
/// whole; a debug build, some twenty times slower, a part that still shows what grows with the square.
const LARGE: usize = if cfg!(debug_assertions) { 1 << 18 } else { 5 << 20 };
const PART: usize = if cfg!(debug_assertions) { 10 } else { 1 };

/// One at a time, so that the times are about the text.
static TURN: Mutex<()> = Mutex::new(());

struct Case {
    name: &'static str,
    files: Vec<(&'static str, Vec<u8>)>,
    /// What is reported for the first file: a rule and a part of its message.
    wants: Option<(&'static str, &'static str)>,
}

impl Case {
    fn new(name: &'static str, text: impl Into<Vec<u8>>) -> Case {
        Case { name, files: vec![("release.yaml", text.into())], wants: None }
    }

    fn with(mut self, name: &'static str, text: impl Into<Vec<u8>>) -> Case {
        self.files.push((name, text.into()));
        self
    }

    /// Beside a Deployment.
    fn judged(self) -> Case {
        self.with("rendered.yaml", DEPLOYMENT)
    }

    fn wants(mut self, rule: &'static str, message: &'static str) -> Case {
        self.wants = Some((rule, message));
        self
    }

    fn assert_reported(&self, by: &str, found: &[(String, String)]) {
        match self.wants {
            Some((rule, message)) => assert!(
                found.iter().any(|(r, m)| r == rule && m.contains(message)),
                "{}: {by} does not report {rule}: {message}; but {:?}",
                self.name,
                &found[..found.len().min(5)]
            ),
            None => assert_eq!(found.first(), None, "{}: {by} reports something", self.name),
        }
    }

    /// Runs the program in the folder and gives its code and output.
    fn run(&self, folder: &Folder, arguments: &[&str]) -> (i32, String) {
        let start = Instant::now();
        let mut child = Command::new(env!("CARGO_BIN_EXE_convoy-lsp"))
            .args(arguments)
            .current_dir(&folder.root)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it runs");
        let mut out = child.stdout.take().unwrap();
        let mut err = child.stderr.take().unwrap();
        let (sender, ended) = crossbeam_channel::bounded(1);
        let readers = std::thread::spawn(move || {
            let err = std::thread::spawn(move || {
                let mut text = Vec::new();
                err.read_to_end(&mut text).map(|_| text)
            });
            let mut text = Vec::new();
            let out = out.read_to_end(&mut text).map(|_| text);
            let _ = sender.send(());
            (out.unwrap(), err.join().unwrap().unwrap())
        });
        if ended.recv_timeout(TIME).is_err() {
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("{}: {arguments:?} takes more than {} s", self.name, TIME.as_secs());
        }
        let (out, err) = readers.join().unwrap();
        let status = child.wait().unwrap();
        println!("{}: {arguments:?} {:.2} s", self.name, start.elapsed().as_secs_f64());
        let err = String::from_utf8_lossy(&err).into_owned();
        let err: String = err.chars().take(400).collect();
        assert!(
            !err.contains("panicked") && !err.contains("overflow"),
            "{}: {arguments:?}: {err}",
            self.name
        );
        let code = status.code().unwrap_or_else(|| panic!("{}: {arguments:?}: {status} {err}", self.name));
        (code, String::from_utf8(out).expect("UTF-8"))
    }

    fn check(&self, folder: &Folder) {
        let (code, out) = self.run(folder, &["--check", "--format", "json"]);
        let found: Vec<Json> = serde_json::from_str(&out).unwrap_or_else(|e| panic!("{}: {e}", self.name));
        let text = |finding: &Json, key: &str| finding[key].as_str().unwrap_or_default().to_owned();
        let errors = found.iter().any(|finding| finding["severity"] == "error");
        // A fault of the settings has an exit code of its own.
        let unusable = found.iter().any(|finding| finding["file"] == ".convoy-lsp.yaml");
        let expected = if unusable { 2 } else { i32::from(errors) };
        assert_eq!(code, expected, "{}", self.name);
        let here: Vec<(String, String)> = found
            .iter()
            .filter(|finding| finding["file"] == self.files[0].0)
            .map(|finding| (text(finding, "rule"), text(finding, "message")))
            .collect();
        self.assert_reported("--check", &here);
        // For people too: the renderer reads the lines of the finding.
        let (code, out) = self.run(folder, &["--check"]);
        assert_eq!(code, expected, "{}", self.name);
        assert!(out.contains(" checked: "), "{}", self.name);
    }

    fn serve(&self, folder: &Folder) {
        let start = Instant::now();
        let mut client = Client::start(&[&folder.root], true);
        client.patience = TIME;
        let (name, bytes) = &self.files[0];
        let uri = folder.uri(name);
        let mut place = (0, 0);
        if let Ok(text) = std::str::from_utf8(bytes) {
            client.open(&uri, 1, text);
            let at = ["inline:", "patches:", "mutations"]
                .iter()
                .find_map(|key| text.find(key))
                .unwrap_or(text.len() / 2);
            let before = &text[..(0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)];
            place =
                (before.matches('\n').count() as u32, before.rsplit('\n').next().unwrap_or("").len() as u32);
        }
        let found = client.pull(&uri);
        let of = |d: &Json| d["message"].as_str().unwrap_or_default().to_owned();
        let found: Vec<(String, String)> = rules(&found).into_iter().zip(found.iter().map(of)).collect();
        self.assert_reported("the server", &found);
        client.hover(&uri, place.0, place.1);
        // The answer to one keystroke more.
        let range = serde_json::json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": 0 } });
        client.change(&uri, 2, serde_json::json!([{ "range": range, "text": "\n" }]));
        client.pull(&uri);
        client.shut_down();
        println!("{}: server {:.2} s", self.name, start.elapsed().as_secs_f64());
    }

    fn survive(&self) {
        let _turn = TURN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(folder) = std::env::var_os("CONVOY_HOSTILE_DIR") {
            let folder = std::path::Path::new(&folder).join(self.name);
            std::fs::create_dir_all(&folder).unwrap();
            for (name, bytes) in &self.files {
                std::fs::write(folder.join(name), bytes).unwrap();
            }
            return;
        }
        let folder = Folder::new(&[]);
        for (name, bytes) in &self.files {
            folder.write(name, bytes);
        }
        self.check(&folder);
        self.serve(&folder);
        let (code, _) = self.run(&folder, &["preview", self.files[0].0, "--format", "yaml"]);
        assert!(code <= 2, "{}: {code}", self.name);
        self.run(&folder, &["preview", self.files[0].0]);
    }
}

const HEAD: &str = "\
apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
";

/// A Release with more fields at its end.
fn with_fields(fields: &str) -> String {
    format!("{HEAD}{fields}")
}

/// A Release with a jsonPatch.
fn patch(operations: &str) -> String {
    format!(
        "{HEAD}mutations:\n- type: jsonPatch\n  target: {{kind: Deployment, name: web}}\n  patches:\n{operations}"
    )
}

// ---- small and strange ----

#[test]
fn an_empty_file() {
    Case::new("empty", "").survive();
    Case::new("spaces", "   \n\n\t").survive();
}

#[test]
fn only_comments() {
    Case::new("comments", "# convoy-lsp:\n# convoy-lsp: ignore[\n#convoy-lsp:samples\n---\n# a\n...\n")
        .survive();
}

#[test]
fn broken_yaml() {
    Case::new("broken", with_fields("mutations: [{type: goTemplate, inline: \"a\n"))
        .wants("yaml-syntax", "")
        .survive();
    Case::new("broken-indent", with_fields("mutations:\n  - type: goTemplate\n - type: x\n\ta\n"))
        .wants("yaml-syntax", "")
        .survive();
}

#[test]
fn a_brace_is_missing() {
    for (name, template) in [("half-nil", "{{nil}"), ("half-name", "{{x}"), ("half-call", "{{eq .l nil}")] {
        let fields = format!(
            "mutations:\n- type: goTemplate\n  target: {{kind: Deployment}}\n  inline: \"{template}\"\n"
        );
        Case::new(name, with_fields(&fields)).wants("template-syntax", "").survive();
    }
}

/// Places of one character, where that is a wide one.
#[test]
fn a_wide_character_stands_for_the_rest() {
    let text = with_fields("").replace("spec: {}\n", "spec:\n  é: 1\n  - x\n");
    Case::new("wide-context", text).wants("yaml-syntax", "").survive();
    let text = with_fields("mutations:\n- é: 1\n");
    Case::new("wide-mutation", text).wants("unknown-field", "").survive();
    let value = "'{{ printf `%c` 34 }}é'";
    let text = with_fields(&format!(
        "mutations:\n- type: jsonPatch\n  target: {{kind: Deployment}}\n  patches: [{{op: add, path: /metadata/labels, value: {value}}}]\n"
    ));
    Case::new("wide-json", text).judged().wants("json-patch-rendered", "").survive();
}

#[test]
fn carriage_returns() {
    let text = failing();
    for (name, end) in [("crlf", "\r\n"), ("cr", "\r")] {
        Case::new(name, text.replace('\n', end)).judged().wants("template-failed", "nil pointer").survive();
    }
}

#[test]
fn a_byte_order_mark() {
    Case::new("bom", format!("\u{feff}{}", failing()))
        .judged()
        .wants("template-failed", "nil pointer")
        .survive();
    let documents = format!("{DEPLOYMENT}---\n\u{feff}{}", failing());
    // Within the stream it is a character like another.
    Case::new("bom-later", documents).judged().survive_whatever();
}

#[test]
fn a_file_in_utf_16() {
    for (name, big) in [("utf16-le", false), ("utf16-be", true)] {
        let units = format!("\u{feff}{}", failing()).encode_utf16().collect::<Vec<_>>();
        let bytes: Vec<u8> =
            units.iter().flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect();
        Case::new(name, bytes).judged().wants("file-encoding", "invalid UTF-8 at byte 0").survive();
    }
}

#[test]
fn control_characters() {
    for (name, c) in [("nul", '\0'), ("escape", '\u{1b}'), ("delete", '\u{7f}'), ("c1", '\u{9b}')] {
        let text = with_fields(&format!("mutations:\n- type: go{c}Template\n"));
        Case::new(name, text).wants("yaml-syntax", "control characters are not allowed").survive();
    }
    let text = with_fields("mutations:\n- type: \"\\0\\e[2J\\u202e\"\n  \u{200b}inline: \u{2028}\n");
    Case::new("escapes", text).wants("mutation-type", "").survive();
}

#[test]
fn bytes_that_are_no_utf_8() {
    let mut bytes = failing().into_bytes();
    for i in (0..bytes.len()).step_by(7) {
        bytes[i] = 0x80 | (i as u8);
    }
    Case::new("bytes", bytes).judged().wants("file-encoding", "invalid UTF-8").survive();
    let mut bytes = failing().into_bytes();
    let at = bytes.windows(6).position(|w| w == b"status").unwrap();
    bytes[at] = 0xff;
    Case::new("byte", bytes).judged().wants("file-encoding", "invalid UTF-8").survive();
}

// ---- large ----

fn manifest(bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + 2000);
    let mut i = 0;
    while text.len() < bytes {
        let _ = write!(
            text,
            "---\napiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web-{i}\n  labels: {{app: web, n: \"{i}\"}}\nspec:\n  replicas: {i}\n  template:\n    spec:\n      containers:\n"
        );
        for c in 0..10 {
            let _ = write!(
                text,
                "      - name: c{c}\n        image: \"nginx:{i}\"\n        env:\n        - name: A\n          value: \"line\\n😀 {i}\"\n        ports: [{{containerPort: 80, protocol: TCP}}]\n"
            );
        }
        i += 1;
    }
    text
}

#[test]
fn a_large_manifest() {
    let every = |text: String| text.replace(", name: web}", "}");
    Case::new("manifest", every(failing()))
        .with("rendered.yaml", manifest(LARGE))
        .wants("template-failed", "nil pointer")
        .survive();
    Case::new("manifest-good", every(good())).with("rendered.yaml", manifest(LARGE)).survive();
}

#[test]
fn a_large_manifest_in_the_same_file() {
    let text = format!("{}{}", failing().replace(", name: web}", "}"), manifest(LARGE));
    Case::new("manifest-one-file", text).wants("template-failed", "nil pointer").survive();
}

#[test]
fn many_small_objects() {
    let objects: String = (0..20_000 / PART)
        .map(|i| format!("---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: w{i}}}\nspec: {{replicas: 1}}\n"))
        .collect();
    let text = failing().replace(", name: web}", "}");
    Case::new("objects", text)
        .with("rendered.yaml", objects)
        .wants("template-failed", "nil pointer")
        .survive();
}

#[test]
fn a_large_broken_document() {
    let ordinary = manifest(LARGE).replace("---\n", "").replace('\n', "\n  ");
    let first = with_fields(&format!("a: \"\nb:\n  {ordinary}"));
    Case::new("broken-first", first).wants("yaml-syntax", "").survive();
    let indented = with_fields(&format!("b:\n  {ordinary}\n c: x\n"));
    Case::new("broken-last", indented).wants("yaml-syntax", "").survive();
}

#[test]
fn a_fault_in_every_line() {
    for (name, line) in [
        ("lines-quote", "- a: \"x\n"),
        ("lines-bracket", "- a: [x\n"),
        ("lines-indent", "   - a: x\n  b: y\n"),
        ("lines-alias", "- *a\n"),
        ("lines-colon", "- a: b: c\n"),
        ("lines-tab", "\t- a\n"),
    ] {
        let text = with_fields(&format!("mutations:\n{}", line.repeat(LARGE / line.len())));
        Case::new(name, text).wants("yaml-syntax", "").survive();
    }
}

#[test]
fn a_wrong_value_in_every_line() {
    let text = with_fields(&format!("mutations:\n{}", "- 5\n".repeat(LARGE / 4)));
    Case::new("lines-value", text).wants("field-type", "mutations[0] is a scalar").survive();
}

#[test]
fn a_long_line() {
    let word = "x".repeat(LARGE / 5);
    Case::new("line-plain", with_fields(&format!("description: {word}\n"))).survive();
    let list = "a, ".repeat(LARGE / 15);
    Case::new("line-flow", with_fields(&format!("description: [{list}b]\n"))).survive();
    let text = release(&format!(
        "metadata: {{annotations: {{a: \"{word}\", zone: \"{{{{ .object.status.zone }}}}\"}}}}"
    ));
    Case::new("line-template", text).judged().wants("template-failed", "nil pointer").survive();
    let actions = "{{ .object.kind }}".repeat(LARGE / 90);
    let text =
        release(&format!("metadata: {{annotations: {{a: \"{actions}{{{{ .object.status.zone }}}}\"}}}}"));
    Case::new("line-actions", text).judged().wants("template-failed", "nil pointer").survive();
    Case::new("line-key", with_fields(&format!("{word}: 1\n"))).wants("yaml-syntax", "").survive();
}

#[test]
fn many_anchors() {
    let anchors: String = (0..100_000 / PART).map(|i| format!("- &a{i} x\n")).collect();
    Case::new("anchors", with_fields(&format!("x:\n{anchors}"))).survive();
    let aliases: String = (0..100_000 / PART).map(|i| format!("- *a{i}\n")).collect();
    Case::new("aliases", with_fields(&format!("x:\n{anchors}y:\n{aliases}"))).survive();
    let same = "- *a\n".repeat(100_000 / PART);
    Case::new("alias-same", with_fields(&format!("a: &a x\nx:\n{same}"))).survive();
}

#[test]
fn many_keys() {
    let keys: String = (0..100_000 / PART).map(|i| format!("k{i}: x\n")).collect();
    Case::new("keys", with_fields(&keys)).survive();
    let text = with_fields(&format!(
        "mutations:\n- type: syncWave\n  waveStrategy: {{wave: 1}}\n  {}",
        keys.replace('\n', "\n  ")
    ));
    Case::new("keys-of-a-mutation", text).wants("unknown-field", "").survive();
}

#[test]
fn many_documents() {
    let broken = format!("---\n{HEAD}a: \"\n").repeat(10_000 / PART);
    Case::new("quotes", broken).wants("yaml-syntax", "").survive();
    Case::new("document-marks", "---\n".repeat(100_000)).survive();
}

#[test]
fn many_releases() {
    let text = format!("---\n{}", good()).repeat(1000 / PART);
    Case::new("releases", text).judged().survive();
}

#[test]
fn many_mutations() {
    let one = good().split_once("mutations:\n").unwrap().1.to_owned();
    let text = with_fields(&format!(
        "mutations:\n{}",
        one.replace("core", "c{{ .object.kind }}").repeat(2000 / PART)
    ));
    Case::new("mutations", text).judged().wants("no-effect", "").survive();
}

#[test]
fn many_comments_that_speak() {
    let text = format!("{}{}", "# convoy-lsp: samples=rendered.yaml x\n".repeat(20_000 / PART), failing());
    Case::new("modelines", text).judged().wants("modeline", "no key").survive();
    let text = format!(
        "# convoy-lsp: samples={}rendered.yaml\n{}",
        "nowhere.yaml,".repeat(20_000 / PART),
        failing()
    );
    Case::new("modeline-long", text)
        .judged()
        .wants("modeline", "no object is found in nowhere.yaml")
        .survive();
    let text = format!("{}{}", "x: 1 # convoy-lsp: ignore[duplicate-key]\n".repeat(20_000 / PART), failing());
    Case::new("suppressions", text).judged().wants("template-failed", "").survive();
}

// ---- deep ----

#[test]
fn nested_brackets() {
    for (name, n) in [("brackets-10000", 10_000), ("brackets-1000000", 1_000_000)] {
        let text = with_fields(&format!("x: {}\n", "[".repeat(n)));
        Case::new(name, text).wants("yaml-syntax", "").survive();
    }
    let text = with_fields(&format!("x: {}{}\n", "[".repeat(100_000), "]".repeat(100_000)));
    Case::new("brackets-closed", text).wants("yaml-syntax", "exceeded max depth of 10000").survive();
    let text = with_fields(&format!("x: {}1{}\n", "{a: ".repeat(100_000), "}".repeat(100_000)));
    Case::new("braces-closed", text).wants("yaml-syntax", "exceeded max depth of 10000").survive();
}

#[test]
fn nesting_just_below_the_limit() {
    let n = 9_990;
    let text = with_fields(&format!("x: {}{}\n", "[".repeat(n), "]".repeat(n)));
    Case::new("brackets-below", text).wants("yaml-syntax", "nested deeper than 400 levels").survive();
    let object = format!("{DEPLOYMENT}x: {}1{}\n", "{a: ".repeat(n), "}".repeat(n));
    Case::new("object-below", good()).with("rendered.yaml", object).survive_whatever();
    // The output of a template.
    let text = release(&format!("x: {}1{}", "{a: ".repeat(n), "}".repeat(n)));
    Case::new("output-below", text).judged().survive_whatever();
    // A value of a patch.
    let text = patch(&format!("  - {{op: add, path: /x, value: {}1{}}}\n", "{a: ".repeat(n), "}".repeat(n)));
    Case::new("value-below", text).judged().survive_whatever();
}

#[test]
fn nested_block_maps() {
    let maps: String = (0..3000).map(|i| format!("{}a:\n", " ".repeat(i))).collect();
    Case::new("block-maps", with_fields(&maps))
        .wants("yaml-syntax", "nested deeper than 400 levels")
        .survive();
    Case::new("block-lists", with_fields(&format!("x:\n{}x\n", "- ".repeat(20_000))))
        .wants("yaml-syntax", "exceeded max depth of 10000")
        .survive();
    Case::new("block-keys", with_fields(&format!("{}x\n", "? ".repeat(20_000))))
        .wants("yaml-syntax", "exceeded max depth of 10000")
        .survive();
}

#[test]
fn an_alias_bomb() {
    let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for i in 1..9 {
        let aliases = vec![format!("*a{}", i - 1); 9].join(", ");
        let _ = writeln!(text, "a{i}: &a{i} [{aliases}]");
    }
    Case::new("bomb", with_fields(&text))
        .wants("yaml-syntax", "document contains excessive aliasing")
        .survive();
    // In the output of a template, in an object, and in a Release's own list.
    Case::new("bomb-output", release(&text))
        .judged()
        .wants("overlay-syntax", "document contains excessive aliasing")
        .survive();
    Case::new("bomb-object", good()).with("rendered.yaml", format!("{DEPLOYMENT}{text}")).survive();
    let text = with_fields(&format!("{text}mutations: *a8\n"));
    Case::new("bomb-mutations", text).wants("yaml-syntax", "document contains excessive aliasing").survive();
}

#[test]
fn aliases_that_contain_themselves() {
    let text = with_fields(
        "mutations: &a\n- &b {type: goTemplate, <<: *b, inline: *a, target: *b, from: *b}\n- *a\n",
    );
    Case::new("alias-itself", text).judged().wants("yaml-syntax", "contains itself").survive();
    let text = with_fields(
        "mutations:\n- &m {type: jsonPatch, target: {}, patches: &p [{op: add, path: /a, value: *p}, *m]}\n",
    );
    Case::new("alias-patches", text).judged().wants("yaml-syntax", "contains itself").survive();
}

// ---- templates ----

#[test]
fn a_template_that_calls_itself() {
    let text = release("{{define \"a\"}}{{template \"a\" .}}{{end}}{{template \"a\" .}}");
    Case::new("recursion", text)
        .judged()
        .wants("template-failed", "exceeded maximum template depth (100000)")
        .survive();
    let text = release(
        "{{define \"a\"}}{{template \"b\" .}}x{{end}}{{define \"b\"}}{{if true}}{{with 1}}{{template \"a\" .}}{{end}}{{end}}{{end}}{{template \"a\" .}}",
    );
    Case::new("recursion-two", text)
        .judged()
        .wants("template-failed", "exceeded maximum template depth (100000)")
        .survive();
    let text = release(
        "{{define \"a\"}}{{template \"a\" .}}{{template \"a\" .}}{{end}}{{if false}}{{template \"a\" .}}{{end}}metadata: {labels: {a: b}}",
    );
    Case::new("recursion-never", text).judged().survive();
}

#[test]
fn a_template_that_ranges_far() {
    let text = release("{{range 1000000000}}{{end}}");
    Case::new("range", text)
        .judged()
        .wants("template-failed", "stopped after 1000000 steps (a limit of convoy-lsp")
        .survive();
    let text = release("{{range 1000000000}}x{{end}}");
    Case::new("range-output", text).judged().wants("template-failed", "a limit of convoy-lsp").survive();
    let text = release("{{range 100000}}{{range 100000}}{{range 100000}}{{end}}{{end}}{{end}}");
    Case::new("range-nested", text)
        .judged()
        .wants("template-failed", "stopped after 1000000 steps (a limit of convoy-lsp")
        .survive();
    let text = release("{{range $i := 9223372036854775807}}{{$i}}{{end}}");
    Case::new("range-largest", text).judged().wants("template-failed", "a limit of convoy-lsp").survive();
}

#[test]
fn a_template_that_doubles_a_text() {
    let text = release("{{$s := \"0123456789\"}}{{range 40}}{{$s = print $s $s}}{{end}}{{$s}}");
    Case::new("double", text).judged().wants("template-failed", "a limit of convoy-lsp").survive();
    let text = release("{{$s := \"<<<<\"}}{{range 40}}{{$s = html $s}}{{end}}{{$s}}");
    Case::new("double-html", text).judged().survive_whatever();
    let text = release("{{$s := \"\\\\\\\\\"}}{{range 40}}{{$s = printf \"%q%q\" $s $s}}{{end}}{{$s}}");
    Case::new("double-quote", text).judged().wants("template-failed", "a limit of convoy-lsp").survive();
    let text = release("{{range 100}}{{printf \"%0999999d%999999.999999f\" 1 1.0}}{{end}}");
    Case::new("width", text).judged().wants("template-failed", "a limit of convoy-lsp").survive();
}

#[test]
fn a_template_with_deep_parts() {
    for n in [10_000, 200_000] {
        let name = if n == 10_000 { "parens" } else { "parens-many" };
        let text = release(&format!("a: {{{{{}1{}}}}}", "(".repeat(n), ")".repeat(n)));
        Case::new(name, text).judged().wants("template-syntax", "nested deeper than 200 levels").survive();
        let name = if n == 10_000 { "parens-open" } else { "parens-open-many" };
        let text = release(&format!("a: {{{{{}", "(".repeat(n)));
        Case::new(name, text).judged().wants("template-syntax", "").survive();
    }
}

#[test]
fn a_template_with_deep_blocks() {
    for (open, n) in
        [("if", 10_000), ("with", 10_000), ("if-many", 100_000), ("range", 10_000), ("block", 2_000)]
    {
        let (action, name, name_open) = match open {
            "with" => ("{{with 1}}", "with", "with-open"),
            "if-many" => ("{{if 1}}", "if-many", "if-many-open"),
            "range" => ("{{range 1}}", "range-deep", "range-open"),
            "block" => ("{{block \"b\" .}}", "block", "block-open"),
            _ => ("{{if 1}}", "if", "if-open"),
        };
        let closed = format!("{}{}a: b", action.repeat(n), "{{end}}".repeat(n));
        let case = Case::new(name, release(&closed)).judged();
        match open {
            // The innermost of a name wins; none calls itself.
            "block" => case.survive_whatever(),
            _ => case.wants("template-syntax", "nested deeper than 200 levels").survive(),
        }
        Case::new(name_open, release(&action.repeat(n))).judged().wants("template-syntax", "").survive();
    }
    let elses = format!("{{{{if 0}}}}{}{{{{end}}}}a: b", "{{else if 0}}".repeat(10_000));
    Case::new("else-if", release(&elses)).judged().survive_whatever();
    let pipe = format!("a: {{{{ 1{} }}}}", " | print".repeat(100_000));
    Case::new("pipeline", release(&pipe)).judged().survive_whatever();
    let chain = format!("a: {{{{ .object{} }}}}", ".a".repeat(100_000));
    Case::new("chain", release(&chain)).judged().survive_whatever();
}

impl Case {
    /// The same where the verdict is not what matters.
    fn survive_whatever(mut self) {
        let folder = Folder::new(&[]);
        for (name, bytes) in &self.files {
            folder.write(name, bytes);
        }
        if std::env::var_os("CONVOY_HOSTILE_DIR").is_none() {
            let (_, out) = self.run(&folder, &["--check", "--format", "json", "--fail-on", "never"]);
            let found: Vec<Json> = serde_json::from_str(&out).unwrap();
            // What the command line finds, the server finds.
            if let Some(first) = found.iter().find(|finding| finding["file"] == self.files[0].0) {
                let text = |key: &str| &*first[key].as_str().unwrap().to_owned().leak();
                println!(
                    "{}: {} {}",
                    self.name,
                    text("rule"),
                    text("message").chars().take(200).collect::<String>()
                );
                self.wants = Some((text("rule"), text("message")));
            }
        }
        self.survive();
    }
}

// ---- patches ----

#[test]
fn many_operations() {
    let operations: String = (0..10_000 / PART)
        .map(|i| format!("  - {{op: add, path: /metadata/labels/k{i}, value: v}}\n"))
        .collect();
    Case::new("operations", patch(&operations)).judged().survive();
    let operations = format!(
        "  - {{op: add, path: /metadata/finalizers, value: []}}\n{}",
        "  - {op: add, path: /metadata/finalizers/0, value: v}\n".repeat(10_000 / PART)
    );
    Case::new("operations-list", patch(&operations)).judged().survive();
    let operations = format!(
        "{}  - {{op: remove, path: /nothing}}\n",
        "  - {op: test, path: /metadata/name, value: web}\n".repeat(10_000 / PART)
    );
    Case::new("operations-last-fails", patch(&operations)).judged().wants("json-patch-failed", "").survive();
    let operations = "  - {op: add, path: '/a/{{ .object.kind }}', value: '{{ .object.status.zone }}'}\n"
        .repeat(10_000 / PART);
    Case::new("operations-templates", patch(&operations))
        .judged()
        .wants("template-failed", "nil pointer")
        .survive();
}

#[test]
fn a_long_pointer() {
    let pointer = "/a".repeat(10_000);
    let text = patch(&format!("  - op: add\n    path: {pointer}\n    value: v\n"));
    Case::new("pointer", text).judged().wants("json-patch-failed", "doc is missing path").survive();
    let text = patch(&format!("  - op: add\n    path: {}\n    value: v\n", "/~1~0".repeat(10_000)));
    Case::new("pointer-escapes", text).judged().wants("json-patch-failed", "doc is missing path").survive();
    let text = patch(
        "  - {op: add, path: /spec/99999999999999999999, value: v}\n  - {op: add, path: /metadata/finalizers, value: []}\n  - {op: add, path: /list/9223372036854775807, value: v}\n",
    );
    Case::new("pointer-index", text).judged().wants("json-patch-failed", "").survive();
}

#[test]
fn a_patch_that_doubles_the_object() {
    let operations = (0..40)
        .map(|i| format!("  - {{op: copy, from: /metadata, path: /metadata/x{i}}}\n"))
        .collect::<String>();
    Case::new("copies", patch(&operations)).judged().survive_whatever();
    let operations = format!(
        "  - {{op: add, path: /metadata/x0, value: {{}}}}\n{}",
        (0..2000)
            .map(|i| format!(
                "  - {{op: copy, from: /metadata, path: /metadata{}}}\n",
                "/x".repeat(i % 3 + 1)
            ))
            .collect::<String>()
    );
    Case::new("copies-many", patch(&operations)).judged().survive_whatever();
}

#[test]
fn a_patch_that_deepens_the_object() {
    // Each value is within the limits; what they make together is not.
    let n = 380;
    let value = format!("{}{{}}{}", "{a: ".repeat(n), "}".repeat(n));
    let operations: String = (0..30)
        .map(|i| {
            let path = "/a".repeat(n * i + if i == 0 { 1 } else { 2 });
            format!("  - op: add\n    path: {path}\n    value: {value}\n")
        })
        .collect();
    Case::new("deeper-add", patch(&operations))
        .judged()
        .wants("json-patch-failed", "a limit of convoy-lsp")
        .survive();
    let operations = "  - {op: move, from: /spec, path: /x}\n  - {op: add, path: /spec, value: {}}\n  - {op: move, from: /x, path: /spec/a}\n";
    let text = patch(&operations.repeat(10_000 / PART));
    Case::new("deeper-move", text).judged().wants("json-patch-failed", "a limit of convoy-lsp").survive();
}

#[test]
fn an_object_that_grows_in_every_mutation() {
    let one = release("a{{ len (printf \"%v\" .object) }}: \"{{ js (printf \"%v\" .object) }}\"")
        .split_once("mutations:\n")
        .unwrap()
        .1
        .to_owned();
    Case::new("growth", with_fields(&format!("mutations:\n{}", one.repeat(if PART > 1 { 14 } else { 40 }))))
        .judged()
        .survive_whatever();
}

// ---- settings ----

#[test]
fn hostile_settings() {
    for (name, settings) in [
        ("glob-braces", format!("samples: ['{}']\n", "{a,b}".repeat(5000))),
        ("glob-nested", format!("samples: ['{}{}']\n", "{a,".repeat(5000), "}".repeat(5000))),
        ("glob-stars", format!("samples: ['{}']\n", "**/*".repeat(5000))),
        ("glob-many", format!("samples: [{}]\n", "'a*b.yaml', ".repeat(5000))),
        (
            "clusters",
            format!("clusters: [{}]\n", (0..200).map(|i| format!("{{name: c{i}}}, ")).collect::<String>()),
        ),
    ] {
        let text = failing().replace("zone: \"", "zone: \"{{ .cluster.name }}");
        Case::new(name, text).judged().with(".convoy-lsp.yaml", settings).survive_whatever();
    }
}
