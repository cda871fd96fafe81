//! The key of our facts in MCP's `_meta`.

use toolcontract_manifest::{Level, names};

use crate::lint::{Page, Rule, findings::Located as _};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "malformed-meta-key",
        about: "The `_meta` key of the project is not a reverse-DNS name of its own.",
        what: "`[surfaces.mcp] meta_key` is no reverse-DNS prefix, slash and name, or has a \
               prefix that MCP keeps for itself (second label `mcp` or `modelcontextprotocol`).",
        why: "`_meta` is shared by everybody who adds something to a tool. The prefix is what \
              keeps them apart.",
        example: r#"
[surfaces.mcp]
meta_key = "contract"
"#,
        instead: r#"
[surfaces.mcp]
meta_key = "com.example/contract"
"#,
    },
    authored: Some(Level::Error),
    declared: None,
    allowable: false,
    check: |catalog, findings| {
        let Some(mcp) = &catalog.project.surfaces.mcp else {
            return;
        };
        if !names::is_meta_key(&mcp.meta_key) {
            findings.report(
                catalog.at("/surfaces/mcp/meta_key"),
                format!("`{}` is no `_meta` key of your own", mcp.meta_key.escape_debug()),
                "write a domain that you own in reverse, a slash and a name: `com.example/contract`",
            );
        }
    },
};
