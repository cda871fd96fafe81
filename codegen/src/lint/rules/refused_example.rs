//! Examples are legal calls.

use serde_json::Value;
use toolcontract_manifest::Level;
use toolcontract_protocol::manifest::Posture;
use toolcontract_schema::{
    Validator, Violation,
    wide::{Wide, has_wide},
};

use crate::{
    lint::{
        Page, Rule,
        catalog::Catalog,
        compile,
        findings::{Findings, Located, Place},
        site::{Site, Use},
    },
    model::Tool,
};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "refused-example",
        about: "An example is refused by the schema that it shows.",
        what: "The `input` or `output` of an entry of `[[examples]]` against `input_schema` and \
               `output_schema`; also the values of a keyword `examples` against the schema that \
               it stands in.",
        why: "Docs show examples and tests run them. A wrong one teaches the wrong call.",
        example: r#"
[[examples]]
summary = "Read the first lines."
input = { pth = "README.md" }
"#,
        instead: r#"
[[examples]]
summary = "Read the first lines."
input = { path = "README.md" }
"#,
    },
    authored: Some(Level::Error),
    declared: Some(Level::Warning),
    allowable: false,
    check: |catalog, findings| {
        for tool in &catalog.tools {
            calls(catalog, tool, findings);
        }
        for site in catalog.sites() {
            values(site, findings);
        }
    },
};

/// How many faults of one example are reported.
const MOST: usize = 5;

fn calls(catalog: &Catalog<'_>, tool: &Tool, findings: &mut Findings) {
    if tool.manifest.examples.is_empty() {
        return;
    }
    let side = |purpose| {
        let of = |site: &&Site<'_>| {
            site.purpose == purpose && site.document().path == tool.document.path
        };
        let site = catalog.sites().iter().find(of)?;
        Some((site, site.validator()))
    };
    let (input, output) = (side(Use::Input), side(Use::Output));
    for (index, example) in tool.manifest.examples.iter().enumerate() {
        let at = format!("/examples/{index}");
        if let Some(side) = &input {
            judge(
                side,
                &example.input,
                |p| tool.at(&format!("{at}/input{p}")),
                findings,
            );
        }
        match (&output, &example.output) {
            (Some(side), Some(value)) => {
                judge(
                    side,
                    value,
                    |p| tool.at(&format!("{at}/output{p}")),
                    findings,
                );
            }
            (None, Some(_)) if tool.manifest.output_schema.is_none() => findings.report(
                tool.key(&format!("{at}/output")),
                "an output is shown, but the tool has no `output_schema`",
                "remove it, or declare the output",
            ),
            _ => {}
        }
    }
}

/// A schema, and the same compiled where it compiles.
type Side<'c, 's> = (&'c Site<'s>, Option<Validator>);

fn judge(
    side: &Side<'_, '_>,
    value: &Value,
    place: impl Fn(&str) -> Place,
    findings: &mut Findings,
) {
    for fault in faults(side, value) {
        findings.report(
            place(&fault.pointer),
            format!(
                "the schema refuses this example: {}",
                compile::words(&fault)
            ),
            "correct the example, or the schema if the example is right",
        );
    }
}

/// What a call with this value would be told.
fn faults((site, validator): &Side<'_, '_>, value: &Value) -> Vec<Violation> {
    let Some(validator) = validator else {
        return Vec::new();
    };
    let refused = validator.validate(value, MOST).err();
    let mut faults = refused.map_or_else(Vec::new, |refused| refused.violations);
    // The bounds step of our own contracts, which the schema does not say.
    if site.posture() == Posture::Authored
        && has_wide(value)
        && let Ok(wide) = Wide::new(&site.doc.normal.schema)
    {
        faults.extend(wide.violations(value));
    }
    faults
}

/// The keyword `examples`.
fn values(site: &Site<'_>, findings: &mut Findings) {
    for part in &site.parts {
        let Some(Value::Array(values)) = part.get("examples") else {
            continue;
        };
        let Some(validator) = compile::part(site, part) else {
            continue;
        };
        for (index, value) in values.iter().enumerate() {
            let faults = validator.validate(value, 1).err();
            for fault in faults.iter().flat_map(|faults| &faults.violations) {
                let at = format!("{}/examples/{index}{}", part.pointer, fault.pointer);
                findings.report(
                    site.at_schema(&at),
                    format!("the schema refuses this example: {}", compile::words(fault)),
                    "give a value that the schema accepts",
                );
            }
        }
    }
}
