//! Names of many words at Oxagen.

use toolcontract_manifest::Level;

use crate::{
    lint::{Page, Rule, findings::Located as _, oxagen},
    model::oxagen_names,
};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "long-oxagen-name",
        about: "A tool's name at Oxagen has more than three words.",
        what: "The name at Oxagen has four or more words.",
        why: "Oxagen's naming check warns about it.",
        example: r#"
[oxagen]
name = "search_contents_of_files"
"#,
        instead: r#"
[oxagen]
name = "search_file_contents"
"#,
    },
    authored: Some(Level::Warning),
    declared: None,
    allowable: true,
    check: |catalog, findings| {
        for declared in oxagen::declared(catalog) {
            let words = oxagen_names::count_words(declared.name());
            if words > oxagen_names::MOST_WORDS {
                findings.report(
                    declared.tool.at(declared.name_pointer()),
                    format!("the name `{}` has {words} words", declared.name()),
                    "give a name of at most three words in `[oxagen] name`",
                );
            }
        }
    },
};
