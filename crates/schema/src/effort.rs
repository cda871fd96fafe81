//! How much work a value can be, beyond the judgement itself, which is bounded by
//! [`weight`](crate::weight).
//!
//! `jsonschema` remembers what it has judged. It does not while it collects faults, and it collects
//! all of them: a schema that looks at one value in two ways, and so on at every level below, would
//! keep it busy for ever, and one that finds a thousand faults in each of a thousand items would
//! fill the memory. And a pattern with look-around has a limit for each text, but there may be many
//! such patterns and texts. Both are counted before, and refused.

mod looks;

use std::sync::OnceLock;

use regex_syntax::ast::parse::Parser;
use serde_json::Value;

use crate::{
    Bundle,
    normal::normalize,
    vocabulary::{REFERENCES, schemas_under},
    walk::walk_mut,
};
use looks::{Cost, cost};

/// How much may be looked at to explain what is wrong with one value.
const MAX_EXPLAINED: u64 = 100_000;
/// How often patterns with look-around may meet texts of one value.
const MAX_MATCHED: u64 = 1_000;

/// Which alternatives a fault copies.
const UNIONS: [&str; 2] = ["anyOf", "oneOf"];

/// What of a schema makes work.
#[derive(Debug)]
pub(crate) struct Effort {
    /// The schema; most are never asked about, and as text it is small.
    text: Box<str>,
    /// Whether it may refer to itself.
    refers: bool,
    /// None where it cannot be read back, for its nesting.
    skeleton: OnceLock<Option<Value>>,
    /// Whether any pattern has look-around.
    backtracks: bool,
}

impl Effort {
    /// What of `schema` makes work. `backtracks` says whether a pattern may have look-around.
    pub(crate) fn of(schema: &Value, backtracks: bool) -> Self {
        let text: Box<str> = schema.to_string().into();
        Self {
            refers: REFERENCES.iter().any(|keyword| text.contains(keyword)),
            text,
            skeleton: OnceLock::new(),
            backtracks,
        }
    }

    /// Whether it is too much work to say what is wrong with `value`.
    pub(crate) fn is_too_much_to_explain(&self, value: &Value) -> bool {
        // Without references a schema looks at each part once, and has fewer parts than letters.
        let is_little = || (self.text.len() as u64).saturating_mul(size(value)) <= MAX_EXPLAINED;
        (self.refers || !is_little()) && self.cost(value, explained, MAX_EXPLAINED).is_none()
    }

    /// Whether patterns with look-around meet too many texts of `value`.
    pub(crate) fn is_too_much_to_match(&self, value: &Value) -> bool {
        self.backtracks && self.cost(value, matched, MAX_MATCHED).is_none()
    }

    fn cost(&self, value: &Value, of: Cost, max: u64) -> Option<u64> {
        let skeleton = self.skeleton.get_or_init(|| {
            let schema = serde_json::from_str(&self.text).ok()?;
            Some(skeleton(schema, self.refers, self.backtracks))
        });
        cost(skeleton.as_ref()?, value, of, max)
    }
}

/// Which schemas `schema` applies where, how long its lists are (under `enum`), and which patterns
/// have look-around (`pattern`; under `$comment`, how many of those for names).
fn skeleton(schema: Value, refers: bool, backtracks: bool) -> Value {
    let mut bundle = Bundle {
        schema,
        shared: std::collections::BTreeMap::new(),
    };
    // In normal form every reference is a pointer. What has none is taken as it stands.
    if refers && let Ok(normal) = normalize(&bundle) {
        bundle.schema = normal.schema;
    }
    walk_mut(&mut bundle.schema, &mut |node| bare(node, backtracks));
    bundle.schema
}

/// Leaves of `node` what makes work.
fn bare(node: &mut Value, backtracks: bool) {
    let Value::Object(members) = node else { return };
    let names = members.get("patternProperties").and_then(Value::as_object);
    let names = names.map_or(0, |names| {
        names.keys().filter(|name| looks_around(name)).count()
    });
    members.retain(|key, value| match key.as_str() {
        "enum" => {
            *value = Value::from(value.as_array().map_or(0, Vec::len));
            true
        }
        "pattern" => backtracks && value.as_str().is_some_and(looks_around),
        key => schemas_under(key).is_some() || REFERENCES.contains(&key),
    });
    if backtracks && names > 0 {
        members.insert("$comment".to_owned(), Value::from(names));
    }
}

/// Whether a pattern is more than a linear engine matches.
fn looks_around(pattern: &str) -> bool {
    Parser::new().parse(pattern).is_err()
}

/// A fault of a list names the list, and one of a union holds copies of what it is about.
fn explained(schema: &Value, part: &Value) -> u64 {
    let listed = schema.get("enum").and_then(Value::as_u64);
    let copied = match UNIONS.iter().any(|key| schema.get(key).is_some()) {
        true => size(part),
        false => 0,
    };
    1 + listed.unwrap_or_default() + copied
}

/// How many patterns with look-around meet `part` or the names of its members.
fn matched(schema: &Value, part: &Value) -> u64 {
    match part {
        Value::String(_) => u64::from(schema.get("pattern").is_some()),
        Value::Object(members) => {
            let patterns = schema.get("$comment").and_then(Value::as_u64);
            patterns.unwrap_or_default() * members.len() as u64
        }
        _ => 0,
    }
}

