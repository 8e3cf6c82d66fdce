//! A file in a workspace: what `--check` and editors show of it lies in it.
#![no_main]

use std::path::Path;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use convoy_fuzz::{assert_span, remember, some_offsets};
use convoy_lsp::diagnostic::{Diagnostic, Place};
use convoy_lsp::ide;
use convoy_lsp::workspace::{File, Workspace};
use convoy_text::PositionEncoding;
use libfuzzer_sys::fuzz_target;

/// The stack that the program gives its threads.
const STACK: usize = 16 << 20;

/// What takes longer is looked at once and not again. A template may take a million steps for each object and cluster,
/// which is slow with instrumentation but no hang.
const PATIENCE: Duration = Duration::from_millis(500);

/// The objects and clusters that the file is judged by, in memory.
static WORKSPACE: LazyLock<Workspace> = LazyLock::new(|| {
    let mut workspace = Workspace::new(Path::new("/w"));
    for (name, text) in [
        ("/w/rendered.yaml", include_str!("../../docs/examples/podinfo/rendered.yaml")),
        ("/w/overlay.yaml", include_str!("../../docs/examples/podinfo/overlay.yaml")),
        ("/w/clusters/edge.yaml", include_str!("../../docs/examples/podinfo/clusters/edge.yaml")),
    ] {
        workspace.set_file(File::from_text(Path::new(name).into(), text.into()));
    }
    workspace
});

fuzz_target!(
    init: {
        // One thread, so that the same input always takes the same way.
        rayon::ThreadPoolBuilder::new()
            .num_threads(1)
            .stack_size(STACK)
            .build_global()
            .expect("nothing ran before");
    },
    |data: &[u8]| {
        remember(data);
        look_at(&WORKSPACE, "/w/release.yaml", data);
        // The same bytes as settings.
        look_at(&Workspace::new(Path::new("/w")), "/w/.convoy-lsp.yaml", data);
    }
);

fn look_at(workspace: &Workspace, path: &str, data: &[u8]) {
    let mut workspace = workspace.clone();
    workspace.set_file(File::from_bytes(Path::new(path).into(), data.to_vec()));
    let file = workspace.file(Path::new(path)).expect("it was just put there").clone();
    let start = Instant::now();
    let diagnostics = ide::diagnostics(&workspace, &file);
    for diagnostic in &diagnostics {
        assert_eq!(diagnostic.place.file, file.path, "{diagnostic:?}");
        assert!(!diagnostic.message.is_empty(), "{diagnostic:?}");
        in_file(&workspace, &diagnostic.place, diagnostic);
        for related in &diagnostic.related {
            in_file(&workspace, &related.place, diagnostic);
        }
    }
    let mut sorted = diagnostics.clone();
    Diagnostic::sort(&mut sorted);
    assert_eq!(sorted, diagnostics);
    if start.elapsed() > PATIENCE {
        return;
    }
    // The command line says what editors say.
    assert_eq!(ide::check(&workspace, std::slice::from_ref(&file)), [diagnostics]);
    for offset in some_offsets(&file.text, 4) {
        if let Some(hover) = ide::hover(&workspace, &file, offset) {
            assert_span(&file.text, hover.span, &hover.markdown);
            assert!(!hover.markdown.is_empty());
        }
    }
}

/// The place lies in its file, whatever a client counts.
fn in_file(workspace: &Workspace, place: &Place, diagnostic: &Diagnostic) {
    let file: &Arc<File> = workspace.file(&place.file).unwrap_or_else(|| panic!("no file of {diagnostic:?}"));
    assert_span(&file.text, place.span, diagnostic);
    for encoding in [PositionEncoding::Utf8, PositionEncoding::Utf16, PositionEncoding::Utf32] {
        let start = file.lines.position(&file.text, place.span.start, encoding);
        let end = file.lines.position(&file.text, place.span.end, encoding);
        assert!(start <= end && (end.line as usize) < file.lines.lines(), "{diagnostic:?}");
    }
}
