//! Arbitrary text where manifests and schemas are expected: nothing panics, and what is taken goes
//! through every later step. `FUZZ` says how many cases of each are drawn.
//!
//! These run on stable and with a fixed seed; a fuzzing engine would add a build of its own.

use proptest::{prelude::*, sample::select, test_runner::RngSeed};
use serde_json::{Map, Value, json};
use toolcontract_manifest::{Source, import, load_sources};

use crate::rust::krate::{Manifests, emit, emit_typescript};

fn config() -> ProptestConfig {
    let cases = std::env::var("FUZZ")
        .ok()
        .and_then(|text| text.parse().ok());
    ProptestConfig {
        cases: cases.unwrap_or(64),
        rng_seed: RngSeed::Fixed(20_261_130),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

const KEYWORDS: &[&str] = &[
    "type",
    "properties",
    "required",
    "items",
    "prefixItems",
    "additionalProperties",
    "enum",
    "const",
    "anyOf",
    "oneOf",
    "allOf",
    "not",
    "if",
    "then",
    "else",
    "$ref",
    "$defs",
    "$anchor",
    "$id",
    "minimum",
    "maxLength",
    "pattern",
    "format",
    "dependentSchemas",
    "patternProperties",
    "unevaluatedProperties",
    "contains",
    "default",
    "multipleOf",
    "minItems",
    "x-ts",
    "x-open",
    "a",
];

const TEXTS: &[&str] = &[
    "object",
    "string",
    "integer",
    "null",
    "#",
    "#/$defs/a",
    "#/properties/a",
    "#a",
    "types/x.toml",
    "(",
    "^a$",
    "",
];

/// JSON that is nearly a schema: keywords with values of any kind.
fn nearly() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        select(TEXTS).prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((select(KEYWORDS), inner), 0..5).prop_map(|members| {
                let members = members
                    .into_iter()
                    .map(|(name, value)| (name.to_owned(), value));
                Value::Object(members.collect::<Map<_, _>>())
            }),
        ]
    })
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_manifest_may_be_any_text(toml in "(\\PC|\\n){0,200}", json in prop::collection::vec(any::<u8>(), 0..200)) {
        for (path, bytes) in [("manifests/tools/a.toml", toml.as_bytes()), ("manifests/tools/a.json", &json)] {
            let source = Source { path: path.to_owned(), bytes: bytes.to_vec() };
            let _ = load_sources(vec![source]);
        }
        let origin = import::Origin { file: "a.json", server: None };
        let _ = import::mcp(&json, &origin);
        let _ = import::schema(&json, &origin);
    }

    #[test]
    fn a_schema_may_be_any_json(schema in nearly(), declared in any::<bool>()) {
        let mut manifests = Manifests::new("fuzzed");
        let mut manifest = json!({
            "name": "fuzzed", "description": "Fuzzed.", "group": "test", "risk": "low",
            "input_schema": schema, "output_schema": schema,
        });
        if declared {
            manifest["origin"] = json!("a test");
        }
        manifests.add("tools/fuzzed", &manifest);
        if let Ok(model) = manifests.check() {
            prop_assert!(!emit(&model).is_empty());
            prop_assert!(!emit_typescript(&model).is_empty());
        }
    }

    #[test]
    fn an_import_may_be_any_json(schema in nearly(), more in nearly()) {
        let list = json!([{ "name": "a", "inputSchema": schema, "outputSchema": more, "annotations": more }, more]);
        let origin = import::Origin { file: "a.json", server: None };
        if let Ok(imported) = import::mcp(list.to_string().as_bytes(), &origin) {
            let mut manifests = Manifests::new("fuzzed");
            for tool in imported.tools {
                let manifest = serde_json::to_value(&tool.manifest).unwrap();
                manifests.add(&format!("tools/{}", tool.manifest.name), &manifest);
            }
            if let Ok(model) = manifests.check() {
                prop_assert!(!emit_typescript(&model).is_empty());
            }
        }
        let _ = import::schema(schema.to_string().as_bytes(), &origin);
    }
}
