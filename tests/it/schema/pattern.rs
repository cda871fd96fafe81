//! The portable subset of patterns: what it takes, Rust and JavaScript read alike.

use std::{
    collections::BTreeSet,
    io::Write as _,
    process::{Command, Stdio},
};

use serde_json::{Value, json};
use toolcontract_schema::{Formats, Validator, pattern::check};

/// Parts that patterns are put together from, most of them read differently somewhere.
const PARTS: &[&str] = &[
    "a",
    "b",
    "é",
    "😀",
    "-",
    "^",
    "$",
    ".",
    "|",
    "(",
    "(?:",
    ")",
    "[",
    "[^",
    "]",
    "]",
    "*",
    "+",
    "?",
    "{2}",
    "{1,2}",
    "{0,}",
    "{,2}",
    "{ 1}",
    "{",
    "}",
    r"\.",
    r"\-",
    r"\/",
    r"\]",
    r"\[",
    r"\}",
    r"\n",
    r"\u0061",
    r"\u{1F600}",
    r"\x61",
    r"\x{61}",
    r"\d",
    r"\w",
    r"\s",
    r"\b",
    r"\p{L}",
    r"\#",
    r"\&",
    r"\_",
    r"\0",
    r"\a",
    r"\z",
    "&&",
    "--",
    "~~",
    "/",
    "a-c",
    "α-ω",
    "(?i)",
    "(?=a)",
    "(?<x>",
    r"\1",
    ",",
    "=",
    "\n",
];

const TEXTS: &[&str] = &[
    "", "a", "b", "A", "aa", "ab", "ba", "aab", "é", "😀", "😀😀", "-", "]", "[", "}", "{", "^",
    "$", ".", "|", "/", "&", "~", ",", "\n", "\r", "\u{2028}", "a\nb", "a-c", "β", "1", "_", " ",
    "\\", "x{61}",
];

/// A small generator with a fixed seed: the same patterns on every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % sides
    }
}

#[test]
fn rust_and_javascript_agree_on_what_is_taken() {
    let mut dice = Dice(7);
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let mut made = 0;
    while taken.len() < 800 {
        made += 1;
        let parts = 1 + dice.roll(7);
        let pattern: String = (0..parts).map(|_| PARTS[dice.roll(PARTS.len())]).collect();
        if check(&pattern).is_ok() {
            taken.insert(pattern);
        }
    }
    let Some(script) = javascript(&taken) else {
        return;
    };
    let mut compared = 0;
    for (pattern, answer) in taken.iter().zip(script.as_array().unwrap()) {
        let validator =
            Validator::compile(&json!({ "pattern": pattern }), Formats::Assert).unwrap();
        let answers = answer
            .as_array()
            .unwrap_or_else(|| panic!("JavaScript refuses `{pattern}`: {answer}"));
        for (text, matches) in TEXTS.iter().zip(answers) {
            compared += 1;
            assert_eq!(
                Value::Bool(validator.is_valid(&json!(text))),
                *matches,
                "`{pattern}` on {text:?}"
            );
        }
    }
    println!(
        "{} of {made} patterns taken, {compared} matches agree",
        taken.len()
    );
}

/// For each pattern the answers for each text, or the error, as Node gives them.
fn javascript(patterns: &BTreeSet<String>) -> Option<Value> {
    const SCRIPT: &str = "
        const { patterns, texts } = JSON.parse(require('fs').readFileSync(0, 'utf8'));
        const answers = patterns.map((pattern) => {
            try {
                const regex = new RegExp(pattern, 'u');
                return texts.map((text) => regex.test(text));
            } catch (error) {
                return String(error);
            }
        });
        process.stdout.write(JSON.stringify(answers));
    ";
    let node = Command::new("node")
        .args(["-e", SCRIPT])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let mut node = match node {
        Ok(node) => node,
        Err(error) => {
            assert!(
                std::env::var("CI").as_deref() != Ok("true"),
                "node: {error}"
            );
            println!("not run: node: {error}");
            return None;
        }
    };
    let input = json!({ "patterns": patterns, "texts": TEXTS }).to_string();
    node.stdin
        .take()
        .unwrap()
        .write_all(input.as_bytes())
        .unwrap();
    let output = node.wait_with_output().unwrap();
    Some(serde_json::from_slice(&output.stdout).unwrap())
}
