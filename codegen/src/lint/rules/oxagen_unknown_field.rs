//! Fields that `[oxagen]` speaks of exist.

use toolcontract_manifest::Level;

use crate::lint::{
    Page, Rule,
    catalog::Catalog,
    findings::Located as _,
    oxagen::{self, Declared},
    spot::Spot,
};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "oxagen-unknown-field",
        about: "`[oxagen]` speaks of a field that the tool does not have.",
        what: "`audit.target_id_field` is no top-level property of the input; or \
               `meter.units_from`, or a field of `render`, is none of the output.",
        why: "Oxagen reads the field by name and finds nothing: the audit row has no target, the \
              call bills one unit, the card stays empty. Nothing reports it.",
        example: r#"
[oxagen]
sensitivity = "low"
audit = { target_kind = "file", target_id_field = "pth" }
"#,
        instead: r#"
[oxagen]
sensitivity = "low"
audit = { target_kind = "file", target_id_field = "path" }
"#,
    },
    authored: Some(Level::Error),
    declared: Some(Level::Warning),
    allowable: false,
    check: |catalog, findings| {
        for declared in oxagen::declared(catalog) {
            for (pointer, side, field) in named_fields(&declared) {
                if !has_field(catalog, &declared, side, field) {
                    findings.report(
                        declared.tool.at(&format!("/oxagen/{pointer}")),
                        format!(
                            "the {} has no property `{}`",
                            side.word(),
                            field.escape_debug()
                        ),
                        "name a top-level property of its schema",
                    );
                }
            }
        }
    },
};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Input,
    Output,
}

impl Side {
    fn word(self) -> &'static str {
        match self {
            Self::Input => "input",
            Self::Output => "output",
        }
    }
}

/// Every field that the table names, with its place and the schema that should have it.
fn named_fields<'a>(declared: &'a Declared<'_>) -> Vec<(String, Side, &'a str)> {
    let section = &declared.section;
    let mut fields: Vec<(String, Side, &str)> = Vec::new();
    if let Some(audit) = &section.audit {
        let pointer = "audit/target_id_field".to_owned();
        fields.push((pointer, Side::Input, &audit.target_id_field));
    }
    if let Some(meter) = &section.meter {
        fields.push((
            "meter/units_from".to_owned(),
            Side::Output,
            &meter.units_from,
        ));
    }
    let Some(render) = &section.render else {
        return fields;
    };
    let mut output = |pointer: String, field| fields.push((pointer, Side::Output, field));
    for (index, link) in render.record_links.iter().enumerate() {
        let at = format!("render/record_links/{index}");
        output(format!("{at}/field"), &link.field);
        if let Some(label) = &link.label_field {
            output(format!("{at}/label_field"), label);
        }
    }
    for (index, field) in render.hide_fields.iter().enumerate() {
        output(format!("render/hide_fields/{index}"), field);
    }
    if let Some(title) = &render.title_field {
        output("render/title_field".to_owned(), title);
    }
    fields
}

fn has_field(catalog: &Catalog<'_>, declared: &Declared<'_>, side: Side, field: &str) -> bool {
    let manifest = &declared.tool.manifest;
    let root = match side {
        Side::Input => manifest.input_schema.as_ref(),
        Side::Output => manifest.output_schema.as_ref(),
    };
    match root {
        Some(root) => Spot::new(catalog.shared(), root, root).declares(field),
        // Text is wrapped for Oxagen, as the one field `content`.
        None => side == Side::Output && field == "content",
    }
}
