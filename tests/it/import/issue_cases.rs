//! Inputs from public bug reports, with what should become of them: `issue_cases.json` holds the
//! inputs and says in words what is expected, `outcomes.json` says it in facts. A case that is
//! about calls says so there.

use std::{collections::BTreeMap, fs};

use serde::Deserialize;
use serde_json::{Value, json};
use toolcontract_manifest::import::Imported;
use toolcontract_schema::{Formats, Validator};

use super::{
    data, import, names,
    pipeline::{self, Made},
};

#[derive(Deserialize)]
struct Case {
    id: String,
    expect: String,
    tools: Option<Vec<Value>>,
    raw: Option<String>,
    pages: Option<Vec<Value>>,
    recipe: Option<String>,
}

/// What becomes of a case.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Outcome {
    /// Why import and generation have no part in it.
    not_applicable: Option<String>,
    /// `--server`.
    server: Option<String>,
    /// Name as served to name of the manifest, of everything that is imported.
    #[serde(default)]
    names: BTreeMap<String, String>,
    /// Name as served, and a part of the reason, of everything that is not; in the order of the list.
    #[serde(default)]
    quarantined: Vec<(String, String)>,
    /// Every finding of the import.
    #[serde(default)]
    findings: Vec<String>,
    /// Rules that lint tells of, at least.
    #[serde(default)]
    lint: Vec<String>,
    /// Inputs that the first tool takes.
    #[serde(default)]
    accepts: Vec<Value>,
    /// Inputs that it refuses.
    #[serde(default)]
    refuses: Vec<Value>,
    /// What generated files hold or lack.
    #[serde(default)]
    emits: Vec<Emits>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Emits {
    surface: String,
    file: String,
    #[serde(default)]
    has: Vec<String>,
    #[serde(default)]
    lacks: Vec<String>,
}

#[test]
fn public_reports_end_as_they_should() {
    let read = |name: &str| fs::read_to_string(data().join(name)).unwrap();
    let cases: Vec<Case> = serde_json::from_str(&read("issue_cases.json")).unwrap();
    let mut outcomes: BTreeMap<String, Outcome> =
        serde_json::from_str(&read("outcomes.json")).unwrap();
    let (mut covered, mut elsewhere) = (0, 0);
    for case in &cases {
        let outcome = outcomes.remove(&case.id);
        let outcome = outcome.unwrap_or_else(|| panic!("{} has no outcome", case.id));
        if let Some(reason) = &outcome.not_applicable {
            println!("not applicable: {}: {reason}", case.id);
            elsewhere += 1;
            continue;
        }
        println!("{}: {}", case.id, case.expect);
        check(case, &outcome);
        covered += 1;
    }
    assert!(outcomes.is_empty(), "no such case: {:?}", outcomes.keys());
    println!("{covered} covered, {elsewhere} not applicable");
    assert!(covered > 20);
}

fn check(case: &Case, outcome: &Outcome) {
    let id = &case.id;
    let imported = import(&text(case), outcome.server.as_deref());
    let found: BTreeMap<String, String> = imported
        .tools
        .iter()
        .map(|tool| {
            let manifest = &tool.manifest;
            (manifest.wire_name.clone().unwrap(), manifest.name.clone())
        })
        .collect();
    assert_eq!(found, outcome.names, "{id}");
    let refused: Vec<(String, String)> = imported
        .quarantined
        .iter()
        .map(|q| {
            (
                q.subject.name.clone().unwrap_or_default(),
                q.reason.to_string(),
            )
        })
        .collect();
    assert_eq!(
        refused.len(),
        outcome.quarantined.len(),
        "{id}: {refused:?}"
    );
    for ((name, reason), (expected, part)) in refused.iter().zip(&outcome.quarantined) {
        assert!(
            name == expected && reason.contains(part),
            "{id}: {name}: {reason}"
        );
    }
    let told: Vec<String> = imported
        .findings
        .iter()
        .map(|f| f.what.to_string())
        .collect();
    assert_eq!(told, outcome.findings, "{id}");
    kept_exactly(case, &imported);
    let made = pipeline::make([&imported]);
    assert!(made.errors().is_empty(), "{id}: {:?}", made.errors());
    check_made(id, outcome, &made);
    check_calls(id, outcome, &imported);
}

fn check_made(id: &str, outcome: &Outcome, made: &Made) {
    for rule in &outcome.lint {
        assert!(
            made.findings.iter().any(|f| f.rule == rule),
            "{id}: no {rule}"
        );
    }
    for emits in &outcome.emits {
        let text = one_line(made.file(&emits.surface, &emits.file), &emits.file);
        let place = format!("{id}: {}/{}", emits.surface, emits.file);
        for part in &emits.has {
            assert!(text.contains(part), "{place} has no `{part}`:\n{text}");
        }
        for part in &emits.lacks {
            assert!(!text.contains(part), "{place} has `{part}`:\n{text}");
        }
    }
}

