//! The gate on the real catalog: what is refused at load, what is decided, and that no failure of
//! Cedar's is an allow. Each denial has the call beside it that is allowed.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use serde_json::{Value, json};
use toolcontract_cedar::{CedarError, CedarGate};
use toolcontract_protocol::{Decision, Principal, Provenance, ToolContract, trace::StepOutcome};
use toolcontract_runtime::authz::AuthzGate as _;

fn catalog() -> Vec<&'static ToolContract> {
    stella_contracts::catalog().to_vec()
}

fn gate(policies: &str) -> CedarGate {
    CedarGate::new(policies, catalog()).unwrap_or_else(|error| panic!("{error}"))
}

fn contract(name: &str) -> &'static ToolContract {
    catalog()
        .into_iter()
        .find(|contract| contract.name == name)
        .expect("a tool")
}

#[track_caller]
fn check(gate: &CedarGate, principal: &Principal, tool: &str, input: Value, expected: &str) {
    let evaluation = gate.check_traced(contract(tool), principal, &input);
    let word = match &evaluation.result {
        Ok(Decision::Allow) => "allow",
        Ok(Decision::Deny { .. }) => "deny",
        Ok(Decision::RequireApproval { .. }) => "ask",
        Err(_) => "error",
    };
    let decided = &evaluation.steps[evaluation.decided_by];
    assert_eq!(
        format!("{word} by {}", decided.rule),
        expected,
        "{evaluation:?}"
    );
    // What the fold asks of every gate: the deciding step bears out the answer.
    let borne_out = match word {
        "allow" => StepOutcome::Allow,
        "deny" => StepOutcome::Deny,
        "ask" => StepOutcome::PendingApproval,
        _ => StepOutcome::Error,
    };
    assert_eq!(decided.outcome, Some(borne_out));
    assert!(
        !format!("{evaluation:?}").contains("hush"),
        "a value of the input is told"
    );
}

const POLICIES: &str = r#"
@id("read")
permit (principal, action, resource) when { resource.read_only };

@id("shell") @ask("a shell can do anything")
permit (principal == User::"user", action == Action::"bash", resource);

@id("notes")
permit (principal, action in Action::"group:scratch", resource);

@id("no-secrets") @reason("environment files may hold secrets")
forbid (principal, action == Action::"read_file", resource) when { context.input.path like "*.env*" };

@id("no-net")
forbid (principal is SubAgent, action, resource) when { resource.open_world };
"#;

#[test]
fn calls_are_decided_by_policies() {
    let gate = gate(POLICIES);
    let user = Principal::User;
    check(
        &gate,
        &user,
        "read_file",
        json!({ "path": "a" }),
        "allow by cedar:read",
    );
    check(
        &gate,
        &user,
        "read_file",
        json!({ "path": "hush/.env" }),
        "deny by cedar:no-secrets",
    );
    check(
        &gate,
        &user,
        "bash",
        json!({ "command": "hush" }),
        "ask by cedar:shell",
    );
    check(
        &gate,
        &user,
        "save_state",
        json!({ "key": "a", "content": "hush" }),
        "allow by cedar:notes",
    );
    check(
        &gate,
        &user,
        "delete_file",
        json!({ "path": "a" }),
        "deny by cedar:default",
    );
    let host = Principal::Host("vera".to_owned());
    check(
        &gate,
        &host,
        "bash",
        json!({ "command": "ls" }),
        "deny by cedar:default",
    );
}

#[test]
fn a_sub_agent_is_never_freer_than_who_started_it() {
    let gate = gate(POLICIES);
    let sub = Principal::User.spawn("a");
    check(
        &gate,
        &sub,
        "read_file",
        json!({ "path": "a" }),
        "allow by cedar:read",
    );
    check(
        &gate,
        &sub,
        "web_fetch",
        json!({ "url": "https://x.example" }),
        "deny by cedar:no-net",
    );
    check(
        &gate,
        &Principal::User,
        "web_fetch",
        json!({ "url": "https://x.example" }),
        "allow by cedar:read",
    );
    // The user may be asked, the sub-agent has no such policy.
    check(
        &gate,
        &sub,
        "bash",
        json!({ "command": "ls" }),
        "deny by cedar:no-net",
    );
    let both = CedarGate::new(
        "permit (principal is SubAgent, action, resource);\n@ask(\"sure?\") permit (principal == User::\"user\", action, resource);",
        catalog(),
    )
    .expect("policies");
    check(
        &both,
        &sub,
        "bash",
        json!({ "command": "ls" }),
        "ask by cedar:policy1",
    );
    let other = Principal::Host("h".to_owned()).spawn("a");
    check(
        &both,
        &other,
        "bash",
        json!({ "command": "ls" }),
        "deny by cedar:default",
    );
}

