//! The form of a tool's name.

use toolcontract_manifest::{Level, names};

use crate::{
    lint::{
        Page, Rule,
        findings::{Located as _, meant},
    },
    model::names::snake,
};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "malformed-name",
        about: "A tool's name is not made of lower-case words with underscores.",
        what: "`name` does not match `^[a-z][a-z0-9_]{1,63}$`, or contains `__`.",
        why: "The name becomes a file, a module, a type and a key on every surface, and every \
              model provider must take it. Two underscores in a row separate server and tool in \
              the name of a served tool (`mcp__server__tool`).",
        example: r#"name = "readFile""#,
        instead: r#"name = "read_file""#,
    },
    authored: Some(Level::Error),
    declared: Some(Level::Error),
    allowable: false,
    check: |catalog, findings| {
        for tool in &catalog.tools {
            if let Err(fault) = names::tool(&tool.manifest.name) {
                let snake = snake(&tool.manifest.name);
                findings.report(
                    tool.at("/name"),
                    format!("the name `{}` {fault}", tool.manifest.name.escape_debug()),
                    meant(
                        names::tool(&snake).is_ok().then_some(snake.as_str()),
                        "use 2 to 64 lower-case letters, digits and single underscores, a letter first",
                    ),
                );
            }
        }
    },
};
