//! The protocol, with a client in the same process: order, versions, encodings, settings, folders, and each known way
//! in which a server wedges.

// Helpers of tests may fail as tests do, and build texts the short way.
#![allow(unreachable_pub, clippy::unwrap_used, clippy::format_collect)]

mod common;

use std::path::Path;
use std::sync::Arc;

use common::lsp::{
    CANCELLED, CONTENT_MODIFIED, Client, DEPLOYMENT, Folder, INVALID_PARAMS, INVALID_REQUEST,
    METHOD_NOT_FOUND, NOT_INITIALIZED, capabilities, failing, folders_json, good, release, rules, slow, uri,
};
use convoy_lsp::workspace::{File, Workspace};
use serde_json::{Value as Json, json};

fn web() -> Folder {
    Folder::new(&[("release.yaml", &failing()), ("rendered.yaml", DEPLOYMENT)])
}

/// A client that has `release.yaml` of the folder open in version 1.
fn opened(folder: &Folder, pulls: bool, text: &str) -> (Client, String) {
    let client = Client::start(&[&folder.root], pulls);
    let uri = folder.uri("release.yaml");
    client.open(&uri, 1, text);
    (client, uri)
}

/// A Release whose template has a hover with this label in it.
fn labelled(label: &str) -> String {
    release(&format!("metadata: {{labels: {{team: {label}}}}}"))
}

// ---- beginning and end ----

#[test]
fn initialize_says_what_the_server_can() {
    let folder = web();
    let client = Client::start(&[&folder.root], true);
    let result = client.initialized.clone();
    assert_eq!(result["serverInfo"]["name"], "convoy-lsp");
    let capabilities = &result["capabilities"];
    assert_eq!(capabilities["positionEncoding"], "utf-16");
    assert_eq!(capabilities["textDocumentSync"]["openClose"], true);
    assert_eq!(capabilities["textDocumentSync"]["change"], 2);
    assert_eq!(capabilities["hoverProvider"], true);
    assert_eq!(capabilities["diagnosticProvider"]["interFileDependencies"], true);
    assert_eq!(capabilities["workspace"]["workspaceFolders"]["supported"], true);
    client.shut_down();
}

#[test]
fn exit_without_shutdown_is_not_clean() {
    let mut client = Client::start(&[], true);
    client.notify("exit", Json::Null);
    assert!(!client.wait_end().expect("no fault"));
}

#[test]
fn a_client_that_is_gone_ends_the_server() {
    let client = Client::start(&[], true);
    assert!(!client.vanish().expect("no fault"));
    let mut client = Client::start(&[], true);
    client.request("shutdown", Json::Null).unwrap();
    assert!(client.vanish().expect("no fault"), "it has shut the server down");
    assert!(Client::connect().vanish().is_ok(), "before initialize");
}

#[test]
fn a_client_that_is_gone_between_initialize_and_initialized_is_no_fault() {
    let mut client = Client::connect();
    client.request("initialize", json!({ "processId": null, "capabilities": {} })).unwrap();
    assert!(client.vanish().is_ok());
}

#[test]
fn exit_ends_the_server_while_workers_run() {
    let folder = web();
    let (mut client, uri) = opened(&folder, true, &slow());
    for _ in 0..8 {
        client.ask_pull(&uri);
    }
    client.notify("exit", Json::Null);
    assert!(!client.wait_end().expect("no fault"));
}

#[test]
fn exit_ends_the_server_after_everything_that_was_sent_before() {
    let folder = web();
    let (mut client, uri) = opened(&folder, false, &good());
    for version in 2..300 {
        client.replace(&uri, version, &good());
    }
    let shutdown = client.ask("shutdown", Json::Null);
    client.notify("exit", Json::Null);
    assert!(client.wait_end().expect("no fault"));
    assert_eq!(client.wait(&shutdown).unwrap(), Json::Null);
}

#[test]
fn nothing_is_answered_before_initialize_or_after_shutdown() {
    let mut client = Client::connect();
    let params = Client::hover_params("untitled:a", 0, 0);
    assert_eq!(client.request("textDocument/hover", params.clone()).unwrap_err().code, NOT_INITIALIZED);
    client.request("initialize", json!({ "processId": null, "capabilities": {} })).unwrap();
    client.notify("initialized", json!({}));
    client.request("shutdown", Json::Null).unwrap();
    assert_eq!(client.request("textDocument/hover", params).unwrap_err().code, INVALID_REQUEST);
    assert_eq!(client.request("shutdown", Json::Null).unwrap_err().code, INVALID_REQUEST);
    client.notify("exit", Json::Null);
    assert!(client.wait_end().unwrap());
}

#[test]
fn messages_before_initialized_are_no_end() {
    // Clients send what they like after the answer to initialize, such as $/setTrace.
    let mut client = Client::connect();
    client
        .request("initialize", json!({ "processId": null, "capabilities": capabilities(true, None) }))
        .unwrap();
    client.notify("$/setTrace", json!({ "value": "off" }));
    client.notify("initialized", json!({}));
    client.fence();
    client.shut_down();
}

#[test]
fn malformed_initialize_is_an_error_reply() {
    let mut client = Client::connect();
    let error = client.request("initialize", json!({ "capabilities": 5 })).unwrap_err();
    assert_eq!(error.code, INVALID_PARAMS);
}

// ---- requests ----

#[test]
fn unknown_requests_and_notifications() {
    let mut client = Client::start(&[], true);
    let error = client.request("textDocument/madeUp", json!({})).unwrap_err();
    assert_eq!(
        (error.code, error.message.as_str()),
        (METHOD_NOT_FOUND, "unknown request textDocument/madeUp")
    );
    assert_eq!(client.request("$/optional", Json::Null).unwrap_err().code, METHOD_NOT_FOUND);
    client.notify("textDocument/madeUp", json!({ "a": 1 }));
    client.notify("$/optional", Json::Null);
    client.fence();
    assert!(client.logged().is_empty(), "{:?}", client.logged());
    client.shut_down();
}

#[test]
fn malformed_params() {
    let mut client = Client::start(&[], true);
    let wrong = [
        Json::Null,
        json!([]),
        json!({}),
        json!({ "textDocument": 5 }),
        json!({ "textDocument": { "uri": "untitled:a" }, "position": { "line": -1, "character": 0 } }),
        json!({ "textDocument": { "uri": "untitled:a" }, "position": { "line": 4_294_967_296_u64, "character": 0 } }),
    ];
    for params in wrong {
        let error = client.request("textDocument/hover", params.clone()).unwrap_err();
        assert_eq!(error.code, INVALID_PARAMS, "{params}");
    }
    for method in ["textDocument/diagnostic", "workspace/executeCommand"] {
        assert_eq!(client.request(method, json!({ "x": 1 })).unwrap_err().code, INVALID_PARAMS);
    }
    let error = client.request("workspace/executeCommand", json!({ "command": "rm" })).unwrap_err();
    assert_eq!(error.code, INVALID_PARAMS);
    // A notification has no answer; the log says what was wrong.
    for method in ["didOpen", "didChange", "didClose"] {
        client.notify(&format!("textDocument/{method}"), json!({ "textDocument": [] }));
    }
    client.notify("workspace/didChangeWatchedFiles", json!({ "changes": 1 }));
    client.notify("$/cancelRequest", json!({ "id": {} }));
    client.fence();
    assert_eq!(client.logged().len(), 5, "{:?}", client.logged());
    client.shut_down();
}

