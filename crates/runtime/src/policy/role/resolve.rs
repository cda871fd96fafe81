//! One call against every rule, as a pure function. What a trace shows, and what `why` explains,
//! both come from the one value that is made here.

use serde_json::Value;
use toolcontract_protocol::{
    AuthzEvalError, Decision, Principal, RiskLevel, ToolContract, TraceStep, trace::StepOutcome,
};

use super::{
    answer::Answer,
    condition::{Leaf, Stuck},
    load::Policy,
    rule::{Effect, Role, Roles, Rule},
    test::Untestable,
};
use crate::authz::Evaluation;

/// What every part of a policy says about one call.
#[derive(Debug)]
pub(crate) struct Resolution<'p> {
    pub(crate) contract: &'p ToolContract,
    /// The caller, then each principal that it acts for.
    pub(crate) parties: Vec<Party<'p>>,
    /// What each rule says, in the order of the file.
    pub(crate) rulings: Vec<Ruling<'p>>,
    /// Whether the policy was checked against this very contract.
    checked: bool,
    policy: &'p Policy,
}

/// Somebody whose authority the call needs.
#[derive(Debug)]
pub(crate) struct Party<'p> {
    pub(crate) principal: &'p Principal,
    roles: Roles,
    /// The role with the lowest ceiling; none when no role knows the principal.
    pub(crate) ceiling: Option<&'p Role>,
    /// Whether a rule lets this principal make the call.
    pub(crate) granted: bool,
}

/// What a rule says about a call.
#[derive(Debug)]
pub(crate) enum Ruling<'p> {
    /// It is about other tools.
    OtherTools,
    /// It is for other principals.
    OtherPrincipals,
    /// Its condition does not hold.
    NoMatch,
    /// It holds.
    Match,
    /// Nobody can say.
    Error(Stuck<'p>),
}

/// The rule name of the answer to a call that nothing allows.
const DEFAULT: &str = "default:deny";

impl Policy {
    /// Asks every rule.
    pub(crate) fn resolve<'p>(
        &'p self,
        contract: &'p ToolContract,
        principal: &'p Principal,
        input: &Value,
    ) -> Resolution<'p> {
        let mut parties: Vec<Party<'p>> = principal.lineage().map(|p| self.party(p)).collect();
        let selected = self.selected(contract);
        let checked = selected.is_some();
        let mut rulings = Vec::with_capacity(self.rules.len());
        for (index, rule) in self.rules.iter().enumerate() {
            let is_about = match selected {
                Some(selected) => selected.get(index).copied().unwrap_or(false),
                None => rule.selection.covers(contract, rule.effect),
            };
            if !is_about {
                rulings.push(Ruling::OtherTools);
                continue;
            }
            let is_for = |party: &Party<'_>| rule.who.is(party.principal, party.roles);
            if !parties.iter().any(is_for) {
                rulings.push(Ruling::OtherPrincipals);
                continue;
            }
            let ruling = match rule.answer(contract, input, checked) {
                Answer::Match => Ruling::Match,
                Answer::NoMatch => Ruling::NoMatch,
                Answer::Error(stuck) => Ruling::Error(stuck),
            };
            if matches!(ruling, Ruling::Match) && rule.effect != Effect::Deny {
                for party in &mut parties {
                    party.granted |= rule.who.is(party.principal, party.roles);
                }
            }
            rulings.push(ruling);
        }
        Resolution {
            contract,
            parties,
            rulings,
            checked,
            policy: self,
        }
    }

    pub(super) fn party<'p>(&'p self, principal: &'p Principal) -> Party<'p> {
        let mut roles: Roles = 0;
        let mut ceiling: Option<&Role> = None;
        for (bit, role) in self.roles.iter().enumerate() {
            if role.subjects.iter().any(|subject| subject.is(principal)) {
                roles |= 1 << bit;
                if ceiling.is_none_or(|lowest| role.ceiling < lowest.ceiling) {
                    ceiling = Some(role);
                }
            }
        }
        Party {
            principal,
            roles,
            ceiling,
            granted: false,
        }
    }

    /// Whether every call of the tool by the principal is denied, whatever its input.
    pub(super) fn withholds(&self, contract: &ToolContract, principal: &Principal) -> bool {
        let is_about = |rule: &&Rule| rule.selection.covers(contract, rule.effect);
        let about: Vec<&Rule> = self.rules.iter().filter(is_about).collect();
        principal.lineage().map(|p| self.party(p)).any(|party| {
            let mut is_for = about
                .iter()
                .filter(|rule| rule.who.is(party.principal, party.roles));
            let denies = |rule: &&&Rule| rule.effect == Effect::Deny && rule.when.is_none();
            !party.is_within(contract.effective_risk())
                || is_for.clone().any(|rule| denies(&rule))
                || is_for.all(|rule| rule.effect == Effect::Deny)
        })
    }
}

impl Party<'_> {
    /// Whether the principal has the role at this place among the roles.
    pub(crate) fn has(&self, role: usize) -> bool {
        self.roles & (1 << role) != 0
    }

    /// Whether the rule is for this principal.
    pub(crate) fn is_meant_by(&self, rule: &Rule) -> bool {
        rule.who.is(self.principal, self.roles)
    }

    /// Whether a role knows the principal and none has a lower ceiling.
    pub(crate) fn is_within(&self, risk: RiskLevel) -> bool {
        self.ceiling.is_some_and(|role| risk.within(role.ceiling))
    }
}

