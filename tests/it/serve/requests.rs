//! `data/serve/requests.json`: one request a case, the status and the code that it gets. After all
//! of them the server still works.

use std::path::PathBuf;

use serde::Deserialize;
use serde_json::json;
use toolcontract_runtime::authz::NoAuthz;

use super::host::{Bed, output, probing, text};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    about: String,
    method: String,
    path: String,
    #[serde(default)]
    body: String,
    /// Instead of the right one; empty: none.
    token: Option<String>,
    host: Option<String>,
    status: u16,
    code: Option<String>,
    /// What the header `Allow` says.
    allow: Option<String>,
}

#[tokio::test]
async fn each_request_gets_its_status() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("data/serve/requests.json");
    let cases: Vec<Case> =
        serde_json::from_str(&std::fs::read_to_string(path).expect("the cases")).expect("JSON");
    assert!(cases.len() >= 50, "only {} cases", cases.len());
    let bed = Bed::new(NoAuthz).await;
    for case in cases {
        let mut host = bed.host();
        if let Some(token) = &case.token {
            host = host.header("authorization", token);
        }
        if let Some(name) = &case.host {
            host = host.header("host", name);
        }
        let answer = host.send(&case.method, &case.path, case.body).await;
        let about = &case.about;
        assert_eq!(answer.status, case.status, "{about}: {}", answer.body);
        if let Some(code) = &case.code {
            assert_eq!(answer.refused(case.status), code, "{about}");
        }
        if let Some(allow) = &case.allow {
            assert_eq!(&answer.headers["allow"], allow, "{about}");
        }
        assert!(answer.headers["x-request-id"].len() == 32, "{about}");
        // So many wrong tokens come one after the other that each would wait.
        bed.clock.advance(std::time::Duration::from_secs(1));
    }
    let body = probing(json!({}), json!({}));
    let (_, outcome) = bed.host().one_call(body, |_| text("ran")).await;
    assert_eq!(output(&outcome), &text("ran"), "the server lives");
}

#[tokio::test]
async fn the_name_of_a_request_comes_back() {
    let bed = Bed::new(NoAuthz).await;
    let named = bed.host().header("x-request-id", "req-7");
    assert_eq!(named.get("/healthz").await.headers["x-request-id"], "req-7");
    let hostile = bed.host().header("x-request-id", "a b");
    assert_ne!(hostile.get("/healthz").await.headers["x-request-id"], "a b");
}

#[tokio::test]
async fn guessing_a_token_gets_slow_and_the_right_one_does_not() {
    let bed = Bed::new(NoAuthz).await;
    let guess = bed
        .host()
        .header("authorization", "Bearer guess-guess-guess");
    for _ in 0..8 {
        assert_eq!(guess.get("/v1/metrics").await.status, 401);
    }
    let slow = tokio::spawn({
        let guess = guess.clone();
        async move { guess.get("/v1/metrics").await.status }
    });
    // Whoever has the token does not wait, and after this the guess has arrived or will wait.
    assert_eq!(bed.host().get("/v1/metrics").await.status, 200);
    while !slow.is_finished() {
        bed.clock.advance(std::time::Duration::from_millis(1));
        tokio::task::yield_now().await;
    }
    assert_eq!(slow.await.unwrap(), 401);
    assert!(bed.clock_moved() >= std::time::Duration::from_millis(500));
    assert_eq!(bed.observer.counts().unauthorized, 9);
}
