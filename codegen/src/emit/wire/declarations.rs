//! TypeScript declarations of the protocol's types, printed from their JSON Schemas.
//!
//! Covers the keywords that those schemas use; anything else is `unknown`, never a guess.

use std::fmt::Write as _;

use serde_json::{Map, Value};
use toolcontract_protocol::wire::WIRE_TYPES;
use toolcontract_schema::keyword::{names, types};

use super::schemas::{SOURCE, definitions};
use crate::emit::{javascript, text};

const TEMPLATE: &str = include_str!("../../../../templates/wire/wire.d.ts");

/// `wire.d.ts`: every type of the protocol. Types only, so it is also a module by itself.
#[must_use]
pub fn wire_d_ts() -> String {
    let definitions = definitions();
    let named = WIRE_TYPES.iter().map(|wire| wire.name);
    let mut helpers: Vec<&str> = definitions
        .keys()
        .map(String::as_str)
        .filter(|name| WIRE_TYPES.iter().all(|wire| wire.name != *name))
        .collect();
    helpers.sort_unstable();
    let declarations: Vec<String> = named
        .chain(helpers)
        .filter_map(|name| {
            definitions
                .get(name)
                .map(|schema| declaration(name, schema))
        })
        .collect();
    text::fill(
        TEMPLATE,
        &[
            ("banner", &text::banner(SOURCE)),
            ("declarations", declarations.join("\n").trim_end()),
        ],
    )
}

fn declaration(name: &str, schema: &Value) -> String {
    let mut out = doc(schema, "");
    match schema.as_object() {
        Some(keywords) if is_plain_object(keywords) => {
            let _ = writeln!(out, "export interface {name} {}", members(keywords, ""));
        }
        _ => {
            let _ = writeln!(out, "export type {name} ={};", behind(&ty(schema, "")));
        }
    }
    out
}

/// A union starts on a line of its own, anything else behind the equals sign or colon.
fn behind(ty: &str) -> String {
    if ty.starts_with(' ') {
        format!("\n{ty}")
    } else {
        format!(" {ty}")
    }
}

fn is_plain_object(keywords: &Map<String, Value>) -> bool {
    keywords.get("type").is_some_and(|name| name == "object")
        && ["oneOf", "anyOf", "allOf", "$ref"]
            .iter()
            .all(|keyword| !keywords.contains_key(*keyword))
}

/// The type that `schema` describes. `indent` is that of the line that it stands on.
fn ty(schema: &Value, indent: &str) -> String {
    let Some(keywords) = schema.as_object() else {
        return if schema == &Value::Bool(false) {
            "never"
        } else {
            "unknown"
        }
        .to_owned();
    };
    let mut parts: Vec<String> = Vec::new();
    if let Some(reference) = keywords.get("$ref").and_then(Value::as_str) {
        parts.push(reference.trim_start_matches("#/$defs/").to_owned());
    }
    for keyword in ["oneOf", "anyOf"] {
        if let Some(ways) = keywords.get(keyword).and_then(Value::as_array) {
            parts.push(union(ways, indent));
        }
    }
    if let Some(value) = keywords.get("const") {
        parts.push(value.to_string());
    } else if let Some(values) = keywords.get("enum").and_then(Value::as_array) {
        let values: Vec<String> = values.iter().map(Value::to_string).collect();
        parts.push(values.join(" | "));
    } else if let Some(plain) = plain(keywords, indent) {
        parts.insert(0, plain);
    }
    match parts.as_slice() {
        [] => "unknown".to_owned(),
        [only] => only.clone(),
        several => several
            .iter()
            .map(|part| {
                if part.contains('|') {
                    format!("({})", closed(part, indent))
                } else {
                    part.clone()
                }
            })
            .collect::<Vec<_>>()
            .join(" & "),
    }
}

