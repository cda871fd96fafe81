//! What a schema can accept at all, told from its text: the types of its values, and the types
//! that its own assertions speak of. Never less than the truth.

use serde_json::{Map, Value};
use toolcontract_schema::{
    Formats,
    vocabulary::{FORMATS, asks_nothing},
};

use super::Lowering;
use crate::{
    emit::typescript::form::{Form, Kind, Target},
    model::shape::{TypeSet, json_type},
};

/// How many schemas are looked at before the answer is "any type".
const STEPS: u32 = 256;

impl<'a> Lowering<'a> {
    /// The types of the values that `schema` can accept.
    pub(super) fn types(&self, schema: &Value) -> TypeSet {
        self.types_within(schema, &mut STEPS.clone())
    }

    fn types_within(&self, schema: &Value, steps: &mut u32) -> TypeSet {
        let Value::Object(map) = schema else {
            return if *schema == Value::Bool(false) {
                TypeSet::NONE
            } else {
                TypeSet::ALL
            };
        };
        let Some(left) = steps.checked_sub(1) else {
            return TypeSet::ALL;
        };
        *steps = left;
        let mut types = map.get("type").map_or(TypeSet::ALL, TypeSet::from_keyword);
        if let Some(value) = map.get("const") {
            types = types & json_type(value);
        }
        if let Some(Value::Array(values)) = map.get("enum") {
            types = types & union(values.iter().map(json_type));
        }
        if let Some(reference) = map.get("$ref").and_then(Value::as_str)
            && let Some((_, found)) = self.resolve(reference)
        {
            types = types & self.types_within(found, steps);
        }
        if let Some(Value::Array(parts)) = map.get("allOf") {
            for part in parts {
                types = types & self.types_within(part, steps);
            }
        }
        for keyword in ["anyOf", "oneOf"] {
            if let Some(Value::Array(options)) = map.get(keyword) {
                types = types & union(options.iter().map(|o| self.types_within(o, steps)));
            }
        }
        types
    }

    /// The types that the schema's own assertions speak of.
    pub(super) fn spoken_of(&self, map: &Map<String, Value>) -> TypeSet {
        union(map.keys().map(|keyword| match keyword.as_str() {
            "minLength" | "maxLength" | "pattern" => TypeSet::STRING,
            "format" if self.asserts_format(map).is_some() => TypeSet::STRING,
            "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => {
                TypeSet::NUMBER
            }
            "items" | "prefixItems" | "minItems" | "maxItems" | "uniqueItems" | "contains"
            | "unevaluatedItems" => TypeSet::ARRAY,
            "properties"
            | "required"
            | "additionalProperties"
            | "patternProperties"
            | "minProperties"
            | "maxProperties"
            | "propertyNames"
            | "dependentRequired"
            | "unevaluatedProperties" => TypeSet::OBJECT,
            _ => TypeSet::NONE,
        }))
    }

    /// The format, where it is one that is checked.
    pub(super) fn asserts_format(&self, map: &Map<String, Value>) -> Option<String> {
        let name = map.get("format")?.as_str()?;
        let asserted = self.formats == Formats::Assert && FORMATS.contains(&name);
        asserted.then(|| name.to_owned())
    }

    /// Whether the schema accepts nothing although its types do not say so.
    pub(super) fn is_false(&self, map: &Map<String, Value>) -> bool {
        map.get("not").is_some_and(is_true)
    }

    /// Whether the zod schema of `form` accepts `undefined`, which a required member must not be.
    pub(super) fn may_be_undefined(&self, form: &Form) -> bool {
        match &form.kind {
            Kind::Unknown => true,
            Kind::Ref(target) => self
                .schema(target)
                .is_none_or(|schema| self.types(schema) == TypeSet::ALL),
            Kind::Union(options) | Kind::OneOf(options) => {
                options.iter().any(|option| self.may_be_undefined(option))
            }
            Kind::AllOf(parts) => parts.iter().all(|part| self.may_be_undefined(part)),
            Kind::Never
            | Kind::Refused(_)
            | Kind::Null
            | Kind::Boolean
            | Kind::Number(_)
            | Kind::String(_)
            | Kind::Literals(_)
            | Kind::OpenEnum(_)
            | Kind::Equal(_)
            | Kind::Array(_)
            | Kind::Tuple(_)
            | Kind::Object(_)
            | Kind::Tagged(..) => false,
        }
    }

    /// The schema that a bare reference leads to in the end; `schema` itself when it is none.
    pub(super) fn behind(&self, schema: &'a Value) -> (&'a Value, Option<Target>) {
        let mut current = (schema, None);
        for _ in 0..16 {
            let reference = match current.0 {
                Value::Object(map) if map.keys().all(|key| key == "$ref" || is_note(key)) => {
                    map.get("$ref").and_then(Value::as_str)
                }
                _ => None,
            };
            match reference.and_then(|r| self.resolve(r)) {
                Some((target, found)) => current = (found, Some(target)),
                None => break,
            }
        }
        current
    }
}

/// Whether the schema accepts everything, told from its text.
pub(super) fn is_true(schema: &Value) -> bool {
    match schema {
        Value::Object(map) => map.keys().all(|key| is_note(key)),
        other => *other == Value::Bool(true),
    }
}

/// Whether a keyword says nothing about the value.
pub(super) fn is_note(keyword: &str) -> bool {
    asks_nothing(keyword) || keyword.starts_with("x-")
}

fn union(sets: impl Iterator<Item = TypeSet>) -> TypeSet {
    sets.fold(TypeSet::NONE, |all, one| all | one)
}
