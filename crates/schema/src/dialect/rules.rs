//! What each provider accepts, as data.
//!
//! Read from the providers' SDKs, their documentation and the texts of their errors; where those
//! disagree the narrower word counts, since one refused keyword fails a whole request.

use super::Dialect;

/// What one provider accepts.
#[derive(Debug)]
pub struct Rules {
    /// Keywords that a node may hold. None: every keyword of 2020-12. Titles are left out where a
    /// choice is made: they are labels for people and cost tokens.
    pub keywords: Option<&'static [&'static str]>,
    /// Formats that strings and numbers may name. None: any.
    pub formats: Option<&'static [&'static str]>,
    /// Keywords that the root may not hold.
    pub root_refuses: &'static [&'static str],
    /// What becomes of references.
    pub references: References,
    /// Every object is closed and requires all its properties.
    pub closed: bool,
    /// How a value may be null.
    pub null: Null,
    /// Whether `enum` may hold strings only.
    pub string_enums: bool,
    /// Whether an integer beyond 2^53 - 1 is refused.
    pub small_integers: bool,
    /// What a property may be called. None: anything.
    pub property_names: Option<Names>,
    /// What a tool may be called.
    pub tool_names: Names,
}

/// What becomes of references.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum References {
    /// Kept, other keywords may stand beside them.
    Kept,
    /// Kept where they stand alone.
    Alone,
    /// Replaced by what they name; recursion is cut.
    Inlined,
}

/// How a value may be null.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Null {
    /// `null` is a type.
    Type,
    /// `nullable: true`.
    Keyword,
}

/// What names look like. Letters and digits are ASCII.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Names {
    /// Whether the first character must be a letter or `_`.
    pub starts_with_letter: bool,
    /// What may stand beside letters, digits and `_`.
    pub also: &'static str,
    /// The longest name, in characters.
    pub max: usize,
}

impl Names {
    /// Whether `name` may stand as it is.
    #[must_use]
    pub fn accept(&self, name: &str) -> bool {
        let starts = |c: char| !self.starts_with_letter || c.is_ascii_alphabetic() || c == '_';
        name.chars().next().is_some_and(starts)
            && name.chars().all(|c| self.allows(c))
            && name.len() <= self.max
    }

    /// Whether `c` may stand in a name, at its start or later.
    #[must_use]
    pub fn allows(&self, c: char) -> bool {
        c.is_ascii_alphanumeric() || c == '_' || self.also.contains(c)
    }
}

/// How much of a schema OpenAI enforces in strict mode.
#[derive(Debug)]
pub(super) struct Limits {
    /// Properties of all objects.
    pub(super) properties: usize,
    /// Levels of objects and lists.
    pub(super) depth: usize,
    /// Values of all enumerations.
    pub(super) enum_values: usize,
    /// Characters of all names and enumeration values.
    pub(super) characters: usize,
}

/// The limits of strict mode.
pub(super) const STRICT: Limits = Limits {
    properties: 5_000,
    depth: 10,
    enum_values: 1_000,
    characters: 120_000,
};

const COMPOSITION: &[&str] = &["allOf", "anyOf", "const", "enum", "not", "oneOf"];

const OPENAI: Rules = Rules {
    keywords: None,
    formats: None,
    root_refuses: COMPOSITION,
    references: References::Kept,
    closed: false,
    null: Null::Type,
    string_enums: false,
    small_integers: false,
    property_names: None,
    tool_names: Names {
        starts_with_letter: false,
        also: "-",
        max: 64,
    },
};

const OPENAI_STRICT: Rules = Rules {
    keywords: Some(&[
        "$defs",
        "$ref",
        "additionalProperties",
        "anyOf",
        "const",
        "description",
        "enum",
        "exclusiveMaximum",
        "exclusiveMinimum",
        "format",
        "items",
        "maxItems",
        "maximum",
        "minItems",
        "minimum",
        "multipleOf",
        "pattern",
        "properties",
        "required",
        "type",
    ]),
    formats: Some(&[
        "date",
        "date-time",
        "duration",
        "email",
        "hostname",
        "ipv4",
        "ipv6",
        "time",
        "uuid",
    ]),
    closed: true,
    references: References::Alone,
    ..OPENAI
};

const ANTHROPIC: Rules = Rules {
    root_refuses: &["allOf", "anyOf", "oneOf"],
    small_integers: true,
    property_names: Some(Names {
        starts_with_letter: false,
        also: ".-",
        max: 64,
    }),
    tool_names: Names {
        starts_with_letter: false,
        also: "-",
        max: 128,
    },
    ..OPENAI
};

const GEMINI: Rules = Rules {
    keywords: Some(&[
        "anyOf",
        "default",
        "description",
        "enum",
        "format",
        "items",
        "maxItems",
        "maxLength",
        "maxProperties",
        "maximum",
        "minItems",
        "minLength",
        "minProperties",
        "minimum",
        "nullable",
        "pattern",
        "properties",
        "required",
        "type",
    ]),
    formats: Some(&["date-time", "double", "float", "int32", "int64"]),
    references: References::Inlined,
    null: Null::Keyword,
    string_enums: true,
    property_names: Some(Names {
        starts_with_letter: true,
        also: "",
        max: 64,
    }),
    tool_names: Names {
        starts_with_letter: true,
        also: ".:-",
        max: 64,
    },
    ..OPENAI
};

impl Rules {
    /// What `dialect` accepts.
    #[must_use]
    pub fn of(dialect: Dialect) -> &'static Self {
        match dialect {
            Dialect::Openai => &OPENAI,
            Dialect::OpenaiStrict => &OPENAI_STRICT,
            Dialect::Anthropic => &ANTHROPIC,
            Dialect::Gemini => &GEMINI,
        }
    }

    /// Whether a node may hold `keyword`.
    #[must_use]
    pub fn accepts(&self, keyword: &str) -> bool {
        self.keywords
            .is_none_or(|keywords| keywords.contains(&keyword))
    }
}
