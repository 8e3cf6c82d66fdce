//! What only a fault of our own shows: handlers and workers that panic.

use std::time::Duration;

use crossbeam_channel::Receiver;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response, ResponseError};
use serde_json::{Value as Json, json};

/// A guard against a server that hangs, not a measure.
const PATIENCE: Duration = Duration::from_secs(30);

struct Client {
    connection: Connection,
    ended: Receiver<anyhow::Result<bool>>,
    next_id: i32,
}

impl Client {
    fn start() -> Client {
        let (server, connection) = Connection::memory();
        let (sender, ended) = crossbeam_channel::bounded(1);
        std::thread::spawn(move || {
            let _ = sender.send(super::run(&server));
        });
        let mut client = Client { connection, ended, next_id: 0 };
        let capabilities = json!({ "textDocument": { "diagnostic": {} } });
        let params = json!({ "processId": null, "capabilities": capabilities });
        client.request("initialize", params).expect("initialize succeeds");
        client.notify("initialized", json!({}));
        client
    }

    fn notify(&self, method: &str, params: Json) {
        let notification = Notification::new(method.to_owned(), params);
        self.connection.sender.send(Message::Notification(notification)).expect("the server is there");
    }

    fn ask(&mut self, method: &str, params: Json) -> RequestId {
        self.next_id += 1;
        let id = RequestId::from(self.next_id);
        let request = Request::new(id.clone(), method.to_owned(), params);
        self.connection.sender.send(Message::Request(request)).expect("the server is there");
        id
    }

    /// The next answer, whatever it is about.
    fn answer(&self) -> (RequestId, Result<Json, ResponseError>) {
        loop {
            let message = self.connection.receiver.recv_timeout(PATIENCE).expect("an answer");
            if let Message::Response(Response { id, response_result }) = message {
                return (id, response_result);
            }
        }
    }

    fn request(&mut self, method: &str, params: Json) -> Result<Json, ResponseError> {
        let id = self.ask(method, params);
        let (answered, result) = self.answer();
        assert_eq!(answered, id);
        result
    }

    fn open(&self, uri: &str) {
        let item = json!({ "uri": uri, "languageId": "yaml", "version": 1, "text": BROKEN });
        self.notify("textDocument/didOpen", json!({ "textDocument": item }));
    }

    fn pull(&mut self, uri: &str) -> Vec<Json> {
        let report = self.request("textDocument/diagnostic", json!({ "textDocument": { "uri": uri } }));
        report.expect("diagnostics")["items"].as_array().expect("items").clone()
    }

    fn shut_down(mut self) {
        assert_eq!(self.request("shutdown", Json::Null).expect("shutdown"), Json::Null);
        self.notify("exit", Json::Null);
        assert!(self.ended.recv_timeout(PATIENCE).expect("the server ends").expect("without fault"));
    }
}

const BROKEN: &str = "apiVersion: convoy.kumodo.io/v1alpha1\nkind: Release\nmetadata: {name: web\n";

fn assert_fault(result: Result<Json, ResponseError>) {
    let error = result.expect_err("a panic is an error reply");
    assert_eq!(error.code, ErrorCode::InternalError as i32);
    assert_eq!(error.message, "a fault of convoy-lsp: asked for");
}

#[test]
fn a_panic_in_a_handler_is_an_error_reply_and_the_server_lives() {
    let mut client = Client::start();
    client.open("untitled:before");
    for _ in 0..20 {
        assert_fault(client.request("test/panic", Json::Null));
    }
    client.open("untitled:after");
    for uri in ["untitled:before", "untitled:after"] {
        let items = client.pull(uri);
        assert_eq!(items[0]["code"], "yaml-syntax", "{uri}");
    }
    client.shut_down();
}

#[test]
fn a_panic_in_a_worker_is_an_error_reply_and_the_server_lives() {
    let mut client = Client::start();
    client.open("untitled:before");
    // More than there are workers: none of them may be lost.
    let asked: Vec<RequestId> = (0..200).map(|_| client.ask("test/panicInWorker", Json::Null)).collect();
    let mut answered = Vec::new();
    for _ in &asked {
        let (id, result) = client.answer();
        assert_fault(result);
        answered.push(id);
    }
    answered.sort();
    assert_eq!(answered, asked, "each exactly once");
    assert_eq!(client.pull("untitled:before")[0]["code"], "yaml-syntax");
    client.shut_down();
}

#[test]
fn a_request_after_a_panic_sees_what_was_changed_before_it() {
    let mut client = Client::start();
    client.open("untitled:a");
    let panicked = client.ask("test/panic", Json::Null);
    client.notify(
        "textDocument/didChange",
        json!({ "textDocument": { "uri": "untitled:a", "version": 2 }, "contentChanges": [{ "text": "" }] }),
    );
    let (id, result) = client.answer();
    assert_eq!(id, panicked);
    assert_fault(result);
    assert_eq!(client.pull("untitled:a"), Vec::<Json>::new());
    client.shut_down();
}

#[test]
fn a_cancelled_worker_that_panics_still_answers_once() {
    let mut client = Client::start();
    let id = client.ask("test/panicInWorker", Json::Null);
    client.notify("$/cancelRequest", json!({ "id": id }));
    let (answered, result) = client.answer();
    assert_eq!(answered, id);
    let error = result.expect_err("cancelled or panicked");
    let codes = [ErrorCode::RequestCanceled as i32, ErrorCode::InternalError as i32];
    assert!(codes.contains(&error.code), "{error:?}");
    client.shut_down();
}
