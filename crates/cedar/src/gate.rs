//! The gate: one request to Cedar for everybody whose authority the call needs.

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    sync::Arc,
};

use cedar_policy::{
    AuthorizationError, Authorizer, Context, Decision as Cedar, Effect, Entities, Entity, EntityId,
    EntityTypeName, EntityUid, PolicyId, Request, RestrictedExpression as Expression,
};
use serde_json::Value;
use toolcontract_protocol::{
    AuthzEvalError, Decision, Principal, ToolContract, TraceStep, trace::StepOutcome,
};
use toolcontract_runtime::authz::{AuthzGate, Evaluation};

use crate::{
    convert,
    load::{CedarError, Loaded, Tool, load},
};

/// A gate that decides by Cedar policies. Cheap to clone.
///
/// A `permit` that is annotated with `@ask("why")` lets the call through once a person said yes.
/// `@reason("why")` on a `forbid` is the reason of the denial, `@id("name")` names a policy in
/// traces. A sub-agent may do what it and everybody it acts for may do.
#[derive(Debug, Clone)]
pub struct CedarGate {
    loaded: Arc<Loaded>,
}

const NAME: &str = "cedar";

impl CedarGate {
    /// Reads policies and validates them strictly against `contracts`.
    ///
    /// # Errors
    /// When the text is no Cedar, is empty, or does not fit the contracts.
    pub fn new<'c>(
        policies: &str,
        contracts: impl IntoIterator<Item = &'c ToolContract>,
    ) -> Result<Self, CedarError> {
        let contracts: Vec<&ToolContract> = contracts.into_iter().collect();
        Ok(Self {
            loaded: Arc::new(load(policies, &contracts)?),
        })
    }

    fn evaluate(
        &self,
        contract: &ToolContract,
        principal: &Principal,
        input: &Value,
    ) -> Result<Evaluation, String> {
        let known = self.loaded.tools.get(&contract.name);
        let Some(tool) = known.filter(|tool| tool.version == contract.version) else {
            return Err("the policies were not validated against this tool".to_owned());
        };
        let mut joined: Option<Evaluation> = None;
        for party in principal.lineage() {
            let next = self.ask(contract, tool, party, input)?;
            joined = Some(match joined {
                None => next,
                Some(before) => join(before, next),
            });
        }
        joined.ok_or_else(|| "nobody calls".to_owned())
    }

    /// One request.
    fn ask(
        &self,
        contract: &ToolContract,
        tool: &Tool,
        party: &Principal,
        input: &Value,
    ) -> Result<Evaluation, String> {
        let text = |error: &dyn std::fmt::Display| error.to_string();
        let uid = |kind: &str, id: &str| -> Result<EntityUid, String> {
            let kind: EntityTypeName = kind.parse().map_err(|e| text(&e))?;
            Ok(EntityUid::from_type_name_and_id(kind, EntityId::new(id)))
        };
        let (kind, id) = match party {
            Principal::User => ("User", "user"),
            Principal::Role(id) => ("Role", id.as_str()),
            Principal::SubAgent { id, .. } => ("SubAgent", id.as_str()),
            Principal::Host(id) => ("Host", id.as_str()),
            Principal::Plugin(id) => ("Plugin", id.as_str()),
        };
        let (who, what) = (uid(kind, id)?, uid("Tool", &contract.name)?);
        let action = uid("Action", &contract.name)?;
        let schema = &self.loaded.schema;
        let arguments = convert::input(&tool.input, input).map_err(|e| text(&e))?;
        let context =
            Context::from_pairs([("input".to_owned(), arguments)]).map_err(|e| text(&e))?;
        let resource = Entity::new(what.clone(), facts(contract), HashSet::new())
            .map_err(|_| "the facts of the contract have no Cedar value".to_owned())?;
        let caller = Entity::new_no_attrs(who.clone(), HashSet::new());
        let entities = Entities::from_entities([resource, caller], Some(schema))
            .map_err(|_| "the call does not fit the Cedar schema".to_owned())?;
        // The error of Cedar may repeat what is in the context.
        let request = Request::new(who, action, what, context, Some(schema))
            .map_err(|_| "the arguments do not fit the Cedar schema".to_owned())?;
        let answer = Authorizer::new().is_authorized(&request, &self.loaded.policies, &entities);
        let failed: BTreeSet<&PolicyId> = answer
            .diagnostics()
            .errors()
            .map(|AuthorizationError::PolicyEvaluationError(error)| error.policy_id())
            .collect();
        let decided: BTreeSet<&PolicyId> = answer.diagnostics().reason().collect();
        Ok(self.traced(party, answer.decision(), &decided, &failed))
    }

    /// The answer with a step for every policy.
    fn traced(
        &self,
        party: &Principal,
        decision: Cedar,
        decided: &BTreeSet<&PolicyId>,
        failed: &BTreeSet<&PolicyId>,
    ) -> Evaluation {
        let mut steps = Vec::with_capacity(self.loaded.names.len() + 1);
        // Of equals the first; an error above everything, a question above a plain yes.
        let mut heaviest: Option<(u8, usize)> = None;
        for (name, (id, effect)) in &self.loaded.names {
            let rule = format!("cedar:{name}");
            let note = |key: &str| {
                let said = self.loaded.policies.annotation(id, key);
                said.map(str::to_owned)
            };
            let (weight, step) = if failed.contains(id) {
                let what = "cannot be evaluated on this call";
                (4, TraceStep::came_to(StepOutcome::Error, rule, what))
            } else if !decided.contains(id) {
                (
                    0,
                    TraceStep::miss(rule, format!("did not decide, for `{party}`")),
                )
            } else {
                match (effect, note("ask")) {
                    (Effect::Forbid, _) => {
                        let reason =
                            note("reason").unwrap_or_else(|| "a policy forbids it".to_owned());
                        (3, TraceStep::came_to(StepOutcome::Deny, rule, reason))
                    }
                    (Effect::Permit, Some(reason)) => (
                        2,
                        TraceStep::came_to(StepOutcome::PendingApproval, rule, reason),
                    ),
                    (Effect::Permit, None) => {
                        let reason =
                            note("reason").unwrap_or_else(|| "a policy permits it".to_owned());
                        (1, TraceStep::came_to(StepOutcome::Allow, rule, reason))
                    }
                }
            };
            if weight > heaviest.map_or(0, |(most, _)| most) {
                heaviest = Some((weight, steps.len()));
            }
            steps.push(step);
        }
        if heaviest.is_none()
            || (decision == Cedar::Deny && heaviest.is_some_and(|(most, _)| most < 3))
        {
            let what = format!("no policy permits `{party}` to make this call");
            heaviest = Some((3, steps.len()));
            steps.push(TraceStep::came_to(StepOutcome::Deny, "cedar:default", what));
        }
        let (weight, at) = heaviest.unwrap_or((4, 0));
        let reason = steps
            .get(at)
            .map(|step: &TraceStep| step.description.to_string())
            .unwrap_or_default();
        let result = match weight {
            1 => Ok(Decision::Allow),
            2 => Ok(Decision::RequireApproval { reason }),
            3 => Ok(Decision::Deny { reason }),
            _ => Err(AuthzEvalError {
                gate: NAME.to_owned(),
                detail: reason,
            }),
        };
        Evaluation {
            result,
            steps,
            decided_by: at,
        }
    }
}

