//! The shape of arrays: items by place, and what all others are.

use serde_json::{Map, Value};
use toolcontract_schema::keyword::count;

use super::{Shape, Tuple, TypeSet, read::Reader};

impl<'a> Reader<'a> {
    /// What the keywords about arrays say.
    pub(super) fn array(&mut self, keywords: &'a Map<String, Value>) -> Shape {
        let rest = match keywords.get("items") {
            Some(Value::Bool(false)) => None,
            Some(schema) => Some(Box::new(self.shape(schema, TypeSet::ALL))),
            None => Some(Box::new(Shape::Any)),
        };
        let length = |word: &str| usize::try_from(count(keywords.get(word))?).ok();
        let most = length("maxItems").unwrap_or(usize::MAX);
        let prefix = keywords.get("prefixItems").and_then(Value::as_array);
        let items: Vec<Shape> = prefix
            .into_iter()
            .flatten()
            .take(most)
            .map(|schema| self.shape(schema, TypeSet::ALL))
            .collect();
        if items.is_empty() {
            return Shape::Array(rest.unwrap_or_else(|| Box::new(Shape::Any)));
        }
        Shape::Tuple(Tuple {
            required: length("minItems").unwrap_or(0).min(items.len()),
            rest: rest.filter(|_| most > items.len()),
            items,
        })
    }
}
