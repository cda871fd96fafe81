//! Laws of role policies, and an oracle: the manual written down once more in the plainest way.

use std::fmt::Write as _;

use proptest::prelude::*;
use serde_json::{Value, json};
use toolcontract_manifest::Source;
use toolcontract_protocol::{Principal, Provenance, RiskLevel, ToolContract};
use toolcontract_runtime::{authz::AuthzGate as _, policy::role::RolePolicy};

use super::decide::word;

/// A test of `/target`, which is no name of a path: one is never compared as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Test {
    Always,
    /// `equals = "a"`.
    IsA,
    /// `not = { equals = "a" }`.
    IsNotA,
    /// `glob = "src/**"`: an error for an absolute path.
    InSrc,
    /// `not = { glob = "src/**" }`.
    NotInSrc,
    /// `exists = false`.
    Absent,
}

#[derive(Debug, Clone)]
struct Rule {
    effect: &'static str,
    roles: Vec<usize>,
    tools: Vec<&'static str>,
    test: Test,
}

#[derive(Debug, Clone)]
struct Case {
    ceilings: [RiskLevel; 3],
    rules: Vec<Rule>,
}

const ROLES: [(&str, &[&str]); 3] = [
    ("people", &["user"]),
    ("all", &["user", "host:*"]),
    ("helpers", &["subagent:*"]),
];
const TOOLS: [(&str, RiskLevel); 3] = [
    ("look", RiskLevel::Low),
    ("edit", RiskLevel::Medium),
    ("wipe", RiskLevel::Destructive),
];

fn contracts() -> Vec<ToolContract> {
    let schema = json!({
        "type": "object", "additionalProperties": false, "properties": { "target": { "type": "string" } },
    });
    let of = |(name, risk): &(&str, RiskLevel)| ToolContract {
        provenance: Provenance::Builtin,
        risk: *risk,
        ..ToolContract::declared(*name, "Does.", schema.clone())
    };
    TOOLS.iter().map(of).collect()
}

fn text(case: &Case) -> String {
    let mut text = String::new();
    for ((name, who), ceiling) in ROLES.iter().zip(case.ceilings) {
        let _ = writeln!(
            text,
            "[[role]]\nname = {name:?}\nrisk_ceiling = \"{ceiling}\"\nprincipals = {who:?}"
        );
    }
    for (at, rule) in case.rules.iter().enumerate() {
        let roles: Vec<&str> = rule.roles.iter().map(|role| ROLES[*role].0).collect();
        let leaf = |test: &str| format!("{{ pointer = \"/target\", {test} }}");
        // The loader asks grants to say that the argument is there.
        let not = |test: &str| {
            format!(
                "{{ all = [{}, {{ not = {} }}] }}",
                leaf("exists = true"),
                leaf(test)
            )
        };
        let when = match rule.test {
            Test::Always => String::new(),
            Test::IsA => leaf("equals = \"a\""),
            Test::IsNotA => not("equals = \"a\""),
            Test::InSrc => leaf("glob = \"src/**\""),
            Test::NotInSrc => not("glob = \"src/**\""),
            Test::Absent => leaf("exists = false"),
        };
        let when = if when.is_empty() {
            when
        } else {
            format!("when = {when}\n")
        };
        let _ = write!(
            text,
            "[[rule]]\nid = \"r{at}\"\neffect = {:?}\nroles = {roles:?}\ntools = {:?}\n{when}reason = \"r\"\n",
            rule.effect, rule.tools
        );
    }
    text
}

fn load(case: &Case) -> Option<RolePolicy> {
    let source = Source {
        path: "policy.toml".to_owned(),
        bytes: text(case).into_bytes(),
    };
    RolePolicy::parse(&source, &contracts()).0
}

fn holds(test: Test, path: Option<&str>) -> Result<bool, ()> {
    let Some(path) = path else {
        return Ok(matches!(test, Test::Always | Test::Absent));
    };
    let in_src = || match path.starts_with('/') {
        true => Err(()),
        false => Ok(path.starts_with("src/")),
    };
    match test {
        Test::Always => Ok(true),
        Test::Absent => Ok(false),
        Test::IsA => Ok(path == "a"),
        Test::IsNotA => Ok(path != "a"),
        Test::InSrc => in_src(),
        Test::NotInSrc => in_src().map(|is_in| !is_in),
    }
}

fn has(principal: &Principal, role: usize) -> bool {
    match principal {
        Principal::User => role < 2,
        Principal::Host(_) => role == 1,
        Principal::SubAgent { .. } => role == 2,
        Principal::Role(_) | Principal::Plugin(_) => false,
    }
}

