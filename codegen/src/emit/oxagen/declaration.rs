//! What one capability declaration says, with the project's defaults filled in.
//!
//! Everything that follows from the contract is computed here and nowhere else, so that the
//! module, the governance record and the payload cannot disagree.

use toolcontract_manifest::project::OxagenSurface;
use toolcontract_protocol::{
    RiskLevel,
    oxagen::{
        Audit, DefaultRoles, GrantEffect, Layer, Meter, Mode, OxagenSection, Render, Sensitivity,
        Surface,
    },
};

use crate::model::{Model, Tool, oxagen_names};

/// A capability declaration before it is text.
#[derive(Debug, Clone, PartialEq)]
pub struct Declaration<'a> {
    /// The capability's canonical name.
    pub name: &'a str,
    /// Grouping label.
    pub domain: &'a str,
    /// What a model reads.
    pub description: &'a str,
    /// How it runs.
    pub mode: Mode,
    /// Where it may be called.
    pub surfaces: &'a [Surface],
    /// Artefacts that it promises.
    pub layers: &'a [Layer],
    /// Whether a call enters a tenant scope; said only when the manifest says it.
    pub scoped: Option<bool>,
    /// Whether a call can change anything.
    pub mutates: bool,
    /// What the agent runtime is told.
    pub agent: Agent<'a>,
    /// Data reach and reversibility.
    pub sensitivity: Sensitivity,
    /// What happens without a grant.
    pub default_effect: GrantEffect,
    /// Grants that roles start with.
    pub default_roles: &'a DefaultRoles,
    /// The audit target.
    pub audit: Option<&'a Audit>,
    /// How chat shows a result.
    pub render: Option<&'a Render>,
    /// Billable units.
    pub meter: Option<&'a Meter>,
    /// Data tags that a call makes.
    pub produces: &'a [String],
    /// Data tags that a call needs.
    pub consumes: &'a [String],
    /// Capabilities that often follow.
    pub chain_hints: &'a [String],
}

/// The `agent` part of a declaration.
#[derive(Debug, Clone, PartialEq)]
pub struct Agent<'a> {
    /// Whether the agent surface stops for a person.
    pub requires_approval: bool,
    /// The risk, which there ends at `high`.
    pub risk_level: RiskLevel,
    /// Grouping in the user interface.
    pub category: Option<&'a str>,
}

/// The declaration of `tool`; none when its manifest says `[oxagen] skip` or the project has no
/// such surface.
#[must_use]
pub fn declaration<'a>(model: &'a Model, tool: &'a Tool) -> Option<Declaration<'a>> {
    let defaults = model.project.surfaces.oxagen.as_ref()?;
    let section = tool.manifest.oxagen.as_ref();
    if section.is_some_and(|s| s.skip.is_some()) {
        return None;
    }
    let contract = &tool.contract;
    let tags = |of: fn(&OxagenSection) -> &Vec<String>| section.map_or(&[][..], |s| of(s));
    Some(Declaration {
        name: oxagen_names::name(&tool.manifest),
        domain: domain(defaults, section, contract.group.as_deref()),
        description: &contract.description,
        mode: section.and_then(|s| s.mode).unwrap_or(defaults.mode),
        surfaces: section
            .and_then(|s| s.surfaces.as_ref())
            .unwrap_or(&defaults.surfaces),
        layers: section
            .and_then(|s| s.layers.as_ref())
            .unwrap_or(&defaults.layers),
        scoped: section.and_then(|s| s.scoped),
        mutates: !contract.read_only,
        agent: Agent {
            requires_approval: section
                .and_then(|s| s.agent_approval)
                .unwrap_or(contract.requires_approval),
            risk_level: contract.risk.min(RiskLevel::High),
            category: section.and_then(|s| s.category.as_deref()),
        },
        // Lint asks for the key; what slips by is treated as the worst.
        sensitivity: section
            .and_then(|s| s.sensitivity)
            .unwrap_or(Sensitivity::Destructive),
        default_effect: section
            .and_then(|s| s.default_effect)
            .unwrap_or(defaults.default_effect),
        default_roles: section
            .and_then(|s| s.default_roles.as_ref())
            .unwrap_or(&defaults.default_roles),
        audit: section.and_then(|s| s.audit.as_ref()),
        render: section.and_then(|s| s.render.as_ref()),
        meter: section.and_then(|s| s.meter.as_ref()),
        produces: tags(|s| &s.produces),
        consumes: tags(|s| &s.consumes),
        chain_hints: tags(|s| &s.chain_hints),
    })
}

/// The manifest's own word, else the group's domain, else the group.
fn domain<'a>(
    defaults: &'a OxagenSurface,
    section: Option<&'a OxagenSection>,
    group: Option<&'a str>,
) -> &'a str {
    let by_group = || {
        let group = group?;
        Some(defaults.domains.get(group).map_or(group, String::as_str))
    };
    section
        .and_then(|s| s.domain.as_deref())
        .or_else(by_group)
        .unwrap_or("tool")
}
