//! The keys of a manifest, of an event and of `toolcontract.toml`, read off the schemas that their
//! structs derive, so that a new key is documented or does not exist.

use schemars::{JsonSchema, generate::SchemaSettings};
use serde_json::Value;
use toolcontract_manifest::Project;
use toolcontract_protocol::{EventManifest, Manifest};
use toolcontract_schema::keyword::{names, types};

use super::{
    facts::RISK_AND_APPROVAL,
    markdown::{Page, code, inline},
    navigation::Navigation,
};
use crate::emit::FileSet;

/// Adds `manifest.md` and `project.md`.
pub(super) fn emit(navigation: &mut Navigation, out: &mut FileSet) {
    let about = "What may stand in `manifests/tools/` and `manifests/events/`.";
    let mut page = Page::new(
        "Keys of a manifest",
        &[("description", about)],
        "the program itself",
    );
    page.paragraph(RISK_AND_APPROVAL);
    page.paragraph("Unknown keys are errors. JSON manifests have the same keys.");
    page.heading(2, "Tool");
    keys(&mut page, &schema::<Manifest>());
    page.heading(2, "Event");
    keys(&mut page, &schema::<EventManifest>());
    navigation.add("Reference", "manifest.md", "Keys of a manifest", about);
    out.add("manifest.md", page.into_text());

    let about = "The choices of one project.";
    let mut page = Page::new(
        "Keys of toolcontract.toml",
        &[("description", about)],
        "the program itself",
    );
    page.paragraph("`manifests/toolcontract.toml` holds everything that is not about one tool. Unknown keys are errors.");
    keys(&mut page, &schema::<Project>());
    navigation.add(
        "Reference",
        "project.md",
        "Keys of toolcontract.toml",
        about,
    );
    out.add("project.md", page.into_text());
}

fn schema<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|s| s.inline_subschemas = true);
    settings
        .into_generator()
        .into_root_schema_for::<T>()
        .to_value()
}

fn keys(page: &mut Page, schema: &Value) {
    let mut rows = Vec::new();
    collect("", schema, &mut rows);
    page.table(&["Key", "Type", "Default", "Meaning"], &rows);
}

fn collect(prefix: &str, schema: &Value, rows: &mut Vec<Vec<String>>) {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        return;
    };
    let required: Vec<&str> = names(schema.get("required")).collect();
    for (key, property) in properties {
        let path = format!("{prefix}{key}");
        let inner = unwrapped(property);
        let default = if required.contains(&key.as_str()) {
            "required".to_owned()
        } else {
            property
                .get("default")
                .filter(|d| is_telling(d))
                .map_or_else(String::new, |d| code(&d.to_string()))
        };
        let about = property
            .get("description")
            .or_else(|| inner.get("description"))
            .and_then(Value::as_str);
        rows.push(vec![
            code(&path),
            kind(inner),
            default,
            about.map(inline).unwrap_or_default(),
        ]);
        let (suffix, nested) = match inner.get("items") {
            Some(items) => ("[]", unwrapped(items)),
            None => ("", inner),
        };
        collect(&format!("{path}{suffix}."), nested, rows);
    }
}

/// Null, empty lists and tables say no more than an empty cell.
fn is_telling(default: &Value) -> bool {
    match default {
        Value::Null => false,
        Value::Array(items) => !items.is_empty(),
        Value::Object(map) => map.values().any(is_telling),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => true,
    }
}

/// The schema behind an `Option`.
fn unwrapped(schema: &Value) -> &Value {
    let branches = schema.get("anyOf").and_then(Value::as_array);
    branches
        .and_then(|all| {
            all.iter()
                .find(|b| b.get("type") != Some(&Value::from("null")))
        })
        .unwrap_or(schema)
}

fn kind(schema: &Value) -> String {
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        let words: Vec<String> = values
            .iter()
            .filter(|v| !v.is_null())
            .map(|v| code(&v.to_string()))
            .collect();
        return words.join(", ");
    }
    if let Some(branches) = schema.get("oneOf").and_then(Value::as_array) {
        let words: Vec<String> = branches.iter().map(variant).collect();
        return words.join(", ");
    }
    let named = types(schema.get("type")).find(|name| *name != "null");
    match named.unwrap_or("any") {
        "object" => "table".to_owned(),
        "array" => match schema.get("items") {
            Some(items) => format!("array of {}", kind(unwrapped(items))),
            None => "array".to_owned(),
        },
        other => other.to_owned(),
    }
}

fn variant(branch: &Value) -> String {
    if let Some(value) = branch.get("const") {
        return code(&value.to_string());
    }
    if branch.get("enum").is_some() {
        return kind(branch);
    }
    let key = branch
        .get("properties")
        .and_then(Value::as_object)
        .and_then(|p| p.keys().next());
    key.map_or_else(|| kind(branch), |key| code(&format!("{{ {key} = ... }}")))
}
