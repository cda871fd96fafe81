//! The way back: arguments as a model sent them become arguments as the contract has them.
//!
//! Two things are undone: names that the provider refused, and nulls that stand for "left out"
//! because strict mode demands every property. Values are never judged here; that is for the
//! contract's schema.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::{
    keyword::{names, types},
    pointer::join as below,
    vocabulary::schemas_under,
};

/// Where a node being built says what its members were. Gone from what is handed out.
const MARK: &str = "\u{0}members";

/// Levels of a value that are followed, and references one after the other.
const MAX_DEPTH: usize = 128;

/// What was done to the objects of a lowered schema: JSON pointer into it, and the members.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Restore(BTreeMap<String, Members>);

/// What was done to the members of one object.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Members {
    /// Members that are left out when they are null.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub absent_when_null: BTreeSet<String>,
    /// Members by the name that a model knows, with their name in the contract.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub renamed: BTreeMap<String, String>,
}

impl Members {
    /// Writes this into a node that is being built.
    pub(super) fn mark(&self, node: &mut Map<String, Value>) {
        if *self != Self::default() {
            node.insert(MARK.to_owned(), json!(self));
        }
    }
}

impl Restore {
    /// Takes the marks out of `schema`.
    pub(super) fn take(schema: &mut Value) -> Self {
        let mut found = BTreeMap::new();
        take(schema, "", &mut found);
        Self(found)
    }

    /// Whether arguments go back as they came.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The objects concerned: JSON pointer into the lowered schema, and the members.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Members)> {
        self.0
            .iter()
            .map(|(pointer, members)| (pointer.as_str(), members))
    }

    /// `arguments`, which follow the lowered `schema`, in the contract's form.
    #[must_use]
    pub fn restore(&self, schema: &Value, arguments: &Value) -> Value {
        self.walk(schema, "", arguments, Way::Back, 0)
    }

    /// Arguments in the contract's form as a model would have to send them under `schema`.
    #[must_use]
    pub fn dress(&self, schema: &Value, arguments: &Value) -> Value {
        self.walk(schema, "", arguments, Way::Forth, 0)
    }

    fn walk(&self, root: &Value, at: &str, value: &Value, way: Way, depth: usize) -> Value {
        let Some((at, node)) = settle(root, at) else {
            return value.clone();
        };
        if self.is_empty() || depth > MAX_DEPTH {
            return value.clone();
        }
        if let Some(branch) = self.branch(root, &at, node, value, way) {
            return self.walk(root, &branch, value, way, depth + 1);
        }
        match value {
            Value::Array(items) => Value::Array(
                items
                    .iter()
                    .enumerate()
                    .map(|(i, item)| self.walk(root, &item_at(&at, node, i), item, way, depth + 1))
                    .collect(),
            ),
            Value::Object(members) => self.object(root, &at, members, way, depth),
            _ => value.clone(),
        }
    }

    fn object(
        &self,
        root: &Value,
        at: &str,
        members: &Map<String, Value>,
        way: Way,
        depth: usize,
    ) -> Value {
        static UNTOUCHED: Members = Members {
            absent_when_null: BTreeSet::new(),
            renamed: BTreeMap::new(),
        };
        let touched = self.0.get(at).unwrap_or(&UNTOUCHED);
        let mut out = Map::new();
        for (name, value) in members {
            let shown = way.shown(touched, name);
            if way == Way::Back && value.is_null() && touched.absent_when_null.contains(shown) {
                continue;
            }
            let value = self.walk(root, &member_at(root, at, shown), value, way, depth + 1);
            out.insert(way.named(touched, name).to_owned(), value);
        }
        if way == Way::Forth {
            for name in &touched.absent_when_null {
                out.entry(name.clone()).or_insert(Value::Null);
            }
        }
        Value::Object(out)
    }

    /// The alternative that `value` follows, where the node is one of several.
    fn branch(
        &self,
        root: &Value,
        at: &str,
        node: &Value,
        value: &Value,
        way: Way,
    ) -> Option<String> {
        let branches = ["anyOf", "oneOf"]
            .into_iter()
            .find_map(|k| Some((k, node.get(k)?.as_array()?)));
        let (keyword, branches) = branches?;
        let list = below(at, keyword);
        let at = |i: usize| below(&list, &i.to_string());
        (0..branches.len())
            .map(at)
            .find(|branch| self.fits(root, branch, value, way, 0))
    }

    /// Whether `value` has the shape of the node; only what tells alternatives apart is looked at.
    fn fits(&self, root: &Value, at: &str, value: &Value, way: Way, depth: usize) -> bool {
        let Some((at, node)) = settle(root, at) else {
            return true;
        };
        if depth > 8 {
            return true;
        }
        let is = |name: &str| match (name, value) {
            ("null", Value::Null) | ("boolean", Value::Bool(_)) | ("string", Value::String(_)) => {
                true
            }
            ("number", Value::Number(_)) | ("array", Value::Array(_)) => true,
            ("object", Value::Object(_)) => true,
            ("integer", Value::Number(n)) => n.as_f64().is_some_and(|f| f.fract() == 0.0),
            _ => false,
        };
        let nullable = value.is_null() && node.get("nullable") == Some(&Value::Bool(true));
        let mut named = types(node.get("type")).peekable();
        let typed = nullable || named.peek().is_none() || named.any(is);
        let listed = node
            .get("enum")
            .and_then(Value::as_array)
            .is_none_or(|values| values.contains(value) || nullable);
        let constant = node.get("const").is_none_or(|c| c == value);
        typed && listed && constant && self.members_fit(root, &at, node, value, way, depth)
    }

    fn members_fit(
        &self,
        root: &Value,
        at: &str,
        node: &Value,
        value: &Value,
        way: Way,
        depth: usize,
    ) -> bool {
        let Some(members) = value.as_object() else {
            return true;
        };
        let untouched = Members::default();
        let touched = self.0.get(at).unwrap_or(&untouched);
        let properties = node.get("properties").and_then(Value::as_object);
        let given = |shown: &str| members.contains_key(way.in_value(touched, shown));
        let complete = names(node.get("required")).all(|name| {
            given(name) || (way == Way::Forth && touched.absent_when_null.contains(name))
        });
        let rest = node.get("additionalProperties");
        complete
            && members.iter().all(|(name, value)| {
                let shown = way.shown(touched, name);
                let is_named = properties.is_some_and(|p| p.contains_key(shown));
                if is_named || rest.is_some_and(Value::is_object) {
                    self.fits(root, &member_at(root, at, shown), value, way, depth + 1)
                } else {
                    rest != Some(&Value::Bool(false))
                }
            })
    }
}