#[test]
fn requests_about_documents_that_are_not_there() {
    let folder = web();
    let mut client = Client::start(&[&folder.root], true);
    for uri in
        [folder.uri("nowhere.yaml"), "untitled:never".to_owned(), "https://example.com/a.yaml".to_owned()]
    {
        assert_eq!(client.pull(&uri), Vec::<Json>::new());
        assert_eq!(client.hover(&uri, 0, 0), Json::Null);
        client.replace(&uri, 1, "a");
        client.close(&uri);
    }
    // A file that is not open is answered as it stands on disk.
    assert_eq!(client.rules(&folder.uri("release.yaml")), ["template-failed"]);
    client.shut_down();
}

#[test]
fn positions_outside_of_a_document() {
    let folder = web();
    let (mut client, uri) = opened(&folder, true, &failing());
    for (line, character) in [(0, u32::MAX), (u32::MAX, 0), (u32::MAX, u32::MAX), (8, 10_000)] {
        client.hover(&uri, line, character);
        let far = json!({ "line": line, "character": character });
        client.change(&uri, 2, json!([{ "range": { "start": far, "end": far }, "text": "" }]));
    }
    // An end before the start changes nothing but the text.
    let range = json!({ "start": { "line": 3, "character": 2 }, "end": { "line": 1, "character": 0 } });
    client.change(&uri, 3, json!([{ "range": range, "text": "" }]));
    assert_eq!(client.rules(&uri), ["template-failed"]);
    client.shut_down();
}

// ---- order ----

#[test]
fn a_hover_after_a_change_sees_the_new_text() {
    let folder = web();
    let (mut client, uri) = opened(&folder, true, &labelled("none"));
    let mut asked = Vec::new();
    for version in 2..202 {
        client.replace(&uri, version, &labelled(&format!("team-{version}")));
        let hover = client.ask("textDocument/hover", Client::hover_params(&uri, 5, 3));
        // Every second one is awaited before the next change, so that it cannot be dropped as stale.
        if version % 2 == 0 {
            let hover = client.wait(&hover).expect("a hover");
            let text = hover["contents"]["value"].as_str().unwrap();
            assert!(text.contains(&format!("+    team: team-{version}\n")), "version {version}: {text}");
        } else {
            asked.push((version, hover));
        }
    }
    for (version, id) in asked {
        match client.wait(&id) {
            Ok(hover) => {
                let text = hover["contents"]["value"].as_str().unwrap();
                assert!(text.contains(&format!("+    team: team-{version}\n")), "version {version}: {text}");
            }
            Err(error) => assert_eq!(error.code, CONTENT_MODIFIED),
        }
    }
    client.shut_down();
}

#[test]
fn an_answer_about_an_older_text_is_dropped() {
    let folder = web();
    let (mut client, uri) = opened(&folder, true, &slow());
    let pull = client.ask_pull(&uri);
    let hover = client.ask("textDocument/hover", Client::hover_params(&uri, 5, 3));
    client.replace(&uri, 2, &good());
    for id in [pull, hover] {
        let error = client.wait(&id).expect_err("the text has changed");
        assert_eq!((error.code, error.message.as_str()), (CONTENT_MODIFIED, "the document has changed"));
    }
    assert_eq!(client.rules(&uri), Vec::<String>::new());
    client.shut_down();
}

#[test]
fn an_answer_about_a_document_that_was_closed_is_dropped() {
    let folder = web();
    let (mut client, uri) = opened(&folder, true, &slow());
    let closed = client.ask_pull(&uri);
    client.close(&uri);
    assert_eq!(client.wait(&closed).expect_err("it is closed").code, CONTENT_MODIFIED);
    client.shut_down();
}

#[test]
fn an_answer_about_a_document_that_was_opened_again_is_dropped() {
    // Versions begin again with each opening; the number alone does not say which text was meant.
    let folder = web();
    let (mut client, uri) = opened(&folder, true, &slow());
    let old = client.ask_pull(&uri);
    client.close(&uri);
    client.open(&uri, 1, &good());
    let answer = client.wait(&old);
    assert!(
        answer.as_ref().is_err_and(|error| error.code == CONTENT_MODIFIED)
            || answer.as_ref().is_ok_and(|report| report["items"] == json!([])),
        "diagnostics of the text before: {answer:?}"
    );
    client.shut_down();
}

#[test]
fn a_cancelled_request_is_answered_with_an_error() {
    let folder = web();
    let (mut client, uri) = opened(&folder, true, &slow());
    let pulls: Vec<_> = (0..6).map(|_| client.ask_pull(&uri)).collect();
    for id in &pulls {
        client.notify("$/cancelRequest", json!({ "id": id }));
    }
    for id in &pulls {
        let error = client.wait(id).expect_err("it is cancelled");
        assert_eq!((error.code, error.message.as_str()), (CANCELLED, "cancelled by the client"));
    }
    // What is not known, or done, is no fault.
    client.notify("$/cancelRequest", json!({ "id": 4711 }));
    client.notify("$/cancelRequest", json!({ "id": "text" }));
    client.notify("$/cancelRequest", json!({ "id": pulls[0] }));
    client.replace(&uri, 2, &failing());
    assert_eq!(client.rules(&uri), ["template-failed"]);
    client.shut_down();
}

