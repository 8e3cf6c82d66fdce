//! Generated files: the pages of the rules and the schema of the settings. `UPDATE_GENERATED=1 cargo test --test
//! generated` writes them; without it, a stale file fails.

// Helpers of tests may fail as tests do, and build texts the short way.
#![allow(unreachable_pub, clippy::unwrap_used, clippy::format_collect)]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use convoy_lsp::rule::{RULES, Rule};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn check(path: &Path, wanted: &str) {
    if std::env::var_os("UPDATE_GENERATED").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, wanted).unwrap();
    }
    let found = std::fs::read_to_string(path).unwrap_or_default().replace("\r\n", "\n");
    assert!(
        found == wanted,
        "{} is stale: run UPDATE_GENERATED=1 cargo test --test generated",
        path.display()
    );
}

const NOTE: &str =
    "<!-- Generated from src/rule. UPDATE_GENERATED=1 cargo test --test generated writes it. -->\n\n";

fn page(rule: &Rule) -> String {
    let mut out = NOTE.to_owned();
    let _ = write!(
        out,
        "# {}\n\n{}\n\n| stage | severity |\n| --- | --- |\n| {} | {} |\n\n{}\n",
        rule.name,
        rule.summary,
        rule.stage.word(),
        rule.severity.word(),
        rule.explanation
    );
    if !rule.example.wrong.is_empty() {
        let _ = write!(
            out,
            "\n## Wrong\n\n```yaml\n{}```\n\n## Right\n\n```yaml\n{}```\n",
            rule.example.wrong, rule.example.right
        );
    }
    let _ = write!(
        out,
        "\n## Turning it off\n\nOn one line, with `# convoy-lsp: ignore[{0}] reason` on it or on the line above; everywhere, with\n\n```yaml\n# .convoy-lsp.yaml\nrules:\n  {0}: off\n```\n",
        rule.name
    );
    out
}

#[test]
fn pages_of_the_rules() {
    let folder = root().join("docs/rules");
    let mut index = NOTE.to_owned();
    index.push_str("# Rules\n\nEach finding has the name of its rule. *admission*: the API server refuses the document; *run*: the mutation fails when it runs, or makes what the API server refuses; *review*: it runs, but hardly as meant.\n\n| rule | stage | severity | |\n| --- | --- | --- | --- |\n");
    for rule in RULES {
        let _ = writeln!(
            index,
            "| [{0}]({0}.md) | {1} | {2} | {3} |",
            rule.name,
            rule.stage.word(),
            rule.severity.word(),
            rule.summary
        );
        check(&folder.join(format!("{}.md", rule.name)), &page(rule));
    }
    check(&folder.join("README.md"), &index);
    // A page without a rule is a page that nobody removed.
    for entry in std::fs::read_dir(&folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let rule = name.trim_end_matches(".md");
        assert!(rule == "README" || RULES.iter().any(|known| known.name == rule), "{name} has no rule");
    }
}

#[test]
fn schema_of_the_settings() {
    let schema = serde_json::to_string_pretty(&convoy_lsp::workspace::settings::schema()).unwrap() + "\n";
    check(&root().join("schemas/settings.schema.json"), &schema);
}
