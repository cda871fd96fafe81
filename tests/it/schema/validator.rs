//! What the validator says about values and about schemas that do not compile.

use serde_json::{Value, json};
use toolcontract_schema::{Formats, Validator};

const CAP: usize = 8;

#[test]
fn violations() {
    super::check_cases("violations", |case| {
        let validator = Validator::compile(&case["schema"], Formats::Assert).unwrap();
        let told = case["values"].as_array().unwrap().iter().map(|value| {
            let told = validator.validate(value, CAP);
            assert_eq!(told.is_ok(), validator.is_valid(value));
            match told {
                Ok(()) => Value::Null,
                Err(violations) => {
                    let text = format!("{violations} {}", json!(violations));
                    assert!(
                        !text.contains("secret") && !text.contains("SECRET"),
                        "{text}"
                    );
                    json!(violations)
                }
            }
        });
        Value::Array(told.collect())
    });
}

#[test]
fn schemas_that_do_not_compile() {
    super::check_cases("compile", |case| {
        match Validator::compile(&case["schema"], Formats::Annotate) {
            Ok(_) => json!("compiles"),
            Err(e) => json!(format!("{}: {e}", e.pointer)),
        }
    });
}

#[test]
fn formats_of_2020_12_are_asserted() {
    let wrong = "\u{7f} not, any of: them \\";
    for format in toolcontract_schema::vocabulary::FORMATS {
        let schema = json!({ "format": format });
        let asserts = Validator::compile(&schema, Formats::Assert).unwrap();
        let annotates = Validator::compile(&schema, Formats::Annotate).unwrap();
        assert!(!asserts.is_valid(&json!(wrong)), "{format}");
        assert!(annotates.is_valid(&json!(wrong)), "{format}");
    }
}
