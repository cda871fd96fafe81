//! The shape of objects: named members, and what the others are.

use serde_json::{Map, Value};
use toolcontract_schema::keyword::names;

use super::{Object, Property, Shape, TypeSet, Union, read::Reader, types::MAX_STEPS};

impl<'a> Reader<'a> {
    /// What the keywords about objects say.
    pub(super) fn object(&mut self, keywords: &'a Map<String, Value>) -> Shape {
        let rest = self.rest(keywords);
        let required: Vec<&str> = names(keywords.get("required")).collect();
        let mut properties = Vec::new();
        let named = keywords.get("properties").and_then(Value::as_object);
        for (name, schema) in named.into_iter().flatten() {
            if *schema == Value::Bool(false) {
                continue;
            }
            properties.push(Property {
                shape: self.shape(schema, TypeSet::ALL),
                required: required.contains(&name.as_str()),
                description: schema.as_object().and_then(super::read::description),
                default: schema.get("default").cloned(),
                deprecated: schema.get("deprecated") == Some(&Value::Bool(true)),
                name: name.clone(),
            });
        }
        let undeclared = required
            .iter()
            .filter(|name| named.is_none_or(|named| !named.contains_key(**name)));
        if let Some(rest) = &rest {
            for name in undeclared {
                if properties.iter().all(|p| p.name != **name) {
                    properties.push(Property {
                        name: (*name).to_owned(),
                        shape: rest.clone(),
                        required: true,
                        description: None,
                        default: None,
                        deprecated: false,
                    });
                }
            }
        }
        Shape::Object(Object {
            properties,
            rest: rest.map(Box::new),
            description: None,
        })
    }

    /// What members are that `properties` does not name; none when there are none.
    fn rest(&mut self, keywords: &'a Map<String, Value>) -> Option<Shape> {
        let patterns = keywords.get("patternProperties").and_then(Value::as_object);
        let mut schemas: Vec<&Value> = patterns.into_iter().flat_map(Map::values).collect();
        match keywords.get("additionalProperties") {
            Some(Value::Bool(false)) if schemas.is_empty() => return None,
            Some(Value::Bool(false)) => {}
            Some(schema) => schemas.push(schema),
            None => return Some(Shape::Any),
        }
        schemas.retain(|schema| **schema != Value::Bool(false));
        let mut shapes = schemas
            .into_iter()
            .map(|schema| self.shape(schema, TypeSet::ALL));
        let first = shapes.next()?;
        let same = shapes.all(|shape| shape == first);
        Some(if same { first } else { Shape::Any })
    }
}

impl Reader<'_> {
    /// Closes what `unevaluatedProperties: false` closes, where each member that it lets through is in the shape.
    pub(super) fn close(&self, shape: &mut Shape, keywords: &Map<String, Value>) {
        if keywords.get("unevaluatedProperties") != Some(&Value::Bool(false)) {
            return;
        }
        let mut steps = MAX_STEPS;
        let own = ["properties", "$ref", "allOf", "oneOf"];
        let hidden = keywords
            .iter()
            .filter(|(word, _)| *word != "unevaluatedProperties")
            .any(|(word, value)| self.hides(word, value, &own, &mut steps));
        match shape {
            _ if hidden => {}
            Shape::Object(object) if !keywords.contains_key("oneOf") => shut(object),
            Shape::Union(Union { variants, .. }) if keywords.contains_key("oneOf") => {
                for variant in variants {
                    if let Shape::Object(object) = &mut variant.shape {
                        shut(object);
                    }
                }
            }
            _ => {}
        }
    }

    /// Whether a keyword may evaluate members that are not in the shape. Of the applicators, only
    /// those in `merged` have all their members there.
    fn hides(&self, word: &str, value: &Value, merged: &[&str], steps: &mut usize) -> bool {
        let applies = [
            "$ref",
            "$dynamicRef",
            "allOf",
            "anyOf",
            "oneOf",
            "if",
            "then",
            "else",
            "dependentSchemas",
            "patternProperties",
            "additionalProperties",
            "unevaluatedProperties",
        ];
        if !applies.contains(&word) {
            return false;
        }
        let Some(left) = steps.checked_sub(1).filter(|_| merged.contains(&word)) else {
            return true;
        };
        *steps = left;
        let within = ["properties", "$ref", "allOf"];
        let parts: Vec<&Value> = match value {
            Value::Array(parts) => parts.iter().collect(),
            value => self
                .reference(value)
                .and_then(|r| self.schema_of(&r))
                .into_iter()
                .collect(),
        };
        parts
            .into_iter()
            .filter_map(Value::as_object)
            .flatten()
            .any(|(word, value)| self.hides(word, value, &within, steps))
    }
}

/// Other members that could be anything were only there for want of a better word.
fn shut(object: &mut Object) {
    if object.rest.as_deref() == Some(&Shape::Any) {
        object.rest = None;
    }
}
