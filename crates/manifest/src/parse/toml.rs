//! TOML to a tree with places, by `toml_edit`'s parsed document: its mutable form has none.

use std::ops::Range;

use serde_json::Number;
use toml_edit::{Array, Document, InlineTable, Item, Key, Table, TableLike, TomlError, Value};

use super::{MAX_NESTING, TextFault};
use crate::document::{Member, Node, NodeValue};

/// The tree of `text`, or none after a syntax error.
pub(super) fn parse(text: &str, faults: &mut Vec<TextFault>) -> Option<Node> {
    match Document::parse(text) {
        Ok(document) => {
            let mut tree = Tree { faults, depth: 0 };
            Some(tree.table(document.as_table(), 0..text.len()))
        }
        Err(error) => {
            faults.push(classify(text, &error));
            None
        }
    }
}

/// The parser tells its faults apart by text alone; the fixtures notice when a text changes.
fn classify(text: &str, error: &TomlError) -> TextFault {
    let span = error.span().unwrap_or(text.len()..text.len());
    match error.message() {
        "duplicate key" => TextFault::DuplicateKey {
            key: text.get(span.clone()).unwrap_or_default().to_owned(),
            span,
            first: None,
        },
        "integer number overflowed" | "floating-point number overflowed" => {
            TextFault::NumberTooLarge { span }
        }
        message if message.contains("recursion limit") || message.contains("recursion depth") => {
            TextFault::TooDeep { span }
        }
        message => TextFault::Syntax {
            span,
            message: message.to_owned(),
        },
    }
}

struct Tree<'a> {
    faults: &'a mut Vec<TextFault>,
    depth: usize,
}

impl Tree<'_> {
    fn table(&mut self, table: &Table, span: Range<usize>) -> Node {
        self.members(table, table.len(), span)
    }

    fn inline(&mut self, table: &InlineTable) -> Node {
        self.members(table, table.len(), table.span().unwrap_or_default())
    }

    fn members(&mut self, table: &dyn TableLike, len: usize, span: Range<usize>) -> Node {
        self.nested(span, |tree| {
            let mut members = Vec::with_capacity(len);
            for (name, item) in table.iter() {
                let key_span = table.key(name).and_then(Key::span).unwrap_or_default();
                if let Some(node) = tree.item(item, &key_span) {
                    members.push(Member {
                        key: name.to_owned(),
                        key_span,
                        node,
                    });
                }
            }
            NodeValue::Object(members)
        })
    }

    fn item(&mut self, item: &Item, key: &Range<usize>) -> Option<Node> {
        match item {
            Item::None => None,
            Item::Value(value) => Some(self.value(value)),
            Item::Table(table) => {
                let span = table.span().unwrap_or_else(|| key.clone());
                Some(self.table(table, span))
            }
            Item::ArrayOfTables(tables) => Some(self.nested(key.clone(), |tree| {
                NodeValue::Array(
                    tables
                        .iter()
                        .map(|t| tree.table(t, t.span().unwrap_or_default()))
                        .collect(),
                )
            })),
        }
    }

    fn value(&mut self, value: &Value) -> Node {
        let span = value.span().unwrap_or_default();
        let value = match value {
            Value::InlineTable(table) => return self.inline(table),
            Value::Array(array) => return self.array(array, span),
            Value::String(s) => NodeValue::String(s.value().clone()),
            Value::Integer(i) => NodeValue::Number(Number::from(*i.value())),
            Value::Boolean(b) => NodeValue::Bool(*b.value()),
            Value::Float(f) => match Number::from_f64(*f.value()) {
                Some(number) => NodeValue::Number(number),
                None => {
                    self.faults
                        .push(TextFault::NotFinite { span: span.clone() });
                    NodeValue::Null
                }
            },
            Value::Datetime(_) => {
                self.faults.push(TextFault::Datetime { span: span.clone() });
                NodeValue::Null
            }
        };
        Node { span, value }
    }

    fn array(&mut self, array: &Array, span: Range<usize>) -> Node {
        self.nested(span, |tree| {
            NodeValue::Array(array.iter().map(|v| tree.value(v)).collect())
        })
    }

    /// Builds a table or an array, unless it lies too deep: then it is null.
    fn nested(&mut self, span: Range<usize>, build: impl FnOnce(&mut Self) -> NodeValue) -> Node {
        if self.depth == MAX_NESTING {
            self.faults.push(TextFault::TooDeep { span: span.clone() });
            return Node {
                span,
                value: NodeValue::Null,
            };
        }
        self.depth += 1;
        let value = build(self);
        self.depth -= 1;
        Node { span, value }
    }
}
