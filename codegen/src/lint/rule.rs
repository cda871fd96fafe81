//! The record of one rule.

use toolcontract_manifest::Level;
use toolcontract_protocol::manifest::Posture;

use super::{catalog::Catalog, findings::Findings, page::Page};

/// One rule: its page, what it weighs, and the check.
#[derive(Debug)]
pub struct Rule {
    /// Id and text.
    pub page: Page,
    /// What a finding weighs in a contract that was written here; none when the rule is off.
    pub authored: Option<Level>,
    /// What a finding weighs in a contract that was imported; none when the rule is off.
    pub declared: Option<Level>,
    /// Whether a manifest may except itself with `allow`. False where a surface relies on the rule.
    pub allowable: bool,
    /// Reports every breach in the catalog.
    pub(super) check: fn(&Catalog<'_>, &mut Findings),
}

impl Rule {
    /// The stable id.
    #[must_use]
    pub const fn id(&self) -> &'static str {
        self.page.id
    }

    /// What a finding weighs in a contract of this posture; none when the rule is off there.
    #[must_use]
    pub const fn level(&self, posture: Posture) -> Option<Level> {
        match posture {
            Posture::Authored => self.authored,
            Posture::Declared => self.declared,
        }
    }
}
