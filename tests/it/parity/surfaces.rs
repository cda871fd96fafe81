//! A case, and what it comes to in process and over the serve wire.

use std::{sync::Arc, time::Duration};

use serde::Deserialize;
use serde_json::{Value, json};
use toolcontract_protocol::{
    Provenance, RiskLevel, ToolContract, ToolOutput, approval::ApprovalAnswer,
    journal::JournalEntry,
};
use toolcontract_runtime::{
    approval::{Answered, Approver, Nobody, Programmatic, Ticket},
    authz::{Enforcement, RiskCeiling},
    clock::ManualClock,
    journal::MemoryJournal,
    registry::{Builder, Registry},
    serve::Scripted,
    tool::BoxFuture,
};

use crate::{
    runtime::fakes::{Does, Fake, Gate, Log, NOON, Way, caller},
    serve::host::Bed,
};

/// One call, and what it must come to on every surface.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Case {
    pub(super) about: String,
    /// How the gate answers: a word, or `ceiling:RISK`.
    #[serde(default)]
    gate: Option<String>,
    #[serde(default)]
    operator: Option<String>,
    #[serde(default)]
    enforcement: Option<String>,
    /// What a person says who is asked; absent: nobody is there.
    #[serde(default)]
    pub(super) person: Option<String>,
    /// Facts over the mildest ones.
    #[serde(default)]
    contract: Value,
    /// The tool that is called.
    #[serde(default)]
    tool: Option<String>,
    #[serde(default)]
    arguments: Option<String>,
    /// What the tool gives.
    #[serde(default)]
    gives: Option<ToolOutput>,
    pub(super) must: Value,
}

/// What a surface let be seen.
#[derive(Debug, PartialEq)]
pub(super) struct Seen {
    pub(super) output: Value,
    pub(super) journal: Vec<Value>,
}

impl Case {
    pub(super) fn tool(&self) -> &str {
        self.tool.as_deref().unwrap_or("probe")
    }

    pub(super) fn arguments(&self) -> String {
        let text = self.arguments.as_deref().unwrap_or("{}");
        text.replace("$MEBIBYTE", &"x".repeat(1 << 20))
            .replace("$DEEP", &format!("{}{}", "[".repeat(70), "]".repeat(70)))
    }

    fn gives(&self) -> ToolOutput {
        let text = || ToolOutput::text("ran");
        self.gives.clone().unwrap_or_else(text)
    }

    pub(super) fn contract(&self) -> ToolContract {
        let mut whole = json!({
            "name": "probe",
            "description": "Probes.",
            "input_schema": {
                "type": "object",
                "additionalProperties": false,
                "properties": {
                    "path": { "type": "string", "maxLength": 8 },
                    "count": { "type": "integer" },
                },
            },
            "risk": "low",
        });
        let facts = self.contract.as_object().cloned().unwrap_or_default();
        whole.as_object_mut().unwrap().extend(facts);
        serde_json::from_value(whole).unwrap()
    }

    /// What governs the call, the same on every surface; no tool yet.
    pub(super) fn governed(&self) -> Builder {
        let log = Log::default();
        let way = |word: &Option<String>| Way::of(word.as_deref().unwrap_or("allow"));
        let ceiling = self
            .gate
            .as_deref()
            .and_then(|g| g.strip_prefix("ceiling:"));
        let mut builder = match ceiling {
            Some(risk) => Registry::builder(RiskCeiling(RiskLevel::from_token(risk).unwrap())),
            None => Registry::builder(Gate::new("g1", way(&self.gate), &log)),
        };
        if self.operator.is_some() {
            builder = builder.operator(Gate::new("o1", way(&self.operator), &log));
        }
        builder.enforcement(match self.enforcement.as_deref() {
            Some("warn") => Enforcement::Warn,
            None => Enforcement::Enforce,
            other => panic!("enforcement {other:?}"),
        })
    }

