//! Texts of a contract as a model or a client is shown them: with nothing in them that a person who
//! looks at the same list would not see. Names and values that a call uses stay as they are; a tool
//! of a server whose names or values hide something is not let in.

use serde_json::Value;
use toolcontract_manifest::text::{escape, hidden, hidden_in};
use toolcontract_schema::walk::walk_mut;

/// The keywords whose text explains and decides nothing.
const EXPLAIN: [&str; 3] = ["title", "description", "$comment"];

/// The keywords whose values explain and decide nothing. A client may send such a value, so it is
/// shown as it is or not at all.
const SUGGEST: [&str; 2] = ["default", "examples"];

/// `text` with what a reader does not see written as `\u{202e}`.
pub(crate) fn text(text: &str) -> String {
    escape(text).into_owned()
}

/// The same for every explanation in `schema`, without what it suggests and hides something.
pub(crate) fn schema(mut schema: Value) -> Value {
    walk_mut(&mut schema, &mut |node| {
        for keyword in EXPLAIN {
            if let Some(Value::String(said)) = node.get_mut(keyword)
                && hidden(said).is_some()
            {
                *said = text(said);
            }
        }
        if let Value::Object(node) = node {
            node.retain(|keyword, value| {
                !SUGGEST.contains(&keyword.as_str()) || hidden_in(value, "").is_empty()
            });
        }
    });
    schema
}

/// What a reader of `schema` does not see although it is shown as [`schema`] makes it: the first such
/// character of a name or a value, and where it is.
#[cfg(feature = "mcp")]
pub(crate) fn kept(schema: &Value) -> Option<(String, char)> {
    // Most hide nothing, and need no copy.
    if hidden_in(schema, "").is_empty() {
        return None;
    }
    let kept = hidden_in(&self::schema(schema.clone()), "");
    kept.into_iter().next()
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
                    "description": { "enum": ["a\u{200b}"], "default": "a" },
                },
                "$defs": { "d": { "items": { "$comment": said } } },
            })
        };
        assert_eq!(
            schema(of("one\u{e0041}\u{202e}two")),
            of("one\\u{e0041}\\u{202e}two")
        );
        let suggests = |value: &str| {
            let keywords =
                json!({ "type": "string", "default": { "a": value }, "examples": ["a", value] });
            json!({ "properties": { "default": keywords, "examples": true } })
        };
        let without =
            json!({ "properties": { "default": { "type": "string" }, "examples": true } });
        assert_eq!(schema(suggests("a\u{202e}")), without);
        assert_eq!(schema(suggests("é")), suggests("é"));
        let plain = of("one\ntwo\tthree é 👩‍🚀");
        assert_eq!(schema(plain.clone()), plain);
    }

    #[cfg(feature = "mcp")]
    #[test]
    fn names_and_values_that_hide_something_are_found() {
        let hides = |schema: Value| kept(&schema).map(|(place, _)| place);
        let said = "a\u{e0041}";
        let explained = json!({
            "description": said, "default": said, "examples": [{ "a": said }],
            "properties": { "a\n": { "title": said, "enum": ["é", "👩‍🚀"] } },
        });
        assert_eq!(hides(explained), None);
        let place = |at: &str| Some(at.to_owned());
        assert_eq!(
            hides(json!({ "properties": { said: {} } })),
            place("/properties/a\u{e0041}")
        );
        assert_eq!(
            hides(json!({ "properties": { "b": { "enum": ["x", said] } } })),
            place("/properties/b/enum/1")
        );
        for keyword in ["const", "pattern", "x-note"] {
            assert!(hides(json!({ keyword: said })).is_some(), "{keyword}");
        }
    }
}
