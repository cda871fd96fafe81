//! Names that are words of a language or of a file system.

use toolcontract_manifest::{Level, names};

use crate::lint::{Page, Rule, findings::Located as _};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "reserved-name",
        about: "A tool's name is a reserved word.",
        what: "`name` is a keyword of Rust or TypeScript, or a device name of Windows (`con`, \
               `nul`, `com1`, ...).",
        why: "Modules, constants and files are named after the tool. A reserved word would have \
              to be spelled differently in each of them, and a device name cannot be a file at all.",
        example: r#"name = "delete""#,
        instead: r#"name = "delete_file""#,
    },
    authored: Some(Level::Error),
    declared: Some(Level::Error),
    allowable: false,
    check: |catalog, findings| {
        for tool in &catalog.tools {
            if let Some(owner) = names::reserved(&tool.manifest.name) {
                findings.report(
                    tool.at("/name"),
                    format!("the name `{}` is reserved in {owner}", tool.manifest.name),
                    "add what it acts on, such as `delete_file` for `delete`",
                );
            }
        }
    },
};
