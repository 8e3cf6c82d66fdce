use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use anyhow::{Context as _, Result, anyhow, bail, ensure};
use convoy_value::Value;
use convoy_value::json::{self, KeyOrder};

use crate::manifest;

const RELEASES: usize = 1_000;
const OBJECTS: usize = 200;
/// The Releases whose results are compared.
const COMPARED: [usize; 3] = [0, 417, RELEASES - 1];

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What one run took, as GNU time tells it.
#[derive(Clone, Copy, Default)]
struct Usage {
    /// Bytes that were resident at most.
    peak: f64,
    /// Seconds of processor time.
    processor: f64,
}

/// The other program: `kubectl kustomize` or `kustomize build`.
struct Kustomize {
    program: String,
    command: &'static str,
}

impl Kustomize {
    fn new(program: &str) -> Kustomize {
        let name = Path::new(program).file_name().unwrap_or_default().to_string_lossy();
        let command = if name.starts_with("kustomize") { "build" } else { "kustomize" };
        Kustomize { program: program.to_owned(), command }
    }

    fn call(&self, folder: &Path) -> Vec<String> {
        vec![self.program.clone(), self.command.to_owned(), folder.display().to_string()]
    }

    fn shown(&self) -> String {
        format!("{} {}", self.program, self.command)
    }
}

/// A mutation as both sides write it: what it selects and its patch.
struct Mutation {
    kind: &'static str,
    group: &'static str,
    name: Option<String>,
    patch: Patch,
}

enum Patch {
    Strategic(String),
    /// The operations as YAML flow mappings.
    Json(Vec<String>),
}

/// Five mutations as a Release has them: two for all objects of a kind, three for one object. Of a list with merge keys
/// they change the first item, since kustomize puts the items of a patch before the others, which the API server does
/// not.
fn mutations(release: usize) -> Vec<Mutation> {
    // `manifest` makes the kinds in turns, of which the first is a Deployment and the third a ConfigMap.
    let one = release % (OBJECTS / 4) * 4;
    let name = |offset: usize| Some(format!("shop-{}", one + offset));
    vec![
        Mutation {
            kind: "Deployment",
            group: "apps",
            name: None,
            patch: Patch::Strategic(format!(
                "metadata:\n  labels:\n    example.com/release: r-{release}\nspec:\n  template:\n    metadata:\n      \
                 annotations:\n        example.com/release: r-{release}\n"
            )),
        },
        Mutation {
            kind: "Deployment",
            group: "apps",
            name: name(0),
            patch: Patch::Strategic(format!(
                "spec:\n  template:\n    spec:\n      containers:\n        - name: web\n          image: \
                 mirror.example.com/shop/web:2.{release}\n          env:\n            - name: LOG_LEVEL\n              \
                 value: debug\n          resources:\n            limits:\n              memory: 512Mi\n      volumes:\n        \
                 - name: config\n          configMap:\n            defaultMode: 256\n"
            )),
        },
        Mutation {
            kind: "Deployment",
            group: "apps",
            name: name(0),
            patch: Patch::Json(vec![
                format!("{{op: replace, path: /spec/replicas, value: {}}}", release % 7 + 1),
                "{op: add, path: /spec/template/spec/containers/1/env/-, value: {name: REGION, value: eu}}"
                    .to_owned(),
                "{op: remove, path: /spec/revisionHistoryLimit}".to_owned(),
            ]),
        },
        Mutation {
            kind: "Service",
            group: "",
            name: None,
            patch: Patch::Json(vec![format!(
                "{{op: add, path: /metadata/labels/release, value: r-{release}}}"
            )]),
        },
        Mutation {
            kind: "ConfigMap",
            group: "",
            name: name(2),
            patch: Patch::Strategic(format!("data:\n  release: r-{release}\n  motd: null\n")),
        },
    ]
}

fn target(mutation: &Mutation) -> String {
    let mut out = format!("version: v1, kind: {}", mutation.kind);
    if !mutation.group.is_empty() {
        let _ = write!(out, ", group: {}", mutation.group);
    }
    if let Some(name) = &mutation.name {
        let _ = write!(out, ", name: {name}");
    }
    format!("{{ {out} }}")
}

fn indented(text: &str, spaces: usize) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let _ = writeln!(out, "{}{line}", " ".repeat(spaces));
    }
    out
}

