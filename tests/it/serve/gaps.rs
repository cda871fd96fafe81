//! What other engines get wrong on this wire, a test each; and that a host of today is understood.

use std::path::PathBuf;

use serde_json::{Value, json};
use toolcontract_protocol::{Provenance, RiskLevel};
use toolcontract_runtime::{
    authz::{DenyAll, NoAuthz, RiskCeiling},
    serve::{InProcess, Turn, completed},
    tool::BoxFuture,
};

use super::host::{Bed, judge, output, probe, text};

#[test]
fn g11_every_body_of_the_wire_has_a_committed_schema() {
    let index = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../generated/wire/index.json");
    let index: Value = serde_json::from_str(&std::fs::read_to_string(index).unwrap()).unwrap();
    for body in [
        "SessionSpec",
        "ToolResultIn",
        "ApprovalAnswerIn",
        "CancelIn",
        "SessionCreated",
        "SessionState",
        "TurnCreated",
        "Accepted",
        "RequestError",
        "ServerFrame",
        "ToolRequest",
        "ToolContract",
        "RiskLevel",
        "Provenance",
    ] {
        assert!(index["protocol"][body].is_string(), "{body}");
    }
    judge("SessionSpec", &of_oxagen("low", false));
}

/// Tells what it sees of the contracts, and calls nothing.
fn looks(turn: &Turn) -> BoxFuture<'_, toolcontract_protocol::frame::TurnOutcome> {
    Box::pin(async move {
        let contracts: Vec<_> = turn.contracts().cloned().collect();
        for contract in &contracts {
            assert_eq!(contract.provenance, Provenance::Declared);
            assert!(!contract.trusted_read_only());
            assert!(!contract.trusted_idempotent());
            assert!(contract.effective_risk() >= RiskLevel::High);
        }
        let mut fields = serde_json::Map::new();
        fields.insert("contracts".to_owned(), json!(contracts.len()));
        completed(fields)
    })
}

#[tokio::test]
async fn g13_a_contract_of_a_host_is_declared_validated_and_there_once() {
    let builtin = json!({
        "risk": "low", "read_only": true, "idempotent": true, "provenance": "builtin",
    });
    let bed = Bed::with(NoAuthz, InProcess(looks), |limits| limits).await;
    let host = bed.host();
    let end = {
        let turn = host
            .turn(json!({ "tools": [probe(builtin.clone())] }))
            .await;
        let mut frames = host.frames(&turn, 0).await;
        frames.until("turn_complete").await
    };
    assert_eq!(end["outcome"]["contracts"], 1, "{end}");

    let contradicts = probe(json!({ "additive": true, "risk": "destructive" }));
    let mut twice = probe(builtin);
    twice["risk"] = json!("high");
    for tools in [json!([contradicts]), json!([probe(json!({})), twice])] {
        let refused = host.post("/v1/turns", &json!({ "tools": tools })).await;
        assert_eq!(refused.refused(400), "invalid_contract");
    }
}

#[tokio::test]
async fn no_side_door_leads_to_a_tool() {
    // Whatever an engine does, it has one way to call, and the gate is on it.
    fn tries(turn: &Turn) -> BoxFuture<'_, toolcontract_protocol::frame::TurnOutcome> {
        Box::pin(async move {
            let one = turn.call("c1", "probe", json!({}));
            let two = turn.call("c1", "probe", "{}");
            let (one, two) = tokio::join!(one, two);
            assert!(!one.ran && !two.ran);
            completed(serde_json::Map::new())
        })
    }
    let bed = Bed::with(DenyAll, InProcess(tries), |limits| limits).await;
    let (frames, outcome) = bed
        .host()
        .one_call(json!({ "tools": [probe(json!({}))] }), |_| text("ran"))
        .await;
    assert_eq!(outcome["status"], "completed", "{outcome}");
    assert!(frames.iter().all(|frame| frame["type"] != "tool_request"));
}

#[tokio::test]
async fn an_engine_that_panics_ends_its_turn_and_nothing_else() {
    fn panics(turn: &Turn) -> BoxFuture<'_, toolcontract_protocol::frame::TurnOutcome> {
        Box::pin(async move { panic!("the engine of {} panics, as the test asks", turn.id()) })
    }
    let bed = Bed::with(NoAuthz, InProcess(panics), |limits| limits).await;
    let (_, outcome) = bed.host().one_call(json!({}), |_| text("ran")).await;
    assert_eq!(outcome["status"], "aborted");
    assert_eq!(bed.host().get("/healthz").await.status, 200);
}

/// The body that Oxagen's client sends, key by key.
fn of_oxagen(risk: &str, requires_approval: bool) -> Value {
    json!({
        "provider_id": "anthropic",
        "principal": "usr_7",
        "max_steps": 40,
        "reverse_request_timeout_ms": 300_000,
        "engine": { "temperature": 0 },
        "goal": null,
        "sub_agents": false,
        "steering_requery": true,
        "messages": [],
        "tools": [{
            "version": 1,
            "schema": {
                "name": "list_approvals",
                "description": "Lists approvals.",
                "input_schema": {
                    "$schema": "http://json-schema.org/draft-07/schema#",
                    "type": "object",
                    "properties": { "status": { "type": "string" } },
                    "additionalProperties": false,
                },
                "read_only": true,
            },
            "risk": risk,
            "requires_approval": requires_approval,
            "provenance": "declared",
        }],
        "script": [{ "tool": "list_approvals", "input": { "status": "open" } }],
    })
}

#[tokio::test]
async fn the_body_of_oxagen_is_taken_and_governed() {
    let bed = Bed::new(NoAuthz).await;
    let body = of_oxagen("low", false);
    let (frames, outcome) = bed.host().one_call(body, |_| text("none")).await;
    let request = frames.iter().find(|frame| frame["type"] == "tool_request");
    assert_eq!(request.unwrap()["name"], "list_approvals");
    assert_eq!(output(&outcome), &text("none"));

    // Its own refusals come with a class today, and keep it.
    let bed = Bed::new(NoAuthz).await;
    let refusal =
        json!({ "error": { "message": "approval denied", "class": "refused_by_policy" } });
    let body = of_oxagen("low", false);
    let (_, outcome) = bed.host().one_call(body, |_| refusal.clone()).await;
    assert_eq!(output(&outcome)["error"]["class"], "refused_by_policy");

    // A risk of a host is a claim, and approval is asked of whoever the host said.
    let bed = Bed::new(RiskCeiling(RiskLevel::Medium)).await;
    let (_, outcome) = bed
        .host()
        .one_call(of_oxagen("low", false), |_| text("ran"))
        .await;
    assert_eq!(output(&outcome)["error"]["code"], "denied_by_gate");
    for (approvals, is_asked) in [("refuse", false), ("host", true)] {
        let bed = Bed::new(NoAuthz).await;
        let mut body = of_oxagen("high", true);
        body["approvals"] = json!(approvals);
        let (frames, _) = bed.host().one_call(body, |_| text("ran")).await;
        let asked = frames.iter().any(|frame| frame["type"] == "tool_request");
        assert_eq!(asked, is_asked, "{approvals}");
    }
}
