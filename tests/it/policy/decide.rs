//! `decide/<fact>/{policy.toml, calls.json}`: a policy, and what it must decide about each call
//! (`must`, by hand) with the whole trace (`sees`, which `UPDATE_EXPECT=1` rewrites). `contracts`
//! are tools beside the catalog; those that are `late` appear only after the policy was loaded.

use serde_json::{Value, json};
use toolcontract_manifest::Source;
use toolcontract_protocol::{Decision, Principal, Provenance, ToolContract};
use toolcontract_runtime::{
    authz::{AuthzGate as _, Evaluation},
    policy::role::RolePolicy,
};

use super::{catalog, data, entries, screen};
use crate::expect::Expect;

#[test]
fn each_call_is_decided_as_it_must() {
    let mut expect = Expect::default();
    let folders = entries(&data().join("decide"));
    assert!(folders.len() >= 12, "only {} facts", folders.len());
    for folder in folders {
        let path = folder.join("calls.json");
        let text = std::fs::read_to_string(&path).expect("the calls");
        let mut case: Value = serde_json::from_str(&text).expect("JSON");
        let bytes = std::fs::read(folder.join("policy.toml")).expect("a policy");
        assert_eq!(entries(&folder).len(), 2, "{}", folder.display());
        let more = contracts(&case);
        let there = more
            .iter()
            .filter(|(_, late)| !late)
            .map(|(contract, _)| contract);
        let source = Source {
            path: "policy.toml".to_owned(),
            bytes,
        };
        let all: Vec<&ToolContract> = catalog().chain(there).collect();
        let (policy, findings) = RolePolicy::parse(&source, all);
        let policy = policy.unwrap_or_else(|| panic!("{}: {}", path.display(), screen(&findings)));
        for call in case["calls"].as_array_mut().expect("calls") {
            let seen = decide(&policy, &more, call);
            if call["must"] != seen["must"] {
                expect.fail(format_args!(
                    "{}: {call} must be {}",
                    path.display(),
                    seen["must"]
                ));
            }
            call["sees"] = seen["sees"].clone();
        }
        let text = serde_json::to_string_pretty(&case).expect("JSON") + "\n";
        expect.file(&path, &text);
    }
    expect.finish();
}

fn contracts(case: &Value) -> Vec<(ToolContract, bool)> {
    let all = case["contracts"].as_array().cloned().unwrap_or_default();
    let read = |text: &Value| {
        let contract: ToolContract =
            serde_json::from_value(text["contract"].clone()).expect("a contract");
        let provenance = match text["provenance"].as_str() {
            Some("builtin") => Provenance::Builtin,
            None => Provenance::Declared,
            other => panic!("provenance {other:?}"),
        };
        (
            ToolContract {
                provenance,
                ..contract
            },
            text["late"] == true,
        )
    };
    all.iter().map(read).collect()
}

fn decide(policy: &RolePolicy, more: &[(ToolContract, bool)], call: &Value) -> Value {
    let name = call["tool"].as_str().expect("a tool");
    let contract = catalog()
        .chain(more.iter().map(|(contract, _)| contract))
        .find(|contract| contract.name == name)
        .unwrap_or_else(|| panic!("no tool `{name}`"));
    let principal: Principal = match call.get("principal") {
        Some(principal) => serde_json::from_value(principal.clone()).expect("a principal"),
        None => Principal::User,
    };
    let input = call.get("input").cloned().unwrap_or_else(|| json!({}));
    let evaluation = policy.check_traced(contract, &principal, &input);
    assert_eq!(
        policy.check(contract, &principal, &input),
        evaluation.result
    );
    if policy.withholds(contract, &principal) {
        let runs = matches!(
            evaluation.result,
            Ok(Decision::Allow | Decision::RequireApproval { .. })
        );
        assert!(!runs, "`{name}` is withheld and would run");
    }
    let text = format!("{evaluation:?}");
    assert!(
        !text.contains("hush"),
        "a value of the input is in the trace: {text}"
    );
    json!({
        "must": format!("{} by {}", word(&evaluation), evaluation.steps[evaluation.decided_by].rule),
        "sees": {
            "withheld": policy.withholds(contract, &principal),
            "trace": steps(&evaluation),
        },
    })
}

pub(super) fn word(evaluation: &Evaluation) -> &'static str {
    match &evaluation.result {
        Ok(Decision::Allow) => "allow",
        Ok(Decision::Deny { .. }) => "deny",
        Ok(Decision::RequireApproval { .. }) => "ask",
        Err(_) => "error",
    }
}

fn steps(evaluation: &Evaluation) -> Vec<String> {
    let told = |step: &toolcontract_protocol::TraceStep| {
        let outcome = step.outcome.map_or(json!("miss"), |outcome| json!(outcome));
        format!(
            "{} {}: {}",
            step.rule,
            outcome.as_str().unwrap(),
            step.description
        )
    };
    evaluation.steps.iter().map(told).collect()
}
