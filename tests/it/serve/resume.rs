//! Streams that break off: numbers without gaps, replay from where the host was, a turn that waits
//! for its host for a while, requests that are never lost.

use std::time::Duration;

use serde_json::json;
use toolcontract_runtime::{
    authz::NoAuthz,
    serve::{Scripted, ServeLimits},
};

use super::host::{Bed, output, probe, probing, text};

#[tokio::test]
async fn a_host_goes_on_where_it_was() {
    let bed = Bed::new(NoAuthz).await;
    let host = bed.host();
    let turn = host.turn(probing(json!({}), json!({}))).await;
    let mut frames = host.frames(&turn, 0).await;
    let first = frames.until("tool_request").await;
    drop(frames);

    // By the header that an event source sends, and by the query, which counts before it.
    for (header, query, expected) in [("1", "", 2), ("2", "?after=1", 2), ("", "", 1)] {
        let path = format!("/v1/turns/{turn}/events{query}");
        let mut frames = attach(&host.header("last-event-id", header), &path).await;
        assert_eq!(frames.next().await.unwrap()["seq"], expected);
    }
    let mut frames = attach(&host, &format!("/v1/turns/{turn}/events?after=1")).await;
    let again = frames.next().await.unwrap();
    assert_eq!(again, first, "the request is the same frame");
    host.result(&turn, &again, text("ran")).await.ok("Accepted");
    let end = frames.until("turn_complete").await;
    assert_eq!(output(&end["outcome"]), &text("ran"));
    assert!(frames.next().await.is_none(), "nothing follows the end");
}

