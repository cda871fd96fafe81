//~ ok
//! The control: a runtime that is put together and called as it should be.
use toolcontract_runtime::{
    authz::NoAuthz,
    call::CallReport,
    caller::{Caller, Session},
    protocol::{AuthzEvalError, Decision, Principal, decision::Verdict},
    registry::Registry,
};

pub async fn call(registry: &Registry) -> CallReport {
    let caller = Caller::in_process(Principal::User, &Session::new("s"), "c");
    registry.call("probe", "{}", &caller).await
}

pub fn build() -> Option<Registry> {
    Registry::builder(NoAuthz).build().ok()
}

pub fn may_run(answer: Result<Decision, AuthzEvalError>) -> bool {
    matches!(answer, Ok(Decision::Allow))
}

pub fn tell(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Allow => "allow",
        Verdict::Deny { .. } => "deny",
        Verdict::RequireApproval { .. } => "ask",
        Verdict::Error(_) => "error",
    }
}
