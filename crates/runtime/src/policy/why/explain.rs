//! From the answers of a policy to their explanation.

use serde_json::Value;
use toolcontract_protocol::{Principal, ToolContract, Violation, decision::Verdict};
use toolcontract_schema::bounds;

use super::{
    ApprovalTold, CeilingTold, FactTold, Outcome, Place, RuleAnswer, RuleTold, Why,
    change::Changes, unmet::settle,
};
use crate::{
    authz::{Answer, AuthzGate as _, Enforcement, Folded, Source, fold},
    call::{OF_THE_CONTRACT, of_the_contract},
    policy::PolicyToolSet,
    policy::role::{Policy, Resolution, RolePolicy, Rule, Ruling, facts_used},
    registry::Checker,
};

/// How many faults of an input are told.
const FAULTS: usize = 8;

/// Explains what `policy` and the contract itself would decide about one call, enforced. Hooks
/// and other gates are not asked; the journal of a call that was made has their answers.
#[must_use]
pub fn explain(
    policy: &RolePolicy,
    contract: &ToolContract,
    principal: &Principal,
    input: &Value,
) -> Why {
    explain_with(
        policy,
        &PolicyToolSet::everything(),
        contract,
        principal,
        input,
    )
}

/// The same, where `switches` have a say as well.
#[must_use]
pub fn explain_with(
    policy: &RolePolicy,
    switches: &PolicyToolSet,
    contract: &ToolContract,
    principal: &Principal,
    input: &Value,
) -> Why {
    let resolution = policy.policy.resolve(contract, principal, input);
    let mut answers = vec![Answer {
        source: Source::Gate,
        name: policy.name().to_owned(),
        evaluation: resolution.evaluation(policy.name()),
    }];
    if contract.requires_approval {
        answers.push(of_the_contract());
    }
    let is_on = switches.is_on(contract);
    if !is_on {
        answers.push(Answer {
            source: Source::Operator,
            name: switches.name().to_owned(),
            evaluation: switches.check_traced(contract, principal, input),
        });
    }
    let folded = fold(answers, Enforcement::Enforce);
    let told = Teller {
        is_on,
        policy: &policy.policy,
        resolution: &resolution,
        folded: &folded,
        input,
    };
    told.why(policy.revision())
}

/// One call, and what a policy says about it.
pub(super) struct Teller<'a> {
    pub(super) policy: &'a Policy,
    pub(super) resolution: &'a Resolution<'a>,
    pub(super) folded: &'a Folded,
    /// Whether no setting switches the tool off.
    pub(super) is_on: bool,
    pub(super) input: &'a Value,
}