/// Both must let the call through; the stricter answer decides.
fn join(mut one: Evaluation, mut other: Evaluation) -> Evaluation {
    let weight = |evaluation: &Evaluation| match &evaluation.result {
        Ok(Decision::Allow) => 0,
        Ok(Decision::RequireApproval { .. }) => 1,
        Ok(Decision::Deny { .. }) => 2,
        Err(_) => 3,
    };
    if weight(&other) > weight(&one) {
        one.decided_by = one.steps.len() + other.decided_by;
        one.result = other.result.clone();
    }
    one.steps.append(&mut other.steps);
    one
}

/// The facts of a contract, each as far as it may be relied on.
fn facts(contract: &ToolContract) -> HashMap<String, Expression> {
    let bool = Expression::new_bool;
    let text = |text: &str| Expression::new_string(text.to_owned());
    [
        ("risk", text(contract.effective_risk().as_str())),
        ("read_only", bool(contract.trusted_read_only())),
        ("idempotent", bool(contract.trusted_idempotent())),
        ("additive", bool(contract.trusted_additive())),
        ("open_world", bool(contract.effective_open_world())),
        ("requires_approval", bool(contract.requires_approval)),
        ("provenance", text(contract.provenance.as_str())),
        ("version", Expression::new_long(contract.version.into())),
    ]
    .into_iter()
    .map(|(name, value)| (name.to_owned(), value))
    .collect()
}

impl AuthzGate for CedarGate {
    fn name(&self) -> &str {
        NAME
    }

    fn check(
        &self,
        contract: &ToolContract,
        principal: &Principal,
        input: &Value,
    ) -> Result<Decision, AuthzEvalError> {
        self.check_traced(contract, principal, input).result
    }

    fn check_traced(
        &self,
        contract: &ToolContract,
        principal: &Principal,
        input: &Value,
    ) -> Evaluation {
        self.evaluate(contract, principal, input)
            .unwrap_or_else(|detail| Evaluation::error(NAME, detail))
    }

    fn revision(&self) -> String {
        self.loaded.revision.clone()
    }

    fn is_pure(&self) -> bool {
        true
    }
}
