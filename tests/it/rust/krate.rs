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
    emit::{Emitter, FileSet, rust::Rust, typescript::TypeScript},
    lint::{self, CheckedModel},
    model::{self, Lock},
};
use toolcontract_manifest::{Level, Source, load_sources};

/// The manifests of a crate.
pub(crate) struct Manifests(Vec<Source>);

impl Manifests {
    /// Those of a crate called `generated-<name>`: cargo keeps crates apart by name, not by place.
    pub(crate) fn new(name: &str) -> Self {
        let project = format!(
            "name = \"Generated\"\ndescription = \"Made by a test.\"\n\
             [groups]\ntest = \"Tests.\"\n\
             [surfaces.rust]\ncrate = \"generated-{name}\"\ntoolcontract = {{ path = \"../../../../crates\" }}\n\
             [surfaces.typescript]\npackage = \"generated-{name}\"\n"
        );
        Self(vec![Source {
            path: "manifests/toolcontract.toml".to_owned(),
            bytes: project.as_bytes().to_vec(),
        }])
    }

    /// Adds `manifests/<path>.json`.
    pub(crate) fn add(&mut self, path: &str, value: &Value) {
        self.0.push(Source {
            path: format!("manifests/{path}.json"),
            bytes: value.to_string().into_bytes(),
        });
    }

    /// The checked model; else the errors, a line each.
    pub(crate) fn check(self) -> Result<CheckedModel, String> {
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
pub(crate) fn declared(name: &str, input: &Value, output: Option<&Value>) -> Value {
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
pub(crate) fn emit(model: &CheckedModel) -> FileSet {
    emit_with(&Rust, model)
}

/// The files of the TypeScript surface.
pub(crate) fn emit_typescript(model: &CheckedModel) -> FileSet {
    emit_with(&TypeScript, model)
}

fn emit_with(emitter: &dyn Emitter, model: &CheckedModel) -> FileSet {
    let mut files = FileSet::default();
    emitter.emit(model, &mut files);
    assert_eq!(files.clashes(), <[String; 0]>::default());
    files
}

/// A function of the generated crate that takes a value.
pub(crate) struct Entry {
    /// What questions call it.
    pub(crate) name: String,
    /// Path of the module in the crate: `grep`, `types::page`.
    pub(crate) module: String,
    /// `parse` or `parse_output`.
    pub(crate) function: &'static str,
    /// The type that it gives, in that module.
    pub(crate) gives: String,
    /// The schema, to be asked also with formats asserted.
    pub(crate) schema: Value,
}

/// What the crate made of a value.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Answer {
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
pub(crate) struct Program(PathBuf);

/// Compiles `files`, the crate `generated-<name>`, and a program around `entries`.
pub(crate) fn compile(name: &str, files: &FileSet, entries: &[Entry]) -> Program {
    let target = root().join("target/generated-tests");
    let folder = target.join(name);
    put_all(&folder.join("generated"), files);
    put_workspace(&folder, "members = [\"generated\", \"runner\"]");
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

/// Compiles `files` as the crate `generated-<name>` and runs its own tests; else says what is wrong.
pub(crate) fn try_test_crate(name: &str, files: &FileSet) -> Result<(), String> {
    let folder = root().join("target/generated-tests").join(name);
    put_all(&folder.join("generated"), files);
    put_workspace(&folder, "members = [\"generated\"]");
    try_cargo(&folder, &["test", "--quiet", "--test", "vectors"])
}

/// The same for a TypeScript package, with both versions of zod; with a section of
/// `data/vectors/deviations.json` Ajv is asked too.
pub(crate) fn try_test_package(
    name: &str,
    files: &FileSet,
    section: Option<&str>,
) -> Result<(), String> {
    let folder = root()
        .join("target/generated-tests")
        .join(format!("{name}-typescript"));
    put_all(&folder, files);
    let mut command = Command::new("node");
    command
        .arg(root().join("tests/js/vectors/check.mjs"))
        .arg(&folder)
        .args(section);
    ran(command, &folder)
}

/// Runs cargo on a generated workspace; panics with what it said when it fails.
pub(crate) fn cargo(folder: &Path, arguments: &[&str]) {
    try_cargo(folder, arguments).unwrap_or_else(|said| panic!("{said}"));
}

fn try_cargo(folder: &Path, arguments: &[&str]) -> Result<(), String> {
    let mut command = Command::new(env!("CARGO"));
    command
        .args(arguments)
        .arg("--offline")
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", root().join("target/generated-tests"))
        .env("RUSTFLAGS", "-Dwarnings")
        .env("RUSTDOCFLAGS", "-Dwarnings");
    ran(command, folder)
}

/// What the command said, when it fails.
fn ran(mut command: Command, folder: &Path) -> Result<(), String> {
    let output = command.output().unwrap();
    if output.status.success() {
        return Ok(());
    }
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (err, out) = (said(&output.stderr), said(&output.stdout));
    Err(format!(
        "{command:?} in {}:\n{err}\n{out}",
        folder.display()
    ))
}

fn put_workspace(folder: &Path, members: &str) {
    let manifest = format!(
        "[workspace]\nresolver = \"3\"\n{members}\n[profile.dev]\ndebug = false\nincremental = false\n"
    );
    put(&folder.join("Cargo.toml"), manifest.as_bytes());
    put(
        &folder.join("Cargo.lock"),
        &fs::read(root().join("Cargo.lock")).unwrap(),
    );
}

/// Makes `folder` hold exactly `files`.
fn put_all(folder: &Path, files: &FileSet) {
    let mut open = vec![folder.to_owned()];
    while let Some(below) = open.pop() {
        for entry in fs::read_dir(&below).into_iter().flatten() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(folder).unwrap().to_str().unwrap();
            if path.is_dir() {
                open.push(path);
            } else if files.get(name).is_none() {
                fs::remove_file(&path).unwrap();
            }
        }
    }
    for (path, bytes) in files.iter() {
        put(&folder.join(path), bytes);
    }
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
    pub(crate) fn ask(&self, questions: &[(&str, bool, &Value)]) -> Vec<Answer> {
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
