//! Calls of a host's tools: decided before a frame leaves, judged when the answer is there.

use serde_json::json;
use toolcontract_protocol::{Provenance, journal::Record};
use toolcontract_runtime::{
    authz::{DenyAll, NoAuthz},
    ctx::AnyEvent,
    registry::Registry,
    serve::Scripted,
};

use super::host::{Bed, output, probe, probing, text};
use crate::runtime::fakes::{Does, Fake, Log, contract};

#[tokio::test]
async fn a_call_goes_out_as_a_frame_and_comes_back_as_an_output() {
    let bed = Bed::new(NoAuthz).await;
    let body = probing(json!({}), json!({ "path": "a" }));
    let (frames, outcome) = bed.host().one_call(body, |_| text("1 row")).await;

    let kinds: Vec<_> = frames
        .iter()
        .map(|frame| frame["type"].as_str().unwrap())
        .collect();
    let expected = ["event", "tool_request", "event", "turn_complete"];
    assert_eq!(kinds, expected);
    let seqs: Vec<_> = frames.iter().map(|frame| frame["seq"].as_u64()).collect();
    assert_eq!(seqs, [Some(1), Some(2), Some(3), Some(4)]);
    assert_eq!(frames[0]["event"]["type"], "tool_start");
    assert_eq!(frames[0]["event"]["call"]["name"], "probe");

    let request = frames[1].as_object().unwrap();
    let keys: Vec<_> = request.keys().map(String::as_str).collect();
    assert_eq!(keys, ["seq", "type", "request_id", "name", "input"]);
    assert_eq!(request["input"], json!({ "path": "a" }));
    let id = request["request_id"].as_str().unwrap();
    assert!(id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit()));

    assert_eq!(frames[2]["event"]["type"], "tool_result");
    assert_eq!(output(&outcome), &text("1 row"));

    let entries = bed.journal.entries();
    assert_eq!(entries.len(), 2);
    let Record::Intent(intent) = &entries[0].record else {
        panic!("an intent comes first");
    };
    assert_eq!(intent.principal.label(), "host:acct_9");
    assert_eq!(serde_json::to_value(intent.surface).unwrap(), "serve");
    assert_eq!(intent.risk.to_string(), "high", "its claim buys nothing");
}

#[tokio::test]
async fn a_denying_gate_refuses_a_remoted_call_before_any_frame_leaves() {
    let body = || probing(json!({}), json!({}));
    let bed = Bed::new(DenyAll).await;
    let (frames, outcome) = bed.host().one_call(body(), |_| text("ran")).await;
    assert!(frames.iter().all(|frame| frame["type"] != "tool_request"));
    assert_eq!(output(&outcome)["error"]["class"], "refused_by_policy");
    assert_eq!(output(&outcome)["error"]["code"], "denied_by_gate");
    assert_eq!(bed.observer.counts().requests_sent, 0);

    // The same call where nobody is against it.
    let bed = Bed::new(NoAuthz).await;
    let (frames, outcome) = bed.host().one_call(body(), |_| text("ran")).await;
    assert!(frames.iter().any(|frame| frame["type"] == "tool_request"));
    assert_eq!(output(&outcome), &text("ran"));
    assert_eq!(bed.observer.counts().requests_sent, 1);
}

