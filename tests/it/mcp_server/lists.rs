//! A list is encoded once, and every client is sent what it would be sent without that.

use serde_json::{Value, json};

use super::wire::{Era, Wire, text};

fn list(wire: &mut Wire) -> Value {
    wire.request("tools/list", json!({}))["result"].clone()
}

fn has_output(list: &Value, tool: &str) -> bool {
    let tools = list["tools"].as_array().unwrap();
    let tool = tools.iter().find(|one| one["name"] == tool).unwrap();
    tool.get("outputSchema").is_some()
}

#[test]
fn the_second_list_is_the_first() {
    for era in [Era::Legacy, Era::Modern] {
        let mut wire = Wire::new(era, false, &[]);
        let first = list(&mut wire);
        let is_modern = era == Era::Modern;
        assert_eq!(first.get("ttlMs").is_some(), is_modern, "{first}");
        assert_eq!(first.get("resultType").is_some(), is_modern, "{first}");
        assert_eq!(first.get("_meta").is_some(), is_modern, "{first}");
        // What is no object is promised to those only who can hold it.
        assert_eq!(has_output(&first, "names"), is_modern);
        assert!(has_output(&first, "add"));
        for _ in 0..3 {
            let again = list(&mut wire);
            assert_eq!(again.to_string(), first.to_string(), "also the order");
        }
        wire.lives();
    }
}

#[test]
fn each_request_gets_its_own_answer() {
    let mut wire = Wire::new(Era::Legacy, false, &[]);
    let ids: Vec<u64> = (0..20).map(|_| wire.ask("tools/list", json!({}))).collect();
    let mut answered: Vec<u64> = (0..20)
        .map(|_| {
            let answer = wire.message();
            assert_eq!(answer["result"]["tools"].as_array().unwrap().len(), 10);
            answer["id"].as_u64().unwrap()
        })
        .collect();
    answered.sort_unstable();
    assert_eq!(answered, ids);
    let refused = wire.request("tools/list", json!({ "cursor": "7" }));
    assert_eq!(refused["error"]["code"], -32602, "{refused}");
    wire.lives();
}

#[test]
fn another_list_is_another_text() {
    let mut wire = Wire::new(Era::Legacy, false, &[]);
    let first = list(&mut wire);
    assert_eq!(text(&wire.call("grow", json!({}))), "grown");
    let grown = list(&mut wire);
    let count = |list: &Value| list["tools"].as_array().unwrap().len();
    assert_eq!(count(&grown), count(&first) + 1);
}

#[test]
fn pages_are_kept_apart() {
    let mut wire = Wire::new(Era::Modern, false, &["--page", "3"]);
    let walk = |wire: &mut Wire| {
        let mut names = Vec::new();
        let mut params = json!({});
        loop {
            let page = wire.request("tools/list", params)["result"].clone();
            let tools = page["tools"].as_array().unwrap();
            names.extend(tools.iter().map(|tool| tool["name"].clone()));
            match page.get("nextCursor") {
                Some(cursor) => params = json!({ "cursor": cursor }),
                None => return names,
            }
        }
    };
    let first = walk(&mut wire);
    assert_eq!(first.len(), 10);
    assert_eq!(walk(&mut wire), first);
}
