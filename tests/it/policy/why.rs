//! `why/<fact>/{call.json, why.txt, why.json}` on the real catalog and one policy for all: what an
//! operator is told. A line that `must` be named for a change is checked by hand.

use serde_json::Value;
use toolcontract_protocol::Principal;
use toolcontract_runtime::{
    authz::AuthzGate as _,
    policy::{
        role::RolePolicy,
        why::{Outcome, Why, explain},
    },
};

use super::{catalog, data, decide::word, entries, parse, screen, why_whole};
use crate::expect::Expect;

fn policy() -> RolePolicy {
    let (policy, findings) = parse(&data().join("why/policy.toml"));
    policy.unwrap_or_else(|| panic!("{}", screen(&findings)))
}

#[test]
fn every_decision_is_explained_with_the_line_to_change() {
    let mut expect = Expect::default();
    let policy = policy();
    let folders = entries(&data().join("why"));
    let mut outcomes = std::collections::BTreeSet::new();
    for folder in folders.iter().filter(|entry| entry.is_dir()) {
        let text = std::fs::read_to_string(folder.join("call.json")).expect("a call");
        let call: Value = serde_json::from_str(&text).expect("JSON");
        let why = of(&policy, &call);
        outcomes.insert(why.decision.as_str());
        let change = why_whole::lines(&why);
        let must = &call["must"];
        let name = folder.display();
        assert_eq!(must["decision"], why.decision.as_str(), "{name}");
        assert_eq!(must["change"], change, "{name}");
        expect.file(&folder.join("why.txt"), &why.to_string());
        let json = serde_json::to_string_pretty(&why).expect("JSON") + "\n";
        expect.file(&folder.join("why.json"), &json);
        assert_eq!(entries(folder).len(), 3, "{name}");
    }
    let all = ["allow", "ask", "deny", "error", "invalid_input"];
    assert_eq!(outcomes.into_iter().collect::<Vec<_>>(), all);
    expect.finish();
}

fn of(policy: &RolePolicy, call: &Value) -> Why {
    let name = call["tool"].as_str().expect("a tool");
    let contract = catalog()
        .find(|contract| contract.name == name)
        .expect("a tool");
    let principal: Principal =
        serde_json::from_value(call["principal"].clone()).expect("a principal");
    let input = &call["input"];
    let why = explain(policy, contract, &principal, input);
    // The gate tells the same.
    let evaluation = policy.check_traced(contract, &principal, input);
    if !contract.requires_approval && why.decision != Outcome::InvalidInput {
        assert_eq!(why.decision.as_str(), word(&evaluation));
        assert_eq!(
            why.decided_by,
            *evaluation.steps[evaluation.decided_by].rule
        );
    }
    assert_eq!(why.policy_revision, policy.revision());
    why
}

/// Without repeating what was in the call.
#[test]
fn no_argument_is_repeated() {
    let secret = "hush-4711";
    let call = serde_json::json!({
        "tool": "read_file", "principal": "user", "input": { "path": format!("/x/{secret}/.env") },
    });
    let why = of(&policy(), &call);
    let json = serde_json::to_string(&why).expect("JSON");
    assert!(
        !json.contains(secret) && !why.to_string().contains(secret),
        "{why}"
    );
}
