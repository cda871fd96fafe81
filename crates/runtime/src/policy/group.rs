//! Which policy groups a contract counts for. What a contract of others says about itself can
//! close a door and never open one.

use toolcontract_protocol::ToolContract;

/// The group of tools that MCP servers serve.
pub(crate) const MCP: &str = "mcp";
/// The group of every other tool that does not come with the program.
pub(crate) const CUSTOM: &str = "custom";

/// How the names of served tools begin.
pub(crate) const SERVED: &str = "mcp__";

/// The group that may be relied on: of a trusted contract what it says, of any other where it
/// came from.
pub(crate) fn trusted(contract: &ToolContract) -> &str {
    match &contract.group {
        Some(group) if contract.provenance.is_trusted() => group,
        _ if contract.name.starts_with(SERVED) => MCP,
        _ => CUSTOM,
    }
}

/// The group that an untrusted contract says it is in; counts only against it.
pub(crate) fn claimed(contract: &ToolContract) -> Option<&str> {
    contract
        .group
        .as_deref()
        .filter(|_| !contract.provenance.is_trusted())
}

/// The server of a tool that one serves.
pub(crate) fn server(name: &str) -> Option<&str> {
    Some(name.strip_prefix(SERVED)?.split_once("__")?.0)
}