impl Teller<'_> {
    fn why(&self, policy_revision: String) -> Why {
        let contract = self.resolution.contract;
        let decider = &self.folded.trace.decided_by;
        let invalid_input = invalid(contract, self.input);
        let is_valid = invalid_input.is_empty();
        let Changes {
            goal,
            steps,
            then,
            instead,
        } = match is_valid {
            true => self.changes(),
            false => self.changes_of_invalid(),
        };
        let mut why = Why {
            tool: contract.name.clone(),
            notes: Vec::new(),
            principals: self.labels(),
            decision: match &self.folded.verdict {
                Verdict::Allow => Outcome::Allow,
                Verdict::RequireApproval { .. } => Outcome::Ask,
                Verdict::Deny { .. } => Outcome::Deny,
                Verdict::Error(_) => Outcome::Error,
            },
            code: self
                .folded
                .code
                .as_ref()
                .map(|code| code.as_str().to_owned()),
            decided_by: decider.rule.to_string(),
            place: self.decider(),
            reason: decider.description.to_string(),
            goal,
            change: steps,
            then,
            instead,
            invalid_input,
            ceilings: self.ceilings(),
            approval: self.approval(),
            rules: self.rules(),
            facts: self.facts(),
            policy_revision,
        };
        if !is_valid {
            why.decision = Outcome::InvalidInput;
            why.code = None;
            why.decided_by = "input".to_owned();
            why.place = None;
            why.reason = "the input is not what the contract says; no rule is asked".to_owned();
            why.approval = None;
            why.rules.iter_mut().for_each(|rule| rule.decided = false);
        }
        why
    }

    fn labels(&self) -> Vec<String> {
        let parties = self.resolution.parties.iter();
        parties.map(|party| party.principal.to_string()).collect()
    }

    pub(super) fn at(&self, line: usize) -> Place {
        Place {
            path: self.policy.document.path.clone(),
            line,
        }
    }

    /// The place of the value at `pointer` in the policy.
    pub(super) fn of(&self, pointer: &str) -> Place {
        let document = &self.policy.document;
        self.at(document.position(document.span(pointer).start).line)
    }

    /// The rule that decided.
    fn deciding_rule(&self) -> Option<&Rule> {
        let decider = &self.folded.trace.decided_by.rule;
        let mut rules = self.resolution.rules().map(|(rule, _)| rule);
        rules.find(|rule| rule.traced == *decider)
    }

    /// The role whose ceiling decided, with its place among the roles.
    fn deciding_role(&self) -> Option<usize> {
        let name = self.folded.trace.decided_by.rule.strip_prefix("ceiling:")?;
        self.policy.roles.iter().position(|role| role.name == name)
    }

    fn decider(&self) -> Option<Place> {
        if let Some(rule) = self.deciding_rule() {
            return Some(self.at(rule.line));
        }
        let role = self.deciding_role()?;
        Some(self.of(&format!("/role/{role}/risk_ceiling")))
    }

    fn ceilings(&self) -> Vec<CeilingTold> {
        let risk = self.resolution.contract.effective_risk();
        let index = |name: &str| self.policy.roles.iter().position(|role| role.name == name);
        let parties = self.resolution.parties.iter();
        parties
            .map(|party| CeilingTold {
                principal: party.principal.to_string(),
                role: party.ceiling.map(|role| role.name.clone()),
                ceiling: party.ceiling.map(|role| role.ceiling.to_string()),
                place: party
                    .ceiling
                    .and_then(|role| index(&role.name))
                    .map(|at| self.of(&format!("/role/{at}/risk_ceiling"))),
                risk: risk.to_string(),
                within: party.is_within(risk),
            })
            .collect()
    }

    fn approval(&self) -> Option<ApprovalTold> {
        let Verdict::RequireApproval { reason } = &self.folded.verdict else {
            return None;
        };
        Some(ApprovalTold {
            asked_by: self.folded.asked_by.clone(),
            of: "whoever the program was started with to answer; without anybody the call is refused"
                .to_owned(),
            reason: reason.clone(),
        })
    }

    fn rules(&self) -> Vec<RuleTold> {
        let decider = &self.folded.trace.decided_by.rule;
        let rules = self.resolution.rules();
        rules
            .map(|(rule, ruling)| {
                let (answer, why) = self.answer(rule, ruling);
                RuleTold {
                    rule: rule.id.clone(),
                    effect: rule.effect.as_str().to_owned(),
                    place: self.at(rule.line),
                    answer,
                    why,
                    decided: rule.traced == *decider,
                }
            })
            .collect()
    }

    fn answer(&self, rule: &Rule, ruling: &Ruling<'_>) -> (RuleAnswer, String) {
        let settled = |without: &str| match &rule.when {
            Some(when) => settle(when, self.input),
            None => without.to_owned(),
        };
        match ruling {
            Ruling::OtherTools => (RuleAnswer::OtherTools, rule.selection.about()),
            Ruling::OtherPrincipals => {
                let names = self.roles_of(rule);
                let why = match names.is_empty() {
                    true => "it names its principals itself".to_owned(),
                    false => format!("it is for {}", names.join(", ")),
                };
                (RuleAnswer::OtherPrincipals, why)
            }
            Ruling::NoMatch => (RuleAnswer::NoMatch, settled("")),
            Ruling::Match => (RuleAnswer::Match, settled("it has no condition")),
            Ruling::Error(stuck) => (RuleAnswer::Error, stuck.about()),
        }
    }

    /// The roles that a rule is for.
    pub(super) fn roles_of(&self, rule: &Rule) -> Vec<&str> {
        let roles = self.policy.roles.iter().enumerate();
        let of_rule = roles.filter(|(bit, _)| rule.who.roles & (1 << bit) != 0);
        of_rule.map(|(_, role)| role.name.as_str()).collect()
    }

    fn facts(&self) -> Vec<FactTold> {
        let contract = self.resolution.contract;
        let ceilings = self.resolution.parties.iter();
        let ceilings =
            ceilings.filter_map(|party| Some(format!("ceiling:{}", party.ceiling?.name)));
        let fact = |fact: &str, value: String, used_by: Vec<String>| FactTold {
            fact: fact.to_owned(),
            value,
            used_by,
        };
        let risk = contract.effective_risk().to_string();
        let asks = contract.requires_approval.to_string();
        let mut facts = vec![
            fact("risk", risk, ceilings.collect()),
            fact("requires_approval", asks, vec![OF_THE_CONTRACT.to_owned()]),
        ];
        for (rule, _) in self.resolution.rules() {
            for (key, value) in facts_used(rule, contract) {
                match facts.iter_mut().find(|fact| fact.fact == key) {
                    Some(fact) => fact.used_by.push(rule.traced.to_string()),
                    None => facts.push(fact(key, value, vec![rule.traced.to_string()])),
                }
            }
        }
        facts
    }
}

fn invalid(contract: &ToolContract, input: &Value) -> Vec<String> {
    let checker = match Checker::compile(&contract.input_schema, &contract.provenance) {
        Ok(checker) => checker,
        Err(error) => return vec![format!("the schema of the tool does not compile: {error}")],
    };
    match checker.check(input, &bounds::Limits::default(), FAULTS) {
        Ok(()) => Vec::new(),
        Err(found) => found.violations.violations.iter().map(fault).collect(),
    }
}

/// What is wrong with an input, in a sentence about the input.
fn fault(violation: &Violation) -> String {
    match (violation.keyword.as_str(), violation.pointer.as_str()) {
        ("additionalProperties" | "unevaluatedProperties", pointer) if !pointer.is_empty() => {
            format!("`{pointer}` is nothing that the tool takes")
        }
        (_, "") => {
            let text = violation.to_string();
            text.strip_prefix("the value: ").unwrap_or(&text).to_owned()
        }
        _ => violation.to_string(),
    }
}
