//! Names that differ only in case.

use std::collections::BTreeMap;

use toolcontract_manifest::Level;

use crate::lint::{Page, Rule, findings::Located as _};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "case-fold-collision",
        about: "The names of two tools differ only in case.",
        what: "A `name` that equals another one when ASCII case is ignored.",
        why: "Files named after the two tools are one file on Windows and macOS, and a model \
              mixes them up.",
        example: r#"
# manifests/tools/read_file.toml
name = "read_file"

# manifests/tools/other.toml
name = "Read_File"
"#,
        instead: r#"
# manifests/tools/read_file.toml
name = "read_file"

# manifests/tools/read_file_range.toml
name = "read_file_range"
"#,
    },
    authored: Some(Level::Error),
    declared: Some(Level::Error),
    allowable: false,
    check: |catalog, findings| {
        let mut first: BTreeMap<String, &str> = BTreeMap::new();
        for tool in &catalog.tools {
            let name = tool.manifest.name.as_str();
            let other = *first.entry(name.to_ascii_lowercase()).or_insert(name);
            if other != name {
                findings.report(
                    tool.at("/name"),
                    format!("the name `{name}` differs from `{other}` only in case"),
                    "rename one of the two",
                );
            }
        }
    },
};
