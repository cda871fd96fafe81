//! The attacks F1 to F7 on a governed wire, each with what the server must do: a clear status, and
//! a server that lives. F1 and F2 are in `sessions` and `requests.json`, too.

use std::time::Duration;

use bytes::Bytes;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};
use toolcontract_protocol::{
    AuthzEvalError, Decision, Principal, RiskLevel, ToolContract, frame::TurnOutcome,
};
use toolcontract_runtime::{
    authz::{AuthzGate, NoAuthz, RiskCeiling},
    serve::{InProcess, Scripted, ServeLimits, Turn, completed},
    tool::BoxFuture,
};

use super::host::{Bed, TOKEN, output, probe, probing, text};

/// The server still works.
async fn lives(bed: &Bed) {
    let body = probing(json!({}), json!({}));
    let (_, outcome) = bed.host().one_call(body, |_| text("ran")).await;
    assert_eq!(output(&outcome), &text("ran"));
}

#[tokio::test]
async fn f1_a_principal_comes_from_the_body_that_opens_and_from_nowhere_else() {
    let bed = Bed::new(NoAuthz).await;
    let host = bed.host();
    let turn = host.turn(probing(json!({}), json!({}))).await;
    let mut frames = host.frames(&turn, 0).await;
    let request = frames.until("tool_request").await;
    let path = format!("/v1/turns/{turn}/tool-result");
    let mut body = json!({ "request_id": request["request_id"], "output": text("ran") });
    body["principal"] = json!({ "kind": "user", "admin": true });
    assert_eq!(host.post(&path, &body).await.refused(400), "invalid_body");
    host.result(&turn, &request, text("ran"))
        .await
        .ok("Accepted");
    let end = frames.until("turn_complete").await;
    assert_eq!(
        output(&end["outcome"]),
        &text("ran"),
        "the request was still open"
    );
    let entry = serde_json::to_value(&bed.journal.entries()[0]).unwrap();
    assert_eq!(entry["principal"], "host:acct_9");
}

/// Denies what the agent `reader` asks for, and nothing else.
#[derive(Clone)]
struct NotTheReader;

impl AuthzGate for NotTheReader {
    fn name(&self) -> &str {
        "not-the-reader"
    }

    fn check(
        &self,
        _: &ToolContract,
        principal: &Principal,
        _: &Value,
    ) -> Result<Decision, AuthzEvalError> {
        let is_reader = |one: &Principal| one.label() == "subagent:reader";
        Ok(match principal.lineage().any(is_reader) {
            true => Decision::deny("readers call nothing"),
            false => Decision::Allow,
        })
    }

    fn is_pure(&self) -> bool {
        true
    }
}

#[tokio::test]
async fn f3_a_sub_agent_is_itself_and_whom_it_acts_for() {
    fn engine(turn: &Turn) -> BoxFuture<'_, TurnOutcome> {
        Box::pin(async move {
            let host = turn.call("c1", "probe", json!({})).await;
            let writer = turn.call_of("writer", "c2", "probe", json!({})).await;
            let reader = turn.call_of("reader", "c3", "probe", json!({})).await;
            assert!(host.ran && writer.ran && !reader.ran);
            completed(serde_json::Map::new())
        })
    }
    let bed = Bed::with(NotTheReader, InProcess(engine), |limits| limits).await;
    let body = json!({ "principal": "writer", "tools": [probe(json!({}))] });
    let (_, outcome) = bed.host().one_call(body, |_| text("ran")).await;
    assert_eq!(outcome["status"], "completed", "{outcome}");
    let entries = bed.journal.entries();
    let principals: Vec<_> = entries
        .iter()
        .map(|entry| serde_json::to_value(entry).unwrap()["principal"].clone())
        .filter(|principal| !principal.is_null())
        .collect();
    let of = |agent: &str| json!({ "label": format!("subagent:{agent}"), "parent": "host:writer" });
    assert_eq!(
        principals,
        [json!("host:writer"), of("writer"), of("reader")]
    );
}