#[test]
fn a_client_that_never_answers_does_not_wedge_the_server() {
    let folder = web();
    let everything = json!({
        "textDocument": { "diagnostic": {} },
        "workspace": {
            "configuration": true,
            "didChangeWatchedFiles": { "dynamicRegistration": true },
            "diagnostic": { "refreshSupport": true },
            "workspaceFolders": true,
        },
    });
    let mut client = Client::start_with(json!({
        "processId": null,
        "workspaceFolders": folders_json(&[&folder.root]),
        "capabilities": everything,
    }));
    client.wait_asked("client/registerCapability");
    client.wait_asked("workspace/configuration");
    for i in 0..5 {
        client.open(&folder.uri(&format!("new-{i}.yaml")), 1, &failing());
    }
    for i in 0..100 {
        client.notify("workspace/didChangeConfiguration", json!({ "settings": null }));
        client.replace(&folder.uri("new-0.yaml"), 2 + i, &failing());
        client.watched(&[(&folder.path("release.yaml"), 2)]);
        let pulls: Vec<_> = (0..5).map(|n| client.ask_pull(&folder.uri(&format!("new-{n}.yaml")))).collect();
        for pull in pulls {
            let report = client.wait(&pull).expect("diagnostics");
            assert_eq!(rules(report["items"].as_array().unwrap()), ["template-failed"]);
        }
    }
    assert!(client.asked_so_far("workspace/configuration") >= 100);
    assert!(client.asked_so_far("workspace/diagnostic/refresh") <= 1, "one at a time");
    client.shut_down();
}

#[test]
fn answers_to_questions_that_were_not_asked_are_ignored() {
    let mut client = Client::start(&[], true);
    for i in 0..20 {
        let response = lsp_server::Response::new_ok(lsp_server::RequestId::from(i), json!([{ "rules": 5 }]));
        client.send(lsp_server::Message::Response(response));
    }
    client.fence();
    client.shut_down();
}

// ---- pull or push ----

#[test]
fn a_client_that_pulls_gets_nothing_published() {
    let folder = web();
    let (mut client, uri) = opened(&folder, true, &failing());
    assert_eq!(client.rules(&uri), ["template-failed"]);
    client.replace(&uri, 2, &good());
    assert_eq!(client.rules(&uri), Vec::<String>::new());
    client.close(&uri);
    client.fence();
    assert_eq!(client.published(&uri), Vec::<Json>::new());
    client.shut_down();
}

#[test]
fn a_client_that_does_not_pull_is_not_offered_it() {
    let folder = web();
    let mut client = Client::start(&[&folder.root], false);
    assert_eq!(client.initialized["capabilities"].get("diagnosticProvider"), None);
    let uri = folder.uri("release.yaml");
    client.open(&uri, 1, &failing());
    let published = client.wait_published(&uri, |_| true);
    assert_eq!(rules(published["diagnostics"].as_array().unwrap()), ["template-failed"]);
    client.shut_down();
}

#[test]
fn publications_have_the_version_and_end_with_the_document() {
    let folder = web();
    let (mut client, uri) = opened(&folder, false, &failing());
    let first = client.wait_published(&uri, |_| true);
    assert_eq!(first["version"], 1);
    client.replace(&uri, 7, &good());
    let second = client.wait_published(&uri, |params| params["version"] == 7);
    assert_eq!(second["diagnostics"], json!([]));
    client.replace(&uri, 8, &failing());
    client.wait_published(&uri, |params| params["version"] == 8);
    client.close(&uri);
    let last = client.wait_published(&uri, |params| params.get("version").is_none());
    assert_eq!(last["diagnostics"], json!([]));
    // Nothing comes after it.
    client.open(&folder.uri("other.yaml"), 1, &failing());
    client.wait_published(&folder.uri("other.yaml"), |_| true);
    assert_eq!(client.published(&uri).last(), Some(&last));
    client.shut_down();
}

#[test]
fn nothing_is_published_for_an_older_text() {
    let folder = web();
    let (mut client, uri) = opened(&folder, false, &good());
    // Odd versions are faulty.
    for version in 2..=121 {
        let text = if version % 2 == 1 { failing() } else { good() };
        client.replace(&uri, version, &text);
        if version % 10 == 0 {
            client.wait_published(&uri, |params| params["version"] == version);
        }
    }
    client.wait_published(&uri, |params| params["version"] == 121);
    let published = client.published(&uri);
    let mut last = 0;
    for params in published {
        let version = params["version"].as_i64().unwrap();
        assert!(version >= last, "{version} after {last}");
        last = version;
        let found = params["diagnostics"].as_array().unwrap().len();
        assert_eq!(found, usize::from(version % 2 == 1), "version {version}");
    }
    client.shut_down();
}

#[test]
fn a_slow_check_is_followed_by_one_of_the_newest_text() {
    let folder = web();
    let (mut client, uri) = opened(&folder, false, &slow());
    client.fence();
    client.replace(&uri, 2, &failing());
    let published = client.wait_published(&uri, |_| true);
    assert_eq!(published["version"], 2, "the slow one came to nothing");
    assert_eq!(rules(published["diagnostics"].as_array().unwrap()), ["template-failed"]);
    client.shut_down();
}

#[test]
fn a_change_of_one_document_publishes_what_changes_in_another() {
    let folder = web();
    let (mut client, uri) = opened(&folder, false, &failing());
    client.wait_published(&uri, |params| params["diagnostics"] != json!([]));
    // Without the Deployment nothing fails.
    client.open(&folder.uri("rendered.yaml"), 1, "");
    let later = client.wait_published(&uri, |params| params["diagnostics"] == json!([]));
    assert_eq!(later["version"], 1);
    client.close(&folder.uri("rendered.yaml"));
    let n = client.published(&uri).len();
    client.wait_published(&folder.uri("rendered.yaml"), |params| params.get("version").is_none());
    client.replace(&uri, 2, &failing());
    client.wait_published(&uri, |params| params["version"] == 2 && params["diagnostics"] != json!([]));
    assert!(client.published(&uri).len() > n);
    client.shut_down();
}

/// A client that pulls and can be told to pull again.
fn refreshing(folder: &Folder) -> Client {
    let mut capabilities = capabilities(true, None);
    capabilities["workspace"] = json!({ "diagnostic": { "refreshSupport": true } });
    Client::start_with(json!({
        "processId": null,
        "workspaceFolders": folders_json(&[&folder.root]),
        "capabilities": capabilities,
    }))
}

#[test]
fn a_client_that_pulls_is_told_of_changes_in_other_documents() {
    let folder = web();
    let mut client = refreshing(&folder);
    client.open(&folder.uri("release.yaml"), 1, &failing());
    client.open(&folder.uri("rendered.yaml"), 1, "");
    let request = client.wait_asked("workspace/diagnostic/refresh");
    client.answer(&request, Json::Null);
    client.replace(&folder.uri("rendered.yaml"), 2, DEPLOYMENT);
    client.wait_asked("workspace/diagnostic/refresh");
    client.shut_down();
}

