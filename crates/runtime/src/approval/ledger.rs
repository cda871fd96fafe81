//! The calls that wait for a person. A ticket is taken out once; what is asked of it is compared
//! under the same lock, so that no two answers and no change in between can both have it.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use toolcontract_protocol::approval::{ApprovalRequest, ApprovalResolution, ApprovalResolved};

use crate::{call::Asked, caller::Caller};

/// How many spent tickets are remembered, to tell a second answer from a wrong one.
const MAX_SPENT: usize = 1024;

/// A call that waits.
pub(crate) struct Pending {
    pub(crate) asked: Asked,
    pub(crate) request: ApprovalRequest,
    pub(crate) caller: Caller,
    /// On the monotonic clock.
    pub(crate) expires: Duration,
}

/// Proof that a person said yes to exactly one call. Only a [`Live`] ticket makes one.
pub(crate) struct Grant {
    resolved: ApprovalResolved,
}

impl Grant {
    pub(crate) fn resolved(&self) -> &ApprovalResolved {
        &self.resolved
    }

    /// How the question ended.
    pub(crate) fn into_resolved(self) -> ApprovalResolved {
        self.resolved
    }
}

/// What a ticket came to.
pub(crate) enum Redeemed {
    /// The call is as it was, and may be granted or refused.
    Live(Live),
    /// The time was up.
    Expired(Pending),
    /// What would run is no longer what was asked about.
    Changed(Pending),
}

/// A call that was taken out in time, and is what was asked about.
pub(crate) struct Live(Pending);

/// Why a ticket is not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unredeemed {
    /// It was answered already.
    Spent,
    /// There is none of that id for that caller.
    Unknown,
}

/// The calls that wait.
#[derive(Default)]
pub(crate) struct Ledger {
    waiting: Mutex<Waiting>,
}

#[derive(Default)]
struct Waiting {
    pending: HashMap<String, Pending>,
    spent: VecDeque<String>,
}

impl Ledger {
    /// Lets `pending` wait, unless `max` others do. Forgets what expired before `now`.
    pub(crate) fn suspend(
        &self,
        pending: Pending,
        max: usize,
        now: Duration,
    ) -> Result<(), Box<Pending>> {
        let mut waiting = self.waiting();
        waiting.pending.retain(|_, other| other.expires > now);
        if waiting.pending.len() >= max {
            return Err(Box::new(pending));
        }
        let id = pending.request.approval_id.clone();
        waiting.pending.insert(id, pending);
        Ok(())
    }

    /// Takes the ticket `id` out for `caller`. Another caller finds nothing, and leaves it.
    pub(crate) fn redeem(
        &self,
        id: &str,
        caller: &Caller,
        now: Duration,
        is_unchanged: impl FnOnce(&Pending) -> bool,
    ) -> Result<Redeemed, Unredeemed> {
        let mut waiting = self.waiting();
        let pending = match waiting.pending.get(id) {
            Some(pending) if is_the_same(&pending.caller, caller) => waiting.take(id),
            Some(_) => return Err(Unredeemed::Unknown),
            None if waiting.spent.iter().any(|spent| spent == id) => {
                return Err(Unredeemed::Spent);
            }
            None => None,
        };
        let pending = pending.ok_or(Unredeemed::Unknown)?;
        Ok(if now >= pending.expires {
            Redeemed::Expired(pending)
        } else if !is_unchanged(&pending) {
            Redeemed::Changed(pending)
        } else {
            Redeemed::Live(Live(pending))
        })
    }

    /// Takes the ticket out because nobody waits for the answer any more.
    pub(crate) fn forget(&self, id: &str) {
        self.waiting().take(id);
    }

    /// How many calls wait.
    pub(crate) fn len(&self) -> usize {
        self.waiting().pending.len()
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Waiting {
    fn take(&mut self, id: &str) -> Option<Pending> {
        let pending = self.pending.remove(id)?;
        if self.spent.len() >= MAX_SPENT {
            self.spent.pop_front();
        }
        self.spent.push_back(id.to_owned());
        Some(pending)
    }
}

impl Live {
    /// A person said yes.
    pub(crate) fn grant(self, by: Option<String>) -> (Asked, Caller, Grant) {
        let resolved = self.0.resolved(ApprovalResolution::Granted, by, None);
        (self.0.asked, self.0.caller, Grant { resolved })
    }

    /// A person did not.
    pub(crate) fn refuse(self) -> Pending {
        self.0
    }
}

impl Pending {
    /// How the question ended.
    pub(crate) fn resolved(
        &self,
        resolution: ApprovalResolution,
        answered_by: Option<String>,
        reason: Option<String>,
    ) -> ApprovalResolved {
        ApprovalResolved {
            approval_id: self.request.approval_id.clone(),
            call_id: self.request.call_id.clone(),
            tool: self.request.tool.clone(),
            resolution,
            answered_by,
            reason,
        }
    }
}

/// Whether the one who answers for a call is the one who made it.
fn is_the_same(asked: &Caller, answers: &Caller) -> bool {
    asked.principal() == answers.principal()
        && asked.surface() == answers.surface()
        && asked.session().id() == answers.session().id()
}
