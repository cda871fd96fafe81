//! A default is a legal value.

use serde_json::Value;
use toolcontract_manifest::Level;

use crate::lint::{
    Page, Rule, compile,
    findings::Findings,
    site::{Part, Site},
};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "refused-default",
        about: "A default is refused by its own schema.",
        what: "A `default` that the schema beside it does not accept.",
        why: "Accessors and models supply it where an argument is absent. The call would then \
              be refused, or the tool would meet a value that it does not know.",
        example: r#"
[input_schema.properties.mode]
type = "string"
enum = ["fast", "exact"]
default = "quick"
"#,
        instead: r#"
[input_schema.properties.mode]
type = "string"
enum = ["fast", "exact"]
default = "fast"
"#,
    },
    authored: Some(Level::Error),
    declared: Some(Level::Warning),
    allowable: false,
    check: |catalog, findings| {
        for site in catalog.sites() {
            for part in &site.parts {
                if let Some(default) = part.get("default") {
                    judge(site, part, default, findings);
                }
            }
        }
    },
};

fn judge(site: &Site<'_>, part: &Part<'_>, default: &Value, findings: &mut Findings) {
    let refused = compile::part(site, part).map(|validator| validator.validate(default, 1));
    let Some(Err(faults)) = refused else { return };
    for fault in &faults.violations {
        findings.report(
            site.at_schema(&format!("{}/default{}", part.pointer, fault.pointer)),
            format!("the schema refuses this default: {}", compile::words(fault)),
            "give a default that the schema accepts, or none",
        );
    }
}
