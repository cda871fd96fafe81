//! Approvals over the later era: a state is good for one call, once, of the server that gave it.

use serde_json::{Value, json};

use super::wire::{Era, Wire, facts, text};

/// The state of a question about `erase` with `arguments`.
fn asked(wire: &mut Wire, arguments: &Value) -> String {
    let question = wire.call("erase", arguments.clone());
    let result = &question["result"];
    assert_eq!(result["resultType"], "input_required", "{question}");
    let form = &result["inputRequests"]["approval"];
    assert_eq!(form["method"], "elicitation/create");
    result["requestState"].as_str().unwrap().to_owned()
}

fn accept(content: Value) -> Value {
    json!({ "approval": { "action": "accept", "content": content } })
}

/// The call once more, with a state and what the person said.
fn again(wire: &mut Wire, tool: &str, arguments: Value, state: &str, responses: Value) -> Value {
    let params = json!({
        "name": tool,
        "arguments": arguments,
        "requestState": state,
        "inputResponses": responses,
    });
    wire.request("tools/call", params)
}

fn approve(wire: &mut Wire, arguments: Value, state: &str) -> Value {
    again(
        wire,
        "erase",
        arguments,
        state,
        accept(json!({ "approve": true })),
    )
}

#[test]
fn a_state_is_spent_by_its_answer() {
    let mut wire = Wire::new(Era::Modern, true, &[]);
    let input = json!({ "what": "one" });
    let state = asked(&mut wire, &input);
    assert_eq!(text(&approve(&mut wire, input.clone(), &state)), "erased 1");
    let replayed = approve(&mut wire, input.clone(), &state);
    assert_eq!(facts(&replayed)["code"], "approval_spent", "{replayed}");
    // The same call asks again, and runs for the second time only.
    let state = asked(&mut wire, &input);
    assert_eq!(text(&approve(&mut wire, input, &state)), "erased 2");
}

#[test]
fn the_order_of_members_is_not_another_call() {
    let mut wire = Wire::new(Era::Modern, true, &[]);
    let input = json!({ "what": "\u{e9}" });
    let state = asked(&mut wire, &input);
    let params = format!(
        r#"{{"requestState":"{state}","inputResponses":{},"arguments":{{ "what" : "\u00e9" }},"name":"erase","_meta":{}}}"#,
        accept(json!({ "approve": true })),
        wire.meta().unwrap(),
    );
    wire.raw(&format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#
    ));
    assert_eq!(text(&wire.answer(1)), "erased 1");
}

#[test]
fn a_state_is_good_for_no_other_call() {
    let mut wire = Wire::new(Era::Modern, true, &[]);
    let input = json!({ "what": "one" });
    for (tool, other) in [
        ("erase", json!({ "what": "all" })),
        ("erase", json!({})),
        ("say", json!({ "text": "one" })),
    ] {
        let state = asked(&mut wire, &input);
        let responses = accept(json!({ "approve": true }));
        let refused = again(&mut wire, tool, other, &state, responses);
        assert_eq!(facts(&refused)["code"], "approval_mismatch", "{refused}");
        // Whoever tried that has lost the approval.
        let late = approve(&mut wire, input.clone(), &state);
        assert_eq!(facts(&late)["code"], "approval_spent", "{late}");
    }
    let state = asked(&mut wire, &input);
    assert_eq!(text(&approve(&mut wire, input, &state)), "erased 1");
}

#[test]
fn only_a_ticked_box_is_a_yes() {
    let mut wire = Wire::new(Era::Modern, true, &[]);
    let input = json!({});
    for responses in [
        json!({}),
        json!({ "approval": { "action": "accept" } }),
        json!({ "approval": { "action": "accept", "content": {} } }),
        json!({ "approval": { "action": "accept", "content": { "approve": "true" } } }),
        json!({ "approval": { "action": "accept", "content": { "approve": 1 } } }),
        json!({ "approval": { "action": "accept", "content": { "approve": false } } }),
        json!({ "approval": { "action": "decline", "content": { "approve": true } } }),
        json!({ "approval": { "action": "agree", "content": { "approve": true } } }),
        json!({ "approval": true }),
        json!({ "other": { "action": "accept", "content": { "approve": true } } }),
    ] {
        let state = asked(&mut wire, &input);
        let refused = again(&mut wire, "erase", input.clone(), &state, responses.clone());
        assert_eq!(
            facts(&refused)["code"],
            "approval_refused",
            "{responses}: {refused}"
        );
    }
    let state = asked(&mut wire, &input);
    assert_eq!(text(&approve(&mut wire, input, &state)), "erased 1");
}

#[test]
fn a_state_that_the_server_did_not_give_out_is_none() {
    let mut wire = Wire::new(Era::Modern, true, &[]);
    let input = json!({});
    let state = asked(&mut wire, &input);
    let mut other = Wire::new(Era::Modern, true, &[]);
    let foreign = asked(&mut other, &input);
    let mut forged = state.clone();
    let last = forged.pop().unwrap();
    forged.push(if last == 'A' { 'B' } else { 'A' });
    for state in [forged.as_str(), foreign.as_str(), "", "x", "rs1.a.b"] {
        let refused = approve(&mut wire, input.clone(), state);
        assert_eq!(refused["error"]["code"], -32602, "{state}: {refused}");
    }
    assert_eq!(text(&approve(&mut wire, input, &state)), "erased 1");
}

#[test]
fn who_shows_no_forms_is_not_asked() {
    let mut wire = Wire::new(Era::Modern, false, &[]);
    let refused = wire.call("erase", json!({}));
    assert_eq!(refused["error"]["code"], -32021, "{refused}");
    // What is wrong with the call comes first.
    let invalid = wire.call("erase", json!({ "what": 7 }));
    assert_eq!(facts(&invalid)["class"], "invalid_input", "{invalid}");
}

#[test]
fn a_question_to_an_earlier_client_is_dropped_with_its_call() {
    let mut wire = Wire::new(Era::Legacy, true, &[]);
    let call = wire.ask("tools/call", json!({ "name": "erase", "arguments": {} }));
    let question = wire.message();
    assert_eq!(question["method"], "elicitation/create");
    wire.send(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": call } }));
    wire.lives();
    // A yes that comes after that approves nothing.
    let yes = json!({ "action": "accept", "content": { "approve": true } });
    wire.send(&json!({ "jsonrpc": "2.0", "id": question["id"], "result": yes }));
    wire.lives();
    let call = wire.ask("tools/call", json!({ "name": "erase", "arguments": {} }));
    let question = wire.message();
    wire.send(&json!({ "jsonrpc": "2.0", "id": question["id"], "result": yes }));
    assert_eq!(text(&wire.answer(call)), "erased 1");
}
