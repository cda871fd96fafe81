//! Switches: exact name, then group, then `*`, then on; meeting settings only take away.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::{Value, json};
use toolcontract_protocol::{Decision, Principal, Provenance, ToolContract};
use toolcontract_runtime::{
    authz::{AuthzGate as _, Enforcement, NoAuthz},
    policy::PolicyToolSet,
    registry::Registry,
};

use super::catalog;
use crate::runtime::fakes::{Does, Fake, Log, caller, wait};

fn set(block: Value) -> PolicyToolSet {
    PolicyToolSet::from_settings(&block).expect("switches")
}

fn tool(name: &str) -> &ToolContract {
    catalog()
        .find(|contract| contract.name == name)
        .expect("a tool")
}

#[track_caller]
fn check(block: Value, expected: &[(&str, bool)]) {
    for (name, on) in expected {
        assert_eq!(set(block.clone()).is_on(tool(name)), *on, "{block} {name}");
    }
}

#[test]
fn the_most_exact_key_counts() {
    check(json!({}), &[("bash", true)]);
    check(
        json!({ "bash": "off" }),
        &[("bash", false), ("read_file", true)],
    );
    check(
        json!({ "scratch": "off" }),
        &[("save_state", false), ("read_file", true)],
    );
    check(
        json!({ "*": "off", "file": "on", "delete_file": "off" }),
        &[("bash", false), ("read_file", true), ("delete_file", false)],
    );
    check(
        json!({ "scratch": "off", "save_state": "on" }),
        &[("save_state", true), ("get_state", false)],
    );
}

#[test]
fn anything_but_on_and_off_is_refused() {
    for value in [
        json!(true),
        json!("On"),
        json!("no"),
        json!(null),
        json!(1),
        json!(["off"]),
    ] {
        let refused = PolicyToolSet::from_settings(&json!({ "bash": value }));
        assert!(refused.is_err(), "{value}");
    }
    assert!(PolicyToolSet::from_settings(&json!("off")).is_err());
    assert!(PolicyToolSet::from_settings(&json!({ "bash": "off" })).is_ok());
}

#[test]
fn unknown_names_are_told_and_no_more() {
    let set = set(
        json!({ "bsah": "off", "bash": "off", "scratch": "off", "mcp": "off", "mcp__x__y": "off", "*": "on" }),
    );
    assert_eq!(set.unknown(catalog()), ["bsah"]);
    // A server that is there has the tools that it has; another may come with any.
    let served = ToolContract::declared("mcp__x__z", "Does.", json!({ "type": "object" }));
    let contracts = catalog().chain([&served]);
    assert_eq!(set.unknown(contracts), ["bsah", "mcp__x__y"]);
}

#[test]
fn a_tool_of_others_is_in_the_group_of_its_origin() {
    let of = |name: &str, group: Option<&str>| ToolContract {
        group: group.map(str::to_owned),
        ..ToolContract::declared(name, "Does.", json!({ "type": "object" }))
    };
    let mcp = set(json!({ "mcp": "off" }));
    assert!(!mcp.is_on(&of("mcp__a__b", None)) && mcp.is_on(&of("mine", None)));
    let custom = set(json!({ "custom": "off", "file": "on" }));
    assert!(!custom.is_on(&of("mine", None)));
    // A claim opens no door, and closes one.
    assert!(!custom.is_on(&of("mine", Some("file"))));
    assert!(!set(json!({ "file": "off" })).is_on(&of("mine", Some("file"))));
    assert!(set(json!({ "file": "off", "mine": "on" })).is_on(&of("mine", Some("file"))));
}

