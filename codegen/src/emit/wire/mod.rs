//! JSON Schemas and type declarations of everything on the wire.
//!
//! One self-contained schema a file, so that a host validates a body with one file and follows no
//! reference out of it. `index.json` names them all. The protocol's own types come from the Rust
//! types, a tool's and an event's schemas from its manifest.

mod declarations;
mod schemas;

use rayon::prelude::*;
use serde_json::{Map, Value, json};
use toolcontract_manifest::schemas as written;

use super::{Emitter, FileSet, folder, text};
use crate::{
    lint::CheckedModel,
    model::{SchemaDoc, Tool, names::snake},
};

pub use declarations::wire_d_ts;
pub use schemas::{DIALECT, protocol_schemas};

/// JSON Schemas and type declarations of everything on the wire.
#[derive(Debug)]
pub struct Wire;

impl Emitter for Wire {
    fn id(&self) -> &'static str {
        "wire"
    }

    fn about(&self) -> &'static str {
        "JSON Schemas and type declarations of everything on the wire."
    }

    fn out(&self, model: &CheckedModel) -> Option<String> {
        let surface = model.project.surfaces.wire.as_ref()?;
        Some(folder(model, surface.out.as_ref(), self.id()))
    }

    fn emit(&self, model: &CheckedModel, out: &mut FileSet) {
        let index = json!({
            "declarations": "wire.d.ts",
            "manifests": manifests(out),
            "protocol": protocol(out),
            "tools": tools(model, out),
            "events": events(model, out),
        });
        out.add("wire.d.ts", wire_d_ts());
        out.add("index.json", text::pretty(&index));
    }
}

/// The schemas that editors check what people write with.
fn manifests(out: &mut FileSet) -> Value {
    let mut index = Map::new();
    for (name, schema) in [
        ("manifest", written::manifest()),
        ("event", written::event()),
        ("project", written::project()),
    ] {
        let path = format!("{name}.schema.json");
        let banner = text::banner("the structs that manifests are read into");
        out.add(
            path.as_str(),
            text::pretty(&schemas::headed(&schema, &banner)),
        );
        index.insert(name.to_owned(), path.into());
    }
    Value::Object(index)
}

/// The protocol's own types.
fn protocol(out: &mut FileSet) -> Value {
    let mut index = Map::new();
    for (name, schema) in protocol_schemas() {
        let path = format!("protocol/{}.schema.json", snake(name));
        out.add(path.as_str(), text::pretty(&schema));
        index.insert(name.to_owned(), path.into());
    }
    Value::Object(index)
}

/// What each tool takes and gives.
fn tools(model: &CheckedModel, out: &mut FileSet) -> Value {
    let text = |tool: &Tool| {
        let of = |schema: &SchemaDoc| of_manifest(schema, &tool.document.path);
        (of(&tool.input), tool.output.as_ref().map(of))
    };
    let texts: Vec<(String, Option<String>)> = model.tools.par_iter().map(text).collect();
    let mut index = Map::new();
    for (tool, (input, output)) in model.tools.iter().zip(texts) {
        let mut files = Map::new();
        let stem = format!("tools/{}", tool.names.module);
        let sides = [("input", Some(input)), ("output", output)];
        for (side, text) in sides {
            let Some(text) = text else { continue };
            let path = format!("{stem}.{side}.schema.json");
            out.add(path.as_str(), text);
            files.insert(side.to_owned(), path.into());
        }
        index.insert(tool.contract.name.clone(), Value::Object(files));
    }
    Value::Object(index)
}

/// What each event carries.
fn events(model: &CheckedModel, out: &mut FileSet) -> Value {
    let mut index = Map::new();
    for event in &model.events {
        let path = format!("events/{}.schema.json", event.manifest.name);
        out.add(
            path.as_str(),
            of_manifest(&event.payload, &event.document.path),
        );
        index.insert(event.manifest.name.clone(), path.into());
    }
    Value::Object(index)
}

/// A schema of a manifest as a file: dialect and banner in front, unless it says its own.
fn of_manifest(schema: &SchemaDoc, source: &str) -> String {
    text::pretty(&schemas::headed(&schema.wire, &text::banner(source)))
}
