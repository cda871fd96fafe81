//! What a hostile server could list, and that it gains nothing: names that look like others,
//! claims that are lies, keys that two readers read differently.

use serde_json::{Value, json};
use toolcontract_manifest::import::Imported;
use toolcontract_protocol::{Manifest, Provenance, RiskLevel};

use super::{import, names};

fn list(tools: &[Value]) -> Imported {
    import(&Value::from(tools).to_string(), None)
}

fn tool(name: &str) -> Value {
    json!({ "name": name, "description": "Does it.", "inputSchema": { "type": "object" } })
}

/// The manifest of a tool with these annotations.
fn annotated(annotations: &Value) -> (Manifest, Vec<&'static str>) {
    let mut tool = tool("delete_all");
    tool["annotations"] = annotations.clone();
    let imported = list(&[tool]);
    let told = imported.findings.iter().map(|f| f.what.id()).collect();
    (imported.tools[0].manifest.clone(), told)
}

fn reasons(imported: &Imported) -> Vec<String> {
    let quarantined = imported.quarantined.iter();
    quarantined.map(|q| q.reason.to_string()).collect()
}

#[test]
fn names_that_look_like_others_are_refused() {
    for (name, shown) in [
        ("r\u{435}ad_file", "U+0435"),
        ("\u{ff52}ead_file", "U+FF52"),
        ("read\u{200d}_file", "U+200D zero width joiner"),
        ("\u{202e}elif_daer", "U+202E right-to-left override"),
        ("read_file\n", "U+000A"),
        ("read\u{0}", "U+0000 null"),
    ] {
        let imported = list(&[tool(name), tool("read_file")]);
        assert_eq!(names(&imported), ["read_file"]);
        let reasons = reasons(&imported);
        assert!(reasons[0].contains(shown), "{reasons:?}");
    }
}

#[test]
fn a_name_cannot_be_another_ones() {
    let served = [
        "bash",
        "Bash",
        "BASH",
        "mcp__trusted__delete",
        "mcp_trusted_delete",
        "__proto__",
        "constructor",
        "toString",
        "to_string",
    ];
    let imported = list(&served.map(tool));
    let mut unique = names(&imported);
    unique.sort_unstable();
    unique.dedup();
    assert_eq!(unique.len(), served.len(), "{unique:?}");
    // Only what stands exactly as it is served stands as it is.
    for tool in &imported.tools {
        let exact = Some(&tool.manifest.name) == tool.manifest.wire_name.as_ref();
        let served = tool.manifest.wire_name.as_deref();
        let fits = ["bash", "mcp_trusted_delete", "to_string"];
        assert_eq!(exact, fits.contains(&served.unwrap()), "{served:?}");
    }
}

#[test]
fn long_names_do_not_meet_and_have_an_end() {
    let (one, other) = (
        format!("{}a", "x".repeat(80)),
        format!("{}b", "x".repeat(80)),
    );
    let imported = list(&[tool(&one), tool(&other), tool(&"y".repeat(129))]);
    let names = names(&imported);
    assert!(names.len() == 2 && names[0] != names[1], "{names:?}");
    assert!(names.iter().all(|name| name.len() <= 64));
    assert_eq!(
        reasons(&imported),
        ["the name has 129 characters; the protocol allows 128"]
    );
}

#[test]
fn claims_buy_nothing() {
    let (manifest, _) = annotated(&json!({
        "readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false
    }));
    assert!(!manifest.read_only && !manifest.idempotent && !manifest.additive);
    assert!(manifest.open_world && !manifest.speculation_safe);
    assert_eq!(manifest.risk, Some(RiskLevel::High));
    let contract = manifest.contract(json!({}), None, Provenance::Declared);
    assert!(!contract.trusted_read_only() && !contract.trusted_idempotent());
    let claims = manifest.claims.unwrap();
    assert_eq!(
        (claims.read_only, claims.open_world),
        (Some(true), Some(false))
    );
}

#[test]
fn absent_claims_are_the_worst_case() {
    for annotations in [json!({}), json!(null), json!({ "title": "T" })] {
        let (manifest, _) = annotated(&annotations);
        assert_eq!(manifest.claims, None);
        assert_eq!(manifest.risk, Some(RiskLevel::High));
        assert!(manifest.open_world && !manifest.read_only);
    }
}

