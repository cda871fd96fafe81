//! The guides say what happens: their files are written, their commands run.

use std::{
    fs,
    path::{Path, PathBuf},
};

use toolgate::cli::Exit;

use super::{program::toolgate, yard::Yard};

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

/// The words that start a server, where `npx` would load one that is installed.
fn installed(words: Vec<String>) -> Vec<String> {
    let [dashes, npx, yes, package, rest @ ..] = words.as_slice() else {
        return words;
    };
    assert_eq!([npx.as_str(), yes.as_str()], ["npx", "-y"]);
    let server = packages().join(package).join("dist/index.js");
    let server = server.to_str().unwrap().to_owned();
    let mut words = vec![dashes.clone(), "node".to_owned(), server];
    words.extend(rest.iter().cloned());
    words
}

fn packages() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("js/node_modules")
}

/// A guide that is being followed.
struct Walk {
    yard: Yard,
    /// A file with the operator's token: tests have no terminal.
    token: String,
    ran: usize,
}

impl Walk {
    fn new() -> Self {
        let yard = Yard::new();
        let token = "a token of sixteen bytes and more";
        yard.put_secret("../state/operator-token", token);
        yard.put_secret("../mine", token);
        let token = yard.path("../mine").to_str().unwrap().to_owned();
        Self {
            yard,
            token,
            ran: 0,
        }
    }

    /// Files of the guide lie in the workspace, where its reader is.
    fn run(&mut self, line: &str, as_a_person: bool) -> (Exit, String, String) {
        let mut all = words(line);
        assert_eq!(all.remove(0), "toolgate");
        for word in &mut all {
            if word.ends_with(".toml") || word.ends_with(".jsonl") {
                *word = self.yard.path(word).to_str().unwrap().to_owned();
            }
        }
        let server = all.iter().position(|word| word == "--");
        let server = server.map_or_else(Vec::new, |at| all.split_off(at));
        let text = |path: PathBuf| path.to_str().unwrap().to_owned();
        let place = [
            ("--root", text(self.yard.root())),
            ("--ledger", text(self.yard.ledger_path())),
            ("--script-tools", ".stella/tools".to_owned()),
        ];
        if !["journal", "scan"].contains(&all[0].as_str()) {
            for (option, value) in place {
                all.extend([option.to_owned(), value]);
            }
        }
        if as_a_person {
            all.extend(["--operator-token".to_owned(), self.token.clone()]);
        }
        all.extend(installed(server));
        self.ran += 1;
        toolgate(&all.iter().map(String::as_str).collect::<Vec<_>>())
    }

    fn follow(&mut self, Block { note, text }: Block) {
        let note = note.strip_prefix("<!-- ");
        let Some(note) = note.and_then(|note| note.strip_suffix(" -->")) else {
            return;
        };
        match note.split_once(": ").unwrap_or((note, "")) {
            ("file", path) => self.yard.put(path, &text),
            ("append", path) => {
                let before = fs::read_to_string(self.yard.path(path)).unwrap();
                self.yard.put(path, &format!("{before}{text}"));
            }
            ("run" | "run as a person", expected) => {
                let (exit, out, err) = self.run(&text, note.starts_with("run as"));
                match expected {
                    "exit 0" => assert_eq!(exit, Exit::Clean, "{text}{out}{err}"),
                    "exit 100" => assert_eq!(exit, Exit::Findings, "{text}{out}{err}"),
                    expected => assert!(out.contains(expected), "{text}{out}{err}"),
                }
            }
            (other, _) => panic!("nothing does `{other}`"),
        }
    }
}

fn follow(guide: &str, commands: usize) {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
    let text = fs::read_to_string(docs.join(guide)).unwrap();
    let mut walk = Walk::new();
    for block in blocks(&text) {
        walk.follow(block);
    }
    assert_eq!(walk.ran, commands, "{guide}");
}

#[test]
fn the_walk_throughs_say_what_happens() {
    follow("script-tools.md", 5);
    follow("toolgate.md", 7);
}

#[test]
fn the_walk_through_of_a_server_says_what_happens() {
    if !packages().exists() {
        assert!(
            std::env::var_os("CI").is_none(),
            "`npm ci --prefix tests/js` has not run"
        );
        println!("not run: tests/js/node_modules is missing");
        return;
    }
    follow("mcp.md", 5);
}