/// Attaches as soon as the server has seen that the last reader is gone.
async fn attach(host: &super::host::Host, path: &str) -> super::host::Frames {
    loop {
        let taken = host.get_head(path).await;
        if let Some(frames) = taken {
            return frames;
        }
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn one_host_reads_at_a_time() {
    let bed = Bed::new(NoAuthz).await;
    let host = bed.host();
    let turn = host.turn(probing(json!({}), json!({}))).await;
    let mut frames = host.frames(&turn, 0).await;
    frames.until("tool_request").await;
    let second = host.get(&format!("/v1/turns/{turn}/events")).await;
    assert_eq!(second.refused(409), "read_already");
}

#[tokio::test]
async fn a_turn_waits_for_its_host_and_not_for_ever() {
    let bed = Bed::new(NoAuthz).await;
    let host = bed.host();
    let mut body = probing(json!({}), json!({}));
    body["reverse_request_timeout_ms"] = json!(3_600_000);
    let turn = host.turn(body).await;
    let mut frames = host.frames(&turn, 0).await;
    frames.until("tool_request").await;
    // As long as somebody reads, the host may take its time.
    bed.clock.advance(Duration::from_secs(200));
    drop(frames);

    let path = format!("/v1/turns/{turn}/events?after=2");
    let frames = attach(&host, &path).await;
    drop(frames);
    while bed.observer.running() > 0 {
        // The server sees the end of a connection at a time of its own.
        bed.clock.advance(Duration::from_secs(1));
        tokio::task::yield_now().await;
    }
    assert_eq!(bed.observer.counts().turns_abandoned, 1);
    let entries = bed.journal.entries();
    let last = serde_json::to_value(entries.last().unwrap()).unwrap();
    assert_eq!(last["result"]["code"], "host_gone");
    assert_eq!(last["result"]["class"], "environment");
}

#[tokio::test]
async fn a_turn_whose_host_never_comes_ends() {
    let bed = Bed::new(NoAuthz).await;
    bed.host().turn(probing(json!({}), json!({}))).await;
    while bed.observer.running() > 0 {
        bed.clock.advance(Duration::from_secs(1));
        tokio::task::yield_now().await;
    }
    assert_eq!(bed.observer.counts().turns_abandoned, 1);
}

#[tokio::test]
async fn what_is_no_longer_kept_is_told_and_open_requests_are_never_lost() {
    let limits = |limits| ServeLimits {
        history: 4,
        ..limits
    };
    let bed = Bed::with(NoAuthz, Scripted, limits).await;
    let host = bed.host();
    let call = |path: &str| json!({ "tool": "probe", "input": { "path": path } });
    let script: Vec<_> = ["open", "a", "b", "c", "d", "e"].map(call).into();
    let body = json!({ "tools": [probe(json!({}))], "together": true, "script": script });
    let turn = host.turn(body).await;
    let mut frames = host.frames(&turn, 0).await;
    let mut open = None;
    let mut last = 0;
    for _ in 0..6 {
        let request = frames.until("tool_request").await;
        last = request["seq"].as_u64().unwrap();
        if request["input"]["path"] == "open" {
            open = Some(request);
        } else {
            host.result(&turn, &request, text("ran"))
                .await
                .ok("Accepted");
        }
    }
    let open = open.expect("one is left open");
    // Until all that was answered is told.
    while last < 17 {
        let Some(frame) = frames.next().await else {
            break;
        };
        last = frame["seq"].as_u64().unwrap();
    }
    drop(frames);

    let mut frames = attach(&host, &format!("/v1/turns/{turn}/events?after=0")).await;
    let told = frames.next().await.unwrap();
    assert_eq!(told["type"], "replay_truncated");
    assert_eq!(told["requested_after"], 0);
    assert!(told.get("seq").is_none());
    let oldest = told["oldest_retained"].as_u64().unwrap();
    let again = frames.next().await.unwrap();
    assert_eq!(
        again, open,
        "the open request comes again, though it is old"
    );
    assert!(again["seq"].as_u64().unwrap() < oldest);
    assert_eq!(frames.next().await.unwrap()["seq"], oldest);
    host.result(&turn, &again, text("ran")).await.ok("Accepted");
    frames.until("turn_complete").await;
}

#[tokio::test]
async fn a_host_that_is_ahead_of_the_turn_is_told_so_and_loses_nothing() {
    let bed = Bed::new(NoAuthz).await;
    let host = bed.host();
    let turn = host.turn(probing(json!({}), json!({}))).await;
    let mut frames = host.frames(&turn, 0).await;
    let request = frames.until("tool_request").await;
    let last = request["seq"].as_u64().unwrap();
    drop(frames);
    for after in [last + 1, u64::MAX] {
        let path = format!("/v1/turns/{turn}/events?after={after}");
        let ahead = host.get(&path).await;
        assert_eq!(ahead.refused(400), "invalid_position", "{after}");
    }
    // Nobody was let in, so whoever knows where the turn is finds it free.
    let path = format!("/v1/turns/{turn}/events?after={}", last - 1);
    let mut frames = attach(&host, &path).await;
    assert_eq!(frames.next().await.unwrap(), request);
    host.result(&turn, &request, text("ran"))
        .await
        .ok("Accepted");
    frames.until("turn_complete").await;
}

#[tokio::test]
async fn of_calls_whose_host_is_gone_only_those_that_were_sent_may_have_run() {
    let limits = |limits| ServeLimits {
        outstanding: 1,
        ..limits
    };
    let bed = Bed::with(NoAuthz, Scripted, limits).await;
    let host = bed.host();
    let call = json!({ "tool": "probe", "input": {} });
    let body = json!({ "tools": [probe(json!({}))], "together": true, "script": [call, call] });
    let turn = host.turn(body).await;
    while bed.observer.counts().requests_sent == 0 {
        tokio::task::yield_now().await;
    }
    while bed.observer.running() > 0 {
        bed.clock.advance(Duration::from_secs(1));
        tokio::task::yield_now().await;
    }
    let mut frames = host.frames(&turn, 0).await;
    let mut said = Vec::new();
    while let Some(frame) = frames.next().await {
        let message = &frame["event"]["output"]["error"]["message"];
        said.extend(message.as_str().map(str::to_owned));
    }
    said.sort();
    let gone = "The host went away before it answered.";
    assert_eq!(
        said,
        [
            format!("`probe` did not run. {gone}"),
            format!("`probe` gave no answer. {gone} How far it came is not known."),
        ]
    );
}
