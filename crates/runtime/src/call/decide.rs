//! Asks everyone who has a say, and folds what they answer. Nobody is left out because another
//! denied first, but for hooks that are commands: those run only while the call may still run.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    time::Duration,
};

use serde_json::Value;
use toolcontract_protocol::{Decision, Principal, TraceStep};

use super::{
    aside::{self, Asked},
    authorize::Decided,
    prepare::Checked,
};
use crate::{
    authz::{Answer, AuthzGate, Enforcement, Evaluation, Rank, Source},
    caller::Caller,
    registry::{Entry, Inner, Named},
};

/// The rule of a contract that asks for a person.
pub(crate) const OF_THE_CONTRACT: &str = "contract:requires_approval";

pub(super) async fn decide(inner: &Inner, checked: Checked, caller: &Caller) -> Decided {
    let asks = Asks {
        inner,
        entry: &checked.entry,
        principal: caller.principal(),
        input: &checked.input,
    };
    let mut also = Vec::new();
    let revision = inner.policy_revision();
    let mut answers = asks.all(&inner.gates, inner.limits.gate).await;
    if !checked.entry.contract.requires_approval {
        also.push(TraceStep::miss(OF_THE_CONTRACT, "the contract asks nobody"));
    } else if checked.entry.runner.asks_its_own_people() {
        let why = "delegated to the host that runs the tool, which asks its own people";
        also.push(TraceStep::miss(OF_THE_CONTRACT, why));
    } else {
        answers.push(of_the_contract());
    }
    if answers
        .iter()
        .any(|answer| denies(answer, inner.enforcement))
    {
        also.extend(inner.shell_hooks.iter().map(|hook| {
            let why = "did not run, because the call was denied already";
            TraceStep::miss(format!("hook:{}", hook.name), why)
        }));
    } else {
        answers.extend(asks.all(&inner.shell_hooks, inner.limits.shell_hook).await);
    }
    // What was decided by a policy that nobody can name, or by two, nobody can approve under.
    if revision.is_none() || revision != inner.policy_revision() {
        answers.push(unnamed_policy());
    }
    let revision = revision.unwrap_or_default();
    Decided::by_fold(checked, answers, also, inner.enforcement, revision)
}

/// Whether the call will not run, whatever else is answered.
fn denies(answer: &Answer, enforcement: Enforcement) -> bool {
    match Rank::of(answer.source, &answer.evaluation.result) {
        Rank::Allow | Rank::Ask => false,
        Rank::Deny => enforcement == Enforcement::Enforce,
        Rank::Error | Rank::OperatorDeny => true,
    }
}

/// The answer of a contract that asks for a person.
pub(crate) fn of_the_contract() -> Answer {
    let decision = Decision::require_approval("the contract of the tool asks for a person's yes");
    Answer {
        source: Source::Contract,
        name: OF_THE_CONTRACT.to_owned(),
        evaluation: Evaluation::of_rule(OF_THE_CONTRACT, Ok(decision)),
    }
}

fn unnamed_policy() -> Answer {
    let why = "a gate could not name its policy, or it changed while the call was decided";
    Answer {
        source: Source::Gate,
        name: "revision".to_owned(),
        evaluation: Evaluation::error("revision", why),
    }
}

/// One call that is asked about.
struct Asks<'a> {
    inner: &'a Inner,
    entry: &'a Arc<Entry>,
    principal: &'a Principal,
    input: &'a Arc<Value>,
}

impl Asks<'_> {
    /// What each of `gates` answers. Those that may block work at the same time.
    async fn all(&self, gates: &[Named<dyn AuthzGate>], time: Duration) -> Vec<Answer> {
        let started: Vec<_> = gates.iter().map(|gate| (gate, self.start(gate))).collect();
        let clock = self.inner.clock.as_ref();
        let until = clock.monotonic() + time;
        let mut answers = Vec::with_capacity(started.len() + 1);
        for (gate, asked) in started {
            let evaluation = asked
                .until(clock, until)
                .await
                .unwrap_or_else(|detail| Evaluation::error(&gate.name, detail));
            answers.push(Answer {
                source: gate.source,
                name: gate.name.clone(),
                evaluation,
            });
        }
        answers
    }

    fn start(&self, gate: &Named<dyn AuthzGate>) -> Asked<Evaluation> {
        if gate.is_pure {
            return aside::here(|| {
                gate.port
                    .check_traced(&self.entry.contract, self.principal, self.input)
            });
        }
        let asked = Arc::clone(&gate.port);
        let (contract, input) = (Arc::clone(&self.entry.contract), Arc::clone(self.input));
        let principal = self.principal.clone();
        aside::start(gate, move || {
            asked.check_traced(&contract, &principal, &input)
        })
    }
}

impl Inner {
    /// Names the policies in force, of every gate; none when a gate cannot.
    pub(super) fn policy_revision(&self) -> Option<String> {
        let mut all = String::new();
        for gate in self.gates.iter().chain(&self.shell_hooks) {
            let revision = catch_unwind(AssertUnwindSafe(|| gate.port.revision())).ok()?;
            if !all.is_empty() {
                all.push(';');
            }
            all.push_str(&gate.name);
            all.push('=');
            all.push_str(&revision);
        }
        Some(all)
    }
}
