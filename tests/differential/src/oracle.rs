//! The Go program of `tests/oracle`: requests in, answers out, a batch at a time.
//!
//! A thread writes and another reads, so that a batch of any size goes through pipes of any size, and the caller runs
//! our own engine in the meantime.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::{Map, Value};

/// How long one answer may take. Honest ones take well under a second; `{{range .maxi}}{{end}}` takes years.
const PATIENCE: Duration = Duration::from_secs(2);

/// One answer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Answer {
    /// The fields of the line.
    Fields(Map<String, Value>),
    /// None: the library did not end in time, or the program itself ended, as Go does on a stack that is full.
    Missing,
}

impl Answer {
    pub(crate) fn text(&self, field: &str) -> Option<&str> {
        match self {
            Answer::Fields(fields) => fields.get(field)?.as_str(),
            Answer::Missing => None,
        }
    }

    /// A text that may be no UTF-8, in which case it comes as base64.
    pub(crate) fn bytes(&self, field: &str) -> Option<Vec<u8>> {
        if let Some(text) = self.text(field) {
            return Some(text.as_bytes().to_vec());
        }
        self.text(&format!("{field}_b64")).map(base64)
    }

    /// The same, where ours is a text: bytes that are no UTF-8 are replaced.
    pub(crate) fn lossy(&self, field: &str) -> Option<String> {
        self.bytes(field).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// The bytes of a base64 text; what is no base64 counts as nothing.
fn base64(text: &str) -> Vec<u8> {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = Vec::new();
    let (mut bits, mut count) = (0_u32, 0);
    for sextet in text.bytes().filter_map(|byte| ALPHABET.iter().position(|known| *known == byte)) {
        bits = (bits << 6) | sextet as u32;
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    }
    out
}

/// One running program with its two threads.
struct Running {
    child: Child,
    /// What is to be written; closing it ends the program.
    requests: Sender<Vec<u8>>,
    lines: Receiver<String>,
}

impl Running {
    fn start(program: &Path) -> Result<Running> {
        let mut child = Command::new(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("start the oracle {}", program.display()))?;
        let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            bail!("the oracle has no pipes");
        };
        let (requests, to_write) = channel::<Vec<u8>>();
        let (send_line, lines) = channel();
        // Both threads end by themselves once the program or this value is gone.
        std::thread::spawn(move || {
            while let Ok(bytes) = to_write.recv() {
                if input.write_all(&bytes).and_then(|()| input.flush()).is_err() {
                    break;
                }
            }
        });
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                let Ok(line) = line else { break };
                if send_line.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Running { child, requests, lines })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // A request that ran into the time limit goes on for ever, so that waiting for the end is no choice.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The oracle, started again whenever it has to be.
pub(crate) struct Oracle {
    program: PathBuf,
    running: Running,
    /// Requests that were written and not yet answered.
    open: Vec<String>,
}

impl Oracle {
    pub(crate) fn start(program: &Path) -> Result<Oracle> {
        Ok(Oracle { program: program.to_owned(), running: Running::start(program)?, open: Vec::new() })
    }

    /// Writes requests, one JSON text each, without waiting for the answers.
    pub(crate) fn submit(&mut self, requests: Vec<String>) {
        let mut bytes = Vec::new();
        for request in &requests {
            bytes.extend_from_slice(request.as_bytes());
            bytes.push(b'\n');
        }
        self.open.extend(requests);
        // A program that has ended is noticed when its answers do not come.
        let _ = self.running.requests.send(bytes);
    }

    /// The answers to all that was submitted, in order.
    pub(crate) fn collect(&mut self) -> Result<Vec<Answer>> {
        let open = std::mem::take(&mut self.open);
        let mut answers = Vec::with_capacity(open.len());
        while answers.len() < open.len() {
            match self.running.lines.recv_timeout(PATIENCE) {
                Ok(line) => {
                    answers.push(read(&line)?);
                    if answers.last() == Some(&Answer::Missing) {
                        // What timed out goes on for ever, and takes the time of those behind it.
                        self.restart(&open[answers.len()..])?;
                    }
                }
                Err(_) => {
                    // The first request without an answer is the one that it could not take.
                    answers.push(Answer::Missing);
                    self.restart(&open[answers.len()..])?;
                }
            }
        }
        Ok(answers)
    }

    /// Starts the program anew, with the requests that are left.
    fn restart(&mut self, left: &[String]) -> Result<()> {
        self.running = Running::start(&self.program)?;
        self.submit(left.to_vec());
        self.open.clear();
        Ok(())
    }

    pub(crate) fn ask(&mut self, requests: Vec<String>) -> Result<Vec<Answer>> {
        self.submit(requests);
        self.collect()
    }
}

fn read(line: &str) -> Result<Answer> {
    let Value::Object(fields) = serde_json::from_str(line).with_context(|| format!("the answer {line}"))?
    else {
        bail!("the oracle answered {line}");
    };
    if let Some(reason) = fields.get("bad_request") {
        bail!("the oracle did not understand a request: {reason}");
    }
    Ok(if fields.contains_key("timeout") { Answer::Missing } else { Answer::Fields(fields) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_read() {
        assert_eq!(base64("/wBB"), [0xff, 0, b'A']);
        assert_eq!(base64("YQ=="), b"a");
        assert_eq!(base64(""), b"");
    }

    /// `cat` answers every request with itself, which is more than any pipe holds.
    #[cfg(unix)]
    #[test]
    fn a_large_batch_does_not_block() {
        let mut oracle = Oracle::start(Path::new("cat")).unwrap();
        let requests: Vec<String> =
            (0..2000).map(|i| format!("{{\"n\":\"{i}\",\"fill\":\"{}\"}}", "x".repeat(2000))).collect();
        let answers = oracle.ask(requests).unwrap();
        assert_eq!(answers.len(), 2000);
        assert_eq!(answers[1999].text("n"), Some("1999"));
    }

    #[cfg(unix)]
    #[test]
    fn a_program_that_ends_is_started_again() {
        let mut oracle = Oracle::start(Path::new("true")).unwrap();
        let answers = oracle.ask(vec!["{}".to_owned(); 3]).unwrap();
        assert_eq!(answers, vec![Answer::Missing; 3]);
    }

    #[test]
    fn answers_are_told_apart() {
        assert_eq!(read("{\"timeout\":true}").unwrap(), Answer::Missing);
        assert_eq!(read("{\"output_b64\":\"/w==\"}").unwrap().bytes("output"), Some(vec![0xff]));
        assert!(read("{\"bad_request\":\"x\"}").is_err());
    }
}
