//! What no input may do, and what holds for every input: no panic, the tree says what other
//! parsers of the same text say, every place is the place of what it names, order of files is
//! nothing.

use std::{fs, path::Path};

use proptest::{prelude::*, test_runner::RngSeed};
use serde_json::{Map, Value, json};
use toolcontract_manifest::{
    Diagnostic, Document, Source,
    document::{Node, NodeValue},
    load_sources,
    parse::{Parsed, Syntax, parse},
    print::Format,
};

use super::{data, names, printed, screen};

/// Every format in turn; a printer that panics fails the test.
fn show(findings: &[Diagnostic]) {
    for format in [Format::Human, Format::Json, Format::Github, Format::Sarif] {
        printed(findings, format);
    }
}

fn path_of(syntax: Syntax) -> &'static str {
    match syntax {
        Syntax::Toml => "manifests/types/any.toml",
        Syntax::Json => "manifests/types/any.json",
    }
}

/// Parses as each syntax, checks what holds for every text, and loads it as each kind of file.
fn survive(bytes: &[u8]) {
    for syntax in [Syntax::Toml, Syntax::Json] {
        let parsed = parse(path_of(syntax), syntax, bytes);
        assert!(parsed.readable || !parsed.findings.is_empty());
        for finding in &parsed.findings {
            assert!(parsed.document.text.get(finding.span.clone()).is_some());
        }
        places_are_inside(&parsed.document, &parsed.document.root);
        let file = |path: &str| Source {
            path: path.to_owned(),
            bytes: bytes.to_vec(),
        };
        let end = match syntax {
            Syntax::Toml => "toml",
            Syntax::Json => "json",
        };
        let (_, findings) = load_sources(vec![
            file("manifests/toolcontract.toml"),
            file(&format!("manifests/tools/a.{end}")),
            file(&format!("manifests/events/b.{end}")),
            file(&format!("manifests/types/c.{end}")),
        ]);
        show(&findings);
    }
}

fn places_are_inside(document: &Document, node: &Node) {
    assert!(document.text.get(node.span.clone()).is_some());
    match &node.value {
        NodeValue::Array(items) => items.iter().for_each(|n| places_are_inside(document, n)),
        NodeValue::Object(members) => members.iter().for_each(|m| {
            assert!(document.text.get(m.key_span.clone()).is_some());
            places_are_inside(document, &m.node);
        }),
        _ => {}
    }
}

/// Calls `visit` with every value, its pointer and whether a key holds it.
fn every_place(value: &Value, pointer: &str, visit: &mut dyn FnMut(&str, &Value)) {
    visit(pointer, value);
    let escaped = |key: &str| key.replace('~', "~0").replace('/', "~1");
    match value {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                every_place(item, &format!("{pointer}/{index}"), visit);
            }
        }
        Value::Object(members) => {
            for (key, member) in members {
                every_place(member, &format!("{pointer}/{}", escaped(key)), visit);
            }
        }
        _ => {}
    }
}

fn clean(syntax: Syntax, text: &str) -> Parsed {
    let parsed = parse(path_of(syntax), syntax, text.as_bytes());
    assert!(parsed.is_clean(), "{text}\n{}", screen(&parsed.findings));
    parsed
}

/// The tree equals the value, and the text at each place of it spells just that part.
fn json_is_placed(text: &str) {
    let value: Value = serde_json::from_str(text).expect("JSON");
    let parsed = clean(Syntax::Json, text);
    assert_eq!(parsed.document.root.to_json(), value);
    every_place(&value, "", &mut |pointer, part| {
        let at = &text[parsed.document.span(pointer)];
        assert_eq!(&serde_json::from_str::<Value>(at).expect("JSON"), part);
        if let Some((_, key)) = pointer.rsplit_once('/') {
            let at = &text[parsed.document.key_span(pointer)];
            if let Ok(found) = serde_json::from_str::<String>(at) {
                let key = key.replace("~1", "/").replace("~0", "~");
                assert!(found == key || part == &Value::String(found), "{at} {key}");
            }
        }
        let beyond = format!("{pointer}/not there");
        if part.get("not there").is_none() {
            assert_eq!(parsed.document.span(&beyond), parsed.document.span(pointer));
            assert_eq!(parsed.document.node(&beyond), None);
        }
    });
}

/// As for JSON; a table is written in pieces, so only what is not one is compared by its text.
fn toml_is_placed(text: &str) {
    let value: Value = toml_edit::de::from_str(text).expect("TOML");
    let parsed = clean(Syntax::Toml, text);
    assert_eq!(parsed.document.root.to_json(), value);
    let read = |text: &str| -> Option<Value> {
        let table: Value = toml_edit::de::from_str(&format!("x = {text}")).ok()?;
        table.get("x").cloned()
    };
    every_place(&value, "", &mut |pointer, part| {
        let at = &text[parsed.document.span(pointer)];
        if !part.is_object() && !part.is_array() {
            assert_eq!(read(at).as_ref(), Some(part), "{pointer} in\n{text}");
        }
        if let Some((_, key)) = pointer.rsplit_once('/')
            && parsed.document.key_span(pointer) != parsed.document.span(pointer)
        {
            let key = key.replace("~1", "/").replace("~0", "~");
            let at = &text[parsed.document.key_span(pointer)];
            let table: Value = toml_edit::de::from_str(&format!("{at} = 1")).expect("a key");
            assert_eq!(table, json!({ key: 1 }), "{pointer} in\n{text}");
        }
    });
}

