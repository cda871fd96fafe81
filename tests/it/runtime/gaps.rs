//! What other runtimes of this kind leave open, and this one does not. One test a gap, named for
//! the fact; where cases elsewhere show it in full, the test here is the short form.

use std::sync::Arc;

use serde_json::{Value, json};
use toolcontract_protocol::{
    AuthzEvalError, Decision, Principal, Provenance, RiskLevel, ToolContract, ToolOutput,
    journal::{Intent, Record},
};
use toolcontract_runtime::{
    authz::{AuthzGate, Enforcement, NoAuthz, Rewriter, RiskCeiling},
    call::CallReport,
    ctx::channel,
    registry::{Builder, Registry},
};

use super::fakes::{
    Asks, Does, Fake, Gate, Log, Person, Rewrites, Told, Way, caller, contract, wait,
};

struct Called {
    report: CallReport,
    log: Log,
    journal: Arc<Told>,
}

impl Called {
    fn code(&self) -> &str {
        self.report.code().map_or("none", |code| code.as_str())
    }

    fn class(&self) -> String {
        match &self.report.output {
            ToolOutput::Ok { .. } => "ok".to_owned(),
            ToolOutput::Error { class, .. } => class.to_string(),
        }
    }

    fn intent(&self) -> Intent {
        match &self.journal.entries()[0].record {
            Record::Intent(intent) => Intent::clone(intent),
            Record::Outcome(_) => panic!("an outcome comes first"),
        }
    }
}

/// Calls a tool of which the contract has `facts`, by somebody who approves everything.
fn call(
    provenance: Provenance,
    facts: Value,
    input: Value,
    more: impl FnOnce(Log, Builder) -> Builder,
) -> Called {
    call_that(
        Does::Return(ToolOutput::text("done")),
        provenance,
        facts,
        input,
        more,
    )
}

fn call_that(
    does: Does,
    provenance: Provenance,
    facts: Value,
    input: Value,
    more: impl FnOnce(Log, Builder) -> Builder,
) -> Called {
    let log = Log::default();
    let journal = Told::new(&log, false);
    let builder = Registry::builder(NoAuthz)
        .journal(journal.clone())
        .approvals(Asks {
            person: Person::Approves,
            log: log.clone(),
        })
        .dyn_tool(provenance, contract(facts), Fake::new(does, &log));
    let registry = more(log.clone(), builder).build().expect("a registry");
    let report = wait(registry.call("probe", input, &caller()));
    Called {
        report,
        log,
        journal,
    }
}

fn gate(way: Way) -> impl FnOnce(Log, Builder) -> Builder {
    move |log, builder| builder.and_gate(Gate::new("g", way, &log))
}

fn nothing(_: Log, builder: Builder) -> Builder {
    builder
}

#[test]
fn g1_requires_approval_is_read_and_asks() {
    let with = call(
        Provenance::Builtin,
        json!({ "requires_approval": true }),
        json!({}),
        nothing,
    );
    let without = call(
        Provenance::Builtin,
        json!({ "risk": "destructive" }),
        json!({}),
        nothing,
    );
    assert_eq!((with.log.count("ask"), without.log.count("ask")), (1, 0));
    assert!(with.report.ran && without.report.ran);
}

#[test]
fn g2_registration_validates_and_refuses_duplicates() {
    let two = |second: Value| {
        let log = Log::default();
        let fake = || Fake::new(Does::Panic, &log);
        Registry::builder(NoAuthz)
            .dyn_tool(Provenance::Builtin, contract(json!({})), fake())
            .dyn_tool(Provenance::Builtin, contract(second), fake())
            .build()
    };
    assert!(two(json!({})).is_err());
    assert!(two(json!({ "name": "other", "speculation_safe": true })).is_err());
    assert!(two(json!({ "name": "other" })).is_ok());
}

