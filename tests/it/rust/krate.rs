//! A generated crate, compiled with warnings denied, and a program that puts questions to it.
//!
//! It stands below the workspace's `target`, so that dependencies compile once.
#![expect(
    clippy::disallowed_methods,
    reason = "these files are made for a compiler, not for a person"
)]

use std::{
    fmt::Write as _,
    fs,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use serde::Deserialize;
use serde_json::{Value, json};
use toolcontract_codegen::{
    emit::{Emitter as _, FileSet, rust::Rust},
    lint::{self, CheckedModel},
    model::{self, Lock},
};
use toolcontract_manifest::{Level, Source, load_sources};

/// The manifests of a crate.
pub(super) struct Manifests(Vec<Source>);

impl Manifests {
    /// Those of a crate called `generated-<name>`: cargo keeps crates apart by name, not by place.
    pub(super) fn new(name: &str) -> Self {
        let project = format!(
            "name = \"Generated\"\ndescription = \"Made by a test.\"\n\
             [groups]\ntest = \"Tests.\"\n\
             [surfaces.rust]\ncrate = \"generated-{name}\"\ntoolcontract = {{ path = \"../../../../crates\" }}\n"
        );
        Self(vec![Source {
            path: "manifests/toolcontract.toml".to_owned(),
            bytes: project.as_bytes().to_vec(),
        }])
    }

    /// Adds `manifests/<path>.json`.
    pub(super) fn add(&mut self, path: &str, value: &Value) {
        self.0.push(Source {
            path: format!("manifests/{path}.json"),
            bytes: value.to_string().into_bytes(),
        });
    }

    /// The checked model; else the errors, a line each.
    pub(super) fn check(self) -> Result<CheckedModel, String> {
        let (folder, mut findings) = load_sources(self.0);
        if let Some(folder) = folder {
            let (model, of_model) = model::build(folder, Lock::default());
            findings.extend(of_model);
            if findings.iter().all(|f| f.level != Level::Error) {
                let (checked, of_lint) = lint::check(model);
                findings.extend(of_lint);
                if let Some(checked) = checked {
                    return Ok(checked);
                }
            }
        }
        let errors = findings.iter().filter(|f| f.level == Level::Error);
        Err(errors
            .map(|f| format!("{} {}: {}\n", f.path, f.rule, f.message))
            .collect())
    }
}

/// A declared tool with this input schema, and perhaps an output schema.
pub(super) fn declared(name: &str, input: &Value, output: Option<&Value>) -> Value {
    let mut manifest = json!({
        "name": name,
        "description": "A tool of others.",
        "origin": "a test",
        "input_schema": input,
    });
    if let Some(output) = output {
        manifest["output_schema"] = output.clone();
    }
    manifest
}

/// The files of the Rust surface.
pub(super) fn emit(model: &CheckedModel) -> FileSet {
    let mut files = FileSet::default();
    Rust.emit(model, &mut files);
    assert_eq!(files.clashes(), <[String; 0]>::default());
    files
}

/// A function of the generated crate that takes a value.
pub(super) struct Entry {
    /// What questions call it.
    pub(super) name: String,
    /// Path of the module in the crate: `grep`, `types::page`.
    pub(super) module: String,
    /// `parse` or `parse_output`.
    pub(super) function: &'static str,
    /// The type that it gives, in that module.
    pub(super) gives: String,
    /// The schema, to be asked also with formats asserted.
    pub(super) schema: Value,
}

/// What the crate made of a value.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Answer {
    /// It was taken, and this is what the type gives back.
    Ok(Value),
    /// It is not what the schema says.
    Invalid(String),
    /// The schema accepts it and the type does not: never right.
    Type(String),
    /// The schema does not compile: never right.
    Schema(String),
}

/// A compiled program.
pub(super) struct Program(PathBuf);

