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
use lsp_server::{Connection, Message};

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

/// Serves a connection until the client exits, or is gone. Gives whether it has shut the server down before.
///
/// # Errors
///
/// A client that does not begin with `initialize`.
pub fn run(connection: &Connection) -> anyhow::Result<bool> {
    let (id, params) = match connection.initialize_start() {
        Ok(started) => started,
        // A client that leaves at once is no fault of the server.
        Err(error) if error.channel_is_disconnected() => return Ok(true),
        Err(error) => return Err(error.into()),
    };
    let params: lsp_types::InitializeParams =
        serde_json::from_value(params).context("the parameters of initialize")?;
    let (done_sender, done) = crossbeam_channel::unbounded::<Done>();
    let mut server = Server::new(&params, connection.sender.clone(), done_sender)?;
    connection.initialize_finish(id, server.initialize_result())?;
    server.initialized();
    loop {
        crossbeam_channel::select! {
            recv(connection.receiver) -> message => match message {
                Ok(Message::Request(request)) => server.request(request),
                Ok(Message::Response(response)) => server.response(response),
                Ok(Message::Notification(notification)) if notification.method == "exit" => {
                    return Ok(server.is_shut_down());
                }
                Ok(Message::Notification(notification)) => server.notification(notification),
                Err(_) => return Ok(server.is_shut_down()),
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
