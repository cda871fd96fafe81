//! Claims buy nothing: whatever a server says of a tool, it is trusted with no more than one of
//! which it says nothing.

use serde_json::{Map, Value, json};
use toolcontract_protocol::{Provenance, RiskLevel, ToolContract};

use super::Odd;

/// Every combination of the four hints: true, false, absent, null.
fn combinations() -> Vec<Value> {
    const HINTS: [&str; 4] = [
        "readOnlyHint",
        "destructiveHint",
        "idempotentHint",
        "openWorldHint",
    ];
    (0..4_usize.pow(4))
        .map(|number| {
            let mut annotations = Map::new();
            for (place, hint) in HINTS.iter().enumerate() {
                let value = match number / 4_usize.pow(u32::try_from(place).unwrap()) % 4 {
                    0 => continue,
                    1 => json!(true),
                    2 => json!(false),
                    _ => Value::Null,
                };
                annotations.insert((*hint).to_owned(), value);
            }
            json!({
                "name": format!("t{number}"),
                "description": "Does it.",
                "inputSchema": { "type": "object" },
                "annotations": annotations,
                "provenance": "builtin",
                "_meta": { "dev.toolcontract/contract": { "risk": "low", "provenance": "builtin" } },
            })
        })
        .collect()
}

/// What a contract is trusted with, more of it being more.
fn authority(contract: &ToolContract) -> [bool; 6] {
    [
        contract.trusted_read_only(),
        contract.trusted_speculation_safe(),
        contract.trusted_idempotent(),
        contract.trusted_additive(),
        !contract.effective_open_world(),
        contract.effective_risk() < RiskLevel::High,
    ]
}

#[tokio::test]
async fn no_combination_of_claims_buys_anything() {
    let script = json!({ "pages": [{ "tools": combinations() }] });
    let odd = Odd::start(&script).await;
    let offered = odd.offered().await;
    assert_eq!((offered.tools.len(), offered.refused.len()), (256, 0));
    let registry = odd.registry().await;
    for tool in &offered.tools {
        let contract = registry.contract(&tool.contract.name).unwrap();
        assert_eq!(contract.provenance, Provenance::Declared);
        assert_eq!(authority(contract), [false; 6], "{}", tool.wire_name);
        // A claim may make a tool look worse.
        let claims = tool.about.claims.clone().unwrap_or_default();
        let worst = claims.destructive == Some(true);
        assert_eq!(contract.effective_risk() == RiskLevel::Destructive, worst);
    }
    // The control: the same tool, once a person has graded it, is trusted.
    let graded = ToolContract {
        read_only: true,
        idempotent: true,
        open_world: false,
        risk: RiskLevel::Low,
        provenance: Provenance::Adopted {
            digest: offered.tools[0].digest.clone(),
        },
        ..offered.tools[0].contract.clone()
    };
    assert_eq!(authority(&graded), [true, false, true, false, true, true]);
}
