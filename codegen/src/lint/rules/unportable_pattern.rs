//! Patterns that every engine reads alike, in linear time.

use std::collections::HashMap;

use serde_json::Value;
use toolcontract_manifest::Level;
use toolcontract_schema::{
    pattern::{self, PatternError},
    pointer::join,
};

use crate::lint::{
    Page, Rule,
    findings::Place,
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
        let mut known = Known::new();
        for site in catalog.sites() {
            for part in &site.parts {
                for (text, place) in patterns(site, part) {
                    let judged = known.entry(text).or_insert_with(|| pattern::check(text));
                    if let Err(fault) = judged {
                        findings.report(
                            place,
                            format!("the pattern is not portable {fault}"),
                            "write it with what Rust and JavaScript read alike",
                        );
                    }
                }
            }
        }
    },
};

/// Patterns recur over a catalog, and judging one compiles it.
type Known<'a> = HashMap<&'a str, Result<(), PatternError>>;

fn patterns<'a>(site: &Site<'a>, part: &Part<'a>) -> Vec<(&'a str, Place)> {
    let at = part.pointer.as_str();
    let one = part.schema.get("pattern").and_then(Value::as_str);
    let one = one.map(|text| (text, site.at_schema(&format!("{at}/pattern"))));
    let table = part.schema.get("patternProperties");
    let names = table.and_then(Value::as_object).into_iter().flatten();
    let named = names.map(|(text, _)| {
        let pointer = join(&format!("{at}/patternProperties"), text);
        (text.as_str(), site.key_at_schema(&pointer))
    });
    one.into_iter().chain(named).collect()
}
