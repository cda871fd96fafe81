//! The sessions of a server: what their turns share. One turn of a session runs at a time; a
//! session that nobody uses ends.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use toolcontract_protocol::{SessionSpec, session::SessionState};

use super::{limits::ServeLimits, refusal::Refusal};
use crate::caller::Session;

/// What the turns of a session share.
#[derive(Debug, Clone)]
pub(super) struct Opened {
    pub(super) spec: SessionSpec,
    pub(super) session: Arc<Session>,
}

#[derive(Debug)]
struct Held {
    opened: Opened,
    used: Duration,
    turn: Option<String>,
}

/// The sessions of a server.
#[derive(Debug, Default)]
pub(super) struct Sessions {
    all: Mutex<HashMap<String, Held>>,
}

impl Sessions {
    /// Keeps a new session, unless there are too many.
    pub(super) fn open(
        &self,
        opened: Opened,
        limits: &ServeLimits,
        now: Duration,
    ) -> Result<(), Refusal> {
        let mut all = self.all();
        // A session whose turn runs is in use.
        all.retain(|_, held| held.turn.is_some() || now < held.used + limits.session_idle);
        if all.len() >= limits.sessions {
            let text = format!("there are {} sessions, and no more may be", limits.sessions);
            return Err(Refusal::too_many("too_many_sessions", text));
        }
        let held = Held {
            used: now,
            turn: None,
            opened,
        };
        all.insert(held.opened.session.id().to_owned(), held);
        Ok(())
    }

    /// What the turns of session `id` share.
    pub(super) fn get(
        &self,
        id: &str,
        limits: &ServeLimits,
        now: Duration,
    ) -> Result<Opened, Refusal> {
        let mut all = self.all();
        let held = found(&mut all, id, limits, now)?;
        held.used = now;
        Ok(held.opened.clone())
    }

    /// What a host is told of session `id`.
    pub(super) fn state(
        &self,
        id: &str,
        limits: &ServeLimits,
        now: Duration,
    ) -> Result<SessionState, Refusal> {
        let mut all = self.all();
        let held = found(&mut all, id, limits, now)?;
        Ok(SessionState {
            session_id: id.to_owned(),
            turn_id: held.turn.clone(),
        })
    }

    /// Turn `turn` begins in session `id`, unless another runs.
    pub(super) fn begin(&self, id: &str, turn: &str) -> Result<(), Refusal> {
        let mut all = self.all();
        let held = all.get_mut(id).ok_or_else(unknown)?;
        if held.turn.is_some() {
            let text = "a turn of this session runs; wait for its end, or cancel it";
            return Err(Refusal::conflict("turn_running", text));
        }
        held.turn = Some(turn.to_owned());
        Ok(())
    }

    /// The turn of session `id` is over.
    pub(super) fn end(&self, id: &str, turn: &str, now: Duration) {
        if let Some(held) = self.all().get_mut(id)
            && held.turn.as_deref() == Some(turn)
        {
            held.turn = None;
            held.used = now;
        }
    }

    /// Ends session `id`, and tells which turn of it runs.
    pub(super) fn close(&self, id: &str) -> Result<Option<String>, Refusal> {
        self.all()
            .remove(id)
            .map(|held| held.turn)
            .ok_or_else(unknown)
    }

    fn all(&self) -> MutexGuard<'_, HashMap<String, Held>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn found<'a>(
    all: &'a mut HashMap<String, Held>,
    id: &str,
    limits: &ServeLimits,
    now: Duration,
) -> Result<&'a mut Held, Refusal> {
    let held = all.get_mut(id).ok_or_else(unknown)?;
    let is_live = held.turn.is_some() || now < held.used + limits.session_idle;
    is_live.then_some(held).ok_or_else(unknown)
}

fn unknown() -> Refusal {
    Refusal::not_found("unknown_session", "there is no such session")
}
