//! Arrays and tuples.

use serde_json::{Map, Value};
use toolcontract_schema::keyword::count;

use super::{Lowering, reach::is_true};
use crate::{
    emit::typescript::form::{Check, Form, Items, Kind, Tuple},
    model::shape::TypeSet,
};

/// Any array.
pub(super) fn any_array() -> Form {
    Form::of(Kind::Array(Box::new(Items {
        items: Form::unknown(),
        min: None,
        max: None,
    })))
}

impl<'a> Lowering<'a> {
    pub(super) fn array(&self, map: &'a Map<String, Value>) -> Form {
        let min = count(map.get("minItems")).filter(|min| *min > 0);
        let max = count(map.get("maxItems"));
        let mut checks = Vec::new();
        let prefix = map.get("prefixItems").and_then(Value::as_array);
        let later = self.later_items(map);
        let kind = match prefix.filter(|prefix| !prefix.is_empty()) {
            None => Kind::Array(Box::new(Items {
                items: later.map_or_else(Form::unknown, |items| self.lower(items, TypeSet::ALL)),
                min,
                max,
            })),
            Some(prefix) => {
                let tuple = self.tuple(prefix, later, min, max);
                if !tuple.plain {
                    checks.extend(min.map(Check::MinItems));
                    checks.extend(max.map(Check::MaxItems));
                }
                Kind::Tuple(Box::new(tuple))
            }
        };
        if map.get("uniqueItems") == Some(&Value::Bool(true)) {
            checks.push(Check::UniqueItems);
        }
        checks.extend(self.contains(map));
        Form { kind, checks }
    }

    fn tuple(
        &self,
        prefix: &'a [Value],
        later: Option<&'a Value>,
        min: Option<u64>,
        max: Option<u64>,
    ) -> Tuple {
        let prefix: Vec<Form> = prefix
            .iter()
            .map(|item| self.lower(item, TypeSet::ALL))
            .collect();
        let length = prefix.len() as u64;
        let rest = match later {
            Some(Value::Bool(false)) => None,
            _ if max.is_some_and(|max| max <= length) => None,
            Some(items) => Some(self.lower(items, TypeSet::ALL)),
            None => Some(Form::unknown()),
        };
        let required = usize::try_from(min.unwrap_or(0).min(length)).unwrap_or(usize::MAX);
        let plain = rest.is_none()
            && required == prefix.len()
            && max.is_none_or(|max| max >= length)
            && !prefix.iter().any(|item| self.may_be_undefined(item));
        Tuple {
            prefix,
            rest,
            required,
            plain,
        }
    }

    /// What the items behind the prefix must be.
    fn later_items(&self, map: &'a Map<String, Value>) -> Option<&'a Value> {
        map.get("items").or_else(|| {
            map.get("unevaluatedItems")
                .filter(|_| !map.contains_key("contains") && !has_applicators(map))
        })
    }

    fn contains(&self, map: &'a Map<String, Value>) -> Option<Check> {
        let schema = map.get("contains")?;
        let min = count(map.get("minContains")).unwrap_or(1);
        let max = count(map.get("maxContains"));
        (min > 0 || max.is_some()).then(|| Check::Contains {
            form: self.lower(schema, TypeSet::ALL),
            min,
            max,
        })
    }

    /// The check of `unevaluatedItems`, where it is more than `items` could say.
    pub(super) fn unevaluated_items(&self, map: &'a Map<String, Value>) -> Option<Check> {
        let schema = map.get("unevaluatedItems").filter(|s| !is_true(s))?;
        let needed =
            !map.contains_key("items") && (map.contains_key("contains") || has_applicators(map));
        needed.then(|| {
            Check::UnevaluatedItems(self.evaluated_items(map), self.lower(schema, TypeSet::ALL))
        })
    }
}

/// Whether the schema is made of others that speak of the same value.
pub(super) fn has_applicators(map: &Map<String, Value>) -> bool {
    ["$ref", "allOf", "anyOf", "oneOf", "if", "dependentSchemas"]
        .iter()
        .any(|keyword| map.contains_key(*keyword))
}
