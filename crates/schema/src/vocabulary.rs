//! The closed list of keywords: which dialect has each, what its value holds, what it does.
//!
//! Also the list of keywords of ours, and of the formats that an authored contract asserts.
//! What is not in these lists is an unknown keyword.

/// A published dialect of JSON Schema, oldest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Dialect {
    /// Draft 4.
    Draft04,
    /// Draft 6.
    Draft06,
    /// Draft 7.
    Draft07,
    /// 2019-09.
    Draft201909,
    /// 2020-12: the dialect of contracts.
    Draft202012,
}

impl Dialect {
    /// The dialect that a `$schema` names. None for any other text.
    #[must_use]
    pub fn from_uri(uri: &str) -> Option<Self> {
        let uri = uri.trim_end_matches('#');
        let path = uri
            .strip_prefix("https://")
            .or_else(|| uri.strip_prefix("http://"))?;
        Some(match path {
            "json-schema.org/draft-04/schema" => Self::Draft04,
            "json-schema.org/draft-06/schema" => Self::Draft06,
            "json-schema.org/draft-07/schema" => Self::Draft07,
            "json-schema.org/draft/2019-09/schema" => Self::Draft201909,
            "json-schema.org/draft/2020-12/schema" => Self::Draft202012,
            _ => return None,
        })
    }

    /// The `$schema` of the dialect.
    #[must_use]
    pub fn uri(self) -> &'static str {
        match self {
            Self::Draft04 => "http://json-schema.org/draft-04/schema#",
            Self::Draft06 => "http://json-schema.org/draft-06/schema#",
            Self::Draft07 => "http://json-schema.org/draft-07/schema#",
            Self::Draft201909 => "https://json-schema.org/draft/2019-09/schema",
            Self::Draft202012 => "https://json-schema.org/draft/2020-12/schema",
        }
    }

    /// Whether keywords beside a `$ref` are ignored.
    #[must_use]
    pub fn ignores_siblings_of_ref(self) -> bool {
        self <= Self::Draft07
    }

    /// The keyword that names a resource: `id` or `$id`.
    #[must_use]
    pub fn id_keyword(self) -> &'static str {
        if self == Self::Draft04 { "id" } else { "$id" }
    }
}

/// What the value of a keyword holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Holds {
    /// One schema.
    Schema,
    /// A list of schemas.
    Schemas,
    /// One schema or a list of them: `items` before 2020-12.
    SchemaOrSchemas,
    /// Names to schemas.
    SchemaMap,
    /// Names to schemas or lists of names: `dependencies`.
    SchemaOrNamesMap,
    /// Text.
    Text,
    /// True or false.
    Flag,
    /// A number.
    Number,
    /// A whole number from 0.
    Count,
    /// A list of names.
    Names,
    /// Names to lists of names.
    NamesMap,
    /// URIs to booleans: `$vocabulary`.
    FlagMap,
    /// The name of a type or a list of them.
    Types,
    /// A list of any values.
    Values,
    /// Any value.
    Any,
}

impl Holds {
    /// Whether schemas stand inside the value.
    #[must_use]
    pub fn has_schemas(self) -> bool {
        matches!(
            self,
            Self::Schema
                | Self::Schemas
                | Self::SchemaOrSchemas
                | Self::SchemaMap
                | Self::SchemaOrNamesMap
        )
    }
}

/// What a keyword does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// Names, references and containers of definitions.
    Core,
    /// Applies schemas to the value or to its parts.
    Applicator,
    /// Accepts or refuses the value.
    Assertion,
    /// Says something about the value and refuses nothing.
    Annotation,
}

/// One keyword, in the dialects from `since` to `until`, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Keyword {
    /// Its name.
    pub name: &'static str,
    /// What its value holds.
    pub holds: Holds,
    /// What it does.
    pub role: Role,
    /// The first dialect that has it.
    pub since: Dialect,
    /// The last dialect that has it.
    pub until: Dialect,
}

const fn row(
    name: &'static str,
    holds: Holds,
    role: Role,
    since: Dialect,
    until: Dialect,
) -> Keyword {
    Keyword {
        name,
        holds,
        role,
        since,
        until,
    }
}

use Dialect::{
    Draft04 as D4, Draft06 as D6, Draft07 as D7, Draft201909 as D19, Draft202012 as D20,
};
use Role::{Annotation, Applicator, Assertion, Core};

