//! What stands in a policy file, as it stands there. Refuses unknown keys; says nothing about
//! what the words mean.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Number, Value};
use toolcontract_protocol::RiskLevel;

/// A policy file.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "Policy")]
pub(super) struct PolicyFile {
    /// The JSON spelling of TOML's `#:schema` line; editors read it.
    #[serde(rename = "$schema", default)]
    #[expect(dead_code, reason = "editors read it")]
    pub(super) schema: Option<String>,
    /// Tools that come later than the policy, such as those that a host brings with its session:
    /// names, or beginnings of names with `*` behind. Rules may name them before anybody has them.
    #[serde(default)]
    pub(super) late_tools: Vec<String>,
    /// Who there is, and how risky a tool each may call.
    #[serde(default)]
    pub(super) role: Vec<RoleText>,
    /// What is allowed, denied or asked about.
    #[serde(default)]
    pub(super) rule: Vec<RuleText>,
}

/// A role.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RoleText {
    /// Its name, which rules use.
    pub(super) name: String,
    /// The riskiest tool that the role may call. Where somebody has two roles, the lower counts.
    pub(super) risk_ceiling: RiskLevel,
    /// Who has the role: labels such as `user`, `role:reviewer`, `subagent:scout`; `host:*` is every host, `*` everybody.
    pub(super) principals: Vec<String>,
}

/// A rule.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RuleText {
    /// Its name, which traces show.
    pub(super) id: String,
    /// What it does to a call that it matches.
    pub(super) effect: EffectWord,
    /// For whom: names of roles. A denial may leave it out and is for everybody then.
    #[serde(default)]
    pub(super) roles: Option<Vec<String>>,
    /// For whom, beside `roles`: labels of principals.
    #[serde(default)]
    pub(super) principals: Option<Vec<String>>,
    /// Which tools: names, or patterns with `*`.
    #[serde(default)]
    pub(super) tools: Option<Vec<String>>,
    /// Which tools, beside `tools`: policy groups of contracts.
    #[serde(default)]
    pub(super) groups: Option<Vec<String>>,
    /// Which tools, beside `tools`: those that may emit one of these events.
    #[serde(default)]
    pub(super) events: Option<Vec<String>>,
    /// Only the tools among them of which the contract says this.
    #[serde(default)]
    pub(super) facts: Option<FactsText>,
    /// Only calls whose arguments are like this.
    #[serde(default)]
    pub(super) when: Option<When>,
    /// Why, for whoever reads the trace or is asked.
    pub(super) reason: String,
    /// Calls and what the whole policy must decide about them; tried whenever the file is loaded.
    #[serde(default)]
    pub(super) expect: Vec<Example>,
}

/// What a rule does.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum EffectWord {
    Allow,
    Deny,
    Ask,
}

/// Facts of a contract, as far as they may be relied on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct FactsText {
    /// Cannot change state.
    pub(super) read_only: Option<bool>,
    /// The same call twice has the effect of one.
    pub(super) idempotent: Option<bool>,
    /// What it changes, it only adds.
    pub(super) additive: Option<bool>,
    /// Reaches beyond the workspace.
    pub(super) open_world: Option<bool>,
}

/// A condition on arguments: one test of one argument, or conditions put together.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct When {
    /// JSON pointer to the argument, such as `/path`; a part `*` is every item of a list.
    pub(super) pointer: Option<String>,
    /// With a `*` in the pointer: whether any item must fit or every one.
    pub(super) items: Option<Items>,
    /// The argument is this.
    pub(super) equals: Option<Value>,
    /// The argument is one of these.
    pub(super) one_of: Option<Vec<Value>>,
    /// The argument is a path that fits this glob.
    pub(super) glob: Option<String>,
    /// The argument begins with this text.
    pub(super) prefix: Option<String>,
    /// The argument is a number below this.
    pub(super) less: Option<Number>,
    /// The argument is a number above this.
    pub(super) greater: Option<Number>,
    /// Whether the argument is there.
    pub(super) exists: Option<bool>,
    /// All of these hold.
    pub(super) all: Option<Vec<Self>>,
    /// One of these holds.
    pub(super) any: Option<Vec<Self>>,
    /// This does not hold.
    pub(super) not: Option<Box<Self>>,
}

/// How many items of a list must fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Items {
    /// One is enough.
    Any,
    /// All, and there is at least one.
    Every,
}

/// A call and what must be decided about it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Example {
    /// The tool.
    pub(super) tool: String,
    /// The input; no arguments when it is left out.
    #[serde(default)]
    pub(super) input: Option<Value>,
    /// Who calls; the first that the rule is for when it is left out.
    #[serde(default)]
    pub(super) principal: Option<String>,
    /// What must be decided.
    pub(super) decision: Expected,
}

/// What must be decided about an example.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Expected {
    Allow,
    Deny,
    Ask,
    Error,
}

impl Expected {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Deny => "deny",
            Self::Ask => "ask",
            Self::Error => "error",
        }
    }
}

/// The JSON Schema of a policy file, for editors.
#[must_use]
pub fn schema() -> Value {
    toolcontract_manifest::schemas::of::<PolicyFile>()
}
