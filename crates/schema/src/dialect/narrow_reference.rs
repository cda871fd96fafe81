//! References for providers that keep few of them, or none.

use serde_json::{Value, json};

use super::{
    Effect,
    context::{Lowering, Node},
    merge,
    narrow_say::Says,
    rules::References,
};

impl Lowering<'_> {
    /// Follows a reference, or keeps it where the provider can.
    pub(super) fn reference(&mut self, mut source: Node, at: &str, depth: usize) -> Node {
        let reference = source.shift_remove("$ref");
        let target = reference
            .as_ref()
            .and_then(Value::as_str)
            .and_then(|reference| self.target(reference));
        let Some((target, pointer)) = target else {
            self.note(
                at,
                "$ref",
                Effect::Cut,
                "a reference that names nothing here",
            );
            return self.shape(source, at, depth);
        };
        let keeps = self.rules.references == References::Alone;
        if keeps && source.is_empty() {
            let mut out = Node::new();
            out.insert("$ref".to_owned(), Value::String(self.refer(&pointer)));
            return out;
        }
        // What is merged is as large as what it is merged with.
        let merged = match target {
            _ if !self.may_inline(&pointer) => None,
            Value::Object(target) => merge::both(&source, target),
            _ => Some(source.clone()),
        };
        match merged {
            Some(merged) => {
                self.trail.push(pointer);
                let out = if merged.contains_key("$ref") {
                    self.reference(merged, at, depth + 1)
                } else {
                    self.shape(merged, at, depth)
                };
                self.trail.pop();
                out
            }
            None if keeps => self.beside_reference(source, &pointer, at),
            None => self.cut_recursion(source, target, at),
        }
    }

    /// A reference that others stand beside: they are said, the reference stands alone inside.
    fn beside_reference(&mut self, source: Node, pointer: &str, at: &str) -> Node {
        let mut says = Says::default();
        self.say_all(&source, at, &mut says);
        let mut out = Node::new();
        out.insert("anyOf".to_owned(), json!([{ "$ref": self.refer(pointer) }]));
        self.describe(out, &source, says)
    }

    /// Recursion where references cannot be kept: the shape inside is named, not shown.
    fn cut_recursion(&mut self, source: Node, target: &Value, at: &str) -> Node {
        let mut says = Says::default();
        says.sentences
            .push("The same shape again as the one that it stands in.".to_owned());
        self.note(at, "$ref", Effect::Cut, "recursion is shown one level deep");
        let out = match target.get("type").and_then(Value::as_str) {
            Some("object") | None => object_of_anything(),
            Some("array") => {
                let mut list = Node::new();
                list.insert("type".to_owned(), json!("array"));
                list.insert("items".to_owned(), Value::Object(object_of_anything()));
                list
            }
            Some(name) => {
                let mut out = Node::new();
                out.insert("type".to_owned(), json!(name));
                out
            }
        };
        self.describe(out, &source, says)
    }
}

fn object_of_anything() -> Node {
    let mut out = Node::new();
    out.insert("type".to_owned(), json!("object"));
    out
}
