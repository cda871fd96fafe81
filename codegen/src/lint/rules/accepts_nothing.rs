//! A schema accepts something.

use serde_json::Value;
use toolcontract_manifest::Level;

use crate::lint::{
    Page, Rule,
    catalog::Catalog,
    findings::Findings,
    possible::{Crossed, Possible, crossed},
    site::{Part, Site},
    spot::Spot,
};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "accepts-nothing",
        about: "A schema can accept no value.",
        what: "A schema whose keywords exclude each other: bounds that cross, an `enum` without a \
               value of its `type`, branches of `allOf` that share no type, a required property \
               that nothing fits; or a whole schema that is `false`.",
        why: "No call could ever be valid. A property that must not be there is written `false`, \
              which this rule leaves alone.",
        example: r#"
[input_schema.properties.context]
type = "integer"
minimum = 20
maximum = 0
"#,
        instead: r#"
[input_schema.properties.context]
type = "integer"
minimum = 0
maximum = 20
"#,
    },
    authored: Some(Level::Error),
    declared: Some(Level::Warning),
    allowable: false,
    check: |catalog, findings| {
        for site in catalog.sites() {
            judge(catalog, site, findings);
        }
    },
};

fn judge(catalog: &Catalog<'_>, site: &Site<'_>, findings: &mut Findings) {
    let mut possible = Possible::default();
    let mut is_empty = |part: &&Part<'_>| {
        let spot = Spot::new(catalog.shared(), site.root, part.schema);
        possible.of(spot).is_empty()
    };
    let empty: Vec<&Part<'_>> = site.parts.iter().filter(|part| is_empty(part)).collect();
    for part in &empty {
        // The innermost is the cause of those around it; written nothing is meant.
        let within = |other: &&&Part<'_>| {
            !is_written(other) && other.pointer.starts_with(&format!("{}/", part.pointer))
        };
        let is_cause = !empty.iter().any(|other| within(&other));
        if is_cause && (part.parent.is_none() || !is_written(part)) {
            let (keyword, cause) = cause(part);
            findings.report(
                site.at_schema(&format!("{}{keyword}", part.pointer)),
                format!("no value can fit this schema: {cause}"),
                "correct what excludes each other; to forbid a property, write `false` for it",
            );
        }
    }
}

/// What excludes each other, and the pointer of the keyword to show.
fn cause(part: &Part<'_>) -> (String, String) {
    let keywords = part.keywords();
    let crossed = keywords.and_then(|keywords| crossed(keywords).into_iter().next());
    if let Some(Crossed { low, high, of }) = crossed {
        let cause = format!("no {of} lies between `{low}` and `{high}`");
        return (format!("/{low}"), cause);
    }
    let has = |keyword: &str| part.get(keyword).is_some();
    match ["enum", "const"].into_iter().find(|keyword| has(keyword)) {
        Some(keyword) if has("type") => (
            format!("/{keyword}"),
            format!("`{keyword}` has no value of its `type`"),
        ),
        _ if *part.schema == Value::Bool(false) => (String::new(), "it is `false`".to_owned()),
        _ => (String::new(), "its keywords exclude each other".to_owned()),
    }
}

/// Whether the schema says outright that it accepts nothing.
fn is_written(part: &Part<'_>) -> bool {
    let not = part.get("not");
    *part.schema == Value::Bool(false)
        || not.is_some_and(|not| {
            *not == Value::Bool(true) || not.as_object().is_some_and(serde_json::Map::is_empty)
        })
}
