//! Lists: pages, what is quarantined, what does not end.

use std::{fs, path::Path};

use serde_json::{Value, json};
use toolcontract_runtime::{
    authz::DenyAll,
    mcp::client::{Connection, ListError},
    registry::Registry,
};

use super::{Odd, names, program};

fn tool(name: &str) -> Value {
    json!({ "name": name, "description": "Does it.", "inputSchema": { "type": "object" } })
}

#[tokio::test]
async fn every_page_is_read_and_an_empty_cursor_is_one() {
    let script = json!({
        "pages": [
            { "tools": [tool("a")], "nextCursor": "" },
            { "tools": [tool("b")], "nextCursor": "2" },
            { "tools": [tool("c")], "nextCursor": null },
        ],
        "cursors": { "": 1 },
    });
    let odd = Odd::start(&script).await;
    assert_eq!(names(&odd.offered().await).0, ["a", "b", "c"]);
}

#[tokio::test]
async fn a_list_that_does_not_end_is_refused() {
    let script = json!({ "pages": [{ "tools": [tool("a")], "nextCursor": "0" }] });
    let odd = Odd::start(&script).await;
    let error = odd.connection.offered().await.unwrap_err();
    assert!(matches!(error, ListError::Circular { page: 2 }), "{error}");
}

#[tokio::test]
async fn names_and_values_that_hide_something_are_not_let_in() {
    let with = |name: &str, properties: Value| json!({ "name": name, "inputSchema": { "type": "object", "properties": properties } });
    let hides = "a\u{202e}b";
    let page = json!({ "tools": [
        with("property", json!({ hides: { "type": "string" } })),
        with("value", json!({ "x": { "enum": ["a", hides] } })),
        with("exact", json!({ "x": { "const": hides } })),
        // Control: what explains or suggests is shown otherwise, or not at all.
        with("told", json!({ "x": { "description": hides, "default": hides, "examples": [hides] } })),
        with("plain", json!({ "é": { "enum": ["日本", "👩‍🚀"], "default": "é" } })),
    ] });
    let odd = Odd::start(&json!({ "pages": [page] })).await;
    let offered = odd.offered().await;
    let (taken, refused) = names(&offered);
    assert_eq!(taken, ["told", "plain"], "{refused:#?}");
    assert_eq!(refused.len(), 3, "{refused:#?}");
    assert!(
        refused
            .iter()
            .all(|why| why.contains("U+202E right-to-left override")),
        "{refused:#?}"
    );
    assert!(
        refused[1].contains("/inputSchema/properties/x/enum/1"),
        "{refused:#?}"
    );
}

#[tokio::test]
async fn one_broken_tool_takes_no_other_along() {
    // As text: a value could not hold a member twice.
    let page = concat!(
        r#"{"tools":[{"name":"a","inputSchema":{"type":"object"},"inputSchema":{"type":"object"}},"#,
        r#"{"name":"b","inputSchema":{"type":"string"}},{"name":"c","inputSchema":null},"#,
        r#"{"name":"d","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":"yes"}},"#,
        r#"{"name":"r\u0435ad","inputSchema":{"type":"object"}},7,{"inputSchema":{"type":"object"}},"#,
        r#"{"name":"two words","inputSchema":{"type":"object"}},"#,
        r#"{"name":"Same","inputSchema":{"type":"object"}},{"name":"same","inputSchema":{"type":"object"}},"#,
        r##"{"name":"round","inputSchema":{"type":"object","allOf":[{"$ref":"#"}]}},"##,
        r#"{"name":"out","inputSchema":{"type":"object","properties":{"x":{"$ref":"http://169.254.169.254/"}}}},"#,
        r#"{"name":"good","inputSchema":{"type":"object"},"description":null,"outputSchema":null,"annotations":null}]}"#,
    );
    let odd = Odd::start(&json!({ "pages": [page] })).await;
    let offered = odd.offered().await;
    let (taken, refused) = names(&offered);
    assert_eq!(taken, ["good"], "{refused:#?}");
    for name in [
        "a",
        "b",
        "c",
        "d",
        "rеad",
        "?",
        "two words",
        "Same",
        "same",
        "round",
        "out",
    ] {
        let told = refused
            .iter()
            .any(|line| line.starts_with(&format!("{name}: ")));
        assert!(told, "{name} is not told: {refused:#?}");
    }
    let same = refused
        .iter()
        .find(|line| line.starts_with("Same: "))
        .unwrap();
    assert!(same.contains("`same`"), "{same}");
    let findings: Vec<String> = offered
        .findings
        .iter()
        .map(|f| f.what.to_string())
        .collect();
    assert!(
        findings
            .iter()
            .any(|f| f.contains("`/annotations` is null")),
        "{findings:#?}"
    );
}

