//! Schemas that keep a validator busy for ever.

use toolcontract_manifest::Level;

use crate::lint::{Page, Rule};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "heavy-schema",
        about: "A schema makes a validator do endless work.",
        what: "How many schemas look at one place of a value, references followed: more than 10000, more than \
               256 inside each other, or one that comes back to the same place.",
        why: "References that are followed twice at each step double the work at each step: forty of them in a \
              kilobyte of schema are a million million looks at one value. Every call would hang, in every \
              language, and a registry refuses the tool.",
        example: r##"
[input_schema."$defs"]
a.allOf = [{ "$ref" = "#/$defs/b" }, { "$ref" = "#/$defs/b" }]
b.allOf = [{ "$ref" = "#/$defs/c" }, { "$ref" = "#/$defs/c" }]
# and so on, forty times
"##,
        instead: r##"
[input_schema."$defs"]
a."$ref" = "#/$defs/b"
b."$ref" = "#/$defs/c"
"##,
    },
    authored: Some(Level::Error),
    declared: Some(Level::Error),
    allowable: false,
    check: |catalog, findings| {
        for site in catalog.sites() {
            if let Some(heavy) = site.heavy {
                findings.report(
                    site.at_schema(""),
                    format!("no value can be held against this schema in any time: {}", heavy.reason()),
                    "say each thing once: a branch or a reference that stands twice is followed twice",
                );
            }
        }
    },
};
