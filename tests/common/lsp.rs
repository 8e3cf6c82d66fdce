//! A client in the same process as the server. It never waits without an end: a server that does not answer in time
//! fails the test.
#![allow(dead_code, unreachable_pub)]

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::Duration;

use crossbeam_channel::Receiver;
use lsp_server::{Connection, Message, Notification, Request, RequestId, Response, ResponseError};
use serde_json::{Value as Json, json};

/// A guard against a server that hangs, not a measure.
pub const PATIENCE: Duration = Duration::from_secs(30);

pub const CONTENT_MODIFIED: i32 = -32801;
pub const CANCELLED: i32 = -32800;
pub const METHOD_NOT_FOUND: i32 = -32601;
pub const INVALID_PARAMS: i32 = -32602;
pub const INVALID_REQUEST: i32 = -32600;
pub const NOT_INITIALIZED: i32 = -32002;

pub fn uri(path: &Path) -> String {
    url::Url::from_file_path(path).expect("an absolute path").to_string()
}

pub struct Client {
    connection: Option<Connection>,
    server: Option<JoinHandle<()>>,
    ended: Receiver<anyhow::Result<bool>>,
    next_id: i32,
    responses: HashMap<RequestId, Result<Json, ResponseError>>,
    /// What the server asked, in order. Nobody answers unless a test does.
    pub requests: Vec<Request>,
    /// What the server told, in order.
    pub notifications: Vec<Notification>,
    pub patience: Duration,
    /// The result of `initialize`.
    pub initialized: Json,
}

/// What a client says of itself; each test adds what it is about.
pub fn capabilities(pulls: bool, encoding: Option<&str>) -> Json {
    let mut capabilities = json!({
        "textDocument": { "publishDiagnostics": { "relatedInformation": true, "codeDescriptionSupport": true } },
    });
    if pulls {
        capabilities["textDocument"]["diagnostic"] = json!({});
    }
    if let Some(encoding) = encoding {
        capabilities["general"] = json!({ "positionEncodings": [encoding] });
    }
    capabilities
}

impl Client {
    /// A client before `initialize`.
    pub fn connect() -> Client {
        let (server, client) = Connection::memory();
        let (sender, ended) = crossbeam_channel::bounded(1);
        let thread = std::thread::spawn(move || {
            let _ = sender.send(convoy_lsp::server::run(&server));
        });
        Client {
            connection: Some(client),
            server: Some(thread),
            ended,
            next_id: 0,
            responses: HashMap::new(),
            requests: Vec::new(),
            notifications: Vec::new(),
            patience: PATIENCE,
            initialized: Json::Null,
        }
    }

    pub fn start_with(params: Json) -> Client {
        let mut client = Client::connect();
        client.initialized = client.request("initialize", params).expect("initialize succeeds");
        client.notify("initialized", json!({}));
        client
    }

    /// A client with these folders that pulls diagnostics, or has them published.
    pub fn start(folders: &[&Path], pulls: bool) -> Client {
        Client::start_with(json!({
            "processId": null,
            "workspaceFolders": folders_json(folders),
            "capabilities": capabilities(pulls, None),
        }))
    }

    // ---- messages ----

    pub fn send(&self, message: Message) {
        self.connection
            .as_ref()
            .expect("the client is there")
            .sender
            .send(message)
            .expect("the server is there");
    }

    pub fn notify(&self, method: &str, params: Json) {
        self.send(Message::Notification(Notification::new(method.to_owned(), params)));
    }

    /// Sends a request and does not wait.
    pub fn ask(&mut self, method: &str, params: Json) -> RequestId {
        self.next_id += 1;
        let id = RequestId::from(self.next_id);
        self.send(Message::Request(Request::new(id.clone(), method.to_owned(), params)));
        id
    }

