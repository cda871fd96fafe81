//! Integers that are not exact everywhere, judged with the schema in hand.
//!
//! In an authored schema `type: integer` wants one within ±(2^53 - 1), however it is spelled:
//! JavaScript would round any other. So a value is refused that the schema takes and would not take
//! with these bounds at each `integer`. Elsewhere a number is refused only when no double equals
//! it, since a double is what every reader makes of it. With `x-ts` a place opts in to any integer.
//!
//! Readers that know the bounds alone (zod) take a value that the schema refuses only where it is
//! refused for being an integer: under `not`, or as the second of `oneOf`.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::OnceLock,
};

use serde_json::{Map, Number, Value, json};

use crate::{
    bundle::Bundle,
    integral::{MAX_SAFE, is_wide},
    keyword::is_integer,
    normal::{Normal, NormalError, Target, normalize},
    pointer::join,
    strip::stripped,
    validator::{Formats, Validator},
    violation::{Violation, bounded},
    vocabulary::{TS, TS_VALUES},
    walk::walk_mut,
};

/// How many faults of a value are looked at.
const CAP: usize = 32;

/// A schema that is asked about wide integers.
#[derive(Debug)]
pub struct Wide {
    /// In normal form.
    schema: Value,
    /// The schema as it is; made when the first wide number comes.
    plain: OnceLock<Option<Validator>>,
    /// The schema with bounds at each `integer` that does not opt in; made when it is asked for.
    bounded: OnceLock<Option<Validator>>,
}

impl Wide {
    /// Takes a self-contained schema, our `x-` keywords still in it.
    ///
    /// # Errors
    /// When it has no normal form.
    pub fn new(schema: &Value) -> Result<Self, Vec<NormalError>> {
        let bundle = Bundle {
            schema: schema.clone(),
            shared: BTreeMap::new(),
        };
        Ok(Self::of_normal(&normalize(&bundle)?))
    }

    /// Takes a schema that is in normal form already.
    #[must_use]
    pub fn of_normal(normal: &Normal) -> Self {
        Self {
            schema: normal.schema.clone(),
            plain: OnceLock::new(),
            bounded: OnceLock::new(),
        }
    }

    /// The integers of `value` that are refused where they stand. None for a value that the schema
    /// does not take anyhow, unless no double equals a number of it.
    ///
    /// Check the depth of `value` first ([`crate::bounds::check`]): this recurses as deep.
    #[must_use]
    pub fn violations(&self, value: &Value) -> Vec<Violation> {
        if !has_wide(value) {
            return Vec::new();
        }
        let inexact = self.inexact(value);
        let is_taken = || self.plain().is_some_and(|plain| plain.is_valid(value));
        if !inexact.is_empty() || !is_taken() {
            return inexact;
        }
        self.beyond_bounds(value)
    }

    /// The same for a value of which it is known that the schema takes it.
    #[must_use]
    pub fn violations_of_taken(&self, value: &Value) -> Vec<Violation> {
        if !has_wide(value) {
            return Vec::new();
        }
        let inexact = self.inexact(value);
        if inexact.is_empty() {
            self.beyond_bounds(value)
        } else {
            inexact
        }
    }

    /// Whether the schema refuses `value` and would take it with bounds at each `integer`: readers
    /// that know the bounds alone take it.
    #[must_use]
    pub fn is_taken_with_bounds_alone(&self, value: &Value) -> bool {
        can_turn(&self.schema)
            && self.plain().is_some_and(|plain| !plain.is_valid(value))
            && self.bounded().is_some_and(|it| it.is_valid(value))
    }

    fn plain(&self) -> Option<&Validator> {
        self.plain.get_or_init(|| compile(&self.schema)).as_ref()
    }

    fn bounded(&self) -> Option<&Validator> {
        self.bounded
            .get_or_init(|| compile(&with_bounds(&self.schema)))
            .as_ref()
    }

    /// The numbers that no double equals, where their place does not opt in.
    fn inexact(&self, value: &Value) -> Vec<Violation> {
        let mut found = Vec::new();
        let inexact = |number: &Number, opted_in: bool| !opted_in && !is_double(number);
        self.visit(value, "", vec![&self.schema], &inexact, &mut found);
        found
    }

    /// The wide integers that the bounds refuse in a value that the schema takes.
    fn beyond_bounds(&self, value: &Value) -> Vec<Violation> {
        let Some(bounded) = self.bounded() else {
            return Vec::new();
        };
        let Err(faults) = bounded.validate(value, CAP) else {
            return Vec::new();
        };
        let told = faults.violations.into_iter().map(|fault| fault.pointer);
        let mut places: BTreeSet<String> = told
            .filter(|at| matches!(value.pointer(at), Some(Value::Number(n)) if is_wide(n)))
            .collect();
        if places.is_empty() {
            // A union said no as a whole: each wide integer in it may be the reason.
            let mut found = Vec::new();
            self.visit(value, "", Vec::new(), &|_, _| true, &mut found);
            places.extend(found.into_iter().map(|violation| violation.pointer));
        }
        places.iter().map(|at| refused(at)).collect()
    }

