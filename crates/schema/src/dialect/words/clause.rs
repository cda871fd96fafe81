//! Conditions on an object as clauses. Gives nothing where words would be longer or vaguer than the
//! schema itself.

use serde_json::Value;

use crate::keyword;

use super::text::{at_least, at_most, count_is, join, lower, names, only, plain, values};

/// How deep a condition may nest and still be put into words.
const MAX_DEPTH: usize = 4;

/// What `schema` asks of an object, as a clause without capital and full stop, such as
/// "`output_mode` is "content"". `given` are members that are always there. None where words would
/// be longer or vaguer than the schema.
#[must_use]
pub fn condition(schema: &Value, given: &[&str]) -> Option<String> {
    clause(schema, given, 0)
}

pub(super) fn clause(schema: &Value, given: &[&str], depth: usize) -> Option<String> {
    let map = schema.as_object()?;
    if depth > MAX_DEPTH || map.is_empty() {
        return None;
    }
    let required = keyword::names(map.get("required")).collect::<Vec<_>>();
    let properties = map.get("properties").and_then(Value::as_object);
    let mut parts = Vec::new();
    if let Some(properties) = properties {
        for (name, property) in properties {
            let says = property_clause(property)?;
            parts.push(
                if required.contains(&name.as_str()) || given.contains(&name.as_str()) {
                    format!("`{name}` {says}")
                } else {
                    format!("`{name}`, if given, {says}")
                },
            );
        }
    }
    let alone: Vec<String> = required
        .iter()
        .filter(|name| properties.is_none_or(|p| !p.contains_key(**name)))
        .map(|name| format!("`{name}`"))
        .collect();
    if !alone.is_empty() {
        let verb = if alone.len() == 1 { "is" } else { "are" };
        parts.push(format!("{} {verb} given", join(&alone, "and")));
    }
    for (keyword, value) in map {
        parts.push(match keyword.as_str() {
            "required" | "properties" | "title" | "description" | "$comment" => continue,
            "type" if value == "object" => continue,
            "minProperties" => format!("{} given", count_is("at least", value, "member")),
            "maxProperties" => format!("{} given", count_is("at most", value, "member")),
            "anyOf" => alternatives(value, "at least one of", given, depth)?,
            "oneOf" => alternatives(value, "exactly one of", given, depth)?,
            "allOf" => {
                let all = value.as_array()?;
                let all: Option<Vec<_>> = all.iter().map(|s| clause(s, given, depth + 1)).collect();
                all?.join(" and ")
            }
            "not" => negation(value, given, depth)?,
            _ => return None,
        });
    }
    (!parts.is_empty()).then(|| parts.join(" and "))
}

fn alternatives(value: &Value, how_many: &str, given: &[&str], depth: usize) -> Option<String> {
    let branches = value.as_array()?;
    let single: Option<Vec<String>> = branches
        .iter()
        .map(|branch| {
            let required: Vec<&str> = keyword::names(branch.get("required")).collect();
            match (only(branch, &["required"]), required.as_slice()) {
                (true, [name]) => Some(format!("`{name}`")),
                _ => None,
            }
        })
        .collect();
    if let Some(names) = single {
        return Some(format!("{how_many} {} is given", join(&names, "and")));
    }
    let clauses: Option<Vec<String>> = branches
        .iter()
        .map(|b| clause(b, given, depth + 1))
        .collect();
    let clauses: Vec<String> = clauses?.iter().map(|c| format!("({c})")).collect();
    Some(format!("{how_many} these holds: {}", join(&clauses, "or")))
}

fn negation(schema: &Value, given: &[&str], depth: usize) -> Option<String> {
    if only(schema, &["required"]) {
        let names = names(schema.get("required")?);
        return Some(match names.as_slice() {
            [name] => format!("{name} is left out"),
            [_, _] => format!("{} are not given together", join(&names, "and")),
            _ => format!("{} are not all given", join(&names, "and")),
        });
    }
    Some(format!(
        "it is not so that {}",
        clause(schema, given, depth + 1)?
    ))
}

fn property_clause(schema: &Value) -> Option<String> {
    let map = schema.as_object()?;
    let mut parts = Vec::new();
    for (keyword, value) in map {
        parts.push(match keyword.as_str() {
            "title" | "description" | "$comment" => continue,
            "type" if map.contains_key("const") || map.contains_key("enum") => continue,
            "const" => format!("is {value}"),
            "enum" => format!("is {}", join(&values(value), "or")),
            "minimum" => format!("is at least {value}"),
            "maximum" => format!("is at most {value}"),
            "exclusiveMinimum" => format!("is greater than {value}"),
            "exclusiveMaximum" => format!("is less than {value}"),
            "minItems" => format!("has {}", lower(&at_least(value, "item"))),
            "maxItems" => format!("has {}", lower(&at_most(value, "item"))),
            "minLength" => format!("has {}", lower(&at_least(value, "character"))),
            "maxLength" => format!("has {}", lower(&at_most(value, "character"))),
            "pattern" => format!("matches `{}`", plain(value)),
            "type" => type_clause(value)?,
            "not" => match value.as_object().map(|m| (m.len(), m.get("const"))) {
                Some((1, Some(other))) => format!("is not {other}"),
                _ => return None,
            },
            _ => return None,
        });
    }
    (!parts.is_empty()).then(|| parts.join(" and "))
}

fn type_clause(value: &Value) -> Option<String> {
    Some(match value.as_str()? {
        "null" => "is null".to_owned(),
        "array" => "is a list".to_owned(),
        "integer" => "is an integer".to_owned(),
        "object" => "is an object".to_owned(),
        other => format!("is a {other}"),
    })
}
