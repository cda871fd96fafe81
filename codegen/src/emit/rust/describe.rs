//! What the doc comments say: of tools, contracts, types and fields.

use serde_json::Value;
use toolcontract_manifest::text::escape;
use toolcontract_protocol::{
    Manifest, ToolContract,
    manifest::{Deprecation, Example},
};

use super::{doc, item::Item, json::on_one_line};
use crate::model::shape::{Property, Shape};

/// How long an example may be to stand on one line.
const SHORT: usize = 88;

/// What the tool does, and what stands in its way.
pub(super) fn of_tool(manifest: &Manifest) -> String {
    let mut about = match &manifest.title {
        Some(title) => format!("{}.\n\n", title.trim_end_matches('.')),
        None => String::new(),
    };
    about.push_str(&manifest.description);
    if let Some(Deprecation {
        since,
        replaced_by,
        note,
    }) = &manifest.deprecated
    {
        about.push_str("\n\nDeprecated since ");
        about.push_str(since);
        if let Some(other) = replaced_by {
            about.push_str(&format!("; use `{other}`"));
        }
        about.push('.');
        if let Some(note) = note {
            about.push(' ');
            about.push_str(note);
        }
    }
    about
}

/// The facts that a reader of the module asks for.
pub(super) fn of_contract(contract: &ToolContract) -> String {
    let mut facts = vec![format!("risk `{}`", contract.risk)];
    if let Some(group) = &contract.group {
        facts.insert(0, format!("group `{group}`"));
    }
    let bits = [
        (contract.read_only, "read-only"),
        (contract.speculation_safe, "speculation-safe"),
        (contract.idempotent, "idempotent"),
        (contract.additive, "additive"),
        (contract.requires_approval, "asks for approval"),
    ];
    facts.extend(
        bits.iter()
            .filter(|(holds, _)| *holds)
            .map(|(_, word)| (*word).to_owned()),
    );
    format!("The contract of `{}`: {}.", contract.name, facts.join(", "))
}

/// Says of the roots what they are, where the schema does not, and gives the input its examples.
pub(super) fn roots(items: &mut [Item], manifest: &Manifest) {
    for item in items {
        let (default, examples) = match item.name.as_str() {
            "Input" => ("What a call takes.", manifest.examples.as_slice()),
            "Output" => ("What a success gives.", [].as_slice()),
            _ => continue,
        };
        if item.doc.is_empty() {
            item.doc.push(default.to_owned());
        }
        item.doc.extend(of_examples(examples));
    }
}

/// Each example call once: the summaries of those that make it, then its JSON.
fn of_examples(examples: &[Example]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut rest: Vec<&Example> = examples.iter().collect();
    while let Some(first) = rest.first().copied() {
        let (same, others) = rest.into_iter().partition(|one| one.input == first.input);
        rest = others;
        let same: Vec<&Example> = same;
        for example in same {
            lines.push(String::new());
            lines.extend(doc::lines(&example.summary, 0));
        }
        let mut json = on_one_line(&first.input);
        if json.len() > SHORT {
            json = serde_json::to_string_pretty(&first.input).unwrap_or(json);
        }
        lines.extend([String::new(), "```json".to_owned()]);
        lines.extend(escape(&json).lines().map(str::to_owned));
        lines.push("```".to_owned());
    }
    lines
}

/// What a shape is said to be.
pub(super) fn of_shape(shape: &Shape) -> Option<&str> {
    match shape {
        Shape::Object(object) => object.description.as_deref(),
        Shape::Enum(listed) => listed.description.as_deref(),
        Shape::Union(union) => union.description.as_deref(),
        _ => None,
    }
}

/// The description, and what the type cannot say: listed values that are no strings, deprecation.
pub(super) fn of_field(property: &Property) -> Option<String> {
    let mut parts: Vec<String> = property.description.iter().cloned().collect();
    let shape = match &property.shape {
        Shape::Nullable(inner) => inner,
        shape => shape,
    };
    if let Shape::Enum(listed) = shape
        && listed.base() != Shape::String
    {
        let values: Vec<String> = listed.values.iter().map(|v| code(&v.value)).collect();
        parts.push(match values.as_slice() {
            [only] => format!("Always {only}."),
            values => format!("One of {}.", values.join(", ")),
        });
    }
    if property.deprecated {
        parts.push("Deprecated.".to_owned());
    }
    (!parts.is_empty()).then(|| parts.join("\n\n"))
}

/// A value as inline code.
fn code(value: &Value) -> String {
    format!("`{}`", value.to_string().replace('`', "'"))
}
