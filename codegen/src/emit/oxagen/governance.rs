//! What the agent runtime and the engine look up by name: the governance record, the aliases that
//! models see, and the tool behind each capability.

use std::fmt::Write as _;

use super::{barrel::Capability, ts};
use crate::{
    emit::{
        FileSet,
        text::{banner, fill},
    },
    model::oxagen_names,
};

/// Adds `governance.ts` and `aliases.ts`.
pub(super) fn emit(capabilities: &[Capability<'_>], out: &mut FileSet) {
    let banner = banner("manifests/");
    let mut records = String::new();
    let mut aliases = String::new();
    let mut tools = String::new();
    for Capability {
        tool, declaration, ..
    } in capabilities
    {
        let name = ts::key(declaration.name);
        let agent = &declaration.agent;
        let _ = writeln!(
            records,
            "  {name}: {{ riskLevel: {}, requiresApproval: {}, readOnly: {} }},",
            ts::string(agent.risk_level.as_str()),
            agent.requires_approval,
            !declaration.mutates
        );
        let alias = ts::key(&oxagen_names::alias(declaration.name));
        let _ = writeln!(aliases, "  {alias}: {},", ts::string(declaration.name));
        let _ = writeln!(tools, "  {name}: {},", ts::string(&tool.contract.name));
    }
    let slots = [
        ("banner", banner.as_str()),
        ("records", records.as_str()),
        ("aliases", aliases.as_str()),
        ("tools", tools.as_str()),
    ];
    out.add("governance.ts", fill(GOVERNANCE, &slots));
    out.add("aliases.ts", fill(ALIASES, &slots));
}

const GOVERNANCE: &str = include_str!("../../../../templates/oxagen/governance.ts");
const ALIASES: &str = include_str!("../../../../templates/oxagen/aliases.ts");
