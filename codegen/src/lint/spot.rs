//! A place in a written schema from which references can be followed, across files.

use std::collections::HashSet;

use serde_json::Value;
use toolcontract_schema::pointer;

use super::catalog::{Shared, split_reference};

/// How many references and branches are followed one after the other.
const DEEPEST: usize = 64;

/// A subschema and the document that its local references mean.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spot<'a> {
    shared: &'a Shared,
    root: &'a Value,
    /// The subschema.
    pub(super) schema: &'a Value,
    depth: usize,
}

impl<'a> Spot<'a> {
    /// The subschema `schema` of the document `root`.
    #[must_use]
    pub(super) fn new(shared: &'a Shared, root: &'a Value, schema: &'a Value) -> Self {
        Self {
            shared,
            root,
            schema,
            depth: 0,
        }
    }

    /// What the `$ref` here names: in this document by JSON pointer, or in a shared one.
    /// None without a `$ref`, and where it cannot be followed.
    #[must_use]
    pub(super) fn target(self) -> Option<Self> {
        let reference = self.schema.get("$ref")?.as_str()?;
        let (path, fragment) = split_reference(reference);
        let root = if path.is_empty() {
            self.root
        } else {
            self.shared.get(path)?
        };
        let schema = pointer::resolve(root, &pointer::from_fragment(fragment)?)?;
        self.step(root, schema)
    }

    /// The branches under a keyword that holds a list of schemas.
    pub(super) fn branches(self, keyword: &str) -> impl Iterator<Item = Self> + use<'a> {
        let list = self.schema.get(keyword).and_then(Value::as_array);
        list.into_iter()
            .flatten()
            .filter_map(move |branch| self.step(self.root, branch))
    }

    /// The schema under a keyword that holds one.
    #[must_use]
    pub(super) fn under(self, keyword: &str) -> Option<Self> {
        self.step(self.root, self.schema.get(keyword)?)
    }

    /// The schema that `properties` here has under `name`.
    #[must_use]
    pub(super) fn property(self, name: &str) -> Option<Self> {
        self.step(self.root, self.schema.get("properties")?.get(name)?)
    }

    fn step(self, root: &'a Value, schema: &'a Value) -> Option<Self> {
        (self.depth < DEEPEST).then_some(Self {
            root,
            schema,
            depth: self.depth + 1,
            ..self
        })
    }

    /// Whether something here says what happens to properties that are not named.
    #[must_use]
    pub(super) fn says_open_or_closed(self) -> bool {
        self.says(&mut Seen::default())
    }

    fn says(self, seen: &mut Seen) -> bool {
        let own = ["additionalProperties", "unevaluatedProperties"];
        own.iter().any(|keyword| self.schema.get(keyword).is_some())
            || (seen.is_new(self.schema)
                && (self.target().is_some_and(|target| target.says(seen))
                    || self.branches("allOf").any(|branch| branch.says(seen))
                    || ["anyOf", "oneOf"].iter().any(|keyword| {
                        let mut branches = self.branches(keyword).peekable();
                        branches.peek().is_some() && branches.all(|branch| branch.says(seen))
                    })))
    }

    /// Whether something here declares a property `name`: by name, by pattern, or because every
    /// property has a schema.
    #[must_use]
    pub(super) fn declares(self, name: &str) -> bool {
        self.has_property(name, &mut Seen::default())
    }

    fn has_property(self, name: &str, seen: &mut Seen) -> bool {
        let named = self.schema.get("properties").and_then(|p| p.get(name));
        let patterns = self.schema.get("patternProperties");
        let others = ["additionalProperties", "unevaluatedProperties"];
        named.is_some()
            || patterns
                .and_then(Value::as_object)
                .is_some_and(|patterns| !patterns.is_empty())
            || others
                .iter()
                .any(|k| self.schema.get(k).is_some_and(Value::is_object))
            || (seen.is_new(self.schema)
                && (self.target().is_some_and(|t| t.has_property(name, seen))
                    || ["allOf", "anyOf", "oneOf"]
                        .iter()
                        .any(|k| self.branches(k).any(|b| b.has_property(name, seen)))
                    || ["then", "else"].iter().any(|keyword| {
                        self.under(keyword)
                            .is_some_and(|s| s.has_property(name, seen))
                    })))
    }

    /// Whether the value is described here or where a reference leads.
    #[must_use]
    pub(super) fn is_described(self) -> bool {
        let mut spot = Some(self);
        while let Some(here) = spot {
            let own = here.schema.get("description").and_then(Value::as_str);
            if own.is_some_and(|text| !text.trim().is_empty()) {
                return true;
            }
            spot = here.target();
        }
        false
    }
}

/// What was looked at already, so that references which meet again cost nothing.
#[derive(Default)]
struct Seen(HashSet<*const Value>);

impl Seen {
    fn is_new(&mut self, schema: &Value) -> bool {
        self.0.insert(schema)
    }
}