/// How many values there are in `value`, as far as it matters.
fn size(value: &Value) -> u64 {
    let mut open = vec![value];
    let mut count = 0;
    while let Some(value) = open.pop()
        && count <= MAX_EXPLAINED
    {
        count += 1;
        match value {
            Value::Array(items) => open.extend(items),
            Value::Object(members) => open.extend(members.values()),
            _ => {}
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{Formats, Validator, violation::hit_pattern_limit};

    /// Two ways at each level that differ in nothing.
    fn doubling(way: &Value) -> Value {
        json!({ "$ref": "#/$defs/n", "$defs": { "n": { "oneOf": [way, way, { "type": "string" }] } } })
    }

    fn nested(depth: usize, wrap: impl Fn(Value) -> Value) -> Value {
        (0..depth).fold(json!(1), |inner, _| wrap(inner))
    }

    #[test]
    fn what_doubles_at_each_level_is_refused_without_a_place() {
        let member = json!({ "type": "object", "properties": { "c": { "$ref": "#/$defs/n" } }, "required": ["c"] });
        let item = json!({ "type": "array", "items": { "$ref": "#/$defs/n" } });
        let rest = json!({ "type": "object", "additionalProperties": { "$ref": "#/$defs/n" } });
        type Wrap = fn(Value) -> Value;
        let ways: [(Value, Wrap); 3] = [
            (member, |inner| json!({ "c": inner })),
            (item, |inner| json!([inner])),
            (rest, |inner| json!({ "any": inner })),
        ];
        for (way, wrap) in ways {
            let schema = doubling(&way);
            let validator = Validator::compile(&schema, Formats::Annotate).unwrap();
            let deep = validator.validate(&nested(60, wrap), 8).unwrap_err();
            assert!(deep.to_string().contains("too entangled"), "{way}: {deep}");
            // A little of it is explained.
            let flat = validator.validate(&nested(3, wrap), 8).unwrap_err();
            assert!(!flat.to_string().contains("too entangled"), "{way}: {flat}");
            let fine = validator.validate(&json!("text"), 8);
            assert!(fine.is_ok());
        }
    }

    #[test]
    fn trees_are_explained_to_their_leaves() {
        let tree = json!({
            "type": "object",
            "properties": {
                "name": { "type": "string" },
                "children": { "type": "array", "items": { "$ref": "#" } },
            },
            "additionalProperties": false,
        });
        let validator = Validator::compile(&tree, Formats::Annotate).unwrap();
        let deep = (0..10).fold(
            json!({ "name": 1 }),
            |inner, _| json!({ "children": [{ "name": "a" }, inner] }),
        );
        let found = validator.validate(&deep, 8).unwrap_err();
        assert!(
            found.violations[0].pointer.ends_with("/children/1/name"),
            "{found}"
        );
        let wide: Vec<Value> = (0..20_000).map(|_| json!({ "name": "a" })).collect();
        let mut wide = json!({ "children": wide });
        wide["children"][19_999]["name"] = json!(7);
        let found = validator.validate(&wide, 8).unwrap_err();
        assert_eq!(found.violations[0].pointer, "/children/19999/name");
    }

    #[test]
    fn faults_without_number_are_not_collected() {
        let bounds: Vec<Value> = (0..1_000).map(|n| json!({ "maximum": n })).collect();
        let list: Vec<Value> = (0..1_000).map(|n| json!({ "k": n })).collect();
        for item in [json!({ "allOf": bounds }), json!({ "enum": list })] {
            let schema = json!({ "type": "array", "items": item });
            let validator = Validator::compile(&schema, Formats::Annotate).unwrap();
            let many = validator
                .validate(&json!(vec![2_000; 1_000]), 8)
                .unwrap_err();
            assert!(many.to_string().contains("too entangled"), "{many}");
            let few = validator.validate(&json!([2_000]), 8).unwrap_err();
            assert!(
                few.violations.iter().all(|fault| fault.pointer == "/0"),
                "{few}"
            );
        }
    }

    #[test]
    fn patterns_with_look_around_meet_so_many_texts() {
        let patterns: serde_json::Map<String, Value> = (0..100)
            .map(|n| (format!("^(a|aa)+(?!x){n}$"), json!({})))
            .collect();
        let named = json!({ "type": "object", "patternProperties": patterns });
        let listed = json!({ "type": "array", "items": { "pattern": "^(?!x)(a|aa)+$" } });
        let names = |count: usize| -> Value {
            let names = (0..count).map(|n| (format!("{}{n}", "a".repeat(60)), json!(1)));
            Value::Object(names.collect())
        };
        for (schema, many, few) in [
            (named, names(11), json!({ "b": 1 })),
            (listed, json!(vec!["b"; 1_001]), json!(vec!["aaa"; 999])),
        ] {
            let validator = Validator::compile(&schema, Formats::Annotate).unwrap();
            let refused = validator.validate(&many, 8).unwrap_err();
            assert!(hit_pattern_limit(&refused), "{refused}");
            assert!(!validator.is_valid(&many));
            assert!(validator.validate(&few, 8).is_ok());
        }
    }
}
