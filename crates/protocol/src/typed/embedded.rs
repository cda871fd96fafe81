//! A contract that generated code carries as text.

use std::sync::OnceLock;

use serde_json::Value;

use crate::{contract::ToolContract, risk::RiskLevel};

/// A contract in its wire form, read at its first use.
///
/// Reading cannot fail: a text that is no contract gives one that refuses every input, has the
/// highest risk and asks for approval. The generator writes no such text.
#[derive(Debug)]
pub struct Embedded {
    name: &'static str,
    text: &'static str,
    contract: OnceLock<ToolContract>,
}

impl Embedded {
    /// The contract of the tool `name` that `text` spells as JSON.
    #[must_use]
    pub const fn new(name: &'static str, text: &'static str) -> Self {
        Self {
            name,
            text,
            contract: OnceLock::new(),
        }
    }

    /// The contract.
    pub fn get(&self) -> &ToolContract {
        self.contract.get_or_init(|| {
            serde_json::from_str(self.text).unwrap_or_else(|_| ToolContract {
                risk: RiskLevel::Destructive,
                requires_approval: true,
                ..ToolContract::declared(self.name, "unreadable contract", Value::Bool(false))
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_contract_is_read_once() {
        let embedded = Embedded::new(
            "ping",
            r#"{"version":1,"schema":{"name":"ping","description":"Pings.","input_schema":{"type":"object"},"read_only":true,"speculation_safe":false},"risk":"low","requires_approval":false,"provenance":"builtin"}"#,
        );
        assert_eq!(embedded.get().name, "ping");
        assert_eq!(embedded.get().risk, RiskLevel::Low);
        assert!(std::ptr::eq(embedded.get(), embedded.get()));
    }

    #[test]
    fn what_cannot_be_read_refuses_everything() {
        let embedded = Embedded::new("ping", "{");
        assert_eq!(embedded.get().name, "ping");
        assert_eq!(embedded.get().input_schema, Value::Bool(false));
        assert_eq!(embedded.get().effective_risk(), RiskLevel::Destructive);
        assert!(embedded.get().requires_approval);
    }
}