    /// The same with the tool in the program.
    pub(super) fn with_tool(
        &self,
        journal: &Arc<MemoryJournal>,
        clock: &Arc<ManualClock>,
    ) -> Builder {
        let fake = Fake::new(Does::Return(self.gives()), &Log::default());
        self.governed()
            .clock(clock.clone())
            .journal(journal.clone())
            .dyn_tool(Provenance::Declared, self.contract(), fake)
    }

    pub(super) async fn in_process(&self) -> Seen {
        let journal = Arc::new(MemoryJournal::default());
        let clock = Arc::new(ManualClock::at(NOON));
        let builder = self.with_tool(&journal, &clock);
        let programmatic = |answer: ApprovalAnswer| Programmatic {
            by: "ada".to_owned(),
            answer: move |_: &_| answer.clone(),
        };
        let builder = match self.person.as_deref() {
            Some("approves") => builder.approvals(programmatic(ApprovalAnswer::Approve)),
            Some("denies") => {
                builder.approvals(programmatic(ApprovalAnswer::Deny { reason: None }))
            }
            Some("silent") => builder.approvals(Silent(clock)),
            None => builder.approvals(Nobody),
            other => panic!("person {other:?}"),
        };
        let registry = builder.build().unwrap();
        let report = registry
            .call(self.tool(), self.arguments().as_str(), &caller())
            .await;
        Seen {
            output: json!(report.output),
            journal: masked(&journal.entries()),
        }
    }

    pub(super) async fn over_serve(&self) -> Seen {
        let case = self.clone();
        let bed = Bed::begun(move || case.governed(), Scripted, |limits| limits).await;
        let host = bed.host();
        let approvals = if self.person.is_some() {
            "frame"
        } else {
            "refuse"
        };
        let body = json!({
            "tools": [self.contract()],
            "approvals": approvals,
            "script": [{ "tool": self.tool(), "arguments": self.arguments() }],
        });
        let turn = host.turn(body).await;
        let mut frames = host.frames(&turn, 0).await;
        let output = loop {
            let frame = frames.next().await.expect("the turn ends");
            if frame["type"] == "tool_request" {
                let output = json!(self.gives());
                host.result(&turn, &frame, output).await.ok("Accepted");
            } else if frame["type"] == "approval_request" {
                let answer = match self.person.as_deref() {
                    Some("approves") => "approve",
                    Some("silent") => {
                        bed.clock.advance(PATIENCE);
                        continue;
                    }
                    _ => "deny",
                };
                let id = &frame["request"]["approval_id"];
                let body = json!({ "approval_id": id, "answer": answer });
                host.post(&format!("/v1/turns/{turn}/approval-answer"), &body)
                    .await
                    .ok("Accepted");
            } else if frame["type"] == "turn_complete" {
                break frame["outcome"]["outputs"][0]["output"].clone();
            }
        };
        Seen {
            output,
            journal: masked(&bed.journal.entries()),
        }
    }
}

/// How long a person is waited for.
pub(super) const PATIENCE: Duration = Duration::from_secs(120);

/// Somebody who is asked, and lets time pass.
struct Silent(Arc<ManualClock>);

impl Approver for Silent {
    fn ask<'a>(&'a self, _: &'a Ticket) -> BoxFuture<'a, Answered> {
        self.0.advance(PATIENCE);
        Box::pin(std::future::pending())
    }
}

/// What may differ: who, where, when, and the names of sessions, calls and questions.
const MASKED: [&str; 9] = [
    "timestamp",
    "session_id",
    "call_id",
    "approval_id",
    "principal",
    "surface",
    "duration_ms",
    "answered_by",
    "sequence",
];

/// The journal without what may differ.
pub(super) fn masked(entries: &[JournalEntry]) -> Vec<Value> {
    let mut values: Vec<Value> = entries.iter().map(|entry| json!(entry)).collect();
    values.iter_mut().for_each(mask);
    values
}

fn mask(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.retain(|key, _| !MASKED.contains(&key.as_str()));
            members.values_mut().for_each(mask);
        }
        Value::Array(items) => items.iter_mut().for_each(mask),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
