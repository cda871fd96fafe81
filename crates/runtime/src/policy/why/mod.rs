//! Why a call would be decided as it would be: the decision, every rule's answer, and every line
//! of the policy to change. Runs nothing and asks nobody.
//!
//! Made from the same value that decides a call, and folded by the same function, so that it
//! cannot tell another story. Repeats no argument.

mod change;
mod explain;
mod grant;
mod text;
mod unmet;

use serde::Serialize;

pub use explain::{explain, explain_with};

/// The explanation of one call. Its JSON form is what `--format json` prints; its text is what
/// `Display` writes.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Why {
    /// The tool.
    pub tool: String,
    /// What is to be known of the tool beside the policy, such as that this program does not have
    /// it. Decides nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Who calls, as a label; a sub-agent's is followed by those that it acts for.
    pub principals: Vec<String>,
    /// What the call comes to.
    pub decision: Outcome,
    /// The code of a refusal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// What decided, as a trace names it: `rule:no-secrets`, `ceiling:reader`, `default:deny`,
    /// `contract:requires_approval`, `switch:bash`, `input`.
    pub decided_by: String,
    /// Where the deciding rule or role stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// Why, in the words of what decided.
    pub reason: String,
    /// What `change` is for.
    pub goal: Goal,
    /// What to change to get there: every one of these.
    pub change: Vec<Step>,
    /// What the call would come to then.
    pub then: String,
    /// How a call that is allowed comes to be asked about, and one that is asked about to be
    /// refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instead: Option<Change>,
    /// What is wrong with the input; nothing decides about an invalid call.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub invalid_input: Vec<String>,
    /// The ceiling of everybody whose authority the call needs.
    pub ceilings: Vec<CeilingTold>,
    /// Who would be asked; none when nobody would.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approval: Option<ApprovalTold>,
    /// Every rule, in the order of the file.
    pub rules: Vec<RuleTold>,
    /// Which facts of the contract were used, and what for.
    pub facts: Vec<FactTold>,
    /// Names the policy: what an approval is bound to.
    pub policy_revision: String,
}

/// What a call comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It would run.
    Allow,
    /// A person would be asked.
    Ask,
    /// It would be refused.
    Deny,
    /// Nobody can say, so it would be refused, whatever any setting says.
    Error,
    /// The input is not what the contract says; it would be refused before anything decides.
    InvalidInput,
}

impl Outcome {
    /// The word.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
            Self::Error => "error",
            Self::InvalidInput => "invalid_input",
        }
    }
}

/// What changes are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Goal {
    /// A call that is refused should run.
    Run,
    /// A call that a person is asked about should run without that.
    RunUnasked,
    /// A call that runs should not.
    Refuse,
}

/// One thing that stands in the way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Step {
    /// What it is.
    pub obstacle: String,
    /// How to take it out of the way; any one is enough. None where no change of the policy can.
    pub ways: Vec<Change>,
}

/// A place in the policy.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Place {
    /// The file.
    pub path: String,
    /// The line, from 1.
    pub line: usize,
}

/// One way to take something out of the way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Change {
    /// Where; none where something must be added, or lies outside of the policy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// What.
    pub what: String,
}

/// The ceiling of one principal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct CeilingTold {
    /// Whose.
    pub principal: String,
    /// The role that sets it; none when no role knows the principal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// The ceiling.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ceiling: Option<String>,
    /// Where the role says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// The risk of the tool that is compared with it.
    pub risk: String,
    /// Whether the risk is within the ceiling.
    pub within: bool,
}

/// Who would be asked, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ApprovalTold {
    /// What asks, as a trace names it.
    pub asked_by: Vec<String>,
    /// Of whom.
    pub of: String,
    /// What the person is told.
    pub reason: String,
}

/// What a rule says about the call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct RuleTold {
    /// Its id.
    pub rule: String,
    /// `allow`, `ask` or `deny`.
    pub effect: String,
    /// Where it stands.
    pub place: Place,
    /// What it says.
    pub answer: RuleAnswer,
    /// Why it says so.
    pub why: String,
    /// Whether it decided.
    pub decided: bool,
}

/// What a rule can say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RuleAnswer {
    /// It holds.
    Match,
    /// Its condition does not hold.
    NoMatch,
    /// It cannot be evaluated.
    Error,
    /// It is about other tools.
    OtherTools,
    /// It is for other principals.
    OtherPrincipals,
}

impl RuleAnswer {
    /// The word, for a reader.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Match => "match",
            Self::NoMatch => "no match",
            Self::Error => "error",
            Self::OtherTools => "other tools",
            Self::OtherPrincipals => "other principals",
        }
    }
}

/// A fact of the contract that was used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct FactTold {
    /// The key of the contract.
    pub fact: String,
    /// What it counts as.
    pub value: String,
    /// By what: `ceiling:reader`, `rule:x`, `contract:requires_approval`.
    pub used_by: Vec<String>,
}
