use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use convoy_text::PositionEncoding;
use crossbeam_channel::Sender;
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types as lsp;
use lsp_types::notification::Notification as _;
use lsp_types::request::Request as _;
use serde_json::Value as Json;

use super::convert::{self, DiagnosticSupport};
use crate::dialect::DocumentKind;
use crate::workspace::{File, Workspace, is_yaml, yaml_files};

/// The section of the client's configuration that holds the settings.
pub(super) const SECTION: &str = "convoyLsp";
/// Commands of the server.
pub(super) const SELECT_CLUSTER: &str = "convoy-lsp.selectCluster";
pub(super) const SELECT_OBJECT: &str = "convoy-lsp.selectObject";

/// A document that the client has open.
struct Open {
    uri: lsp::Uri,
    rope: ropey::Rope,
    version: i32,
    /// Counts the texts of all documents, so that one that is opened again is another.
    revision: u64,
}

/// What a worker has finished.
pub(super) enum Done {
    /// The answer to a request about a version of a document.
    Reply { response: Response, about: Option<(PathBuf, u64)> },
    /// The diagnostics of all open documents of one generation.
    Checked { generation: u64, documents: Vec<(PathBuf, Vec<lsp::Diagnostic>)> },
    /// The check of a generation came to nothing.
    CheckFailed { generation: u64 },
}

/// What the server asked the client.
enum Asked {
    Configuration,
    Refresh,
    Other,
}

/// What the client can do.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Client {
    pub(super) encoding: Option<PositionEncoding>,
    pub(super) pulls: bool,
    refreshes: bool,
    watches: bool,
    configures: bool,
    pub(super) markdown: bool,
    pub(super) diagnostics: DiagnosticSupport,
}

impl Client {
    fn of(params: &lsp::InitializeParams, raw: &Json) -> Client {
        let text = params.capabilities.text_document.as_ref();
        let workspace = params.capabilities.workspace.as_ref();
        let published = text.and_then(|text| text.publish_diagnostics.as_ref());
        let formats =
            text.and_then(|text| text.hover.as_ref()).and_then(|hover| hover.content_format.as_ref());
        Client {
            encoding: Some(convert::encoding(params)),
            pulls: text.is_some_and(|text| text.diagnostic.is_some()),
            // LSP 3.17 says `diagnostics`; some clients say `diagnostic`, as the types here do.
            refreshes: ["diagnostics", "diagnostic"].iter().any(|name| {
                raw.pointer(&format!("/capabilities/workspace/{name}/refreshSupport"))
                    == Some(&Json::Bool(true))
            }),
            watches: workspace
                .and_then(|workspace| workspace.did_change_watched_files.as_ref())
                .is_some_and(|watched| watched.dynamic_registration == Some(true)),
            configures: workspace.is_some_and(|workspace| workspace.configuration == Some(true)),
            markdown: formats.is_none_or(|formats| formats.contains(&lsp::MarkupKind::Markdown)),
            diagnostics: DiagnosticSupport {
                related: published.is_some_and(|published| published.related_information == Some(true)),
                code_description: published
                    .is_some_and(|published| published.code_description_support == Some(true)),
            },
        }
    }

    pub(super) fn encoding(self) -> PositionEncoding {
        self.encoding.unwrap_or(PositionEncoding::Utf16)
    }
}

pub(super) struct Server {
    sender: Sender<Message>,
    done: Sender<Done>,
    pool: rayon::ThreadPool,
    pub(super) client: Client,
    /// A snapshot for each folder of the client.
    workspaces: Vec<Workspace>,
    /// Documents outside all folders, each on its own; nothing is read for them.
    loose: HashMap<PathBuf, Workspace>,
    /// What a path without a document belongs to.
    nothing: Workspace,
    open: HashMap<PathBuf, Open>,
    cancelled: HashMap<RequestId, Arc<AtomicBool>>,
    asked: HashMap<RequestId, Asked>,
    next_id: i32,
    /// Counts changes; a check is about one generation.
    generation: u64,
    checked: u64,
    checking: bool,
    /// The generation that the client was last asked to pull again for, while it has not answered.
    refreshing: Option<u64>,
    /// Something has changed that the client does not pull again for by itself.
    stale_elsewhere: bool,
    initialized: bool,
    revisions: u64,
    /// Settings from the client and, on top, what its commands chose.
    settings: Json,
    chosen: serde_json::Map<String, Json>,
    shut_down: bool,
}