#[tokio::test]
async fn an_invalid_input_never_leaves() {
    let bed = Bed::new(NoAuthz).await;
    let body = probing(json!({}), json!({ "path": "much too long", "mode": 1 }));
    let (frames, outcome) = bed.host().one_call(body, |_| text("ran")).await;
    assert!(frames.iter().all(|frame| frame["type"] != "tool_request"));
    let error = &output(&outcome)["error"];
    assert_eq!(error["class"], "invalid_input");
    let pointers: Vec<_> = error["data"]["violations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|violation| violation["pointer"].as_str().unwrap())
        .collect();
    assert_eq!(pointers, ["/mode", "/path"]);
}

#[tokio::test]
async fn text_of_a_model_is_read_by_the_checking_reader() {
    let bed = Bed::new(NoAuthz).await;
    let body = json!({
        "tools": [probe(json!({}))],
        "script": [{ "tool": "probe", "arguments": r#"{"path":"a","path":"b"}"# }],
    });
    let (_, outcome) = bed.host().one_call(body, |_| text("ran")).await;
    assert_eq!(output(&outcome)["error"]["code"], "duplicate_key");
}

#[tokio::test]
async fn an_invalid_output_is_withheld() {
    let promise = json!({
        "output_schema": {
            "type": "object",
            "required": ["rows"],
            "properties": { "rows": { "type": "integer" } },
        },
    });
    let run = async |gives: serde_json::Value| {
        let bed = Bed::new(NoAuthz).await;
        let body = probing(promise.clone(), json!({}));
        let (_, outcome) = bed.host().one_call(body, |_| gives.clone()).await;
        let entries = bed.journal.entries();
        let Record::Outcome(end) = &entries[1].record else {
            panic!("an outcome comes last");
        };
        assert!(end.ran, "the journal says that it ran");
        output(&outcome).clone()
    };
    let kept = json!({ "ok": { "content": "1 row", "data": { "rows": 1 } } });
    assert_eq!(run(kept.clone()).await, kept);

    let broken = json!({ "ok": { "content": "a secret", "data": { "rows": "many" } } });
    let output = run(broken).await;
    assert_eq!(output["error"]["class"], "invalid_output");
    assert!(!output.to_string().contains("secret"), "{output}");

    let missing = run(text("a secret")).await;
    assert_eq!(missing["error"]["code"], "missing_data");
    assert!(!missing.to_string().contains("secret"), "{missing}");
}

#[tokio::test]
async fn what_a_host_refuses_keeps_its_class_and_code() {
    let bed = Bed::new(NoAuthz).await;
    let refusal = json!({
        "error": { "message": "not today", "class": "refused_by_policy", "code": "quota" },
    });
    let body = probing(json!({}), json!({}));
    let (_, outcome) = bed.host().one_call(body, |_| refusal.clone()).await;
    assert_eq!(output(&outcome), &refusal);
}

#[tokio::test]
async fn several_requests_are_answered_in_any_order() {
    let bed = Bed::new(NoAuthz).await;
    let host = bed.host();
    let call = |path: &str| json!({ "tool": "probe", "input": { "path": path } });
    let body = json!({
        "tools": [probe(json!({}))],
        "together": true,
        "script": [call("a"), call("b"), call("c")],
    });
    let turn = host.turn(body).await;
    let mut frames = host.frames(&turn, 0).await;
    let mut asked = Vec::new();
    while asked.len() < 3 {
        asked.push(frames.until("tool_request").await);
    }
    for request in asked.iter().rev() {
        let said = request["input"]["path"].as_str().unwrap();
        host.result(&turn, request, text(said)).await.ok("Accepted");
    }
    let end = frames.until("turn_complete").await;
    let outputs = end["outcome"]["outputs"].as_array().unwrap();
    let said: Vec<_> = outputs
        .iter()
        .map(|output| output["output"]["ok"]["content"].as_str().unwrap())
        .collect();
    assert_eq!(said, ["a", "b", "c"]);
}

#[tokio::test]
async fn signs_of_life_of_a_tool_are_frames() {
    let progress = |stage: &str| AnyEvent {
        name: "tool.call.progress".to_owned(),
        payload: json!({ "stage": stage }),
    };
    let events = vec![
        progress("one"),
        progress("two"),
        AnyEvent {
            name: "file.deleted".to_owned(),
            payload: json!({}),
        },
    ];
    let contract = contract(json!({ "name": "local", "events": ["tool.call.progress"] }));
    let begin = move || {
        let tool = Fake::new(Does::Emit(events.clone()), &Log::default());
        Registry::builder(NoAuthz).dyn_tool(Provenance::Builtin, contract.clone(), tool)
    };
    let bed = Bed::begun(begin, Scripted, |limits| limits).await;
    let body = json!({ "script": [{ "tool": "local", "input": {} }] });
    let (frames, outcome) = bed.host().one_call(body, |_| text("nobody asks")).await;
    assert_eq!(output(&outcome), &text("emitted"));
    let told: Vec<_> = frames
        .iter()
        .filter(|frame| frame["event"]["name"].is_string())
        .map(|frame| &frame["event"])
        .collect();
    assert_eq!(told.len(), 2, "what the contract does not list is dropped");
    for (event, stage) in told.iter().zip(["one", "two"]) {
        assert_eq!(event["name"], "tool.call.progress");
        assert_eq!(event["payload"]["stage"], stage);
        assert_eq!(event["payload"]["tool"], "local");
        assert!(event["turn_id"].is_string());
    }
}

#[tokio::test]
async fn an_answer_that_does_not_come_is_a_timeout() {
    let bed = Bed::new(NoAuthz).await;
    let host = bed.host();
    let mut body = probing(json!({}), json!({}));
    body["reverse_request_timeout_ms"] = json!(1_000);
    let turn = host.turn(body).await;
    let mut frames = host.frames(&turn, 0).await;
    let request = frames.until("tool_request").await;
    bed.clock.advance(std::time::Duration::from_secs(1));
    let end = frames.until("turn_complete").await;
    let error = &output(&end["outcome"])["error"];
    assert_eq!(error["class"], "timeout");
    assert_eq!(error["code"], "deadline_exceeded");
    let late = host.result(&turn, &request, text("late")).await;
    assert_eq!(late.refused(409), "answered_too_late");
    assert_eq!(bed.observer.counts().answers_late, 1);
}