impl Rule {
    /// Evaluates the condition. `checked`: its fields were looked up in the tool's schema when the
    /// policy was loaded; otherwise that is done now.
    fn answer<'p>(
        &'p self,
        contract: &ToolContract,
        input: &Value,
        checked: bool,
    ) -> Answer<Stuck<'p>> {
        let Some(when) = &self.when else {
            return Answer::Match;
        };
        if !checked {
            let mut leaves = Vec::new();
            when.leaves(&mut leaves);
            let is_known = |leaf: &&Leaf| super::check::has_field(&contract.input_schema, leaf);
            if let Some(leaf) = leaves.into_iter().find(|leaf| !is_known(leaf)) {
                let why = Untestable::NoSuchField;
                return Answer::Error(Stuck {
                    leaf,
                    why,
                    at: None,
                });
            }
        }
        when.answer(input)
    }
}

/// The weight of one step, and the decision that it stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Weight {
    Nothing,
    Allow,
    Ask,
    Deny,
    Error,
}

/// Steps, and which of them weighs most; of equals the first.
struct Steps {
    steps: Vec<TraceStep>,
    heaviest: (Weight, usize),
}

impl Steps {
    fn push(&mut self, weight: Weight, step: TraceStep) {
        if weight > self.heaviest.0 {
            self.heaviest = (weight, self.steps.len());
        }
        self.steps.push(step);
    }
}

impl<'p> Resolution<'p> {
    /// Each rule with what it says.
    pub(crate) fn rules(&self) -> impl Iterator<Item = (&'p Rule, &Ruling<'p>)> {
        self.policy.rules.iter().zip(&self.rulings)
    }

    /// What the condition of a rule about this tool says, whomever the rule is for.
    pub(crate) fn condition<'r>(&self, rule: &'r Rule, input: &Value) -> Answer<Stuck<'r>> {
        rule.answer(self.contract, input, self.checked)
    }

    /// The decision with its trace: ceilings, then every rule in the order of the file, then what
    /// happens to a call that nothing allows.
    pub(crate) fn evaluation(&self, gate: &str) -> Evaluation {
        let room = self.rulings.len() + 2 * self.parties.len();
        let mut steps = Steps {
            steps: Vec::with_capacity(room),
            heaviest: (Weight::Nothing, 0),
        };
        for party in &self.parties {
            self.ceiling(party, &mut steps);
        }
        for (rule, ruling) in self.rules() {
            let (weight, step) = step(rule, ruling);
            steps.push(weight, step);
        }
        for party in self.parties.iter().filter(|party| !party.granted) {
            let who = party.principal;
            let reason = format!("no rule allows `{who}` to make this call");
            let step = TraceStep::came_to(StepOutcome::Deny, DEFAULT, reason);
            steps.push(Weight::Deny, step);
        }
        decided(gate, steps)
    }

    fn ceiling(&self, party: &Party<'_>, steps: &mut Steps) {
        let (who, risk) = (party.principal, self.contract.effective_risk());
        let Some(role) = party.ceiling else {
            let what = format!("no role of the policy knows `{who}`");
            let step = TraceStep::came_to(StepOutcome::Error, "ceiling", what);
            return steps.push(Weight::Error, step);
        };
        let (rule, ceiling) = (format!("ceiling:{}", role.name), role.ceiling);
        if risk.within(ceiling) {
            let what = format!("risk `{risk}` is within `{ceiling}`, for `{who}`");
            steps.push(Weight::Nothing, TraceStep::miss(rule, what));
        } else {
            let what = format!("risk `{risk}` is above the ceiling `{ceiling}`, for `{who}`");
            let step = TraceStep::came_to(StepOutcome::Deny, rule, what);
            steps.push(Weight::Deny, step);
        }
    }
}

fn step(rule: &Rule, ruling: &Ruling<'_>) -> (Weight, TraceStep) {
    let id = || rule.traced.clone();
    match (ruling, rule.effect) {
        (Ruling::OtherTools, _) => (
            Weight::Nothing,
            TraceStep::miss(id(), "is about other tools"),
        ),
        (Ruling::OtherPrincipals, _) => (
            Weight::Nothing,
            TraceStep::miss(id(), "is for other principals"),
        ),
        (Ruling::NoMatch, _) => (
            Weight::Nothing,
            TraceStep::miss(id(), "its condition does not hold"),
        ),
        (Ruling::Match, effect) => {
            let (weight, outcome) = match effect {
                Effect::Allow => (Weight::Allow, StepOutcome::Allow),
                Effect::Ask => (Weight::Ask, StepOutcome::PendingApproval),
                Effect::Deny => (Weight::Deny, StepOutcome::Deny),
            };
            let step = TraceStep::came_to(outcome, id(), rule.reason.clone());
            (weight, step)
        }
        (Ruling::Error(stuck), effect) => {
            // A rule that grants and cannot be evaluated grants nothing; one that could stop the
            // call stops it.
            let weight = match effect {
                Effect::Allow => Weight::Nothing,
                Effect::Ask | Effect::Deny => Weight::Error,
            };
            let step = TraceStep::came_to(StepOutcome::Error, id(), stuck.about());
            (weight, step)
        }
    }
}

/// What the heaviest step comes to.
fn decided(gate: &str, steps: Steps) -> Evaluation {
    let (weight, at) = steps.heaviest;
    let reason = steps
        .steps
        .get(at)
        .map(|step| step.description.to_string())
        .unwrap_or_default();
    let result = match weight {
        Weight::Allow => Ok(Decision::Allow),
        Weight::Ask => Ok(Decision::RequireApproval { reason }),
        Weight::Deny => Ok(Decision::Deny { reason }),
        Weight::Error => Err(AuthzEvalError {
            gate: gate.to_owned(),
            detail: reason,
        }),
        // There is a caller, so there is a grant or a denial.
        Weight::Nothing => return Evaluation::error(gate, "nobody calls"),
    };
    Evaluation {
        result,
        steps: steps.steps,
        decided_by: at,
    }
}
