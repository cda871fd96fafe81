//! Schema keywords as English sentences: what a target cannot express goes into a description.
//!
//! Says what reads well in words and shows the rest as JSON Schema, so that nothing is lost and
//! nothing is said wrongly. Never asserts anything.

use serde_json::{Map, Value};

/// How deep a condition may nest and still be put into words.
const MAX_DEPTH: usize = 4;

/// The sentence that says what `keyword` asks of the node that holds it, with its full stop.
///
/// None where the keyword is absent or asks nothing that a sentence could add (`$defs`, `title`).
#[must_use]
pub fn sentence(keyword: &str, node: &Map<String, Value>) -> Option<String> {
    let value = node.get(keyword)?;
    let text = match keyword {
        "minLength" => at_least(value, "character"),
        "maxLength" => at_most(value, "character"),
        "minItems" => at_least(value, "item"),
        "maxItems" => at_most(value, "item"),
        "minProperties" => at_least(value, "member"),
        "maxProperties" => at_most(value, "member"),
        "minimum" => format!("At least {value}"),
        "maximum" => format!("At most {value}"),
        "exclusiveMinimum" => format!("Greater than {value}"),
        "exclusiveMaximum" => format!("Less than {value}"),
        "multipleOf" => format!("A multiple of {value}"),
        "pattern" => format!("Matches the regular expression `{}`", plain(value)),
        "format" => format!("Format: {}", plain(value)),
        "uniqueItems" => {
            if value == &Value::Bool(false) {
                return None;
            }
            "No item twice".to_owned()
        }
        "const" => format!("Always {value}"),
        "enum" => format!("One of {}", join(&values(value), "or")),
        "default" => format!("Default: {value}"),
        "examples" => format!("For example {}", join(&values(value), "or")),
        "deprecated" => {
            if value == &Value::Bool(false) {
                return None;
            }
            "Deprecated".to_owned()
        }
        "required" => format!("{} must be given", join(&names(value), "and")),
        "dependentRequired" => return dependent_required(value),
        "dependentSchemas" => return dependent_schemas(value),
        "if" | "then" | "else" => return conditional(keyword, node),
        "additionalProperties" => match value {
            Value::Bool(true) => "Other members may be given".to_owned(),
            Value::Bool(false) => "No other members".to_owned(),
            schema => format!("Each other member matches the JSON Schema {schema}"),
        },
        "patternProperties" => return pattern_properties(value),
        "propertyNames" => match value.get("pattern") {
            Some(pattern) if only(value, &["pattern", "type"]) => {
                format!(
                    "Names of members match the regular expression `{}`",
                    plain(pattern)
                )
            }
            _ => format!("Names of members match the JSON Schema {value}"),
        },
        "contains" | "minContains" | "maxContains" => return contains(keyword, node),
        "prefixItems" => format!("The first items match the JSON Schemas {value}, in this order"),
        "anyOf" | "oneOf" | "allOf" | "not" => {
            let mut alone = Map::new();
            alone.insert(keyword.to_owned(), value.clone());
            let alone = Value::Object(alone);
            match clause(&alone, 0) {
                Some(clause) => capital(&clause),
                None => format!("Matches the JSON Schema {alone}"),
            }
        }
        "unevaluatedProperties"
        | "unevaluatedItems"
        | "items"
        | "contentSchema"
        | "contentEncoding"
        | "contentMediaType" => {
            format!("JSON Schema `{keyword}`: {value}")
        }
        _ => return None,
    };
    Some(format!("{text}."))
}

/// What `schema` asks of an object, as a clause without capital and full stop, such as
/// "`output_mode` is "content"". None where words would be longer or vaguer than the schema.
#[must_use]
pub fn condition(schema: &Value) -> Option<String> {
    clause(schema, 0)
}

fn clause(schema: &Value, depth: usize) -> Option<String> {
    let map = schema.as_object()?;
    if depth > MAX_DEPTH || map.is_empty() {
        return None;
    }
    let required = map.get("required").map(listed).unwrap_or_default();
    let properties = map.get("properties").and_then(Value::as_object);
    let mut parts = Vec::new();
    if let Some(properties) = properties {
        for (name, property) in properties {
            let says = property_clause(property)?;
            parts.push(if required.contains(&name.as_str()) {
                format!("`{name}` {says}")
            } else {
                format!("`{name}`, if given, {says}")
            });
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
            "anyOf" => alternatives(value, "at least one of", depth)?,
            "oneOf" => alternatives(value, "exactly one of", depth)?,
            "allOf" => {
                let all = value.as_array()?;
                let all: Option<Vec<_>> = all.iter().map(|s| clause(s, depth + 1)).collect();
                all?.join(" and ")
            }
            "not" => negation(value, depth)?,
            _ => return None,
        });
    }
    (!parts.is_empty()).then(|| parts.join(" and "))
}

