//! Where an argument stands: a JSON pointer, compiled once, in which `*` is every item of a list.

use std::borrow::Cow;

use serde_json::Value;
use toolcontract_schema::{pointer::tokens, violation::type_name};

/// A compiled pointer. Has at least one part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pointer {
    /// As it was written.
    pub(crate) text: String,
    pub(crate) parts: Vec<Part>,
}

/// One step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Part {
    /// A member, or an item where the key is its index.
    Key(String),
    /// Every item.
    Items,
}

/// What stands there.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Found<'v> {
    Value(&'v Value),
    /// A member or item on the way is not there.
    Absent,
    /// A value on the way is of a kind that has no such parts.
    NotA {
        expected: &'static str,
        got: &'static str,
    },
}

impl Pointer {
    /// Reads a pointer; none when it is none, or leads nowhere at all.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let parts: Vec<Part> = tokens(text)?
            .into_iter()
            .map(|token| match token.as_ref() {
                "*" => Part::Items,
                key => Part::Key(key.to_owned()),
            })
            .collect();
        (!parts.is_empty()).then(|| Self {
            text: text.to_owned(),
            parts,
        })
    }

    /// Whether it leads to several places.
    pub(crate) fn is_plural(&self) -> bool {
        self.parts.contains(&Part::Items)
    }

    /// As it was written, with the item at this place in the list where the pointer leads to the
    /// items of one list.
    pub(crate) fn item(&self, at: Option<usize>) -> Cow<'_, str> {
        let lists = self.parts.iter().filter(|part| **part == Part::Items);
        match (lists.count(), at) {
            (1, Some(at)) => {
                let mut tokens = self.text.split('/').map(|token| match token {
                    "*" => Cow::Owned(at.to_string()),
                    key => Cow::Borrowed(key),
                });
                let first = tokens.next().unwrap_or_default();
                Cow::Owned(tokens.fold(first.into_owned(), |text, token| text + "/" + &token))
            }
            _ => Cow::Borrowed(&self.text),
        }
    }

    /// Tells what stands at each place that the pointer leads to, until `tell` has heard enough.
    pub(crate) fn each<'v>(&self, input: &'v Value, tell: &mut dyn FnMut(Found<'v>) -> bool) {
        step(&self.parts, input, tell);
    }
}

/// Bounded by the length of the pointer. False when enough was heard.
fn step<'v>(parts: &[Part], value: &'v Value, tell: &mut dyn FnMut(Found<'v>) -> bool) -> bool {
    let Some((part, rest)) = parts.split_first() else {
        return tell(Found::Value(value));
    };
    match (part, value) {
        (Part::Items, Value::Array(items)) => items.iter().all(|item| step(rest, item, tell)),
        (Part::Key(key), Value::Object(members)) => match members.get(key) {
            Some(member) => step(rest, member, tell),
            None => tell(Found::Absent),
        },
        (Part::Key(key), Value::Array(items)) => match index(key).map(|at| items.get(at)) {
            Some(Some(item)) => step(rest, item, tell),
            Some(None) => tell(Found::Absent),
            None => tell(not_a("object", value)),
        },
        (Part::Items, _) => tell(not_a("array", value)),
        (Part::Key(_), _) => tell(not_a("object", value)),
    }
}

fn not_a(expected: &'static str, value: &Value) -> Found<'static> {
    let got = type_name(value);
    Found::NotA { expected, got }
}

/// The index that a key spells; `01` and `+1` spell none.
pub(crate) fn index(key: &str) -> Option<usize> {
    let canonical = key == "0" || !key.starts_with(['0', '+']);
    key.parse().ok().filter(|_| canonical)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn found(pointer: &str, input: &Value) -> Vec<String> {
        let mut all = Vec::new();
        let pointer = Pointer::parse(pointer).expect("a pointer");
        pointer.each(input, &mut |found| {
            all.push(match found {
                Found::Value(value) => value.to_string(),
                Found::Absent => "absent".to_owned(),
                Found::NotA { expected, got } => format!("{got}, no {expected}"),
            });
            true
        });
        all
    }

    #[test]
    fn a_pointer_leads_where_it_says() {
        let input = json!({ "a/b": 1, "list": [{ "p": "x" }, {}, "y"], "n": null });
        assert_eq!(found("/a~1b", &input), ["1"]);
        assert_eq!(found("/n", &input), ["null"]);
        assert_eq!(found("/c", &input), ["absent"]);
        assert_eq!(found("/list/0/p", &input), ["\"x\""]);
        assert_eq!(found("/list/9/p", &input), ["absent"]);
        assert_eq!(
            found("/list/*/p", &input),
            ["\"x\"", "absent", "string, no object"]
        );
        assert_eq!(found("/n/x", &input), ["null, no object"]);
        assert_eq!(found("/list/p", &input), ["array, no object"]);
    }

    #[test]
    fn an_item_has_its_place() {
        let item = |pointer: &str, at| {
            let pointer = Pointer::parse(pointer).expect("a pointer");
            pointer.item(at).into_owned()
        };
        assert_eq!(item("/edits/*/path", Some(1)), "/edits/1/path");
        assert_eq!(item("/edits/*/path", None), "/edits/*/path");
        assert_eq!(item("/a/*/b/*", Some(1)), "/a/*/b/*");
        assert_eq!(item("/path", Some(0)), "/path");
    }

    #[test]
    fn what_is_no_pointer_is_refused() {
        for text in ["", "path", "/~2"] {
            assert_eq!(Pointer::parse(text), None, "{text}");
        }
    }
}
