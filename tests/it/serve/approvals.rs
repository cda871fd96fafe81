//! Who asks a person is said when the session is opened: nobody, the host for what its own contract
//! asks, or a frame. What a gate asks is never the host's to decide.

use std::time::Duration;

use serde_json::{Value, json};
use toolcontract_protocol::{AuthzEvalError, Decision, Principal, ToolContract, journal::Record};
use toolcontract_runtime::authz::{AuthzGate, NoAuthz};

use super::host::{Bed, Host, judge, output, probing, text};

/// Asks about every call.
#[derive(Clone)]
struct Asking;

impl AuthzGate for Asking {
    fn name(&self) -> &str {
        "asking"
    }

    fn check(
        &self,
        _: &ToolContract,
        _: &Principal,
        _: &Value,
    ) -> Result<Decision, AuthzEvalError> {
        Ok(Decision::require_approval("the gate wants a yes"))
    }

    fn is_pure(&self) -> bool {
        true
    }
}

fn body(approvals: Option<&str>, requires_approval: bool) -> Value {
    let facts = json!({ "requires_approval": requires_approval });
    let mut body = probing(facts, json!({ "path": "a" }));
    if let Some(approvals) = approvals {
        body["approvals"] = json!(approvals);
    }
    body
}

#[tokio::test]
async fn by_default_a_call_that_needs_a_person_is_refused() {
    for approvals in [None, Some("refuse"), Some("of a later version")] {
        let bed = Bed::new(NoAuthz).await;
        let (frames, outcome) = bed
            .host()
            .one_call(body(approvals, true), |_| text("ran"))
            .await;
        assert!(frames.iter().all(|frame| frame["type"] != "tool_request"));
        let code = &output(&outcome)["error"]["code"];
        assert_eq!(code, "approval_unanswerable", "{approvals:?}");
    }
    let bed = Bed::new(NoAuthz).await;
    let (_, outcome) = bed
        .host()
        .one_call(body(None, false), |_| text("ran"))
        .await;
    assert_eq!(output(&outcome), &text("ran"), "nobody needs to be asked");
}

#[tokio::test]
async fn a_host_that_asks_its_own_people_is_trusted_with_its_own_contract_alone() {
    let bed = Bed::new(NoAuthz).await;
    let (frames, outcome) = bed
        .host()
        .one_call(body(Some("host"), true), |_| text("asked and ran"))
        .await;
    assert!(frames.iter().any(|frame| frame["type"] == "tool_request"));
    assert_eq!(output(&outcome), &text("asked and ran"));
    let entries = bed.journal.entries();
    let Record::Intent(intent) = &entries[0].record else {
        panic!("an intent comes first");
    };
    let steps = &intent.trace.steps;
    let step = steps
        .iter()
        .find(|step| &*step.rule == "contract:requires_approval")
        .expect("the journal says who asks");
    assert!(step.description.contains("delegated to the host"));
    assert!(intent.approval.is_none());

    // A gate that wants a person asked is not answered by the host.
    for requires_approval in [true, false] {
        let bed = Bed::new(Asking).await;
        let (frames, outcome) = bed
            .host()
            .one_call(body(Some("host"), requires_approval), |_| text("ran"))
            .await;
        assert!(frames.iter().all(|frame| frame["type"] != "tool_request"));
        let code = &output(&outcome)["error"]["code"];
        assert_eq!(code, "approval_unanswerable");
    }
}

async fn answer(host: &Host, turn: &str, question: &Value, body: Value) -> super::host::Answer {
    let mut whole = json!({ "approval_id": question["request"]["approval_id"] });
    let body = body.as_object().cloned().unwrap();
    whole.as_object_mut().unwrap().extend(body);
    host.post(&format!("/v1/turns/{turn}/approval-answer"), &whole)
        .await
}

#[tokio::test]
async fn a_frame_asks_and_a_yes_lets_the_call_out() {
    let bed = Bed::new(Asking).await;
    let host = bed.host();
    let turn = host.turn(body(Some("frame"), true)).await;
    let mut frames = host.frames(&turn, 0).await;
    let question = frames.until("approval_request").await;
    judge("ApprovalRequest", &question["request"]);
    assert_eq!(question["input"], json!({ "path": "a" }));
    assert_eq!(
        question["request"]["asked_by"],
        json!(["gate:asking", "contract:requires_approval"])
    );
    assert_eq!(question["request"]["binding"]["principal"], "host:acct_9");
    assert_eq!(question["request"]["binding"]["surface"], "serve");

    let yes = json!({ "answer": "approve", "answered_by": "ada" });
    answer(&host, &turn, &question, yes.clone())
        .await
        .ok("Accepted");
    let request = frames.until("tool_request").await;
    let again = answer(&host, &turn, &question, yes).await;
    assert_eq!(again.refused(409), "answered_already");
    host.result(&turn, &request, text("ran"))
        .await
        .ok("Accepted");
    let end = frames.until("turn_complete").await;
    assert_eq!(output(&end["outcome"]), &text("ran"));

    let entries = bed.journal.entries();
    let Record::Intent(intent) = &entries[0].record else {
        panic!("an intent comes first");
    };
    let approval = intent.approval.as_ref().expect("how it ended");
    assert_eq!(approval.answered_by.as_deref(), Some("ada"));
}

