//! A policy to start from, made of the contracts that there are: who only reads may, what changes
//! something is named tool by tool, what is riskier asks first, and what cannot be undone is left
//! for a person to add.

use std::{collections::BTreeMap, fmt::Write as _};

use toml_edit::Array;
use toolcontract_protocol::{Provenance, RiskLevel, ToolContract};

use crate::policy::SERVED;

const HEAD: &str = "\
# Who may call which tool, with which arguments. Nothing is allowed that no rule allows, and one
# denial is enough. A rule on an argument judges the argument and not what a tool reads because of
# it: a search prints lines of every file below its folder, whatever a rule on its path says.
#
#   toolgate policy check FILE      whether it fits the tools that there are
#   toolgate why --policy FILE --tool NAME --principal LABEL --input JSON
#                                   what would be decided about a call, and which line decides
";

const ROLES: &str = "
[[role]]
name = \"person\"
risk_ceiling = \"high\"
principals = [\"user\"]

# What a sub-agent may do, whoever started it must be allowed to do as well.
[[role]]
name = \"helper\"
risk_ceiling = \"low\"
principals = [\"subagent:*\"]
";

const READS: &str = "
[[rule]]
id = \"read\"
effect = \"allow\"
roles = [\"person\", \"helper\"]
tools = [\"*\"]
facts = { read_only = true }
reason = \"what only reads may be called by everybody\"
";

/// A policy in which every rule is about tools of `contracts`; it loads as it is.
#[must_use]
pub fn starter<'c>(contracts: impl IntoIterator<Item = &'c ToolContract>) -> String {
    let mut by_group: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let (mut risky, mut above, mut reads) = (Vec::new(), Vec::new(), false);
    let mut elsewhere = Vec::new();
    let mut contracts: Vec<&ToolContract> = contracts.into_iter().collect();
    contracts.sort_by(|a, b| a.name.cmp(&b.name));
    for contract in contracts {
        let name = contract.name.as_str();
        if contract.provenance != Provenance::Builtin && !name.starts_with(SERVED) {
            elsewhere.push(name);
        }
        match contract.effective_risk() {
            _ if contract.trusted_read_only() => reads = true,
            RiskLevel::Low | RiskLevel::Medium => {
                let group = crate::policy::group::trusted(contract);
                by_group.entry(group).or_default().push(name);
            }
            RiskLevel::High => risky.push(name),
            RiskLevel::Destructive => above.push(name),
        }
    }
    let mut text = HEAD.to_owned();
    if !elsewhere.is_empty() {
        let names = list(&elsewhere);
        let _ = write!(
            text,
            "\n# Tools of this workspace, which other programs that use this policy may not have.\n\
             late_tools = {names}\n"
        );
    }
    text.push_str(ROLES);
    if reads {
        text.push_str(READS);
    }
    let changes = by_group.values().flatten().copied();
    let changes: Vec<&str> = changes.collect();
    rule(
        &mut text,
        "change",
        "allow",
        &changes,
        "bounded changes that can be undone",
    );
    rule(
        &mut text,
        "ask-first",
        "ask",
        &risky,
        "leaves the workspace, or has no bound",
    );
    if !above.is_empty() {
        let names = list(&above);
        let _ = write!(
            text,
            "\n# Nobody may call what cannot be undone: it is above every ceiling. To let somebody, raise\n\
             # `risk_ceiling` of a role and add a rule with effect \"ask\" for\n# {names}\n"
        );
    }
    text
}

fn rule(text: &mut String, id: &str, effect: &str, tools: &[&str], reason: &str) {
    if tools.is_empty() {
        return;
    }
    let tools = list(tools);
    let _ = write!(
        text,
        "\n[[rule]]\nid = \"{id}\"\neffect = \"{effect}\"\nroles = [\"person\"]\n\
         tools = {tools}\nreason = \"{reason}\"\n"
    );
}

/// The names as a TOML array.
fn list(names: &[&str]) -> String {
    names.iter().copied().collect::<Array>().to_string()
}