    /// Tells each wide number for which `is_refused`, given whether its place opts in.
    fn visit(
        &self,
        value: &Value,
        at: &str,
        schemas: Vec<&Value>,
        is_refused: &dyn Fn(&Number, bool) -> bool,
        found: &mut Vec<Violation>,
    ) {
        let schemas = self.applied(schemas);
        match value {
            Value::Number(number)
                if is_wide(number)
                    && is_refused(number, schemas.iter().any(|schema| is_opt_in(schema))) =>
            {
                found.push(refused(at));
            }
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    let inner = schemas.iter().flat_map(|s| of_item(s, index)).collect();
                    self.visit(
                        item,
                        &join(at, &index.to_string()),
                        inner,
                        is_refused,
                        found,
                    );
                }
            }
            Value::Object(members) => {
                for (name, member) in members {
                    let inner = schemas.iter().flat_map(|s| of_member(s, name)).collect();
                    self.visit(member, &join(at, name), inner, is_refused, found);
                }
            }
            _ => {}
        }
    }

    /// `schemas` and what they apply to the same value, in whatever branch of a union.
    fn applied<'s>(&'s self, schemas: Vec<&'s Value>) -> Vec<&'s Value> {
        let mut all: Vec<&Value> = Vec::new();
        let mut seen: BTreeSet<*const Value> = BTreeSet::new();
        let mut open = schemas;
        while let Some(schema) = open.pop() {
            if !seen.insert(std::ptr::from_ref(schema)) {
                continue;
            }
            all.push(schema);
            let Value::Object(map) = schema else { continue };
            for (key, inner) in map {
                match (key.as_str(), inner) {
                    ("$ref", Value::String(reference)) => open.extend(self.target(reference)),
                    ("allOf" | "anyOf" | "oneOf", Value::Array(items)) => open.extend(items),
                    ("if" | "then" | "else", schema) => open.push(schema),
                    ("dependentSchemas", Value::Object(members)) => open.extend(members.values()),
                    _ => {}
                }
            }
        }
        all
    }

    fn target(&self, reference: &str) -> Option<&Value> {
        Target::of(reference)?.within(&self.schema)
    }
}

fn compile(schema: &Value) -> Option<Validator> {
    Validator::compile(&stripped(schema), Formats::Assert).ok()
}

/// Whether a value may be taken because a part of the schema refuses it. Where nothing turns a
/// verdict round, more bounds never make a schema take more. Takes names of members for keywords
/// too, which is on the safe side.
fn can_turn(schema: &Value) -> bool {
    const TURNING: [&str; 4] = ["not", "oneOf", "if", "maxContains"];
    let mut open = vec![schema];
    while let Some(value) = open.pop() {
        match value {
            Value::Object(map) if map.keys().any(|key| TURNING.contains(&key.as_str())) => {
                return true;
            }
            Value::Object(map) => open.extend(map.values()),
            Value::Array(items) => open.extend(items),
            _ => {}
        }
    }
    false
}

fn refused(at: &str) -> Violation {
    Violation {
        pointer: bounded(at),
        keyword: TS.to_owned(),
        expected: format!("an integer within ±{MAX_SAFE}"),
        got: "integer".to_owned(),
    }
}

/// `schema` with bounds at each `integer` that does not opt in.
fn with_bounds(schema: &Value) -> Value {
    let mut schema = schema.clone();
    walk_mut(&mut schema, &mut |node| {
        if !is_integer(node.get("type")) || is_opt_in(node) {
            return;
        }
        if let Value::Object(keywords) = node {
            let all = keywords.entry("allOf").or_insert_with(|| json!([]));
            if let Value::Array(all) = all {
                all.push(json!({ "minimum": -MAX_SAFE.cast_signed(), "maximum": MAX_SAFE }));
            }
        }
    });
    schema
}

fn is_opt_in(schema: &Value) -> bool {
    schema
        .get(TS)
        .and_then(Value::as_str)
        .is_some_and(|text| TS_VALUES.contains(&text))
}

/// Whether a double is equal to the number.
fn is_double(number: &Number) -> bool {
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        reason = "whether the way there and back changes the integer is the question"
    )]
    let survives = |integer: i128| integer as f64 as i128 == integer;
    match (number.as_i64(), number.as_u64()) {
        (Some(signed), _) => survives(i128::from(signed)),
        (None, Some(unsigned)) => survives(i128::from(unsigned)),
        (None, None) => true,
    }
}

/// Whether `value` holds a number that has to be judged. Iterative.
#[must_use]
pub fn has_wide(value: &Value) -> bool {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::Number(number) if is_wide(number) => return true,
            Value::Array(items) => open.extend(items),
            Value::Object(members) => open.extend(members.values()),
            _ => {}
        }
    }
    false
}

/// What `schema` applies to the item at `index`.
fn of_item(schema: &Value, index: usize) -> Vec<&Value> {
    let prefix = schema.get("prefixItems").and_then(Value::as_array);
    let own = prefix.and_then(|prefix| prefix.get(index));
    let rest = own.is_none().then(|| schema.get("items")).flatten();
    let any = ["contains", "unevaluatedItems"].map(|key| schema.get(key));
    own.into_iter()
        .chain(rest)
        .chain(any.into_iter().flatten())
        .collect()
}

/// What `schema` applies to the member `name`; each pattern counts as one that may fit.
fn of_member<'s>(schema: &'s Value, name: &str) -> Vec<&'s Value> {
    let map = |key: &str| schema.get(key).and_then(Value::as_object);
    let own = map("properties").and_then(|properties| properties.get(name));
    let patterns = map("patternProperties").into_iter().flat_map(Map::values);
    let rest = own
        .is_none()
        .then(|| schema.get("additionalProperties"))
        .flatten();
    own.into_iter()
        .chain(patterns)
        .chain(rest)
        .chain(schema.get("unevaluatedProperties"))
        .collect()
}