#[test]
fn a_client_that_pulls_is_told_of_changed_files_and_settings() {
    let folder = web();
    let uri = folder.uri("release.yaml");
    // One document is open, and what changes is not that document.
    let changes: [fn(&Folder, &Client); 3] = [
        |folder, client| {
            let path = folder.write("rendered.yaml", b"");
            client.watched(&[(&path, 2)]);
        },
        |_, client| {
            let settings = json!({ "convoyLsp": { "rules": { "template-failed": "off" } } });
            client.notify("workspace/didChangeConfiguration", json!({ "settings": settings }));
        },
        |folder, client| {
            let path = folder.write(".convoy-lsp.yaml", b"rules: {template-failed: hint}\n");
            client.watched(&[(&path, 1)]);
        },
    ];
    let mut untold = Vec::new();
    for (i, change) in changes.iter().enumerate() {
        let mut client = refreshing(&folder);
        client.open(&uri, 1, &failing());
        client.fence();
        let before = client.asked_so_far("workspace/diagnostic/refresh");
        change(&folder, &client);
        // The question comes after the change was handled, before the second of two fences is answered.
        client.fence();
        if client.asked_so_far("workspace/diagnostic/refresh") == before {
            untold.push(i);
        }
        client.shut_down();
    }
    assert!(untold.is_empty(), "the diagnostics on the screen are old after the changes {untold:?}");
}

#[test]
fn a_change_while_a_refresh_is_open_is_told_after_it() {
    let folder = web();
    let mut client = refreshing(&folder);
    client.open(&folder.uri("release.yaml"), 1, &failing());
    client.open(&folder.uri("rendered.yaml"), 1, "");
    let first = client.wait_asked("workspace/diagnostic/refresh");
    // The client has pulled already, but not answered, when the next change comes.
    client.pull(&folder.uri("release.yaml"));
    client.replace(&folder.uri("rendered.yaml"), 2, DEPLOYMENT);
    client.fence();
    client.answer(&first, Json::Null);
    client.fence();
    assert!(client.asked_so_far("workspace/diagnostic/refresh") > 0, "the second change is never told");
    client.shut_down();
}

// ---- edits and encodings ----

/// Line and column of an offset, written for these tests alone.
fn position(text: &str, offset: usize, encoding: &str) -> Json {
    let (mut line, mut start) = (0, 0);
    let bytes = text.as_bytes();
    for i in 0..offset {
        let ends = bytes[i] == b'\n' || (bytes[i] == b'\r' && bytes.get(i + 1) != Some(&b'\n'));
        if ends {
            line += 1;
            start = i + 1;
        }
    }
    let before = &text[start..offset];
    let character = match encoding {
        "utf-8" => before.len(),
        "utf-16" => before.encode_utf16().count(),
        _ => before.chars().count(),
    };
    json!({ "line": line, "character": character })
}

fn range(text: &str, start: usize, end: usize, encoding: &str) -> Json {
    json!({ "start": position(text, start, encoding), "end": position(text, end, encoding) })
}

/// What a client should be told of a text: the diagnostics that the command line finds.
fn expected(workspace: &Workspace, path: &Path, text: &str, encoding: &str) -> Vec<Json> {
    let mut workspace = workspace.clone();
    workspace.set_file(File::from_text(path.into(), Arc::from(text)));
    let file = workspace.file(path).unwrap();
    let mut found = Vec::new();
    for d in convoy_lsp::ide::diagnostics(&workspace, file) {
        let message = match &d.help {
            Some(help) => format!("{}\nhelp: {help}", d.message),
            None => d.message.clone(),
        };
        let related: Vec<Json> = d
            .related
            .iter()
            .map(|related| {
                let file = workspace.file(&related.place.file).unwrap();
                let range = range(&file.text, related.place.span.start, related.place.span.end, encoding);
                json!({ "location": { "uri": uri(&file.path), "range": range }, "message": related.message })
            })
            .collect();
        found.push(json!({
            "range": range(text, d.place.span.start, d.place.span.end, encoding),
            "severity": match d.severity.word() { "error" => 1, "warning" => 2, _ => 4 },
            "code": d.rule,
            "codeDescription": { "href": format!("https://github.com/convoy-lsp/convoy-lsp/blob/main/docs/rules/{}.md", d.rule) },
            "source": "convoy-lsp",
            "message": message,
            "relatedInformation": related,
        }));
    }
    found
}

/// xorshift64*: the same edits in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        ((self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize) % n.max(1)
    }
}

/// An offset that a client can name: between characters, and not inside a CRLF.
fn some_offset(random: &mut Random, text: &str) -> usize {
    let mut offset = random.below(text.len() + 1);
    while !text.is_char_boundary(offset)
        || (offset > 0 && text[..offset].ends_with('\r') && text[offset..].starts_with('\n'))
    {
        offset -= 1;
    }
    offset
}

const PIECES: [&str; 28] = [
    "",
    "",
    "a",
    " ",
    "  ",
    "\n",
    "\r\n",
    "\r",
    "😀",
    "é",
    "\u{2028}",
    "\u{85}",
    "\t",
    "\"",
    "'",
    ": ",
    "- ",
    "{{ ",
    " }}",
    "{{ .object.status.zone }}",
    "---\n",
    "#",
    "[",
    "}",
    "&a ",
    "*a",
    "\n- type: goTemplate\n",
    "\u{feff}",
];

fn random_edits(encoding: &str, seed: u64) {
    let folder = Folder::new(&[("rendered.yaml", DEPLOYMENT), ("release.yaml", "")]);
    let mut client = Client::start_with(json!({
        "processId": null,
        "workspaceFolders": folders_json(&[&folder.root]),
        "capabilities": capabilities(true, Some(encoding)),
    }));
    assert_eq!(client.initialized["capabilities"]["positionEncoding"], encoding);
    let workspace = Workspace::load(&folder.root);
    let (path, uri) = (folder.path("release.yaml"), folder.uri("release.yaml"));
    let start = format!("# é😀\r\n{}", failing().replace("zone: \"", "zone: \"😀"))
        .replace("mutations:\n", "mutations:\r\n");
    let mut text = start.clone();
    client.open(&uri, 0, &text);
    let mut random = Random(seed);
    let mut edits = 0;
    let mut found = 0;
    let mut version = 0;
    while edits < 200 {
        let mut changes = Vec::new();
        for _ in 0..=random.below(3) {
            edits += 1;
            if random.below(12) == 0 {
                text.clone_from(&start);
                changes.push(json!({ "text": text }));
                continue;
            }
            let (a, b) = (some_offset(&mut random, &text), some_offset(&mut random, &text));
            // Most edits are short.
            let end =
                if random.below(5) == 0 { b } else { a + text[a..].chars().next().map_or(0, char::len_utf8) };
            let end =
                if text[..end].ends_with('\r') && text[end..].starts_with('\n') { end + 1 } else { end };
            let (start, end) = if random.below(2) == 0 { (a, a) } else { (a.min(end), a.max(end)) };
            let piece = PIECES[random.below(PIECES.len())];
            changes.push(json!({ "range": range(&text, start, end, encoding), "text": piece }));
            text.replace_range(start..end, piece);
        }
        version += 1;
        client.change(&uri, version, Json::from(changes));
        let pulled = client.pull(&uri);
        assert_eq!(
            pulled,
            expected(&workspace, &path, &text, encoding),
            "after {edits} edits of seed {seed}: {text:?}"
        );
        found += pulled.len();
    }
    assert!(found > 20, "the texts are worth comparing: {found}");
    client.shut_down();
}

