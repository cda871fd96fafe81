//! The root documents say only what is true: excerpts stand in the files they name, commands run,
//! paths exist.

use std::{fs, path::Path};

use toolcontract_codegen::cli::Exit;

use crate::project::Project;

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// A fenced block and the comment that stands right above it.
struct Block {
    note: String,
    lines: Vec<String>,
}

fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    let mut above = "";
    for line in text.lines() {
        match (&mut open, line.starts_with("```")) {
            (None, true) => {
                open = Some(Block {
                    note: above.to_owned(),
                    lines: Vec::new(),
                })
            }
            (Some(_), true) => blocks.extend(open.take()),
            (Some(block), false) => block.lines.push(line.to_owned()),
            (None, false) => {}
        }
        above = line;
    }
    assert!(open.is_none(), "a fence is not closed");
    blocks
}

/// The text of a note such as `<!-- excerpt: PATH -->`.
fn note<'a>(block: &'a Block, kind: &str) -> Option<&'a str> {
    block
        .note
        .strip_prefix("<!-- ")?
        .strip_prefix(kind)?
        .strip_prefix(": ")?
        .strip_suffix(" -->")
}

#[test]
fn excerpts_stand_in_the_files_they_name() {
    let mut count = 0;
    for block in blocks(&read("README.md")) {
        let Some(path) = note(&block, "excerpt") else {
            continue;
        };
        let file = read(path);
        // `...` stands for lines that are left out.
        let mut rest = file.as_str();
        for part in block.lines.split(|line| line == "...") {
            let part = part.join("\n");
            let at = rest.find(&part).unwrap_or_else(|| {
                panic!("README.md: not in {path}, or not in this order:\n{part}")
            });
            rest = &rest[at + part.len()..];
        }
        count += 1;
    }
    assert!(count >= 4, "only {count} excerpts were found");
}

#[test]
fn an_excerpt_that_differs_is_noticed() {
    let block = &blocks("<!-- excerpt: a.toml -->\n```toml\nx\n```\n")[0];
    assert_eq!(note(block, "excerpt"), Some("a.toml"));
    assert_eq!(note(block, "run"), None);
    assert_eq!(block.lines, ["x"]);
}

#[test]
fn the_commands_for_another_repository_run_there() {
    let block = blocks(&read("README.md"))
        .into_iter()
        .find(|block| note(block, "run").is_some())
        .expect("a block that runs");
    let folder = Project::empty();
    for line in &block.lines {
        let words = line
            .strip_prefix("toolcontract ")
            .unwrap_or_else(|| panic!("another program: {line}"));
        let said = folder.run(words);
        assert_eq!(said.exit, Exit::Clean, "{line}\n{}{}", said.out, said.err);
    }
}

#[test]
fn every_path_that_a_root_document_names_exists() {
    let documents = [
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
        "docs/design.md",
        "docs/ci.md",
        "manifests/README.md",
        "tests/README.md",
        "templates/README.md",
    ];
    let mut count = 0;
    for document in documents {
        let text = read(document);
        let folder = Path::new(document).parent().expect("a folder");
        for link in text
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split(')').next())
        {
            if link.contains("://") || link.starts_with('#') {
                continue;
            }
            let path = root()
                .join(folder)
                .join(link.split('#').next().unwrap_or(link));
            assert!(
                path.exists(),
                "{document} links to `{link}`, which is not there"
            );
            count += 1;
        }
        for name in text
            .split('`')
            .skip(1)
            .step_by(2)
            .filter(|code| is_path(code))
        {
            assert!(
                root().join(name).exists(),
                "{document} names `{name}`, which is not there"
            );
            count += 1;
        }
    }
    assert!(count > 30, "only {count} paths were checked");
}

/// Whether inline code names a file or folder of this repository.
fn is_path(code: &str) -> bool {
    let roots = [
        "codegen/",
        "crates/",
        "manifests/",
        "tests/",
        "templates/",
        "xtask/",
        "docs/",
        "generated/",
    ];
    let plain = code
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || "/_.-".contains(c));
    plain && roots.iter().any(|root| code.starts_with(root))
}