impl Server {
    pub(super) fn new(
        params: &lsp::InitializeParams,
        raw: &Json,
        sender: Sender<Message>,
        done: Sender<Done>,
    ) -> anyhow::Result<Server> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(std::thread::available_parallelism().map_or(2, usize::from).max(2))
            .stack_size(16 << 20)
            .thread_name(|i| format!("reader-{i}"))
            .build()?;
        let mut folders: Vec<PathBuf> =
            params.workspace_folders.iter().flatten().map(|folder| convert::path_of(&folder.uri)).collect();
        #[allow(deprecated, reason = "clients without workspace folders say rootUri")]
        if folders.is_empty()
            && let Some(uri) = &params.root_uri
        {
            folders.push(convert::path_of(uri));
        }
        let mut server = Server {
            sender,
            done,
            pool,
            client: Client::of(params, raw),
            workspaces: folders.iter().map(|folder| Workspace::load(folder)).collect(),
            loose: HashMap::new(),
            nothing: Workspace::new(Path::new("/")),
            open: HashMap::new(),
            cancelled: HashMap::new(),
            asked: HashMap::new(),
            next_id: 0,
            generation: 1,
            checked: 1,
            checking: false,
            refreshing: None,
            stale_elsewhere: false,
            initialized: false,
            revisions: 0,
            settings: Json::Null,
            chosen: serde_json::Map::new(),
            shut_down: false,
        };
        if let Some(options) = &params.initialization_options {
            server.set_settings(options.get(SECTION).unwrap_or(options).clone());
        }
        Ok(server)
    }

    pub(super) fn initialize_result(&self) -> Json {
        let capabilities = lsp::ServerCapabilities {
            position_encoding: Some(convert::encoding_kind(self.client.encoding())),
            text_document_sync: Some(lsp::TextDocumentSyncCapability::Options(
                lsp::TextDocumentSyncOptions {
                    open_close: Some(true),
                    change: Some(lsp::TextDocumentSyncKind::INCREMENTAL),
                    ..lsp::TextDocumentSyncOptions::default()
                },
            )),
            hover_provider: Some(lsp::HoverProviderCapability::Simple(true)),
            diagnostic_provider: self.client.pulls.then(|| {
                lsp::DiagnosticServerCapabilities::Options(lsp::DiagnosticOptions {
                    identifier: Some("convoy-lsp".to_owned()),
                    inter_file_dependencies: true,
                    workspace_diagnostics: false,
                    work_done_progress_options: lsp::WorkDoneProgressOptions::default(),
                })
            }),
            execute_command_provider: Some(lsp::ExecuteCommandOptions {
                commands: vec![SELECT_CLUSTER.to_owned(), SELECT_OBJECT.to_owned()],
                work_done_progress_options: lsp::WorkDoneProgressOptions::default(),
            }),
            workspace: Some(lsp::WorkspaceServerCapabilities {
                workspace_folders: Some(lsp::WorkspaceFoldersServerCapabilities {
                    supported: Some(true),
                    change_notifications: Some(lsp::OneOf::Left(true)),
                }),
                file_operations: None,
            }),
            ..lsp::ServerCapabilities::default()
        };
        serde_json::json!({
            "capabilities": capabilities,
            "serverInfo": { "name": "convoy-lsp", "version": env!("CARGO_PKG_VERSION") },
        })
    }

    /// What the server asks of the client once it is up. Nobody waits for the answers.
    pub(super) fn initialized(&mut self) {
        self.initialized = true;
        if self.client.watches {
            let watchers = ["**/*.yaml", "**/*.yml"].map(|glob| lsp::FileSystemWatcher {
                glob_pattern: lsp::GlobPattern::String(glob.to_owned()),
                kind: None,
            });
            let options = lsp::DidChangeWatchedFilesRegistrationOptions { watchers: watchers.to_vec() };
            let registration = lsp::Registration {
                id: "yaml-files".to_owned(),
                method: lsp::notification::DidChangeWatchedFiles::METHOD.to_owned(),
                register_options: serde_json::to_value(options).ok(),
            };
            let params = lsp::RegistrationParams { registrations: vec![registration] };
            self.ask(lsp::request::RegisterCapability::METHOD, params, Asked::Other);
        }
        self.ask_configuration();
    }

    fn ask_configuration(&mut self) {
        if !self.client.configures {
            return;
        }
        let item = lsp::ConfigurationItem { scope_uri: None, section: Some(SECTION.to_owned()) };
        let params = lsp::ConfigurationParams { items: vec![item] };
        self.ask(lsp::request::WorkspaceConfiguration::METHOD, params, Asked::Configuration);
    }

    fn ask(&mut self, method: &str, params: impl serde::Serialize, what: Asked) {
        self.next_id += 1;
        let id = RequestId::from(self.next_id);
        self.asked.insert(id.clone(), what);
        self.send(Message::Request(Request::new(id, method.to_owned(), params)));
    }

    pub(super) fn send(&self, message: Message) {
        // A client that is gone takes no messages; the loop will find out.
        let _ = self.sender.send(message);
    }

    pub(super) fn log(&self, text: impl Into<String>) {
        let params = lsp::LogMessageParams { typ: lsp::MessageType::WARNING, message: text.into() };
        self.send(Message::Notification(Notification::new(
            lsp::notification::LogMessage::METHOD.to_owned(),
            params,
        )));
    }

    pub(super) fn is_initialized(&self) -> bool {
        self.initialized
    }

    pub(super) fn is_shut_down(&self) -> bool {
        self.shut_down
    }

    pub(super) fn shut_down(&mut self) {
        self.shut_down = true;
    }

    // ---- answers of the client ----

    pub(super) fn response(&mut self, response: Response) {
        let Some(asked) = self.asked.remove(&response.id) else { return };
        match asked {
            Asked::Configuration => {
                if let Some(Json::Array(mut items)) = response.response_kind_result()
                    && let Some(settings) = items.pop()
                    && !settings.is_null()
                {
                    self.set_settings(settings);
                }
            }
            Asked::Refresh => {
                // What changed while the client was asked must be told as well.
                if self.refreshing.take() != Some(self.generation) {
                    self.refresh();
                }
            }
            Asked::Other => {}
        }
    }

    pub(super) fn configuration_changed(&mut self, settings: Json) {
        if self.client.configures {
            self.ask_configuration();
        } else {
            let section = settings.get(SECTION).cloned().unwrap_or(settings);
            if !section.is_null() {
                self.set_settings(section);
            }
        }
    }

    fn set_settings(&mut self, settings: Json) {
        for fault in crate::workspace::settings::read_json(&settings).2 {
            self.log(format!("{SECTION}: {fault}"));
        }
        self.settings = settings;
        self.apply_settings();
    }

    fn apply_settings(&mut self) {
        let mut merged = self.settings.as_object().cloned().unwrap_or_default();
        merged.extend(self.chosen.clone());
        for workspace in self.workspaces.iter_mut().chain(self.loose.values_mut()) {
            workspace.set_client_settings(Json::Object(merged.clone()));
        }
        self.stale_elsewhere = true;
        self.changed();
    }

    /// The clusters that may be chosen.
    pub(super) fn cluster_names(&self) -> Vec<String> {
        let mut names: Vec<String> = self
            .workspaces
            .iter()
            .flat_map(Workspace::clusters)
            .map(|cluster| cluster.name.clone())
            .collect();
        names.sort();
        names.dedup();
        names
    }

    /// Whether a workspace has an object of this `Kind/name` or `Kind/namespace/name`.
    pub(super) fn has_object(&self, name: &str) -> bool {
        self.workspaces
            .iter()
            .flat_map(|workspace| workspace.documents(DocumentKind::Object))
            .any(|reference| reference.is_named(name))
    }

    /// Chooses the cluster or object of hovers; without a name, the settings choose again.
    pub(super) fn choose(&mut self, key: &str, name: Option<&str>) {
        match name {
            Some(name) => {
                self.chosen.insert(key.to_owned(), Json::from(name));
            }
            None => {
                self.chosen.remove(key);
            }
        }
        self.apply_settings();
    }

    // ---- documents ----

    /// The index of the innermost folder that holds a path.
    fn folder_of(&self, path: &Path) -> Option<usize> {
        let holding = (0..self.workspaces.len()).filter(|i| self.workspaces[*i].contains(path));
        holding.max_by_key(|i| self.workspaces[*i].root().components().count())
    }

    fn workspace_mut(&mut self, path: &Path) -> &mut Workspace {
        if let Some(i) = self.folder_of(path) {
            return &mut self.workspaces[i];
        }
        let settings = self.settings.clone();
        self.loose.entry(path.to_path_buf()).or_insert_with(|| {
            let mut workspace = Workspace::new(Path::new("/"));
            workspace.set_client_settings(settings);
            workspace
        })
    }

    /// The snapshot that a document belongs to.
    pub(super) fn workspace(&self, path: &Path) -> &Workspace {
        match self.folder_of(path) {
            Some(i) => &self.workspaces[i],
            None => self.loose.get(path).unwrap_or(&self.nothing),
        }
    }

    fn revision(&self, path: &Path) -> Option<u64> {
        self.open.get(path).map(|open| open.revision)
    }

    fn next_revision(&mut self) -> u64 {
        self.revisions += 1;
        self.revisions
    }

    pub(super) fn opened(&mut self, document: lsp::TextDocumentItem) {
        let path = convert::path_of(&document.uri);
        let rope = ropey::Rope::from_str(&document.text);
        self.workspace_mut(&path).set_file(File::from_text(path.clone().into(), document.text.into()));
        let revision = self.next_revision();
        self.open.insert(path, Open { uri: document.uri, rope, version: document.version, revision });
        self.edited_one();
    }

    pub(super) fn edited(&mut self, params: lsp::DidChangeTextDocumentParams) {
        let path = convert::path_of(&params.text_document.uri);
        let encoding = self.client.encoding();
        let revision = self.next_revision();
        let Some(open) = self.open.get_mut(&path) else { return };
        convert::apply_changes(&mut open.rope, params.content_changes, encoding);
        open.version = params.text_document.version;
        open.revision = revision;
        let text: Arc<str> = open.rope.to_string().into();
        self.workspace_mut(&path).set_file(File::from_text(path.clone().into(), text));
        self.edited_one();
    }

    pub(super) fn closed(&mut self, uri: &lsp::Uri) {
        let path = convert::path_of(uri);
        let Some(open) = self.open.remove(&path) else { return };
        if !self.client.pulls {
            self.publish(open.uri, Vec::new(), None);
        }
        self.loose.remove(&path);
        if self.folder_of(&path).is_some() {
            self.read_from_disk(&path);
        }
        self.stale_elsewhere = true;
        self.changed();
    }

    /// What stands on disk counts again for a file that is not open.
    fn read_from_disk(&mut self, path: &Path) {
        // A link may lead out of the folder, itself or by one of the folders above it.
        let Some(i) = self.folder_of(path) else { return };
        let root = self.workspaces[i].root().to_path_buf();
        // A link may lead out of the folder, itself or by one of the folders above it; and ignore files decide
        // whether a file belongs to the workspace.
        let real = (std::fs::canonicalize(path), std::fs::canonicalize(&root));
        let is_inside = matches!(real, (Ok(real), Ok(root)) if real.starts_with(&root));
        let belongs = is_inside && is_yaml(path) && yaml_files(&root).iter().any(|known| known == path);
        let bytes = if belongs { std::fs::read(path).ok() } else { None };
        let workspace = self.workspace_mut(path);
        match bytes {
            Some(bytes) => workspace.set_file(File::from_bytes(path.into(), bytes)),
            None => workspace.remove_file(path),
        }
    }

    pub(super) fn files_changed(&mut self, changes: Vec<lsp::FileEvent>) {
        let mut created = false;
        for change in changes {
            let path = convert::path_of(&change.uri);
            if self.open.contains_key(&path) {
                continue;
            }
            if self.workspace(&path).file(&path).is_some() {
                self.read_from_disk(&path);
            } else {
                created = true;
            }
        }
        if created {
            // Ignore files decide whether a new file belongs to the workspace.
            for i in 0..self.workspaces.len() {
                for path in yaml_files(self.workspaces[i].root()) {
                    if self.workspaces[i].file(&path).is_none()
                        && self.folder_of(&path) == Some(i)
                        && let Ok(bytes) = std::fs::read(&path)
                    {
                        self.workspaces[i].set_file(File::from_bytes(path.into(), bytes));
                    }
                }
            }
        }
        self.stale_elsewhere = true;
        self.changed();
    }

    pub(super) fn folders_changed(&mut self, event: lsp::WorkspaceFoldersChangeEvent) {
        for folder in event.removed {
            let root = convert::path_of(&folder.uri);
            self.workspaces.retain(|workspace| workspace.root() != root);
        }
        for folder in event.added {
            let mut workspace = Workspace::load(&convert::path_of(&folder.uri));
            if let Json::Object(settings) = &self.settings {
                let mut merged = settings.clone();
                merged.extend(self.chosen.clone());
                workspace.set_client_settings(Json::Object(merged));
            }
            self.workspaces.push(workspace);
        }
        // Open documents belong to the folder that now holds them, as they stand in the editor.
        let texts: Vec<(PathBuf, String)> =
            self.open.iter().map(|(path, open)| (path.clone(), open.rope.to_string())).collect();
        for (path, text) in texts {
            self.workspace_mut(&path).set_file(File::from_text(path.clone().into(), text.into()));
        }
        self.stale_elsewhere = true;
        self.changed();
    }

    fn changed(&mut self) {
        self.generation += 1;
    }

    /// The client has changed one document: it pulls for that one by itself, but not for others.
    fn edited_one(&mut self) {
        self.stale_elsewhere |= self.open.len() > 1;
        self.changed();
    }

    /// Asks the client to pull again, unless it has been asked and has not answered yet.
    fn refresh(&mut self) {
        if self.client.refreshes && self.refreshing.is_none() && !self.open.is_empty() {
            self.refreshing = Some(self.generation);
            self.ask(lsp::request::WorkspaceDiagnosticRefresh::METHOD, Json::Null, Asked::Refresh);
        }
    }

    // ---- diagnostics ----

    /// Begins a check if something has changed since the last one: for clients that do not pull.
    pub(super) fn check_if_changed(&mut self) {
        if self.checked == self.generation {
            return;
        }
        if self.client.pulls {
            // The client asks again for what it changed itself; other documents it must be told of.
            self.checked = self.generation;
            if std::mem::take(&mut self.stale_elsewhere) && self.initialized {
                self.refresh();
            }
            return;
        }
        if self.checking {
            return;
        }
        self.checking = true;
        self.checked = self.generation;
        let generation = self.generation;
        let (encoding, support) = (self.client.encoding(), self.client.diagnostics);
        let jobs: Vec<(PathBuf, Workspace)> =
            self.open.keys().map(|path| (path.clone(), self.workspace(path).clone())).collect();
        let done = self.done.clone();
        self.pool.spawn(move || {
            let checked = std::panic::catch_unwind(|| {
                jobs.into_iter()
                    .filter_map(|(path, workspace)| {
                        let file = workspace.file(&path)?;
                        let found = crate::ide::diagnostics(&workspace, file);
                        let converted = found
                            .iter()
                            .map(|d| convert::diagnostic(&workspace, file, d, encoding, support))
                            .collect();
                        Some((path, converted))
                    })
                    .collect()
            });
            let message = match checked {
                Ok(documents) => Done::Checked { generation, documents },
                Err(_) => Done::CheckFailed { generation },
            };
            let _ = done.send(message);
        });
    }

    fn publish(&self, uri: lsp::Uri, diagnostics: Vec<lsp::Diagnostic>, version: Option<i32>) {
        let params = lsp::PublishDiagnosticsParams { uri, diagnostics, version };
        let method = lsp::notification::PublishDiagnostics::METHOD.to_owned();
        self.send(Message::Notification(Notification::new(method, params)));
    }

    pub(super) fn finished(&mut self, done: Done) {
        match done {
            Done::Checked { generation, documents } => {
                self.checking = false;
                // An answer about an older state would show ranges that no longer fit.
                if generation != self.generation {
                    return;
                }
                for (path, diagnostics) in documents {
                    if let Some(open) = self.open.get(&path) {
                        self.publish(open.uri.clone(), diagnostics, Some(open.version));
                    }
                }
            }
            Done::CheckFailed { generation } => {
                self.checking = false;
                self.log(format!("the check of state {generation} failed; this is a fault of convoy-lsp"));
            }
            Done::Reply { mut response, about } => {
                let cancelled = self.cancelled.remove(&response.id);
                if cancelled.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
                    response = error(response.id, ErrorCode::RequestCanceled, "cancelled by the client");
                } else if about.is_some_and(|(path, revision)| self.revision(&path) != Some(revision)) {
                    response = error(response.id, ErrorCode::ContentModified, "the document has changed");
                }
                self.send(Message::Response(response));
            }
        }
    }

    // ---- requests ----

    /// Answers a request on the pool. A panic there is an error reply.
    pub(super) fn answer(
        &mut self,
        id: RequestId,
        about: Option<PathBuf>,
        work: impl FnOnce() -> Json + Send + std::panic::UnwindSafe + 'static,
    ) {
        let flag = Arc::new(AtomicBool::new(false));
        self.cancelled.insert(id.clone(), flag.clone());
        let about = about.and_then(|path| Some((path.clone(), self.revision(&path)?)));
        let done = self.done.clone();
        self.pool.spawn(move || {
            let response = if flag.load(Ordering::Relaxed) {
                error(id, ErrorCode::RequestCanceled, "cancelled by the client")
            } else {
                match std::panic::catch_unwind(work) {
                    Ok(result) => Response::new_ok(id, result),
                    Err(panic) => error(id, ErrorCode::InternalError, &panic_text(&*panic)),
                }
            };
            let _ = done.send(Done::Reply { response, about });
        });
    }

    pub(super) fn cancel(&mut self, id: &RequestId) {
        if let Some(flag) = self.cancelled.get(id) {
            flag.store(true, Ordering::Relaxed);
        }
    }
}

pub(super) fn error(id: RequestId, code: ErrorCode, message: &str) -> Response {
    Response::new_err(id, code as i32, message.to_owned())
}

/// What a panic said.
pub(super) fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_default();
    format!("a fault of convoy-lsp: {text}")
}

/// The result of a response, whichever way the library holds it.
trait ResponseResult {
    fn response_kind_result(self) -> Option<Json>;
}

impl ResponseResult for Response {
    fn response_kind_result(self) -> Option<Json> {
        serde_json::to_value(self).ok()?.get("result").cloned()
    }
}
