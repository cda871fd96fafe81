//! What may not even be read: size, depth, members twice, integers that are not exact.

use serde_json::{Value, json};
use toolcontract_schema::bounds::{BoundsError, Limits, Numbers, check, read};

#[test]
fn cases() {
    super::check_cases("bounds", |case| {
        let limit = |key: &str| usize::try_from(case["limits"][key].as_u64().unwrap()).unwrap();
        let limits = Limits {
            bytes: limit("bytes"),
            depth: limit("depth"),
            nodes: limit("nodes"),
            numbers: match case.get("numbers") {
                Some(_) => Numbers::Any,
                None => Numbers::Safe,
            },
        };
        let text = case["text"].as_str().unwrap();
        let told = match read(text.as_bytes(), &limits) {
            Ok(value) => {
                assert_eq!(value, serde_json::from_str::<Value>(text).unwrap());
                assert_eq!(check(&value, &limits), Ok(()));
                return json!("read");
            }
            Err(error) => error,
        };
        // What a value still shows is refused there too, for the same reason.
        let shows = match &told {
            BoundsError::DuplicateKey { .. } | BoundsError::TooManyBytes { .. } => false,
            BoundsError::WideInteger { pointer } => {
                let value: Value = serde_json::from_str(text).unwrap();
                !value.pointer(pointer).unwrap().is_f64()
            }
            _ => true,
        };
        if let Ok(value) = serde_json::from_str::<Value>(text)
            && shows
        {
            assert_eq!(check(&value, &limits), Err(told.clone()));
        }
        json!({ "error": told.to_string(), "violation": told.violation() })
    });
}

#[test]
fn nesting_is_refused_before_the_stack_is_used() {
    let deep = "[".repeat(500_000);
    let limits = Limits {
        depth: usize::MAX,
        ..Limits::default()
    };
    assert!(matches!(
        read(deep.as_bytes(), &limits),
        Err(BoundsError::TooDeep { limit: 126, .. })
    ));
}

#[test]
fn the_defaults_are_documented_figures() {
    let Limits {
        bytes,
        depth,
        nodes,
        numbers,
    } = Limits::default();
    assert_eq!((bytes, depth, nodes), (1_048_576, 64, 100_000));
    assert_eq!(numbers, Numbers::Safe);
}

#[test]
fn invalid_utf8_is_not_json() {
    let error = read(b"\"\xff\"", &Limits::default()).unwrap_err();
    assert!(
        matches!(error, BoundsError::NotJson { line: 1, .. }),
        "{error}"
    );
}