#[test]
fn edits_in_utf_8() {
    (1..4).for_each(|seed| random_edits("utf-8", seed));
}

#[test]
fn edits_in_utf_16() {
    (1..4).for_each(|seed| random_edits("utf-16", seed));
}

#[test]
fn edits_in_utf_32() {
    (1..4).for_each(|seed| random_edits("utf-32", seed));
}

#[test]
fn the_encoding_is_chosen_from_what_the_client_offers() {
    for (offered, chosen) in [
        (json!(["utf-16", "utf-8"]), "utf-8"),
        (json!(["utf-32", "utf-16"]), "utf-16"),
        (json!(["utf-32"]), "utf-32"),
        (json!(["utf-7"]), "utf-16"),
        (json!([]), "utf-16"),
    ] {
        let client = Client::start_with(json!({
            "processId": null,
            "capabilities": { "general": { "positionEncodings": offered } },
        }));
        assert_eq!(client.initialized["capabilities"]["positionEncoding"], chosen, "{offered}");
        client.shut_down();
    }
}

#[test]
fn an_edit_behind_an_emoji_counts_in_each_encoding() {
    let folder = web();
    let text = failing().replace("zone: \"", "zone: \"😀é");
    let line = text.lines().position(|line| line.contains("status")).unwrap();
    let before = text.lines().nth(line).unwrap().split("status").next().unwrap().to_owned();
    for (encoding, column) in [
        ("utf-8", before.len()),
        ("utf-16", before.encode_utf16().count()),
        ("utf-32", before.chars().count()),
    ] {
        let mut client = Client::start_with(json!({
            "processId": null,
            "workspaceFolders": folders_json(&[&folder.root]),
            "capabilities": capabilities(true, Some(encoding)),
        }));
        let uri = folder.uri("release.yaml");
        client.open(&uri, 1, &text);
        let found = client.pull(&uri);
        let start = json!({ "line": line, "character": column + "status.".len() - 1 });
        assert_eq!(found[0]["range"]["start"]["line"], start["line"]);
        let range = json!({
            "start": { "line": line, "character": column },
            "end": { "line": line, "character": column + "status.zone".len() },
        });
        // `.object.kind` exists.
        client.change(&uri, 2, json!([{ "range": range, "text": "kind" }]));
        assert_eq!(client.rules(&uri), Vec::<String>::new(), "{encoding}");
        client.shut_down();
    }
}

#[test]
fn a_client_without_extras_gets_none() {
    let folder = web();
    let mut client = Client::start_with(json!({
        "processId": null,
        "rootUri": uri(&folder.root),
        "capabilities": { "textDocument": { "diagnostic": {}, "hover": { "contentFormat": ["plaintext"] } } },
    }));
    let uri = folder.uri("release.yaml");
    client.open(&uri, 1, &failing());
    let found = client.pull(&uri);
    assert_eq!(found[0].get("relatedInformation"), None);
    assert_eq!(found[0].get("codeDescription"), None);
    assert_eq!(client.hover(&uri, 5, 3)["contents"]["kind"], "plaintext");
    client.shut_down();
}

// ---- settings ----

#[test]
fn settings_of_initialization() {
    let folder = web();
    let mut client = Client::start_with(json!({
        "processId": null,
        "workspaceFolders": folders_json(&[&folder.root]),
        "capabilities": capabilities(true, None),
        "initializationOptions": { "rules": { "template-failed": "hint" } },
    }));
    assert_eq!(client.pull(&folder.uri("release.yaml"))[0]["severity"], 4);
    client.shut_down();
}

#[test]
fn settings_of_a_notification() {
    let folder = web();
    let (mut client, uri) = opened(&folder, true, &failing());
    // With and without the section around them.
    for (settings, severity) in [
        (json!({ "convoyLsp": { "rules": { "template-failed": "warning" } } }), Some(2)),
        (json!({ "rules": { "template-failed": "hint" } }), Some(4)),
        (json!({ "convoyLsp": { "rules": { "template-failed": "off" } } }), None),
        (json!({ "convoyLsp": {} }), Some(1)),
    ] {
        client.notify("workspace/didChangeConfiguration", json!({ "settings": settings }));
        let found = client.pull(&uri);
        assert_eq!(found.first().and_then(|d| d["severity"].as_i64()), severity, "{settings}");
    }
    client.shut_down();
}

/// A client that is asked for its configuration.
fn configured(folder: &Folder, options: Json) -> Client {
    let mut capabilities = capabilities(true, None);
    capabilities["workspace"] = json!({ "configuration": true });
    Client::start_with(json!({
        "processId": null,
        "workspaceFolders": folders_json(&[&folder.root]),
        "capabilities": capabilities,
        "initializationOptions": options,
    }))
}

#[test]
fn settings_that_the_client_is_asked_for() {
    let folder = web();
    let uri = folder.uri("release.yaml");
    let mut client = configured(&folder, Json::Null);
    let request = client.wait_asked("workspace/configuration");
    assert_eq!(request.params, json!({ "items": [{ "section": "convoyLsp" }] }));
    client.answer(&request, json!([{ "rules": { "template-failed": "off" } }]));
    assert_eq!(client.rules(&uri), Vec::<String>::new());
    // A change is only a reason to ask again.
    client.notify(
        "workspace/didChangeConfiguration",
        json!({ "settings": { "rules": { "template-failed": "hint" } } }),
    );
    let request = client.wait_asked("workspace/configuration");
    client.answer(&request, json!([{ "rules": { "template-failed": "warning" } }]));
    assert_eq!(client.pull(&uri)[0]["severity"], 2);
    client.shut_down();
}

#[test]
fn a_client_that_has_no_settings_leaves_those_of_initialization() {
    let folder = web();
    let mut client = configured(&folder, json!({ "rules": { "template-failed": "off" } }));
    let request = client.wait_asked("workspace/configuration");
    client.answer(&request, json!([null]));
    assert_eq!(client.rules(&folder.uri("release.yaml")), Vec::<String>::new());
    client.shut_down();
}

