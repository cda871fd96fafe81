//! Sessions: what is said when one is opened holds for all its turns.

use std::time::Duration;

use serde_json::{Value, json};
use toolcontract_runtime::{
    authz::NoAuthz,
    serve::{Scripted, ServeLimits},
};

use super::host::{Bed, Host, output, probe, text};

async fn session(host: &Host, body: &Value) -> String {
    let opened = host.post("/v1/sessions", body).await.ok("SessionCreated");
    opened["session_id"].as_str().unwrap().to_owned()
}

fn turns(session: &str) -> String {
    format!("/v1/sessions/{session}/turns")
}

fn script() -> Value {
    json!({ "script": [{ "tool": "probe", "input": {} }] })
}

#[tokio::test]
async fn tools_and_principal_of_a_session_hold_for_its_turns() {
    let bed = Bed::new(NoAuthz).await;
    let host = bed.host();
    let id = session(
        &host,
        &json!({ "principal": "acct_9", "tools": [probe(json!({}))] }),
    )
    .await;
    let opened = host.post(&turns(&id), &script()).await.ok("TurnCreated");
    let turn = opened["turn_id"].as_str().unwrap().to_owned();

    let state = host.get(&format!("/v1/sessions/{id}")).await;
    assert_eq!(state.ok("SessionState")["turn_id"], turn.as_str());
    let second = host.post(&turns(&id), &script()).await;
    assert_eq!(second.refused(409), "turn_running");

    let mut frames = host.frames(&turn, 0).await;
    let request = frames.until("tool_request").await;
    host.result(&turn, &request, text("ran"))
        .await
        .ok("Accepted");
    frames.until("turn_complete").await;
    let entry = serde_json::to_value(&bed.journal.entries()[0]).unwrap();
    assert_eq!(entry["principal"], "host:acct_9");
    assert_eq!(entry["session_id"], id.as_str());

    // The next turn, once the last is over.
    let mut again = host.post(&turns(&id), &script()).await;
    while again.status == 409 {
        again = host.post(&turns(&id), &script()).await;
    }
    let next = again.ok("TurnCreated")["turn_id"]
        .as_str()
        .unwrap()
        .to_owned();
    let mut frames = host.frames(&next, 0).await;
    let request = frames.until("tool_request").await;
    host.result(&next, &request, text("ran"))
        .await
        .ok("Accepted");
    frames.until("turn_complete").await;

    // Each turn names its calls anew; in the journal no two of a session have one name.
    let named: Vec<Value> = bed
        .journal
        .entries()
        .iter()
        .map(|entry| serde_json::to_value(entry).unwrap())
        .filter(|entry| entry["entry"] == "intent")
        .map(|entry| json!([entry["session_id"], entry["call_id"]]))
        .collect();
    let expected = [turn, next].map(|turn| json!([id, format!("{turn}/call-1")]));
    assert_eq!(named, expected);
}

#[tokio::test]
async fn a_later_body_cannot_change_who_calls_or_who_is_asked() {
    let bed = Bed::new(NoAuthz).await;
    let host = bed.host();
    let id = session(&host, &json!({ "tools": [probe(json!({}))] })).await;
    for (body, code) in [
        (json!({ "principal": "admin" }), "principal_is_fixed"),
        (json!({ "principal": "host" }), "principal_is_fixed"),
        (json!({ "approvals": "host" }), "approvals_are_fixed"),
        (json!({ "approvals": "frame" }), "approvals_are_fixed"),
    ] {
        let refused = host.post(&turns(&id), &body).await;
        assert_eq!(refused.refused(400), code, "{body}");
    }
    host.post(&turns(&id), &script()).await.ok("TurnCreated");
}

#[tokio::test]
async fn equal_ids_of_different_kinds_are_different_principals() {
    let bed = Bed::new(NoAuthz).await;
    for (told, label) in [
        (json!({ "principal": "user" }), "host:user"),
        (json!({ "principal": "role:admin" }), "host:role:admin"),
        (json!({ "principal": "plugin:vera" }), "host:plugin:vera"),
        (json!({}), "host:host"),
    ] {
        let mut body = script();
        body["tools"] = json!([probe(json!({}))]);
        let principal = told.as_object().cloned().unwrap();
        body.as_object_mut().unwrap().extend(principal);
        let before = bed.journal.entries().len();
        let (_, outcome) = bed.host().one_call(body, |_| text("ran")).await;
        assert_eq!(output(&outcome), &text("ran"));
        let entry = serde_json::to_value(&bed.journal.entries()[before]).unwrap();
        assert_eq!(entry["principal"], label);
    }
}

#[tokio::test]
async fn faults_of_contracts_are_told_when_a_session_is_opened() {
    let bed = Bed::new(NoAuthz).await;
    let twice = json!({ "tools": [probe(json!({})), probe(json!({}))] });
    let refused = bed.host().post("/v1/sessions", &twice).await;
    assert_eq!(refused.refused(400), "invalid_contract");
}

