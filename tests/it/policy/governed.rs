//! Policies in the whole call: what reaches them, what they stop, and what settings cannot soften.

use serde_json::{Value, json};
use toolcontract_protocol::{
    Dialect, Provenance, ToolContract, ToolOutput, approval::ApprovalAnswer, journal::Record,
};
use toolcontract_runtime::{
    authz::{Enforcement, NoAuthz},
    call::{CallReport, Progress},
    policy::role::{LivePolicy, RolePolicy},
    registry::{Builder, Registry},
};

use super::{catalog, policy};
use crate::runtime::fakes::{Asks, Does, Fake, Log, Person, Rewrites, Told, caller, wait};

const POLICY: &str = r#"
[[role]]
name = "reader"
risk_ceiling = "low"
principals = ["user"]

[[rule]]
id = "read"
effect = "allow"
roles = ["reader"]
tools = ["read_file", "grep"]
reason = "reading is harmless"

[[rule]]
id = "no-secrets"
effect = "deny"
tools = ["read_file"]
when = { pointer = "/path", glob = "**/.env*" }
reason = "secrets stay secret"

[[rule]]
id = "no-vendor"
effect = "deny"
tools = ["read_file"]
when = { pointer = "/path", glob = "vendor/**" }
reason = "vendored code stays closed"

[[rule]]
id = "large"
effect = "ask"
roles = ["reader"]
tools = ["read_file"]
when = { pointer = "/limit", greater = 1000 }
reason = "large reads are looked at"
"#;

struct Lab {
    log: Log,
    journal: std::sync::Arc<Told>,
    registry: Registry,
}

fn lab(
    gate: impl toolcontract_runtime::authz::AuthzGate + 'static,
    more: impl FnOnce(&Log, Builder) -> Builder,
) -> Lab {
    let log = Log::default();
    let journal = Told::new(&log, false);
    let builder = Registry::builder(gate)
        .journal(journal.clone())
        .approvals(Asks {
            person: Person::Approves,
            log: log.clone(),
        });
    let builder = catalog()
        .filter(|contract| ["read_file", "grep", "bash"].contains(&contract.name.as_str()))
        .fold(builder, |builder, contract| {
            let contract = ToolContract {
                output_schema: None,
                events: Vec::new(),
                ..contract.clone()
            };
            builder.dyn_tool(
                Provenance::Builtin,
                contract,
                Fake::new(Does::Return(ToolOutput::text("done")), &log),
            )
        });
    let registry = more(&log, builder).build().expect("a registry");
    Lab {
        log,
        journal,
        registry,
    }
}

fn loaded() -> RolePolicy {
    // The contracts as they are registered.
    let contracts: Vec<ToolContract> = catalog()
        .map(|contract| ToolContract {
            output_schema: None,
            events: Vec::new(),
            ..contract.clone()
        })
        .collect();
    let source = toolcontract_manifest::Source {
        path: "policy.toml".to_owned(),
        bytes: POLICY.into(),
    };
    RolePolicy::parse(&source, &contracts).0.expect("a policy")
}

impl Lab {
    fn call(&self, tool: &str, input: Value) -> CallReport {
        wait(self.registry.call(tool, input, &caller()))
    }
}

fn code(report: &CallReport) -> &str {
    report.code().map_or("none", |code| code.as_str())
}

#[test]
fn a_rule_stops_a_call_and_the_journal_tells_which() {
    let lab = lab(loaded(), |_, builder| builder);
    let denied = lab.call("read_file", json!({ "path": "a/../.env" }));
    assert_eq!((code(&denied), denied.ran), ("denied_by_policy", false));
    assert_eq!(&*denied.trace.decided_by.rule, "rule:no-secrets");
    let Record::Intent(intent) = &lab.journal.entries()[0].record else {
        panic!("an intent comes first");
    };
    assert_eq!(intent.trace, denied.trace);
    // A model learns neither the rule nor its reason.
    let shown = serde_json::to_string(&denied.output).expect("JSON");
    assert!(!shown.contains("secret"), "{shown}");
    let allowed = lab.call("read_file", json!({ "path": "a" }));
    assert_eq!((code(&allowed), allowed.ran), ("none", true));
    let risky = lab.call("bash", json!({ "command": "ls" }));
    assert_eq!((code(&risky), risky.ran), ("denied_by_policy", false));
}

