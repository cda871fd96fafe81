//! One served tool to one manifest, read from its raw text: through the type of an SDK unknown
//! keys, nulls and repeated keys would be lost before anybody saw them.
//!
//! Refuses what no client could call (no name, no object as input, an invalid schema), what two
//! readers would read differently (a repeated key), and values of a wrong type. A null where a
//! key could be left out counts as absent.

use serde_json::{Map, Value, json};
use toolcontract_protocol::{Manifest, RiskLevel};
use toolcontract_schema::digest::digest;

use super::{
    Fault, Oddity, Origin, claims,
    envelope::{self, Raw},
    fields::{a, leftovers, object, string, wrong_type},
    hidden::hidden_texts,
    name::canonical,
    print, usable,
};
use crate::{
    names,
    parse::{self, Syntax, parse},
    position::Position,
};

/// The longest name that the protocol allows, in characters.
const LONGEST_NAME: usize = 128;

/// A tool that was read.
#[derive(Debug)]
pub(super) struct Read {
    pub(super) manifest: Manifest,
    pub(super) digest: String,
    pub(super) oddities: Vec<Oddity>,
}

/// Reads one tool. Its name is given also when it is refused, as far as it can be read.
pub(super) fn read(raw: Raw<'_>, origin: &Origin<'_>) -> (Option<String>, Result<Read, Fault>) {
    match value(raw) {
        Ok(value) => {
            let name = value.get("name").and_then(Value::as_str);
            let name = name.map(str::to_owned);
            let read = match value {
                Value::Object(map) => tool(map, origin),
                other => Err(Fault::NotAnObject { got: a(&other) }),
            };
            (name, read)
        }
        Err(fault) => (envelope::name_in(raw.text), Err(fault)),
    }
}

/// SHA-256, lower-case hex, of what a person who adopts a tool looks at: `name`, `title`,
/// `description`, both schemas and `annotations`, as served, in canonical JSON. The order of keys
/// and a null in place of an absent key do not matter; all else does.
///
/// # Errors
/// When the definition nests deeper than 128 levels.
pub fn definition_digest(tool: &Map<String, Value>) -> Result<String, serde_json::Error> {
    const SEEN: [&str; 6] = [
        "name",
        "title",
        "description",
        "inputSchema",
        "outputSchema",
        "annotations",
    ];
    let seen: Map<String, Value> = SEEN
        .iter()
        .filter_map(|key| Some(((*key).to_owned(), tool.get(*key)?.clone())))
        .filter(|(_, value)| !value.is_null())
        .collect();
    digest(&seen)
}

/// The value of a tool's text: exact numbers, no key twice, no more levels than a manifest has.
fn value(raw: Raw<'_>) -> Result<Value, Fault> {
    let limit = parse::MAX_BYTES;
    if raw.text.len() > limit {
        return Err(Fault::TooLarge { limit });
    }
    let parsed = parse("", Syntax::Json, raw.text.as_bytes());
    let Some(finding) = parsed.findings.first() else {
        return Ok(parsed.document.root.to_json());
    };
    let place = parsed.document.position(finding.span.start);
    let column = match place.line {
        1 => Position::of(raw.before, raw.before.len()).column + place.column - 1,
        _ => place.column,
    };
    Err(Fault::Unreadable {
        line: raw.line + place.line - 1,
        column,
        reason: finding.message.clone(),
    })
}

fn tool(mut map: Map<String, Value>, origin: &Origin<'_>) -> Result<Read, Fault> {
    let digest = definition_digest(&map).map_err(|error| Fault::Schema {
        pointer: String::new(),
        reason: error.to_string(),
    })?;
    let mut oddities = hidden_texts(&map);
    let name = string(&mut map, "name", "/name", &mut Vec::new())?;
    let wire_name = name.ok_or(Fault::Missing { pointer: "/name" })?;
    check_name(&wire_name, &mut oddities)?;
    let title = string(&mut map, "title", "/title", &mut oddities)?;
    let description = string(&mut map, "description", "/description", &mut oddities)?;
    let input = input_schema(&mut map)?;
    let output = object(&mut map, "outputSchema", "/outputSchema", &mut oddities)?;
    if let Some(schema) = &output {
        check_schema(schema, "/outputSchema")?;
    }
    let annotations = object(&mut map, "annotations", "/annotations", &mut oddities)?;
    let annotations = match annotations {
        Some(Value::Object(annotations)) => claims::read(annotations, &mut oddities)?,
        _ => claims::Annotations::default(),
    };
    leftovers(&map, "", &mut oddities);
    let description = description.unwrap_or_default();
    if description.trim().is_empty() {
        oddities.push(Oddity::NoDescription);
    } else if speaks_of_parameters(&description) && declares_nothing(&input) {
        oddities.push(Oddity::ParametersLost);
    }
    let title = match (title, annotations.title) {
        (Some(title), Some(other)) if title != other => {
            oddities.push(Oddity::TwoTitles);
            Some(title)
        }
        (title, other) => title.or(other),
    };
    let destructive = annotations.claims.as_ref().and_then(|c| c.destructive);
    let manifest = Manifest {
        title,
        risk: Some(match destructive {
            Some(true) => RiskLevel::Destructive,
            Some(false) | None => RiskLevel::High,
        }),
        input_schema: Some(input),
        output_schema: output,
        claims: annotations.claims,
        ..bare(
            canonical(origin.server, &wire_name),
            description,
            &wire_name,
            origin.mcp(),
        )
    };
    fits(&manifest)?;
    Ok(Read {
        manifest,
        digest,
        oddities,
    })
}

