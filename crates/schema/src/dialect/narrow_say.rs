//! Words for what a node cannot hold as a keyword, and the description that they end up in.

use serde_json::{Value, json};

use super::{
    Effect,
    context::{Lowering, Node},
    root::joined,
    rules::Null,
    words,
};
use crate::vocabulary::KEYWORDS;

/// What a node says beside its shape.
#[derive(Default)]
pub(super) struct Says {
    /// Sentences for its description.
    pub(super) sentences: Vec<String>,
    /// Whether null is accepted too.
    pub(super) nullable: bool,
}

/// Above so many bytes a description is not repeated.
const LONG: usize = 300;

/// Keywords that ask nothing and that nobody misses where they cannot stand.
pub(super) const SILENT: &[&str] = &[
    "$anchor",
    "$comment",
    "$defs",
    "$id",
    "$schema",
    "definitions",
    "description",
    "readOnly",
    "title",
    "type",
    "writeOnly",
];

impl Lowering<'_> {
    /// Says one keyword of a node.
    pub(super) fn say(&mut self, keyword: &str, node: &Node, at: &str, says: &mut Says) {
        match words::sentence(keyword, node) {
            Some(sentence) => {
                self.note(at, keyword, Effect::Described, sentence.clone());
                if !says.sentences.contains(&sentence) {
                    says.sentences.push(sentence);
                }
            }
            // A keyword that we know and that has no words is said by another, or asks nothing.
            None if KEYWORDS.iter().any(|known| known.name == keyword) => {}
            None => self.note(at, keyword, Effect::Dropped, "no keyword of JSON Schema"),
        }
    }

    /// Says a keyword with a value of its own; `beside` is the node whose members it speaks of.
    pub(super) fn say_value(
        &mut self,
        keyword: &str,
        value: Value,
        beside: &Node,
        at: &str,
        says: &mut Says,
    ) {
        let mut alone = Node::new();
        alone.extend(
            beside
                .get("required")
                .map(|r| ("required".to_owned(), r.clone())),
        );
        alone.insert(keyword.to_owned(), value);
        self.say(keyword, &alone, at, says);
    }

    /// Says every keyword of a node that asks something.
    pub(super) fn say_all(&mut self, node: &Node, at: &str, says: &mut Says) {
        for keyword in node.keys() {
            if !SILENT.contains(&keyword.as_str()) {
                self.say(keyword, node, at, says);
            }
        }
    }

    /// Gives `out` its description, and null where it is accepted.
    pub(super) fn describe(&self, mut out: Node, source: &Node, says: Says) -> Node {
        if says.nullable {
            self.make_nullable(&mut out);
        }
        let own = source.get("description").and_then(Value::as_str);
        let mut text = joined(own, &says.sentences);
        if text.is_empty() {
            return out;
        }
        // The only alternative of a union brings words of its own.
        if let Some(inner) = out.get("description").and_then(Value::as_str)
            && !text.contains(inner)
        {
            text = joined(Some(&text), &[inner.to_owned()]);
        }
        if out.contains_key("$ref") {
            let reference = std::mem::take(&mut out);
            out.insert("anyOf".to_owned(), json!([reference]));
        }
        let union_alone = self.rules.null == Null::Keyword && out.contains_key("anyOf");
        match out.get_mut("anyOf").and_then(Value::as_array_mut) {
            // There an `anyOf` stands alone, so each alternative carries the words; of many words one
            // copy is enough.
            Some(branches) if union_alone => {
                let copies = if text.len() > LONG { 1 } else { branches.len() };
                for branch in branches
                    .iter_mut()
                    .take(copies)
                    .filter_map(Value::as_object_mut)
                {
                    let inner = branch.get("description").and_then(Value::as_str);
                    let inner: Vec<String> = inner.map(str::to_owned).into_iter().collect();
                    let text = joined(Some(&text), &inner);
                    branch.insert("description".to_owned(), Value::String(text));
                }
            }
            _ => {
                let after_type = usize::from(out.contains_key("type"));
                out.shift_insert(after_type, "description".to_owned(), Value::String(text));
            }
        }
        out
    }
}
