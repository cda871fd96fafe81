//! What all schemas that apply to one place of a value ask of it together.

use serde_json::{Map, Value};
use toolcontract_schema::keyword;

use super::schemas::Schemas;
use crate::model::shape::TypeSet;

/// The keywords of one schema object.
pub(super) type Keywords = Map<String, Value>;

/// Everything that applies to one value.
#[derive(Debug, Default)]
pub(super) struct Place<'s> {
    pub(super) all: Vec<&'s Keywords>,
    /// `false` applies.
    pub(super) refused: bool,
}

impl<'s> Place<'s> {
    /// The values of a keyword, wherever it stands.
    pub(super) fn each(&self, keyword: &'static str) -> impl Iterator<Item = &'s Value> {
        self.all.iter().filter_map(move |k| k.get(keyword))
    }

    /// The largest count that a keyword asks for.
    pub(super) fn at_least(&self, keyword: &'static str) -> Option<usize> {
        self.counts(keyword).max()
    }

    /// The smallest count that a keyword allows.
    pub(super) fn at_most(&self, keyword: &'static str) -> Option<usize> {
        self.counts(keyword).min()
    }

    fn counts(&self, keyword: &'static str) -> impl Iterator<Item = usize> {
        self.each(keyword).filter_map(|value| count(Some(value)))
    }

    /// The types that all allow.
    pub(super) fn types(&self) -> TypeSet {
        self.each("type")
            .map(TypeSet::from_keyword)
            .fold(TypeSet::ALL, |all, one| all & one)
    }

    /// Whether numbers have to be whole.
    pub(super) fn is_whole(&self) -> bool {
        self.each("type")
            .any(|named| keyword::is_integer(Some(named)))
    }

    /// The values that all lists have; none when nothing is listed.
    pub(super) fn listed(&self) -> Option<Vec<&'s Value>> {
        let lists = self.all.iter().filter_map(|keywords| {
            match (keywords.get("const"), keywords.get("enum")) {
                (Some(one), _) => Some(std::slice::from_ref(one)),
                (None, Some(Value::Array(many))) => Some(many.as_slice()),
                _ => None,
            }
        });
        let mut found: Option<Vec<&'s Value>> = None;
        for list in lists {
            found = Some(match found {
                None => list.iter().collect(),
                Some(mut both) => {
                    both.retain(|value| list.contains(value));
                    both
                }
            });
        }
        found
    }

    /// The schemas of the member `name`.
    pub(super) fn member(&self, schemas: &Schemas<'_>, name: &str) -> Vec<&'s Value> {
        let mut found = Vec::new();
        let mut spoken = false;
        for keywords in &self.all {
            let mut own = false;
            if let Some(schema) = keywords.get("properties").and_then(|p| p.get(name)) {
                own = true;
                found.push(schema);
            }
            let patterns = keywords.get("patternProperties").and_then(Value::as_object);
            for (pattern, schema) in patterns.into_iter().flatten() {
                if schemas.fits(pattern, name) {
                    own = true;
                    found.push(schema);
                }
            }
            if !own && let Some(schema) = keywords.get("additionalProperties") {
                own = true;
                found.push(schema);
            }
            spoken |= own;
        }
        if !spoken {
            found.extend(self.each("unevaluatedProperties"));
        }
        found
    }

    /// The schemas of the item at `index`.
    pub(super) fn item(&self, index: usize) -> Vec<&'s Value> {
        let mut found = Vec::new();
        let mut spoken = false;
        for keywords in &self.all {
            let own = keywords
                .get("prefixItems")
                .and_then(|items| items.get(index));
            let schema = own.or_else(|| keywords.get("items"));
            spoken |= schema.is_some();
            found.extend(schema);
        }
        if !spoken {
            found.extend(self.each("unevaluatedItems"));
        }
        found
    }
}

/// A count that this machine can reach.
pub(super) fn count(value: Option<&Value>) -> Option<usize> {
    usize::try_from(keyword::count(value)?).ok()
}