fn alternatives(value: &Value, how_many: &str, depth: usize) -> Option<String> {
    let branches = value.as_array()?;
    let single: Option<Vec<String>> = branches
        .iter()
        .map(|branch| {
            let required = listed(branch.get("required")?);
            match (only(branch, &["required"]), required.as_slice()) {
                (true, [name]) => Some(format!("`{name}`")),
                _ => None,
            }
        })
        .collect();
    if let Some(names) = single {
        return Some(format!("{how_many} {} is given", join(&names, "and")));
    }
    let clauses: Option<Vec<String>> = branches.iter().map(|b| clause(b, depth + 1)).collect();
    let clauses: Vec<String> = clauses?.iter().map(|c| format!("({c})")).collect();
    Some(format!("{how_many} these holds: {}", join(&clauses, "or")))
}

fn negation(schema: &Value, depth: usize) -> Option<String> {
    if only(schema, &["required"]) {
        let names = names(schema.get("required")?);
        return Some(match names.as_slice() {
            [name] => format!("{name} is left out"),
            [_, _] => format!("{} are not given together", join(&names, "and")),
            _ => format!("{} are not all given", join(&names, "and")),
        });
    }
    Some(format!("it is not so that {}", clause(schema, depth + 1)?))
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

fn dependent_required(value: &Value) -> Option<String> {
    let sentences: Vec<String> = value
        .as_object()?
        .iter()
        .filter(|(_, needed)| !listed(needed).is_empty())
        .map(|(name, needed)| format!("`{name}` needs {}.", join(&names(needed), "and")))
        .collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

/// One sentence for all members that ask the same.
fn dependent_schemas(value: &Value) -> Option<String> {
    let mut groups: Vec<(&Value, Vec<String>)> = Vec::new();
    for (name, schema) in value.as_object()? {
        let name = format!("`{name}`");
        match groups.iter_mut().find(|(known, _)| *known == schema) {
            Some((_, names)) => names.push(name),
            None => groups.push((schema, vec![name])),
        }
    }
    let sentences: Vec<String> = groups
        .into_iter()
        .map(|(schema, names)| {
            let names = join(&names, "or");
            match clause(schema, 0) {
                Some(clause) => format!("If {names} is given, {clause}."),
                None => format!("If {names} is given, the whole matches the JSON Schema {schema}."),
            }
        })
        .collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

/// Said once, at the `if`; a `then` or `else` without one asks nothing.
fn conditional(keyword: &str, node: &Map<String, Value>) -> Option<String> {
    if keyword != "if" {
        return None;
    }
    let test = node.get("if")?;
    let (then, otherwise) = (node.get("then"), node.get("else"));
    if then.is_none() && otherwise.is_none() {
        return None;
    }
    let words = || {
        let test = clause(test, 0)?;
        let says = |branch: &Value| clause(branch, 0);
        Some(match (then, otherwise) {
            (Some(then), Some(otherwise)) => {
                format!(
                    "If {test}, {}; otherwise {}.",
                    says(then)?,
                    says(otherwise)?
                )
            }
            (Some(then), None) => format!("If {test}, {}.", says(then)?),
            (None, otherwise) => format!("Unless {test}, {}.", says(otherwise?)?),
        })
    };
    Some(words().unwrap_or_else(|| {
        let mut shown = Map::new();
        for part in ["if", "then", "else"] {
            if let Some(schema) = node.get(part) {
                shown.insert(part.to_owned(), schema.clone());
            }
        }
        format!("Matches the JSON Schema {}.", Value::Object(shown))
    }))
}

fn pattern_properties(value: &Value) -> Option<String> {
    let sentences: Vec<String> = value
        .as_object()?
        .iter()
        .map(|(pattern, schema)| match schema {
            Value::Bool(true) => format!("Members may have names that match `{pattern}`."),
            Value::Bool(false) => format!("No member has a name that matches `{pattern}`."),
            schema => {
                format!("A member whose name matches `{pattern}` matches the JSON Schema {schema}.")
            }
        })
        .collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

/// Said once, at `contains`; its bounds alone ask nothing.
fn contains(keyword: &str, node: &Map<String, Value>) -> Option<String> {
    if keyword != "contains" {
        return None;
    }
    let schema = node.get("contains")?;
    let least = node.get("minContains").and_then(Value::as_u64).unwrap_or(1);
    let many = match node.get("maxContains") {
        Some(most) => format!("Between {least} and {most} items match"),
        None if least == 1 => "At least one item matches".to_owned(),
        None => format!("At least {least} items match"),
    };
    Some(format!("{many} the JSON Schema {schema}."))
}

fn at_least(value: &Value, unit: &str) -> String {
    capital(&count("at least", value, unit))
}

fn at_most(value: &Value, unit: &str) -> String {
    capital(&count("at most", value, unit))
}

fn count(how: &str, value: &Value, unit: &str) -> String {
    let plural = if value.as_f64() == Some(1.0) { "" } else { "s" };
    format!("{how} {value} {unit}{plural}")
}

fn count_is(how: &str, value: &Value, unit: &str) -> String {
    let verb = if value.as_f64() == Some(1.0) {
        "is"
    } else {
        "are"
    };
    format!("{} {verb}", count(how, value, unit))
}

/// The strings of a list, as they are.
fn listed(value: &Value) -> Vec<&str> {
    value
        .as_array()
        .map(|items| items.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default()
}

fn names(value: &Value) -> Vec<String> {
    listed(value)
        .iter()
        .map(|name| format!("`{name}`"))
        .collect()
}

fn values(value: &Value) -> Vec<String> {
    value
        .as_array()
        .map(|items| items.iter().map(Value::to_string).collect())
        .unwrap_or_default()
}

fn plain(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

/// "a", "a and b", "a, b and c".
fn join(items: &[String], word: &str) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} {word} {last}", first.join(", ")),
    }
}

/// Whether `schema` has no keyword but these and annotations for people.
fn only(schema: &Value, keywords: &[&str]) -> bool {
    schema.as_object().is_some_and(|map| {
        map.keys().all(|k| {
            keywords.contains(&k.as_str()) || matches!(k.as_str(), "title" | "description")
        })
    })
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars
        .next()
        .map(|first| first.to_uppercase().chain(chars).collect())
        .unwrap_or_default()
}

fn lower(text: &str) -> String {
    let mut chars = text.chars();
    chars
        .next()
        .map(|first| first.to_lowercase().chain(chars).collect())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn said(node: Value) -> Vec<String> {
        let map = node.as_object().cloned().unwrap_or_default();
        map.keys().filter_map(|k| sentence(k, &map)).collect()
    }

    #[test]
    fn bounds_are_counted_in_their_unit() {
        assert_eq!(said(json!({ "minLength": 1 })), ["At least 1 character."]);
        assert_eq!(said(json!({ "maxItems": 3 })), ["At most 3 items."]);
        assert_eq!(said(json!({ "exclusiveMinimum": 0 })), ["Greater than 0."]);
    }

    #[test]
    fn rules_between_members_read_as_sentences() {
        let needs_content =
            json!({ "required": ["mode"], "properties": { "mode": { "const": "content" } } });
        assert_eq!(
            said(
                json!({ "dependentSchemas": { "before": needs_content, "after": needs_content } })
            ),
            ["If `before` or `after` is given, `mode` is \"content\"."]
        );
        assert_eq!(
            said(json!({ "dependentRequired": { "description": ["subject"] } })),
            ["`description` needs `subject`."]
        );
        assert_eq!(
            said(json!({ "anyOf": [{ "required": ["a"] }, { "required": ["b"] }] })),
            ["At least one of `a` and `b` is given."]
        );
        assert_eq!(
            said(json!({ "not": { "required": ["scope", "filter"] } })),
            ["`scope` and `filter` are not given together."]
        );
        assert_eq!(
            said(json!({ "if": { "required": ["goal"] }, "then": { "maxProperties": 1 } })),
            ["If `goal` is given, at most 1 member is given."]
        );
    }

    #[test]
    fn what_words_cannot_say_is_shown() {
        let schema =
            json!({ "anyOf": [{ "required": ["a"] }, { "properties": { "b": { "items": {} } } }] });
        assert_eq!(
            said(schema.clone()),
            [format!("Matches the JSON Schema {schema}.")]
        );
    }

    #[test]
    fn annotations_say_nothing() {
        assert!(
            said(json!({ "title": "x", "$defs": {}, "uniqueItems": false, "then": {} })).is_empty()
        );
    }
}
