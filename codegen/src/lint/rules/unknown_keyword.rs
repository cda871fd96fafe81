//! Keywords that no validator knows.

use toolcontract_manifest::{Level, nearest};
use toolcontract_schema::{
    pointer::join,
    vocabulary::{Dialect, EXTENSIONS, KEYWORDS, keyword},
};

use crate::lint::{Page, Rule, findings::meant};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "unknown-keyword",
        about: "A schema holds a keyword that JSON Schema 2020-12 does not have.",
        what: "A key of a schema that is no keyword of JSON Schema 2020-12 and none of ours \
               (`x-open`, `x-ts`).",
        why: "Validators ignore what they do not know. A misspelled keyword checks nothing, and \
              a keyword of another dialect means nothing here.",
        example: r#"
type = "string"
minlength = 1
"#,
        instead: r#"
type = "string"
minLength = 1
"#,
    },
    authored: Some(Level::Error),
    declared: Some(Level::Warning),
    allowable: false,
    check: |catalog, findings| {
        for site in catalog.sites() {
            for part in &site.parts {
                for name in part.keywords().into_iter().flat_map(|all| all.keys()) {
                    let known = keyword(name, Dialect::Draft202012).is_some()
                        || EXTENSIONS.iter().any(|own| own.name == name);
                    if !known {
                        findings.report(
                            site.key_at_schema(&join(&part.pointer, name)),
                            format!(
                                "`{}` is no keyword of JSON Schema 2020-12",
                                name.escape_debug()
                            ),
                            meant(nearest(name, current()), otherwise(name)),
                        );
                    }
                }
            }
        }
    },
};

/// The keywords of 2020-12.
fn current() -> impl Iterator<Item = &'static str> {
    KEYWORDS
        .iter()
        .filter(|k| k.until == Dialect::Draft202012)
        .map(|k| k.name)
}

/// What replaced keywords of older dialects and of OpenAPI.
fn otherwise(name: &str) -> &'static str {
    match name {
        "id" => "write `$id`, or remove it",
        "additionalItems" => "write `prefixItems` for the first items and `items` for the others",
        "nullable" => "add `\"null\"` to `type`",
        "example" => "write a list `examples`",
        "discriminator" => "give each branch of `oneOf` a property with a `const`",
        "$recursiveRef" => "write `$dynamicRef`",
        "$recursiveAnchor" => "write `$dynamicAnchor`",
        _ => "remove it",
    }
}