#[tokio::test]
async fn closing_a_session_ends_its_turn() {
    let bed = Bed::new(NoAuthz).await;
    let host = bed.host();
    let id = session(&host, &json!({ "tools": [probe(json!({}))] })).await;
    let opened = host.post(&turns(&id), &script()).await.ok("TurnCreated");
    let turn = opened["turn_id"].as_str().unwrap();
    let mut frames = host.frames(turn, 0).await;
    let request = frames.until("tool_request").await;
    let path = format!("/v1/sessions/{id}");
    host.send("DELETE", &path, "").await.ok("Accepted");
    let end = frames.until("turn_complete").await;
    assert_eq!(end["outcome"]["status"], "aborted");
    assert_eq!(end["outcome"]["reason"], "the session was closed");
    let late = host.result(turn, &request, text("late")).await;
    assert_eq!(late.refused(409), "answered_too_late");
    assert_eq!(host.get(&path).await.refused(404), "unknown_session");
    let last = serde_json::to_value(bed.journal.entries().last().unwrap()).unwrap();
    assert_eq!(last["result"]["code"], "cancelled");
}

#[tokio::test]
async fn a_host_cancels_a_turn_and_says_why() {
    let bed = Bed::new(NoAuthz).await;
    let host = bed.host();
    let mut body = script();
    body["tools"] = json!([probe(json!({}))]);
    let turn = host.turn(body).await;
    let mut frames = host.frames(&turn, 0).await;
    frames.until("tool_request").await;
    let path = format!("/v1/turns/{turn}/cancel");
    let why = json!({ "reason": "the user\nleft" });
    host.post(&path, &why).await.ok("Accepted");
    let end = frames.until("turn_complete").await;
    assert_eq!(end["outcome"]["reason"], "the user\\nleft");
}

#[tokio::test]
async fn a_cancel_needs_no_body_and_no_call_begins_after_it() {
    let bed = Bed::new(NoAuthz).await;
    let host = bed.host();
    let call = json!({ "tool": "probe", "input": {} });
    let body = json!({ "tools": [probe(json!({}))], "script": [call, call, call] });
    let turn = host.turn(body).await;
    let mut frames = host.frames(&turn, 0).await;
    frames.until("tool_request").await;
    let path = format!("/v1/turns/{turn}/cancel");
    host.send("POST", &path, "").await.ok("Accepted");
    let mut started = 0;
    while let Some(frame) = frames.next().await {
        started += usize::from(frame["event"]["type"] == "tool_start");
    }
    assert_eq!(started, 0, "the first began before");
    // Of other bodies nothing may be left out.
    let path = format!("/v1/turns/{turn}/tool-result");
    let refused = host.send("POST", &path, "").await;
    assert_eq!(refused.refused(400), "malformed_json");
}

#[tokio::test]
async fn there_are_only_so_many() {
    let limits = |limits| ServeLimits {
        sessions: 1,
        turns: 1,
        tools: 1,
        ..limits
    };
    let bed = Bed::with(NoAuthz, Scripted, limits).await;
    let host = bed.host();
    let one = json!({ "tools": [probe(json!({}))] });
    let id = session(&host, &one).await;
    let more = host.post("/v1/sessions", &one).await;
    assert_eq!(more.refused(429), "too_many_sessions");
    assert_eq!(more.headers["retry-after"], "5");
    // A session that nobody used for long makes room.
    bed.clock.advance(Duration::from_secs(3_600));
    let path = format!("/v1/sessions/{id}");
    assert_eq!(host.get(&path).await.refused(404), "unknown_session");
    session(&host, &one).await;

    let mut body = script();
    body["tools"] = one["tools"].clone();
    let turn = host.turn(body.clone()).await;
    let more = host.post("/v1/turns", &body).await;
    assert_eq!(more.refused(429), "too_many_turns");
    host.post(&format!("/v1/turns/{turn}/cancel"), &json!({}))
        .await
        .ok("Accepted");
    host.frames(&turn, 0).await.until("turn_complete").await;
    while host.post("/v1/turns", &body).await.status == 429 {}

    body["tools"] = json!([probe(json!({})), probe(json!({ "name": "other" }))]);
    let more = host.post("/v1/turns", &body).await;
    assert_eq!(more.refused(400), "too_many_tools");
}

#[tokio::test]
async fn limits_that_a_host_asks_for_are_brought_into_their_range() {
    let bed = Bed::new(NoAuthz).await;
    let body = json!({ "reverse_request_timeout_ms": 9_000_000, "max_steps": 0 });
    let opened = bed.host().post("/v1/turns", &body).await.ok("TurnCreated");
    assert_eq!(
        opened["clamped"],
        json!([
            { "knob": "max_steps", "requested": 0, "effective": 1 },
            { "knob": "reverse_request_timeout_ms", "requested": 9_000_000, "effective": 3_600_000 },
        ])
    );
}

#[tokio::test]
async fn the_end_of_the_server_ends_its_turns() {
    let bed = Bed::new(NoAuthz).await;
    let host = bed.host();
    let mut body = script();
    body["tools"] = json!([probe(json!({}))]);
    let turn = host.turn(body).await;
    let mut frames = host.frames(&turn, 0).await;
    frames.until("tool_request").await;
    bed.end.cancel();
    let end = frames.until("turn_complete").await;
    assert_eq!(end["outcome"]["reason"], "the server ends");
    drop(frames);
    bed.running.await.expect("the server ends");
}
