//! Texts of a contract as a model or a client is shown them: with nothing in them that a person who
//! looks at the same list would not see. Values and names stay as they are, because a call uses
//! them.

use serde_json::Value;
use toolcontract_manifest::text::{escape, hidden};
use toolcontract_schema::walk::walk_mut;

/// The keywords whose text explains and decides nothing.
const EXPLAIN: [&str; 3] = ["title", "description", "$comment"];

/// `text` with what a reader does not see written as `\u{202e}`.
pub(crate) fn text(text: &str) -> String {
    escape(text).into_owned()
}

/// The same for every explanation in `schema`.
pub(crate) fn schema(mut schema: Value) -> Value {
    walk_mut(&mut schema, &mut |node| {
        for keyword in EXPLAIN {
            if let Some(Value::String(said)) = node.get_mut(keyword)
                && hidden(said).is_some()
            {
                *said = text(said);
            }
        }
    });
    schema
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn explanations_hide_nothing() {
        let of = |said: &str| {
            json!({
                "description": said,
                "properties": {
                    "title": { "title": said, "type": "string" },
                    "description": { "enum": ["a\u{200b}"], "default": "a\u{200b}" },
                },
                "$defs": { "d": { "items": { "$comment": said } } },
            })
        };
        assert_eq!(
            schema(of("one\u{e0041}\u{202e}two")),
            of("one\\u{e0041}\\u{202e}two")
        );
        let plain = of("one\ntwo\tthree é 👩‍🚀");
        assert_eq!(schema(plain.clone()), plain);
    }
}