/// A union inside parentheses: it may start on a line of its own there.
fn closed(part: &str, indent: &str) -> String {
    if part.starts_with(' ') {
        format!("\n{part}\n{indent}")
    } else {
        part.to_owned()
    }
}

/// What `type` says, with the keywords that belong to it.
fn plain(keywords: &Map<String, Value>, indent: &str) -> Option<String> {
    let named = types(Some(keywords.get("type")?));
    let has_members = keywords.contains_key("properties")
        || keywords.contains_key("additionalProperties")
        || !(keywords.contains_key("$ref") || keywords.contains_key("oneOf"));
    let types: Vec<String> = named
        .filter_map(|name| match name {
            "integer" | "number" => Some("number".to_owned()),
            "array" => Some(list(keywords.get("items"), indent)),
            "object" => has_members.then(|| members(keywords, indent)),
            other => Some(other.to_owned()),
        })
        .collect();
    (!types.is_empty()).then(|| types.join(" | "))
}

fn list(items: Option<&Value>, indent: &str) -> String {
    let item = items.map_or_else(|| "unknown".to_owned(), |items| ty(items, indent));
    if item.contains(['|', '&']) {
        format!("({item})[]")
    } else {
        format!("{item}[]")
    }
}

/// A union with one way a line, each under its description.
///
/// A string beside known strings stays `string & {}`: an editor still offers the known ones.
fn union(ways: &[Value], indent: &str) -> String {
    let line = format!("{indent}  ");
    let inner = format!("{indent}    ");
    let mut out = String::new();
    for way in ways {
        if ways.len() > 1
            && way.as_object().is_some_and(|w| w.len() == 1)
            && way.get("type").is_some_and(|name| name == "string")
        {
            let _ = writeln!(out, "{line}| (string & {{}})");
        } else if let Some(nested) = way.get("oneOf").and_then(Value::as_array) {
            let _ = writeln!(out, "{}", union(nested, indent));
        } else {
            out.push_str(&doc(way, &line));
            let _ = writeln!(out, "{line}| {}", ty(way, &inner));
        }
    }
    out.trim_end().to_owned()
}

/// The members of an object between braces; an object of unnamed members as a record.
fn members(keywords: &Map<String, Value>, indent: &str) -> String {
    if !keywords.contains_key("properties") {
        return match keywords.get("additionalProperties") {
            Some(Value::Bool(false)) => "Record<string, never>".to_owned(),
            Some(values) => format!("Record<string, {}>", ty(values, indent)),
            None => "Record<string, unknown>".to_owned(),
        };
    }
    let inner = format!("{indent}  ");
    let mut out = String::from("{\n");
    let required: Vec<&str> = names(keywords.get("required")).collect();
    let properties = keywords.get("properties").and_then(Value::as_object);
    for (name, schema) in properties.into_iter().flatten() {
        let mark = if required.contains(&name.as_str()) {
            ""
        } else {
            "?"
        };
        out.push_str(&doc(schema, &inner));
        let _ = writeln!(
            out,
            "{inner}{}{mark}:{};",
            javascript::member(name),
            behind(&ty(schema, &inner))
        );
    }
    match keywords.get("additionalProperties") {
        None | Some(Value::Bool(false)) => {}
        Some(values) => {
            let _ = writeln!(out, "{inner}[key: string]: {};", ty(values, &inner));
        }
    }
    let _ = write!(out, "{indent}}}");
    out
}

/// The description as a comment, one line where it fits.
fn doc(schema: &Value, indent: &str) -> String {
    let Some(text) = schema.get("description").and_then(Value::as_str) else {
        return String::new();
    };
    let text = javascript::comment(text);
    if text.contains('\n') {
        let lines: Vec<String> = text
            .lines()
            .map(|line| format!("{indent} * {line}").trim_end().to_owned())
            .collect();
        format!("{indent}/**\n{}\n{indent} */\n", lines.join("\n"))
    } else {
        format!("{indent}/** {text} */\n")
    }
}