#[tokio::test]
async fn f4_a_host_cannot_talk_its_tool_down() {
    for claim in [
        json!({ "risk": "low" }),
        json!({ "risk": "low", "provenance": "builtin" }),
        json!({ "risk": "low", "read_only": true, "provenance": "adopted" }),
    ] {
        let bed = Bed::new(RiskCeiling(RiskLevel::Medium)).await;
        let body = probing(claim, json!({}));
        let (frames, outcome) = bed.host().one_call(body, |_| text("ran")).await;
        assert!(frames.iter().all(|frame| frame["type"] != "tool_request"));
        assert_eq!(output(&outcome)["error"]["class"], "refused_by_policy");
    }
    let bed = Bed::new(RiskCeiling(RiskLevel::High)).await;
    lives(&bed).await;
}

#[tokio::test]
async fn f5_words_of_a_later_version_are_read_as_the_worst() {
    let bed = Bed::new(RiskCeiling(RiskLevel::High)).await;
    let body = probing(json!({ "risk": "apocalyptic" }), json!({}));
    let (_, outcome) = bed.host().one_call(body, |_| text("ran")).await;
    assert_eq!(output(&outcome)["error"]["class"], "refused_by_policy");
    let body = probing(json!({ "risk": "low", "provenance": "blessed" }), json!({}));
    let (_, outcome) = bed.host().one_call(body, |_| text("ran")).await;
    assert_eq!(output(&outcome), &text("ran"), "declared, and high");
}

#[tokio::test]
async fn f6_an_answer_counts_once_and_only_for_its_request() {
    let bed = Bed::new(NoAuthz).await;
    let host = bed.host();
    let turn = host.turn(probing(json!({}), json!({}))).await;
    let other = host.turn(probing(json!({}), json!({}))).await;
    let mut frames = host.frames(&turn, 0).await;
    let request = frames.until("tool_request").await;
    for id in ["", "tool-0-0", "../x", "0"] {
        let guess = json!({ "request_id": id });
        let answer = host.result(&turn, &guess, text("guessed")).await;
        assert_eq!(answer.refused(409), "never_asked");
    }
    let misrouted = host.result(&other, &request, text("misrouted")).await;
    assert_eq!(misrouted.refused(409), "never_asked");
    host.result(&turn, &request, text("first"))
        .await
        .ok("Accepted");
    let second = host.result(&turn, &request, text("second")).await;
    assert_eq!(second.refused(409), "answered_already");
    let end = frames.until("turn_complete").await;
    assert_eq!(output(&end["outcome"]), &text("first"));
    let third = host.result(&turn, &request, text("third")).await;
    assert_eq!(third.refused(409), "answered_already");
    let counts = bed.observer.counts();
    assert_eq!(counts.answers_foreign, 5);
    assert_eq!(counts.answers_duplicate, 2);
    assert_eq!(counts.answers_taken, 1);
}

#[tokio::test]
async fn f7_a_body_is_refused_before_it_is_read_when_it_says_that_it_is_too_large() {
    let limits = |limits| ServeLimits {
        body_bytes: 1_000,
        ..limits
    };
    let bed = Bed::with(NoAuthz, Scripted, limits).await;
    let host = bed.host();
    let body = Bytes::from(vec![b'x'; 1_001]);
    let told = host.send("POST", "/v1/turns", body).await;
    assert_eq!(told.refused(413), "too_large");

    // One that does not say how large it is, in pieces.
    let mut raw = TcpStream::connect(bed.address).await.unwrap();
    raw.write_all(head("POST", "/v1/turns", "transfer-encoding: chunked").as_bytes())
        .await
        .unwrap();
    let piece = format!("258\r\n{}\r\n", "x".repeat(600));
    raw.write_all(piece.repeat(2).as_bytes()).await.unwrap();
    assert!(status_line(&mut raw).await.starts_with("HTTP/1.1 413"));

    // In pieces, and small enough.
    let mut raw = TcpStream::connect(bed.address).await.unwrap();
    let headers = "transfer-encoding: chunked\r\nconnection: close";
    raw.write_all(head("POST", "/v1/turns", headers).as_bytes())
        .await
        .unwrap();
    raw.write_all(b"1\r\n{\r\n1\r\n}\r\n0\r\n\r\n")
        .await
        .unwrap();
    assert!(status_line(&mut raw).await.starts_with("HTTP/1.1 200"));
    lives(&bed).await;
}