#[test]
fn strange_answers_to_the_question_for_settings() {
    let folder = web();
    for answer in [Json::Null, json!([]), json!({}), json!("x"), json!([5]), json!([[]])] {
        let mut client = configured(&folder, Json::Null);
        let request = client.wait_asked("workspace/configuration");
        client.answer(&request, answer.clone());
        assert_eq!(client.rules(&folder.uri("release.yaml")), ["template-failed"], "{answer}");
        client.shut_down();
    }
    let mut client = configured(&folder, Json::Null);
    let request = client.wait_asked("workspace/configuration");
    let error = lsp_server::Response::new_err(request.id, -32603, "no".to_owned());
    client.send(lsp_server::Message::Response(error));
    assert_eq!(client.rules(&folder.uri("release.yaml")), ["template-failed"]);
    client.shut_down();
}

#[test]
fn wrong_settings_of_a_client_are_logged_and_leave_the_others() {
    let folder = web();
    folder.write(".convoy-lsp.yaml", b"samples: [nothing.yaml]\n");
    let (mut client, uri) = opened(&folder, true, &failing());
    assert_eq!(client.rules(&uri), Vec::<String>::new(), "the file's samples hold no object");
    let settings = json!({ "samples": 5, "clusterz": true, "convoy": { "cutInline": 1 }, "rules": { "modeline": "off" } });
    client.notify("workspace/didChangeConfiguration", json!({ "settings": settings }));
    client.fence();
    let logged = client.logged();
    assert_eq!(logged.len(), 3, "{logged:?}");
    assert!(logged[0].starts_with("convoyLsp: setting samples: invalid type: integer `5`"), "{logged:?}");
    // A value that cannot be read says nothing, so that the file's stays.
    assert_eq!(client.rules(&uri), Vec::<String>::new());
    client.shut_down();
}

#[test]
fn the_settings_file_changes_on_disk() {
    let folder = web();
    let (mut client, uri) = opened(&folder, true, &failing());
    assert_eq!(client.pull(&uri)[0]["severity"], 1);
    let path = folder.write(".convoy-lsp.yaml", b"rules: {template-failed: hint}\n");
    client.watched(&[(&path, 1)]);
    assert_eq!(client.pull(&uri)[0]["severity"], 4);
    folder.write(".convoy-lsp.yaml", b"rules: {template-failed: warning}\n");
    client.watched(&[(&path, 2)]);
    assert_eq!(client.pull(&uri)[0]["severity"], 2);
    std::fs::remove_file(&path).unwrap();
    client.watched(&[(&path, 3)]);
    assert_eq!(client.pull(&uri)[0]["severity"], 1);
    // Open in the editor it counts as it stands there.
    client.open(&uri_of_settings(&folder), 1, "rules: {template-failed: 'off'}\n");
    assert_eq!(client.rules(&uri), Vec::<String>::new());
    client.close(&uri_of_settings(&folder));
    assert_eq!(client.pull(&uri)[0]["severity"], 1);
    client.shut_down();
}

fn uri_of_settings(folder: &Folder) -> String {
    folder.uri(".convoy-lsp.yaml")
}

#[test]
fn commands_choose_the_cluster_and_object_of_hovers() {
    let clusters: String = ["east", "west"]
        .map(|name| {
            format!("apiVersion: convoy.kumodo.io/v1alpha1\nkind: Cluster\nmetadata: {{name: {name}}}\nspec: {{metadata: {{}}}}\n---\n")
        })
        .concat();
    let folder = Folder::new(&[("rendered.yaml", DEPLOYMENT), ("clusters/all.yaml", &clusters)]);
    let (mut client, uri) =
        opened(&folder, true, &release("metadata: {labels: {at: \"{{ .cluster.name }}\"}}"));
    let shows = |client: &mut Client, name: &str| {
        let hover = client.hover(&uri, 5, 3);
        hover["contents"]["value"].as_str().unwrap().contains(&format!("+    at: {name}\n"))
    };
    assert!(shows(&mut client, "east"));
    let command = |name: Json| json!({ "command": "convoy-lsp.selectCluster", "arguments": [name] });
    client.request("workspace/executeCommand", command(json!("west"))).unwrap();
    assert!(shows(&mut client, "west"));
    // What was chosen outlives a change of settings.
    client.notify("workspace/didChangeConfiguration", json!({ "settings": { "cluster": "east" } }));
    assert!(shows(&mut client, "west"));
    client.request("workspace/executeCommand", command(Json::Null)).unwrap();
    assert!(shows(&mut client, "east"));
    client.shut_down();
}

// ---- files and folders ----

#[test]
fn watched_files_are_created_changed_and_deleted() {
    let folder = Folder::new(&[("release.yaml", &failing())]);
    let (mut client, uri) = opened(&folder, true, &failing());
    assert_eq!(client.rules(&uri), Vec::<String>::new(), "no sample");
    let path = folder.write("rendered.yaml", DEPLOYMENT.as_bytes());
    client.watched(&[(&path, 1)]);
    assert_eq!(client.rules(&uri), ["template-failed"]);
    folder.write("rendered.yaml", DEPLOYMENT.replace("spec:", "status: {zone: a}\nspec:").as_bytes());
    client.watched(&[(&path, 2)]);
    assert_eq!(client.rules(&uri), Vec::<String>::new());
    folder.write("rendered.yaml", DEPLOYMENT.as_bytes());
    client.watched(&[(&path, 2)]);
    assert_eq!(client.rules(&uri), ["template-failed"]);
    std::fs::remove_file(&path).unwrap();
    client.watched(&[(&path, 3)]);
    assert_eq!(client.rules(&uri), Vec::<String>::new());
    client.shut_down();
}

#[test]
fn a_watched_file_that_is_open_or_ignored_does_not_count() {
    let folder = Folder::new(&[("release.yaml", &failing()), (".gitignore", "ignored.yaml\n")]);
    let (mut client, uri) = opened(&folder, true, &failing());
    let ignored = folder.write("ignored.yaml", DEPLOYMENT.as_bytes());
    client.watched(&[(&ignored, 1)]);
    assert_eq!(client.rules(&uri), Vec::<String>::new());
    let text = folder.write("notes.txt", DEPLOYMENT.as_bytes());
    client.watched(&[(&text, 1)]);
    assert_eq!(client.rules(&uri), Vec::<String>::new());
    // The open text wins over the disk.
    let path = folder.write("release.yaml", good().as_bytes());
    let sample = folder.write("rendered.yaml", DEPLOYMENT.as_bytes());
    client.watched(&[(&path, 2), (&sample, 1)]);
    assert_eq!(client.rules(&uri), ["template-failed"]);
    client.close(&uri);
    assert_eq!(client.rules(&uri), Vec::<String>::new(), "the disk counts again");
    client.shut_down();
}

