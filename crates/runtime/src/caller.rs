//! Who calls, from where, in which session. Made by a surface from its authenticated side, never
//! from a message: nothing here can be deserialized.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio_util::sync::CancellationToken;
use toolcontract_protocol::{Principal, approval::CallSurface};

use crate::{
    ctx::EventSink,
    limits::{Bucket, Rate},
};

/// One session of a surface: what its calls share. The id must be unique; make one value for it.
#[derive(Debug)]
pub struct Session {
    id: String,
    /// Place of the last event that was delivered.
    events: Mutex<u64>,
    asks: Mutex<Bucket>,
}

impl Session {
    /// A session that has not called anything yet.
    #[must_use]
    pub fn new(id: impl Into<String>) -> Arc<Self> {
        Arc::new(Self {
            id: id.into(),
            events: Mutex::new(0),
            asks: Mutex::new(Bucket::default()),
        })
    }

    /// The id.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Hands the next place to `deliver`; the place is used up only when that says so, so that
    /// the sequence has no gaps.
    pub(crate) fn deliver(&self, deliver: impl FnOnce(u64) -> bool) -> bool {
        let mut last = self.events.lock().unwrap_or_else(PoisonError::into_inner);
        let next = last.saturating_add(1);
        let delivered = deliver(next);
        if delivered {
            *last = next;
        }
        delivered
    }

    /// Whether the session may ask a person once more.
    pub(crate) fn may_ask(&self, rate: Rate, now: Duration) -> bool {
        let mut asks = self.asks.lock().unwrap_or_else(PoisonError::into_inner);
        asks.take(rate, now)
    }
}

/// Who makes one call.
#[derive(Debug, Clone)]
pub struct Caller {
    principal: Principal,
    surface: CallSurface,
    call_id: String,
    /// The turn of the session, where turns name their calls anew.
    turn: Option<String>,
    session: Arc<Session>,
    time: Option<Duration>,
    cancellation: CancellationToken,
    listener: Option<Listener>,
}

/// Who hears the events of one call.
#[derive(Clone)]
struct Listener(Arc<dyn EventSink>);

impl std::fmt::Debug for Listener {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Listener")
    }
}

impl Caller {
    /// A call by the program that holds the registry, on behalf of `principal`.
    #[must_use]
    pub fn in_process(
        principal: Principal,
        session: &Arc<Session>,
        call_id: impl Into<String>,
    ) -> Self {
        Self::at(CallSurface::InProcess, principal, session, call_id)
    }

    /// A call that came in at `surface`. For the surfaces of this crate.
    pub(crate) fn at(
        surface: CallSurface,
        principal: Principal,
        session: &Arc<Session>,
        call_id: impl Into<String>,
    ) -> Self {
        Self {
            principal,
            surface,
            call_id: call_id.into(),
            turn: None,
            session: Arc::clone(session),
            time: None,
            cancellation: CancellationToken::new(),
            listener: None,
        }
    }

    /// The same caller, in the turn `turn` of the session.
    #[cfg(feature = "serve")]
    pub(crate) fn in_turn(self, turn: &str) -> Self {
        Self {
            turn: Some(turn.to_owned()),
            ..self
        }
    }

    /// The same caller, who gives the tool at most `time` once it runs.
    #[must_use]
    pub fn within(self, time: Duration) -> Self {
        Self {
            time: Some(time),
            ..self
        }
    }

    /// The same caller, whose call ends when `cancellation` does.
    #[must_use]
    pub fn cancelled_by(self, cancellation: CancellationToken) -> Self {
        Self {
            cancellation,
            ..self
        }
    }

    /// The same caller, who also hears the events of the call itself, beside whoever listens to
    /// those of the whole registry.
    #[must_use]
    pub fn heard_by(self, listener: Arc<dyn EventSink>) -> Self {
        Self {
            listener: Some(Listener(listener)),
            ..self
        }
    }

    /// The same call, with whoever waits for it now: their time, cancellation and ear.
    pub(crate) fn waiting_with(&self, now: &Self) -> Self {
        Self {
            time: now.time,
            cancellation: now.cancellation.clone(),
            listener: now.listener.clone(),
            ..self.clone()
        }
    }

    /// Who asks for the call.
    #[must_use]
    pub fn principal(&self) -> &Principal {
        &self.principal
    }

    /// Where the call came in.
    #[must_use]
    pub fn surface(&self) -> CallSurface {
        self.surface
    }

    /// Names the call.
    #[must_use]
    pub fn call_id(&self) -> &str {
        &self.call_id
    }

    /// Names the call among all of its session, as journals do.
    pub(crate) fn call_of_session(&self) -> String {
        match &self.turn {
            Some(turn) => format!("{turn}/{}", self.call_id),
            None => self.call_id.clone(),
        }
    }

    /// The session.
    #[must_use]
    pub fn session(&self) -> &Arc<Session> {
        &self.session
    }

    /// How long the tool may run, where the caller says so.
    #[must_use]
    pub fn time(&self) -> Option<Duration> {
        self.time
    }

    /// Who hears the events of this call.
    pub(crate) fn listener(&self) -> Option<&Arc<dyn EventSink>> {
        self.listener.as_ref().map(|listener| &listener.0)
    }

    /// Ends when the caller no longer wants an answer.
    #[must_use]
    pub fn cancellation(&self) -> &CancellationToken {
        &self.cancellation
    }
}
