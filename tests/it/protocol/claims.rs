//! What a contract claims for itself is worth nothing until somebody vouches for it.

use serde_json::json;
use toolcontract_protocol::{Provenance, RiskLevel, ToolContract};

/// What a contract may do unasked: each entry is more authority when it is greater.
fn authority(contract: &ToolContract) -> [u8; 7] {
    [
        contract.trusted_read_only().into(),
        contract.trusted_speculation_safe().into(),
        contract.trusted_idempotent().into(),
        contract.trusted_additive().into(),
        (!contract.effective_open_world()).into(),
        (!contract.requires_approval).into(),
        RiskLevel::Destructive as u8 - contract.effective_risk() as u8,
    ]
}

/// Every combination of claims that a contract can make.
fn every_claim(provenance: &Provenance) -> Vec<ToolContract> {
    let mut all = Vec::new();
    for bits in 0..64_u8 {
        for risk in RiskLevel::ALL {
            let claims = |bit: u8| bits & (1 << bit) != 0;
            all.push(ToolContract {
                read_only: claims(0),
                speculation_safe: claims(1),
                idempotent: claims(2),
                additive: claims(3),
                open_world: claims(4),
                requires_approval: claims(5),
                risk,
                provenance: provenance.clone(),
                ..ToolContract::declared("t", "d", json!({ "type": "object" }))
            });
        }
    }
    all
}

#[test]
fn no_claim_of_a_declared_contract_buys_authority() {
    let silent = authority(&ToolContract::declared(
        "t",
        "d",
        json!({ "type": "object" }),
    ));
    for contract in every_claim(&Provenance::Declared) {
        let claimed = authority(&contract);
        assert!(
            claimed
                .iter()
                .zip(silent)
                .all(|(claimed, silent)| *claimed <= silent),
            "{contract:?}"
        );
    }
}

#[test]
fn a_declared_contract_may_look_more_dangerous() {
    let silent = ToolContract::declared("t", "d", json!({ "type": "object" }));
    let worse = ToolContract {
        risk: RiskLevel::Destructive,
        requires_approval: true,
        ..silent.clone()
    };
    assert_eq!(silent.effective_risk(), RiskLevel::High);
    assert_eq!(worse.effective_risk(), RiskLevel::Destructive);
    assert!(worse.requires_approval);
}

#[test]
fn the_same_claims_of_a_trusted_contract_do() {
    let adopted = Provenance::Adopted {
        digest: "0".repeat(64),
    };
    for provenance in [Provenance::Builtin, adopted] {
        for contract in every_claim(&provenance) {
            let expected = [
                contract.read_only.into(),
                (contract.read_only && contract.speculation_safe).into(),
                contract.idempotent.into(),
                contract.additive.into(),
                (!contract.open_world).into(),
                (!contract.requires_approval).into(),
                RiskLevel::Destructive as u8 - contract.risk as u8,
            ];
            assert_eq!(authority(&contract), expected, "{contract:?}");
        }
    }
}

#[test]
fn an_adopted_contract_is_written_as_declared() {
    let contract = ToolContract {
        provenance: Provenance::Adopted {
            digest: "a".repeat(64),
        },
        read_only: true,
        ..ToolContract::declared("t", "d", json!({ "type": "object" }))
    };
    let text = serde_json::to_string(&contract).expect("a contract is JSON");
    assert!(text.contains(r#""provenance":"declared""#), "{text}");
    assert!(!text.contains("aaaa"), "the digest is local: {text}");
    let read: ToolContract = serde_json::from_str(&text).expect("what was written is read");
    assert!(contract.trusted_read_only());
    assert!(
        !read.trusted_read_only(),
        "a peer must not trust it on our word"
    );
}
