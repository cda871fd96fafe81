//! MCP's limits on the names of tools.

use toolcontract_manifest::{Level, names};

use crate::lint::{Page, Rule, findings::Located as _};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "name-refused-by-mcp",
        about: "A tool's name is outside what MCP allows.",
        what: "`name`, or the `wire_name` of an imported tool, against MCP's 1 to 128 characters \
               of `A-Z a-z 0-9 _ - .`, where `[surfaces.mcp]` is emitted.",
        why: "Clients drop such a tool, or the whole list that it is in.",
        example: r#"name = "read file""#,
        instead: r#"name = "read_file""#,
    },
    authored: Some(Level::Error),
    declared: Some(Level::Warning),
    allowable: true,
    check: |catalog, findings| {
        if catalog.project.surfaces.mcp.is_none() {
            return;
        }
        for tool in &catalog.tools {
            let (key, name) = match &tool.manifest.wire_name {
                Some(name) => ("/wire_name", name),
                None => ("/name", &tool.manifest.name),
            };
            if !names::is_mcp(name) {
                findings.report(
                    tool.at(key),
                    format!("MCP does not allow the name `{}`", name.escape_debug()),
                    "use 1 to 128 letters, digits, `_`, `-` and `.`",
                );
            }
        }
    },
};
