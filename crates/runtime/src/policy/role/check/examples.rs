//! The examples of a policy, tried on the policy itself whenever it is loaded.

use serde_json::{Value, json};
use toolcontract_manifest::fault::quote;
use toolcontract_protocol::{Decision, Principal, ToolContract};
use toolcontract_schema::bounds;

use super::super::{
    fault::{self, Faults},
    file::{Example, Expected, PolicyFile},
    gate,
    load::Policy,
    rule::Rule,
    subject::Subject,
};
use crate::{authz::Evaluation, policy::name::NamePattern, registry::Checker};

pub(in crate::policy::role) fn check(
    contracts: &[&ToolContract],
    file: &PolicyFile,
    policy: &Policy,
    faults: &mut Faults<'_>,
) {
    for (rule, text) in policy.rules.iter().zip(&file.rule) {
        for (index, example) in text.expect.iter().enumerate() {
            let place = format!("{}/expect/{index}", rule.place);
            try_one(contracts, policy, rule, example, &place, faults);
        }
    }
}

fn try_one(
    contracts: &[&ToolContract],
    policy: &Policy,
    rule: &Rule,
    example: &Example,
    place: &str,
    faults: &mut Faults<'_>,
) {
    let Some(contract) = contracts.iter().find(|c| c.name == example.tool) else {
        // A tool that comes later has no contract yet to try anything on.
        let comes_later =
            NamePattern::parse(&example.tool).is_ok_and(|tool| policy.late.has(&tool));
        if !comes_later {
            let known = contracts.iter().map(|c| c.name.as_str());
            let place = format!("{place}/tool");
            faults.unknown(&place, fault::INVALID_EXAMPLE, "tool", &example.tool, known);
        }
        return;
    };
    let input = example.input.clone().unwrap_or_else(|| json!({}));
    if let Err(why) = is_valid(contract, &input) {
        let message = format!("{} would refuse this input: {why}", quote(&contract.name));
        let help = "an invalid call never reaches the policy; write one that the tool takes";
        faults.at(place, fault::INVALID_EXAMPLE, message, help);
        return;
    }
    let principal = match principal(policy, rule, example) {
        Ok(principal) => principal,
        Err(why) => {
            let help = "write a label such as `user` or `host:ID`";
            faults.at(
                &format!("{place}/principal"),
                fault::INVALID_EXAMPLE,
                why,
                help,
            );
            return;
        }
    };
    let evaluation = policy
        .resolve(contract, &principal, &input)
        .evaluation(gate::NAME);
    let got = decided(&evaluation);
    if got != example.decision {
        let decider = evaluation.steps.get(evaluation.decided_by);
        let (by, why) = decider.map_or(("nothing", ""), |step| {
            (step.rule.as_ref(), step.description.as_ref())
        });
        faults.at(
            place,
            fault::EXAMPLE_DIFFERS,
            format!(
                "the policy decides `{}`, and the example expects `{}`",
                got.as_str(),
                example.decision.as_str()
            ),
            format!("for `{principal}`, decided by {}: {why}", quote(by)),
        );
    }
}

fn is_valid(contract: &ToolContract, input: &Value) -> Result<(), String> {
    let checker = Checker::compile(&contract.input_schema, &contract.provenance)
        .map_err(|error| error.to_string())?;
    checker
        .check(input, &bounds::Limits::default(), 1)
        .map_err(|found| {
            let first = found.violations.violations.first();
            first.map_or_else(String::new, ToString::to_string)
        })
}

/// Who calls: whom the example names, or the first whom the rule is for.
fn principal(policy: &Policy, rule: &Rule, example: &Example) -> Result<Principal, String> {
    if let Some(label) = &example.principal {
        return match Subject::parse(label) {
            Some(subject @ (Subject::User | Subject::One(..))) => Ok(subject.example()),
            Some(Subject::Everybody | Subject::Every(_)) => {
                Err(format!("{} is nobody in particular", quote(label)))
            }
            None => Err(format!("{} names no principal", quote(label))),
        };
    }
    let of_role = |(bit, _): &(usize, _)| rule.who.roles & (1 << bit) != 0;
    let named = rule.who.subjects.iter().find(|s| **s != Subject::Everybody);
    let by_role = || {
        let mut roles = policy.roles.iter().enumerate();
        roles.find(|role| of_role(&(role.0, role.1)))
    };
    let first = || policy.roles.first();
    let role = || by_role().map(|(_, role)| role).or_else(first);
    let subject = named.or_else(|| role()?.subjects.first());
    Ok(subject.map_or(Principal::User, Subject::example))
}

fn decided(evaluation: &Evaluation) -> Expected {
    match &evaluation.result {
        Ok(Decision::Allow) => Expected::Allow,
        Ok(Decision::Deny { .. }) => Expected::Deny,
        Ok(Decision::RequireApproval { .. }) => Expected::Ask,
        Err(_) => Expected::Error,
    }
}
