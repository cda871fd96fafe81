//! How much work one value can make of a schema: schemas of others may double themselves at every
//! reference, and a kilobyte of them keeps a validator busy for ever.

use std::collections::HashMap;

use serde_json::Value;

use crate::{Bundle, normal::normalize, pointer::resolve};

/// How many schemas may look at one place of a value. Real ones stay below a hundred.
const MAX_WEIGHT: u64 = 10_000;
/// How many of them may stand inside each other.
const MAX_CHAIN: usize = 256;
/// What a reference weighs of which nobody knows where it leads.
const UNKNOWN: u64 = MAX_WEIGHT / 16;

const UNEVALUATED: [&str; 2] = ["unevaluatedProperties", "unevaluatedItems"];

/// Why a schema is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TooHeavy {
    /// It applies itself to the same place again.
    Circular,
    /// It applies too many schemas to one place.
    Wide,
}

impl TooHeavy {
    /// In words, for a message that shows the schema.
    #[must_use]
    pub fn reason(self) -> &'static str {
        match self {
            Self::Circular => "the schema applies itself to the same value again and again",
            Self::Wide => "more than 10000 schemas apply to one place of a value",
        }
    }
}

/// Refuses a schema that makes too much work of one place of a value.
///
/// # Errors
/// When it applies itself to one place again, or too many schemas to it.
pub fn check(schema: &Value) -> Result<(), TooHeavy> {
    let bundle = Bundle {
        schema: schema.clone(),
        shared: std::collections::BTreeMap::new(),
    };
    // In normal form every reference is a pointer. What has none is taken as it stands.
    check_normal(&normalize(&bundle).map_or(bundle.schema, |normal| normal.schema))
}

/// The same for a schema that is in normal form already.
///
/// # Errors
/// As [`check`].
pub fn check_normal(root: &Value) -> Result<(), TooHeavy> {
    let mut weights = Weights {
        root,
        known: HashMap::new(),
    };
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        weights.of(node, 0)?;
        match node {
            Value::Object(members) => open.extend(members.values()),
            Value::Array(items) => open.extend(items),
            _ => {}
        }
    }
    Ok(())
}

struct Weights<'s> {
    root: &'s Value,
    /// By place in memory; none while it is being worked out.
    known: HashMap<*const Value, Option<u64>>,
}

impl<'s> Weights<'s> {
    /// How many schemas `node` applies to one place, itself included.
    fn of(&mut self, node: &'s Value, chain: usize) -> Result<u64, TooHeavy> {
        let Value::Object(members) = node else {
            return Ok(1);
        };
        match self.known.get(&std::ptr::from_ref(node)) {
            Some(Some(weight)) => return Ok(*weight),
            Some(None) => return Err(TooHeavy::Circular),
            None if chain > MAX_CHAIN => return Err(TooHeavy::Wide),
            None => self.known.insert(std::ptr::from_ref(node), None),
        };
        let mut weight: u64 = 1;
        for (keyword, value) in members {
            weight += match (keyword.as_str(), value) {
                ("$ref", Value::String(reference)) => self.of_reference(reference, chain)?,
                ("$dynamicRef" | "$recursiveRef", _) => UNKNOWN,
                ("allOf" | "anyOf" | "oneOf", Value::Array(all)) => self.of_all(all, chain)?,
                ("not" | "if" | "then" | "else", inner) => self.of(inner, chain + 1)?,
                ("dependentSchemas", Value::Object(all)) => self.of_all(all.values(), chain)?,
                _ => 0,
            };
            if weight > MAX_WEIGHT {
                return Err(TooHeavy::Wide);
            }
        }
        // What is evaluated is found out by judging everything else here once more.
        if UNEVALUATED
            .iter()
            .any(|keyword| members.contains_key(*keyword))
        {
            weight = weight.saturating_mul(2);
        }
        if weight > MAX_WEIGHT {
            return Err(TooHeavy::Wide);
        }
        self.known.insert(std::ptr::from_ref(node), Some(weight));
        Ok(weight)
    }

    fn of_all(
        &mut self,
        all: impl IntoIterator<Item = &'s Value>,
        chain: usize,
    ) -> Result<u64, TooHeavy> {
        let mut weight: u64 = 0;
        for inner in all {
            weight = weight.saturating_add(self.of(inner, chain + 1)?);
        }
        Ok(weight)
    }

    fn of_reference(&mut self, reference: &str, chain: usize) -> Result<u64, TooHeavy> {
        let root = self.root;
        let target = reference
            .strip_prefix('#')
            .and_then(|pointer| resolve(root, pointer));
        match target {
            Some(target) => self.of(target, chain + 1),
            None => Ok(UNKNOWN),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// `depth` definitions, each of which applies the next one twice.
    fn doubling(depth: usize) -> Value {
        let mut defs = serde_json::Map::new();
        for level in 0..depth {
            let next = json!({ "$ref": format!("#/$defs/d{}", level + 1) });
            defs.insert(format!("d{level}"), json!({ "allOf": [next, next] }));
        }
        defs.insert(format!("d{depth}"), json!({ "type": "string" }));
        json!({ "type": "object", "properties": { "a": { "$ref": "#/$defs/d0" } }, "$defs": defs })
    }

    #[test]
    fn doubling_is_refused() {
        assert_eq!(check(&doubling(24)), Err(TooHeavy::Wide));
        assert_eq!(check(&doubling(4)), Ok(()));
    }

    #[test]
    fn what_is_unevaluated_doubles_at_each_level() {
        let nested = |depth: usize| {
            (0..depth).fold(
                json!({ "type": "object" }),
                |inner, _| json!({ "allOf": [inner], "unevaluatedProperties": false }),
            )
        };
        assert_eq!(check(&nested(30)), Err(TooHeavy::Wide));
        assert_eq!(check(&nested(6)), Ok(()));
    }

    #[test]
    fn going_round_on_the_spot_is_refused() {
        let round = json!({ "type": "object", "allOf": [{ "$ref": "#" }] });
        assert_eq!(check(&round), Err(TooHeavy::Circular));
        // Going round from value to value inside it is what trees do.
        let tree = json!({ "type": "object", "properties": { "child": { "$ref": "#" } } });
        assert_eq!(check(&tree), Ok(()));
    }
}
