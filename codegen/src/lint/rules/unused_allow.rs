//! An exception excepts something.

use toolcontract_manifest::{Diagnostic, Level};

use crate::lint::{
    Page, Rule,
    allow::Used,
    catalog::Catalog,
    findings::{Findings, Located as _},
    rule,
};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "unused-allow",
        about: "An exception excepts nothing.",
        what: "An `allow` entry whose rule finds nothing in the file.",
        why: "What it excused is repaired. Left in place it would hide the next fault of its kind.",
        example: r#"
# Every property is described.
allow = [{ rule = "undescribed-property", reason = "The names say it." }]
"#,
        instead: "# Every property is described, and no entry is needed.",
    },
    authored: Some(Level::Error),
    declared: Some(Level::Warning),
    allowable: false,
    // Asked by `lint::check` when every other rule has spoken and the exceptions are applied.
    check: |_, _| {},
};

/// Reports the entries that are not in `used`.
pub(in crate::lint) fn report(catalog: &Catalog<'_>, used: &Used) -> Vec<Diagnostic> {
    let mut findings = Findings::of(&RULE);
    for tool in &catalog.tools {
        for (index, entry) in tool.manifest.allow.iter().enumerate() {
            let is_used = used.contains(&(tool.document.path.clone(), index));
            // An entry that cannot work is `unknown-allowed-rule`.
            if !is_used && rule(&entry.rule).is_some_and(|rule| rule.allowable) {
                findings.report(
                    tool.at(&format!("/allow/{index}/rule")),
                    format!("`{}` finds nothing in this file", entry.rule),
                    "remove the entry",
                );
            }
        }
    }
    findings.into_found()
}