/// A manifest that claims nothing.
pub(super) fn bare(name: String, description: String, wire_name: &str, origin: String) -> Manifest {
    Manifest {
        schema: None,
        name,
        title: None,
        version: 1,
        description,
        group: None,
        availability: "always".to_owned(),
        read_only: false,
        speculation_safe: false,
        idempotent: false,
        additive: false,
        open_world: true,
        risk: Some(RiskLevel::High),
        requires_approval: false,
        events: Vec::new(),
        input_schema: None,
        output_schema: None,
        deprecated: None,
        allow: Vec::new(),
        examples: Vec::new(),
        oxagen: None,
        command: None,
        timeout_ms: None,
        env: std::collections::BTreeMap::new(),
        foundry: None,
        wire_name: Some(wire_name.to_owned()),
        claims: None,
        origin: Some(origin),
    }
}

/// Whether the manifest is no larger than the loader reads.
pub(super) fn fits(manifest: &Manifest) -> Result<(), Fault> {
    let limit = parse::MAX_BYTES;
    if print::text(manifest).len() > limit {
        return Err(Fault::TooLarge { limit });
    }
    Ok(())
}

fn check_name(name: &str, oddities: &mut Vec<Oddity>) -> Result<(), Fault> {
    if name.is_empty() {
        return Err(Fault::EmptyName);
    }
    let printable = |c: char| c.is_ascii_graphic() || c == ' ';
    if let Some(c) = name.chars().find(|&c| !printable(c)) {
        return Err(Fault::NameCharacter(c));
    }
    if name.len() > LONGEST_NAME {
        return Err(Fault::LongName {
            got: name.len(),
            limit: LONGEST_NAME,
        });
    }
    let advised = |c: char| names::is_mcp(c.encode_utf8(&mut [0; 4]));
    oddities.extend(
        name.chars()
            .find(|&c| !advised(c))
            .map(Oddity::NameOutsideProtocol),
    );
    Ok(())
}

fn input_schema(map: &mut Map<String, Value>) -> Result<Value, Fault> {
    let pointer = "/inputSchema";
    let schema = match map.shift_remove("inputSchema") {
        None => return Err(Fault::Missing { pointer }),
        Some(schema @ Value::Object(_)) => schema,
        Some(other) => {
            return Err(wrong_type(pointer, "an object", &other));
        }
    };
    if schema.get("type") != Some(&json!("object")) {
        return Err(Fault::InputNotAnObject);
    }
    check_schema(&schema, pointer)?;
    Ok(schema)
}

fn check_schema(schema: &Value, at: &str) -> Result<(), Fault> {
    usable::check(schema).map_err(|(pointer, reason)| Fault::Schema {
        pointer: format!("{at}{pointer}"),
        reason,
    })
}

/// Whether a caller can send nothing that the schema names.
fn declares_nothing(input: &Value) -> bool {
    let Value::Object(map) = input else {
        return false;
    };
    map.iter().all(|(key, value)| match key.as_str() {
        "type" | "$schema" | "title" | "description" | "required" => true,
        "properties" => value.as_object().is_some_and(Map::is_empty),
        "additionalProperties" => value.is_boolean(),
        _ => false,
    })
}

fn speaks_of_parameters(description: &str) -> bool {
    let text = description.to_lowercase();
    ["parameter", "argument", "args:"]
        .iter()
        .any(|word| text.contains(word))
}