/// What the manual says.
fn oracle(
    case: &Case,
    tool: &str,
    risk: RiskLevel,
    principal: &Principal,
    path: Option<&str>,
) -> &'static str {
    let mut all: Vec<&str> = Vec::new();
    for party in principal.lineage() {
        let roles: Vec<usize> = (0..3).filter(|role| has(party, *role)).collect();
        if roles.is_empty() {
            all.push("error");
        }
        if roles.iter().any(|role| risk > case.ceilings[*role]) {
            all.push("deny");
        }
        let mut granted = false;
        for rule in &case.rules {
            let is_for = rule.roles.iter().any(|role| roles.contains(role));
            if !is_for || !rule.tools.contains(&tool) {
                continue;
            }
            match (holds(rule.test, path), rule.effect) {
                (Ok(false), _) | (Err(()), "allow") => {}
                (Err(()), _) => all.push("error"),
                (Ok(true), "deny") => all.push("deny"),
                (Ok(true), effect) => {
                    all.push(effect);
                    granted = true;
                }
            }
        }
        if !granted {
            all.push("deny");
        }
    }
    let order = ["error", "deny", "ask", "allow"];
    order
        .into_iter()
        .find(|word| all.contains(word))
        .expect("an answer")
}

fn rule() -> impl Strategy<Value = Rule> {
    let effect = prop::sample::select(vec!["allow", "allow", "ask", "deny"]);
    let roles = prop::sample::subsequence(vec![0, 1, 2], 1..=3);
    let tools = prop::sample::subsequence(vec!["look", "edit", "wipe"], 1..=3);
    let tests = [
        Test::Always,
        Test::IsA,
        Test::IsNotA,
        Test::InSrc,
        Test::NotInSrc,
        Test::Absent,
    ];
    let test = prop::sample::select(tests.to_vec());
    (effect, roles, tools, test).prop_map(|(effect, roles, tools, test)| Rule {
        effect,
        roles,
        tools,
        test,
    })
}

fn case() -> impl Strategy<Value = Case> {
    let ceiling = || prop::sample::select(RiskLevel::ALL.to_vec());
    let ceilings = [ceiling(), ceiling(), ceiling()];
    (ceilings, prop::collection::vec(rule(), 1..6))
        .prop_map(|(ceilings, rules)| Case { ceilings, rules })
}

fn principals() -> Vec<Principal> {
    let host = Principal::Host("vera".to_owned());
    vec![
        Principal::User,
        Principal::User.spawn("a"),
        host.spawn("a").spawn("b"),
        host,
        Principal::Plugin("p".to_owned()),
    ]
}

const PATHS: [Option<&str>; 5] = [None, Some("a"), Some("src/a"), Some("/src/a"), Some("b")];

fn each_call(mut check: impl FnMut(&ToolContract, &Principal, Option<&str>, &Value)) {
    for contract in &contracts() {
        for principal in principals() {
            for path in PATHS {
                let input = path.map_or(json!({}), |path| json!({ "target": path }));
                check(contract, &principal, path, &input);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, max_global_rejects: 60_000, ..ProptestConfig::default() })]

    #[test]
    fn a_policy_decides_what_the_manual_says(case in case()) {
        let policy = load(&case);
        prop_assume!(policy.is_some());
        let policy = policy.expect("assumed");
        each_call(|contract, principal, path, input| {
            let evaluation = policy.check_traced(contract, principal, input);
            let expected = oracle(&case, &contract.name, contract.risk, principal, path);
            assert_eq!(word(&evaluation), expected, "{} {principal} {path:?}\n{}", contract.name, text(&case));
            if policy.withholds(contract, principal) {
                assert!(matches!(expected, "deny" | "error"));
            }
        });
    }

    /// Where rules stand in a file does not matter, nor whether a rule is there twice under
    /// another condition that holds as well.
    #[test]
    fn order_decides_nothing(case in case(), seed in any::<u64>()) {
        let mut other = case.clone();
        let length = other.rules.len();
        other.rules.rotate_left(usize::try_from(seed).unwrap_or_default() % length);
        let (one, two) = (load(&case), load(&other));
        prop_assume!(one.is_some() && two.is_some());
        let (one, two) = (one.expect("assumed"), two.expect("assumed"));
        each_call(|contract, principal, _, input| {
            let (one, two) = (one.check_traced(contract, principal, input), two.check_traced(contract, principal, input));
            assert_eq!(word(&one), word(&two));
        });
    }

    /// More denials deny more, more grants never deny, and a sub-agent is never freer than who
    /// started it.
    #[test]
    fn rules_only_do_what_their_effect_says(case in case(), more in rule()) {
        let mut larger = case.clone();
        larger.rules.push(more.clone());
        let (before, after) = (load(&case), load(&larger));
        prop_assume!(before.is_some() && after.is_some());
        let (before, after) = (before.expect("assumed"), after.expect("assumed"));
        let freedom = |policy: &RolePolicy, contract: &ToolContract, principal: &Principal, input: &Value| {
            match word(&policy.check_traced(contract, principal, input)) {
                "allow" => 2,
                "ask" => 1,
                _ => 0,
            }
        };
        each_call(|contract, principal, _, input| {
            let (then, now) = (freedom(&before, contract, principal, input), freedom(&after, contract, principal, input));
            match more.effect {
                "deny" => assert!(now <= then),
                "allow" => assert!(now >= then),
                _ => assert!(now == then || now <= 1),
            }
            if let Principal::SubAgent { parent, .. } = principal {
                assert!(now <= freedom(&after, contract, parent, input));
            }
        });
    }
}
