//! What holds for every input: no panic, no two names are one, what is imported passes the
//! loader and is what was served.

use std::collections::BTreeMap;

use proptest::{prelude::*, test_runner::RngSeed};
use serde_json::{Map, Value, json};
use toolcontract_manifest::{
    Source,
    import::{Fault, ImportError, MAX_BYTES, MAX_TOOLS, Origin, canonical, mcp, schema, text},
    names, read_tool,
};

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(20_261_127),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// Names that are alike: few letters, every separator, case, what looks like a digest.
fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        "[abAB1_. -]{1,6}",
        "[a-z]{1,4}_[0-9a-f]{8}",
        "[a-z_]{55,70}",
        "(delete|index|con|type|mcp__a__b|__proto__)",
        "[ -~]{1,128}",
    ]
}

fn server() -> impl Strategy<Value = Option<String>> {
    proptest::option::of(prop_oneof!["[ab]{1,2}", "[ab][ab_.-]{0,3}[ab]"])
}

/// JSON that a hostile or a sloppy server could send in place of a value.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
        Just(json!("object")),
    ];
    let key = prop_oneof![
        Just("type".to_owned()),
        Just("name".to_owned()),
        Just("inputSchema".to_owned()),
        Just("tools".to_owned()),
        Just("result".to_owned()),
        Just("properties".to_owned()),
        Just("$ref".to_owned()),
        Just("annotations".to_owned()),
        "[a-z$]{0,6}",
    ];
    leaf.prop_recursive(4, 24, 5, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::vec((key.clone(), inner), 0..5)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// A tool, mostly whole, with anything in any place.
fn tool() -> impl Strategy<Value = Value> {
    let place = prop_oneof![
        Just("name"),
        Just("title"),
        Just("description"),
        Just("inputSchema"),
        Just("outputSchema"),
        Just("annotations"),
        Just("_meta"),
    ];
    let schema = prop_oneof![
        Just(json!({ "type": "object" })),
        any_json().prop_map(|any| json!({ "type": "object", "properties": { "a": any } })),
        any_json().prop_map(|any| json!({ "type": "object", "$defs": any, "allOf": [{}] })),
    ];
    let spoiled = proptest::option::of((place, any_json()));
    (name(), ".{0,12}", schema, spoiled).prop_map(|(name, about, schema, spoiled)| {
        let mut tool = json!({ "name": name, "description": about, "inputSchema": schema });
        if let Some((place, value)) = spoiled {
            tool[place] = value;
        }
        tool
    })
}

/// Imports, and checks everything that is promised of a result.
fn hold(bytes: &[u8], list: Option<&[Value]>) {
    let origin = Origin {
        file: "any.json",
        server: None,
    };
    let _ = schema(bytes, &origin);
    let Ok(imported) = mcp(bytes, &origin) else {
        assert!(list.is_none(), "a list is read");
        return;
    };
    let mut names = BTreeMap::new();
    for tool in &imported.tools {
        let manifest = &tool.manifest;
        let before = names.insert(manifest.name.clone(), manifest.wire_name.clone());
        assert_eq!(before, None, "names are unique");
        let source = Source {
            path: format!("manifests/tools/{}.json", manifest.name),
            bytes: text(manifest).into_bytes(),
        };
        let (loaded, findings) = read_tool(&source);
        assert!(findings.is_empty(), "{findings:?}");
        assert_eq!(&loaded.unwrap().value, manifest);
        if let Some(list) = list {
            let served = &list[tool.subject.number - 1];
            assert_eq!(manifest.input_schema.as_ref(), served.get("inputSchema"));
            assert_eq!(manifest.wire_name.as_deref(), served["name"].as_str());
        }
    }
    for quarantined in &imported.quarantined {
        assert!(!quarantined.reason.to_string().is_empty());
    }
}

proptest! {
    #![proptest_config(config(2000))]

    #[test]
    fn a_name_fits_and_depends_on_nothing_else(server in server(), name in name()) {
        let canonical_name = canonical(server.as_deref(), &name);
        prop_assert_eq!(names::tool(&canonical_name), Ok(()));
        prop_assert_eq!(names::reserved(&canonical_name), None);
        prop_assert_eq!(canonical(server.as_deref(), &name), canonical_name);
    }

    #[test]
    fn no_two_names_are_one(
        servers in proptest::collection::vec(server(), 2),
        one in name(),
        other in name(),
    ) {
        let named = |at: usize, name: &str| canonical(servers[at].as_deref(), name);
        prop_assert_eq!(
            named(0, &one) == named(0, &other),
            one == other,
            "of one server: {} and {}", one, other
        );
        if servers[0].is_some() && servers[1].is_some() {
            prop_assert_eq!(
                named(0, &one) == named(1, &other),
                one == other && servers[0] == servers[1],
                "of two servers: {:?} {} and {}", servers, one, other
            );
        }
    }
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn any_list_of_tools(tools in proptest::collection::vec(tool(), 0..5)) {
        hold(json!({ "tools": tools }).to_string().as_bytes(), Some(&tools));
    }

    #[test]
    fn any_json_at_all(value in any_json()) {
        hold(value.to_string().as_bytes(), None);
    }

    #[test]
    fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..64), text in ".{0,64}") {
        hold(&bytes, None);
        hold(text.as_bytes(), None);
    }

    #[test]
    fn any_cut_of_a_list(tools in proptest::collection::vec(tool(), 1..3), at in any::<prop::sample::Index>()) {
        let text = Value::from(tools).to_string();
        let mut bytes = text.into_bytes();
        bytes.truncate(at.index(bytes.len()));
        hold(&bytes, None);
    }
}