    fn receive(&mut self, what: &str) {
        let connection = self.connection.as_ref().expect("the client is there");
        let message = connection.receiver.recv_timeout(self.patience);
        match message.unwrap_or_else(|error| panic!("waiting for {what}: {error}")) {
            Message::Request(request) => self.requests.push(request),
            Message::Notification(notification) => self.notifications.push(notification),
            Message::Response(Response { id, response_result }) => {
                let known = self.responses.insert(id.clone(), response_result);
                assert!(known.is_none(), "two answers to {id}");
            }
        }
    }

    pub fn wait(&mut self, id: &RequestId) -> Result<Json, ResponseError> {
        loop {
            if let Some(response) = self.responses.remove(id) {
                return response;
            }
            self.receive(&format!("the answer to {id}"));
        }
    }

    pub fn request(&mut self, method: &str, params: Json) -> Result<Json, ResponseError> {
        let id = self.ask(method, params);
        self.wait(&id)
    }

    /// Waits until the server has asked something, and takes it.
    pub fn wait_asked(&mut self, method: &str) -> Request {
        loop {
            if let Some(i) = self.requests.iter().position(|request| request.method == method) {
                return self.requests.remove(i);
            }
            self.receive(method);
        }
    }

    /// What the server has asked with this method so far, after all that was sent before was read.
    pub fn asked_so_far(&mut self, method: &str) -> usize {
        self.fence();
        self.requests.iter().filter(|request| request.method == method).count()
    }

    pub fn answer(&self, request: &Request, result: Json) {
        self.send(Message::Response(Response::new_ok(request.id.clone(), result)));
    }

    /// Returns after the server has handled everything that was sent before: an unknown request is answered at once
    /// and in order.
    pub fn fence(&mut self) {
        let error = self.request("test/fence", Json::Null).expect_err("an unknown request");
        assert!(error.code == METHOD_NOT_FOUND || error.code == INVALID_REQUEST, "{error:?}");
    }

    // ---- documents ----

