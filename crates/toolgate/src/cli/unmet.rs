//! Rules of a policy on tools that come later, and do not come: told with their lines, since a
//! denial with a slip in its name denies nothing. Stops nothing: a policy may be for more programs
//! than one.

use std::collections::BTreeSet;

use toolcontract_manifest::text::escape;
use toolcontract_protocol::ToolContract;
use toolcontract_runtime::{
    mcp::client::split,
    policy::role::{RolePolicy, Unbound},
};

/// Rules on tools that their server, which has others among `contracts`, does not have.
pub(super) fn unserved(policy: &RolePolicy, contracts: &[&ToolContract]) -> Vec<String> {
    let servers = contracts
        .iter()
        .filter_map(|contract| split(&contract.name));
    let servers: BTreeSet<&str> = servers.map(|(server, _)| server).collect();
    let told = policy.unbound().iter().filter_map(|unbound| {
        let (server, _) = split(&unbound.tool).filter(|(server, _)| servers.contains(server))?;
        let tool = escape(&unbound.tool);
        let why = format!("is about `{tool}`, and server `{server}` has no such tool");
        Some(line(policy, unbound, &why))
    });
    told.collect()
}

/// Rules on tools that the policy lists under `late_tools`, in a program of which all tools are
/// there.
pub(super) fn absent(policy: &RolePolicy) -> Vec<String> {
    let unbound = policy.unbound().iter();
    let listed = unbound.filter(|unbound| !unbound.tool.starts_with("mcp__"));
    let told = listed.map(|unbound| {
        let tool = escape(&unbound.tool);
        let why = format!("waits for `{tool}`, and this program has no such tool");
        line(policy, unbound, &why)
    });
    told.collect()
}

fn line(policy: &RolePolicy, unbound: &Unbound, why: &str) -> String {
    let (path, line, rule) = (policy.path(), unbound.line, escape(&unbound.rule));
    format!("{path}:{line}: rule `{rule}` {why}")
}
