//! `docs/script-tools.md` says what happens: its files are written, its commands run.

use std::{fs, path::Path};

use toolgate::cli::Exit;

use super::{commands::toolgate, yard::Yard};

struct Block {
    note: String,
    text: String,
}

/// Fenced blocks with the note above each.
fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut note = String::new();
    let mut open: Option<String> = None;
    for line in text.lines() {
        match (&mut open, line.starts_with("```")) {
            (None, true) => open = Some(String::new()),
            (Some(_), true) => blocks.extend(open.take().map(|text| Block {
                note: std::mem::take(&mut note),
                text,
            })),
            (Some(text), false) => {
                text.push_str(line);
                text.push('\n');
            }
            (None, false) => line.clone_into(&mut note),
        }
    }
    blocks
}

/// The words of a command line that quotes with `'` only.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (index, part) in line.trim().split('\'').enumerate() {
        match index % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_owned)),
            _ => words.push(part.to_owned()),
        }
    }
    words
}

#[test]
fn the_walk_through_says_what_happens() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/script-tools.md");
    let yard = Yard::new();
    let token = "a token of sixteen bytes and more";
    yard.put("../state/operator-token", token);
    yard.put("../mine", token);
    let text = |path: &Path| path.to_str().unwrap().to_owned();
    let (root, ledger) = (text(&yard.root()), text(&yard.ledger_path()));
    let mine = text(&yard.path("../mine"));
    let mut ran = 0;
    for Block { note, text } in blocks(&fs::read_to_string(path).unwrap()) {
        let inner = note
            .strip_prefix("<!-- ")
            .and_then(|note| note.strip_suffix(" -->"));
        let (kind, about) = inner
            .expect(&note)
            .split_once(": ")
            .unwrap_or((inner.unwrap(), ""));
        match kind {
            "file" => yard.put(about, &text),
            "append" => {
                let before = fs::read_to_string(yard.path(about)).unwrap();
                yard.put(about, &format!("{before}{text}"));
            }
            "run" | "run as a person" => {
                let mut all = words(&text);
                assert_eq!(all.remove(0), "toolgate");
                let here = [
                    "--root",
                    &root,
                    "--ledger",
                    &ledger,
                    "--script-tools",
                    ".stella/tools",
                ];
                all.extend(here.map(str::to_owned));
                if kind != "run" {
                    all.extend(["--operator-token".to_owned(), mine.clone()]);
                }
                let all: Vec<&str> = all.iter().map(String::as_str).collect();
                let (exit, out, err) = toolgate(&all);
                match about {
                    "exit 100" => assert_eq!(exit, Exit::Findings, "{err}"),
                    about => assert!(out.contains(about), "{all:?}: {out}{err}"),
                }
                ran += 1;
            }
            other => panic!("nothing does `{other}`"),
        }
    }
    assert_eq!(ran, 5);
}
