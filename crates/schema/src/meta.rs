//! What can be said of a schema before any value is seen: whether its dialect's meta-schema takes
//! it, and whether it can accept anything at all.

use jsonschema::canonical::{self, Satisfiability};
use serde_json::Value;

use crate::{
    bounds::nesting,
    explain::explain,
    normal::MAX_NESTING,
    violation::{Violation, Violations, without_noise},
    vocabulary::Dialect,
};

/// Everything that the meta-schema of the schema's dialect (2020-12 where it names none) refuses,
/// up to `cap` faults, each with its place in the schema.
///
/// The meta-schemas are part of the program; a dialect that is not known is one fault.
///
/// # Errors
/// The faults, in the order of their pointers.
pub fn check(schema: &Value, cap: usize) -> Result<(), Violations> {
    let named = schema
        .get("$schema")
        .map_or(Dialect::Draft202012.uri(), |s| {
            s.as_str().unwrap_or_default()
        });
    let Some(dialect) = Dialect::from_uri(named) else {
        return Err(Violations::new(vec![unknown_dialect(schema)], cap));
    };
    let meta = serde_json::json!({ "$schema": dialect.uri() });
    let Ok(validator) = jsonschema::meta::validator_for(&meta) else {
        return Err(Violations::new(vec![unknown_dialect(schema)], cap));
    };
    let faults: Vec<Violation> = validator
        .iter_errors(schema)
        .flat_map(|error| explain(&error))
        .collect();
    if faults.is_empty() {
        return Ok(());
    }
    Err(Violations::new(without_noise(faults), cap))
}

fn unknown_dialect(schema: &Value) -> Violation {
    Violation {
        pointer: "/$schema".to_owned(),
        keyword: "$schema".to_owned(),
        expected: format!("a known dialect, such as {}", Dialect::Draft202012.uri()),
        got: schema
            .get("$schema")
            .map_or("absent", crate::violation::type_name)
            .to_owned(),
    }
}

/// Whether it is proved that the schema accepts no value: `false`, types that exclude each other,
/// bounds that leave nothing, a required member that can only be infinite.
///
/// False means not proved: some value fits, or the question is beyond what is decided here.
/// Formats count as annotations, and references that leave the schema prove nothing.
#[must_use]
pub fn accepts_nothing(schema: &Value) -> bool {
    if nesting(schema) > MAX_NESTING {
        return false;
    }
    canonical::options()
        .offline()
        .canonicalize(schema)
        .is_ok_and(|canonical| canonical.satisfiability() == Satisfiability::No)
}
