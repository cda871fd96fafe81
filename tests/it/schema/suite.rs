//! The JSON Schema Test Suite, required tests of 2020-12: the normal form agrees with the suite.
//!
//! Remote documents are never read, so groups that need one are refused, and listed.

use std::fmt::Write as _;

use serde_json::{Value, json};
use toolcontract_schema::{
    Formats, Validator, bundle::Bundle, meta::accepts_nothing, normal::normalize,
};

#[test]
fn normal_form_agrees() {
    let Some(folder) = super::shared("json-schema-test-suite/tests/draft2020-12") else {
        return;
    };
    let mut report = String::new();
    let (mut agree, mut refused, mut wrong) = (0, 0, 0);
    for path in super::json_files(&folder) {
        let file = path.file_name().unwrap().to_string_lossy().into_owned();
        for group in super::read(&path).as_array().unwrap() {
            let title = format!("{file}: {}", group["description"].as_str().unwrap());
            let tests = group["tests"].as_array().unwrap();
            assert!(
                !accepts_nothing(&group["schema"])
                    || tests.iter().all(|test| test["valid"] == json!(false)),
                "{title} is said to accept nothing"
            );
            match normal_validator(&group["schema"]) {
                Err(reason) => {
                    refused += tests.len();
                    writeln!(report, "{title}\n    {reason}").unwrap();
                }
                Ok(validator) => {
                    for test in tests {
                        if Some(validator.is_valid(&test["data"])) == test["valid"].as_bool() {
                            agree += 1;
                        } else {
                            wrong += 1;
                            let what = test["description"].as_str().unwrap();
                            writeln!(report, "{title}\n    WRONG: {what}").unwrap();
                        }
                    }
                }
            }
        }
    }
    let head = format!("{agree} agree, {refused} refused, {wrong} wrong\n\n");
    println!("JSON Schema Test Suite through the normal form: {head}");
    super::check_text("suite.txt", &format!("{head}{report}"));
    assert_eq!(wrong, 0);
}

fn normal_validator(schema: &Value) -> Result<Validator, String> {
    let bundle = Bundle {
        schema: schema.clone(),
        shared: std::collections::BTreeMap::new(),
    };
    let normal = normalize(&bundle).map_err(|errors| {
        let told: Vec<String> = errors
            .iter()
            .map(|e| format!("{}: {e}", e.pointer))
            .collect();
        told.join("; ")
    })?;
    let again = normalize(&Bundle {
        schema: normal.schema.clone(),
        shared: normal.shared.clone(),
    });
    assert_eq!(again, Ok(normal.clone()), "normal form of a normal form");
    Validator::compile(&normal.schema, Formats::Annotate)
        .map_err(|e| format!("does not compile: {}: {e}", e.pointer))
}