#[test]
fn an_ignored_file_counts_only_while_it_is_open() {
    let folder = Folder::new(&[
        ("release.yaml", &failing()),
        (".gitignore", "ignored.yaml\n"),
        ("ignored.yaml", DEPLOYMENT),
    ]);
    let (mut client, uri) = opened(&folder, true, &failing());
    assert_eq!(client.rules(&uri), Vec::<String>::new());
    client.open(&folder.uri("ignored.yaml"), 1, DEPLOYMENT);
    client.close(&folder.uri("ignored.yaml"));
    assert_eq!(client.rules(&uri), Vec::<String>::new(), "as --check says");
    client.shut_down();
}

#[cfg(unix)]
#[test]
fn a_file_behind_a_link_is_not_read_from_disk() {
    let outside = Folder::new(&[("secret.yaml", DEPLOYMENT)]);
    let folder = Folder::new(&[("release.yaml", &failing())]);
    std::os::unix::fs::symlink(&outside.root, folder.path("link")).unwrap();
    std::os::unix::fs::symlink(outside.path("secret.yaml"), folder.path("link.yaml")).unwrap();
    let text = format!("# convoy-lsp: samples=link,link.yaml\n{}", failing());
    let (mut client, uri) = opened(&folder, true, &text);
    for name in ["link.yaml", "link/secret.yaml"] {
        client.watched(&[(&folder.path(name), 1)]);
        client.open(&folder.uri(name), 1, "");
        client.close(&folder.uri(name));
        client.watched(&[(&folder.path(name), 2)]);
        assert_eq!(client.rules(&uri), ["modeline", "modeline"], "{name} was read");
    }
    client.shut_down();
}

#[test]
fn two_folders_do_not_see_each_other() {
    let first = Folder::new(&[("release.yaml", &failing()), ("rendered.yaml", DEPLOYMENT)]);
    let second = Folder::new(&[("release.yaml", &failing()), (".convoy-lsp.yaml", "")]);
    let mut client = Client::start(&[&first.root, &second.root], true);
    assert_eq!(client.rules(&first.uri("release.yaml")), ["template-failed"]);
    assert_eq!(client.rules(&second.uri("release.yaml")), Vec::<String>::new());
    // Each has its settings.
    second.write("rendered.yaml", DEPLOYMENT.as_bytes());
    second.write(".convoy-lsp.yaml", b"rules: {template-failed: hint}\n");
    client.watched(&[(&second.path("rendered.yaml"), 1), (&second.path(".convoy-lsp.yaml"), 2)]);
    assert_eq!(client.pull(&first.uri("release.yaml"))[0]["severity"], 1);
    assert_eq!(client.pull(&second.uri("release.yaml"))[0]["severity"], 4);
    client.shut_down();
}

#[test]
fn folders_come_and_go() {
    let first = web();
    let second = web();
    let mut client = Client::start(&[&first.root], true);
    let uri = second.uri("release.yaml");
    client.open(&uri, 1, &failing());
    assert_eq!(client.rules(&uri), Vec::<String>::new(), "outside of all folders");
    let event = |added: &[&Path], removed: &[&Path]| json!({ "event": { "added": folders_json(added), "removed": folders_json(removed) } });
    client.notify("workspace/didChangeWorkspaceFolders", event(&[&second.root], &[]));
    assert_eq!(client.rules(&uri), ["template-failed"]);
    client.notify("workspace/didChangeWorkspaceFolders", event(&[], &[&second.root]));
    assert_eq!(client.rules(&uri), Vec::<String>::new());
    assert_eq!(client.rules(&first.uri("release.yaml")), ["template-failed"]);
    client.shut_down();
}

#[test]
fn a_folder_inside_of_another_has_its_own_settings() {
    let outer = Folder::new(&[
        (".convoy-lsp.yaml", "rules: {template-failed: warning}\n"),
        ("inner/.convoy-lsp.yaml", "rules: {template-failed: hint}\n"),
        ("inner/release.yaml", &failing()),
        ("inner/rendered.yaml", DEPLOYMENT),
    ]);
    let inner = outer.path("inner");
    let uri = outer.uri("inner/release.yaml");
    // The command line takes the nearest settings file.
    for folders in [[&*outer.root, &*inner], [&*inner, &*outer.root]] {
        let mut client = Client::start(&folders, true);
        client.open(&uri, 1, &failing());
        assert_eq!(client.pull(&uri)[0]["severity"], 4, "{folders:?}");
        client.shut_down();
    }
}

#[test]
fn a_document_outside_of_all_folders_reads_no_neighbours() {
    let outside = web();
    let folder = Folder::new(&[]);
    for folders in [&[&*folder.root][..], &[]] {
        let mut client = Client::start(folders, true);
        let uri = outside.uri("release.yaml");
        for text in [
            failing(),
            format!("# convoy-lsp: samples=rendered.yaml\n{}", failing()),
            format!("# convoy-lsp: samples={}\n{}", outside.path("rendered.yaml").display(), failing()),
        ] {
            client.open(&uri, 1, &text);
            client.watched(&[(&outside.path("rendered.yaml"), 2), (&outside.path("release.yaml"), 2)]);
            assert!(!client.rules(&uri).contains(&"template-failed".to_owned()));
            client.close(&uri);
            assert_eq!(client.rules(&uri), Vec::<String>::new());
        }
        // It is analysed all the same.
        client.open(&uri, 2, "apiVersion: convoy.kumodo.io/v1alpha1\nkind: Release\nmutations: [\n");
        assert_eq!(client.rules(&uri), ["yaml-syntax"]);
        client.shut_down();
    }
}

#[test]
fn an_untitled_document() {
    let mut client = Client::start(&[], false);
    let text = format!("{}---\n{DEPLOYMENT}", failing());
    for uri in ["untitled:Untitled-1", "untitled:/tmp/a%20b.yaml", "vscode-vfs://github/x/y.yaml"] {
        client.open(uri, 1, &text);
        let published = client.wait_published(uri, |params| params["version"] == 1);
        // Its own objects are its samples.
        assert_eq!(rules(published["diagnostics"].as_array().unwrap()), ["template-failed"], "{uri}");
        assert_ne!(client.hover(uri, 5, 3), Json::Null);
        client.close(uri);
        client.wait_published(uri, |params| {
            params.get("version").is_none() && params["diagnostics"] == json!([])
        });
    }
    client.shut_down();
}

#[test]
fn objects_of_an_untitled_document_are_no_samples_of_others() {
    let outside = Folder::new(&[]);
    let mut client = Client::start(&[], true);
    client.open("untitled:Untitled-1", 1, DEPLOYMENT);
    client.open(&outside.uri("release.yaml"), 1, &failing());
    assert_eq!(client.rules(&outside.uri("release.yaml")), Vec::<String>::new());
    client.shut_down();
}

