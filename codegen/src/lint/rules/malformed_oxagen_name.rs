//! The form of a capability's name at Oxagen.

use toolcontract_manifest::Level;

use crate::{
    lint::{Page, Rule, findings::Located as _, oxagen},
    model::oxagen_names,
};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "malformed-oxagen-name",
        about: "A tool's name at Oxagen is not two or more lower-case words.",
        what: "The name at Oxagen (`[oxagen] name`, or `name`) does not match \
               `^[a-z0-9]+(?:_[a-z0-9]+)+$`.",
        why: "Oxagen's naming check refuses it, and its CI fails for all declarations.",
        example: r#"name = "grep""#,
        instead: r#"
name = "grep"

[oxagen]
name = "search_file_contents"
"#,
    },
    authored: Some(Level::Error),
    declared: Some(Level::Warning),
    allowable: false,
    check: |catalog, findings| {
        for declared in oxagen::declared(catalog) {
            let name = declared.name();
            if !oxagen_names::is_well_formed(name) {
                findings.report(
                    declared.tool.at(declared.name_pointer()),
                    format!("Oxagen refuses the name `{}`", name.escape_debug()),
                    "give a verb and what it acts on in `[oxagen] name`, such as `read_file`",
                );
            }
        }
    },
};