fn release(number: usize) -> String {
    let mut out = format!(
        "apiVersion: convoy.kumodo.io/v1alpha1\nkind: Release\nmetadata:\n  name: r-{number}\n  namespace: default\nspec: \
         {{}}\nmutations:\n"
    );
    for mutation in mutations(number) {
        match &mutation.patch {
            Patch::Strategic(text) => {
                let _ = write!(
                    out,
                    "  - type: strategicMergePatch\n    target: {}\n    inline: |\n{}",
                    target(&mutation),
                    indented(text, 6)
                );
            }
            Patch::Json(operations) => {
                let _ = writeln!(out, "  - type: jsonPatch\n    target: {}\n    patches:", target(&mutation));
                for operation in operations {
                    let _ = writeln!(out, "      - {operation}");
                }
            }
        }
    }
    out
}

fn kustomization(number: usize) -> String {
    let mut out = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:\n  - \
                   ../../base\npatches:\n"
        .to_owned();
    for mutation in mutations(number) {
        let _ = writeln!(out, "  - target: {}\n    patch: |", target(&mutation));
        match &mutation.patch {
            Patch::Strategic(text) => {
                let version = if mutation.group.is_empty() { "v1" } else { "apps/v1" };
                // A patch of kustomize is an object; whose it is, the target says.
                let head = format!("apiVersion: {version}\nkind: {}\n", mutation.kind);
                let text = match text.strip_prefix("metadata:\n") {
                    Some(rest) => format!("{head}metadata:\n  name: any\n{rest}"),
                    None => format!("{head}metadata:\n  name: any\n{text}"),
                };
                out.push_str(&indented(&text, 6));
            }
            Patch::Json(operations) => {
                for operation in operations {
                    let _ = writeln!(out, "      - {operation}");
                }
            }
        }
    }
    out
}

fn write(path: &Path, text: &str) -> Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(path, text).with_context(|| path.display().to_string())
}

fn overlay(folder: &Path, number: usize) -> PathBuf {
    folder.join(format!("kustomize/overlays/r-{number:04}"))
}

fn release_file(folder: &Path, number: usize) -> PathBuf {
    folder.join(format!("convoy/releases/r-{number:04}.yaml"))
}

fn prepare(folder: &Path) -> Result<()> {
    let objects = manifest::objects(OBJECTS);
    write(&folder.join("convoy/objects.yaml"), &objects)?;
    write(&folder.join("kustomize/base/objects.yaml"), &objects)?;
    write(&folder.join("kustomize/base/kustomization.yaml"), "resources:\n  - objects.yaml\n")?;
    for number in 0..RELEASES {
        write(&release_file(folder, number), &release(number))?;
        write(&overlay(folder, number).join("kustomization.yaml"), &kustomization(number))?;
    }
    write(&folder.join("kustomize/overlays/none/kustomization.yaml"), "resources: []\n")
}

/// Runs a program to its end without its output, and tells what it used.
fn measured(folder: &Path, call: &[String], note: &Path) -> Result<Usage> {
    let status = Command::new("/usr/bin/time")
        .args(["-f", "%M %U %S", "-o"])
        .arg(note)
        .args(call)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .context("/usr/bin/time, which must be that of GNU")?;
    ensure!(status.success(), "{}: {status}", call.join(" "));
    let text = std::fs::read_to_string(note)?;
    let last = text.lines().last().context("no figures of time")?;
    let numbers: Vec<f64> = last.split(' ').map(str::parse).collect::<Result<_, _>>()?;
    let [peak, user, system] = numbers[..] else { bail!("time says {text:?}") };
    Ok(Usage { peak: peak * 1024.0, processor: user + system })
}

/// What a program writes.
fn output(folder: &Path, call: &[String]) -> Result<String> {
    let (program, arguments) = call.split_first().context("no program")?;
    let output = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .output()
        .with_context(|| program.clone())?;
    if !output.status.success() || !output.stderr.is_empty() {
        bail!("{}: {}", call.join(" "), String::from_utf8_lossy(&output.stderr));
    }
    Ok(String::from_utf8(output.stdout)?)
}

/// The objects of a stream by kind and name, as JSON.
fn objects(stream: &str) -> Result<BTreeMap<String, String>> {
    let tree = convoy_yaml::parse(stream);
    let mut out = BTreeMap::new();
    for document in tree.documents() {
        let Some(root) = document.root else { continue };
        let value = convoy_yaml::value(&tree, root, convoy_yaml::Options::default())
            .map_err(|error| anyhow!("{error}"))?;
        let text = |path: [&str; 2]| value.at(path).and_then(Value::as_str).unwrap_or_default().to_owned();
        let kind = value.at(["kind"]).and_then(Value::as_str).unwrap_or_default().to_owned();
        let name = format!("{kind}/{}", text(["metadata", "name"]));
        out.insert(name, json::write(&value, KeyOrder::Sorted).map_err(anyhow::Error::msg)?);
    }
    Ok(out)
}