/// Every keyword of every dialect. A name that changed its meaning has a row for each, oldest first.
///
/// `dependencies` is listed up to 2020-12: that dialect's meta-schema still describes it, and the
/// validators in use assert it.
pub const KEYWORDS: &[Keyword] = &[
    row("$schema", Holds::Text, Core, D4, D20),
    row("id", Holds::Text, Core, D4, D4),
    row("$id", Holds::Text, Core, D6, D20),
    row("$ref", Holds::Text, Core, D4, D20),
    row("$anchor", Holds::Text, Core, D19, D20),
    row("$dynamicRef", Holds::Text, Core, D20, D20),
    row("$dynamicAnchor", Holds::Text, Core, D20, D20),
    row("$recursiveRef", Holds::Text, Core, D19, D19),
    row("$recursiveAnchor", Holds::Flag, Core, D19, D19),
    row("$vocabulary", Holds::FlagMap, Core, D19, D20),
    row("$comment", Holds::Text, Core, D7, D20),
    row("$defs", Holds::SchemaMap, Core, D19, D20),
    row("definitions", Holds::SchemaMap, Core, D4, D20),
    row("allOf", Holds::Schemas, Applicator, D4, D20),
    row("anyOf", Holds::Schemas, Applicator, D4, D20),
    row("oneOf", Holds::Schemas, Applicator, D4, D20),
    row("not", Holds::Schema, Applicator, D4, D20),
    row("if", Holds::Schema, Applicator, D7, D20),
    row("then", Holds::Schema, Applicator, D7, D20),
    row("else", Holds::Schema, Applicator, D7, D20),
    row("dependencies", Holds::SchemaOrNamesMap, Applicator, D4, D20),
    row("dependentSchemas", Holds::SchemaMap, Applicator, D19, D20),
    row("prefixItems", Holds::Schemas, Applicator, D20, D20),
    row("items", Holds::SchemaOrSchemas, Applicator, D4, D19),
    row("items", Holds::Schema, Applicator, D20, D20),
    row("additionalItems", Holds::Schema, Applicator, D4, D19),
    row("contains", Holds::Schema, Applicator, D6, D20),
    row("properties", Holds::SchemaMap, Applicator, D4, D20),
    row("patternProperties", Holds::SchemaMap, Applicator, D4, D20),
    row("additionalProperties", Holds::Schema, Applicator, D4, D20),
    row("propertyNames", Holds::Schema, Applicator, D6, D20),
    row("unevaluatedItems", Holds::Schema, Applicator, D19, D20),
    row("unevaluatedProperties", Holds::Schema, Applicator, D19, D20),
    row("type", Holds::Types, Assertion, D4, D20),
    row("enum", Holds::Values, Assertion, D4, D20),
    row("const", Holds::Any, Assertion, D6, D20),
    row("multipleOf", Holds::Number, Assertion, D4, D20),
    row("maximum", Holds::Number, Assertion, D4, D20),
    row("exclusiveMaximum", Holds::Flag, Assertion, D4, D4),
    row("exclusiveMaximum", Holds::Number, Assertion, D6, D20),
    row("minimum", Holds::Number, Assertion, D4, D20),
    row("exclusiveMinimum", Holds::Flag, Assertion, D4, D4),
    row("exclusiveMinimum", Holds::Number, Assertion, D6, D20),
    row("maxLength", Holds::Count, Assertion, D4, D20),
    row("minLength", Holds::Count, Assertion, D4, D20),
    row("pattern", Holds::Text, Assertion, D4, D20),
    row("maxItems", Holds::Count, Assertion, D4, D20),
    row("minItems", Holds::Count, Assertion, D4, D20),
    row("uniqueItems", Holds::Flag, Assertion, D4, D20),
    row("maxContains", Holds::Count, Assertion, D19, D20),
    row("minContains", Holds::Count, Assertion, D19, D20),
    row("maxProperties", Holds::Count, Assertion, D4, D20),
    row("minProperties", Holds::Count, Assertion, D4, D20),
    row("required", Holds::Names, Assertion, D4, D20),
    row("dependentRequired", Holds::NamesMap, Assertion, D19, D20),
    row("format", Holds::Text, Assertion, D4, D20),
    row("contentEncoding", Holds::Text, Annotation, D7, D20),
    row("contentMediaType", Holds::Text, Annotation, D7, D20),
    row("contentSchema", Holds::Schema, Annotation, D19, D20),
    row("title", Holds::Text, Annotation, D4, D20),
    row("description", Holds::Text, Annotation, D4, D20),
    row("default", Holds::Any, Annotation, D4, D20),
    row("examples", Holds::Values, Annotation, D6, D20),
    row("readOnly", Holds::Flag, Annotation, D7, D20),
    row("writeOnly", Holds::Flag, Annotation, D7, D20),
    row("deprecated", Holds::Flag, Annotation, D19, D20),
];

