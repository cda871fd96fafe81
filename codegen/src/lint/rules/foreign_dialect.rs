//! Authored schemas are JSON Schema 2020-12.

use serde_json::Value;
use toolcontract_manifest::Level;
use toolcontract_schema::vocabulary::Dialect;

use crate::lint::{Page, Rule};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "foreign-dialect",
        about: "A schema says that it is written in another dialect.",
        what: "A `$schema` inside a schema that is not the one of JSON Schema 2020-12.",
        why: "Contracts are 2020-12 on every surface. Keywords of other dialects mean something \
              else there, or nothing. An imported schema keeps the dialect that it names, and is \
              read as that dialect says.",
        example: r#"
[input_schema]
"$schema" = "http://json-schema.org/draft-07/schema#"
type = "object"
"#,
        instead: r#"
[input_schema]
type = "object"
"#,
    },
    authored: Some(Level::Error),
    declared: None,
    allowable: false,
    check: |catalog, findings| {
        for site in catalog.sites() {
            for part in &site.parts {
                let dialect = part.get("$schema").and_then(Value::as_str);
                if let Some(uri) = dialect
                    && Dialect::from_uri(uri) != Some(Dialect::Draft202012)
                {
                    findings.report(
                        site.at_schema(&format!("{}/$schema", part.pointer)),
                        format!("`{}` is not the dialect of contracts", uri.escape_debug()),
                        format!("remove it, or write `{}`", Dialect::Draft202012.uri()),
                    );
                }
            }
        }
    },
};
