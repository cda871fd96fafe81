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

fn cases() -> Vec<(String, Value)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/cases");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        assert!(
            std::env::var_os("CI").is_none(),
            "`../shared/cases` is missing"
        );
        println!("not run: `../shared/cases` is missing");
        return Vec::new();
    };
    let mut found: Vec<(String, Value)> = entries
        .map(|entry| {
            let path = entry.expect("an entry is readable").path();
            let text = std::fs::read_to_string(&path).expect("a case is text");
            let name = path
                .file_stem()
                .expect("a case has a name")
                .to_string_lossy()
                .into_owned();
            (name, serde_json::from_str(&text).expect("a case is JSON"))
        })
        .collect();
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found
}

#[test]
fn nothing_accepted_is_lost_without_a_note() {
    let mut checked = 0;
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
            assert!(
                refusals.is_empty(),
                "{place}: {refusals:#?}\n{:#}",
                lowered.schema
            );
            let narrowed = lowered
                .notes
                .iter()
                .any(|n| matches!(n.effect, Effect::Narrowed | Effect::Cut));
            if narrowed || schema.get("type") != Some(&json!("object")) {
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
                assert!(
                    shown.is_valid(&sent),
                    "{place}: {sent}\n{:#}\n{:#?}",
                    lowered.schema,
                    lowered.notes
                );
                assert_eq!(
                    &lowered.restore.restore(&lowered.schema, &sent),
                    instance,
                    "{place}: {sent}"
                );
                checked += 1;
            }
        }
    }
    println!("{checked} instances");
}