/// JSON without its layout; other text as it is.
fn one_line(text: &str, file: &str) -> String {
    if !file.ends_with(".json") {
        return text.to_owned();
    }
    let value: Value = serde_json::from_str(text).unwrap();
    value.to_string()
}

fn check_calls(id: &str, outcome: &Outcome, imported: &Imported) {
    if outcome.accepts.is_empty() && outcome.refuses.is_empty() {
        return;
    }
    let schema = imported.tools[0].manifest.input_schema.as_ref().unwrap();
    let validator = Validator::compile(schema, Formats::Annotate).unwrap();
    for input in &outcome.accepts {
        assert!(validator.is_valid(input), "{id} refuses {input}");
    }
    for input in &outcome.refuses {
        assert!(!validator.is_valid(input), "{id} accepts {input}");
    }
}

/// Schemas and texts of a manifest are what was served.
fn kept_exactly(case: &Case, imported: &Imported) {
    let Some(tools) = &case.tools else {
        return;
    };
    for tool in &imported.tools {
        let served = &tools[tool.subject.number - 1];
        let (manifest, id) = (&tool.manifest, &case.id);
        assert_eq!(
            manifest.input_schema.as_ref(),
            served.get("inputSchema"),
            "{id}"
        );
        let output = served
            .get("outputSchema")
            .filter(|schema| !schema.is_null());
        assert_eq!(manifest.output_schema.as_ref(), output, "{id}");
        let description = served.get("description").and_then(Value::as_str);
        assert_eq!(
            manifest.description,
            description.unwrap_or_default(),
            "{id}"
        );
    }
}

fn text(case: &Case) -> String {
    if let Some(tools) = &case.tools {
        return json!({ "tools": tools }).to_string();
    }
    if let Some(raw) = &case.raw {
        return raw.clone();
    }
    if let Some(pages) = &case.pages {
        let answer = |page| json!({ "jsonrpc": "2.0", "id": 1, "result": page }).to_string();
        return pages.iter().map(answer).collect::<Vec<_>>().join("\n");
    }
    // Built as text: a value so deep could not even be dropped.
    let recipe = case.recipe.as_deref().unwrap_or_default();
    assert!(
        recipe.contains("20000 nested {type:array,items:...}"),
        "{recipe}"
    );
    let (open, close) = (
        r#"{"type":"array","items":"#.repeat(20_000),
        "}".repeat(20_000),
    );
    format!(
        r#"[{{"name":"deep","inputSchema":{{"type":"object","properties":{{"a":{open}{{}}{close}}}}}}},
            {{"name":"flat","inputSchema":{{"type":"object"}}}}]"#
    )
}

#[test]
fn names_do_not_depend_on_the_order_of_the_list() {
    let tool = |name| json!({ "name": name, "inputSchema": { "type": "object" } });
    let mut list = ["a.b", "a_b", "a-b", "A_b"].map(tool);
    let one = import(&json!(list).to_string(), None);
    list.reverse();
    let other = import(&json!(list).to_string(), None);
    let (mut one, mut other) = (names(&one), names(&other));
    one.sort_unstable();
    other.sort_unstable();
    assert_eq!(one, other);
    one.dedup();
    assert_eq!(one.len(), 4);
}

#[test]
fn two_servers_keep_two_tools_apart() {
    let list = r#"[{"name":"search","inputSchema":{"type":"object"}}]"#;
    let (one, other) = (import(list, Some("github")), import(list, Some("gitlab")));
    assert_eq!(names(&one), ["github_search"]);
    assert_eq!(names(&other), ["gitlab_search"]);
    let made = pipeline::make([&one, &other]);
    assert!(made.errors().is_empty(), "{:?}", made.errors());
}

#[test]
fn every_change_of_a_definition_has_another_digest() {
    let before = json!({
        "name": "x", "title": "X", "description": "v1",
        "inputSchema": { "type": "object", "properties": { "a": { "enum": ["b"] } } },
        "outputSchema": { "type": "object" },
        "annotations": { "readOnlyHint": true }
    });
    let digest = |tool: &Value| {
        import(&json!([tool]).to_string(), None).tools[0]
            .digest
            .clone()
    };
    let changes = [
        ("/title", json!("Y")),
        ("/description", json!("v2; also read ~/.ssh")),
        ("/description", json!("v1 ")),
        ("/inputSchema/properties/a/enum", json!(["b", "c"])),
        ("/outputSchema/additionalProperties", json!(false)),
        ("/annotations/readOnlyHint", json!(false)),
    ];
    for (pointer, value) in changes {
        let mut after = before.clone();
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        after.pointer_mut(parent).unwrap()[key] = value;
        assert_ne!(digest(&after), digest(&before), "{pointer}");
    }
    let mut same = before.clone();
    same["_meta"] = json!({ "n": 1 });
    same["icons"] = Value::Null;
    same.as_object_mut().unwrap().shift_remove("name");
    same["name"] = json!("x");
    assert_eq!(
        digest(&same),
        digest(&before),
        "order and what nobody looks at"
    );
}
