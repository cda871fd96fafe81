//! `why_whole/<fact>/{policy.toml, after.toml, call.json, why.txt}`: a call with more than one
//! thing in its way. What `why` says of it is whole: whoever changes the lines that it names, or
//! adds the rules that it spells, gets `after.toml`, and there the call comes out as it must.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use serde_json::{Value, json};
use toolcontract_protocol::{Principal, ToolContract};
use toolcontract_runtime::policy::{
    role::RolePolicy,
    why::{Why, explain},
};

use super::{catalog, data, entries, parse, screen};
use crate::expect::Expect;

fn load(file: &Path) -> RolePolicy {
    let (policy, findings) = parse(file);
    policy.unwrap_or_else(|| panic!("{}: {}", file.display(), screen(&findings)))
}

/// The lines of each step; null for what is no line of the policy.
pub(super) fn lines(why: &Why) -> Value {
    let of = |change: &toolcontract_runtime::policy::why::Change| {
        change
            .place
            .as_ref()
            .map_or(Value::Null, |place| place.line.into())
    };
    let steps = why.change.iter();
    steps
        .map(|step| Value::from(step.ways.iter().map(of).collect::<Vec<_>>()))
        .collect()
}

#[test]
fn everything_in_the_way_is_told_at_once() {
    let mut expect = Expect::default();
    let folders = entries(&data().join("why_whole"));
    assert!(folders.len() >= 13, "only {} facts", folders.len());
    for folder in folders {
        let name = folder.display();
        let text = std::fs::read_to_string(folder.join("call.json")).expect("a call");
        let call: Value = serde_json::from_str(&text).expect("JSON");
        let tool = call["tool"].as_str().expect("a tool");
        let contract: &ToolContract = catalog().find(|c| c.name == tool).expect("a tool");
        let principal: Principal =
            serde_json::from_value(call["principal"].clone()).expect("a principal");
        let must = &call["must"];
        let policy = load(&folder.join("policy.toml"));
        let why = explain(&policy, contract, &principal, &call["input"]);
        let after = load(&folder.join("after.toml"));
        let input = call.get("repaired").unwrap_or(&call["input"]);
        let then = explain(&after, contract, &principal, input);
        let seen =
            json!({ "decision": why.decision, "change": lines(&why), "after": then.decision });
        if *must != seen {
            expect.fail(format_args!("{name}: {seen}\n{why}"));
        }
        let unnamed = unnamed(&folder, &why);
        if !unnamed.is_empty() {
            expect.fail(format_args!("{name}: changed and not named: {unnamed:?}"));
        }
        expect.file(&folder.join("why.txt"), &why.to_string());
        assert_eq!(entries(&folder).len(), 4, "{name}");
    }
    expect.finish();
}

/// Lines of the policy that are no more in what came of it, and that nobody named. A line with the
/// `id` of a rule stands for the whole rule.
fn unnamed(folder: &Path, why: &Why) -> Vec<usize> {
    let read = |name| std::fs::read_to_string(folder.join(name)).expect("a policy");
    let (before, after) = (read("policy.toml"), read("after.toml"));
    let mut left: BTreeMap<&str, usize> = BTreeMap::new();
    for line in after.lines() {
        *left.entry(line).or_default() += 1;
    }
    let all: Vec<&str> = before.lines().collect();
    let mut named: BTreeSet<usize> = BTreeSet::new();
    let ways = why.change.iter().flat_map(|step| &step.ways);
    for place in ways.filter_map(|way| way.place.as_ref()) {
        let rest = all.iter().enumerate().skip(place.line - 1);
        let whole = all[place.line - 1].starts_with("id =");
        let block =
            rest.take_while(|(at, line)| at + 1 == place.line || (whole && !line.is_empty()));
        named.extend(block.map(|(at, _)| at + 1));
    }
    // A way may name a second line in its text.
    let ways = why.change.iter().flat_map(|step| &step.ways);
    for way in ways {
        let numbers = way.what.split("line ").skip(1);
        named.extend(numbers.filter_map(|rest| rest.split(')').next()?.parse::<usize>().ok()));
    }
    let gone = all
        .iter()
        .enumerate()
        .filter(|(_, line)| match left.get_mut(**line) {
            Some(count) if *count > 0 => {
                *count -= 1;
                false
            }
            _ => true,
        });
    gone.map(|(at, _)| at + 1)
        .filter(|line| !named.contains(line))
        .collect()
}
