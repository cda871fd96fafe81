//! What a host can make the server keep is bounded: events are dropped and counted, requests wait
//! for a place, and whoever reads nothing is disconnected.

use serde_json::{Map, Value, json};
use tokio::io::AsyncWriteExt as _;
use toolcontract_protocol::frame::AgentEvent;
use toolcontract_runtime::{
    authz::NoAuthz,
    serve::{InProcess, Scripted, ServeLimits, Turn, completed},
    tool::BoxFuture,
};

use super::host::{Bed, TOKEN, probe, probing, text};

fn said(text: &str) -> AgentEvent {
    let mut fields = Map::new();
    fields.insert("text".to_owned(), Value::from(text));
    AgentEvent {
        kind: "text_delta".to_owned(),
        fields,
    }
}

/// Says a thousand things, then makes one call.
fn talks(turn: &Turn) -> BoxFuture<'_, toolcontract_protocol::frame::TurnOutcome> {
    Box::pin(async move {
        for index in 0..1_000 {
            turn.say(said(&index.to_string()));
        }
        let report = turn.call("c1", "probe", json!({})).await;
        let mut fields = Map::new();
        fields.insert("output".to_owned(), json!(report.output));
        completed(fields)
    })
}

#[tokio::test]
async fn events_are_dropped_before_requests_are() {
    let limits = |limits| ServeLimits {
        queue: 100,
        history: 50,
        ..limits
    };
    let bed = Bed::with(NoAuthz, InProcess(talks), limits).await;
    let host = bed.host();
    let turn = host.turn(probing(json!({}), json!({}))).await;
    while bed.observer.counts().requests_sent == 0 {
        tokio::task::yield_now().await;
    }
    let dropped = bed.observer.counts().events_dropped;
    assert_eq!(
        dropped, 901,
        "all but what had a place, and the start of the call"
    );
    assert_eq!(bed.observer.kept().0, 101);

    let mut frames = host.frames(&turn, 0).await;
    for seq in 1..=100 {
        let frame = frames.next().await.unwrap();
        assert_eq!(frame["seq"], seq, "what is dropped leaves no gap");
        assert_eq!(frame["type"], "event");
    }
    let request = frames.next().await.unwrap();
    assert_eq!(request["seq"], 101);
    host.result(&turn, &request, text("ran"))
        .await
        .ok("Accepted");
    let end = frames.until("turn_complete").await;
    assert_eq!(end["outcome"]["output"], text("ran"));
    assert!(
        bed.observer.kept().0 <= 52,
        "what was read is kept up to a limit"
    );
}

#[tokio::test]
async fn calls_wait_for_a_place_when_too_many_are_out() {
    let limits = |limits| ServeLimits {
        outstanding: 2,
        ..limits
    };
    let bed = Bed::with(NoAuthz, Scripted, limits).await;
    let host = bed.host();
    let call = |path: usize| json!({ "tool": "probe", "input": { "path": path.to_string() } });
    let script: Vec<_> = (0..5).map(call).collect();
    let body = json!({ "tools": [probe(json!({}))], "together": true, "script": script });
    let turn = host.turn(body).await;
    let mut frames = host.frames(&turn, 0).await;
    let mut open = Vec::new();
    for _ in 0..2 {
        open.push(frames.until("tool_request").await);
    }
    assert_eq!(bed.observer.counts().requests_sent, 2);
    for sent in 3..=5 {
        let request = open.remove(0);
        host.result(&turn, &request, text("ran"))
            .await
            .ok("Accepted");
        open.push(frames.until("tool_request").await);
        assert_eq!(bed.observer.counts().requests_sent, sent);
    }
    for request in open {
        host.result(&turn, &request, text("ran"))
            .await
            .ok("Accepted");
    }
    let end = frames.until("turn_complete").await;
    assert_eq!(end["outcome"]["outputs"].as_array().unwrap().len(), 5);
}

/// Talks until it is told to stop.
fn floods(turn: &Turn) -> BoxFuture<'_, toolcontract_protocol::frame::TurnOutcome> {
    Box::pin(async move {
        let long = "x".repeat(10_000);
        while !turn.cancellation().is_cancelled() {
            turn.say(said(&long));
            tokio::task::yield_now().await;
        }
        completed(Map::new())
    })
}

#[tokio::test]
async fn a_host_that_reads_nothing_is_disconnected() {
    let limits = |limits| ServeLimits {
        queue_bytes: 200_000,
        history_bytes: 100_000,
        ..limits
    };
    let bed = Bed::with(NoAuthz, InProcess(floods), limits).await;
    let turn = bed.host().turn(json!({})).await;
    let mut dead = tokio::net::TcpStream::connect(bed.address).await.unwrap();
    let request = format!(
        "GET /v1/turns/{turn}/events HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {TOKEN}\r\n\r\n"
    );
    dead.write_all(request.as_bytes()).await.unwrap();
    // The buffers of the system take some; then frames stay where they are, up to the limit.
    while bed.observer.counts().events_dropped < 100 {
        assert!(bed.observer.kept().1 < 400_000);
        tokio::task::yield_now().await;
    }
    while bed.observer.running() > 0 {
        bed.clock.advance(std::time::Duration::from_secs(1));
        assert!(bed.observer.kept().1 < 400_000);
        tokio::task::yield_now().await;
    }
    assert_eq!(bed.observer.counts().readers_stalled, 1);
    assert_eq!(bed.observer.counts().turns_abandoned, 1);
    drop(dead);
}

#[tokio::test]
async fn a_host_that_reads_slowly_is_left_alone() {
    let limits = |limits| ServeLimits {
        queue_bytes: 200_000,
        ..limits
    };
    let bed = Bed::with(NoAuthz, InProcess(floods), limits).await;
    let host = bed.host();
    let turn = host.turn(json!({})).await;
    let mut frames = host.frames(&turn, 0).await;
    for seq in 1..=200 {
        assert_eq!(frames.next().await.unwrap()["seq"], seq);
        bed.clock.advance(std::time::Duration::from_secs(1));
    }
    assert_eq!(bed.observer.counts().readers_stalled, 0);
    host.post(&format!("/v1/turns/{turn}/cancel"), &json!({}))
        .await
        .ok("Accepted");
    frames.until("turn_complete").await;
}
