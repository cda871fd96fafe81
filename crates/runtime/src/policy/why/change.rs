//! What a person must change so that a call comes out otherwise: everything at once, so that
//! nobody learns of a second obstacle only after the first is gone. Names lines; writes nothing.

use toolcontract_protocol::{Principal, decision::Verdict};

use super::{Change, Goal, Step, explain::Teller, grant::may_join};
use crate::{
    call::OF_THE_CONTRACT,
    policy::role::{Answer, Effect, Party, Rule, Ruling, Stuck},
};

/// What `Teller` says about changes.
pub(super) struct Changes {
    pub(super) goal: Goal,
    pub(super) steps: Vec<Step>,
    pub(super) then: String,
    pub(super) instead: Option<Change>,
}

/// A step, and whether it depends on what the input holds.
pub(super) struct Found {
    pub(super) step: Step,
    pub(super) of_input: bool,
}

impl Found {
    pub(super) fn new(obstacle: String, ways: Vec<Change>) -> Self {
        Self {
            step: Step { obstacle, ways },
            of_input: false,
        }
    }
}

pub(super) fn elsewhere(what: impl Into<String>) -> Change {
    Change {
        place: None,
        what: what.into(),
    }
}

impl Teller<'_> {
    /// What to change, given that the input is valid.
    pub(super) fn changes(&self) -> Changes {
        let (goal, steps) = match &self.folded.verdict {
            Verdict::Allow => (Goal::Refuse, vec![self.allowed()]),
            Verdict::RequireApproval { .. } => (Goal::RunUnasked, self.asked()),
            Verdict::Deny { .. } | Verdict::Error(_) => {
                let found = self.obstacles().into_iter();
                (Goal::Run, found.map(|found| found.step).collect())
            }
        };
        Changes {
            goal,
            steps,
            then: self.then(goal),
            instead: self.instead(goal),
        }
    }

    /// What to change where the input is not what the contract says: that first, and what stands
    /// in the way of every input.
    pub(super) fn changes_of_invalid(&self) -> Changes {
        let input = Step {
            obstacle: "the input is not what the tool takes; the policy is not the reason"
                .to_owned(),
            ways: vec![elsewhere("send an input that the tool's schema accepts")],
        };
        let found = self.obstacles().into_iter();
        let always = found.filter(|found| !found.of_input);
        let steps = std::iter::once(input).chain(always.map(|found| found.step));
        Changes {
            goal: Goal::Run,
            steps: steps.collect(),
            then: "then the rules decide about the input that is sent".to_owned(),
            instead: None,
        }
    }

    /// What else an operator may want of a call that is not refused.
    fn instead(&self, goal: Goal) -> Option<Change> {
        let (wanted, effect) = match goal {
            Goal::Refuse => ("to have a person asked first", "ask"),
            Goal::RunUnasked => ("to have the call refused", "deny"),
            Goal::Run => return None,
        };
        let rule = self.new_rule(effect, None);
        Some(elsewhere(format!("{wanted} instead: {rule}")))
    }

    /// A rule to add, for everybody who is named, or for whom it must be chosen.
    pub(super) fn new_rule(&self, effect: &str, who: Option<&str>) -> String {
        let tool = &self.resolution.contract.name;
        let principal = self.resolution.parties.first();
        let principal = principal.map(|party| party.principal.to_string());
        // A denial may be for everybody; what asks or allows says for whom.
        let principals = match (effect, who.or(principal.as_deref())) {
            ("deny", _) | (_, None) => String::new(),
            (_, Some(who)) => format!(", `principals = [{who:?}]`"),
        };
        format!(
            "add a `[[rule]]`, with an `id` and a `reason`, that has `effect = {effect:?}`{principals} and `tools = [{tool:?}]`"
        )
    }

    fn then(&self, goal: Goal) -> String {
        let asks: Vec<String> = self.asks().into_iter().map(|(by, _)| by).collect();
        match goal {
            Goal::Refuse => "then the call would be refused".to_owned(),
            Goal::Run if !asks.is_empty() => {
                format!(
                    "then a person would be asked first, by {}",
                    asks.join(" and by ")
                )
            }
            Goal::RunUnasked if self.resolution.contract.requires_approval => {
                "then a person would still be asked, by the contract".to_owned()
            }
            Goal::Run if self.may_be_asked() => {
                "then the call would run, or where the rule's effect is `ask` a person would be asked first".to_owned()
            }
            Goal::Run | Goal::RunUnasked => "then the call would run".to_owned(),
        }
    }

    /// Rules that ask, and the contract where it does.
    fn asks(&self) -> Vec<(String, Option<&Rule>)> {
        let rules = self
            .resolution
            .rules()
            .filter(|(rule, ruling)| rule.effect == Effect::Ask && matches!(ruling, Ruling::Match));
        let mut asks: Vec<(String, Option<&Rule>)> = rules
            .map(|(rule, _)| {
                let by = format!("rule `{}` (line {})", rule.id, rule.line);
                (by, Some(rule))
            })
            .collect();
        if self.resolution.contract.requires_approval {
            asks.push(("the contract, whatever the policy says".to_owned(), None));
        }
        asks
    }

    /// Whether a rule that comes near to allow the call would ask.
    fn may_be_asked(&self) -> bool {
        let mut rules = self.resolution.rules();
        let some_lack = self.resolution.parties.iter().any(|party| !party.granted);
        some_lack
            && rules.any(|(rule, ruling)| {
                rule.effect == Effect::Ask && !matches!(ruling, Ruling::OtherTools)
            })
    }

    /// A call that runs: what lets it.
    fn allowed(&self) -> Step {
        let rules = self.resolution.rules();
        let grants: Vec<&Rule> = rules
            .filter(|(rule, ruling)| {
                rule.effect == Effect::Allow && matches!(ruling, Ruling::Match)
            })
            .map(|(rule, _)| rule)
            .collect();
        let change = |rule: &&Rule| Change {
            place: Some(self.of(&format!("{}/effect", rule.place))),
            what: format!(
                "change the effect of rule `{}` from `allow` to `deny`, for all that it is about",
                rule.id
            ),
        };
        // One denial is enough, whatever else allows.
        let mut ways: Vec<Change> = grants.iter().map(change).collect();
        ways.push(elsewhere(self.new_rule("deny", None)));
        let obstacle = "it is allowed and nothing denies it".to_owned();
        Step { obstacle, ways }
    }

    /// A call that a person is asked about: everything that asks.
    fn asked(&self) -> Vec<Step> {
        let asks = self.asks().into_iter();
        asks.map(|(_, rule)| match rule {
            Some(rule) => Step {
                obstacle: format!("rule `{}` asks: {}", rule.id, rule.reason),
                ways: vec![Change {
                    place: Some(self.of(&format!("{}/effect", rule.place))),
                    what: format!("make the effect of rule `{}` `allow`", rule.id),
                }],
            },
            None => Step {
                obstacle: format!("the contract asks ({OF_THE_CONTRACT})"),
                ways: Vec::new(),
            },
        })
        .collect()
    }

    /// Everything that keeps the call from running.
    fn obstacles(&self) -> Vec<Found> {
        let mut found = Vec::new();
        if !self.is_on {
            let switched = elsewhere("take the switch out of the settings");
            let reason = self.folded.trace.decided_by.description.to_string();
            found.push(Found::new(reason, vec![switched]));
        }
        for party in &self.resolution.parties {
            match party.ceiling {
                None => found.push(self.unknown(party)),
                Some(_) => found.extend(self.ceilings_of(party)),
            }
        }
        found.extend(self.stops());
        let parties = self.resolution.parties.iter();
        let without = parties.filter(|party| !party.granted);
        found.extend(without.map(|party| self.grant(party)));
        found
    }

    /// Somebody is in no role.
    fn unknown(&self, party: &Party<'_>) -> Found {
        let who = party.principal.to_string();
        let risk = self.resolution.contract.effective_risk();
        let mut ways: Vec<(bool, Change)> = Vec::new();
        for (at, role) in self.policy.roles.iter().enumerate() {
            if !may_join(party, role) {
                continue;
            }
            let mut what = format!("add `{who}` to `principals` of role `{}`", role.name);
            let above = !risk.within(role.ceiling);
            if above {
                let line = self.of(&format!("/role/{at}/risk_ceiling")).line;
                what.push_str(&format!(
                    ", and raise its `risk_ceiling` (line {line}) to `{risk}`"
                ));
            }
            let denied = self.denied_in(at);
            if let Some(rule) = denied {
                let (id, line) = (&rule.id, rule.line);
                what.push_str(&format!(
                    ", and make rule `{id}` (line {line}), which denies the call there, narrower"
                ));
            }
            let place = Some(self.of(&format!("/role/{at}/principals")));
            ways.push((above || denied.is_some(), Change { place, what }));
        }
        // What needs nothing else first.
        ways.sort_by_key(|(needs_more, _)| *needs_more);
        let mut ways: Vec<Change> = ways.into_iter().map(|(_, way)| way).collect();
        let own = || {
            elsewhere(format!(
                "add a `[[role]]` of its own, with a `name`, `principals = [{who:?}]` and \
                 `risk_ceiling = \"{risk}\"`"
            ))
        };
        // In a role of others it would get all that they have.
        if *party.principal != Principal::User {
            ways.insert(0, own());
        } else if ways.is_empty() {
            ways.push(own());
        }
        Found::new(format!("no role of the policy knows `{who}`"), ways)
    }

    /// A rule that would deny the call to whoever has the role.
    fn denied_in(&self, role: usize) -> Option<&Rule> {
        let mut rules = self.resolution.rules();
        let denies = |(rule, ruling): &(&Rule, &Ruling<'_>)| {
            rule.effect == Effect::Deny
                && rule.who.roles & (1 << role) != 0
                && matches!(ruling, Ruling::OtherPrincipals)
                && matches!(
                    self.resolution.condition(rule, self.input),
                    Answer::Match | Answer::Error(_)
                )
        };
        rules.find(denies).map(|(rule, _)| rule)
    }

    /// Every role of somebody whose ceiling is too low; raising only the lowest is not enough.
    fn ceilings_of<'t>(&'t self, party: &'t Party<'_>) -> impl Iterator<Item = Found> + 't {
        let contract = self.resolution.contract;
        let (risk, who) = (contract.effective_risk(), party.principal);
        let roles = self.policy.roles.iter().enumerate();
        let below = roles.filter(move |(at, role)| party.has(*at) && !risk.within(role.ceiling));
        below.map(move |(at, role)| {
            let mut ways = vec![Change {
                place: Some(self.of(&format!("/role/{at}/risk_ceiling"))),
                what: format!("raise `risk_ceiling` of role `{}` to `{risk}`", role.name),
            }];
            if !contract.provenance.is_trusted() {
                ways.push(elsewhere(
                    "adopt the tool with a lower risk (`toolgate adopt`), if it has one",
                ));
            }
            let (name, ceiling) = (&role.name, role.ceiling);
            Found::new(
                format!(
                    "risk `{risk}` is above the ceiling `{ceiling}` of role `{name}`, for `{who}`"
                ),
                ways,
            )
        })
    }

    /// Rules that stop the call: each that denies, and each that could and cannot be evaluated.
    fn stops(&self) -> impl Iterator<Item = Found> + '_ {
        self.resolution.rules().filter_map(|(rule, ruling)| {
            let (id, effect) = (&rule.id, rule.effect.as_str());
            match (ruling, rule.effect) {
                (Ruling::Match, Effect::Deny) => Some(Found {
                    of_input: rule.when.is_some(),
                    ..Found::new(
                        format!("rule `{id}` denies it"),
                        vec![Change {
                            place: Some(self.at(rule.line)),
                            what: format!(
                                "rule `{id}`, whose effect is `{effect}`: make it narrower, or take it away"
                            ),
                        }],
                    )
                }),
                (Ruling::Error(stuck), Effect::Deny | Effect::Ask) => Some(Found {
                    of_input: true,
                    ..Found::new(
                        self.unevaluated(rule, stuck),
                        vec![Change {
                            place: Some(self.of(&stuck.leaf.place)),
                            what: format!(
                                "change the condition of rule `{id}` so that it can be evaluated on this input; \
                                 its effect is `{effect}` where it holds then"
                            ),
                        }],
                    )
                }),
                _ => None,
            }
        })
    }

    /// That a rule cannot be evaluated, and why unless that was said as the reason of it all.
    fn unevaluated(&self, rule: &Rule, stuck: &Stuck<'_>) -> String {
        let (id, effect) = (&rule.id, rule.effect.as_str());
        let what = format!("rule `{id}`, whose effect is `{effect}`, cannot be evaluated");
        match self.folded.trace.decided_by.rule == rule.traced {
            true => what,
            false => format!("{what}: {}", stuck.about()),
        }
    }
}
