//! The text of one file and the tree of its values, each with its place.

use std::{ops::Range, sync::OnceLock};

use serde_json::{Number, Value};
use toolcontract_schema::pointer::tokens;

use crate::position::Position;

/// A file that was read and parsed.
#[derive(Debug)]
pub struct Document {
    /// Path relative to the project root, forward slashes: `manifests/tools/grep.toml`.
    pub path: String,
    /// The text.
    pub text: String,
    /// The root value; null when the text could not be parsed.
    pub root: Node,
    /// Where each line starts; found when first asked for, since most files have no findings.
    lines: OnceLock<Vec<usize>>,
}

impl Document {
    /// A file of which everything is known.
    #[must_use]
    pub fn new(path: impl Into<String>, text: impl Into<String>, root: Node) -> Self {
        Self {
            path: path.into(),
            text: text.into(),
            root,
            lines: OnceLock::new(),
        }
    }

    /// Line and column of a byte of the text.
    #[must_use]
    pub fn position(&self, offset: usize) -> Position {
        let starts = self.lines.get_or_init(|| {
            let ends = self.text.match_indices('\n').map(|(at, _)| at + 1);
            std::iter::once(0).chain(ends).collect()
        });
        let line = starts.partition_point(|start| *start <= offset);
        let start = starts
            .get(line.saturating_sub(1))
            .copied()
            .unwrap_or_default();
        let in_line = self.text.get(start..).unwrap_or_default();
        Position {
            line,
            ..Position::of(in_line, offset.saturating_sub(start))
        }
    }

    /// The place of the value at a JSON pointer, or of its nearest ancestor that exists.
    #[must_use]
    pub fn span(&self, pointer: &str) -> Range<usize> {
        self.find(pointer).0.span.clone()
    }

    /// The place of the key at a JSON pointer; the value's place where there is no key.
    /// Where the pointer leads nowhere, its nearest ancestor that exists stands for it.
    #[must_use]
    pub fn key_span(&self, pointer: &str) -> Range<usize> {
        match self.find(pointer) {
            (_, Some(member)) => member.key_span.clone(),
            (node, None) => node.span.clone(),
        }
    }

    /// The value at a JSON pointer, if it leads somewhere.
    #[must_use]
    pub fn node(&self, pointer: &str) -> Option<&Node> {
        tokens(pointer)?
            .iter()
            .try_fold(&self.root, |node, token| Some(node.child(token)?.0))
    }

    /// The value at `pointer` or its nearest ancestor, with the member that holds it.
    fn find(&self, pointer: &str) -> (&Node, Option<&Member>) {
        let mut found = (&self.root, None);
        for token in tokens(pointer).unwrap_or_default() {
            match found.0.child(&token) {
                Some(next) => found = next,
                None => break,
            }
        }
        found
    }
}

/// A value with its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Byte range of the value in the text. A TOML table that a header opens has the place of
    /// its (first) header, one that only a longer key implies the place of its part of that
    /// key, and the root the whole text.
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
    /// The value without places. Of a key that is there twice, the last value.
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

    /// The members, where the node is an object.
    #[must_use]
    pub fn members(&self) -> &[Member] {
        match &self.value {
            NodeValue::Object(members) => members,
            NodeValue::Null
            | NodeValue::Bool(_)
            | NodeValue::Number(_)
            | NodeValue::String(_)
            | NodeValue::Array(_) => &[],
        }
    }

    /// The text, where the node is a string.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match &self.value {
            NodeValue::String(text) => Some(text),
            NodeValue::Null
            | NodeValue::Bool(_)
            | NodeValue::Number(_)
            | NodeValue::Array(_)
            | NodeValue::Object(_) => None,
        }
    }

    /// Whether the node is an object.
    #[must_use]
    pub fn is_object(&self) -> bool {
        matches!(self.value, NodeValue::Object(_))
    }

    /// The last member with this key: the one that counts.
    #[must_use]
    pub fn member(&self, key: &str) -> Option<&Member> {
        self.members().iter().rev().find(|m| m.key == key)
    }

    fn child(&self, token: &str) -> Option<(&Node, Option<&Member>)> {
        match &self.value {
            NodeValue::Object(_) => self.member(token).map(|m| (&m.node, Some(m))),
            NodeValue::Array(items) => {
                // `01` and `+1` are no array indices in a JSON pointer.
                let canonical = token == "0" || !token.starts_with(['0', '+']);
                let index = token.parse::<usize>().ok().filter(|_| canonical)?;
                items.get(index).map(|node| (node, None))
            }
            NodeValue::Null | NodeValue::Bool(_) | NodeValue::Number(_) | NodeValue::String(_) => {
                None
            }
        }
    }
}