#[tokio::test]
async fn a_no_and_a_word_that_nobody_knows_are_a_no() {
    for said in ["deny", "later", "yes"] {
        let bed = Bed::new(NoAuthz).await;
        let host = bed.host();
        let turn = host.turn(body(Some("frame"), true)).await;
        let mut frames = host.frames(&turn, 0).await;
        let question = frames.until("approval_request").await;
        answer(&host, &turn, &question, json!({ "answer": said }))
            .await
            .ok("Accepted");
        let end = frames.until("turn_complete").await;
        let code = &output(&end["outcome"])["error"]["code"];
        assert_eq!(code, "approval_refused", "{said}");
        assert_eq!(bed.observer.counts().requests_sent, 1, "only the question");
    }
}

#[tokio::test]
async fn a_question_that_nobody_answers_in_time_is_a_no() {
    let bed = Bed::new(NoAuthz).await;
    let host = bed.host();
    let mut body = body(Some("frame"), true);
    body["approval_timeout_ms"] = json!(20_000);
    let turn = host.turn(body).await;
    let mut frames = host.frames(&turn, 0).await;
    let question = frames.until("approval_request").await;
    assert_eq!(
        question["request"]["expires_at"],
        "2026-08-10T12:00:20.000Z"
    );
    bed.clock.advance(Duration::from_secs(20));
    let end = frames.until("turn_complete").await;
    let code = &output(&end["outcome"])["error"]["code"];
    assert_eq!(code, "approval_expired");
    let late = answer(&host, &turn, &question, json!({ "answer": "approve" })).await;
    assert_eq!(late.refused(409), "answered_too_late");
}

#[tokio::test]
async fn an_answer_on_another_turn_answers_nothing() {
    let bed = Bed::new(NoAuthz).await;
    let host = bed.host();
    let asked = host.turn(body(Some("frame"), true)).await;
    let other = host.turn(body(Some("frame"), true)).await;
    let mut frames = host.frames(&asked, 0).await;
    let question = frames.until("approval_request").await;
    let yes = json!({ "answer": "approve" });
    let foreign = answer(&host, &other, &question, yes.clone()).await;
    assert_eq!(foreign.refused(409), "never_asked");
    answer(&host, &asked, &question, yes).await.ok("Accepted");
    frames.until("tool_request").await;
    assert_eq!(bed.observer.counts().answers_foreign, 1);
}

/// The names of the events about an approval, in the order in which the host reads them.
fn told(frames: &[Value]) -> Vec<&str> {
    let names = frames
        .iter()
        .filter_map(|frame| frame["event"]["name"].as_str());
    names.filter(|name| name.starts_with("approval.")).collect()
}

#[tokio::test]
async fn the_host_hears_that_somebody_is_asked_and_what_they_say() {
    // Where nobody is asked, that is told as well.
    let bed = Bed::new(NoAuthz).await;
    let (frames, _) = bed.host().one_call(body(None, true), |_| text("ran")).await;
    assert_eq!(told(&frames), ["approval.requested", "approval.denied"]);
    let (frames, _) = bed
        .host()
        .one_call(body(None, false), |_| text("ran"))
        .await;
    assert_eq!(told(&frames), [""; 0]);

    for (said, end) in [("approve", "approval.granted"), ("deny", "approval.denied")] {
        let host = bed.host();
        let turn = host.turn(body(Some("frame"), true)).await;
        let mut reading = host.frames(&turn, 0).await;
        let mut frames = Vec::new();
        loop {
            let frame = reading.next().await.expect("the turn ends");
            match frame["type"].as_str() {
                Some("approval_request") => {
                    assert_eq!(told(&frames), ["approval.requested"]);
                    let yes_or_no = json!({ "answer": said, "answered_by": "ada" });
                    answer(&host, &turn, &frame, yes_or_no).await.ok("Accepted");
                }
                Some("tool_request") => {
                    let taken = host.result(&turn, &frame, text("ran")).await;
                    taken.ok("Accepted");
                }
                Some("turn_complete") => break,
                _ => {}
            }
            frames.push(frame);
        }
        assert_eq!(told(&frames), ["approval.requested", end]);
        let resolved = frames.iter().find(|frame| frame["event"]["name"] == end);
        let resolved = &resolved.unwrap()["event"];
        assert_eq!(resolved["payload"]["answered_by"], "ada");
        assert_eq!(resolved["turn_id"], json!(turn));
    }
}
