//! What Oxagen is told about a tool, as far as rules judge it: the `[oxagen]` table with the
//! project's defaults filled in.

use toolcontract_manifest::project::OxagenSurface;
use toolcontract_protocol::{
    RiskLevel,
    oxagen::{GrantEffect, OxagenSection, Surface},
};

use super::catalog::Catalog;
use crate::model::{Tool, oxagen_names};

/// A tool that Oxagen is told of.
pub(super) struct Declared<'a> {
    pub(super) tool: &'a Tool,
    /// Empty when the manifest has no `[oxagen]` table.
    pub(super) section: OxagenSection,
    project: &'a OxagenSurface,
}

/// Every tool that Oxagen is told of: none when the project does not emit for it, all but those
/// that say `skip` otherwise.
pub(super) fn declared<'a>(catalog: &'a Catalog<'_>) -> impl Iterator<Item = Declared<'a>> {
    let surface = catalog.project.surfaces.oxagen.as_ref();
    surface.into_iter().flat_map(|project| {
        catalog.tools.iter().filter_map(move |tool| {
            let section = tool.manifest.oxagen.clone().unwrap_or_default();
            section.skip.is_none().then_some(Declared {
                tool,
                section,
                project,
            })
        })
    })
}

impl Declared<'_> {
    /// Its name there.
    pub(super) fn name(&self) -> &str {
        oxagen_names::name(&self.tool.manifest)
    }

    /// The pointer of what gives it its name.
    pub(super) fn name_pointer(&self) -> &'static str {
        if self.section.name.is_some() {
            "/oxagen/name"
        } else {
            "/name"
        }
    }

    /// First words that the project adds to Oxagen's.
    pub(super) fn extra_verbs(&self) -> &[String] {
        &self.project.extra_verbs
    }

    /// Whether agents may call it.
    pub(super) fn is_on_agent_surface(&self) -> bool {
        let surfaces = self.section.surfaces.as_ref();
        surfaces
            .unwrap_or(&self.project.surfaces)
            .contains(&Surface::Agent)
    }

    /// Whether Oxagen grades it `high`, which is the top of its scale.
    pub(super) fn is_high_risk(&self) -> bool {
        self.tool.contract.risk >= RiskLevel::High
    }

    /// What happens without a grant.
    pub(super) fn default_effect(&self) -> GrantEffect {
        self.section
            .default_effect
            .unwrap_or(self.project.default_effect)
    }
}