#[test]
fn g3_effective_facts_decide_and_ceilings_are_real() {
    let under = |provenance, risk: &str| {
        let ceiling = |_, builder: Builder| builder.and_gate(RiskCeiling(RiskLevel::Medium));
        call(provenance, json!({ "risk": risk }), json!({}), ceiling)
            .report
            .ran
    };
    assert!(under(Provenance::Builtin, "medium"));
    assert!(!under(Provenance::Builtin, "high"));
    // A claim of a low risk lowers nothing.
    assert!(!under(Provenance::Declared, "low"));
    assert!(under(
        Provenance::Adopted {
            digest: "0".repeat(64)
        },
        "low"
    ));
    let journalled = call(
        Provenance::Declared,
        json!({ "risk": "low", "version": 4 }),
        json!({}),
        nothing,
    );
    assert_eq!(
        (journalled.intent().risk, journalled.intent().version),
        (RiskLevel::High, 4)
    );
}

#[test]
fn g4_every_tool_is_validated_in_both_directions_wherever_it_came_from() {
    for provenance in [
        Provenance::Builtin,
        Provenance::Adopted {
            digest: "0".repeat(64),
        },
        Provenance::Declared,
    ] {
        let wrong = call(provenance.clone(), json!({}), json!({ "path": 1 }), nothing);
        assert_eq!(
            (wrong.class().as_str(), wrong.log.count("tool")),
            ("invalid_input", 0)
        );
        let promise = json!({ "output_schema": { "type": "object", "required": ["n"] } });
        let broken = call(provenance.clone(), promise.clone(), json!({}), nothing);
        assert_eq!(
            (broken.class().as_str(), broken.code()),
            ("invalid_output", "missing_data")
        );
        let kept = Does::Return(ToolOutput::with_data("1", json!({ "n": 1 })));
        assert_eq!(
            call_that(kept, provenance, promise, json!({}), nothing).class(),
            "ok"
        );
    }
}

#[test]
fn g5_no_person_is_asked_about_an_invalid_call() {
    let facts = json!({ "requires_approval": true });
    let invalid = call(
        Provenance::Builtin,
        facts.clone(),
        json!({ "path": 1 }),
        gate(Way::Ask),
    );
    assert_eq!(
        (invalid.log.count("ask"), invalid.log.count("gate")),
        (0, 0)
    );
    let valid = call(
        Provenance::Builtin,
        facts,
        json!({ "path": "a" }),
        gate(Way::Ask),
    );
    assert_eq!((valid.log.count("ask"), valid.log.count("gate")), (1, 1));
}

/// Denies one path.
struct NoSecrets;

impl AuthzGate for NoSecrets {
    fn name(&self) -> &str {
        "no-secrets"
    }

    fn check(
        &self,
        _: &ToolContract,
        _: &Principal,
        input: &Value,
    ) -> Result<Decision, AuthzEvalError> {
        Ok(match input["path"] == "secret" {
            true => Decision::deny("secret"),
            false => Decision::Allow,
        })
    }

    fn is_pure(&self) -> bool {
        true
    }
}

