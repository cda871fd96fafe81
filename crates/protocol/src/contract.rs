//! The contract of one tool as runtimes, gates and hosts see it.
//!
//! Refuses nothing but text that is no contract: whether the facts contradict each other is for
//! [`crate::contradiction`], whether the schemas hold for the validator. What a contract claims
//! and what may be relied on are two things: dispatch, speculation, retry and policies read only
//! the `trusted_` and `effective_` values.

mod wire;

use serde_json::Value;

use crate::{provenance::Provenance, risk::RiskLevel};

pub use wire::ToolSchema;

/// The contract of one tool.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolContract {
    /// Revision of this contract, from 1.
    pub version: u32,
    /// The name that a call uses.
    pub name: String,
    /// What a model reads.
    pub description: String,
    /// JSON Schema 2020-12 of the input; its root is `type: object`.
    pub input_schema: Value,
    /// JSON Schema of `data` of a success. Absent: the tool promises text only.
    pub output_schema: Option<Value>,
    /// Policy group.
    pub group: Option<String>,
    /// Cannot change state.
    pub read_only: bool,
    /// May run twice before its step commits.
    pub speculation_safe: bool,
    /// The same call twice has the effect of one.
    pub idempotent: bool,
    /// What it changes, it only adds.
    pub additive: bool,
    /// Reaches beyond the workspace. True unless said otherwise.
    pub open_world: bool,
    /// How bad one honest call can be.
    pub risk: RiskLevel,
    /// A person must say yes to each call.
    pub requires_approval: bool,
    /// The events that a call may emit.
    pub events: Vec<String>,
    /// Where the contract came from.
    pub provenance: Provenance,
}

impl ToolContract {
    /// A contract of which only the definition is known: declared, risk `high`, every other fact the worst case.
    #[must_use]
    pub fn declared(
        name: impl Into<String>,
        description: impl Into<String>,
        input_schema: Value,
    ) -> Self {
        Self {
            version: 1,
            name: name.into(),
            description: description.into(),
            input_schema,
            output_schema: None,
            group: None,
            read_only: false,
            speculation_safe: false,
            idempotent: false,
            additive: false,
            open_world: true,
            risk: RiskLevel::High,
            requires_approval: false,
            events: Vec::new(),
            provenance: Provenance::Declared,
        }
    }

    /// `read_only`, as far as it may be relied on for concurrent dispatch.
    #[must_use]
    pub fn trusted_read_only(&self) -> bool {
        self.read_only && self.provenance.is_trusted()
    }

    /// `speculation_safe`, as far as it may be relied on for speculation.
    #[must_use]
    pub fn trusted_speculation_safe(&self) -> bool {
        self.speculation_safe && self.trusted_read_only()
    }

    /// `idempotent`, as far as it may be relied on for a retry.
    #[must_use]
    pub fn trusted_idempotent(&self) -> bool {
        self.idempotent && self.provenance.is_trusted()
    }

    /// `additive`, as far as it may be relied on.
    #[must_use]
    pub fn trusted_additive(&self) -> bool {
        self.additive && self.provenance.is_trusted()
    }

    /// Whether a call must be taken to reach beyond the workspace: of a declared contract always.
    #[must_use]
    pub fn effective_open_world(&self) -> bool {
        self.open_world || !self.provenance.is_trusted()
    }

    /// The risk that policies see: of a declared contract at least `high`. A claim can only raise it.
    #[must_use]
    pub fn effective_risk(&self) -> RiskLevel {
        if self.provenance.is_trusted() {
            self.risk
        } else {
            self.risk.max(RiskLevel::High)
        }
    }
}