#[tokio::test]
async fn a_name_that_two_definitions_have_is_neither() {
    let mut other = tool("x");
    other["description"] = json!("Does something else.");
    let script = json!({ "pages": [
        { "tools": [tool("x"), tool("y"), tool("y")], "nextCursor": "1" },
        { "tools": [other] },
    ] });
    let odd = Odd::start(&script).await;
    let offered = odd.offered().await;
    let (taken, refused) = names(&offered);
    assert_eq!(taken, ["y"]);
    assert_eq!(refused.len(), 2, "{refused:#?}");
    assert!(
        refused.iter().all(|line| line.starts_with("x: number 1")),
        "{refused:#?}"
    );
}

#[tokio::test]
async fn a_tool_is_nested_under_its_server_whatever_it_is_called() {
    let list = [
        tool("mcp__trusted__delete"),
        tool("bash"),
        tool("_x"),
        tool("a.b-c"),
    ];
    let odd = Odd::start(&json!({ "pages": [{ "tools": list }] })).await;
    let registry = odd.registry().await;
    let names: Vec<&str> = registry.contracts().map(|c| c.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "mcp__odd___x",
            "mcp__odd__a.b-c",
            "mcp__odd__bash",
            "mcp__odd__mcp__trusted__delete"
        ]
    );
}

#[tokio::test]
async fn names_of_servers_that_could_make_two_tools_one_are_refused() {
    for name in ["", "a__b", "_a", "a_", "a b", "é", &"a".repeat(65)] {
        let started = Connection::start(name, &program(&["true"])).await;
        let error = started.unwrap_err().to_string();
        assert!(error.contains("cannot name a server"), "{name}: {error}");
    }
    let error = Connection::start("a", &program(&["/no/such/program"])).await;
    let error = error.unwrap_err().to_string();
    assert!(error.contains("cannot be started"), "{error}");
    let error = Connection::start("a", &program(&["true"])).await;
    assert!(error.is_err(), "a program that ends at once begins nothing");
}

/// Every list of the corpus, as some server would serve it: each tool is taken or refused with a
/// reason, and the registry takes what is taken.
#[tokio::test]
async fn the_corpus_is_taken_or_refused_tool_by_tool() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus");
    if !folder.exists() {
        assert!(
            std::env::var_os("CI").is_none(),
            "`../shared/corpus` is missing"
        );
        println!("not run: `../shared/corpus` is missing");
        return;
    }
    let mut lists = Vec::new();
    let mut open = vec![folder];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|end| end == "json") {
                let list: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
                let tools = list.get("tools").cloned().unwrap_or(list);
                let is_tool = |tool: &Value| tool.get("inputSchema").is_some();
                if tools
                    .as_array()
                    .is_some_and(|t| !t.is_empty() && t.iter().all(is_tool))
                {
                    lists.push((path, tools));
                }
            }
        }
    }
    lists.sort_by(|a, b| a.0.cmp(&b.0));
    assert!(lists.len() >= 10, "{} lists", lists.len());
    let (mut taken, mut refused) = (0, 0);
    for (path, tools) in lists {
        let count = tools.as_array().unwrap().len();
        let odd = Odd::start(&json!({ "pages": [{ "tools": tools }] })).await;
        let offered = odd.offered().await;
        let copies = offered
            .findings
            .iter()
            .filter(|finding| finding.what.id() == "served-again")
            .count();
        let whole = offered.tools.len() + offered.refused.len() + copies;
        assert_eq!(whole, count, "{}", path.display());
        taken += offered.tools.len();
        refused += offered.refused.len();
        let built = offered.register(Registry::builder(DenyAll)).build();
        assert!(built.is_ok(), "{}: {built:?}", path.display());
    }
    println!("{taken} taken, {refused} refused");
    assert!(taken > 20 * refused, "{taken} taken, {refused} refused");
}
