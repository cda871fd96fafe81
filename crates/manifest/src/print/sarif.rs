//! SARIF 2.1.0: one run, every rule that was broken listed once.

use std::{
    collections::BTreeSet,
    io::{self, Write},
};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};

use super::plain_json;
use crate::diagnostic::Diagnostic;

/// What may stand in the path of a URI as it is.
const PATH: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

pub(super) fn print(
    findings: &[&Diagnostic],
    about: fn(&str) -> Option<&'static str>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let ids: BTreeSet<&str> = findings.iter().map(|f| f.rule).collect();
    let rules: Vec<Value> = ids.iter().map(|id| rule(id, about(id))).collect();
    let results: Vec<Value> = findings.iter().map(|f| result(f, &ids)).collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "toolcontract",
                "version": env!("CARGO_PKG_VERSION"),
                "informationUri": env!("CARGO_PKG_REPOSITORY"),
                "rules": rules,
            }},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    plain_json::line(&log, out)
}

fn rule(id: &str, about: Option<&str>) -> Value {
    match about {
        Some(about) => json!({ "id": id, "shortDescription": { "text": about } }),
        None => json!({ "id": id }),
    }
}

fn result(finding: &Diagnostic, ids: &BTreeSet<&str>) -> Value {
    let text = match &finding.help {
        Some(help) => format!("{}\nhelp: {help}", finding.message),
        None => finding.message.clone(),
    };
    let uri = utf8_percent_encode(&finding.path, PATH).to_string();
    let mut place = json!({ "artifactLocation": { "uri": uri } });
    if let (Some((start, end)), Some(place)) = (finding.place(), place.as_object_mut()) {
        place.insert(
            "region".to_owned(),
            json!({
                "startLine": start.line,
                "startColumn": start.column,
                "endLine": end.line,
                "endColumn": end.column,
            }),
        );
    }
    json!({
        "ruleId": finding.rule,
        "ruleIndex": ids.iter().position(|id| *id == finding.rule),
        "level": finding.level.as_str(),
        "message": { "text": text },
        "locations": [{ "physicalLocation": place }],
    })
}
