//! What the validator says about values and about schemas that do not compile.

use serde_json::{Value, json};
use toolcontract_schema::{Formats, Validator, violation::hit_pattern_limit};

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

#[test]
fn nesting_is_bounded_and_works_up_to_the_bound() {
    let nested = |levels: usize| {
        let mut schema = json!({ "type": "string" });
        let (mut text, mut number) = (json!("x"), json!(1));
        for _ in 0..levels {
            schema = json!({ "items": schema });
            text = json!([text]);
            number = json!([number]);
        }
        (Validator::compile(&schema, Formats::Assert), text, number)
    };
    let (deep, text, number) = nested(126);
    let deep = deep.unwrap();
    assert!(deep.is_valid(&text));
    assert_eq!(deep.validate(&number, 1).unwrap_err().violations.len(), 1);
    let message = nested(128).0.unwrap_err().message;
    assert_eq!(message, "the schema nests deeper than 128 levels");
}

#[test]
fn references_are_never_followed_out_of_the_document() {
    // Nothing listens there; a look-up would be an error of another kind, or hang.
    for uri in [
        "http://127.0.0.1:9/x",
        "file:///dev/null",
        "json-schema:///x",
        "x",
    ] {
        let error = Validator::compile(&json!({ "$ref": uri }), Formats::Annotate).unwrap_err();
        assert_eq!(error.pointer, "/$ref", "{error}");
        assert!(
            error.message.ends_with("no other document is ever read"),
            "{error}"
        );
    }
}

#[test]
fn a_text_that_takes_a_pattern_too_long_is_refused_where_it_matters() {
    // Look-around makes it a pattern that goes back; each `a` more doubles the ways.
    let pattern = json!({ "pattern": "^(?:(?=a)a+)+$" });
    let (short, long) = (json!("aaa"), json!(format!("{}b", "a".repeat(40))));
    for (around, takes_short) in [
        (pattern.clone(), true),
        (json!({ "not": pattern }), false),
        (json!({ "oneOf": [pattern, { "type": "integer" }] }), true),
        (json!({ "anyOf": [pattern, { "maxLength": 3 }] }), true),
    ] {
        let validator = Validator::compile(&around, Formats::Annotate).unwrap();
        assert_eq!(validator.is_valid(&short), takes_short, "{around}");
        let found = validator.validate(&long, CAP).unwrap_err();
        assert!(hit_pattern_limit(&found), "{around}: {found}");
    }
    let either = json!({ "if": pattern, "then": true, "else": true });
    let either = Validator::compile(&either, Formats::Annotate).unwrap();
    assert!(either.is_valid(&long));
}
