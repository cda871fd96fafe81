//! The root of the parameters: a plain object, whatever the contract's root is made of.
//!
//! Providers refuse alternatives at the root. What the alternatives name stays visible as
//! properties; how they exclude each other moves into the description.

use serde_json::{Value, json};

use super::{
    Effect,
    context::{Lowering, Node},
    merge, words,
};

impl Lowering<'_> {
    /// The root without what the provider refuses there, not lowered yet.
    pub(super) fn root_node(&mut self, root: &Value) -> Node {
        let mut node = self.root_object(root);
        if node.contains_key("allOf") && self.refuses_at_root("allOf") {
            let (merged, left) = self.merge_all(node);
            node = merged;
            if left.is_some() {
                self.say_what_is_left(&mut node);
            }
            self.say_at_root(&mut node, "allOf", left);
        }
        for keyword in ["anyOf", "oneOf"] {
            if self.refuses_at_root(keyword)
                && let Some(branches) = node.shift_remove(keyword)
            {
                self.show_branches(&mut node, keyword, &branches);
                if !branches
                    .as_array()
                    .is_some_and(|all| all.iter().all(is_plain))
                {
                    self.say_what_is_left(&mut node);
                }
                self.say_at_root(&mut node, keyword, Some(branches));
            }
        }
        for keyword in ["not", "enum", "const"] {
            if self.refuses_at_root(keyword) {
                let value = node.shift_remove(keyword);
                self.say_at_root(&mut node, keyword, value);
            }
        }
        if node.get("type").and_then(Value::as_str) != Some("object") {
            node.shift_remove("type");
            node.shift_insert(0, "type".to_owned(), json!("object"));
        }
        node
    }

    fn refuses_at_root(&self, keyword: &str) -> bool {
        self.rules.root_refuses.contains(&keyword)
    }

    /// The root as an object; what it only refers to stands in its place.
    fn root_object(&mut self, root: &Value) -> Node {
        let mut node = root.as_object().cloned().unwrap_or_default();
        for _ in 0..8 {
            let Some(Value::String(reference)) = node.shift_remove("$ref") else {
                break;
            };
            let target = self.target(&reference).map(|(target, _)| target);
            let merged = target
                .and_then(Value::as_object)
                .and_then(|target| merge::both(&node, target));
            match merged {
                Some(merged) => node = merged,
                None => self.note("", "$ref", Effect::Cut, "the root's reference is not shown"),
            }
        }
        if node.shift_remove("$ref").is_some() {
            self.note("", "$ref", Effect::Cut, "the root refers to itself");
        }
        node
    }

    /// `node` with its `allOf` merged into it, and the branches that could not be.
    pub(super) fn merge_all(&self, mut node: Node) -> (Node, Option<Value>) {
        let Some(Value::Array(branches)) = node.shift_remove("allOf") else {
            return (node, None);
        };
        let mut left = Vec::new();
        let mut queue: Vec<Value> = branches.into_iter().rev().collect();
        let mut budget = 256;
        while let Some(branch) = queue.pop() {
            budget -= 1;
            let Some(inner) = self.dereferenced(&branch).filter(|_| budget > 0) else {
                left.push(branch);
                continue;
            };
            let mut inner = inner;
            if let Some(Value::Array(nested)) = inner.shift_remove("allOf") {
                queue.extend(nested.into_iter().rev());
            }
            match merge::both(&node, &inner) {
                Some(merged) => node = merged,
                None => left.push(Value::Object(inner)),
            }
        }
        let left = (!left.is_empty()).then_some(Value::Array(left));
        (node, left)
    }

    /// A branch as a node of its own, its reference replaced by what it names.
    pub(super) fn dereferenced(&self, branch: &Value) -> Option<Node> {
        let mut node = match branch {
            Value::Bool(true) => return Some(Node::new()),
            Value::Object(node) => node.clone(),
            _ => return None,
        };
        for _ in 0..8 {
            let Some(reference) = node.get("$ref").and_then(Value::as_str) else {
                return Some(node);
            };
            let (target, pointer) = self.target(reference)?;
            if self.trail.contains(&pointer) {
                return None;
            }
            node.shift_remove("$ref");
            node = merge::both(&node, target.as_object()?)?;
        }
        None
    }

    /// Makes what the alternatives name visible: their properties, required where all require.
    fn show_branches(&mut self, node: &mut Node, keyword: &str, all: &Value) {
        let all = all.as_array().map_or(&[][..], Vec::as_slice);
        let branches: Vec<Node> = all
            .iter()
            .filter_map(|branch| self.dereferenced(branch))
            .collect();
        let mut properties = object(node, "properties");
        let open = branches.iter().any(|branch| !is_closed(branch));
        let own = properties.clone();
        for (name, schema) in branches.iter().flat_map(|b| object(b, "properties")) {
            // What the root says of a member holds in every branch; a branch only narrows it.
            if own.contains_key(&name) {
                continue;
            }
            match properties.get_mut(&name) {
                None => {
                    properties.insert(name, schema);
                }
                Some(known) if *known == schema => {}
                Some(known) => match known.get_mut("anyOf").and_then(Value::as_array_mut) {
                    Some(several) if several.contains(&schema) => {}
                    Some(several) => several.push(schema),
                    None => *known = json!({ "anyOf": [known.take(), schema] }),
                },
            }
        }
        let is_left_open = |name: &String| {
            let leaves_open = |branch: &Node| {
                !object(branch, "properties").contains_key(name) && !is_closed(branch)
            };
            branches.len() < all.len() || branches.iter().any(leaves_open)
        };
        let mut shown = properties
            .iter()
            .filter(|(name, _)| !own.contains_key(*name));
        let says_more = shown.any(|(name, schema)| !says_nothing(schema) && is_left_open(name));
        if says_more && !is_closed(node) {
            let text = "a member that some alternatives leave open is shown as the others have it";
            self.note("", keyword, Effect::Narrowed, text);
        }
        if !properties.is_empty() {
            node.insert("properties".to_owned(), Value::Object(properties));
            if !open && !node.contains_key("additionalProperties") {
                node.insert("additionalProperties".to_owned(), Value::Bool(false));
            }
        }
        self.require_common(node, &branches);
    }

    /// Of what is only described, the provider cannot know which members it speaks of.
    fn say_what_is_left(&mut self, node: &mut Node) {
        let value = node.shift_remove("unevaluatedProperties");
        self.say_at_root(node, "unevaluatedProperties", value);
    }

    fn require_common(&self, node: &mut Node, branches: &[Node]) {
        let Some((first, others)) = branches.split_first() else {
            return;
        };
        let required = |n: &Node| n.get("required").and_then(Value::as_array).cloned();
        let mut common = required(first).unwrap_or_default();
        common.retain(|name| {
            others
                .iter()
                .all(|b| required(b).is_some_and(|r| r.contains(name)))
        });
        let mut all = required(node).unwrap_or_default();
        for name in common {
            if !all.contains(&name) {
                all.push(name);
            }
        }
        if !all.is_empty() {
            node.insert("required".to_owned(), Value::Array(all));
        }
    }

    /// Says in the root's description what `keyword` asks.
    fn say_at_root(&mut self, node: &mut Node, keyword: &str, value: Option<Value>) {
        let Some(value) = value else { return };
        let mut alone = Node::new();
        alone.insert(keyword.to_owned(), value);
        alone.extend(
            node.get("required")
                .map(|r| ("required".to_owned(), r.clone())),
        );
        if let Some(sentence) = words::sentence(keyword, &alone) {
            let known = node.get("description").and_then(Value::as_str);
            let text = joined(known, std::slice::from_ref(&sentence));
            node.insert("description".to_owned(), Value::String(text));
            self.note("", keyword, Effect::Described, sentence);
        }
    }
}

/// Whether all members that the alternative speaks of are among its properties.
fn is_plain(branch: &Value) -> bool {
    const PLAIN: [&str; 5] = ["type", "properties", "required", "title", "description"];
    let node = branch.as_object();
    node.is_some_and(|node| node.keys().all(|keyword| PLAIN.contains(&keyword.as_str())))
}

/// Whether members that the node does not name are refused.
fn is_closed(node: &Node) -> bool {
    node.get("additionalProperties") == Some(&Value::Bool(false))
}

/// Whether the schema takes any value.
fn says_nothing(schema: &Value) -> bool {
    schema == &Value::Bool(true) || schema.as_object().is_some_and(Node::is_empty)
}

fn object(node: &Node, keyword: &str) -> Node {
    node.get(keyword)
        .and_then(Value::as_object)
        .cloned()
        .unwrap_or_default()
}

/// A description with sentences behind it.
pub(super) fn joined(description: Option<&str>, sentences: &[String]) -> String {
    let mut text = description.unwrap_or_default().trim_end().to_owned();
    for sentence in sentences {
        if !text.is_empty() {
            if !text.ends_with(['.', '!', '?', ':']) {
                text.push('.');
            }
            text.push(' ');
        }
        text.push_str(sentence);
    }
    text
}
