//! The first word of a capability's name at Oxagen.

use toolcontract_manifest::{Level, nearest};

use crate::{
    lint::{
        Page, Rule,
        findings::{Located as _, meant},
        oxagen,
    },
    model::oxagen_names,
};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "unlisted-oxagen-verb",
        about: "A tool's name at Oxagen does not start with a verb that Oxagen lists.",
        what: "The first word of the name at Oxagen is neither in Oxagen's list of verbs nor in \
               `[surfaces.oxagen] extra_verbs`.",
        why: "Oxagen's naming check refuses it, and its CI fails for all declarations.",
        example: r#"
[oxagen]
name = "grep_files"
"#,
        instead: r#"
[oxagen]
name = "search_files"
"#,
    },
    authored: Some(Level::Error),
    declared: Some(Level::Warning),
    allowable: false,
    check: |catalog, findings| {
        for declared in oxagen::declared(catalog) {
            let (name, extra) = (declared.name(), declared.extra_verbs());
            // A name of one word has no verb; that is `malformed-oxagen-name`.
            if oxagen_names::is_well_formed(name) && !oxagen_names::has_listed_verb(name, extra) {
                let verb = name.split('_').next().unwrap_or_default();
                findings.report(
                    declared.tool.at(declared.name_pointer()),
                    format!("Oxagen does not list the verb `{verb}`"),
                    meant(
                        nearest(verb, oxagen_names::VERBS.iter().copied()),
                        "give a name with a listed verb in `[oxagen] name`",
                    ),
                );
            }
        }
    },
};