/// Cedar skips a policy that fails, also one that forbids.
#[test]
fn a_policy_that_fails_denies() {
    let gate = gate(
        "@id(\"all\") permit (principal, action, resource);\n\
         @id(\"sum\") forbid (principal, action == Action::\"read_file\", resource)\n\
         when { context.input has limit && context.input.limit + 9223372036854775807 > 0 };",
    );
    check(
        &gate,
        &Principal::User,
        "read_file",
        json!({ "path": "a" }),
        "allow by cedar:all",
    );
    check(
        &gate,
        &Principal::User,
        "read_file",
        json!({ "path": "a", "limit": 2 }),
        "error by cedar:sum",
    );
}

#[test]
fn what_cedar_cannot_hold_is_an_error() {
    let gate = gate("permit (principal, action, resource);");
    let user = Principal::User;
    check(
        &gate,
        &user,
        "read_file",
        json!({ "path": "a", "limit": 3 }),
        "allow by cedar:policy0",
    );
    for input in [
        json!({ "path": "a", "limit": u64::MAX }),
        json!({ "path": "a", "limit": 1.5 }),
        json!({ "path": null }),
        json!({ "path": ["hush"] }),
        json!({ "path": "a", "hush": 1 }),
        json!({ "limit": 1 }),
        json!({ "path": { "__entity": { "type": "User", "id": "user" } } }),
    ] {
        check(&gate, &user, "read_file", input, "error by gate:cedar");
    }
}

#[test]
fn a_tool_that_the_policies_were_not_validated_against_is_an_error() {
    let gate = gate("permit (principal, action, resource);");
    let served = ToolContract::declared("mcp__a__b", "Does.", json!({ "type": "object" }));
    assert!(gate.check(&served, &Principal::User, &json!({})).is_err());
    let other = ToolContract {
        version: 99,
        ..contract("read_file").clone()
    };
    assert!(
        gate.check(&other, &Principal::User, &json!({ "path": "a" }))
            .is_err()
    );
}

#[test]
fn claims_buy_nothing() {
    let text = "permit (principal, action, resource) when { resource.read_only && resource.risk == \"low\" };";
    let of = |provenance: Provenance| ToolContract {
        provenance,
        ..contract("read_file").clone()
    };
    let (trusted, claimed) = (of(Provenance::Builtin), of(Provenance::Declared));
    let allows = |contract: &ToolContract| {
        let gate = CedarGate::new(text, [contract]).expect("policies");
        gate.check(contract, &Principal::User, &json!({ "path": "a" })) == Ok(Decision::Allow)
    };
    assert!(allows(&trusted) && !allows(&claimed));
}

/// Every way in which a policy can miss in silence is refused when it is loaded.
#[test]
fn policies_that_do_not_fit_are_refused() {
    let refused = |text: &str| CedarGate::new(text, catalog()).expect_err(text);
    let fits = r#"permit (principal, action == Action::"grep", resource) when { context.input.pattern == "a" };"#;
    assert!(CedarGate::new(fits, catalog()).is_ok());
    for (from, to) in [
        ("\"grep\"", "\"Grep\""),
        ("pattern", "pattrn"),
        ("== \"a\"", "in [\"a\"]"),
        ("== \"a\"", "== 1"),
        ("principal,", "principal is Usr,"),
        ("context.input.pattern", "context.input.context_after"),
    ] {
        let text = fits.replace(from, to);
        assert!(matches!(refused(&text), CedarError::Invalid(_)), "{text}");
    }
    assert!(matches!(refused(""), CedarError::Empty));
    assert!(matches!(refused("// nothing"), CedarError::Empty));
    assert!(matches!(refused("permit (principal"), CedarError::Parse(_)));
    assert!(matches!(
        refused("permit (principal == ?principal, action, resource);"),
        CedarError::Template
    ));
    let twice = "@id(\"a\") permit (principal, action, resource);\n@id(\"a\") forbid (principal, action, resource) when { resource.risk == \"high\" };";
    assert!(matches!(refused(twice), CedarError::DuplicateId(_)));
}

#[test]
fn the_revision_names_policies_and_contracts() {
    let one = "permit (principal, action, resource);";
    let all = CedarGate::new(one, catalog()).expect("policies").revision();
    assert_eq!(all, gate(one).revision());
    assert_ne!(
        all,
        gate("forbid (principal, action, resource);").revision()
    );
    let fewer = CedarGate::new(one, [contract("grep")]).expect("policies");
    assert_ne!(all, fewer.revision());
}
