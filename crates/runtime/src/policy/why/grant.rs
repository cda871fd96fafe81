//! What lets somebody make a call that no rule allows: the rules that come nearest, each with all
//! that must be changed of it, or a new one.

use toolcontract_protocol::{Principal, RiskLevel};

use super::{
    Change, Place,
    change::{Found, elsewhere},
    explain::Teller,
    unmet::settle,
};
use crate::policy::role::{Answer, Effect, Party, Role, Rule, Ruling, Subject};

impl Teller<'_> {
    /// Nothing allows the call to `party`: the rules that come nearest, or a new one.
    pub(super) fn grant(&self, party: &Party<'_>) -> Found {
        let who = party.principal.to_string();
        let mut of_input = false;
        // Each with how much of a rule must be changed; nothing of a new one.
        let mut ways: Vec<(u8, Change)> = Vec::new();
        for (rule, ruling) in self.resolution.rules() {
            if rule.effect == Effect::Deny || matches!(ruling, Ruling::OtherTools) {
                continue;
            }
            let is_for = party.is_meant_by(rule);
            of_input |= is_for;
            ways.push(self.nearest(rule, is_for, party));
        }
        let effect = match self.resolution.contract.effective_risk() {
            RiskLevel::Low | RiskLevel::Medium => "allow",
            RiskLevel::High | RiskLevel::Destructive => "ask",
        };
        ways.push((1, elsewhere(self.new_rule(effect, Some(&who)))));
        ways.sort_by_key(|(much, _)| *much);
        let ways = ways.into_iter().map(|(_, way)| way).collect();
        Found {
            of_input,
            ..Found::new(format!("no rule allows `{who}` to make this call"), ways)
        }
    }

    /// What of a rule about this tool would have to change so that it lets `party` make the call.
    /// 0: one key of the rule; 2: two.
    fn nearest(&self, rule: &Rule, is_for: bool, party: &Party<'_>) -> (u8, Change) {
        let (id, effect) = (&rule.id, rule.effect.as_str());
        let unmet = match self.resolution.condition(rule, self.input) {
            Answer::Match => None,
            Answer::NoMatch => {
                let when = rule.when.as_ref();
                let settled = when.map_or_else(String::new, |when| settle(when, self.input));
                Some(format!("does not hold: {settled}"))
            }
            // The list of rules says why.
            Answer::Error(_) => Some("cannot be evaluated on this input".to_owned()),
        };
        match (is_for, unmet) {
            (true, unmet) => {
                let place = Some(self.of(&format!("{}/when", rule.place)));
                let unmet = unmet.unwrap_or_default();
                let what = format!(
                    "change the condition of rule `{id}` (its effect is `{effect}`), which {unmet}"
                );
                (0, Change { place, what })
            }
            (false, None) => {
                let who = party.principal;
                let mut what = self.joining(rule, party);
                let roles = self.policy.roles.iter().enumerate();
                let of_rule = roles.filter(|(bit, role)| {
                    rule.who.roles & (1 << bit) != 0 && may_join(party, role)
                });
                let of_rule: Vec<&str> = of_rule.map(|(_, role)| role.name.as_str()).collect();
                if party.ceiling.is_none() && !of_rule.is_empty() {
                    let roles = of_rule.join("` or `");
                    what.push_str(&format!("; not needed once `{who}` has its role `{roles}`"));
                }
                let place = Some(self.whom(rule));
                (0, Change { place, what })
            }
            (false, Some(unmet)) => {
                let joining = self.joining(rule, party);
                let line = self.of(&format!("{}/when", rule.place)).line;
                let what =
                    format!("{joining}, and change its condition (line {line}), which {unmet}");
                let place = Some(self.whom(rule));
                (2, Change { place, what })
            }
        }
    }

    /// How a rule comes to be for somebody whom it is not for.
    fn joining(&self, rule: &Rule, party: &Party<'_>) -> String {
        let (id, effect) = (&rule.id, rule.effect.as_str());
        let who = party.principal.to_string();
        let has = |key: &str| {
            let pointer = format!("{}/{key}", rule.place);
            self.policy.document.node(&pointer).is_some()
        };
        let join = match (has("principals"), has("roles")) {
            (false, true) => format!("write `principals = [{who:?}]` beside `roles` of"),
            _ => format!("add `{who}` to `principals` of"),
        };
        format!("{join} rule `{id}`, whose effect is `{effect}`")
    }

    /// Where a rule says whom it is for.
    fn whom(&self, rule: &Rule) -> Place {
        let keys = ["principals", "roles", "id"];
        let pointers = keys.map(|key| format!("{}/{key}", rule.place));
        let is_there = |pointer: &&String| self.policy.document.node(pointer).is_some();
        let there = pointers.iter().find(is_there);
        there.map_or_else(|| self.at(rule.line), |pointer| self.of(pointer))
    }
}

/// Whether somebody could be put into a role. Not a sub-agent into a role of others: it would get
/// what whoever started it has.
pub(super) fn may_join(party: &Party<'_>, role: &Role) -> bool {
    !matches!(party.principal, Principal::SubAgent { .. })
        || role.subjects.iter().all(Subject::is_sub_agent)
}
