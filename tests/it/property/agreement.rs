//! Draws schemas, generates both packages from them in batches, and runs the packages' own tests.
//!
//! `SCHEMAS` says how many are drawn, `SEED` with which seed. A batch that fails names its tools;
//! the first of them is made smaller as long as it fails alone.

use std::collections::{BTreeMap, BTreeSet};

use proptest::{
    strategy::{Strategy as _, ValueTree},
    test_runner::{Config, RngSeed, TestRunner},
};
use serde_json::{Value, json};
use toolcontract_codegen::lint::CheckedModel;

use super::schema::schema;
use crate::rust::krate::{Manifests, emit, emit_typescript, try_test_crate, try_test_package};

/// The most schemas that are compiled together.
const BATCH: usize = 250;
/// How many are drawn unless said otherwise.
const SCHEMAS: usize = 300;
const SEED: u64 = 20_261_130;
/// How often a schema that fails is made smaller.
const MAX_SHRINKS: usize = 40;

fn number(variable: &str, usual: u64) -> u64 {
    std::env::var(variable)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(usual)
}

#[test]
fn both_languages_agree_with_the_validator() {
    let wanted = usize::try_from(number("SCHEMAS", SCHEMAS as u64)).unwrap();
    let mut runner = TestRunner::new(Config {
        rng_seed: RngSeed::Fixed(number("SEED", SEED)),
        failure_persistence: None,
        ..Config::default()
    });
    let mut totals = Totals::default();
    let mut left = wanted;
    while left > 0 {
        let size = left.min(BATCH.min(wanted.div_ceil(2)));
        left -= size;
        let mut trees: Vec<_> = (0..size)
            .map(|_| schema().new_tree(&mut runner).unwrap())
            .collect();
        let schemas: Vec<_> = trees.iter().map(ValueTree::current).enumerate().collect();
        let Err(why) = run(&schemas, &mut totals) else {
            continue;
        };
        let failing = (0..size).find(|at| why.contains(&name(*at)));
        let Some(at) = failing else {
            panic!("{why}");
        };
        let smallest = shrink(at, &mut trees[at]);
        panic!("{why}\n\nsmallest that fails alone:\n{smallest:#}");
    }
    println!("{wanted} schemas drawn: {totals:?}");
    assert!(totals.generated * 2 > wanted, "{totals:?}");
    assert!(totals.with_valid * 10 > totals.generated * 8, "{totals:?}");
}

#[derive(Debug, Default)]
struct Totals {
    /// Schemas that lint accepts.
    generated: usize,
    /// Those of which a valid value was found.
    with_valid: usize,
    vectors: usize,
}

/// What a tool of a batch is called; no name begins with another one.
fn name(at: usize) -> String {
    format!("drawn_{at:04}")
}

/// Generates, compiles and asks; else says what is wrong.
fn run(schemas: &[(usize, Value)], totals: &mut Totals) -> Result<(), String> {
    let model = model(schemas)?;
    if model.tools.is_empty() {
        return Ok(());
    }
    for tool in &model.tools {
        let vectors = tool.vectors();
        let drawn = vectors.output.as_ref().unwrap_or(&vectors.input);
        totals.generated += 1;
        totals.with_valid += usize::from(drawn.has_valid());
        totals.vectors += drawn.list.len();
    }
    try_test_crate("property", &emit(&model))?;
    try_test_package("property", &emit_typescript(&model), None)
}

/// The model of those that lint accepts: declared as an output, which may be anything, or authored
/// as a member of an input. What an author may allow is allowed.
fn model(schemas: &[(usize, Value)]) -> Result<CheckedModel, String> {
    let mut allowed: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut refused = BTreeSet::new();
    loop {
        let mut manifests = Manifests::new("property");
        for (at, schema) in schemas {
            let name = name(*at);
            if refused.contains(&name) {
                continue;
            }
            let allow = allowed.get(&name).into_iter().flatten();
            let allow = allow.map(|rule| json!({ "rule": rule, "reason": "drawn" }));
            let mut manifest = json!({
                "name": name,
                "description": "Drawn.",
                "group": "test",
                "risk": "low",
                "allow": allow.collect::<Vec<_>>(),
            });
            if at % 2 == 0 {
                manifest["origin"] = json!("a test");
                manifest["input_schema"] = json!({ "type": "object" });
                manifest["output_schema"] = schema.clone();
            } else {
                manifest["input_schema"] = as_member(schema);
            }
            manifests.add(&format!("tools/{name}"), &manifest);
        }
        let errors = match manifests.check() {
            Ok(model) => return Ok(model),
            Err(errors) => errors,
        };
        let mut found: BTreeSet<(&str, &str)> = BTreeSet::new();
        found.extend(errors.lines().filter_map(named));
        if found.is_empty() {
            return Err(errors);
        }
        for (name, rule) in found {
            // What stays an error although it is allowed cannot be.
            if !allowed
                .entry(name.to_owned())
                .or_default()
                .insert(rule.to_owned())
            {
                refused.insert(name.to_owned());
            }
        }
    }
}

/// An input with a member that is what `schema` says.
fn as_member(schema: &Value) -> Value {
    let mut schema = schema.clone();
    let defs = schema
        .as_object_mut()
        .and_then(|keywords| keywords.shift_remove("$defs"));
    let mut input = json!({
        "type": "object",
        "required": ["value"],
        "properties": { "value": schema },
        "additionalProperties": false,
    });
    if let Some(defs) = defs {
        input["$defs"] = defs;
    }
    input
}

/// The tool and the rule of an error, `manifests/tools/NAME.json RULE: ...`.
fn named(line: &str) -> Option<(&str, &str)> {
    let (path, rest) = line.split_once(' ')?;
    let name = path
        .strip_prefix("manifests/tools/")?
        .strip_suffix(".json")?;
    Some((name, rest.split_once(':')?.0))
}

/// The smallest schema on the way down that still fails alone, in the posture that its place gives.
fn shrink<T: ValueTree<Value = Value>>(at: usize, tree: &mut T) -> Value {
    let mut smallest = tree.current();
    let mut failed = true;
    for _ in 0..MAX_SHRINKS {
        let moved = if failed {
            tree.simplify()
        } else {
            tree.complicate()
        };
        if !moved {
            break;
        }
        failed = run(&[(at, tree.current())], &mut Totals::default()).is_err();
        if failed {
            smallest = tree.current();
        }
    }
    smallest
}
