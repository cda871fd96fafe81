//! The proof that a call was decided. An [`AuthorizedCall`] comes out of the fold, or out of the
//! fold and a person's yes, and goes into the launch; there is no other way to a tool.

use std::sync::Arc;

use serde_json::Value;
use toolcontract_protocol::{
    ErrorCode, Trace, TraceStep, approval::ApprovalResolved, decision::Verdict,
};

use super::prepare::Checked;
use crate::{
    approval::Grant,
    authz::{Answer, Enforcement, fold},
    registry::Entry,
};

/// A call that may run, once. Cannot be made, copied or opened outside of this crate.
pub struct AuthorizedCall {
    call: Decided,
    approval: Option<ApprovalResolved>,
}

impl std::fmt::Debug for AuthorizedCall {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AuthorizedCall")
            .field("tool", &self.call.entry.contract.name)
            .finish_non_exhaustive()
    }
}

/// A call that needs a person's yes.
pub(crate) struct Asked(Decided);

/// A call that will not run.
pub(super) struct Refused {
    pub(super) call: Decided,
    pub(super) code: ErrorCode,
}

/// A call with its verdict. Only [`Decided::by_fold`] makes one.
pub(crate) struct Decided {
    pub(super) entry: Arc<Entry>,
    pub(super) input: Arc<Value>,
    pub(super) input_digest: String,
    pub(super) policy_revision: String,
    pub(super) asked_by: Vec<String>,
    pub(super) softened: Vec<(String, String)>,
    pub(super) trace: Trace,
    verdict: Verdict,
    code: Option<ErrorCode>,
}

impl Decided {
    /// Folds `answers` about a checked call. `also` are steps that answer nothing.
    pub(super) fn by_fold(
        checked: Checked,
        answers: Vec<Answer>,
        also: Vec<TraceStep>,
        enforcement: Enforcement,
        policy_revision: String,
    ) -> Self {
        let mut folded = fold(answers, enforcement);
        let mut steps = checked.steps;
        steps.append(&mut folded.trace.steps);
        steps.extend(also);
        folded.trace.steps = steps;
        Self {
            entry: checked.entry,
            input: checked.input,
            input_digest: checked.input_digest,
            policy_revision,
            asked_by: folded.asked_by,
            softened: folded.softened,
            trace: folded.trace,
            verdict: folded.verdict,
            code: folded.code,
        }
    }

    pub(crate) fn verdict(&self) -> &Verdict {
        &self.verdict
    }
}

/// What a verdict means.
pub(super) enum Authorized {
    Run(AuthorizedCall),
    Ask(Asked),
    Refuse(Refused),
}

/// The one place where a verdict becomes a permission.
pub(super) fn authorize(call: Decided) -> Authorized {
    match &call.verdict {
        Verdict::Allow => Authorized::Run(AuthorizedCall {
            call,
            approval: None,
        }),
        Verdict::RequireApproval { .. } => Authorized::Ask(Asked(call)),
        Verdict::Deny { .. } | Verdict::Error(_) => {
            let code = call.code.clone().unwrap_or(ErrorCode::PolicyError);
            Authorized::Refuse(Refused { call, code })
        }
    }
}

impl Asked {
    pub(crate) fn call(&self) -> &Decided {
        &self.0
    }

    /// A person said yes to exactly this call.
    pub(super) fn granted(self, grant: Grant) -> AuthorizedCall {
        AuthorizedCall {
            call: self.0,
            approval: Some(grant.into_resolved()),
        }
    }

    /// Nobody said yes.
    pub(super) fn refused(self, code: ErrorCode) -> Refused {
        Refused { call: self.0, code }
    }
}

impl AuthorizedCall {
    /// Spends the permission.
    pub(super) fn spend(self) -> (Decided, Option<ApprovalResolved>) {
        (self.call, self.approval)
    }
}
