//! Schemas that are large in one way, and the same at half the size: generation of Rust and
//! TypeScript may not grow more than linearly.

use std::{env, process::Command};

use serde_json::{Map, Value, json};
use toolcontract_codegen::{
    emit::{Emitter as _, FileSet, rust::Rust, typescript::TypeScript},
    lint,
    model::{self, Lock},
};
use toolcontract_manifest::{Source, load_sources};

use super::Group;
use crate::{
    Failure,
    measure::{self, Cost},
    row::Row,
};

pub const GROUP: Group = Group {
    name: "growth",
    about: "one schema that is large in one way, beside the same at half the size",
    run,
};

/// How often one process generates: the start of a process costs as much as a small schema.
const TIMES: usize = 20;

/// Twice the size may cost this much more: linear, and what a short measurement strays.
const LINEAR: f64 = 2.4;

/// A kind of size, how it is made, and how much of it.
type Shape = (&'static str, fn(usize) -> Value, usize);
const SHAPES: [Shape; 4] = [
    ("definitions that name each other, 88 KB", recursion, 176),
    ("1,500 listed values", listed, 1500),
    ("48 levels of nesting", nested, 48),
    ("205 properties", properties, 205),
];

fn run() -> Result<Vec<Row>, Failure> {
    let mut rows = Vec::new();
    for (name, _, size) in SHAPES {
        let half = Row::cpu(format!("half of: {name}"), cost(name, size / 2)?);
        let whole = Row::cpu(name, cost(name, size)?);
        rows.push(whole.beside(&half).at_most_of_baseline(LINEAR));
        rows.push(half);
    }
    Ok(rows)
}

/// A process of its own, for its processor time, which a busy machine disturbs least.
fn cost(name: &str, size: usize) -> Result<Cost, Failure> {
    let own = env::current_exe()?;
    measure::best(5, || {
        let mut command = Command::new(&own);
        command.args(["--grown", name, &size.to_string()]);
        Ok(command)
    })
}

/// Generates the shape `name` at `size`, in memory.
///
/// # Errors
/// When there is no such shape, or it is refused.
pub fn generate_often(name: &str, size: &str) -> Result<(), Failure> {
    let shape = SHAPES.iter().find(|(known, ..)| *known == name);
    let (_, make, _) = shape.ok_or("there is no such shape")?;
    let schema = make(size.parse()?);
    for _ in 0..TIMES {
        generate(&schema)?;
    }
    Ok(())
}

fn generate(schema: &Value) -> Result<(), Failure> {
    let manifest = json!({
        "name": "large",
        "description": "A large one.",
        "origin": "a bench",
        "input_schema": schema,
    });
    let source = |path: &str, text: String| Source {
        path: path.to_owned(),
        bytes: text.into_bytes(),
    };
    let (folder, findings) = load_sources(vec![
        source("manifests/toolcontract.toml", PROJECT.to_owned()),
        source("manifests/tools/large.json", manifest.to_string()),
    ]);
    let folder = folder.ok_or_else(|| format!("{findings:?}"))?;
    let (model, _) = model::build(folder, Lock::default());
    let (checked, findings) = lint::check(model);
    let checked = checked.ok_or_else(|| format!("{findings:?}"))?;
    let mut files = FileSet::default();
    Rust.emit(&checked, &mut files);
    let mut files = FileSet::default();
    TypeScript.emit(&checked, &mut files);
    Ok(())
}

const PROJECT: &str = "name = \"Large\"\ndescription = \"One tool.\"\n\
    [surfaces.rust]\ncrate = \"large\"\n[surfaces.typescript]\npackage = \"large\"\n";

fn text(of: &str) -> Value {
    json!({ "type": "string", "minLength": 1, "description": format!("What is known of {of}, in a sentence.") })
}

fn recursion(size: usize) -> Value {
    let name = |at: usize| format!("#/$defs/node_{}", at % size);
    let node = |at: usize| {
        json!({
            "type": "object",
            "additionalProperties": false,
            "required": ["title"],
            "properties": {
                "title": text("the title"),
                "note": text("the note"),
                "next": { "$ref": name(at + 1) },
                "before": { "type": "array", "items": { "$ref": name(at + size - 1) } },
                "either": { "anyOf": [{ "$ref": name(at + 7) }, { "type": "null" }] },
            },
        })
    };
    let defs: Map<String, Value> = (0..size)
        .map(|at| (format!("node_{at}"), node(at)))
        .collect();
    json!({ "type": "object", "properties": { "root": { "$ref": "#/$defs/node_0" } }, "$defs": defs })
}

fn listed(size: usize) -> Value {
    let values: Vec<String> = (0..size).map(|at| format!("value-{at}")).collect();
    json!({ "type": "object", "properties": { "one": { "type": "string", "enum": values } } })
}

/// Lists in lists; objects in objects nest twice as deep as text, which the loader bounds.
fn nested(size: usize) -> Value {
    let inner = (0..size).fold(
        text("the end"),
        |inner, at| json!({ "type": "array", "items": inner, "maxItems": at + 1 }),
    );
    json!({ "type": "object", "properties": { "lists": inner } })
}

fn properties(size: usize) -> Value {
    let all: Map<String, Value> = (0..size)
        .map(|at| (format!("property_{at}"), text("it")))
        .collect();
    json!({ "type": "object", "properties": all })
}