    pub fn open(&self, uri: &str, version: i32, text: &str) {
        let item = json!({ "uri": uri, "languageId": "yaml", "version": version, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": item }));
    }

    pub fn replace(&self, uri: &str, version: i32, text: &str) {
        self.change(uri, version, json!([{ "text": text }]));
    }

    pub fn change(&self, uri: &str, version: i32, changes: Json) {
        let document = json!({ "uri": uri, "version": version });
        self.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
    }

    pub fn close(&self, uri: &str) {
        self.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    }

    pub fn watched(&self, changes: &[(&Path, u8)]) {
        let changes: Vec<Json> =
            changes.iter().map(|(path, kind)| json!({ "uri": uri(path), "type": kind })).collect();
        self.notify("workspace/didChangeWatchedFiles", json!({ "changes": changes }));
    }

    pub fn ask_pull(&mut self, uri: &str) -> RequestId {
        self.ask("textDocument/diagnostic", json!({ "textDocument": { "uri": uri } }))
    }

    pub fn pull(&mut self, uri: &str) -> Vec<Json> {
        let id = self.ask_pull(uri);
        let report = self.wait(&id).expect("diagnostics");
        assert_eq!(report["kind"], "full");
        report["items"].as_array().expect("items").clone()
    }

    /// The rules of the pulled diagnostics, in order.
    pub fn rules(&mut self, uri: &str) -> Vec<String> {
        rules(&self.pull(uri))
    }

    pub fn hover_params(uri: &str, line: u32, character: u32) -> Json {
        json!({ "textDocument": { "uri": uri }, "position": { "line": line, "character": character } })
    }

    pub fn hover(&mut self, uri: &str, line: u32, character: u32) -> Json {
        self.request("textDocument/hover", Client::hover_params(uri, line, character)).expect("a hover")
    }

    // ---- published diagnostics ----

    /// All that was published so far for a document.
    pub fn published(&self, uri: &str) -> Vec<Json> {
        self.notifications
            .iter()
            .filter(|n| n.method == "textDocument/publishDiagnostics" && n.params["uri"] == uri)
            .map(|n| n.params.clone())
            .collect()
    }

    /// Waits for a publication of a document that this accepts.
    pub fn wait_published(&mut self, uri: &str, accept: impl Fn(&Json) -> bool) -> Json {
        let mut seen = 0;
        loop {
            let published = self.published(uri);
            if let Some(found) = published[seen..].iter().find(|params| accept(params)) {
                return found.clone();
            }
            seen = published.len();
            self.receive(&format!("diagnostics of {uri}"));
        }
    }

    /// What the server logged so far.
    pub fn logged(&self) -> Vec<String> {
        self.notifications
            .iter()
            .filter(|n| n.method == "window/logMessage")
            .map(|n| n.params["message"].as_str().unwrap_or_default().to_owned())
            .collect()
    }

    // ---- the end ----

    /// Waits for `run` to return while the connection is still open.
    pub fn wait_end(&mut self) -> anyhow::Result<bool> {
        let result = self.ended.recv_timeout(self.patience).expect("the server ends");
        self.server.take().expect("it ran").join().expect("the server does not panic");
        result
    }

    pub fn shut_down(mut self) {
        let result = self.request("shutdown", Json::Null).expect("shutdown");
        assert_eq!(result, Json::Null);
        self.notify("exit", Json::Null);
        assert!(self.wait_end().expect("a clean end"));
    }

    /// The client is gone.
    pub fn vanish(mut self) -> anyhow::Result<bool> {
        self.connection = None;
        self.wait_end()
    }
}

pub fn folders_json(folders: &[&Path]) -> Json {
    folders.iter().map(|folder| json!({ "uri": uri(folder), "name": "folder" })).collect()
}

pub fn rules(diagnostics: &[Json]) -> Vec<String> {
    diagnostics.iter().map(|d| d["code"].as_str().unwrap_or_default().to_owned()).collect()
}

/// A folder of files that goes away with the test.
pub struct Folder {
    directory: tempfile::TempDir,
    pub root: PathBuf,
}

impl Folder {
    pub fn new(files: &[(&str, &str)]) -> Folder {
        let directory = tempfile::tempdir().expect("a temporary folder");
        let root = directory.path().canonicalize().expect("it is there");
        let folder = Folder { directory, root };
        for (name, text) in files {
            folder.write(name, text.as_bytes());
        }
        folder
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    pub fn uri(&self, name: &str) -> String {
        uri(&self.path(name))
    }

    pub fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("the folder is made");
        std::fs::write(&path, bytes).expect("the file is written");
        path
    }
}

// ---- documents that tests share ----

/// A Deployment `web`.
pub const DEPLOYMENT: &str = "\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web}}
spec: {replicas: 1}
";

const HEAD: &str = "\
apiVersion: convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: web, namespace: prod}
spec: {}
mutations:
";

/// A Release with one goTemplate for the Deployment.
pub fn release(template: &str) -> String {
    let mut text = format!(
        "{HEAD}- type: goTemplate\n  target: {{group: apps, version: v1, kind: Deployment, name: web}}\n  inline: |\n"
    );
    for line in template.lines() {
        text.push_str("    ");
        text.push_str(line);
        text.push('\n');
    }
    text
}

/// A Release without fault.
pub fn good() -> String {
    release("metadata: {labels: {team: core}}")
}

/// A Release whose template fails on the Deployment.
pub fn failing() -> String {
    release("metadata: {labels: {zone: \"{{ .object.status.zone }}\"}}")
}

/// A Release whose check takes long: its template runs to the limit of steps.
pub fn slow() -> String {
    release(
        "{{ define \"a\" }}{{ template \"b\" . }}{{ template \"b\" . }}{{ end }}{{ define \"b\" }}{{ range .object.list }}{{ end }}{{ end }}{{ range 1000000000 }}{{ template \"a\" $ }}{{ end }}",
    )
}
