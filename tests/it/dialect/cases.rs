//! Schemas from public reports: what the contract accepts, the lowered schema accepts too, unless a
//! note says that a model can send less.

use std::path::Path;

use serde_json::{Value, json};
use toolcontract_schema::{
    Formats, Validator,
    bundle::Bundle,
    dialect::{Dialect, Effect, lower},
    normal::normalize,
};

use super::provider::PROVIDERS;
use crate::expect::Expect;

fn cases() -> Vec<(String, Value)> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    let mut found = Vec::new();
    for folder in ["cases", "rust/hostile"] {
        for entry in std::fs::read_dir(data.join(folder)).expect("a folder of cases") {
            let path = entry.expect("an entry is readable").path();
            let text = std::fs::read_to_string(&path).expect("a case is text");
            let name = path
                .file_stem()
                .expect("a case has a name")
                .to_string_lossy()
                .into_owned();
            let case = serde_json::from_str(&text).expect("a case is JSON");
            found.push((name, case));
        }
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found
}

#[test]
fn nothing_accepted_is_lost_without_a_note() {
    let mut checked = 0;
    let mut expect = Expect::default();
    for (name, case) in cases() {
        let schema = &case["schema"];
        let Ok(normal) = normalize(&Bundle {
            schema: schema.clone(),
            shared: Default::default(),
        }) else {
            continue;
        };
        for provider in PROVIDERS {
            let lowered = lower(&normal.schema, provider.dialect);
            let place = format!("{name} {}", provider.dialect);
            let refusals = if lowered.strict || provider.dialect != Dialect::OpenaiStrict {
                provider.refusals(&lowered.schema)
            } else {
                Vec::new()
            };
            if !refusals.is_empty() {
                let schema = &lowered.schema;
                expect.fail(format_args!("{place}: {refusals:#?}\n{schema:#}"));
            }
            let narrowed = lowered
                .notes
                .iter()
                .any(|n| matches!(n.effect, Effect::Narrowed | Effect::Cut));
            // In strict mode a tool without named members is one without arguments.
            let takes_none = schema.get("properties").is_none() && lowered.strict;
            if narrowed || takes_none || schema.get("type") != Some(&json!("object")) {
                continue;
            }
            // `nullable` is no JSON Schema; where nothing is nullable the result can be judged.
            if lowered.schema.to_string().contains("\"nullable\"") {
                continue;
            }
            let shown = Validator::compile(&lowered.schema, Formats::Annotate)
                .expect("a lowered schema compiles");
            for instance in case["valid"].as_array().into_iter().flatten() {
                let sent = lowered.restore.dress(&lowered.schema, instance);
                let (schema, notes) = (&lowered.schema, &lowered.notes);
                if !shown.is_valid(&sent) {
                    expect.fail(format_args!("{place}: {sent}\n{schema:#}\n{notes:#?}"));
                }
                let back = lowered.restore.restore(schema, &sent);
                if back != *instance {
                    expect.fail(format_args!("{place}: {sent} came back as {back}"));
                }
                checked += 1;
            }
        }
    }
    println!("{checked} instances");
    expect.finish();
}
