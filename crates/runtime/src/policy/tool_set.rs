//! Switches: which tools exist for this program at all, as a settings file says it.
//!
//! A switch can only take away. What is off is neither shown to a model nor run, and no other
//! setting brings it back.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use toolcontract_manifest::nearest;
use toolcontract_protocol::{AuthzEvalError, Decision, Principal, ToolContract};
use toolcontract_schema::digest::digest;

use super::group::{self, server};
use crate::{
    authz::{AuthzGate, Evaluation},
    text::one_line,
};

/// The key that stands for every tool that no other key names.
const REST: &str = "*";

/// One switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Switch {
    /// The tool exists.
    On,
    /// It does not.
    Off,
}

/// Which tools are on. Looked up by name, then by group, then by `*`; what nothing names is on.
///
/// A tool that does not come with the program is in the group `mcp` or `custom`, whatever it says
/// of itself; a group that it claims can only switch it off.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PolicyToolSet {
    /// A tool is on when it is on in every layer. A set and not a map: where two settings meet,
    /// no single map says the same for tools that are not known yet.
    layers: BTreeSet<BTreeMap<String, Switch>>,
}

/// A settings value that is no switch.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SwitchError {
    /// The block is no object.
    #[error("`tools` is no object of switches such as {{\"bash\": \"off\"}}")]
    NotAnObject,
    /// A value is neither of the two words.
    #[error("the switch `{key}` is {got}: write \"on\" or \"off\"")]
    NotASwitch {
        /// The key.
        key: String,
        /// What stands there.
        got: String,
    },
}

impl PolicyToolSet {
    /// Everything is on.
    #[must_use]
    pub fn everything() -> Self {
        Self::default()
    }

    /// Reads a settings block, such as `{"bash":"off","*":"on"}`.
    ///
    /// # Errors
    /// When a value is anything but `"on"` or `"off"`.
    pub fn from_settings(block: &Value) -> Result<Self, SwitchError> {
        let switches = block.as_object().ok_or(SwitchError::NotAnObject)?;
        let read = |(key, value): (&String, &Value)| match value.as_str() {
            Some("on") => Ok((key.clone(), Switch::On)),
            Some("off") => Ok((key.clone(), Switch::Off)),
            _ => Err(SwitchError::NotASwitch {
                key: one_line(key, 64),
                got: one_line(&value.to_string(), 32),
            }),
        };
        let layer: BTreeMap<_, _> = switches.iter().map(read).collect::<Result<_, _>>()?;
        Ok(Self::of(layer))
    }

    fn of(layer: BTreeMap<String, Switch>) -> Self {
        let mut layers = BTreeSet::new();
        if layer.values().any(|switch| *switch == Switch::Off) {
            layers.insert(layer);
        }
        Self { layers }
    }

    /// A set in which a tool is on when it is on here and in `other`: exactly the intersection,
    /// for every tool, also one that is not known yet.
    #[must_use]
    pub fn narrow_with(&self, other: &Self) -> Self {
        Self {
            layers: self.layers.union(&other.layers).cloned().collect(),
        }
    }

    /// Whether the tool is on.
    #[must_use]
    pub fn is_on(&self, contract: &ToolContract) -> bool {
        self.off(contract).is_none()
    }

    /// The key that switches the tool off.
    fn off(&self, contract: &ToolContract) -> Option<&str> {
        self.layers.iter().find_map(|layer| off(layer, contract))
    }

    /// Keys that name neither a tool nor a group of `contracts`, nor a tool of a server that has
    /// none there. Worth a warning, and no more: the tool may come later. In order, each once.
    #[must_use]
    pub fn unknown<'c>(
        &self,
        contracts: impl IntoIterator<Item = &'c ToolContract>,
    ) -> Vec<String> {
        let known = known(contracts);
        let servers: BTreeSet<&str> = known.iter().filter_map(|name| server(name)).collect();
        let keys: BTreeSet<&String> = self.layers.iter().flat_map(BTreeMap::keys).collect();
        // A server that is not there may come with any tool.
        let may_come = |key: &str| {
            key.starts_with(group::SERVED) && server(key).is_none_or(|of| !servers.contains(of))
        };
        let unknown = |key: &&String| !known.contains(key.as_str()) && !may_come(key);
        keys.into_iter().filter(unknown).cloned().collect()
    }

    /// The tool or group of `contracts` that `key` was probably meant to be.
    pub(super) fn meant<'c>(
        key: &str,
        contracts: impl IntoIterator<Item = &'c ToolContract>,
    ) -> Option<String> {
        nearest(key, known(contracts)).map(str::to_owned)
    }
}

/// What a switch may name: the tools and their groups, and what stands for more than one of them.
fn known<'c>(contracts: impl IntoIterator<Item = &'c ToolContract>) -> BTreeSet<&'c str> {
    let mut known = BTreeSet::from([REST, group::MCP, group::CUSTOM]);
    for contract in contracts {
        known.insert(&contract.name);
        known.extend(contract.group.as_deref());
    }
    known
}

/// The key of `layer` that switches the tool off.
fn off<'l>(layer: &'l BTreeMap<String, Switch>, contract: &ToolContract) -> Option<&'l str> {
    let keys = [contract.name.as_str(), group::trusted(contract), REST];
    let first = keys.into_iter().find_map(|key| layer.get_key_value(key));
    if let Some((key, Switch::Off)) = first {
        return Some(key);
    }
    let named = layer.contains_key(&contract.name);
    match layer.get_key_value(group::claimed(contract)?) {
        Some((key, Switch::Off)) if !named => Some(key),
        _ => None,
    }
}

impl AuthzGate for PolicyToolSet {
    fn name(&self) -> &str {
        "switches"
    }

    fn check(
        &self,
        contract: &ToolContract,
        principal: &Principal,
        input: &Value,
    ) -> Result<Decision, AuthzEvalError> {
        self.check_traced(contract, principal, input).result
    }

    fn check_traced(&self, contract: &ToolContract, _: &Principal, _: &Value) -> Evaluation {
        match self.off(contract) {
            None => Evaluation::of_rule("switch", Ok(Decision::Allow)),
            Some(key) => {
                let reason = format!("the settings switch `{key}` off");
                Evaluation::of_rule(format!("switch:{key}"), Ok(Decision::deny(reason)))
            }
        }
    }

    fn revision(&self) -> String {
        // Maps of words always have a digest.
        digest(&self.layers).unwrap_or_default()
    }

    fn is_pure(&self) -> bool {
        true
    }

    fn withholds(&self, contract: &ToolContract, _: &Principal) -> bool {
        !self.is_on(contract)
    }
}
