//! A bare JSON Schema to a manifest, where its root is an object, else to a shared type.

use serde_json::{Value, json};
use toolcontract_protocol::Manifest;

use super::{
    Fault, Finding, ImportError, Imported, Oddity, Origin, Quarantined, SharedType, Subject, Tool,
    fields::a,
    mcp::utf8,
    name::canonical,
    tool::{bare, fits},
    usable,
};
use crate::parse::{Syntax, parse};

/// Imports one schema, JSON or TOML by the end of the file's name. The stem of that name is what
/// the schema is called; its `title` and `description` become those of the manifest.
///
/// # Errors
/// When the text cannot be read. A schema that cannot be used is quarantined.
pub fn schema(bytes: &[u8], origin: &Origin<'_>) -> Result<Imported, ImportError> {
    let text = utf8(bytes)?;
    let syntax = Syntax::of_path(origin.file).unwrap_or(Syntax::Json);
    let parsed = parse(origin.file, syntax, text.as_bytes());
    if let Some(finding) = parsed.findings.first() {
        let place = parsed.document.position(finding.span.start);
        return Err(ImportError::Unreadable {
            line: place.line,
            column: place.column,
            reason: finding.message.clone(),
        });
    }
    let stem = stem(origin.file);
    let subject = Subject {
        number: 1,
        line: 1,
        name: Some(stem.to_owned()),
    };
    let mut imported = Imported::default();
    let root = parsed.document.root.to_json();
    if let Err(reason) = check(&root, stem) {
        imported.quarantined.push(Quarantined { subject, reason });
        return Ok(imported);
    }
    let name = canonical(None, stem);
    if root.get("type") != Some(&json!("object")) {
        imported.types.push(SharedType {
            subject,
            name,
            schema: root,
        });
        return Ok(imported);
    }
    match contract(name, stem, root, origin) {
        Ok((manifest, digest)) => {
            if manifest.description.trim().is_empty() {
                imported.findings.push(Finding {
                    subject: Some(subject.clone()),
                    what: Oddity::NoDescription,
                });
            }
            imported.tools.push(Tool {
                subject,
                manifest,
                digest,
            });
        }
        Err(reason) => imported.quarantined.push(Quarantined { subject, reason }),
    }
    Ok(imported)
}

fn check(root: &Value, stem: &str) -> Result<(), Fault> {
    if !root.is_object() {
        return Err(Fault::NotAnObject { got: a(root) });
    }
    if let Some(c) = stem.chars().find(|c| !(c.is_ascii_graphic() || *c == ' ')) {
        return Err(Fault::NameCharacter(c));
    }
    if stem.is_empty() {
        return Err(Fault::EmptyName);
    }
    usable::check(root).map_err(|(pointer, reason)| Fault::Schema { pointer, reason })
}

fn contract(
    name: String,
    stem: &str,
    root: Value,
    origin: &Origin<'_>,
) -> Result<(Manifest, String), Fault> {
    let text = |key: &str| root.get(key).and_then(Value::as_str).map(str::to_owned);
    let digest = toolcontract_schema::digest::digest(&root).map_err(|error| Fault::Schema {
        pointer: String::new(),
        reason: error.to_string(),
    })?;
    let description = text("description").unwrap_or_default();
    let manifest = Manifest {
        title: text("title"),
        input_schema: Some(root.clone()),
        ..bare(name, description, stem, format!("schema:{}", origin.file))
    };
    fits(&manifest)?;
    Ok((manifest, digest))
}

/// `schemas/create-issue.schema.json` as `create-issue`.
fn stem(file: &str) -> &str {
    let name = file.rsplit('/').next().unwrap_or_default();
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    stem.strip_suffix(".schema").unwrap_or(stem)
}
