//! Schemas are valid.

use toolcontract_manifest::{Level, fault::alternatives, nearest};
use toolcontract_schema::{meta, pointer::resolve, validator::CompileError, vocabulary::TYPES};

use crate::lint::{
    Page, Rule,
    compile::words,
    findings::{Findings, meant},
    site::Site,
};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "invalid-schema",
        about: "A schema is not valid JSON Schema 2020-12.",
        what: "A schema that its meta-schema refuses, or that cannot be compiled.",
        why: "Nothing can be checked with it: what a call may send would depend on who reads it.",
        example: r#"
[input_schema.properties.count]
type = "int"
"#,
        instead: r#"
[input_schema.properties.count]
type = "integer"
"#,
    },
    authored: Some(Level::Error),
    declared: Some(Level::Error),
    allowable: false,
    check: |catalog, findings| {
        for site in catalog.sites() {
            if let (Err(fault), None) = (&site.compiles, site.heavy) {
                judge(site, fault, findings);
            }
        }
    },
};

/// How many faults of one schema are reported.
const MOST: usize = 20;

fn judge(site: &Site<'_>, fault: &CompileError, findings: &mut Findings) {
    let Err(faults) = meta::check(site.root, MOST) else {
        // The meta-schema takes what is written here. A shared type is judged where it is written,
        // and a pattern by a rule of its own.
        let here = resolve(site.root, &fault.pointer).is_some();
        if here && !fault.pointer.ends_with("/pattern") {
            report(site, &fault.pointer, &fault.message, findings);
        }
        return;
    };
    for fault in &faults.violations {
        report(site, &fault.pointer, &words(fault), findings);
    }
}

/// What other languages call the types of JSON.
#[rustfmt::skip]
const FOREIGN: [(&str, &str); 12] = [
    ("float", "number"), ("double", "number"), ("decimal", "number"), ("long", "integer"),
    ("list", "array"), ("tuple", "array"), ("set", "array"),
    ("dict", "object"), ("map", "object"), ("record", "object"),
    ("text", "string"), ("none", "null"),
];

fn type_meant(word: &str) -> Option<&'static str> {
    let foreign = FOREIGN
        .iter()
        .find(|(theirs, _)| word.eq_ignore_ascii_case(theirs));
    foreign
        .map(|(_, ours)| *ours)
        .or_else(|| nearest(word, TYPES))
}

fn report(site: &Site<'_>, pointer: &str, message: &str, findings: &mut Findings) {
    let place = site.at_schema(pointer);
    let value = resolve(site.root, pointer).and_then(|value| value.as_str());
    match value.filter(|_| pointer.ends_with("/type")) {
        Some(word) => findings.report(
            place,
            format!("`{}` is no type", word.escape_debug()),
            meant(type_meant(word), &format!("use {}", alternatives(TYPES))),
        ),
        None => findings.report(
            place,
            format!("the schema is invalid: {message}"),
            "write it as JSON Schema 2020-12 says",
        ),
    }
}
