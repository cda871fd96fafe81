//! Which tools a rule is about.

use toolcontract_protocol::ToolContract;

use super::{facts, file::FactsText, rule::Effect};
use crate::policy::{group, name::NamePattern};

/// The tools that a rule is about: those that a name, a group or an event selects, and of them
/// those that have the facts.
#[derive(Debug, Clone)]
pub(crate) struct Selection {
    pub(crate) tools: Vec<NamePattern>,
    pub(crate) groups: Vec<String>,
    pub(crate) events: Vec<String>,
    pub(super) facts: Option<FactsText>,
    /// Whether one of the names is that of a tool that comes later.
    pub(super) has_late: bool,
}

impl Selection {
    /// Whether a rule with this selection and `effect` is about the tool. What a contract of
    /// others says of its group counts for rules that stop calls, never for one that grants.
    pub(crate) fn covers(&self, contract: &ToolContract, effect: Effect) -> bool {
        let named = self.tools.iter().any(|tool| tool.matches(&contract.name));
        let stops = effect == Effect::Deny;
        let grouped = || {
            let trusted = group::trusted(contract);
            let claimed = group::claimed(contract).filter(|_| stops);
            self.groups
                .iter()
                .any(|group| group == trusted || Some(group.as_str()) == claimed)
        };
        let emits = || {
            (contract.provenance.is_trusted() || stops)
                && self
                    .events
                    .iter()
                    .any(|event| contract.events.contains(event))
        };
        (named || grouped() || emits())
            && self
                .facts
                .as_ref()
                .is_none_or(|wanted| facts::hold(wanted, contract))
    }

    /// Which tools these are, in the words of the file.
    pub(crate) fn about(&self) -> String {
        let tools = self.tools.iter().map(|tool| tool.text().to_owned());
        let groups = self.groups.iter().map(|group| format!("group {group}"));
        let events = self
            .events
            .iter()
            .map(|event| format!("those that emit {event}"));
        let all: Vec<String> = tools.chain(groups).chain(events).collect();
        let facts = self.facts.map_or_else(String::new, facts::about);
        format!("it is about {}{facts}", all.join(", "))
    }

    /// Whether no tool is named in any way.
    pub(crate) fn is_empty(&self) -> bool {
        self.tools.is_empty() && self.groups.is_empty() && self.events.is_empty()
    }

    /// Whether tools that are not there yet may be among them.
    pub(crate) fn is_open(&self) -> bool {
        self.has_late
            || self.tools.iter().any(|tool| match tool {
                NamePattern::Exact(name) => name.starts_with(group::SERVED),
                NamePattern::Pattern(..) => true,
            })
            || self.groups.iter().any(|group| is_of_others(group))
    }
}

/// Whether a group is one of tools that do not come with the program.
pub(crate) fn is_of_others(group: &str) -> bool {
    matches!(group, group::MCP | group::CUSTOM)
}