#[test]
fn g5_no_rule_is_asked_about_an_invalid_call() {
    let lab = lab(loaded(), |_, builder| builder);
    let report = lab.call("read_file", json!({ "path": ".env", "limit": "many" }));
    assert_eq!(code(&report), "none");
    let steps = report.trace.steps.iter();
    assert_eq!(
        steps.filter(|step| step.rule.starts_with("rule:")).count(),
        0,
        "{:?}",
        report.trace
    );
    assert!(!report.ran && lab.log.count("ask") == 0);
}

#[test]
fn g6_the_rules_see_the_input_that_would_run() {
    let rewriting = |to: Value| {
        lab(loaded(), move |log, builder| {
            builder.rewriter(Rewrites {
                name: "r".to_owned(),
                to: Some(to),
                fails: false,
                log: log.clone(),
            })
        })
    };
    let denied = rewriting(json!({ "path": ".env" })).call("read_file", json!({ "path": "a" }));
    assert_eq!((code(&denied), denied.ran), ("denied_by_policy", false));
    let allowed = rewriting(json!({ "path": "b" })).call("read_file", json!({ "path": "a" }));
    assert!(allowed.ran);
}

#[test]
fn g7_a_person_is_asked_once_and_only_about_what_would_run() {
    let lab = lab(loaded(), |_, builder| builder);
    let asked = lab.call("read_file", json!({ "path": "a", "limit": 1500 }));
    assert!(asked.ran && lab.log.count("ask") == 1);
    let denied = lab.call("read_file", json!({ "path": ".env", "limit": 1500 }));
    assert!(!denied.ran && lab.log.count("ask") == 1);
}

#[test]
fn softening_reaches_a_denial_and_never_an_error() {
    let soft = lab(loaded(), |_, builder| {
        builder.enforcement(Enforcement::Warn)
    });
    let softened = soft.call("read_file", json!({ "path": ".env" }));
    assert!(softened.ran && softened.softened.len() == 1, "{softened:?}");
    let error = soft.call("read_file", json!({ "path": "/vendor/x" }));
    assert_eq!((code(&error), error.ran), ("policy_error", false));
    let unknown = toolcontract_runtime::caller::Caller::in_process(
        toolcontract_protocol::Principal::Plugin("p".to_owned()),
        caller().session(),
        "c2",
    );
    let unknown = wait(
        soft.registry
            .call("read_file", json!({ "path": "a" }), &unknown),
    );
    assert_eq!((code(&unknown), unknown.ran), ("policy_error", false));
}

#[test]
fn what_every_call_would_be_denied_is_not_shown() {
    let names = |lab: &Lab| {
        let list = lab.registry.advertise(Dialect::Openai, &caller());
        list.tools
            .into_iter()
            .map(|offer| offer.name)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        names(&lab(loaded(), |_, builder| builder)),
        ["grep", "read_file"]
    );
    assert_eq!(names(&lab(NoAuthz, |_, builder| builder)).len(), 3);
}

#[test]
fn what_was_approved_under_another_policy_is_not_approved() {
    let live = LivePolicy::new(loaded());
    let lab = lab(live.clone(), |_, builder| builder);
    let begin = || {
        let input = json!({ "path": "a", "limit": 1500 });
        match wait(lab.registry.begin("read_file", input, &caller())) {
            Progress::Pending(ticket) => ticket,
            Progress::Done(report) => panic!("{report:?}"),
        }
    };
    let resume = |ticket: &toolcontract_runtime::approval::Ticket| {
        wait(
            lab.registry
                .resume(ticket.id(), &caller(), ApprovalAnswer::Approve, None),
        )
    };
    let ticket = begin();
    live.replace(policy(&POLICY.replace("1000", "1200")));
    let report = resume(&ticket);
    assert_eq!((code(&report), report.ran), ("approval_mismatch", false));
    // Positive control: nobody touches the policy, or only its comments.
    let ticket = begin();
    live.replace(policy(&format!(
        "# Reviewed.\n{}",
        POLICY.replace("1000", "1200")
    )));
    assert!(resume(&ticket).ran);
}