/// The keywords that apply a schema which stands elsewhere, in any dialect.
pub(crate) const REFERENCES: [&str; 3] = ["$ref", "$dynamicRef", "$recursiveRef"];

/// The keyword `name` as `dialect` has it.
#[must_use]
pub fn keyword(name: &str, dialect: Dialect) -> Option<&'static Keyword> {
    KEYWORDS
        .iter()
        .find(|k| k.name == name && k.since <= dialect && dialect <= k.until)
}

/// Whether `name` asks nothing of a value in 2020-12: annotations, comments and definitions.
/// The keywords of ours are not among them.
#[must_use]
pub fn asks_nothing(name: &str) -> bool {
    matches!(name, "$comment" | "$defs")
        || keyword(name, Dialect::Draft202012).is_some_and(|k| k.role == Role::Annotation)
}

/// Where schemas may stand under `name` in any dialect. None when it holds none, or is unknown.
#[must_use]
pub fn schemas_under(name: &str) -> Option<Holds> {
    KEYWORDS
        .iter()
        .find(|k| k.name == name)
        .map(|k| k.holds)
        .filter(|holds| holds.has_schemas())
}

/// On a string enum or an enum of any kind: other values of the same type are legal too.
pub const OPEN: &str = "x-open";

/// On an integer: how TypeScript carries it, `"bigint"` or `"string"`. It may then pass 2^53 - 1.
pub const TS: &str = "x-ts";

/// The keywords of ours. They never leave the manifests.
pub const EXTENSIONS: &[Keyword] = &[
    row(OPEN, Holds::Flag, Annotation, D20, D20),
    row(TS, Holds::Text, Annotation, D20, D20),
];

/// What `x-ts` may say.
pub const TS_VALUES: [&str; 2] = ["bigint", "string"];

/// The names of the types.
pub const TYPES: [&str; 7] = [
    "null", "boolean", "object", "array", "number", "string", "integer",
];

/// The formats of 2020-12 that an authored contract asserts.
///
/// Not among them: `idn-email` and `idn-hostname`, which need tables of their own in every
/// language; they stay annotations.
pub const FORMATS: [&str; 17] = [
    "date-time",
    "date",
    "time",
    "duration",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "uri",
    "uri-reference",
    "iri",
    "iri-reference",
    "uuid",
    "uri-template",
    "json-pointer",
    "relative-json-pointer",
    "regex",
];

#[cfg(test)]
mod tests {
    use super::*;

    const DIALECTS: [Dialect; 5] = [
        Dialect::Draft04,
        Dialect::Draft06,
        Dialect::Draft07,
        Dialect::Draft201909,
        Dialect::Draft202012,
    ];

    #[test]
    fn a_name_means_one_thing_in_one_dialect() {
        for dialect in DIALECTS {
            for keyword in KEYWORDS {
                let rows = KEYWORDS.iter().filter(|row| {
                    row.name == keyword.name && row.since <= dialect && dialect <= row.until
                });
                assert!(rows.count() <= 1, "{} in {dialect:?}", keyword.name);
            }
        }
    }

    #[test]
    fn dialects_are_known_by_their_uri() {
        for dialect in DIALECTS {
            assert_eq!(Dialect::from_uri(dialect.uri()), Some(dialect));
        }
        assert_eq!(
            Dialect::from_uri("https://json-schema.org/draft-07/schema"),
            Some(Dialect::Draft07)
        );
        assert_eq!(Dialect::from_uri("http://json-schema.org/schema#"), None);
        assert_eq!(Dialect::from_uri("draft-07"), None);
    }

    #[test]
    fn keywords_come_and_go_with_dialects() {
        assert!(keyword("const", Dialect::Draft04).is_none());
        assert!(keyword("const", Dialect::Draft06).is_some());
        assert!(keyword("additionalItems", Dialect::Draft202012).is_none());
        assert_eq!(
            keyword("exclusiveMinimum", Dialect::Draft04).map(|k| k.holds),
            Some(Holds::Flag)
        );
        assert_eq!(schemas_under("items"), Some(Holds::SchemaOrSchemas));
        assert_eq!(schemas_under("enum"), None);
        assert_eq!(schemas_under("x-open"), None);
    }
}
