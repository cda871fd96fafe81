//! What a server's tool gave, in the words of the runtime. Nothing of it is believed: the registry
//! holds it to the output schema, and cuts what is long.

use serde_json::Value;
use toolcontract_protocol::{ErrorClass, ToolOutput};

use super::raw::{MAX_MESSAGE, checked};

/// A result, and what of it is no text.
pub(super) struct Outcome {
    pub(super) output: ToolOutput,
    /// Content blocks of the protocol.
    pub(super) attachments: Vec<Value>,
}

impl From<ToolOutput> for Outcome {
    fn from(output: ToolOutput) -> Self {
        Self {
            output,
            attachments: Vec::new(),
        }
    }
}

/// A result of `server` that is larger than what is read.
pub(super) fn too_large(server: &str) -> Outcome {
    broken(server, &format!("has more than {MAX_MESSAGE} bytes"))
}

fn broken(server: &str, why: &str) -> Outcome {
    let message = format!("the server `{server}` gave a result that {why}; it is withheld");
    ToolOutput::error(ErrorClass::InvalidOutput, message).into()
}

/// Reads the result of `tools/call` of `server`.
pub(super) fn outcome(server: &str, result: &str) -> Outcome {
    let broken = |why: &str| broken(server, why);
    let Some(Value::Object(mut result)) = checked(result.as_bytes()) else {
        return broken("cannot be read, or holds a member twice");
    };
    match result.get("resultType").map(Value::as_str) {
        None | Some(Some("complete")) => {}
        Some(Some("input_required")) => {
            return broken("asks for more input, which is not passed on");
        }
        Some(_) => return broken("is of no known type"),
    }
    let blocks = match result.shift_remove("content") {
        None => Vec::new(),
        Some(Value::Array(blocks)) => blocks,
        Some(_) => return broken("has content that is no list"),
    };
    let (texts, attachments): (Vec<Value>, Vec<Value>) = blocks
        .into_iter()
        .partition(|block| block.get("type").is_some_and(|kind| kind == "text"));
    let text: Option<Vec<&str>> = texts
        .iter()
        .map(|block| block.get("text").and_then(Value::as_str))
        .collect();
    let Some(text) = text else {
        return broken("has a text without text");
    };
    if !attachments.iter().all(Value::is_object) {
        return broken("has content that is no block");
    }
    let text = text.join("\n");
    let data = result.shift_remove("structuredContent");
    let output = match result.get("isError") {
        None | Some(Value::Null | Value::Bool(false)) => match data {
            Some(data) => ToolOutput::with_data(text, data),
            None => ToolOutput::text(text),
        },
        // The protocol has no classes of failures; that of a script which fails is the same.
        Some(Value::Bool(true)) => ToolOutput::error(ErrorClass::Environment, text),
        Some(_) => return broken("does not say whether it is an error"),
    };
    Outcome {
        output,
        attachments,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(result: &str) -> ToolOutput {
        outcome("s", result).output
    }

    #[test]
    fn results_are_read() {
        let text = r#"{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}"#;
        assert_eq!(of(text), ToolOutput::text("a\nb"));
        let data = r#"{"content":[],"structuredContent":{"n":9007199254740993}}"#;
        let exact = json!({ "n": 9_007_199_254_740_993_u64 });
        assert_eq!(of(data), ToolOutput::with_data("", exact));
        let error = r#"{"isError":true,"content":[{"type":"text","text":"no"}]}"#;
        assert_eq!(of(error), ToolOutput::error(ErrorClass::Environment, "no"));
        let image = r#"{"content":[{"type":"image","data":"AA==","mimeType":"image/png"}]}"#;
        let image = outcome("s", image);
        assert_eq!(
            (image.output, image.attachments.len()),
            (ToolOutput::text(""), 1)
        );
    }

    #[test]
    fn what_cannot_be_read_is_withheld() {
        for result in [
            "[]",
            "7",
            r#"{"content":[],"content":[{"type":"text","text":"b"}]}"#,
            r#"{"content":{"type":"text"}}"#,
            r#"{"content":[{"type":"text"}]}"#,
            r#"{"content":[7]}"#,
            r#"{"resultType":"input_required","inputRequests":{}}"#,
            r#"{"resultType":"other"}"#,
            r#"{"content":[],"isError":"yes"}"#,
        ] {
            let ToolOutput::Error { class, .. } = of(result) else {
                panic!("{result}");
            };
            assert_eq!(class, ErrorClass::InvalidOutput, "{result}");
        }
    }
}
