//! JSON as a person writes it on one line, for examples in doc comments.

use std::io::{Result, Write};

use serde::Serialize as _;
use serde_json::{Serializer, Value, ser::Formatter};

/// JSON on one line, with a space after each comma and colon.
pub(super) fn on_one_line(value: &Value) -> String {
    let mut bytes = Vec::new();
    let written = value.serialize(&mut Serializer::with_formatter(
        &mut bytes,
        Spaced { empty: false },
    ));
    match (written, String::from_utf8(bytes)) {
        (Ok(()), Ok(text)) => text,
        _ => value.to_string(),
    }
}

/// Writes JSON as a person does on one line.
struct Spaced {
    /// No member was written since the last brace opened.
    empty: bool,
}

impl Formatter for Spaced {
    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> Result<()> {
        out.write_all(if first { b"" } else { b", " })
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> Result<()> {
        self.empty = true;
        out.write_all(b"{")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> Result<()> {
        self.empty = false;
        out.write_all(if first { b" " } else { b", " })
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> Result<()> {
        out.write_all(b": ")
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> Result<()> {
        let empty = std::mem::replace(&mut self.empty, false);
        out.write_all(if empty { b"}" } else { b" }" })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn members_have_room() {
        let value = json!({ "a": [1, "x"], "b": {}, "c": { "d": [] } });
        let text = r#"{ "a": [1, "x"], "b": {}, "c": { "d": [] } }"#;
        assert_eq!(on_one_line(&value), text);
        assert_eq!(on_one_line(&json!({})), "{}");
    }
}