#[tokio::test]
async fn f7_a_body_that_does_not_come_is_refused_in_time() {
    let bed = Bed::new(NoAuthz).await;
    let mut raw = TcpStream::connect(bed.address).await.unwrap();
    raw.write_all(head("POST", "/v1/turns", "content-length: 100").as_bytes())
        .await
        .unwrap();
    raw.write_all(b"{").await.unwrap();
    let answer = tokio::spawn(async move { status_line(&mut raw).await });
    while !answer.is_finished() {
        bed.clock.advance(Duration::from_secs(1));
        tokio::task::yield_now().await;
    }
    assert!(answer.await.unwrap().starts_with("HTTP/1.1 408"));
    lives(&bed).await;
}

#[tokio::test]
async fn f7_a_head_that_is_too_large_or_does_not_come_is_refused() {
    let small = |limits| ServeLimits {
        head_bytes: 8 << 10,
        ..limits
    };
    let bed = Bed::with(NoAuthz, Scripted, small).await;
    let mut raw = TcpStream::connect(bed.address).await.unwrap();
    let long = format!("x-long: {}", "x".repeat(20_000));
    // The server may be gone before all was sent.
    let _ = raw
        .write_all(head("GET", "/healthz", &long).as_bytes())
        .await;
    assert!(status_line(&mut raw).await.starts_with("HTTP/1.1 431"));

    let hurried = |limits| ServeLimits {
        head_time: Duration::from_millis(20),
        ..limits
    };
    let bed = Bed::with(NoAuthz, Scripted, hurried).await;
    let mut silent = TcpStream::connect(bed.address).await.unwrap();
    assert_eq!(
        status_line(&mut silent).await,
        "",
        "who says nothing is hung up on"
    );

    let mut slow = TcpStream::connect(bed.address).await.unwrap();
    slow.write_all(b"GET /healthz HT").await.unwrap();
    let said = status_line(&mut slow).await;
    assert!(
        said.is_empty() || said.starts_with("HTTP/1.1 408"),
        "{said}"
    );
    lives(&bed).await;
}

#[tokio::test]
async fn f7_a_flood_of_connections_waits_for_its_turn() {
    let limits = |limits| ServeLimits {
        connections: 4,
        ..limits
    };
    let bed = Bed::with(NoAuthz, Scripted, limits).await;
    let mut idle = Vec::new();
    for _ in 0..20 {
        idle.push(TcpStream::connect(bed.address).await.unwrap());
    }
    drop(idle);
    lives(&bed).await;
}

#[tokio::test]
async fn f7_many_requests_on_one_turn_change_nothing_about_the_others() {
    let bed = Bed::new(NoAuthz).await;
    let host = bed.host();
    let call = json!({ "tool": "probe", "input": {} });
    let script: Vec<Value> = vec![call; 500];
    let body = json!({ "tools": [probe(json!({}))], "together": true, "script": script });
    let turn = host.turn(body).await;
    let mut frames = host.frames(&turn, 0).await;
    for _ in 0..500 {
        frames.until("tool_request").await;
    }
    lives(&bed).await;
}

fn head(method: &str, path: &str, headers: &str) -> String {
    format!(
        "{method} {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {TOKEN}\r\n{headers}\r\n\r\n"
    )
}

/// What the server says, up to the first line; empty when it says nothing and hangs up.
async fn status_line(raw: &mut TcpStream) -> String {
    let mut said = Vec::new();
    let mut piece = [0; 1024];
    while !said.contains(&b'\n') {
        match raw.read(&mut piece).await {
            Ok(0) | Err(_) => break,
            Ok(count) => said.extend_from_slice(&piece[..count]),
        }
    }
    let text = String::from_utf8_lossy(&said);
    text.lines().next().unwrap_or_default().to_owned()
}