#[test]
fn a_claim_can_only_raise() {
    let (manifest, told) = annotated(&json!({ "destructiveHint": true }));
    assert_eq!(manifest.risk, Some(RiskLevel::Destructive));
    assert!(told.is_empty());
    let (manifest, told) = annotated(&json!({ "readOnlyHint": true, "destructiveHint": true }));
    assert_eq!(manifest.risk, Some(RiskLevel::Destructive));
    assert_eq!(told, ["claims-contradict"]);
}

#[test]
fn a_hint_of_a_wrong_type_is_no_hint() {
    let mut broken = tool("a_tool");
    broken["annotations"] = json!({ "readOnlyHint": "true" });
    let imported = list(&[broken, tool("another")]);
    assert_eq!(names(&imported), ["another"]);
    assert_eq!(
        reasons(&imported),
        ["`/annotations/readOnlyHint` is a string, not a boolean"]
    );
}

#[test]
fn a_key_that_is_there_twice_spoils_its_tool_only() {
    let text = r#"[
        {"name":"one","inputSchema":{"type":"object","properties":{"path":{"const":"/ok"},"path":{}}}},
        {"name":"two","name":"three","inputSchema":{"type":"object"}},
        {"name":"four","inputSchema":{"type":"object","properties":{"path":{}}}}]"#;
    let imported = import(text, None);
    assert_eq!(names(&imported), ["four"]);
    let reasons = reasons(&imported);
    assert!(reasons[0].contains("line 2") && reasons[0].contains("`path` is there twice"));
    assert!(reasons[1].contains("`name` is there twice"));
}

#[test]
fn hidden_text_is_told_wherever_it_stands() {
    let mut odd = tool("odd");
    odd["description"] = json!("Reads.\u{e0041}\u{e0042}");
    odd["inputSchema"]["properties"] = json!({ "a\u{200b}": { "description": "\u{202e}x" } });
    let imported = list(&[odd.clone()]);
    let told: Vec<_> = imported
        .findings
        .iter()
        .map(|f| f.what.to_string())
        .collect();
    assert_eq!(told.len(), 3, "{told:?}");
    assert!(told[0].contains("`/description` holds U+E0041 tag character"));
    assert!(told[1].contains("U+200B") && told[2].contains("U+202E"));
    // Told, not touched.
    let manifest = &imported.tools[0].manifest;
    assert_eq!(
        Some(manifest.description.as_str()),
        odd["description"].as_str()
    );
    assert_eq!(manifest.input_schema.as_ref(), odd.get("inputSchema"));
}

#[test]
fn lost_parameters_are_told() {
    let mut lost = tool("lost");
    lost["description"] = json!("Sends mail.\n\nArgs:\n    to: whom");
    let told = |tool: &Value| {
        let imported = list(std::slice::from_ref(tool));
        let ids: Vec<_> = imported.findings.iter().map(|f| f.what.id()).collect();
        ids
    };
    assert_eq!(told(&lost), ["parameters-lost"]);
    lost["inputSchema"]["properties"] = json!({ "to": { "type": "string" } });
    assert!(told(&lost).is_empty());
    assert!(told(&tool("none")).is_empty());
}

#[test]
fn a_reference_reaches_no_file_and_no_network() {
    for reference in [
        "types/page.toml",
        "https://example.com/x.json",
        "#/$defs/none",
    ] {
        let mut far = tool("far");
        far["inputSchema"]["properties"] = json!({ "a": { "$ref": reference } });
        let imported = list(&[far, tool("near")]);
        assert_eq!(names(&imported), ["near"]);
        assert!(
            reasons(&imported)[0].contains("/properties/a"),
            "{:?}",
            reasons(&imported)
        );
    }
}

#[test]
fn copies_count_once_and_a_doubtful_name_counts_for_nobody() {
    let imported = list(&[tool("same"), tool("same"), tool("other")]);
    assert_eq!(names(&imported), ["same", "other"]);
    assert_eq!(imported.findings[0].what.id(), "served-again");
    let broken = json!({ "name": "same", "inputSchema": null });
    let imported = list(&[tool("same"), broken, tool("other")]);
    assert_eq!(names(&imported), ["other"]);
    assert_eq!(imported.quarantined.len(), 2);
}
