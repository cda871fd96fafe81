//! Which arguments have a Cedar type, and which one.
//!
//! An argument without one (a union, a nullable one, a map) is not in the Cedar schema. Strict
//! validation refuses every policy that mentions it, so that leaving it out hides nothing.

use serde_json::{Map, Value, json};
use toolcontract_schema::{Bundle, normal::normalize, pointer::resolve};

/// How many references and objects may stand inside each other.
const DEEPEST: usize = 16;

/// A Cedar type that an argument has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Shape {
    String,
    Boolean,
    /// An integer of 64 bits.
    Long,
    /// A number with at most four places behind the point.
    Decimal,
    /// A list, as the set of its items: order and repetition are gone.
    Set(Box<Self>),
    /// An object.
    Record(Vec<Field>),
}

/// A member of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) required: bool,
    /// None: the member has no Cedar type, and no policy can mention it.
    pub(crate) shape: Option<Shape>,
}

impl Shape {
    /// The shape of a tool's input: always a record.
    pub(crate) fn of_input(schema: &Value) -> Self {
        let bundle = Bundle {
            schema: schema.clone(),
            shared: std::collections::BTreeMap::new(),
        };
        let root = normalize(&bundle).map_or(bundle.schema, |normal| normal.schema);
        match of(&root, &root, 0) {
            Some(record @ Self::Record(_)) => record,
            Some(_) | None => Self::Record(Vec::new()),
        }
    }

    /// The type in the JSON form of a Cedar schema.
    pub(crate) fn to_cedar(&self) -> Value {
        match self {
            Self::String => json!({ "type": "String" }),
            Self::Boolean => json!({ "type": "Boolean" }),
            Self::Long => json!({ "type": "Long" }),
            Self::Decimal => json!({ "type": "Extension", "name": "decimal" }),
            Self::Set(items) => json!({ "type": "Set", "element": items.to_cedar() }),
            Self::Record(fields) => {
                let attributes: Map<String, Value> = fields
                    .iter()
                    .filter_map(|field| {
                        let mut attribute = field.shape.as_ref()?.to_cedar();
                        let object = attribute.as_object_mut()?;
                        object.insert("required".to_owned(), field.required.into());
                        Some((field.name.clone(), attribute))
                    })
                    .collect();
                json!({ "type": "Record", "attributes": attributes })
            }
        }
    }
}

fn of(root: &Value, schema: &Value, depth: usize) -> Option<Shape> {
    if depth > DEEPEST {
        return None;
    }
    // A reference with remarks beside it is what it refers to.
    if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
        let plain = |key: &String| {
            matches!(
                key.as_str(),
                "$ref" | "description" | "title" | "default" | "$defs"
            )
        };
        let target = resolve(root, reference.strip_prefix('#')?)?;
        let only = schema.as_object()?.keys().all(plain);
        return if only {
            of(root, target, depth + 1)
        } else {
            None
        };
    }
    let one_of_many = ["anyOf", "oneOf"]
        .iter()
        .any(|keyword| schema.get(keyword).is_some());
    match schema.get("type").and_then(Value::as_str) {
        // What narrows an object leaves its members as they are.
        Some("object") => object(root, schema, depth),
        _ if one_of_many => None,
        Some("string") => Some(Shape::String),
        Some("boolean") => Some(Shape::Boolean),
        Some("integer") => Some(Shape::Long),
        Some("number") => Some(Shape::Decimal),
        Some("array") if schema.get("prefixItems").is_none() => {
            let items = of(root, schema.get("items")?, depth + 1)?;
            Some(Shape::Set(Box::new(items)))
        }
        Some(_) => None,
        None => strings(schema),
    }
}

/// Fixed words without a type.
fn strings(schema: &Value) -> Option<Shape> {
    let words = match (schema.get("const"), schema.get("enum")) {
        (Some(word), _) => std::slice::from_ref(word),
        (None, Some(Value::Array(words))) => words.as_slice(),
        (None, _) => return None,
    };
    words.iter().all(Value::is_string).then_some(Shape::String)
}

fn object(root: &Value, schema: &Value, depth: usize) -> Option<Shape> {
    let empty = Map::new();
    let properties = match schema.get("properties") {
        Some(Value::Object(properties)) => properties,
        Some(_) => return None,
        // A map: its keys are not known.
        None if schema
            .get("additionalProperties")
            .is_some_and(|rest| *rest != Value::Bool(false)) =>
        {
            return None;
        }
        None => &empty,
    };
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let field = |(name, member): (&String, &Value)| Field {
        name: name.clone(),
        required: required.contains(&name.as_str()),
        shape: of(root, member, depth + 1),
    };
    Some(Shape::Record(properties.iter().map(field).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(schema: &Value) -> Vec<(String, Option<Shape>)> {
        match Shape::of_input(schema) {
            Shape::Record(fields) => fields.into_iter().map(|f| (f.name, f.shape)).collect(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_has_no_type_is_left_out() {
        let schema = json!({ "type": "object", "properties": {
            "s": { "type": "string" },
            "e": { "enum": ["a", "b"] },
            "n": { "type": "number" },
            "list": { "type": "array", "items": { "type": "integer" } },
            "nullable": { "type": ["string", "null"] },
            "union": { "anyOf": [{ "type": "string" }, { "type": "integer" }] },
            "map": { "type": "object", "additionalProperties": { "type": "string" } },
            "ref": { "$ref": "#/$defs/r", "description": "x" },
        }, "$defs": { "r": { "type": "boolean" } } });
        let expected = [
            ("s", Some(Shape::String)),
            ("e", Some(Shape::String)),
            ("n", Some(Shape::Decimal)),
            ("list", Some(Shape::Set(Box::new(Shape::Long)))),
            ("nullable", None),
            ("union", None),
            ("map", None),
            ("ref", Some(Shape::Boolean)),
        ];
        let expected = expected.map(|(name, shape)| (name.to_owned(), shape));
        assert_eq!(shape(&schema), expected);
    }
}
