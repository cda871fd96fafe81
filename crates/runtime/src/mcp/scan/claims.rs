//! Hints against the rest of a definition. A name proves nothing, but a hint that its name, or what
//! the tool takes, speaks against deserves a look.

use heck::ToSnakeCase as _;
use serde_json::Value;
use toolcontract_manifest::{Diagnostic, import::Tool};
use toolcontract_protocol::manifest::Claims;

use super::{Page, called, rules, shown};

/// Words of names for what changes something.
const CHANGING: [&str; 21] = [
    "append", "create", "delete", "drop", "edit", "exec", "execute", "insert", "kill", "move",
    "patch", "post", "push", "put", "remove", "rename", "run", "send", "set", "update", "write",
];
/// Arguments with which a caller says what is to be done, whatever the tool is called.
const FREE: [&str; 8] = [
    "cmd",
    "code",
    "command",
    "query_string",
    "script",
    "shell",
    "sql",
    "statement",
];

pub(super) fn check(page: &Page<'_>, tool: &Tool, findings: &mut Vec<Diagnostic>) {
    let (name, subject) = (called(tool), Some(&tool.subject));
    let shown = shown(name);
    let Some(claims) = &tool.manifest.claims else {
        let message = format!("`{shown}` has no hints");
        findings.push(page.warning(&rules::UNCLAIMED, subject, message));
        return;
    };
    for doubt in doubts(claims, name, tool.manifest.input_schema.as_ref()) {
        let message = format!("`{shown}` {doubt}");
        findings.push(page.warning(&rules::UNLIKELY, subject, message));
    }
}

fn doubts(claims: &Claims, name: &str, input: Option<&Value>) -> Vec<String> {
    let mut doubts = Vec::new();
    let words = name.to_snake_case();
    let changing = words.split('_').find(|word| CHANGING.contains(word));
    let properties = input.and_then(|input| input.get("properties"));
    let properties = properties.and_then(Value::as_object);
    let mut arguments = properties.into_iter().flatten();
    if claims.read_only == Some(true) {
        if let Some(word) = changing {
            doubts.push(format!("claims to change nothing, and is named `{word}`"));
        }
        let free = arguments
            .clone()
            .find(|(key, _)| FREE.contains(&key.as_str()));
        if let Some((key, _)) = free {
            doubts.push(format!("claims to change nothing, and takes a `{key}`"));
        }
    }
    if claims.destructive == Some(false)
        && words
            .split('_')
            .any(|w| matches!(w, "delete" | "drop" | "remove"))
    {
        doubts.push("claims to destroy nothing, and is named for doing it".to_owned());
    }
    if claims.open_world == Some(false) {
        let is_address = |schema: &Value| {
            let format = schema.get("format").and_then(Value::as_str);
            matches!(format, Some("uri" | "url" | "iri" | "hostname" | "email"))
        };
        if let Some((key, _)) = arguments.find(|(_, schema)| is_address(schema)) {
            doubts.push(format!(
                "claims to reach nothing outside, and takes an address, `{key}`"
            ));
        }
    }
    doubts
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_claim_is_doubted_where_the_rest_speaks_against_it() {
        let claims = |read_only, destructive, open_world| Claims {
            read_only,
            destructive,
            idempotent: None,
            open_world,
        };
        let count =
            |claims: &Claims, name: &str, input: Value| doubts(claims, name, Some(&input)).len();
        let nothing = json!({ "type": "object" });
        let reads = claims(Some(true), None, None);
        assert_eq!(count(&reads, "deleteFile", nothing.clone()), 1);
        assert_eq!(count(&reads, "read_file", nothing.clone()), 0);
        assert_eq!(count(&reads, "preset_settings", nothing.clone()), 0);
        assert_eq!(
            count(&reads, "lookup", json!({ "properties": { "sql": {} } })),
            1
        );
        let keeps = claims(None, Some(false), None);
        assert_eq!(count(&keeps, "drop-table", nothing), 1);
        let stays = claims(None, None, Some(false));
        let address = json!({ "properties": { "to": { "type": "string", "format": "uri" } } });
        assert_eq!(count(&stays, "fetch", address), 1);
    }
}