/// Text with every kind of character that a parser or a printer treats in its own way.
fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z_]{0,6}",
        "\\PC{0,8}",
        "[\\x00-\\x7f]{0,8}",
        "[\u{200b}-\u{202e}\u{e9}\u{1f600}~/\"'\\\\ \t\r\n]{0,8}",
    ]
}

fn any_number() -> impl Strategy<Value = Value> {
    prop_oneof![
        any::<i64>().prop_map(Value::from),
        any::<f64>()
            .prop_filter("JSON has no others", |f| f.is_finite())
            .prop_map(Value::from),
    ]
}

fn any_value(leaf: BoxedStrategy<Value>) -> impl Strategy<Value = Value> {
    leaf.prop_recursive(6, 48, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((any_text(), inner), 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any_number(),
        any_text().prop_map(Value::from),
    ];
    any_value(leaf.boxed())
}

fn any_toml() -> impl Strategy<Value = Map<String, Value>> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Value::from),
        any_number(),
        any_text().prop_map(Value::from),
    ];
    prop::collection::vec((any_text(), any_value(leaf.boxed())), 0..6)
        .prop_map(|members| members.into_iter().collect())
}

/// Pieces of both syntaxes in any order: most of it is wrong in ways that people are.
fn any_pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "name",
        "risk",
        "input_schema",
        "$ref",
        "\"$ref\"",
        "types/c.toml",
        " = ",
        ": ",
        "{",
        "}",
        "[",
        "]",
        "[[",
        "]]",
        "[a.b]",
        "\n",
        "\r\n",
        ",",
        ".",
        "\"",
        "'",
        "\"\"\"",
        "#",
        "//",
        "1",
        "-0",
        "1e999",
        "18446744073709551616",
        "0x1F",
        "nan",
        "-inf",
        "1979-05-27",
        "07:32:00Z",
        "null",
        "true",
        "\\ud800",
        "\\u00e9",
        "\u{feff}",
        "\u{202e}",
        "\0",
    ]);
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// The same cases in every run; `PROPTEST_CASES` and `PROPTEST_RNG_SEED` ask for others.
fn config() -> ProptestConfig {
    let mut config = ProptestConfig::default();
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = 64;
    }
    if std::env::var_os("PROPTEST_RNG_SEED").is_none() {
        config.rng_seed = RngSeed::Fixed(1);
    }
    config.failure_persistence = None;
    config
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..256)) {
        survive(&bytes);
    }

    #[test]
    fn any_text_is_survived(text in any_pieces()) {
        survive(text.as_bytes());
    }

    #[test]
    fn any_broken_manifest_is_survived(
        at in any::<prop::sample::Index>(),
        cut in 0_usize..8,
        piece in any_pieces(),
    ) {
        let text = include_str!("../../../manifests/tools/grep.toml");
        let start = text.floor_char_boundary(at.index(text.len()));
        let end = text.ceil_char_boundary((start + cut).min(text.len()));
        let broken = format!("{}{piece}{}", &text[..start], &text[end..]);
        survive(broken.as_bytes());
    }

    #[test]
    fn any_json_is_placed(value in any_json()) {
        json_is_placed(&serde_json::to_string(&value).expect("JSON"));
        json_is_placed(&serde_json::to_string_pretty(&value).expect("JSON").replace('\n', "\r\n"));
    }

    #[test]
    fn any_toml_is_placed(value in any_toml()) {
        toml_is_placed(&toml_edit::ser::to_string(&value).expect("TOML"));
        toml_is_placed(&toml_edit::ser::to_string_pretty(&value).expect("TOML"));
    }

    #[test]
    fn order_of_files_is_nothing(
        case in prop::sample::select(names(&data())),
        seed in any::<u64>(),
    ) {
        let sources = sources(&data().join(case).join("bad"));
        let expected = load_sources(sources.clone());
        let mut shuffled = sources;
        shuffle(&mut shuffled, seed);
        let actual = load_sources(shuffled);
        prop_assert_eq!(screen(&actual.1), screen(&expected.1));
        prop_assert_eq!(format!("{:?}", actual.0), format!("{:?}", expected.0));
    }
}

#[test]
fn order_of_the_catalog_is_nothing() {
    let all = sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join(".."));
    let expected = load_sources(all.clone());
    assert!(expected.0.is_some(), "{}", screen(&expected.1));
    for seed in 1..4 {
        let mut shuffled = all.clone();
        shuffle(&mut shuffled, seed);
        let actual = load_sources(shuffled);
        assert_eq!(format!("{:?}", actual.0), format!("{:?}", expected.0));
    }
}

/// The files below `root/manifests`, as a program would hand them over.
fn sources(root: &Path) -> Vec<Source> {
    let mut sources = Vec::new();
    if root.join("manifests").is_dir() {
        collect(root, "manifests", &mut sources);
    }
    sources
}

fn collect(root: &Path, folder: &str, sources: &mut Vec<Source>) {
    for name in names(&root.join(folder)) {
        let path = format!("{folder}/{name}");
        if root.join(&path).is_dir() {
            collect(root, &path, sources);
        } else {
            let bytes = fs::read(root.join(&path)).expect("a readable file");
            sources.push(Source { path, bytes });
        }
    }
}

/// An order that the seed decides.
fn shuffle(sources: &mut [Source], seed: u64) {
    let mut state = seed | 1;
    sources.sort_by_cached_key(|_| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        state >> 33
    });
}
