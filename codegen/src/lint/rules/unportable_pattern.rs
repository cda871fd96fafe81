//! Patterns that every engine reads alike, in linear time.

use serde_json::Value;
use toolcontract_manifest::Level;
use toolcontract_schema::{pattern, pointer::join};

use crate::lint::{
    Page, Rule,
    findings::{Findings, Place},
    site::{Part, Site},
};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "unportable-pattern",
        about: "A pattern is not read alike everywhere, or may take exponential time.",
        what: "A `pattern`, or a key of `patternProperties`, with more than literals, `.`, `^`, \
               `$`, groups, `|`, classes of literals and ranges, repetition, and the escapes that \
               Rust and JavaScript share. Look-around, back-references, flags, `\\p`, `\\d`, `\\w` \
               and `\\s` lie outside.",
        why: "Rust and JavaScript check the same call. Where they read a pattern differently, one \
              takes what the other refuses; and some patterns let one short text keep a process \
              busy for hours.",
        example: r#"
type = "string"
pattern = '^(?!/)\w+$'
"#,
        instead: r#"
type = "string"
pattern = '^[A-Za-z0-9_]+$'
"#,
    },
    authored: Some(Level::Error),
    declared: Some(Level::Warning),
    allowable: false,
    check: |catalog, findings| {
        for site in catalog.sites() {
            for part in &site.parts {
                judge(site, part, findings);
            }
        }
    },
};

fn judge(site: &Site<'_>, part: &Part<'_>, findings: &mut Findings) {
    if let Some(text) = part.get("pattern").and_then(Value::as_str) {
        let place = || site.at_schema(&format!("{}/pattern", part.pointer));
        check(text, place, findings);
    }
    let names = part.get("patternProperties").and_then(Value::as_object);
    for text in names.into_iter().flat_map(|all| all.keys()) {
        let table = format!("{}/patternProperties", part.pointer);
        check(text, || site.key_at_schema(&join(&table, text)), findings);
    }
}

fn check(text: &str, place: impl Fn() -> Place, findings: &mut Findings) {
    if let Err(fault) = pattern::check(text) {
        findings.report(
            place(),
            format!("the pattern is not portable {fault}"),
            "write it with what Rust and JavaScript read alike",
        );
    }
}
