//! One policy, written down twice: as roles with rules, and in Cedar. On what both can say (who,
//! which tool, tests of one argument) the two gates answer the same about every call.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use std::path::Path;

use serde_json::{Value, json};
use toolcontract_cedar::CedarGate;
use toolcontract_protocol::{Decision, Principal, Provenance, RiskLevel, ToolContract};
use toolcontract_runtime::{authz::AuthzGate, policy::role::RolePolicy};

/// The same words in both: as a rule says them, as Cedar does.
type Spelled = (&'static str, &'static str);

const EFFECTS: [Spelled; 4] = [
    ("allow", "permit"),
    ("allow", "permit"),
    ("ask", "@ask(\"r\") permit"),
    ("deny", "forbid"),
];
const WHO: [Spelled; 5] = [
    ("\"*\"", "principal"),
    ("\"user\"", "principal == User::\"user\""),
    ("\"host:a\"", "principal == Host::\"a\""),
    ("\"host:*\"", "principal is Host"),
    ("\"subagent:*\"", "principal is SubAgent"),
];
const TOOLS: [Spelled; 3] = [
    ("\"look\"", "action == Action::\"look\""),
    ("\"edit\"", "action == Action::\"edit\""),
    (
        "\"look\", \"edit\"",
        "action in [Action::\"look\", Action::\"edit\"]",
    ),
];
const TESTS: [Spelled; 8] = [
    ("", ""),
    ("", ""),
    (
        "{ pointer = \"/s\", equals = \"a\" }",
        "context.input.s == \"a\"",
    ),
    (
        "{ not = { pointer = \"/s\", equals = \"a\" } }",
        "!(context.input.s == \"a\")",
    ),
    (
        "{ pointer = \"/n\", less = 5 }",
        "context.input has n && context.input.n < 5",
    ),
    (
        "{ pointer = \"/n\", greater = 5 }",
        "context.input has n && context.input.n > 5",
    ),
    ("{ pointer = \"/n\", exists = true }", "context.input has n"),
    (
        "{ any = [{ pointer = \"/n\", exists = false }, { pointer = \"/s\", equals = \"b\" }] }",
        "!(context.input has n) || context.input.s == \"b\"",
    ),
];

/// Numbers that are the same every time.
struct Draw(u64);

impl Draw {
    fn one<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let at = usize::try_from(self.0 >> 33).expect("31 bits");
        &of[at % of.len()]
    }
}

/// A policy in both spellings.
fn policy(draw: &mut Draw) -> (String, String) {
    let mut toml = String::from(
        "[[role]]\nname = \"all\"\nrisk_ceiling = \"destructive\"\nprincipals = [\"*\"]\n",
    );
    let mut cedar = String::new();
    for at in 0..*draw.one(&[1, 2, 3, 4]) {
        let (effect, effect_cedar) = draw.one(&EFFECTS);
        let (who, who_cedar) = draw.one(&WHO);
        let (tools, tools_cedar) = draw.one(&TOOLS);
        let (test, test_cedar) = draw.one(&TESTS);
        toml.push_str(&format!(
            "[[rule]]\nid = \"r{at}\"\neffect = \"{effect}\"\nprincipals = [{who}]\ntools = [{tools}]\nreason = \"r\"\n"
        ));
        cedar.push_str(&format!(
            "@id(\"r{at}\") {effect_cedar} ({who_cedar}, {tools_cedar}, resource)"
        ));
        if !test.is_empty() {
            toml.push_str(&format!("when = {test}\n"));
            cedar.push_str(&format!(" when {{ {test_cedar} }}"));
        }
        cedar.push_str(";\n");
    }
    (toml, cedar)
}

fn contracts() -> Vec<ToolContract> {
    let schema = json!({
        "type": "object", "additionalProperties": false, "required": ["s"],
        "properties": { "s": { "type": "string" }, "n": { "type": "integer" } },
    });
    let of = |name: &str| ToolContract {
        provenance: Provenance::Builtin,
        risk: RiskLevel::Low,
        ..ToolContract::declared(name, "Does.", schema.clone())
    };
    vec![of("look"), of("edit")]
}

fn word(
    gate: &dyn AuthzGate,
    contract: &ToolContract,
    who: &Principal,
    input: &Value,
) -> &'static str {
    match gate.check(contract, who, input) {
        Ok(Decision::Allow) => "allow",
        Ok(Decision::Deny { .. }) => "deny",
        Ok(Decision::RequireApproval { .. }) => "ask",
        Err(_) => "error",
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a test writes its own policy")]
fn rules_and_cedar_answer_the_same_where_both_can_say_it() {
    let contracts = contracts();
    let host = |id: &str| Principal::Host(id.to_owned());
    let principals = [
        Principal::User,
        host("a"),
        host("b"),
        Principal::User.spawn("x"),
        host("a").spawn("x"),
        Principal::Plugin("p".to_owned()),
    ];
    let inputs = [
        json!({ "s": "a" }),
        json!({ "s": "b" }),
        json!({ "s": "a", "n": 3 }),
        json!({ "s": "b", "n": 5 }),
        json!({ "s": "c", "n": 9 }),
    ];
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("differential-policy.toml");
    let mut draw = Draw(20_261_130);
    let (mut policies, mut seen) = (0, std::collections::BTreeMap::<&str, usize>::new());
    while policies < 150 {
        let (toml, cedar) = policy(&mut draw);
        std::fs::write(&file, &toml).expect("the policy");
        // One whose rules hide each other is refused; another is drawn.
        let Ok(rules) = RolePolicy::load(&file, &contracts) else {
            continue;
        };
        let gate = CedarGate::new(&cedar, &contracts).unwrap_or_else(|e| panic!("{e}\n{cedar}"));
        policies += 1;
        for contract in &contracts {
            for who in &principals {
                for input in &inputs {
                    let one = word(&rules, contract, who, input);
                    let other = word(&gate, contract, who, input);
                    assert_eq!(
                        one, other,
                        "{} by {who} with {input}\n{toml}\n{cedar}",
                        contract.name
                    );
                    *seen.entry(one).or_default() += 1;
                }
            }
        }
    }
    // A comparison of nothing but denials would say nothing.
    assert!(
        ["allow", "ask", "deny"].iter().all(|word| seen[word] > 100),
        "{seen:?}"
    );
}