#[test]
fn what_is_off_is_neither_shown_nor_run_nor_softened() {
    let log = Log::default();
    let registry = |operator| {
        let builder = Registry::builder(NoAuthz).enforcement(Enforcement::Warn);
        ["read_file", "delete_state"]
            .into_iter()
            .fold(builder, |builder, name| {
                let fake = Fake::new(
                    Does::Return(toolcontract_protocol::ToolOutput::text("done")),
                    &log,
                );
                let contract = ToolContract {
                    events: Vec::new(),
                    output_schema: None,
                    ..tool(name).clone()
                };
                builder.dyn_tool(Provenance::Builtin, contract, fake)
            })
            .operator(operator)
            .build()
            .expect("a registry")
    };
    let shown = |registry: &Registry| {
        let list = registry.advertise(toolcontract_protocol::Dialect::Openai, &caller());
        list.tools
            .into_iter()
            .map(|offer| offer.name)
            .collect::<Vec<_>>()
    };
    let off = registry(set(json!({ "scratch": "off" })));
    assert_eq!(shown(&off), ["read_file"]);
    let report = wait(off.call("delete_state", json!({ "key": "a" }), &caller()));
    assert_eq!(
        report.code().map(|code| code.as_str()),
        Some("tool_disabled")
    );
    assert!(!report.ran && log.count("tool") == 0);
    let on = registry(set(json!({ "scratch": "on" })));
    assert_eq!(shown(&on).len(), 2);
    assert!(wait(on.call("delete_state", json!({ "key": "a" }), &caller())).ran);
}

#[test]
fn the_revision_names_the_switches() {
    let revision = |block| set(block).revision();
    assert_eq!(
        revision(json!({ "a": "off", "b": "off" })),
        revision(json!({ "b": "off", "a": "off" }))
    );
    assert_ne!(
        revision(json!({ "a": "off" })),
        revision(json!({ "b": "off" }))
    );
}

/// Keys that meet in every way with the names and groups below.
fn blocks() -> impl Strategy<Value = BTreeMap<String, bool>> {
    let keys = ["*", "a", "b", "mcp__s__t", "g", "h", "mcp", "custom"].map(str::to_owned);
    prop::collection::btree_map(prop::sample::select(keys.to_vec()), any::<bool>(), 0..6)
}

fn of(block: &BTreeMap<String, bool>) -> PolicyToolSet {
    let word = |on: &bool| json!(if *on { "on" } else { "off" });
    set(block
        .iter()
        .map(|(key, on)| (key.clone(), word(on)))
        .collect())
}

fn tools() -> Vec<ToolContract> {
    let mut all = Vec::new();
    for name in ["a", "b", "mcp__s__t", "later"] {
        for group in [None, Some("g"), Some("h")] {
            for provenance in [Provenance::Builtin, Provenance::Declared] {
                all.push(ToolContract {
                    group: group.map(str::to_owned),
                    provenance,
                    ..ToolContract::declared(name, "Does.", json!({ "type": "object" }))
                });
            }
        }
    }
    all
}

/// What the manual says, written down once more.
fn oracle(block: &BTreeMap<String, bool>, tool: &ToolContract) -> bool {
    let origin = if tool.name.starts_with("mcp__") {
        "mcp"
    } else {
        "custom"
    };
    let trusted = tool.provenance == Provenance::Builtin;
    let group = match &tool.group {
        Some(group) if trusted => group.as_str(),
        _ => origin,
    };
    if let Some(on) = block.get(&tool.name) {
        return *on;
    }
    let claimed = tool.group.as_deref().filter(|_| !trusted);
    let by_claim = claimed
        .and_then(|group| block.get(group))
        .copied()
        .unwrap_or(true);
    let rest = block.get(group).or(block.get("*")).copied().unwrap_or(true);
    by_claim && rest
}

proptest! {
    #[test]
    fn look_up_is_what_the_manual_says(block in blocks()) {
        for tool in tools() {
            prop_assert_eq!(of(&block).is_on(&tool), oracle(&block, &tool), "{:?}", tool);
        }
    }

    #[test]
    fn narrowing_is_exactly_the_intersection(a in blocks(), b in blocks(), c in blocks()) {
        let (a, b, c) = (of(&a), of(&b), of(&c));
        let both = a.narrow_with(&b);
        for tool in tools() {
            prop_assert_eq!(both.is_on(&tool), a.is_on(&tool) && b.is_on(&tool));
            let answer = both.check(&tool, &Principal::User, &json!({}));
            prop_assert_eq!(answer == Ok(Decision::Allow), both.is_on(&tool));
            prop_assert_eq!(both.withholds(&tool, &Principal::User), !both.is_on(&tool));
        }
        prop_assert_eq!(&both, &b.narrow_with(&a));
        prop_assert_eq!(a.narrow_with(&both), both.clone());
        prop_assert_eq!(both.narrow_with(&c), a.narrow_with(&b.narrow_with(&c)));
        prop_assert_eq!(a.narrow_with(&PolicyToolSet::everything()), a);
    }
}
