//! Schema keywords as English sentences: what a target cannot express goes into a description.
//!
//! Says what reads well in words and shows the rest as JSON Schema, so that nothing is lost and
//! nothing is said wrongly. Never asserts anything.

mod clause;
mod text;

pub use clause::condition;

use serde_json::{Map, Value};

use crate::keyword;

use clause::clause;
use text::{at_least, at_most, capital, count, join, names, only, plain, values};

/// The sentence that says what `keyword` asks of the node that holds it, with its full stop.
///
/// None where the keyword is absent or asks nothing that a sentence could add (`$defs`, `title`).
#[must_use]
pub fn sentence(keyword: &str, node: &Map<String, Value>) -> Option<String> {
    let value = node.get(keyword)?;
    let given: Vec<&str> = keyword::names(node.get("required")).collect();
    let text = match keyword {
        "minLength" | "maxLength" => return counted(keyword, node, "Length", "character"),
        "minItems" | "maxItems" => return counted(keyword, node, "Items", "item"),
        "minProperties" | "maxProperties" => return counted(keyword, node, "Properties", "member"),
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
        "dependentSchemas" => return dependent_schemas(value, &given),
        // Said once, at the `if`; a `then` or `else` without one asks nothing.
        "if" => return conditional(node, &given),
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
        "allOf" => return all_of(value, &given),
        "anyOf" | "oneOf" | "not" => {
            let mut alone = Map::new();
            alone.insert(keyword.to_owned(), value.clone());
            return Some(matches(&Value::Object(alone), &given));
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

/// A sentence for a schema that the whole value must match.
fn matches(schema: &Value, given: &[&str]) -> String {
    match clause(schema, given, 0) {
        Some(clause) => format!("{}.", capital(&clause)),
        None => format!("Matches the JSON Schema {schema}."),
    }
}

/// A sentence for each branch.
fn all_of(value: &Value, given: &[&str]) -> Option<String> {
    let sentences: Vec<String> = value
        .as_array()?
        .iter()
        .map(|branch| match branch.as_object() {
            Some(node) if only(branch, &["if", "then", "else"]) => {
                conditional(node, given).unwrap_or_default()
            }
            _ => matches(branch, given),
        })
        .filter(|sentence| !sentence.is_empty())
        .collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

fn dependent_required(value: &Value) -> Option<String> {
    let sentences: Vec<String> = value
        .as_object()?
        .iter()
        .filter(|(_, needed)| keyword::names(Some(needed)).next().is_some())
        .map(|(name, needed)| format!("`{name}` needs {}.", join(&names(needed), "and")))
        .collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

/// One sentence for all members that ask the same.
fn dependent_schemas(value: &Value, given: &[&str]) -> Option<String> {
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
            if only(schema, &["maxProperties"]) && schema.get("maxProperties") == Some(&1.into()) {
                return format!("If {names} is given, nothing else is.");
            }
            match clause(schema, given, 0) {
                Some(clause) => format!("If {names} is given, {clause}."),
                None => format!("If {names} is given, the whole matches the JSON Schema {schema}."),
            }
        })
        .collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

fn conditional(node: &Map<String, Value>, given: &[&str]) -> Option<String> {
    let test = node.get("if")?;
    let (then, otherwise) = (node.get("then"), node.get("else"));
    if then.is_none() && otherwise.is_none() {
        return None;
    }
    let words = || {
        let test = clause(test, given, 0)?;
        let says = |branch: &Value| clause(branch, given, 0);
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

/// A lower and an upper bound of one kind are one sentence, said at the lower one.
fn counted(keyword: &str, node: &Map<String, Value>, kind: &str, unit: &str) -> Option<String> {
    let least = node.get(&format!("min{kind}"));
    let most = node.get(&format!("max{kind}"));
    let text = match (least, most) {
        (Some(_), Some(_)) if keyword.starts_with("max") => return None,
        (Some(least), Some(most)) if least == most => capital(&count("exactly", least, unit)),
        (Some(least), Some(most)) => format!("{least} to {}", count("", most, unit).trim_start()),
        (Some(least), None) => at_least(least, unit),
        (None, most) => at_most(most?, unit),
    };
    Some(format!("{text}."))
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
        assert_eq!(
            said(json!({ "maxLength": 9, "minLength": 1 })),
            ["1 to 9 characters."]
        );
        assert_eq!(
            said(json!({ "minItems": 2, "maxItems": 2 })),
            ["Exactly 2 items."]
        );
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
        let if_done = json!({
            "if": { "properties": { "status": { "const": "done" } } },
            "then": { "required": ["video"] }
        });
        assert_eq!(
            said(json!({ "allOf": [if_done] })),
            ["If `status`, if given, is \"done\", `video` is given."]
        );
        assert_eq!(
            said(json!({ "required": ["status"], "allOf": [if_done] })),
            [
                "`status` must be given.",
                "If `status` is \"done\", `video` is given."
            ]
        );
        assert_eq!(
            said(json!({ "dependentSchemas": { "pack": { "maxProperties": 1 } } })),
            ["If `pack` is given, nothing else is."]
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