/// Which way arguments go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// From a model to the contract.
    Back,
    /// From the contract to a model.
    Forth,
}

impl Way {
    /// The name that the lowered schema has for the member `name` of the value.
    fn shown<'a>(self, touched: &'a Members, name: &'a str) -> &'a str {
        match self {
            Self::Back => name,
            Self::Forth => touched
                .renamed
                .iter()
                .find(|(_, ours)| *ours == name)
                .map_or(name, |(shown, _)| shown),
        }
    }

    /// The name that the member `name` of the value gets.
    fn named<'a>(self, touched: &'a Members, name: &'a str) -> &'a str {
        match self {
            Self::Back => touched.renamed.get(name).map_or(name, String::as_str),
            Self::Forth => self.shown(touched, name),
        }
    }

    /// The name in the value of what the lowered schema calls `shown`.
    fn in_value<'a>(self, touched: &'a Members, shown: &'a str) -> &'a str {
        match self {
            Self::Back => shown,
            Self::Forth => touched.renamed.get(shown).map_or(shown, String::as_str),
        }
    }
}

/// The node at `at`, references followed, with its own pointer.
fn settle<'a>(root: &'a Value, at: &str) -> Option<(String, &'a Value)> {
    let mut at = at.to_owned();
    for _ in 0..MAX_DEPTH {
        let node = root.pointer(&at)?;
        match node.get("$ref").and_then(Value::as_str) {
            Some(reference) => reference.strip_prefix('#')?.clone_into(&mut at),
            None => return Some((at, node)),
        }
    }
    None
}

/// Where the schema of the member `shown` stands: under its name, or under that of all others.
fn member_at(root: &Value, at: &str, shown: &str) -> String {
    let keyword = |keyword| root.pointer(at).and_then(|node| node.get(keyword));
    let is_named = keyword("properties").is_some_and(|named| named.get(shown).is_some());
    if !is_named && keyword("additionalProperties").is_some_and(Value::is_object) {
        below(at, "additionalProperties")
    } else {
        below(&below(at, "properties"), shown)
    }
}

fn item_at(at: &str, node: &Value, index: usize) -> String {
    let places = node.get("prefixItems").and_then(Value::as_array);
    if places.is_some_and(|p| index < p.len()) {
        below(&below(at, "prefixItems"), &index.to_string())
    } else {
        below(at, "items")
    }
}

fn take(schema: &mut Value, at: &str, found: &mut BTreeMap<String, Members>) {
    let Some(node) = schema.as_object_mut() else {
        return;
    };
    if let Some(mark) = node.shift_remove(MARK)
        && let Ok(members) = serde_json::from_value(mark)
    {
        found.insert(at.to_owned(), members);
    }
    for (keyword, value) in node.iter_mut() {
        if schemas_under(keyword).is_none() {
            continue;
        }
        let here = below(at, keyword);
        match (keyword.as_str(), value) {
            (
                "properties" | "patternProperties" | "dependentSchemas" | "$defs",
                Value::Object(map),
            ) => {
                for (name, schema) in map.iter_mut() {
                    take(schema, &below(&here, name), found);
                }
            }
            (_, Value::Array(items)) => {
                for (i, item) in items.iter_mut().enumerate() {
                    take(item, &below(&here, &i.to_string()), found);
                }
            }
            (_, value) => take(value, &here, found),
        }
    }
}