#[test]
fn g6_what_runs_is_what_was_authorized() {
    let rewritten = |to: Value| {
        call(
            Provenance::Builtin,
            json!({}),
            json!({ "path": "a" }),
            |log, builder| {
                let rewriter = Rewrites {
                    name: "r".to_owned(),
                    to: Some(to),
                    fails: false,
                    log,
                };
                builder.and_gate(NoSecrets).rewriter(rewriter)
            },
        )
    };
    let secret = rewritten(json!({ "path": "secret" }));
    assert_eq!(
        (secret.code(), secret.log.count("tool")),
        ("denied_by_gate", 0)
    );
    let harmless = rewritten(json!({ "path": "b" }));
    assert_eq!(
        harmless
            .log
            .lines()
            .iter()
            .filter(|l| l.starts_with("tool"))
            .collect::<Vec<_>>(),
        [r#"tool {"path":"b"}"#]
    );
}

#[test]
fn g7_one_question_and_only_when_nobody_denies() {
    let asked = |more: fn(Log, Builder) -> Builder| {
        let called = call(
            Provenance::Builtin,
            json!({ "requires_approval": true }),
            json!({}),
            more,
        );
        (called.log.count("ask"), called.report.ran)
    };
    assert_eq!(
        asked(
            |log, b| b.and_gate(Gate::new("g", Way::Ask, &log)).hook(Gate::new(
                "h",
                Way::Ask,
                &log
            ))
        ),
        (1, true)
    );
    assert_eq!(
        asked(|log, b| b.hook(Gate::new("h", Way::Deny, &log))),
        (0, false)
    );
    assert_eq!(
        asked(|log, b| b.operator(Gate::new("o", Way::Deny, &log))),
        (0, false)
    );
    assert_eq!(
        asked(|log, b| b.and_gate(Gate::new("g", Way::Fail, &log))),
        (0, false)
    );
}

#[test]
fn g8_a_gate_that_asks_reaches_a_person() {
    let called = call(Provenance::Builtin, json!({}), json!({}), gate(Way::Ask));
    assert_eq!((called.log.count("ask"), called.report.ran), (1, true));
}

#[test]
fn g9_softening_softens_a_denial_and_never_an_error() {
    let warned = |way| {
        call(Provenance::Builtin, json!({}), json!({}), |log, builder| {
            builder
                .enforcement(Enforcement::Warn)
                .and_gate(Gate::new("g", way, &log))
        })
    };
    let denied = warned(Way::Deny);
    assert!(denied.report.ran);
    assert_eq!(
        denied.report.softened,
        [("g".to_owned(), "g says no".to_owned())]
    );
    assert_eq!(denied.intent().softened.as_deref(), Some("g: g says no"));
    for way in [Way::Fail, Way::Panic] {
        let failed = warned(way);
        assert_eq!((failed.code(), failed.report.ran), ("policy_error", false));
    }
}

#[test]
fn g10_the_journal_names_tool_principal_rules_and_approval() {
    let called = call(
        Provenance::Builtin,
        json!({ "requires_approval": true }),
        json!({ "path": "a" }),
        gate(Way::Allow),
    );
    let intent = called.intent();
    assert_eq!(
        (intent.tool.as_str(), &intent.principal),
        ("probe", &Principal::User)
    );
    assert_eq!(intent.definition_digest.len(), 64);
    assert_eq!(
        Some(&intent.input_digest),
        called.report.input_digest.as_ref()
    );
    let rules: Vec<&str> = intent.trace.steps.iter().map(|step| &*step.rule).collect();
    assert_eq!(
        rules,
        ["gate:g", "gate:no-authz", "contract:requires_approval"]
    );
    assert_eq!(&*intent.trace.decided_by.rule, "contract:requires_approval");
    let approval = intent.approval.expect("how the question ended");
    assert_eq!(approval.answered_by.as_deref(), Some("ada"));
    // A refusal is written down as fully.
    let denied = call(Provenance::Builtin, json!({}), json!({}), gate(Way::Deny)).intent();
    assert_eq!(
        (denied.tool.as_str(), &*denied.trace.decided_by.rule),
        ("probe", "gate:g")
    );
}

#[test]
fn g16_progress_is_declared_emitted_and_heard() {
    let progress = toolcontract_runtime::ctx::AnyEvent {
        name: "tool.call.progress".to_owned(),
        payload: json!({ "stage": "working" }),
    };
    let (sink, mut events) = channel(4);
    let called = call_that(
        Does::Emit(vec![progress]),
        Provenance::Builtin,
        json!({ "events": ["tool.call.progress"] }),
        json!({}),
        |_, builder| builder.events(sink),
    );
    assert!(called.report.ran);
    let event = events.try_recv().expect("an event");
    assert_eq!(event.envelope.name, "tool.call.progress");
    assert_eq!(event.envelope.payload["call_id"], "c1");
}

#[test]
fn g17_an_unknown_risk_is_the_worst_and_unlocks_nothing() {
    let called = call(
        Provenance::Builtin,
        json!({ "risk": "LOW " }),
        json!({}),
        |_, builder| builder.and_gate(RiskCeiling(RiskLevel::High)),
    );
    assert_eq!(
        (called.code(), called.intent().risk),
        ("denied_by_gate", RiskLevel::Destructive)
    );
}

#[test]
fn g19_a_question_is_bound_to_call_input_principal_and_time() {
    use toolcontract_runtime::call::Progress;
    let log = Log::default();
    let registry = Registry::builder(NoAuthz)
        .dyn_tool(
            Provenance::Builtin,
            contract(json!({ "requires_approval": true })),
            Fake::new(Does::Panic, &log),
        )
        .build()
        .unwrap();
    let Progress::Pending(ticket) =
        wait(registry.begin("probe", json!({ "path": "a" }), &caller()))
    else {
        panic!("nobody is asked")
    };
    let request = &ticket.request;
    assert_eq!(
        (request.approval_id.len(), request.call_id.as_str()),
        (32, "c1")
    );
    assert_eq!(
        (
            request.binding.input_digest.len(),
            request.binding.definition_digest.len()
        ),
        (64, 64)
    );
    assert_eq!(
        (
            &request.binding.principal,
            request.binding.session_id.as_str()
        ),
        (&Principal::User, "s1")
    );
    assert!(request.expires_at.ends_with('Z') && request.expires_at.len() == 24);
    assert_eq!(request.risk, RiskLevel::Low);
}

/// A policy that is loaded again while it is asked.
struct Restless(std::sync::atomic::AtomicU64);

impl AuthzGate for Restless {
    fn name(&self) -> &str {
        "restless"
    }

    fn check(
        &self,
        _: &ToolContract,
        _: &Principal,
        _: &Value,
    ) -> Result<Decision, AuthzEvalError> {
        self.0.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        Ok(Decision::Allow)
    }

    fn revision(&self) -> String {
        self.0.load(std::sync::atomic::Ordering::SeqCst).to_string()
    }

    fn is_pure(&self) -> bool {
        true
    }
}

#[test]
fn a_policy_that_changes_while_it_is_asked_denies() {
    let called = call(Provenance::Builtin, json!({}), json!({}), |_, builder| {
        builder.and_gate(Restless(0.into()))
    });
    assert_eq!((called.code(), called.report.ran), ("policy_error", false));
}

/// Blocks for a moment, so it has a thread of its own.
struct Aside(&'static str, Option<Value>, std::thread::ThreadId);

impl AuthzGate for Aside {
    fn name(&self) -> &str {
        self.0
    }

    fn check(
        &self,
        _: &ToolContract,
        _: &Principal,
        input: &Value,
    ) -> Result<Decision, AuthzEvalError> {
        assert_ne!(std::thread::current().id(), self.2);
        Ok(match input["path"] == "b" {
            true => Decision::deny("b"),
            false => Decision::Allow,
        })
    }
}

impl Rewriter for Aside {
    fn name(&self) -> &str {
        self.0
    }

    fn rewrite(
        &self,
        _: &ToolContract,
        _: &Principal,
        _: &Value,
    ) -> Result<Option<Value>, AuthzEvalError> {
        assert_ne!(std::thread::current().id(), self.2);
        Ok(self.1.clone())
    }
}

#[test]
fn what_may_block_is_asked_on_a_thread_of_its_own() {
    let here = std::thread::current().id();
    let rewritten = |to: Option<Value>| {
        call(
            Provenance::Builtin,
            json!({}),
            json!({ "path": "a" }),
            |_, builder| {
                builder
                    .rewriter(Aside("r", to, here))
                    .and_gate(Aside("g", None, here))
                    .hook(Aside("h", None, here))
            },
        )
    };
    assert!(rewritten(None).report.ran);
    let refused = rewritten(Some(json!({ "path": "b" })));
    assert_eq!(
        (refused.code(), refused.report.ran),
        ("denied_by_gate", false)
    );
}

/// No side door: speculation, retry, batches and surfaces all go through the call.
#[test]
fn one_place_runs_tools_and_one_place_permits() {
    let source = std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../crates/runtime/src");
    let mut open = vec![source];
    let mut found: Vec<(&str, String)> = Vec::new();
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(
                std::fs::read_dir(path)
                    .unwrap()
                    .map(|entry| entry.unwrap().path()),
            );
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        for door in [
            "runner.run(",
            "-> AuthorizedCall {",
            "AuthorizedCall {\n            call",
            "Grant { resolved }",
        ] {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            found.extend(text.matches(door).map(|_| (door, name.clone())));
        }
    }
    found.sort();
    assert_eq!(
        found,
        [
            ("-> AuthorizedCall {", "authorize.rs".to_owned()),
            // What the fold allows, and what a person does.
            (
                "AuthorizedCall {\n            call",
                "authorize.rs".to_owned()
            ),
            (
                "AuthorizedCall {\n            call",
                "authorize.rs".to_owned()
            ),
            ("Grant { resolved }", "ledger.rs".to_owned()),
            ("runner.run(", "launch.rs".to_owned()),
        ]
    );
}
