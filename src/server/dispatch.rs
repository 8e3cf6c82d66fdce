//! Which message does what.

use std::panic::{AssertUnwindSafe, catch_unwind};

use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types as lsp;
use lsp_types::notification::Notification as _;
use lsp_types::request::Request as _;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;

use super::convert;
use super::state::{SELECT_CLUSTER, SELECT_OBJECT, Server, error, panic_text};

impl Server {
    pub(super) fn request(&mut self, request: Request) {
        let id = request.id.clone();
        // State may be half changed after a panic, but a server that is gone helps nobody.
        let result = catch_unwind(AssertUnwindSafe(|| self.dispatch_request(request)));
        let response = match result {
            Ok(None) => return,
            Ok(Some(response)) => response,
            Err(panic) => error(id, ErrorCode::InternalError, &panic_text(&*panic)),
        };
        self.send(Message::Response(response));
    }

    /// Handles a request; gives the answer if it is known at once.
    fn dispatch_request(&mut self, request: Request) -> Option<Response> {
        let Request { id, method, params } = request;
        if self.is_shut_down() {
            return Some(error(id, ErrorCode::InvalidRequest, "the server is shut down"));
        }
        match method.as_str() {
            lsp::request::Shutdown::METHOD => {
                self.shut_down();
                Some(Response::new_ok(id, Json::Null))
            }
            lsp::request::HoverRequest::METHOD => {
                with_params(id, params, |id, params| self.hover(id, params))
            }
            lsp::request::DocumentDiagnosticRequest::METHOD => {
                with_params(id, params, |id, params| self.pull(id, params))
            }
            lsp::request::ExecuteCommand::METHOD => {
                let mut answer = None;
                let failed = with_params(id, params, |id, params: lsp::ExecuteCommandParams| {
                    answer = Some(self.execute(id, &params));
                });
                failed.or(answer)
            }
            #[cfg(test)]
            "test/panic" => panic!("asked for"),
            #[cfg(test)]
            "test/panicInWorker" => {
                self.answer(id, None, || panic!("asked for"));
                None
            }
            _ => Some(error(id, ErrorCode::MethodNotFound, &format!("unknown request {method}"))),
        }
    }

    pub(super) fn notification(&mut self, notification: Notification) {
        let method = notification.method.clone();
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| self.dispatch_notification(notification))) {
            self.log(format!("{method}: {}", panic_text(&*panic)));
        }
    }

    fn dispatch_notification(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        match method.as_str() {
            lsp::notification::Initialized::METHOD => self.initialized(),
            lsp::notification::DidOpenTextDocument::METHOD => {
                if let Some(params) = self.read::<lsp::DidOpenTextDocumentParams>(&method, params) {
                    self.opened(params.text_document);
                }
            }
            lsp::notification::DidChangeTextDocument::METHOD => {
                if let Some(params) = self.read(&method, params) {
                    self.edited(params);
                }
            }
            lsp::notification::DidCloseTextDocument::METHOD => {
                if let Some(params) = self.read::<lsp::DidCloseTextDocumentParams>(&method, params) {
                    self.closed(&params.text_document.uri);
                }
            }
            lsp::notification::DidChangeWatchedFiles::METHOD => {
                if let Some(params) = self.read::<lsp::DidChangeWatchedFilesParams>(&method, params) {
                    self.files_changed(params.changes);
                }
            }
            lsp::notification::DidChangeConfiguration::METHOD => {
                if let Some(params) = self.read::<lsp::DidChangeConfigurationParams>(&method, params) {
                    self.configuration_changed(params.settings);
                }
            }
            lsp::notification::DidChangeWorkspaceFolders::METHOD => {
                if let Some(params) = self.read::<lsp::DidChangeWorkspaceFoldersParams>(&method, params) {
                    self.folders_changed(params.event);
                }
            }
            lsp::notification::Cancel::METHOD => {
                if let Some(params) = self.read::<lsp::CancelParams>(&method, params) {
                    let id = match params.id {
                        lsp::NumberOrString::Number(number) => RequestId::from(number),
                        lsp::NumberOrString::String(text) => RequestId::from(text),
                    };
                    self.cancel(&id);
                }
            }
            _ => {}
        }
    }

    fn read<P: DeserializeOwned>(&self, method: &str, params: Json) -> Option<P> {
        serde_json::from_value(params).map_err(|error| self.log(format!("{method}: {error}"))).ok()
    }

    fn hover(&mut self, id: RequestId, params: lsp::HoverParams) {
        let at = params.text_document_position_params;
        let path = convert::path_of(&at.text_document.uri);
        let workspace = self.workspace(&path).clone();
        let (encoding, markdown) = (self.client.encoding(), self.client.markdown);
        self.answer(id, Some(path.clone()), move || {
            let Some(file) = workspace.file(&path) else { return Json::Null };
            let offset = convert::offset(file, at.position, encoding);
            let Some(hover) = crate::ide::hover(&workspace, file, offset) else { return Json::Null };
            let kind = if markdown { lsp::MarkupKind::Markdown } else { lsp::MarkupKind::PlainText };
            let contents = lsp::HoverContents::Markup(lsp::MarkupContent { kind, value: hover.markdown });
            let range = Some(convert::range(file, hover.span, encoding));
            serde_json::to_value(lsp::Hover { contents, range }).unwrap_or_default()
        });
    }

    fn pull(&mut self, id: RequestId, params: lsp::DocumentDiagnosticParams) {
        let path = convert::path_of(&params.text_document.uri);
        let workspace = self.workspace(&path).clone();
        let (encoding, support) = (self.client.encoding(), self.client.diagnostics);
        self.answer(id, Some(path.clone()), move || {
            let items: Vec<lsp::Diagnostic> = workspace
                .file(&path)
                .map(|file| {
                    let found = crate::ide::diagnostics(&workspace, file);
                    found
                        .iter()
                        .map(|diagnostic| {
                            convert::diagnostic(&workspace, file, diagnostic, encoding, support)
                        })
                        .collect()
                })
                .unwrap_or_default();
            serde_json::json!({ "kind": "full", "items": items })
        });
    }

    fn execute(&mut self, id: RequestId, params: &lsp::ExecuteCommandParams) -> Response {
        let key = match params.command.as_str() {
            SELECT_CLUSTER => "cluster",
            SELECT_OBJECT => "object",
            other => return error(id, ErrorCode::InvalidParams, &format!("unknown command {other}")),
        };
        let name = params.arguments.first().and_then(Json::as_str);
        if let Some(name) = name {
            let known = self.cluster_names();
            if key == "cluster" && !known.iter().any(|cluster| cluster == name) {
                let list = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
                let message = format!("there is no cluster {name:?} in the workspace; known are: {list}");
                return error(id, ErrorCode::InvalidParams, &message);
            }
            if key == "object" && !self.has_object(name) {
                let message = format!("there is no object {name:?} in the workspace; write Kind/name");
                return error(id, ErrorCode::InvalidParams, &message);
            }
        }
        self.choose(key, name);
        Response::new_ok(id, Json::Null)
    }
}

/// Reads the parameters of a request; an answer only where they are wrong.
fn with_params<P: DeserializeOwned>(
    id: RequestId,
    params: Json,
    handle: impl FnOnce(RequestId, P),
) -> Option<Response> {
    match serde_json::from_value(params) {
        Ok(params) => {
            handle(id, params);
            None
        }
        Err(problem) => Some(error(id, ErrorCode::InvalidParams, &problem.to_string())),
    }
}
