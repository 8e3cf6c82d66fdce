//! The language server: protocol alone.
//!
//! One thread reads messages and changes the state in their order; whatever reads the workspace runs on a pool over
//! an immutable snapshot and answers through a channel. No handler waits for the client, a panic in a handler is
//! an error reply, and an answer about a document that has changed since is dropped. Start reading at [`run`].

mod convert;
mod dispatch;
mod state;
#[cfg(test)]
mod tests;

use anyhow::Context as _;
use lsp_server::{Connection, ErrorCode, Message, RequestId, Response};

use state::{Done, Server};

/// Serves on standard input and output. Gives whether the client has shut the server down before it left.
///
/// # Errors
///
/// What goes wrong with the streams.
pub fn serve() -> anyhow::Result<bool> {
    let (connection, threads) = Connection::stdio();
    let clean = run(&connection)?;
    // The writer ends when the last sender is gone; the reader may wait for an input that never comes, which the
    // end of the process ends.
    drop(connection);
    if clean {
        threads.join().context("the streams of the server")?;
    }
    Ok(clean)
}

/// Serves a connection until the client exits, or is gone. Gives whether the client has left in order: shut the server
/// down before, or never got as far as to initialize it.
///
/// # Errors
///
/// A pool of threads that cannot be had.
pub fn run(connection: &Connection) -> anyhow::Result<bool> {
    let (id, params, raw) = match initialize(connection) {
        Start::Initialize(id, params, raw) => (id, *params, raw),
        Start::Exit => return Ok(false),
        // A client that leaves at once is no fault of the server.
        Start::Gone => return Ok(true),
    };
    let (done_sender, done) = crossbeam_channel::unbounded::<Done>();
    let mut server = Server::new(&params, &raw, connection.sender.clone(), done_sender)?;
    server.send(Message::Response(Response::new_ok(id, server.initialize_result())));
    loop {
        crossbeam_channel::select! {
            recv(connection.receiver) -> message => match message {
                Ok(Message::Request(request)) => server.request(request),
                Ok(Message::Response(response)) => server.response(response),
                Ok(Message::Notification(notification)) if notification.method == "exit" => {
                    return Ok(server.is_shut_down());
                }
                Ok(Message::Notification(notification)) => server.notification(notification),
                Err(_) => return Ok(server.is_shut_down() || !server.is_initialized()),
            },
            recv(done) -> finished => {
                if let Ok(finished) = finished {
                    server.finished(finished);
                }
            }
        }
        // What several messages change is checked once.
        if connection.receiver.is_empty() {
            server.check_if_changed();
        }
    }
}

/// How a client begins.
enum Start {
    /// With the parameters also as they were sent: the types lack the client's `workspace.diagnostics`.
    Initialize(RequestId, Box<lsp_types::InitializeParams>, serde_json::Value),
    Exit,
    Gone,
}

/// Waits for `initialize`; other requests are refused, other notifications dropped.
fn initialize(connection: &Connection) -> Start {
    for message in &connection.receiver {
        let response = match message {
            Message::Request(request) if request.method == "initialize" => {
                match serde_json::from_value(request.params.clone()) {
                    Ok(params) => return Start::Initialize(request.id, params, request.params),
                    Err(problem) => {
                        state::error(request.id, ErrorCode::InvalidParams, &format!("initialize: {problem}"))
                    }
                }
            }
            Message::Request(request) => {
                state::error(request.id, ErrorCode::ServerNotInitialized, "the server is not initialized")
            }
            Message::Notification(notification) if notification.method == "exit" => return Start::Exit,
            _ => continue,
        };
        if connection.sender.send(Message::Response(response)).is_err() {
            break;
        }
    }
    Start::Gone
}
