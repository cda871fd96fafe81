//! Hooks that are code of the program.

use serde_json::Value;
use toolcontract_protocol::{AuthzEvalError, Contract, Decision, Principal, ToolContract};
use toolcontract_schema::integral;

use super::{MatcherError, matcher, not_asked};
use crate::{
    authz::{AuthzGate, Evaluation},
    policy::NamePattern,
};

/// The call that a hook is asked about.
#[derive(Debug, Clone, Copy)]
pub struct HookCall<'c> {
    /// The tool.
    pub contract: &'c ToolContract,
    /// Who calls.
    pub principal: &'c Principal,
    /// The input that would run.
    pub input: &'c Value,
}

type Handler = dyn Fn(&HookCall<'_>) -> Result<Decision, AuthzEvalError> + Send + Sync;

/// A function of the program that decides about calls of some tools. An error, a panic and an
/// answer that comes too late deny.
pub struct TypedHook {
    name: String,
    matcher: NamePattern,
    handler: Box<Handler>,
    is_pure: bool,
}

impl std::fmt::Debug for TypedHook {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TypedHook")
            .field("name", &self.name)
            .field("matcher", &self.matcher.text())
            .finish_non_exhaustive()
    }
}

impl TypedHook {
    /// A hook on every tool whose name fits `pattern`: a name, or one with `*` in it.
    ///
    /// # Errors
    /// When the pattern is none.
    pub fn new(
        name: impl Into<String>,
        pattern: &str,
        handler: impl Fn(&HookCall<'_>) -> Result<Decision, AuthzEvalError> + Send + Sync + 'static,
    ) -> Result<Self, MatcherError> {
        Ok(Self {
            name: name.into(),
            matcher: matcher(pattern)?,
            handler: Box::new(handler),
            is_pure: false,
        })
    }

    /// A hook on the tool of the generated contract `C`, which is given the input in its type.
    /// An input that the type does not take is an error, and so denied.
    #[must_use]
    pub fn on<C: Contract>(
        name: impl Into<String>,
        handler: impl Fn(C::Input, &HookCall<'_>) -> Result<Decision, AuthzEvalError>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        let name = name.into();
        let gate = name.clone();
        let typed = move |call: &HookCall<'_>| {
            let mut input = call.input.clone();
            integral::normalize(&mut input);
            match serde_json::from_value(input) {
                Ok(input) => handler(input, call),
                Err(_) => Err(AuthzEvalError {
                    gate: gate.clone(),
                    detail: "the type of the contract does not take the input".to_owned(),
                }),
            }
        };
        Self {
            name,
            matcher: NamePattern::Exact(C::NAME.to_owned()),
            handler: Box::new(typed),
            is_pure: false,
        }
    }

    /// The same hook, asked on the caller's thread. Only for functions that answer in
    /// microseconds and cannot block; every other has a thread and a deadline of its own.
    #[must_use]
    pub fn quick(self) -> Self {
        Self {
            is_pure: true,
            ..self
        }
    }
}

impl AuthzGate for TypedHook {
    fn name(&self) -> &str {
        &self.name
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
        if !self.matcher.matches(&contract.name) {
            return not_asked(&self.name);
        }
        let call = HookCall {
            contract,
            principal,
            input,
        };
        Evaluation::of_rule(format!("hook:{}", self.name), (self.handler)(&call))
    }

    fn is_pure(&self) -> bool {
        self.is_pure
    }
}
