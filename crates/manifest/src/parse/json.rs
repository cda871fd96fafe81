//! JSON to a tree with places: `serde_json` says whether the text is JSON, `jsonc-parser` where
//! each part of it stands.

use std::{collections::HashMap, ops::Range, str::FromStr as _};

use jsonc_parser::{
    CollectOptions, ParseOptions,
    ast::{self, Value},
    common::Ranged,
    parse_to_ast,
};
use serde_json::Number;

use super::{MAX_NESTING, TextFault};
use crate::document::{Member, Node, NodeValue};

/// The tree of `text`, or none after a syntax error.
pub(super) fn parse(text: &str, faults: &mut Vec<TextFault>) -> Option<Node> {
    if let Err(error) = serde_json::from_str::<serde_json::Value>(text) {
        faults.push(classify(text, &error));
        return None;
    }
    let options = ParseOptions {
        allow_comments: false,
        allow_loose_object_property_names: false,
        allow_trailing_commas: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    match parse_to_ast(text, &CollectOptions::default(), &options) {
        Ok(parsed) => {
            let mut tree = Tree { faults, depth: 0 };
            parsed.value.as_ref().map(|value| tree.value(value))
        }
        // Not reached while both parsers agree on what JSON is.
        Err(error) => {
            faults.push(TextFault::Syntax {
                span: range(&error.range()),
                message: error.kind().to_string(),
            });
            None
        }
    }
}

/// The reader tells its faults apart by text alone; the fixtures notice when a text changes.
fn classify(text: &str, error: &serde_json::Error) -> TextFault {
    let line_start = text
        .split_inclusive('\n')
        .take(error.line().saturating_sub(1))
        .map(str::len)
        .sum::<usize>();
    let start = text.floor_char_boundary(line_start + error.column().saturating_sub(1));
    let span = if error.is_eof() || start >= text.len() {
        // Behind the last thing that is there, not on an empty line after it.
        let end = text.trim_end().len();
        end..end
    } else {
        start..text.ceil_char_boundary(start + 1)
    };
    let whole = error.to_string();
    let message = whole
        .rsplit_once(" at line ")
        .map_or(whole.as_str(), |(message, _)| message);
    match message {
        "number out of range" => TextFault::NumberTooLarge {
            span: number_ending_at(text, span.start),
        },
        "recursion limit exceeded" => TextFault::TooDeep { span },
        message => TextFault::Syntax {
            span,
            message: message.replace("EOF", "end of the file"),
        },
    }
}

/// The reader stops inside or behind a number that it refuses; this is the whole of it.
fn number_ending_at(text: &str, at: usize) -> Range<usize> {
    let part = |c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.' | 'e' | 'E');
    let (before, after) = text.split_at(at);
    let start = before.trim_end_matches(part).len();
    let end = text.len() - after.trim_start_matches(part).len();
    start..end
}

struct Tree<'a> {
    faults: &'a mut Vec<TextFault>,
    depth: usize,
}

impl Tree<'_> {
    fn value(&mut self, value: &Value<'_>) -> Node {
        let span = range(&value.range());
        let value = match value {
            Value::NullKeyword(_) => NodeValue::Null,
            Value::BooleanLit(b) => NodeValue::Bool(b.value),
            Value::StringLit(s) => NodeValue::String(s.value.clone().into_owned()),
            Value::NumberLit(n) => self.number(n.value, &span),
            Value::Array(array) => {
                return self.nested(span, |tree| {
                    NodeValue::Array(array.elements.iter().map(|v| tree.value(v)).collect())
                });
            }
            Value::Object(object) => return self.nested(span, |tree| tree.object(object)),
        };
        Node { span, value }
    }

    /// An integer must survive as it is written; a fraction is the double nearest to it, as for
    /// every reader of JSON.
    fn number(&mut self, literal: &str, span: &Range<usize>) -> NodeValue {
        let integer = !literal.contains(['.', 'e', 'E']);
        match Number::from_str(literal) {
            Ok(number) if !integer || !number.is_f64() || literal == "-0" => {
                NodeValue::Number(number)
            }
            Ok(_) | Err(_) => {
                self.faults
                    .push(TextFault::NumberTooLarge { span: span.clone() });
                NodeValue::Null
            }
        }
    }

    fn object(&mut self, object: &ast::Object<'_>) -> NodeValue {
        let mut first: HashMap<&str, Range<usize>> =
            HashMap::with_capacity(object.properties.len());
        let mut members = Vec::with_capacity(object.properties.len());
        for property in &object.properties {
            let key_span = range(&property.name.range());
            match first.get(property.name.as_str()) {
                Some(place) => self.faults.push(TextFault::DuplicateKey {
                    span: key_span.clone(),
                    key: property.name.as_str().to_owned(),
                    first: Some(place.clone()),
                }),
                None => {
                    first.insert(property.name.as_str(), key_span.clone());
                }
            }
            members.push(Member {
                key: property.name.as_str().to_owned(),
                key_span,
                node: self.value(&property.value),
            });
        }
        NodeValue::Object(members)
    }

    /// Builds an object or an array, unless it lies too deep: then it is null.
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

fn range(range: &jsonc_parser::common::Range) -> Range<usize> {
    range.start..range.end
}