#[test]
fn names_with_spaces_and_signs() {
    let folder = Folder::new(&[("a b/#ü😀%.yaml", &failing()), ("a b/objects.yaml", DEPLOYMENT)]);
    let mut client = Client::start(&[&folder.root], true);
    let uri = folder.uri("a b/#ü😀%.yaml");
    assert!(uri.contains("%23"), "{uri}");
    let found = client.pull(&uri);
    assert_eq!(rules(&found), ["template-failed"]);
    let related = &found[0]["relatedInformation"][0]["location"]["uri"];
    assert_eq!(related, &json!(folder.uri("a b/objects.yaml")));
    client.open(&uri, 1, &good());
    assert_eq!(client.rules(&uri), Vec::<String>::new());
    client.shut_down();
}

// ---- hovers everywhere ----

fn example(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/examples/podinfo").join(name);
    std::fs::read_to_string(path).expect("an example")
}

const BROKEN: [&str; 10] = [
    "apiVersion: convoy.kumodo.io/v1alpha1\nkind: Release\nmutations: [{type: goTemplate, inline: \"{{ .object.",
    "apiVersion: convoy.kumodo.io/v1alpha1\nkind: Release\nmutations:\n- type: goTemplate\n  inline: |\n    a: {{ if }}\n   b: 1\n  - x\n",
    "apiVersion: convoy.kumodo.io/v1alpha1\r\nkind: Release\r\nmutations:\r\n- type: jsonPatch\r\n  patches:\r\n  - {op: add, path: /a😀/~1, value: '{{ . '}\r\n  -\r\n",
    "# convoy-lsp: mutations\n- type: goTemplate\n  inline: [\"{{ index .object \\\"a\\\" }}\", {a: b}, , ]\n- \n-\n",
    "apiVersion: convoy.kumodo.io/v1alpha1\nkind: Release\nmutations: &a\n- &b {type: goTemplate, <<: *b, inline: *a}\n- *b\n- *c\n",
    "apiVersion: convoy.kumodo.io/v1alpha1\nkind: Release\nmutations:\n- type: goTemplate\n  inline: >-\n    😀 {{ .cluster.name }}\n\n      {{ with .object }}{{ .metadata\n  from: {kind: ConfigMap, name: '{{ .self.name', path: }\n",
    "apiVersion: convoy.kumodo.io/v1alpha1\nkind: Release\nmutations: {a: b}\n---\nkind: Release\napiVersion: convoy.kumodo.io/v1\nmutations:\n  type: x\n--- |\n %\n...\n%YAML 9\n---\n",
    "\u{feff}apiVersion: convoy.kumodo.io/v1alpha1\nkind: Release\nmutations:\n\t- type: goTemplate\n- inline: \"\\x\\u12 {{ printf `%d` .object.spec.replicas }}\n",
    "apiVersion: convoy.kumodo.io/v1alpha1\nkind: Release\nmutations:\n- type: strategicMergePatch\n  target: {kind: Deployment}\n  inline: 'a: ''{{ .object.kind }}'' {{/* c */}} {{ define \"x\" }}{{ template \"x\" . }}{{ end }}{{ template \"x\" . }}'\n",
    "apiVersion: convoy.kumodo.io/v1alpha1\nkind: Release\nmutations:\n- type: celTransform\n  inline: |2-\n     {\"a\": object.\n- type: syncWave\n  waveStrategy: {wave: {}, strategy: [}\n",
];

fn check_hovers(workspace: &Workspace, path: &Path) -> usize {
    let file = workspace.file(path).unwrap();
    let mut hovers = 0;
    for offset in (0..=file.text.len()).filter(|at| file.text.is_char_boundary(*at)) {
        let Some(hover) = convoy_lsp::ide::hover(workspace, file, offset) else { continue };
        hovers += 1;
        assert!(
            file.text.get(hover.span.range()).is_some(),
            "{offset}: {:?} of {}",
            hover.span,
            path.display()
        );
        assert!(!hover.markdown.trim().is_empty(), "{offset} of {}", path.display());
    }
    hovers
}

fn podinfo() -> Workspace {
    Workspace::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/examples/podinfo"))
}

#[test]
fn hovers_at_every_offset_of_the_examples() {
    let workspace = podinfo();
    let paths: Vec<_> = workspace.files().map(|file| file.path.clone()).collect();
    assert_eq!(paths.len(), 7);
    for path in paths {
        let hovers = check_hovers(&workspace, &path);
        let name = path.file_name().unwrap().to_str().unwrap();
        assert_eq!(
            hovers > 0,
            ["release.yaml", "broken.yaml", "overlay.yaml"].contains(&name),
            "{name}: {hovers}"
        );
    }
}

#[test]
fn hovers_at_every_offset_of_broken_texts() {
    let samples = example("rendered.yaml");
    for text in BROKEN {
        let mut workspace = Workspace::new(Path::new("/w"));
        workspace
            .set_file(File::from_text(Path::new("/w/rendered.yaml").into(), Arc::from(samples.as_str())));
        workspace.set_file(File::from_text(Path::new("/w/release.yaml").into(), Arc::from(text)));
        check_hovers(&workspace, Path::new("/w/release.yaml"));
        let file = workspace.file(Path::new("/w/release.yaml")).unwrap();
        for d in convoy_lsp::ide::diagnostics(&workspace, file) {
            assert!(file.text.get(d.place.span.range()).is_some(), "{d:?}");
        }
    }
}

#[test]
fn hovers_of_the_server_have_ranges_in_the_document() {
    let folder = Folder::new(&[("rendered.yaml", &example("rendered.yaml"))]);
    let mut client = Client::start(&[&folder.root], true);
    let uri = folder.uri("release.yaml");
    let texts =
        BROKEN.iter().map(|text| (*text).to_owned()).chain([example("release.yaml"), example("broken.yaml")]);
    for text in texts {
        client.open(&uri, 1, &text);
        // Lines as LSP has them, with their lengths in UTF-16.
        let lines: Vec<u64> = text
            .replace("\r\n", "\n")
            .replace('\r', "\n")
            .split('\n')
            .map(|line| line.encode_utf16().count() as u64)
            .collect();
        for (line, length) in lines.iter().enumerate() {
            for character in (0..=*length + 1).step_by(5) {
                let hover = client.hover(&uri, line as u32, character as u32);
                if hover.is_null() {
                    continue;
                }
                let at = |end: &str, what: &str| hover["range"][end][what].as_u64().unwrap();
                for end in ["start", "end"] {
                    let line = at(end, "line") as usize;
                    assert!(line < lines.len() && at(end, "character") <= lines[line], "{hover} in {text:?}");
                }
                let (start, end) = (
                    (at("start", "line"), at("start", "character")),
                    (at("end", "line"), at("end", "character")),
                );
                assert!(start <= end, "{hover}");
            }
        }
        client.close(&uri);
    }
    client.shut_down();
}