/// Whether both sides make the same of all objects.
fn compare(folder: &Path, binary: &str, kustomize: &Kustomize) -> Result<()> {
    for number in COMPARED {
        let file = release_file(folder, number).display().to_string();
        let call = [binary, "preview", "--all", "--format", "yaml", &file].map(str::to_owned);
        let ours = objects(&output(&folder.join("convoy"), &call)?)?;
        let theirs = objects(&output(folder, &kustomize.call(&overlay(folder, number)))?)?;
        ensure!(ours.len() == OBJECTS, "{} objects of {OBJECTS}", ours.len());
        for (name, ours) in &ours {
            let theirs = theirs.get(name).with_context(|| format!("kustomize has no {name}"))?;
            ensure!(ours == theirs, "{name} of Release {number}: ours {ours}\nkustomize {theirs}");
        }
        ensure!(theirs.len() == OBJECTS, "kustomize has {} objects", theirs.len());
    }
    Ok(())
}

/// Runs kustomize over the first overlays, as many at a time as there are processors, which ours uses as well.
fn all_overlays(folder: &Path, kustomize: &Kustomize, count: usize, workers: usize) -> Result<(f64, Usage)> {
    let next = AtomicUsize::new(0);
    let sum = Mutex::new(Ok(Usage::default()));
    let start = Instant::now();
    std::thread::scope(|scope| {
        for worker in 0..workers {
            let (next, sum) = (&next, &sum);
            scope.spawn(move || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        return;
                    }
                    let note = folder.join(format!("note-{worker}"));
                    let usage = measured(folder, &kustomize.call(&overlay(folder, number)), &note);
                    let Ok(mut sum) = sum.lock() else { return };
                    match (&mut *sum, usage) {
                        (Ok(sum), Ok(usage)) => {
                            sum.peak = sum.peak.max(usage.peak);
                            sum.processor += usage.processor;
                        }
                        (sum, Err(error)) => {
                            *sum = Err(error);
                            return;
                        }
                        (Err(_), _) => return,
                    }
                }
            });
        }
    });
    let seconds = start.elapsed().as_secs_f64();
    let sum = sum.into_inner().map_err(|_| anyhow!("a worker has panicked"))??;
    Ok((seconds, sum))
}

/// Previews of many Releases beside kustomize, which does the same patches; `count` of the overlays are run.
pub(crate) fn run(binary: &Path, kustomize: &str, count: usize) -> Result<()> {
    let binary = binary.canonicalize().with_context(|| binary.display().to_string())?.display().to_string();
    let kustomize = Kustomize::new(kustomize);
    let count = count.clamp(1, RELEASES);
    let folder = Folder(std::env::temp_dir().join(format!("convoy-bench-{}", std::process::id())));
    prepare(&folder.0)?;
    println!(
        "{RELEASES} Releases with 5 mutations each (3 strategicMergePatch, 2 jsonPatch) over {OBJECTS} objects"
    );
    compare(&folder.0, &binary, &kustomize)?;
    println!("the results of {} Releases are the same, object by object", COMPARED.len());

    let workers = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let call = [&*binary, "preview", "--all", "--format", "yaml", "releases"].map(str::to_owned);
    let note = folder.0.join("note");
    let mut ours = Vec::new();
    let mut usage = Usage::default();
    for _ in 0..3 {
        let start = Instant::now();
        usage = measured(&folder.0.join("convoy"), &call, &note)?;
        ours.push(start.elapsed().as_secs_f64());
    }
    let ours = crate::sample::median(&mut ours);
    let megabyte = 1e6;
    println!(
        "convoy-lsp preview, one process for all: {ours:.2} s, {:.2} s of processor time, peak memory {:.0} MB",
        usage.processor,
        usage.peak / megabyte
    );

    let start = Instant::now();
    measured(&folder.0, &kustomize.call(&folder.0.join("kustomize/overlays/none")), &note)?;
    let empty = start.elapsed().as_secs_f64();
    let (seconds, used) = all_overlays(&folder.0, &kustomize, count, workers)?;
    let scale = RELEASES as f64 / count as f64;
    let (seconds, processor) = (seconds * scale, used.processor * scale);
    let sampled =
        if count < RELEASES { format!(", extrapolated from a sample of {count}") } else { String::new() };
    println!(
        "{}, a process for each, {workers} at a time: {seconds:.2} s, {processor:.2} s of processor time, peak memory \
         {:.0} MB of one process{sampled}; one without any object takes {empty:.3} s",
        kustomize.shown(),
        used.peak / megabyte
    );
    println!(
        "ratio: ours is {:.1} times as fast ({:.1} times in processor time)",
        seconds / ours,
        processor / usage.processor
    );
    Ok(())
}
