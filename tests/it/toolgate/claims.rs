//! No combination of claims buys more than no claims: a law over every tool that is not adopted,
//! with the same tool adopted as the control.

use proptest::prelude::*;
use serde_json::json;
use toolcontract_protocol::{
    Decision, Principal, Provenance, RiskLevel, ToolContract, contradiction::contradictions,
};
use toolcontract_runtime::{
    adoption::Grade,
    authz::{AuthzGate, RiskCeiling},
    policy::PolicyToolSet,
};

use super::yard::{Yard, harmless};

fn bare() -> ToolContract {
    ToolContract {
        group: Some("custom".to_owned()),
        ..ToolContract::declared("a_tool", "A tool.", json!({ "type": "object" }))
    }
}

prop_compose! {
    /// Whatever a tool may say of itself.
    fn claims()(
        read_only: bool, speculation_safe: bool, idempotent: bool, additive: bool,
        open_world: bool, requires_approval: bool, risk in 0_usize..4,
    ) -> ToolContract {
        ToolContract {
            read_only, speculation_safe, idempotent, additive, open_world, requires_approval,
            risk: RiskLevel::ALL[risk],
            ..bare()
        }
    }
}

/// What dispatch, speculation, retry and policies may take from a contract; more is more.
fn authority(contract: &ToolContract) -> [bool; 8] {
    let within = |ceiling| contract.effective_risk().within(ceiling);
    [
        contract.trusted_read_only(),
        contract.trusted_speculation_safe(),
        contract.trusted_idempotent(),
        contract.trusted_additive(),
        !contract.effective_open_world(),
        within(RiskLevel::Low),
        within(RiskLevel::Medium),
        within(RiskLevel::High),
    ]
}

fn is_allowed(gate: &dyn AuthzGate, contract: &ToolContract) -> bool {
    let decision = gate.check(contract, &Principal::User, &json!({}));
    matches!(decision, Ok(Decision::Allow))
}

proptest! {
    #[test]
    fn no_claims_buy_more_than_none(claimed in claims()) {
        let none = authority(&bare());
        for (claimed, none) in authority(&claimed).into_iter().zip(none) {
            prop_assert!(!claimed || none);
        }
        for ceiling in RiskLevel::ALL {
            let gate = RiskCeiling(ceiling);
            prop_assert!(!is_allowed(&gate, &claimed) || is_allowed(&gate, &bare()));
        }
        // Asking for a person is the one claim that counts, and it only adds.
        prop_assert!(claimed.requires_approval >= bare().requires_approval);
        // Control: the same facts, adopted, do count.
        let adopted = ToolContract {
            provenance: Provenance::Adopted { digest: String::new() },
            ..claimed.clone()
        };
        prop_assert_eq!(adopted.trusted_read_only(), claimed.read_only);
        prop_assert_eq!(adopted.effective_risk(), claimed.risk);
    }

    #[test]
    fn a_grade_holds_whatever_was_claimed(claimed in claims(), graded in claims()) {
        let grade = Grade {
            risk: graded.risk,
            read_only: graded.read_only,
            speculation_safe: graded.speculation_safe,
            idempotent: graded.idempotent,
            additive: graded.additive,
            open_world: graded.open_world,
            requires_approval: graded.requires_approval,
        };
        let adopted = grade.apply(&claimed, "d");
        prop_assert_eq!(adopted.trusted_read_only(), graded.read_only);
        prop_assert_eq!(adopted.effective_risk(), graded.risk);
        // A tool that asks for a person goes on asking.
        let asks = graded.requires_approval || claimed.requires_approval;
        prop_assert_eq!(adopted.requires_approval, asks);
    }
}

#[test]
fn a_manifest_that_claims_everything_buys_nothing_until_it_is_adopted() {
    let yard = Yard::new();
    let all = "group = \"search\"\nread_only = true\nspeculation_safe = true\nidempotent = true\nopen_world = false\nrisk = \"low\"\n";
    yard.tool("claims", "echo done", all);
    let (registry, _) = yard.open(true);
    let contract = registry.contract("claims").unwrap();
    assert!(
        contract.read_only && contract.idempotent,
        "the claims are kept"
    );
    let nothing = [false, false, false, false, false, false, false, true];
    assert_eq!(authority(contract), nothing);
    assert_eq!(contract.group.as_deref(), Some("custom"));
    // A switch of the group that it claims does not reach it; that of its own does.
    let settings =
        |group: &str| PolicyToolSet::from_settings(&json!({ "*": "off", (group): "on" })).unwrap();
    assert!(!is_allowed(&settings("search"), contract));
    assert!(is_allowed(&settings("custom"), contract));
    // Control: adopted, the same facts are relied on.
    yard.adopt("claims", &harmless());
    let (registry, _) = yard.open(false);
    let contract = registry.contract("claims").unwrap();
    let relied_on = [true, true, true, false, true, true, true, true];
    assert_eq!(authority(contract), relied_on);
}

#[test]
fn claims_that_contradict_are_void_and_grades_that_do_are_refused() {
    let claimed = ToolContract {
        read_only: true,
        risk: RiskLevel::High,
        ..bare()
    };
    assert_eq!(contradictions(&claimed, |_| true), []);
    assert!(!claimed.trusted_read_only());
    let grade = Grade {
        read_only: true,
        risk: RiskLevel::High,
        ..Grade::default()
    };
    assert!(!contradictions(&grade.apply(&claimed, ""), |_| true).is_empty());
}
