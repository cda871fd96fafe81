//! What a hook that is a command says on standard output.
//!
//! The whole output, or its last line that is not blank, is a decision when it is a JSON object
//! with the key `action`. Other output of a command that succeeded says nothing. What looks like a
//! decision and is none is an error and no silence, so that a slip of a key does not let a call
//! through.

use serde_json::Value;
use toolcontract_manifest::nearest;
use toolcontract_protocol::Decision;
use toolcontract_schema::bounds;

/// What a hook said.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Said {
    /// Nothing.
    Nothing,
    /// A decision.
    Decision(Decision),
    /// Another input.
    Rewrite(Value),
}

const ACTION: &str = "action";

/// Reads the output. The error says what is wrong, and repeats nothing of it.
pub(super) fn read(output: &[u8]) -> Result<Said, &'static str> {
    let Ok(text) = str::from_utf8(output) else {
        return Err("its output is no UTF-8");
    };
    let text = text.trim();
    let last = text.lines().rev().find(|line| !line.trim().is_empty());
    let Some(last) = last else {
        return Ok(Said::Nothing);
    };
    // One object over several lines is a decision as well.
    let whole = text.starts_with('{').then(|| object(text));
    match whole {
        Some(Ok(object)) => said(&object),
        Some(Err(why)) if !last.trim_start().starts_with('{') => Err(why),
        Some(Err(_)) | None if last.trim_start().starts_with('{') => said(&object(last)?),
        Some(Err(_)) | None => Ok(Said::Nothing),
    }
}

fn object(text: &str) -> Result<Value, &'static str> {
    bounds::read(text.trim().as_bytes(), &bounds::Limits::default())
        .map_err(|_| "its output begins like a decision and is no JSON, or has a key twice")
}

fn said(object: &Value) -> Result<Said, &'static str> {
    let Some(action) = object.get(ACTION) else {
        let mut keys = object
            .as_object()
            .into_iter()
            .flat_map(serde_json::Map::keys);
        return match keys.any(|key| nearest(key, [ACTION]).is_some()) {
            true => Err("its decision has no key `action`, and one that is spelled like it"),
            false => Ok(Said::Nothing),
        };
    };
    if action == "modify" {
        let input = object
            .get("payload")
            .and_then(|payload| payload.get("input"));
        return match input {
            Some(input) if input.is_object() => Ok(Said::Rewrite(input.clone())),
            _ => Err("it modifies the call without an object `payload.input`"),
        };
    }
    serde_json::from_value(object.clone())
        .map(Said::Decision)
        .map_err(|_| "its decision is none of `allow`, `deny`, `require_approval` and `modify`, or has no `reason`")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(output: &str, expected: &Said) {
        assert_eq!(read(output.as_bytes()).as_ref(), Ok(expected), "{output}");
    }

    #[test]
    fn decisions_are_read() {
        let deny = Said::Decision(Decision::deny("no"));
        check(r#"{"action":"allow"}"#, &Said::Decision(Decision::Allow));
        check(r#"{"action":"deny","reason":"no"}"#, &deny);
        check(
            "{\n  \"action\": \"deny\",\n  \"reason\": \"no\"\n}\n",
            &deny,
        );
        check(
            "checking\n\n{\"action\":\"deny\",\"reason\":\"no\",\"evidence\":{}}\n \n",
            &deny,
        );
        check(
            "{\"level\":\"info\"}\n{\"action\":\"deny\",\"reason\":\"no\"}",
            &deny,
        );
        let ask = Said::Decision(Decision::require_approval("sure?"));
        check(r#"{"action":"require_approval","reason":"sure?"}"#, &ask);
        check(
            r#"{"action":"modify","payload":{"input":{"a":1}}}"#,
            &Said::Rewrite(json!({ "a": 1 })),
        );
    }

    #[test]
    fn other_output_says_nothing() {
        for output in [
            "",
            " \n\n",
            "all fine",
            "[1]",
            "{\"level\":\"info\"}",
            "{\"action\":\"deny\"\nno, wait: fine",
        ] {
            let said = read(output.as_bytes());
            let is_broken = output.starts_with("{\"action");
            assert_eq!(said.is_err(), is_broken, "{output}");
        }
    }

    #[test]
    fn a_broken_decision_is_no_silence() {
        for output in [
            r#"{"action":"deny"}"#,
            r#"{"action":"Deny","reason":"no"}"#,
            r#"{"action":"maybe"}"#,
            r#"{"action":["deny"]}"#,
            r#"{"Action":"deny","reason":"no"}"#,
            r#"{"acton":"deny","reason":"no"}"#,
            r#"{"action":"deny","reason":"no""#,
            r#"{"action":"allow","action":"deny","reason":"no"}"#,
            r#"{"action":"modify"}"#,
            r#"{"action":"modify","payload":{"input":[1]}}"#,
            "fine\n{\"action\":\"deny\",",
        ] {
            assert!(read(output.as_bytes()).is_err(), "{output}");
        }
        assert!(read(b"\xff{}").is_err());
    }
}
