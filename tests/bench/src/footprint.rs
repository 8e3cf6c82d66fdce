use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use serde_json::{Value as Json, json};

use crate::sample::median;

/// How often the program is started for the time of `initialize`.
const RUNS: usize = 15;
/// How long the server has nothing to do before its memory is read.
const IDLE: Duration = Duration::from_secs(1);

const SIZE_LIMIT: f64 = 25.0;
const TIME_LIMIT: f64 = 20.0;
const MEMORY_LIMIT: f64 = 40.0;

/// A server on its standard input and output.
struct Server {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    last_id: i64,
}

impl Server {
    fn start(binary: &Path) -> Result<Server> {
        let mut child = Command::new(binary)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| binary.display().to_string())?;
        let input = child.stdin.take().context("no standard input")?;
        let output = BufReader::new(child.stdout.take().context("no standard output")?);
        Ok(Server { child, input, output, last_id: 0 })
    }

    fn send(&mut self, message: &Json) -> Result<()> {
        let text = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len())?;
        Ok(self.input.flush()?)
    }

    fn notify(&mut self, method: &str, params: &Json) -> Result<()> {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }))
    }

    /// Waits for the answer; whatever else the server says is left aside.
    fn request(&mut self, method: &str, params: &Json) -> Result<Json> {
        self.last_id += 1;
        let id = self.last_id;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))?;
        loop {
            let mut message = self.receive()?;
            if message["id"] == id && message.get("method").is_none() {
                if let Some(error) = message.get("error") {
                    bail!("{method}: {error}");
                }
                return Ok(message["result"].take());
            }
        }
    }

    fn receive(&mut self) -> Result<Json> {
        let mut length = None;
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line)? == 0 {
                bail!("the server has ended");
            }
            let line = line.trim_end();
            if line.is_empty() {
                break;
            }
            if let Some(number) = line.strip_prefix("Content-Length: ") {
                length = Some(number.parse::<usize>()?);
            }
        }
        let mut body = vec![0; length.context("a message without a length")?];
        self.output.read_exact(&mut body)?;
        Ok(serde_json::from_slice(&body)?)
    }

    fn initialize(&mut self, root: &Path) -> Result<Json> {
        let folder = json!({ "uri": uri(root), "name": "workspace" });
        let params = json!({
            "processId": std::process::id(),
            "rootUri": uri(root),
            "workspaceFolders": [folder],
            "capabilities": { "textDocument": { "diagnostic": {}, "hover": {} }, "workspace": { "workspaceFolders": true } },
        });
        self.request("initialize", &params)
    }

    fn end(mut self) -> Result<()> {
        self.request("shutdown", &Json::Null)?;
        self.notify("exit", &Json::Null)?;
        self.child.wait()?;
        Ok(())
    }

    /// The resident set in bytes: now, and where the system tells, at its highest.
    fn memory(&self) -> Result<(f64, Option<f64>)> {
        let id = self.child.id().to_string();
        if let Ok(status) = std::fs::read_to_string(format!("/proc/{id}/status")) {
            let now = kilobytes(&status, "VmRSS:").context("no VmRSS")?;
            return Ok((now, kilobytes(&status, "VmHWM:")));
        }
        let output = Command::new("ps").args(["-o", "rss=", "-p", &id]).output().context("ps")?;
        let number: f64 = String::from_utf8(output.stdout)?.trim().parse()?;
        Ok((number * 1024.0, None))
    }
}

fn kilobytes(status: &str, field: &str) -> Option<f64> {
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    line.trim().strip_suffix(" kB")?.parse::<f64>().ok().map(|number| number * 1024.0)
}

fn uri(path: &Path) -> String {
    let mut out = String::from("file://");
    for byte in path.to_string_lossy().bytes() {
        if byte.is_ascii_alphanumeric() || b"/-_.~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

/// The size of the program without its symbols, which is that of a copy that was stripped.
fn stripped_size(binary: &Path) -> Result<f64> {
    let copy = std::env::temp_dir().join(format!("convoy-bench-stripped-{}", std::process::id()));
    let done = Command::new("strip").arg("-o").arg(&copy).arg(binary).status().context("strip");
    let size = done.and_then(|status| {
        anyhow::ensure!(status.success(), "strip: {status}");
        Ok(std::fs::metadata(&copy)?.len() as f64)
    });
    let _ = std::fs::remove_file(&copy);
    size
}

fn podinfo() -> Result<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/examples/podinfo");
    path.canonicalize().with_context(|| path.display().to_string())
}

/// Prints size, time to the answer of `initialize` and memory of the program, each with its limit. Tells whether size
/// and memory are within theirs: a slow moment of the machine is no failure.
pub(crate) fn run(binary: &Path) -> Result<bool> {
    let megabyte = 1e6;
    let size = stripped_size(binary)? / megabyte;
    println!("size: {size:.1} MB stripped (limit {SIZE_LIMIT} MB)");

    let root = podinfo()?;
    let mut times = Vec::with_capacity(RUNS);
    for _ in 0..RUNS {
        let start = Instant::now();
        let mut server = Server::start(binary)?;
        server.initialize(&root)?;
        times.push(start.elapsed().as_secs_f64() * 1e3);
        server.end()?;
    }
    let time = median(&mut times);
    println!(
        "initialize: {time:.1} ms from the start of the process to the answer, median of {RUNS} runs, {:.1} to {:.1} ms \
         (limit {TIME_LIMIT} ms)",
        times[0],
        times[RUNS - 1]
    );

    let mut server = Server::start(binary)?;
    server.initialize(&root)?;
    server.notify("initialized", &json!({}))?;
    let file = root.join("release.yaml");
    let text = std::fs::read_to_string(&file)?;
    let document = json!({ "uri": uri(&file), "languageId": "yaml", "version": 1, "text": text });
    server.notify("textDocument/didOpen", &json!({ "textDocument": document }))?;
    let answer =
        server.request("textDocument/diagnostic", &json!({ "textDocument": { "uri": uri(&file) } }))?;
    let found = answer["items"].as_array().context("no report of diagnostics")?.len();
    std::thread::sleep(IDLE);
    let (now, highest) = server.memory()?;
    server.end()?;
    let memory = now / megabyte;
    let highest =
        highest.map_or(String::new(), |bytes| format!(", {:.1} MB at its highest", bytes / megabyte));
    println!(
        "memory: {memory:.1} MB resident, idle on the podinfo workspace after one pull of diagnostics ({found} found)\
         {highest} (limit {MEMORY_LIMIT} MB)"
    );

    let within =
        [("size", size, SIZE_LIMIT), ("initialize", time, TIME_LIMIT), ("memory", memory, MEMORY_LIMIT)];
    for (name, value, limit) in within {
        if value >= limit {
            println!("over the limit: {name}");
        }
    }
    Ok(size < SIZE_LIMIT && memory < MEMORY_LIMIT)
}
