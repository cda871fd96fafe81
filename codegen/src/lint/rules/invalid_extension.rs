//! What our own keywords may say, and where.

use serde_json::Value;
use toolcontract_manifest::Level;
use toolcontract_schema::vocabulary::{OPEN, TS, TS_VALUES};

use crate::lint::{Page, Rule};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "invalid-extension",
        about: "`x-open` or `x-ts` stands where it means nothing, or says something unknown.",
        what: "`x-open` is not a boolean or stands on a schema without `enum`; `x-ts` is neither \
               `\"bigint\"` nor `\"string\"` or stands on a schema that is no integer.",
        why: "Both choose how a value is carried in code. Elsewhere they would be ignored \
              without a word.",
        example: r#"
type = "string"
x-ts = "bigint"
"#,
        instead: r#"
type = "integer"
x-ts = "bigint"
"#,
    },
    authored: Some(Level::Error),
    declared: None,
    allowable: false,
    check: |catalog, findings| {
        for site in catalog.sites() {
            for part in &site.parts {
                let open = part.get(OPEN).map(|value| match value {
                    Value::Bool(_) if part.get("enum").is_some() => None,
                    Value::Bool(_) => Some("`x-open` stands on a schema without `enum`"),
                    _ => Some("`x-open` is not `true` or `false`"),
                });
                let ts = part.get(TS).map(|value| match value.as_str() {
                    Some(text) if TS_VALUES.contains(&text) && part.has_type("integer") => None,
                    Some(text) if TS_VALUES.contains(&text) => {
                        Some("`x-ts` stands on a schema that is no integer")
                    }
                    _ => Some("`x-ts` is neither `\"bigint\"` nor `\"string\"`"),
                });
                for (keyword, fault) in [(OPEN, open), (TS, ts)] {
                    if let Some(fault) = fault.flatten() {
                        findings.report(
                            site.at_schema(&format!("{}/{keyword}", part.pointer)),
                            fault,
                            "correct it, or remove the keyword",
                        );
                    }
                }
            }
        }
    },
};
