//! Schemas with file references become self-contained, or say why not.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use toolcontract_schema::bundle::{bundle, bundle_file};

#[test]
fn cases() {
    super::check_cases("bundle", |case| {
        let files: BTreeMap<String, Value> = serde_json::from_value(case["files"].clone()).unwrap();
        let bundled = match case.get("file") {
            Some(path) => bundle_file(path.as_str().unwrap(), &files),
            None => bundle(&case["schema"], &files),
        };
        match bundled {
            Ok(bundled) => {
                let again = bundle(&bundled.schema, &BTreeMap::new()).unwrap();
                assert_eq!(
                    again.schema, bundled.schema,
                    "bundling twice changes nothing"
                );
                json!({ "schema": bundled.schema, "shared": bundled.shared })
            }
            Err(errors) => json!({
                "errors": errors
                    .iter()
                    .map(|e| format!("{}: {e}", e.pointer))
                    .collect::<Vec<_>>()
            }),
        }
    });
}
