//! A contract as MCP defines a tool. What is not known is left out, and all four hints are stated:
//! clients reject a whole list for one null, and read the worst into what is absent.

use std::collections::BTreeMap;

use rmcp::model::{JsonObject, MetaObject, Tool, ToolAnnotations};
use serde_json::{Value, json};
use toolcontract_protocol::{
    ToolContract,
    manifest::Claims,
    mcp::{Facts, Hints},
};
use toolcontract_schema::{Bundle, mcp::shown, normal::normalize};

use crate::{mcp::META_KEY, visible};

/// What a definition says beside the contract.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct About {
    /// What clients call the tool, where that is not the contract's name.
    pub name: Option<String>,
    /// A label for people.
    pub title: Option<String>,
    /// What whoever serves the tool claims of it. Shown as claims; the hints follow from what is
    /// trusted.
    pub claims: Option<Claims>,
}

/// The definition of `contract`, under the `name` that clients use.
pub(super) fn definition(name: &str, contract: &ToolContract, about: &About) -> Tool {
    let contract = &effective(contract);
    let hints = Hints::of(contract);
    let mut annotations = ToolAnnotations::new()
        .read_only(hints.read_only_hint)
        .destructive(hints.destructive_hint)
        .idempotent(hints.idempotent_hint)
        .open_world(hints.open_world_hint);
    let title = about.title.as_deref().map(visible::text);
    annotations.title.clone_from(&title);
    let mut tool = Tool::new(
        name.to_owned(),
        visible::text(&contract.description),
        schema(&contract.input_schema),
    )
    .with_annotations(annotations)
    .with_meta(meta(contract, about));
    tool.title = title;
    if let Some(output) = &contract.output_schema {
        tool.output_schema = Some(schema(output).into());
    }
    tool
}

/// The contract with nothing in it that may not be relied on: what is shown to a client is no
/// better than what the runtime itself believes.
fn effective(contract: &ToolContract) -> ToolContract {
    ToolContract {
        read_only: contract.trusted_read_only(),
        speculation_safe: contract.trusted_speculation_safe(),
        idempotent: contract.trusted_idempotent(),
        additive: contract.trusted_additive(),
        open_world: contract.effective_open_world(),
        risk: contract.effective_risk(),
        ..contract.clone()
    }
}

fn meta(contract: &ToolContract, about: &About) -> MetaObject {
    let mut facts = json!(Facts::of(contract));
    if let (Some(claims), Some(facts)) = (&about.claims, facts.as_object_mut()) {
        facts.insert("claims".to_owned(), json!(claims));
    }
    MetaObject(JsonObject::from_iter([(META_KEY.to_owned(), facts)]))
}

/// A schema as every client reads it. One without a normal form is shown as it is.
fn schema(schema: &Value) -> JsonObject {
    let bundle = Bundle {
        schema: schema.clone(),
        shared: BTreeMap::new(),
    };
    let normal = normalize(&bundle).map_or(bundle.schema, |normal| normal.schema);
    match visible::schema(shown(&normal).0) {
        Value::Object(schema) => schema,
        _ => JsonObject::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_server_hides_is_shown() {
        let hides = "Adds.\u{202e}\u{e0041}";
        let schema = json!({
            "type": "object",
            "properties": { "a": { "type": "string", "description": hides } },
        });
        let mut contract = ToolContract::declared("add", hides, schema.clone());
        contract.output_schema = Some(schema);
        let about = About {
            title: Some(hides.to_owned()),
            ..About::default()
        };
        let told = serde_json::to_string(&definition("add", &contract, &about)).unwrap();
        assert!(!told.contains(['\u{202e}', '\u{e0041}']), "{told}");
        let shown = r"Adds.\\u{202e}\\u{e0041}";
        assert_eq!(told.matches(shown).count(), 5, "{told}");
    }
}