/// Numbers are kept digit for digit, or the tool is not.
#[test]
fn numbers_are_exact_or_refused() {
    let import = |number: &str| {
        let text = format!(
            r#"[{{"name":"n","inputSchema":{{"type":"object","properties":{{"n":{{"const":{number}}}}}}}}}]"#
        );
        let origin = Origin {
            file: "n.json",
            server: None,
        };
        mcp(text.as_bytes(), &origin).unwrap()
    };
    for number in [
        "9007199254740993",
        "18446744073709551615",
        "-9223372036854775808",
        "0.1",
    ] {
        let imported = import(number);
        let kept = text(&imported.tools[0].manifest);
        assert!(kept.contains(&format!("\"const\": {number}\n")), "{kept}");
    }
    for number in ["18446744073709551616", "1e999"] {
        let imported = import(number);
        assert!(imported.tools.is_empty(), "{number}");
        let reason = imported.quarantined[0].reason.to_string();
        assert!(
            reason.contains("cannot be kept exactly"),
            "{number}: {reason}"
        );
    }
}

/// The order of keys is the server's.
#[test]
fn keys_keep_their_order() {
    let text_of = r#"[{"inputSchema":{"required":[],"properties":{"z":{},"a":{}},"type":"object"},"name":"order"}]"#;
    let origin = Origin {
        file: "o.json",
        server: None,
    };
    let imported = mcp(text_of.as_bytes(), &origin).unwrap();
    let schema = imported.tools[0].manifest.input_schema.as_ref().unwrap();
    let keys: Vec<&String> = schema.as_object().map(Map::keys).unwrap().collect();
    assert_eq!(keys, ["required", "properties", "type"]);
    let inner: Vec<&String> = schema["properties"]
        .as_object()
        .map(Map::keys)
        .unwrap()
        .collect();
    assert_eq!(inner, ["z", "a"]);
}

/// Beyond its bounds a text is refused, and a tool alone.
#[test]
fn everything_has_bounds() {
    let origin = Origin {
        file: "b.json",
        server: None,
    };
    let refusal = |text: &[u8]| mcp(text, &origin).unwrap_err();
    let huge = vec![b' '; MAX_BYTES + 1];
    assert!(matches!(refusal(&huge), ImportError::TooLarge { .. }));
    let list = |count: usize| format!("[{}1]", "1,".repeat(count - 1));
    let many = list(MAX_TOOLS + 1);
    assert!(matches!(
        refusal(many.as_bytes()),
        ImportError::TooMany { .. }
    ));
    let all = mcp(list(MAX_TOOLS).as_bytes(), &origin).unwrap();
    assert_eq!(all.quarantined.len(), MAX_TOOLS);
    let tool = |name: &str, about: usize| json!({ "name": name, "description": "x".repeat(about), "inputSchema": { "type": "object" } });
    let tools = json!([tool("large", 2 << 20), tool("tiny", 1)]).to_string();
    let imported = mcp(tools.as_bytes(), &origin).unwrap();
    assert_eq!(imported.tools.len(), 1);
    let large = &imported.quarantined[0];
    assert_eq!(large.subject.name.as_deref(), Some("large"));
    assert!(matches!(large.reason, Fault::TooLarge { .. }));
    assert!(matches!(
        refusal(b"\xff"),
        ImportError::NotUtf8 { offset: 0 }
    ));
    let marked = mcp("\u{feff}[]".as_bytes(), &origin);
    assert!(marked.is_ok(), "a byte-order mark is no part of the text");
}