/// Compiles `files`, the crate `generated-<name>`, and a program around `entries`.
pub(super) fn compile(name: &str, files: &FileSet, entries: &[Entry]) -> Program {
    let target = root().join("target/generated-tests");
    let folder = target.join(name);
    let src = folder.join("generated/src");
    for entry in fs::read_dir(&src).into_iter().flatten() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_file() && files.get(&format!("src/{name}")).is_none() {
            fs::remove_file(&path).unwrap();
        }
    }
    for (path, bytes) in files.iter() {
        put(&folder.join("generated").join(path), bytes);
    }
    put(
        &folder.join("Cargo.toml"),
        b"[workspace]\nresolver = \"3\"\nmembers = [\"generated\", \"runner\"]\n[profile.dev]\ndebug = false\n",
    );
    put(
        &folder.join("Cargo.lock"),
        &fs::read(root().join("Cargo.lock")).unwrap(),
    );
    put(
        &folder.join("runner/Cargo.toml"),
        format!(
            "[package]\nname = \"runner-{name}\"\nedition = \"2024\"\n[dependencies]\n\
             generated = {{ path = \"../generated\", package = \"generated-{name}\" }}\nserde = \"1\"\nserde_json = \"1\"\n\
             toolcontract-schema = {{ path = \"../../../../crates/schema\" }}\n"
        )
        .as_bytes(),
    );
    put(
        &folder.join("runner/src/main.rs"),
        runner(entries).as_bytes(),
    );
    cargo(&folder, &["build", "--quiet"]);
    Program(target.join("debug").join(format!("runner-{name}")))
}

/// Runs cargo on a generated workspace; panics with what it said when it fails.
pub(super) fn cargo(folder: &Path, arguments: &[&str]) {
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .arg("--offline")
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", root().join("target/generated-tests"))
        .env("RUSTFLAGS", "-Dwarnings")
        .env("RUSTDOCFLAGS", "-Dwarnings")
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "cargo {arguments:?} in {}:\n{}\n{}",
        folder.display(),
        String::from_utf8_lossy(&output.stderr),
        String::from_utf8_lossy(&output.stdout),
    );
}

/// Writes what differs, so that cargo compiles no more than it must.
fn put(path: &Path, bytes: &[u8]) {
    if fs::read(path).is_ok_and(|there| there == bytes) {
        return;
    }
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .canonicalize()
        .unwrap()
}

/// A program that reads a JSON array of `[entry, formats asserted, value]` and answers each.
fn runner(entries: &[Entry]) -> String {
    let mut arms = String::new();
    for Entry {
        name,
        module,
        function,
        gives,
        schema,
    } in entries
    {
        let _ = writeln!(
            arms,
            "({name:?}, false) => answer(generated::{module}::{function}(value)),\n\
             ({name:?}, true) => asserted::<generated::{module}::{gives}>({:?}, value),",
            schema.to_string(),
        );
    }
    format!(
        r#"use serde::{{Serialize, de::DeserializeOwned}};
use serde_json::{{Value, json}};
use toolcontract_schema::{{Formats, ParseError, Schema}};

fn answer<T: Serialize>(result: Result<T, ParseError>) -> Value {{
    match result {{
        Ok(value) => json!({{ "ok": value }}),
        Err(ParseError::Invalid(why)) => json!({{ "invalid": why.to_string() }}),
        Err(ParseError::Type {{ reason }}) => json!({{ "type": reason }}),
        Err(why) => json!({{ "schema": why.to_string() }}),
    }}
}}

fn asserted<T: DeserializeOwned + Serialize>(schema: &'static str, value: Value) -> Value {{
    answer(Schema::new(schema, Formats::Assert).parse::<T>(value))
}}

fn ask(entry: &str, formats: bool, value: Value) -> Value {{
    match (entry, formats) {{
        {arms}
        (other, _) => panic!("no entry {{other}}"),
    }}
}}

fn main() {{
    let questions: Vec<(String, bool, Value)> = serde_json::from_reader(std::io::stdin()).unwrap();
    let answers: Vec<Value> = questions.into_iter().map(|(e, f, v)| ask(&e, f, v)).collect();
    println!("{{}}", Value::Array(answers));
}}
"#
    )
}

impl Program {
    /// The answers to `questions`: entry, whether formats assert, value.
    pub(super) fn ask(&self, questions: &[(&str, bool, &Value)]) -> Vec<Answer> {
        let mut child = Command::new(&self.0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let text = serde_json::to_string(questions).unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(text.as_bytes()).unwrap();
        drop(stdin);
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success());
        serde_json::from_slice(&output.stdout).unwrap()
    }
}
