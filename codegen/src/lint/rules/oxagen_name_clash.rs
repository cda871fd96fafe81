//! Names at Oxagen are unique, as names and as what a model sees of them.

use std::collections::BTreeMap;

use toolcontract_manifest::Level;

use crate::{
    lint::{Page, Rule, findings::Located as _, oxagen},
    model::oxagen_names,
};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "oxagen-name-clash",
        about: "Two tools have one name at Oxagen.",
        what: "The name at Oxagen, or the alias that a model sees of it, is that of another tool.",
        why: "Oxagen keeps the first of two declarations with one name and drops the second \
              without an error. Calls of the second would run the first.",
        example: r#"
# manifests/tools/grep.toml
[oxagen]
name = "search_files"

# manifests/tools/glob.toml
[oxagen]
name = "search_files"
"#,
        instead: r#"
# manifests/tools/grep.toml
[oxagen]
name = "search_file_contents"

# manifests/tools/glob.toml
[oxagen]
name = "list_files"
"#,
    },
    authored: Some(Level::Error),
    declared: Some(Level::Error),
    allowable: false,
    check: |catalog, findings| {
        let mut first = BTreeMap::new();
        for declared in oxagen::declared(catalog) {
            let own = &declared.tool.manifest.name;
            let alias = oxagen_names::alias(declared.name());
            let other = first.entry(alias).or_insert(own);
            if *other != own {
                findings.report(
                    declared.tool.at(declared.name_pointer()),
                    format!("`{other}` is called `{}` at Oxagen too", declared.name()),
                    "give one of the two another `[oxagen] name`",
                );
            }
        }
    },
};
