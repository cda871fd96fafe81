//! Where subschemas stand in a schema. Whoever decides that by the shape of a path takes a
//! property that is called `properties` for a keyword.

/// What the value of a keyword is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Position {
    /// A schema.
    Schema,
    /// A list of schemas.
    List,
    /// An object of schemas by name.
    Map,
    /// Data: nothing in it is a schema.
    Data,
}

/// What the value of `keyword` is in 2020-12; an unknown keyword holds data.
#[must_use]
pub fn position(keyword: &str) -> Position {
    match keyword {
        "additionalProperties"
        | "contains"
        | "contentSchema"
        | "else"
        | "if"
        | "items"
        | "not"
        | "propertyNames"
        | "then"
        | "unevaluatedItems"
        | "unevaluatedProperties" => Position::Schema,
        "allOf" | "anyOf" | "oneOf" | "prefixItems" => Position::List,
        "$defs" | "definitions" | "dependentSchemas" | "patternProperties" | "properties" => {
            Position::Map
        }
        _ => Position::Data,
    }
}

/// `base` with one more reference token, escaped.
#[must_use]
pub fn below(base: &str, token: &str) -> String {
    format!("{base}/{}", token.replace('~', "~0").replace('/', "~1"))
}
