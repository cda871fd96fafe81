//! Bytes that nobody thought of: readers of frames do not panic, and a server that gets them
//! answers with a status and lives.

use proptest::{
    collection::vec,
    prelude::*,
    strategy::ValueTree as _,
    test_runner::{Config, TestRunner},
};
use serde_json::json;
use toolcontract_protocol::{
    SessionSpec,
    frame::{ApprovalAnswerIn, CancelIn, ServerFrame, ToolResultIn},
};
use toolcontract_runtime::authz::NoAuthz;

use super::host::{Bed, output, probing, text};

/// Frames and bodies as they are, to be broken.
const SEEDS: [&str; 6] = [
    r#"{"seq":2,"type":"tool_request","request_id":"tool-0-0","name":"db","input":{"sql":"select 1"}}"#,
    r#"{"seq":4,"type":"turn_complete","outcome":{"status":"completed","text":"done","cost_usd":0.01}}"#,
    r#"{"request_id":"tool-0-0","output":{"ok":{"content":"1 row","data":{"rows":1}}}}"#,
    r#"{"request_id":"tool-0-0","output":{"error":{"message":"no","class":"refused_by_policy"}}}"#,
    r#"{"approval_id":"a","answer":"deny","reason":"no","answered_by":"ada"}"#,
    r#"{"principal":"p","tools":[{"version":1,"schema":{"name":"x","description":"","input_schema":{"type":"object"}},"risk":"low"}]}"#,
];

/// Any bytes, and seeds with some bytes changed, lost or doubled.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let broken = (
        0..SEEDS.len(),
        vec((any::<usize>(), any::<u8>(), 0..3_u8), 1..6),
    )
        .prop_map(|(seed, changes)| {
            let mut bytes = SEEDS[seed].as_bytes().to_vec();
            for (at, byte, how) in changes {
                let at = at % bytes.len().max(1);
                match how {
                    0 if !bytes.is_empty() => bytes[at] = byte,
                    1 if !bytes.is_empty() => drop(bytes.drain(at..(at + 4).min(bytes.len()))),
                    _ => {
                        let tail = bytes[at..].to_vec();
                        bytes.extend(tail);
                    }
                }
            }
            bytes
        });
    prop_oneof![1 => vec(any::<u8>(), 0..300), 4 => broken]
}

#[test]
fn what_is_read_is_written_the_same_and_nothing_panics() {
    let config = Config {
        cases: 4_000,
        failure_persistence: None,
        ..Config::default()
    };
    let mut runner = TestRunner::new(config);
    let check = |bytes: Vec<u8>| {
        if let Ok(frame) = serde_json::from_slice::<ServerFrame>(&bytes) {
            let written = serde_json::to_vec(&frame).expect("a frame is written");
            let again: ServerFrame = serde_json::from_slice(&written).expect("and read");
            prop_assert_eq!(frame, again);
        }
        let _ = serde_json::from_slice::<ToolResultIn>(&bytes);
        let _ = serde_json::from_slice::<ApprovalAnswerIn>(&bytes);
        let _ = serde_json::from_slice::<CancelIn>(&bytes);
        let _ = serde_json::from_slice::<SessionSpec>(&bytes);
        Ok(())
    };
    for seed in SEEDS {
        check(seed.as_bytes().to_vec()).expect("a seed is read");
    }
    runner.run(&bytes(), check).expect("no bytes panic");
}

#[tokio::test]
async fn a_server_lives_through_any_bytes() {
    let bed = Bed::new(NoAuthz).await;
    let host = bed.host();
    let mut runner = TestRunner::deterministic();
    let strategy = bytes();
    for round in 0..200 {
        let bytes = strategy.new_tree(&mut runner).expect("bytes").current();
        let path = match round % 4 {
            0 => "/v1/turns",
            1 => "/v1/turns/x/tool-result",
            2 => "/v1/turns/x/approval-answer",
            _ => "/v1/sessions",
        };
        let answer = host.send("POST", path, bytes).await;
        assert!([200, 400, 404, 429].contains(&answer.status), "{answer:?}");
        if answer.status != 200 {
            answer.refused(answer.status);
        }
        // Turns that were opened by chance go away.
        bed.clock.advance(std::time::Duration::from_secs(31));
    }
    let body = probing(json!({}), json!({}));
    let (_, outcome) = host.one_call(body, |_| text("ran")).await;
    assert_eq!(output(&outcome), &text("ran"));
}
