//! What a model sends in a provider's form becomes what the contract takes.

use serde_json::{Value, json};
use toolcontract_schema::{
    Formats, Validator,
    dialect::{Dialect, lower},
};

use crate::catalog::CATALOG;

/// Each example of the catalog, as a model would have to send it, is valid under the schema that
/// the model was shown, and comes back as it was.
#[test]
fn examples_go_there_and_back() {
    let mut seen = 0;
    for tool in &CATALOG.tools {
        for dialect in Dialect::ALL {
            let lowered = lower(&tool.input.normal.schema, dialect);
            let shown = Validator::compile(&lowered.schema, Formats::Annotate)
                .expect("a lowered schema compiles");
            for example in &tool.manifest.examples {
                let sent = lowered.restore.dress(&lowered.schema, &example.input);
                let place = format!("{} {dialect}: {sent}", tool.contract.name);
                assert!(shown.is_valid(&sent), "{place}");
                assert_eq!(
                    lowered.restore.restore(&lowered.schema, &sent),
                    example.input,
                    "{place}"
                );
                seen += 1;
            }
        }
    }
    assert!(seen > 100, "{seen} examples");
}

fn strict_round(schema: &Value, sent: &Value) -> Value {
    let lowered = lower(schema, Dialect::OpenaiStrict);
    assert!(lowered.strict, "{:?}", lowered.notes);
    lowered.restore.restore(&lowered.schema, sent)
}

#[test]
fn null_means_left_out_only_where_the_contract_takes_no_null() {
    let schema = json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["must"],
        "properties": {
            "must": { "type": ["string", "null"] },
            "may": { "type": "integer" },
            "may_be_null": { "type": ["integer", "null"] },
        },
    });
    assert_eq!(
        strict_round(
            &schema,
            &json!({ "must": null, "may": null, "may_be_null": null })
        ),
        json!({ "must": null, "may_be_null": null })
    );
}

#[test]
fn null_is_undone_in_lists_alternatives_and_recursion() {
    let schema = json!({
        "type": "object",
        "additionalProperties": false,
        "properties": { "node": { "$ref": "#/$defs/node" } },
        "$defs": {
            "node": {
                "type": "object",
                "additionalProperties": false,
                "required": ["kind"],
                "properties": {
                    "kind": { "type": "string" },
                    "note": { "type": "string" },
                    "next": { "type": "array", "items": { "anyOf": [{ "$ref": "#/$defs/node" }, { "type": "string" }] } },
                },
            },
        },
    });
    let sent = json!({ "node": { "kind": "a", "note": null, "next": [{ "kind": "b", "note": "n", "next": null }, "leaf"] } });
    assert_eq!(
        strict_round(&schema, &sent),
        json!({ "node": { "kind": "a", "next": [{ "kind": "b", "note": "n" }, "leaf"] } })
    );
    assert_eq!(strict_round(&schema, &json!({ "node": null })), json!({}));
}

#[test]
fn other_names_become_the_contracts() {
    let schema = json!({
        "type": "object",
        "required": ["StartTime<"],
        "properties": {
            "StartTime<": { "type": "string" },
            "StartTime": { "type": "object", "properties": { "1st": { "type": "integer" } } },
        },
    });
    for dialect in [Dialect::Anthropic, Dialect::Gemini] {
        let lowered = lower(&schema, dialect);
        let arguments = json!({ "StartTime<": "now", "StartTime": { "1st": 1 } });
        let sent = lowered.restore.dress(&lowered.schema, &arguments);
        assert!(sent.get("StartTime<").is_none(), "{dialect}: {sent}");
        assert_eq!(
            lowered.restore.restore(&lowered.schema, &sent),
            arguments,
            "{dialect}"
        );
        let required = &lowered.schema["required"][0];
        assert!(
            lowered.schema["properties"]
                .get(required.as_str().unwrap())
                .is_some(),
            "{dialect}"
        );
    }
}
